"""Values that are sums over rows, or functions of such sums: what each row adds, and how far a lopsided few carry them."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from pingce.base.erfc import erfc
from pingce.base.exact import Floats, Ints, exact_dot, exact_sum, weighted_dot
from pingce.base.interval import NO_INTERVAL, Interval
from pingce.base.lazy import cached_property
from pingce.base.places import sums_by_place
from pingce.base.records import dataclass
from pingce.metrics.declared import RowTerms
from pingce.scores.values import Value
from pingce.stats.paired import paired_p
from pingce.stats.permutation import unordered_p
from pingce.stats.resampling import normal_z, student_t

LOPSIDED = 0.1
"Skewness over √n from which an interval that takes both sides for alike holds the truth in fewer than 93 of 100 cases."
LONGEST = 700.0
"The largest logarithm whose power is a double."
RARE = 10
"Rows in which two models differ below which t says too little: of none, that there never will be one."


@dataclass(frozen=True, eq=False)
class Influences:
    """What each row or group adds to the distance of a value from the truth, up to one factor; they sum to 0."""

    value: float
    added: Floats
    size: float = 1.0
    "The factor."
    often: Floats | None = None
    "How many rows add each; None: one."

    @staticmethod
    def of_ratio(top: Floats, bottom: Floats, weight: Floats | None) -> Influences:
        """The ratio Σ w top / Σ w bottom, whose rows add w (top - value · bottom) / Σ w bottom; weight 0 is no row."""
        if weight is not None:
            kept = weight > 0
            top, bottom = top[kept] * weight[kept], bottom[kept] * weight[kept]
        total = exact_sum(bottom)
        if not total:
            return Influences(math.nan, np.zeros(0))
        value = float(exact_sum(top) / total)
        return Influences.of_shares(value, top - value * bottom, over=float(total))

    @staticmethod
    def of_shares(value: float, added: Floats, often: Floats | None = None, over: float = 1.0) -> Influences:
        """What rows add, over one number, brought near 1 by a power of two, which rounds nothing: no cube is beyond the range of doubles."""
        exponent = math.frexp(float(np.abs(added).max(initial=0.0)))[1]
        return Influences(value, np.ldexp(added, -exponent), math.ldexp(1.0, exponent) / over, often)

    @staticmethod
    def of_terms(terms: RowTerms | None, weight: Floats | None) -> Influences | None:
        """Influences on a metric whose rows add these terms; None where they add none. Rows of weight 0 are left out."""
        if terms is None:
            return None
        bottom = np.ones(len(terms.top)) if terms.bottom is None else terms.bottom
        influences = Influences.of_ratio(terms.top, bottom, weight)
        if terms.complement:
            return replace(influences, value=1 - influences.value, added=-influences.added)
        return influences if terms.value is None else replace(influences, value=terms.value)

    def by_group(self, code: Ints) -> Influences:
        """Influences where groups vary and not rows."""
        return Influences(self.value, sums_by_place(self.added, code, int(code.max()) + 1), self.size)

    @property
    def count(self) -> int:
        """Rows or groups."""
        return len(self.added) if self.often is None else int(self.often.sum())

    @cached_property
    def squares(self) -> float:
        """Σ u²."""
        return float(weighted_dot(self.added, self.added, self.often))

    @cached_property
    def skewness(self) -> float:
        """The skewness of the value: Σ u³ / (Σ u²)^1.5; 0 where nothing varies."""
        cubes = float(weighted_dot(self.added * self.added, self.added, self.often))
        return cubes / self.squares**1.5 if self.squares else 0.0

    @property
    def is_lopsided(self) -> bool:
        """Whether it has to be taken into account."""
        return abs(self.skewness) >= LOPSIDED

    @property
    def error(self) -> float:
        """The standard error of the value."""
        return math.sqrt(self.squares * self.count / (self.count - 1)) * self.size

    @property
    def p(self) -> float:
        """How often chance alone would make a difference as large, two-sided, normal; 1 for none at all."""
        return erfc(abs(self.value) / self.error / math.sqrt(2)) if self.error else float(not self.value)

    def interval(self, confidence: float) -> Interval:
        """Value ± t · s, and where rows are lopsided each end no nearer than by Hall's transformation of t.

        T + a T² / 3 + a² T³ / 27 + a / 6 is nearly normal, T = (value - truth) / s and a the skewness.    [Hall 1992]
        """
        count = self.count
        if count < 2 or math.isnan(self.value):
            return NO_INTERVAL
        error = self.error
        t = student_t(count, confidence)
        low, high = self.value - t * error, self.value + t * error
        if not self.is_lopsided:
            return low, high
        a = self.skewness
        hall = [self.value - 3 / a * (float(np.cbrt(1 + a * (x - a / 6))) - 1) * error for x in (t, -t)]
        return min(low, hall[0]), max(high, hall[1])

    def log_interval(self, rarer: float, confidence: float, *, by_class: bool) -> Interval:
        """Value times and over e^(t · s / value), s² larger by r / (r - 1): the rarer class of r rows knows no more.

        With `by_class` t has r - 1 degrees too: where the value is measured by how rare that class is, or few rows weigh a lot.
        """
        t = student_t(round(rarer) if by_class else self.count, confidence)
        far = math.exp(min(t * self.error * math.sqrt(rarer / (rarer - 1)) / self.value, LONGEST))
        return self.value / far, self.value * far

    def widened(self, interval: Interval, confidence: float) -> Interval:
        """An interval of draws, with this one where rows are lopsided: draws do not hold what is rarer than a row."""
        if math.isnan(interval[0]) or not self.is_lopsided:
            return interval
        low, high = self.interval(confidence)
        return min(low, interval[0]), max(high, interval[1])


def widened(value: Value, influences: Influences | None, interval: Interval, confidence: float) -> Interval:
    """An interval of draws, no shorter than the influences say, within the range that the metric declares."""
    if influences is None or not np.isfinite(influences.added).all():
        return interval
    squared = (interval[0] ** 2, interval[1] ** 2) if value.metric.is_root else interval
    ends = influences.widened(squared, confidence)
    return interval if ends == squared else within_range(value, ends)


def within_range(value: Value, ends: Interval) -> Interval:
    """The ends, of the square where the metric is a root, within the range that it declares."""
    least, most = (float(end.replace("−", "-").replace("∞", "inf")) for end in value.metric.about.range.split("…"))
    ends = max(least, ends[0]), min(most, ends[1])
    return (math.sqrt(ends[0]), math.sqrt(ends[1])) if value.metric.is_root else ends


def ratio_influences(terms: RowTerms, weight: Floats | None) -> Floats:
    """What each row adds to Σ w top / Σ w bottom: w (top - value · bottom) / Σ w bottom."""
    weights = np.ones(len(terms.top)) if weight is None else weight
    bottom = np.ones(len(terms.top)) if terms.bottom is None else terms.bottom
    total = exact_dot(bottom, weights) if weight is not None else exact_sum(bottom)
    ratio = float((exact_dot(terms.top, weights) if weight is not None else exact_sum(terms.top)) / total)
    added: Floats = weights * (terms.top - ratio * bottom) / float(total)
    return -added if terms.complement else added


def quantile_ends(column: Floats, weight: Floats | None, level: float, z: float) -> Interval | None:
    """The numbers at the shares q ± z · √(q(1 − q)) · √(Σ w²) / Σ w of the sorted column; None where a share is beyond 0 or 1."""
    column, weights = (column, np.ones(len(column))) if weight is None else (column[weight > 0], weight[weight > 0])
    if not len(column):
        return None
    order = np.lexsort((weights, column))
    reached = np.cumsum(weights[order])
    half = z * math.sqrt(level * (1 - level) * float(exact_dot(weights, weights)))
    shares = level * float(reached[-1]) - half, level * float(reached[-1]) + half
    if shares[0] < 0 or shares[1] > reached[-1]:
        return None
    low, high = np.searchsorted(reached, shares)
    return float(column[order[low]]), float(column[order[min(int(high), len(order) - 1)]])


def median_ends(column: Floats, weight: Floats | None, z: float) -> Interval:
    """The numbers at the shares ½ ± z/2 · √(Σ w²) / Σ w of the sorted column: between them lies the median of all."""
    column, weights = (column, np.ones(len(column))) if weight is None else (column[weight > 0], weight[weight > 0])
    order = np.lexsort((weights, column))
    reached = np.cumsum(weights[order])
    half, total = z / 2 * math.sqrt(float(exact_dot(weights, weights))), float(reached[-1])
    low, high = np.searchsorted(reached, [total / 2 - half, total / 2 + half])
    return float(column[order[low]]), float(column[order[min(int(high), len(order) - 1)]])


def median_influences(column: Floats, weight: Floats | None) -> Floats | None:
    """What each row adds to a median: half of the sparsity there, up or down, which the numbers around it tell."""
    low, high = median_ends(column, weight, z := normal_z(0.95))
    middle = median_ends(column, weight, 0.0)[0]
    weights = np.ones(len(column)) if weight is None else weight
    size = (high - low) / z / math.sqrt(float(exact_dot(weights, weights)))
    added: Floats = weights * (np.sign(column - middle) * size / 2)
    return added if size else None


def equivalent_count(weights: Floats) -> float:
    """How many units of one weight would say as much: (Σ w)² / Σ w²."""
    squares = float(exact_dot(weights, weights))
    return float(exact_sum(weights)) ** 2 / squares if squares else 0.0


def both_ways(interval: Interval, value: float, least: float) -> Interval:
    """The interval with what lies as far beyond the value as each end lies before it; far is measured in log odds of shares."""
    if interval[0] == interval[1]:
        return interval
    shares = [min(max(end, least), 1 - least) for end in (interval[0], value, interval[1])]
    low, middle, high = (math.log(share / (1 - share)) for share in shares)
    ends = [1 / (1 + math.exp(end - 2 * middle)) for end in (high, low)]
    return min(interval[0], ends[0]), max(interval[1], ends[1])


@dataclass(frozen=True, eq=False)
class PairedSums:
    """The difference of two means on the same units: that of each unit, already times its weight, and its weight."""

    differences: Floats
    weights: Floats
    sorted: bool
    "Whether units have a name by which they are sorted, as groups do; rows have none."

    @staticmethod
    def of(apart: Floats, weight: Floats | None, *, sorted: bool = False) -> PairedSums:
        """The sums of units that differ so much; one of weight 0, or whose difference is undefined, is none."""
        weight = np.ones(len(apart)) if weight is None else weight
        kept = (weight > 0) & ~np.isnan(apart)
        return PairedSums((apart * weight)[kept], weight[kept], sorted)

    @property
    def mean(self) -> float:
        """Σ differences / Σ weights."""
        bottom = exact_sum(self.weights)
        return float(exact_sum(self.differences) / bottom) if bottom else math.nan

    def p(self, samples: int, seed: int) -> float:
        """p of the paired permutation test; the sizes are those of the metric, a unit of mean weight."""
        bottom = float(exact_sum(self.weights))
        if not bottom:
            return math.nan
        scaled = self.differences * (len(self.weights) / bottom)
        if self.sorted:
            return float(paired_p(scaled, samples=samples, seed=seed)[0])
        # Losses have any scale: the largest difference is brought near 1 by a power of two, which rounds nothing.
        largest = float(np.abs(scaled).max(initial=0.0))
        return unordered_p(np.ldexp(scaled, -math.frexp(largest)[1]), samples, seed)

    def interval(self, confidence: float) -> Interval:
        """Mean ± t · s, s the error of a ratio of two sums over units: √(n/(n-1) · Σ (d - mean · w)²) / Σ w.

        Where few units carry the mean to one side, it reaches further there.
        """
        count = len(self.weights)
        if count < 2 or math.isnan(mean := self.mean):
            return NO_INTERVAL
        left = self.differences - mean * self.weights
        error = math.sqrt(exact_dot(left, left) * count / (count - 1)) / float(exact_sum(self.weights))
        half = student_t(count, confidence) * error
        influences = Influences.of_ratio(self.differences, self.weights, None)
        return influences.widened((mean - half, mean + half), confidence)

    def counted_interval(self, confidence: float) -> Interval:
        """The interval where differences are 1, 0 or -1: with few of ±1, half of one more on each side. [Agresti & Min 2005]"""
        low, high = self.interval(confidence)
        better, worse = (int(np.count_nonzero(self.differences == step)) for step in (1, -1))
        if better + worse >= RARE or math.isnan(low):
            return low, high
        rows, apart, moved = len(self.differences) + 2, better - worse, better + worse + 1
        half = normal_z(confidence) * math.sqrt(moved - apart * apart / rows) / rows
        return min(low, apart / rows - half), max(high, apart / rows + half)
