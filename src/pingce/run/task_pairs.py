"""Several tasks of one table, each scored by itself: labels and scores that `TaskPair` names, on some of the rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from pingce.base.errors import InputError
from pingce.base.records import dataclass
from pingce.inputs.data import RowData
from pingce.inputs.task_pairs import TaskPair
from pingce.inputs.vectors import Vector
from pingce.request import MetricNames, Request
from pingce.run.feed import request_from_keywords, row_data
from pingce.run.score import warn
from pingce.run.shared_columns import SharedColumns
from pingce.run.shorthands import field_columns
from pingce.scores.pairs import PairScores
from pingce.tasks import Task, checked_task
from pingce.tasks.binary import BINARY
from pingce.tasks.options import Keywords


@dataclass(frozen=True)
class PairRequest:
    """What is asked of the tasks of a table: a request for all of them, the tasks, and the columns that they share."""

    request: Request
    pairs: tuple[TaskPair, ...]
    columns: SharedColumns


def pair_request(metrics: MetricNames | None, pairs: Iterable[str] | str, keywords: Keywords) -> PairRequest:
    """What the keywords of a call ask."""
    tasks = checked_pairs(pairs)
    request = request_from_keywords(BINARY.name, metrics, keywords)
    if keywords.get("group_weight") is not None or field_columns(keywords.get("field")):
        raise InputError(
            "with pairs, metrics read columns of the table: leave group_weight= out, and name fields",
            "使用 pairs 时，指标所需的列取自表中：请去掉 group_weight=，字段请写列名",
        )
    return PairRequest(request, tuple(tasks), SharedColumns.of(request, row_data(BINARY.name, None, None, keywords)))


def task_of_pairs(task: str, truth: Any) -> Task:
    """The task that pairs are of; another one, and a truth beside them, is refused."""
    chosen = checked_task(task)
    if chosen.of_rows and chosen is not BINARY:
        raise InputError(
            f"pairs= are labels and scores; leave task={task!r} out",
            f"pairs= 是标签与分数；请去掉 task={task!r}",
        )
    if truth is not None:
        raise InputError(
            "pairs= name the label of each task: give None in place of the truth, and tables as models",
            "pairs= 已指明每个任务的标签列：真值处请写 None，模型处请给出表",
        )
    return BINARY


def checked_pairs(pairs: Iterable[str] | str) -> list[TaskPair]:
    """The tasks that texts say, each once."""
    texts = [pairs] if isinstance(pairs, str) else list(dict.fromkeys(pairs))
    if not texts:
        raise InputError(
            "there is no pair: write LABEL:SCORE for each task", "没有给出任何 pair：每个任务写作 LABEL:SCORE"
        )
    return [TaskPair.read(text) for text in texts]


def rows_of_pair(pair: TaskPair, read: Mapping[str, Vector], table: RowData) -> RowData:
    """The rows of one task; `table` has what goes with all rows."""
    rows = pair.rows(read)

    def taken(column: Vector | None) -> Vector | None:
        return column if column is None or rows is None else column.take(rows)

    def each_taken(columns: Mapping[str, Vector | None] | None) -> dict[str, Vector | None] | None:
        return None if columns is None else {name: taken(column) for name, column in columns.items()}

    return replace(
        table,
        truth=taken(read[pair.truth]),
        prediction=pair.score({name: taken(read[name]) for name in pair.factors}),  # type: ignore[misc]
        weight=taken(table.weight),
        by=each_taken(table.by),
        group=taken(table.group),
        group_weight=each_taken(table.group_weight),
    )


def evaluate_tasks(pair_request: PairRequest, data: Any) -> PairScores:
    """The scores of every task of a table, all by the same metrics, with their warnings given to the caller."""
    request, pairs, columns = pair_request.request, pair_request.pairs, pair_request.columns
    numbers = [name for pair in pairs for name in pair.factors]
    read = columns.read(data, [name for pair in pairs for name in pair.columns], numbers, request.reading)
    kind, shared = request.task.load("state"), columns.table(read)
    batches = {pair.name: kind(request).read(rows_of_pair(pair, read, shared)) for pair in pairs}
    if not request.metrics:
        are_probable = all(batch.rows.are_probabilities for batch in batches.values())
        usual = kind.usual_names(grouped=columns.group is not None, probabilities=are_probable)
        request = request.with_usual(usual)
    scores = {}
    for name, batch in batches.items():
        state = kind(request)
        state.add(batch)
        scores[name] = state.score()
        warn(scores[name])
    return PairScores(scores)
