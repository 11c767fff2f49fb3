"""Metrics that model a reader, worked: rank-biased precision and expected reciprocal rank."""

from __future__ import annotations

from pingce.base.text import Text
from pingce.explanations.derivation import Derivation
from pingce.explanations.ranking.lesson import Lesson, column, running, sum_line, sum_of
from pingce.explanations.registry import explains
from pingce.metrics.ranking.cumulated import hit_gains
from pingce.metrics.ranking.gains import exp2, grade_gain, top_grade
from pingce.metrics.ranking.user_models import ExpectedReciprocalRank, Patience, RankBiasedPrecision


@explains(RankBiasedPrecision)
def rank_biased_precision(metric: RankBiasedPrecision, lesson: Lesson) -> Derivation:
    """What each item is worth, by the share of readers who reach it."""
    view, rows = lesson.view, lesson.within(metric.k)
    worth = hit_gains(view, "linear" if metric.gain == "grade" else metric.gain, metric.gain_below)
    if metric.gain in ("linear", "exp2"):
        top = top_grade(metric.max, view.top_grade)
        worth = worth / (grade_gain(top, metric.gain) if top > 0 else 1.0)
    readers = Patience(float(metric.p))
    terms = lesson.cells(rows, worth * view.weight(readers, metric.k), 0.0)
    total = float(view.sum(worth * view.weight(readers, metric.k))[0])
    grid = lesson.terms_grid(
        rows,
        terms,
        (column("worth", "u_i"), lesson.cells(rows, worth, 0.0)),
        (
            column("readers", "mean p^(i−1)", "p^(i−1) 的均值") if view.expected else column("readers", "p^(i−1)"),
            lesson.weights(rows, readers, metric.k),
        ),
        (column("contribution", "u_i · p^(i−1)"), terms),
        k=metric.k,
    )
    steps = (grid, sum_line("sum", "Σ", terms, total))
    return Derivation(steps, "(1 − {}) · {}", (metric.p, total), (1.0 - metric.p) * total)


@explains(ExpectedReciprocalRank)
def expected_reciprocal_rank(metric: ExpectedReciprocalRank, lesson: Lesson) -> Derivation:
    """Walk down until satisfied."""
    view, rows = lesson.view, lesson.within(metric.k)
    top = top_grade(metric.max, view.top_grade)
    satisfied = lesson.cells(rows, hit_gains(view, "exp2", "keep") / exp2(top), 0.0)
    reach, terms, unsatisfied = [], [], 1.0
    for row, chance in zip(rows, satisfied, strict=True):
        reach.append(unsatisfied)
        terms.append(chance / row.rank * unsatisfied)
        unsatisfied *= 1.0 - chance
    grid = lesson.terms_grid(
        rows,
        terms,
        (column("satisfied", "q_i"), satisfied),
        (column("reached", "Π_{j<i} (1 − q_j)"), reach),
        (column("contribution", "q_i / i · Π"), terms),
        k=metric.k,
    )
    words = Text(f"max = {top:g}: q = (2^g − 1) / 2^{top:g}", f"max = {top:g}：q = (2^g − 1) / 2^{top:g}")
    return sum_of((words, grid), terms, running(terms)[-1] if terms else 0.0)
