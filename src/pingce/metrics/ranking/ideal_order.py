"""Metrics that go down the list beside the ideal one: G, NDCG at relevant items and at levels of gain."""

from __future__ import annotations

import math

import numpy as np

from pingce.base.exact import Floats, Ints
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.ranking.view import RankingView, weights_at
from pingce.metrics.ranking.base import NAN, RankedList, about, no_relevant, ratio
from pingce.metrics.ranking.cumulated import BestFirst, GainMetric, hit_gains, judged_gains, sorted_best_first
from pingce.metrics.ranking.gains import DISCOUNTS, Gain, gain_below_parameter, gain_parameter, plain_gain
from pingce.metrics.ranking.running import Running, hits_upto

LOG2 = DISCOUNTS["log2"]


class AlongIdeal(GainMetric):
    """Base of metrics that compare the list with the ideal one at several ranks."""

    takes = ""
    closed_form = False
    gain: Gain
    gain_below: str

    def is_bounded_by_grades(self) -> bool:
        """Whether an order of tied items changes ranks that are compared is not a matter of grades alone."""
        return False

    def best_first(self, view: RankingView) -> BestFirst:
        """All judged items that gain something, in the ideal order."""

        def sort() -> BestFirst:
            worth = judged_gains(view, self.gain, self.gain_below)
            return sorted_best_first(view.judged_query, worth, len(view), in_order=isinstance(self.gain, str))

        return view.remember(("best first", True, self.gain, self.gain_below), sort)

    def growing(self, view: RankingView) -> tuple[Running, Running]:
        """DCG of the list, hit by hit, and of the ideal list, rank by rank."""
        best, worth = self.best_first(view), hit_gains(view, self.gain, self.gain_below)
        dcg = Running.of(view.query, worth * weights_at(LOG2, view.rank), len(view))
        return dcg, Running.of(best.query, best.worth * weights_at(LOG2, best.rank), len(view))

    def plain_best(self, ranked: RankedList) -> list[float]:
        """The gains of the ideal list, as far as there are any."""
        worth = (plain_gain(ranked, grade, self.gain, self.gain_below) for grade in ranked.judged)
        return sorted((gain for gain in worth if gain > 0), reverse=True)

    def plain_worth(self, ranked: RankedList) -> list[float]:
        """The gain at each rank of the list."""
        return [plain_gain(ranked, grade, self.gain, self.gain_below) for grade in ranked.grades]


@dataclass(frozen=True, kw_only=True)
class NormalizedGain(AlongIdeal):
    """Share of all gain that the list collects, each item dampened by how far the list has fallen behind the ideal one.

    G = Σ_i gain(g_i) / log2(2 + cost_i − Σ_{j≤i} gain(g_j)) / ideal; cost_i: gains of the first i items of the ideal list, at least 1 each; ideal: all of them together  [buckley2008]
    """

    name = "g"
    title = Text("Normalized gain G", "归一化增益 G")
    formula_zh = "G = Σ_i gain(g_i) / log2(2 + cost_i − Σ_{j≤i} gain(g_j)) / 理想值；cost_i：理想列表前 i 个条目的增益，每个至少为 1；理想值：其总和"
    about = about(
        Text("How much is found before the list falls behind?", "在落后于理想列表之前得到了多少？"),
        Text("trec_eval's all_trec; graded relevance.", "trec_eval 的 all_trec；带等级的评测。"),
        Text("Gains below 1 cost as much as 1; it is hardly used.", "小于 1 的增益也按 1 计入代价；很少使用。"),
        ("ndcg", "bin_g"),
        Text(
            "grades 2, 0, 1, ideal 2, 1, 0: 2/log2(2 + 2 − 2) + 1/log2(2 + 4 − 3) = 2.630930; / 3 = 0.876977",
            "等级 2, 0, 1，理想列表 2, 1, 0：2/log2(2 + 2 − 2) + 1/log2(2 + 4 − 3) = 2.630930；/ 3 = 0.876977",
        ),
        example=("g", (2, 0, 1), ()),
        undefined=Text("ideal = 0", "理想值 = 0"),
    )

    gain: Gain = gain_parameter("linear")
    gain_below: str = gain_below_parameter()

    def terms(self, view: RankingView) -> tuple[Floats, Floats]:
        """How far the list is behind at each hit, and what the hit adds."""
        best, worth = self.best_first(view), hit_gains(view, self.gain, self.gain_below)
        paid = Running.of(best.query, np.maximum(best.worth, 1.0), len(view)).upto(view.query, view.rank)
        counts = np.bincount(best.query, minlength=len(view))
        cost = paid + np.maximum(view.rank - counts[view.query], 0)
        behind = np.maximum(cost - Running.of(view.query, worth, len(view)).sums, 0.0)
        distinct, place = np.unique(behind, return_inverse=True)
        divisor = np.array([math.log2(2 + lag) for lag in distinct.tolist()])[place.reshape(-1)]
        return behind, np.divide(worth, divisor)

    def ideal(self, view: RankingView) -> Floats:
        """All gain there is."""
        best = self.best_first(view)
        return np.bincount(best.query, weights=best.worth, minlength=len(view)).astype(np.float64, copy=False)

    def values(self, view: RankingView) -> Floats:
        ideal = self.ideal(view)
        return ratio(view.sum(self.terms(view)[1]), ideal, ideal == 0)

    def define(self, ranked: RankedList) -> float:
        best, cost, gained, terms = self.plain_best(ranked), 0.0, 0.0, 0.0
        for rank, gain in enumerate(self.plain_worth(ranked)):
            cost += max(best[rank], 1.0) if rank < len(best) else 1.0
            gained += gain
            terms += gain / math.log2(2 + max(cost - gained, 0.0))
        return terms / sum(best) if best else NAN


