"""Counting in NumPy: the executable specification of `Counter`, and the fallback where there is no compiler."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from pingce.evidence.ranking.truth_index import offsets
from pingce.factors.counting import Counts, Heads
from pingce.factors.matrix import Floats
from pingce.factors.model import Factors
from pingce.factors.pairs import PairLists, Places, Rows, Scores

_USERS, _CELLS = 64, 1 << 20
"Users, and scores, that are computed together."


class ReferenceCounter:
    """Scores block by block, dimension by dimension."""

    def __init__(self, factors: Factors) -> None:
        self._factors = factors

    @property
    def precision(self) -> str:
        """The type of the numbers."""
        return str(self._factors.precision)

    def scores(self, pairs: PairLists) -> Scores:
        """The score of each pair."""
        factors = self._factors
        out = np.empty(len(pairs), self._type)
        step = max(1, _CELLS // factors.users.width)
        place = pairs.place
        for begin in range(0, len(pairs), step):
            some = slice(begin, begin + step)
            users, items = pairs.users[place[some]], pairs.items[some]
            out[some] = self._summed(factors.user_rows(users).T, factors.item_rows(items).T, users, items)
        return out

    def counts(self, pairs: PairLists) -> Counts:
        """Where each pair stands among all candidates."""
        score = self.scores(pairs)
        columns = np.zeros((4, len(pairs)), np.int64)
        order = self._factors.id_order
        for user, items, block in self._blocks(pairs.users):
            for at, row in enumerate(block, user):
                span = slice(pairs.begin[at], pairs.begin[at + 1])
                columns[:, span] += _counted(row, items, score[span], pairs.items[span], order)
        return Counts(score, Places.of(*columns))

    def heads(self, users: Rows, depth: int, exclude: PairLists) -> Heads:
        """The best candidates of each user, and all that equal the last of them."""
        best: list[tuple[Scores, Rows]] = [(np.zeros(0, self._type), np.zeros(0, np.int64))] * len(users)
        for user, items, block in self._blocks(users):
            for at, row in enumerate(block, user):
                kept = ~np.isin(items, exclude.items[exclude.begin[at] : exclude.begin[at + 1]])
                score, item = np.concatenate([best[at][0], row[kept]]), np.concatenate([best[at][1], items[kept]])
                chosen = at_least(score, depth)
                best[at] = score[chosen], item[chosen]
        sizes = np.array([len(item) for _, item in best])
        score, item = (np.concatenate(columns) for columns in zip(*best, strict=True))
        return Heads(offsets(sizes), item, score)

    @property
    def _type(self) -> np.dtype[np.floating]:
        return np.dtype(np.float32) if self._factors.rounds else self._factors.precision

    def _blocks(self, users: Rows) -> Iterator[tuple[int, Rows, Scores]]:
        """Scores of some users and candidates at a time, with the place of the first user and the rows of the items."""
        factors = self._factors
        every = factors.candidate_rows
        width = _CELLS // _USERS
        for at in range(0, len(users), _USERS):
            some = users[at : at + _USERS]
            left = np.ascontiguousarray(factors.user_rows(some).T)[:, :, None]
            for begin in range(0, len(every), width):
                items = every[begin : begin + width]
                right = np.ascontiguousarray(factors.item_rows(items).T)[:, None, :]
                yield at, items, self._summed(left, right, some[:, None], items)

    def _summed(self, left: Floats, right: Floats, users: Rows, items: Rows) -> Scores:
        """Sums over the first axis, in its order."""
        factors = self._factors
        total = np.zeros(np.broadcast_shapes(left.shape[1:], right.shape[1:]), factors.precision)
        for a, b in zip(left, right, strict=True):
            if factors.similarity == "l2":
                gap = a - b
                total += gap * gap
            else:
                total += a * b
        if factors.similarity == "l2":
            np.negative(total, out=total)
        if factors.item_bias is not None:
            total += factors.item_bias[items]
        if factors.user_bias is not None:
            total += factors.user_bias[users]
        return total.astype(self._type, copy=False)


def at_least(score: Scores, depth: int) -> NDArray[np.bool_]:
    """Which scores are among the `depth` best, or equal the last of them."""
    if len(score) <= depth:
        return np.ones(len(score), bool)
    least = np.partition(score, len(score) - depth)[len(score) - depth]
    chosen: NDArray[np.bool_] = score >= least
    return chosen


def _counted(row: Scores, items: Rows, score: Scores, targets: Rows, order: Rows) -> NDArray[np.int64]:
    """The four counts of some pairs of a user among some of its candidates."""
    columns = np.zeros((4, len(score)), np.int64)
    for place, (threshold, item) in enumerate(zip(score, targets, strict=True)):
        equal = items[row == threshold]
        by_id, by_order = np.count_nonzero(order[equal] > order[item]), np.count_nonzero(equal < item)
        columns[:, place] = np.count_nonzero(row > threshold), len(equal), by_id, by_order
    return columns
