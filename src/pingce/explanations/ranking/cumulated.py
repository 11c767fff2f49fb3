"""Cumulated gain and its descendants, worked: CG, DCG, and NDCG with its ideal list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pingce.base.text import Text
from pingce.explanations.derivation import Cell, Column, Derivation, Grid, Step
from pingce.explanations.ranking.lesson import (
    GRADE,
    ITEM,
    RANK,
    SO_FAR,
    Lesson,
    at,
    by_columns,
    column,
    running,
    sum_line,
    sum_of,
)
from pingce.explanations.ranking.listed import Id, said
from pingce.explanations.registry import explains
from pingce.metrics.parameters import shown
from pingce.metrics.ranking.cumulated import (
    CumulatedGain,
    DiscountedCumulatedGain,
    NormalizedDCG,
    discounted,
    hit_gains,
)
from pingce.metrics.ranking.gains import BINARY_GAIN, DISCOUNTS, GAIN_WORDS, Gain, gains, top_grade

_GAIN = column("gain", "gain", "增益")
_DISCOUNT = column("discount", "discount", "折损")
_MEAN_DISCOUNT = column("discount", "mean discount", "平均折损")
_SHARE = column("share", "share of orders within k", "落在前 k 的比例")
_TERM = column("contribution", "gain · discount", "增益 · 折损")
_DISCOUNT_WORDS = {"log2": "1 / log2(i + 1)", "zipf": "1 / i", "jarvelin": "1 / max(1, log2 i)"}


@explains(CumulatedGain)
def cumulated_gain(metric: CumulatedGain, lesson: Lesson) -> Derivation:
    """Gains, added up."""
    view, rows = lesson.view, lesson.within(metric.k)
    of_hits = hit_gains(view, metric.gain, metric.gain_below)
    parts = of_hits * view.share_within(metric.k)
    terms = lesson.cells(rows, parts, 0.0)
    columns: list[tuple[Column, Sequence[Any]]] = [(_GAIN, lesson.cells(rows, of_hits, 0.0))]
    if view.expected and metric.k is not None:
        columns.append((_SHARE, lesson.cells(rows, view.share_within(metric.k), None)))
        columns.append((column("contribution", "gain · share", "增益 · 比例"), terms))
    grid = lesson.terms_grid(rows, terms, *columns, k=metric.k)
    return sum_of((gain_words(metric.gain), grid), terms, float(view.sum(parts)[0]))


def gain_words(gain: Gain, discount: str | None = None) -> Text:
    """What gain and discount are."""
    if isinstance(gain, str):
        worth = GAIN_WORDS[gain].en.split(":")[0], GAIN_WORDS[gain].zh.split("：")[0]
    else:
        worth = (shown(gain), shown(gain))
    if discount is None:
        return Text(f"gain: {worth[0]}", f"增益：{worth[1]}")
    place = _DISCOUNT_WORDS[discount]
    return Text(f"gain: {worth[0]}; discount: {place}", f"增益：{worth[1]}；折损：{place}")


def _discounted(metric: DiscountedCumulatedGain | NormalizedDCG, lesson: Lesson) -> tuple[Grid, list[float], float]:
    """The list with what each place contributes, and DCG."""
    view, rows = lesson.view, lesson.within(metric.k)
    of_rank = DISCOUNTS[metric.discount]
    of_hits = hit_gains(view, metric.gain, metric.gain_below)
    terms = lesson.cells(rows, of_hits * view.weight(of_rank, metric.k), 0.0)
    grid = lesson.terms_grid(
        rows,
        terms,
        (_GAIN, lesson.cells(rows, of_hits, 0.0)),
        (_MEAN_DISCOUNT if view.expected else _DISCOUNT, lesson.weights(rows, of_rank, metric.k)),
        (_TERM, terms),
        k=metric.k,
    )
    return grid, terms, float(discounted(view, metric)[0])


@explains(DiscountedCumulatedGain)
def discounted_gain(metric: DiscountedCumulatedGain, lesson: Lesson) -> Derivation:
    """Discounted gains, added up."""
    grid, terms, total = _discounted(metric, lesson)
    return sum_of((gain_words(metric.gain, metric.discount), grid), terms, total)


@explains(NormalizedDCG)
def normalized(metric: NormalizedDCG, lesson: Lesson) -> Derivation:
    """DCG over that of the ideal list."""
    grid, terms, total = _discounted(metric, lesson)
    ideal_grid, ideal_terms = _ideal(metric, lesson)
    ideal = running(ideal_terms)[-1]
    steps: list[Step] = [
        gain_words(metric.gain, metric.discount),
        grid,
        sum_line("dcg", f"DCG{at(metric.k)}", terms, total),
        ideal_grid,
        sum_line("ideal", Text("ideal", "理想值"), ideal_terms, ideal),
    ]
    return Derivation(steps, "{} / {}", (total, ideal), total / ideal)


def _ideal(metric: NormalizedDCG, lesson: Lesson) -> tuple[Grid, list[float]]:
    """The best list: the items of the declared choice, most worth first."""
    cut = None if metric.ideal in ("uncut", "list_uncut") else metric.k
    if metric.ideal == "full":
        top = top_grade(metric.max, lesson.view.top_grade)
        items: list[tuple[Id | None, float]] = [(None, top)] * (metric.k or 0)
    elif metric.ideal in ("judged", "uncut"):
        items = list(lesson.lists.judged)
    else:
        items = [
            (row.item, row.grade)
            for row in (lesson.within(metric.k) if metric.ideal == "topk" else lesson.lists.items)
            if row.grade is not None
        ]
    worth = _gains(metric, lesson, [grade for _, grade in items])
    order = sorted(range(len(items)), key=lambda place: -worth[place])[:cut]
    of_rank = DISCOUNTS[metric.discount]
    discounts = [of_rank(rank) for rank in range(1, len(order) + 1)]
    terms = [worth[place] * discount for place, discount in zip(order, discounts, strict=True)]
    columns: list[tuple[Column, Sequence[Cell]]] = [(RANK, list(range(1, len(order) + 1)))]
    if lesson.named and metric.ideal != "full":
        columns.append((ITEM, [said(item) for item in (items[place][0] for place in order) if item is not None]))
    columns += [
        (GRADE, [items[place][1] for place in order]),
        (_GAIN, [worth[place] for place in order]),
        (_DISCOUNT, discounts),
        (_TERM, terms),
        (SO_FAR, running(terms)),
    ]
    return by_columns("ideal_list", _title(metric), columns, [term != 0 for term in terms]), terms


def _gains(metric: NormalizedDCG, lesson: Lesson, grades: Sequence[float]) -> list[float]:
    """The gain of each grade; a full ideal has the top gain at every place, whatever is relevant."""
    if metric.ideal == "full":
        from pingce.metrics.ranking.gains import grade_gain

        top = grades[0]
        return [grade_gain(top, metric.gain) if top > 0 or metric.gain == BINARY_GAIN else 0.0] * len(grades)
    values: list[float] = gains(
        lesson.view, np.array(grades, dtype=np.float64), metric.gain, metric.gain_below
    ).tolist()
    return values


def _title(metric: NormalizedDCG) -> Text:
    check = next(field for field in metric.parameters() if field.name == "ideal").metadata["check"]
    words: Text = check.words[metric.ideal]
    if metric.ideal in ("uncut", "list_uncut"):
        first: Text = check.words["judged" if metric.ideal == "uncut" else "list"]
        words = Text(first.en.replace(", cut at k", ", not cut"), first.zh.replace("，截到 k", "，不截断"))
    depth = ("", "") if metric.k is None else (f", cut at {metric.k}", f"，截到 {metric.k}")
    words = Text(words.en.replace(", cut at k", depth[0]), words.zh.replace("，截到 k", depth[1]))
    return Text(f"The ideal list: {words.en}", f"理想列表：{words.zh}")
