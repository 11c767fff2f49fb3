"""Metrics of where relevant items stand, worked: reciprocal rank, average precision, its geometric mean and its logarithm."""

from __future__ import annotations

import math

from pingce.base.text import Text
from pingce.evidence.ranking.view import reciprocal
from pingce.explanations.derivation import Derivation, Line, Step
from pingce.explanations.frame import explains
from pingce.explanations.ranking import tied
from pingce.explanations.ranking.lesson import NONE_RELEVANT, Lesson, so_far, sum_line
from pingce.explanations.ranking.precision_recall import fraction, hits_line, relevant_line, smaller
from pingce.explanations.tables import Cells
from pingce.metrics.ranking.average_precision import (
    FLOOR,
    AveragePrecision,
    GeometricMeanAP,
    HarmonicTail,
    ReciprocalRank,
    YetAnotherAP,
)


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
    if metric.of == "hits" and view.expected:
        return tied.over_hits(metric, lesson)
    parts = view.weight(reciprocal, metric.k) * view.relevant
    terms, total = top.cells(parts), float(view.sum(parts)[0])
    name = Text("mean 1 / rank", "1 / 名次的均值") if view.expected else Text("1 / rank", "1 / 名次")
    grid = top.grid(("reciprocal", name, top.weights(reciprocal)), ("term", "rel_i / i", terms), so_far(terms))
    steps: list[Step] = [grid, sum_line("sum", "Σ", terms, total)]
    if metric.of == "all":
        return fraction([*steps, relevant_line(lesson)], total, lesson.total)
    if metric.of == "hits":
        hits = float(view.hits_within(metric.k)[0])
        return fraction([*steps, hits_line(metric.k, hits)], total, hits)
    listed = int(view.count(view.relevant)[0])
    line = Line("listed", "h", Text("relevant items of the list", "列表中的相关条目数"), (), listed)
    return fraction([*steps, line], total, listed)


@explains(AveragePrecision)
def average_precision(metric: AveragePrecision, lesson: Lesson) -> Derivation:
    """Precision at each hit, summed, over the norm."""
    view = lesson.view
    if metric.norm == "depths" and metric.k is not None:
        return _precision_at_depths(metric.k, lesson)
    if view.expected and metric.norm == "hits":
        return tied.over_hits(metric, lesson)
    steps, total = (tied.precision_sum_steps if view.expected else _precision_sum_steps)(metric, lesson)
    if view.item_weight is not None:
        norm = float(view.sum_judged(view.weighed_judged(metric.judged_worth(view)))[0])
        words = Text("weights of all relevant items, returned or not", "全部相关条目的权重之和，返回与否均计入")
        return fraction([*steps, Line("norm", "Σ w", words, (), norm)], total, norm)
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


def _precision_at_depths(k: int, lesson: Lesson) -> Derivation:
    """What each hit adds to the precision at its rank and at all depths below, over k."""
    view, top = lesson.view, lesson.top(k)
    parts = view.weight(HarmonicTail(k), k) * view.relevant
    terms, total = top.cells(parts, 0.0), float(view.sum(parts)[0])
    grid = top.grid(("tail", f"1/i + … + 1/{k}", top.where_relevant(terms)), so_far(terms))
    sums = sum_line("sum", Text("Σ_j h_j / j", "Σ_j h_j / j"), top.at_hits(terms), total)
    return fraction([grid, sums, Line("norm", "k", Text("k itself", "k 本身"), (), k)], total, k)


def _precision_sum_steps(metric: AveragePrecision | YetAnotherAP, lesson: Lesson) -> tuple[list[Step], float]:
    """The list with the precision at each hit, and their sum."""
    view, top = lesson.view, lesson.top(metric.k)
    hits = view.running(view.relevant)
    counted = view.relevant if metric.k is None else view.relevant & (view.rank <= metric.k)
    precisions = hits / view.rank * counted
    weighed = view.weighed(precisions) if metric.weighs_items else precisions
    terms, total = top.cells(weighed, 0.0), float(view.sum(weighed)[0])
    columns: list[Cells] = [
        ("hits", "h_i", top.where_relevant(top.cells(hits, None))),
        ("precision", "h_i / i", top.where_relevant(top.cells(precisions, 0.0))),
    ]
    if weighed is not precisions:
        columns += [
            *top.item_weights(),
            ("term", Text("weight · h_i / i", "权重 · h_i / i"), top.where_relevant(terms)),
        ]
    grid = top.grid(*columns, so_far(terms))
    return [grid, sum_line("sum", "Σ", top.at_hits(terms), total)], total


@explains(GeometricMeanAP)
def geometric_mean_ap(_: GeometricMeanAP, lesson: Lesson) -> Derivation:
    """AP, but no less than the floor."""
    return geometric_mean(average_precision(AveragePrecision(), lesson), "ap", "AP")


def geometric_mean(inner: Derivation, key: str, name: str) -> Derivation:
    """What is averaged, but no less than the floor."""
    line = Line(key, name, inner.template, inner.numbers, inner.value)
    note = Text(
        "Over all queries: exp of the mean of the logarithms of these values.",
        "对全体查询：对这些值的对数求平均，再取 exp。",
    )
    value = max(inner.value, FLOOR)
    return Derivation([*inner.steps, line], "max({}, {})", (inner.value, FLOOR), value, (note,))


@explains(YetAnotherAP)
def yet_another(_: YetAnotherAP, lesson: Lesson) -> Derivation:
    """The sum of the precisions, against what it lacks."""
    steps, total = _precision_sum_steps(YetAnotherAP(), lesson)
    odds = (1.0 + total) / (1.0 + lesson.total - total)
    numbers = (total, lesson.total, total)
    return Derivation([*steps, relevant_line(lesson)], "ln((1 + {}) / (1 + {} − {}))", numbers, math.log(odds))
