"""The keywords of a task's evaluate call, as a request and its data: the only place where they are read."""

from __future__ import annotations

from typing import Any

from pingce.inputs.columns import Reading
from pingce.inputs.data import RankingData, RowData, one_weight
from pingce.request import Intervals, Limits, MetricNames, Request
from pingce.tasks import TASKS
from pingce.tasks.options import Keywords

_SLICES = Intervals(0.95, 10_000)
"How intervals of slices of queries are made."


def request_from_keywords(task: str, metrics: MetricNames | None, keywords: Keywords) -> Request:
    """What the keywords ask; one that was not written has its default."""
    get, of_rows = keywords.get, TASKS[task].of_rows
    return Request.of(
        task,
        metrics,
        convention=get("convention"),
        policies=TASKS[task].load("policies").among(keywords),
        intervals=Intervals(get("ci"), get("samples", 1000), get("seed", 0)) if of_rows else _SLICES,
        min_n=get("min_n", 20),
        reading=Reading(
            get("columns"), get("input_format"), get("encoding"), get("threads"), get("queries"), get("items")
        ),
        limits=Limits(get("memory"), get("tmpdir")),
        threads=get("threads"),
        split=get("split", "allowed"),
        bins=get("bins"),
        positive=get("positive"),
        labels=get("labels"),
    )


def data_from_keywords(task: str, truth: Any, prediction: Any, keywords: Keywords) -> RowData | RankingData:
    """Truth and prediction, with the data among the keywords."""
    if TASKS[task].of_rows:
        return row_data(truth, prediction, keywords)
    return RankingData(truth, prediction, *map(keywords.get, ("exclude", "query_weight", "by")))


def row_data(truth: Any, prediction: Any, keywords: Keywords) -> RowData:
    """Rows of predictions, with the columns among the keywords."""
    get = keywords.get
    weight = one_weight(get("weight"), get("sample_weight"))
    return RowData(truth, prediction, get("data"), weight, *map(get, ("by", "group", "group_weight", "proba")))
