"""What explanations of metrics of items share: the counters of items, and lists with what each place adds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Ints
from pingce.base.text import Text
from pingce.evidence.items.view import ItemView, Places, item_view
from pingce.explanations.derivation import Derivation, Grid, Line, Step
from pingce.explanations.ranking.lesson import ITEM, RANK, Lesson, ranks_of, so_far, sum_line
from pingce.explanations.tables import MOST, Cells, table
from pingce.metrics.ranking.items import ItemMetric
from pingce.metrics.ranking.novelty import PlaceMean, even

ITEMS = "items", Text("items", "条目数")
COUNTED = {"users": Text("users", "用户"), "interactions": Text("interactions", "交互")}
TIMES = "times", Text("c: times shown", "c：展示次数")


def item_names(display: ItemView, items: NDArray[Any]) -> list[str]:
    """Items by name."""
    return [str(name) for name in display.items.take(items).to_list()]


def counts_grid(display: ItemView, k: int | None, *more: tuple[str, Text, Ints]) -> Grid:
    """The items that are shown most often, with how often, and columns that have a number for each item."""
    counts = display.counts(k)
    items = np.flatnonzero(counts)
    order = items[np.argsort(-counts[items], kind="stable")]
    first, left = order[:MOST], max(0, len(order) - MOST)
    note = Text(f"{left} more items are shown.", f"另有 {left} 个展示过的条目。") if left else None
    columns: list[Cells] = [(*ITEM, item_names(display, first)), (*TIMES, counts[first].tolist())]
    columns += [(key, title, column[first].tolist()) for key, title, column in more]
    return table("items", Text("Items by how often they are shown", "各条目的展示次数"), columns, note=note)


def distinct_counts(counts: Ints) -> tuple[list[int], list[int]]:
    """How often items are shown, ascending, and how many items each number has."""
    distinct, times = np.unique(counts[counts > 0], return_counts=True)
    return distinct.tolist(), times.tolist()


def whole_setting(metric: ItemMetric, display: ItemView) -> Text:
    """Lists, places and items that are looked at."""
    counts = display.counts(metric.k)
    lists, places, items = len(display), int(counts.sum()), int(np.count_nonzero(counts))
    return Text(
        f"{lists} lists fill {places} places with {items} different items.",
        f"{lists} 个列表共有 {places} 个位置，展示了 {items} 个不同条目。",
    )


def place_mean(metric: PlaceMean, lesson: Lesson, more: Sequence[Cells]) -> Derivation:
    """A mean over the places of a list: what each item is worth, and their sum over what it is divided by."""
    display = item_view(lesson.view)
    places, weigh = display.places(metric.k), metric.weigh()
    weights, worth = display.weights(metric.k, weigh), metric.worth(display, places)
    kept = metric.is_kept(display, places)
    weights = weights if kept is None else np.where(kept, weights, 0.0)
    terms = (weights * worth).tolist()
    columns: list[Cells] = [(*RANK, ranks_shown(display, places)), (*ITEM, item_names(display, places.item)), *more]
    columns.append(("worth", Text("worth", "取值"), worth.tolist()))
    if weigh is not even or lesson.view.expected or kept is not None:
        columns.append(("weight", Text("weight", "权重"), weights.tolist()))
    columns.append(so_far(terms))
    top, bottom = (float(part[0]) for part in metric.parts(lesson.view))
    steps: list[Step] = [table("list", Text("The list, from the top", "列表，从第 1 位起"), columns)]
    steps.append(sum_line("sum", "Σ", terms, top))
    steps.append(Line("bottom", Text("divided by", "除以"), bottom_words(metric), (), bottom))
    return Derivation(steps, "{} / {}", (top, bottom), top / bottom)


def bottom_words(metric: PlaceMean) -> Text:
    """What the sum is divided by, in words."""
    if getattr(metric, "over", "list") == "k":
        return Text("the weights of k places", "k 个位置的权重之和")
    return Text("the weights of the places that count", "计入位置的权重之和")


def ranks_shown(display: ItemView, places: Places) -> list[int | str]:
    """The rank of each place; where the order of ties is not fixed, those that its item may have."""
    if not display.view.expected:
        return [int(rank) for rank in places.rank]
    block = display.heads.block[places.row]
    return [ranks_of(int(rank) - 1, int(size)) for rank, size in zip(places.rank, block, strict=True)]
