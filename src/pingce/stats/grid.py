"""Differences as whole multiples of a power of two: their sums are exact, in whatever order BLAS adds them up."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pingce.base.errors import InputError
from pingce.base.exact import Floats

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
    """Each difference as a whole number of units, NaN as 0.

    The unit of a column is 2^-36, or coarser where its sums would not be exact.
    """
    filled = np.where(np.isnan(differences), 0.0, differences)
    largest = np.abs(filled).max(axis=0, initial=0.0)
    exponents = [_exponent(float(size), len(filled)) for size in largest]
    scaled: Floats = np.rint(np.ldexp(filled, np.array(exponents, np.int64)[None, :]))
    return scaled


def moved(differences: Floats) -> Floats:
    """Differences in units of 2^-36 for tests that add nothing up, however large one of them is; NaN as 0."""
    units: Floats = np.rint(np.ldexp(np.where(np.isnan(differences), 0.0, differences), FINEST))
    return units


def _exponent(largest: float, rows: int) -> int:
    if not largest:
        return FINEST
    size = math.frexp(largest)[1]
    return min(FINEST, CHUNK_BITS - LEAST_CHUNK - 1 - size, TOTAL_BITS - size - rows.bit_length())


def paired(differences: Floats) -> NDArray[np.bool_]:
    """Whether a column has any pair at all."""
    return np.asarray(np.any(~np.isnan(differences), axis=0), bool)
