"""The variance of AUC, its interval, and DeLong's test of two areas of the same rows."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats, exact_dot, exact_sum, weighted_dot

if TYPE_CHECKING:
    from pingce.evidence.binary.thresholds import ThresholdEvidence


@dataclass(frozen=True)
class AreaDifference:
    """AUC of one model less that of the other, and its variance; NaN with fewer than two rows of a class."""

    value: float
    variance: float

    @property
    def p(self) -> float:
        """Two-sided, normal. Where nothing varies, 1 for equal areas, 0 for others."""
        if math.isnan(self.variance):
            return math.nan
        if not self.variance:
            return 0.0 if self.value else 1.0
        return math.erfc(abs(self.value) / math.sqrt(2 * self.variance))

    def interval(self, confidence: float) -> tuple[float, float]:
        """Value ± z · √V, within [-1, 1]."""
        if math.isnan(self.variance):
            return math.nan, math.nan
        half = NormalDist().inv_cdf((1 + confidence) / 2) * math.sqrt(self.variance)
        return max(-1.0, self.value - half), min(1.0, self.value + half)


def area_difference(positive: NDArray[np.uint8], first: NDArray[Any], second: NDArray[Any]) -> AreaDifference:
    """Each positive's share of negatives below it, and each negative's share of positives above it, model less model.

    V = S(v⁺_a - v⁺_b) / P + S(v⁻_a - v⁻_b) / N, S the sample variance; equal scores count half.   [DeLong et al. 1988]
    """
    side = positive.view(bool)
    of_first, of_second = (twice_shares(scores[side], scores[~side]) for scores in (first, second))
    above, below = (a - b for a, b in zip(of_first, of_second, strict=True))
    many, few = len(above), len(below)
    if not many or not few:
        return AreaDifference(math.nan, math.nan)
    value = float(exact_sum(above) / (2 * many * few))
    if many < 2 or few < 2:
        return AreaDifference(value, math.nan)
    variance = _variance(above) / (4 * few * few * many) + _variance(below) / (4 * many * many * few)
    return AreaDifference(value, float(variance))


def twice_shares(above: NDArray[Any], below: NDArray[Any]) -> tuple[Floats, Floats]:
    """2 × the negatives below each positive and 1 × those beside it; and the positives above each negative alike."""
    high, low = np.sort(above), np.sort(below)
    of_positives = np.searchsorted(low, above, side="left") + np.searchsorted(low, above, side="right")
    under = np.searchsorted(high, below, side="left") + np.searchsorted(high, below, side="right")
    return of_positives.astype(np.float64), (2 * len(high) - under).astype(np.float64)


def _variance(counts: Floats) -> Fraction:
    """Exact: counts are whole numbers."""
    total = exact_sum(counts)
    return (exact_dot(counts, counts) - total * total / len(counts)) / (len(counts) - 1)


def score_interval(area: float, counts: tuple[float, float], confidence: float) -> tuple[float, float]:
    """The areas θ with |θ - area| ≤ z · √V(θ), V that of so many positives and negatives: wide where few rows agree.

    V(θ) = θ (1 - θ) (1 + (n/2 - 1) ((1 - θ)/(2 - θ) + θ/(1 + θ))) / (P · N), n = P + N.      [Newcombe 2006, method 5]
    """
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    positives, negatives = counts
    pairs, more = positives * negatives, (positives + negatives) / 2 - 1

    def reached(theta: float) -> bool:
        spread = theta * (1 - theta) * (1 + more * ((1 - theta) / (2 - theta) + theta / (1 + theta))) / pairs
        return (theta - area) ** 2 <= z * z * spread

    return _bisected(reached, area, 0.0), _bisected(reached, area, 1.0)


def _bisected(reached: Callable[[float], bool], inside: float, outside: float) -> float:
    """The border between what is reached and what is not."""
    if inside == outside:
        return outside
    for _ in range(60):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if reached(middle) else (inside, middle)
    return inside


def delong_variance(table: ThresholdEvidence) -> float:
    """The variance of AUC: of each positive's share of negatives below it, and the like of each negative.

    V = S(v⁺) / P + S(v⁻) / N, S the sample variance; equal scores count half.            [DeLong et al. 1988]
    """
    positives, negatives = (column.astype(np.float64) for column in table.at)
    many, few = table.positives, table.negatives
    if many < 2 or few < 2:
        return math.nan
    of_positives = (2 * (few - table.fp) + negatives) / (2 * few)
    of_negatives = (2 * table.tp - positives) / (2 * many)
    area = float(table.pairs().twice_concordant) / (2 * many * few)
    above = float(weighted_dot(of_positives - area, of_positives - area, positives)) / (many - 1)
    below = float(weighted_dot(of_negatives - area, of_negatives - area, negatives)) / (few - 1)
    return above / many + below / few


def delong(table: ThresholdEvidence, confidence: float) -> tuple[float, float]:
    """AUC ± z · √V; where that leaves [0, 1], or nothing varies, the score interval, which does not collapse."""
    if table.positives < 2 or table.negatives < 2:
        return math.nan, math.nan
    area = float(table.pairs().twice_concordant) / (2 * table.positives * table.negatives)
    half = NormalDist().inv_cdf((1 + confidence) / 2) * math.sqrt(delong_variance(table))
    if half and area - half >= 0 and area + half <= 1:
        return area - half, area + half
    return score_interval(area, (float(table.positives), float(table.negatives)), confidence)
