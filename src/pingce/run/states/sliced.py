"""What was seen of all rows, and of each slice alone: sums and counts, so that no rows are kept for the sake of slices."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from operator import add
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from pingce.base.json import Json
from pingce.base.lazy import pa
from pingce.base.records import dataclass
from pingce.evidence.soundness import FRACTION, WHOLE, checked_fraction, checked_value, demand
from pingce.inputs.data import RowData
from pingce.inputs.predictions import Naming
from pingce.inputs.slices import Partition, in_order, refuse_many, refuse_without_values
from pingce.request import Request
from pingce.run.progress import Doing
from pingce.run.score import measure
from pingce.run.states.base import Batches, State
from pingce.run.states.tables import annotate, annotation
from pingce.scores.values import Value
from pingce.slices.measured import RowPart, row_slices

if TYPE_CHECKING:
    from typing_extensions import Self

Making: TypeAlias = Callable[[str | None, str | None], State]
"A state that has seen nothing, for the slice of a name by a column; by no column, for all rows."
_ENTRY = {"name": (None, str), "rows": WHOLE, "sums": [FRACTION]}


@dataclass(eq=False)
class SeenSlice:
    """What was seen of one slice."""

    by: str
    name: str | None
    value: Any
    "What its name was written from, by which slices are sorted."
    state: State
    rows: int = 0
    "Those of weight 0 among them."
    sums: tuple[Fraction, ...] = ()

    def add(self, rows: int, sums: tuple[Fraction, ...]) -> None:
        """Count more rows."""
        self.rows += rows
        self.sums = tuple(map(add, self.sums, sums)) if self.sums else sums


class SlicedState(State):
    """A state of all rows, and one for each slice that has any."""

    def __init__(self, request: Request, make: Making | None = None) -> None:
        self.request = request
        self._make = make or partial(self._plain, {})
        self.whole: Any = self._make(None, None)
        self.parts: dict[str, dict[str | None, SeenSlice]] = {}

    def _plain(self, settings: Json, by: str | None, name: str | None) -> State:
        state: State = self.request.task.load("state").from_settings(self.request, settings)
        return state

    def settings(self) -> Json:
        return {**self.whole.settings(), "sliced": True}

    @classmethod
    def from_settings(cls, request: Request, settings: Json) -> Self:
        state: State = request.task.load("state").from_settings(request, settings)
        kind = type(state)
        return cls(request, lambda by, name: kind.from_settings(request, settings))

    @property
    def batches(self) -> Batches:  # type: ignore[override]
        """Those of all rows."""
        batches: Batches = self.whole.batches
        return batches

    @property
    def rows(self) -> int:  # type: ignore[override]
        rows: int = self.whole.rows
        return rows

    @property
    def facts(self) -> Any:
        """What is known of all rows."""
        return self.whole.facts

    def read(self, table: RowData, named: Naming | None = None) -> Any:
        return self.whole.read(table, named)

    def add(self, rows: Any) -> None:
        plain, parts = self.whole.split_slices(rows)
        self.whole.add(plain)
        for part in parts:
            ours = self._seen(part.by, part.name, part.value)
            ours.add(part.count, self.whole.slice_sums(part.rows))
            if len(part.places):
                ours.state.add(part.rows)

    def _seen(self, by: str, name: str | None, value: Any) -> SeenSlice:
        slices = self.parts.setdefault(by, {})
        if name not in slices:
            slices[name] = SeenSlice(by, name, value, self._make(by, name))
        return slices[name]

    def condense(self) -> None:
        self.whole.condense()
        for slices in self.parts.values():
            for part in slices.values():
                part.state.condense()

    def merge(self, other: Self) -> None:
        self.whole.merge(other.whole)
        for by, slices in other.parts.items():
            for name, theirs in slices.items():
                ours = self._seen(by, name, theirs.value)
                ours.add(theirs.rows, theirs.sums)
                ours.state.merge(theirs.state)

    def to_tables(self) -> dict[str, pa.Table]:
        tables = {f"whole.{name}": table for name, table in self.whole.to_tables().items()}
        for place, (by, slices) in enumerate(self.parts.items()):
            columns = {
                "name": pa.array(list(slices), pa.string()),
                "rows": [part.rows for part in slices.values()],
                "value": pa.array([part.value for part in slices.values()]),
                "sums": pa.array([[*map(str, part.sums)] for part in slices.values()], pa.list_(pa.string())),
            }
            tables[f"slices.{place}"] = annotate(pa.table(columns), {"by": by})
            for at, part in enumerate(slices.values()):
                tables |= {f"{place}.{at}.{name}": table for name, table in part.state.to_tables().items()}
        return tables

    def take_tables(self, tables: Mapping[str, pa.Table]) -> None:
        self.whole.take_tables(_under("whole.", tables))
        places = [name.removeprefix("slices.") for name in tables if name.startswith("slices.")]
        for place in places:
            table = tables[f"slices.{place}"]
            by = annotation(table, {"by": str}, "slices")["by"]
            entries = checked_value(table.select(["name", "rows", "sums"]).to_pylist(), [_ENTRY], "slices")
            for at, (entry, value) in enumerate(zip(entries, table.column("value").to_pylist(), strict=True)):
                ours = self._seen(by, entry["name"], value)
                ours.add(entry["rows"], tuple(checked_fraction(text, "sums") for text in entry["sums"]))
                ours.state.take_tables(_under(f"{place}.{at}.", tables))
            rows = sum(part.rows for part in self.parts[by].values())
            demand(rows == self.rows, "slices do not add up", "各切片之和与全体不符")

    def score(self) -> Any:
        return self._with_slices(self.whole.score())

    def score_streamed(self, doing: Doing) -> Any:
        return self._with_slices(self.whole.score_streamed(doing))

    def _with_slices(self, scores: Any) -> Any:
        """The scores of the whole, with those of its slices."""
        partitions = [_partition(by, slices) for by, slices in self.parts.items()]
        refuse_without_values(partitions)
        requests = self.whole.requests_for(scores.evidence)
        requests = [each for request in requests for each in request.metric.requests(request, scores.evidence)]

        def values(state: Any, sure: bool) -> Mapping[str, Value] | None:
            evidence = state.part_evidence(scores.evidence)
            if evidence is None:
                return None
            within = [request for request in requests if request.metric.is_within(evidence)]
            return measure(self.request, within, evidence, sure=sure)

        every = [
            self.parts[partition.by][name]
            for partition in partitions
            for name in (*partition.names, None)
            if name in self.parts[partition.by]
        ]
        parts = [RowPart(part.by, part.name, part.rows, partial(values, part.state)) for part in every]
        scores.slices = row_slices(scores, parts, partitions, min_n=self.request.min_n)
        self.whole.tell_slices(scores.evidence, every)
        return scores

    def score_rows(self, rows: Any) -> Any:
        return self.whole.score_rows(rows)


def _under(prefix: str, tables: Mapping[str, pa.Table]) -> dict[str, pa.Table]:
    """The tables whose names begin so, under what is left of their names."""
    return {name.removeprefix(prefix): table for name, table in tables.items() if name.startswith(prefix)}


def _partition(by: str, slices: Mapping[str | None, SeenSlice]) -> Partition:
    """The slices by one column in their order, without any row."""
    names = [name for name in slices if name is not None]
    refuse_many(by, len(names))
    order = in_order([slices[name].value for name in names], names)
    return Partition(by, np.zeros(0, np.intp), tuple(names[place] for place in order))
