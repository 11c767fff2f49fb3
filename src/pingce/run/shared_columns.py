"""Columns of a table that several predictions share: group, weight, slices, and what metrics read; all by their names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

from pingce.base.errors import InputError
from pingce.base.records import dataclass
from pingce.inputs.columns import Reading, Wanted
from pingce.inputs.data import RowData
from pingce.inputs.predictions import asked_slices, read_table, vector_of
from pingce.inputs.vectors import Vector
from pingce.request import Request


@dataclass(frozen=True)
class SharedColumns:
    """Names by role."""

    group: str | None = None
    weight: str | None = None
    by: Mapping[str, str | None] = field(default_factory=dict)
    "What rows are sliced by; None stands for what is counted and not read."
    numbers: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    "Columns that metrics read, of numbers and of names."
    roles: Mapping[str, str] = field(default_factory=dict)
    "Those that the task declares."

    @classmethod
    def of(cls, request: Request, data: RowData) -> SharedColumns:
        """Those that a call names, and those that metrics read."""
        by = asked_slices(data.by, named=True, built_in=request.task.load("state").has_groups)
        named = {"group": data.group, "weight": data.weight, **data.roles, **{f"by.{name}": by[name] for name in by}}
        for role, name in named.items():
            if name is not None and not isinstance(name, str):
                keyword = role.partition(".")[0]
                raise InputError(
                    f"{keyword}= must be the name of a column that every table has; it is {type(name).__name__}",
                    f"{keyword}= 须为每张表都有的列名；而它是 {type(name).__name__}",
                )
        metrics = [metric.metric for metric in request.metrics or ()]
        needed = dict.fromkeys(name for metric in metrics for name in metric.needed_columns())
        fields = tuple(dict.fromkeys(name for metric in metrics for name in metric.field_columns()))
        numbers = tuple(name for name in needed if name not in fields)
        return cls(data.group, data.weight, by, numbers, fields, dict(data.roles))

    @property
    def names(self) -> tuple[str, ...]:
        """All columns that are read."""
        slices = (name for name in self.by.values() if name is not None)
        others = (name for name in (self.group, self.weight) if name is not None)
        return tuple(dict.fromkeys([*others, *slices, *self.numbers, *self.fields, *self.roles.values()]))

    def read(self, data: Any, others: Sequence[str], numbers: Sequence[str], reading: Reading) -> dict[str, Vector]:
        """These and other columns of a table by name; scores and weights are numbers where a file does not say, names are text."""
        numeric = [*numbers, *self.numbers, *((self.weight,) if self.weight else ())]
        texts = [*((self.group,) if self.group else ()), *self.fields, *(name for name in self.by.values() if name)]
        wanted = Wanted(
            tuple(dict.fromkeys([*others, *numbers, *self.names])),
            texts=tuple(dict.fromkeys(name for name in texts if name not in (*others, *numeric))),
            numbers=tuple(dict.fromkeys(numeric)),
        )
        table, source = read_table(data, wanted, reading)
        return {name: vector_of(table, name, source) for name in wanted.columns}

    def table(self, read: Mapping[str, Vector]) -> RowData:
        """The columns themselves, for all rows, without truth and prediction."""
        return RowData(
            None,
            None,
            weight=read[self.weight] if self.weight else None,
            by={name: read[column] if column else None for name, column in self.by.items()} or None,
            group=read[self.group] if self.group else None,
            group_weight={name: read[name] for name in (*self.numbers, *self.fields)} or None,
            roles={role: read[name] for role, name in self.roles.items()},
        )
