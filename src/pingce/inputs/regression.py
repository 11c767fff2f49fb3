"""The middle form of a regression: true and predicted numbers, with weights and slices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.exact import Floats
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.inputs import cells
from pingce.inputs.columns import Place, Reading, joined_place
from pingce.inputs.data import Column, RowData
from pingce.inputs.ids import Ids, IntIds, concatenate
from pingce.inputs.predictions import Naming, Roles
from pingce.inputs.slices import Partition, joined_partitions, row_partitions
from pingce.inputs.vectors import same_length, vector


@dataclass(frozen=True, eq=False)
class NumberRows:
    """True and predicted numbers, a row each."""

    true: Floats
    predicted: Floats
    weight: Floats | None = None
    place: Place | None = None
    by: tuple[Partition, ...] = ()
    "What the rows are sliced by."
    largest: float | None = None
    "The size of the largest error, where it was found when the numbers were read."
    group: Ids | None = None
    "Users or requests, within which rows are compared."
    columns: Mapping[str, Floats] = field(default_factory=dict)
    "More numbers a row, by which groups can be weighted."
    predicted_place: Place | None = None
    "Where predictions stand, if not where the truth does."

    def __len__(self) -> int:
        return len(self.true)

    def in_memory_order(self) -> tuple[Floats, Floats]:
        """The true and the predicted numbers without gaps between them, as the core takes them."""
        return np.ascontiguousarray(self.true), np.ascontiguousarray(self.predicted)

    def select(self, chosen: NDArray[np.intp]) -> NumberRows:
        """Some rows."""
        weight = None if self.weight is None else self.weight[chosen]
        numbers = self.true[chosen], self.predicted[chosen], weight
        group = None if self.group is None else self.group.take(chosen)
        columns = {name: values[chosen] for name, values in self.columns.items()}
        return NumberRows(
            *numbers,
            lambda row: self.place_of(int(chosen[row])),
            group=group,
            columns=columns,
            predicted_place=lambda row: self.predicted_place_of(int(chosen[row])),
        )

    def last(self, count: int) -> NumberRows:
        """The last rows, as if there had been no others."""
        first = len(self) - count
        by = tuple(partition.since(first, first) for partition in self.by)
        return replace(self.select(np.arange(first, len(self))), by=by)

    def counted(self) -> NumberRows:
        """Without the rows of weight 0."""
        return self if self.weight is None or self.weight.all() else self.select(np.flatnonzero(self.weight))

    def owned(self) -> NumberRows:
        """The same numbers in memory that nobody else writes to."""
        weight = None if self.weight is None else self.weight.copy()
        group = IntIds(self.group.values.copy()) if isinstance(self.group, IntIds) else self.group
        columns = {name: values.copy() for name, values in self.columns.items()}
        numbers = replace(self, true=self.true.copy(), predicted=self.predicted.copy(), weight=weight)
        return replace(numbers, group=group, columns=columns)

    def column(self, name: str) -> Floats:
        """More numbers a row: one of weight 2 brings its number twice."""
        return self.columns[name] if self.weight is None else self.columns[name] * self.weight

    def place_of(self, row: int) -> Text:
        """The row, in words."""
        return self.place(row) if self.place else Text(f"row {row}", f"第 {row} 行（从 0 起）")

    def predicted_place_of(self, row: int) -> Text:
        """Where the prediction of the row stands, in words."""
        return self.predicted_place(row) if self.predicted_place else self.place_of(row)


GROUP_WORDS = ("rows", "uniform", "pairs")
"What xgauc(by=…) takes for words of its own, not for columns."


def read_numbers(
    table: RowData, reading: Reading, needed: Sequence[str] = (), named: Naming | None = None
) -> NumberRows:
    """A batch of rows, from columns or from a table that has them; `needed` are columns that metrics read, `named` says what messages call them."""
    more = _group_weights(table.group_weight)
    needed = [name for name in dict.fromkeys(needed) if name not in more]
    roles = Roles(numbers=("y_true", "y_pred", "weight"), grouped=True, needed=needed)
    return _rows(roles.read(table, reading, named), True, reading.threads)


def number_rows(
    y_true: Column,
    y_pred: Column,
    weight: Column = None,
    *,
    group: Column = None,
    group_weight: Mapping[str, Column] | None = None,
) -> NumberRows:
    """Check and bring together the columns of a regression."""
    return _rows(RowData(y_true, y_pred, weight=weight, group=group, group_weight=group_weight), False)


def _group_weights(group_weight: Any) -> Mapping[str, Column]:
    more = {} if group_weight is None else group_weight
    if not isinstance(more, Mapping):
        raise InputError(
            f"group_weight is {type(more).__name__}; give a dict with a column a name, which xgauc(by=name) then takes",
            f"group_weight 是 {type(more).__name__}；请给出名称到列的字典，供 xgauc(by=名称) 使用",
        )
    for name in more:
        if name in GROUP_WORDS:
            raise InputError(
                f"group_weight has a column '{name}', but xgauc(by={name}) counts the rows themselves and would not read it; "
                f"call it otherwise, e.g. 'my_{name}', and write xgauc(by=my_{name})",
                f"group_weight 中有列 '{name}'，而 xgauc(by={name}) 由各行自行计数，不会读取该列；"
                f"请换个名称，例如 'my_{name}'，并写 xgauc(by=my_{name})",
            )
    return more


def _rows(table: RowData, batch: bool, threads: int | None = None) -> NumberRows:
    truth, prediction = vector(table.truth, "y_true"), vector(table.prediction, "y_pred")
    weights = None if table.weight is None else vector(table.weight, "weight")
    groups = None if table.group is None else vector(table.group, "group")
    more = {
        name: vector(column, f"group_weight '{name}'") for name, column in _group_weights(table.group_weight).items()
    }
    same_length(truth, prediction, weights, groups, *more.values())
    true, predicted, largest = cells.number_pair(truth, prediction, threads)
    group = None if groups is None else cells.ids(groups)
    partitions = row_partitions(table.by or {}, truth, batch=batch)
    weight = None if weights is None else cells.weights(weights, batch=batch, threads=threads)
    columns = {name: cells.weights(column, batch=batch) for name, column in more.items()}
    return NumberRows(true, predicted, weight, truth.place, partitions, largest, group, columns, prediction.place)


def joined(batches: Sequence[NumberRows]) -> NumberRows:
    """The rows of all batches, one after another."""
    if len(batches) == 1:
        return batches[0]
    weight = None
    if any(rows.weight is not None for rows in batches):
        weight = np.concatenate([np.ones(len(rows)) if rows.weight is None else rows.weight for rows in batches])
    true, predicted = (np.concatenate([getattr(rows, name) for rows in batches]) for name in ("true", "predicted"))
    place, predicted_place = (
        joined_place(places, map(len, batches))
        for places in ([rows.place_of for rows in batches], [rows.predicted_place_of for rows in batches])
    )
    groups = [rows.group for rows in batches if rows.group is not None]
    columns = {name: np.concatenate([rows.columns[name] for rows in batches]) for name in batches[0].columns}
    numbers = NumberRows(true, predicted, weight, place, joined_partitions([rows.by for rows in batches]))
    group = concatenate(groups) if groups else None
    return replace(numbers, group=group, columns=columns, predicted_place=predicted_place)
