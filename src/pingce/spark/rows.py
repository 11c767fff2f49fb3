"""Predictions in a data frame of Spark, of any task of rows: executors see batches, the driver merges what they saw."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from pingce.base.errors import InputError
from pingce.base.records import dataclass
from pingce.inputs.names import refuse_absent
from pingce.inputs.predictions import asked_slices
from pingce.request import Request, gap_columns
from pingce.run.states.sliced import SlicedState
from pingce.spark.classes import FarClasses
from pingce.spark.frames import choose_columns, refuse_other
from pingce.spark.jobs import feed_evaluator
from pingce.spark.numbers import FarNumbers
from pingce.spark.predictions import NAME, Plan
from pingce.spark.problems import translate_spark_errors
from pingce.spark.scores import on_spark
from pingce.spark.shuffle import shuffle_by_key
from pingce.spark.slices import SliceCounts, SliceTables, counted_slices
from pingce.spark.tables import SparkTables, counted_scores

if TYPE_CHECKING:
    from pingce.evidence.binary.facts import Facts

MOST_DISTINCT = 10_000_000
"Distinct scores that are collected on the driver: some 250 MB."
MOST_ROWS = 50_000_000
"Rows that are collected on the driver, where intervals or slices need them: some 30 bytes each."


@dataclass(frozen=True)
class DriverLimits:
    """How much may come to the driver."""

    distinct: int = MOST_DISTINCT
    rows: int = MOST_ROWS


@dataclass(frozen=True)
class FrameColumns:
    """Names of columns; None for one that is found by the names that people use, or absent."""

    label: str | None = None
    prediction: str | None = None
    "Scores, classes or numbers."
    weight: str | None = None
    group: str | None = None
    proba: tuple[str, ...] = ()
    "Columns of probabilities, one per class, or a single column of arrays."
    roles: Mapping[str, str | None] = field(default_factory=dict)
    "Those that the task declares, by role."
    by: Any = None
    "What rows are sliced by: names of columns, which may be of times (`time:1d`)."


@translate_spark_errors()
def score_rows(
    request: Request,
    data: Any,
    columns: FrameColumns,
    *,
    partitions: int | None = None,
    limits: DriverLimits = DriverLimits(),  # noqa: B008 - frozen
) -> Any:
    """The scores of a data frame; warnings stay with them."""
    refuse_other(data, NAME)
    plan = _plan(request, data, columns)
    ci = request.intervals.ci
    if (ci is not None and not _draws_counts(request, plan)) or (plan.by and not _adds_up(request, plan)):
        return _score_collected(request, data, plan, limits.rows)
    request = replace(request, threads=1, split="never")
    frame = plan.chosen(data)
    if plan.key is not None:
        frame = shuffle_by_key([(frame, plan.keys)], partitions)
    if plan.by:
        return _score_slices(request, data, plan, frame, limits.distinct)

    def counts(facts: Facts) -> Any:
        label, score = plan.roles["y_true"], plan.roles[request.task.prediction_role]
        return counted_scores(data, label, score, plan.roles.get("weight"), facts.positive_name)

    tables = SparkTables(counts, lambda: evaluator.facts, limits.distinct)
    tables.most_rows = limits.rows
    tables.numbers = FarNumbers.of(data, plan, limits.distinct)
    tables.classes = FarClasses.of(data, plan, request)
    evaluator = request.task.load("evaluator").over(request.task.load("state").for_cluster(request, tables))
    return on_spark(feed_evaluator(frame, evaluator, plan.feed).score(), data.sparkSession)


def _draws_counts(request: Request, plan: Plan) -> bool:
    """Whether counts of distinct scores are enough for intervals."""
    weighted_or_sliced = "weight" in plan.roles or plan.by
    return not weighted_or_sliced and bool(request.task.load("state").draws_counts(request))


def _adds_up(request: Request, plan: Plan) -> bool:
    """Whether slices need no rows: sums of each are enough, and rows alone tell in which one they are."""
    counted = plan.proba or request.readings or None in plan.by.values()
    return not counted and bool(request.task.load("state").sums_slices(request))


def _score_slices(request: Request, data: Any, plan: Plan, frame: Any, most: int) -> Any:
    """The scores with slices that are counted apart where the rows are: of each no more than sums comes to the driver."""
    kind, score = request.task.load("state"), plan.roles.get(request.task.prediction_role, "")

    def count(by: str) -> Any:
        return counted_slices(data, plan, by, score, state.facts.positive_name)

    counts = {by: SliceCounts(partial(count, by), most) for by in plan.by}

    def make(by: str | None, name: str | None) -> Any:
        def facts() -> Facts:
            state_facts: Facts = mine.facts
            return state_facts

        def whole(facts: Facts) -> Any:
            label, weight = plan.roles["y_true"], plan.roles.get("weight")
            return counted_scores(data, label, score, weight, facts.positive_name)

        tables = SparkTables(whole, facts, most) if by is None else SliceTables(counts[by], name, facts)
        mine = kind.for_cluster(request, tables)
        return mine

    state = SlicedState(request, make)
    evaluator = feed_evaluator(frame, request.task.load("evaluator").over(state), plan.feed)
    try:
        return on_spark(evaluator.score(), data.sparkSession)
    finally:
        for each in counts.values():
            each.close()


def _score_collected(request: Request, data: Any, plan: Plan, most: int) -> Any:
    """The scores of rows that come to the driver, in columns, checked and narrow: whatever their order, the result is the same."""
    rows = data.count()
    if rows > most:
        what = "ci=" if request.intervals.ci is not None else "by="
        raise InputError(
            f"{what} needs the columns that are evaluated of all {rows} rows on the driver, and collect={most} is the most that may go there; "
            f"raise it (some 30 bytes a row), leave {what} out, or take a sample of the DataFrame",
            f"{what} 需要把全部 {rows} 行中参与评测的列收集到驱动端，而上限为 collect={most}；请调大该值（每行约 30 字节），"
            f"或去掉 {what}，或对 DataFrame 抽样",
        )
    evaluator = request.task.load("evaluator").of(replace(request, threads=1, split="allowed"))
    return on_spark(
        feed_evaluator(plan.chosen(data), evaluator, replace(plan, key=None).feed).score(), data.sparkSession
    )


def _plan(request: Request, data: Any, columns: FrameColumns) -> Plan:
    """Which columns are seen as what: as they were named, or by the names that people use."""
    kind = request.task.load("state")
    prediction = kind.prediction_name
    keywords = {"label": "y_true", prediction: request.task.prediction_role, "group": "group", "weight": "weight"}
    usual = {"label": kind.truth_names} | ({} if columns.proba else {prediction: kind.prediction_names})
    named = {"label": columns.label, prediction: columns.prediction, "group": columns.group, "weight": columns.weight}
    for role in request.task.columns:
        named[role.name], keywords[role.name] = columns.roles.get(role.name), role.name
        usual |= {role.name: role.names} if role.required else {}
    roles = choose_columns(data, named, usual)
    refuse_absent(columns.proba, data.columns, NAME)
    more = dict.fromkeys(name for metric in request.metrics or () for name in metric.metric.needed_columns())
    by = asked_slices(columns.by, named=True, built_in=kind.has_groups)
    by |= {name: name for name in gap_columns(request) if name not in by}
    refuse_absent([name for name in by.values() if name is not None], data.columns, NAME)
    return Plan(
        {keywords[role]: name for role, name in roles.items()},
        columns.proba,
        choose_columns(data, {name: name for name in more}, {}),
        by,
        roles.get("group") or roles.get(request.task.columns.unit),
    )
