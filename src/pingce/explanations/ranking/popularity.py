"""Popularity and the share of the long tail, worked."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pingce.base.text import Text
from pingce.evidence.items.view import item_view
from pingce.explanations.derivation import Derivation
from pingce.explanations.frame import explains
from pingce.explanations.ranking.items import COUNTED, place_mean
from pingce.explanations.ranking.lesson import Lesson
from pingce.explanations.tables import Cells
from pingce.metrics.ranking.popularity import Popularity, Tail


def _counts(metric: Popularity | Tail, lesson: Lesson, of: str) -> Cells:
    display = item_view(lesson.view)
    past, places = display.background.past, display.places(metric.k)
    counts = np.append(past.counts(of), 0)[display.in_past][places.item]
    return "count", Text(f"{of} in train", f"训练集中的{COUNTED[of].zh}数"), counts.tolist()


@explains(Popularity)
def popularity(metric: Popularity, lesson: Lesson) -> Derivation:
    """How often each item occurs."""
    return place_mean(metric, lesson, [_counts(metric, lesson, metric.of)])


@explains(Tail)
def tail(metric: Tail, lesson: Lesson) -> Derivation:
    """Which items are of the tail."""
    derivation = place_mean(metric, lesson, [_counts(metric, lesson, "interactions")])
    if metric.as_ == "share":
        return derivation
    top = float(metric.parts(lesson.view)[0][0])
    return replace(derivation, template=Text("{} items", "{} 个条目"), numbers=(top,), value=top)
