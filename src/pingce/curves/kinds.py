"""How each kind of curve is drawn: its axes, what it is compared with, what is pointed at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import NormalDist

import numpy as np

from pingce.base.exact import Floats
from pingce.base.text import Text
from pingce.curves.base import Curve
from pingce.curves.binary import TITLES
from pingce.curves.pens import COLOURS, GREY, INK, PALE, SMALL, STYLES, Pen, figure

_FPR = Text("False positive rate (FPR)", "假正例率（FPR）")
_SHARE = Text("Share of rows, highest scores first", "样本占比（按分数从高到低）")
_THRESHOLD = Text("Threshold", "阈值")
_RANDOM = Text("random order", "随机排序")


def draw_roc(pen: Pen, curves: Sequence[Curve], names: Sequence[str]) -> None:
    """The diagonal is a random order."""
    pen.frame(TITLES["roc"], _FPR, Text("True positive rate (TPR)", "真正例率（TPR）"), square=True)
    pen.plain_lines(curves, names, ("fpr", "tpr"), ("AUC", "auc"))
    pen.reference([0, 1], [0, 1], _RANDOM)
    pen.legend("lower right")


def draw_pr(pen: Pen, curves: Sequence[Curve], names: Sequence[str]) -> None:
    """Steps, lines of equal F1, the break-even point on the diagonal, the base rate that a random order reaches."""
    pen.frame(TITLES["pr"], Text("Recall", "召回率（查全率）"), Text("Precision", "精确率（查准率）"), square=True)
    _equal_f(pen)
    pen.reference([0, 1], [0, 1], color=PALE, linestyle="-", zorder=1.2)
    for curve, look, name in pen.lines(curves, names):
        recall, precision = curve.columns["recall"], curve.columns["precision"]
        x, y = np.concatenate([[0.0], recall]), np.concatenate([precision[:1], precision])
        pen.ax.plot(x, y, drawstyle="steps-pre", **look)
        bep = curve.summary["bep"]
        pen.ax.plot(bep, bep, "D", color=look["color"], markersize=5, markeredgecolor="white", zorder=4)
        pen.marks(curve, "recall", "precision", look)
        pen.enter(look, name, [("PR AUC", curve.summary["pr_auc"]), ("BEP", bep)])
    for rate in dict.fromkeys(curve.summary["base_rate"] for curve in curves):
        label = Text(f"base rate {figure(rate)}", f"正例占比 {figure(rate)}")
        pen.reference([0, 1], [rate, rate], label)
    pen.legend("lower left")


def _equal_f(pen: Pen) -> None:
    """Where F1 is the same: precision = F · recall / (2 · recall − F)."""
    for f in (0.2, 0.4, 0.6, 0.8):
        recall = np.linspace(f / (2 - f), 1, 100)
        pen.ax.plot(recall, f * recall / (2 * recall - f), color=PALE, linewidth=0.9, zorder=1.1)
        end = (1.0, f / (2 - f))
        pen.words(end, f"F1 = {f}", GREY, xytext=(4, -2), fontsize=SMALL - 1, annotation_clip=False)


def draw_det(pen: Pen, curves: Sequence[Curve], names: Sequence[str]) -> None:
    """On normal deviates: two classes with normal scores make a straight line."""
    pen.frame(TITLES["det"], _FPR, Text("False negative rate (FNR)", "假负例率（FNR）"))
    # The smallest rate worth an axis: that of one row of the larger class, in round numbers.
    rows = max((max(curve.steps.positives, curve.steps.negatives) for curve in curves if curve.steps), default=100)
    least = next((rate for rate in (0.01, 0.001) if rate * rows <= 1), 0.0001)
    for curve, look, name in pen.lines(curves, names):
        pen.ax.plot(*(_deviates(curve.columns[side], least / 4) for side in ("fpr", "fnr")), **look)
        for mark in curve.marks:
            x, y = _deviates(np.array([mark.row["fpr"], mark.row["fnr"]]), least)
            pen.dot((x, y), mark.label, look["color"])
        pen.enter(look, name, [("AUC", curve.summary["auc"])])
    rates = [rate for rate in (0.001, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 0.999) if least <= rate <= 1 - least]
    ends = _deviates(np.array([least, 1 - least]), least)
    for axis in (pen.ax.xaxis, pen.ax.yaxis):
        axis.set_ticks(
            _deviates(np.array(rates), least), labels=[f"{100 * rate:g} %" for rate in rates], **pen.say.style
        )
    pen.ax.set(xlim=ends, ylim=ends, aspect="equal")
    pen.legend("upper right")


def _deviates(rates: Floats, least: float) -> Floats:
    normal = NormalDist()
    return np.array([normal.inv_cdf(rate) for rate in np.clip(rates, least, 1 - least).tolist()])


def draw_calibration(pen: Pen, curves: Sequence[Curve], names: Sequence[str]) -> None:
    """On the diagonal predictions are right; the area of a point says how many rows it stands for."""
    pen.frame(
        TITLES["calibration"],
        Text("Mean predicted probability (area of a point: rows)", "平均预估概率（点的面积表示行数）"),
        Text("Observed share of positives", "实际正例比例"),
    )
    top = max(max(curve.columns[side].max() for side in ("mean_predicted", "observed")) for curve in curves)
    top = min(1.0, 1.08 * float(top)) or 1.0
    for curve, look, name in pen.lines(curves, names):
        x, y, rows = (curve.columns[side] for side in ("mean_predicted", "observed", "rows"))
        pen.ax.plot(x, y, **look | {"linewidth": 1.0})
        pen.ax.scatter(
            x, y, s=10 + 190 * rows / rows.max(), color=look["color"], alpha=0.75, edgecolor="white", zorder=3
        )
        pen.enter(look, name, [("ECE", curve.summary["ece"]), ("PCOC", curve.summary["pcoc"])])
    pen.reference([0, top], [0, top], Text("calibrated", "完全校准"))
    pen.ax.set(xlim=(-0.02 * top, 1.03 * top), ylim=(-0.02 * top, 1.03 * top), aspect="equal")
    pen.legend("upper left")


def draw_lift(pen: Pen, curves: Sequence[Curve], names: Sequence[str]) -> None:
    """A random order lifts by 1."""
    pen.frame(TITLES["lift"], _SHARE, Text("Lift", "提升度"))
    pen.plain_lines(curves, names, ("share", "lift"), ("lift@0.1", "lift@0.1"))
    pen.reference([0, 1], [1, 1], _RANDOM)
    pen.ax.set(xlim=(-0.01, 1.01), ylim=(0, None))
    pen.legend("upper right")


def draw_gain(pen: Pen, curves: Sequence[Curve], names: Sequence[str]) -> None:
    """Between a random order and one with all positives in front."""
    pen.frame(
        TITLES["gain"], _SHARE, Text("Share of the positives found (gain)", "找到的正例占比（捕获率）"), square=True
    )
    pen.plain_lines(curves, names, ("share", "gain"), ("gain@0.1", "gain@0.1"))
    for i, rate in enumerate(dict.fromkeys(curve.summary["base_rate"] for curve in curves)):
        label = None if i else Text("best possible order", "最佳排序")
        pen.reference([0, rate, 1], [0, 1, 1], label, linestyle=":")
    pen.reference([0, 1], [0, 1], _RANDOM)
    pen.legend("lower right")


def draw_ks(pen: Pen, curves: Sequence[Curve], names: Sequence[str]) -> None:
    """The two rates by threshold, and their largest distance."""
    rates = (("tpr", "-"), ("fpr", (0, (4, 2))))
    pen.frame(
        TITLES["ks"], _THRESHOLD, Text("Share of the class that scores at least as much", "该类中得分不低于阈值的占比")
    )
    for curve, look, name in pen.lines(curves, names):
        for rate, dashes in rates:
            x, y = (curve.columns[side][:0:-1] for side in ("threshold", rate))
            pen.ax.plot(x, y, color=look["color"], linewidth=1.5, drawstyle="steps-pre", linestyle=dashes)
        for mark in curve.marks:
            low, high = mark.row["fpr"], mark.row["tpr"]
            ends = {"marker": "o", "markersize": 3.5} if mark.largest else {"linestyle": ":"}
            pen.ax.plot([mark.threshold] * 2, [low, high], color=look["color"], linewidth=1.1, zorder=3, **ends)
            words = f"KS {figure(mark.row['difference'])}\n≥ {mark.threshold:.4g}" if mark.largest else mark.label
            pen.words((mark.threshold, (low + high) / 2), words, look["color"], xytext=(5, -4))
        pen.enter(look | {"linestyle": "-"}, name, [("KS", curve.summary["ks"])])
    for rate, dashes in rates:
        pen.enter({"color": INK, "linestyle": dashes}, rate.upper())
    pen.ax.set_ylim(-0.01, 1.01)
    pen.legend("upper right")


def draw_counts(pen: Pen, curves: Sequence[Curve], names: Sequence[str]) -> None:
    """The four cells by threshold: of one model in colours, of several in dashes."""
    pen.frame(TITLES["confusion"], _THRESHOLD, Text("Rows", "行数"))
    cells = [
        (cell, {"linewidth": 1.6, "color": colour if len(curves) == 1 else INK, "linestyle": dashes})
        for cell, colour, dashes in zip(("tp", "fp", "tn", "fn"), COLOURS, STYLES, strict=False)
    ]
    for curve, look, name in pen.lines(curves, names):
        for cell, line in cells:
            x, y = curve.columns["threshold"][:0:-1], curve.columns[cell][:0:-1]
            colour = {"color": look["color"]} if len(curves) > 1 else {}
            pen.ax.plot(x, y, **line | colour, drawstyle="steps-pre")
        if len(curves) > 1:
            pen.enter(look | {"linestyle": "-"}, name)
    for cell, line in cells:
        pen.enter(line, cell.upper())
    pen.legend("best")


def draw_cost(pen: Pen, curves: Sequence[Curve], names: Sequence[str]) -> None:
    """The cost by threshold, and the least."""
    pen.frame(TITLES["cost"], _THRESHOLD, Text("Cost per row", "每行的代价"))
    for curve, look, name in pen.lines(curves, names):
        x, y = (curve.columns[side][:0:-1] for side in ("threshold", "cost"))
        pen.ax.plot(x, y, **look, drawstyle="steps-pre")
        for mark in curve.marks:
            pen.dot((mark.threshold, mark.row["cost"]), f"≥ {mark.threshold:.4g}", look["color"])
        pen.enter(look, name, [(str(Text("least", "最低")), curve.summary["best_cost"])])
    pen.ax.set_ylim(0, None)
    pen.legend("best")


_SQUARE, _WIDE = (5.2, 5.3), (6.4, 4.4)
DRAWINGS: dict[str, tuple[Callable[[Pen, Sequence[Curve], Sequence[str]], None], tuple[float, float]]] = {
    "roc": (draw_roc, _SQUARE),
    "pr": (draw_pr, (5.6, 5.3)),
    "det": (draw_det, _SQUARE),
    "calibration": (draw_calibration, _SQUARE),
    "lift": (draw_lift, _WIDE),
    "gain": (draw_gain, _SQUARE),
    "ks": (draw_ks, _WIDE),
    "confusion": (draw_counts, _WIDE),
    "cost": (draw_cost, _WIDE),
}
"How each kind is drawn, and the size of its figure in inches."
