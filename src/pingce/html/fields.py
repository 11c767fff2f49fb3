"""Calibration by part: each value of a field as a point, the worst of them as a table, and a reliability chart per slice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.base.json import Json
from pingce.base.text import Text
from pingce.curves.binary import calibration
from pingce.evidence.binary.evidence import BinaryEvidence
from pingce.html.markup import (
    cell,
    head,
    model_name,
    model_names,
    name_of,
    num,
    row,
    sentences,
    table,
    text,
    title_cell,
)
from pingce.html.plain import both, number, numbers, readable
from pingce.html.words import NAMES, WORDS

if TYPE_CHECKING:
    from pingce.html.material import Material
    from pingce.inputs.slices import Partition
    from pingce.scores.binary import BinaryScores

MOST_FIELDS = 300
"Points of a chart: the fields with most rows."
WORST = 10
MOST_PARTS = 12
"Reliability charts per column: the slices with most rows."
_WORST_COLUMNS = ("rows", "positives", "predicted", "pcoc", "error", "rows_times_error")
_WORST_HEADS = (
    Text("rows", "行数"),
    Text("positives", "正例"),
    Text("Σ p", "Σ p"),
    Text("PCOC", "PCOC"),
    Text("error", "误差"),
    Text("rows × error", "行数 × 误差"),
)


def field_data(material: Material) -> Json | None:
    """Fields of the metrics that look at them, and slices; None where there are neither, or scores are no probabilities."""
    scores: Mapping[str, BinaryScores] = material.scores  # type: ignore[assignment]
    if not all(model.evidence.rows.are_probabilities for model in scores.values()):
        return None
    metrics = [value.metric for value in material.first.values_by_name.values()]
    columns = [_column(scores, by) for by in dict.fromkeys(each.by for each in metrics if each.needs == "fields")]
    slices = [_sliced(scores, at) for at in range(len(material.first.evidence.rows.by))]
    return {"columns": columns, "slices": slices} if columns or slices else None


def _column(scores: Mapping[str, BinaryScores], by: str) -> Json:
    fields = [model.evidence.fields(by) for model in scores.values()]
    most = max(map(len, fields))
    note = Text(
        f"{by or 'group'}: the chart shows the {MOST_FIELDS} values with most rows of {most:,}",
        f"{by or '分组'}：图中为 {most:,} 个取值中行数最多的 {MOST_FIELDS} 个",
    )
    return {
        "title": both(by) if by else both(WORDS["group"]),
        "all": most,
        "note": both(note) if most > MOST_FIELDS else None,
        "models": [
            {"points": _points(counts), "worst": _worst(model, by)}
            for model, counts in zip(scores.values(), fields, strict=True)
        ],
    }


def _points(fields: Any) -> list[list[Any]]:
    """Mean prediction, observed rate, rows and name of the largest fields."""
    places = np.sort(np.argsort(-fields.rows, kind="stable")[:MOST_FIELDS])
    columns = (fields.predicted / fields.rows, fields.positives / fields.rows, fields.rows)
    return [
        [*values, readable(name)]
        for *values, name in zip(*(numbers(column[places]) for column in columns), fields.names(places), strict=True)
    ]


def _worst(model: BinaryScores, by: str) -> list[list[Any]]:
    rows = model.fields(by).slice(0, WORST).to_pylist()
    return [[readable(line["field"]), *(number(line[name]) for name in _WORST_COLUMNS)] for line in rows]


def _sliced(scores: Mapping[str, BinaryScores], at: int) -> Json:
    """The reliability of each of the largest slices, in their order, a curve per model."""
    models = list(scores.values())
    partitions = [model.evidence.rows.by[at] for model in models]
    parts = [{name: places for name, _, places in partition.parts()} for partition in partitions]
    largest = sorted(parts[0], key=lambda name: -len(parts[0][name]))[:MOST_PARTS]
    names = [name for name in parts[0] if name in largest]
    curves = {
        name: [_reliability(model, of_model.get(name)) for model, of_model in zip(models, parts, strict=True)]
        for name in names
    }
    return {
        "by": readable(partitions[0].by),
        "note": _left_out(partitions[0], len(parts[0])),
        "parts": [
            {"name": None if name is None else readable(name), "models": of_models}
            for name, of_models in curves.items()
            if any(curve is not None for curve in of_models)
        ],
    }


def _left_out(partition: Partition, count: int) -> list[str] | None:
    if count <= MOST_PARTS:
        return None
    return both(
        Text(
            f"{partition.by}: the {MOST_PARTS} slices with most rows of {count:,}",
            f"{partition.by}：{count:,} 个切片中行数最多的 {MOST_PARTS} 个",
        )
    )


def _reliability(model: BinaryScores, places: Any) -> Json | None:
    """What was predicted and what happened in the bins of a slice; None where no row of it counts."""
    rows = model.evidence.rows
    if places is None or not len(places) or (rows.weight is not None and not rows.weight[places].any()):
        return None
    curve = calibration(BinaryEvidence(rows.select(places), ()))
    columns = {name: numbers(curve.columns[name]) for name in ("rows", "mean_predicted", "observed")}
    count = sum(columns["rows"])
    means = [_mean(columns, name, count) for name in ("mean_predicted", "observed")]
    return {"columns": columns, "rows": count, "means": means, "ece": number(curve.summary["ece"])}


def _mean(columns: Mapping[str, Sequence[float]], name: str, count: float) -> float:
    return sum(value * rows for value, rows in zip(columns[name], columns["rows"], strict=True)) / count


def draw_fields(data: Json) -> str:
    """The worst fields of each model, then a row per slice and model."""
    section, models = data["fields"], data["models"]
    worst = (
        _worst_table(f"worst-{at}-{place}", column, model["worst"], model_name(models[place], place))
        for at, column in enumerate(section["columns"])
        for place, model in enumerate(column["models"])
    )
    notes = [each["note"] for each in (*section["columns"], *section["slices"]) if each["note"]]
    slices = (_slice_table(f"reliability-{at}", data, each) for at, each in enumerate(section["slices"]))
    return "".join(worst) + "".join(slices) + sentences(notes)


def _worst_table(key: str, column: Json, lines: Sequence[Sequence[Any]], model: str) -> str:
    titles = [text(column["title"]), *map(text, _WORST_HEADS)]
    rows = (row(title_cell(name_of(name)), *map(num, values)) for name, *values in lines)
    words = Text("values that add most error, rows × |Σ (y − p)| / Σ y", "误差贡献最大的取值：行数 × |Σ (y − p)| / Σ y")
    return table(key, titles, rows, caption=f"{model} {text(words)}")


def _slice_table(key: str, data: Json, sliced: Json) -> str:
    by = text(NAMES[sliced["by"]]) if sliced["by"] in NAMES else name_of(sliced["by"])
    titles = [by, head("model"), head("rows"), head("predicted_mean"), head("observed"), "ECE"]
    rows = (
        row(
            title_cell(text(WORDS["none"]) if part["name"] is None else name_of(part["name"])),
            cell(model),
            *map(num, (curve["rows"], *curve["means"], curve["ece"])),
        )
        for part in sliced["parts"]
        for model, curve in zip(model_names(data), part["models"], strict=True)
        if curve is not None
    )
    return table(key, titles, rows, labels=2)
