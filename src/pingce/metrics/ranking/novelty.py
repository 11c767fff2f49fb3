"""How new what is shown is: to everybody, by how few know it, and to its user."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.items.view import ItemView, Places, item_view, numbered_counts
from pingce.evidence.ranking.view import RankingView, weight_table
from pingce.metrics.parameters import choice
from pingce.metrics.ranking.base import NAN, Sum, ratio
from pingce.metrics.ranking.items import Id, ListMetric, PlainLists, item_about

EMPTY = Text("the list is empty", "列表为空")


def even(rank: int) -> float:
    """1."""
    return 1.0


def log2_discount(rank: int) -> float:
    """1 / log2(rank + 1)."""
    return 1.0 / math.log2(rank + 1)


@dataclass(frozen=True, kw_only=True)
class PlaceMean(ListMetric):
    """Base of means over the places of a list of what their items are worth."""

    @property
    def tables(self) -> tuple[str, ...]:
        return (*super().tables, "train")

    def is_kept(self, display: ItemView, places: Places) -> NDArray[np.bool_] | None:
        """Which places count; None: all of them."""
        return None

    def worth(self, display: ItemView, places: Places) -> Floats:
        """What the item of each place is worth."""
        raise NotImplementedError

    def remarks(self, view: RankingView) -> tuple[Text, ...]:
        """A past that has none of the items is one of other ids, and every number made of it means nothing."""
        display = item_view(view)
        items, past = display.items, display.background.past.items
        if not len(items) or (display.in_past >= 0).any():
            return ()
        ours, theirs = (ids.take(np.zeros(1, np.int64)).to_list()[0] for ids in (items, past))
        return (
            Text(
                f"train has none of the {len(items)} items that lists show (shown are such as {ours!r}, train has such as {theirs!r}); "
                "check that the ids are the same on both sides",
                f"列表展示的 {len(items)} 个条目都不在训练集中（展示的如 {ours!r}，训练集中的如 {theirs!r}）；请检查两边的编号是否一致",
            ),
        )

    def parts(self, view: RankingView) -> tuple[Floats, ...]:
        """Of each list, what its items are worth together, and what that is divided by."""
        return view.remember(("parts", self), lambda: self._parts(view))

    def _parts(self, view: RankingView) -> tuple[Floats, ...]:
        display = item_view(view)
        places, kept = display.places(self.k), self.is_kept(display, display.places(self.k))
        worth, alike = self.worth(display, places), self.weigh() is even and not view.expected
        weights = np.ones(len(places.rank)) if alike else display.weights(self.k, self.weigh())
        if kept is not None:
            weights = np.where(kept, weights, 0.0)
        top = display.per_list(places, worth if alike and kept is None else weights * worth)
        return top, self.bottom(display, places, weights)

    def weigh(self) -> Any:
        """The function of the rank by which places are weighed."""
        return even

    def bottom(self, display: ItemView, places: Places, weights: Floats) -> Floats:
        """What the sum of each list is divided by: the weights of its places."""
        if self.is_kept(display, places) is None:
            return display.depth(self.k).astype(np.float64)
        return display.per_list(places, weights)

    def values(self, view: RankingView) -> Floats:
        top, bottom = self.parts(view)
        return ratio(top, bottom, bottom == 0)

    def combine(self, *sums: Sum) -> float:
        """The mean over lists, or over all places."""
        if self.is_mean:
            return sums[0].mean
        return sums[0].total / sums[1].total if sums[1].total else NAN

    def summands(self, values: Floats, parts: tuple[Floats, ...]) -> tuple[Floats, ...]:
        return (values,) if self.is_mean else parts

    def item_counts(self, view: RankingView) -> Mapping[str, int]:
        display = item_view(view)
        counts = display.counts(self.k)
        return {**super().item_counts(view), "cold": int(np.count_nonzero((display.in_past < 0) & (counts > 0)))}

    def define(self, ranked: PlainLists) -> float:
        if self.is_mean:
            return super().define(ranked)
        terms = [self.define_terms(ranked, user) for user in ranked.chosen(self.lists)]
        bottom = math.fsum(weight for term in terms for weight, _ in term)
        return math.fsum(weight * worth for term in terms for weight, worth in term) / bottom if bottom else NAN

    def define_terms(self, ranked: PlainLists, user: Id) -> list[tuple[float, float]]:
        """The definition: the weight of each place of a list, and what its item is worth."""
        raise NotImplementedError

    def define_list(self, ranked: PlainLists, user: Id) -> float:
        terms = self.define_terms(ranked, user)
        bottom = self.define_bottom(terms)
        return math.fsum(weight * worth for weight, worth in terms) / bottom if bottom else NAN

    def define_bottom(self, terms: list[tuple[float, float]]) -> float:
        """The definition: what the sum of a list is divided by."""
        return math.fsum(weight for weight, _ in terms)


@dataclass(frozen=True, kw_only=True)
class Novelty(PlaceMean):
    """Mean over the list of the surprise at each item: the fewer users know it, the larger.

    novelty@k = mean over the list of −log2(users(i) / users)                                            [zhou2010]
    """

    name = "novelty"
    formula_zh = "novelty@k = 列表中各条目 −log2(users(i) / 用户数) 的均值"
    aliases = ("miuf", "surprisal")
    title = Text("Novelty", "新颖度")
    about = item_about(
        Text("Does it show what few know already?", "展示的是少有人知道的内容吗？"),
        Text("Recommendation of music, video, books: discovery.", "音乐、视频、图书推荐：帮助发现。"),
        Text("A random list is very novel; it says nothing about quality.", "随机列表也很新颖；与好坏无关。"),
        ("popularity", "unseen", "ndcg"),
        Text(
            "u1: c, d (1 of 4 users), b (2 of 4): (2 + 2 + 1) / 3 = 5/3; u2 1, u3 (2 + 2 + 1) / 3, u4 3/2: mean 35/24 = 1.458333",
            "u1：c、d（4 人中 1 人）、b（2 人）：(2 + 2 + 1) / 3 = 5/3；u2 为 1，u3 为 (2 + 2 + 1) / 3，u4 为 3/2：均值 35/24 = 1.458333",
        ),
        typical_k="10, 20",
        example=("novelty@3",),
        range="0 … ∞",
        undefined=EMPTY,
        also=("self-information", "自信息", "EPC", "EFD"),
    )

    of: str = choice(
        Text("What tells how known an item is.", "以什么衡量条目的知名程度。"),
        users=Text("the share of the users of train who had it", "训练集中用过它的用户占比"),
        interactions=Text("its share of the interactions of train", "它在训练集交互中的占比"),
    )
    cold: str = choice(
        Text("An item that is not in train.", "训练集中没有的条目。"),
        one=Text("counts as if it were there once", "视为出现过一次"),
        drop=Text("is left out", "不计入"),
        zero=Text("adds 0", "计 0"),
        max=Text("is as novel as the most novel item of train", "与训练集中最新颖的条目相同"),
    )
    over: str = choice(
        Text("What the sum is divided by.", "总和除以什么。"),
        list=Text("the length of the list, up to k", "列表长度，至多 k"),
        k=Text("k, also where the list is shorter", "k，列表更短时亦然"),
        places=Text("the places of all lists: one value of the run", "所有列表的位置数：整个预测一个值"),
    )
    scale: str = choice(
        Text("How the share becomes a novelty.", "占比如何变为新颖度。"),
        bits=Text("−log2 of it", "取 −log2"),
        unit=Text("−log2 of it, over the largest there can be", "取 −log2，再除以可能的最大值"),
        linear=Text("1 less the share (EPC)", "1 减占比（EPC）"),
    )
    relevant_only: str = choice(
        Text("Whether only relevant items add to the sum.", "是否只有相关条目计入总和。"),
        no=Text("all items do", "所有条目都计入"),
        yes=Text("only they do; all places count below", "只有相关条目；分母仍计全部位置"),
    )
    discount: str = choice(
        Text("What a place weighs.", "各位置的权重。"),
        none=Text("all alike", "相同"),
        log2=Text("1 / log2(rank + 1)", "1 / log2(名次 + 1)"),
    )

    def check(self) -> None:
        """To divide by k there must be one."""
        if self.over == "k":
            self.refuse_no_k("over=k")

    @property
    def tables(self) -> tuple[str, ...]:
        needed = ("qrels",) if self.relevant_only == "yes" else ()
        return tuple(dict.fromkeys((*super().tables, *needed)))

    def knows_expected(self) -> bool:
        """A mean of fixed numbers of places is linear in them."""
        return self.cold != "drop"

    def weigh(self) -> Any:
        return log2_discount if self.discount == "log2" else even

    def is_kept(self, display: ItemView, places: Places) -> NDArray[np.bool_] | None:
        if self.cold != "drop":
            return None
        kept: NDArray[np.bool_] = display.in_past[places.item] >= 0
        return kept

    def bottom(self, display: ItemView, places: Places, weights: Floats) -> Floats:
        if self.over == "k":
            total = float(np.add.accumulate(weight_table(self.weigh(), int(self.k or 0)))[int(self.k or 0)])
            return np.full(len(display), total)
        if self.cold != "drop" and self.discount == "log2":
            reached = np.add.accumulate(weight_table(log2_discount, int(display.depth(self.k).max(initial=0))))
            sums: Floats = reached[display.depth(self.k)]
            return sums
        return super().bottom(display, places, weights)

    def worth(self, display: ItemView, places: Places) -> Floats:
        worth = self.item_worths(display)[places.item]
        if self.relevant_only == "yes":
            grade = display.grade[places.row]
            worth = np.where(~np.isnan(grade) & (grade >= display.view.threshold), worth, 0.0)
        return worth

    def item_worths(self, display: ItemView) -> Floats:
        """The novelty of each item that is shown somewhere."""
        past = display.background.past
        counts = past.counts(self.of)
        total = past.user_count if self.of == "users" else len(past)
        distinct, place = numbered_counts(counts)
        worths = np.array([self._worth(count, total) for count in distinct.tolist()])
        cold = {"one": self._worth(1, total), "max": float(worths[0])}.get(self.cold, 0.0)
        novelty: Floats = np.append(worths, cold)[np.append(place, len(worths))[display.in_past]]
        return novelty

    def _worth(self, count: int, total: int) -> float:
        """The novelty of an item that so many of all had."""
        if self.scale == "linear":
            return 1.0 - count / total
        bits = math.log2(total / count)
        return bits if self.scale == "bits" else bits / math.log2(total) if total > 1 else 0.0

    def define_terms(self, ranked: PlainLists, user: Id) -> list[tuple[float, float]]:
        by_users = self.of == "users"
        total = len({each for each, _ in ranked.train}) if by_users else len(ranked.train)
        of = ranked.users_of if by_users else ranked.count_of
        largest = max(self._worth(of(item), total) for _, item in ranked.train)
        colds = {"one": self._worth(1, total), "max": largest, "zero": 0.0}
        terms = []
        for rank, item in enumerate(ranked.top(user, self.k), 1):
            if not of(item) and self.cold == "drop":
                continue
            worth = self._worth(of(item), total) if of(item) else colds[self.cold]
            counts = self.relevant_only == "no" or ranked.is_relevant(user, item)
            terms.append((self.weigh()(rank), worth if counts else 0.0))
        return terms

    def define_bottom(self, terms: list[tuple[float, float]]) -> float:
        if self.over == "k":
            return math.fsum(map(self.weigh(), range(1, int(self.k or 0) + 1)))
        return super().define_bottom(terms)


@dataclass(frozen=True, kw_only=True)
class Unseen(PlaceMean):
    """Share of the list that its user did not have in train.

    unseen@k = |{ i in top k : (u, i) not in train }| / min(n, k)                                     [castells2015]
    """

    name = "unseen"
    formula_zh = "unseen@k = |{ i ∈ 前 k : (u, i) ∉ 训练集 }| / min(n, k)"
    title = Text("Unseen share", "未见比例")
    about = item_about(
        Text("How much of the list is new to its user?", "列表中有多少是该用户没见过的？"),
        Text("Systems that may show again what a user had.", "可能重复推荐用户已有内容的系统。"),
        Text("New to the user may still be known to everybody.", "对该用户新，不等于少有人知。"),
        ("novelty", "popularity"),
        Text(
            "u1: b is known, 2/3; u2: a, 2/3; u3: b, 2/3; u4: 2/2; mean 3/4 = 0.75",
            "u1：b 已见，2/3；u2：a，2/3；u3：b，2/3；u4：2/2；均值 3/4 = 0.75",
        ),
        typical_k="10, 20",
        example=("unseen@3",),
        undefined=EMPTY,
        higher_is_better=None,
    )

    def knows_expected(self) -> bool:
        """A share of a fixed number of places is linear in them."""
        return True

    def worth(self, display: ItemView, places: Places) -> Floats:
        return (~display.is_known_pair(places)).astype(np.float64)

    def define_terms(self, ranked: PlainLists, user: Id) -> list[tuple[float, float]]:
        return [(1.0, float((user, item) not in ranked.train)) for item in ranked.top(user, self.k)]
