"""Cumulated gain and its descendants, worked: CG, DCG, and NDCG with its ideal list."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pingce.base.text import Text
from pingce.explanations.derivation import Derivation, Grid, Line, Step
from pingce.explanations.frame import explains
from pingce.explanations.ranking.lesson import GRADE, ITEM, RANK, SHARE, WEIGHT, Lesson, at, so_far, sum_line, sum_of
from pingce.explanations.ranking.listed import Id, id_text
from pingce.explanations.ranking.precision_recall import fraction
from pingce.explanations.tables import Cells, table
from pingce.metrics.parameters import shown
from pingce.metrics.ranking.cumulated import (
    JUDGED_IDEALS,
    CumulatedGain,
    DiscountedCumulatedGain,
    NormalizedDCG,
    discounted,
    hit_gains,
)
from pingce.metrics.ranking.gains import BINARY_GAIN, DISCOUNTS, GAIN_WORDS, Gain, gains, grade_gain, top_grade

_GAIN = ("gain", Text("gain", "增益"))
_DISCOUNT = ("discount", Text("discount", "折损"))
_MEAN_DISCOUNT = ("discount", Text("mean discount", "平均折损"))
_TERM = ("contribution", Text("gain · discount", "增益 · 折损"))
_WEIGHED_TERM = ("contribution", Text("gain · weight · discount", "增益 · 权重 · 折损"))
_DISCOUNT_WORDS = {"log2": "1 / log2(i + 1)", "zipf": "1 / i", "jarvelin": "1 / max(1, log2 i)"}


@explains(CumulatedGain)
def cumulated_gain(metric: CumulatedGain, lesson: Lesson) -> Derivation:
    """Gains, added up."""
    view, top = lesson.view, lesson.top(metric.k)
    of_hits = hit_gains(view, metric.gain, metric.gain_below)
    parts = view.weighed(of_hits) * view.share_within(metric.k)
    terms = top.cells(parts, 0.0)
    columns: list[Cells] = [(*_GAIN, top.cells(of_hits, 0.0)), *top.item_weights()]
    if view.expected and metric.k is not None:
        columns += [(*SHARE, top.shares()), ("contribution", Text("gain · share", "增益 · 比例"), terms)]
    if view.item_weight is not None and not (view.expected and metric.k is not None):
        columns.append(("contribution", Text("gain · weight", "增益 · 权重"), terms))
    grid = top.terms_grid(terms, *columns)
    return _per_weight(metric, lesson, [_gain_words(metric.gain), grid], terms, float(view.sum(parts)[0]))


def _per_weight(
    metric: CumulatedGain | DiscountedCumulatedGain, lesson: Lesson, steps: list[Step], terms: list[float], total: float
) -> Derivation:
    """A sum; of weighed items over what the list weighs."""
    view = lesson.view
    if view.item_weight is None:
        return sum_of(steps, terms, total)
    worth = metric.judged_worth(view)
    gained, whole = (float(view.sum_judged(each)[0]) for each in (view.weighed_judged(worth), worth))
    weight = gained / whole if whole else 1.0
    words = Text("weight of the list", "列表的权重")
    template = Text("Σ weight · gain / Σ gain = {} / {}", "Σ 权重 · 增益 / Σ 增益 = {} / {}")
    line = Line("list_weight", words, template, (gained, whole), weight)
    return fraction([*steps, sum_line("sum", "Σ", terms, total), line], total, weight)


def _gain_words(gain: Gain, discount: str | None = None) -> Text:
    """What gain and discount are."""
    en, zh = GAIN_WORDS[gain] if isinstance(gain, str) else (shown(gain), shown(gain))
    en, zh = (en.split(":")[0], zh.split("：")[0]) if isinstance(gain, str) else (en, zh)
    if discount is None:
        return Text(f"gain: {en}", f"增益：{zh}")
    place = _DISCOUNT_WORDS[discount]
    return Text(f"gain: {en}; discount: {place}", f"增益：{zh}；折损：{place}")


def _discounted(
    metric: DiscountedCumulatedGain | NormalizedDCG, lesson: Lesson
) -> tuple[list[Step], list[float], float]:
    """The list with what each place contributes, and DCG."""
    view, top, of_rank = lesson.view, lesson.top(metric.k), DISCOUNTS[metric.discount]
    of_hits = hit_gains(view, metric.gain, metric.gain_below)
    terms = top.cells(view.weighed(of_hits) * view.weight(of_rank, metric.k), 0.0)
    grid = top.terms_grid(
        terms,
        (*_GAIN, top.cells(of_hits, 0.0)),
        *top.item_weights(),
        (*(_MEAN_DISCOUNT if view.expected else _DISCOUNT), top.weights(of_rank)),
        (*(_TERM if view.item_weight is None else _WEIGHED_TERM), terms),
    )
    return [_gain_words(metric.gain, metric.discount), grid], terms, float(discounted(view, metric)[0])


@explains(DiscountedCumulatedGain)
def discounted_gain(metric: DiscountedCumulatedGain, lesson: Lesson) -> Derivation:
    """Discounted gains, added up."""
    return _per_weight(metric, lesson, *_discounted(metric, lesson))


@explains(NormalizedDCG)
def normalized(metric: NormalizedDCG, lesson: Lesson) -> Derivation:
    """DCG over that of the ideal list."""
    steps, terms, total = _discounted(metric, lesson)
    ideal_grid, ideal_terms = _ideal(metric, lesson)
    ideal = 0.0
    for term in ideal_terms:  # one after another, as the metric does
        ideal += term
    steps += [
        sum_line("dcg", f"DCG{at(metric.k)}", terms, total),
        ideal_grid,
        sum_line("ideal", Text("ideal", "理想值"), ideal_terms, ideal),
    ]
    return fraction(steps, total, ideal)


def _ideal(metric: NormalizedDCG, lesson: Lesson) -> tuple[Grid, list[float]]:
    """The best list: the items of the declared choice, most worth first."""
    length = len(lesson.top(metric.k).rows)
    cut = {"uncut": None, "list_uncut": None, "shown": length}.get(metric.ideal, metric.k)
    items: Sequence[tuple[Id | None, float]]
    if metric.ideal == "full":
        items = [(None, top_grade(metric.max, lesson.view.top_grade))] * (metric.k or 0)
    elif metric.ideal in JUDGED_IDEALS:
        items = lesson.lists.judged
    else:
        rows = lesson.top(metric.k if metric.ideal == "topk" else None).rows
        items = [(row.item, row.grade) for row in rows if row.grade is not None]
    gain_of, weight_of = _gains(metric, lesson, [grade for _, grade in items]), lesson.lists.weights
    heavy = [weight_of.get(item, 1.0) if item is not None else 1.0 for item, _ in items]
    worth = [gain * weight for gain, weight in zip(gain_of, heavy, strict=True)]
    order = sorted(range(len(items)), key=lambda place: -worth[place])[:cut]
    best, ranks = [items[place] for place in order], range(1, len(order) + 1)
    discount_at = [DISCOUNTS[metric.discount](rank) for rank in ranks]
    terms = [worth[place] * discount for place, discount in zip(order, discount_at, strict=True)]
    columns: list[Cells] = [(*RANK, ranks)]
    if lesson.named and metric.ideal != "full":
        columns.append((*ITEM, [id_text(item) for item, _ in best if item is not None]))
    columns += [(*GRADE, [grade for _, grade in best]), (*_GAIN, [gain_of[place] for place in order])]
    columns += [(*WEIGHT, [heavy[place] for place in order])] if weight_of else []
    columns += [(*_DISCOUNT, discount_at), (*(_WEIGHED_TERM if weight_of else _TERM), terms)]
    return table("ideal_list", _title(metric), [*columns, so_far(terms)], [term != 0 for term in terms]), terms


def _gains(metric: NormalizedDCG, lesson: Lesson, grades: list[float]) -> list[float]:
    """The gain of each grade; a full ideal has the top gain at every place, whatever is relevant."""
    if metric.ideal == "full":
        top = grades[0]
        return [grade_gain(top, metric.gain) if top > 0 or metric.gain == BINARY_GAIN else 0.0] * len(grades)
    worth = gains(lesson.view, np.array(grades, dtype=np.float64), metric.gain, metric.gain_below)
    return [float(gain) for gain in worth]


def _title(metric: NormalizedDCG) -> Text:
    check = next(field for field in metric.parameters() if field.name == "ideal").metadata["check"]
    words: Text = check.words[metric.ideal]
    if metric.ideal in ("uncut", "list_uncut"):
        first: Text = check.words["judged" if metric.ideal == "uncut" else "list"]
        words = Text(first.en.replace(", cut at k", ", not cut"), first.zh.replace("，截到 k", "，不截断"))
    depth = ("", "") if metric.k is None else (f", cut at {metric.k}", f"，截到 {metric.k}")
    words = Text(words.en.replace(", cut at k", depth[0]), words.zh.replace("，截到 k", depth[1]))
    return Text(f"The ideal list: {words.en}", f"理想列表：{words.zh}")
