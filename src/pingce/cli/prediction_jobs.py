"""PREDICTIONS… on the command line: labels and scores, classes, or numbers; read at once, or streamed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.base.errors import InputError
from pingce.base.memory import size_of
from pingce.base.text import Text
from pingce.cli.jobs import Job, at_work, reading_of, refuse_stdin_twice, request_of
from pingce.cli.options import out_of_place
from pingce.cli.output import Style
from pingce.cli.predictions import (
    Columns,
    columns_among,
    columns_of,
    each_model,
    model_names,
    read_columns,
    task_by_columns,
    typed_label,
    with_gaps,
)
from pingce.cli.progress import doing
from pingce.inputs.columns import Reading, Wanted
from pingce.inputs.data import RowData
from pingce.inputs.names import LABEL, PREDICTED_SCORE, PREDICTED_VALUE, listed
from pingce.inputs.predictions import column_names, vector_of
from pingce.inputs.vectors import Vector
from pingce.request import Request
from pingce.run.feed import streamed_slices
from pingce.run.memory import Excess, RowBudget, may_exceed, memory_of, sizes_of
from pingce.tasks import TASKS
from pingce.tasks.binary import BINARY
from pingce.tasks.multiclass import MULTICLASS
from pingce.tasks.regression import REGRESSION

if TYPE_CHECKING:
    from pingce.inputs.streams import TableStream
    from pingce.scores import Scores

SMALL = 1 << 24
"The types of columns of files of fewer bytes are found by reading them at once."


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
        options["by"] = with_gaps(request, options["by"])
        if options.get("pair"):
            from pingce.cli.task_pairs import read_pairs

            job, words = read_pairs(request, files, options)
        else:
            columns = columns_of(request, files, options)
            job = (_streamed(request, files, columns, options) if may_stream else None) or _read(
                request, files, columns, options
            )
            words = columns.words(task)
        label = task.label
        note = Text(f"task: {label.en}; {words}", f"任务：{label.zh}；{words}")
        yield replace(job, style=style, reading=(note,), caught=caught)


def _refuse_without_units(unit: str, options: Mapping[str, Any]) -> None:
    if unit == "group" and not options["group"]:
        raise InputError(
            "-q shows the value of each group: say which column holds the groups with --group",
            "-q 给出每组的值：请用 --group 指明分组列",
        )


def _read(request: Request, files: Sequence[str], columns: Columns, options: Mapping[str, Any]) -> Job:
    """Models whose rows are all here."""
    kind = request.task.load("state")
    by = _slicing(options)

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
            roles={role: read[name] for role, name in columns.roles.items()},
        )
        return typed, kind(typed).read(table)

    models, notes = each_model(files, columns, request.reading, rows_of)
    chosen, left_out = with_usual(
        request, columns, lambda: all(batch.rows.are_probabilities for _, batch in models.values())
    )

    def score(typed: Request, rows: Any, variant: Request) -> Scores:
        state = kind(replace(variant, positive=typed.positive))
        state.add(rows)
        scores: Scores = state.score()
        return scores

    return Job(chosen, {name: partial(score, *model) for name, model in models.items()}, notes, left_out)


def with_usual(
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


def _streamed(request: Request, files: Sequence[str], columns: Columns, options: Mapping[str, Any]) -> Job | None:
    """Models as streams, where their files would take more than the memory allowed; None where they are read at once."""
    reason = _reason(request, files, columns, options)
    if reason is None:
        return None
    from pingce.inputs.streams import open_table
    from pingce.run.stream import Streaming, TableColumns, all_probabilities, stream_rows

    notes = [Text(f"streamed: {reason.en}", f"流式读取：{reason.zh}")]
    models, budget = model_names(files, columns.predictions), RowBudget.of(size_of(request.limits.memory))

    def stream(model: str, *only: str) -> TableStream:
        """The file of a model, with the columns that it needs."""
        file, prediction = models[model]
        wanted = replace(columns, predictions=(prediction,)).wanted()
        if only:
            wanted = Wanted(only, numbers=tuple(name for name in wanted.numbers if name in only))
        table = open_table(files[file], wanted, request.reading)
        if table is None:
            raise InputError(
                f"{files[file]}: the file changed while it was read", f"{files[file]}：文件在读取过程中被修改"
            )
        return table

    def all_are_probabilities() -> bool:
        columns = ((model, column) for model, (_, column) in models.items())
        return all(all_probabilities(stream(model, column), column, budget.chunk) for model, column in columns)

    def score(model: str, variant: Request) -> Scores:
        sides = columns.truth, models[model][1], columns.group, columns.weight
        names = TableColumns(*sides, columns.more, columns.roles, streamed_slices(request, _slicing(options)) or {})
        streaming = Streaming(budget, variant.limits.tmpdir, doing, notes.append)
        scores: Scores = stream_rows(variant, stream(model), names, streaming)
        return scores

    chosen, left_out = with_usual(request, columns, all_are_probabilities, streamed=True)
    return Job(chosen, {model: partial(score, model) for model in models}, notes, left_out)


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
    unable = [
        Text(f"--{option} needs all rows at once", f"--{option} 需要一次用到全部数据行")
        for option in ("ci", "by", "id")
        if options.get(option) and not (option == "by" and streamed_slices(request, _slicing(options)) is not None)
    ]
    unable += [
        Text(f"{file} cannot be streamed (Parquet, CSV and TSV can)", f"{file} 不能流式读取（Parquet、CSV、TSV 可以）")
        for file, stream in zip(files, opened, strict=True)
        if stream is None
    ]
    if not unable:
        return excess.reason
    excess.refuse(unable[0])
    return None


def _slicing(options: Mapping[str, Any]) -> list[str] | None:
    """What `--by` says."""
    return list(options["by"] or ()) or None


def task_of(file: str, options: Mapping[str, Any], reading: Reading) -> str:
    """The task by the options, else by the names of the columns; of true and predicted ones, by their types."""
    declaring = task_by_columns(options)
    if declaring is not None:
        return declaring
    if options["label"] or options["score"] or options.get("pair"):
        return BINARY.name
    if not (options["true"] or options["pred"]):
        if options["group"]:
            return BINARY.name
        names = column_names(file, reading)
        present = {name.lower() for name in names}
        if not present.intersection(LABEL):
            raise InputError(
                f"{file}: for a ranking give QRELS and RUN...; for predictions say which columns hold the labels and the "
                "scores with --label and --score (or --true and --pred)",
                f"{file}：评测排序请给出 QRELS 与 RUN...；评测预测请用 --label 与 --score（或 --true 与 --pred）指明标签列与分数列",
            )
        if present.intersection(LABEL[:-1]) and present.intersection(PREDICTED_SCORE):
            return BINARY.name
        if not present.intersection(PREDICTED_VALUE):
            raise InputError(
                f"{file}: say which column holds the scores with --score, or the predicted classes or numbers with --pred; "
                f"it has {listed(names)}",
                f"{file}：请用 --score 指明分数列，或用 --pred 指明预测类别或数值的列；现有 {listed(names)}",
            )
    columns = columns_among(Request.of(MULTICLASS.name, reading=reading), column_names(file, reading), options)
    roles = (columns.truth, *columns.predictions)
    fractional = _is_fractional_stream(file, roles, reading)
    if fractional is None:
        read = read_columns(file, Wanted(tuple(dict.fromkeys(columns.wanted().columns))), reading)
        fractional = any(_is_fractional(read[name]) for name in roles)
    return REGRESSION.name if fractional else MULTICLASS.name


def _is_fractional(column: Vector) -> bool:
    values = column.values
    return bool(column.is_array and values.dtype.kind == "f" and (values != np.floor(values)).any())


def _is_fractional_stream(file: str, names: Sequence[str], reading: Reading) -> bool | None:
    """Whether a column of a large file holds numbers with fractions; None of what is not streamed, or small."""
    if sizes_of(file) < SMALL:
        return None
    from pingce.inputs.streams import open_table

    stream = open_table(file, Wanted(tuple(names)), reading)
    if stream is None:
        return None
    with closing(stream.chunks(SMALL)) as chunks:  # type: ignore[type-var]
        for table, source in chunks:
            columns = [vector_of(table, name, source) for name in names]
            numbers = [column for column in columns if column.is_array and column.values.dtype.kind == "f"]
            if any(map(_is_fractional, numbers)):
                return True
            if not numbers:
                return False  # the types stay
    return False
