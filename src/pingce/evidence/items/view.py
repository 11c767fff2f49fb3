"""Which items lists show in their first places, under one order of ties, beside what is known of items from elsewhere."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats, Ints
from pingce.base.lazy import cached_property
from pingce.evidence.items.background import Background
from pingce.evidence.items.counters import ItemCounters, Pairs
from pingce.evidence.items.heads import ListHeads
from pingce.evidence.ranking.truth_index import IdIndex
from pingce.evidence.ranking.view import RankingView, RankWeight, mean_over_blocks, weights_at
from pingce.inputs.ids import Ids, IntIds


class Places(NamedTuple):
    """Places of lists within the top k: list by list, and in rank order where that is fixed."""

    query: Ints
    "The list of each place."
    item: NDArray[np.int32]
    "Its item, as its number among all items that are shown somewhere."
    rank: Ints
    "From 1; under `ties=expected` of the first place that the item may have."
    row: Ints
    "The row of the heads."


class ItemView:
    """What the lists of a view show; what metrics share is made once.

    Where lists were counted and dropped there are counters and no places.
    """

    def __init__(self, view: RankingView) -> None:
        evidence = view.evidence
        if evidence.background is None or (evidence.heads is None and evidence.counters is None):
            raise ValueError("evidence without what lists show")
        self.view = view
        self.background: Background = evidence.background
        self._counters: ItemCounters | None = evidence.counters

    def __len__(self) -> int:
        return len(self.view)

    @property
    def heads(self) -> ListHeads:
        """The first places of all lists, where they were kept."""
        heads = self.view.evidence.heads
        if heads is None:
            raise ValueError("lists that were counted and dropped")
        return heads

    @property
    def items(self) -> Ids:
        """Every item that stands at a place which is looked at, once, sorted by id."""
        return self.heads.items if self._counters is None else self._counters.items

    @cached_property
    def _rows(self) -> tuple[Ints, Ints]:
        """Rows of the heads in rank order, and the rank of each."""
        heads, ties = self.heads, self.view.ties
        rows, first = np.arange(len(heads.item)), heads.above.astype(np.int64) + 1
        if ties == "expected":
            return rows, first
        tied = np.flatnonzero(heads.block > 1)
        if ties == "id" or not len(tied):
            return rows, first + heads.by_id
        within = np.zeros(len(rows), np.int64)
        within[tied] = self._within_blocks(tied)
        rank = first + within
        order = rows.copy()
        order[tied] = tied[np.lexsort((rank[tied], heads.list_of_place[tied]))]
        return order, rank[order]

    def _within_blocks(self, tied: Ints) -> Ints:
        """The place of each tied row in its block."""
        heads, ties = self.heads, self.view.ties
        if ties == "id_ascending":
            return heads.block[tied].astype(np.int64) - 1 - heads.by_id[tied]
        if ties == "order":
            return heads.by_order[tied].astype(np.int64)
        grade = self.grade[tied]
        kind = np.where(np.isnan(grade), 0, np.where(grade >= 0, 1, -1))
        grade = np.where(np.isnan(grade), 0.0, grade)
        keys = (-grade, -kind) if ties == "best" else (grade, kind)
        above, query = heads.above[tied], heads.list_of_place[tied]
        order = np.lexsort((heads.by_id[tied], *keys, above, query))
        same = np.ones(len(order), bool)
        same[0] = False
        for key in (above[order], query[order]):
            same[1:] &= key[1:] == key[:-1]
        at = np.arange(len(order))
        start = np.maximum.accumulate(np.where(same, 0, at))
        within = np.empty(len(order), np.int64)
        within[order] = at - start
        return within

    @cached_property
    def grade(self) -> Floats:
        """The grade of each row of the heads; NaN where the item is not judged."""
        evidence, heads = self.view.evidence, self.heads
        width = np.int64(1) << 32
        hits = evidence.query_of_hit * width + evidence.above + evidence.by_id
        place = IdIndex(IntIds(hits)).find(IntIds(heads.list_of_place * width + heads.above + heads.by_id))
        first = np.append(IdIndex(IntIds(hits)).first_rows(), -1)[place]
        grade: Floats = np.append(evidence.grade, np.nan)[first]
        return grade

    def places(self, k: int | None) -> Places:
        """The places within the top k of all lists."""
        return self.view.remember(("places", k), lambda: self._places(k))

    def _places(self, k: int | None) -> Places:
        heads = self.heads
        row, rank = self._rows
        if k is not None:
            inside = rank <= k
            if not inside.all():
                row, rank = row[inside], rank[inside]
        if len(row) == len(heads.item) and self.view.ties in ("id", "expected"):  # all of them, as they lie
            return Places(heads.list_of_place, heads.item, rank, row)
        return Places(heads.list_of_place[row], heads.item[row], rank, row)

    def weights(self, k: int | None, of_rank: RankWeight) -> Floats:
        """What each place within k weighs; where the order is not fixed, the mean over the places that its item may have."""
        places = self.places(k)
        if not self.view.expected:
            return weights_at(of_rank, places.rank)
        above, block = (column[places.row].astype(np.int64) for column in (self.heads.above, self.heads.block))
        return mean_over_blocks(of_rank, above, block, k)

    def counts(self, k: int | None) -> Ints:
        """How often each item stands within the top k of a list."""
        return self.view.remember(("item counts", k), lambda: self._counts(k))

    def _counts(self, k: int | None) -> Ints:
        if self._counters is not None:
            return self._counters.counts[k].astype(np.int64)
        heads = self.heads
        is_all = len(heads.item) == int(self.depth(k).sum())  # then no place lies below k, in whatever order ties are
        return np.bincount(heads.item if is_all else self.places(k).item, minlength=len(self.items))

    def lengths(self, k: int | None) -> Pairs:
        """How often each item stands within the top k of lists of each length, cut at k."""
        return self.view.remember(("items by length", k), lambda: self._lengths(k))

    def _lengths(self, k: int | None) -> Pairs:
        if self._counters is not None:
            return self._counters.lengths[k]
        length, places = self.depth(k), self.places(k)
        longest = int(length.max(initial=0))
        if ((length == longest) | (length == 0)).all():
            counts = self.counts(k)
            item = np.flatnonzero(counts)
            return Pairs(item, np.full(len(item), longest, np.int64), counts[item])
        return Pairs.of(places.item, length[places.query])

    def groups(self, k: int | None) -> Pairs:
        """How often items of each group stand at each rank within k; group -1 is of items without one."""
        return self.view.remember(("groups by rank", k), lambda: self._groups(k))

    def _groups(self, k: int | None) -> Pairs:
        if self._counters is not None:
            return self._counters.groups[k]
        places = self.places(k)
        return Pairs.of(self.background.features.groups(self.items)[places.item], places.rank)

    def depth(self, k: int | None) -> Ints:
        """How many places within the top k each list fills."""
        return self.view.depth(k)

    def per_list(self, places: Places, values: Floats) -> Floats:
        """Per list, the sum over its places, added up one after another in rank order."""
        total: Floats = np.bincount(places.query, weights=values, minlength=len(self)).astype(np.float64, copy=False)
        return total

    def count_sizes(self, k: int | None) -> tuple[Ints, Ints]:
        """The distinct counts of items that stand within the top k of a list, ascending, and how many items have each."""
        return self.view.remember(("sizes of counts", k), lambda: distinct_counts(self.counts(k)))

    @cached_property
    def in_catalog(self) -> NDArray[np.bool_]:
        """Which of the items that are shown could be; all, where only their number is known."""
        return self.background.in_catalog(self.items)

    @cached_property
    def is_judged(self) -> NDArray[np.bool_]:
        """Which of the items that are shown any query has judged."""
        return self.background.is_judged(self.items)

    @cached_property
    def in_past(self) -> Ints:
        """The number of each item that is shown among those of the past, -1 for a cold one."""
        return self.background.past.find(self.items)

    def is_known_pair(self, places: Places) -> NDArray[np.bool_]:
        """Whether the user of each place had its item in the past."""
        queries = self.view.evidence.queries
        return self.background.past.has_pairs(queries, places.query, self.in_past[places.item])


def distinct_counts(counts: Ints) -> tuple[Ints, Ints]:
    """The distinct numbers above 0, ascending, and how often each occurs: by a table where they are small."""
    if int(counts.max(initial=0)) > len(counts):
        distinct, times = np.unique(counts[counts > 0], return_counts=True)
        return distinct, times
    times = np.bincount(counts)
    distinct = np.flatnonzero(times[1:]) + 1
    return distinct, times[distinct]


def numbered_counts(counts: Ints) -> tuple[Ints, Ints]:
    """The distinct numbers, which are above 0, and the place of each number among them."""
    distinct, _ = distinct_counts(counts)
    if int(counts.max(initial=0)) > len(counts):
        return distinct, np.searchsorted(distinct, counts)
    place = np.zeros(int(counts.max(initial=0)) + 1, np.int64)
    place[distinct] = np.arange(len(distinct))
    return distinct, place[counts]


def item_view(view: RankingView) -> ItemView:
    """What the lists of a view show."""
    return view.remember("shown", lambda: ItemView(view))
