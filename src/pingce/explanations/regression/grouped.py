"""XGAUC: the share of pairs in order of each group, its weight, the mean."""

from __future__ import annotations

import numpy as np

from pingce.base.exact import Floats
from pingce.base.text import Text
from pingce.evidence.regression.evidence import ErrorEvidence
from pingce.evidence.regression.groups import NumberGroups
from pingce.explanations.derivation import Derivation, Grid, Step
from pingce.explanations.frame import explains
from pingce.explanations.groups import listed_groups, mean_of_groups
from pingce.explanations.tables import Cells, dashed, label_cell
from pingce.metrics.regression.grouped import Xgauc

_BY = {
    "rows": Text("weight w = rows", "权重 w = 行数"),
    "uniform": Text("weight w = 1", "权重 w = 1"),
    "pairs": Text("weight w = pairs that count", "权重 w = 计入的样本对"),
}


@explains(Xgauc)
def grouped(metric: Xgauc, view: ErrorEvidence) -> Derivation:
    """A row a group; groups without a pair have a dash."""
    groups = view.groups(metric.needed_columns())
    areas, weights = metric.areas(groups), metric.weights(groups)
    counted = ~np.isnan(areas)
    steps: list[Step] = [_group_grid(metric, groups, areas, weights)]
    if not counted.all():
        left = int(np.count_nonzero(~counted))
        steps.append(
            Text(
                f"{left} of {len(groups)} groups have no pair of rows that counts: they are left out.",
                f"{len(groups)} 个组中有 {left} 个没有计入的样本对：不计入。",
            )
        )
    return mean_of_groups(steps, "XAUC", areas, weights)


def _group_grid(metric: Xgauc, groups: NumberGroups, areas: Floats, weights: Floats) -> Grid:
    """A row a group, with its counts, its area and its weight."""
    excerpt, heading = listed_groups(areas, weights)
    places = excerpt.places
    weight_title = _BY.get(metric.by) or Text(f"weight w = Σ {metric.by}", f"权重 w = Σ {metric.by}")
    columns: list[Cells] = [
        ("group", Text("group", "组"), [label_cell(group) for group in groups.groups.take(places).to_list()]),
        ("rows", Text("rows", "行数"), excerpt.of(groups.rows)),
        ("concordant", Text("pairs in order", "次序一致的样本对"), excerpt.of(groups.concordant)),
        ("discordant", Text("out of order", "次序相反"), excerpt.of(groups.discordant)),
        ("tied", Text("equal in ŷ only", "仅 ŷ 相等"), excerpt.of(groups.tied_predicted)),
        ("xauc", "XAUC", dashed(areas[places])),
        ("weight", weight_title, excerpt.of(weights)),
        ("weighted", "w · XAUC", dashed((areas * weights)[places])),
    ]
    return excerpt.table("groups", heading, columns, Text("groups", "个组"))
