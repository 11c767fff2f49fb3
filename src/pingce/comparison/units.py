"""The values of single queries or groups behind a comparison, as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pingce.base.errors import InputError
from pingce.base.tables import Cell, Table, finite
from pingce.base.text import Text
from pingce.scores.tables import UNIT_TITLES

if TYPE_CHECKING:
    from pingce.comparison.result import Comparison
    from pingce.comparison.results import MeasuredMetric, UnitValues


def measured_units(comparison: Comparison) -> list[tuple[MeasuredMetric, UnitValues]]:
    """The metrics that have values of single queries or groups; where none has, that is refused."""
    pairs = [(measured, measured.units) for measured in comparison.measured.values() if measured.units is not None]
    if not pairs:
        names = Text(", ".join(comparison.metrics), "、".join(comparison.metrics))
        raise InputError(
            f"-q: {names.en} has no values of single queries or groups; ask for a mean over queries, or for gauc with --group",
            f"-q：{names.zh} 没有逐查询或逐组的值；请选用对查询求均值的指标，或与 --group 同用的 gauc",
        )
    return pairs


def unit_data_table(comparison: Comparison) -> Table:
    """For data formats: one row per metric, query (or group) and model, with its difference to the baseline."""
    pairs = measured_units(comparison)
    rows: list[list[Cell]] = []
    for measured, units in pairs:
        values, gaps = _columns(comparison, units)
        for model, column, gap in zip(comparison.models, values, gaps, strict=True):
            apart = [None] * len(gap) if model == comparison.baseline else gap
            rows += [[measured.name, *row] for row in zip(units.ids, [model] * len(gap), column, apart, strict=True)]
    return Table(["metric", pairs[0][1].unit, "model", "value", "difference"], rows)


def unit_reading_table(comparison: Comparison) -> Table:
    """For readers: one row per metric and query (or group), a column per model, then the differences to the baseline."""
    pairs = measured_units(comparison)
    rows: list[list[Cell]] = []
    at = comparison.models.index(comparison.baseline)
    for measured, units in pairs:
        values, gaps = _columns(comparison, units)
        apart = [gap for place, gap in enumerate(gaps) if place != at]
        rows += [[measured.name, *row] for row in zip(units.ids, *values, *apart, strict=True)]
    head = [str(Text("metric", "指标")), str(UNIT_TITLES[pairs[0][1].unit])]
    return Table([*head, *comparison.models, *(f"Δ {model}" for model in comparison.others)], rows)


def _columns(comparison: Comparison, units: UnitValues) -> tuple[list[list[Any]], list[list[Any]]]:
    """The values of each model, and their differences to the baseline; None where undefined."""
    apart = units.columns - units.columns[:, [comparison.models.index(comparison.baseline)]]
    return finite(units.columns.T.tolist()), finite(apart.T.tolist())
