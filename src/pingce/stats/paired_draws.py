"""Two models on the same rows: by what each row adds to their difference, or on rows drawn again and again for both."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats
from pingce.base.interval import NO_INTERVAL, Interval
from pingce.scores.values import Value
from pingce.stats.cells import decision_differences
from pingce.stats.influences import Influences
from pingce.stats.predictions import Predictions
from pingce.stats.resampling import EXCESS, Resampling, percentiles

Pairs = Mapping[str, tuple[Value, Value]]


class Judgement(NamedTuple):
    """What draws say of a difference."""

    p: float
    interval: Interval
    behind: bool
    "Whether shares were drawn that may be behind cells of few rows, not rows."


def influence_difference(pair: tuple[Value, Value], first: Predictions, second: Predictions) -> Influences | None:
    """The difference of two models by what each row, or group, adds to it; None where there are too few for that."""
    sides = [side.row_influences(value) for value, side in zip(pair, (first, second), strict=True)]
    if sides[0] is None or sides[1] is None:
        return None
    added, groups, weight = sides[0] - sides[1], first.groups, first.weight
    kept = slice(None) if weight is None else weight > 0
    influences = Influences.of_shares(pair[0].value - pair[1].value, added[kept])
    influences = influences if groups is None else influences.by_group(groups[kept])
    return influences if np.isfinite(influences.added).all() else None


def resampled_differences(
    pairs: Pairs, first: Predictions, second: Predictions, resampling: Resampling
) -> dict[str, Judgement]:
    """p and interval of each difference, first less second. Which model comes first changes no bit but the sign."""
    if not pairs:
        return {}
    turned = _comes_later(first, second)
    if turned:
        first, second, pairs = second, first, {name: (b, a) for name, (a, b) in pairs.items()}
    judgements, same = {}, first.agrees_with(second)
    for name, (column, behind) in _columns(pairs, first, second, resampling).items():
        apart, optimistic = pairs[name][0].value - pairs[name][1].value, pairs[name][0].metric.optimistic
        p, (low, high) = judge(column, apart, resampling, optimistic=optimistic)
        if low == high != 0 and not same:  # rows that are all alike do not say how others may differ
            p, low, high = math.nan, *NO_INTERVAL
        judgements[name] = Judgement(p, (0.0 - high, 0.0 - low) if turned else (low, high), behind)
    return judgements


def judge(column: Floats, apart: float, resampling: Resampling, *, optimistic: bool) -> tuple[float, Interval]:
    """p and interval of a difference by draws of it; where both values are too good on average, the two excesses need not cancel."""
    low, high = percentiles(column, resampling)
    if math.isnan(low):
        return math.nan, NO_INTERVAL
    if not optimistic:
        return _two_sided(column), (min(low, apart), max(high, apart))
    mean = float(np.nanmean(column))
    excess, half = EXCESS * abs(mean - apart), max(high - mean, mean - low)
    centre = math.copysign(max(0.0, abs(apart) - excess), apart)
    return _two_sided(column - mean + centre), (apart - excess - half, apart + excess + half)


def _two_sided(column: Floats) -> float:
    """Twice the share of draws on the rarer side of 0, those at 0 on both, and the observed one with them."""
    defined = column[~np.isnan(column)]
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


def _columns(
    pairs: Pairs, first: Predictions, second: Predictions, resampling: Resampling
) -> dict[str, tuple[Floats, bool]]:
    """Draws of each difference: of cells of decisions where rows have neither weight nor group, else of joint cells.

    And whether they are of what may be behind cells of few rows.
    """
    are_plain = first.weight is None and first.groups is None
    columns = {
        name: decision_differences(pair, first.evidence, second.evidence, resampling)
        for name, pair in pairs.items()
        if are_plain and pair[0].metric.needs == "cells"
    }
    others = {name: pair for name, pair in pairs.items() if name not in columns}
    if not others:
        return columns
    order = np.lexsort((*second.columns, *first.columns, *first.conditions))
    order = order if first.weight is None else order[first.weight[order] > 0]
    draws = [
        side.paired_draws({name: pair[at] for name, pair in others.items()}, order, resampling)
        for at, side in enumerate((first, second))
    ]
    return columns | {name: (draws[0][name] - draws[1][name], False) for name in others}
