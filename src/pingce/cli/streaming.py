"""`pingce eval` of predictions that are larger than memory: which are streamed, and how they are scored."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pingce.base.errors import InputError, PingceWarning
from pingce.base.text import Text
from pingce.cli.jobs import Job
from pingce.cli.predictions import Columns, model_names, typed_label
from pingce.cli.progress import doing
from pingce.inputs.folders import files_of
from pingce.inputs.sizes import unpacked_sizes

if TYPE_CHECKING:
    from collections.abc import Callable

    from pingce.engines.predictions import Streaming
    from pingce.evaluate.definitions import Definitions
    from pingce.inputs.columns import Reading
    from pingce.inputs.streams import TableStream
    from pingce.inputs.vectors import Vector
    from pingce.metrics.grammar import MetricRequest

_SMALL = 1 << 24
"Files of fewer bytes are read at once, whatever they hold."


class Streams:
    """Models that are scored by streaming their files."""

    def __init__(self, files: Sequence[str], columns: Columns, options: Mapping[str, Any], reading: Reading) -> None:
        self._files, self._columns, self._options, self._reading = files, columns, options, reading
        self.notes: list[Text] = []
        self.models = model_names(files, columns.predictions)

    @property
    def how(self) -> Streaming:
        """Under which limits."""
        from pingce.base.memory import size_of
        from pingce.engines.predictions import Shares, Streaming

        shares = Shares.of(size_of(self._options["memory"]))
        return Streaming(shares, self._options["tmpdir"], doing, self.notes.append)

    def stream(self, model: str, *only: str) -> TableStream:
        """The file of a model, with the columns that it needs."""
        from dataclasses import replace

        from pingce.inputs.columns import Wanted
        from pingce.inputs.stream_files import open_table

        file, prediction = self.models[model]
        wanted = replace(self._columns, predictions=(prediction,)).wanted()
        if only:
            wanted = Wanted(only, numbers=tuple(name for name in wanted.numbers if name in only))
        found = open_table(self._files[file], wanted, self._reading)
        if found is None:
            raise InputError(
                f"{self._files[file]}: the file changed while it was read",
                f"{self._files[file]}：文件在读取过程中被修改",
            )
        return found

    def columns(self, model: str) -> Any:
        """What the engine calls the columns of a model."""
        from pingce.engines.predictions import Columns as OfModel

        of_all = self._columns
        return OfModel(of_all.truth, self.models[model][1], of_all.group, of_all.weight, of_all.more)

    def job(
        self,
        define: Definitions[Any],
        asked: list[MetricRequest],
        score: Callable[[str, list[MetricRequest], Any], Any],
    ) -> Job:
        """All models, each ready to be scored."""

        def scoring(model: str) -> Any:
            return lambda metrics, policies: score(model, metrics, policies)

        return Job(define, asked, {model: scoring(model) for model in self.models}, notes=self.notes)


def streams_of(files: Sequence[str], columns: Columns, options: Mapping[str, Any], reading: Reading) -> Streams | None:
    """The files as streams, where they would take more than the memory allowed; None where they are read at once."""
    said = options.get("memory")
    if "memory" not in options or (said is None and sum(map(_size, files)) < _SMALL):
        return None
    from pingce.base.memory import human, size_of
    from pingce.engines.predictions import held
    from pingce.inputs.stream_files import open_table

    memory = size_of(said)
    most = None if said is None else memory
    opened = [open_table(file, columns.wanted(), reading, most) for file in files]
    size = sum(2 * _size(file) if stream is None else held(stream) for file, stream in zip(files, opened, strict=True))
    if size <= memory:
        return None
    need = human(size)
    limit = Text(f"a quarter of the memory ({human(memory)})", f"内存的四分之一（{human(memory)}）")
    limit = limit if said is None else Text(f"--memory {said}", f"--memory {said}")
    too_much = Text(f"{need} would exceed {limit.en}", f"{need} 会超出 {limit.zh}")
    unable = _unable(files, opened, options)
    if unable is None:
        found = Streams(files, columns, options, reading)
        found.notes.append(Text(f"streamed: {too_much.en}", f"流式读取：{too_much.zh}"))
        return found
    if said is not None:
        raise InputError(
            f"{too_much.en}, and {unable.en}; give more --memory, or leave it out to have everything read at once",
            f"{too_much.zh}，而{unable.zh}；请调大 --memory，或不给该选项以一次读入全部数据",
        )
    text = Text(
        f"{unable.en}: all of it is read at once, although {too_much.en}",
        f"{unable.zh}：一次读入全部，尽管 {too_much.zh}",
    )
    warnings.warn(PingceWarning(str(text)), stacklevel=2)
    return None


def _size(file: str) -> int:
    paths = files_of(Path(file))
    return unpacked_sizes(path for path in ([Path(file)] if paths is None else paths) if path.is_file())


def _unable(files: Sequence[str], opened: Sequence[Any], options: Mapping[str, Any]) -> Text | None:
    """Why the files cannot be streamed."""
    for option, name in (("ci", "ci"), ("by", "by"), ("id", "id_column")):
        if options.get(name):
            return Text(f"--{option} needs all rows at once", f"--{option} 需要一次用到全部数据行")
    for file, stream in zip(files, opened, strict=True):
        if stream is None:
            return Text(
                f"{file} cannot be streamed (Parquet, CSV and TSV can)",
                f"{file} 不能流式读取（Parquet、CSV、TSV 可以）",
            )
    return None


def binary_job(
    streams: Streams, define: Definitions[Any], asked: list[MetricRequest], options: Mapping[str, Any]
) -> Job:
    """Labels and scores."""
    from pingce.engines.predictions import stream_binary
    from pingce.evaluate.binary import Assumed, default_metrics, names_left_out
    from pingce.evaluators import BinaryEvaluator

    def score(model: str, metrics: list[MetricRequest], policies: Any) -> Any:
        def made(tables: Any, room: int, truth: Vector) -> BinaryEvaluator:
            return BinaryEvaluator.of(
                metrics,
                policies,
                bins=options["bins"],
                positive=typed_label(options["positive"], truth),
                tables=tables if options["bins"] is None else None,
                room=room,
                threads=options["threads"],
            )

        scores = stream_binary(streams.stream(model), streams.columns(model), made, streams.how)
        scores.left_out = left_out
        return _with_warnings(scores)

    usual = asked or define.defaults(default_metrics(Assumed(options["group"] is not None)))
    chosen = asked or _usual(streams, define, options)
    left_out = names_left_out(usual, {metric.id for metric in chosen})
    return streams.job(define, chosen, score)


def _usual(streams: Streams, define: Definitions[Any], options: Mapping[str, Any]) -> list[MetricRequest]:
    """Metrics that nobody named follow from the scores: whether they are probabilities."""
    from types import SimpleNamespace

    from pingce.engines.predictions import all_probabilities
    from pingce.evaluate.binary import default_metrics

    def of(model: str) -> list[str]:
        column = streams.models[model][1]
        sure = all_probabilities(streams.stream(model, column), column, streams.how)
        return default_metrics(SimpleNamespace(group=options["group"], are_probabilities=sure))  # type: ignore[arg-type]

    found = [of(model) for model in streams.models]
    return define.defaults([name for name in found[0] if all(name in names for names in found)])


def _with_warnings(scores: Any) -> Any:
    for warning in scores.warnings:
        warnings.warn(PingceWarning(str(warning)), stacklevel=2)
    return scores


def classes_job(
    streams: Streams, define: Definitions[Any], asked: list[MetricRequest], options: Mapping[str, Any]
) -> Job:
    """Classes."""
    from pingce.engines.predictions import stream_classes
    from pingce.evaluators import MulticlassEvaluator

    def score(model: str, metrics: list[MetricRequest], policies: Any) -> Any:
        evaluator = MulticlassEvaluator.of(metrics, policies, threads=options["threads"])
        return stream_classes(streams.stream(model), streams.columns(model), evaluator, streams.how)

    return streams.job(define, asked, score)


def numbers_job(
    streams: Streams, define: Definitions[Any], asked: list[MetricRequest], options: Mapping[str, Any]
) -> Job:
    """Numbers; of the usual metrics those that can be added up."""
    from pingce.engines.predictions import stream_numbers
    from pingce.evaluators import RegressionEvaluator

    def score(model: str, metrics: list[MetricRequest], policies: Any) -> Any:
        evaluator = RegressionEvaluator.of(metrics, policies, threads=options["threads"])
        usual = not options["metrics"]
        return stream_numbers(streams.stream(model), streams.columns(model), evaluator, streams.how, usual=usual)

    return streams.job(define, asked, score)


def fractional(file: str, names: Sequence[str], reading: Reading) -> bool | None:
    """Whether a column of a large file holds numbers with fractions; None of what is not streamed, or small."""
    if _size(file) < _SMALL:
        return None
    from contextlib import closing

    import numpy as np

    from pingce.inputs.columns import Wanted
    from pingce.inputs.predictions import vector_of
    from pingce.inputs.stream_files import open_table

    stream = open_table(file, Wanted(tuple(names)), reading)
    if stream is None:
        return None
    with closing(stream.chunks(_SMALL)) as chunks:  # type: ignore[type-var]
        for table, source in chunks:
            columns = [vector_of(table, name, source) for name in names]
            numbers = [one.values for one in columns if one.is_array and one.values.dtype.kind == "f"]
            if any(bool((values != np.floor(values)).any()) for values in numbers):
                return True
            if not numbers:
                return False  # the types stay
    return False
