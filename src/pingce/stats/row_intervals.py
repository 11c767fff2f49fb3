"""Confidence intervals of classes and numbers, by the bootstrap of rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.evidence.multiclass.evidence import MulticlassEvidence
from pingce.inputs.regression import NumberRows
from pingce.scores.values import Value
from pingce.stats.draws import drawn_interval, metric_view, value_columns, with_interval
from pingce.stats.influences import influences_of, number_influences, widened
from pingce.stats.matrices import MatrixDraws, share_interval
from pingce.stats.predictions import ClassPredictions, NumberPredictions, Predictions
from pingce.stats.resampling import Resampling
from pingce.stats.skewed import both_ways


def class_intervals(
    values: Mapping[str, Value], evidence: MulticlassEvidence, resampling: Resampling
) -> dict[str, Value]:
    """The values of classes with their intervals."""
    predictions, confidence = ClassPredictions(evidence), resampling.confidence
    computed = _matrix_intervals(values, evidence, resampling)
    others = {name: value for name, value in values.items() if name not in computed}
    for name, value in _row_intervals(others, predictions, predictions.select, resampling).items():
        metric: Any = value.metric
        view, ends = metric_view(value, evidence), value.interval
        right = None if ends is None else metric.right_rows(view)
        if right is not None:
            ends = share_interval(right, predictions.weight, confidence) or ends
        influences = influences_of(metric.row_terms(view), predictions.weight)
        computed[name] = with_interval(value, ends and widened(value, influences, ends, confidence))
    return {name: computed[name] for name in values}


def _matrix_intervals(
    values: Mapping[str, Value], evidence: MulticlassEvidence, resampling: Resampling
) -> dict[str, Value]:
    """Metrics of the confusion matrix, by matrices that may be behind it where a class has few rows in a cell."""
    chosen = {
        name: value
        for name, value in values.items()
        if value.metric.needs == "confusion" and value.metric.no_interval is None
    }
    if not chosen or not (draws := MatrixDraws.of(evidence)).has_few:
        return {}
    ends: dict[str, list[tuple[float, float]]] = {name: [] for name in chosen}
    for absent in (False, True) if draws.may_be_absent() else (False,):
        for name, column in value_columns(chosen, draws.matrices(resampling, absent=absent)).items():
            ends[name].append(drawn_interval(column, chosen[name], resampling))
    return {
        name: with_interval(value, (min(low for low, _ in ends[name]), max(high for _, high in ends[name])))
        for name, value in chosen.items()
    }


def number_intervals(values: Mapping[str, Value], rows: NumberRows, resampling: Resampling) -> dict[str, Value]:
    """The values of numbers with their intervals; a row of weight 0 is none."""
    rows = getattr(rows, "data", rows).counted()
    predictions = NumberPredictions(rows)
    metrics = [value.metric for value in values.values()]
    computed = _row_intervals(values, predictions, lambda chosen: predictions.select(chosen, metrics), resampling)
    for name, value in computed.items():
        if value.interval is not None and not math.isnan(value.interval[0]):
            ends = widened(value, number_influences(value, rows), value.interval, resampling.confidence)
            computed[name] = with_interval(value, _rank_interval(value, ends, len(rows)))
    return computed


def _rank_interval(value: Value, interval: tuple[float, float], count: int) -> tuple[float, float]:
    """Rows that were drawn twice share a rank: a correlation of ranks that were drawn is too low."""
    if not value.metric.of_ranks:
        return interval
    low, middle, high = ((1 + end) / 2 for end in (interval[0], value.value, interval[1]))
    ends = both_ways((low, high), middle, 0.5 / count**2)
    return 2 * ends[0] - 1, 2 * ends[1] - 1


def _row_intervals(
    values: Mapping[str, Value],
    predictions: Predictions,
    select: Callable[[NDArray[np.intp]], Any],
    resampling: Resampling,
) -> dict[str, Value]:
    """As many rows as there are, drawn again and again; every metric is computed anew."""
    offered = {name: value for name, value in values.items() if value.metric.no_interval is None}
    order, random = predictions.order, resampling.random()
    samples = (select(order[random.integers(0, len(order), len(order))]) for _ in range(resampling.samples))
    columns = value_columns(offered, samples)
    ends = {name: drawn_interval(columns[name], value, resampling) for name, value in offered.items()}
    return {name: replace(value, interval=ends.get(name)) for name, value in values.items()}
