"""Metrics of the ranks of relevant items, worked: their mean and median, and both against chance."""

from __future__ import annotations

import numpy as np

from pingce.base.text import Text
from pingce.explanations.derivation import Derivation, Line, Step
from pingce.explanations.frame import explains
from pingce.explanations.ranking.lesson import Lesson, so_far, sum_line
from pingce.explanations.ranking.precision_recall import hits_line
from pingce.metrics.ranking.ranks import AdjustedMeanRankIndex, GradeWeightedRank, MeanRank, MedianRank, ranks

_MICRO = Text("Over all queries: both sums first, then their quotient.", "对全体查询：先分别求和，再相除。")


@explains(MeanRank)
def mean_rank(metric: MeanRank, lesson: Lesson) -> Derivation:
    """The ranks of the relevant items, over their number."""
    view, top = lesson.view, lesson.top(None)
    of_hits = ranks(view) * view.relevant
    terms, (total, count) = top.cells(of_hits, 0.0), (float(each[0]) for each in metric.sums(view))
    name = Text("mean rank", "平均名次") if view.expected else Text("rank if relevant", "相关者的名次")
    grid = top.grid(("term", name, top.where_relevant(terms)), so_far(terms))
    steps: list[Step] = [grid, sum_line("sum", "Σ", top.at_hits(terms), total), hits_line(None, count)]
    notes = (_MICRO,) if metric.mode == "micro" else ()
    return Derivation(steps, "{} / {}", (total, count), total / count, notes)


@explains(MedianRank)
def median_rank(_: MedianRank, lesson: Lesson) -> Derivation:
    """The rank in the middle."""
    view = lesson.view
    places = view.rank[view.relevant].tolist()
    low, high = places[(len(places) - 1) // 2], places[len(places) // 2]
    note = Text(
        "Over all queries: the median of these values, not the mean.", "对全体查询：取这些值的中位数，而不是均值。"
    )
    steps: list[Step] = [lesson.top(None).grid(), hits_line(None, len(places))]
    if len(places) % 2:
        words = Text("the rank in the middle", "居中的名次")
        return Derivation(steps, words, (), float(low), (note,))
    return Derivation(steps, "({} + {}) / 2", (low, high), (low + high) / 2, (note,))


@explains(AdjustedMeanRankIndex)
def adjusted_mean_rank(_: AdjustedMeanRankIndex, lesson: Lesson) -> Derivation:
    """The mean rank against that of a random order."""
    inner = mean_rank(MeanRank(), lesson)
    chance = (lesson.n + 1) / 2
    steps: list[Step] = [
        *inner.steps,
        Line("mean_rank", Text("mean rank", "平均名次"), inner.template, inner.numbers, inner.value),
        Line("chance", Text("by chance", "随机时"), "({} + 1) / 2", (lesson.n,), chance),
    ]
    value = 1.0 - (inner.value - 1.0) / ((lesson.n - 1) / 2)
    return Derivation(steps, "1 − ({} − 1) / ({} − 1)", (inner.value, chance), value, (_MICRO,))


@explains(GradeWeightedRank)
def grade_weighted_rank(metric: GradeWeightedRank, lesson: Lesson) -> Derivation:
    """Grades times ranks, over the sum of grades."""
    view, top = lesson.view, lesson.top(None)
    grades = view.weighed(np.maximum(view.grade, 0.0))
    terms, (total, whole) = top.cells(grades * ranks(view), 0.0), (float(each[0]) for each in metric.sums(view))
    name = Text("grade · mean rank", "等级 · 平均名次") if view.expected else Text("grade · rank", "等级 · 名次")
    worth = "g"
    if view.item_weight is not None:
        name, worth = Text(f"weight · {name.en}", f"权重 · {name.zh}"), "w·g"
    grid = top.terms_grid(terms, *top.item_weights(), ("term", name, terms))
    cells = top.cells(grades, 0.0)
    lines = sum_line("sum", f"Σ {worth}·i", terms, total), sum_line("grades", f"Σ {worth}", cells, whole)
    notes = (_MICRO,) if metric.mode == "micro" else ()
    return Derivation((grid, *lines), "{} / {}", (total, whole), total / whole, notes)
