"""The middle form of a regression: true and predicted numbers, with weights and slices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.inputs import cells
from pingce.inputs.columns import Place, Reading, joined_place
from pingce.inputs.data import Column, RowData
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

    def __len__(self) -> int:
        return len(self.true)

    def select(self, chosen: NDArray[np.intp]) -> NumberRows:
        """Some rows."""
        weight = None if self.weight is None else self.weight[chosen]
        columns = self.true[chosen], self.predicted[chosen], weight
        return NumberRows(*columns, lambda row: self.place_of(int(chosen[row])))

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
        return replace(self, true=self.true.copy(), predicted=self.predicted.copy(), weight=weight)

    def place_of(self, row: int) -> Text:
        """The row, in words."""
        return self.place(row) if self.place else Text(f"row {row}", f"第 {row} 行（从 0 起）")


def read_numbers(table: RowData, reading: Reading, named: Naming | None = None) -> NumberRows:
    """A batch of rows, from columns or from a table that has them; `named` says what messages call them."""
    return _rows(Roles(numbers=("y_true", "y_pred", "weight")).read(table, reading, named), True, reading.threads)


def number_rows(y_true: Column, y_pred: Column, weight: Column = None) -> NumberRows:
    """Check and bring together the columns of a regression."""
    return _rows(RowData(y_true, y_pred, weight=weight), False)


def _rows(table: RowData, batch: bool, threads: int | None = None) -> NumberRows:
    truth, prediction = vector(table.truth, "y_true"), vector(table.prediction, "y_pred")
    weights = None if table.weight is None else vector(table.weight, "weight")
    same_length(truth, prediction, weights)
    true, predicted, largest = cells.number_pair(truth, prediction, threads)
    partitions = row_partitions(table.by or {}, truth, batch=batch)
    weight = None if weights is None else cells.weights(weights, batch=batch, threads=threads)
    return NumberRows(true, predicted, weight, truth.place, partitions, largest)


def joined(batches: Sequence[NumberRows]) -> NumberRows:
    """The rows of all batches, one after another."""
    if len(batches) == 1:
        return batches[0]
    weight = None
    if any(rows.weight is not None for rows in batches):
        weight = np.concatenate([np.ones(len(rows)) if rows.weight is None else rows.weight for rows in batches])
    true, predicted = (np.concatenate([getattr(rows, name) for rows in batches]) for name in ("true", "predicted"))
    place = joined_place([rows.place_of for rows in batches], map(len, batches))
    return NumberRows(true, predicted, weight, place, joined_partitions([rows.by for rows in batches]))
