"""Fewer points: exact ones, chosen so that a reader misses nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError

if TYPE_CHECKING:
    from pingce.curves.base import Steps


def even_spread(columns: Sequence[NDArray[Any]], most: int | None, named: Iterable[int]) -> NDArray[np.intp]:
    """Rows to keep: both ends, those that are named, and others evenly along the way that the columns go."""
    size = len(columns[0])
    everything = np.arange(size)
    if most is None:
        return everything
    if isinstance(most, bool) or not isinstance(most, (int, np.integer)) or most < 2:
        raise InputError(
            f"thin={most!r}: it is how many points are kept at most, a whole number from 2 up",
            f"thin={most!r}：应为最多保留的点数，须是不小于 2 的整数",
        )
    if size <= most:
        return everything
    fixed = np.unique([0, size - 1, *named])
    room = int(most) - len(fixed)
    if room < 0:
        raise InputError(
            f"thin={most}: both ends and the marked points are {len(fixed)} already",
            f"thin={most}：仅两端与标出的点就有 {len(fixed)} 个",
        )
    way = np.sum([_way(column) for column in columns], axis=0)
    chosen = np.searchsorted(way, np.linspace(0, way[-1], room + 2)[1:-1])
    return np.unique(np.concatenate([fixed, np.minimum(chosen, size - 1)]))


def _way(column: NDArray[Any]) -> NDArray[np.float64]:
    """How far the column has gone up and down so far, as a share of all its way."""
    gone = np.abs(np.diff(column.astype(np.float64), prepend=float(column[0])))
    gone[~np.isfinite(gone)] = 0
    way: NDArray[np.float64] = np.cumsum(gone)
    return way / way[-1] if way[-1] else way


def corners(steps: Steps) -> NDArray[np.bool_]:
    """Steps at which the ROC curve bends, and its ends: all others lie exactly on a line between their neighbours.

    Of fractional weights, whose sums are rounded, only level and upright runs are taken for straight.
    """
    right, up = np.diff(steps.fp), np.diff(steps.tp)
    bent = ((right[1:] != 0) | (right[:-1] != 0)) & ((up[1:] != 0) | (up[:-1] != 0))
    if steps.whole:
        if steps.positives * steps.negatives >= 2**62:
            right, up = right.astype(object), up.astype(object)
        bent &= (right[:-1] * up[1:] != right[1:] * up[:-1]).astype(bool)
    return np.concatenate([[True], bent, [True]])
