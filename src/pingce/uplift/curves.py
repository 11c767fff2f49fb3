"""The Qini curve and the uplift curve of a model, beside those of the best order and of a random one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from pingce.base.errors import InputError, did_you_mean
from pingce.base.exact import Floats
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.curves.base import Curve, Mark, arrow_table
from pingce.inputs.data import RowData
from pingce.tasks.uplift import UPLIFT
from pingce.uplift.curve_values import Points
from pingce.uplift.evidence import UpliftEvidence, refuse_one_arm
from pingce.uplift.metrics import AreaUnderUplift, Qini
from pingce.uplift.rows import uplift_rows

if TYPE_CHECKING:
    from pingce.curves.pens import Pen

TITLES = UPLIFT.curves
_SIZE = (6.4, 4.4)


@dataclass(frozen=True, eq=False)
class UpliftCurve(Curve):
    """One curve of one model, which knows how it is drawn."""

    best: Points | None = None
    "The curve of the best order, where it is known."
    column_titles: ClassVar[Mapping[str, Text]] = {
        "gain": Text("gain", "累计增益"),
        "random": Text("random order", "随机排序"),
    }
    drawing: ClassVar[tuple[Callable[[Any, Any, Any], None], tuple[float, float]]]


def evidence_of(table: RowData, positive: Any, threads: int | None) -> UpliftEvidence:
    """What curves of a table of predictions are made of; outcomes are numbers, of which none is the positive one."""
    evidence = UpliftEvidence.of(uplift_rows(table, threads=threads), threads)
    refuse_one_arm(evidence)
    return evidence


def curve_of(kind: str, evidence: UpliftEvidence, *, name: str = "", thin: int | None = None) -> UpliftCurve:
    """A curve: share of the rows that are treated, gain so far, that of a random order, and the threshold of each step."""
    if kind not in TITLES:
        hint = did_you_mean(kind, TITLES)
        raise InputError(
            f"there is no curve '{kind}' of uplift; known are {', '.join(TITLES)}{hint.en}",
            f"增益任务没有名为 '{kind}' 的曲线；可用 {'、'.join(TITLES)}{hint.zh}",
        )
    metric = Qini() if kind == "qini" else AreaUnderUplift()
    points, best = metric.curve(evidence), metric.best(evidence)
    columns = {
        "threshold": np.append(np.inf, evidence.table.score.astype(np.float64)),
        "rows": points.x,
        "share": points.x / points.x[-1],
        "gain": points.y,
        "random": points.x * (points.y[-1] / points.x[-1]),
    }
    at = int(np.argmax(points.y))
    mark = Mark(
        float(columns["threshold"][at]), {key: float(column[at]) for key, column in columns.items()}, at, largest=True
    )
    summary = {metric.name: metric.value(evidence), "best_share": float(columns["share"][at])}
    curve = UpliftCurve(kind, name or "model", arrow_table(columns), (mark,), summary, points=len(points.x), best=best)
    return curve if thin is None else curve.thin(thin)  # type: ignore[return-value]


def _draw(pen: Pen, curves: Sequence[UpliftCurve], names: Sequence[str]) -> None:
    """Above the line of a random order; dotted, what the best order would gain."""
    kind = curves[0].kind
    pen.frame(
        TITLES[kind],
        Text("Share of rows treated, highest scores first", "干预的行数占比（按分数从高到低）"),
        Text("Outcomes gained", "累计增益"),
    )
    pen.plain_lines(
        curves, names, ("share", "gain"), ("Qini" if kind == "qini" else "AUUC", "qini" if kind == "qini" else "auuc")
    )
    best = curves[0].best
    if best is not None:
        pen.reference(best.x / best.x[-1], best.y, Text("best possible order", "最佳排序"), linestyle=":")
    end = float(curves[0].columns["gain"][-1])
    pen.reference([0, 1], [0, end], Text("random order", "随机排序"))
    pen.legend("best")


UpliftCurve.drawing = (_draw, _SIZE)


def even(points: Points, most: int) -> tuple[Floats, Floats]:
    """Some of the points, both ends among them, for a small picture."""
    if len(points.x) <= most:
        return points.x, points.y
    kept = np.unique(np.linspace(0, len(points.x) - 1, most).astype(np.intp))
    return points.x[kept], points.y[kept]
