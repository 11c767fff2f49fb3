"""Counting by the core: tiles of scores that are counted while they are in the cache."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.core import thread_count
from pingce.factors.counting import Counts, Heads
from pingce.factors.matrix import Matrix
from pingce.factors.model import Factors
from pingce.factors.pairs import PairLists, Places, Rows, Scores

if TYPE_CHECKING:
    from pingce._core import Core

USUAL = -1
"The instruction set that the processor runs fastest."


class NativeCounter:
    """The core with its threads. A `level` chooses among the instruction sets that the processor has."""

    def __init__(self, core: Core, factors: Factors, threads: int | None = None, level: int = USUAL) -> None:
        self._factors, self._threads, self._level = factors, thread_count(threads), level
        columns = (
            *(factors.user_norms, factors.item_norms, factors.user_bias, factors.item_bias),
            *(factors.candidates, factors.order),
        )
        self._core = core.Factors(
            _numbers(factors.users),
            _numbers(factors.items),
            [None if column is None else np.ascontiguousarray(column) for column in columns],
            factors.precision == np.float64,
            factors.similarity == "l2",
            factors.rounds,
        )

    @property
    def precision(self) -> str:
        """The type of the numbers."""
        return str(self._factors.precision)

    def scores(self, pairs: PairLists) -> Scores:
        """The score of each pair."""
        scores: Scores = np.asarray(self._core.scores(*pairs, self._threads, self._level))
        return scores

    def counts(self, pairs: PairLists) -> Counts:
        """Where each pair stands among all candidates."""
        columns = self._core.counts(*pairs, self._threads, self._level)
        return Counts(columns.pop("score"), Places(**columns))

    def heads(self, users: Rows, depth: int, exclude: PairLists) -> Heads:
        """The best candidates of each user, and all that equal the last of them."""
        return Heads(**self._core.heads(users, exclude.begin, exclude.items, depth, self._threads, self._level))


def _numbers(matrix: Matrix) -> NDArray[Any]:
    """The numbers as an array that is no subclass, such as that of a mapped file."""
    return np.asarray(matrix.values)
