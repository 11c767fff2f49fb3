"""Data to scores: read at once where it fits into memory, streamed where it does not; and keywords of calls to a request and data.

Both are decided here, and only here.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pingce.base.errors import InputError, warn_user
from pingce.base.memory import human, size_of
from pingce.base.text import Text
from pingce.inputs.columns import Reading, Wanted
from pingce.inputs.data import RankingData, RowData, one_weight
from pingce.inputs.item_names import item_facts, item_names
from pingce.inputs.predictions import asked_slices
from pingce.request import Intervals, Limits, MetricNames, Request, gap_columns
from pingce.run.memory import RowBudget, may_exceed, memory_of, refuse_larger
from pingce.run.shorthands import field_columns, with_shorthands
from pingce.tasks import TASKS
from pingce.tasks.options import Keywords
from pingce.tasks.ranking import BACKGROUND

if TYPE_CHECKING:
    from pingce.inputs.streams import TableStream
    from pingce.run.stream import TableColumns
    from pingce.scores.ranking import RankingScores


def evaluate(request: Request, data: RowData | RankingData) -> Any:
    """The scores of a prediction, with their warnings given to the caller."""
    from pingce.run.score import warn

    scores = _evaluate_lists(request, data) if isinstance(data, RankingData) else _evaluate_rows(request, data)
    warn(scores)
    return scores


def evaluate_keywords(task: str, metrics: MetricNames | None, truth: Any, prediction: Any, keywords: Keywords) -> Any:
    """The scores of a prediction, by the keywords of a call."""
    request = request_from_keywords(task, metrics, keywords)
    return evaluate(request, data_from_keywords(task, truth, prediction, keywords))


def _evaluate_rows(request: Request, table: RowData) -> Any:
    table = replace(table, by=with_gap_columns(request, table))
    scores = _streamed(request, table)
    if scores is None:
        state = request.task.load("state")(request)
        state.add(state.read(table))
        scores = state.score()
    return scores


def with_gap_columns(request: Request, table: RowData) -> Any:
    """What rows are sliced by, with the columns that gaps go by, where there is a table that may have them."""
    names = gap_columns(request)
    if not names or table.data is None:
        return table.by
    grouped = request.task.load("state").has_groups
    by = asked_slices(table.by, named=True, built_in=grouped)
    return asked_slices([name for name in names if name not in by] or None, named=True, built_in=grouped) | by


def _evaluate_lists(request: Request, data: RankingData) -> RankingScores:
    if request.reading.table is not None:
        refuse_larger(request.limits.memory, [request.reading.table], "a table of both sides")
    elif may_exceed(request.limits.memory, data.truth, data.prediction, data.exclude):
        from pingce.run.stream_ranking import open_ranking

        opened = open_ranking(request, data, [data.prediction])
        if opened is not None:
            return opened.score(request, str(data.prediction))
    return _lists_at_once(request, data)


def _lists_at_once(request: Request, data: RankingData) -> RankingScores:
    from pingce.run.states.fixed_tables import read_tables, refuse_no_truth
    from pingce.run.states.ranking import RankingState
    from pingce.run.states.ranking_batches import RankingBatch

    if data.truth is None:
        refuse_no_truth(request.metrics)
    state = RankingState(request, read_tables(request, data))
    state.add(RankingBatch(request.reading.read(data.prediction, "run")))
    return state.score()


def _streamed(request: Request, table: RowData) -> Any:
    """The scores, where the table is streamed; None where it is to be read at once."""
    limits = request.limits
    if limits.tmpdir is None and not may_exceed(limits.memory, table.data):
        return None
    opened = _open(request, table)
    if opened is None:
        return None
    from pingce.run.stream import Streaming, stream_rows

    return stream_rows(request, *opened, Streaming(RowBudget.of(size_of(limits.memory)), limits.tmpdir))


def _open(request: Request, table: RowData) -> tuple[TableStream, TableColumns] | None:
    """The table as a stream, if it would take more than the memory; None where it is to be read at once."""
    from pingce.inputs.streams import open_table
    from pingce.run.stream import TableColumns

    memory, role = request.limits.memory, request.task.prediction_role
    declared = request.task.columns
    names = {"y_true": table.truth, role: table.prediction, "group": table.group, "weight": table.weight}
    names |= {each.name: table.roles.get(each.name) for each in declared}
    option = "tmpdir=" if memory is None else "memory="
    if memory is not None or request.limits.tmpdir is not None:
        required = ("y_true", *request.task.required_roles, *declared.required())
        _refuse_other_than_names(table.data, names, option, required)
    elif not all(name is None or isinstance(name, str) for name in names.values()):
        return None
    columns = {role: str(name) for role, name in names.items() if name is not None}
    metrics = request.metrics or ()
    weights = table.group_weight or {}
    needed = (name for metric in metrics for name in metric.metric.needed_columns())
    more = tuple(dict.fromkeys(name for name in needed if name not in weights))
    fields = {name for metric in metrics for name in metric.metric.field_columns()}
    numbers = (columns[role] for role in request.task.load("state").numbers if role in columns)
    by = streamed_slices(request, table.by)
    slices = [name for name in (by or {}).values() if name not in (*columns.values(), *more)]
    wanted = Wanted(
        tuple(dict.fromkeys((*columns.values(), *more, *slices))),
        texts=(
            *((columns["group"],) if "group" in columns else ()),
            *declared.of("ids", columns),
            *(name for name in more if name in fields),
            *slices,
        ),
        numbers=tuple(
            dict.fromkeys((*numbers, *declared.of("numbers", columns), *(name for name in more if name not in fields)))
        ),
    )
    limit = size_of(memory)
    reading = Reading(None, request.reading.input_format, request.reading.encoding, request.threads)
    stream = open_table(table.data, wanted, reading, limit)
    need = memory_of(table.data, stream)
    if need <= limit:
        return None
    unable = _needing_all_rows(request, table)
    if stream is not None and unable is None:
        if role not in columns:
            raise _no_name(role, "memory=")
        sides = columns["y_true"], columns[role], columns.get("group"), columns.get("weight")
        return stream, TableColumns(*sides, more, declared.among(columns), by or {})
    problem = _cannot_be_streamed(table.data, human(need), human(limit), unable)
    if memory is not None:
        raise problem
    warn_user(Text(f"read at once: {problem.text.en}", f"一次读入：{problem.text.zh}"))
    return None


def _needing_all_rows(request: Request, table: RowData) -> str | None:
    """What was asked for that needs all rows at once."""
    by = table.by if streamed_slices(request, table.by) is None else None
    parts = {"ci": request.intervals.ci, "by": by, "group_weight": table.group_weight, "proba": table.proba}
    if request.limits.memory is None and request.task.load("state").refuses_stream(request):
        parts["metrics"] = request.metrics
    return next((f"{name}=" for name, value in parts.items() if value is not None), None)


def streamed_slices(request: Request, by: Any) -> dict[str, str] | None:
    """The columns that rows are sliced by, under the names of the slices; None where slices need all rows at once."""
    kind = request.task.load("state")
    if by is None:
        return {}
    columns = asked_slices(by, named=True, built_in=kind.has_groups)
    names = {name: column for name, column in columns.items() if isinstance(column, str)}
    may_add_up = request.metrics is None or kind.sums_slices(request)  # usual ones that do not are left out
    return names if len(names) == len(columns) and may_add_up and not request.readings else None


def _refuse_other_than_names(data: Any, names: Mapping[str, object], option: str, required: tuple[str, ...]) -> None:
    if not isinstance(data, (str, os.PathLike)):
        raise InputError(
            f"{option} is for files: data= must be a path, not {type(data).__name__}",
            f"{option} 用于文件：data= 须为路径，而不是 {type(data).__name__}",
        )
    odd = next((role for role, name in names.items() if name is not None and not isinstance(name, str)), None)
    odd = odd or next((role for role in required if names[role] is None), None)
    if odd is not None:
        raise _no_name(odd, option)


def _no_name(role: str, option: str) -> InputError:
    return InputError(
        f"{option} is for files: {role}= must be the name of a column of data=",
        f"{option} 用于文件：{role}= 须为 data= 中的列名",
    )


def _cannot_be_streamed(data: Any, need: str, limit: str, unable: str | None) -> InputError:
    if unable is not None:
        return InputError(
            f"{data}: {unable} needs all rows at once, which take {need}, more than memory={limit}; give more memory, or leave "
            "memory= out",
            f"{data}：{unable} 需要一次用到全部数据行，约 {need}，超过 memory={limit}；请调大 memory，或不给 memory=",
        )
    what, them = Text("the file", "该文件"), "it"
    if not Path(data).is_file():
        what, them = Text("the files there", "其中的文件"), "them"
    return InputError(
        f"{data}: {need} would exceed memory={limit}, and {what.en} cannot be streamed (Parquet, CSV and TSV can); convert {them}, "
        "or give more memory",
        f"{data}：{need} 会超出 memory={limit}，而{what.zh}不能流式读取（Parquet、CSV、TSV 可以）；请转换格式，或调大 memory",
    )


def request_from_keywords(task: str, metrics: MetricNames | None, keywords: Keywords) -> Request:
    """What the keywords ask; one that was not written has its default."""
    get, ci = keywords.get, keywords.get("ci")
    metrics = with_shorthands(task, metrics, get("field"), get("cost"), grouped=get("group") is not None)
    return Request.of(
        task,
        metrics,
        convention=get("convention"),
        policies=TASKS[task].load("policies").among(keywords),
        intervals=Intervals.of(TASKS[task], ci, get("samples"), get("seed", 0)),
        min_n=get("min_n", 20),
        slice_ci=0.95 if ci is None else ci,
        reading=Reading(
            get("columns"),
            get("input_format"),
            get("encoding"),
            get("threads"),
            get("queries"),
            item_names(get("items"), get("data")),
            sizes=get("sizes"),
            item_weight=get("item_weight"),
            table=None if TASKS[task].of_rows else get("data"),
        ),
        limits=Limits(get("memory"), get("tmpdir")),
        threads=get("threads"),
        split=get("split", "allowed"),
        bins=get("bins"),
        positive=get("positive"),
        labels=get("labels"),
        window=get("window"),
    )


def data_from_keywords(task: str, truth: Any, prediction: Any, keywords: Keywords) -> RowData | RankingData:
    """Truth and prediction, with the data among the keywords."""
    if TASKS[task].of_rows:
        return row_data(task, truth, prediction, keywords)
    tables = {name: keywords.get(name) for name in ("exclude", "query_weight", "by", *BACKGROUND)}
    return RankingData(truth, prediction, **tables | {"items": item_facts(keywords.get("items"), keywords.get("data"))})


def row_data(task: str, truth: Any, prediction: Any, keywords: Keywords) -> RowData:
    """Rows of predictions, with the columns among the keywords; those that the task declares by their role."""
    get = keywords.get
    weight, roles = one_weight(get("weight"), get("sample_weight")), TASKS[task].columns.among(keywords)
    weights, columns = get("group_weight"), field_columns(get("field"))
    if columns and (weights is None or isinstance(weights, Mapping)):
        weights = {**(weights or {}), **columns}
    groups = get("group"), weights
    return RowData(truth, prediction, get("data"), weight, get("by"), *groups, get("proba"), roles)
