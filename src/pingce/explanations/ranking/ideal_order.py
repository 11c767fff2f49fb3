"""Metrics that go down the list beside the ideal one, worked: G, NDCG at relevant items and at levels of gain."""

from __future__ import annotations

import numpy as np

from pingce.base.text import Text
from pingce.explanations.derivation import Derivation, Line, Step
from pingce.explanations.frame import explains
from pingce.explanations.ranking.lesson import RANK, Lesson, so_far, sum_line
from pingce.explanations.tables import Cells, table
from pingce.metrics.ranking.cumulated import hit_gains
from pingce.metrics.ranking.ideal_order import AlongIdeal, NdcgAtLevels, NdcgAtRelevant, NormalizedGain

_GAIN = ("gain", Text("gain", "增益"))
_IDEAL_TITLE = Text(
    "The ideal list: all judged items that gain something, best first", "理想列表：全部有增益的已标注条目，最好的在前"
)


def _ideal_grid(metric: AlongIdeal, lesson: Lesson) -> Step:
    """What the list is compared with."""
    best = metric.best_first(lesson.view)
    columns: list[Cells] = [(*RANK, best.rank.tolist()), (*_GAIN, best.worth.tolist())]
    return table("ideal_list", _IDEAL_TITLE, columns)


@explains(NormalizedGain)
def normalized_gain(metric: NormalizedGain, lesson: Lesson) -> Derivation:
    """Each gain, dampened by how far the list is behind."""
    view, top = lesson.view, lesson.top(None)
    behind, parts = metric.terms(view)
    worth = hit_gains(view, metric.gain, metric.gain_below)
    terms, total, ideal = top.cells(parts, 0.0), float(view.sum(parts)[0]), float(metric.ideal(view)[0])
    lag = [cell if gain else None for cell, gain in zip(top.cells(behind), top.cells(worth, 0.0), strict=True)]
    grid = top.terms_grid(
        terms,
        (*_GAIN, top.cells(worth, 0.0)),
        ("behind", Text("cost − gain so far", "代价 − 已得增益"), lag),
        ("term", Text("gain / log2(2 + …)", "增益 / log2(2 + …)"), terms),
    )
    gains = metric.best_first(view).worth.tolist()
    steps: list[Step] = [_ideal_grid(metric, lesson), grid, sum_line("sum", "Σ", terms, total)]
    steps.append(sum_line("ideal", Text("ideal", "理想值"), gains, ideal))
    return Derivation(steps, "{} / {}", (total, ideal), total / ideal)


@explains(NdcgAtRelevant)
def ndcg_at_relevant(metric: NdcgAtRelevant, lesson: Lesson) -> Derivation:
    """DCG over the ideal at each item that gains something, and at the end for those not returned."""
    view, top = lesson.view, lesson.top(None)
    dcg_sums, ideal, share = metric.shares(view)
    worth = top.cells(hit_gains(view, metric.gain, metric.gain_below), 0.0)
    dcg, at_rank = top.cells(dcg_sums.sums, None), top.cells(ideal.upto(view.query, view.rank), None)
    terms, total = top.cells(share, 0.0), float(view.sum(share)[0])

    def where_gain(cells: list[float | None]) -> list[float | None]:
        return [cell if gain else None for cell, gain in zip(cells, worth, strict=True)]

    grid = top.terms_grid(
        terms,
        (*_GAIN, worth),
        ("dcg", "DCG@i", where_gain(dcg)),
        ("ideal", "ideal@i", where_gain(at_rank)),
        ("term", "DCG@i / ideal@i", where_gain(terms)),
    )
    every = len(ideal.sums)
    missed = every - sum(gain > 0 for gain in worth)
    last = float(dcg_sums.sums[-1]) if len(dcg_sums.sums) else 0.0
    words = Text("the same at the end of both lists", "两个列表末尾处的同一比值")
    steps: list[Step] = [_ideal_grid(metric, lesson), grid, sum_line("sum", "Σ", terms, total)]
    whole = float(ideal.sums[-1])
    steps.append(Line("missed", Text("not returned", "未返回"), words, (), missed))
    steps.append(Line("last", "DCG / ideal", "{} / {}", (last, whole), last / whole))
    value = (total + missed * (last / whole)) / every
    return Derivation(steps, "({} + {} · {}) / {}", (total, missed, last / whole, every), value)


@explains(NdcgAtLevels)
def ndcg_at_levels(metric: NdcgAtLevels, lesson: Lesson) -> Derivation:
    """DCG over the ideal where a level of gain ends."""
    view, top = lesson.view, lesson.top(None)
    _, rank, reached, ideal = metric.points(view)
    terms: list[float] = (reached / ideal).tolist()
    total = float(np.bincount(np.zeros(len(terms), np.int64), weights=terms)[0])
    worth = top.cells(hit_gains(view, metric.gain, metric.gain_below), 0.0)
    columns: list[Cells] = [
        (*RANK, rank.tolist()),
        ("dcg", "DCG@i", reached.tolist()),
        ("ideal", "ideal@i", ideal.tolist()),
        ("term", "DCG@i / ideal@i", terms),
        so_far(terms),
    ]
    title = Text("Ranks at which a level of gain ends", "各增益层结束的名次")
    steps: list[Step] = [
        _ideal_grid(metric, lesson),
        top.grid((*_GAIN, worth), counts=[gain > 0 for gain in worth]),
        table("levels", title, columns),
        sum_line("sum", "Σ", terms, total),
    ]
    return Derivation(steps, "{} / {}", (total, len(terms)), total / len(terms))
