"""Values that are sums over rows, or functions of such sums: how far a lopsided few of the rows may carry them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats, exact_dot, exact_sum
from pingce.base.lazy import cached_property

Interval = tuple[float, float]


LOPSIDED = 0.1
"Skewness over √n from which an interval that takes both sides for alike holds the truth in fewer than 93 of 100 cases."


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

    def by_group(self, code: NDArray[np.int64]) -> Influences:
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
        from scipy.special import stdtrit

        count = len(self.added)
        if count < 2 or math.isnan(self.value):
            return math.nan, math.nan
        error = math.sqrt(float(exact_dot(self.added, self.added)) * count / (count - 1)) * self.size
        t = float(stdtrit(count - 1, (1 + confidence) / 2))
        low, high = self.value - t * error, self.value + t * error
        if not self.is_lopsided:
            return low, high
        skewness = self.skewness
        return (
            min(low, self.value - _inverse(t, skewness) * error),
            max(high, self.value - _inverse(-t, skewness) * error),
        )

    def widened(self, interval: Interval, confidence: float) -> Interval:
        """An interval of draws, with this one where rows are lopsided: draws do not hold what is rarer than a row."""
        if math.isnan(interval[0]) or not self.is_lopsided:
            return interval
        low, high = self.interval(confidence)
        return min(low, interval[0]), max(high, interval[1])


def _inverse(x: float, skewness: float) -> float:
    """The T whose transformation is x."""
    return 3 / skewness * (float(np.cbrt(1 + skewness * (x - skewness / 6))) - 1)


def both_ways(interval: Interval, value: float, least: float) -> Interval:
    """The interval with what lies as far beyond the value as each end lies before it; far is measured in log odds of shares."""
    if interval[0] == interval[1]:
        return interval
    shares = [min(max(end, least), 1 - least) for end in (interval[0], value, interval[1])]
    low, middle, high = (math.log(share / (1 - share)) for share in shares)
    ends = [1 / (1 + math.exp(end - 2 * middle)) for end in (high, low)]
    return min(interval[0], ends[0]), max(interval[1], ends[1])
