"""Slices: every metric for parts of the data, with intervals, beside the whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pingce.base.json import Json
from pingce.html.plain import both, number, readable

if TYPE_CHECKING:
    from pingce.html.material import Material


def slice_data(material: Material) -> Json | None:
    """A table a column that was sliced by; None where nothing was."""
    sliced = [scores.slices for scores in material.scores.values() if scores.slices is not None and len(scores.slices)]
    if len(sliced) < len(material.scores):
        return None
    first = sliced[0]
    return {
        "unit": first.unit,
        "min_n": first.min_n,
        "n": first.overall.n,
        "confidence": first.confidence,
        "notes": [
            list(pair) for pair in dict.fromkeys(tuple(both(note)) for slices in sliced for note in slices.notes)
        ],
        "tables": [_table(sliced, by, material.metrics) for by in first.names],
        "overall": {name: [_value(slices.overall.values[name]) for slices in sliced] for name in material.metrics},
    }


def _table(sliced: list[Any], by: str, metrics: list[str]) -> Json:
    parts = [slices.by(by) for slices in sliced]
    rows = []
    for at, part in enumerate(parts[0]):
        same = [of_model[at] if at < len(of_model) and of_model[at].name == part.name else None for of_model in parts]
        values = {
            name: [None if part_of_model is None else _value(part_of_model.values[name]) for part_of_model in same]
            for name in metrics
        }
        rows.append({"name": None if part.name is None else readable(part.name), "n": part.n, "values": values})
    return {"by": readable(by), "rows": rows}


def _value(value: Any) -> list[Any]:
    low, high = (None, None) if value.interval is None else (number(float(end)) for end in value.interval)
    return [number(float(value.value)), low, high, value.count]
