"""Metrics of what was found in the top k, whatever its order: precision, recall, F, and how many hits there are."""

from __future__ import annotations

from math import isnan

import numpy as np

from pingce.base.exact import Floats
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.ranking.view import RankingView
from pingce.metrics.parameters import Number, choice, parameter
from pingce.metrics.ranking.base import NAN, RankedList, RankingMetric, Sum, about, divide, no_relevant, ratio
from pingce.metrics.ranking.tied import expected_hit_rate


@dataclass(frozen=True, kw_only=True)
class Precision(RankingMetric):
    """Share of the top k that is relevant.

    P@k = h_k / k                                                                                      [manning2008]
    """

    name = "precision"
    of_rank = True
    follows_grades = True
    aliases = ("p",)
    title = Text("Precision", "精确率（查准率）")
    about = about(
        Text("How much of what was shown is right?", "给出的有多少是对的？"),
        Text("Search result pages and short recommendation lists.", "搜索结果页、短推荐列表；排序阶段。"),
        Text(
            "It ignores what was not returned and the order within the top k; with R < k it cannot reach 1.",
            "不管漏掉了多少，也不管前 k 个内部的顺序；当 R < k 时达不到 1。",
        ),
        ("recall", "ndcg"),
        Text("Relevant at ranks 1 and 3 of 4, k = 4: 2 / 4 = 0.5", "4 个中第 1、3 位相关，k = 4：2 / 4 = 0.5"),
        typical_k="5, 10, 20",
        example=("precision@4",),
        also=("查准率", "准确率@K", "精度", "准确率"),
    )

    over: str = choice(
        Text("What h_k is divided by.", "分母取什么。"),
        k=Text("k, also when fewer items were returned", "k，返回不足 k 个时也是 k"),
        list=Text("min(n, k): the items really shown", "min(n, k)：实际展示的个数"),
        min=Text("min(k, R): the most that could be found", "min(k, R)：最多能找到的个数"),
        judged=Text("the judged items among the top k (Elasticsearch)", "前 k 中已标注的条目数（Elasticsearch）"),
    )
    mode: str = choice(
        Text("What is averaged.", "如何求平均。"),
        minor=True,
        query=Text("the share of each query, then the mean", "先求每个查询的占比，再求平均"),
        micro=Text("Σ h_k / Σ of what it is divided by, over all queries", "全体查询的 Σ h_k / Σ 分母"),
    )

    def knows_expected(self) -> bool:
        """How many of the top k are judged may depend on the order."""
        return self.over != "judged" or self.k is None

    def is_bounded_by_grades(self) -> bool:
        """A judged item that is wrong lowers the value, where one that nobody judged does not count."""
        return self.knows_expected()

    def bottom(self, view: RankingView) -> Floats:
        """What h_k is divided by."""
        k = view.cutoff(self.k)
        if self.over == "judged":
            return view.sum(view.share_within(self.k) * (view.grade >= 0))
        bottoms = {"k": k, "list": np.minimum(k, view.returned), "min": np.minimum(k, view.relevant_count)}
        return bottoms[self.over].astype(np.float64)

    def values(self, view: RankingView) -> Floats:
        return ratio(view.hits_within(self.k), self.bottom(view), no_relevant(view))

    def parts(self, view: RankingView) -> tuple[Floats, ...]:
        """What is divided, and what by; of a query without relevant items neither counts."""
        if self.mode != "micro":
            return ()
        return view.hits_within(self.k), np.where(no_relevant(view), 0.0, self.bottom(view))

    def combine(self, *sums: Sum) -> float:
        """The mean, or all hits over all that they are divided by."""
        if self.mode != "micro":
            return sums[0].mean
        hits, bottom = (each.total for each in sums)
        return hits / bottom if bottom else NAN

    def define(self, ranked: RankedList) -> float:
        hits, returned = ranked.relevant_count(), len(ranked.grades)
        k = returned if self.k is None else self.k
        judged = sum(grade is not None and grade >= 0 for grade in ranked.top(self.k))
        bottom = {"k": k, "list": min(k, returned), "min": min(k, hits), "judged": judged}[self.over]
        return divide(ranked.hits(self.k), bottom) if hits else NAN


