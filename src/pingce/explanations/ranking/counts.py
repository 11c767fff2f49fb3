"""Counts, worked."""

from __future__ import annotations

from collections.abc import Sequence

from pingce.base.text import Text
from pingce.explanations.derivation import Cell, Column, Derivation, Grid
from pingce.explanations.ranking.lesson import GRADE, ITEM, RELEVANT, Lesson, by_columns
from pingce.explanations.ranking.listed import said
from pingce.explanations.ranking.precision_recall import RUNNING, hits_so_far, relevant_line
from pingce.explanations.registry import explains
from pingce.metrics.ranking import counts as totals

_TOTAL = Text("Over all queries: their sum.", "对全体查询：求和。")


@explains(totals.QueryCount)
def query_count(_: totals.QueryCount, lesson: Lesson) -> Derivation:
    """One."""
    return Derivation((), Text("this query", "本查询"), (), 1.0, (_TOTAL,))


@explains(totals.ReturnedCount)
def returned_count(_: totals.ReturnedCount, lesson: Lesson) -> Derivation:
    """n."""
    grid = lesson.grid(lesson.within(None))
    return Derivation((grid,), Text("items returned", "返回的条目数"), (), float(lesson.n), (_TOTAL,))


@explains(totals.RelevantCount)
def relevant_count(_: totals.RelevantCount, lesson: Lesson) -> Derivation:
    """R."""
    line = relevant_line(lesson)
    return Derivation((_judged_grid(lesson),), line.template, (), float(lesson.total), (_TOTAL,))


@explains(totals.RelevantReturnedCount)
def relevant_returned_count(_: totals.RelevantReturnedCount, lesson: Lesson) -> Derivation:
    """h_n."""
    rows = lesson.within(None)
    grid = lesson.grid(rows, (RUNNING, hits_so_far(lesson, rows)))
    count = float(lesson.view.count(lesson.view.relevant)[0])
    return Derivation((grid,), Text("relevant items in the list", "列表中的相关条目数"), (), count, (_TOTAL,))


@explains(totals.NonrelevantReturnedCount)
def non_relevant_returned_count(_: totals.NonrelevantReturnedCount, lesson: Lesson) -> Derivation:
    """Judged items of the list that are not relevant."""
    rows, view = lesson.within(None), lesson.view
    wrong = [row.grade is not None and row.grade >= 0 and not lesson.is_relevant(row) for row in rows]
    count = float(view.count((view.grade >= 0) & ~view.relevant)[0])
    words = Text("judged items of the list that are not relevant", "列表中已标注但不相关的条目数")
    return Derivation((lesson.grid(rows, counts=wrong),), words, (), count, (_TOTAL,))


def _judged_grid(lesson: Lesson) -> Grid:
    """All judged items, best first."""
    pairs = lesson.lists.judged
    relevant = [grade >= lesson.view.threshold for _, grade in pairs]
    columns: list[tuple[Column, Sequence[Cell]]] = [(GRADE, [grade for _, grade in pairs])]
    if lesson.named:
        columns.insert(0, (ITEM, [said(item) for item, _ in pairs]))
    columns.append((RELEVANT, [int(counting) for counting in relevant]))
    return by_columns("judged", Text("All judged items", "全部已标注条目"), columns, relevant)
