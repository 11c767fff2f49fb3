"""Values and differences as dots with their intervals: which stand on one axis, and the way to a figure."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from pingce.base.errors import InputError
from pingce.base.interval import NO_INTERVAL, Interval
from pingce.base.records import dataclass
from pingce.base.text import Language, Text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_SHARES = ("0 … 1", "1e-5 … 1")
"Ranges of metrics that stand on one axis."
_WHOLE = 100
"From here on a whole number has no decimals: it was counted."
VALUE = Text("value", "数值")
_BETTER = {True: Text("higher is better", "越大越好"), False: Text("lower is better", "越小越好")}


class Measured(Protocol):
    """A value as scores have it."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def value(self) -> float:
        """The number."""

    @property
    def metric(self) -> Any:
        """What was measured."""

    @property
    def interval(self) -> Interval | None:
        """Between which ends it lies."""


@dataclass(frozen=True)
class Dot:
    """One row of a panel: its name, a value and its interval, and the words beside it."""

    name: str
    value: float
    interval: Interval = NO_INTERVAL
    words: str = ""
    colour: int = 0
    filled: bool = True
    "A hollow one is not significant."


@dataclass(frozen=True)
class Panel:
    """Dots on one axis."""

    title: str
    axis: Text
    dots: tuple[Dot, ...]
    ends: Interval | None = None
    "The ends of the axis, where they are known."
    zero: bool = False
    "Whether 0 is marked: of differences."
    legend: tuple[tuple[Text, bool], ...] = ()
    "What filled and hollow dots mean."


def direction(higher: bool | None) -> Text:
    """Words after the name of an axis that say which end is good."""
    words = None if higher is None else _BETTER[higher]
    return Text("", "") if words is None else Text(f", {words.en}", f"，{words.zh}")


def number(value: float) -> str:
    """A value as it is read beside its dot."""
    if not math.isfinite(value):
        return "–" if math.isnan(value) else "∞"
    size = abs(value)
    whole = size >= _WHOLE and value == int(value)
    words = f"{size:,.0f}" if whole else f"{size:.4f}" if 1e-3 <= size < 1e5 or not size else f"{size:.4g}"
    return f"−{words}" if value < 0 else words


def with_ends(value: float, interval: Interval) -> str:
    """A value, and its interval where it has one."""
    if math.isnan(interval[0]):
        return number(value)
    return f"{number(value)} [{number(interval[0])}, {number(interval[1])}]"


def plot_values(
    values: Mapping[str, Measured],
    confidence: float | None,
    *,
    ax: Axes | None = None,
    path: str | os.PathLike[str] | None = None,
    language: Language | None = None,
) -> Figure:
    """The values of one model: those between 0 and 1 on one axis, each of the others on its own."""
    return plot_panels(_panels(values.values(), confidence), ax=ax, path=path, language=language)


def _panels(values: Iterable[Measured], confidence: float | None) -> list[Panel]:
    every = list(values)
    shares = [value for value in every if value.metric.about.range in _SHARES]
    others = [value for value in every if value not in shares]
    axis = VALUE
    if confidence is not None:
        level = f"{100 * confidence:g} %"
        axis = Text(f"value, {level} interval", f"数值与 {level} 区间")
    panels = [Panel("", axis, tuple(map(_dot, shares)), (0.0, 1.0))] if shares else []
    for value in others:
        end = direction(value.metric.higher_is_better)
        panels.append(Panel("", Text(f"{axis.en}{end.en}", f"{axis.zh}{end.zh}"), (_dot(value),)))
    return panels


def _dot(value: Measured) -> Dot:
    interval = value.interval or NO_INTERVAL
    return Dot(value.name, value.value, interval, with_ends(value.value, interval))


def plot_panels(
    panels: Sequence[Panel],
    *,
    ax: Axes | None = None,
    path: str | os.PathLike[str] | None = None,
    language: Language | None = None,
) -> Figure:
    """Panels below each other in a new figure; a single one into `ax`, where that is given."""
    from pingce.curves.plot import draw

    if not panels:
        raise InputError(
            "there is nothing to draw; name a metric that was computed", "没有可画的内容；请指明已计算的指标"
        )
    if ax is not None and len(panels) > 1:
        raise InputError(
            f"ax= has room for one axis, but these metrics need {len(panels)}; name fewer, e.g. plot('{panels[-1].dots[0].name}', ax=ax), or leave "
            "ax out",
            f"ax= 只能容纳一个坐标轴，而这些指标需要 {len(panels)} 个；请指明较少的指标，例如 plot('{panels[-1].dots[0].name}', ax=ax)，或不给 ax",
        )
    return draw(path, ax, lambda drawing: drawing.figure_of_panels(panels, ax, language))
