"""Slices: every metric for parts of the data, with intervals, beside the whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pingce.html.plain import both, number, readable

if TYPE_CHECKING:
    from pingce.html.material import Material


def slice_data(material: Material) -> dict[str, Any] | None:
    """A table a column that was sliced by; None where nothing was."""
    found = [one.slices for one in material.scores.values() if one.slices is not None and len(one.slices)]
    if len(found) < len(material.scores):
        return None
    first = found[0]
    return {
        "unit": first.unit,
        "min_n": first.min_n,
        "n": first.overall.n,
        "confidence": first.confidence,
        "notes": [list(pair) for pair in dict.fromkeys(tuple(both(note)) for one in found for note in one.notes)],
        "tables": [_table(found, by, material.metrics) for by in first.names],
        "overall": {name: [_value(one.overall.values[name]) for one in found] for name in material.metrics},
    }


def _table(found: list[Any], by: str, metrics: list[str]) -> dict[str, Any]:
    parts = [one.by(by) for one in found]
    rows = []
    for at, part in enumerate(parts[0]):
        same = [own[at] if at < len(own) and own[at].name == part.name else None for own in parts]
        values = {name: [None if one is None else _value(one.values[name]) for one in same] for name in metrics}
        rows.append({"name": None if part.name is None else readable(part.name), "n": part.n, "values": values})
    return {"by": readable(by), "rows": rows}


def _value(one: Any) -> list[Any]:
    low, high = (None, None) if one.interval is None else (number(float(end)) for end in one.interval)
    return [number(float(one.value)), low, high, one.count]
