"""The middle form of a multi-class task: true and predicted classes, and perhaps a probability for each class."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field, replace
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.exact import Floats
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.inputs import cells
from pingce.inputs.classes import (
    Classes,
    common_classes,
    most_probable_note,
    probability_matrix,
    refuse_other_columns,
)
from pingce.inputs.columns import Reading
from pingce.inputs.data import Column, RowData
from pingce.inputs.predictions import Naming, Roles
from pingce.inputs.slices import Partition, joined_partitions, row_partitions
from pingce.inputs.vectors import joined_arrays, same_length, vector


def _none() -> NDArray[np.intp]:
    return np.zeros(0, np.intp)


@dataclass(frozen=True, eq=False)
class ClassRows:
    """True and predicted classes coded alike, a row each."""

    truth: Classes
    prediction: Classes | None
    weight: Floats | None = None
    proba: NDArray[Any] | None = None
    "A row a row, a column a class in the order of the labels."
    notes: tuple[Text, ...] = ()
    without_weight: int = 0
    "Rows of weight 0, which are not here."
    by: tuple[Partition, ...] = ()
    "What the rows are sliced by."
    fixed: bool = False
    "Whether the classes were given, and are not those that occur."
    declared: bool = False
    "Whether `labels=` named the classes."
    tied: int | None = None
    "Rows with several most probable classes, where these were taken for predictions."
    columns: tuple[str, ...] = ()
    "What the columns of `proba` are called, where they have names."
    idle: NDArray[np.intp] = field(default_factory=_none)
    "Where the rows of weight 0 stood among those that were given."

    def __len__(self) -> int:
        return len(self.truth.codes)

    @property
    def given(self) -> int:
        """Rows as they were given."""
        return len(self) + self.without_weight

    @property
    def labels(self) -> list[Any]:
        """All classes."""
        return self.truth.names

    def select(self, chosen: NDArray[Any]) -> ClassRows:
        """Some rows; a row may be chosen more than once."""
        prediction, weight, proba = self.prediction, self.weight, self.proba
        return replace(
            self,
            truth=Classes(self.truth.codes[chosen], self.labels),
            prediction=None if prediction is None else Classes(prediction.codes[chosen], self.labels),
            weight=None if weight is None else weight[chosen],
            proba=None if proba is None else proba[chosen],
        )

    def owned(self) -> ClassRows:
        """The same rows in memory that nobody else writes to: codes are ours already."""
        proba, weight = (None if column is None else column.copy() for column in (self.proba, self.weight))
        return replace(self, proba=proba, weight=weight)

    def alone(self, chosen: NDArray[Any]) -> ClassRows:
        """Some rows as if there were no others: classes that do not occur there are gone, unless they were given."""
        rows = replace(self.select(chosen), without_weight=0, by=(), idle=self.idle[:0])
        if self.fixed or rows.prediction is None:
            return rows
        present, codes = np.unique(np.concatenate([rows.truth.codes, rows.prediction.codes]), return_inverse=True)
        names = [self.labels[place] for place in present.tolist()]
        true, predicted = np.split(codes.reshape(-1).astype(np.intp), 2)
        return replace(rows, truth=Classes(true, names), prediction=Classes(predicted, names))

    def last(self, count: int) -> ClassRows:
        """The last of the rows that were given, as if there had been no others."""
        first = self.given - count
        idle = self.idle[self.idle >= first] - first
        row = first - (len(self.idle) - len(idle))
        rows = self.alone(np.arange(row, len(self)))
        if not rows.fixed and rows.prediction is None:
            present, codes = np.unique(rows.truth.codes, return_inverse=True)
            names = [self.labels[place] for place in present.tolist()]
            rows = replace(rows, truth=Classes(codes.reshape(-1).astype(np.intp), names))
        by = tuple(partition.since(row, first) for partition in self.by)
        return replace(rows, by=by, idle=idle, without_weight=len(idle))


def class_rows(
    y_true: Column, y_pred: Column, *, proba: Any = None, labels: Iterable[Any] | None = None, weight: Column = None
) -> ClassRows:
    """Check and bring together the columns of a multi-class task."""
    return whole([_rows(RowData(y_true, y_pred, weight=weight, proba=proba), labels, batch=False)])


def _rows(table: RowData, labels: Iterable[Any] | None, *, batch: bool) -> ClassRows:
    """Rows of a task: what only all of them can show is left to `whole`."""
    proba = table.proba
    if table.prediction is None and proba is None:
        raise InputError("give the predicted labels, or proba=", "请给出预测标签，或 proba=")
    truth = vector(table.truth, "y_true")
    prediction = None if table.prediction is None else vector(table.prediction, "y_pred")
    weights = None if table.weight is None else vector(table.weight, "weight")
    same_length(truth, prediction, weights)
    matrix = None if proba is None else probability_matrix(proba, truth)
    partitions = row_partitions(table.by or {}, truth, batch=batch)
    weight = None if weights is None else cells.weights(weights, batch=batch)
    idle = _none()
    if weight is not None and not weight.all():
        kept, idle = np.flatnonzero(weight), np.flatnonzero(weight == 0)
        weight, truth = weight[kept], truth.take(kept)
        prediction = None if prediction is None else prediction.take(kept)
        matrix = None if matrix is None else matrix[kept]
        partitions = tuple(partition.take(kept) for partition in partitions)
    if len(truth):
        coded, predicted = common_classes(truth, prediction, labels)
    else:
        coded = Classes(np.zeros(0, np.intp), [] if labels is None else list(labels))
        predicted = None if prediction is None else coded
    named = tuple(str(name) for name in getattr(proba, "column_names", getattr(proba, "columns", ())))
    if matrix is not None and labels is not None and len(truth):
        refuse_other_columns(matrix.shape[1], named, coded.names, declared=True)
    declared = labels is not None
    return ClassRows(
        coded,
        predicted,
        weight,
        matrix,
        without_weight=len(idle),
        by=partitions,
        fixed=declared,
        declared=declared,
        columns=named,
        idle=idle,
    )


def read_classes(
    table: RowData, reading: Reading, labels: Iterable[Any] | None, named: Naming | None = None
) -> ClassRows:
    """A batch of rows, from columns or from a table that has them; `named` says what messages call them."""
    return _rows(Roles().read(table, reading, named), labels, batch=True)


def whole(batches: Sequence[ClassRows], classes: Sequence[Any] = ()) -> ClassRows:
    """The rows of all batches, coded by the classes that occur in any of them or in `classes`."""
    rows = joined(batches, classes)
    if rows.proba is None:
        return rows
    refuse_other_columns(rows.proba.shape[1], rows.columns, rows.labels, declared=rows.fixed)
    if rows.prediction is not None:
        return replace(rows, fixed=True)
    best = rows.proba.max(axis=1, keepdims=True)
    tied = int(np.count_nonzero((rows.proba == best).sum(axis=1) > 1))
    predicted, notes = Classes(rows.proba.argmax(axis=1), rows.labels), (*rows.notes, most_probable_note(tied))
    return replace(rows, prediction=predicted, notes=notes, tied=tied, fixed=True)


def joined(batches: Sequence[ClassRows], classes: Sequence[Any] = ()) -> ClassRows:
    """The rows of all batches, which are still a batch."""
    first = batches[0]
    if len(batches) == 1 and (not classes or list(classes) == first.labels):
        return first
    lists = [names for names in (list(classes), *(rows.labels for rows in batches)) if names]
    alike = all(names == lists[0] for names in lists)  # classes that were declared stand as they were
    names = sorted({name for names in lists for name in names}) if not alike else lists[0] if lists else []
    coded = [_recoded(rows, names) for rows in batches]
    return replace(
        first,
        truth=Classes(np.concatenate([true for true, _ in coded]), names),
        prediction=first.prediction and Classes(np.concatenate([predicted for _, predicted in coded]), names),
        weight=joined_arrays([rows.weight for rows in batches]),
        proba=joined_arrays([rows.proba for rows in batches]),
        without_weight=sum(rows.without_weight for rows in batches),
        by=joined_partitions([rows.by for rows in batches]),
        idle=np.concatenate([rows.idle + first for rows, first in zip(batches, _starts(batches), strict=False)]),
    )


def _starts(batches: Sequence[ClassRows]) -> Iterable[int]:
    """Where the rows of each batch begin among all that were given."""
    return accumulate((rows.given for rows in batches), initial=0)


def _recoded(rows: ClassRows, names: list[Any]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    true = rows.truth.codes
    predicted = true if rows.prediction is None else rows.prediction.codes
    if rows.labels == names or not len(rows):
        return true, predicted
    place = {name: i for i, name in enumerate(names)}
    at = np.array([place[name] for name in rows.labels], np.intp)
    return at[true], at[predicted]
