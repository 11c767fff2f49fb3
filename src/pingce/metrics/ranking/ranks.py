"""Metrics of the ranks at which relevant items stand: their mean, their median, and both against chance."""

from __future__ import annotations

from typing import Any

import numpy as np

from pingce.base.exact import Floats
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.ranking.view import RankingView
from pingce.metrics.parameters import choice
from pingce.metrics.ranking.base import NAN, RankedList, RankingMetric, Sum, about, ratio

_NONE_RETURNED = Text("no relevant item was returned", "没有返回相关条目")


def ranks(view: RankingView) -> Floats:
    """The rank of each hit; the mean over its block where the order is not fixed."""
    return view.above + (view.block + 1) / 2 if view.expected else view.rank.astype(np.float64)


def _mode_parameter(micro: Text) -> Any:
    return choice(
        Text("What is averaged.", "如何求平均。"),
        query=Text("the value of each query", "各查询的值"),
        micro=micro,
    )


class RatioOfSums(RankingMetric):
    """Base of metrics that divide one sum of a query by another; `mode=micro` adds both up over all queries first."""

    follows_grades = True
    takes = ""
    mode: str

    def sums(self, view: RankingView) -> tuple[Floats, Floats]:
        """What is divided, and what by."""
        raise NotImplementedError

    def values(self, view: RankingView) -> Floats:
        top, bottom = self.sums(view)
        return ratio(top, bottom, bottom == 0)

    def parts(self, view: RankingView) -> tuple[Floats, ...]:
        return self.sums(view) if self.mode == "micro" else ()

    def combine(self, *sums: Sum) -> float:
        """The mean, or one sum of all queries over the other."""
        if self.mode != "micro":
            return sums[0].mean
        top, bottom = (each.total for each in sums)
        return top / bottom if bottom else NAN


@dataclass(frozen=True, kw_only=True)
class MeanRank(RatioOfSums):
    """The mean rank of the relevant items that were returned.

    mean_rank = Σ_i rel_i · i / h_n                                                                      [bordes2013]
    """

    name = "mean_rank"
    of_rank = True
    title = Text("Mean rank", "平均名次")
    about = about(
        Text("Where do relevant items stand on average?", "相关条目平均排在第几？"),
        Text("Whole catalogues ranked, as in link prediction.", "对全部候选排序，如知识图谱的链接预测。"),
        Text(
            "Items that were not returned do not count: look at recall; one item far down decides.",
            "没有返回的条目不计入，须同时看召回率；一个排得极后的条目就能左右结果。",
        ),
        ("median_rank", "rr"),
        Text("Relevant at ranks 1 and 3: (1 + 3) / 2 = 2", "第 1、3 位相关：(1 + 3) / 2 = 2"),
        range="1 … ∞",
        higher_is_better=False,
        undefined=_NONE_RETURNED,
    )

    mode: str = _mode_parameter(Text("Σ ranks / Σ h_n over all queries", "全体查询的 Σ 名次 / Σ h_n"))

    def sums(self, view: RankingView) -> tuple[Floats, Floats]:
        return view.sum(ranks(view) * view.relevant), view.count(view.relevant).astype(np.float64)

    def define(self, ranked: RankedList) -> float:
        places = relevant_ranks(ranked)
        return sum(places) / len(places) if places else NAN


def relevant_ranks(ranked: RankedList) -> list[int]:
    """Where the relevant items stand."""
    return [rank for rank, grade in enumerate(ranked.grades, 1) if ranked.is_relevant(grade)]


