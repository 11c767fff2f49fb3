"""Serendipity, worked."""

from __future__ import annotations

import numpy as np

from pingce.base.text import Text
from pingce.evidence.items.shown import shown_items
from pingce.explanations.derivation import Derivation
from pingce.explanations.frame import explains
from pingce.explanations.ranking.items import place_mean
from pingce.explanations.ranking.lesson import RELEVANT, Lesson
from pingce.metrics.ranking.serendipity import Serendipity


@explains(Serendipity)
def serendipity(metric: Serendipity, lesson: Lesson) -> Derivation:
    """How far above its popularity each relevant item stands, or how unlike the past it is."""
    shown = shown_items(lesson.view)
    places = shown.places(metric.k)
    relevant = (shown.grade[places.row] >= lesson.view.threshold).astype(np.int64).tolist()
    if metric.of == "similarity":
        near = metric.similarity(shown, places).tolist()
        title = Text("mean cosine with the past", "与过去的平均余弦")
        return place_mean(metric, lesson, [("similarity", title, near), (*RELEVANT, relevant)])
    popular = metric.popularity_ranks(shown)[places.item].astype(np.int64).tolist()
    columns = [("popular", Text("rank by popularity", "流行度名次"), popular), (*RELEVANT, relevant)]
    return place_mean(metric, lesson, columns)
