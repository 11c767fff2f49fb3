"""Metrics of the whole list, worked: as a set, how much of it is judged or wrong, and plain counts."""

from __future__ import annotations

from pingce.base.text import Text
from pingce.explanations.derivation import Derivation, Line, Step
from pingce.explanations.frame import explains
from pingce.explanations.ranking.lesson import GRADE, ITEM, RELEVANT, SHARE, Lesson, top_words
from pingce.explanations.ranking.listed import id_text
from pingce.explanations.ranking.precision_recall import counted, fraction, hits_so_far, relevant_line, smaller
from pingce.explanations.tables import Cells, table
from pingce.metrics.ranking import RankingMetric, sets

_TOTAL = (Text("Over all queries: their sum.", "对全体查询：求和。"),)


@explains(sets.SetAP)
def set_ap(_: sets.SetAP, lesson: Lesson) -> Derivation:
    """h_n² over n · R."""
    steps, hits = counted(lesson, None)
    steps.append(relevant_line(lesson))
    bottom = lesson.n * lesson.total
    if not bottom:
        return Derivation(steps, Text("0, since nothing was returned", "0，因为没有返回条目"), (), 0.0)
    return Derivation(steps, "{}² / ({} · {})", (hits, lesson.n, lesson.total), hits * hits / bottom)


@explains(sets.Utility)
def utility(metric: sets.Utility, lesson: Lesson) -> Derivation:
    """What the relevant items earn and the others cost."""
    steps, hits = counted(lesson, None)
    value = metric.a * hits + metric.b * (lesson.n - hits)
    return Derivation(steps, "{} · {} + ({}) · ({} − {})", (metric.a, hits, metric.b, lesson.n, hits), value)


@explains(sets.Judged)
def judged(metric: sets.Judged, lesson: Lesson) -> Derivation:
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


@explains(sets.Fallout)
def fallout(metric: sets.Fallout, lesson: Lesson) -> Derivation:
    """Wrong items shown over all wrong items."""
    steps, count = counted(lesson, metric.k)
    returned, catalog = int(lesson.view.depth(metric.k)[0]), float(metric.catalog or 0)
    if metric.over == "list":
        hits = int(lesson.view.count(lesson.view.relevant)[0])
        words = Text("relevant items of the whole list", "整个列表中的相关条目数")
        line = Line("h_n", "h_n", words, (), hits)
        value = (returned - count) / (lesson.n - hits)
        return Derivation([*steps, line], "({} − {}) / ({} − {})", (returned, count, lesson.n, hits), value)
    value = (returned - count) / (catalog - lesson.total)
    numbers = (returned, count, catalog, lesson.total)
    return Derivation([*steps, relevant_line(lesson)], "({} − {}) / ({} − {})", numbers, value)


@explains(sets.QueryCount)
def query_count(_: sets.QueryCount, lesson: Lesson) -> Derivation:
    """One."""
    return Derivation((), Text("this query", "本查询"), (), 1.0, _TOTAL)


@explains(sets.RelevantCount)
def relevant_count(_: sets.RelevantCount, lesson: Lesson) -> Derivation:
    """R."""
    pairs = lesson.lists.judged
    relevant = [grade >= lesson.view.threshold for _, grade in pairs]
    columns: list[Cells] = [(*ITEM, [id_text(item) for item, _ in pairs])] if lesson.named else []
    columns += [(*GRADE, [grade for _, grade in pairs]), (*RELEVANT, [int(counting) for counting in relevant])]
    grid = table("judged", Text("All judged items", "全部已标注条目"), columns, relevant)
    return Derivation((grid,), relevant_line(lesson).template, (), float(lesson.total), _TOTAL)


@explains(sets.ReturnedCount, sets.RelevantReturnedCount, sets.NonrelevantReturnedCount)
def returned_count(metric: RankingMetric, lesson: Lesson) -> Derivation:
    """n, h_n, or judged items of the list that are not relevant."""
    top, view, count = lesson.top(None), lesson.view, lesson.n
    grid, words = top.grid(), Text("items returned", "返回的条目数")
    if isinstance(metric, sets.RelevantReturnedCount):
        grid, count = top.grid(hits_so_far(top)), view.count(view.relevant)[0]
        words = Text("relevant items in the list", "列表中的相关条目数")
    elif isinstance(metric, sets.NonrelevantReturnedCount):
        is_wrong = (view.grade >= 0) & ~view.relevant
        grid, count = top.grid(counts=top.cells(is_wrong, otherwise=False)), view.count(is_wrong)[0]
        words = Text("judged items of the list that are not relevant", "列表中已标注但不相关的条目数")
    return Derivation((grid,), words, (), float(count), _TOTAL)
