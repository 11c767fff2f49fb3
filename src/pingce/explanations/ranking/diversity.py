"""Diversity within a list, worked."""

from __future__ import annotations

import numpy as np

from pingce.base.text import Text
from pingce.evidence.items.view import ItemView, item_view
from pingce.explanations.derivation import Derivation, Grid, Line, Step
from pingce.explanations.frame import explains
from pingce.explanations.ranking.items import item_names
from pingce.explanations.ranking.lesson import ITEM, RANK, Lesson
from pingce.explanations.tables import Cells, table
from pingce.metrics.ranking.diversity import CategoryDiversity, CategoryEntropy, FeatureMetric, IntraListDiversity


def list_grid(metric: FeatureMetric, display: ItemView) -> Grid:
    """The list with the categories of each item, or whether it has a vector."""
    places = display.places(metric.k)
    columns: list[Cells] = [(*RANK, places.rank.tolist()), (*ITEM, item_names(display, places.item))]
    if metric.of_vectors:
        has_facts = metric.has_facts(display)[places.item].astype(np.int64)
        columns.append(("vector", Text("has a vector", "有向量"), has_facts.tolist()))
    else:
        begin, category = display.background.features.categories(display.items)
        names = display.background.features.table.categories.names
        words = [", ".join(names[each] for each in category[begin[at] : begin[at + 1]]) for at in places.item.tolist()]
        columns.append(("category", Text("category", "类目"), words))
    return table("list", Text("The list, from the top", "列表，从第 1 位起"), columns)


@explains(IntraListDiversity)
def ild(metric: IntraListDiversity, lesson: Lesson) -> Derivation:
    """The distances of all pairs, over how many there are."""
    display = item_view(lesson.view)
    total, sizes = (column[0].item() for column in metric.sums(display))
    steps: list[Step] = [list_grid(metric, display)]
    value = float(metric.values(lesson.view)[0])
    if sizes < 2:
        words = Text("the list has fewer than two such items (short={})", "此类条目少于两个（short={}）")
        return Derivation(steps, Text(*(text.format(metric.short) for text in words)), (), value)
    words = Text("distances of all pairs, added up", "所有对的距离之和")
    steps.append(Line("distances", "Σ d", words, (), total))
    if metric.over == "list":
        return Derivation(steps, "{} / {}", (total, sizes), value)
    steps.append(Line("pairs", Text("pairs", "对数"), "{} · {} / 2", (sizes, sizes - 1), sizes * (sizes - 1) // 2))
    return Derivation(steps, "{} / {}", (total, sizes * (sizes - 1) // 2), value)


@explains(CategoryDiversity)
def category_diversity(metric: CategoryDiversity, lesson: Lesson) -> Derivation:
    """Categories over places."""
    display = item_view(lesson.view)
    count = int(metric.distinct(display)[0])
    bottom = int(display.depth(metric.k)[0]) if metric.over == "list" else int(metric.k or 0)
    return Derivation([list_grid(metric, display)], "{} / {}", (count, bottom), float(metric.values(lesson.view)[0]))


@explains(CategoryEntropy)
def category_entropy(metric: CategoryEntropy, lesson: Lesson) -> Derivation:
    """The entropy of how often each category occurs."""
    display = item_view(lesson.view)
    times = metric.tallies(display).times.tolist()
    columns: list[Cells] = [
        ("times", Text("times", "次数"), times),
        ("share", "p", [each / sum(times) for each in times]),
    ]
    steps = [list_grid(metric, display), table("categories", Text("Categories of the list", "列表的类目"), columns)]
    return Derivation(steps, "Σ p · log2(1 / p)", (), float(metric.values(lesson.view)[0]))
