"""Metrics of the whole list as a set, as trec_eval has them: for systems that decide what to return, not in which order."""

from __future__ import annotations

from dataclasses import dataclass

from pingce.base.exact import Floats
from pingce.base.text import Text
from pingce.evidence.ranking.view import RankingView
from pingce.metrics.parameters import Number, parameter
from pingce.metrics.ranking.base import NAN, RankedList, RankingMetric, about, divide, no_relevant, ratio


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
