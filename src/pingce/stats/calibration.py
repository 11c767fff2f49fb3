"""The interval of a calibration error: noise alone makes bins differ, so the estimate is too large on average."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.erfc import erfc
from pingce.base.exact import Floats, Ints, exact_sum
from pingce.base.interval import Interval
from pingce.base.lazy import cached_property
from pingce.base.places import sums_by_place
from pingce.base.records import dataclass
from pingce.evidence.binary.evidence import BinaryEvidence, quantile_places
from pingce.stats.binomial import distance_moments, recalibrated, tails
from pingce.stats.resampling import bisect

STEPS = 48
"Errors at which the moments of the estimate are computed, below the estimate and above it; they are smooth between."
FINE = 2048
"Errors that are tried."
FARTHEST = 9.0
"Standard errors above the estimate up to which errors are tried."
UNLIKELY = 1e-300
"The least chance that is told from none."


@dataclass(frozen=True, eq=False)
class BinSums:
    """The bins of a model that hold rows: Σ w, Σ w y and Σ w p of each, and how many rows of one weight say as much."""

    weight: Floats
    positive: Floats
    predicted: Floats
    rows: Ints

    @cached_property
    def total(self) -> float:
        """Σ w of all."""
        return float(self.weight.sum())

    @cached_property
    def value(self) -> float:
        """Σ |Σ w (y - p)| / Σ w."""
        return float(np.abs(self.positive - self.predicted).sum()) / self.total

    @cached_property
    def mean(self) -> Floats:
        """The mean probability of each bin."""
        return np.clip(self.predicted / self.weight, 0.0, 1.0)

    @cached_property
    def curve(self) -> Floats:
        """How far the share of positives lies from the mean probability of each bin, most of the noise taken out.

        A line through the log odds, and of each bin the part of its distance from that line which is more than noise.
        """
        fit = recalibrated(self.mean, self.positive / self.weight, self.rows)
        left = self.positive / self.weight - fit
        spread = np.maximum(fit * (1 - fit), 1e-12)
        excess = float((left * left * self.rows / spread).sum()) - max(len(fit) - 2, 0)
        kept = max(0.0, excess) / float(self.rows.sum())
        return fit - self.mean + kept / (kept + 1 / self.rows) * left

    def moments(self, errors: Floats) -> tuple[Floats, Floats, Floats]:
        """The mean, the deviation and the skewness of the estimate, were each of these the error: the curve, drawn out to it."""
        away = self._curves(errors)
        unit = self.weight / self.rows
        rows, centre = self.rows[None, :], self.rows * self.mean
        mean, variance, cube = distance_moments(rows, np.clip(self.mean + away, 0.0, 1.0), centre[None, :])
        apart = np.abs(away) - (np.abs(away) * self.weight).sum(axis=1, keepdims=True) / self.total
        between = np.square(unit[None, :] * apart) * rows  # bins have more rows or fewer
        variance = (unit**2 * variance + between).sum(axis=1)
        skewness = np.divide(
            (unit**3 * cube).sum(axis=1), variance**1.5, out=np.zeros_like(variance), where=variance > 0
        )
        return (unit * mean).sum(axis=1) / self.total, np.sqrt(variance) / self.total, skewness

    @cached_property
    def _growth(self) -> tuple[Floats, Floats, Floats]:
        """The curve; and factors of it with the errors that they make: no share is beyond 0 and 1, a bin that is there stays."""
        curve = self.curve if (self.curve * self.weight).any() else np.where(self.mean > 0.5, -1.0, 1.0)
        grows = curve != 0
        size, share = np.abs(curve[grows]), self.weight[grows] / self.total
        room = np.where(curve < 0, self.mean, 1 - self.mean)[grows]
        order = np.argsort(room / size, kind="stable")
        size, share, room = size[order], share[order], room[order]
        growing = np.append(np.cumsum((share * size)[::-1])[::-1][1:], 0.0)
        errors = np.cumsum(share * room) + room / size * growing
        return curve, np.append(0.0, room / size), np.append(0.0, errors)

    def _curves(self, errors: Floats) -> Floats:
        """The curve, drawn out or flattened until it makes these errors."""
        curve, factors, reached = self._growth
        factor = np.interp(errors, reached, factors)[:, None]
        return np.clip(factor * curve, -self.mean, 1 - self.mean)

    @cached_property
    def chances(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Errors that may be, and of each: P(estimate ≥ that of the data), P(≤ it), and P(estimate ≤ the error)."""
        variance = np.square(self.weight) / self.rows * 0.25
        most = self.value + FARTHEST * math.sqrt(float(variance.sum())) / self.total
        most = max(self.value, min(most, float(self._growth[2][-1])))

        def spaced(count: int) -> Floats:
            steps = np.square(np.linspace(0.0, 1.0, count))  # closer together near the estimate
            return np.concatenate([self.value * (1 - steps[:0:-1]), self.value + (most - self.value) * steps])

        coarse, errors = spaced(STEPS), spaced(FINE)
        mean, deviation, skewness = (np.interp(errors, coarse, column) for column in self.moments(coarse))
        deviation = np.maximum(deviation, 1e-15)
        above, below = tails((self.value - mean) / deviation, skewness)
        return errors, above, below, tails((errors - mean) / deviation, skewness)[1]

    def interval(self, z: float) -> Interval:
        """The errors under which the estimate would neither be as large nor as small as it is but in few cases.

        The estimate lies between them, so that an error near 0 is never missed from below: all cases are spent above then.
        """
        errors, above, below, beneath = self.chances
        missed = erfc(z / math.sqrt(2))
        smaller = np.where(errors > 0, np.minimum(missed / 2, beneath), 0.0)
        from_low = _normal_score(above) - _normal_score(missed - smaller)
        from_high = _normal_score(below) - _normal_score(smaller)
        low, high = _first(errors, from_low), _first(errors[::-1], from_high[::-1])
        return min(low, self.value), max(high, self.value)


