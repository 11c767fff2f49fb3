"""Predictions in a data frame of Spark, of any task of rows: executors see batches, the driver merges what they saw."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pingce.base.records import dataclass
from pingce.inputs.names import refuse_absent
from pingce.request import Request
from pingce.spark.classes import FarClasses
from pingce.spark.frames import choose_columns, refuse_other
from pingce.spark.jobs import feed_evaluator
from pingce.spark.numbers import FarNumbers
from pingce.spark.predictions import NAME, Plan
from pingce.spark.problems import translate_spark_errors
from pingce.spark.scores import on_spark
from pingce.spark.shuffle import shuffle_by_key
from pingce.spark.tables import SparkTables, counted_scores

if TYPE_CHECKING:
    from pingce.evidence.binary.facts import Facts

MOST_DISTINCT = 10_000_000
"Distinct scores that are collected on the driver: some 250 MB."


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


@translate_spark_errors()
def score_rows(
    request: Request,
    data: Any,
    columns: FrameColumns,
    *,
    partitions: int | None = None,
    distinct: int = MOST_DISTINCT,
) -> Any:
    """The scores of a data frame; warnings stay with them."""
    refuse_other(data, NAME)
    plan = _plan(request, data, columns)
    request = replace(request, threads=1, split="never")

    def counts(facts: Facts) -> Any:
        label, score = plan.roles["y_true"], plan.roles[request.task.prediction_role]
        return counted_scores(data, label, score, plan.roles.get("weight"), facts.positive_name)

    tables = SparkTables(counts, lambda: evaluator.facts, distinct)
    tables.numbers = FarNumbers.of(data, plan, distinct)
    tables.classes = FarClasses.of(data, plan, request)
    evaluator = request.task.load("evaluator").over(request.task.load("state").for_cluster(request, tables))
    frame = plan.chosen(data)
    if plan.key is not None:
        frame = shuffle_by_key([(frame, plan.keys)], partitions)
    return on_spark(feed_evaluator(frame, evaluator, plan.feed).score(), data.sparkSession)


def _plan(request: Request, data: Any, columns: FrameColumns) -> Plan:
    """Which columns are seen as what: as they were named, or by the names that people use."""
    kind = request.task.load("state")
    prediction = kind.prediction_name
    keywords = {"label": "y_true", prediction: request.task.prediction_role, "group": "group", "weight": "weight"}
    usual = {"label": kind.truth_names} | ({} if columns.proba else {prediction: kind.prediction_names})
    named = {"label": columns.label, prediction: columns.prediction, "group": columns.group, "weight": columns.weight}
    roles = choose_columns(data, named, usual)
    refuse_absent(columns.proba, data.columns, NAME)
    more = dict.fromkeys(name for metric in request.metrics or () for name in metric.metric.needed_columns())
    return Plan(
        {keywords[role]: name for role, name in roles.items()},
        columns.proba,
        choose_columns(data, {name: name for name in more}, {}),
        roles.get("group"),
    )
