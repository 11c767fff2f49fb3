"""Metrics of where relevant items stand, whatever their degree: reciprocal rank, average precision and relatives."""

from __future__ import annotations

import math
from functools import cache
from itertools import accumulate
from typing import ClassVar

import numpy as np

from pingce.base.errors import InputError
from pingce.base.exact import Floats
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.ranking.view import RankingView, reciprocal
from pingce.metrics.parameters import choice
from pingce.metrics.ranking.base import NAN, RankedList, RankingMetric, Sum, about, divide, no_relevant, ratio
from pingce.metrics.ranking.tied import (
    expected_first_reciprocal,
    expected_over_hits,
    expected_precision_sum,
    precision_sum,
    reciprocal_sum,
)

FLOOR = 1e-5
"What a query with nothing found counts in a geometric mean, as in trec_eval."


@dataclass(frozen=True)
class HarmonicTail:
    """1/rank + … + 1/k: what a hit adds to the precision at its rank and at all depths below."""

    k: int

    def __call__(self, rank: int) -> float:
        """The tail from a rank on."""
        return _harmonic_tails(self.k)[min(rank, self.k + 1)]


@cache
def _harmonic_tails(k: int) -> tuple[float, ...]:
    """The tails from ranks 0 … k + 1 on, added up from the smallest term; that from 0 is not used."""
    tails = [*accumulate(1 / rank for rank in range(k, 0, -1))]
    return (0.0, *reversed(tails), 0.0)


@dataclass(frozen=True, kw_only=True)
class ReciprocalRank(RankingMetric):
    """How soon the first relevant item comes.

    RR@k = 1 / min { i ≤ k : rel_i = 1 }  (1 / ∞ = 0)                                                 [voorhees1999]
    """

    name = "rr"
    of_rank = True
    follows_grades = True
    aliases = ("mrr", "recip_rank", "reciprocal_rank")
    title = Text("Reciprocal rank (MRR)", "倒数排名（MRR）")
    about = about(
        Text("At which rank is the first one?", "第一个排第几？"),
        Text("Question answering, navigation, one right item a query.", "问答、导航型搜索、每个查询只有一个正确条目。"),
        Text(
            "It ignores all after the first, and falls steeply: rank 2 is worth half of rank 1.",
            "第一个之后的一概不管；下降很陡，第 2 位只值第 1 位的一半。",
        ),
        ("recall", "hit_rate"),
        Text("First relevant item at rank 3: 1 / 3 = 0.333333", "第一个相关条目在第 3 位：1 / 3 = 0.333333"),
        typical_k="10",
        example=("rr@10", (0, 0, 1, 1), ()),
        also=("平均倒数排名", "倒数排序"),
    )

    of: str = choice(
        Text("Which relevant items count.", "计入哪些相关条目。"),
        first=Text("the first one", "第一个"),
        all=Text("Σ 1/rank of the returned relevant items / R", "返回的相关条目的 Σ 1/rank，再除以 R"),
        listed=Text("the same / the relevant items of the list (FuxiCTR)", "同上，再除以列表中的相关条目数（FuxiCTR）"),
        hits=Text(
            "the same / h_k: the mean over those in the top k (LlamaIndex)",
            "同上，再除以 h_k：前 k 中命中者的均值（LlamaIndex）",
        ),
    )

    def is_bounded_by_grades(self) -> bool:
        """One hit more at the end of the top k lowers the mean over hits."""
        return self.of != "hits" or self.k is None

    def values(self, view: RankingView) -> Floats:
        if self.of != "first":
            return ratio(*self._all(view), no_relevant(view))
        if view.expected:
            first = expected_first_reciprocal(view, self.k)
        else:
            is_first = view.relevant & (view.running(view.relevant) == 1)
            first = view.sum(view.weight(reciprocal, self.k) * is_first)
        return ratio(first, np.ones(len(view)), no_relevant(view))

    def _all(self, view: RankingView) -> tuple[Floats, Floats]:
        """What is divided by what, where every hit counts."""
        if self.of == "hits" and view.expected:
            return expected_over_hits(view, self.k, reciprocal_sum), np.ones(len(view))
        counts = {"all": view.relevant_count, "listed": view.count(view.relevant), "hits": view.hits_within(self.k)}
        return view.sum(view.weight(reciprocal, self.k) * view.relevant), counts[self.of].astype(np.float64)

    def define(self, ranked: RankedList) -> float:
        total = ranked.relevant_count()
        if not total:
            return NAN
        inverse = [1 / rank for rank, grade in enumerate(ranked.top(self.k), 1) if ranked.is_relevant(grade)]
        if self.of == "first":
            return next(iter(inverse), 0.0)
        return divide(sum(inverse), {"all": total, "listed": ranked.hits(None), "hits": len(inverse)}[self.of])


