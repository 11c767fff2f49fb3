"""Serendipity, worked."""

from __future__ import annotations

import numpy as np

from pingce.base.text import Text
from pingce.evidence.items.view import item_view
from pingce.explanations.derivation import Derivation
from pingce.explanations.frame import explains
from pingce.explanations.ranking.items import place_mean
from pingce.explanations.ranking.lesson import RELEVANT, Lesson
from pingce.metrics.ranking.serendipity import Serendipity


@explains(Serendipity)
def serendipity(metric: Serendipity, lesson: Lesson) -> Derivation:
    """How far above its popularity each relevant item stands, or how unlike the past it is."""
    display = item_view(lesson.view)
    places = display.places(metric.k)
    relevant = (display.grade[places.row] >= lesson.view.threshold).astype(np.int64).tolist()
    if metric.of == "similarity":
        near = metric.similarity(display, places).tolist()
        title = Text("mean cosine with the past", "与过去的平均余弦")
        return place_mean(metric, lesson, [("similarity", title, near), (*RELEVANT, relevant)])
    popular = metric.popularity_ranks(display)[places.item].astype(np.int64).tolist()
    columns = [("popular", Text("rank by popularity", "流行度名次"), popular), (*RELEVANT, relevant)]
    return place_mean(metric, lesson, columns)
