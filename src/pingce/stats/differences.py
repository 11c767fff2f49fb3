"""Differences of two runs, a column per comparison: as whole numbers whose sums are exact, their moments, their size."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pingce.base.errors import InputError
from pingce.base.exact import Floats, exact_dot, exact_sum

FINEST = 36
"Differences are multiples of 2^-36: what is smaller is the rounding of a metric, and a tie."
CHUNK_BITS = 53
"Sums of doubles are exact below 2^53."
TOTAL_BITS = 62
"And those of 64-bit integers below 2^63."
LEAST_CHUNK = 13
"Chunks of 2^13 rows at least; larger differences get a coarser grid."


def matrix(differences: ArrayLike) -> Floats:
    """A column per comparison, as doubles; a single column may come as a list. NaN is a pair to leave out."""
    table = np.asarray(differences, np.float64)
    table = table[:, None] if table.ndim == 1 else table
    if table.ndim != 2:
        raise InputError(
            f"a matrix of differences has two dimensions, a row a query and a column a comparison; this one has {table.ndim}",
            f"差值矩阵须为二维：每个查询一行，每次比较一列；此处为 {table.ndim} 维",
        )
    if np.isinf(table).any():
        row, column = (int(place[0]) for place in np.nonzero(np.isinf(table)))
        raise InputError(
            f"row {row}, column {column}: an infinite difference cannot be tested; leave the pair out as NaN",
            f"第 {row} 行第 {column} 列：差值为无穷大，无法检验；请以 NaN 略去这一对",
        )
    return table


def whole(differences: Floats) -> Floats:
    """Each difference as a whole number of units, NaN as 0: sums are exact, in whatever order BLAS adds them up.

    The unit of a column is 2^-36, or coarser where its sums would not be exact.
    """
    filled = np.where(np.isnan(differences), 0.0, differences)
    largest, bits = np.abs(filled).max(axis=0, initial=0.0), len(filled).bit_length()
    size = np.frexp(largest)[1].astype(np.int64)
    coarse = np.minimum(CHUNK_BITS - LEAST_CHUNK - 1, TOTAL_BITS - bits) - size
    scaled: Floats = np.rint(np.ldexp(filled, np.where(largest > 0, np.minimum(FINEST, coarse), FINEST)[None, :]))
    return scaled


def moved(differences: Floats) -> Floats:
    """Differences in units of 2^-36 for tests that add nothing up, however large one of them is; NaN as 0."""
    units: Floats = np.rint(np.ldexp(np.where(np.isnan(differences), 0.0, differences), FINEST))
    return units


def paired(differences: Floats) -> NDArray[np.bool_]:
    """Whether a column has any pair at all."""
    return np.asarray(np.any(~np.isnan(differences), axis=0), bool)


def moments(values: Floats) -> Iterator[tuple[int, float, float]]:
    """Moments of each column: count, mean, sample standard deviation; NaN where there are too few values."""
    for column in values.T:
        defined = column[~np.isnan(column)]
        yield len(defined), mean_of(defined), _deviation(defined)


def mean_of(values: Floats) -> float:
    """The mean, from a sum that is exact until the last rounding; NaN of nothing."""
    return float(exact_sum(values) / len(values)) if len(values) else math.nan


def _deviation(values: Floats) -> float:
    """√(Σ (v - mean)² / (n - 1)), 0 where all values are equal."""
    if len(values) < 2:
        return math.nan
    if (values == values[0]).all():
        return 0.0
    away = values - mean_of(values)
    return math.sqrt(exact_dot(away, away) / (len(values) - 1))


def cohen_d(differences: ArrayLike) -> Floats:
    """The mean difference in standard deviations of the differences, a column each.

    0 where all differences are 0; NaN where there is no spread to measure by.
    """
    columns = moments(matrix(differences))
    return np.array([mean / spread if spread else math.nan if mean else 0.0 for _, mean, spread in columns])


def win_tie_loss(differences: ArrayLike) -> NDArray[np.int64]:
    """Counts per column of differences: on how many queries the first is better, equal, worse; a tie is below 2^-37."""
    gaps = matrix(differences)
    defined, sign = ~np.isnan(gaps), np.sign(moved(gaps))
    counts = [np.count_nonzero(defined & (sign == side), axis=0) for side in (1, 0, -1)]
    return np.stack(counts, axis=1).astype(np.int64)


def minimum_detectable(differences: ArrayLike, *, alpha: float = 0.05, power: float = 0.8) -> Floats:
    """The mean difference that a paired t-test at this n and spread would find with the given power.

    (t(1 - α/2) + t(power)) · s / √n, t the quantiles with n - 1 degrees of freedom; NaN for n < 2.
    """
    from scipy.special import stdtrit

    for name, value, usual in (("alpha", alpha, 0.05), ("power", power, 0.8)):
        if not 0 < value < 1:
            raise InputError(
                f"{name}={value}: it must lie between 0 and 1, such as {usual}",
                f"{name}={value}：须介于 0 与 1 之间，例如 {usual}",
            )

    def size(count: int, spread: float) -> float:
        quantiles = stdtrit(count - 1, 1 - alpha / 2) + stdtrit(count - 1, power)
        return float(quantiles) * spread / math.sqrt(count)

    columns = moments(matrix(differences))
    return np.array([size(count, spread) if count >= 2 else math.nan for count, _, spread in columns])
