"""Metrics that model a reader, worked: rank-biased precision and expected reciprocal rank."""

from __future__ import annotations

from pingce.base.text import Text
from pingce.explanations.derivation import Derivation
from pingce.explanations.frame import explains
from pingce.explanations.ranking.lesson import Lesson, sum_line, sum_of
from pingce.metrics.ranking.gains import top_grade
from pingce.metrics.ranking.user_models import ExpectedReciprocalRank, Patience, RankBiasedPrecision


@explains(RankBiasedPrecision)
def rank_biased_precision(metric: RankBiasedPrecision, lesson: Lesson) -> Derivation:
    """What each item is worth, by the share of readers who reach it."""
    view, top = lesson.view, lesson.top(metric.k)
    worth, readers = metric.worth(view), Patience(float(metric.p))
    parts = worth * view.weight(readers, metric.k)
    terms, total = top.cells(parts, 0.0), float(view.sum(parts)[0])
    grid = top.terms_grid(
        terms,
        ("worth", "u_i", top.cells(worth, 0.0)),
        ("readers", Text("mean p^(i−1)", "p^(i−1) 的均值") if view.expected else "p^(i−1)", top.weights(readers)),
        ("contribution", "u_i · p^(i−1)", terms),
    )
    steps = (grid, sum_line("sum", "Σ", terms, total))
    return Derivation(steps, "(1 − {}) · {}", (metric.p, total), (1.0 - metric.p) * total)


@explains(ExpectedReciprocalRank)
def expected_reciprocal_rank(metric: ExpectedReciprocalRank, lesson: Lesson) -> Derivation:
    """Walk down until satisfied."""
    top, best = lesson.top(metric.k), top_grade(metric.max, lesson.view.top_grade)
    satisfied = top.cells(metric.satisfied(lesson.view), 0.0)
    reach, terms, total, unsatisfied = [], [], 0.0, 1.0
    for row, chance in zip(top.rows, satisfied, strict=True):
        reach.append(unsatisfied)
        terms.append(chance / row.rank * unsatisfied)
        total += terms[-1]
        unsatisfied *= 1.0 - chance
    grid = top.terms_grid(
        terms,
        ("satisfied", "q_i", satisfied),
        ("reached", "Π_{j<i} (1 − q_j)", reach),
        ("contribution", "q_i / i · Π", terms),
    )
    formula = f"(2^g − 1) / 2^{best:g}" if metric.gain == "exp2" else f"g / {best:g}"
    words = Text(f"max = {best:g}: q = {formula}", f"max = {best:g}：q = {formula}")
    return sum_of((words, grid), terms, total)
