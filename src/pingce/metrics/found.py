"""Metrics that count what was found in the top k, whatever its order: precision, recall, F, hits and relatives."""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum, isnan
from typing import TYPE_CHECKING

import numpy as np

from pingce.errors import InputError
from pingce.language import Text
from pingce.metrics.base import NAN, About, Mean, RankedList, RankingMetric, divide, no_relevant, ratio
from pingce.metrics.parameters import Number, choice, parameter
from pingce.metrics.tied import expected_hit_rate

if TYPE_CHECKING:
    from pingce.evidence.view import RankingView
    from pingce.metrics.base import Floats

_EITHER_MODE = Text("What is averaged.", "如何求平均。")


@dataclass(frozen=True, kw_only=True)
class Precision(RankingMetric):
    """Share of the top k that is relevant.

    P@k = h_k / k, also when fewer than k items were returned                                        [manning2008]
    """

    name = "precision"
    aliases = ("p",)
    title = Text("Precision", "精确率（查准率）")
    formula = "P@k = h_k / k"
    about = About(
        question=Text("How much of what was shown is right?", "给出的有多少是对的？"),
        use=Text("Search result pages and short recommendation lists.", "搜索结果页、短推荐列表；排序阶段。"),
        blind=Text(
            "It ignores what was not returned and the order within the top k; with R < k it cannot reach 1.",
            "不管漏掉了多少，也不管前 k 个内部的顺序；当 R < k 时达不到 1。",
        ),
        pairs_with=("recall", "ndcg"),
        typical_k="5, 10, 20",
        reference="manning2008",
        worked=Text("Relevant at ranks 1 and 3 of 4, k = 4: 2 / 4 = 0.5", "4 个中第 1、3 位相关，k = 4：2 / 4 = 0.5"),
        example=("precision@4", (1, 0, 1, 0), (1,)),
        also=("查准率", "准确率@K", "精度", "准确率"),
    )

    over: str = choice(
        Text("What h_k is divided by.", "分母取什么。"),
        k=Text("k, also when fewer items were returned", "k，返回不足 k 个时也是 k"),
        list=Text("min(n, k): the items really shown", "min(n, k)：实际展示的个数"),
        min=Text("min(k, R): the most that could be found", "min(k, R)：最多能找到的个数"),
    )

    def values(self, seen: RankingView) -> Floats:
        """h_k over the chosen denominator."""
        k = seen.cutoff(self.k)
        bottom = {"k": k, "list": np.minimum(k, seen.returned), "min": np.minimum(k, seen.relevant_count)}[self.over]
        return ratio(seen.hits_within(self.k), bottom, no_relevant(seen))

    def define(self, ranked: RankedList) -> float:
        """Count, then divide."""
        found, shown = ranked.relevant_count(), len(ranked.grades)
        k = shown if self.k is None else self.k
        bottom = {"k": k, "list": min(k, shown), "min": min(k, found)}[self.over]
        return divide(ranked.hits(self.k), bottom) if found else NAN


@dataclass(frozen=True, kw_only=True)
class Recall(RankingMetric):
    """Share of the relevant items that the top k holds.

    R@k = h_k / R                                                                                    [manning2008]
    """

    name = "recall"
    aliases = ("r",)
    title = Text("Recall", "召回率（查全率）")
    formula = "R@k = h_k / R"
    about = About(
        question=Text("How much of what is right was found?", "该找的找回了多少？"),
        use=Text("The recall stage (candidate generation), at large k.", "召回阶段（候选生成），k 较大。"),
        blind=Text(
            "It ignores order: a hit at rank k counts as one at rank 1. With R > k it cannot reach 1.",
            "不管顺序：排第 k 与排第 1 一样；当 R > k 时达不到 1。",
        ),
        pairs_with=("rr", "ndcg", "precision"),
        typical_k="50, 100, 1000",
        reference="manning2008",
        worked=Text(
            "2 of 3 relevant items are in the top 4: 2 / 3 = 0.666667", "3 个相关条目中有 2 个在前 4：2 / 3 = 0.666667"
        ),
        example=("recall@4", (1, 0, 1, 0), (1,)),
        also=("查全率", "召回", "覆盖率"),
    )

    over: str = choice(
        Text("What h_k is divided by.", "分母取什么。"),
        relevant=Text("R: all relevant items", "R：全部相关条目"),
        min=Text("min(R, k): the most that k places can hold", "min(R, k):k 个位置最多能容纳的个数"),
        list=Text("the relevant items of the whole list", "整个返回列表中的相关条目数"),
    )

    def values(self, seen: RankingView) -> Floats:
        """h_k over the chosen denominator."""
        total = seen.relevant_count
        if self.over == "min":
            total = np.minimum(total, seen.cutoff(self.k))
        elif self.over == "list":
            total = seen.count(seen.relevant)
        return ratio(seen.hits_within(self.k), total, no_relevant(seen))

    def define(self, ranked: RankedList) -> float:
        """Count, then divide."""
        total = ranked.relevant_count()
        k = len(ranked.grades) if self.k is None else self.k
        bottom = {"relevant": total, "min": min(total, k), "list": ranked.hits(None)}[self.over]
        return divide(ranked.hits(self.k), bottom) if total else NAN


