"""What a list has in common with a reference, worked."""

from __future__ import annotations

import numpy as np

from pingce.base.text import Text
from pingce.evidence.items.view import item_view
from pingce.explanations.derivation import Derivation, Line, Step
from pingce.explanations.frame import explains
from pingce.explanations.ranking.items import item_names
from pingce.explanations.ranking.lesson import ITEM, RANK, Lesson
from pingce.explanations.tables import Cells, table
from pingce.metrics.ranking.agreement import AgreementMetric, Jaccard, Overlap, Unexpectedness


@explains(Overlap, Unexpectedness, Jaccard)
def agreement(metric: AgreementMetric, lesson: Lesson) -> Derivation:
    """Items in common, over k or over items of either."""
    display, depth = item_view(lesson.view), int(metric.k or 0)
    places = display.places(depth)
    rank, length = display.background.in_reference(display, places, depth)
    inside = rank > 0
    there = ("there", Text("in the reference", "在参照中"), inside.astype(np.int64).tolist())
    columns: list[Cells] = [(*RANK, places.rank.tolist()), (*ITEM, item_names(display, places.item)), there]
    common, value = int(np.count_nonzero(inside)), float(metric.values(lesson.view)[0])
    steps: list[Step] = [table("list", Text("The list, from the top", "列表，从第 1 位起"), columns)]
    steps.append(
        Line("common", Text("in common", "相同条目"), Text("items that both show", "两者都有的条目"), (), common)
    )
    if isinstance(metric, Jaccard):
        either = len(inside) + int(length[0]) - common
        words = "{} + {} − {}"
        steps.append(
            Line("either", Text("in either", "全部条目"), words, (len(inside), int(length[0]), common), either)
        )
        return Derivation(steps, "{} / {}", (common, either), value)
    if isinstance(metric, Unexpectedness):
        return Derivation(steps, "({} − {}) / {}", (depth, common, depth), value)
    whole = len(inside) if isinstance(metric, Overlap) and metric.over == "list" else depth
    return Derivation(steps, "{} / {}", (common, whole), value)
