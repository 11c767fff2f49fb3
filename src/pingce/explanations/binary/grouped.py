"""GAUC: the AUC of each group, its weight, the mean."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats, exact_dot, exact_sum
from pingce.base.text import Text
from pingce.evidence.binary.evidence import BinaryView
from pingce.evidence.binary.grouped import GroupEvidence
from pingce.explanations.derivation import Derivation, Grid, Line, Step
from pingce.explanations.frame import explains
from pingce.explanations.tables import MOST, Cells, Excerpt, dashed, label_cell, largest, plain, quotient, real
from pingce.metrics.binary.grouped import Gauc

_BY = {
    "impressions": Text("weight w = rows", "权重 w = 行数"),
    "clicks": Text("weight w = positives", "权重 w = 正例数"),
    "uniform": Text("weight w = 1", "权重 w = 1"),
}
_LEFT_OUT = Text(
    "they have too few rows or positives (min_rows, min_positives), or one score only (constant=drop)",
    "行数或正例过少（min_rows、min_positives），或所有分数相同（constant=drop）",
)
_FATES = {
    "drop": ("they are dropped", "不计入"),
    "zero": ("each counts 0 with its weight (single=zero)", "各按其权重计 0（single=zero）"),
    "nan": ("therefore there is no value at all (single=nan)", "因此整个值没有定义（single=nan）"),
}


@explains(Gauc)
def grouped(metric: Gauc, view: BinaryView) -> Derivation:
    """A row a group; groups without a value of their own have a dash."""
    groups = metric.groups_of(view)
    areas, weights = metric.areas(groups), groups.weights(metric.by)
    eligible = metric.eligible(groups)
    counted, single = ~np.isnan(areas), int(np.count_nonzero(~groups.both & eligible))
    steps: list[Step] = [_group_grid(metric, groups, areas, weights)]
    if not eligible.all():
        number = int(np.count_nonzero(~eligible))
        steps.append(
            Text(
                f"{number} of {len(groups)} groups are left out: {_LEFT_OUT.en}.",
                f"{len(groups)} 个组中有 {number} 个不计入：{_LEFT_OUT.zh}。",
            )
        )
    if single:
        en, zh = _FATES[metric.single]
        steps.append(
            Text(
                f"{single} of {len(groups)} groups have positives only or negatives only, hence no AUC: {en}.",
                f"{len(groups)} 个组中有 {single} 个只有正例或只有负例，没有 AUC：{zh}。",
            )
        )
    if metric.single == "nan" and not counted[eligible].all():
        return Derivation(steps)
    top, bottom = exact_dot(areas[counted], weights[counted]), exact_sum(weights[counted])
    words = Text("the exact sum over the groups that count", "对计入的组精确求和")
    steps += [Line("top", "Σ w · AUC", words, (), real(top)), Line("bottom", "Σ w", words, (), plain(bottom))]
    return quotient(steps, top, bottom)


def _group_grid(metric: Gauc, groups: GroupEvidence, areas: Floats, weights: Floats) -> Grid:
    """In the order of their ids where they are few, else the heaviest that count first."""
    matters = ~np.isnan(areas) & (weights > 0)
    heading = Text("Each group by itself", "逐组计算")
    excerpt = Excerpt(np.arange(len(groups)), matters.tolist(), len(groups))
    if len(groups) > MOST:
        excerpt = largest(np.where(matters, weights, 0.0))
        heading = Text("Each group by itself, the heaviest first", "逐组计算，权重大者在前")
    places = excerpt.places
    pairs: NDArray[Any] = groups.positives * (groups.rows - groups.positives)
    won: NDArray[Any] = groups.twice_concordant / 2
    if groups.positive_weight is not None and groups.negative_weight is not None and groups.concordant is not None:
        pairs, won = groups.positive_weight * groups.negative_weight, groups.concordant
    weight_title = _BY.get(metric.by) or Text(f"weight w = Σ {metric.by}", f"权重 w = Σ {metric.by}")
    columns: list[Cells] = [
        ("group", Text("group", "组"), [label_cell(group) for group in groups.groups.take(places).to_list()]),
        ("rows", Text("rows", "行数"), excerpt.of(groups.rows)),
        ("positives", Text("positives", "正例"), excerpt.of(groups.positives)),
        ("won", Text("pairs won, ties ½", "胜出的样本对（同分计 ½）"), excerpt.of(won)),
        ("pairs", Text("pairs", "样本对"), excerpt.of(pairs)),
        ("auc", "AUC", dashed(groups.auc()[places])),
        ("weight", weight_title, excerpt.of(weights)),
        ("weighted", "w · AUC", dashed((areas * weights)[places])),
    ]
    return excerpt.table("groups", heading, columns, Text("groups", "个组"))
