"""How different the lists of different users are."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import combinations

import numpy as np

from pingce.base.errors import InputError
from pingce.base.exact import Ints
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.items.counters import Pairs
from pingce.evidence.items.view import ItemView, Places, distinct_counts
from pingce.evidence.ranking.truth_index import gathered, offsets
from pingce.metrics.parameters import choice
from pingce.metrics.ranking.base import NAN
from pingce.metrics.ranking.items import Id, PlainLists, WholeMetric, item_about

_MOST_MEETINGS = 2 * 10**9
"Pairs of lists that meet in an item, each item counted, that are looked at one by one."
_CELLS = 1 << 22
"Of a table of items by lengths of lists, or of pairs of lists, that is made at once."


@dataclass(frozen=True, kw_only=True)
class Personalization(WholeMetric):
    """Mean over all pairs of lists of the share of places that they do not have in common.

    personalization@k = 1 − Σ_i c_i (c_i − 1) / 2 / (k · pairs of lists)                                [zhou2010]
    """

    name = "personalization"
    formula_zh = "personalization@k = 1 − Σ_i c_i (c_i − 1) / 2 / (k · 列表对数)"
    aliases = ("inter_list_diversity",)
    title = Text("Personalization", "个性化")
    about = item_about(
        Text("Do different users get different lists?", "不同用户得到的列表不同吗？"),
        Text("To see whether a model only shows what is popular.", "观察模型是否只是在推热门。"),
        Text("Random lists are the most personal of all.", "随机列表的个性化程度最高。"),
        ("coverage", "gini", "ndcg"),
        Text(
            "c = 4 3 2 1 1: 6 + 3 + 1 = 10 items in common over 6 pairs; 1 − 10 / (3 · 6) = 0.444444",
            "c = 4 3 2 1 1：6 对列表共有 6 + 3 + 1 = 10 个相同条目；1 − 10 / (3 · 6) = 0.444444",
        ),
        typical_k="10, 20",
        example=("personalization@3",),
        range="0 … ∞",
        undefined=Text("there are fewer than two lists", "列表少于两个"),
        also=("inter-list diversity", "列表间多样性", "hamming distance"),
    )

    distance: str = choice(
        Text("How far two lists are apart.", "两个列表相差多少。"),
        overlap=Text("1 − items in common / k", "1 − 相同条目数 / k"),
        jaccard=Text("1 − items in common / items in either", "1 − 相同条目数 / 两者的全部条目数"),
        cosine=Text("1 − items in common / √(length · length)", "1 − 相同条目数 / √(长度 · 长度)"),
        full=Text(
            "as overlap, but half an item less in common for each place that a list leaves empty",
            "同 overlap，但列表每空一个位置，相同条目数少计半个",
        ),
    )

    def check(self) -> None:
        """What two lists share is a share of k."""
        if self.of_places:
            self.refuse_no_k(f"distance={self.distance}")

    @property
    def counters(self) -> tuple[str, ...]:
        return {"jaccard": (), "cosine": ("counts", "lengths")}.get(self.distance, ("counts",))

    @property
    def of_places(self) -> bool:
        """Whether what two lists share is divided by k."""
        return self.distance in ("overlap", "full")

    def empty_places(self, display: ItemView) -> int:
        """How many places of the top k of all lists have no item, where that matters."""
        if self.distance != "full":
            return 0
        return len(display) * int(self.k or 0) - int(display.counts(self.k).sum())

    def whole(self, display: ItemView) -> float:
        lists = len(display)
        pairs = lists * (lists - 1) // 2
        if not pairs:
            return NAN
        if self.of_places:
            twice = 2 * shared_items(display.counts(self.k)) - self.empty_places(display)
            return (2 * int(self.k or 0) * pairs - twice) / (2 * int(self.k or 0) * pairs)
        return 1.0 - self.alike(display) / pairs

    def alike(self, display: ItemView) -> float:
        """Σ over pairs of lists of how alike they are."""
        length = display.depth(self.k)
        if self.distance == "cosine":
            return cosine_sum(display.lengths(self.k), int(np.count_nonzero(length)))
        refuse_many_meetings(display.counts(self.k))
        return jaccard_sum(display.places(self.k), length, len(display.items))

    def define(self, ranked: PlainLists) -> float:
        tops = [set(ranked.top(user, self.k)) for user in ranked.chosen(self.lists)]
        far = [self._plain_distance(a, b) for a, b in combinations(tops, 2)]
        depth = int(self.k or 0)
        empty = [(depth - len(top)) / 2 / depth for top in tops] if self.distance == "full" else []
        return math.fsum(far + empty) / len(far) if far else NAN

    def _plain_distance(self, a: set[Id], b: set[Id]) -> float:
        common = len(a & b)
        if self.of_places:
            return 1 - common / int(self.k or 0)
        bottom = len(a | b) if self.distance == "jaccard" else math.sqrt(len(a) * len(b))
        return 1 - common / bottom if bottom else 1.0


def shared_items(counts: Ints) -> int:
    """Σ over pairs of lists of the items that both have: an item that c lists show is shared by c (c − 1) / 2 pairs."""
    distinct, times = distinct_counts(counts)
    pairs = zip(distinct.tolist(), times.tolist(), strict=True)
    return sum(many * count * (count - 1) // 2 for count, many in pairs)


def cosine_sum(by_length: Pairs, lists: int) -> float:
    """Σ over pairs of lists of items in common / √(n · m): whole numbers for each pair of lengths, rounded once each.

    Lists of one length count alike, so that an item is known by how many lists of each length show it; `lists` are those that show any.
    """
    sizes, kind = np.unique(by_length.second, return_inverse=True)
    kind, width = kind.reshape(-1), len(sizes)
    item = by_length.first
    together, step = np.zeros((width, width)), max(1, _CELLS // max(1, width))
    for first in range(0, int(item.max(initial=-1)) + 1, step):
        begin, end = np.searchsorted(item, (first, first + step))
        table = np.zeros((int(item[end - 1]) + 1 - first if end > begin else 0, width))
        table[item[begin:end] - first, kind[begin:end]] = by_length.times[begin:end]
        together += table.T @ table  # whole numbers below 2^53, which no order of summation changes
    roots = ((int(n), int(m), float(together[i, j])) for i, n in enumerate(sizes) for j, m in enumerate(sizes))
    return (math.fsum(count / math.sqrt(n * m) for n, m, count in roots if count) - lists) / 2


def refuse_many_meetings(counts: Ints) -> None:
    """Refuse a distance that has to look at pairs of lists where there are too many."""
    meetings = shared_items(counts)
    if meetings > _MOST_MEETINGS:
        raise InputError(
            f"personalization(distance=jaccard) has to look at each pair of lists that share an item: {meetings:,} times here, more than "
            f"{_MOST_MEETINGS:,}; choose distance=overlap or cosine, which need no pairs, or fewer lists",
            f"personalization(distance=jaccard) 须逐一查看共有条目的列表对：此处为 {meetings:,} 次，超过 {_MOST_MEETINGS:,}；"
            "请改用无需成对查看的 distance=overlap 或 cosine，或减少列表",
        )


def jaccard_sum(places: Places, length: Ints, items: int) -> float:
    """Σ over pairs of lists of items in common / items in either.

    Lists are taken some at a time, and meet those that come after them in the items that they share; pairs are counted by
    what they share and by their lengths, so that each fraction is rounded once.
    """
    order = np.argsort(places.item, kind="stable")
    listed, begin = places.query[order], offsets(np.bincount(places.item, minlength=items))
    starts = offsets(np.bincount(places.query, minlength=len(length)))
    step, deepest = max(1, _CELLS // max(1, len(length))), 2 * int(length.max(initial=0)) + 1
    pairs: dict[int, int] = {}
    for first in range(0, len(length), step):
        last = min(first + step, len(length))
        rows = slice(int(starts[first]), int(starts[last]))
        met, bounds = gathered(begin, places.item[rows])
        ours, theirs = np.repeat(places.query[rows], np.diff(bounds)), listed[met]
        later = theirs > ours
        common = np.bincount((ours[later] - first) * len(length) + theirs[later])
        pair = np.flatnonzero(common)
        lengths = length[pair // len(length) + first] + length[pair % len(length)]
        for cell, many in _tallies(common[pair] * deepest + lengths):
            pairs[cell] = pairs.get(cell, 0) + many
    return math.fsum(many * (cell // deepest) / (cell % deepest - cell // deepest) for cell, many in pairs.items())


def _tallies(cells: Ints) -> Iterable[tuple[int, int]]:
    """How often each cell occurs: by a table where cells are few, else by sorting."""
    if int(cells.max(initial=0)) < _CELLS:
        often = np.bincount(cells)
        distinct = np.flatnonzero(often)
        return zip(distinct.tolist(), often[distinct].tolist(), strict=True)
    distinct, often = np.unique(cells, return_counts=True)
    return zip(distinct.tolist(), often.tolist(), strict=True)
