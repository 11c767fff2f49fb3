"""The variance of AUC, its interval, and DeLong's test of two areas of the same rows, or of rows that come in groups."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.erfc import erfc
from pingce.base.exact import Floats, Ints, exact_dot, exact_sum, weighted_dot
from pingce.base.interval import NO_INTERVAL, Interval
from pingce.base.places import sums_by_place
from pingce.base.records import dataclass
from pingce.evidence.binary.evidence import BinaryEvidence
from pingce.evidence.binary.thresholds import ThresholdEvidence
from pingce.stats.resampling import bisect, normal_z, student_t

MODEL_ROWS = 15
"Rows that a model of the variance is worth: of so few rows of a class their own is often far too small."


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
        return erfc(abs(self.value) / math.sqrt(2 * self.variance))

    def interval(self, confidence: float) -> Interval:
        """Value ± z · √V, within [-1, 1]."""
        if math.isnan(self.variance):
            return NO_INTERVAL
        half = normal_z(confidence) * math.sqrt(self.variance)
        return max(-1.0, self.value - half), min(1.0, self.value + half)


def area_difference(positive: NDArray[np.uint8], first: NDArray[Any], second: NDArray[Any]) -> AreaDifference:
    """Each positive's share of negatives below it, and each negative's share of positives above it, model less model.

    V = S(v⁺_a - v⁺_b) / P + S(v⁻_a - v⁻_b) / N, S the sample variance; equal scores count half.   [DeLong et al. 1988]
    """
    side = positive.view(bool)
    of_first, of_second = (_twice_shares(scores, side) for scores in (first, second))
    above, below = (a - b for a, b in zip(of_first, of_second, strict=True))
    many, few = len(above), len(below)
    if not many or not few:
        return AreaDifference(math.nan, math.nan)
    value = float(exact_sum(above) / (2 * many * few))
    if many < 2 or few < 2:
        return AreaDifference(value, math.nan)
    variance = _count_variance(above) / (4 * few * few * many) + _count_variance(below) / (4 * many * many * few)
    return AreaDifference(value, float(variance))


def _twice_shares(scores: NDArray[Any], side: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """2 × the negatives below each positive and 1 × those beside it; and the positives above each negative alike."""
    order = np.argsort(scores)
    ordered, positive = scores[order], side[order]
    first = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
    sizes = np.diff(first, append=len(order))
    positives = np.add.reduceat(positive, first, dtype=np.int64)
    negatives = sizes - positives
    below, above = 2 * np.cumsum(negatives) - negatives, 2 * np.cumsum(positives[::-1])[::-1] - positives
    shares = np.empty(len(order))
    shares[order] = np.where(positive, np.repeat(below, sizes), np.repeat(above, sizes))
    return shares[side], shares[~side]


def _count_variance(counts: Floats) -> Fraction:
    """Exact: counts are whole numbers."""
    total = exact_sum(counts)
    return (exact_dot(counts, counts) - total * total / len(counts)) / (len(counts) - 1)


def clustered_area_difference(first: BinaryEvidence, second: BinaryEvidence) -> AreaDifference:
    """AUC of one model less that of the other, and its variance over groups."""
    if _has_few(first):
        return AreaDifference(math.nan, math.nan)
    code = first.group_codes
    (area, added), (other_area, other_added) = _group_influences(first, code), _group_influences(second, code)
    return AreaDifference(area - other_area, _group_variance(added - other_added))


def _has_few(evidence: BinaryEvidence) -> bool:
    """Whether a class has fewer than two rows."""
    positives = int(np.count_nonzero(evidence.rows.positive))
    return min(positives, len(evidence.rows) - positives) < 2


def _group_influences(evidence: BinaryEvidence, code: Ints) -> tuple[float, Floats]:
    """AUC, and what each group adds to its distance from the truth: Σ (v⁺ - AUC) / P + Σ (v⁻ - AUC) / N."""
    side = evidence.rows.positive.view(bool)
    above, below = _twice_shares(evidence.rows.scores, side)
    many, few = len(above), len(below)
    area = float(exact_sum(above) / (2 * many * few))
    added = np.empty(len(side))
    added[side] = (above / (2 * few) - area) / many
    added[~side] = (below / (2 * many) - area) / few
    return area, sums_by_place(added[code >= 0], code[code >= 0], int(code.max()) + 1)


def _group_variance(influences: Floats) -> float:
    count = len(influences)
    return float(exact_dot(influences, influences)) * count / (count - 1) if count > 1 else math.nan


def clustered_delong(evidence: BinaryEvidence, confidence: float) -> Interval:
    """The areas that V = G / (G - 1) · Σ_g u_g² of groups allows for.                        [after Obuchowski 1997]"""
    if _has_few(evidence):
        return NO_INTERVAL
    code, positive = evidence.group_codes, evidence.rows.positive.view(bool)
    area, added = _group_influences(evidence, code)
    positives, negatives = (float(np.count_nonzero(np.bincount(code[side]))) for side in (positive, ~positive))
    return area_interval(area, _group_variance(added), (positives, negatives), confidence)


def delong(table: ThresholdEvidence, confidence: float) -> Interval:
    """The areas that DeLong's variance allows for."""
    if table.positives < 2 or table.negatives < 2:
        return NO_INTERVAL
    counts = float(table.positives), float(table.negatives)
    return area_interval(_area(table), delong_variance(table), counts, confidence)


