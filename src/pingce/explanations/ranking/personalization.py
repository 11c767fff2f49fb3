"""Personalization, worked."""

from __future__ import annotations

from pingce.base.text import Text
from pingce.evidence.items.view import ItemView
from pingce.explanations.derivation import Derivation, Line, Step
from pingce.explanations.frame import explains
from pingce.explanations.ranking.items import ITEMS, TIMES, counts_grid, distinct_counts
from pingce.explanations.ranking.lesson import sum_line
from pingce.explanations.tables import table
from pingce.metrics.ranking.personalization import Personalization


@explains(Personalization)
def personalization(metric: Personalization, display: ItemView) -> Derivation:
    """What pairs of lists have in common, from how often each item is shown."""
    lists, value = len(display), metric.whole(display)
    pairs = lists * (lists - 1) // 2
    steps: list[Step] = [
        counts_grid(display, metric.k),
        Line("pairs", Text("pairs of lists", "列表对数"), "{} · {} / 2", (lists, lists - 1), pairs),
    ]
    if not metric.of_places:
        words = Text("what each pair has in common, added up", "各对列表的相同程度之和")
        alike = metric.alike(display)
        steps.append(Line("common", Text("alike", "相同程度"), words, (), alike))
        return Derivation(steps, "1 − {} / {}", (alike, pairs), value)
    distinct, times = distinct_counts(display.counts(metric.k))
    terms = [many * count * (count - 1) // 2 for count, many in zip(distinct, times, strict=True)]
    columns = [(*TIMES, distinct), (*ITEMS, times), ("pairs", Text("pairs that share them", "共有它们的列表对"), terms)]
    title = Text(
        "An item that c lists show is shared by c (c − 1) / 2 pairs", "c 个列表展示的条目由 c (c − 1) / 2 对共有"
    )
    steps += [table("counts", title, columns), sum_line("common", Text("in common", "相同条目"), terms, sum(terms))]
    if metric.distance == "overlap":
        return Derivation(steps, "1 − {} / ({} · {})", (sum(terms), int(metric.k or 0), pairs), value)
    empty = metric.empty_places(display)
    steps.append(Line("empty", Text("empty", "空位"), Text("places without an item", "没有条目的位置"), (), empty))
    return Derivation(steps, "1 − ({} − {} / 2) / ({} · {})", (sum(terms), empty, int(metric.k or 0), pairs), value)
