"""Metrics that count hits: whether there is one, how many, and how many of the first R."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pingce.base.exact import Floats
from pingce.base.text import Text
from pingce.evidence.ranking.view import RankingView
from pingce.metrics.parameters import choice
from pingce.metrics.ranking.base import NAN, RankedList, RankingMetric, Sum, about, no_relevant, ratio
from pingce.metrics.ranking.precision_recall import Recall
from pingce.metrics.ranking.tied import expected_hit_rate


@dataclass(frozen=True, kw_only=True)
class HitRate(RankingMetric):
    """Whether the top k holds at least one relevant item.

    HR@k = [h_k > 0]                                                                                 [deshpande2004]
    """

    name = "hit_rate"
    follows_grades = True
    aliases = ("hr", "hit", "success")
    title = Text("Hit rate", "命中率")
    about = about(
        Text("Is there one at all?", "有没有？"),
        Text("Leave-one-out tests of recommenders; the recall stage.", "留一法评测推荐系统；召回阶段。"),
        Text("It ignores how many were found, and where.", "不管命中多少个，也不管排在哪里。"),
        ("rr", "ndcg"),
        Text("A relevant item at rank 3, k = 4: 1", "第 3 位相关，k = 4：1"),
        typical_k="1, 5, 10, 20",
        example=("hit_rate@4", (0, 0, 1, 0), (1,)),
        also=("击中率", "HR", "命中"),
    )

    mode: str = choice(
        Text("What is averaged.", "如何求平均。"),
        query=Text("1 or 0 for each query, then the mean", "每个查询记 1 或 0，再求平均"),
        micro=Text("Σ h_k / Σ R over all queries", "全体查询的 Σ h_k / Σ R"),
    )

    def values(self, view: RankingView) -> Floats:
        """1 where h_k > 0; under `mode=micro` the query's own share h_k / R."""
        if self.mode == "micro":
            return Recall(k=self.k).values(view)
        hit = expected_hit_rate(view, self.k) if view.expected else (view.hits_within(self.k) > 0).astype(np.float64)
        hit[no_relevant(view)] = NAN
        return hit

    def parts(self, view: RankingView) -> tuple[Floats, ...]:
        return (view.hits_within(self.k), view.relevant_count.astype(np.float64)) if self.mode == "micro" else ()

    def combine(self, *sums: Sum) -> float:
        """The mean, or all hits over all relevant items."""
        if self.mode != "micro":
            return sums[0].mean
        hits, relevant = (each.total for each in sums)
        return hits / relevant if relevant else NAN

    def define(self, ranked: RankedList) -> float:
        if not ranked.relevant_count():
            return NAN
        return ranked.hits(self.k) / ranked.relevant_count() if self.mode == "micro" else float(ranked.hits(self.k) > 0)


class Hits(RankingMetric):
    """How many relevant items the top k holds.

    hits@k = h_k                                                                                       [manning2008]
    """

    name = "hits"
    follows_grades = True
    title = Text("Hits", "命中数")
    about = about(
        Text("How many were found?", "命中了几个？"),
        Text("Reading a precision or recall back as a count.", "把精确率、召回率还原成个数。"),
        Text("It ignores order and how many there were to find.", "不管顺序，也不管总共有多少个可找。"),
        ("recall", "precision"),
        Text("Relevant at ranks 1 and 3, k = 4: 2", "第 1、3 位相关，k = 4：2"),
        typical_k="10, 100",
        example=("hits@4",),
        range="0 … k",
    )

    def values(self, view: RankingView) -> Floats:
        return ratio(view.hits_within(self.k), np.ones(len(view)), no_relevant(view))

    def define(self, ranked: RankedList) -> float:
        return float(ranked.hits(self.k)) if ranked.relevant_count() else NAN


class RPrecision(RankingMetric):
    """Precision at the depth where precision and recall are equal: R.

    RPrec = h_R / R                                                                                   [voorhees2005]
    """

    name = "r_precision"
    follows_grades = True
    aliases = ("rprec", "r_prec")
    title = Text("R-precision", "R 精确率")
    about = about(
        Text("If R items are right, how many of the first R are?", "有 R 个对的，前 R 个里有几个？"),
        Text("Search with many relevant items a query; needs no k.", "每个查询相关条目较多的检索；不需要选 k。"),
        Text("It ignores order within the first R, and all after it.", "不管前 R 个内部的顺序，也不管其后。"),
        ("ap",),
        Text("R = 3, relevant at ranks 1 and 3: 2 / 3 = 0.666667", "R = 3，第 1、3 位相关：2 / 3 = 0.666667"),
    )
    takes = ""

    def values(self, view: RankingView) -> Floats:
        return ratio(view.hits_within(view.relevant_count), view.relevant_count, no_relevant(view))

    def define(self, ranked: RankedList) -> float:
        total = ranked.relevant_count()
        return ranked.hits(total) / total if total else NAN
