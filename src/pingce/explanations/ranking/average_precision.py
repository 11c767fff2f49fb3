"""Metrics of where relevant items stand, worked: reciprocal rank, average precision, its geometric mean, bpref."""

from __future__ import annotations

import numpy as np

from pingce.base.text import Text
from pingce.evidence.ranking.view import reciprocal
from pingce.explanations.derivation import Derivation, Line, Step
from pingce.explanations.frame import explains
from pingce.explanations.ranking import tied
from pingce.explanations.ranking.lesson import NONE_RELEVANT, Lesson, so_far, sum_line
from pingce.explanations.ranking.precision_recall import fraction, hits_line, relevant_line, smaller
from pingce.metrics.ranking.average_precision import FLOOR, AveragePrecision, Bpref, GeometricMeanAP, ReciprocalRank


@explains(ReciprocalRank)
def reciprocal_rank(metric: ReciprocalRank, lesson: Lesson) -> Derivation:
    """1 over the rank of the first, or the mean of 1 over the rank of each."""
    if metric.of != "first":
        return _all_reciprocal_ranks(metric, lesson)
    if lesson.view.expected:
        return tied.reciprocal_rank(metric, lesson)
    top = lesson.top(metric.k)
    first = next((row for row in top.rows if lesson.is_relevant(row)), None)
    grid = top.grid(counts=[row is first for row in top.rows])
    if first is None:
        return Derivation((grid,), NONE_RELEVANT, (), 0.0)
    words = Text("rank of the first relevant item", "第一个相关条目的名次")
    line = Line("first", Text("first", "首个"), words, (), first.rank)
    return Derivation((grid, line), "1 / {}", (first.rank,), 1.0 / first.rank)


def _all_reciprocal_ranks(metric: ReciprocalRank, lesson: Lesson) -> Derivation:
    view, top = lesson.view, lesson.top(metric.k)
    parts = view.weight(reciprocal, metric.k) * view.relevant
    terms, total = top.cells(parts), float(view.sum(parts)[0])
    name = Text("mean 1 / rank", "1 / 名次的均值") if view.expected else Text("1 / rank", "1 / 名次")
    grid = top.grid(("reciprocal", name, top.weights(reciprocal)), ("term", "rel_i / i", terms), so_far(terms))
    steps: list[Step] = [grid, sum_line("sum", "Σ", terms, total)]
    if metric.of == "all":
        return fraction([*steps, relevant_line(lesson)], total, lesson.total)
    listed = int(view.count(view.relevant)[0])
    line = Line("listed", "h", Text("relevant items of the list", "列表中的相关条目数"), (), listed)
    return fraction([*steps, line], total, listed)


@explains(AveragePrecision)
def average_precision(metric: AveragePrecision, lesson: Lesson) -> Derivation:
    """Precision at each hit, summed, over the norm."""
    view = lesson.view
    if view.expected and metric.norm == "hits":
        return tied.average_precision_over_hits(metric, lesson)
    steps, total = (tied.precision_sum_steps if view.expected else _precision_sum_steps)(metric, lesson)
    k = lesson.n if metric.k is None else metric.k
    relevant, least, shortest = relevant_line(lesson), (lesson.total, k), (lesson.total, lesson.n, k)
    hits = float(view.hits_within(metric.k)[0])
    norms: dict[str, tuple[list[Step], float]] = {
        "relevant": ([relevant], lesson.total),
        "hits": ([hits_line(metric.k, hits)], hits),
        "min": ([relevant, smaller("min(R, k)", *least, key="norm")], min(least)),
        "k": ([Line("norm", "k", Text("k itself", "k 本身"), (), k)], k),
        "list": ([relevant, smaller("min(R, n, k)", *shortest, key="norm")], min(shortest)),
    }
    more, norm = norms[metric.norm]
    return fraction([*steps, *more], total, norm)


def _precision_sum_steps(metric: AveragePrecision, lesson: Lesson) -> tuple[list[Step], float]:
    """The list with the precision at each hit, and their sum."""
    view, top = lesson.view, lesson.top(metric.k)
    hits = view.running(view.relevant)
    counted = view.relevant if metric.k is None else view.relevant & (view.rank <= metric.k)
    precisions = hits / view.rank * counted
    terms, total = top.cells(precisions, 0.0), float(view.sum(precisions)[0])
    grid = top.grid(
        ("hits", "h_i", top.where_relevant(top.cells(hits, None))),
        ("precision", "h_i / i", top.where_relevant(terms)),
        so_far(terms),
    )
    return [grid, sum_line("sum", "Σ", top.at_hits(terms), total)], total


@explains(GeometricMeanAP)
def geometric_mean(_: GeometricMeanAP, lesson: Lesson) -> Derivation:
    """AP, but no less than the floor."""
    ap = average_precision(AveragePrecision(), lesson)
    line = Line("ap", "AP", ap.template, ap.numbers, ap.value)
    note = Text(
        "Over all queries: exp of the mean of the logarithms of these values.",
        "对全体查询：对这些值的对数求平均，再取 exp。",
    )
    return Derivation([*ap.steps, line], "max({}, {})", (ap.value, FLOOR), max(ap.value, FLOOR), (note,))


@explains(Bpref)
def bpref(_: Bpref, lesson: Lesson) -> Derivation:
    """How many judged non-relevant items stand above each relevant one."""
    view, top, total = lesson.view, lesson.top(None), lesson.total
    judged = view.judged_grade
    every = int(((judged >= 0) & ~view.is_relevant(judged)).sum())
    most = min(every, total)
    above = view.running((view.grade >= 0) & ~view.relevant)
    capped = np.minimum(above, total)
    of_hits = (1.0 - (capped / most if most else np.zeros(len(capped)))) * view.relevant
    value, terms = float(view.sum(of_hits)[0]), top.cells(of_hits, 0.0)
    grid = top.grid(
        ("above", "b", top.where_relevant(top.cells(above, None))),
        ("term", "1 − min(b, R) / min(N, R)", top.where_relevant(terms)),
        so_far(terms),
        counts=[row.grade is not None and row.grade >= 0 for row in top.rows],
    )
    words = Text("judged items that are not relevant", "已标注但不相关的条目数")
    steps: list[Step] = [relevant_line(lesson), Line("non_relevant", "N", words, (), every), grid]
    return fraction([*steps, sum_line("sum", "Σ", top.at_hits(terms), value)], value, total)