def _area(table: ThresholdEvidence) -> float:
    return float(table.pairs().twice_concordant) / (2 * table.positives * table.negatives)


def delong_variance(table: ThresholdEvidence) -> float:
    """The variance of AUC: of each positive's share of negatives below it, and the like of each negative.

    V = S(v⁺) / P + S(v⁻) / N, S the sample variance; equal scores count half.            [DeLong et al. 1988]
    """
    many, few = table.positives, table.negatives
    if many < 2 or few < 2:
        return math.nan
    area, of_positives, of_negatives = _area(table), Fraction(0), Fraction(0)
    for block in table.blocks():
        positives, negatives = (column.astype(np.float64) for column in block.at)
        above = (2 * (few - block.fp) + negatives) / (2 * few) - area
        below = (2 * block.tp - positives) / (2 * many) - area
        of_positives += weighted_dot(above, above, positives)
        of_negatives += weighted_dot(below, below, negatives)
    return float(of_positives) / (many - 1) / many + float(of_negatives) / (few - 1) / few


def area_interval(area: float, variance: float, counts: tuple[float, float], confidence: float) -> Interval:
    """The areas θ with |θ - area| ≤ t · √V(θ): DeLong's variance as it would be at θ, with 15 rows of a model's beside it.

    V(θ) = M(θ) · ((r - 1) · V / M(area) + 15) / (r + 14), M(θ) as in the score interval, r the rows of the rarer class,
    t of r + 14 degrees. Where nothing varies, the score interval, which does not collapse.
    """
    if math.isnan(variance):
        return NO_INTERVAL
    rarer = min(counts)
    if not variance or rarer < 1 or not (model := _model_variance(area, counts)):
        return score_interval(area, counts, confidence)
    factor = ((rarer - 1) * variance / model + MODEL_ROWS) / (rarer - 1 + MODEL_ROWS)
    return _score_ends(area, counts, student_t(round(rarer) + MODEL_ROWS, confidence) * math.sqrt(factor))


def score_interval(area: float, counts: tuple[float, float], confidence: float) -> Interval:
    """The areas θ with |θ - area| ≤ z · √M(θ), M that of so many positives and negatives: wide where few rows agree.

    M(θ) = θ (1 - θ) (1 + (n/2 - 1) ((1 - θ)/(2 - θ) + θ/(1 + θ))) / (P · N), n = P + N.      [Newcombe 2006, method 5]
    """
    if not counts[0] * counts[1]:
        return 0.0, 1.0  # a class without any weight says nothing
    return _score_ends(area, counts, normal_z(confidence))


def _model_variance(theta: float, counts: tuple[float, float]) -> float:
    more = (counts[0] + counts[1]) / 2 - 1
    share = (1 - theta) / (2 - theta) + theta / (1 + theta)
    return theta * (1 - theta) * (1 + more * share) / (counts[0] * counts[1])


def _score_ends(area: float, counts: tuple[float, float], reach: float) -> Interval:
    def reached(theta: float) -> bool:
        return (theta - area) ** 2 <= reach * reach * _model_variance(theta, counts)

    return bisect(reached, area, 0.0)[0], bisect(reached, area, 1.0)[0]
