"""Gini's coefficient of exposure, worked."""

from __future__ import annotations

import math

import numpy as np

from pingce.base.text import Text
from pingce.evidence.items.view import ItemView
from pingce.explanations.derivation import Derivation, Line, Step
from pingce.explanations.frame import explains
from pingce.explanations.ranking.items import item_names
from pingce.explanations.ranking.lesson import ITEM
from pingce.explanations.tables import MOST, Cells, table
from pingce.metrics.ranking.attention import ExposureGini


@explains(ExposureGini)
def exposure_gini(metric: ExposureGini, display: ItemView) -> Derivation:
    """Σ (2i − I − 1) e over I · Σ e."""
    attention, (shares, size) = metric.attention(display), metric.shares(display)
    order = np.argsort(-attention, kind="stable")[:MOST]
    order = order[attention[order] > 0]
    terms, total = metric.terms(shares, size), math.fsum(shares)
    columns: list[Cells] = [(*ITEM, item_names(display, order)), ("exposure", "e", attention[order].tolist())]
    left = max(0, int(np.count_nonzero(attention)) - MOST)
    note = Text(f"{left} more items are shown.", f"另有 {left} 个展示过的条目。") if left else None
    words = Text("Σ (2i − I − 1) e, e ascending over all I items", "Σ (2i − I − 1) e，e 对全部 I 个条目升序")
    top = math.fsum(terms)
    steps: list[Step] = [
        table("items", Text("Items by the weight of their places", "各条目所占位置的权重"), columns, note=note),
        Line("sum", "Σ", words, (), top),
        Line("size", "I", Text("items there are", "条目总数"), (), size),
        Line("total", "Σ e", Text("the weights of all places", "全部位置的权重"), (), total),
    ]
    return Derivation(steps, "{} / ({} · {})", (top, size, total), metric.whole(display))
