"""The interval of a calibration error: noise alone makes bins differ, so the estimate is too large on average."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats, Ints, exact_sum
from pingce.base.places import sums_by_place
from pingce.base.records import dataclass
from pingce.evidence.binary.evidence import BinaryEvidence, quantile_places
from pingce.scores.values import Interval
from pingce.stats.resampling import bisect

FAR = 40.0
"Standard errors beyond which noise adds nothing that a double could hold."
DOUBT = 1.0
"Standard errors by which a bin may be nearer to calibration than it looks: the noise in all bins is not underrated then."


@dataclass(frozen=True, eq=False)
class BinSums:
    """The bins of a model: Σ w (y - p) of each, its standard error, and Σ w of all."""

    apart: Floats
    errors: Floats
    total: float

    @property
    def value(self) -> float:
        """Σ |Σ w (y - p)| / Σ w."""
        return float(np.abs(self.apart).sum()) / self.total

    @property
    def error(self) -> float:
        """The standard error of the value, not less than it is."""
        return math.sqrt(float((self.errors * self.errors).sum())) / self.total

    @property
    def noise(self) -> float:
        """How much noise adds to the value on average: of a bin with |μ| and σ, E |μ + σ Z| - |μ|."""
        varying = self.errors > 0
        errors = self.errors[varying]
        away = np.clip(np.abs(self.apart[varying]) / errors - DOUBT, 0.0, FAR)
        # Bins are few: the C library will do, whose bits do not change with the processor as those of NumPy do.
        added = np.array([_added_by_noise(distance) for distance in away.tolist()], np.float64)
        return float((errors * added).sum()) / self.total

    def interval(self, z: float) -> Interval:
        """Both ends, within [0, 1]: the value less noise and z standard errors, and the value plus z standard errors."""
        return max(0.0, self.value - self.noise - z * self.error), min(1.0, self.value + z * self.error)


def _added_by_noise(away: float) -> float:
    """E |x + Z| - |x| of a standard normal Z."""
    return math.sqrt(2 / math.pi) * math.exp(-away * away / 2) - away * math.erfc(away / math.sqrt(2))


@dataclass(frozen=True, eq=False)
class CalibrationDifference:
    """The error of one model less that of another, by the intervals of both; that they share rows is not made use of."""

    first: BinSums
    second: BinSums

    def interval(self, z: float) -> Interval:
        """The difference, less and more the distances of both ends, squared and added up.       [Zou & Donner 2008]"""
        a, b = self.first.value, self.second.value
        (low_a, high_a), (low_b, high_b) = self.first.interval(z), self.second.interval(z)
        return a - b - math.hypot(a - low_a, high_b - b), a - b + math.hypot(high_a - a, b - low_b)

    @property
    def p(self) -> float:
        """Two-sided: one less the confidence up to which the interval leaves out 0."""

        def holds_zero(z: float) -> bool:
            low, high = self.interval(z)
            return low <= 0 <= high

        return math.erfc(bisect(holds_zero, 40.0, 0.0)[1] / math.sqrt(2))


def bin_sums(metric: Any, evidence: BinaryEvidence, groups: Ints | None = None) -> BinSums:
    """The bins of `ece`; sums do not depend on the order of rows.

    With `groups`, the group of each row as a number (-1: none), groups vary and not rows.
    """
    if groups is not None:
        return _of_groups(metric, evidence, groups)
    score, positive, weight, square = _cells(evidence)
    place, p, count = _places(metric, evidence, score), score.astype(np.float64), int(metric.bins)
    away, total = positive - p, float(exact_sum(weight))

    def by_bin(added: Floats) -> Floats:
        return sums_by_place(added, place, count)

    apart = by_bin(weight * away)
    share = apart / total
    spread = by_bin(square * away * away) - 2 * share * by_bin(square * away) + share * share * float(exact_sum(square))
    # A bin without a positive row has seen no spread: that of its probabilities stands in.
    variance = np.maximum(spread, by_bin(square * p * (1 - p)))
    return BinSums(apart, np.sqrt(variance), total)


def _cells(evidence: BinaryEvidence) -> tuple[NDArray[Any], Floats, Floats, Floats]:
    """Score, label, Σ w and Σ w² of cells: of the table without weights, else of each row."""
    rows = evidence.rows
    if rows.weight is None:
        table = evidence.thresholds
        often = np.concatenate(table.at).astype(np.float64)
        return np.tile(table.score, 2), np.repeat([1.0, 0.0], len(table)), often, often
    kept = rows.weight > 0
    weight = rows.weight[kept]
    return rows.scores[kept], rows.positive[kept].astype(np.float64), weight, weight * weight


def _places(metric: Any, evidence: BinaryEvidence, score: NDArray[Any]) -> Ints:
    """The bin of each cell."""
    count = int(metric.bins)
    if metric.binning == "quantile":
        table = evidence.thresholds
        places: Ints = quantile_places(table, count)[np.searchsorted(table.score[::-1], score)]
        return places
    return np.minimum((score.astype(np.float64) * count).astype(np.int64), count - 1)


def _of_groups(metric: Any, evidence: BinaryEvidence, groups: Ints) -> BinSums:
    """The bins where each group adds one number to each."""
    rows = evidence.rows
    weights = np.ones(len(rows)) if rows.weight is None else rows.weight
    kept = groups >= 0
    group, score, weight = groups[kept], rows.scores[kept], weights[kept]
    p, bins, count = score.astype(np.float64), int(metric.bins), int(group.max()) + 1
    place = _places(metric, evidence, score)
    added = sums_by_place(weight * (rows.positive[kept] - p), group * bins + place, count * bins)
    cells, total = added.reshape(count, bins), float(exact_sum(weight))
    apart = cells.sum(axis=0)
    left = cells - sums_by_place(weight, group, count)[:, None] * (apart / total)
    spread = (left * left).sum(axis=0) * (count / (count - 1) if count > 1 else math.nan)
    variance = np.maximum(spread, sums_by_place(weight * weight * p * (1 - p), place, bins))
    return BinSums(apart, np.sqrt(variance), total)
