"""Majorities of runs in plain Python: the executable specification, and the fallback where there is no compiler."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


def majority_order(begin: Ints, start: Ints, ranks: Ints, votes: NDArray[np.float64]) -> Ints:
    """What `pingce._core.majority_order` returns: each list merged from the bottom up."""
    order = start.copy()
    for first, end in zip(begin[:-1].tolist(), begin[1:].tolist(), strict=True):
        width = 1
        while width < end - first:
            for left in range(first, end - width, 2 * width):
                middle, last = left + width, min(end, left + 2 * width)
                order[left:last] = _merged(order[left:middle], order[middle:last], ranks, votes)
            width *= 2
    return order


def _merged(left: Ints, right: Ints, ranks: Ints, votes: NDArray[np.float64]) -> list[int]:
    a: list[int] = left.tolist()
    b: list[int] = right.tolist()
    out: list[int] = []
    while a and b:
        out.append(b.pop(0) if _beats(b[0], a[0], ranks, votes) else a.pop(0))
    return out + a + b


def _beats(item: int, other: int, ranks: Ints, votes: NDArray[np.float64]) -> bool:
    """Whether more votes put the item before the other than the reverse."""
    ahead = behind = 0.0
    for run, vote in zip(ranks, votes.tolist(), strict=True):
        ahead += vote if run[item] < run[other] else 0.0
        behind += vote if run[other] < run[item] else 0.0
    return ahead > behind
