"""Curves drawn: what every figure has in common, and which kind is drawn how. No pyplot, no global settings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from matplotlib.figure import Figure

from pingce.base.text import Language
from pingce.curves.base import Curve, told_apart
from pingce.curves.heat import draw_decisions, draw_matrix, figure_around
from pingce.curves.kinds import DRAWINGS
from pingce.curves.lettering import Lettering
from pingce.curves.matrix import ConfusionMatrix
from pingce.curves.pens import Pen

if TYPE_CHECKING:
    from matplotlib.axes import Axes


POINTS = 2000
"Drawing of a curve at most: more than a figure has dots."


class Picture(Figure):
    """A figure that a notebook shows by itself."""

    def _repr_png_(self) -> bytes:
        from pingce.curves.plot import picture

        return picture(self, "png")


def new_figure(width: float, height: float) -> Figure:
    """An empty figure on white."""
    return Picture(figsize=(width, height), layout="constrained", facecolor="white")


def figure_of(curves: Sequence[Curve], ax: Axes | None, language: Language | None) -> Figure:
    """All curves in one figure."""
    say = Lettering.chosen(language)
    if curves[0].kind == "confusion" and all(curve.marks for curve in curves):
        return draw_decisions(curves, ax, say, new_figure)
    drawing = DRAWINGS[curves[0].kind]
    if ax is None:
        ax = new_figure(*drawing.size).add_subplot()
    names = [say.name(name) for name in told_apart([curve.model for curve in curves])]
    pen = Pen(ax, say)
    drawing.draw(pen, [curve.thin(POINTS) for curve in curves], names)
    return figure_around(ax)


def figure_of_matrix(matrix: ConfusionMatrix, by: str, ax: Axes | None, language: Language | None) -> Figure:
    """A heat map."""
    say = Lettering.chosen(language)
    if ax is None:
        side = min(4.6 + 0.32 * len(matrix), 14)
        ax = new_figure(side, side * 0.88).add_subplot()
    draw_matrix(ax, matrix, by, say)
    return figure_around(ax)
