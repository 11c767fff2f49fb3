"""How many differences are known, their mean and their spread, from sums that are exact until the last rounding."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from pingce.base.exact import exact_dot, exact_sum

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def moments(values: Floats) -> Iterator[tuple[int, float, float]]:
    """Of each column: count, mean, sample standard deviation; NaN where there are too few values."""
    for column in values.T:
        known = column[~np.isnan(column)]
        yield len(known), mean_of(known), deviation_of(known)


def mean_of(known: Floats) -> float:
    """The mean; NaN of nothing."""
    return float(exact_sum(known) / len(known)) if len(known) else math.nan


def deviation_of(known: Floats) -> float:
    """√(Σ (v - mean)² / (n - 1)), 0 where all values are equal."""
    if len(known) < 2:
        return math.nan
    if (known == known[0]).all():
        return 0.0
    away = known - mean_of(known)
    return math.sqrt(exact_dot(away, away) / (len(known) - 1))
