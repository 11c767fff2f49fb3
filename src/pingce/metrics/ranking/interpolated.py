"""Precision where R says: at a multiple of R, and the best still to come once a share of the relevant items has been found."""

from __future__ import annotations

from math import ceil, floor
from typing import Any

import numpy as np

from pingce.base.exact import Floats, Ints
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.ranking.view import RankingView
from pingce.metrics.parameters import Number, choice, parameter
from pingce.metrics.ranking.base import NAN, RankedList, RankingMetric, about, divide, no_relevant, ratio

LEVELS = tuple(f"{tenth / 10:.1f}" for tenth in range(11))


def _rounding_parameter(*, minor: bool = False) -> Any:
    return choice(
        Text("How x · R is made a whole number.", "x · R 如何取整。"),
        minor=minor,
        ceil=Text("up", "向上"),
        nearest=Text("to the nearest, halves up (trec_eval 10)", "四舍五入（trec_eval 10）"),
        trec9=Text(
            "int(x · R + 0.9) in doubles: up, but for rounding errors (trec_eval 9)",
            "双精度 int(x · R + 0.9)：除舍入误差外即向上（trec_eval 9）",
        ),
    )


def needed_hits(share: str, hits: int, rounding: str) -> int:
    """How many relevant items recall x means, worked out in fractions: 0.07 · 100 is 7, not a little more."""
    if rounding == "trec9":
        return int(float(share) * hits + 0.9)
    from fractions import Fraction

    exact = Fraction(share) * hits
    return ceil(exact) if rounding == "ceil" else floor(exact + Fraction(1, 2))


def _needed_counts(view: RankingView, share: str, rounding: str) -> Ints:
    """The same for each query, worked out once for each R."""
    distinct, place = np.unique(view.relevant_count, return_inverse=True)
    counts: Ints = np.array([needed_hits(share, r, rounding) for r in distinct.tolist()], np.int64)[place.reshape(-1)]
    return counts


def _best_precision(view: RankingView, share: str, rounding: str) -> Floats:
    """The largest precision at a hit with at least the needed number of hits."""
    needed = _needed_counts(view, share, rounding)
    number = view.remember("running relevant", lambda: view.running(view.relevant))
    counts = view.relevant & (number >= needed[view.query])
    best = np.zeros(len(view))
    np.maximum.at(best, view.query[counts], (number / view.rank)[counts])
    best[no_relevant(view)] = NAN
    return best


def _plain_best_precision(ranked: RankedList, share: str, rounding: str) -> float:
    needed, hits, best = needed_hits(share, ranked.relevant_count(), rounding), 0, 0.0
    for rank, grade in enumerate(ranked.grades, 1):
        hits += ranked.is_relevant(grade)
        if hits >= needed:
            best = max(best, hits / rank)
    return best if ranked.relevant_count() else NAN


@dataclass(frozen=True, kw_only=True)
class RPrecision(RankingMetric):
    """Precision at the depth where precision and recall are equal: R; or at a multiple of it.

    RPrec = h_R / R                                                                                   [voorhees2005]
    """

    name = "r_precision"
    of_rank = True
    follows_grades = True
    aliases = ("rprec", "r_prec")
    title = Text("R-precision", "R 精确率")
    about = about(
        Text("If R items are right, how many of the first R are?", "有 R 个对的，前 R 个里有几个？"),
        Text("Search with many relevant items a query; needs no k.", "每个查询相关条目较多的检索；不需要选 k。"),
        Text("It ignores order within the first R, and all after it.", "不管前 R 个内部的顺序，也不管其后。"),
        ("ap",),
        Text("R = 3, relevant at ranks 1 and 3: 2 / 3 = 0.666667", "R = 3，第 1、3 位相关：2 / 3 = 0.666667"),
    )
    takes = ""

    times: float = parameter(
        1,
        Number(above=0, most=1000),
        Text(
            "The depth as a multiple x of R: h_c / c at c = ⌈x · R⌉.", "深度取 R 的 x 倍：在 c = ⌈x · R⌉ 处取 h_c / c。"
        ),
        minor=True,
    )
    rounding: str = _rounding_parameter(minor=True)

    def depth(self, view: RankingView) -> Ints:
        """The depth c of each query."""
        if self.times == 1:
            return view.relevant_count
        return _needed_counts(view, str(self.times), self.rounding)

    def values(self, view: RankingView) -> Floats:
        depth = self.depth(view)
        return ratio(view.hits_within(depth), depth, no_relevant(view))

    def define(self, ranked: RankedList) -> float:
        total = ranked.relevant_count()
        depth = needed_hits(str(self.times), total, self.rounding)
        return divide(ranked.hits(depth), depth) if total else NAN


