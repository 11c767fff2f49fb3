"""Runs of three columns without a header: whether the third is a rank or a score, which only all rows together tell."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.inputs.columns import Meaning, Rows, with_notes
from pingce.inputs.ids import changes, hashes, mixed

Words = NDArray[np.uint64]

_LARGEST = 2.0**32
"Of a rank: no list is so long."


class RankTally:
    """How many rows each query has, and which numbers, chunk by chunk and whatever the order of the rows.

    Of the numbers only the sum of their hashes is kept, by which 1…n is known.
    """

    def __init__(self) -> None:
        self._queries = self._sums = np.zeros(0, np.uint64)
        self._counts = np.zeros(0, np.int64)
        self._open = True

    def add(self, rows: Rows) -> bool:
        """Count these rows too; false once no row that follows can make the numbers ranks."""
        if self._open:
            starts = changes(rows.query)
            counts = np.diff(starts, append=len(rows))
            sums = _sums(rows.value, starts, counts)
            self._open = sums is not None
            if sums is not None:
                queries = np.concatenate([self._queries, hashes(rows.query.take(starts))])
                order = np.argsort(queries, kind="stable")
                self._queries, starts = np.unique(queries[order], return_index=True)
                self._counts = np.add.reduceat(np.concatenate([self._counts, counts])[order], starts)
                self._sums = np.add.reduceat(np.concatenate([self._sums, sums])[order], starts)
        return self._open

    def counts_from(self, first: int) -> bool:
        """Whether the numbers of every query are first, first + 1, …, in any order."""
        if not self._open or not len(self._counts):
            return False
        return bool((_expected(first, self._counts) == self._sums).all())

    @property
    def longest(self) -> int:
        """Rows of the query that has most."""
        return int(self._counts.max(initial=0))


def _sums(value: NDArray[np.float64], starts: NDArray[np.int64], counts: NDArray[np.int64]) -> Words | None:
    """The hashes of the numbers of each stretch of rows, summed; None where some number is no rank."""
    if (value == np.arange(1, len(value) + 1) - np.repeat(starts, counts)).all():  # as most writers have them
        return _expected(1, counts)
    if not ((value >= 0) & (value < _LARGEST)).all() or (value != np.floor(value)).any():
        return None
    return np.asarray(np.add.reduceat(_hashed(value), starts))


def _expected(first: int, counts: NDArray[np.int64]) -> Words:
    """What the sums are where the numbers are first, first + 1, …"""
    numbers = np.arange(first, first + int(counts.max()), dtype=np.float64)
    return np.asarray(np.cumsum(_hashed(numbers), dtype=np.uint64)[counts - 1])


def _hashed(value: NDArray[Any]) -> Words:
    return mixed(value.astype(np.uint64) + np.uint64(1))


def meaning_of(tally: RankTally, name: Text) -> tuple[Meaning, Text]:
    """What the third column of all rows is, and what to say of it; numbers that may well be either are refused."""
    if tally.counts_from(1):
        return "rank", Text(
            f"{name.en}: the third column is the rank, as it is 1…n for every query; if it is a score, say "
            "columns={'run.score': '3'} or --columns run.score=3",
            f"{name.zh}：第三列为名次，因为每个查询都是 1…n；若为分数，请用 columns={{'run.score': '3'}} 或 --columns run.score=3",
        )
    if tally.longest > 1 and tally.counts_from(0):
        raise InputError(
            f"{name.en}: the third column is 0…n−1 for every query: are these ranks from 0, or scores? say "
            "columns={'run.rank': '3'} or {'run.score': '3'} (--columns run.rank=3 or run.score=3)",
            f"{name.zh}：第三列对每个查询都是 0…n−1：是从 0 起的名次，还是分数？请用 columns={{'run.rank': '3'}} 或 "
            "{'run.score': '3'} 指明（--columns run.rank=3 或 run.score=3）",
        )
    return "given", Text(
        f"{name.en}: the third column is the score, higher is better, as it is not 1…n for every query; if it is a rank, say "
        "columns={'run.rank': '3'} or --columns run.rank=3",
        f"{name.zh}：第三列为分数，越高越好，因为并非每个查询都是 1…n；若为名次，请用 columns={{'run.rank': '3'}} 或 --columns run.rank=3",
    )


def with_meaning(rows: Rows, meaning: Meaning) -> Rows:
    """Rows whose third column is known to be ranks or scores."""
    return replace(rows, value=-rows.value if meaning == "rank" else rows.value, meaning=meaning)


def resolve_third_column(rows: Rows) -> Rows:
    """A whole run with its third column as what it is; any other table as it is."""
    if rows.meaning != "third":
        return rows
    tally = RankTally()
    tally.add(rows)
    meaning, note = meaning_of(tally, rows.source.name)
    return with_notes(with_meaning(rows, meaning), note)
