"""Predictions on executors: columns of batches by role, to an evaluator of any task."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.lazy import pa
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.inputs.cells import ids
from pingce.inputs.ids import Ids
from pingce.inputs.predictions import vector_of
from pingce.spark.chunks import tables
from pingce.spark.frames import column, row_source
from pingce.spark.shuffle import whole_parts

NAME = Text("the DataFrame", "DataFrame")


@dataclass(frozen=True)
class Plan:
    """Which columns an evaluator sees as what."""

    roles: Mapping[str, str]
    "The column of each keyword of `update`."
    proba: tuple[str, ...] = ()
    "Columns of probabilities, one a class, or a single column of arrays."
    more: Mapping[str, str] = field(default_factory=dict)
    "Columns by which groups are weighted."
    by: Mapping[str, str | None] = field(default_factory=dict)
    "Columns by which rows are sliced, under the names of the slices; None stands for the activity of groups."
    key: str | None = None
    "Rows with equal values here must be seen together: they were dealt by them."

    def chosen(self, frame: Any) -> Any:
        """The columns that travel, and no others."""
        names = dict.fromkeys((*self.roles.values(), *self.proba, *self.more.values(), *self.by.values()))
        return frame.select(*(column(name) for name in names if name is not None))

    def keys(self, table: pa.Table) -> Ids:
        """On an executor: the ids by which rows must be seen together."""
        return ids(vector_of(table, str(self.key), row_source(table, NAME)))

    def feed(self, evaluator: Any, batches: Iterable[pa.RecordBatch]) -> bool:
        """On an executor: the rows of a partition to its evaluator."""
        any_rows = False
        whole = (table for (table,) in whole_parts(batches, 1) if table is not None)
        for table in tables(batches) if self.key is None else whole:
            source = row_source(table, NAME)
            columns: dict[str, object] = {role: vector_of(table, name, source) for role, name in self.roles.items()}
            if self.proba:
                columns["proba"] = probabilities(table, self.proba)
            if self.more:
                columns["group_weight"] = {name: vector_of(table, of, source) for name, of in self.more.items()}
            if self.by:
                columns["by"] = {
                    name: None if of is None else vector_of(table, of, source) for name, of in self.by.items()
                }
            evaluator.update(columns.pop("y_true"), columns.pop("y_score", columns.pop("y_pred", None)), **columns)
            any_rows = True
        return any_rows


def probabilities(table: pa.Table, names: tuple[str, ...]) -> NDArray[Any]:
    """A row of probabilities a row, from a column a class or from one column of arrays."""
    for name in names:
        if table.column(name).null_count:
            raise _null(name)
    first = table.column(names[0])
    if not pa.types.is_list(first.type) and not pa.types.is_large_list(first.type):
        return np.stack([np.asarray(table.column(name).to_numpy()) for name in names], axis=1)
    array = first.combine_chunks()
    array = array.chunk(0) if isinstance(array, pa.ChunkedArray) else array
    values = array.flatten()
    if values.null_count:
        raise _null(names[0])
    widths = np.unique(np.asarray(array.value_lengths().to_numpy(zero_copy_only=False)))
    if len(widths) > 1:
        raise InputError(
            f"column '{names[0]}' of the DataFrame has arrays of {widths[0]} and of {widths[-1]} numbers; needed is one number a class",
            f"DataFrame 的列 '{names[0]}' 中数组长度不一，有 {widths[0]} 也有 {widths[-1]}；应为每个类别一个数",
        )
    return np.asarray(values.to_numpy(zero_copy_only=False)).reshape(len(array), -1)


def _null(name: str) -> InputError:
    return InputError(
        f"column '{name}' of the DataFrame is null in some rows; remove them or fill them in",
        f"DataFrame 的列 '{name}' 有空值；请删除这些行或补全",
    )
