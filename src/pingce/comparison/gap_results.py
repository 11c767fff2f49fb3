"""What a comparison says of a gap between groups: how each model sets them apart, and each model against the baseline on each of them."""

from __future__ import annotations

import math
from collections.abc import Mapping

from pingce.base.interval import NO_INTERVAL, Interval
from pingce.base.json import Json
from pingce.base.records import dataclass
from pingce.base.tables import Cell, Table, finite
from pingce.base.text import Text
from pingce.scores.gaps import GapReading
from pingce.scores.values import ends


@dataclass(frozen=True, kw_only=True)
class GroupDifference:
    """A metric on one group: a model against the baseline."""

    metric: str
    group: str
    model: str
    values: tuple[float, float]
    "The model's and the baseline's."
    interval: Interval = NO_INTERVAL
    p: float = math.nan
    corrected: float = math.nan
    "p, corrected over the groups, models and metrics of the gap."

    @property
    def value(self) -> float:
        """The model's value less the baseline's."""
        return self.values[0] - self.values[1]

    def to_dict(self) -> Json:
        """Plain Python, ready for JSON."""
        row: Json = {"metric": self.metric, "group": self.group, "model": self.model}
        row |= {"value": self.values[0], "baseline": self.values[1], "difference": self.value}
        return row | ends(self.interval) | {"p": finite(self.p), "corrected": finite(self.corrected)}


@dataclass(frozen=True)
class ComparedGap:
    """A gap under all models, and how the models differ on its groups."""

    name: str
    baseline: str
    readings: Mapping[str, GapReading]
    "What the gap of each model was read from."
    groups: tuple[GroupDifference, ...]
    "Each model against the baseline, on each group that counts for both."

    @property
    def first(self) -> GapReading:
        """What all models share is asked of the baseline's."""
        return self.readings[self.baseline]

    def to_dict(self) -> Json:
        """Plain Python, ready for JSON."""
        return {
            "name": self.name,
            "by": self.first.by,
            "unit": self.first.unit,
            "correction": self.first.correction,
            "models": {model: _ends_of(reading) for model, reading in self.readings.items()},
            "groups": [each.to_dict() for each in self.groups],
        }

    def table(self) -> Table:
        """For readers: a row per group and metric, the values of the models, and their differences to the baseline."""
        others = [model for model in self.readings if model != self.baseline]
        by_key = {(each.metric, each.group, each.model): each for each in self.groups}
        rows: list[list[Cell]] = []
        for metric, groups in self.first.groups.items():
            for group in groups:
                each = [by_key.get((metric, group.name, model)) for model in others]
                cells: list[Cell] = [group.name, group.n, metric, finite(group.value)]
                for pair in each:
                    cells += _cells(pair)
                rows.append(cells)
        unit = {"queries": Text("queries", "查询数"), "rows": Text("rows", "行数")}[self.first.unit]
        titles = [self.first.by, str(unit), str(Text("metric", "指标")), self.baseline]
        p = Text(f"p ({self.first.correction})", f"p（{self.first.correction}）")
        low, high = Text("from", "下限"), Text("to", "上限")
        for model in others:
            titles += [model, f"Δ {model}", f"{low} ({model})", f"{high} ({model})", f"{p} ({model})"]
        return Table(titles, rows)


def _cells(pair: GroupDifference | None) -> list[Cell]:
    if pair is None:
        return [None] * 5
    return [finite(pair.values[0]), finite(pair.value), *ends(pair.interval).values(), finite(pair.corrected)]


def _ends_of(reading: GapReading) -> Json:
    """Which groups of one model are the ends, and which do not count."""
    whole = reading.to_dict()
    return {name: whole[name] for name in ("metric", "largest", "smallest", "small", "undefined", "without")}
