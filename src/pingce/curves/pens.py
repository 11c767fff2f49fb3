"""Lines, dots, words and legends: restrained, in colours that everybody can tell apart, readable in grey."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import cycle
from typing import TYPE_CHECKING, Any, TypeAlias

from matplotlib.lines import Line2D
from matplotlib.patheffects import withStroke

from pingce.base.text import Text
from pingce.curves.lettering import Lettering

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from pingce.curves.base import Curve

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
"Okabe and Ito's, which people with any colour vision can tell apart."
STYLES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1.2, 1.2)), (0, (5, 1.5, 1.2, 1.5)))
GREY, PALE, INK = "#8c8c8c", "#d9d9d9", "#262626"
SMALL, NORMAL = 8, 9.5
Look: TypeAlias = dict[str, Any]
"Settings of Matplotlib, by name."


def figure(value: float) -> str:
    """A number for a legend; what is not quite 1 does not read as 1."""
    if math.isnan(value):
        return "–"
    return "> 0.9999" if 0.99995 <= value < 1 else f"{value:.4f}"


class Pen:
    """Draws on one pair of axes."""

    def __init__(self, ax: Axes, say: Lettering) -> None:
        self.ax = ax
        self.say = say
        self.entries: list[tuple[Line2D, str]] = []

    def frame(self, title: Text, x: Text, y: Text, *, square: bool = False) -> None:
        """Axes with names, a light grid, no box."""
        ax, style = self.ax, self.say.style
        words = self.say(title)
        ax.set_title(words[:1].upper() + words[1:], fontsize=11, color=INK, loc="left", **style)
        ax.set_xlabel(self.say(x), fontsize=NORMAL, color=INK, **style)
        ax.set_ylabel(self.say(y), fontsize=NORMAL, color=INK, **style)
        ax.tick_params(labelsize=SMALL, colors=INK, labelfontfamily=list(self.say.families))
        ax.grid(True, color=PALE, linewidth=0.5)
        ax.set_axisbelow(True)
        for side, spine in ax.spines.items():
            spine.set_visible(side in ("left", "bottom"))
            spine.set_color(GREY)
        if square:
            ax.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01), aspect="equal")

    def lines(self, curves: Sequence[Curve], names: Sequence[str]) -> Iterator[tuple[Curve, Look, str]]:
        """Each curve with its colour and its dashes, and its name."""
        for curve, colour, dashes, name in zip(curves, cycle(COLOURS), cycle(STYLES), names, strict=False):
            yield curve, {"color": colour, "linestyle": dashes, "linewidth": 1.6}, name

    def plain_lines(
        self, curves: Sequence[Curve], names: Sequence[str], columns: tuple[str, str], entry: tuple[str, str]
    ) -> None:
        """A line of two columns per curve, its marks, and its figure in the legend: a title, and a name of the summary."""
        for curve, look, name in self.lines(curves, names):
            self.ax.plot(*(curve.columns[side] for side in columns), **look)
            self.marks(curve, *columns, look)
            self.enter(look, name, [(entry[0], curve.summary[entry[1]])])

    def reference(self, x: Any, y: Any, label: Text | None = None, **look: Any) -> None:
        """A thin line to compare with."""
        settings: Look = {"color": GREY, "linewidth": 0.9, "linestyle": (0, (4, 3)), "zorder": 1.5} | look
        (line,) = self.ax.plot(x, y, **settings)
        if label is not None:
            self.entries.append((line, self.say(label)))

    def enter(self, look: Look, name: str, figures: Sequence[tuple[str, float]] = ()) -> None:
        """A model of the legend, with its figures."""
        words = ", ".join(f"{title} {figure(value)}" for title, value in figures)
        brackets = Text(f" ({words})", f"（{words}）")
        self.entries.append((Line2D([], [], **look), name + (self.say(brackets) if words else "")))

    def marks(self, curve: Curve, x: str, y: str, look: Look) -> None:
        """A dot at each threshold that the caller gave."""
        for mark in curve.marks:
            if not mark.largest and not math.isnan(mark.row[x] + mark.row[y]):
                self.dot((mark.row[x], mark.row[y]), mark.label, look["color"])

    def dot(self, at: tuple[float, float], label: str, colour: str, marker: str = "o") -> None:
        """A point with words beside it."""
        self.ax.plot(
            *at, marker=marker, color=colour, markersize=6, markeredgecolor="white", markeredgewidth=0.9, zorder=4
        )
        self.words(at, label, colour)

    def words(self, at: tuple[float, float], label: str, colour: str = INK, **settings: Any) -> None:
        """Words beside a point, legible on lines."""
        placing: Look = {"xytext": (6, -10), "textcoords": "offset points", "fontsize": SMALL} | settings
        halo = [withStroke(linewidth=2.2, foreground="white")]
        self.ax.annotate(label, at, color=colour, zorder=5, path_effects=halo, **placing, **self.say.style)

    def legend(self, place: str, figure: Figure | None = None) -> None:
        """All entries, in the axes or below them in the figure; names are set after the legend was made, which gives some of them a meaning."""
        if not self.entries:
            return
        handles, names = zip(*self.entries, strict=True)
        look: Look = {"loc": place, "framealpha": 0.9, "edgecolor": PALE, "fancybox": False}
        if figure is not None:
            look |= {"ncols": len(handles), "frameon": False}
        legend = (figure or self.ax).legend(handles, ["-"] * len(handles), **look)
        for text, name in zip(legend.get_texts(), names, strict=True):
            text.set(text=name, fontsize=SMALL, color=INK, **self.say.style)
