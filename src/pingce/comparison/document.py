"""A comparison as data: a document of plain values, and tables with English titles."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from pingce import __version__
from pingce.base.errors import InputError
from pingce.base.json import Json
from pingce.base.tables import SCHEMA_VERSION, Cell, Table, finite
from pingce.base.text import Text
from pingce.comparison.slices import is_sliced, slice_note, slice_rows
from pingce.scores.values import ends
from pingce.tasks import TASKS

if TYPE_CHECKING:
    from pingce.comparison.result import Comparison
    from pingce.comparison.results import Difference, MeasuredMetric, UnitValues


def document(comparison: Comparison, *, per_query: bool = False) -> Json:
    """Everything of a comparison, ready for JSON."""
    settings, of_rows = comparison.settings, TASKS[comparison.task].of_rows
    out: Json = {
        "schema_version": SCHEMA_VERSION,
        "pingce_version": __version__,
        "kind": "comparison",
        "task": comparison.task,
        "baseline": comparison.baseline,
        "models": [{"name": model, "letter": comparison.letter(model)} for model in comparison.models],
        "settings": {
            **{
                name: getattr(settings, name)
                for name in ("test", "correction", "confidence", "alpha", "permutations", "seed")
            },
            "bootstrap_draws": settings.cell_draws if of_rows else settings.draws,
        },
        "how": [text._asdict() for text in comparison.how],
        "metrics": [_metric(comparison, metric, per_query=per_query) for metric in comparison.measured.values()],
        "warnings": [text._asdict() for text in comparison.warnings],
    }
    if is_sliced(comparison):
        out["slices"] = {"note": slice_note(comparison)._asdict(), "rows": slice_rows(comparison)}
    if comparison.gaps:
        out["gaps"] = [gap.to_dict() for gap in comparison.gaps.values()]
    if comparison.curves:
        out["curves"] = [
            {name: getattr(curve, name) for name in ("kind", "verdict", "better")}
            | {"models": list(curve.models), "where": list(curve.where), "text": curve.text._asdict()}
            for curve in comparison.curves
        ]
    plain: Json = finite(out)
    return plain


def _ends(interval: tuple[float, float]) -> dict[str, float] | None:
    low, high = interval
    return None if math.isnan(low) or math.isnan(high) else {"low": low, "high": high}


def _metric(comparison: Comparison, metric: MeasuredMetric, *, per_query: bool) -> Json:
    entry: Json = {
        "name": metric.name,
        "id": metric.id,
        "higher_is_better": metric.higher_is_better,
        "unit": metric.unit,
        "models": [_model(comparison, metric, model) for model in comparison.models],
        "pairwise": [_gap(comparison.difference(metric.name, *pair)) for pair in sorted(metric.differences)],
    }
    if per_query and metric.units is not None:
        columns = metric.units.columns.T.tolist()
        entry["per_unit"] = {
            "unit": metric.units.unit,
            "ids": list(metric.units.ids),
            "values": dict(zip(metric.models, columns, strict=True)),
        }
    return entry


def _model(comparison: Comparison, metric: MeasuredMetric, model: str) -> Json:
    at = comparison.models.index(model)
    return {
        "model": model,
        "value": metric.values[at],
        "interval": _ends(metric.intervals[at]),
        "count": metric.counts[at],
        "undefined": metric.undefined[at],
        "best": model in metric.best(),
        "better_than": comparison.beaten(metric.name, model),
        "signature": metric.signatures[at],
        "against_baseline": None if model == comparison.baseline else _gap(comparison.difference(metric.name, model)),
    }


def _gap(gap: Difference) -> Json:
    figures = gap.figures()
    del figures["difference_low"], figures["difference_high"]
    more = {"model": gap.model, "interval": _ends(gap.interval), "test": gap.test._asdict(), "unit": gap.unit}
    return figures | more


def data_table(comparison: Comparison) -> Table:
    """For data formats: English titles, one row per metric and model, flat."""
    rows = []
    for measured in comparison.measured.values():
        best = measured.best()
        for at, model in enumerate(comparison.models):
            row: Json = {"metric": measured.name, "id": measured.id, "model": model, "letter": comparison.letter(model)}
            row |= {"value": measured.values[at]} | ends(measured.intervals[at])
            row |= {"better_than": comparison.letters(measured.name, model), "best": int(model in best)}
            row |= {"count": measured.counts[at], "unit": measured.unit, "undefined": measured.undefined[at]}
            is_other = model != comparison.baseline
            rows.append(row | (comparison.difference(measured.name, model).figures() if is_other else {}))
    return Table.of_rows(finite(rows))


def pair_table(comparison: Comparison) -> Table:
    """For data formats: one row per metric and pair of models, corrected over all of them."""
    rows = [
        {"metric": measured.name, "model": model, **comparison.difference(measured.name, model, against).figures()}
        for measured in comparison.measured.values()
        for model, against in sorted(measured.differences)
    ]
    return Table.of_rows(finite(rows))


def unit_data_table(comparison: Comparison) -> Table:
    """For data formats: one row per metric, query (or group) and model, with its difference to the baseline."""
    pairs = measured_units(comparison)
    rows: list[list[Cell]] = []
    for measured, units in pairs:
        values, gaps = unit_columns(comparison, units)
        for model, column, gap in zip(comparison.models, values, gaps, strict=True):
            apart = [None] * len(gap) if model == comparison.baseline else gap
            rows += [[measured.name, *row] for row in zip(units.ids, [model] * len(gap), column, apart, strict=True)]
    return Table(["metric", pairs[0][1].unit, "model", "value", "difference"], rows)


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


def unit_columns(comparison: Comparison, units: UnitValues) -> tuple[list[list[Any]], list[list[Any]]]:
    """The values of each model, and their differences to the baseline; None where undefined."""
    apart = units.columns - units.columns[:, [comparison.models.index(comparison.baseline)]]
    return finite(units.columns.T.tolist()), finite(apart.T.tolist())
