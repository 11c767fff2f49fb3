"""Precision, recall and F, worked: hits over what was shown or could be found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pingce.base.text import Text
from pingce.explanations.derivation import Cell, Derivation, Line, Step
from pingce.explanations.ranking.lesson import Lesson, column, sum_line, symbol, top_words
from pingce.explanations.ranking.listed import Listed
from pingce.explanations.registry import explains
from pingce.metrics.ranking.base import divide
from pingce.metrics.ranking.precision_recall import FMeasure, Precision, Recall

RUNNING = column("hits", "h_i")
SHARE = column("share", "share of orders within k", "落在前 k 的比例")


def counted(lesson: Lesson, k: int | None) -> tuple[list[Step], float]:
    """The list with its running number of hits, and h_k."""
    total = float(lesson.view.hits_within(k)[0])
    rows = lesson.within(k)
    called = hits_name(k)
    if lesson.view.expected and k is not None:
        share = lesson.cells(rows, lesson.view.share_within(k), None)
        grid = lesson.grid(rows, (SHARE, share), k=k)
        terms = [part for part, row in zip(share, rows, strict=True) if lesson.is_relevant(row)]
        return [grid, sum_line("hits", called, terms, total)], total
    return [lesson.grid(rows, (RUNNING, hits_so_far(lesson, rows)), k=k), hits_line(called, k, total)], total


def hits_so_far(lesson: Lesson, rows: Sequence[Listed]) -> list[Cell]:
    """h_i at each row."""
    hits, so_far = 0, []
    for row in rows:
        hits += lesson.is_relevant(row)
        so_far.append(hits)
    return list(so_far)


def hits_name(k: int | None) -> str:
    """What the number of hits is called."""
    return "h_n" if k is None else f"h_{k}"


def hits_line(name: str, k: int | None, total: float) -> Line:
    """How many relevant items there are in the top k."""
    top = top_words(k)
    return Line("hits", name, Text(f"relevant items in {top.en}", f"{top.zh}中的相关条目数"), (), total)


def fraction(steps: Sequence[Step], top: float, bottom: float) -> Derivation:
    """top / bottom, where nothing over nothing is 0."""
    if bottom:
        return Derivation(steps, "{} / {}", (top, bottom), top / bottom)
    return Derivation(steps, Text("{} / {}, which counts as 0", "{} / {}，记为 0"), (top, bottom), 0.0)


def smaller(name: str, *numbers: int) -> Line:
    """What is divided by: the smallest of some numbers."""
    inside = ", ".join(["{}"] * len(numbers))
    return Line("denominator", name, f"min({inside})", numbers, min(numbers))


def relevant_line(lesson: Lesson) -> Line:
    """R."""
    judged = len(lesson.lists.judged)
    return Line(
        "relevant",
        "R",
        Text(f"relevant items among the {judged} judged", f"{judged} 个已标注条目中的相关条目数"),
        (),
        lesson.total,
    )


@explains(Precision)
def precision(metric: Precision, lesson: Lesson) -> Derivation:
    """h_k over k, or over what was or could be shown."""
    steps, hits = counted(lesson, metric.k)
    k = lesson.n if metric.k is None else metric.k
    if metric.over == "list":
        steps.append(smaller("min(n, k)", lesson.n, k))
        return fraction(steps, hits, min(lesson.n, k))
    if metric.over == "min":
        steps += [relevant_line(lesson), smaller("min(k, R)", k, lesson.total)]
        return fraction(steps, hits, min(k, lesson.total))
    return fraction(steps, hits, k)


@explains(Recall)
def recall(metric: Recall, lesson: Lesson) -> Derivation:
    """h_k over R, or over what could be found."""
    steps, hits = counted(lesson, metric.k)
    if metric.over == "list":
        whole = int(lesson.view.count(lesson.view.relevant)[0])
        steps.append(replace(hits_line("h_n", None, whole), key="hits_in_list"))
        return fraction(steps, hits, whole)
    steps.append(relevant_line(lesson))
    if metric.over == "min":
        k = lesson.n if metric.k is None else metric.k
        steps.append(smaller("min(R, k)", lesson.total, k))
        return fraction(steps, hits, min(lesson.total, k))
    return fraction(steps, hits, lesson.total)


@explains(FMeasure)
def f_measure(metric: FMeasure, lesson: Lesson) -> Derivation:
    """F of the query's own P and R."""
    steps, hits = counted(lesson, metric.k)
    k = lesson.n if metric.k is None else metric.k
    p, r = divide(hits, k), hits / lesson.total
    steps += [
        Line("precision", symbol(Precision(k=metric.k)), "{} / {}", (hits, k), p),
        relevant_line(lesson),
        Line("recall", symbol(Recall(k=metric.k)), "{} / {}", (hits, lesson.total), r),
    ]
    weight = metric.beta * metric.beta if metric.squared == "yes" else metric.beta
    top, bottom = (1 + weight) * p * r, weight * p + r
    notes = (
        (Text("Over all queries: F of the mean P and the mean R.", "对全体查询：取平均 P 与平均 R 的 F 值。"),)
        if metric.of == "means"
        else ()
    )
    if not bottom:
        none = Text("0, since P and R are 0", "0，因为 P 与 R 都是 0")
        return Derivation(steps, none, (), 0.0, notes)
    numbers = (weight, p, r, weight, p, r)
    return Derivation(steps, "(1 + {}) · {} · {} / ({} · {} + {})", numbers, top / bottom, notes)
