"""Gaps between groups: the groups of each gap under every model, how models differ on them, and which groups differ."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pingce.base.json import Json
from pingce.base.text import Text
from pingce.comparison.gap_results import ComparedGap
from pingce.html.markup import (
    cell,
    decimal,
    head,
    model_names,
    name_of,
    num,
    probability,
    row,
    sentences,
    signed,
    table,
    tag,
    text,
    title_cell,
)
from pingce.html.material import Material
from pingce.html.plain import both, ends, number, readable
from pingce.scores.gaps import GapReading, GroupPair
from pingce.stats.paired import CORRECTIONS


def gap_data(material: Material) -> Json | None:
    """A table per gap; None where none was asked for."""
    gaps = [_gap(material, name) for name in material.first.gaps]
    return {"tables": gaps} if gaps else None


def _gap(material: Material, name: str) -> Json:
    readings: dict[str, GapReading] = {model: scores.gaps[name] for model, scores in material.scores.items()}
    first, comparison = material.first.gaps[name], material.comparison
    compared = None if comparison is None else comparison.gaps.get(name)
    return {
        "name": readable(name),
        "by": readable(first.by),
        "unit": first.unit,
        "correction": both(CORRECTIONS[first.correction]),
        "rows": [
            _row(readings, metric, group, compared)
            for metric in first.groups
            for group in dict.fromkeys(each.name for reading in readings.values() for each in reading.groups[metric])
        ],
        "pairs": [_pair(pair) for pair in first.pairs] if len(readings) == 1 else [],
    }


def _row(readings: Mapping[str, GapReading], metric: str, group: str, compared: ComparedGap | None) -> Json:
    """One group; where a group does not count for a model, that has no value."""
    values = {
        model: next((each for each in reading.groups[metric] if each.name == group), None)
        for model, reading in readings.items()
    }
    groups = () if compared is None else compared.groups
    apart = {each.model: each for each in groups if (each.metric, each.group) == (metric, group)}
    return {
        "metric": readable(metric),
        "group": readable(group),
        "n": max(each.n for each in values.values() if each is not None),
        "values": [None if each is None else [number(each.value), ends(each.interval)] for each in values.values()],
        "differences": [
            None
            if (gap := apart.get(model)) is None
            else [number(gap.value), ends(gap.interval), number(gap.corrected)]
            for model in readings
        ],
    }


def _pair(pair: GroupPair) -> Json:
    names = {"metric": readable(pair.metric), "groups": [readable(pair.first), readable(pair.second)]}
    figures = {"value": number(pair.difference), "interval": ends(pair.interval), "p": number(pair.corrected)}
    return names | figures


def draw_gaps(data: Json) -> str:
    """A table per gap, and of a single model every two groups."""
    return "".join(_tables(data, gap, at) for at, gap in enumerate(data["gaps"]["tables"]))


def _tables(data: Json, gap: Json, at: int) -> str:
    heads = [name_of(gap["by"]), head("n"), head("metric"), *model_names(data)]
    rows = [
        row(
            title_cell(name_of(each["group"])),
            num(each["n"]),
            cell(name_of(each["metric"])),
            *(_value(*side) for side in zip(each["values"], each["differences"], strict=True)),
        )
        for each in gap["rows"]
    ]
    caption = tag("code", name_of(gap["name"]))
    words = [
        Text(f"p: {gap['correction'][0]}, over the groups of the gap", f"p：{gap['correction'][1]}，按该差距的各组")
    ]
    tables = table(f"gaps-{at}", heads, rows, labels=1, caption=caption)
    if gap["pairs"]:
        titles = [name_of(gap["by"]), head("metric"), head("delta"), head("interval"), head("p")]
        tables += table(f"gap-pairs-{at}", titles, map(_pair_row, gap["pairs"]), labels=2)
    tested = bool(gap["pairs"]) or any(each is not None for line in gap["rows"] for each in line["differences"])
    return tables + sentences(words if tested else [])


def _value(value: list[Any] | None, gap: list[Any] | None) -> str:
    """A value with its interval, and below it the difference to the baseline."""
    if value is None:
        return num(None)
    inside = decimal(value[0])
    if value[1] is not None:
        inside += tag("small", f"[{decimal(value[1][0])}, {decimal(value[1][1])}]", class_="interval")
    if gap is not None:
        between = "" if gap[1] is None else f" [{signed(gap[1][0])}, {signed(gap[1][1])}]"
        inside += tag("small", text(f"Δ {signed(gap[0])}{between}, p {probability(gap[2])}"), class_="gap")
    return cell(inside, value[0], "num")


def _pair_row(pair: Json) -> str:
    between = "–" if pair["interval"] is None else f"[{signed(pair['interval'][0])}, {signed(pair['interval'][1])}]"
    first, second = pair["groups"]
    return row(
        title_cell(f"{name_of(first)} − {name_of(second)}"),
        cell(name_of(pair["metric"])),
        num(pair["value"], signed(pair["value"])),
        cell(text(between), kind="num"),
        num(pair["p"], probability(pair["p"])),
    )
