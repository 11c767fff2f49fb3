"""What nobody has judged, worked: its share of a list, and how far a value could change by it."""

from __future__ import annotations

from pingce.base.text import Text
from pingce.evidence.items.view import item_view
from pingce.explanations.derivation import Derivation, Grid, Line, Step
from pingce.explanations.frame import explains
from pingce.explanations.ranking.items import item_names, ranks_shown
from pingce.explanations.ranking.lesson import ITEM, RANK, SHARE, Lesson, sum_line, top_words
from pingce.explanations.ranking.precision_recall import fraction, smaller
from pingce.explanations.tables import Cells, table
from pingce.metrics.ranking.unjudged import RankBiasedResidual, Unjudged
from pingce.metrics.ranking.user_models import Patience


@explains(Unjudged)
def unjudged(metric: Unjudged, lesson: Lesson) -> Derivation:
    """Items of the top k without a judgement, over k or over what was shown."""
    view, name, part = lesson.view, Text("unjudged", "未标注"), top_words(metric.k)
    count = float(metric.count(view)[0])
    by = Text(" for any query", "（任何查询都没有）") if metric.of == "any" else Text("", "")
    words = Text(f"items in {part.en} without a judgement{by.en}", f"{part.zh}中没有标注的条目数{by.zh}")
    grid = _judged_anywhere(metric, lesson) if metric.of == "any" else _judged_here(metric, lesson, name)
    steps: list[Step] = [grid, Line("unjudged", name, words, (), count)]
    if metric.over == "list" and metric.k is not None:
        steps.append(smaller("min(n, k)", lesson.n, metric.k))
    return fraction(steps, count, int(metric.length(view)[0]))


def _judged_here(metric: Unjudged, lesson: Lesson, name: Text) -> Grid:
    """The list, and what of it the query has not judged."""
    view, top = lesson.view, lesson.top(metric.k)
    flags = [1 - flag for flag in top.cells((view.grade >= 0).astype(int))]
    columns: list[Cells] = [("unjudged", name, flags)]
    if view.expected and metric.k is not None:
        columns.append((*SHARE, top.shares()))
    return top.grid(*columns, counts=[bool(flag) for flag in flags])


def _judged_anywhere(metric: Unjudged, lesson: Lesson) -> Grid:
    """The list, and what of it no query has judged."""
    display = item_view(lesson.view)
    places = display.places(metric.k)
    flags = (~display.is_judged[places.item]).astype(int).tolist()
    columns: list[Cells] = [
        (*RANK, ranks_shown(display, places)),
        (*ITEM, item_names(display, places.item)),
        ("unjudged", Text("judged for no query", "任何查询都未标注"), flags),
    ]
    if lesson.view.expected and metric.k is not None:
        columns.append((*SHARE, metric.shares(lesson.view).tolist()))
    return table("list", Text("The list, from the top", "列表，从第 1 位起"), columns)


@explains(RankBiasedResidual)
def rank_biased_residual(metric: RankBiasedResidual, lesson: Lesson) -> Derivation:
    """What is left of a reader's attention once judged items had theirs."""
    view, top, readers = lesson.view, lesson.top(metric.k), Patience(float(metric.p))
    parts = view.weight(readers, metric.k) * (view.grade >= 0)
    terms, total = top.cells(parts, 0.0), float(view.sum(parts)[0])
    grid = top.terms_grid(
        terms,
        ("judged", Text("judged", "已标注"), top.cells((view.grade >= 0).astype(int))),
        ("readers", Text("mean p^(i−1)", "p^(i−1) 的均值") if view.expected else "p^(i−1)", top.weights(readers)),
    )
    if not metric.leaves_rest(view)[0]:
        words = Text("0, since every item is judged (complete=zero)", "0，因为全部条目都已标注（complete=zero）")
        return Derivation((grid,), words, (), 0.0)
    steps = (grid, sum_line("sum", "Σ", terms, total))
    return Derivation(steps, "1 − (1 − {}) · {}", (metric.p, total), 1.0 - (1.0 - metric.p) * total)
