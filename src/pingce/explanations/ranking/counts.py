"""Counts, and metrics of the whole list as a set, worked."""

from __future__ import annotations

from collections.abc import Sequence

from pingce.base.text import Text
from pingce.explanations.derivation import Cell, Column, Grid
from pingce.explanations.lesson import GRADE, ITEM, RELEVANT, Explainers, Lesson, Working, by_columns
from pingce.explanations.listed import said
from pingce.explanations.ranking.precision_recall import RUNNING, counted, hits_so_far, relevant_line
from pingce.metrics.ranking import counts as totals
from pingce.metrics.ranking.sets import SetAP, Utility

_TOTAL = Text("Over all queries: their sum.", "对全体查询：求和。")


def query_count(_: totals.QueryCount, lesson: Lesson) -> Working:
    """One."""
    return Working((), Text("this query", "本查询"), (), 1.0, (_TOTAL,))


def returned_count(_: totals.ReturnedCount, lesson: Lesson) -> Working:
    """n."""
    grid = lesson.grid(lesson.within(None))
    return Working((grid,), Text("items returned", "返回的条目数"), (), float(lesson.n), (_TOTAL,))


def relevant_count(_: totals.RelevantCount, lesson: Lesson) -> Working:
    """R."""
    line = relevant_line(lesson)
    return Working((_judged_grid(lesson),), line.template, (), float(lesson.total), (_TOTAL,))


def relevant_returned_count(_: totals.RelevantReturnedCount, lesson: Lesson) -> Working:
    """h_n."""
    rows = lesson.within(None)
    grid = lesson.grid(rows, (RUNNING, hits_so_far(lesson, rows)))
    found = float(lesson.seen.count(lesson.seen.relevant)[0])
    return Working((grid,), Text("relevant items in the list", "列表中的相关条目数"), (), found, (_TOTAL,))


def non_relevant_returned_count(_: totals.NonrelevantReturnedCount, lesson: Lesson) -> Working:
    """Judged items of the list that are not relevant."""
    rows, seen = lesson.within(None), lesson.seen
    wrong = [row.grade is not None and row.grade >= 0 and not lesson.is_relevant(row) for row in rows]
    found = float(seen.count((seen.grade >= 0) & ~seen.relevant)[0])
    words = Text("judged items of the list that are not relevant", "列表中已标注但不相关的条目数")
    return Working((lesson.grid(rows, counts=wrong),), words, (), found, (_TOTAL,))


def _judged_grid(lesson: Lesson) -> Grid:
    """All judged items, best first."""
    pairs = lesson.lists.judged
    relevant = [grade >= lesson.seen.threshold for _, grade in pairs]
    columns: list[tuple[Column, Sequence[Cell]]] = [(GRADE, [grade for _, grade in pairs])]
    if lesson.named:
        columns.insert(0, (ITEM, [said(item) for item, _ in pairs]))
    columns.append((RELEVANT, [int(one) for one in relevant]))
    return by_columns("judged", Text("All judged items", "全部已标注条目"), columns, relevant)


def set_ap(_: SetAP, lesson: Lesson) -> Working:
    """h_n² over n · R."""
    steps, found = counted(lesson, None)
    steps.append(relevant_line(lesson))
    bottom = lesson.n * lesson.total
    if not bottom:
        return Working(steps, Text("0, since nothing was returned", "0，因为没有返回条目"), (), 0.0)
    return Working(steps, "{}² / ({} · {})", (found, lesson.n, lesson.total), found * found / bottom)


def utility(metric: Utility, lesson: Lesson) -> Working:
    """What the relevant items earn and the others cost."""
    steps, found = counted(lesson, None)
    value = metric.a * found + metric.b * (lesson.n - found)
    return Working(steps, "{} · {} + ({}) · ({} − {})", (metric.a, found, metric.b, lesson.n, found), value)


EXPLAINED: Explainers = {
    totals.QueryCount: query_count,
    totals.ReturnedCount: returned_count,
    totals.RelevantCount: relevant_count,
    totals.RelevantReturnedCount: relevant_returned_count,
    totals.NonrelevantReturnedCount: non_relevant_returned_count,
    SetAP: set_ap,
    Utility: utility,
}
