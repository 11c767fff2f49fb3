"""XGAUC: the share of pairs in order of each group, its weight, the mean."""

from __future__ import annotations

import numpy as np

from pingce.base.exact import Floats, exact_dot, exact_sum
from pingce.base.text import Text
from pingce.evidence.regression.evidence import ErrorEvidence
from pingce.evidence.regression.groups import NumberGroups
from pingce.explanations.derivation import Derivation, Grid, Line, Step
from pingce.explanations.frame import explains
from pingce.explanations.tables import MOST, Cells, Excerpt, dashed, label_cell, largest, plain, quotient, real
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
    top, bottom = exact_dot(areas[counted], weights[counted]), exact_sum(weights[counted])
    words = Text("the exact sum over the groups that count", "对计入的组精确求和")
    steps += [Line("top", "Σ w · XAUC", words, (), real(top)), Line("bottom", "Σ w", words, (), plain(bottom))]
    return quotient(steps, top, bottom)


def _group_grid(metric: Xgauc, groups: NumberGroups, areas: Floats, weights: Floats) -> Grid:
    """In the order of their ids where they are few, else the heaviest that count first."""
    matters = ~np.isnan(areas) & (weights > 0)
    heading = Text("Each group by itself", "逐组计算")
    excerpt = Excerpt(np.arange(len(groups)), matters.tolist(), len(groups))
    if len(groups) > MOST:
        excerpt = largest(np.where(matters, weights, 0.0))
        heading = Text("Each group by itself, the heaviest first", "逐组计算，权重大者在前")
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