@dataclass(frozen=True, kw_only=True)
class AveragePrecision(RankingMetric):
    """Precision at each relevant item, averaged: are all of them near the top?

    AP@k = Σ_{i≤k} rel_i · (h_i / i) / norm                                                           [voorhees2005]
    """

    name = "ap"
    of_rank = True
    weighs_items = True
    aliases = ("map", "average_precision")
    title = Text("Average precision (MAP)", "平均精度（MAP）")
    about = about(
        Text("Are they all near the top?", "都排得靠前吗？"),
        Text("Search and recommendation with several relevant items a query.", "每个查询有多个相关条目的搜索与推荐。"),
        Text(
            "It ignores degree: grade 1 counts as grade 3. Tools divide by different things; see norm.",
            "不管喜欢的程度，等级 1 与等级 3 一样；各工具的分母不同，见 norm。",
        ),
        ("ndcg", "recall"),
        Text(
            "rank 1 is relevant, precision there 1/1; rank 3 is relevant, precision there 2/3; a third relevant item was "
            "not returned\nAP = (1/1 + 2/3) / 3 = 0.555556",
            "第 1 位相关，该处精确率 1/1；第 3 位相关，该处精确率 2/3；另有一个相关条目没有返回\n"
            "AP =(1/1 + 2/3)/ 3 = 0.555556",
        ),
        typical_k="10, 100, –",
        example=("ap@4",),
        also=("平均准确率", "平均精确率", "MAP"),
    )

    norm: str = choice(
        Text("What the sum is divided by.", "求和之后除以什么。"),
        relevant=Text("R: all relevant items (trec_eval, ranx)", "R：全部相关条目（trec_eval、ranx）"),
        hits=Text("h_k: those found in the top k", "h_k：前 k 中命中的个数"),
        min=Text("min(R, k): the most that k places can hold", "min(R, k)：k 个位置最多能容纳的个数"),
        k=Text("k itself", "k 本身"),
        list=Text("min(R, n, k)", "min(R, n, k)"),
        depths=Text(
            "k, where precision counts at every depth and not only at hits (Elliot)",
            "k，且每个深度的精确率都计入，而不只是命中处（Elliot）",
        ),
    )

    def check(self) -> None:
        """Without k it is not said how many depths there are."""
        if self.norm == "depths" and self.k is None:
            raise InputError("ap(norm=depths) needs @k", "ap(norm=depths) 需要 @k")

    def is_bounded_by_grades(self) -> bool:
        """One hit more at the end of the top k may lower the mean over hits."""
        return self.norm != "hits" or self.k is None

    def tied_worth(self, view: RankingView) -> Floats:
        return view.weighed(view.relevant.astype(np.float64))

    @property
    def takes_item_weight(self) -> bool:
        """Only R is known with weights: their sum over relevant items."""
        return self.norm == "relevant"

    def values(self, view: RankingView) -> Floats:
        if self.norm == "depths" and self.k is not None:
            total = view.sum(view.weight(HarmonicTail(self.k), self.k) * view.relevant)
            return ratio(total, np.full(len(view), float(self.k)), no_relevant(view))
        if view.expected and self.norm == "hits":
            return ratio(expected_over_hits(view, self.k, precision_sum), np.ones(len(view)), no_relevant(view))
        if view.expected:
            total = expected_precision_sum(view, self.k)
        else:
            counted = view.relevant if self.k is None else view.relevant & (view.rank <= self.k)
            precision = view.remember("precision at hits", lambda: view.running(view.relevant) / view.rank)
            total = view.sum(view.weighed(precision * counted))
        if view.item_weight is not None:
            return ratio(total, view.sum_judged(view.weighed_judged(self.judged_worth(view))), no_relevant(view))
        k, hits = view.cutoff(self.k), view.relevant_count
        if self.norm == "hits":
            norm = view.hits_within(self.k)
        else:
            limited = np.minimum(hits, k)
            norms = {"relevant": hits, "min": limited, "k": k, "list": np.minimum(limited, view.returned)}
            norm = norms[self.norm].astype(np.float64)
        return ratio(total, norm, no_relevant(view))

    def define(self, ranked: RankedList) -> float:
        count = ranked.relevant_count()
        if not count:
            return NAN
        if self.norm == "depths" and self.k is not None:
            return sum(ranked.hits(depth) / depth for depth in range(1, self.k + 1)) / self.k
        hits, total = 0, 0.0
        for rank, (grade, weight) in enumerate(ranked.items(self.k), 1):
            if ranked.is_relevant(grade):
                hits += 1
                total += hits / rank * weight
        if ranked.weights or ranked.judged_weights:
            return total / sum(weight for grade, weight in ranked.judged_items() if ranked.is_relevant(grade))
        returned = len(ranked.grades)
        k = returned if self.k is None else self.k
        return divide(
            total,
            {"relevant": count, "hits": hits, "min": min(count, k), "k": k, "list": min(count, returned, k)}[self.norm],
        )


