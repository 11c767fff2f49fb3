"""Rows that come in groups, such as users: groups are drawn, not rows, and vary instead of rows."""

from __future__ import annotations

import math
from collections.abc import Mapping
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.evidence.binary.evidence import BinaryEvidence, TableEvidence
from pingce.evidence.binary.thresholds import ThresholdEvidence
from pingce.stats.calibration import bin_sums
from pingce.stats.delong import AreaDifference, score_interval, twice_shares
from pingce.stats.influences import label_influences, widened
from pingce.stats.intervals import NONE, area_ends, drawn_interval, rarer_rows
from pingce.stats.matrices import is_point
from pingce.stats.tables import SharedLosses

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pingce.scores.base import Value

    Floats = NDArray[np.float64]
    Interval = tuple[float, float]


def group_codes(evidence: BinaryEvidence) -> NDArray[np.int64]:
    """The group of each row as a number, in the order of their ids; -1 for a row of weight 0, which is none."""
    rows = evidence.rows
    if rows.group is None:
        return np.arange(len(rows))
    kept = np.arange(len(rows)) if rows.weight is None else np.flatnonzero(rows.weight)
    codes = np.full(len(rows), -1, np.int64)
    codes[kept] = np.unique(rows.group.plain().comparable()[kept], return_inverse=True)[1].reshape(-1)
    return codes


def clustered_intervals(
    values: Mapping[str, Value], evidence: BinaryEvidence, *, confidence: float, samples: int, seed: int
) -> dict[str, Interval | None]:
    """The intervals of values that are not means over groups by themselves, with the group as the unit."""
    ends: dict[str, Interval | None] = {}
    rarer, resampled = rarer_rows(evidence), {}
    for name, value in values.items():
        if value.metric.no_interval is not None or rarer < value.metric.rows_for_interval():
            ends[name] = None
        elif value.metric.paired_test == "delong" and evidence.rows.weight is None:
            ends[name] = area_interval(value, evidence, confidence)
        elif value.metric.paired_test == "calibration":
            ends[name] = bin_sums(value.metric, evidence, group_codes(evidence)).interval(confidence)
        else:
            resampled[name] = value
    columns = _drawn(resampled, evidence, samples, seed) if resampled else {}
    ends |= {name: _of_draws(value, columns[name], evidence, confidence) for name, value in resampled.items()}
    return {name: None if is_point(interval) else interval for name, interval in ends.items()}


def _of_draws(value: Value, drawn: Floats, evidence: BinaryEvidence, confidence: float) -> Interval:
    """The interval of draws, longer where few groups decide the value."""
    rows, influences = evidence.rows, label_influences(value, evidence)
    if influences is not None:
        code = group_codes(evidence)
        influences = influences.by_group(code if rows.weight is None else code[rows.weight > 0])
    return widened(value, influences, drawn_interval(drawn, value, confidence), confidence)


def _drawn(values: Mapping[str, Value], evidence: BinaryEvidence, samples: int, seed: int) -> dict[str, Floats]:
    """Draw as many groups as there are, again and again; every row of a group comes along as often as the group."""
    rows, code = evidence.rows, group_codes(evidence)
    weights = np.ones(len(rows)) if rows.weight is None else rows.weight
    order = np.lexsort((weights, code, rows.positive, -rows.scores))
    order = order[code[order] >= 0]
    score, positive, group = rows.scores[order], rows.positive[order].astype(bool), code[order]
    weight = weights[order]
    starts = np.flatnonzero(np.concatenate([[True], score[1:] != score[:-1]]))
    sides = [np.where(side, weight, 0.0) for side in (positive, ~positive)]
    random, count = np.random.Generator(np.random.PCG64(seed)), int(group.max()) + 1
    share, losses = np.full(count, 1 / count), dict[float, Any]()
    values_by_draw = {name: np.full(samples, np.nan) for name in values}
    for i in range(samples):
        often = random.multinomial(count, share)[group]
        at = [np.add.reduceat(side * often, starts) for side in sides]
        at = [side.astype(np.int64) for side in at] if rows.weight is None else at
        kept = (at[0] > 0) | (at[1] > 0)
        table = ThresholdEvidence(score[starts][kept], np.cumsum(at[0][kept]), np.cumsum(at[1][kept]))
        sample = TableEvidence(table, rows, losses=SharedLosses(score[starts], kept, losses), rounded=True)
        for name, value in values.items():
            metric: Any = value.metric
            values_by_draw[name][i] = metric.value(sample.seen(value.policies))  # type: ignore[arg-type]
    return values_by_draw


def _influences(evidence: BinaryEvidence, code: NDArray[np.int64]) -> tuple[float, Floats]:
    """AUC, and what each group adds to its distance from the truth: Σ (v⁺ - AUC) / P + Σ (v⁻ - AUC) / N."""
    side = evidence.rows.positive.view(bool)
    above, below = twice_shares(evidence.rows.scores[side], evidence.rows.scores[~side])
    many, few = len(above), len(below)
    area = math.fsum(above.tolist()) / (2 * many * few)
    added = np.empty(len(side))
    added[side] = (above / (2 * few) - area) / many
    added[~side] = (below / (2 * many) - area) / few
    # Sorted by group and size, so that the order of rows changes no bit.
    order = np.lexsort((added, code))
    return area, np.bincount(code[order], added[order]).astype(np.float64)


def _variance(influences: Floats) -> float:
    count = len(influences)
    return math.fsum((influences * influences).tolist()) * count / (count - 1) if count > 1 else math.nan


def area_interval(value: Value, evidence: BinaryEvidence, confidence: float) -> Interval:
    """AUC ± z · √V, V of groups; where that leaves [0, 1], or nothing varies, the score interval of so many groups.

    V = G / (G - 1) · Σ_g u_g²                                                              [after Obuchowski 1997]
    """
    positives = int(np.count_nonzero(evidence.rows.positive))
    if min(positives, len(evidence.rows) - positives) < 2:
        return NONE
    code = group_codes(evidence)
    area, added = _influences(evidence, code)
    half = NormalDist().inv_cdf((1 + confidence) / 2) * math.sqrt(_variance(added))
    if math.isnan(half):
        return NONE
    low, high = area - half, area + half
    if not half or low < 0 or high > 1:
        positive = evidence.rows.positive.view(bool)
        counts = [float(len(np.unique(code[side]))) for side in (positive, ~positive)]
        low, high = score_interval(area, (counts[0], counts[1]), confidence)
    return area_ends(value.metric, (low, high))


def clustered_area_difference(first: BinaryEvidence, second: BinaryEvidence) -> AreaDifference:
    """AUC of one model less that of the other, and its variance over groups."""
    positives = int(np.count_nonzero(first.rows.positive))
    if min(positives, len(first.rows) - positives) < 2:
        return AreaDifference(math.nan, math.nan)
    code = group_codes(first)
    (one, own), (other, others) = _influences(first, code), _influences(second, code)
    return AreaDifference(one - other, _variance(own - others))
