"""GAUC: the AUC of each group, its weight, the mean."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats, exact_dot, exact_sum
from pingce.base.text import Text
from pingce.evidence.binary.evidence import BinaryView
from pingce.evidence.binary.grouped import GroupEvidence
from pingce.explanations.columns import Cells, label_cell, table
from pingce.explanations.derivation import Cell, Derivation, Grid, Line, Step
from pingce.explanations.excerpts import MOST, Excerpt, largest
from pingce.explanations.numbers import plain, real
from pingce.explanations.registry import explains
from pingce.metrics.binary.grouped import Gauc
from pingce.metrics.declared import NAN

_BY = {
    "impressions": Text("weight w = rows", "权重 w = 行数"),
    "clicks": Text("weight w = positives", "权重 w = 正例数"),
    "uniform": Text("weight w = 1", "权重 w = 1"),
}


@explains(Gauc)
def grouped(metric: Gauc, view: BinaryView) -> Derivation:
    """A row a group; groups without a value of their own have a dash."""
    groups = metric.groups_of(view)
    areas, weights = metric.areas(groups), groups.weights(metric.by)
    counted = ~np.isnan(areas)
    steps: list[Step] = [_group_grid(metric, groups, areas, weights), *_fates(metric, groups)]
    if metric.single == "nan" and not counted.all():
        return Derivation(steps, "", (), NAN)
    top, bottom = exact_dot(areas[counted], weights[counted]), exact_sum(weights[counted])
    words = Text("the exact sum over the groups that count", "对计入的组精确求和")
    steps += [
        Line("top", "Σ w · AUC", words, (), real(top)),
        Line("bottom", "Σ w", words, (), plain(bottom)),
    ]
    return Derivation(steps, "{} / {}", (real(top), plain(bottom)), float(top / bottom) if bottom else NAN)


def _fates(metric: Gauc, groups: GroupEvidence) -> list[Text]:
    single = int(np.count_nonzero(~groups.both))
    if not single:
        return []
    en, zh = {
        "drop": ("they are dropped", "不计入"),
        "zero": ("each counts 0 with its weight (single=zero)", "各按其权重计 0（single=zero）"),
        "nan": ("therefore there is no value at all (single=nan)", "因此整个值没有定义（single=nan）"),
    }[metric.single]
    return [
        Text(
            f"{single} of {len(groups)} groups have positives only or negatives only, hence no AUC: {en}.",
            f"{len(groups)} 个组中有 {single} 个只有正例或只有负例，没有 AUC：{zh}。",
        )
    ]


def _group_grid(metric: Gauc, groups: GroupEvidence, areas: Floats, weights: Floats) -> Grid:
    """In the order of their ids where they are few, else the heaviest that count first."""
    matters = ~np.isnan(areas) & (weights > 0)
    if len(groups) <= MOST:
        excerpt = Excerpt(np.arange(len(groups)), matters.tolist(), len(groups))
    else:
        excerpt = largest(np.where(matters, weights, 0.0))
    places = excerpt.places
    aucs, counting = groups.auc()[places], areas[places]
    title = _BY.get(metric.by) or Text(f"weight w = Σ {metric.by}", f"权重 w = Σ {metric.by}")
    columns: list[Cells] = [
        ("group", Text("group", "组"), [label_cell(group) for group in groups.groups.take(places).to_list()]),
        ("rows", Text("rows", "行数"), excerpt.of(groups.rows)),
        ("positives", Text("positives", "正例"), excerpt.of(groups.positives)),
        *_pair_columns(groups, excerpt),
        ("auc", Text("AUC", "AUC"), _dashed(aucs)),
        ("weight", title, excerpt.of(weights)),
        ("weighted", Text("w · AUC", "w · AUC"), _dashed(counting * weights[places])),
    ]
    note = excerpt.note(Text("groups", "个组"))
    heading = Text("Each group by itself", "逐组计算")
    if len(groups) > MOST:
        heading = Text("Each group by itself, the heaviest first", "逐组计算，权重大者在前")
    return table("groups", heading, columns, excerpt.counts, note)


def _pair_columns(groups: GroupEvidence, excerpt: Excerpt) -> list[Cells]:
    """What is divided in each group: pairs, or the weights of pairs."""
    positive, negative, concordant = groups.positive_weight, groups.negative_weight, groups.concordant
    if positive is None or negative is None or concordant is None:
        pairs: NDArray[Any] = groups.positives * (groups.rows - groups.positives)
        won: NDArray[Any] = groups.twice_concordant / 2
    else:
        pairs, won = positive * negative, concordant
    return [
        ("won", Text("pairs won, ties ½", "胜出的样本对（同分计 ½）"), excerpt.of(won)),
        ("pairs", Text("pairs", "样本对"), excerpt.of(pairs)),
    ]


def _dashed(values: Floats) -> list[Cell]:
    return [None if np.isnan(value) else value for value in values.tolist()]
