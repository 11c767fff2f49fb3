"""Places of numbers among each other, counted in whole units, so that the order of rows does not matter."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pingce.base.core import native_core, thread_count
from pingce.base.exact import Floats, Ints
from pingce.inputs.regression import NumberRows


def rank_rows(rows: NumberRows, threads: int | None = None) -> NumberRows:
    """Twice the mean rank of each number, less 1: its correlations are those of the ranks.

    Weights are taken in so small a unit that whole numbers will do: their sums are exact, and the order of rows does not matter.
    """
    if rows.weight is None:
        return NumberRows(mid_ranks(rows.true, threads), mid_ranks(rows.predicted, threads))
    units = weight_units(rows)
    return NumberRows(_weighted_ranks(rows.true, units), _weighted_ranks(rows.predicted, units), rows.weight)


def mid_ranks(values: Floats, threads: int | None = None) -> Floats:
    """Twice the rows below each value and once those that equal it."""
    if (core := native_core()) is not None:
        return core.mid_ranks(np.ascontiguousarray(values), thread_count(threads))
    return _weighted_ranks(values, np.ones(len(values), np.int64))


def weight_units(rows: NumberRows) -> Ints:
    """The weights as whole numbers of 2^-power; 1 of each row where there are none."""
    if rows.weight is None:
        return np.ones(len(rows), np.int64)
    return np.rint(np.ldexp(rows.weight, rank_power(rows))).astype(np.int64)


def rank_power(rows: NumberRows) -> int:
    """Weights, and so ranks, are counted in 2^-power: all of them together stay below 2^61."""
    return 0 if rows.weight is None else 61 - len(rows).bit_length() - int(np.frexp(rows.weight.max())[1])


def _weighted_ranks(values: Floats, weights: NDArray[np.int64]) -> Floats:
    """Twice the weight below each value and once that of its equals: twice the mean rank, less 1."""
    order = np.argsort(values)
    ordered = values[order]
    first = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    equal = np.add.reduceat(weights[order], first)
    ranks = np.empty(len(values))
    ranks[order] = np.repeat(2 * np.cumsum(equal) - equal, np.diff(first, append=len(values)))
    return ranks
