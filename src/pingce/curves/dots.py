"""Panels of dots with interval bars, drawn."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from matplotlib.lines import Line2D

from pingce.base.text import Text
from pingce.curves.pens import COLOURS, GREY, INK, NORMAL, SMALL, Look, Pen

if TYPE_CHECKING:
    from pingce.curves.values import Dot, Panel

ROW, AROUND = 0.36, 0.85
"Inches that a row takes, and the axis with its title."
_LONGEST = 120
"Letters of the name of an axis, which may hold that of a model."
_MARGIN = 0.06
"Of the axis, beyond the outermost ends."


def height(panel: Panel) -> float:
    """Inches that a panel takes."""
    return AROUND + ROW * len(panel.dots)


def draw_panel(pen: Pen, panel: Panel) -> None:
    """A row per dot, the first at the top: its bar, itself, and its number at the right."""
    ax, say = pen.ax, pen.say
    axis = Text(*(say.name(words, _LONGEST) for words in panel.axis))
    pen.frame(Text("", ""), axis, Text("", ""))
    ax.set_title(say.name(panel.title), fontsize=NORMAL, color=INK, loc="left", **say.style)
    for row, dot in enumerate(panel.dots):
        _draw_dot(pen, dot, row)
        place: Look = {"xycoords": ("axes fraction", "data"), "textcoords": "offset points", "xytext": (6, 0)}
        ax.annotate(
            dot.words, (1.0, row), va="center", fontsize=SMALL, color=INK, annotation_clip=False, **place, **say.style
        )
    names = [say.name(dot.name) for dot in panel.dots]
    ax.set_yticks(range(len(names)), labels=names, fontsize=SMALL, color=INK, **say.style)
    ax.tick_params(axis="y", length=0)
    ax.set_ylim(len(names) - 0.4, -0.6)
    ax.grid(False, axis="y")
    ax.spines["left"].set_visible(False)
    ax.set_xlim(*_ends(panel))
    if panel.zero:
        ax.axvline(0, color=GREY, linewidth=0.9, zorder=1.5)
    for words, filled in panel.legend:
        pen.entries.append((Line2D([], [], linestyle="", **_marker(COLOURS[0], filled=filled)), say(words)))


def _draw_dot(pen: Pen, dot: Dot, row: int) -> None:
    colour = COLOURS[dot.colour % len(COLOURS)]
    low, high = dot.interval
    if not math.isnan(low):
        pen.ax.plot([low, high], [row, row], color=colour, linewidth=1.6, solid_capstyle="butt", zorder=3)
        pen.ax.plot([low, high], [row, row], linestyle="", marker="|", color=colour, markersize=7, zorder=3)
    if not math.isnan(dot.value):
        pen.ax.plot(dot.value, row, **_marker(colour, filled=dot.filled))


def _marker(colour: str, *, filled: bool) -> Look:
    inside = colour if filled else "white"
    return {
        "marker": "o",
        "markersize": 6,
        "color": colour,
        "markerfacecolor": inside,
        "markeredgewidth": 1.4,
        "zorder": 4,
    }


def _ends(panel: Panel) -> tuple[float, float]:
    """The ends of the axis: those that are known, else a little beyond the outermost dot or bar."""
    if panel.ends is not None:
        width = panel.ends[1] - panel.ends[0]
        return panel.ends[0] - 0.01 * width, panel.ends[1] + 0.01 * width
    every = [end for dot in panel.dots for end in (dot.value, *dot.interval)] + ([0.0] if panel.zero else [])
    defined = [end for end in every if math.isfinite(end)] or [0.0]
    low, high = min(defined), max(defined)
    room = (high - low) * _MARGIN or abs(high) * _MARGIN or 1.0
    return low - room, high + room
