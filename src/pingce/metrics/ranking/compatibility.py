"""How near the list comes to the best list that its own items and all judged items allow: compatibility."""

from __future__ import annotations

from itertools import accumulate

import numpy as np

from pingce.base.exact import Floats, Ints
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.ranking.view import RankingView, weight_table
from pingce.metrics.parameters import Number, choice, parameter
from pingce.metrics.ranking.base import NAN, RankedList, RankingMetric, about, no_relevant, ratio
from pingce.metrics.ranking.user_models import Patience


@dataclass(frozen=True)
class SharedPatience:
    """p^(d − 1) / d: what one item in common weighs at depth d."""

    p: float

    def __call__(self, depth: int) -> float:
        """The weight at a depth."""
        return Patience(self.p)(depth) / depth


@dataclass(frozen=True, kw_only=True)
class Compatibility(RankingMetric):
    """Rank-biased overlap of the list with the ideal one: the relevant items, best first, those of a grade in the order of the list.

    compat(p) = Σ_d p^(d−1) · |list_d ∩ ideal_d| / d  /  Σ_d p^(d−1) · min(d, R) / d,  d ≤ max(n, R)     [clarke2021]
    """

    name = "compat"
    aliases = ("compatibility",)
    takes = ""
    closed_form = False
    title = Text("Compatibility with the ideal list", "与理想列表的相容度（Compat）")
    formula_zh = "compat(p) = Σ_d p^(d−1) · |列表_d ∩ 理想_d| / d  /  Σ_d p^(d−1) · min(d, R) / d，d ≤ max(n, R)"
    about = about(
        Text("How near does the list come to the best one?", "与最好的列表有多接近？"),
        Text(
            "Graded judgements or preferences of which only the order counts (ir_measures).",
            "只看先后的等级标注或偏好（ir_measures）。",
        ),
        Text(
            "The value of p decides; how much better a grade is does not count.",
            "结果取决于 p；等级之间相差多少不起作用。",
        ),
        ("ndcg", "rbp"),
        Text(
            "p = 0.5, R = 3, relevant at ranks 1 and 3 of 4: (1/1 + 0.5·1/2 + 0.25·2/3 + 0.125·2/4) / (1 + 0.5 + 0.25 + 0.125·3/4) = 0.80226",
            "p = 0.5，R = 3，4 个中第 1、3 位相关：(1/1 + 0.5·1/2 + 0.25·2/3 + 0.125·2/4) / (1 + 0.5 + 0.25 + 0.125·3/4) = 0.80226",
        ),
        example=("compat(p=0.5)",),
    )

    p: float = parameter(0.95, Number(above=0, below=1), Text("The reader's patience.", "读者继续往下看的概率。"))
    norm: str = choice(
        Text("What the overlap is divided by.", "重合度除以什么。"),
        ideal=Text(
            "that of the ideal list with itself: the best list reaches 1", "理想列表与自身的重合度：最好的列表为 1"
        ),
        weights=Text("Σ p^(d−1): 1 cannot be reached where R < n", "Σ p^(d−1)：R < n 时达不到 1"),
    )

    def tied_worth(self, view: RankingView) -> Floats:
        return np.where(view.relevant, np.maximum(view.grade, 0.0) + 1.0, 0.0)

    def ideal_rank(self, view: RankingView) -> Ints:
        """Where each hit stands in the ideal list, as far as it is relevant."""
        distinct = np.unique(np.concatenate([view.judged_grade, view.grade]))[::-1]
        width = len(distinct) + 1
        place = np.searchsorted(-distinct, -view.grade)
        better = np.searchsorted(
            view.judged_query * width + np.searchsorted(-distinct, -view.judged_grade), view.query * width + place
        )
        first = np.searchsorted(view.judged_query, np.arange(len(view)))
        level = view.query * width + place
        order = np.argsort(level, kind="stable")
        among = np.empty(len(level), np.int64)
        among[order] = np.arange(len(level)) - np.searchsorted(level[order], level[order])
        rank: Ints = better - first[view.query] + among + 1
        return rank

    def terms(self, view: RankingView) -> tuple[Ints, Floats]:
        """From which depth on each hit is in both lists, and what it weighs from there."""
        both, depth = np.maximum(self.ideal_rank(view), view.rank), self.depth(view)
        shared = self._sums(SharedPatience(float(self.p)), depth)
        since = np.minimum(both, depth[view.query] + 1)
        weights: Floats = (shared[depth[view.query]] - shared[since - 1]) * view.relevant
        return both, weights

    def best(self, view: RankingView) -> Floats:
        """What the overlap is divided by."""
        depth, relevant = self.depth(view), view.relevant_count
        plain = self._sums(Patience(float(self.p)), depth)
        if self.norm == "weights":
            return plain[depth]
        shared = self._sums(SharedPatience(float(self.p)), depth)
        return plain[relevant] + relevant * (shared[depth] - shared[relevant])

    @staticmethod
    def depth(view: RankingView) -> Ints:
        """How far both lists are walked."""
        return np.maximum(view.returned, view.relevant_count)

    @staticmethod
    def _sums(weight: Patience | SharedPatience, depth: Ints) -> Floats:
        """Weights added up from depth 1 on, for each depth."""
        deepest = int(depth.max(initial=0))
        return np.array([*accumulate(weight_table(weight, deepest)[: deepest + 1].tolist())])

    def values(self, view: RankingView) -> Floats:
        return ratio(view.sum(self.terms(view)[1]), self.best(view), no_relevant(view))

    def define(self, ranked: RankedList) -> float:
        """Walk down both lists and count what they have in common."""
        total = ranked.relevant_count()
        hits = [
            (rank, grade) for rank, grade in enumerate(ranked.grades) if ranked.is_relevant(grade) and grade is not None
        ]
        absent = sorted(grade for grade in ranked.judged if ranked.is_relevant(grade))
        for _, grade in hits:
            absent.remove(grade)
        ideal = sorted(
            [*hits, *((len(ranked.grades), grade) for grade in absent)], key=lambda item: (-item[1], item[0])
        )
        overlap = best = weights = 0.0
        for d in range(1, max(len(ranked.grades), total) + 1):
            weight = self.p ** (d - 1)
            overlap += weight * sum(rank < d for rank, _ in ideal[:d] if rank < len(ranked.grades)) / d
            best += weight * min(d, total) / d
            weights += weight
        return overlap / (best if self.norm == "ideal" else weights) if total else NAN
