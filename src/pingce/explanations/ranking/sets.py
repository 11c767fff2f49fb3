"""Metrics of the whole list as a set, worked."""

from __future__ import annotations

from pingce.base.text import Text
from pingce.explanations.derivation import Derivation
from pingce.explanations.frame import explains
from pingce.explanations.ranking.lesson import Lesson
from pingce.explanations.ranking.precision_recall import counted, relevant_line
from pingce.metrics.ranking.sets import SetAP, Utility


@explains(SetAP)
def set_ap(_: SetAP, lesson: Lesson) -> Derivation:
    """h_n² over n · R."""
    steps, hits = counted(lesson, None)
    steps.append(relevant_line(lesson))
    bottom = lesson.n * lesson.total
    if not bottom:
        return Derivation(steps, Text("0, since nothing was returned", "0，因为没有返回条目"), (), 0.0)
    return Derivation(steps, "{}² / ({} · {})", (hits, lesson.n, lesson.total), hits * hits / bottom)


@explains(Utility)
def utility(metric: Utility, lesson: Lesson) -> Derivation:
    """What the relevant items earn and the others cost."""
    steps, hits = counted(lesson, None)
    value = metric.a * hits + metric.b * (lesson.n - hits)
    return Derivation(steps, "{} · {} + ({}) · ({} − {})", (metric.a, hits, metric.b, lesson.n, hits), value)