@dataclass(frozen=True, kw_only=True)
class NdcgAtRelevant(AlongIdeal):
    """NDCG at the rank of each item that gains something, averaged; items not returned have that of the whole list.

    ndcg_rel = (1/m) Σ DCG@i / ideal@i over the m judged items with gain > 0; i: the rank of the item, or the end of both lists  [buckley2008]
    """

    name = "ndcg_rel"
    title = Text("NDCG at relevant items", "相关条目处的 NDCG")
    formula_zh = "ndcg_rel = (1/m) Σ DCG@i / ideal@i，对 m 个增益大于 0 的已标注条目求平均；i：该条目的名次，未返回时取两个列表的末尾"
    about = about(
        Text("How good is the list as far as each good item?", "到每个好条目为止，列表有多好？"),
        Text(
            "trec_eval's all_trec; NDCG that does not hang on one k.",
            "trec_eval 的 all_trec；不取决于某一个 k 的 NDCG。",
        ),
        Text("Each item counts the same, whatever its degree.", "每个条目权重相同，不管等级高低。"),
        ("ndcg", "ap"),
        Text(
            "grades 0, 1, 1: 0.630930/1.630930 at rank 2, 1.130930/1.630930 at rank 3; their mean = 0.54014",
            "等级 0, 1, 1：第 2 位 0.630930/1.630930，第 3 位 1.130930/1.630930；均值 = 0.54014",
        ),
        example=("ndcg_rel", (0, 1, 1), ()),
        undefined=Text("ideal = 0", "理想值 = 0"),
    )

    gain: Gain = gain_parameter("linear")
    gain_below: str = gain_below_parameter()

    def shares(self, view: RankingView) -> tuple[Running, Running, Floats]:
        """DCG of the list and of the ideal one as they grow, and their quotient at each hit that gains something."""
        dcg, ideal = self.growing(view)
        worth = hit_gains(view, self.gain, self.gain_below)
        at_rank = ideal.upto(view.query, view.rank)
        share = np.divide(dcg.sums, at_rank, out=np.zeros(len(worth)), where=worth > 0)
        return dcg, ideal, share

    def values(self, view: RankingView) -> Floats:
        dcg, ideal, share = self.shares(view)
        every, queries = np.diff(ideal.begin), np.arange(len(view))
        end, whole = (sums.upto(queries, np.diff(sums.begin)) for sums in (dcg, ideal))
        last = ratio(end, whole, every == 0)
        missed = every - view.count(hit_gains(view, self.gain, self.gain_below) > 0)
        return ratio(view.sum(share) + missed * last, every, every == 0)

    def define(self, ranked: RankedList) -> float:
        best = self.plain_best(ranked)
        if not best:
            return NAN
        ideal, dcg, total, missed = [0.0], 0.0, 0.0, len(best)
        for rank, gain in enumerate(best, 1):
            ideal.append(ideal[-1] + gain / math.log2(rank + 1))
        for rank, gain in enumerate(self.plain_worth(ranked), 1):
            dcg += gain / math.log2(rank + 1)
            if gain > 0:
                total += dcg / ideal[min(rank, len(best))]
                missed -= 1
        return (total + missed * dcg / ideal[-1]) / len(best)


