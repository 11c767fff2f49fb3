"""Cumulated gain and its descendants: how much the list is worth, by degree and by place."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.exact import Floats, Ints
from pingce.base.lazy import cached_property
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.ranking.view import RankingView, weights_at
from pingce.metrics.parameters import Number, Parameters, choice, parameter
from pingce.metrics.ranking.base import NAN, RankedList, RankingMetric, about, divide, no_relevant, ratio
from pingce.metrics.ranking.gains import (
    BINARY_GAIN,
    DISCOUNTS,
    Gain,
    discount_parameter,
    found_top_grade,
    gain_below_parameter,
    gain_parameter,
    gains,
    grade_gain,
    plain_gain,
    top_grade,
)

JUDGED_IDEALS = ("judged", "uncut", "shown")
"Ideals of NDCG that are made of all judged items, returned or not."


class GainMetric(RankingMetric):
    """A metric of gains, which a table may have fall where grades rise."""

    gain: Gain
    gain_below: str

    def is_bounded_by_grades(self) -> bool:
        """Whether a higher grade never gains less; tables are sorted by grade."""
        return isinstance(self.gain, str) or all(lower <= higher for (_, lower), (_, higher) in pairwise(self.gain))

    def tied_worth(self, view: RankingView) -> Floats:
        worth = hit_gains(view, self.gain, self.gain_below)
        return view.weighed(worth) if self.weighs_items else worth

    def judged_worth(self, view: RankingView) -> Floats:
        return judged_gains(view, self.gain, self.gain_below) if self.weighs_items else super().judged_worth(view)

    def per_weight(self, view: RankingView, sums: Floats) -> Floats:
        """Weighted sums over what the list weighs, so that its weight is that of the mean and not of the value."""
        if view.item_weight is None:
            return sums
        weights = self.list_weights(view)
        weighed: Floats = sums / np.where(weights > 0, weights, 1.0)
        return weighed

    def plain_weight(self, ranked: RankedList) -> float:
        """The definition of what the list weighs; 1 where no item is worth anything."""
        worth = [
            (plain_gain(ranked, grade, self.gain, self.gain_below), weight) for grade, weight in ranked.judged_items()
        ]
        whole = sum(gain for gain, _ in worth)
        return sum(gain * weight for gain, weight in worth) / whole if whole else 1.0


@dataclass(frozen=True, kw_only=True)
class CumulatedGain(GainMetric):
    """Sum of the gains of the top k.

    CG@k = Σ_{i≤k} gain(g_i)                                                                          [jarvelin2002]
    """

    name = "cg"
    of_rank = True
    weighs_items = True
    title = Text("Cumulated gain", "累计增益")
    about = about(
        Text("How much is shown in all?", "前 k 个一共有多好？"),
        Text("A step towards DCG and NDCG.", "理解 DCG、NDCG 的第一步。"),
        Text(
            "It ignores order within the top k, and has no upper bound.",
            "不管前 k 个内部的顺序；没有上限，不同查询不可比。",
        ),
        ("dcg", "ndcg"),
        Text("Grades 3, 2, 3, 0, 1: 3 + 2 + 3 + 0 + 1 = 9", "等级 3, 2, 3, 0, 1：3 + 2 + 3 + 0 + 1 = 9"),
        typical_k="5, 10",
        example=("cg@5", (3, 2, 3, 0, 1), ()),
        range="0 … ∞",
    )

    gain: Gain = gain_parameter("linear")
    gain_below: str = gain_below_parameter()

    def values(self, view: RankingView) -> Floats:
        total = view.sum(view.weighed(hit_gains(view, self.gain, self.gain_below)) * view.share_within(self.k))
        return ratio(self.per_weight(view, total), np.ones(len(view)), no_relevant(view))

    def define(self, ranked: RankedList) -> float:
        items = ranked.items(self.k)
        total = sum(plain_gain(ranked, grade, self.gain, self.gain_below) * weight for grade, weight in items)
        return total / self.plain_weight(ranked) if ranked.relevant_count() else NAN


@dataclass(frozen=True, kw_only=True)
class DiscountedCumulatedGain(GainMetric):
    """Sum of the gains of the top k, each worth less the lower it stands.

    DCG@k = Σ_{i≤k} gain(g_i) · discount(i)                                                           [jarvelin2002]
    """

    name = "dcg"
    of_rank = True
    weighs_items = True
    title = Text("Discounted cumulated gain", "折损累计增益")
    about = about(
        Text("How much is shown, counting what stands higher for more?", "越靠前越值钱，这个列表总共值多少？"),
        Text("The numerator of NDCG.", "NDCG 的分子。"),
        Text(
            "It has no upper bound: queries with more relevant items score higher.",
            "没有上限：相关条目多的查询天然得分高。",
        ),
        ("ndcg",),
        Text(
            "gains 2^g − 1 of the grades 3, 2, 3, 0, 1: 7, 3, 7, 0, 1\n"
            "DCG = 7/log2(2) + 3/log2(3) + 7/log2(4) + 0 + 1/log2(6) = 7 + 1.8928 + 3.5 + 0 + 0.3869 = 12.779642",
            "等级 3, 2, 3, 0, 1 的增益 2^g − 1：7, 3, 7, 0, 1\n"
            "DCG = 7/log2(2) + 3/log2(3) + 7/log2(4) + 0 + 1/log2(6) = 7 + 1.8928 + 3.5 + 0 + 0.3869 = 12.779642",
        ),
        typical_k="5, 10",
        example=("dcg@5", (3, 2, 3, 0, 1), ()),
        range="0 … ∞",
    )

    gain: Gain = gain_parameter("exp2")
    gain_below: str = gain_below_parameter()
    discount: str = discount_parameter()

    def values(self, view: RankingView) -> Floats:
        return ratio(self.per_weight(view, discounted(view, self)), np.ones(len(view)), no_relevant(view))

    def define(self, ranked: RankedList) -> float:
        total = plain_dcg(ranked, self, ranked.items(self.k))
        return total / self.plain_weight(ranked) if ranked.relevant_count() else NAN


@dataclass(frozen=True, kw_only=True)
class NormalizedDCG(GainMetric):
    """Share of the best attainable discounted gain that the list collects.

    NDCG@k = DCG@k / ideal,  DCG@k = Σ_{i≤k} gain(g_i) · discount(i)                                  [jarvelin2002]
    """

    name = "ndcg"
    of_rank = True
    weighs_items = True
    title = Text("Normalized discounted cumulated gain", "归一化折损累计增益（NDCG）")
    about = about(
        Text("How well liked is what stands at the top?", "排在前面的有多喜欢？"),
        Text("The ranking stage; graded relevance in search and recommendation.", "排序阶段；带等级的搜索与推荐评测。"),
        Text(
            "Tools differ in gain, discount and ideal, so bare values cannot be compared; a short list of easy queries scores high.",
            "各工具的增益、折损与理想列表不同，裸数字不可直接比较；相关条目少的简单查询容易得高分。",
        ),
        ("recall", "rr"),
        Text(
            "gains 2^g − 1 of the grades 3, 2, 3, 0, 1: 7, 3, 7, 0, 1\n"
            "discounts 1 / log2(i + 1) of ranks 1 to 5: 1, 0.6309, 0.5, 0.4307, 0.3869\n"
            "DCG   = 7·1 + 3·0.6309 + 7·0.5 + 0·0.4307 + 1·0.3869 = 12.779642\n"
            "ideal = 7·1 + 7·0.6309 + 3·0.5 + 1·0.4307 + 0·0.3869 = 13.347185   (best order 3, 3, 2, 1, 0)\n"
            "NDCG  = 12.779642 / 13.347185 = 0.957478",
            "等级 3, 2, 3, 0, 1 的增益 2^g − 1：7, 3, 7, 0, 1\n"
            "第 1 到 5 位的折损 1 / log2(i + 1)：1, 0.6309, 0.5, 0.4307, 0.3869\n"
            "DCG  = 7·1 + 3·0.6309 + 7·0.5 + 0·0.4307 + 1·0.3869 = 12.779642\n"
            "理想 = 7·1 + 7·0.6309 + 3·0.5 + 1·0.4307 + 0·0.3869 = 13.347185   （最好的顺序 3, 3, 2, 1, 0）\n"
            "NDCG = 12.779642 / 13.347185 = 0.957478",
        ),
        typical_k="5, 10, 20",
        example=("ndcg@5", (3, 2, 3, 0, 1), ()),
        undefined=Text("ideal = 0", "理想值 = 0"),
        also=("归一化折扣累计增益", "归一化折损累积增益"),
    )

    gain: Gain = gain_parameter("exp2")
    gain_below: str = gain_below_parameter()
    discount: str = discount_parameter()
    ideal: str = choice(
        Text("Which list is the best one.", "什么是理想列表。"),
        judged=Text("all judged items, best first, cut at k", "全部已标注条目按等级排序，截到 k"),
        uncut=Text("the same, not cut", "同上，但不截断"),
        list=Text("the n returned items, best first, cut at k", "返回的 n 个条目重排，截到 k"),
        list_uncut=Text("the same, not cut", "同上，但不截断"),
        topk=Text("only the k items shown, best first", "只对展示的 k 个条目重排"),
        full=Text("the top gain at each of the k places", "k 个位置都取最高增益"),
        shown=Text(
            "all judged items, best first, cut at min(n, k): as many as were shown (Elasticsearch)",
            "全部已标注条目按等级排序，截到 min(n, k)，即实际展示的个数（Elasticsearch）",
        ),
    )
    max: float | None = parameter(
        None,
        Number(above=0, optional=True),
        Text(
            "With ideal=full: the top grade; by default the largest of the truth.",
            "ideal=full 时的最高等级；默认取真值中最大的等级。",
        ),
    )

    def check(self) -> None:
        """A full ideal needs its length."""
        if self.ideal == "full" and self.k is None:
            raise InputError("ndcg(ideal=full) needs @k", "ndcg(ideal=full) 需要 @k")
        if self.ideal != "full" and self.max is not None:
            raise InputError("ndcg: max is for ideal=full only", "ndcg：max 只用于 ideal=full")

    def knows_expected(self) -> bool:
        """With `ideal=topk` the ideal itself depends on the order."""
        return self.ideal != "topk"

    def is_bounded_by_grades(self) -> bool:
        """Not where the ideal itself depends on the order, nor with a table of gains that turns grades round."""
        return super().is_bounded_by_grades() and (self.ideal != "topk" or self.k is None)

    @property
    def takes_item_weight(self) -> bool:
        """A full ideal has no items that could weigh anything."""
        return self.ideal != "full"

    def values(self, view: RankingView) -> Floats:
        ideal = self._ideal(view, self.ideal)
        worthless = self._ideal(view, "uncut") == 0 if self.ideal == "shown" else ideal == 0
        return ratio(discounted(view, self), ideal, worthless)

    def _ideal(self, view: RankingView, kind: str) -> Floats:
        if kind == "full":
            return np.full(len(view), self._full(view.top_grade))
        cut = view.depth(self.k) if kind == "shown" else None if kind in ("uncut", "list_uncut") else self.k
        of_judged = kind in JUDGED_IDEALS
        if kind == "topk" and self.k is not None:
            worth = np.where(view.rank <= self.k, view.weighed(hit_gains(view, self.gain, self.gain_below)), 0.0)
            return sorted_best_first(view.query, worth, len(view)).discounted(self.discount, cut)

        def best_first() -> BestFirst:
            gains_of, weighed = (judged_gains, view.weighed_judged) if of_judged else (hit_gains, view.weighed)
            query = view.judged_query if of_judged else view.query
            # Judged grades lie best first, and only a table of gains can turn them round, or weights.
            in_order = of_judged and isinstance(self.gain, str) and view.item_weight is None
            worth = weighed(gains_of(view, self.gain, self.gain_below))
            return sorted_best_first(query, worth, len(view), in_order=in_order)

        key = "best first", of_judged, self.gain, self.gain_below
        return view.remember(key, best_first).discounted(self.discount, cut)

    @property
    def needs_top_grade(self) -> bool:
        return self.ideal == "full"

    def resolved(self, view: RankingView) -> Parameters:
        if self.ideal != "full" or self.gain == BINARY_GAIN:
            return {}
        return found_top_grade(self.max, view.top_grade)

    def _full(self, in_truth: float) -> float:
        top = top_grade(self.max, in_truth)
        worth = grade_gain(top, self.gain) if top > 0 or self.gain == BINARY_GAIN else 0.0
        return sum(worth * DISCOUNTS[self.discount](rank) for rank in range(1, (self.k or 0) + 1))

    def define(self, ranked: RankedList) -> float:
        """Add up the list, add up the ideal list, divide."""
        if self.ideal == "full":
            ideal = worthy = self._full(ranked.top_grade)
        else:
            of_list = ranked.items(self.k if self.ideal == "topk" else None)
            items = ranked.judged_items() if self.ideal in JUDGED_IDEALS else of_list
            best = sorted(items, key=lambda item: self._plain_worth(ranked, *item), reverse=True)
            depth = len(ranked.top(self.k))
            cut = {"uncut": None, "list_uncut": None, "shown": depth}.get(self.ideal, self.k)
            ideal = plain_dcg(ranked, self, best[:cut])
            worthy = plain_dcg(ranked, self, best) if self.ideal == "shown" else ideal
        return divide(plain_dcg(ranked, self, ranked.items(self.k)), ideal) if worthy else NAN

    def _plain_worth(self, ranked: RankedList, grade: float | None, weight: float) -> float:
        return plain_gain(ranked, grade, self.gain, self.gain_below) * weight


def hit_gains(view: RankingView, gain: Gain, gain_below: str) -> Floats:
    """The gain of each hit."""
    return view.remember(("hit gains", gain, gain_below), lambda: gains(view, view.grade, gain, gain_below))


def judged_gains(view: RankingView, gain: Gain, gain_below: str) -> Floats:
    """The gain of each judged item."""
    return view.remember(("judged gains", gain, gain_below), lambda: gains(view, view.judged_grade, gain, gain_below))


def discounted(view: RankingView, metric: DiscountedCumulatedGain | NormalizedDCG) -> Floats:
    """DCG@k of each query."""
    gains_of_hits = view.weighed(hit_gains(view, metric.gain, metric.gain_below))
    return view.sum(gains_of_hits * view.weight(DISCOUNTS[metric.discount], metric.k))


@dataclass(frozen=True, eq=False)
class BestFirst:
    """Items of each query in the best possible order, as far as they are worth something."""

    query: NDArray[np.int64]
    rank: NDArray[np.int64]
    worth: Floats
    queries: int

    def discounted(self, discount: str, k: int | Ints | None) -> Floats:
        """Their DCG@k; k may be that of each query."""
        query, rank, worth = self.query, self.rank, self.worth
        if isinstance(k, np.ndarray) or (k is not None and k < self.depth):
            kept = rank <= (k[query] if isinstance(k, np.ndarray) else k)
            query, rank, worth = query[kept], rank[kept], worth[kept]
        terms = worth * weights_at(DISCOUNTS[discount], rank)
        return np.bincount(query, weights=terms, minlength=self.queries).astype(np.float64, copy=False)

    @cached_property
    def depth(self) -> int:
        """The length of the longest list."""
        return int(self.rank.max(initial=0))


def sorted_best_first(query: NDArray[np.int64], worth: Floats, queries: int, *, in_order: bool = False) -> BestFirst:
    """Items sorted by worth within their query, if they are not so already."""
    if not in_order:
        order = np.lexsort((-worth, query))
        query, worth = query[order], worth[order]
    counts = np.bincount(query, minlength=queries)
    rank = np.arange(1, len(query) + 1) - (np.cumsum(counts) - counts)[query]
    if not (kept := worth > 0).all():
        query, rank, worth = query[kept], rank[kept], worth[kept]
    return BestFirst(query, rank, worth, queries)


def plain_dcg(
    ranked: RankedList,
    metric: DiscountedCumulatedGain | NormalizedDCG,
    items: Sequence[tuple[float | None, float]],
) -> float:
    """The definition of DCG over some grades in order, each with the weight of its item."""
    total = 0.0
    for rank, (grade, weight) in enumerate(items, 1):
        place = {"log2": math.log2(rank + 1), "zipf": rank, "jarvelin": max(1.0, math.log2(rank))}[metric.discount]
        total += plain_gain(ranked, grade, metric.gain, metric.gain_below) * weight / place
    return total
