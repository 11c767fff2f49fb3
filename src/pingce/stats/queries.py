"""Confidence intervals of rankings: queries are drawn again and again; beyond many of them, what each adds says the same."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from pingce.base.exact import Floats
from pingce.base.interval import NO_INTERVAL, Interval
from pingce.base.text import Text
from pingce.metrics.averages import Column
from pingce.metrics.ranking import RankingMetric
from pingce.scores.ranking import RankingScores, RankingValue
from pingce.stats.influences import Influences, quantile_ends
from pingce.stats.means import MANY, drawn_means, drawn_totals, mean_intervals, method_used
from pingce.stats.resampling import Resampling, normal_z, percentiles, with_interval

Summands = Callable[[RankingValue], Sequence[Column]]
"The columns over queries that a value is made of."
_STEP = 2.0**-17
"Relative step of a numeric derivative: about the cube root of what a double tells apart."


class DrawnSum(NamedTuple):
    """One column added up over the queries of one draw."""

    mean: float
    total: float


def ranking_intervals(
    values: Mapping[str, RankingValue], summands: Summands, weights: Floats | None, resampling: Resampling
) -> dict[str, RankingValue]:
    """The values with their intervals: means share the draws, as those of a comparison do; `weights` are of all queries."""
    averaged = {name: value for name, value in values.items() if _is_averaged(value) and is_of_all(value)}
    shared = {name: value for name, value in averaged.items() if value.list_weights is None}
    plain = [name for name, value in shared.items() if not value.weighted]
    weighted = [name for name, value in shared.items() if value.weighted]
    done: dict[str, RankingValue] = {}
    for names, of_queries in ((plain, None), (weighted, weights)):
        if names:
            matrix = np.stack([values[name].per_query for name in names], axis=1)
            ends = mean_intervals(matrix, resampling, weights=of_queries).tolist()
            method = method_used("bootstrap", len(matrix))
            done |= {
                name: _with_ends(values[name], (low, high), method)
                for name, (low, high) in zip(names, ends, strict=True)
            }
    for name, value in values.items():
        if name not in done:
            done[name] = _other_value(value, summands, resampling)
    return {name: done[name] for name in values}


def is_of_all(value: RankingValue) -> bool:
    """Whether all queries of the table are such as the metric looks at; those that are not must not be drawn for it."""
    undefined = value.undefined if value.policies.undefined == "skip" else 0
    return bool(value.count + undefined == len(value.per_query))


def _is_averaged(value: RankingValue) -> bool:
    return bool(value.metric.is_mean) and value.metric.no_interval is None


def _other_value(value: RankingValue, summands: Summands, resampling: Resampling) -> RankingValue:
    """A mean over some queries; a quantile by order statistics, all else by sums of queries drawn anew."""
    metric: RankingMetric = value.metric
    if metric.no_interval is not None or math.isnan(value.value) or not metric.is_of_columns():
        return _with_ends(value, NO_INTERVAL, None)
    columns = summands(value)
    if _is_averaged(value):
        (ends,) = mean_intervals(columns[0].settled[:, None], resampling, weights=_weights(value, columns[0])).tolist()
        return _with_ends(value, (ends[0], ends[1]), method_used("bootstrap", len(columns[0].values)))
    if metric.level is not None:
        return _with_ends(value, quantile_interval(columns[0], metric.level, resampling), "order")
    if len(columns[0].values) > MANY:
        return _with_ends(value, _influences(value, columns).interval(resampling.confidence), "influence")
    return _with_ends(value, percentiles(drawn_values(metric, columns, resampling), resampling), "bootstrap")


def _weights(value: RankingValue, column: Column) -> Floats | None:
    return column.weights if value.is_weighted else None


def _with_ends(value: RankingValue, ends: Interval, method: str | None) -> RankingValue:
    is_defined = not math.isnan(ends[0]) and not math.isnan(value.value)
    out: RankingValue = with_interval(value, ends if is_defined else None, method)  # type: ignore[assignment]
    return out


def drawn_values(metric: RankingMetric, columns: Sequence[Column], resampling: Resampling) -> Floats:
    """The value of each draw, from the sums of its queries; all columns share the draws."""
    matrix = np.stack([column.settled for column in columns], axis=1)
    means, totals = drawn_totals(matrix, resampling.samples, resampling.seed)
    weights = columns[0].weights
    if weights is not None and weights.any():
        means = drawn_means(matrix, resampling.samples, resampling.seed, weights)
    draws = zip(means.tolist(), totals.tolist(), strict=True)
    return np.array([metric.combine(*map(DrawnSum, *draw)) for draw in draws])


def _influences(value: RankingValue, columns: Sequence[Column]) -> Influences:
    """What each query adds: its distance from the mean of a column, times how fast the value changes with that mean."""
    added = np.zeros(len(columns[0].values))
    means = [column.mean for column in columns]
    for at, (column, mean) in enumerate(zip(columns, means, strict=True)):
        settled = column.settled
        heavy = np.where(np.isnan(settled), 0.0, 1.0 if column.weights is None else column.weights)
        slope = _slope(value.metric, means, at, len(added))
        added += slope * np.nan_to_num(heavy * (settled - mean)) / math.fsum(heavy.tolist())
    return Influences.of_shares(value.value, added)


def _slope(metric: RankingMetric, means: Sequence[float], at: int, count: int) -> float:
    """How fast the value changes with one of the means; a count is rounded, and changes as they do."""
    if metric.counts:
        return float(count)
    step = _STEP * (abs(means[at]) or 1.0)
    moved = [[each + side * (place == at) for place, each in enumerate(means)] for side in (-step, step)]
    low, high = (metric.combine(*(DrawnSum(each, each * count) for each in side)) for side in moved)
    return (high - low) / (2 * step)


def quantile_interval(column: Column, level: float, resampling: Resampling) -> Interval:
    """The interval of a quantile of a column, between two of its sorted values."""
    settled = column.settled
    defined = ~np.isnan(settled)
    weights = None if column.weights is None else column.weights[defined]
    return quantile_ends(settled[defined], weights, level, normal_z(resampling.confidence)) or NO_INTERVAL


FEW = Text("it needs at least two queries with a value", "至少需要两个有值的查询")
ALIKE = Text(
    "queries drawn anew always give the same value, which does not say how others may differ",
    "对查询重新抽样总得到同一个值，说明不了其他查询会如何",
)
_LISTS = Text(
    "it is made of all lists together, and a list that is drawn twice shows nothing new: draws are no guide",
    "该值由全部列表合在一起得出，重复抽到的列表不带来新内容：抽样说明不了什么",
)
EDGE = Text("too few queries lie beyond such a quantile to bound it", "位于该分位数之外的查询太少，无法给出界限")


def note_no_intervals(scores: RankingScores) -> None:
    """Add to the notes which metrics have no interval where intervals were asked for, and why."""
    for name, value in scores.values_by_name.items():
        if value.interval is None and not math.isnan(value.value):
            metric: RankingMetric = value.metric
            reason = FEW if value.count < 2 else ALIKE if metric.level is None else EDGE
            reason = metric.no_interval or (reason if metric.is_of_columns() else _LISTS)
            scores.notes = (*scores.notes, no_interval_note(name, reason))


def no_interval_note(name: str, reason: Text) -> Text:
    """What is said of a value without an interval where intervals were asked for."""
    return Text(f"{name} has no confidence interval: {reason.en}", f"{name} 没有置信区间：{reason.zh}")
