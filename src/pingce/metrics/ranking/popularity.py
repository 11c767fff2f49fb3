"""How popular what is shown was in the past, and how much of it comes from the long tail."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.items.past import Past
from pingce.evidence.items.view import ItemView, Places, item_view
from pingce.evidence.ranking.view import RankingView
from pingce.metrics.parameters import Number, choice, parameter
from pingce.metrics.ranking.items import Id, PlainLists, item_about
from pingce.metrics.ranking.novelty import EMPTY, PlaceMean


@dataclass(frozen=True, kw_only=True)
class Popularity(PlaceMean):
    """Mean over the list of how often each item occurs in train.

    popularity@k = mean over the list of count(i)                                                        [yin2012]
    """

    name = "popularity"
    formula_zh = "popularity@k = 列表中各条目 count(i) 的均值"
    aliases = ("arp", "average_popularity")
    title = Text("Average popularity (ARP)", "平均流行度（ARP）")
    about = item_about(
        Text("Does it show what is popular anyway?", "展示的是否本来就热门？"),
        Text("To see popularity bias; beside novelty and tail.", "观察流行度偏差；与新颖度、长尾占比一起看。"),
        Text("A few very popular items decide the mean.", "少数极热门的条目决定均值。"),
        ("novelty", "tail", "gini"),
        Text(
            "u1: (1 + 1 + 2)/3, u2: (2 + 1 + 4)/3, u3: (1 + 0 + 2)/3, u4: (2 + 1)/2; mean 37/24 = 1.541667",
            "u1：(1 + 1 + 2)/3，u2：(2 + 1 + 4)/3，u3：(1 + 0 + 2)/3，u4：(2 + 1)/2；均值 37/24 = 1.541667",
        ),
        typical_k="10, 20",
        example=("popularity@3",),
        range="0 … ∞",
        higher_is_better=None,
        undefined=EMPTY,
        also=("popularity bias", "流行度偏差"),
    )

    of: str = choice(
        Text("What is counted.", "统计什么。"),
        interactions=Text("interactions of train", "训练集中的交互数"),
        users=Text("users of train who had it", "训练集中用过它的用户数"),
    )
    scale: str = choice(
        Text("In what.", "单位。"),
        count=Text("as counted", "次数"),
        share=Text("as a share of all interactions (or users)", "占全部交互（或用户）的比例"),
        rank=Text(
            "as a rank from the least popular, over the number of items: 1 = the most popular",
            "从最冷门起的名次除以条目数：1 为最热门",
        ),
    )
    cold: str = choice(
        Text("An item that is not in train.", "训练集中没有的条目。"),
        zero=Text("adds 0", "计 0"),
        drop=Text("is left out", "不计入"),
        one=Text("counts as if it were there once", "视为出现过一次"),
    )
    over: str = choice(
        Text("What the sum is divided by.", "总和除以什么。"),
        list=Text("the length of the list, up to k", "列表长度，至多 k"),
        places=Text("the places of all lists: one value of the run", "所有列表的位置数：整个预测一个值"),
    )

    def knows_expected(self) -> bool:
        """A mean over a fixed number of places is linear in them."""
        return self.cold != "drop"

    def is_kept(self, display: ItemView, places: Places) -> NDArray[np.bool_] | None:
        if self.cold != "drop":
            return None
        kept: NDArray[np.bool_] = display.in_past[places.item] >= 0
        return kept

    def worth(self, display: ItemView, places: Places) -> Floats:
        past = display.background.past
        counts = past.counts(self.of).astype(np.float64)
        if self.scale == "share":
            counts = counts / (past.user_count if self.of == "users" else len(past))
        elif self.scale == "rank":
            counts = (len(past.items) + 1 - past.popularity_rank(self.of)) / len(past.items)
        cold = self._one(past) if self.cold == "one" else 0.0
        worth: Floats = np.append(counts, cold)[display.in_past][places.item]
        return worth

    def _one(self, past: Past) -> float:
        """What an item that occurs once would be worth; as a rank, none."""
        if self.scale == "share":
            return 1 / (past.user_count if self.of == "users" else len(past))
        return float(self.scale == "count")

    def define_terms(self, ranked: PlainLists, user: Id) -> list[tuple[float, float]]:
        listed = ranked.top(user, self.k)
        kept = [item for item in listed if self.cold != "drop" or ranked.count_of(item)]
        return [(1.0, self._plain_worth(ranked, item)) for item in kept]

    def _plain_worth(self, ranked: PlainLists, item: Id) -> float:
        of = ranked.users_of if self.of == "users" else ranked.count_of
        often = max(of(item), int(self.cold == "one" and self.scale != "rank"))
        if self.scale == "count" or not often:
            return float(often)
        if self.scale == "share":
            return often / (len({user for user, _ in ranked.train}) if self.of == "users" else len(ranked.train))
        others = [of(other) for other in {each for _, each in ranked.train}]
        less, same = sum(count < of(item) for count in others), sum(count == of(item) for count in others)
        return (less + (same + 1) / 2) / len(others)


@dataclass(frozen=True, kw_only=True)
class Tail(PlaceMean):
    """Share of the list that comes from the long tail: all items of train but the most popular ones.

    tail@k = |{ i in top k : i in tail }| / min(n, k)                                          [abdollahpouri2017]
    """

    name = "tail"
    formula_zh = "tail@k = |{ i ∈ 前 k : i ∈ 长尾 }| / min(n, k)"
    aliases = ("aplt", "tail_percentage")
    title = Text("Long-tail share", "长尾占比")
    about = item_about(
        Text("How much of the list comes from the long tail?", "列表中有多少来自长尾？"),
        Text("Marketplaces that live from many small items.", "依靠大量长尾条目的平台。"),
        Text("The border between head and tail is a choice.", "头部与长尾的界线是人为选择的。"),
        ("popularity", "novelty", "gini"),
        Text(
            "a, b, c have 7 of 8 interactions, so the tail is d alone: 1/3, 1/3, 0, 0; mean 1/6 = 0.166667",
            "a、b、c 占 8 次交互中的 7 次，长尾只有 d：1/3、1/3、0、0；均值 1/6 = 0.166667",
        ),
        typical_k="10, 20",
        example=("tail@3",),
        range="0 … ∞",
        higher_is_better=None,
        undefined=EMPTY,
        also=("APLT", "ACLT", "长尾"),
    )

    by: str = choice(
        Text("Where the tail begins.", "长尾从哪里开始。"),
        interactions=Text(
            "after the shortest head by (count descending, id) with at least 1 − share of the interactions",
            "按（次数降序，编号）排列，占交互至少 1 − share 的最短头部之后",
        ),
        items=Text(
            "it is the least popular share of the items of train by (count, id), at least one",
            "训练集条目按（次数，编号）升序的前 share，至少一个",
        ),
    )
    share: float = parameter(0.2, Number(above=0, below=1), Text("How much the tail has.", "长尾占多少。"))
    cold: str = choice(
        Text("An item that is not in train.", "训练集中没有的条目。"),
        minor=True,
        out=Text("is not in the tail", "不属于长尾"),
        tail=Text("is in the tail", "属于长尾"),
    )
    as_: str = choice(
        Text("What is said.", "给出什么。"),
        share=Text("a share of the list", "占列表的比例"),
        count=Text("a number of items (ACLT)", "条目数（ACLT）"),
    )

    def knows_expected(self) -> bool:
        """A share of a fixed number of places is linear in them."""
        return True

    def worth(self, display: ItemView, places: Places) -> Floats:
        tail = np.append(self.is_tail(display), self.cold == "tail")
        worth: Floats = tail[display.in_past][places.item].astype(np.float64)
        return worth

    def is_tail(self, display: ItemView) -> NDArray[np.bool_]:
        """Which items of the past are the long tail."""
        by, share, past = self.by, self.share, display.background.past
        return display.view.remember(("tail", by, share), lambda: past.is_tail(by, share))

    def item_counts(self, view: RankingView) -> Mapping[str, int]:
        display = item_view(view)
        past = display.background.past
        tail = past.interactions[self.is_tail(display)]
        return {**super().item_counts(view), "past": len(past), "tail": int(tail.sum())}

    def values(self, view: RankingView) -> Floats:
        return super().values(view) if self.as_ == "share" else self.parts(view)[0]

    def define_terms(self, ranked: PlainLists, user: Id) -> list[tuple[float, float]]:
        tail = self._plain_tail(ranked)
        top = ranked.top(user, self.k)
        return [(1.0, float(item in tail or (self.cold == "tail" and not ranked.count_of(item)))) for item in top]

    def define_bottom(self, terms: list[tuple[float, float]]) -> float:
        return super().define_bottom(terms) if self.as_ == "share" else 1.0

    def _plain_tail(self, ranked: PlainLists) -> set[Id]:
        items = sorted({item for _, item in ranked.train}, key=str)
        if self.by == "items":
            by_count = sorted(items, key=ranked.count_of)
            return set(by_count[: max(1, math.floor(round(self.share * len(items), 9)))])
        reached, tail = 0, set()
        for item in sorted(items, key=lambda item: -ranked.count_of(item)):
            if reached >= round((1 - self.share) * len(ranked.train), 9):
                tail.add(item)
            reached += ranked.count_of(item)
        return tail