@dataclass(frozen=True, kw_only=True)
class Recall(RankingMetric):
    """Share of the relevant items that the top k holds.

    R@k = h_k / R                                                                                      [manning2008]
    """

    name = "recall"
    of_rank = True
    follows_grades = True
    aliases = ("r",)
    title = Text("Recall", "召回率（查全率）")
    about = about(
        Text("How much of what is right was found?", "该找的找回了多少？"),
        Text("The recall stage (candidate generation), at large k.", "召回阶段（候选生成），k 较大。"),
        Text(
            "It ignores order: a hit at rank k counts as one at rank 1. With R > k it cannot reach 1.",
            "不管顺序：排第 k 与排第 1 一样；当 R > k 时达不到 1。",
        ),
        ("rr", "ndcg", "precision"),
        Text(
            "2 of 3 relevant items are in the top 4: 2 / 3 = 0.666667", "3 个相关条目中有 2 个在前 4：2 / 3 = 0.666667"
        ),
        typical_k="50, 100, 1000",
        example=("recall@4",),
        also=("查全率", "召回", "覆盖率"),
    )

    over: str = choice(
        Text("What h_k is divided by.", "分母取什么。"),
        relevant=Text("R: all relevant items", "R：全部相关条目"),
        min=Text("min(R, k): the most that k places can hold", "min(R, k)：k 个位置最多能容纳的个数"),
        list=Text("the relevant items of the whole list", "整个返回列表中的相关条目数"),
    )

    def values(self, view: RankingView) -> Floats:
        total = view.relevant_count
        if self.over == "min":
            total = np.minimum(total, view.cutoff(self.k))
        elif self.over == "list":
            total = view.count(view.relevant)
        return ratio(view.hits_within(self.k), total, no_relevant(view))

    def define(self, ranked: RankedList) -> float:
        total = ranked.relevant_count()
        k = len(ranked.grades) if self.k is None else self.k
        bottom = {"relevant": total, "min": min(total, k), "list": ranked.hits(None)}[self.over]
        return divide(ranked.hits(self.k), bottom) if total else NAN


@dataclass(frozen=True, kw_only=True)
class FMeasure(RankingMetric):
    """Harmonic mean of precision and recall, weighted by beta.

    F@k = (1 + β²) · P@k · R@k / (β² · P@k + R@k)                                                [vanrijsbergen1979]
    """

    name = "f"
    of_rank = True
    follows_grades = True
    aliases = ("f1",)
    title = Text("F measure", "F 值（F1）")
    about = about(
        Text("Are precision and recall good at once?", "又准又全吗？"),
        Text("Lists whose length is itself a decision.", "列表长度本身需要权衡的场景。"),
        Text("It ignores order, and hides which of the two is low.", "不管顺序，也看不出是精确率低还是召回率低。"),
        ("precision", "recall"),
        Text(
            "P = 2/4, R = 2/3: 2 · (1/2 · 2/3) / (1/2 + 2/3) = 0.571429",
            "精确率 P = 2/4，召回率 R = 2/3：2 · (1/2 · 2/3) / (1/2 + 2/3) = 0.571429",
        ),
        typical_k="5, 10, 20",
        example=("f@4",),
        also=("F1", "F1值", "调和平均"),
    )

    beta: float = parameter(
        1, Number(above=0), Text("How much more recall weighs than precision.", "召回相对精确的权重，β > 1 偏重召回。")
    )
    of: str = choice(
        Text("Of what F is taken.", "对谁求 F。"),
        query=Text("each query's own P and R, then the mean", "每个查询自己的 P、R，再求平均"),
        means=Text("the mean P and the mean R of all queries", "全体查询的平均 P 与平均 R"),
    )
    squared: str = choice(
        Text("Whether β is squared.", "β 是否取平方。"),
        yes=Text("β², the usual F_β", "β²，通常的 F_β"),
        no=Text("β as it is: trec_eval's set_F", "直接用 β：trec_eval 的 set_F"),
    )

    def knows_expected(self) -> bool:
        """F of means is no mean over orders."""
        return self.of == "query"

    @property
    def _weight(self) -> float:
        return self.beta * self.beta if self.squared == "yes" else self.beta

    def values(self, view: RankingView) -> Floats:
        """F of each query's precision and recall; linear in h_k, so that it holds for expected hits too."""
        p, r = Precision(k=self.k).values(view), Recall(k=self.k).values(view)
        return ratio((1 + self._weight) * p * r, self._weight * p + r, no_relevant(view))

    def parts(self, view: RankingView) -> tuple[Floats, ...]:
        return () if self.of == "query" else (Precision(k=self.k).values(view), Recall(k=self.k).values(view))

    def combine(self, *sums: Sum) -> float:
        """The mean, or F of the two means."""
        if self.of == "query":
            return sums[0].mean
        p, r = (each.mean for each in sums)
        return p if isnan(p) else divide((1 + self._weight) * p * r, self._weight * p + r)

    def define(self, ranked: RankedList) -> float:
        p, r = Precision(k=self.k).define(ranked), Recall(k=self.k).define(ranked)
        weight = self.beta**2 if self.squared == "yes" else self.beta
        return p if isnan(p) else divide((1 + weight) * p * r, weight * p + r)


@dataclass(frozen=True, kw_only=True)
class HitRate(RankingMetric):
    """Whether the top k holds at least one relevant item.

    HR@k = [h_k > 0]                                                                                 [deshpande2004]
    """

    name = "hit_rate"
    of_rank = True
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
    of_rank = True
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
