"""Probabilities of classes: the place of the true one, its loss, and the pairs of rows of each comparison."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats
from pingce.base.text import Text
from pingce.evidence.binary.reference import losses
from pingce.explanations.columns import ROWS, Cells, label_cell, row_numbers, table, weight_column, weighted_terms
from pingce.explanations.derivation import Cell, Derivation, Grid, Line, Step
from pingce.explanations.excerpts import MOST_WRITTEN, Excerpt, ends, largest
from pingce.explanations.multiclass.per_class import Mean, worked_mean
from pingce.explanations.multiclass.tables import CLASS, dashed
from pingce.explanations.numbers import count_line, exact_sum_line, numbers_in, plain, real
from pingce.explanations.registry import explains
from pingce.metrics.multiclass.ranked import Auc, LogLoss, TopKAccuracy, area, left_out

if TYPE_CHECKING:
    from pingce.evidence.multiclass.evidence import ClassView
    from pingce.inputs.multiclass import ClassRows


def _true_columns(rows: ClassRows, excerpt: Excerpt, p: NDArray[np.float64]) -> list[Cells]:
    names: list[Cell] = [label_cell(rows.labels[code]) for code in rows.truth.codes[excerpt.places].tolist()]
    return [
        row_numbers(excerpt),
        ("true_class", Text("true class", "真实类别"), names),
        ("probability", Text("its probability p", "其概率 p"), excerpt.exactly(p)),
    ]


@explains(TopKAccuracy)
def top_k(metric: TopKAccuracy, view: ClassView) -> Derivation:
    """The place of the true class, row by row where there are few, and how many rows have each place."""
    evidence, rows, k = view.evidence, view.evidence.rows, int(metric.k or 1)
    places = evidence.places()
    steps: list[Step] = [_place_grid(rows, places, evidence.proba)] if len(rows) <= MOST_WRITTEN else []
    size = len(rows.labels)
    counts = [evidence.weight_of(places == place) for place in range(size)] if size <= MOST_WRITTEN else []
    if counts:
        columns: list[Cells] = [
            ("place", Text("place of the true class", "真实类别的名次"), [place + 1 for place in range(size)]),
            ("rows", Text("rows", "行数"), numbers_in(counts)),
        ]
        title = Text("How many rows have each place", "各名次的行数")
        steps.append(table("places", title, columns, [place < k for place in range(size)]))
    right, total = evidence.weight_of(places < k), evidence.total
    name = Text(f"rows with place ≤ {k}", f"名次 ≤ {k} 的行数")
    steps += [
        Line("right", name, Text("the sum of these rows", "这些行之和"), (), plain(right)),
        count_line(total, rows.weight is not None),
    ]
    return Derivation(steps, "{} / {}", (plain(right), plain(total)), float(right / total))


def _place_grid(rows: ClassRows, places: NDArray[np.intp], proba: NDArray[np.float64]) -> Grid:
    excerpt = ends(len(rows), np.ones(len(rows), bool))
    likely = proba[np.arange(len(rows)), rows.truth.codes].astype(np.float64)
    columns = [
        *_true_columns(rows, excerpt, likely),
        ("place", Text("place", "名次"), [place + 1 for place in places.tolist()]),
    ]
    columns += weight_column(excerpt, rows.weight)
    note = Text(
        "Place: 1 + the classes that are more probable, or as probable and earlier in the order of the labels.",
        "名次：1 + 概率更大的类别数；概率相等时，标签顺序在前者居先。",
    )
    return table("rows", Text("The place of the true class", "真实类别的名次"), columns, note=note)


@explains(LogLoss)
def log_loss(metric: LogLoss, view: ClassView) -> Derivation:
    """Contributions, largest first; their sum; the mean."""
    evidence, rows = view.evidence, view.evidence.rows
    loss, total, clipped = evidence.loss(metric.eps)
    epsilon = float(np.finfo(evidence.proba.dtype).eps) if metric.eps is None else metric.eps
    p = evidence.proba[np.arange(len(rows)), rows.truth.codes].astype(np.float64)
    ones = np.ones(len(p), np.uint8)
    terms = -np.log(np.clip(p, epsilon, 1 - epsilon)) if len(p) > MOST_WRITTEN else losses(p, ones, epsilon)
    excerpt = largest(terms if rows.weight is None else terms * rows.weight)
    terms[excerpt.places] = losses(p[excerpt.places], ones[excerpt.places], epsilon)
    columns: list[Cells] = [
        *_true_columns(rows, excerpt, p),
        ("loss", Text("loss = −ln p", "损失 = −ln p"), excerpt.exactly(terms)),
        *weighted_terms(excerpt, terms, rows.weight, Text("loss", "损失")),
    ]
    title = Text("What each row contributes, largest first", "各行的贡献，从大到小")
    steps: list[Step] = []
    if clipped:
        steps.append(
            Text(
                f"{clipped} probabilities are nearer to 0 or 1 than ε = {epsilon:.3g} and are kept within [ε, 1 − ε].",
                f"有 {clipped} 个概率与 0 或 1 的距离小于 ε = {epsilon:.3g}，限制在 [ε, 1 − ε] 内。",
            )
        )
    steps += [
        table("contributions", title, columns, excerpt.counts, excerpt.note(ROWS)),
        exact_sum_line("sum", Text("loss", "损失"), loss, rows.weight is not None),
        count_line(total, rows.weight is not None),
    ]
    return Derivation(steps, "{} / {}", (real(loss), plain(total)), float(loss / total))


@explains(Auc)
def auc(metric: Auc, view: ClassView) -> Derivation:
    """The AUC of each comparison, and the mean."""
    by_class, support = metric.areas(view)
    areas, weights = np.array(by_class), np.array(support if metric.average == "weighted" else [1.0] * len(by_class))
    grid = (_against_the_rest if metric.multi == "ovr" else _pair_by_pair)(metric, view, areas, weights)
    mean = Mean(metric.name, areas, weights, left_out(view.policies.undefined_class), view.labels)
    return worked_mean(mean, [grid])


def _mean_columns(metric: Auc, areas: Floats, weights: Floats, excerpt: Excerpt) -> list[Cells]:
    columns: list[Cells] = [("auc", Text("AUC", "AUC"), dashed(areas[excerpt.places].tolist()))]
    if metric.average == "weighted":
        columns.append(("weight", Text("weight w = rows", "权重 w = 行数"), excerpt.of(weights)))
        columns.append(("weighted", Text("w · AUC", "w · AUC"), dashed((areas * weights)[excerpt.places].tolist())))
    return columns


def _against_the_rest(metric: Auc, view: ClassView, areas: Floats, weights: Floats) -> Grid:
    excerpt = ends(len(areas), ~np.isnan(areas))
    pairs = [view.evidence.pairs(place) for place in excerpt.places.tolist()]
    columns: list[Cells] = [
        ("class", CLASS, [label_cell(view.labels[place]) for place in excerpt.places.tolist()]),
        ("own", Text("its rows", "该类行数"), [plain(pair.positives) for pair in pairs]),
        ("others", Text("other rows", "其他行数"), [plain(pair.negatives) for pair in pairs]),
        (
            "won",
            Text("pairs won, ties ½", "胜出的样本对（同分计 ½）"),
            [plain(pair.twice_concordant / 2) for pair in pairs],
        ),
        ("pairs", Text("pairs", "样本对"), [plain(pair.positives * pair.negatives) for pair in pairs]),
        *_mean_columns(metric, areas, weights, excerpt),
    ]
    title = Text("Each class c against the rest, by its probability p_c", "每一类 c 与其余各类，按该类的概率 p_c 比较")
    return table("classes", title, columns, excerpt.counts, excerpt.note(Text("classes", "个类别")))


def _pair_by_pair(metric: Auc, view: ClassView, areas: Floats, weights: Floats) -> Grid:
    both = list(combinations(range(len(view.labels)), 2))
    excerpt = ends(len(areas), ~np.isnan(areas))
    chosen = [both[place] for place in excerpt.places.tolist()]
    names = [label_cell(label) for label in view.labels]
    columns: list[Cells] = [
        ("first", Text("class i", "类别 i"), [names[i] for i, _ in chosen]),
        ("second", Text("class j", "类别 j"), [names[j] for _, j in chosen]),
        (
            "first_area",
            Text("AUC(i|j) by p_i", "AUC(i|j)，按 p_i"),
            dashed([area(view.evidence.pairs(i, j)) for i, j in chosen]),
        ),
        (
            "second_area",
            Text("AUC(j|i) by p_j", "AUC(j|i)，按 p_j"),
            dashed([area(view.evidence.pairs(j, i)) for i, j in chosen]),
        ),
        *_mean_columns(metric, areas, weights, excerpt),
    ]
    title = Text("Each pair of classes: the mean of both directions", "类别两两比较：取两个方向的平均")
    return table("pairs", title, columns, excerpt.counts, excerpt.note(Text("pairs of classes", "对类别")))
