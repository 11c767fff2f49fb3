"""Wilcoxon's signed-rank test: sizes of differences as ranks; pairs without a difference are dropped."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats
from pingce.stats.grid import moved, paired

EXACT = 50
"Pairs up to which the distribution is counted out, ties or not: 2^50 assignments are whole numbers of a double."


def wilcoxon_p(differences: Floats) -> Floats:
    """Two-sided p of each column: exact for at most 50 pairs that differ, else normal, without continuity correction."""
    has_pairs = paired(differences)
    counted = moved(differences)
    return np.array(
        [_p(column) if some else math.nan for column, some in zip(counted.T, has_pairs.tolist(), strict=True)]
    )


def _p(column: Floats) -> float:
    moved = column[column != 0]
    if not len(moved):
        return 1.0
    _, place, often = np.unique(np.abs(moved), return_inverse=True, return_counts=True)
    twice_rank = (2 * np.cumsum(often) - often + 1)[place.reshape(-1)]
    positive = int(twice_rank[moved > 0].sum())
    return _exact(twice_rank, positive) if len(moved) <= EXACT else _normal(often, positive / 2)


def _exact(twice_rank: NDArray[np.intp], positive: int) -> float:
    """How many assignments of signs reach each sum of positive ranks, by adding one rank after another."""
    total = int(twice_rank.sum())
    ways = np.zeros(total + 1)
    ways[0] = 1.0
    for rank in twice_rank.tolist():
        ways[rank:] += ways[:-rank].copy()
    tail = ways[: min(positive, total - positive) + 1].sum()
    return min(1.0, 2 * float(tail) / 2.0 ** len(twice_rank))


def _normal(often: NDArray[np.intp], positive: float) -> float:
    """Mean n(n+1)/4, variance n(n+1)(2n+1)/24 less Σ (t³ - t)/48 over blocks of t equal sizes."""
    n = int(often.sum())
    ties = sum(t**3 - t for t in often.tolist())
    variance = n * (n + 1) * (2 * n + 1) / 24 - ties / 48
    return math.erfc(abs(positive - n * (n + 1) / 4) / math.sqrt(variance) / math.sqrt(2))
