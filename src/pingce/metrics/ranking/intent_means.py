"""Metrics that are means over subtopics, or count them: precision, average precision and recall."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pingce.base.exact import Floats
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.ranking.intent_view import intent_view
from pingce.evidence.ranking.view import RankingView
from pingce.metrics.ranking.base import NAN, RankedList, divide, no_relevant, ratio
from pingce.metrics.ranking.intent_base import IntentMetric, intent_about, subtopic_count


@dataclass(frozen=True, kw_only=True)
class IntentPrecision(IntentMetric):
    """Mean over subtopics of the precision for the subtopic.

    P-IA@k = Σ_{i≤k} |S_i| / (k · A)                                                               [agrawal2009]
    """

    name = "p_ia"
    title = Text("P-IA", "P-IA（分意图的精确率）")
    about = intent_about(
        Text("How much of the top serves a subtopic, on average?", "前 k 个中，平均有多大比例满足某个意图？"),
        Text("Ambiguous queries, as a plain count.", "有歧义的查询，作为简单的计数。"),
        Text("Serving one subtopic again and again counts in full.", "反复满足同一意图也全部计入。"),
        ("subtopic_recall", "precision"),
        Text("2 + 0 + 1 + 2 = 5 pairs; 5 / (4 · 3) = 0.416667", "2 + 0 + 1 + 2 = 5 对；5 / (4 · 3) = 0.416667"),
        typical_k="5, 10, 20",
        example=("p_ia@4",),
    )

    def values(self, view: RankingView) -> Floats:
        intents = intent_view(view)
        pairs = np.bincount(view.query[intents.hit[_within(view, self.k)]], minlength=len(view))
        return ratio(pairs, view.cutoff(self.k) * intents.count, no_relevant(view))

    def define(self, ranked: RankedList) -> float:
        count, depth = subtopic_count(ranked), len(ranked.grades) if self.k is None else self.k
        return divide(sum(map(len, ranked.intents(self.k))), depth * count) if count else NAN


def _within(view: RankingView, k: int | None) -> Any:
    """Which pairs of a hit and a subtopic stand in the top k."""
    hit = intent_view(view).hit
    return np.ones(len(hit), bool) if k is None else view.rank[hit] <= k


@dataclass(frozen=True, kw_only=True)
class IntentAP(IntentMetric):
    """Mean over subtopics of the average precision for the subtopic.

    AP-IA@k = (1/A) Σ_s (1/R_s) Σ_{i≤k, s∈S_i} (c_s + 1) / i                                       [agrawal2009]
    """

    name = "ap_ia"
    aliases = ("map_ia",)
    title = Text("AP-IA (MAP-IA)", "AP-IA（分意图的平均精度）")
    about = intent_about(
        Text("Are all items of each subtopic near the top, on average?", "平均来看，各意图的相关条目是否都排得靠前？"),
        Text("Ambiguous queries where every relevant item matters.", "有歧义、且每个相关条目都重要的查询。"),
        Text("Serving one subtopic again and again counts in full.", "反复满足同一意图也全部计入。"),
        ("ap", "alpha_ndcg"),
        Text(
            "subtopic 1: (1 + 2/3)/2 = 5/6; 2: (1 + 2/4)/2 = 3/4; 3: (1/4)/2 = 1/8; mean 41/72 = 0.569444",
            "子主题 1：(1 + 2/3)/2 = 5/6；2：(1 + 2/4)/2 = 3/4；3：(1/4)/2 = 1/8；均值 41/72 = 0.569444",
        ),
        example=("ap_ia",),
    )

    def values(self, view: RankingView) -> Floats:
        intents, within = intent_view(view), _within(view, self.k)
        precision = (intents.earlier + 1) / view.rank[intents.hit]
        total = np.bincount(intents.hit_subtopic[within], weights=precision[within], minlength=len(intents.query))
        of_query = np.bincount(intents.query, weights=total / intents.relevant_items, minlength=len(view))
        return ratio(of_query, intents.count, no_relevant(view))

    def define(self, ranked: RankedList) -> float:
        judged, listed = ranked.judged_intents(), ranked.intents(self.k)
        means = []
        for subtopic in set[Any]().union(*judged):
            ranks = [rank for rank, item in enumerate(listed, 1) if subtopic in item]
            total = math.fsum(count / rank for count, rank in enumerate(ranks, 1))
            means.append(total / sum(subtopic in item for item in judged))
        return math.fsum(means) / len(means) if means else NAN


@dataclass(frozen=True, kw_only=True)
class SubtopicRecall(IntentMetric):
    """Share of subtopics that the top k serves.

    S-recall@k = |S_1 ∪ … ∪ S_k| / A                                                               [zhai2003]
    """

    name = "subtopic_recall"
    aliases = ("strecall", "s_recall")
    title = Text("Subtopic recall", "子主题召回率")
    about = intent_about(
        Text("How many of the subtopics are served at all?", "有多少种意图得到了满足？"),
        Text("Ambiguous queries; coverage of aspects in the top k.", "有歧义的查询；前 k 个对各方面的覆盖。"),
        Text(
            "Ignores order within the top k, and how often a subtopic is served.",
            "不看前 k 内的顺序，也不看满足了几次。",
        ),
        ("alpha_ndcg", "recall"),
        Text("d1 is relevant to 1 and 2, of 1, 2, 3: 2/3 = 0.666667", "d1 与 1、2 相关，共有 1、2、3：2/3 = 0.666667"),
        typical_k="5, 10, 20",
        example=("subtopic_recall@2",),
    )

    def values(self, view: RankingView) -> Floats:
        intents = intent_view(view)
        first = intents.hit[_within(view, self.k) & (intents.earlier == 0)]
        return ratio(np.bincount(view.query[first], minlength=len(view)), intents.count, no_relevant(view))

    def define(self, ranked: RankedList) -> float:
        count = subtopic_count(ranked)
        return len(set[Any]().union(*ranked.intents(self.k))) / count if count else NAN