class GeometricMean(RankingMetric):
    """Base of geometric means over queries: a value near zero counts as a floor."""

    follows_grades = True
    takes = ""
    closed_form = False  # the logarithm of a mean is not the mean of logarithms
    inner: ClassVar[type[RankingMetric]]
    "The metric that is averaged."

    def values(self, view: RankingView) -> Floats:
        return np.maximum(self.inner().values(view), FLOOR)

    def summands(self, values: Floats, parts: tuple[Floats, ...]) -> tuple[Floats, ...]:
        """Logarithms; an undefined query that counts as 0 counts as the floor."""
        return (np.array([NAN if math.isnan(value) else math.log(max(value, FLOOR)) for value in values.tolist()]),)

    def combine(self, *sums: Sum) -> float:
        """The geometric mean."""
        return math.exp(sums[0].mean)

    def define(self, ranked: RankedList) -> float:
        value = self.inner().define(ranked)
        return value if math.isnan(value) else max(value, FLOOR)


class GeometricMeanAP(GeometricMean):
    """Average precision averaged geometrically, so that queries near zero decide.

    GMAP = exp(mean ln max(AP, 1e-5))                                                                [robertson2006]
    """

    name = "gm_ap"
    inner = AveragePrecision
    aliases = ("gmap",)
    title = Text("Geometric mean of AP (GMAP)", "平均精度的几何平均（GMAP）")
    about = about(
        Text("How bad are the bad queries?", "差的查询有多差？"),
        Text(
            "Robustness: gains on hard queries count more than on easy ones.", "稳健性：难查询上的进步比易查询更重要。"
        ),
        Text("The floor 1e-5 decides for queries with nothing found.", "一无所获的查询由下限 1e-5 决定。"),
        ("ap",),
        Text(
            "One query with AP = (1/1 + 2/3) / 3: the same, 0.555556",
            "只有一个查询且 AP = (1/1 + 2/3) / 3：结果相同，0.555556",
        ),
        range="1e-5 … 1",
    )


class YetAnotherAP(RankingMetric):
    """Average precision on a scale without ends, so that a step near 0 or near 1 counts as it should in a mean.

    yaap = ln((1 + S) / (1 + R − S)),  S = Σ_i rel_i · (h_i / i)                                      [robertson2012]
    """

    name = "yaap"
    follows_grades = True
    title = Text("Yet another average precision", "对数平均精度（yaap）")
    about = about(
        Text("Are they all near the top, on a scale that can be averaged?", "都排得靠前吗？用可以求平均的刻度来看。"),
        Text("Means over queries of very different difficulty.", "对难易悬殊的查询求平均。"),
        Text(
            "It has no natural unit, and queries with many relevant items reach larger values.",
            "没有直观的单位；相关条目多的查询数值范围更大。",
        ),
        ("ap", "gm_ap"),
        Text(
            "relevant at ranks 1 and 3, a third not returned: S = 1/1 + 2/3; ln((1 + 1.666667) / (1 + 3 − 1.666667)) = 0.133531",
            "第 1、3 位相关，另有一个没有返回：S = 1/1 + 2/3；ln((1 + 1.666667) / (1 + 3 − 1.666667)) = 0.133531",
        ),
        range="−∞ … ∞",
    )
    takes = ""
    closed_form = False  # the logarithm of a mean is not the mean of logarithms

    def values(self, view: RankingView) -> Floats:
        precisions = view.sum(view.running(view.relevant) / view.rank * view.relevant)
        odds = (1.0 + precisions) / (1.0 + view.relevant_count - precisions)
        return ratio(each_log(odds), np.ones(len(view)), no_relevant(view))

    def define(self, ranked: RankedList) -> float:
        total = ranked.relevant_count()
        precisions = AveragePrecision().define(ranked) * total
        return math.log((1 + precisions) / (1 + total - precisions)) if total else NAN


def each_log(values: Floats) -> Floats:
    """The natural logarithm of each value, from Python's math, since NumPy's changes with the CPU."""
    distinct, place = np.unique(values, return_inverse=True)
    logs: Floats = np.array([math.log(value) for value in distinct.tolist()])[place.reshape(-1)]
    return logs
