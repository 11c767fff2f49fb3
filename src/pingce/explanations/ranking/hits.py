"""Metrics that count hits, worked: hit rate, hits, R-precision."""

from __future__ import annotations

from dataclasses import replace

from pingce.base.text import Text
from pingce.explanations.derivation import Derivation
from pingce.explanations.frame import explains
from pingce.explanations.ranking import tied
from pingce.explanations.ranking.lesson import Lesson
from pingce.explanations.ranking.precision_recall import counted, fraction, recall, relevant_line
from pingce.metrics.ranking.hits import HitRate, Hits, RPrecision
from pingce.metrics.ranking.precision_recall import Recall


@explains(HitRate)
def hit_rate(metric: HitRate, lesson: Lesson) -> Derivation:
    """1 if h_k > 0."""
    if metric.mode == "micro":
        note = Text("Over all queries: Σ h_k / Σ R, not a mean.", "对全体查询：Σ h_k / Σ R，而不是求平均。")
        return replace(recall(Recall(k=metric.k), lesson), notes=(note,))
    if lesson.view.expected:
        return tied.hit_rate(metric, lesson)
    steps, hits = counted(lesson, metric.k)
    return Derivation(steps, "[{} > 0]", (hits,), float(hits > 0))


@explains(Hits)
def hits(metric: Hits, lesson: Lesson) -> Derivation:
    """h_k."""
    steps, count = counted(lesson, metric.k)
    return Derivation(steps, "h_n" if metric.k is None else f"h_{metric.k}", (), count)


@explains(RPrecision)
def r_precision(_: RPrecision, lesson: Lesson) -> Derivation:
    """Precision at R."""
    steps, count = counted(lesson, lesson.total)
    return fraction([relevant_line(lesson), *steps], count, lesson.total)
