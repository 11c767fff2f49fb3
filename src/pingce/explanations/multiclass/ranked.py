"""Probabilities of classes: the place of the true one, its loss, and the pairs of rows of each comparison."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from pingce.base.exact import Floats
from pingce.base.text import Text
from pingce.explanations.binary.probabilities import loss_steps
from pingce.explanations.derivation import Derivation, Grid, Line, Step
from pingce.explanations.frame import explains
from pingce.explanations.multiclass.base import CLASS, CLASSES, TRUE_CLASS, classes_of
from pingce.explanations.multiclass.per_class import Mean, worked_mean
from pingce.explanations.tables import (
    MOST_WRITTEN,
    Cells,
    Excerpt,
    count_line,
    dashed,
    ends,
    label_cell,
    numbers_in,
    plain,
    quotient,
    table,
)
from pingce.metrics.multiclass.ranked import Auc, LogLoss, TopKAccuracy, area, left_out

if TYPE_CHECKING:
    from pingce.evidence.multiclass.evidence import ClassView, MulticlassEvidence


def _likely(evidence: MulticlassEvidence) -> Floats:
    """The probability of the true class."""
    likely: Floats = evidence.proba[np.arange(len(evidence.rows)), evidence.rows.truth.codes].astype(np.float64)
    return likely


def _true_columns(evidence: MulticlassEvidence, excerpt: Excerpt) -> list[Cells]:
    probability = Text("its probability p", "其概率 p")
    true: Cells = (*TRUE_CLASS, classes_of(evidence.rows.truth, excerpt))
    return [excerpt.row, true, ("probability", probability, _likely(evidence))]


@explains(TopKAccuracy)
def top_k(metric: TopKAccuracy, view: ClassView) -> Derivation:
    """The place of the true class, row by row where there are few, and how many rows have each place."""
    evidence, rows, k = view.evidence, view.evidence.rows, int(metric.k or 1)
    places, size = evidence.places(), len(rows.labels)
    steps: list[Step] = []
    if len(rows) <= MOST_WRITTEN:
        excerpt = ends(np.ones(len(rows), bool))
        columns = [*_true_columns(evidence, excerpt), ("place", Text("place", "名次"), places + 1)]
        title = Text("The place of the true class", "真实类别的名次")
        note = Text(
            "Place: 1 + the classes that are more probable, or as probable and earlier in the order of the labels.",
            "名次：1 + 概率更大的类别数；概率相等时，标签顺序在前者居先。",
        )
        steps.append(replace(excerpt.table("rows", title, [*columns, *excerpt.weight(rows.weight)]), note=note))
    if size <= MOST_WRITTEN:
        counts = numbers_in(evidence.weight_of(places == place) for place in range(size))
        columns = [
            ("place", Text("place of the true class", "真实类别的名次"), range(1, size + 1)),
            ("rows", Text("rows", "行数"), counts),
        ]
        title = Text("How many rows have each place", "各名次的行数")
        steps.append(table("places", title, columns, [place < k for place in range(size)]))
    right, total = evidence.weight_of(places < k), evidence.weight
    name = Text(f"rows with place ≤ {k}", f"名次 ≤ {k} 的行数")
    steps += [
        Line("right", name, Text("the sum of these rows", "这些行之和"), (), plain(right)),
        count_line(total, rows.weight is not None),
    ]
    return Derivation(steps, "{} / {}", (plain(right), plain(total)), float(right / total))


@explains(LogLoss)
def log_loss(metric: LogLoss, view: ClassView) -> Derivation:
    """Contributions, largest first; their sum; the mean."""
    evidence = view.evidence
    sums, p, title = evidence.losses(metric.eps), _likely(evidence), Text("loss = −ln p", "损失 = −ln p")
    ones, weight = np.ones(len(p), np.uint8), evidence.rows.weight
    steps = loss_steps(sums, p, ones, weight, title, lambda excerpt, _: _true_columns(evidence, excerpt))
    return quotient(steps, sums.loss, sums.rows)


@explains(Auc)
def auc(metric: Auc, view: ClassView) -> Derivation:
    """The AUC of each comparison, and the mean."""
    by_class, support = metric.areas(view)
    areas, weights = np.array(by_class), np.array(support if metric.average == "weighted" else [1.0] * len(by_class))
    excerpt = ends(~np.isnan(areas))
    columns: list[Cells] = [("auc", "AUC", dashed(areas[excerpt.places]))]
    if metric.average == "weighted":
        columns.append(("weight", Text("weight w = rows", "权重 w = 行数"), excerpt.of(weights)))
        columns.append(("weighted", "w · AUC", dashed((areas * weights)[excerpt.places])))
    grid = (_against_the_rest if metric.multi == "ovr" else _pair_by_pair)(view, excerpt, columns)
    mean = Mean(metric.name, areas, weights, left_out(view.policies.undefined_class), view.labels)
    return worked_mean(mean, [grid])


def _against_the_rest(view: ClassView, excerpt: Excerpt, more: list[Cells]) -> Grid:
    pairs = [view.evidence.pairs(place) for place in excerpt.places.tolist()]
    won = numbers_in(pair.twice_concordant / 2 for pair in pairs)
    columns: list[Cells] = [
        ("class", CLASS, excerpt.labels(view.labels)),
        ("own", Text("its rows", "该类行数"), numbers_in(pair.positives for pair in pairs)),
        ("others", Text("other rows", "其他行数"), numbers_in(pair.negatives for pair in pairs)),
        ("won", Text("pairs won, ties ½", "胜出的样本对（同分计 ½）"), won),
        ("pairs", Text("pairs", "样本对"), numbers_in(pair.positives * pair.negatives for pair in pairs)),
        *more,
    ]
    title = Text("Each class c against the rest, by its probability p_c", "每一类 c 与其余各类，按该类的概率 p_c 比较")
    return excerpt.table("classes", title, columns, CLASSES)


def _pair_by_pair(view: ClassView, excerpt: Excerpt, more: list[Cells]) -> Grid:
    both = list(combinations(range(len(view.labels)), 2))
    chosen = [both[place] for place in excerpt.places.tolist()]
    names, pairs = [label_cell(label) for label in view.labels], view.evidence.pairs
    first, second = (dashed([area(pairs(*pair[::way])) for pair in chosen]) for way in (1, -1))
    columns: list[Cells] = [
        ("first", Text("class i", "类别 i"), [names[i] for i, _ in chosen]),
        ("second", Text("class j", "类别 j"), [names[j] for _, j in chosen]),
        ("first_area", Text("AUC(i|j) by p_i", "AUC(i|j)，按 p_i"), first),
        ("second_area", Text("AUC(j|i) by p_j", "AUC(j|i)，按 p_j"), second),
        *more,
    ]
    title = Text("Each pair of classes: the mean of both directions", "类别两两比较：取两个方向的平均")
    return excerpt.table("pairs", title, columns, Text("pairs of classes", "对类别"))
