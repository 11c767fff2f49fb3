"""Metrics of where relevant items stand, worked: reciprocal rank, average precision, its geometric mean, bpref."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pingce.base.text import Text
from pingce.evidence.ranking.discounts import reciprocal
from pingce.explanations.derivation import Derivation, Grid, Line, Step
from pingce.explanations.ranking import tied as ranking_tied
from pingce.explanations.ranking.lesson import SO_FAR, Lesson, column, only_where, running, sum_line
from pingce.explanations.ranking.precision_recall import fraction, hits_line, hits_name, relevant_line
from pingce.explanations.registry import explains
from pingce.metrics.ranking.average_precision import FLOOR, AveragePrecision, Bpref, GeometricMeanAP, ReciprocalRank


@explains(ReciprocalRank)
def reciprocal_rank(metric: ReciprocalRank, lesson: Lesson) -> Derivation:
    """1 over the rank of the first, or the mean of 1 over the rank of each."""
    if metric.of != "first":
        return _all_reciprocal_ranks(metric, lesson)
    if lesson.view.expected:
        return ranking_tied.reciprocal_rank(metric, lesson)
    rows = lesson.within(metric.k)
    first = next((row for row in rows if lesson.is_relevant(row)), None)
    counts = [first is not None and row.rank <= first.rank for row in rows]
    grid = lesson.grid(
        rows, counts=[counting and row is first for counting, row in zip(counts, rows, strict=True)], k=metric.k
    )
    if first is None:
        return Derivation((grid,), Text("0, since none is relevant", "0，因为没有相关条目"), (), 0.0)
    line = Line(
        "first", Text("first", "首个"), Text("rank of the first relevant item", "第一个相关条目的名次"), (), first.rank
    )
    return Derivation((grid, line), "1 / {}", (first.rank,), 1.0 / first.rank)


def _all_reciprocal_ranks(metric: ReciprocalRank, lesson: Lesson) -> Derivation:
    view, rows = lesson.view, lesson.within(metric.k)
    terms = lesson.cells(rows, view.weight(reciprocal, metric.k) * view.relevant)
    total = float(view.sum(view.weight(reciprocal, metric.k) * view.relevant)[0])
    name = Text("mean 1 / rank", "1 / 名次的均值") if view.expected else Text("1 / rank", "1 / 名次")
    grid = lesson.grid(
        rows,
        (replace(column("reciprocal", ""), title=name), lesson.weights(rows, reciprocal, metric.k)),
        (column("term", "rel_i / i"), terms),
        (SO_FAR, running(terms)),
        k=metric.k,
    )
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
        return ranking_tied.average_precision_over_hits(metric, lesson)
    steps: list[Step] = []
    if view.expected:
        steps, total = ranking_tied.precision_sum_steps(metric, lesson)
    else:
        grid, terms, total = _precisions(metric, lesson)
        steps = [grid, sum_line("sum", "Σ", terms, total)]
    k = lesson.n if metric.k is None else metric.k
    hits = float(view.hits_within(metric.k)[0])
    norms: dict[str, tuple[list[Step], float]] = {
        "relevant": ([relevant_line(lesson)], lesson.total),
        "hits": ([hits_line(hits_name(metric.k), metric.k, hits)], hits),
        "min": ([relevant_line(lesson), _least("min(R, k)", lesson.total, k)], min(lesson.total, k)),
        "k": ([Line("norm", "k", Text("k itself", "k 本身"), (), k)], k),
        "list": (
            [relevant_line(lesson), _least("min(R, n, k)", lesson.total, lesson.n, k)],
            min(lesson.total, lesson.n, k),
        ),
    }
    more, norm = norms[metric.norm]
    return fraction([*steps, *more], total, norm)


def _least(name: str, *numbers: int) -> Line:
    return Line("norm", name, f"min({', '.join(['{}'] * len(numbers))})", numbers, min(numbers))


def _precisions(metric: AveragePrecision, lesson: Lesson) -> tuple[Grid, list[float], float]:
    """The list with the precision at each hit."""
    view, rows = lesson.view, lesson.within(metric.k)
    so_far = view.running(view.relevant)
    counted = view.relevant if metric.k is None else view.relevant & (view.rank <= metric.k)
    of_hits = so_far / view.rank * counted
    total = float(view.sum(of_hits)[0])
    terms = lesson.cells(rows, of_hits, 0.0)
    so_far_of_rows = lesson.cells(rows, so_far, None)
    relevant = [lesson.is_relevant(row) for row in rows]
    grid = lesson.grid(
        rows,
        (column("hits", "h_i"), only_where(relevant, so_far_of_rows)),
        (column("precision", "h_i / i"), only_where(relevant, terms)),
        (SO_FAR, running(terms)),
        k=metric.k,
    )
    return grid, [term for term, here in zip(terms, relevant, strict=True) if here], total


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
    view, rows, total = lesson.view, lesson.within(None), lesson.total
    wrong = (view.grade >= 0) & ~view.relevant
    judged = view.judged_grade
    every = int(((judged >= 0) & ~view.is_relevant(judged)).sum())
    most = min(every, total)
    above = view.running(wrong)
    capped = np.minimum(above, total)
    term = 1.0 - (capped / most if most else np.zeros(len(capped)))
    terms = term * view.relevant
    value = float(view.sum(terms)[0])
    relevant = [lesson.is_relevant(row) for row in rows]
    counts = [row.grade is not None and row.grade >= 0 for row in rows]
    before = lesson.cells(rows, above, None)
    parts = lesson.cells(rows, terms, 0.0)
    grid = lesson.grid(
        rows,
        (column("above", "b"), only_where(relevant, before)),
        (column("term", "1 − min(b, R) / min(N, R)"), only_where(relevant, parts)),
        (SO_FAR, running(parts)),
        counts=counts,
    )
    wrong_line = Line(
        "non_relevant", "N", Text("judged items that are not relevant", "已标注但不相关的条目数"), (), every
    )
    kept = [part for part, counts_here in zip(parts, relevant, strict=True) if counts_here]
    steps: list[Step] = [relevant_line(lesson), wrong_line, grid, sum_line("sum", "Σ", kept, value)]
    return fraction(steps, value, total)
