"""Scores of lists made comparable, list by list: seven normalisations, as ranx names and defines them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from pingce.evidence.ranking.aligned import AlignedRun

Floats = NDArray[np.float64]
_LEAST = 1e-9
"No divisor is smaller: lists of equal scores would be divided by 0."


def _spread(values: Floats, lists: AlignedRun) -> Floats:
    """A value per list as one per row."""
    return np.repeat(values, lists.lengths)


def _ends(scores: Floats, lists: AlignedRun) -> tuple[Floats, Floats]:
    """The lowest and the highest score of each list; 0 of an empty one."""
    filled = lists.lengths > 0
    low, high = np.zeros(len(filled)), np.zeros(len(filled))
    if filled.any():
        starts = lists.begin[:-1][filled]
        low[filled], high[filled] = np.minimum.reduceat(scores, starts), np.maximum.reduceat(scores, starts)
    return low, high


def _sums(values: Floats, lists: AlignedRun) -> Floats:
    """The sum of each list, added in rank order."""
    return np.bincount(np.repeat(np.arange(len(lists.begin) - 1), lists.lengths), values, len(lists.begin) - 1).astype(
        np.float64, copy=False
    )


def _min_max(scores: Floats, lists: AlignedRun) -> Floats:
    low, high = _ends(scores, lists)
    return (scores - _spread(low, lists)) / _spread(np.maximum(high - low, _LEAST), lists)


def _min_max_inverted(scores: Floats, lists: AlignedRun) -> Floats:
    low, high = _ends(scores, lists)
    return (_spread(high, lists) - scores) / _spread(np.maximum(high - low, _LEAST), lists)


def _max(scores: Floats, lists: AlignedRun) -> Floats:
    return scores / _spread(np.maximum(_ends(scores, lists)[1], _LEAST), lists)


def _sum(scores: Floats, lists: AlignedRun) -> Floats:
    low = _ends(scores, lists)[0]
    total = _sums(scores, lists) - low * lists.lengths
    return (scores - _spread(low, lists)) / _spread(np.maximum(total, _LEAST), lists)


def _zmuv(scores: Floats, lists: AlignedRun) -> Floats:
    rows = np.maximum(lists.lengths, 1)
    centred = scores - _spread(_sums(scores, lists) / rows, lists)
    deviation = np.sqrt(_sums(centred * centred, lists) / rows)
    return centred / _spread(np.maximum(deviation, _LEAST), lists)


def _rank(scores: Floats, lists: AlignedRun) -> Floats:
    return 1 - lists.rank / _spread(lists.lengths.astype(np.float64), lists)


NORMS: dict[str, Callable[[Floats, AlignedRun], Floats]] = {
    "min_max": _min_max,
    "min_max_inverted": _min_max_inverted,
    "max": _max,
    "sum": _sum,
    "zmuv": _zmuv,
    "rank": _rank,
}
"All but `borda`, which also gives points to items that a run does not have."
NORM_NAMES = (*NORMS, "borda", "none")
