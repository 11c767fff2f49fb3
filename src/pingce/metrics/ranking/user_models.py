"""Metrics that model a reader walking down the list: rank-biased precision and expected reciprocal rank."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pingce.base.exact import Floats
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.ranking.view import RankingView
from pingce.metrics.parameters import GainCheck, Number, Parameters, choice, parameter
from pingce.metrics.ranking.base import NAN, RankedList, RankingMetric, about, divide, no_relevant, ratio
from pingce.metrics.ranking.cumulated import GainMetric, hit_gains
from pingce.metrics.ranking.gains import (
    GAIN_WORDS,
    Gain,
    exp2,
    found_top_grade,
    gain_below_parameter,
    grade_gain,
    plain_gain,
    top_grade,
)

_WORTH = Text("What an item of grade g is worth, from 0 to 1.", "等级为 g 的条目值多少，0 到 1。")
SCALED_WORDS = {
    "linear": Text("g / max", "g / max"),
    "exp2": Text("(2^g − 1) / (2^max − 1)", "(2^g − 1) / (2^max − 1)"),
}


@dataclass(frozen=True)
class Patience:
    """p^(rank − 1): the share of readers who get as far as this rank."""

    p: float

    def __call__(self, rank: int) -> float:
        """The share at a rank."""
        return math.pow(self.p, rank - 1)


def scaled_gain_parameter() -> Any:
    """The parameter `gain` of metrics of readers: from 0 to 1, by default as the grade."""
    words = {"linear": SCALED_WORDS["linear"], "binary": GAIN_WORDS["binary"], "exp2": SCALED_WORDS["exp2"]}
    return parameter("linear", GainCheck(words, most=1), _WORTH)


def max_grade_parameter() -> Any:
    """The parameter `max` of metrics of scaled gains."""
    return parameter(
        None,
        Number(above=0, optional=True),
        Text("The top grade; by default the largest of the truth.", "最高等级；默认取真值中最大的等级。"),
    )


class ScaledGainMetric(GainMetric):
    """A metric of gains from 0 to 1: those of grades are divided by that of the top grade."""

    max: float | None

    @property
    def needs_top_grade(self) -> bool:
        return self.gain in ("linear", "exp2")

    def resolved(self, view: RankingView) -> Parameters:
        return found_top_grade(self.max, view.top_grade) if self.gain in ("linear", "exp2") else {}

    def worth(self, view: RankingView) -> Floats:
        """What each hit is worth."""
        worth = hit_gains(view, "linear" if self.gain == "grade" else self.gain, self.gain_below)
        if self.gain in ("linear", "exp2"):
            top = top_grade(self.max, view.top_grade)
            worth = worth / (grade_gain(top, self.gain) if top > 0 else 1.0)
        return worth

    def plain_worth(self, ranked: RankedList, grade: float | None) -> float:
        """The definition, for one item of a list."""
        top = ranked.top_grade if self.max is None else self.max
        gain = "linear" if self.gain == "grade" else self.gain
        full = top if self.gain == "linear" else exp2(top) - 1 if self.gain == "exp2" else 1.0
        return divide(plain_gain(ranked, grade, gain, self.gain_below), full)


@dataclass(frozen=True, kw_only=True)
class RankBiasedPrecision(ScaledGainMetric):
    """What a reader gains who goes on to the next item with probability p.

    RBP(p)@k = (1 − p) Σ_{i≤k} u_i · p^(i−1)                                                            [moffat2008]
    """

    name = "rbp"
    of_rank = True
    title = Text("Rank-biased precision", "排名偏置精确率（RBP）")
    about = about(
        Text("What does a reader of this patience find?", "以这样的耐心往下看，能看到多少好东西？"),
        Text(
            "Web search; p near 0.5 for impatient, 0.95 for patient readers.",
            "网页搜索；急躁的读者 p 约 0.5，有耐心的约 0.95。",
        ),
        Text(
            "The value of p decides; a perfect list does not reach 1 unless it is endless.",
            "结果取决于 p；有限的完美列表也达不到 1。",
        ),
        ("ndcg",),
        Text(
            "p = 0.8, relevant at ranks 1 and 3: 0.2 · (1 + 0.64) = 0.328",
            "p = 0.8，第 1、3 位相关：0.2 · (1 + 0.64) = 0.328",
        ),
        example=("rbp", (1, 0, 1, 0), ()),
    )

    p: float = parameter(0.8, Number(above=0, below=1), Text("The reader's patience.", "读者继续往下看的概率。"))
    gain: Gain = parameter(
        "binary",
        GainCheck(
            {
                "binary": GAIN_WORDS["binary"],
                **SCALED_WORDS,
                "grade": Text("g itself, so that values above 1 are possible (ranx)", "g 本身，数值可能超过 1（ranx）"),
            },
            most=1,
        ),
        _WORTH,
    )
    gain_below: str = gain_below_parameter()
    max: float | None = max_grade_parameter()

    def values(self, view: RankingView) -> Floats:
        total = view.sum(self.worth(view) * view.weight(Patience(float(self.p)), self.k))
        return ratio((1.0 - self.p) * total, np.ones(len(view)), no_relevant(view))

    def define(self, ranked: RankedList) -> float:
        if not ranked.relevant_count():
            return NAN
        total, readers = 0.0, 1.0
        for grade in ranked.top(self.k):
            total += self.plain_worth(ranked, grade) * readers
            readers *= self.p
        return (1 - self.p) * total


@dataclass(frozen=True, kw_only=True)
class ExpectedReciprocalRank(RankingMetric):
    """Mean of 1/rank of the item at which a reader stops satisfied; good items make later ones matter less.

    ERR@k = Σ_{i≤k} (1/i) · q_i · Π_{j<i} (1 − q_j),  q = (2^g − 1) / 2^max                           [chapelle2009]
    """

    name = "err"
    follows_grades = True
    closed_form = False
    title = Text("Expected reciprocal rank", "期望倒数排名（ERR）")
    about = about(
        Text("At which rank is the reader satisfied?", "读者看到第几个就满意了？"),
        Text("Web search with graded relevance.", "带等级的网页搜索。"),
        Text(
            "The grade scale (max) decides; after one excellent item little counts.",
            "取决于等级上限 max；有一个极好的条目之后，其余几乎不计。",
        ),
        ("ndcg", "rr"),
        Text(
            "max = 2, grades 2, 0, 1: q = 3/4, 0, 1/4; 3/4 + (1/3) · 1/4 · 1/4 = 0.770833",
            "max = 2，等级 2, 0, 1：q = 3/4, 0, 1/4；3/4 + (1/3) · 1/4 · 1/4 = 0.770833",
        ),
        typical_k="10, 20",
        example=("err(max=2)@10", (2, 0, 1), ()),
    )

    max: float | None = parameter(
        None,
        Number(above=0, optional=True),
        Text(
            "The top of the grade scale; by default the largest grade of the truth.",
            "等级上限；默认取真值中最大的等级。",
        ),
    )
    gain: str = choice(
        Text("The chance q that an item of grade g satisfies.", "等级为 g 的条目使读者满意的概率 q。"),
        minor=True,
        exp2=Text("(2^g − 1) / 2^max", "(2^g − 1) / 2^max"),
        linear=Text("g / max: with max=1 the grade is the chance itself", "g / max：max=1 时等级即概率"),
    )

    @property
    def needs_top_grade(self) -> bool:
        """It is the top of the scale, or must not lie above it."""
        return True

    def resolved(self, view: RankingView) -> Parameters:
        return found_top_grade(self.max, view.top_grade)

    def remarks(self, view: RankingView) -> tuple[Text, ...]:
        """The scale was guessed from the data, and the value hangs on it."""
        if self.max is not None:
            return ()
        top = f"{view.top_grade:g}"
        return (
            Text(
                f"{self.id}: max={top}, the largest grade in the truth; give err(max=…) to compare with other data",
                f"{self.id}：max={top}，取自真值中最大的等级；要与其他数据比较，请写明 err(max=…)",
            ),
        )

    def satisfied(self, view: RankingView) -> Floats:
        """The chance of each hit."""
        top = top_grade(self.max, view.top_grade)
        return hit_gains(view, self.gain, "keep") / self.scale(top)

    def scale(self, top: float) -> float:
        """What gains are divided by."""
        if self.gain == "linear":
            return top if top > 0 else 1.0
        return exp2(top)

    def values(self, view: RankingView) -> Floats:
        """Walk all queries at once, from their first hit to their last."""
        satisfied = self.satisfied(view)
        within = np.ones(len(satisfied), bool) if self.k is None else view.rank <= self.k
        total, unsatisfied = np.zeros(len(view)), np.ones(len(view))
        begin = view.evidence.hit_begin[:-1]
        sizes = view.count(within)
        for step in range(int(sizes.max(initial=0))):
            active = np.flatnonzero(sizes > step)
            hit = begin[active] + step
            total[active] += satisfied[hit] / view.rank[hit] * unsatisfied[active]
            unsatisfied[active] *= 1.0 - satisfied[hit]
        return ratio(total, np.ones(len(view)), no_relevant(view))

    def define(self, ranked: RankedList) -> float:
        if not ranked.relevant_count():
            return NAN
        top = ranked.top_grade if self.max is None else self.max
        total, unsatisfied = 0.0, 1.0
        for rank, grade in enumerate(ranked.top(self.k), 1):
            satisfied = plain_gain(ranked, grade, self.gain, "keep") / self.scale(top)
            total += satisfied * unsatisfied / rank
            unsatisfied *= 1 - satisfied
        return total
