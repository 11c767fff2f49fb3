"""Metrics of where relevant items stand, whatever their degree: reciprocal rank, average precision and relatives."""

from __future__ import annotations

import math

import numpy as np

from pingce.base.exact import Floats
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.ranking.view import RankingView, reciprocal
from pingce.metrics.parameters import choice
from pingce.metrics.ranking.base import NAN, RankedList, RankingMetric, Sum, about, divide, no_relevant, ratio
from pingce.metrics.ranking.tied import expected_ap_over_hits, expected_first_reciprocal, expected_precision_sum

FLOOR = 1e-5
"What a query with nothing found counts in a geometric mean, as in trec_eval."


@dataclass(frozen=True, kw_only=True)
class ReciprocalRank(RankingMetric):
    """How soon the first relevant item comes.

    RR@k = 1 / min { i ≤ k : rel_i = 1 }  (1 / ∞ = 0)                                                 [voorhees1999]
    """

    name = "rr"
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
    )

    def values(self, view: RankingView) -> Floats:
        if self.of != "first":
            total = view.relevant_count if self.of == "all" else view.count(view.relevant)
            return ratio(view.sum(view.weight(reciprocal, self.k) * view.relevant), total, no_relevant(view))
        if view.expected:
            first = expected_first_reciprocal(view, self.k)
        else:
            is_first = view.relevant & (view.running(view.relevant) == 1)
            first = view.sum(view.weight(reciprocal, self.k) * is_first)
        return ratio(first, np.ones(len(view)), no_relevant(view))

    def define(self, ranked: RankedList) -> float:
        total = ranked.relevant_count()
        if not total:
            return NAN
        inverse = [1 / rank for rank, grade in enumerate(ranked.top(self.k), 1) if ranked.is_relevant(grade)]
        if self.of == "first":
            return next(iter(inverse), 0.0)
        return divide(sum(inverse), total if self.of == "all" else ranked.hits(None))


@dataclass(frozen=True, kw_only=True)
class AveragePrecision(RankingMetric):
    """Precision at each relevant item, averaged: are all of them near the top?

    AP@k = Σ_{i≤k} rel_i · (h_i / i) / norm                                                           [voorhees2005]
    """

    name = "ap"
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
    )

    def is_bounded_by_grades(self) -> bool:
        """One hit more at the end of the top k may lower the mean over hits."""
        return self.norm != "hits" or self.k is None

    def tied_worth(self, view: RankingView) -> Floats:
        return view.relevant.astype(np.float64)

    def values(self, view: RankingView) -> Floats:
        if view.expected and self.norm == "hits":
            return ratio(expected_ap_over_hits(view, self.k), np.ones(len(view)), no_relevant(view))
        if view.expected:
            total = expected_precision_sum(view, self.k)
        else:
            counted = view.relevant if self.k is None else view.relevant & (view.rank <= self.k)
            precision = view.remember("precision at hits", lambda: view.running(view.relevant) / view.rank)
            total = view.sum(precision * counted)
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
        hits, total = 0, 0.0
        for rank, grade in enumerate(ranked.top(self.k), 1):
            if ranked.is_relevant(grade):
                hits += 1
                total += hits / rank
        returned = len(ranked.grades)
        k = returned if self.k is None else self.k
        return divide(
            total,
            {"relevant": count, "hits": hits, "min": min(count, k), "k": k, "list": min(count, returned, k)}[self.norm],
        )


class GeometricMeanAP(RankingMetric):
    """Average precision averaged geometrically, so that queries near zero decide.

    GMAP = exp(mean ln max(AP, 1e-5))                                                                [robertson2006]
    """

    name = "gm_ap"
    follows_grades = True
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
    takes = ""
    closed_form = False  # the logarithm of a mean is not the mean of logarithms

    def values(self, view: RankingView) -> Floats:
        return np.maximum(AveragePrecision().values(view), FLOOR)

    def summands(self, values: Floats, parts: tuple[Floats, ...]) -> tuple[Floats, ...]:
        """Logarithms; an undefined query that counts as 0 counts as the floor."""
        return (np.array([NAN if math.isnan(value) else math.log(max(value, FLOOR)) for value in values.tolist()]),)

    def combine(self, *sums: Sum) -> float:
        """The geometric mean."""
        return math.exp(sums[0].mean)

    def define(self, ranked: RankedList) -> float:
        value = AveragePrecision().define(ranked)
        return value if math.isnan(value) else max(value, FLOOR)


class Bpref(RankingMetric):
    """How seldom judged non-relevant items stand above relevant ones; unjudged items do not matter.

    bpref = (1/R) Σ (1 − min(b, R) / min(N, R)) over the relevant items returned; b: judged non-relevant items above it; N: all judged non-relevant items; the term is 1 if N = 0  [buckley2004]
    """

    name = "bpref"
    follows_grades = True
    title = Text("Bpref", "二元偏好（bpref）")
    formula_zh = "bpref = (1/R) Σ (1 − min(b, R) / min(N, R))，对返回的相关条目求和；b：排在它前面的、标注为不相关的条目数；N：标注为不相关的条目总数；N = 0 时该项为 1"
    about = about(
        Text("Are items known to be bad ranked below those known to be good?", "已知不好的是否排在已知好的之后？"),
        Text("Incomplete judgements.", "标注不完整的数据。"),
        Text(
            "It ignores ranks as such, and needs judged non-relevant items.", "不看名次本身；需要有标注为不相关的条目。"
        ),
        ("judged", "ap"),
        Text(
            "R = 2, N = 1; relevant at ranks 1 and 3, non-relevant at 2: ((1 − 0) + (1 − 1/1)) / 2 = 0.5",
            "R = 2，N = 1；第 1、3 位相关，第 2 位不相关：((1 − 0) + (1 − 1/1)) / 2 = 0.5",
        ),
        example=("bpref", (1, 0, 1), ()),
    )
    takes = ""
    closed_form = False

    def values(self, view: RankingView) -> Floats:
        wrong = (view.grade >= 0) & ~view.relevant
        judged = view.judged_grade
        is_wrong = (judged >= 0) & ~view.is_relevant(judged)
        wrong_count = np.bincount(view.judged_query[is_wrong], minlength=len(view))
        total = view.relevant_count
        most = np.minimum(wrong_count, total)[view.query]
        above = np.minimum(view.running(wrong), total[view.query])
        term = 1.0 - np.divide(above, most, out=np.zeros(len(most)), where=most > 0)
        return ratio(view.sum(term * view.relevant), total, no_relevant(view))

    def define(self, ranked: RankedList) -> float:
        total = ranked.relevant_count()
        wrong = sum(grade >= 0 and not ranked.is_relevant(grade) for grade in ranked.judged)
        if not total:
            return NAN
        above, terms = 0, 0.0
        for grade in ranked.grades:
            if ranked.is_relevant(grade):
                terms += 1 - min(above, total) / min(wrong, total) if wrong else 1
            elif grade is not None and grade >= 0:
                above += 1
        return terms / total
