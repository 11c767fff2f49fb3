"""Rows by their query: what a batch needs of a truth is found without looking at the rest of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.core import native_core, thread_count
from pingce.base.lazy import cached_property
from pingce.inputs.columns import Place, Rows
from pingce.inputs.ids import Ids, changes, sorted_rows

Places = NDArray[np.int64]


_MANY = 1 << 16
"Ids that are worth a thread."


def offsets(counts: NDArray[Any]) -> Places:
    """Where segments of so many rows begin, one after another, and where the last ends."""
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(counts, dtype=np.int64)])


def gathered(begin: Places, places: NDArray[Any]) -> tuple[Places, Places]:
    """Rows of the chosen segments, one after another, and where each begins."""
    sizes = (begin[1:] - begin[:-1])[places]
    fresh = offsets(sizes)
    return np.arange(fresh[-1]) + np.repeat(begin[:-1][places] - fresh[:-1], sizes), fresh


def with_places(places: Places, more: Places) -> Places:
    """Ascending places with some more of them, each once."""
    at = np.minimum(np.searchsorted(places, more), len(places) - 1)
    lacking = more[places[at] != more]
    return np.sort(np.concatenate([places, lacking])) if len(lacking) else places


def starts(*keys: NDArray[Any]) -> Places:
    """For each row of sorted keys, the first row with the same keys."""
    rows = np.arange(len(keys[0]))
    changed = np.zeros(len(rows), bool)
    for key in keys:
        changed[1:] |= key[1:] != key[:-1]
    return np.maximum.accumulate(np.where(changed, rows, 0)) if len(rows) else rows


class IdIndex:
    """The rows of a column in groups, one a distinct id; groups are numbered in no order that means anything."""

    def __init__(self, ids: Ids) -> None:
        core = native_core()
        self._native = core.IdIndex(ids.pieces(), _threads(ids)) if core is not None and len(ids) else None
        if self._native is not None:
            self.begin, self._order = self._native.groups()
            return
        self._order = sorted_rows(ids)
        ordered = ids.plain().chosen(self._order)
        starts = changes(ordered)
        self.begin = np.append(starts, len(ids)).astype(np.int64)
        self._names = ordered.chosen(starts).comparable()

    def __len__(self) -> int:
        return len(self.begin) - 1

    def find(self, ids: Ids) -> Places:
        """The group of each id, -1 where it has none."""
        if self._native is not None and len(ids):
            places: Places = self._native.find(ids.pieces(), _threads(ids))
            return places
        if not len(self) or not len(ids):
            return np.full(len(ids), -1, np.int64)
        wanted = ids.plain().comparable()
        at = np.minimum(np.searchsorted(self._names, wanted), len(self) - 1)
        return np.where(self._names[at] == wanted, at, -1).astype(np.int64)

    def stretch(self, groups: Places) -> slice | None:
        """The rows of groups that follow each other, where they do so in the column too."""
        if len(self._order) or not len(groups) or not (groups[1:] - groups[:-1] == 1).all():
            return None
        return slice(int(self.begin[groups[0]]), int(self.begin[groups[-1] + 1]))

    def rows(self, groups: Places) -> Places:
        """The rows of some groups, each group's in given order."""
        places, _ = gathered(self.begin, groups)
        rows: Places = self._order[places] if len(self._order) else places
        return rows

    def first_rows(self) -> Places:
        """A row of each group: the first that was given."""
        first: Places = self._order[self.begin[:-1]] if len(self._order) else self.begin[:-1]
        return first


class IndexedRows:
    """A table of pairs (query, item) of which the rows of some queries are wanted, again and again."""

    def __init__(self, rows: Rows) -> None:
        self.all = rows

    @cached_property
    def index(self) -> IdIndex:
        """Made when it is first asked for."""
        return IdIndex(self.all.query)

    @cached_property
    def top(self) -> float:
        """The largest value."""
        return float(self.all.value.max(initial=-np.inf))

    def of(self, queries: Ids) -> Rows:
        """The rows of some queries, each named once."""
        groups = self.index.find(queries)
        groups = groups[groups >= 0]
        stretch = self.index.stretch(groups)
        return chosen_rows(self.all, self.index.rows(groups)) if stretch is None else _rows_within(self.all, stretch)

    def of_others(self, queries: Ids) -> Rows:
        """The rows of all other queries."""
        groups = self.index.find(queries)
        others = np.ones(len(self.index), bool)
        others[groups[groups >= 0]] = False
        return chosen_rows(self.all, self.index.rows(np.flatnonzero(others)))


def chosen_rows(rows: Rows, places: NDArray[Any]) -> Rows:
    """Some rows, which still know where they came from."""
    return _rows_at(rows, places, lambda ids: ids.take(places), lambda row: rows.source.place(int(places[row])))


def _rows_within(rows: Rows, stretch: slice) -> Rows:
    """Rows that stand together, as they lie in memory."""
    first: int = stretch.start
    return _rows_at(rows, stretch, lambda ids: ids.within(stretch), lambda row: rows.source.place(first + row))


def _rows_at(rows: Rows, places: NDArray[Any] | slice, ids_at: Callable[[Ids], Ids], place: Place) -> Rows:
    return replace(
        rows,
        query=ids_at(rows.query),
        item=ids_at(rows.item),
        value=rows.value[places],
        source=replace(rows.source, place=place),
        whole=None if rows.whole is None else rows.whole[places],
        subtopic=None if rows.subtopic is None else ids_at(rows.subtopic),
        weight=None if rows.weight is None else rows.weight[places],
    )


def _threads(ids: Ids) -> int:
    return thread_count() if len(ids) > _MANY else 0
