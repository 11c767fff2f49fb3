"""Weights of ranks, from Python's math on each distinct rank: NumPy's vectorised logarithms change with the CPU."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

TABLE_LIMIT = 1 << 17
"Lists that are longer get no table of weights."


def reciprocal(rank: int) -> float:
    """1 / rank."""
    return 1.0 / rank


@lru_cache(maxsize=64)
def _table(of_rank: Callable[[int], float], size: int) -> NDArray[np.float64]:
    """Weights of ranks 1 … size, with a 0 in front."""
    return np.array([0.0, *map(of_rank, range(1, size + 1))])


def weight_table(of_rank: Callable[[int], float], upto: int) -> NDArray[np.float64]:
    """Weights by rank (index 0 unused) up to at least `upto`; sizes are rounded up so that few tables are made."""
    return _table(of_rank, max(128, 1 << (max(upto, 1) - 1).bit_length()))


def weights_at(of_rank: Callable[[int], float], ranks: NDArray[Any]) -> NDArray[np.float64]:
    """The weight of each rank."""
    if not len(ranks):
        return np.zeros(0)
    if of_rank is reciprocal:  # a division is the same on every machine
        return np.asarray(1.0 / ranks)
    top = int(ranks.max())
    if top <= TABLE_LIMIT:
        weights: NDArray[np.float64] = weight_table(of_rank, top)[ranks]
        return weights
    distinct, place = np.unique(ranks, return_inverse=True)
    return np.array([of_rank(rank) for rank in distinct.tolist()])[place.reshape(-1)]


def mean_over_blocks(
    of_rank: Callable[[int], float], above: NDArray[np.int64], block: NDArray[np.int64], k: int | None
) -> NDArray[np.float64]:
    """The mean weight over the ranks above+1 … above+block of each block, ranks beyond k weighing nothing."""
    if not len(above):
        return np.zeros(0)
    ends = above + block
    stops = ends if k is None else np.clip(k, above, ends)
    bounds, place = np.unique(np.stack([above, stops]), axis=1, return_inverse=True)
    table = np.append(weight_table(of_rank, int(ends.max()))[: int(ends.max()) + 1], 0.0)
    sums = np.add.reduceat(table, (bounds + 1).T.reshape(-1))[::2]
    return np.where(bounds[0] < bounds[1], sums, 0.0)[place.reshape(-1)] / block
