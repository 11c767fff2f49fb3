"""Means over subtopics, worked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pingce.base.text import Text
from pingce.evidence.ranking.intent_view import intent_view
from pingce.explanations.derivation import Derivation
from pingce.explanations.frame import explains
from pingce.explanations.ranking.intents import count_line, subtopic_cells
from pingce.explanations.ranking.lesson import Lesson, sum_line
from pingce.explanations.tables import Cells, table
from pingce.metrics.ranking.intent_means import IntentAP, IntentPrecision, SubtopicRecall

if TYPE_CHECKING:
    from pingce.base.tables import Cell

_SERVED = ("served", Text("of them new", "其中首次满足"))


@explains(IntentPrecision)
def precision(metric: IntentPrecision, lesson: Lesson) -> Derivation:
    """Pairs of an item and a subtopic, counted."""
    view, top = lesson.view, lesson.top(metric.k)
    sizes = top.cells(np.bincount(intent_view(view).hit, minlength=len(view.query)))
    grid = top.grid(*subtopic_cells(lesson, metric.k), ("size", "|S_i|", sizes), counts=[size > 0 for size in sizes])
    depth, count, pairs = int(view.cutoff(metric.k)[0]), int(intent_view(view).count[0]), sum(sizes)
    value = pairs / (depth * count) if depth else 0.0
    return Derivation((count_line(lesson), grid), "{} / ({} · {})", (pairs, depth, count), value)


@explains(SubtopicRecall)
def recall(metric: SubtopicRecall, lesson: Lesson) -> Derivation:
    """Subtopics that are served for the first time, counted."""
    view, top = lesson.view, lesson.top(metric.k)
    intents = intent_view(view)
    fresh = top.cells(np.bincount(intents.hit[intents.earlier == 0], minlength=len(view.query)))
    grid = top.grid(*subtopic_cells(lesson, metric.k), (*_SERVED, fresh), counts=[number > 0 for number in fresh])
    count = int(intents.count[0])
    return Derivation((count_line(lesson), grid), "{} / {}", (sum(fresh), count), sum(fresh) / count)


@explains(IntentAP)
def average_precision(metric: IntentAP, lesson: Lesson) -> Derivation:
    """The average precision of each subtopic, and their mean."""
    view, intents = lesson.view, intent_view(lesson.view)
    within = np.ones(len(intents.hit), bool) if metric.k is None else view.rank[intents.hit] <= metric.k
    rows: list[tuple[Cell, ...]] = []
    averages: list[float] = []
    total, names = 0.0, _subtopic_names(lesson)
    for place, relevant in enumerate(intents.relevant_items.tolist()):
        pairs = within & (intents.hit_subtopic == place)
        ranks, earlier = view.rank[intents.hit[pairs]].tolist(), intents.earlier[pairs].tolist()
        precisions = 0.0
        for rank, before in zip(ranks, earlier, strict=True):
            precisions += (before + 1) / rank
        shares = " + ".join(f"{before + 1}/{rank}" for rank, before in zip(ranks, earlier, strict=True)) or "0"
        name = names[place] if place < len(names) else str(place + 1)
        averages.append(precisions / relevant)
        rows.append((name, shares, precisions, relevant, averages[-1]))
        total += averages[-1]
    heads: tuple[tuple[str, str | Text], ...] = (
        ("subtopic", Text("subtopic s", "子主题 s")),
        ("precisions", Text("precision at its items", "在其各条目处的精确率")),
        ("sum", "Σ"),
        ("relevant", "R_s"),
        ("average", Text("Σ / R_s", "Σ / R_s")),
    )
    columns: list[Cells] = [
        (key, title, list(cells)) for (key, title), cells in zip(heads, zip(*rows, strict=True), strict=True)
    ]
    grid = table("averages", Text("The average precision of each subtopic", "各子主题的平均精度"), columns)
    listed = lesson.top(metric.k).grid(*subtopic_cells(lesson, metric.k))
    steps = (count_line(lesson), listed, grid, sum_line("sum", "Σ", averages, total))
    return Derivation(steps, "{} / {}", (total, len(rows)), total / len(rows))


def _subtopic_names(lesson: Lesson) -> list[str]:
    """Those with a relevant item, in the order in which they are counted."""
    names = {
        name
        for grades in lesson.lists.subtopics.values()
        for name, grade in grades.items()
        if grade >= lesson.view.threshold
    }
    return sorted(names, key=lesson.lists.subtopic_order)
