"""The keywords of a task's evaluate call, as a request and its data: the only place where they are read."""

from __future__ import annotations

from typing import Any

from pingce.inputs.aliases import one_weight
from pingce.inputs.columns import Reading
from pingce.request import Intervals, Limits, MetricNames, Request
from pingce.run.data import RankingData, RowData
from pingce.run.feed import evaluate
from pingce.tasks import TASKS
from pingce.tasks.options import Keywords


def request_from_keywords(task: str, metrics: MetricNames | None, keywords: Keywords) -> Request:
    """What the keywords ask; one that was not written has its default."""
    get, of_rows = keywords.get, TASKS[task].of_rows
    intervals = Intervals(get("ci"), get("samples", 1000), get("seed", 0)) if of_rows else Intervals(0.95, 10_000)
    return Request.of(
        task,
        metrics,
        convention=get("convention"),
        policies=TASKS[task].load("policies").among(keywords),
        intervals=intervals,
        min_n=get("min_n", 20),
        reading=Reading(
            get("columns"), get("input_format"), get("encoding"), get("threads"), get("queries"), get("items")
        ),
        limits=Limits(get("memory"), get("tmpdir")),
        threads=get("threads"),
        bins=get("bins"),
        positive=get("positive"),
        labels=get("labels"),
    )


def data_from_keywords(task: str, truth: Any, prediction: Any, keywords: Keywords) -> RowData | RankingData:
    """Truth and prediction, with the data among the keywords."""
    get = keywords.get
    if not TASKS[task].of_rows:
        return RankingData(truth, prediction, get("exclude"), get("query_weight"), get("by"))
    weight = one_weight(get("weight"), get("sample_weight"))
    columns = get("group"), get("group_weight"), get("proba")
    return RowData(truth, prediction, get("data"), weight, get("by"), *columns)


def evaluate_keywords(task: str, metrics: MetricNames | None, truth: Any, prediction: Any, keywords: Keywords) -> Any:
    """The scores of a prediction, with their warnings given to the caller."""
    request = request_from_keywords(task, metrics, keywords)
    return evaluate(request, data_from_keywords(task, truth, prediction, keywords))