@dataclass(frozen=True, kw_only=True)
class NdcgAtLevels(AlongIdeal):
    """NDCG at the ranks where the ideal list goes over to the next lower gain, averaged.

    Rndcg = mean of DCG@i / ideal@i over the ranks i at which a level of gain ends in the ideal list, and at n where the list goes on for more than one rank after the last  [buckley2008]
    """

    name = "r_ndcg"
    aliases = ("rndcg",)
    title = Text("NDCG at the levels of gain", "各增益层处的 NDCG")
    formula_zh = "Rndcg = DCG@i / ideal@i 的均值，i 取理想列表中每一层增益结束的名次；若列表在最后一层之后还有不止一位，再加上 n 处"
    about = about(
        Text(
            "How good is the list where the best, the good and the fair should end?",
            "在最好、较好、一般的条目该结束之处，列表有多好？",
        ),
        Text("trec_eval's all_trec; R-precision for graded relevance.", "trec_eval 的 all_trec；带等级的 R 精确率。"),
        Text("Few ranks decide, and which they are depends on the query.", "由少数几个名次决定，且因查询而异。"),
        ("ndcg", "r_precision"),
        Text(
            "grades 1, 0, 2, ideal 2, 1, 0: 1/2 at rank 1, 1/2.630930 at rank 2; their mean = 0.440047",
            "等级 1, 0, 2，理想列表 2, 1, 0：第 1 位 1/2，第 2 位 1/2.630930；均值 = 0.440047",
        ),
        example=("r_ndcg", (1, 0, 2), ()),
        undefined=Text("R = 0 or ideal = 0", "R = 0 或理想值 = 0"),
    )

    gain: Gain = gain_parameter("linear")
    gain_below: str = gain_below_parameter()

    def ends(self, view: RankingView) -> tuple[Ints, Ints]:
        """The ranks that are compared, with their queries."""
        best = self.best_first(view)
        rank, query, worth = best.rank, best.query, best.worth
        is_last = np.append((query[1:] != query[:-1]) | (worth[1:] != worth[:-1]), np.ones(min(len(query), 1), bool))
        counts = np.bincount(query, minlength=len(view))
        beyond = np.flatnonzero((counts > 0) & (view.returned > counts + 1))
        queries, ranks = np.append(query[is_last], beyond), np.append(rank[is_last], view.returned[beyond])
        order = np.lexsort((ranks, queries))
        return queries[order], ranks[order]

    def points(self, view: RankingView) -> tuple[Ints, Ints, Floats, Floats]:
        """The ranks that are compared with their queries, and DCG and ideal there."""
        dcg, ideal = self.growing(view)
        query, rank = self.ends(view)
        return query, rank, dcg.upto(query, hits_upto(view, query, rank)), ideal.upto(query, rank)

    def values(self, view: RankingView) -> Floats:
        query, _, dcg, ideal = self.points(view)
        total = np.bincount(query, weights=dcg / ideal, minlength=len(view))
        count = np.bincount(query, minlength=len(view))
        return ratio(total, count, no_relevant(view) | (count == 0))

    def define(self, ranked: RankedList) -> float:
        best, worth = self.plain_best(ranked), self.plain_worth(ranked)
        if not best or not ranked.relevant_count():
            return NAN
        ends = [rank for rank, gain in enumerate(best, 1) if rank == len(best) or best[rank] != gain]
        ends += [len(worth)] if len(worth) > len(best) + 1 else []

        def plain_dcg(gains: list[float], k: int) -> float:
            return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains[:k], 1))

        return sum(plain_dcg(worth, k) / plain_dcg(best, k) for k in ends) / len(ends)
