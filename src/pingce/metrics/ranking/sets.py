"""Metrics of the whole list, whatever its order: as a set, how much of it is judged or wrong, and plain counts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.exact import Floats
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.ranking.view import RankingView
from pingce.metrics.declared import About
from pingce.metrics.parameters import Number, choice, parameter
from pingce.metrics.ranking.base import NAN, RankedList, RankingMetric, Sum, about, divide, no_relevant, ratio


class SetAP(RankingMetric):
    """Precision times recall of the whole list: what its average precision would be if its order said nothing.

    set_AP = h_n² / (n · R)                                                                           [voorhees2005]
    """

    name = "set_ap"
    follows_grades = True
    aliases = ("set_map",)
    title = Text("Set AP", "集合平均精度")
    about = about(
        Text("Is the list as a whole clean and complete?", "整个列表既准又全吗？"),
        Text("Filters and Boolean search, which return a set.", "过滤、布尔检索等只返回集合的系统。"),
        Text("It ignores order; one low factor pulls it down.", "不管顺序；精确率与召回率有一个低，结果就低。"),
        ("precision", "recall"),
        Text(
            "2 of 4 returned items are relevant, a third was not returned: 2² / (4 · 3) = 0.333333",
            "返回 4 个，其中 2 个相关，另有一个相关条目没有返回：2² / (4 · 3) = 0.333333",
        ),
    )
    takes = ""

    def values(self, view: RankingView) -> Floats:
        hits = view.hits_within(None)
        return ratio(hits * hits, view.returned * view.relevant_count, no_relevant(view))

    def define(self, ranked: RankedList) -> float:
        hits, total = ranked.hits(None), ranked.relevant_count()
        return divide(hits * hits, len(ranked.grades) * total) if total else NAN


@dataclass(frozen=True, kw_only=True)
class Utility(RankingMetric):
    """What the list is worth if each relevant item earns and each other item costs.

    utility = a · h_n + b · (n − h_n)                                                                 [voorhees2005]
    """

    name = "utility"
    follows_grades = True
    title = Text("Utility", "效用")
    about = about(
        Text("Is reading the list worth the trouble?", "看完整个列表划算吗？"),
        Text(
            "Alerts and filters, where every wrong item costs its reader time.",
            "推送与过滤：每个错误条目都耗费读者时间。",
        ),
        Text(
            "It ignores order and what was not returned; queries with long lists decide the mean.",
            "不管顺序，也不管漏掉了多少；列表长的查询决定平均值。",
        ),
        ("precision", "recall"),
        Text("2 relevant items and 1 other: 1 · 2 − 1 · 1 = 1", "2 个相关，1 个不相关：1 · 2 − 1 · 1 = 1"),
        example=("utility", (1, 1, 0), ()),
        range="−∞ … ∞",
        undefined=Text("", ""),
    )
    takes = ""

    a: float = parameter(1, Number(), Text("What a relevant item earns.", "一个相关条目的收益。"))
    b: float = parameter(
        -1, Number(), Text("What any other item adds; negative = a cost.", "其他条目各加多少；负数表示代价。")
    )

    def values(self, view: RankingView) -> Floats:
        hits = view.hits_within(None)
        return self.a * hits + self.b * (view.returned - hits)

    def define(self, ranked: RankedList) -> float:
        hits = ranked.hits(None)
        return float(self.a * hits + self.b * (len(ranked.grades) - hits))


class Judged(RankingMetric):
    """Share of the top k that has been judged at all: how far the other numbers can be trusted.

    judged@k = |judged ∩ top k| / min(n, k)                                                            [buckley2004]
    """

    name = "judged"
    follows_grades = True
    title = Text("Judged", "标注覆盖")
    about = about(
        Text("How much of what was shown do we know anything about?", "展示的内容中有多少是标注过的？"),
        Text("Beside every number on incomplete judgements.", "标注不全时，与其他指标一起看。"),
        Text("It says nothing about quality.", "与好坏无关。"),
        ("bpref", "ndcg"),
        Text("2 of the top 4 are judged: 2 / 4 = 0.5", "前 4 个中有 2 个标注过：2 / 4 = 0.5"),
        typical_k="10, 100",
        example=("judged@4", (1, NAN, 0, NAN), ()),
        undefined=Text("", ""),
        higher_is_better=None,
        also=("覆盖", "未标注"),
    )

    def values(self, view: RankingView) -> Floats:
        """Hits with a grade of 0 or more; a negative grade was pooled but not judged."""
        judged = view.sum(view.share_within(self.k) * (view.grade >= 0))
        return ratio(judged, view.depth(self.k), np.zeros(len(view), bool))

    def define(self, ranked: RankedList) -> float:
        top = ranked.top(self.k)
        return divide(sum(grade is not None and grade >= 0 for grade in top), len(top))


@dataclass(frozen=True, kw_only=True)
class Fallout(RankingMetric):
    """Share of all non-relevant items of the catalogue that the top k shows.

    fallout@k = (min(n, k) − h_k) / (catalog − R)                                                      [manning2008]
    """

    name = "fallout"
    follows_grades = True
    title = Text("Fall-out", "误检率")
    about = about(
        Text("How much of what is wrong was shown?", "不该给的给了多少？"),
        Text("The false-positive rate of retrieval, for ROC-like reasoning.", "检索的假正例率，与 ROC 的思路一致。"),
        Text("Tiny for any large catalogue; ignores order.", "条目总数大时数值极小；不管顺序。"),
        ("recall",),
        Text(
            "2 wrong of 4 shown, 103 items of which 3 relevant: 2 / 100 = 0.02",
            "展示 4 个，错 2 个；共 103 个条目，相关 3 个：2 / 100 = 0.02",
        ),
        typical_k="10, 100",
        example=("fallout(catalog=103)@4",),
        higher_is_better=False,
    )

    catalog: float | None = parameter(
        None,
        Number(least=1, optional=True),
        Text(
            "Number of items that could be returned; required, but not with over=list.",
            "可返回的条目总数；除 over=list 外必填。",
        ),
    )
    over: str = choice(
        Text("Of which non-relevant items.", "取哪些不相关条目为分母。"),
        minor=True,
        catalog=Text("those of the catalogue: catalog − R", "全部条目中的：catalog − R"),
        list=Text("those of the whole list, where nothing else is known: n − h_n", "整个返回列表中的：n − h_n"),
    )

    def check(self) -> None:
        """The size of the catalogue cannot be guessed; of a list it does not matter."""
        if self.over == "list" and self.catalog is not None:
            raise InputError(
                "fallout: catalog= changes nothing with over=list; leave one of the two out",
                "fallout：over=list 时 catalog= 不起作用；请去掉其中之一",
            )
        if self.over == "catalog" and self.catalog is None:
            raise InputError(
                "fallout needs the number of items in the catalogue, e.g. fallout(catalog=10000)@10",
                "fallout 需要条目总数，例如 fallout(catalog=10000)@10",
            )

    def values(self, view: RankingView) -> Floats:
        misses = view.depth(self.k) - view.hits_within(self.k)
        if self.over == "list":
            others = view.returned - view.count(view.relevant)
            return ratio(misses, others, others == 0)
        wrong = float(self.catalog or 0) - view.relevant_count
        self._refuse_smaller(view, wrong)
        return ratio(misses, wrong, no_relevant(view))

    def _refuse_smaller(self, view: RankingView, wrong: NDArray[Any]) -> None:
        """The catalogue holds all that was judged or shown, and something that is wrong."""
        e = view.evidence
        items = view.returned + np.diff(e.judged_begin) - np.diff(e.hit_begin)
        small = np.flatnonzero((wrong <= 0) | (items > float(self.catalog or 0)))
        if len(small):
            query, count = e.queries.take(small[:1]).to_list()[0], int(items[small[0]])
            raise InputError(
                f"catalog={self.catalog}: query '{query}' has {count} items that were judged or returned, "
                f"{int(view.relevant_count[small[0]])} of them relevant; catalog= is the number of all items that could be returned",
                f"catalog={self.catalog}：查询 '{query}' 有 {count} 个已标注或已返回的条目，其中相关 "
                f"{int(view.relevant_count[small[0]])} 个；catalog= 应为可返回的条目总数",
            )

    def define(self, ranked: RankedList) -> float:
        misses = len(ranked.top(self.k)) - ranked.hits(self.k)
        if self.over == "list":
            wrong = len(ranked.grades) - ranked.hits(None)
            return misses / wrong if wrong else NAN
        total = ranked.relevant_count()
        return misses / (float(self.catalog or 0) - total) if total else NAN


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
