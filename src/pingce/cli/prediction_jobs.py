"""PREDICTIONS… on the command line: labels and scores, classes, or numbers; read at once, or streamed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from pingce.base.errors import InputError
from pingce.base.memory import size_of
from pingce.base.text import Text
from pingce.cli.inference import task_of
from pingce.cli.jobs import Job, at_work, reading_of, refuse_stdin_twice, request_of
from pingce.cli.options import out_of_place
from pingce.cli.output import Style
from pingce.cli.predictions import (
    Columns,
    FileRows,
    columns_of,
    each_model,
    model_names,
    typed_label,
)
from pingce.inputs.columns import Wanted
from pingce.inputs.data import RowData
from pingce.inputs.vectors import Vector
from pingce.request import Request
from pingce.run.memory import Excess, RowBudget, may_exceed, memory_of
from pingce.tasks import TASKS

if TYPE_CHECKING:
    from pingce.inputs.streams import TableStream
    from pingce.scores import Scores


@contextmanager
def open_predictions(files: Sequence[str], options: dict[str, Any], *, may_stream: bool = False) -> Iterator[Job]:
    """The models of tables, read at once, or streamed where that is allowed and they are large."""
    style = Style.of(options)
    refuse_stdin_twice(files)
    reading = reading_of(options)
    task = TASKS[options["task"] or task_of(files[0], options, reading)]
    option = out_of_place(options, (task.name,))
    if option is not None:
        raise InputError(
            f"{option.flag} does not belong to the task {task.name}; say the other columns too, or another --task",
            f"{option.flag} 不属于任务 {task.name}；请一并给出其他列，或改用别的 --task",
        )
    if options["per_query"]:
        _refuse_without_units(task.load("scores").per, options)
    with at_work(Text(f"reading and scoring {', '.join(files)}", f"正在读取并评测 {'、'.join(files)}")) as caught:
        request = replace(request_of(task.name, options), reading=reading)
        columns = columns_of(request, files[0], options)
        columns = replace(columns, files=FileRows.of(options, files))
        job = _streamed(request, files, columns, options) if may_stream else None
        job = job or _read(request, files, columns, options)
        words, label = columns.words(task), task.label
        note = Text(f"task: {label.en}; {words}", f"任务：{label.zh}；{words}")
        yield replace(job, style=style, reading=(note,), caught=caught)


def _refuse_without_units(unit: str, options: Mapping[str, Any]) -> None:
    if not unit:
        raise InputError(
            "-q is for queries, groups and classes; numbers have none of them",
            "-q 用于查询、分组与类别；数值预测没有这些",
        )
    if unit == "group" and not options["group"]:
        raise InputError(
            "-q shows the value of each group: say which column holds the groups with --group",
            "-q 给出每组的值：请用 --group 指明分组列",
        )


def _read(request: Request, files: Sequence[str], columns: Columns, options: Mapping[str, Any]) -> Job:
    """Models whose rows are all here."""
    kind = request.task.load("state")
    by = list(options["by"] or ()) or None

    def rows_of(read: Mapping[str, Vector], prediction: str) -> Any:
        truth = read[columns.truth]
        typed = replace(request, positive=typed_label(request.positive, truth))
        table = RowData(
            truth,
            read[prediction],
            weight=read[columns.weight] if columns.weight else None,
            by=columns.slicing(by, read),
            group=read[columns.group] if columns.group else None,
            group_weight={name: read[name] for name in columns.more} or None,
        )
        return typed, kind(typed).read(table)

    models, notes = each_model(files, columns, request.reading, rows_of)
    chosen, left_out = _usual(
        request, columns, lambda: all(batch.rows.are_probabilities for _, batch in models.values())
    )

    def score(typed: Request, rows: Any, variant: Request) -> Scores:
        state = kind(replace(variant, positive=typed.positive))
        state.add(rows)
        scores: Scores = state.score()
        return scores

    return Job(chosen, {name: partial(score, *model) for name, model in models.items()}, notes, left_out)


def _usual(
    request: Request, columns: Columns, probabilities: Callable[[], bool], *, streamed: bool = False
) -> tuple[Request, tuple[str, ...]]:
    """The request with the usual metrics where none was named, and the names of those that these scores do not have."""
    usual = partial(request.task.load("state").usual_names, grouped=columns.group is not None, streamed=streamed)
    every, of_any_scores = usual(), usual(probabilities=False)
    if request.metrics or not every:
        return request, ()
    chosen = request.with_usual(every if every == of_any_scores or probabilities() else of_any_scores)
    ids = {metric.id for metric in chosen.metrics or ()}
    return chosen, tuple(metric.name for metric in request.usual(every) if metric.id not in ids)


@dataclass(frozen=True)
class _Streams:
    """Models that are scored by streaming their files."""

    request: Request
    files: Sequence[str]
    columns: Columns
    models: Mapping[str, tuple[int, str]]

    def stream(self, model: str, *only: str) -> TableStream:
        """The file of a model, with the columns that it needs."""
        from pingce.inputs.streams import open_table

        file, prediction = self.models[model]
        wanted = replace(self.columns, predictions=(prediction,)).wanted()
        if only:
            wanted = Wanted(only, numbers=tuple(name for name in wanted.numbers if name in only))
        stream = open_table(self.files[file], wanted, self.request.reading)
        if stream is None:
            raise InputError(
                f"{self.files[file]}: the file changed while it was read",
                f"{self.files[file]}：文件在读取过程中被修改",
            )
        return stream

    def are_probabilities(self, model: str) -> bool:
        """Whether all scores of a model lie within [0, 1]."""
        from pingce.run.stream import all_probabilities

        column = self.models[model][1]
        return all_probabilities(self.stream(model, column), column, self.budget.chunk)

    @property
    def budget(self) -> RowBudget:
        """How the memory is shared out."""
        return RowBudget.of(size_of(self.request.limits.memory))


def _streamed(request: Request, files: Sequence[str], columns: Columns, options: Mapping[str, Any]) -> Job | None:
    """Models as streams, where their files would take more than the memory allowed; None where they are read at once."""
    reason = _reason(request, files, columns, options)
    if reason is None:
        return None
    from pingce.cli.progress import doing
    from pingce.run.stream import Streaming, TableColumns, stream_rows

    notes = [Text(f"streamed: {reason.en}", f"流式读取：{reason.zh}")]
    streams = _Streams(request, files, columns, model_names(files, columns.predictions))
    chosen, left_out = _usual(
        request, columns, lambda: all(map(streams.are_probabilities, streams.models)), streamed=True
    )

    def score(model: str, variant: Request) -> Scores:
        names = TableColumns(columns.truth, streams.models[model][1], columns.group, columns.weight, columns.more)
        streaming = Streaming(streams.budget, variant.limits.tmpdir, doing, notes.append)
        scores: Scores = stream_rows(variant, streams.stream(model), names, streaming)
        return scores

    return Job(chosen, {model: partial(score, model) for model in streams.models}, notes, left_out)


def _reason(request: Request, files: Sequence[str], columns: Columns, options: Mapping[str, Any]) -> Text | None:
    """Why files are streamed; None where they are read at once."""
    memory = request.limits.memory
    if not may_exceed(memory, *files):
        return None
    from pingce.inputs.streams import open_table

    most = size_of(memory)
    named = None if memory is None else most
    opened = [open_table(file, columns.wanted(), request.reading, named) for file in files]
    excess = Excess(sum(map(memory_of, files, opened)), memory)
    if excess.size <= most:
        return None
    unable = _unable(files, opened, options)
    if unable is None:
        return excess.reason
    excess.refuse(unable)
    return None


def _unable(files: Sequence[str], opened: Sequence[Any], options: Mapping[str, Any]) -> Text | None:
    """Why the files cannot be streamed."""
    for option in ("ci", "by", "id"):
        if options.get(option):
            return Text(f"--{option} needs all rows at once", f"--{option} 需要一次用到全部数据行")
    for file, stream in zip(files, opened, strict=True):
        if stream is None:
            return Text(
                f"{file} cannot be streamed (Parquet, CSV and TSV can)",
                f"{file} 不能流式读取（Parquet、CSV、TSV 可以）",
            )
    return None
