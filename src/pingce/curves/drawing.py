"""Curves drawn: what every figure has in common, and which kind is drawn how. No pyplot, no global settings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from pingce.base.errors import InputError
from pingce.base.text import Language, Text
from pingce.curves.base import Curve, told_apart
from pingce.curves.dots import draw_panel, height
from pingce.curves.kinds import DRAWINGS
from pingce.curves.lettering import Lettering
from pingce.curves.matrix import ConfusionMatrix
from pingce.curves.pens import INK, NORMAL, SMALL, Pen
from pingce.curves.plot import picture
from pingce.curves.values import Panel
from pingce.evidence.binary.thresholds import Cells

POINTS = 2000
"Drawing of a curve at most: more than a figure has dots."
_MOST_CLASSES = 100
_MOST_NUMBERED = 20
"Classes of a matrix whose cells have room for numbers."
_MOST_DECISIONS = 12
_COLOURS = "Blues"
_PANEL_WIDTH = 7.2
_SHARES = {
    "true": Text("share of the true class", "占真实类别的比例"),
    "predicted": Text("share of the predicted class", "占预测类别的比例"),
    "all": Text("share of all rows", "占全部行的比例"),
}


class Picture(Figure):
    """A figure that a notebook shows by itself."""

    def _repr_png_(self) -> bytes:
        return picture(self, "png")


def _new_figure(width: float, height: float) -> Figure:
    """An empty figure on white."""
    return Picture(figsize=(width, height), layout="constrained", facecolor="white")


def figure_of(curves: Sequence[Curve], ax: Axes | None, language: Language | None) -> Figure:
    """All curves in one figure."""
    say = Lettering.chosen(language)
    if curves[0].kind == "confusion" and all(curve.marks for curve in curves):
        return _draw_decisions(curves, ax, say)
    draw, size = getattr(curves[0], "drawing", None) or DRAWINGS[curves[0].kind]
    ax = _new_figure(*size).add_subplot() if ax is None else ax
    names = [say.name(name) for name in told_apart([curve.model for curve in curves])]
    draw(Pen(ax, say), [curve.thin(POINTS) for curve in curves], names)
    return _figure_around(ax)


def figure_of_panels(panels: Sequence[Panel], ax: Axes | None, language: Language | None) -> Figure:
    """Panels of dots, one below the other; a legend below the last, where dots mean something."""
    say = Lettering.chosen(language)
    if ax is not None:
        pen = Pen(ax, say)
        draw_panel(pen, panels[0])
        pen.legend("best")
        return _figure_around(ax)
    heights = [height(panel) for panel in panels]
    figure = _new_figure(_PANEL_WIDTH, sum(heights) + (0.3 if panels[-1].legend else 0))
    grid = figure.add_gridspec(len(panels), 1, height_ratios=heights)
    pens = [Pen(figure.add_subplot(grid[at]), say) for at in range(len(panels))]
    for pen, panel in zip(pens, panels, strict=True):
        draw_panel(pen, panel)
    pens[-1].legend("outside lower left", figure)
    return figure


def figure_of_matrix(matrix: ConfusionMatrix, by: str, ax: Axes | None, language: Language | None) -> Figure:
    """A heat map."""
    say = Lettering.chosen(language)
    if ax is None:
        side = min(4.6 + 0.32 * len(matrix), 14)
        ax = _new_figure(side, side * 0.88).add_subplot()
    _draw_matrix(ax, matrix, by, say)
    return _figure_around(ax)


def _figure_around(ax: Axes) -> Figure:
    """The whole figure that axes belong to, also where they lie in a part of one."""
    figure = ax.figure
    while not isinstance(figure, Figure):
        figure = figure.figure
    return figure


def _draw_matrix(ax: Axes, matrix: ConfusionMatrix, by: str, say: Lettering) -> None:
    """Darker cells hold a larger share; counts and shares stand in them."""
    size = len(matrix)
    if size > _MOST_CLASSES:
        raise InputError(
            f"{size} classes do not fit into a heat map; choose at most {_MOST_CLASSES} of them",
            f"{size} 个类别画不进一张热图；请至多选 {_MOST_CLASSES} 个",
        )
    shares = matrix.normalized(by)
    ax.pcolormesh(np.nan_to_num(shares), cmap=mpl.colormaps[_COLOURS], vmin=0, vmax=1, edgecolor="white", linewidth=0.6)
    ax.set(xlim=(0, size), ylim=(size, 0), aspect="equal")
    _name_axes(ax, matrix, say)
    if size <= _MOST_NUMBERED:
        _write_cells(ax, matrix, shares, say)
    subtitle = say(Text(", ", "，")).join(part for part in (say.name(matrix.decision), say(_SHARES[by])) if part)
    ax.set_title(f"{say.name(matrix.model)}\n{subtitle}", fontsize=NORMAL, color=INK, loc="left", **say.style)


def _name_axes(ax: Axes, matrix: ConfusionMatrix, say: Lettering) -> None:
    other = Text("other", "其他")
    labels = [say(other) if label is None else say.name(label, 16) for label in matrix.labels]
    middle = np.arange(len(labels)) + 0.5
    turned = 90 if max(map(len, labels)) > 5 and len(labels) > 4 else 0
    ax.set_xticks(middle, labels=labels, rotation=turned, fontsize=SMALL, color=INK, **say.style)
    ax.set_yticks(middle, labels=labels, fontsize=SMALL, color=INK, **say.style)
    ax.set_xlabel(say(Text("Predicted class", "预测类别")), fontsize=NORMAL, color=INK, **say.style)
    ax.set_ylabel(say(Text("True class", "真实类别")), fontsize=NORMAL, color=INK, **say.style)
    ax.tick_params(length=0)
    for spine in ax.spines.values():
        spine.set_visible(False)


def _write_cells(ax: Axes, matrix: ConfusionMatrix, shares: Any, say: Lettering) -> None:
    small = len(matrix) > 8
    for (i, j), count in np.ndenumerate(matrix.counts):
        number = f"{count:,}" if matrix.counts.dtype.kind in "iu" else f"{count:.6g}"
        share = shares[i, j]
        percent = "–" if np.isnan(share) else f"{100 * share:.1f} %"
        colour = "white" if share > 0.55 else INK
        words = number if small else f"{number}\n{percent}"
        size = 6.5 if small else NORMAL
        ax.text(j + 0.5, i + 0.5, words, ha="center", va="center", color=colour, fontsize=size, **say.style)


def _draw_decisions(curves: Sequence[Curve], ax: Axes | None, say: Lettering) -> Figure:
    """A heat map a model and threshold."""
    names = told_apart([curve.model for curve in curves])
    matrices = [_matrix(curve, name, at) for curve, name in zip(curves, names, strict=True) for at in range(len(curve))]
    most = 1 if ax is not None else _MOST_DECISIONS
    if len(matrices) > most:
        raise InputError(
            f"{len(matrices)} matrices (one a model and threshold) do not fit here; at most {most}",
            f"共 {len(matrices)} 个矩阵（每个模型、每个阈值一个），这里最多画 {most} 个",
        )
    if ax is not None:
        _draw_matrix(ax, matrices[0], "true", say)
        return _figure_around(ax)
    across = min(len(matrices), 3)
    down = -(-len(matrices) // across)
    figure = _new_figure(4.2 * across, 4.0 * down)
    for i, matrix in enumerate(matrices):
        _draw_matrix(figure.add_subplot(down, across, i + 1), matrix, "true", say)
    return figure


def _matrix(curve: Curve, name: str, at: int) -> ConfusionMatrix:
    cells, mark = Cells(**{cell: curve.columns[cell][at].item() for cell in ("tp", "fp", "tn", "fn")}), curve.marks[at]
    return ConfusionMatrix.of_cells(
        cells, curve.labels, name, mark.label if mark.compare == "gt" else f"≥ {mark.label}"
    )