@dataclass(frozen=True, kw_only=True)
class FMeasure(RankingMetric):
    """Harmonic mean of precision and recall, weighted by beta.

    F@k = (1 + β²) P R / (β² P + R) of the query's own P@k and R@k; 0 if both are 0            [vanrijsbergen1979]
    """

    name = "f"
    aliases = ("f1",)
    title = Text("F measure", "F 值（F1）")
    formula = "F@k = (1 + β²) · P@k · R@k / (β² · P@k + R@k)"
    about = About(
        question=Text("Are precision and recall good at once?", "又准又全吗？"),
        use=Text("Lists whose length is itself a decision.", "列表长度本身需要权衡的场景。"),
        blind=Text(
            "It ignores order, and hides which of the two is low.", "不管顺序，也看不出是精确率低还是召回率低。"
        ),
        pairs_with=("precision", "recall"),
        typical_k="5, 10, 20",
        reference="vanrijsbergen1979",
        worked=Text(
            "P = 2/4, R = 2/3: 2 · (1/2 · 2/3) / (1/2 + 2/3) = 0.571429",
            "精确率 P = 2/4，召回率 R = 2/3：2 · (1/2 · 2/3) / (1/2 + 2/3) = 0.571429",
        ),
        example=("f@4", (1, 0, 1, 0), (1,)),
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
        no=Text("β as it is: trec_eval's set_F", "直接用 β:trec_eval 的 set_F"),
    )

    def knows_expected(self) -> bool:
        """F of means is no mean over orders."""
        return self.of == "query"

    @property
    def _weight(self) -> float:
        return self.beta * self.beta if self.squared == "yes" else self.beta

    def _parts(self, seen: RankingView) -> tuple[Floats, Floats]:
        return Precision(k=self.k).values(seen), Recall(k=self.k).values(seen)

    def values(self, seen: RankingView) -> Floats:
        """F of each query's precision and recall; linear in h_k, so that it holds for expected hits too."""
        p, r = self._parts(seen)
        return ratio((1 + self._weight) * p * r, self._weight * p + r, no_relevant(seen))

    def summarize(self, seen: RankingView, values: Floats, mean: Mean) -> float:
        """The mean, or F of the two means."""
        if self.of == "query":
            return mean(values)
        p, r = (mean(part) for part in self._parts(seen))
        return p if isnan(p) else divide((1 + self._weight) * p * r, self._weight * p + r)

    def define(self, ranked: RankedList) -> float:
        """From the definitions of P and R."""
        p, r = Precision(k=self.k).define(ranked), Recall(k=self.k).define(ranked)
        weight = self.beta**2 if self.squared == "yes" else self.beta
        return p if isnan(p) else divide((1 + weight) * p * r, weight * p + r)


