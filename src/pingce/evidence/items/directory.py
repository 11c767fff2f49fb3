"""Distinct ids in their order, and the number of any id among them: by a table where ids are small integers, else by a hash."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.core import native_core
from pingce.base.lazy import cached_property
from pingce.evidence.ranking.truth_index import IdIndex
from pingce.inputs.ids import Ids, IntIds, sorted_rows

_SPREAD = 8
"Integers are looked up in a table that is no more than so many times as long as there are ids."
_SMALL = 1 << 16
_LONGEST = 2**31 - 2


class Directory:
    """The distinct ids of a column, sorted, and where each is."""

    def __init__(self, ids: Ids) -> None:
        self._ids = ids
        self._low, self._table = 0, _table(ids)
        if self._table is not None:
            self._low = int(ids.plain().comparable().min())

    @cached_property
    def _index(self) -> IdIndex:
        return IdIndex(self._ids)

    @cached_property
    def _rank(self) -> NDArray[np.int64]:
        """The number of each group of the index, and -1 for none."""
        rank = np.full(len(self._index) + 1, -1, np.int64)
        rank[self._order] = np.arange(len(self._order))
        return rank

    @cached_property
    def _order(self) -> NDArray[np.int64]:
        """Groups of the index, by id."""
        return sorted_rows(self._ids.take(self._index.first_rows()))

    @cached_property
    def names(self) -> Ids:
        """The distinct ids, sorted."""
        if self._table is not None:
            return IntIds(np.flatnonzero(self._table >= 0) + self._low)
        return self._ids.take(self._index.first_rows()[self._order]) if len(self._ids) else self._ids

    def __len__(self) -> int:
        if self._table is not None:
            return int(self._table.max()) + 1
        return len(self._index) if len(self._ids) else 0

    def numbers(self) -> NDArray[np.int64]:
        """The number of each row of the column itself."""
        if self._table is None:
            return self.find(self._ids)
        return look_up(_integers(self._ids), self._low, self._table)

    def find(self, ids: Ids) -> NDArray[np.int64]:
        """The number of each id, -1 where it is none of these."""
        if not len(self._ids) or not len(ids):
            return np.full(len(ids), -1, np.int64)
        if self._table is None:
            numbers: NDArray[np.int64] = self._rank[self._index.find(ids)]
            return numbers
        return look_up(_integers(ids), self._low, self._table)


def _integers(ids: Ids) -> NDArray[np.int64]:
    return np.ascontiguousarray(ids.plain().comparable(), np.int64)


def look_up(values: NDArray[np.int64], low: int, table: NDArray[np.int32]) -> NDArray[np.int64]:
    """The number that a table has for each integer from `low` on, -1 outside."""
    core = native_core()
    if core is not None:
        numbers: NDArray[np.int64] = core.look_up(values, low, table)
        return numbers
    at = values - low
    inside = (at >= 0) & (at < len(table))
    return np.where(inside, table[np.where(inside, at, 0)], -1).astype(np.int64)


def number_table(values: NDArray[np.int64], low: int, size: int) -> NDArray[np.int32]:
    """The number of each integer from `low` on among those that occur, -1 for one that does not."""
    core = native_core()
    if core is not None:
        numbers: NDArray[np.int32] = core.number_table(values, low, size)
        return numbers
    table = np.full(size, -1, np.int32)
    table[values - low] = 0
    present = np.flatnonzero(table == 0)
    table[present] = np.arange(len(present), dtype=np.int32)
    return table


def _table(ids: Ids) -> NDArray[Any] | None:
    """The number of each integer from the smallest to the largest of these; None where it would be long."""
    if not ids.integers or not len(ids):
        return None
    values = ids.plain().comparable()
    low, high = int(values.min()), int(values.max())
    if high - low > min(_SPREAD * len(values) + _SMALL, _LONGEST) or high >= 2**62 or low <= -(2**62):
        return None
    return number_table(_integers(ids), low, high - low + 1)
