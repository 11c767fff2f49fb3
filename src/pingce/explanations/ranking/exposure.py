"""The exposure of a group of items, worked."""

from __future__ import annotations

import numpy as np

from pingce.base.text import Text
from pingce.evidence.items.view import ItemView
from pingce.explanations.derivation import Derivation, Line, Step
from pingce.explanations.frame import explains
from pingce.explanations.ranking.lesson import RANK, sum_line
from pingce.explanations.tables import Cells, table
from pingce.metrics.ranking.exposure import Exposure


@explains(Exposure)
def exposure(metric: Exposure, display: ItemView) -> Derivation:
    """The weights of the places of the group, over those of all."""
    features, sums, ranks = display.background.features, metric.sums(display), display.groups(metric.k)
    place, of_rank = metric.place(features), metric.weigh()
    rows = np.flatnonzero(ranks.first == place)
    rank, times = ranks.second[rows].tolist(), ranks.times[rows].tolist()
    weights = [of_rank(each) for each in rank]
    terms = [many * weight for many, weight in zip(times, weights, strict=True)]
    columns: list[Cells] = [
        (*RANK, rank),
        ("times", Text("places of the group", "该组的位置数"), times),
        ("weight", Text("weight", "权重"), weights),
        ("term", Text("together", "合计"), terms),
    ]
    counted = [group for group in sorted(sums) if group >= 0 or metric.unknown == "count"]
    names = ["–" if group < 0 else features.group_names[group] for group in counted]
    by_group: list[Cells] = [
        ("group", Text("group", "组"), names),
        ("sum", Text("weights of its places", "位置权重之和"), [sums[group] for group in counted]),
    ]
    part, total = sums.get(place, 0.0), metric.total(sums)
    steps: list[Step] = [
        table("ranks", Text(f"Places of group {metric.group}", f"{metric.group} 组的位置"), columns),
        sum_line("sum", "Σ", terms, part),
        table("groups", Text("All groups that are shown", "展示的各组"), by_group),
        Line(
            "total",
            Text("in all", "总计"),
            Text("the weights of all places that count", "计入位置的权重之和"),
            (),
            total,
        ),
    ]
    return Derivation(steps, "{} / {}", (part, total), metric.whole(display))
