"""Precision, recall, F and hits, worked: hits, over what was shown or could be found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from pingce.base.text import Text
from pingce.explanations.derivation import Derivation, Line, Step
from pingce.explanations.frame import explains
from pingce.explanations.ranking import tied
from pingce.explanations.ranking.lesson import SHARE, Lesson, Top, sum_line, symbol, top_words
from pingce.explanations.tables import Cells
from pingce.metrics.ranking.base import divide
from pingce.metrics.ranking.precision_recall import FMeasure, HitRate, Hits, Precision, Recall


def counted(lesson: Lesson, k: int | None) -> tuple[list[Step], float]:
    """The list with its running number of hits, and h_k."""
    total, top = float(lesson.view.hits_within(k)[0]), lesson.top(k)
    if lesson.view.expected and k is not None:
        share = top.shares()
        return [top.grid((*SHARE, share)), sum_line("hits", f"h_{k}", top.at_hits(share), total)], total
    return [top.grid(hits_so_far(top)), hits_line(k, total)], total


def hits_so_far(top: Top) -> Cells:
    """h_i at each row."""
    return "hits", "h_i", list(accumulate(map(int, top.relevant)))


def hits_line(k: int | None, total: float) -> Line:
    """How many relevant items there are in the top k."""
    top = top_words(k)
    words = Text(f"relevant items in {top.en}", f"{top.zh}中的相关条目数")
    return Line("hits", "h_n" if k is None else f"h_{k}", words, (), total)


def fraction(steps: Sequence[Step], top: float, bottom: float) -> Derivation:
    """top / bottom, where nothing over nothing is 0."""
    if bottom:
        return Derivation(steps, "{} / {}", (top, bottom), top / bottom)
    return Derivation(steps, Text("{} / {}, which counts as 0", "{} / {}，记为 0"), (top, bottom), 0.0)


def smaller(name: str, *numbers: int, key: str = "denominator") -> Line:
    """What is divided by: the smallest of some numbers."""
    return Line(key, name, f"min({', '.join(['{}'] * len(numbers))})", numbers, min(numbers))


def relevant_line(lesson: Lesson) -> Line:
    """R."""
    judged = len(lesson.lists.judged)
    words = Text(f"relevant items among the {judged} judged", f"{judged} 个已标注条目中的相关条目数")
    return Line("relevant", "R", words, (), lesson.total)


@explains(Precision)
def precision(metric: Precision, lesson: Lesson) -> Derivation:
    """h_k over k, or over what was or could be shown."""
    derivation = _share(metric, lesson)
    if metric.mode == "query":
        return derivation
    note = Text(
        "Over all queries: the sum of h_k over the sum of what it is divided by, not a mean.",
        "对全体查询：h_k 之和除以分母之和，而不是求平均。",
    )
    return replace(derivation, notes=(note,))


def _share(metric: Precision, lesson: Lesson) -> Derivation:
    """h_k of one query, over its denominator."""
    steps, hits = counted(lesson, metric.k)
    k = lesson.n if metric.k is None else metric.k
    if metric.over == "list":
        return fraction([*steps, smaller("min(n, k)", lesson.n, k)], hits, min(lesson.n, k))
    if metric.over == "min":
        steps += [relevant_line(lesson), smaller("min(k, R)", k, lesson.total)]
        return fraction(steps, hits, min(k, lesson.total))
    if metric.over == "judged":
        judged, top = int(metric.bottom(lesson.view)[0]), top_words(metric.k)
        words = Text(f"judged items in {top.en}", f"{top.zh}中已标注的条目数")
        return fraction([*steps, Line("denominator", Text("judged", "已标注"), words, (), judged)], hits, judged)
    return fraction(steps, hits, k)


@explains(Recall)
def recall(metric: Recall, lesson: Lesson) -> Derivation:
    """h_k over R, or over what could be found."""
    steps, hits = counted(lesson, metric.k)
    if metric.over == "list":
        whole = int(lesson.view.count(lesson.view.relevant)[0])
        return fraction([*steps, replace(hits_line(None, whole), key="hits_in_list")], hits, whole)
    steps.append(relevant_line(lesson))
    if metric.over == "min":
        k = lesson.n if metric.k is None else metric.k
        return fraction([*steps, smaller("min(R, k)", lesson.total, k)], hits, min(lesson.total, k))
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
    note = Text("Over all queries: F of the mean P and the mean R.", "对全体查询：取平均 P 与平均 R 的 F 值。")
    notes = (note,) if metric.of == "means" else ()
    if not bottom:
        return Derivation(steps, Text("0, since P and R are 0", "0，因为 P 与 R 都是 0"), (), 0.0, notes)
    numbers = (weight, p, r, weight, p, r)
    return Derivation(steps, "(1 + {}) · {} · {} / ({} · {} + {})", numbers, top / bottom, notes)


@explains(HitRate)
def hit_rate(metric: HitRate, lesson: Lesson) -> Derivation:
    """1 if h_k > 0."""
    if metric.mode == "micro":
        note = Text("Over all queries: Σ h_k / Σ R, not a mean.", "对全体查询：Σ h_k / Σ R，而不是求平均。")
        return replace(recall(Recall(k=metric.k), lesson), notes=(note,))
    if lesson.view.expected:
        return tied.hit_rate(metric, lesson)
    steps, hits = counted(lesson, metric.k)
    return Derivation(steps, "[{} > 0]", (hits,), float(hits > 0))


@explains(Hits)
def hits(metric: Hits, lesson: Lesson) -> Derivation:
    """h_k."""
    steps, count = counted(lesson, metric.k)
    return Derivation(steps, "h_n" if metric.k is None else f"h_{metric.k}", (), count)