def _normal_score(chance: Floats) -> Floats:
    """How far out a normal number of that chance lies; never beyond all numbers."""
    from scipy.special import ndtri

    score: Floats = ndtri(np.clip(chance, UNLIKELY, 1 - 2.0**-53))
    return score


def _first(errors: Floats, margin: Floats) -> float:
    """Where the margin first is no longer negative."""
    inside = np.flatnonzero(margin >= 0)
    if not len(inside):
        return float(errors[-1])
    at = int(inside[0])
    if not at:
        return float(errors[0])
    part = margin[at] / (margin[at] - margin[at - 1])
    return float(errors[at] + (errors[at - 1] - errors[at]) * part)


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

        return erfc(bisect(holds_zero, 40.0, 0.0)[1] / math.sqrt(2))


def bin_sums(metric: Any, evidence: BinaryEvidence, groups: Ints | None = None) -> BinSums:
    """The bins of `ece`; sums do not depend on the order of rows.

    With `groups`, the group of each row as a number (-1: none), groups vary and not rows: rows of one group say less.
    """
    if groups is not None:
        return _of_groups(metric, evidence, groups)
    score, positive, weight, square = _cells(evidence)
    return _binned(_places(metric, evidence, score), (score.astype(np.float64), positive, weight, square))


def _binned(place: Ints, cells: tuple[Floats, Floats, Floats, Floats], effect: float = 1.0) -> BinSums:
    """Bins of cells, where rows vary as much as so many fewer."""
    p, positive, weight, square = cells
    count = int(place.max()) + 1
    columns = (weight, weight * positive, weight * p, square)
    sums = np.stack([sums_by_place(column, place, count) for column in columns])
    total, squares = sums[0], sums[3]
    held = total > 0
    # Beside far heavier bins the squares of small weights may be lost: such a bin says no more than a row.
    rows = np.divide(total**2, squares, out=np.ones(count), where=squares > 0)
    counts = np.maximum(np.rint(rows[held] / effect), 1).astype(np.int64)
    return BinSums(sums[0][held], sums[1][held], sums[2][held], counts)


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
    """The bins where each group adds one number to each: how much more these vary than rows would."""
    rows = evidence.rows
    weights = np.ones(len(rows)) if rows.weight is None else rows.weight
    kept = (groups >= 0) & (weights > 0)
    group, score, weight = groups[kept], rows.scores[kept], weights[kept]
    positive, p = rows.positive[kept].astype(np.float64), score.astype(np.float64)
    place, bins, count = _places(metric, evidence, score), int(metric.bins), int(group.max()) + 1
    total = sums_by_place(weight, place, bins)
    means = np.divide(sums_by_place(weight * (positive - p), place, bins), total, out=np.zeros(bins), where=total > 0)
    left = weight * (positive - p - means[place])
    code, pair = np.unique(group * bins + place, return_inverse=True)
    by_group = sums_by_place(left, pair, len(code))
    apart, together = float(exact_sum(left * left)), float(exact_sum(by_group * by_group))
    effect = math.inf  # what a single group tells is one case, however many rows it has
    if count > 1:
        effect = max(1.0, together / apart * count / (count - 1)) if apart else 1.0
    return _binned(place, (p, positive, weight, weight * weight), effect)
