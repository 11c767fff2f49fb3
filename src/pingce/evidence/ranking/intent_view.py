"""Subtopics as metrics read them: which subtopics each hit is relevant to, which an earlier one was, and the ideal list.

Where the truth tells no subtopics apart, all items are of one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats, Ints
from pingce.base.lazy import cached_property
from pingce.evidence.ranking.truth_index import gathered
from pingce.evidence.ranking.view import RankingView


class IntentView:
    """Pairs of a hit and a subtopic that it is relevant to, in rank order, and the same of all judged items.

    A subtopic is a number that no other query has; numbers ascend with queries and with the ids of their subtopics.
    """

    def __init__(self, view: RankingView) -> None:
        self.view = view
        item, item_subtopic, hit, hit_subtopic = self._pairs()
        present, place = np.unique(item_subtopic, return_inverse=True)
        self.item, self.item_subtopic = item, place.reshape(-1)
        "Of each pair of a judged item and a subtopic that it is relevant to; items of a query stand by id, descending."
        self.hit, self.hit_subtopic = hit, np.searchsorted(present, hit_subtopic)
        self.relevant_items = np.bincount(self.item_subtopic, minlength=len(present))
        "Of each subtopic: how many judged items are relevant to it."
        self.query = np.zeros(len(present), np.int64)
        "Of each subtopic."
        self.query[self.item_subtopic] = view.judged_query[item]
        self.count = np.bincount(self.query, minlength=len(view))
        "A: how many subtopics of each query have a relevant item."

    def _pairs(self) -> tuple[Ints, Ints, Ints, Ints]:
        """Judged items and hits, each pair with a subtopic numbered over all queries."""
        view, evidence = self.view, self.view.evidence
        intents = evidence.intents
        if intents is None:
            item, hit = np.flatnonzero(view.is_relevant(view.judged_grade)), np.flatnonzero(view.relevant)
            return item, view.judged_query[item], hit, view.query[hit]
        item = np.repeat(np.arange(len(intents.size)), intents.size)
        most = int(intents.subtopic.max(initial=0)) + 1
        subtopic = view.judged_query[item] * most + intents.subtopic
        relevant = view.is_relevant(intents.grade)
        rows = evidence.judged_begin[view.query] + view.arranged(intents.item)
        entries, hit_begin = gathered(intents.begin, rows)
        hit = np.repeat(np.arange(len(rows)), np.diff(hit_begin))
        kept = relevant[entries]
        return item[relevant], subtopic[relevant], hit[kept], subtopic[entries][kept]

    @cached_property
    def earlier(self) -> Ints:
        """Of each pair: how many hits above are relevant to the same subtopic."""
        order = np.argsort(self.hit_subtopic, kind="stable")
        ordered = self.hit_subtopic[order]
        place = np.arange(len(order)) - np.searchsorted(ordered, ordered)
        earlier = np.empty(len(order), np.int64)
        earlier[order] = place
        return earlier

    @cached_property
    def kinds(self) -> Ints:
        """Of each hit: a number that hits with the same subtopics share, 0 where there are none."""
        kinds = np.zeros(len(self.view.query), np.int64)
        place = np.arange(len(self.hit)) - np.searchsorted(self.hit, self.hit)
        for step in range(int(place.max(initial=-1)) + 1):
            pairs = place == step
            keys = kinds[self.hit[pairs]] * (len(self.query) + 1) + self.hit_subtopic[pairs] + 1
            rest = int(kinds.max(initial=0)) + 1
            kinds[self.hit[pairs]] = np.unique(keys, return_inverse=True)[1].reshape(-1) + rest
        return kinds

    def gains(self, alpha: float) -> Floats:
        """What each hit adds: (1 − α)^(hits above) of each of its subtopics, added up in the order of subtopics."""
        powers = geometric(1.0 - alpha, int(self.earlier.max(initial=0)) + 1)
        size = len(self.view.query)
        return np.bincount(self.hit, weights=powers[self.earlier], minlength=size).astype(np.float64, copy=False)

    def ideal(self, alpha: float) -> GreedyIdeal:
        """The ideal list for an α, made once and continued as far as metrics look."""
        return self.view.remember(("ideal", alpha), lambda: GreedyIdeal(self, alpha))


class GreedyIdeal:
    """At each rank the judged item that gains most; of several the one with the largest id, as ndeval does.

    All queries take their next item at once; those without one that gains anything are done.
    """

    def __init__(self, intents: IntentView, alpha: float) -> None:
        self._keep = 1.0 - alpha
        self._item, self._subtopic = intents.item, intents.item_subtopic
        self._query = intents.view.judged_query
        self._worth = np.ones(len(intents.query))
        self.steps: list[tuple[Ints, Floats, Ints]] = []
        "At each rank: queries, what their next item gains, and its place among all judged items."

    def upto(self, depth: int | None) -> list[tuple[Ints, Floats, Ints]]:
        """The first ranks; without depth, all at which anything is gained."""
        while len(self._item) and (depth is None or len(self.steps) < depth):
            self._step()
        return self.steps[:depth]

    def _step(self) -> None:
        fresh = np.ones(len(self._item), bool)
        fresh[1:] = self._item[1:] != self._item[:-1]
        items = self._item[fresh]
        gain = np.bincount(np.cumsum(fresh) - 1, weights=self._worth[self._subtopic])
        query = self._query[items]
        begin = np.flatnonzero(np.r_[True, query[1:] != query[:-1]])
        sizes = np.diff(np.append(begin, len(items)))
        best = np.maximum.reduceat(gain, begin)
        places = np.where(gain == np.repeat(best, sizes), np.arange(len(items)), len(items))
        chosen = np.minimum.reduceat(places, begin)
        gaining = best > 0
        if gaining.any():
            self.steps.append((query[begin][gaining], best[gaining], items[chosen[gaining]]))
        taken = np.isin(self._item, items[chosen])
        self._worth[self._subtopic[taken]] *= self._keep
        left = ~taken & np.isin(self._query[self._item], query[begin][gaining])
        self._item, self._subtopic = self._item[left], self._subtopic[left]


def intent_view(view: RankingView) -> IntentView:
    """The subtopics of a view, made once."""
    return view.remember("intents", lambda: IntentView(view))


def geometric(ratio: float, size: int) -> Floats:
    """1, r, r², …: each the one before times r."""
    powers = np.full(max(size, 1), ratio)
    powers[0] = 1.0
    product: Floats = np.multiply.accumulate(powers)
    return product


def running(values: NDArray[Any]) -> Floats:
    """Sums of the first 0, 1, … values of each row, added up one after another."""
    sums: Floats = np.add.accumulate(values, axis=-1)
    return np.concatenate([np.zeros((*sums.shape[:-1], 1)), sums], axis=-1)
