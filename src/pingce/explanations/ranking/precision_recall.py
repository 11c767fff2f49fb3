"""Metrics that count hits, worked: precision, recall, F, hit rate, R-precision, what was judged, what was wrong, counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pingce.base.text import Text
from pingce.explanations.derivation import Cell, Column, Line, Step
from pingce.explanations.lesson import Explainers, Lesson, Working, column, sum_line, symbol, top_words
from pingce.explanations.listed import Listed
from pingce.explanations.ranking import tied as ranking_tied
from pingce.metrics.ranking.base import divide
from pingce.metrics.ranking.hits import HitRate, Hits, RPrecision
from pingce.metrics.ranking.judged import Fallout, Judged
from pingce.metrics.ranking.precision_recall import FMeasure, Precision, Recall

RUNNING = column("hits", "h_i")
_SHARE = column("share", "share of orders within k", "落在前 k 的比例")


def counted(lesson: Lesson, k: int | None) -> tuple[list[Step], float]:
    """The list with its running number of hits, and h_k."""
    total = float(lesson.seen.hits_within(k)[0])
    rows = lesson.within(k)
    called = hits_name(k)
    if lesson.seen.expected and k is not None:
        share = lesson.cells(rows, lesson.seen.share_within(k), None)
        grid = lesson.grid(rows, (_SHARE, share), k=k)
        terms = [part for part, row in zip(share, rows, strict=True) if lesson.is_relevant(row)]
        return [grid, sum_line("hits", called, terms, total)], total
    return [lesson.grid(rows, (RUNNING, hits_so_far(lesson, rows)), k=k), hits_line(called, k, total)], total


def hits_so_far(lesson: Lesson, rows: Sequence[Listed]) -> list[Cell]:
    """h_i at each row."""
    found, so_far = 0, []
    for row in rows:
        found += lesson.is_relevant(row)
        so_far.append(found)
    return list(so_far)


def hits_name(k: int | None) -> str:
    """What the number of hits is called."""
    return "h_n" if k is None else f"h_{k}"


def hits_line(name: str, k: int | None, total: float) -> Line:
    """How many relevant items there are in the top k."""
    top = top_words(k)
    return Line("hits", name, Text(f"relevant items in {top.en}", f"{top.zh}中的相关条目数"), (), total)


def fraction(steps: Sequence[Step], top: float, bottom: float) -> Working:
    """top / bottom, where nothing over nothing is 0."""
    if bottom:
        return Working(steps, "{} / {}", (top, bottom), top / bottom)
    return Working(steps, Text("{} / {}, which counts as 0", "{} / {}，记为 0"), (top, bottom), 0.0)


def _smaller(name: str, *numbers: int) -> Line:
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


def precision(metric: Precision, lesson: Lesson) -> Working:
    """h_k over k, or over what was or could be shown."""
    steps, hits = counted(lesson, metric.k)
    k = lesson.n if metric.k is None else metric.k
    if metric.over == "list":
        steps.append(_smaller("min(n, k)", lesson.n, k))
        return fraction(steps, hits, min(lesson.n, k))
    if metric.over == "min":
        steps += [relevant_line(lesson), _smaller("min(k, R)", k, lesson.total)]
        return fraction(steps, hits, min(k, lesson.total))
    return fraction(steps, hits, k)


def recall(metric: Recall, lesson: Lesson) -> Working:
    """h_k over R, or over what could be found."""
    steps, hits = counted(lesson, metric.k)
    if metric.over == "list":
        whole = int(lesson.seen.count(lesson.seen.relevant)[0])
        steps.append(replace(hits_line("h_n", None, whole), key="hits_in_list"))
        return fraction(steps, hits, whole)
    steps.append(relevant_line(lesson))
    if metric.over == "min":
        k = lesson.n if metric.k is None else metric.k
        steps.append(_smaller("min(R, k)", lesson.total, k))
        return fraction(steps, hits, min(lesson.total, k))
    return fraction(steps, hits, lesson.total)


def f_measure(metric: FMeasure, lesson: Lesson) -> Working:
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
        return Working(steps, none, (), 0.0, notes)
    numbers = (weight, p, r, weight, p, r)
    return Working(steps, "(1 + {}) · {} · {} / ({} · {} + {})", numbers, top / bottom, notes)


def hit_rate(metric: HitRate, lesson: Lesson) -> Working:
    """1 if h_k > 0."""
    if metric.mode == "micro":
        note = Text("Over all queries: Σ h_k / Σ R, not a mean.", "对全体查询：Σ h_k / Σ R，而不是求平均。")
        share = recall(Recall(k=metric.k), lesson)
        return Working(share.steps, share.template, share.numbers, share.value, (note,))
    if lesson.seen.expected:
        return ranking_tied.hit_rate(metric, lesson)
    steps, hits = counted(lesson, metric.k)
    return Working(steps, "[{} > 0]", (hits,), float(hits > 0))


def hits(metric: Hits, lesson: Lesson) -> Working:
    """h_k."""
    steps, found = counted(lesson, metric.k)
    return Working(steps, hits_name(metric.k), (), found)


def r_precision(_: RPrecision, lesson: Lesson) -> Working:
    """Precision at R."""
    steps, found = counted(lesson, lesson.total)
    return fraction([relevant_line(lesson), *steps], found, lesson.total)


def judged(metric: Judged, lesson: Lesson) -> Working:
    """Judged items over items shown."""
    seen, rows = lesson.seen, lesson.within(metric.k)
    is_judged = seen.grade >= 0
    known = lesson.cells(rows, is_judged.astype(int))
    columns: list[tuple[Column, Sequence[Any]]] = [(column("judged", "judged", "已标注"), known)]
    if seen.expected and metric.k is not None:
        columns.append((_SHARE, lesson.cells(rows, seen.share_within(metric.k), None)))
    found = float(seen.sum(seen.share_within(metric.k) * is_judged)[0])
    top = top_words(metric.k)
    steps: list[Step] = [
        lesson.grid(rows, *columns, counts=[bool(one) for one in known], k=metric.k),
        Line(
            "judged",
            Text("judged", "已标注"),
            Text(f"judged items in {top.en}", f"{top.zh}中已标注的条目数"),
            (),
            found,
        ),
    ]
    if metric.k is not None:
        steps.append(_smaller("min(n, k)", lesson.n, metric.k))
    return fraction(steps, found, int(seen.depth(metric.k)[0]))


def fallout(metric: Fallout, lesson: Lesson) -> Working:
    """Wrong items shown over all wrong items."""
    steps, found = counted(lesson, metric.k)
    shown = int(lesson.seen.depth(metric.k)[0])
    catalog = float(metric.catalog or 0)
    steps.append(relevant_line(lesson))
    value = (shown - found) / (catalog - lesson.total)
    return Working(steps, "({} − {}) / ({} − {})", (shown, found, catalog, lesson.total), value)


EXPLAINED: Explainers = {
    Precision: precision,
    Recall: recall,
    FMeasure: f_measure,
    HitRate: hit_rate,
    Hits: hits,
    RPrecision: r_precision,
    Judged: judged,
    Fallout: fallout,
}
