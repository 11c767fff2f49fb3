"""A comparison drawn: per metric the difference of each model to the baseline, or the value of each, with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pingce.base.errors import refuse_other
from pingce.base.text import Text
from pingce.curves.values import VALUE, Dot, Panel, direction, number, with_ends

if TYPE_CHECKING:
    from pingce.comparison.result import Comparison

KINDS = ("differences", "values")
_BETTER, _WORSE = 0, 1
"Colours."


def panels(comparison: Comparison, metrics: Sequence[str], kind: str) -> list[Panel]:
    """A panel per metric; of differences a row per model but the baseline, of values one for each."""
    refuse_other("kind", kind, KINDS)
    build = _differences if kind == "differences" else _values
    return [build(comparison, metric) for metric in metrics]


def _differences(comparison: Comparison, metric: str) -> Panel:
    higher = comparison[metric].metric.higher_is_better
    settings, base = comparison.settings, comparison.baseline
    dots = []
    for model in comparison.others:
        gap = comparison.difference(metric, model)
        p = gap.corrected
        chance = "" if p != p else f"  p {'< 0.0001' if p < 1e-4 else f'{p:.4f}'}"  # noqa: PLR0124 - NaN
        worse = higher is not None and (gap.value < 0) == higher and gap.value != 0
        words = f"{'+' if gap.value > 0 else ''}{number(gap.value)}{chance}"
        dots.append(Dot(model, gap.value, gap.interval, words, _WORSE if worse else _BETTER, p <= settings.alpha))
    end, level = direction(higher), f"{100 * settings.confidence:g} %"
    axis = Text(f"difference to {base}, {level} interval{end.en}", f"与 {base} 之差，{level} 区间{end.zh}")
    level_of_p = f"p ≤ {settings.alpha:g}, {settings.correction}"
    legend = (
        (Text(f"significant ({level_of_p})", f"显著（{level_of_p}）"), True),
        (Text("not significant", "不显著"), False),
    )
    return Panel(metric, axis, tuple(dots), zero=True, legend=legend)


def _values(comparison: Comparison, metric: str) -> Panel:
    end, dots = direction(comparison[metric].metric.higher_is_better), []
    for at, model in enumerate(comparison.models):
        value, interval = comparison.value(metric, model), comparison.interval(metric, model)
        dots.append(Dot(model, value, interval, with_ends(value, interval), at))
    level = f"{100 * comparison.settings.confidence:g} %"
    axis = Text(f"{VALUE.en}, {level} interval{end.en}", f"{VALUE.zh}与 {level} 区间{end.zh}")
    return Panel(metric, axis, tuple(dots))
