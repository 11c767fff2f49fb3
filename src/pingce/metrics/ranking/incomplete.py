"""Metrics for truths that judge only some of the items: bpref and inferred AP."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pingce.base.exact import Floats, Ints
from pingce.base.text import Text
from pingce.evidence.ranking.view import RankingView
from pingce.metrics.ranking.average_precision import GeometricMean
from pingce.metrics.ranking.base import NAN, RankedList, RankingMetric, about, no_relevant, ratio

EPSILON = 1e-5
"What trec_eval adds to counts of judged items, so that none of either kind is one half."


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


class GeometricMeanBpref(GeometricMean):
    """Bpref averaged geometrically, so that queries near zero decide.

    gm_bpref = exp(mean ln max(bpref, 1e-5))                                                         [robertson2006]
    """

    name = "gm_bpref"
    inner = Bpref
    title = Text("Geometric mean of bpref", "bpref 的几何平均")
    about = about(
        Text("How bad are the bad queries, by what is judged?", "就已标注的而言，差的查询有多差？"),
        Text("Robustness under incomplete judgements.", "标注不完整时的稳健性。"),
        Text("The floor 1e-5 decides for queries with nothing found.", "一无所获的查询由下限 1e-5 决定。"),
        ("bpref", "gm_ap"),
        Text(
            "One query with bpref = ((1 − 0) + (1 − 1/1)) / 2: the same, 0.5",
            "只有一个查询且 bpref = ((1 − 0) + (1 − 1/1)) / 2：结果相同，0.5",
        ),
        example=("gm_bpref", (1, 0, 1), ()),
        range="1e-5 … 1",
    )


class Above(NamedTuple):
    """What stands above each hit."""

    pooled: Ints
    relevant: Ints
    wrong: Ints
    "Judged, and not relevant."
    precision: Floats
    "At the hit, were it relevant."


class InferredAP(RankingMetric):
    """Average precision, estimated where only some of the pooled items were judged.

    infAP = (1/R) Σ (1/i + p/i · (r + ε)/(r + w + 2ε)) over the relevant items returned; p, r, w: items above that were pooled, relevant, judged and not relevant; ε = 1e-5  [yilmaz2006]
    """

    name = "inf_ap"
    aliases = ("infap",)
    title = Text("Inferred AP", "推断平均精度（infAP）")
    formula_zh = "infAP = (1/R) Σ (1/i + p/i · (r + ε)/(r + w + 2ε))，对返回的相关条目求和；p、r、w：排在前面的条目中入池的、相关的、标注为不相关的个数；ε = 1e-5"
    about = about(
        Text("What would AP be, had the whole pool been judged?", "若整个池都标注了，AP 会是多少？"),
        Text(
            "Judgements of a random sample of the pool; items of the pool that were not judged have a negative grade.",
            "只随机标注了池中一部分条目；池中未标注的条目等级为负。",
        ),
        Text(
            "Items outside the pool count as wrong; without negative grades it is AP, but for ε.",
            "池外的条目一律算错；没有负等级时，除 ε 外即为 AP。",
        ),
        ("ap", "bpref"),
        Text(
            "R = 2; relevant at ranks 1 and 4, a pooled item that was not judged at 2, a wrong one at 3: "
            "(1 + (1/4 + 3/4 · (1 + ε)/(2 + 2ε))) / 2 = 0.8125",
            "R = 2；第 1、4 位相关，第 2 位入池但未标注，第 3 位不相关：(1 + (1/4 + 3/4 · (1 + ε)/(2 + 2ε))) / 2 = 0.8125",
        ),
        example=("inf_ap", (1, -1, 0, 1), ()),
    )
    takes = ""
    closed_form = False

    @staticmethod
    def above(view: RankingView) -> Above:
        """Everything is a count of hits: items outside the pool are those that are no hits."""
        wrong = (view.grade >= 0) & ~view.relevant
        pooled = view.running(np.ones(len(view.query), bool)) - 1
        relevant, others = view.running(view.relevant) - view.relevant, view.running(wrong)
        share = (relevant + EPSILON) / (relevant + others + 2 * EPSILON)
        return Above(pooled, relevant, others, 1.0 / view.rank + pooled / view.rank * share)

    def tied_worth(self, view: RankingView) -> Floats:
        """Relevant, wrong and unjudged items of the pool differ from each other, and from those outside it."""
        return np.where(view.relevant, 3.0, np.where(view.grade >= 0, 2.0, 1.0))

    def values(self, view: RankingView) -> Floats:
        return ratio(view.sum(self.above(view).precision * view.relevant), view.relevant_count, no_relevant(view))

    def define(self, ranked: RankedList) -> float:
        total = ranked.relevant_count()
        if not total:
            return NAN
        pooled, relevant, wrong, terms = 0, 0, 0, 0.0
        for rank, grade in enumerate(ranked.grades, 1):
            if ranked.is_relevant(grade):
                share = (relevant + EPSILON) / (relevant + wrong + 2 * EPSILON)
                terms += 1 / rank + pooled / rank * share
                relevant += 1
            elif grade is not None and grade >= 0:
                wrong += 1
            pooled += grade is not None
        return terms / total
