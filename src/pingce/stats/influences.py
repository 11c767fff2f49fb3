"""Values that are sums over rows, or functions of such sums: what each row adds, and how far a lopsided few carry them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from pingce.base.exact import Floats, Ints, exact_dot, exact_sum
from pingce.base.lazy import cached_property
from pingce.metrics.declared import RowTerms
from pingce.scores.values import NO_INTERVAL, Interval, Value
from pingce.stats.paired import paired_p
from pingce.stats.permutation import unordered_p
from pingce.stats.resampling import normal_z, student_t

LOPSIDED = 0.1
"Skewness over √n from which an interval that takes both sides for alike holds the truth in fewer than 93 of 100 cases."
RARE = 10
"Rows in which two models differ below which t says too little: of none, that there never will be one."


@dataclass(frozen=True, eq=False)
class Influences:
    """What each row or group adds to the distance of a value from the truth, up to one factor; they sum to 0."""

    value: float
    added: Floats
    size: float = 1.0
    "The factor."

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
        left = top - value * bottom
        # Brought near 1 by a power of two, which rounds nothing, so that no cube is beyond the range of doubles.
        exponent = math.frexp(float(np.abs(left).max(initial=0.0)))[1]
        return Influences(value, np.ldexp(left, -exponent), math.ldexp(1.0, exponent) / float(total))

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
        """Influences where groups vary and not rows; sorted by size within a group, so that order changes no bit."""
        order = np.lexsort((self.added, code))
        return Influences(self.value, np.bincount(code[order], self.added[order]).astype(np.float64), self.size)

    @cached_property
    def skewness(self) -> float:
        """The skewness of the value: Σ u³ / (Σ u²)^1.5; 0 where nothing varies."""
        squares = float(exact_dot(self.added, self.added))
        return float(exact_dot(self.added * self.added, self.added)) / squares**1.5 if squares else 0.0

    @property
    def is_lopsided(self) -> bool:
        """Whether it has to be taken into account."""
        return abs(self.skewness) >= LOPSIDED

    def interval(self, confidence: float) -> Interval:
        """Value ± t · s, and where rows are lopsided each end no nearer than by Hall's transformation of t.

        T + a T² / 3 + a² T³ / 27 + a / 6 is nearly normal, T = (value - truth) / s and a the skewness.    [Hall 1992]
        """
        count = len(self.added)
        if count < 2 or math.isnan(self.value):
            return NO_INTERVAL
        error = math.sqrt(float(exact_dot(self.added, self.added)) * count / (count - 1)) * self.size
        t = student_t(count, confidence)
        low, high = self.value - t * error, self.value + t * error
        if not self.is_lopsided:
            return low, high
        a = self.skewness
        hall = [self.value - 3 / a * (float(np.cbrt(1 + a * (x - a / 6))) - 1) * error for x in (t, -t)]
        return min(low, hall[0]), max(high, hall[1])

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
    is_root, metric = value.metric.is_root, value.metric
    squared = (interval[0] ** 2, interval[1] ** 2) if is_root else interval
    ends = influences.widened(squared, confidence)
    if ends == squared:
        return interval
    least, most = (float(end.replace("−", "-").replace("∞", "inf")) for end in metric.about.range.split("…"))
    ends = max(least, ends[0]), min(most, ends[1])
    return (math.sqrt(ends[0]), math.sqrt(ends[1])) if is_root else ends


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