@dataclass(frozen=True, kw_only=True)
class InterpolatedPrecision(RankingMetric):
    """The best precision at any depth where the share x of the relevant items has been found.

    iprec(x) = max { h_i / i : h_i ≥ ⌈x · R⌉ }                                                         [manning2008]
    """

    name = "iprec"
    follows_grades = True
    aliases = ("interpolated_precision",)
    title = Text("Interpolated precision", "插值精确率")
    about = about(
        Text("Having found this share of all, how clean was the list?", "找回这么多时，列表有多干净？"),
        Text("Points of a precision-recall curve.", "PR 曲线上的点。"),
        Text(
            "It looks ahead: precision may be better later than at the level itself.",
            "向后取最好值，可能高于该召回处的精确率。",
        ),
        ("ap11", "recall"),
        Text(
            "x = 0.5, R = 2, relevant at ranks 2 and 3: the best of 1/2 and 2/3 = 0.666667",
            "x = 0.5，R = 2，第 2、3 位相关：1/2 与 2/3 中较大者 = 0.666667",
        ),
        example=("iprec(recall=0.5)", (0, 1, 1), ()),
    )
    takes = ""
    closed_form = False

    recall: float = parameter(
        0.5, Number(least=0, most=1), Text("The share x of the relevant items.", "相关条目的份额 x。")
    )
    rounding: str = _rounding_parameter()

    def values(self, view: RankingView) -> Floats:
        return _best_precision(view, str(self.recall), self.rounding)

    def define(self, ranked: RankedList) -> float:
        return _plain_best_precision(ranked, str(self.recall), self.rounding)


@dataclass(frozen=True, kw_only=True)
class ElevenPoint(RankingMetric):
    """Mean of the interpolated precision at recall 0, 0.1 … 1.

    AP11 = (1/11) Σ_{x=0,0.1…1} iprec(x)                                                               [manning2008]
    """

    name = "ap11"
    follows_grades = True
    aliases = ("11pt",)
    title = Text("Eleven-point average precision", "11 点插值平均精度")
    about = about(
        Text("How clean does the list stay as more is found?", "随着找回的增多，列表保持得多干净？"),
        Text("Older papers; today AP is used.", "早期论文；现在多用 AP。"),
        Text("Interpolation is optimistic, and coarse where R is small.", "插值偏乐观；R 较小时很粗糙。"),
        ("ap",),
        Text(
            "R = 2, relevant at ranks 2 and 3: iprec is 2/3 at every level = 0.666667",
            "R = 2，第 2、3 位相关：各点的插值精确率都是 2/3 = 0.666667",
        ),
        example=("ap11", (0, 1, 1), ()),
    )
    takes = ""
    closed_form = False

    rounding: str = _rounding_parameter()

    def values(self, view: RankingView) -> Floats:
        return sum((_best_precision(view, level, self.rounding) for level in LEVELS), np.zeros(len(view))) / len(LEVELS)

    def define(self, ranked: RankedList) -> float:
        return sum(_plain_best_precision(ranked, level, self.rounding) for level in LEVELS) / len(LEVELS)
