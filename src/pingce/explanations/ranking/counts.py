"""Counts, worked."""

from __future__ import annotations

from pingce.base.text import Text
from pingce.explanations.derivation import Derivation, Grid
from pingce.explanations.frame import explains
from pingce.explanations.ranking.lesson import GRADE, ITEM, RELEVANT, Lesson
from pingce.explanations.ranking.listed import id_text
from pingce.explanations.ranking.precision_recall import hits_so_far, relevant_line
from pingce.explanations.tables import Cells, table
from pingce.metrics.ranking import counts

_TOTAL = (Text("Over all queries: their sum.", "对全体查询：求和。"),)


@explains(counts.QueryCount)
def query_count(_: counts.QueryCount, lesson: Lesson) -> Derivation:
    """One."""
    return Derivation((), Text("this query", "本查询"), (), 1.0, _TOTAL)


@explains(counts.ReturnedCount)
def returned_count(_: counts.ReturnedCount, lesson: Lesson) -> Derivation:
    """n."""
    words = Text("items returned", "返回的条目数")
    return Derivation((lesson.top(None).grid(),), words, (), float(lesson.n), _TOTAL)


@explains(counts.RelevantCount)
def relevant_count(_: counts.RelevantCount, lesson: Lesson) -> Derivation:
    """R."""
    return Derivation((_judged_grid(lesson),), relevant_line(lesson).template, (), float(lesson.total), _TOTAL)


@explains(counts.RelevantReturnedCount)
def relevant_returned_count(_: counts.RelevantReturnedCount, lesson: Lesson) -> Derivation:
    """h_n."""
    top, count = lesson.top(None), float(lesson.view.count(lesson.view.relevant)[0])
    words = Text("relevant items in the list", "列表中的相关条目数")
    return Derivation((top.grid(hits_so_far(top)),), words, (), count, _TOTAL)


@explains(counts.NonrelevantReturnedCount)
def non_relevant_returned_count(_: counts.NonrelevantReturnedCount, lesson: Lesson) -> Derivation:
    """Judged items of the list that are not relevant."""
    top, view = lesson.top(None), lesson.view
    is_wrong = (view.grade >= 0) & ~view.relevant
    words = Text("judged items of the list that are not relevant", "列表中已标注但不相关的条目数")
    grid = top.grid(counts=top.cells(is_wrong, otherwise=False))
    return Derivation((grid,), words, (), float(view.count(is_wrong)[0]), _TOTAL)


def _judged_grid(lesson: Lesson) -> Grid:
    """All judged items, best first."""
    pairs = lesson.lists.judged
    relevant = [grade >= lesson.view.threshold for _, grade in pairs]
    columns: list[Cells] = [(*ITEM, [id_text(item) for item, _ in pairs])] if lesson.named else []
    columns += [(*GRADE, [grade for _, grade in pairs]), (*RELEVANT, [int(counting) for counting in relevant])]
    return table("judged", Text("All judged items", "全部已标注条目"), columns, relevant)
