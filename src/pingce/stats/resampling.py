"""Data drawn again and again: how often and from which seed, a column of values per metric, and the interval of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from pingce.base.errors import InputError, is_whole
from pingce.base.exact import Floats
from pingce.base.interval import NO_INTERVAL, Interval
from pingce.base.progress import advance
from pingce.base.records import dataclass
from pingce.scores.values import Value

EXCESS = 1 / (math.sqrt(2) - 1)
"""What is best of several is too good by σ times some number, and a draw, whose noise is √2 σ with that of the data, by
√2 as much: draws show √2 - 1 of what the data has. (Of a single sharp peak they show more; the end is lower then.)"""

_NEARLY_NORMAL = 5000
"Values of a mean beyond which t differs from z by no more than the terms of a short series."


@dataclass(frozen=True)
class Resampling:
    """The settings of confidence intervals; what makes no sense is refused. The same seed gives the same bits."""

    confidence: float = 0.95
    samples: int = 1000
    seed: int = 0

    def __post_init__(self) -> None:
        confidence, samples, seed = self.confidence, self.samples, self.seed
        is_number = isinstance(confidence, (int, float)) and not isinstance(confidence, bool)
        if not is_number or not 0.5 < (1 + confidence) / 2 < 1:
            raise InputError(
                f"ci={confidence}: it is the confidence, a number between 0 and 1 such as 0.95",
                f"ci={confidence}：应为置信水平，介于 0 与 1 之间，例如 0.95",
            )
        if not is_whole(samples, 10, 1_000_000):
            raise InputError(
                f"samples={samples}: the number of bootstrap samples must be a whole number from 10 to 1000000",
                f"samples={samples}：自助抽样次数须为 10 到 1000000 的整数",
            )
        if not is_whole(seed, 0):
            raise InputError(
                f"seed={seed!r}: the seed of the bootstrap must be a whole number from 0 up",
                f"seed={seed!r}：自助抽样的种子须为不小于 0 的整数",
            )

    @property
    def ends(self) -> list[float]:
        """The shares of draws below the two ends of an interval."""
        return [(1 - self.confidence) / 2, (1 + self.confidence) / 2]

    def random(self) -> np.random.Generator:
        """A source of random numbers that begins with the seed."""
        return np.random.Generator(np.random.PCG64(self.seed))


def normal_z(confidence: float) -> float:
    """How many standard errors an interval reaches to each side."""
    from statistics import NormalDist

    return NormalDist().inv_cdf((1 + confidence) / 2)


def student_t(count: int, confidence: float) -> float:
    """How many estimated standard errors an interval reaches to each side, of a mean of so many values."""
    if count > _NEARLY_NORMAL:
        # Fisher's expansion, whose next term is below 1e-10 there: SciPy takes longer to load than many rows to add up.
        z, degrees = normal_z(confidence), count - 1
        first, second = (z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96
        return z + first / degrees + second / degrees**2
    from scipy.special import stdtrit

    return float(stdtrit(count - 1, (1 + confidence) / 2))


def bisect(holds: Callable[[float], bool], inside: float, outside: float) -> tuple[float, float]:
    """The border between where something holds and where it does not, from both sides."""
    for _ in range(60):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if holds(middle) else (inside, middle)
    return inside, outside


def metric_view(value: Value, evidence: Any) -> Any:
    """What the metric of a value reads: the evidence under the policies of the value, or rows and sums as they are."""
    under = getattr(evidence, "view", None)
    return evidence if under is None else under(value.policies)


def metric_value(value: Value, evidence: Any) -> float:
    """The metric of a value on other evidence."""
    return float(value.metric.value(metric_view(value, evidence)))


def value_columns(values: Mapping[str, Value], samples: Iterable[Any], number: int) -> dict[str, Floats]:
    """Every metric on every sample of the data, a column per metric; `number` is how many samples there will be."""
    rows: list[list[float]] = []
    for sample in samples if values else ():
        rows.append([metric_value(value, sample) for value in values.values()])
        advance(len(rows) / number)
    return dict(zip(values, np.array(rows, np.float64).T.copy(), strict=True))


def with_interval(value: Value, interval: Interval | None, method: str | None = None) -> Value:
    """The value with its interval; a point is none: rows that are all alike do not say how others may differ."""
    if interval is None or interval[0] == interval[1]:
        return replace(value, interval=None, method=None)
    return replace(value, interval=interval, method=None if math.isnan(interval[0]) else method)


def percentiles(column: Floats, resampling: Resampling) -> Interval:
    """The middle of the draws; undefined ones are left out."""
    defined = column[~np.isnan(column)]
    if not len(defined):
        return NO_INTERVAL
    low, high = np.quantile(defined, resampling.ends)
    return float(low), float(high)


def drawn_interval(column: Floats, value: Value, resampling: Resampling) -> Interval:
    """The middle of the draws, with the value itself; what is too good on average is first set right."""
    low, high = percentiles(column, resampling)
    if math.isnan(low):
        return NO_INTERVAL
    if value.metric.optimistic:
        mean = float(np.nanmean(column))
        excess = max(0.0, mean - value.value) * EXCESS
        low, high = value.value - excess - max(high - mean, mean - low), value.value + (mean - low)
        low, high = max(0.0, low), min(1.0, high)
    return min(low, value.value), max(high, value.value)
