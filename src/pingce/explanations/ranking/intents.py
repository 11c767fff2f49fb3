"""Metrics of subtopics, worked: what each item gains, and the ideal list."""

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
from pingce.metrics.ranking.intents import AlphaDCG, AlphaNDCG, IntentERR, NormalizedIntentERR

if TYPE_CHECKING:
    from pingce.metrics.ranking.intent_base import Gained

_SUBTOPICS = ("subtopics", Text("subtopics S_i", "子主题 S_i"))
_GAIN = ("gain", Text("gain Σ (1 − α)^c_s", "增益 Σ (1 − α)^c_s"))
_WEIGHT = ("weight", Text("weight of the rank", "名次的权重"))
_TERM = ("contribution", Text("gain · weight", "增益 · 权重"))
_SERVED = ("served", Text("of them new", "其中首次满足"))


def subtopics_of(lesson: Lesson, item: Id) -> str:
    """The subtopics that an item is relevant to."""
    grades = lesson.lists.subtopics.get(item, {})
    return ", ".join(name for name, grade in grades.items() if grade >= lesson.view.threshold)


def count_line(lesson: Lesson) -> Line:
    """How many subtopics there are."""
    return number_line(
        "subtopics",
        Text("subtopics with a relevant item, A", "有相关条目的子主题数 A"),
        intent_view(lesson.view).count[0],
    )


def subtopic_cells(lesson: Lesson, k: int | None) -> list[Cells]:
    """What each item of the list is relevant to; nothing where no subtopics are told apart."""
    if not lesson.lists.subtopics:
        return []
    return [(*_SUBTOPICS, [subtopics_of(lesson, row.item) for row in lesson.top(k).rows])]


def listed_gains(metric: Gained, lesson: Lesson) -> tuple[list[Step], list[float], float]:
    """The list with what each place contributes, and the sum."""
    view, top = lesson.view, lesson.top(metric.k)
    gains, terms = intent_view(view).gains(float(metric.alpha)), top.cells(metric.terms(view), 0.0)
    ranks = np.array([row.rank for row in top.rows], np.int64)
    weights = metric.weigh(np.ones(len(ranks)), ranks).tolist() if len(ranks) else []
    grid = top.terms_grid(
        terms,
        *subtopic_cells(lesson, metric.k),
        (*_GAIN, top.cells(gains, 0.0)),
        (*_WEIGHT, weights),
        (*_TERM, terms),
    )
    return [count_line(lesson), grid], terms, float(view.sum(metric.terms(view))[0])


def _bound(metric: Gained, lesson: Lesson) -> Line:
    words = Text("the sum if every item were relevant to all A subtopics", "每个条目都与全部 A 个子主题相关时的总和")
    return Line("bound", Text("at most", "至多"), words, (), float(metric.bound(lesson.view)[0]))


@explains(AlphaDCG, IntentERR)
def gained(metric: AlphaDCG | IntentERR, lesson: Lesson) -> Derivation:
    """Gains by rank, over what they could be at most."""
    steps, terms, total = listed_gains(metric, lesson)
    if metric.is_bare:
        return sum_of(steps, terms, total)
    bound = _bound(metric, lesson)
    most = float(bound.value or 0)
    steps += [sum_line("sum", "Σ", terms, total), bound]
    return Derivation(steps, "{} / {}", (total, most), total / most if most else 0.0)


def ideal_list(metric: Gained, lesson: Lesson) -> tuple[Grid, list[float], float]:
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
    columns += [(*_SUBTOPICS, [subtopics_of(lesson, item) for item in items])] if lesson.lists.subtopics else []
    columns += [(*_GAIN, gains.tolist()), (*_WEIGHT, weights), (*_TERM, terms), so_far(terms)]
    title = Text(
        "The ideal list: at each rank the judged item that gains most; of several the one with the largest id",
        "理想列表：每一位取增益最大的已标注条目；并列时取编号最大的",
    )
    return table("ideal_list", title, columns), terms, float(metric.ideal(lesson.view)[0])


@explains(AlphaNDCG, NormalizedIntentERR)
def normalized(metric: AlphaNDCG | NormalizedIntentERR, lesson: Lesson) -> Derivation:
    """The sum of the list over that of the ideal list, both over what they could be at most."""
    steps, terms, total = listed_gains(metric, lesson)
    grid, ideal_terms, ideal = ideal_list(metric, lesson)
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
