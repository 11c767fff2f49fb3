"""Values of data that was drawn again and again: a column of them per metric, and the interval that follows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from pingce.base.exact import Floats
from pingce.scores.values import Value
from pingce.stats.resampling import Resampling

Interval = tuple[float, float]


NONE = (math.nan, math.nan)
EXCESS = 1 / (math.sqrt(2) - 1)
"""What is best of several is too good by σ times some number, and a draw, whose noise is √2 σ with that of the data, by
√2 as much: draws show √2 - 1 of what the data has. (Of a single sharp peak they show more; the end is lower then.)"""


def metric_view(value: Value, evidence: Any) -> Any:
    """What the metric of a value reads: the evidence under the policies of the value, or rows and sums as they are."""
    under = getattr(evidence, "view", None)
    return evidence if under is None else under(value.policies)


def metric_value(value: Value, evidence: Any) -> float:
    """The metric of a value on other evidence."""
    metric: Any = value.metric
    return float(metric.value(metric_view(value, evidence)))


def value_columns(values: Mapping[str, Value], samples: Iterable[Any]) -> dict[str, Floats]:
    """Every metric on every sample of the data, a column per metric."""
    columns: dict[str, list[float]] = {name: [] for name in values}
    for sample in samples if values else ():
        for name, value in values.items():
            columns[name].append(metric_value(value, sample))
    return {name: np.array(column, np.float64) for name, column in columns.items()}


def with_interval(value: Value, interval: Interval | None) -> Value:
    """The value with its interval; a point is none: rows that are all alike do not say how others may differ."""
    return replace(value, interval=None if interval is not None and interval[0] == interval[1] else interval)


def percentiles(column: Floats, resampling: Resampling) -> Interval:
    """The middle of the draws; undefined ones are left out."""
    defined = column[~np.isnan(column)]
    if not len(defined):
        return NONE
    low, high = np.quantile(defined, resampling.ends)
    return float(low), float(high)


def drawn_interval(column: Floats, value: Value, resampling: Resampling) -> Interval:
    """The middle of the draws, with the value itself; what is too good on average is first set right."""
    low, high = percentiles(column, resampling)
    if math.isnan(low):
        return NONE
    if value.metric.optimistic:
        mean = float(np.nanmean(column))
        excess = max(0.0, mean - value.value) * EXCESS
        low, high = value.value - excess - max(high - mean, mean - low), value.value + (mean - low)
        low, high = max(0.0, low), min(1.0, high)
    return min(low, value.value), max(high, value.value)
