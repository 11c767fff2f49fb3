"""Two models on the same rows or groups: the difference of two means is Σ of differences over Σ of weights."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from pingce.base.exact import Floats, exact_dot, exact_sum
from pingce.stats.paired import paired_p
from pingce.stats.permutation import unordered_p
from pingce.stats.skewed import Influences

Interval = tuple[float, float]


RARE = 10
"Rows in which two models differ below which t says too little: of none, that there never will be one."


@dataclass(frozen=True, eq=False)
class PairedSums:
    """The difference of each unit, already times its weight, and its weight. Units are groups sorted by id, or rows."""

    differences: Floats
    weights: Floats
    sorted: bool
    "Whether units have a name by which they are sorted; rows have none."

    @staticmethod
    def of(apart: Floats, weight: Floats | None) -> PairedSums:
        """The sums of rows; one of weight 0 is none."""
        if weight is None:
            return PairedSums(apart, np.ones(len(apart)), False)
        kept = weight > 0
        return PairedSums((apart * weight)[kept], weight[kept], False)

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
        from scipy.special import stdtrit

        count = len(self.weights)
        if count < 2 or math.isnan(mean := self.mean):
            return math.nan, math.nan
        left = self.differences - mean * self.weights
        error = math.sqrt(exact_dot(left, left) * count / (count - 1)) / float(exact_sum(self.weights))
        half = float(stdtrit(count - 1, (1 + confidence) / 2)) * error
        influences = Influences.of_ratio(self.differences, self.weights, None)
        return influences.widened((mean - half, mean + half), confidence)

    def counted_interval(self, confidence: float) -> Interval:
        """The interval where differences are 1, 0 or -1: with few of ±1, half of one more on each side. [Agresti & Min 2005]"""
        low, high = self.interval(confidence)
        better, worse = (int(np.count_nonzero(self.differences == step)) for step in (1, -1))
        if better + worse >= RARE or math.isnan(low):
            return low, high
        rows, apart, moved = len(self.differences) + 2, better - worse, better + worse + 1
        half = NormalDist().inv_cdf((1 + confidence) / 2) * math.sqrt(moved - apart * apart / rows) / rows
        return min(low, apart / rows - half), max(high, apart / rows + half)
