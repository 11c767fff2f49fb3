"""GAUC: the AUC of each group, its weight, the mean."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats
from pingce.base.text import Text
from pingce.evidence.binary.evidence import BinaryView
from pingce.evidence.binary.grouped import GroupEvidence
from pingce.explanations.derivation import Derivation, Grid, Step
from pingce.explanations.frame import explains
from pingce.explanations.groups import listed_groups, mean_of_groups
from pingce.explanations.tables import Cells, dashed, label_cell
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
    return mean_of_groups(steps, "AUC", areas, weights)


def _group_grid(metric: Gauc, groups: GroupEvidence, areas: Floats, weights: Floats) -> Grid:
    """A row a group, with its counts, its area and its weight."""
    excerpt, heading = listed_groups(areas, weights)
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
