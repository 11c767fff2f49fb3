"""Metrics of what was judged and of what was wrong, worked."""

from __future__ import annotations

from pingce.base.text import Text
from pingce.explanations.derivation import Derivation, Line, Step
from pingce.explanations.frame import explains
from pingce.explanations.ranking.lesson import SHARE, Lesson, top_words
from pingce.explanations.ranking.precision_recall import counted, fraction, relevant_line, smaller
from pingce.explanations.tables import Cells
from pingce.metrics.ranking.judged import Fallout, Judged


@explains(Judged)
def judged(metric: Judged, lesson: Lesson) -> Derivation:
    """Judged items over items shown."""
    view, top, name = lesson.view, lesson.top(metric.k), Text("judged", "已标注")
    is_judged = view.grade >= 0
    flags = top.cells(is_judged.astype(int))
    columns: list[Cells] = [("judged", name, flags)]
    if view.expected and metric.k is not None:
        columns.append((*SHARE, top.shares()))
    count, part = float(view.sum(view.share_within(metric.k) * is_judged)[0]), top_words(metric.k)
    words = Text(f"judged items in {part.en}", f"{part.zh}中已标注的条目数")
    steps: list[Step] = [top.grid(*columns, counts=[bool(flag) for flag in flags])]
    steps.append(Line("judged", name, words, (), count))
    if metric.k is not None:
        steps.append(smaller("min(n, k)", lesson.n, metric.k))
    return fraction(steps, count, int(view.depth(metric.k)[0]))


@explains(Fallout)
def fallout(metric: Fallout, lesson: Lesson) -> Derivation:
    """Wrong items shown over all wrong items."""
    steps, count = counted(lesson, metric.k)
    returned, catalog = int(lesson.view.depth(metric.k)[0]), float(metric.catalog or 0)
    value = (returned - count) / (catalog - lesson.total)
    numbers = (returned, count, catalog, lesson.total)
    return Derivation([*steps, relevant_line(lesson)], "({} − {}) / ({} − {})", numbers, value)
