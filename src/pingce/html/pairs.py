"""Models beside each other, pair by pair, and their values for parts of the data."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from pingce.base.json import Json
from pingce.base.text import Text
from pingce.html.material import Material
from pingce.html.plain import both, each_once, entries, number, readable
from pingce.inputs.times import time_slicing

MOST_MODELS = 10
"Beyond, only pairs with the baseline are shown: all pairs grow with the square of the models."
_PAIR = (
    *("value", "relative", "interval", "p", "test", "pairs", "left_out"),
    *("wins", "ties", "losses", "effect", "detectable"),
)


def pair_data(material: Material) -> Json | None:
    """By metric: each pair once, not yet corrected; corrections are made over the pairs that are shown."""
    comparison: Any = material.comparison
    if comparison is None:
        return None
    return {
        "correction": comparison.settings.correction,
        "alpha": comparison.settings.alpha,
        "baseline": material.baseline,
        "only_baseline": len(material.models) > MOST_MODELS,
        "note": both(_left_out(material)) if len(material.models) > MOST_MODELS else None,
        "metrics": [_metric(material, name) for name in material.metrics],
    }


def _left_out(material: Material) -> Text:
    models, baseline = len(material.models), material.models[material.baseline]
    return Text(
        f"Of {models} models only the pairs with the baseline {baseline} are shown, and p is corrected over these; "
        "pingce.compare has all pairs, and another baseline= shows others.",
        f"共 {models} 个模型，仅列出与基线 {baseline} 的配对，p 也只对这些配对校正；全部配对见 pingce.compare，换用其他 baseline= 可查看其他配对。",
    )


def _metric(material: Material, name: str) -> Json:
    """The pairs of one metric, each with the places of the later and the earlier model."""
    measured, models = material.comparison[name], material.models  # type: ignore[index]
    places = [
        [later, earlier]
        for earlier, later in combinations(range(len(models)), 2)
        if len(models) <= MOST_MODELS or material.baseline in (earlier, later)
    ]
    pairs = [
        {"pair": pair, **entries(measured.difference(*(models[place] for place in pair)), *_PAIR)} for pair in places
    ]
    return {"name": name, "pairs": pairs, "notes": [both(note) for note in measured.notes]}


def slice_data(material: Material) -> Json | None:
    """A table per column that was sliced by; None where nothing was."""
    sliced = [scores.slices for scores in material.scores.values() if scores.slices is not None and len(scores.slices)]
    if len(sliced) < len(material.scores):
        return None
    first = sliced[0]
    return {
        "unit": first.unit,
        "min_n": first.min_n,
        "n": first.overall.n,
        "confidence": first.confidence,
        "notes": each_once(note for slices in sliced for note in slices.notes),
        "tables": [_table(sliced, by, material.measured) | _over_time(material, by) for by in first.names],
        "overall": {name: [_value(slices.overall.values[name]) for slices in sliced] for name in material.measured},
    }


def _table(sliced: list[Any], by: str, metrics: list[str]) -> Json:
    parts = [slices.by(by) for slices in sliced]
    rows = []
    by_name = [{part.name: part for part in of_model} for of_model in parts]
    for part in parts[0]:
        same = [of_model.get(part.name) for of_model in by_name]
        values = {name: [None if each is None else _value(each.values[name]) for each in same] for name in metrics}
        rows.append({"name": None if part.name is None else readable(part.name), "n": part.n, "values": values})
    return {"by": readable(by), "rows": rows}


def _over_time(material: Material, by: str) -> Json:
    """Of slices of time, the metrics whose course is drawn: those that the task names, or the first."""
    if time_slicing(by) is None:
        return {}
    return {"times": [name for name in material.page.over_time if name in material.measured] or material.measured[:1]}


def _value(value: Any) -> list[Any]:
    low, high = (None, None) if value.interval is None else (number(float(end)) for end in value.interval)
    return [number(float(value.value)), low, high, value.count]
