"""Gini's coefficient and entropy, worked."""

from __future__ import annotations

import math
from itertools import accumulate

import numpy as np

from pingce.base.text import Text
from pingce.evidence.items.view import ItemView
from pingce.explanations.derivation import Derivation, Line, Step
from pingce.explanations.frame import explains
from pingce.explanations.ranking.items import ITEMS, TIMES, counts_grid, distinct_counts
from pingce.explanations.ranking.lesson import ranks_of, sum_line
from pingce.explanations.tables import Cells, table
from pingce.metrics.ranking.concentration import Entropy, Gini

_BY_COUNT = Text("Items by how often they are shown, ascending", "按展示次数升序的条目")


@explains(Gini)
def gini(metric: Gini, display: ItemView) -> Derivation:
    """Σ (2i − I − 1) c over I · C."""
    counts, size = metric.sizes(display)
    distinct, times = distinct_counts(counts)
    begins = [size - len(counts), *accumulate(times, initial=size - len(counts))][1:]
    terms = [
        count * many * (2 * begin + many - size) for count, many, begin in zip(distinct, times, begins, strict=False)
    ]
    unshown = size - len(counts)
    rows = [(0, unshown, ranks_of(0, unshown), 0)] if unshown else []
    rows += [
        (count, many, ranks_of(begin, many), term)
        for count, many, begin, term in zip(distinct, times, begins, terms, strict=False)
    ]
    columns = list(zip(*rows, strict=True))
    heads: list[tuple[str, str | Text]] = [TIMES, ITEMS, ("place", "i"), ("term", "Σ (2i − I − 1) c")]
    total = metric.total(display, counts)
    steps: list[Step] = [
        counts_grid(display, metric.k),
        table("counts", _BY_COUNT, [(*head, column) for head, column in zip(heads, columns, strict=True)]),
        sum_line("sum", "Σ", terms, sum(terms)),
        Line("size", "I", Text("items there are", "条目总数"), (), size),
        Line("places", "C", Text("places", "位置数"), (), total),
    ]
    items = size if metric.over == "n" else size - 1
    words = "{} / ({} · {})" if metric.even == "zero" else "1 − {} / ({} · {})"
    return Derivation(steps, words, (sum(terms), items, total), metric.whole(display))


@explains(Entropy)
def entropy(metric: Entropy, display: ItemView) -> Derivation:
    """Σ p log(1 / p)."""
    distinct, times = distinct_counts(display.counts(metric.k))
    total = sum(count * many for count, many in zip(distinct, times, strict=True))
    if metric.mean == "lists" and total:
        return entropy_of_lists(metric, display)
    log = metric.log
    terms = [count * many * log(total / count) for count, many in zip(distinct, times, strict=True)]
    columns: list[Cells] = [
        (*TIMES, distinct),
        (*ITEMS, times),
        ("share", "p = c / C", [count / total for count in distinct]),
        ("log", "log2(1 / p)" if metric.base == "2" else "ln(1 / p)", [log(total / count) for count in distinct]),
        ("term", Text("items · c · log", "条目数 · c · log"), terms),
    ]
    steps: list[Step] = [
        counts_grid(display, metric.k),
        table("counts", _BY_COUNT, columns),
        sum_line("sum", "Σ", terms, math.fsum(terms)),
        Line("places", "C", Text("places", "位置数"), (), total),
    ]
    if metric.over == "none":
        return Derivation(steps, "{} / {}", (math.fsum(terms), total), metric.whole(display))
    return Derivation(steps, "{} / {} / {}", (math.fsum(terms), total, sum(times)), metric.whole(display))


def entropy_of_lists(metric: Entropy, display: ItemView) -> Derivation:
    """The mean over lists of their means of log(1 / p)."""
    counts, kinds = display.counts(metric.k), metric.kinds(display)
    total, lists = int(counts.sum()), int(np.count_nonzero(display.depth(metric.k)))
    terms = [metric.term(kind, total) for kind in kinds]
    columns: list[Cells] = [
        (*TIMES, [count for count, _, _ in kinds]),
        ("length", Text("length of the list", "列表长度"), [length for _, length, _ in kinds]),
        ("places", Text("places", "位置数"), [many for _, _, many in kinds]),
        ("log", "log2(C / c)" if metric.base == "2" else "ln(C / c)", [metric.log(total / kind[0]) for kind in kinds]),
        ("term", Text("places · log / length", "位置数 · log / 长度"), terms),
    ]
    steps: list[Step] = [
        counts_grid(display, metric.k),
        table("kinds", Text("Places by item and length of list", "按条目与列表长度的位置"), columns),
        sum_line("sum", "Σ", terms, math.fsum(terms)),
        Line("places", "C", Text("places", "位置数"), (), total),
        Line("lists", Text("lists", "列表数"), Text("lists that show an item", "有条目的列表数"), (), lists),
    ]
    if metric.over == "none":
        return Derivation(steps, "{} / {}", (math.fsum(terms), lists), metric.whole(display))
    distinct = int(np.count_nonzero(counts))
    return Derivation(steps, "{} / {} / {}", (math.fsum(terms), lists, distinct), metric.whole(display))
