"""Slices as they are read: a row a slice, a column a metric, and the whole below."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field
from types import EllipsisType
from typing import TYPE_CHECKING

from pingce.base.interval import Interval
from pingce.base.json import Json
from pingce.base.lazy import pa
from pingce.base.notebook import long_table
from pingce.base.records import dataclass
from pingce.base.tables import Cell, Frames, Table, delimited, finite, html_lines, markdown, shown, to_json
from pingce.base.text import Text
from pingce.scores.values import ends

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


ALL = "all"
NONE = Text("(none)", "（无）")
"What readers see for rows without a value; in data it is null."
_COUNTED = {"queries": Text("queries", "查询数"), "rows": Text("rows", "行数")}


@dataclass(frozen=True)
class SliceValue:
    """One metric on one slice; NaN where it is undefined there."""

    value: float
    count: int
    "How many queries, rows or groups the value stands on."
    undefined: int = 0
    interval: Interval | None = None


@dataclass(frozen=True)
class Slice:
    """One part of the data."""

    by: str
    name: str | None
    "None: rows without a value."
    n: int
    values: Mapping[str, SliceValue]
    places: NDArray[np.intp] | None = field(default=None, compare=False, repr=False)
    "Of a ranking: where its queries stand among those that were scored."


@dataclass(frozen=True)
class Slices(Frames):
    """Every metric on every slice, and on the whole."""

    parts: tuple[Slice, ...]
    overall: Slice
    unit: str
    "What `n` counts: queries or rows."
    min_n: int
    "Smaller slices have no interval."
    confidence: float | None = None
    notes: tuple[Text, ...] = ()

    def __len__(self) -> int:
        return len(self.parts)

    def by(self, name: str) -> tuple[Slice, ...]:
        """The slices of one column; their n add up to that of the whole."""
        return tuple(part for part in self.parts if part.by == name)

    @property
    def names(self) -> list[str]:
        """What was sliced by."""
        return list(dict.fromkeys(part.by for part in self.parts))

    def rows(self) -> list[Json]:
        """One dictionary a slice, the whole last: by, slice, n, then each metric, with low and high where intervals are."""
        return [self._row(part) for part in (*self.parts, self.overall)]

    def _row(self, part: Slice) -> Json:
        row: Json = {"by": part.by, "slice": part.name, "n": part.n}
        for name, entry in part.values.items():
            row[name] = finite(entry.value)
            row |= {} if self.confidence is None else ends(entry.interval, f"{name}.")
        return row

    def to_arrow(self) -> pa.Table:
        """The rows as an Arrow table; `slice` is null for rows without a value."""
        rows = self.rows()
        kinds = {"by": pa.string(), "slice": pa.string(), "n": pa.int64()}
        return pa.Table.from_pylist(rows, schema=pa.schema([(name, kinds.get(name, pa.float64())) for name in rows[0]]))

    def to_dict(self) -> Json:
        """Plain Python, ready for JSON."""
        return {
            "unit": self.unit,
            "min_n": self.min_n,
            "confidence": self.confidence,
            "slices": [_entry(part) for part in self.parts],
            "all": _entry(self.overall),
            "notes": [note._asdict() for note in self.notes],
        }

    def to_json(self, *, indent: int | None = 2) -> str:
        """The same as JSON."""
        return to_json(self.to_dict(), indent)

    def to_csv(self) -> str:
        """Comma-separated, full precision."""
        return delimited(slice_table({"": self}), ",")

    def to_markdown(self, *, places: int = 4) -> str:
        """A Markdown table for each column that was sliced by."""
        return "\n\n".join(markdown(table, places) for table in self.tables(places=places))

    def tables(self, *, places: int = 4) -> list[Table]:
        """For readers: one table for each column that was sliced by."""
        return slice_reading_tables({"": self}, places)

    def _repr_html_(self) -> str:
        return "".join(long_table(table, 4) for table in self.tables()) + html_lines([str(note) for note in self.notes])


def _entry(part: Slice) -> Json:
    metrics = [
        {"name": name, "value": finite(value.value), "count": value.count, "undefined": value.undefined}
        | ({} if value.interval is None else ends(value.interval))
        for name, value in part.values.items()
    ]
    return {"by": part.by, "slice": part.name, "n": part.n, "metrics": metrics}


def slice_table(runs: Mapping[str, Slices]) -> Table:
    """For data formats: one row a run and slice."""
    named = len(runs) > 1 or "" not in runs
    return Table.of_rows(
        [({"run": name} if named else {}) | row for name, slices in runs.items() for row in slices.rows()]
    )


def slice_reading_tables(runs: Mapping[str, Slices], places: int) -> list[Table]:
    """For readers: of each column a table with a row a slice, the whole last; of several runs one below the other."""
    return [_table(runs, by, places) for by in next(iter(runs.values())).names]


def _table(runs: Mapping[str, Slices], by: str, places: int) -> Table:
    first = next(iter(runs.values()))
    several = len(runs) > 1
    metrics = list(first.overall.values)
    rows: list[list[Cell]] = []
    names = list(dict.fromkeys(part.name for slices in runs.values() for part in slices.by(by)))
    for name in (*names, ...):
        title = slice_title(name)
        for run, slices in runs.items():
            for part in [slices.overall] if name is ... else [part for part in slices.by(by) if part.name == name]:
                head: list[Cell] = [title, run] if several else [title]
                rows.append([*head, part.n, *(_cell(part.values[metric], places) for metric in metrics)])
    titles = [by, *([str(Text("run", "预测"))] if several else []), str(_COUNTED[first.unit])]
    return Table([*titles, *metrics], rows)


def slice_title(name: str | EllipsisType | None) -> str:
    """What readers see for a slice: of rows without a value, and for ... of the whole, words of their language."""
    return str(Text(ALL, "全部") if name is ... else NONE if name is None else name)


def _cell(entry: SliceValue, places: int) -> Cell:
    """The value, with its interval beside it where there is one."""
    if entry.interval is None or math.isnan(entry.interval[0]):
        value: Cell = finite(entry.value)
        return value
    low, high = (shown(end, places) for end in entry.interval)
    return f"{shown(entry.value, places)} [{low}, {high}]"
