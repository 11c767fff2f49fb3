"""Plain counts, summed over queries: what a table of means stands on."""

from __future__ import annotations

import numpy as np

from pingce.base.exact import Floats
from pingce.base.text import Text
from pingce.evidence.ranking.view import RankingView
from pingce.metrics.declared import About
from pingce.metrics.ranking.base import RankedList, RankingMetric, Sum, about


def _about(question: Text, worked: Text) -> About:
    return about(
        question,
        Text("Beside every mean, to know what it is a mean of.", "与各平均值一起看，知道它平均的是什么。"),
        Text("A count says nothing about quality.", "计数与好坏无关。"),
        ("judged",),
        worked,
        range="0 … ∞",
        higher_is_better=None,
        undefined=Text("", ""),
    )


class Count(RankingMetric):
    """Base of the counts: a sum, not a mean."""

    takes = ""
    counts = True

    def combine(self, *sums: Sum) -> float:
        """The sum over queries, as a whole number."""
        return int(sums[0].total)


class QueryCount(Count):
    """Number of queries that were scored.

    num_q = Σ_queries 1                                                                               [voorhees2005]
    """

    name = "num_q"
    title = Text("Queries", "查询数")
    about = _about(Text("How many queries?", "有多少个查询？"), Text("One query: 1", "一个查询：1"))

    def values(self, view: RankingView) -> Floats:
        return np.ones(len(view))

    def define(self, ranked: RankedList) -> float:
        return 1.0


class ReturnedCount(Count):
    """Number of items returned.

    num_ret = Σ_queries n                                                                             [voorhees2005]
    """

    name = "num_ret"
    title = Text("Returned items", "返回条目数")
    about = _about(
        Text("How many items were returned?", "一共返回了多少条目？"),
        Text("A list of four items: 4", "四个条目的列表：4"),
    )

    def values(self, view: RankingView) -> Floats:
        return view.returned.astype(np.float64)

    def define(self, ranked: RankedList) -> float:
        return float(len(ranked.grades))


class RelevantCount(Count):
    """Number of relevant items in the truth.

    num_rel = Σ_queries R                                                                             [voorhees2005]
    """

    name = "num_rel"
    title = Text("Relevant items", "相关条目数")
    about = _about(
        Text("How many are there to find?", "一共有多少个可找？"),
        Text("Two returned and one not: 3", "返回两个，漏掉一个：3"),
    )

    def values(self, view: RankingView) -> Floats:
        return view.relevant_count.astype(np.float64)

    def define(self, ranked: RankedList) -> float:
        return float(ranked.relevant_count())


class RelevantReturnedCount(Count):
    """Number of relevant items that were returned.

    num_rel_ret = Σ_queries h_n                                                                       [voorhees2005]
    """

    name = "num_rel_ret"
    title = Text("Relevant items returned", "返回的相关条目数")
    about = _about(
        Text("How many were found?", "一共找到了多少个？"), Text("Relevant at ranks 1 and 3: 2", "第 1、3 位相关：2")
    )

    def values(self, view: RankingView) -> Floats:
        return view.count(view.relevant).astype(np.float64)

    def define(self, ranked: RankedList) -> float:
        return float(ranked.hits(None))


class NonrelevantReturnedCount(Count):
    """Number of returned items that were judged and found not relevant.

    num_nonrel_judged_ret = Σ_queries |{ i ≤ n : 0 ≤ g_i < relevant }|                                [voorhees2005]
    """

    name = "num_nonrel_judged_ret"
    title = Text("Judged non-relevant items returned", "返回的、标注为不相关的条目数")
    about = _about(
        Text("How many are known to be wrong?", "已知不对的有多少个？"),
        Text("Grade 0 at ranks 2 and 4: 2", "第 2、4 位的等级为 0：2"),
    )

    def values(self, view: RankingView) -> Floats:
        return view.count((view.grade >= 0) & ~view.relevant).astype(np.float64)

    def define(self, ranked: RankedList) -> float:
        judged = [grade for grade in ranked.grades if grade is not None and grade >= 0]
        return float(sum(not ranked.is_relevant(grade) for grade in judged))
