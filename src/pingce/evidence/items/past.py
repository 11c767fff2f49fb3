"""What is known of items from the past: how often each was chosen, by how many users, and which are the long tail."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Ints
from pingce.base.lazy import cached_property
from pingce.base.records import dataclass
from pingce.evidence.items.heads import numbered
from pingce.evidence.ranking.truth_index import IdIndex
from pingce.inputs.columns import Rows
from pingce.inputs.ids import Ids, IntIds


@dataclass(frozen=True, eq=False)
class Past:
    """Pairs (query, item) that were there before: `train`."""

    rows: Rows

    @cached_property
    def _numbered(self) -> tuple[Ids, NDArray[np.int32]]:
        return numbered(self.rows.item)

    @property
    def items(self) -> Ids:
        """Every item that occurs, once, sorted by id."""
        return self._numbered[0]

    @cached_property
    def _user(self) -> Ints:
        """A number for the user of each row."""
        return IdIndex(self.rows.query).find(self.rows.query)

    @cached_property
    def interactions(self) -> Ints:
        """How many rows each item has."""
        return np.bincount(self._numbered[1], minlength=len(self.items))

    @cached_property
    def users(self) -> Ints:
        """How many users each item has; a pair that stands twice counts once."""
        key = self._user * np.int64(len(self.items)) + self._numbered[1]
        first = IdIndex(IntIds(key)).first_rows()
        return np.bincount(self._numbered[1][first], minlength=len(self.items))

    @cached_property
    def user_count(self) -> int:
        """How many users there are."""
        return len(IdIndex(self.rows.query))

    def __len__(self) -> int:
        """How many interactions there are."""
        return len(self.rows)

    @cached_property
    def _index(self) -> IdIndex:
        return IdIndex(self.items)

    def find(self, items: Ids) -> Ints:
        """The number of each item among `items`, -1 for one that never occurred: it is cold."""
        order = np.append(self._index.first_rows(), -1)
        place: Ints = order[self._index.find(items)]
        return place

    def counts(self, of: str) -> Ints:
        """Users or interactions of each item, by name."""
        return self.users if of == "users" else self.interactions

    def popularity_rank(self, of: str = "interactions", *, dense: bool = False) -> NDArray[np.float64]:
        """The rank of each item by its number of interactions or users, the most popular first; equal ones share a rank.

        Dense ranks count distinct numbers; others are the mean of the places that equal ones take.
        """
        counts = self.counts(of)
        distinct, place = np.unique(-counts, return_inverse=True)
        place = place.reshape(-1)
        if dense:
            return (place + 1).astype(np.float64)
        sizes = np.bincount(place, minlength=len(distinct))
        last = np.cumsum(sizes)
        mean: NDArray[np.float64] = (2 * last - sizes + 1) / 2
        return mean[place]

    def is_tail(self, by: str, share: float) -> NDArray[np.bool_]:
        """Which items are the long tail.

        `interactions`: all but the head, the shortest prefix by (count descending, id) with at least 1 − share of all rows.
        `items`: the least popular share of items by (count, id), at least one.
        """
        counts, rank = self.interactions, np.arange(len(self.items))
        tail = np.zeros(len(counts), bool)
        if by == "items":
            order = np.lexsort((rank, counts))
            tail[order[: max(1, int(_exact(share) * len(counts)))]] = True
            return tail
        order = np.lexsort((rank, -counts))
        least = math.ceil((1 - _exact(share)) * len(self.rows))
        head = np.cumsum(counts[order]) - counts[order] < least
        tail[order[~head]] = True
        return tail


def _exact(share: float) -> Fraction:
    """The share as it is written: 0.7 is seven tenths, and 1 − 0.7 three."""
    return Fraction(repr(share))


def pair_rows(table: Rows, queries: Ids, items: Ids, at: tuple[Any, Any]) -> Ints:
    """For each place, a row of the table with its query and item, -1 where there is none.

    `at` numbers the query and the item of each place among `queries` and `items`.
    """
    query, item = at
    width = np.int64(len(items))
    places = IdIndex(IntIds(query * width + item))
    row_query, row_item = IdIndex(queries), IdIndex(items)
    named = np.append(row_query.first_rows(), -1)[row_query.find(table.query)]
    item_row = np.append(row_item.first_rows(), -1)[row_item.find(table.item)]
    rows = np.flatnonzero((named >= 0) & (item_row >= 0))
    group = places.find(IntIds(named[rows] * width + item_row[rows]))
    out = np.full(len(places) + 1, -1, np.int64)
    out[group[group >= 0]] = rows[group >= 0]
    result: Ints = out[places.find(IntIds(query * width + item))]
    return result
