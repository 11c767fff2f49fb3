"""How many differences are known, their mean and their spread, from sums that are exact until the last rounding."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from pingce.base.exact import Floats, exact_dot, exact_sum


def moments(values: Floats) -> Iterator[tuple[int, float, float]]:
    """Moments of each column: count, mean, sample standard deviation; NaN where there are too few values."""
    for column in values.T:
        defined = column[~np.isnan(column)]
        yield len(defined), mean_of(defined), deviation_of(defined)


def mean_of(values: Floats) -> float:
    """The mean; NaN of nothing."""
    return float(exact_sum(values) / len(values)) if len(values) else math.nan


def deviation_of(values: Floats) -> float:
    """√(Σ (v - mean)² / (n - 1)), 0 where all values are equal."""
    if len(values) < 2:
        return math.nan
    if (values == values[0]).all():
        return 0.0
    away = values - mean_of(values)
    return math.sqrt(exact_dot(away, away) / (len(values) - 1))
