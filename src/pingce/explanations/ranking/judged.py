"""Metrics of what was judged and of what was wrong, worked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pingce.base.text import Text
from pingce.explanations.derivation import Column, Derivation, Line, Step
from pingce.explanations.ranking.lesson import Lesson, column, top_words
from pingce.explanations.ranking.precision_recall import SHARE, counted, fraction, relevant_line, smaller
from pingce.explanations.registry import explains
from pingce.metrics.ranking.judged import Fallout, Judged


@explains(Judged)
def judged(metric: Judged, lesson: Lesson) -> Derivation:
    """Judged items over items shown."""
    view, rows = lesson.view, lesson.within(metric.k)
    is_judged = view.grade >= 0
    flags = lesson.cells(rows, is_judged.astype(int))
    columns: list[tuple[Column, Sequence[Any]]] = [(column("judged", "judged", "已标注"), flags)]
    if view.expected and metric.k is not None:
        columns.append((SHARE, lesson.cells(rows, view.share_within(metric.k), None)))
    count = float(view.sum(view.share_within(metric.k) * is_judged)[0])
    top = top_words(metric.k)
    steps: list[Step] = [
        lesson.grid(rows, *columns, counts=[bool(flag) for flag in flags], k=metric.k),
        Line(
            "judged",
            Text("judged", "已标注"),
            Text(f"judged items in {top.en}", f"{top.zh}中已标注的条目数"),
            (),
            count,
        ),
    ]
    if metric.k is not None:
        steps.append(smaller("min(n, k)", lesson.n, metric.k))
    return fraction(steps, count, int(view.depth(metric.k)[0]))


@explains(Fallout)
def fallout(metric: Fallout, lesson: Lesson) -> Derivation:
    """Wrong items shown over all wrong items."""
    steps, count = counted(lesson, metric.k)
    returned = int(lesson.view.depth(metric.k)[0])
    catalog = float(metric.catalog or 0)
    steps.append(relevant_line(lesson))
    value = (returned - count) / (catalog - lesson.total)
    return Derivation(steps, "({} − {}) / ({} − {})", (returned, count, catalog, lesson.total), value)