@dataclass(frozen=True, kw_only=True)
class HitRate(RankingMetric):
    """Whether the top k holds at least one relevant item.

    HR@k = 1 if h_k > 0, else 0                                                                    [deshpande2004]
    """

    name = "hit_rate"
    aliases = ("hr", "hit", "success")
    title = Text("Hit rate", "命中率")
    formula = "HR@k = [h_k > 0]"
    about = About(
        question=Text("Is there one at all?", "有没有？"),
        use=Text("Leave-one-out tests of recommenders; the recall stage.", "留一法评测推荐系统；召回阶段。"),
        blind=Text("It ignores how many were found, and where.", "不管命中多少个，也不管排在哪里。"),
        pairs_with=("rr", "ndcg"),
        typical_k="1, 5, 10, 20",
        reference="deshpande2004",
        worked=Text("A relevant item at rank 3, k = 4: 1", "第 3 位相关，k = 4：1"),
        example=("hit_rate@4", (0, 0, 1, 0), (1,)),
        also=("击中率", "HR", "命中"),
    )

    mode: str = choice(
        _EITHER_MODE,
        query=Text("1 or 0 for each query, then the mean", "每个查询记 1 或 0，再求平均"),
        micro=Text("Σ h_k / Σ R over all queries", "全体查询的 Σ h_k / Σ R"),
    )

    def values(self, seen: RankingView) -> Floats:
        """1 where h_k > 0; under `mode=micro` the query's own share h_k / R."""
        if self.mode == "micro":
            return Recall(k=self.k).values(seen)
        hit = expected_hit_rate(seen, self.k) if seen.expected else (seen.hits_within(self.k) > 0).astype(np.float64)
        hit[no_relevant(seen)] = NAN
        return hit

    def summarize(self, seen: RankingView, values: Floats, mean: Mean) -> float:
        """The mean, or all hits over all relevant items."""
        if self.mode == "query":
            return mean(values)
        total = int(seen.relevant_count.sum())
        return fsum(seen.hits_within(self.k)) / total if total else NAN

    def define(self, ranked: RankedList) -> float:
        """Look whether there is one; under `mode=micro` the share found."""
        if not ranked.relevant_count():
            return NAN
        return ranked.hits(self.k) / ranked.relevant_count() if self.mode == "micro" else float(ranked.hits(self.k) > 0)


@dataclass(frozen=True, kw_only=True)
class Hits(RankingMetric):
    """How many relevant items the top k holds.

    hits@k = h_k                                                                                     [manning2008]
    """

    name = "hits"
    title = Text("Hits", "命中数")
    formula = "hits@k = h_k"
    about = About(
        question=Text("How many were found?", "命中了几个？"),
        use=Text("Reading a precision or recall back as a count.", "把精确率、召回率还原成个数。"),
        blind=Text("It ignores order and how many there were to find.", "不管顺序，也不管总共有多少个可找。"),
        pairs_with=("recall", "precision"),
        typical_k="10, 100",
        reference="manning2008",
        worked=Text("Relevant at ranks 1 and 3, k = 4: 2", "第 1、3 位相关，k = 4：2"),
        example=("hits@4", (1, 0, 1, 0), (1,)),
        range="0 … k",
    )

    def values(self, seen: RankingView) -> Floats:
        """h_k."""
        return ratio(seen.hits_within(self.k), np.ones(len(seen)), no_relevant(seen))

    def define(self, ranked: RankedList) -> float:
        """Count."""
        return float(ranked.hits(self.k)) if ranked.relevant_count() else NAN


@dataclass(frozen=True, kw_only=True)
class RPrecision(RankingMetric):
    """Precision at the depth where precision and recall are equal: R.

    R-precision = h_R / R                                                                          [voorhees2005]
    """

    name = "r_precision"
    aliases = ("rprec", "r_prec")
    title = Text("R-precision", "R 精确率")
    formula = "RPrec = h_R / R"
    about = About(
        question=Text("If R items are right, how many of the first R are?", "有 R 个对的，前 R 个里有几个？"),
        use=Text("Search with many relevant items a query; needs no k.", "每个查询相关条目较多的检索；不需要选 k。"),
        blind=Text("It ignores order within the first R, and all after it.", "不管前 R 个内部的顺序，也不管其后。"),
        pairs_with=("ap",),
        typical_k="–",
        reference="voorhees2005",
        worked=Text("R = 3, relevant at ranks 1 and 3: 2 / 3 = 0.666667", "R = 3，第 1、3 位相关：2 / 3 = 0.666667"),
        example=("r_precision", (1, 0, 1, 0), (1,)),
    )
    takes_k = False

    def values(self, seen: RankingView) -> Floats:
        """Hits within the query's own R."""
        return ratio(seen.hits_within(seen.relevant_count), seen.relevant_count, no_relevant(seen))

    def define(self, ranked: RankedList) -> float:
        """Precision at R."""
        total = ranked.relevant_count()
        return ranked.hits(total) / total if total else NAN