class MedianRank(RankingMetric):
    """The rank that half of the relevant items returned do not exceed; over queries the median again, not the mean.

    median_rank = median { i ≤ n : rel_i = 1 }                                                       [berrendorf2020]
    """

    name = "median_rank"
    follows_grades = True
    title = Text("Median rank", "名次中位数")
    about = about(
        Text("Where does a typical relevant item stand?", "一般的相关条目排在第几？"),
        Text("Whole catalogues ranked; long tails of ranks.", "对全部候选排序；名次分布有长尾。"),
        Text(
            "Items that were not returned do not count; the lower half may be as bad as it likes.",
            "没有返回的条目不计入；后一半再差也看不出来。",
        ),
        ("mean_rank", "recall"),
        Text("Relevant at ranks 1, 2 and 6: the middle one, 2", "第 1、2、6 位相关：取中间的 2"),
        example=("median_rank", (1, 1, 0, 0, 0, 1), ()),
        range="1 … ∞",
        higher_is_better=False,
        undefined=_NONE_RETURNED,
    )
    takes = ""
    closed_form = False

    def values(self, view: RankingView) -> Floats:
        """The mean of the two in the middle, or of the one with itself."""
        places, counts = view.rank[view.relevant], view.count(view.relevant)
        some = counts > 0
        begin = (np.cumsum(counts) - counts)[some]
        out = np.full(len(view), NAN)
        out[some] = (places[begin + (counts[some] - 1) // 2] + places[begin + counts[some] // 2]) / 2
        return out

    @property
    def level(self) -> float:
        """The median over queries."""
        return 0.5

    def define(self, ranked: RankedList) -> float:
        from statistics import median  # a command imports this module, and needs none of that one

        places = relevant_ranks(ranked)
        return float(median(places)) if places else NAN


class AdjustedMeanRankIndex(RankingMetric):
    """How far the mean rank lies from the one of a random order: 1 is the top of every list, 0 is chance.

    AMRI = 1 − (mean_rank − 1) / ((n + 1)/2 − 1)                                                     [berrendorf2020]
    """

    name = "amri"
    follows_grades = True
    title = Text("Adjusted mean rank index", "校正平均名次指数（AMRI）")
    about = about(
        Text("How much better than chance do relevant items stand?", "相关条目的位置比随机好多少？"),
        Text("Lists of different lengths, as in link prediction.", "长度不同的列表，如链接预测。"),
        Text(
            "Over all queries it divides sums, so that long lists count for more; items that were not returned do not count.",
            "对全体查询取和之比，长列表的权重更大；没有返回的条目不计入。",
        ),
        ("mean_rank", "rr"),
        Text(
            "Four items, relevant at ranks 1 and 3: mean rank 2; 1 − (2 − 1) / (2.5 − 1) = 0.333333",
            "四个条目，第 1、3 位相关：平均名次 2；1 − (2 − 1) / (2.5 − 1) = 0.333333",
        ),
        range="−1 … 1",
        undefined=Text("no relevant item was returned, or n = 1", "没有返回相关条目，或 n = 1"),
    )
    takes = ""

    def lags(self, view: RankingView) -> tuple[Floats, Floats]:
        """How far the mean rank is from 1, and how far it is by chance; NaN where a query is undefined."""
        mean, chance = MeanRank().values(view) - 1.0, (view.returned - 1) / 2
        undefined = np.isnan(mean) | (chance == 0)
        return np.where(undefined, NAN, mean), np.where(undefined, NAN, chance)

    def values(self, view: RankingView) -> Floats:
        lag, chance = self.lags(view)
        return 1.0 - lag / chance

    def parts(self, view: RankingView) -> tuple[Floats, ...]:
        lag, chance = self.lags(view)
        return np.nan_to_num(lag), np.nan_to_num(chance)

    def combine(self, *sums: Sum) -> float:
        """1 − the quotient of both means; only queries with a value count."""
        lag, chance = (each.total for each in sums)
        return 1.0 - lag / chance if chance else NAN

    def define(self, ranked: RankedList) -> float:
        places, length = relevant_ranks(ranked), len(ranked.grades)
        return 1 - (sum(places) / len(places) - 1) / ((length + 1) / 2 - 1) if places and length > 1 else NAN


@dataclass(frozen=True, kw_only=True)
class GradeWeightedRank(RatioOfSums):
    """The mean rank of the items returned, each counting as much as its grade.

    ARP = Σ_i g_i · i / Σ_i g_i  (g ≤ 0 counts 0)                                                   [pasumarthi2019]
    """

    name = "arp_grade"
    weighs_items = True
    title = Text("Average rank by relevance", "等级加权平均名次")
    formula_zh = "ARP = Σ_i g_i · i / Σ_i g_i（g ≤ 0 记 0）"
    about = about(
        Text("Where do good items stand, the better the more?", "好条目平均排在第几？等级越高越计较。"),
        Text("Learning to rank with TensorFlow Ranking (ARPMetric).", "TensorFlow Ranking 的排序学习（ARPMetric）。"),
        Text(
            "One item far down decides, and items that were not returned do not count.",
            "一个排得极后的条目就能左右结果；没有返回的条目不计入。",
        ),
        ("mean_rank", "ndcg"),
        Text("grades 2, 0, 1: (2·1 + 1·3) / (2 + 1) = 1.666667", "等级 2, 0, 1：(2·1 + 1·3) / (2 + 1) = 1.666667"),
        example=("arp_grade", (2, 0, 1), ()),
        range="1 … ∞",
        higher_is_better=False,
        undefined=Text("no item with a grade above 0 was returned", "没有返回等级大于 0 的条目"),
    )

    mode: str = _mode_parameter(
        Text("both sums over all queries first (TensorFlow Ranking)", "先对全体查询分别求和（TensorFlow Ranking）")
    )

    def sums(self, view: RankingView) -> tuple[Floats, Floats]:
        grades = view.weighed(np.maximum(view.grade, 0.0))
        return view.sum(grades * ranks(view)), view.sum(grades)

    @property
    def takes_item_weight(self) -> bool:
        """Also where both sums are over all queries: items weigh inside them."""
        return True

    def judged_worth(self, view: RankingView) -> Floats:
        return np.maximum(view.judged_grade, 0.0)

    def tied_worth(self, view: RankingView) -> Floats:
        return view.weighed(np.maximum(view.grade, 0.0))

    def define(self, ranked: RankedList) -> float:
        grades = [max(grade or 0.0, 0.0) * weight for grade, weight in ranked.items(None)]
        total = sum(grades)
        return sum(grade * rank for rank, grade in enumerate(grades, 1)) / total if total else NAN
