"""Metrics of readers who may stop at every rank, worked: who gets how far, and what is gained there."""

from __future__ import annotations

from pingce.base.text import Text
from pingce.explanations.derivation import Derivation, Line
from pingce.explanations.frame import explains
from pingce.explanations.ranking.lesson import Lesson, sum_line
from pingce.explanations.tables import Cells
from pingce.metrics.ranking.readers import BejeweledPlayer, Insistence, Insq, Inst, NearErr, ReaderMetric

_GAINED = Text("gained", "所得")


@explains(Inst, NearErr, BejeweledPlayer)
def reader(metric: ReaderMetric, lesson: Lesson) -> Derivation:
    """The share of readers who look at each rank, and the gain there."""
    top, gains = lesson.top(metric.limit), metric.gain_table(lesson.view, 0, 1)
    reach = metric.reach(gains)
    at = [row.rank - 1 for row in top.rows]
    worth, readers = gains[0, at].tolist(), reach[0, at].tolist()
    terms = [gain * share for gain, share in zip(worth, readers, strict=True)]
    columns: list[Cells] = [("worth", "u_i", worth), ("reached", "V_i", readers), ("contribution", "V_i · u_i", terms)]
    gained, items = (float(total[0]) for total in metric.walk(lesson.view))
    steps = (top.terms_grid(terms, *columns), sum_line("sum", _GAINED, terms, gained), _items_line(metric, items))
    return Derivation(steps, "{} / {}", (gained, items), gained / items)


@explains(Insq)
def insq(metric: Insq, lesson: Lesson) -> Derivation:
    """The share of readers depends on the rank alone."""
    view, top, readers = lesson.view, lesson.top(metric.limit), Insistence(float(metric.goal))
    worth = metric.worth(view)
    parts = worth * view.weight(readers, metric.limit)
    terms = top.cells(parts, 0.0)
    grid = top.terms_grid(
        terms,
        ("worth", "u_i", top.cells(worth, 0.0)),
        ("reached", Text("mean V_i", "V_i 的均值") if view.expected else "V_i", top.weights(readers)),
        ("contribution", "V_i · u_i", terms),
    )
    gained, items = (float(total[0]) for total in metric.walk(view))
    steps = (grid, sum_line("sum", _GAINED, terms, gained), _items_line(metric, items))
    return Derivation(steps, "{} / {}", (gained, items), gained / items)


def _items_line(metric: ReaderMetric, items: float) -> Line:
    """How many items are looked at."""
    words = Text(
        f"Σ V_i over ranks 1 … {metric.limit}, the list and what follows it",
        f"Σ V_i，名次 1 … {metric.limit}，包括列表末尾之后",
    )
    return Line("items", Text("items looked at", "看过的条目数"), words, (), items)
