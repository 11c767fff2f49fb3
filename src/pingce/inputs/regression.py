"""The middle form of a regression: true and predicted numbers, with weights and slices."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats
from pingce.base.text import Text
from pingce.inputs import cells
from pingce.inputs.predictions import Naming, asked_slices, chosen, slice_columns, slice_roles
from pingce.inputs.slices import Partition, joined_partitions, row_partitions
from pingce.inputs.vectors import same_length, vector


@dataclass(frozen=True, eq=False)
class NumberRows:
    """True and predicted numbers, a row each."""

    true: Floats
    predicted: Floats
    weight: Floats | None = None
    place: Callable[[int], Any] | None = None
    "Which row of what, for messages."
    by: tuple[Partition, ...] = ()
    "What the rows are sliced by."

    def __len__(self) -> int:
        return len(self.true)

    def select(self, chosen: NDArray[np.intp]) -> NumberRows:
        """Some rows."""
        weight = None if self.weight is None else self.weight[chosen]
        return NumberRows(
            self.true[chosen], self.predicted[chosen], weight, lambda row: self.place_of(int(chosen[row]))
        )

    def counted(self) -> NumberRows:
        """Without the rows of weight 0."""
        if self.weight is None or self.weight.all():
            return self
        kept = np.flatnonzero(self.weight)
        columns = (self.true[kept], self.predicted[kept], self.weight[kept])
        return NumberRows(*columns, lambda row: self.place_of(int(kept[row])))

    def owned(self) -> NumberRows:
        """The same numbers in memory that nobody else writes to."""
        return replace(self, true=self.true.copy(), predicted=self.predicted.copy())

    def place_of(self, row: int) -> Text:
        """The row, in words."""
        text: Text = self.place(row) if self.place else Text(f"row {row}", f"第 {row} 行（从 0 起）")
        return text


def read_numbers(
    y_true: Any,
    y_pred: Any,
    *,
    data: Any,
    weight: Any,
    by: Any,
    input_format: str | None = None,
    encoding: str | None = None,
    named: Naming | None = None,
) -> NumberRows:
    """A batch of rows, from columns or from a table that has them; `named` says what messages call them."""
    wanted = {"y_true": y_true, "y_pred": y_pred, "weight": weight}
    slices = asked_slices(by, named=data is not None, built_in=False)
    columns, _ = chosen(
        data, wanted | slice_roles(slices), numbers=tuple(wanted), input_format=input_format, encoding=encoding
    )
    columns = columns if named is None else named(columns, data)
    sliced = slice_columns(slices, columns)
    return number_rows(columns["y_true"], columns["y_pred"], columns["weight"], by=sliced, batch=True)


def number_rows(
    y_true: Any, y_pred: Any, weight: Any = None, *, by: Mapping[str, Any] | None = None, batch: bool = False
) -> NumberRows:
    """Check and bring together the columns of a regression, or of a batch of it."""
    truth, prediction = vector(y_true, "y_true"), vector(y_pred, "y_pred")
    weights = None if weight is None else vector(weight, "weight")
    same_length(truth, prediction, weights)
    true, predicted = (cells.numbers(column).astype(np.float64, copy=False) for column in (truth, prediction))
    partitions = row_partitions(by or {}, truth, batch=batch)
    checked = None if weights is None else cells.weights(weights, batch=batch)
    return NumberRows(true, predicted, checked, truth.place, partitions)


def joined(batches: Sequence[NumberRows]) -> NumberRows:
    """The rows of all batches, one after another."""
    if len(batches) == 1:
        return batches[0]
    weight = None
    if any(rows.weight is not None for rows in batches):
        weight = np.concatenate([np.ones(len(rows)) if rows.weight is None else rows.weight for rows in batches])
    true, predicted = (np.concatenate([getattr(rows, name) for rows in batches]) for name in ("true", "predicted"))
    starts = np.cumsum([0, *map(len, batches)])

    def place(row: int) -> Text:
        at = int(np.searchsorted(starts, row, "right")) - 1
        return batches[at].place_of(row - int(starts[at]))

    return NumberRows(true, predicted, weight, place, joined_partitions([rows.by for rows in batches]))
