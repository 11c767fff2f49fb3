"""Two models on rows drawn again and again: each draw takes both models' predictions of the same rows."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats, Ints, Places
from pingce.scores.values import Interval, Value
from pingce.stats.cells import decision_differences
from pingce.stats.predictions import Predictions
from pingce.stats.resampling import EXCESS, Resampling, metric_value, percentiles

Pairs = Mapping[str, tuple[Value, Value]]
Judgement = tuple[float, Interval]


def resampled_differences(
    pairs: Pairs, first: Predictions, second: Predictions, resampling: Resampling
) -> dict[str, Judgement]:
    """p and interval of each difference, first less second. Which model comes first changes no bit but the sign."""
    if not pairs:
        return {}
    turned = _comes_later(first, second)
    if turned:
        first, second, pairs = second, first, {name: (b, a) for name, (a, b) in pairs.items()}
    judgements = {}
    for name, column in _columns(pairs, first, second, resampling).items():
        p, (low, high) = _judge(column, pairs[name], resampling)
        judgements[name] = (p, (0.0 - high, 0.0 - low) if turned else (low, high))
    return judgements


def _judge(column: Floats, pair: tuple[Value, Value], resampling: Resampling) -> Judgement:
    """p and interval; where both values are too good on average, the two excesses need not cancel."""
    low, high = percentiles(column, resampling)
    if not pair[0].metric.optimistic or math.isnan(low):
        return _two_sided(column), (low, high)
    apart, mean = pair[0].value - pair[1].value, float(np.nanmean(column))
    excess, half = EXCESS * abs(mean - apart), max(high - mean, mean - low)
    centre = math.copysign(max(0.0, abs(apart) - excess), apart)
    return _two_sided(column - mean + centre), (apart - excess - half, apart + excess + half)


def _two_sided(column: Floats) -> float:
    """Twice the share of draws on the rarer side of 0, those at 0 on both, and the observed one with them."""
    defined = column[~np.isnan(column)]
    if not len(defined):
        return math.nan
    rarer = min(int(np.count_nonzero(defined <= 0)), int(np.count_nonzero(defined >= 0)))
    return min(1.0, 2 * (1 + rarer) / (1 + len(defined)))


def _comes_later(first: Predictions, second: Predictions) -> bool:
    """Whether the second model is to be drawn first, by what the two hold and not by who came first."""
    for left, right in zip(_by_truth(first, second), _by_truth(second, first), strict=False):
        other = np.flatnonzero(left != right)
        if len(other):
            return bool(left[other[0]] > right[other[0]])
    return False


def _by_truth(first: Predictions, second: Predictions) -> list[NDArray[Any]]:
    """What two models predict, the rows sorted by truth, then by the first of them."""
    columns = [*first.columns, *second.columns]
    order = np.lexsort((*reversed(columns), *first.conditions))
    return [column[order] for column in columns]


def _columns(pairs: Pairs, first: Predictions, second: Predictions, resampling: Resampling) -> dict[str, Floats]:
    """Draws of each difference: of cells of decisions where rows have neither weight nor group, else of joint cells."""
    are_plain = first.weight is None and first.groups is None
    columns = {
        name: decision_differences(pair, first.evidence, second.evidence, resampling)
        for name, pair in pairs.items()
        if are_plain and pair[0].metric.needs == "cells"
    }
    others = {name: pair for name, pair in pairs.items() if name not in columns}
    return columns | (_joint_columns(others, first, second, resampling) if others else {})


def _joint_columns(pairs: Pairs, first: Predictions, second: Predictions, resampling: Resampling) -> dict[str, Floats]:
    """Rows that are alike in truth, weight and both predictions make one cell, drawn as often as it holds rows."""
    keys = [*second.columns, *first.columns, *first.conditions]
    order = np.lexsort(tuple(keys))
    order = order if first.weight is None else order[first.weight[order] > 0]
    new = np.zeros(len(order), bool)
    new[:1] = True
    for key in keys:
        new[1:] |= key[order][1:] != key[order][:-1]
    starts, cell = np.flatnonzero(new), np.cumsum(new) - 1
    metrics = [pair[0].metric for pair in pairs.values()]
    samplers = [side.sampler(order[starts], metrics) for side in (first, second)]
    random, groups = resampling.random(), None if first.groups is None else first.groups[order]
    columns = {name: np.full(resampling.samples, np.nan) for name in pairs}
    for i in range(resampling.samples):
        often = _often(random, cell, groups)
        sample, other = (sampler(often) for sampler in samplers)
        for name, (a, b) in pairs.items():
            columns[name][i] = metric_value(a, sample) - metric_value(b, other)
    return columns


def _often(random: np.random.Generator, cell: Places, groups: Ints | None) -> Ints:
    """How often each cell was drawn, with its rows, or with their groups."""
    size = len(cell)
    if groups is None:
        return np.bincount(cell[random.integers(0, size, size)], minlength=int(cell[-1]) + 1)
    count = int(groups.max()) + 1
    times = np.bincount(random.integers(0, count, count), minlength=count)[groups]
    return np.bincount(cell, times, minlength=int(cell[-1]) + 1).astype(np.int64)
