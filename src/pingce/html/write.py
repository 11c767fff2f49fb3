"""From material to a file that is whole or not there: all that the page shows as plain data, less where it would not fit."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from pingce import __version__
from pingce.base.addresses import file_name
from pingce.base.atomic import refuse_suffix, write_whole
from pingce.base.errors import InputError
from pingce.base.json import Json
from pingce.base.progress import advance
from pingce.base.records import dataclass
from pingce.base.text import Language, Text, counted, language, use_language
from pingce.html.details import Details
from pingce.html.gaps import gap_data
from pingce.html.material import Material
from pingce.html.page import page
from pingce.html.pairs import pair_data, slice_data
from pingce.html.plain import both, numbers, packed, readable
from pingce.html.queries import MOST_UNITS, Units, mean_over_models, sampled, telling, unit_data
from pingce.html.summary import definition_data, health_data, summary_data

LARGEST = 1_000_000
"Bytes of a file."
SUFFIXES = (".html", ".htm")
DETAILS = 200
"Queries whose lists are shown, at most."
FEWEST = 24
_ITEMS = 100_000
"Rows of lists that are looked at one by one: of long lists fewer queries are shown."
_LOWEST = 20
"Rows of the table that stands there without a script."


def report_path(path: str | os.PathLike[str]) -> Path:
    """Where a report goes; a name that promises anything but HTML is refused, one without a suffix is not."""
    output = Path(path)
    refuse_suffix(output, SUFFIXES)
    return output


def write_report(material: Material, path: str | os.PathLike[str], *, lang: Language | None = None) -> Path:
    """Write the page; where it would be too large, with fewer lists and then with fewer queries."""
    output = report_path(path)
    before = language()
    if lang is not None:
        use_language(lang)
    try:
        content = rendered(material)
    finally:
        if lang is not None:
            use_language(before)
    write_whole(output, content)
    return output


def rendered(material: Material) -> bytes:
    """The page as bytes."""
    collected = Collected(material)
    fixed = collected.fixed()
    room: Room | None = Room()
    while room is not None:
        content = page(collected.within(room, fixed)).encode("utf-8")
        if len(content) <= LARGEST:
            return content
        room = room.less()
    raise InputError(
        f"the report would have {len(content):,} bytes, more than {LARGEST:,}: shorten the names of models and classes, or report fewer of them",
        f"报告将有 {len(content):,} 字节，超过 {LARGEST:,}：请缩短模型与类别的名称，或减少其数量",
    )


@dataclass(frozen=True)
class Room:
    """How much of what grows with the data goes into the file."""

    units: int = MOST_UNITS
    details: int = DETAILS

    def less(self) -> Room | None:
        """The next smaller choice: first fewer lists, then fewer queries; None where nothing is left to leave out."""
        if self.details > 25:
            return replace(self, details=self.details * 2 // 3)
        if self.units > 100:
            return replace(self, units=self.units * 2 // 3)
        return replace(self, details=0, units=0) if self.units else None


class Collected:
    """The data of a report. What grows with the data is made anew for each room, the rest once."""

    def __init__(self, material: Material) -> None:
        self.material = material
        self._units = units = material.page.units(material)
        self._metric = next(iter(units.values)) if units else ""
        self._telling = [] if units is None else telling(units, self._metric, _detailed(material)).tolist()
        self._details: dict[int, Any] = {}
        self._lists: Details | None = None

    def fixed(self) -> Json:
        """What does not grow with the number of queries."""
        material = self.material
        data: Json = {
            "version": __version__,
            "task": material.task,
            "lang": language(),
            "title": both(_title(material)),
            "size": both(_size(material)),
            "models": [readable(name) for name in material.models],
            "sources": [readable(file_name(word)) for word in material.sources],
            "summary": summary_data(material),
            "health": health_data(material),
            "definitions": definition_data(material),
        }
        alpha = 0.05 if material.comparison is None else material.comparison.settings.alpha
        for entry in data["summary"]["metrics"]:
            entry["alpha"] = alpha
        sections = {"pairs": pair_data(material), "slices": slice_data(material), "gaps": gap_data(material)}
        sections |= {key: find(material) for key, find in material.page.sections}
        return data | {key: section for key, section in sections.items() if section is not None}

    def within(self, room: Room, fixed: Json) -> Json:
        """All of it, in so much room."""
        if self._units is None or not len(self._units) or not room.units:
            return fixed
        detailed = set(self._telling[: room.details]) if self.material.lists is not None else set()
        kept = sorted({*sampled(self._units, room.units, self._metric).tolist(), *detailed})
        bulk = unit_data(self._units, np.array(kept, dtype=np.intp))
        bulk["details"] = {str(place): self._detail(self._units, at) for place, at in enumerate(kept) if at in detailed}
        return fixed | {"queries": self._table(self._units, len(kept), len(detailed)), "bulk": packed(bulk)}

    def _detail(self, units: Units, at: int) -> Any:
        if at not in self._details:
            if self._lists is None:
                self._lists = Details(self.material, [units.ids[place] for place in self._telling])
            self._details[at] = self._lists.of(self._telling.index(at))
            advance(len(self._details) / len(self._telling))
        return self._details[at]

    def _table(self, units: Units, kept: int, detailed: int) -> Json:
        """What stands there without a script, and what was left out."""
        values = units.values[self._metric]
        order = np.argsort(mean_over_models(values), kind="stable")[:_LOWEST].tolist()
        lowest = [{"id": readable(units.ids[at]), "values": numbers(values[at])} for at in order]
        return {
            "per": units.per,
            "all": len(units),
            "kept": kept,
            "detailed": detailed,
            "metric": self._metric,
            "lowest": lowest,
            "note": None if kept == len(units) else both(_left_out(units, kept)),
        }


def _detailed(material: Material) -> int:
    """How many queries are shown with their lists."""
    if material.lists is None:
        return 0
    rows = sum(len(run) for run in material.lists.runs.values()) / max(len(material.first.facts), 1)
    return int(min(max(_ITEMS / max(rows, 1), FEWEST), DETAILS))


def _left_out(units: Units, kept: int) -> Text:
    name = Text("queries", "查询") if units.per == "query" else Text("groups", "分组")
    return Text(
        f"{kept:,} of {len(units):,} {name.en} are in this file, evenly along the order of their values, the worst and the best "
        "among them; summaries, tests and slices stand on all of them.",
        f"{len(units):,} 个{name.zh}中有 {kept:,} 个收入本文件，按数值大小均匀抽取，最差与最好者均在内；总览、检验与切片基于全部{name.zh}。",
    )


def _title(material: Material) -> str | Text:
    if material.title is not None:
        return material.title
    names = material.models
    if len(names) == 1:
        return Text(f"{names[0]}: evaluation", f"{names[0]}：评测")
    listed = ", ".join([*names[:4], *["…"] * (len(names) > 4)])
    return Text(f"{listed}: evaluation", f"{listed.replace(', ', '、')}：评测")


def _size(material: Material) -> Text:
    models, size = len(material.models), material.page.size(material.first.counts)
    return Text(f"{size.en} · {counted(models, 'model')}", f"{size.zh} · {models} 个模型")
