"""Metrics of subtopics for readers of some patience, worked."""

from __future__ import annotations

from pingce.base.text import Text
from pingce.evidence.ranking.intent_view import intent_view
from pingce.explanations.derivation import Derivation
from pingce.explanations.frame import explains
from pingce.explanations.ranking.intents import ideal_list, listed_gains
from pingce.explanations.ranking.lesson import Lesson, sum_line
from pingce.metrics.ranking.intent_patience import NRBP, NormalizedNRBP


@explains(NRBP)
def patient(metric: NRBP, lesson: Lesson) -> Derivation:
    """Gains by the share of readers who reach them."""
    steps, terms, total = listed_gains(metric, lesson)
    count = int(intent_view(lesson.view).count[0])
    steps.append(sum_line("sum", "Σ", terms, total))
    value = total * float(metric.scale(lesson.view)[0])
    return Derivation(steps, "{} · (1 − (1 − {}) · {}) / {}", (total, metric.alpha, metric.beta, count), value)


@explains(NormalizedNRBP)
def normalized_patient(metric: NormalizedNRBP, lesson: Lesson) -> Derivation:
    """The same over that of the ideal list."""
    steps, terms, total = listed_gains(metric, lesson)
    grid, ideal_terms, ideal = ideal_list(metric, lesson)
    steps += [sum_line("sum", "Σ", terms, total), grid, sum_line("ideal", Text("ideal", "理想值"), ideal_terms, ideal)]
    scale = float(metric.scale(lesson.view)[0])
    return Derivation(steps, "{} / {}", (total, ideal), (total * scale) / (ideal * scale))
