"""The middle form of uplift: outcomes, treatments and scores, a row each, checked; propensities become weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.core import native_core, thread_count
from pingce.base.errors import InputError
from pingce.base.exact import Floats
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.inputs import cells
from pingce.inputs.columns import Place, Reading, joined_place
from pingce.inputs.data import RowData
from pingce.inputs.predictions import Naming, Roles
from pingce.inputs.slices import Partition, joined_partitions, row_partitions
from pingce.inputs.vectors import Vector, same_length, vector
from pingce.tasks.uplift import UPLIFT

Flags = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class UpliftRows:
    """Outcome, treatment and score of each row."""

    outcome: NDArray[Any]
    "uint8 where all are 0 or 1, else doubles."
    treated: Flags
    scores: NDArray[Any]
    weight: Floats | None = None
    "How often a row counts: its weight, over the probability of the arm that it is in where that was given."
    is_weighted: bool = False
    has_propensity: bool = False
    place: Place | None = None
    by: tuple[Partition, ...] = ()
    "What the rows are sliced by."

    def __len__(self) -> int:
        return len(self.scores)

    @property
    def is_plain(self) -> bool:
        """Whether rows can be counted: outcomes are 0 and 1, and all rows weigh the same."""
        return self.weight is None and self.outcome.dtype == np.uint8

    @property
    def weights(self) -> Floats:
        """The weight of each row, 1 without weights."""
        return np.ones(len(self)) if self.weight is None else self.weight

    def select(self, chosen: NDArray[np.intp]) -> UpliftRows:
        """Some rows."""
        return replace(
            self,
            outcome=self.outcome[chosen],
            treated=self.treated[chosen],
            scores=self.scores[chosen],
            weight=None if self.weight is None else self.weight[chosen],
            place=lambda row: self.place_of(int(chosen[row])),
            by=(),
        )

    def last(self, count: int) -> UpliftRows:
        """The last rows, as if there had been no others."""
        first = len(self) - count
        by = tuple(partition.since(first, first) for partition in self.by)
        return replace(self.select(np.arange(first, len(self))), by=by)

    def counted(self) -> UpliftRows:
        """Without the rows of weight 0."""
        return self if self.weight is None or self.weight.all() else self.select(np.flatnonzero(self.weight))

    def owned(self) -> UpliftRows:
        """The same in memory that nobody else writes to."""
        weight = None if self.weight is None else self.weight.copy()
        return replace(
            self, outcome=self.outcome.copy(), treated=self.treated.copy(), scores=self.scores.copy(), weight=weight
        )

    def place_of(self, row: int) -> Text:
        """The row, in words."""
        return self.place(row) if self.place else Text(f"row {row}", f"第 {row} 行（从 0 起）")


def read_rows(table: RowData, reading: Reading, named: Naming | None = None) -> UpliftRows:
    """A batch of rows, from columns or from a table that has them; `named` says what messages call them."""
    roles = Roles("y_score", numbers=("y_true", "y_score", "weight"), declared=UPLIFT.columns)
    return uplift_rows(roles.read(table, reading, named), batch=True, threads=reading.threads)


def uplift_rows(table: RowData, *, batch: bool = False, threads: int | None = None) -> UpliftRows:
    """Check and bring together the columns of uplift."""
    outcome, score = vector(table.truth, "y_true"), vector(table.prediction, "y_score")
    treatment = vector(table.roles["treatment"], "treatment")
    weights = None if table.weight is None else vector(table.weight, "weight")
    propensity = table.roles.get("propensity")
    chances = None if propensity is None else vector(propensity, "propensity")
    same_length(outcome, score, treatment, weights, chances)
    treated = _flags(treatment, threads)
    if treated is None:
        raise _no_treatment(treatment)
    values = _flags(outcome, threads)
    scores = cells.numbers(score, threads)
    weight = None if weights is None else cells.weights(weights, batch=batch, threads=threads)
    if chances is not None:
        weight = _over_chances(chances, treated, weight)
    return UpliftRows(
        cells.numbers(outcome, threads).astype(np.float64, copy=False) if values is None else values,
        treated,
        scores.astype(np.float32) if scores.dtype == np.float16 else scores,
        weight,
        weights is not None,
        chances is not None,
        score.place,
        row_partitions(table.by or {}, outcome, batch=batch),
    )


def _flags(column: Vector, threads: int | None) -> Flags | None:
    """A column of 0 and 1, also as truth values, as bytes; None where it holds anything else."""
    values: NDArray[Any] = column.values
    if not column.is_array or values.dtype.kind not in "biuf" or not len(values):
        return None
    if values.dtype.kind == "b":
        return values.astype(np.uint8)
    core = native_core()
    if core is not None and values.dtype != np.float16:
        labels = core.two_labels(np.ascontiguousarray(values), thread_count(threads))
        if labels is None or not {values[labels[0]], values[labels[1]]} <= {0, 1}:
            return None
        if labels[0] != labels[1]:
            return labels[3]
    return values.astype(np.uint8) if bool(((values == 0) | (values == 1)).all()) else None


def _no_treatment(column: Vector) -> InputError:
    """What to say of a treatment that is not 0 or 1."""
    values = cells.numbers(column)
    row = int(((values != 0) & (values != 1)).argmax())
    place, count = column.place(row), int(np.count_nonzero((values != 0) & (values != 1)))
    return InputError(
        f"{place.en}: {column.name.en} is {values[row]:g}, but a row was treated (1) or not (0); of several treatments compare one "
        f"with the control rows at a time ({count} in all)",
        f"{place.zh}：{column.name.zh} 为 {values[row]:g}，而它应为 1（干预）或 0（对照）；有多种干预时，请每次取一种与对照组比较（共 {count} 处）",
    )


def _over_chances(column: Vector, treated: Flags, weight: Floats | None) -> Floats:
    """Each row's weight over the probability of the arm that it is in."""
    chances = cells.numbers(column).astype(np.float64, copy=False)
    column.refuse(
        ~((chances > 0) & (chances < 1)),
        "{name} is {value:g}; the probability to be treated lies between 0 and 1, ends excluded: rows that were sure of an arm say "
        "nothing of the other, leave them out ({count} in all)",
        "{name} 为 {value:g}；被干预的概率须大于 0 且小于 1：必定在某一组的行说明不了另一组，请去掉（共 {count} 处）",
    )
    arm: Floats = np.where(treated == 1, chances, 1 - chances)
    return (1.0 if weight is None else weight) / arm


def joined(batches: Sequence[UpliftRows]) -> UpliftRows:
    """The rows of all batches, one after another."""
    if len(batches) == 1:
        return batches[0]
    first = batches[0]
    plain = all(rows.outcome.dtype == np.uint8 for rows in batches)
    return replace(
        first,
        outcome=np.concatenate([rows.outcome if plain else rows.outcome.astype(np.float64) for rows in batches]),
        treated=np.concatenate([rows.treated for rows in batches]),
        scores=np.concatenate([rows.scores for rows in batches]),
        weight=None if first.weight is None else np.concatenate([rows.weights for rows in batches]),
        place=joined_place([rows.place_of for rows in batches], map(len, batches)),
        by=joined_partitions([rows.by for rows in batches]),
    )