@dataclass(frozen=True, kw_only=True)
class Judged(RankingMetric):
    """Share of the top k that has been judged at all: how far the other numbers can be trusted.

    judged@k = judged items among the top k / min(n, k)                                             [buckley2004]
    """

    name = "judged"
    title = Text("Judged", "标注覆盖")
    formula = "judged@k = |judged ∩ top k| / min(n, k)"
    about = About(
        question=Text("How much of what was shown do we know anything about?", "展示的内容中有多少是标注过的？"),
        use=Text("Beside every number on incomplete judgements.", "标注不全时，与其他指标一起看。"),
        blind=Text("It says nothing about quality.", "与好坏无关。"),
        pairs_with=("bpref", "ndcg"),
        typical_k="10, 100",
        reference="buckley2004",
        worked=Text("2 of the top 4 are judged: 2 / 4 = 0.5", "前 4 个中有 2 个标注过：2 / 4 = 0.5"),
        example=("judged@4", (1, NAN, 0, NAN), ()),
        undefined=Text("", ""),
        higher_is_better=None,
        also=("覆盖", "未标注"),
    )

    def values(self, seen: RankingView) -> Floats:
        """Hits with a grade of 0 or more; a negative grade was pooled but not judged."""
        judged = seen.sum(seen.share_within(self.k) * (seen.grade >= 0))
        return ratio(judged, seen.depth(self.k), np.zeros(len(seen), bool))

    def define(self, ranked: RankedList) -> float:
        """Count, then divide by what was shown."""
        top = ranked.top(self.k)
        return divide(sum(grade is not None and grade >= 0 for grade in top), len(top))


@dataclass(frozen=True, kw_only=True)
class Fallout(RankingMetric):
    """Share of all non-relevant items of the catalogue that the top k shows.

    fallout@k = (min(n, k) − h_k) / (catalog − R)                                                    [manning2008]
    """

    name = "fallout"
    title = Text("Fall-out", "误检率")
    formula = "fallout@k = (min(n, k) − h_k) / (catalog − R)"
    about = About(
        question=Text("How much of what is wrong was shown?", "不该给的给了多少？"),
        use=Text(
            "The false-positive rate of retrieval, for ROC-like reasoning.", "检索的假正例率，与 ROC 的思路一致。"
        ),
        blind=Text("Tiny for any large catalogue; ignores order.", "条目总数大时数值极小；不管顺序。"),
        pairs_with=("recall",),
        typical_k="10, 100",
        reference="manning2008",
        worked=Text(
            "2 wrong of 4 shown, 103 items of which 3 relevant: 2 / 100 = 0.02",
            "展示 4 个，错 2 个；共 103 个条目，相关 3 个：2 / 100 = 0.02",
        ),
        example=("fallout(catalog=103)@4", (1, 0, 1, 0), (1,)),
        higher_is_better=False,
    )

    catalog: float | None = parameter(
        None,
        Number(least=1, optional=True),
        Text("Number of items that could be returned; required.", "可返回的条目总数；必填。"),
    )

    def check(self) -> None:
        """The size of the catalogue cannot be guessed."""
        if self.catalog is None:
            raise InputError(
                "fallout needs the number of items in the catalogue, e.g. fallout(catalog=10000)@10",
                "fallout 需要条目总数，例如 fallout(catalog=10000)@10",
            )

    def values(self, seen: RankingView) -> Floats:
        """Wrong items shown over all wrong items."""
        wrong = float(self.catalog or 0) - seen.relevant_count
        if (wrong <= 0).any() or (seen.returned > float(self.catalog or 0)).any():
            raise InputError(
                f"catalog={self.catalog}: a query has more items than that",
                f"catalog={self.catalog}：有查询的条目数超过该值",
            )
        return ratio(seen.depth(self.k) - seen.hits_within(self.k), wrong, no_relevant(seen))

    def define(self, ranked: RankedList) -> float:
        """Wrong items shown over all wrong items."""
        total = ranked.relevant_count()
        return (len(ranked.top(self.k)) - ranked.hits(self.k)) / (float(self.catalog or 0) - total) if total else NAN
