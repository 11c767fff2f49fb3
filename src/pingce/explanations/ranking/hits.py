"""Metrics that count hits, worked: hit rate, hits, R-precision."""

from __future__ import annotations

from pingce.base.text import Text
from pingce.explanations.derivation import Derivation
from pingce.explanations.ranking import tied as ranking_tied
from pingce.explanations.ranking.lesson import Lesson
from pingce.explanations.ranking.precision_recall import counted, fraction, hits_name, recall, relevant_line
from pingce.explanations.registry import explains
from pingce.metrics.ranking.hits import HitRate, Hits, RPrecision
from pingce.metrics.ranking.precision_recall import Recall


@explains(HitRate)
def hit_rate(metric: HitRate, lesson: Lesson) -> Derivation:
    """1 if h_k > 0."""
    if metric.mode == "micro":
        note = Text("Over all queries: Σ h_k / Σ R, not a mean.", "对全体查询：Σ h_k / Σ R，而不是求平均。")
        share = recall(Recall(k=metric.k), lesson)
        return Derivation(share.steps, share.template, share.numbers, share.value, (note,))
    if lesson.view.expected:
        return ranking_tied.hit_rate(metric, lesson)
    steps, hits = counted(lesson, metric.k)
    return Derivation(steps, "[{} > 0]", (hits,), float(hits > 0))


@explains(Hits)
def hits(metric: Hits, lesson: Lesson) -> Derivation:
    """h_k."""
    steps, count = counted(lesson, metric.k)
    return Derivation(steps, hits_name(metric.k), (), count)


@explains(RPrecision)
def r_precision(_: RPrecision, lesson: Lesson) -> Derivation:
    """Precision at R."""
    steps, count = counted(lesson, lesson.total)
    return fraction([relevant_line(lesson), *steps], count, lesson.total)
