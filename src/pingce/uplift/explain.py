"""The worked calculation: both arms by falling score, the points of the curve, the mean heights, the division."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from pingce.base.text import Text
from pingce.explanations.derivation import Derivation, Explanation, Grid, Line, Step
from pingce.explanations.frame import explain_rows, explains
from pingce.explanations.inputs import ExplainInputs
from pingce.explanations.tables import Cells, ends, plain, real
from pingce.inputs.data import RowData
from pingce.metrics.grammar import MetricRequest
from pingce.tasks.uplift import UPLIFT
from pingce.uplift.curve_values import Points
from pingce.uplift.evidence import UpliftEvidence
from pingce.uplift.metrics import AreaUnderUplift, CurveMetric, Qini, Uplift
from pingce.uplift.policies import UpliftPolicies
from pingce.uplift.rows import UpliftRows, uplift_rows

_NAMES = {
    "curve": Text("mean height of the curve", "曲线的平均高度"),
    "random": Text("of a random order: half the end", "随机排序：终点的一半"),
    "best": Text("of the best order", "最佳排序"),
    "end": Text("end of the curve: everybody is treated", "曲线终点：全部干预"),
}


def explain(inputs: ExplainInputs, request: MetricRequest, policies: UpliftPolicies) -> Explanation:
    """The explanation of a metric of what a caller gave."""
    rows = inputs.once(_read_rows)
    subject, left_out = Text(f"{len(rows)} rows", f"{len(rows)} 行"), len(rows) - len(rows.counted())
    return explain_rows(request, policies, rows, subject, arm_grid, left_out)


def _read_rows(inputs: ExplainInputs) -> UpliftRows:
    columns = inputs.read_columns("y_score", ("y_true", "y_score", "weight"), UPLIFT.columns)
    roles = UPLIFT.columns.among(columns)
    return uplift_rows(RowData(columns["y_true"], columns["y_score"], weight=columns["weight"], roles=roles))


def arm_grid(view: UpliftEvidence, points: Points | None = None, title: str = "") -> Grid:
    """A line per distinct score: rows and outcomes of both arms so far, and where the curve is."""
    table = view.table
    excerpt = ends(np.ones(len(table), bool))
    columns: list[Cells] = [
        ("score", Text("score", "分数"), table.score),
        ("treated", "N_t", excerpt.of(table.treated)),
        ("control", "N_c", excerpt.of(table.control)),
        ("treated_sum", "Y_t", excerpt.of(table.treated_sum)),
        ("control_sum", "Y_c", excerpt.of(table.control_sum)),
    ]
    if points is not None:
        columns.append(("point", title, points.y[1:][excerpt.places].tolist()))
    steps = Text("steps", "个台阶")
    return excerpt.table("arms", Text("Both arms, by falling score", "按分数从高到低的两组"), columns, steps)


@explains(Uplift)
def uplift(metric: Uplift, view: UpliftEvidence) -> Derivation:
    """The two means of the top share, and their difference."""
    (gained, treated), (lost, control) = metric.sides(view.table)
    total, whole = Fraction(float(view.weight)), view.table.is_whole
    steps: list[Step] = [arm_grid(view)]
    if metric.by == "all":
        share, within = plain(1 if metric.k is None else metric.k), plain(real(metric.rows_within(total, whole=whole)))
        brackets = ("⌈", "⌉") if metric.cut == "ceil" else ("⌊", "⌋")
        brackets = brackets if whole else ("", "")
        words = Text("rows within the share", "占比以内的行数")
        steps.append(Line("rows", words, f"{brackets[0]}{{}} · {{}}{brackets[1]}", (share, plain(real(total))), within))
    for key, name, top, bottom in (
        ("treated", Text("mean of treated rows", "干预组均值"), gained, treated),
        ("control", Text("mean of control rows", "对照组均值"), lost, control),
    ):
        if bottom > 0:
            mean = real(top / bottom)
            steps.append(Line(key, name, "{} / {}", (plain(real(top)), plain(real(bottom))), mean))
    value = metric.value(view)
    if treated <= 0 or control <= 0:
        return Derivation(steps)
    return Derivation(steps, "{} − {}", (real(gained / treated), real(lost / control)), value)


@explains(Qini, AreaUnderUplift)
def curve_metric(metric: CurveMetric, view: UpliftEvidence) -> Derivation:
    """The curve, its mean height and those it is compared with, and the division."""
    letter = "Q" if isinstance(metric, Qini) else "V"
    grid, value = arm_grid(view, metric.curve(view), letter), metric.value(view)
    levels = {name: real(level) for name, level in metric.levels(view).items()}
    norm: str = metric.norm
    minus = isinstance(metric, Qini) or norm == "perfect"
    names = [
        "curve",
        *(["random"] if minus else []),
        *(["best"] if "best" in levels else []),
        *(["end"] if norm == "end" else []),
    ]
    how = Text("the area over the rows", "面积除以行数")
    if metric.area == "mean":
        how = Text("the mean of its points", "各点的均值")
    lines: list[Step] = [
        Line(
            name,
            _NAMES[name],
            how if name in ("curve", "best") else "{}",
            () if name in ("curve", "best") else (levels[name],),
            levels[name],
        )
        for name in names
    ]
    if norm == "perfect" and "best" not in levels:
        return Derivation([grid, *lines])
    top, numbers = ("{} − {}", (levels["curve"], levels["random"])) if minus else ("{}", (levels["curve"],))
    if norm == "none":
        return Derivation([grid, *lines], top, numbers, value)
    if norm == "end":
        return Derivation(
            [grid, *lines], f"({top}) / |{{}}|" if minus else f"{top} / |{{}}|", (*numbers, levels["end"]), value
        )
    return Derivation([grid, *lines], f"({top}) / ({{}} − {{}})", (*numbers, levels["best"], levels["random"]), value)
