"""Novelty and the share of unseen items, worked."""

from __future__ import annotations

import numpy as np

from pingce.base.text import Text
from pingce.evidence.items.view import item_view
from pingce.explanations.derivation import Derivation
from pingce.explanations.frame import explains
from pingce.explanations.ranking.items import COUNTED, place_mean
from pingce.explanations.ranking.lesson import RELEVANT, Lesson
from pingce.explanations.tables import Cells
from pingce.metrics.ranking.novelty import Novelty, Unseen


@explains(Novelty)
def novelty(metric: Novelty, lesson: Lesson) -> Derivation:
    """How few know each item."""
    display = item_view(lesson.view)
    places, past = display.places(metric.k), display.background.past
    counts = np.append(past.counts(metric.of), 0)[display.in_past][places.item]
    total = past.user_count if metric.of == "users" else len(past)
    title = Text(f"{COUNTED[metric.of].en} of {total}", f"{total} 个{COUNTED[metric.of].zh}中")
    columns: list[Cells] = [("count", title, counts.tolist())]
    if metric.relevant_only == "yes":
        grade = display.grade[places.row]
        columns.append((*RELEVANT, (grade >= lesson.view.threshold).astype(np.int64).tolist()))
    return place_mean(metric, lesson, columns)


@explains(Unseen)
def unseen(metric: Unseen, lesson: Lesson) -> Derivation:
    """What the user did not have."""
    return place_mean(metric, lesson, ())
