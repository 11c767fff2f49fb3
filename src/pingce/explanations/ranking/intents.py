"""Metrics of subtopics, worked: what each item gains, the ideal list, and means over subtopics."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pingce.base.text import Text
from pingce.evidence.ranking.intent_view import intent_view
from pingce.explanations.derivation import Derivation, Grid, Line, Step
from pingce.explanations.frame import explains
from pingce.explanations.ranking.lesson import ITEM, RANK, Lesson, at, so_far, sum_line, sum_of
from pingce.explanations.ranking.listed import Id, id_text
from pingce.explanations.tables import Cells, number_line, table
from pingce.metrics.ranking.intent_means import IntentAP, IntentPrecision, SubtopicRecall
from pingce.metrics.ranking.intent_patience import NRBP, NormalizedNRBP
from pingce.metrics.ranking.intents import AlphaDCG, AlphaNDCG, IntentERR, NormalizedIntentERR

if TYPE_CHECKING:
    from pingce.base.tables import Cell
    from pingce.metrics.ranking.intents import Gained

_SUBTOPICS = ("subtopics", Text("subtopics S_i", "子主题 S_i"))
_GAIN = ("gain", Text("gain Σ (1 − α)^c_s", "增益 Σ (1 − α)^c_s"))
_WEIGHT = ("weight", Text("weight of the rank", "名次的权重"))
_TERM = ("contribution", Text("gain · weight", "增益 · 权重"))
_SERVED = ("served", Text("of them new", "其中首次满足"))


def _names(lesson: Lesson, item: Id) -> str:
    """The subtopics that an item is relevant to."""
    grades = lesson.lists.subtopics.get(item, {})
    return ", ".join(name for name, grade in grades.items() if grade >= lesson.view.threshold)


def _count(lesson: Lesson) -> Line:
    return number_line(
        "subtopics",
        Text("subtopics with a relevant item, A", "有相关条目的子主题数 A"),
        intent_view(lesson.view).count[0],
    )


def _subtopics(lesson: Lesson, k: int | None) -> list[Cells]:
    """What each item of the list is relevant to; nothing where no subtopics are told apart."""
    if not lesson.lists.subtopics:
        return []
    return [(*_SUBTOPICS, [_names(lesson, row.item) for row in lesson.top(k).rows])]


def _listed(metric: Gained, lesson: Lesson) -> tuple[list[Step], list[float], float]:
    """The list with what each place contributes, and the sum."""
    view, top = lesson.view, lesson.top(metric.k)
    gains, terms = intent_view(view).gains(float(metric.alpha)), top.cells(metric.terms(view), 0.0)
    ranks = np.array([row.rank for row in top.rows], np.int64)
    weights = metric.weigh(np.ones(len(ranks)), ranks).tolist() if len(ranks) else []
    grid = top.terms_grid(
        terms,
        *_subtopics(lesson, metric.k),
        (*_GAIN, top.cells(gains, 0.0)),
        (*_WEIGHT, weights),
        (*_TERM, terms),
    )
    return [_count(lesson), grid], terms, float(view.sum(metric.terms(view))[0])


def _bound(metric: Gained, lesson: Lesson) -> Line:
    words = Text("the sum if every item were relevant to all A subtopics", "每个条目都与全部 A 个子主题相关时的总和")
    return Line("bound", Text("at most", "至多"), words, (), float(metric.bound(lesson.view)[0]))


@explains(AlphaDCG, IntentERR)
def gained(metric: AlphaDCG | IntentERR, lesson: Lesson) -> Derivation:
    """Gains by rank, over what they could be at most."""
    steps, terms, total = _listed(metric, lesson)
    if metric.is_bare:
        return sum_of(steps, terms, total)
    bound = _bound(metric, lesson)
    most = float(bound.value or 0)
    steps += [sum_line("sum", "Σ", terms, total), bound]
    return Derivation(steps, "{} / {}", (total, most), total / most if most else 0.0)


def _ideal(metric: Gained, lesson: Lesson) -> tuple[Grid, list[float], float]:
    """The ideal list, with what each place contributes, and the sum."""
    chosen = intent_view(lesson.view).ideal(float(metric.alpha)).upto(metric.k)
    judged = [item for item, _ in lesson.lists.judged]
    judged = sorted(judged, reverse=True) if lesson.lists.subtopics else judged
    items = [judged[int(place[0])] for _, _, place in chosen]
    gains = np.array([float(gain[0]) for _, gain, _ in chosen])
    ranks = np.arange(1, len(items) + 1)
    weights, terms = metric.weigh(np.ones(len(items)), ranks).tolist(), metric.weigh(gains, ranks).tolist()
    columns: list[Cells] = [(*RANK, ranks.tolist())]
    columns += [(*ITEM, [id_text(item) for item in items])] if lesson.named else []
    columns += [(*_SUBTOPICS, [_names(lesson, item) for item in items])] if lesson.lists.subtopics else []
    columns += [(*_GAIN, gains.tolist()), (*_WEIGHT, weights), (*_TERM, terms), so_far(terms)]
    title = Text(
        "The ideal list: at each rank the judged item that gains most; of several the one with the largest id",
        "理想列表：每一位取增益最大的已标注条目；并列时取编号最大的",
    )
    return table("ideal_list", title, columns), terms, float(metric.ideal(lesson.view)[0])


@explains(AlphaNDCG, NormalizedIntentERR)
def normalized(metric: AlphaNDCG | NormalizedIntentERR, lesson: Lesson) -> Derivation:
    """The sum of the list over that of the ideal list, both over what they could be at most."""
    steps, terms, total = _listed(metric, lesson)
    grid, ideal_terms, ideal = _ideal(metric, lesson)
    bound = _bound(metric, lesson)
    most = float(bound.value or 0)
    steps += [
        sum_line("sum", f"Σ{at(metric.k)}", terms, total),
        grid,
        sum_line("ideal", Text("ideal", "理想值"), ideal_terms, ideal),
        bound,
    ]
    value = (total / most) / (ideal / most) if most else 0.0
    return Derivation(steps, "({} / {}) / ({} / {})", (total, most, ideal, most), value)


@explains(NRBP)
def patient(metric: NRBP, lesson: Lesson) -> Derivation:
    """Gains by the share of readers who reach them."""
    steps, terms, total = _listed(metric, lesson)
    count = int(intent_view(lesson.view).count[0])
    steps.append(sum_line("sum", "Σ", terms, total))
    value = total * float(metric.scale(lesson.view)[0])
    return Derivation(steps, "{} · (1 − (1 − {}) · {}) / {}", (total, metric.alpha, metric.beta, count), value)


@explains(NormalizedNRBP)
def normalized_patient(metric: NormalizedNRBP, lesson: Lesson) -> Derivation:
    """The same over that of the ideal list."""
    steps, terms, total = _listed(metric, lesson)
    grid, ideal_terms, ideal = _ideal(metric, lesson)
    steps += [sum_line("sum", "Σ", terms, total), grid, sum_line("ideal", Text("ideal", "理想值"), ideal_terms, ideal)]
    scale = float(metric.scale(lesson.view)[0])
    return Derivation(steps, "{} / {}", (total, ideal), (total * scale) / (ideal * scale))


@explains(IntentPrecision)
def precision(metric: IntentPrecision, lesson: Lesson) -> Derivation:
    """Pairs of an item and a subtopic, counted."""
    view, top = lesson.view, lesson.top(metric.k)
    sizes = top.cells(np.bincount(intent_view(view).hit, minlength=len(view.query)))
    grid = top.grid(*_subtopics(lesson, metric.k), ("size", "|S_i|", sizes), counts=[size > 0 for size in sizes])
    depth, count, pairs = int(view.cutoff(metric.k)[0]), int(intent_view(view).count[0]), sum(sizes)
    value = pairs / (depth * count) if depth else 0.0
    return Derivation((_count(lesson), grid), "{} / ({} · {})", (pairs, depth, count), value)


@explains(SubtopicRecall)
def recall(metric: SubtopicRecall, lesson: Lesson) -> Derivation:
    """Subtopics that are served for the first time, counted."""
    view, top = lesson.view, lesson.top(metric.k)
    intents = intent_view(view)
    fresh = top.cells(np.bincount(intents.hit[intents.earlier == 0], minlength=len(view.query)))
    grid = top.grid(*_subtopics(lesson, metric.k), (*_SERVED, fresh), counts=[number > 0 for number in fresh])
    count = int(intents.count[0])
    return Derivation((_count(lesson), grid), "{} / {}", (sum(fresh), count), sum(fresh) / count)


@explains(IntentAP)
def average_precision(metric: IntentAP, lesson: Lesson) -> Derivation:
    """The average precision of each subtopic, and their mean."""
    view, intents = lesson.view, intent_view(lesson.view)
    within = np.ones(len(intents.hit), bool) if metric.k is None else view.rank[intents.hit] <= metric.k
    rows: list[tuple[Cell, ...]] = []
    averages: list[float] = []
    total, names = 0.0, _subtopic_names(lesson)
    for place, relevant in enumerate(intents.relevant_items.tolist()):
        pairs = within & (intents.hit_subtopic == place)
        ranks, earlier = view.rank[intents.hit[pairs]].tolist(), intents.earlier[pairs].tolist()
        precisions = 0.0
        for rank, before in zip(ranks, earlier, strict=True):
            precisions += (before + 1) / rank
        shares = " + ".join(f"{before + 1}/{rank}" for rank, before in zip(ranks, earlier, strict=True)) or "0"
        name = names[place] if place < len(names) else str(place + 1)
        averages.append(precisions / relevant)
        rows.append((name, shares, precisions, relevant, averages[-1]))
        total += averages[-1]
    heads: tuple[tuple[str, str | Text], ...] = (
        ("subtopic", Text("subtopic s", "子主题 s")),
        ("precisions", Text("precision at its items", "在其各条目处的精确率")),
        ("sum", "Σ"),
        ("relevant", "R_s"),
        ("average", Text("Σ / R_s", "Σ / R_s")),
    )
    columns: list[Cells] = [
        (key, title, list(cells)) for (key, title), cells in zip(heads, zip(*rows, strict=True), strict=True)
    ]
    grid = table("averages", Text("The average precision of each subtopic", "各子主题的平均精度"), columns)
    listed = lesson.top(metric.k).grid(*_subtopics(lesson, metric.k))
    steps = (_count(lesson), listed, grid, sum_line("sum", "Σ", averages, total))
    return Derivation(steps, "{} / {}", (total, len(rows)), total / len(rows))


def _subtopic_names(lesson: Lesson) -> list[str]:
    """Those with a relevant item, in the order in which they are counted."""
    names = {
        name
        for grades in lesson.lists.subtopics.values()
        for name, grade in grades.items()
        if grade >= lesson.view.threshold
    }
    return sorted(names, key=lesson.lists.subtopic_order)
