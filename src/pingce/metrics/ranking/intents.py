"""Metrics of queries that mean several things: each subtopic is to be served, and what repeats one is worth less."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pingce.base.exact import Floats, Ints
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.ranking.view import RankingView, weights_at
from pingce.metrics.parameters import choice
from pingce.metrics.ranking.base import NAN, RankedList, divide, no_relevant, ratio
from pingce.metrics.ranking.intent_base import Gained, Normalized, intent_about, subtopic_count


def log_discount(rank: int) -> float:
    """1 / log2(rank + 1), as ndeval divides."""
    return math.log(2.0) / math.log(rank + 1.0)


def over_parameter() -> Any:
    """The parameter `over`."""
    return choice(
        Text("What the sum is divided by.", "总和除以什么。"),
        bound=Text(
            "the sum of a list whose every item is relevant to all A subtopics",
            "每个条目都与全部 A 个子主题相关时的总和",
        ),
        none=Text("nothing", "不除"),
        ndeval=Text("as bound, but nothing at @1 (ndeval)", "同 bound，但 @1 时不除（ndeval）"),
    )


class _Logarithmic(Gained):
    """Ranks weigh 1 / log2(i + 1)."""

    def weigh(self, gains: Floats, ranks: Ints) -> Floats:
        return np.asarray(gains * weights_at(log_discount, ranks))

    def weight(self, rank: int) -> float:
        return 1 / math.log2(rank + 1)


class _Reciprocal(Gained):
    """Ranks weigh 1 / i."""

    def weigh(self, gains: Floats, ranks: Ints) -> Floats:
        return np.asarray(gains / ranks)

    def weight(self, rank: int) -> float:
        return 1 / rank


@dataclass(frozen=True, kw_only=True)
class _Sum(Gained):
    """A sum of gains over what it could be at most."""

    over: str = over_parameter()

    @property
    def is_bare(self) -> bool:
        """Whether the sum is divided by nothing."""
        return self.over == "none" or (self.over == "ndeval" and self.k == 1)

    def values(self, view: RankingView) -> Floats:
        total = view.sum(self.terms(view))
        return ratio(total, np.ones(len(view)) if self.is_bare else self.bound(view), no_relevant(view))

    def define(self, ranked: RankedList) -> float:
        if not subtopic_count(ranked):
            return NAN
        total = self.plain_sum(ranked.intents(self.k))
        return total if self.is_bare else divide(total, self.plain_bound(ranked))


@dataclass(frozen=True, kw_only=True)
class AlphaDCG(_Logarithmic, _Sum):
    """Gain of a list that serves several subtopics: each time one is served again it is worth less.

    α-DCG@k = Σ_{i≤k} Σ_{s∈S_i} (1 − α)^c_s / log2(i+1) / Σ_{i≤k} A (1 − α)^(i−1) / log2(i+1)     [clarke2008]
    """

    name = "alpha_dcg"
    title = Text("α-DCG", "α-DCG（意图多样的折损累计增益）")
    about = intent_about(
        Text("Does the top serve all that the query may mean?", "排在前面的是否照顾到查询的各种意图？"),
        Text("Ambiguous queries; result diversification.", "有歧义的查询；结果多样化。"),
        Text(
            "A list as good as the judged items allow does not reach 1; alpha_ndcg divides by it.",
            "即使是标注条目所能排出的最好列表也达不到 1；alpha_ndcg 会除以它。",
        ),
        ("alpha_ndcg", "subtopic_recall"),
        Text(
            "gains 2, 0, 1/2, 3/2: 2 + 0.25 + 0.646 = 2.896; at most 3 + 0.9464 + 0.375 + 0.1615 = 4.4829; 0.646014",
            "增益 2, 0, 1/2, 3/2：2 + 0.25 + 0.646 = 2.896；至多 3 + 0.9464 + 0.375 + 0.1615 = 4.4829；0.646014",
        ),
        typical_k="5, 10, 20",
        range="0 … ∞",
        example=("alpha_dcg@4",),
    )


@dataclass(frozen=True, kw_only=True)
class AlphaNDCG(_Logarithmic, Normalized):
    """α-DCG over that of the ideal list, which takes at each rank the judged item that gains most (ties by id, descending).

    α-nDCG@k = α-DCG@k / ideal α-DCG@k                                                              [clarke2008]
    """

    name = "alpha_ndcg"
    title = Text("α-nDCG", "α-nDCG（意图多样的归一化折损累计增益）")
    about = intent_about(
        Text(
            "Does the top serve all that the query may mean, as well as it could?",
            "排在前面的照顾到各种意图了吗，离最好还差多少？",
        ),
        Text("Ambiguous queries; the usual diversity metric of TREC.", "有歧义的查询；TREC 常用的多样性指标。"),
        Text(
            "The ideal list is found greedily and need not be the best one: values slightly above 1 are possible.",
            "理想列表由贪心得出，未必最优：数值可能略大于 1。",
        ),
        ("ndcg", "subtopic_recall"),
        Text(
            "gains 2, 0, 1/2, 3/2 give 2.8960; the ideal d3, d1, d4, d2 gains 2, 3/2, 1/2, 1/2: 3.4117; 0.84884",
            "增益 2, 0, 1/2, 3/2 得 2.8960；理想列表 d3, d1, d4, d2 的增益 2, 3/2, 1/2, 1/2 得 3.4117；0.84884",
        ),
        typical_k="5, 10, 20",
        range="0 … ∞",
        example=("alpha_ndcg@4",),
    )


@dataclass(frozen=True, kw_only=True)
class IntentERR(_Reciprocal, _Sum):
    """Expected reciprocal rank over subtopics: at which rank is a reader served, whichever subtopic he means.

    ERR-IA@k = Σ_{i≤k} Σ_{s∈S_i} (1 − α)^c_s / i / Σ_{i≤k} A (1 − α)^(i−1) / i                      [chapelle2011]
    """

    name = "err_ia"
    title = Text("ERR-IA", "ERR-IA（分意图的期望倒数排名）")
    about = intent_about(
        Text("How soon is each kind of reader served?", "各种意图的读者多快能得到满足？"),
        Text("Ambiguous queries where the first item decides.", "有歧义、且首位最重要的查询。"),
        Text(
            "A list as good as the judged items allow does not reach 1; nerr_ia divides by it.",
            "即使是标注条目所能排出的最好列表也达不到 1；nerr_ia 会除以它。",
        ),
        ("err", "nerr_ia"),
        Text(
            "gains 2, 0, 1/2, 3/2: 2 + 1/6 + 3/8 = 2.5417; at most 3 + 3/4 + 1/4 + 3/32 = 4.0938; 0.620865",
            "增益 2, 0, 1/2, 3/2：2 + 1/6 + 3/8 = 2.5417；至多 3 + 3/4 + 1/4 + 3/32 = 4.0938；0.620865",
        ),
        typical_k="5, 10, 20",
        range="0 … ∞",
        example=("err_ia@4",),
    )


@dataclass(frozen=True, kw_only=True)
class NormalizedIntentERR(_Reciprocal, Normalized):
    """ERR-IA over that of the ideal list.

    nERR-IA@k = ERR-IA@k / ideal ERR-IA@k                                                          [chapelle2011]
    """

    name = "nerr_ia"
    title = Text("nERR-IA", "nERR-IA（归一化的分意图期望倒数排名）")
    about = intent_about(
        Text(
            "How soon is each kind of reader served, against the best that could be?",
            "各种意图的读者多快能得到满足，离最好还差多少？",
        ),
        Text("Ambiguous queries where the first item decides.", "有歧义、且首位最重要的查询。"),
        Text(
            "The ideal list is found greedily and need not be the best one: values slightly above 1 are possible.",
            "理想列表由贪心得出，未必最优：数值可能略大于 1。",
        ),
        ("alpha_ndcg", "err_ia"),
        Text(
            "gains 2, 0, 1/2, 3/2 give 61/24; the ideal gains 2, 3/2, 1/2, 1/2: 73/24; 61/73 = 0.835616",
            "增益 2, 0, 1/2, 3/2 得 61/24；理想列表的增益 2, 3/2, 1/2, 1/2 得 73/24；61/73 = 0.835616",
        ),
        typical_k="5, 10, 20",
        range="0 … ∞",
        example=("nerr_ia@4",),
    )
