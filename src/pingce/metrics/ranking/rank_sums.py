"""Metrics that add up what relevant items are worth at their ranks: mean recall, reciprocal ranks, binary G."""

from __future__ import annotations

import math

import numpy as np

from pingce.base.exact import Floats, Ints
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.ranking.view import RankingView, reciprocal, weight_table, weights_at
from pingce.metrics.parameters import choice
from pingce.metrics.ranking.base import NAN, RankedList, RankingMetric, about, divide, no_relevant, ratio
from pingce.metrics.ranking.gains import DISCOUNTS
from pingce.metrics.ranking.tied import tie_blocks


@dataclass(frozen=True, kw_only=True)
class MeanRecall(RankingMetric):
    """Recall at every depth up to k, averaged: how early the relevant items come in.

    MAR@k = (1/k) Σ_{j≤k} h_j / R                                                                        [anelli2021]
    """

    name = "mar"
    follows_grades = True
    title = Text("Mean recall", "各截断处的平均召回率（MAR）")
    about = about(
        Text("How early are they found?", "找得有多早？"),
        Text(
            "Recommenders (Elliot, WarpRec); recall that sees order.", "推荐（Elliot、WarpRec）；看得见顺序的召回率。"
        ),
        Text(
            "It reaches 1 only where R = 1 and that item stands first.",
            "只有 R = 1 且排在第 1 位时才达到 1。",
        ),
        ("recall", "ap"),
        Text(
            "R = 3, relevant at ranks 1 and 3, k = 4: (1/3 + 1/3 + 2/3 + 2/3) / 4 = 0.5",
            "R = 3，第 1、3 位相关，k = 4：(1/3 + 1/3 + 2/3 + 2/3) / 4 = 0.5",
        ),
        typical_k="10, 20",
        example=("mar@4",),
    )

    norm: str = choice(
        Text("Where recall is taken, and what the sum is divided by.", "在哪里取召回率，求和之后除以什么。"),
        minor=True,
        depths=Text("at every depth up to k; by k (Elliot)", "在直到 k 的每个深度；除以 k（Elliot）"),
        min=Text(
            "at each relevant item of the top k; by min(R, k), so that order does not matter (WarpRec)",
            "在前 k 中每个相关条目处；除以 min(R, k)，因此与顺序无关（WarpRec）",
        ),
        relevant=Text(
            "at each relevant item of the top k; by R (Evidently)", "在前 k 中每个相关条目处；除以 R（Evidently）"
        ),
    )

    def knows_expected(self) -> bool:
        """At relevant items it grows with the square of h_k."""
        return self.norm == "depths"

    def depths(self, view: RankingView) -> Floats:
        """At how many depths each hit has been found; the mean over its block where the order is not fixed."""
        cutoff = view.cutoff(self.k)[view.query]
        if not view.expected:
            depths: Floats = np.maximum(cutoff - view.rank + 1, 0).astype(np.float64)
            return depths
        left = np.maximum(cutoff - view.above, 0)
        slots = np.minimum(left, view.block)
        mean: Floats = (slots * left - slots * (slots - 1) // 2) / view.block
        return mean

    def values(self, view: RankingView) -> Floats:
        k, relevant = view.cutoff(self.k), view.relevant_count
        if self.norm == "depths":
            return ratio(view.sum(self.depths(view) * view.relevant), k * relevant, no_relevant(view))
        hits = view.hits_within(self.k)
        norm = np.minimum(relevant, k) if self.norm == "min" else relevant
        return ratio(hits * (hits + 1.0) / 2.0, norm * relevant, no_relevant(view))

    def define(self, ranked: RankedList) -> float:
        total, k = ranked.relevant_count(), len(ranked.grades) if self.k is None else self.k
        if self.norm != "depths":
            by_hit = sum(hit / total for hit in range(1, ranked.hits(self.k) + 1) if total)
            return divide(by_hit, min(total, k) if self.norm == "min" else total) if total else NAN
        by_depth = (ranked.hits(min(depth, len(ranked.grades))) / total for depth in range(1, k + 1) if total)
        return divide(sum(by_depth), k) if total else NAN


class CumulativeReciprocalRank(RankingMetric):
    """1/rank of every relevant item in the top k, over the most that the same number of items could reach.

    NCRR@k = Σ_{i≤k} rel_i / i  /  Σ_{i≤min(R,k)} 1/i                                                    [salah2020]
    """

    name = "ncrr"
    of_rank = True
    follows_grades = True
    title = Text("Normalized cumulative reciprocal rank", "归一化累计倒数排名（NCRR）")
    about = about(
        Text("Are all of them near the very top?", "是不是都排在最前面？"),
        Text("Recommenders (Cornac); rr for several relevant items.", "推荐（Cornac）；有多个相关条目时的 rr。"),
        Text(
            "It falls steeply: rank 2 is worth half of rank 1; it ignores degree.",
            "下降很陡，第 2 位只值第 1 位的一半；不管喜欢的程度。",
        ),
        ("rr", "ndcg"),
        Text(
            "Relevant at rank 2, R = 2: (1/2) / (1/1 + 1/2) = 0.333333",
            "第 2 位相关，R = 2：(1/2) / (1/1 + 1/2) = 0.333333",
        ),
        typical_k="10",
        example=("ncrr@10", (0, 1, 0), (1,)),
    )

    def most(self, view: RankingView) -> Floats:
        """1/1 + 1/2 + … as far as min(R, k)."""
        return harmonic(view.relevant_count if self.k is None else np.minimum(view.relevant_count, self.k))

    def values(self, view: RankingView) -> Floats:
        return ratio(view.sum(view.weight(reciprocal, self.k) * view.relevant), self.most(view), no_relevant(view))

    def define(self, ranked: RankedList) -> float:
        total = ranked.relevant_count()
        most = sum(1 / rank for rank in range(1, (total if self.k is None else min(total, self.k)) + 1))
        hits = sum(1 / rank for rank, grade in enumerate(ranked.top(self.k), 1) if ranked.is_relevant(grade))
        return hits / most if total else NAN


def harmonic(counts: Ints) -> Floats:
    """1/1 + 1/2 + … + 1/n of each n, added up from the largest term."""
    sums: Floats = np.cumsum(weight_table(reciprocal, int(counts.max(initial=0))))[counts]
    return sums


DAMPENED = DISCOUNTS["log2"]
"What an item is worth below w others, by w + 1: 1 / log2(2 + w)."


class BinaryG(RankingMetric):
    """What relevant items are worth, each dampened by the items above it that are not relevant.

    binG = (1/R) Σ_i rel_i / log2(2 + i − h_i)                                                          [buckley2008]
    """

    name = "bin_g"
    follows_grades = True
    title = Text("Binary G", "二元 G")
    about = about(
        Text("How few wrong items stand above each relevant one?", "每个相关条目之前有多少错的？"),
        Text("trec_eval's all_trec; between AP and NDCG.", "trec_eval 的 all_trec；介于 AP 与 NDCG 之间。"),
        Text("It ignores degree, and is hardly used.", "不管喜欢的程度；很少使用。"),
        ("ap", "g"),
        Text(
            "R = 3; relevant at ranks 1 and 3, with 0 and 1 wrong above: (1/log2(2) + 1/log2(3)) / 3 = 0.543643",
            "R = 3；第 1、3 位相关，之前各有 0 个与 1 个错的：(1/log2(2) + 1/log2(3)) / 3 = 0.543643",
        ),
    )
    takes = ""

    def values(self, view: RankingView) -> Floats:
        """In a tie, the number of a block's wrong items above a relevant one is uniform."""
        if view.expected:
            blocks = tie_blocks(view)
            total = blocks.sum(blocks.each(dampened_sum))
        else:
            wrong = view.rank - view.running(view.relevant)
            total = view.sum(weights_at(DAMPENED, wrong + 1) * view.relevant)
        return ratio(total, view.relevant_count, no_relevant(view))

    def define(self, ranked: RankedList) -> float:
        total, wrong, terms = ranked.relevant_count(), 0, 0.0
        for grade in ranked.grades:
            if ranked.is_relevant(grade):
                terms += 1 / math.log2(2 + wrong)
            else:
                wrong += 1
        return terms / total if total else NAN


def dampened_sum(above: int, size: int, hits: int, before: int) -> float:
    """Mean of Σ 1 / log2(2 + wrong items above) over the relevant items of a block."""
    wrong, others = above - before, size - hits
    return hits / (others + 1) * math.fsum(DAMPENED(wrong + j) for j in range(1, others + 2))
