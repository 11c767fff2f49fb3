"""Counting in blocks of scores that a model has computed itself: a row a user, a column an item."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.core import native_core, thread_count
from pingce.base.errors import InputError, library_words
from pingce.base.text import Text
from pingce.evidence.ranking.truth_index import offsets
from pingce.factors.counting import Counts, Heads
from pingce.factors.pairs import PairLists, Places, Rows, Scores, count_listed
from pingce.factors.reference import at_least
from pingce.inputs.matrices import in_memory

_NAME = Text("the scores", "分数")


class DenseCounter:
    """A counter whose scores are there already; all columns are candidates."""

    def __init__(self, scores: NDArray[Any], order: Rows | None = None, threads: int | None = None) -> None:
        self._scores, self._order, self._threads = scores, order, threads

    @property
    def precision(self) -> str:
        """The type of the numbers."""
        return str(self._scores.dtype)

    def scores(self, pairs: PairLists) -> Scores:
        """The score of each pair."""
        scores: Scores = self._scores[pairs.users[pairs.place], pairs.items]
        return scores

    def counts(self, pairs: PairLists) -> Counts:
        """Where each pair stands among all columns."""
        core = native_core()
        if core is None:
            return self._counted(pairs)
        order = np.zeros(0, np.int64) if self._order is None else self._order
        columns = core.row_counts(self._scores, *pairs, order, thread_count(self._threads))
        return Counts(columns.pop("score"), Places(**columns))

    def _counted(self, pairs: PairLists) -> Counts:
        """The same, with all columns of the rows as listed others."""
        width, count = self._scores.shape[1], len(pairs.users)
        others = PairLists(pairs.users, np.arange(count + 1) * width, np.tile(np.arange(width), count))
        score, order = self.scores(pairs), np.arange(width) if self._order is None else self._order
        return Counts(score, count_listed(pairs, score, others, self.scores(others), order))

    def heads(self, users: Rows, depth: int, exclude: PairLists) -> Heads:
        """The best columns of each row, and all that equal the last of them."""
        items: list[Rows] = []
        for at, user in enumerate(users):
            kept = np.ones(self._scores.shape[1], bool)
            kept[exclude.items[exclude.begin[at] : exclude.begin[at + 1]]] = False
            left = np.flatnonzero(kept)
            items.append(left[at_least(self._scores[user, left], depth)])
        begin, item = offsets(np.array([len(each) for each in items])), np.concatenate(items)
        return Heads(begin, item, self._scores[np.repeat(users, np.diff(begin)), item])


def read_scores(data: Any) -> NDArray[Any]:
    """A matrix of scores as rows of float32 or float64; one that is not a number is refused."""
    try:
        scores = np.asarray(in_memory(data, _NAME))
    except ValueError as problem:  # rows of different lengths
        words = library_words(problem)
        raise InputError(
            f"the scores cannot be read as a matrix ({words}); give rows of one length, a number for each item",
            f"分数无法作为矩阵读取（{words}）；请给出等长的行，每个条目一个数",
        ) from None
    if scores.ndim != 2 or scores.dtype.kind not in "biuf" or not all(scores.shape):
        shape = " × ".join(map(str, scores.shape)) or "()"
        raise InputError(
            f"the scores have the shape {shape} and the type {scores.dtype}; needed is a matrix of numbers with a row a query and a column an item",
            f"分数的形状为 {shape}，类型为 {scores.dtype}；应为每个查询一行、每个条目一列的数值矩阵",
        )
    if scores.dtype not in (np.float32, np.float64):
        scores = scores.astype(np.float32 if scores.dtype == np.float16 else np.float64)
    scores = np.ascontiguousarray(scores)
    bad = np.argwhere(np.isnan(scores))
    if len(bad):
        row, column = bad[0].tolist()
        raise InputError(
            f"the score in row {row}, column {column} is not a number, nor are {len(bad) - 1} others; give -inf to items that should stand last",
            f"第 {row} 行第 {column} 列（从 0 起）的分数不是数字，另有 {len(bad) - 1} 个亦然；应排在最后的条目请给 -inf",
        )
    return scores
