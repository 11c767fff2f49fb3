"""The middle form of off-policy values: rewards and the probabilities of both policies, a row each, checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.exact import Floats
from pingce.base.lazy import cached_property
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.inputs import cells
from pingce.inputs.columns import Place, Reading, joined_place
from pingce.inputs.data import RowData
from pingce.inputs.predictions import Naming, Roles
from pingce.inputs.slices import Partition, joined_partitions, row_partitions
from pingce.inputs.vectors import Vector, same_length, vector
from pingce.tasks.offpolicy import OFFPOLICY

NUMBERS = ("reward", "target", "logging")
"What every row has."
ESTIMATES = ("logged_estimate", "target_estimate")
"What a row has where a model of the reward was given."


@dataclass(frozen=True, eq=False)
class OffpolicyRows:
    """Reward, and how likely each policy was to do what was logged."""

    reward: Floats
    target: Floats
    "Of the policy whose value is asked for."
    logging: Floats
    "Of the policy that wrote the log; above 0."
    logged_estimate: Floats | None = None
    "What a model expects of what was logged."
    target_estimate: Floats | None = None
    "What it expects of the target policy."
    weight: Floats | None = None
    "How often a row counts."
    place: Place | None = None
    by: tuple[Partition, ...] = ()
    "What the rows are sliced by."

    def __len__(self) -> int:
        return len(self.reward)

    @cached_property
    def ratio(self) -> Floats:
        """The importance weight of each row: target over logging, rounded once."""
        ratio: Floats = self.target / self.logging
        return ratio

    def columns(self) -> dict[str, Floats]:
        """All numbers of a row that are there, by name."""
        every = {name: getattr(self, name) for name in (*NUMBERS, *ESTIMATES, "weight")}
        return {name: column for name, column in every.items() if column is not None}

    def select(self, chosen: NDArray[np.intp]) -> OffpolicyRows:
        """Some rows."""
        columns = {name: column[chosen] for name, column in self.columns().items()}
        return OffpolicyRows(**columns, place=lambda row: self.place_of(int(chosen[row])), by=())

    def last(self, count: int) -> OffpolicyRows:
        """The last rows, as if there had been no others."""
        first = len(self) - count
        by = tuple(partition.since(first, first) for partition in self.by)
        return replace(self.select(np.arange(first, len(self))), by=by)

    def counted(self) -> OffpolicyRows:
        """Without the rows of weight 0."""
        return self if self.weight is None or self.weight.all() else self.select(np.flatnonzero(self.weight))

    def owned(self) -> OffpolicyRows:
        """The same in memory that nobody else writes to."""
        columns = {name: column.copy() for name, column in self.columns().items()}
        return OffpolicyRows(**columns, place=self.place, by=self.by)

    def place_of(self, row: int) -> Text:
        """The row, in words."""
        return self.place(row) if self.place else Text(f"row {row}", f"第 {row} 行（从 0 起）")


def read_rows(table: RowData, reading: Reading, named: Naming | None = None) -> OffpolicyRows:
    """A batch of rows, from columns or from a table that has them; `named` says what messages call them."""
    roles = Roles("y_pred", numbers=("y_true", "y_pred", "weight"), declared=OFFPOLICY.columns)
    return offpolicy_rows(roles.read(table, reading, named), batch=True, threads=reading.threads)


def offpolicy_rows(table: RowData, *, batch: bool = False, threads: int | None = None) -> OffpolicyRows:
    """Check and bring together the columns."""
    vectors = {"reward": vector(table.truth, "y_true"), "target": vector(table.prediction, "y_pred")}
    vectors["logging"] = vector(table.roles["propensity"], "propensity")
    vectors |= {name: vector(table.roles[name], name) for name in ESTIMATES if table.roles.get(name) is not None}
    weights = None if table.weight is None else vector(table.weight, "weight")
    same_length(*vectors.values(), weights)
    numbers = {name: _doubles(column, threads) for name, column in vectors.items()}
    _refuse_chances(vectors["logging"], numbers["logging"], vectors["target"], numbers["target"])
    rows = OffpolicyRows(
        **numbers,
        weight=None if weights is None else cells.weights(weights, batch=batch, threads=threads),
        place=vectors["reward"].place,
        by=row_partitions(table.by or {}, vectors["reward"], batch=batch),
    )
    _refuse_infinite(rows)
    return rows


def _doubles(column: Vector, threads: int | None) -> Floats:
    return cells.numbers(column, threads).astype(np.float64, copy=False)


def _refuse_chances(column: Vector, logging: Floats, other: Vector, target: Floats) -> None:
    """Refuse what is no probability; the logging policy must have been able to do what it did."""
    column.refuse(
        ~((logging > 0) & (logging <= 1)),
        "{name} is {value:g}; the probability with which the logging policy did what it did is above 0 and at most 1: what it never does is "
        "not in its log ({count} in all)",
        "{name} 为 {value:g}；日志策略选中所记录动作的概率须大于 0 且不超过 1：从不选的动作不会出现在日志中（共 {count} 处）",
    )
    other.refuse(
        ~((target >= 0) & (target <= 1)),
        "{name} is {value:g}; the probability with which the target policy would do the same is from 0 to 1 ({count} in all)",
        "{name} 为 {value:g}；目标策略选中同一动作的概率须在 0 到 1 之间（共 {count} 处）",
    )


def _refuse_infinite(rows: OffpolicyRows) -> None:
    """Refuse a weight that doubles cannot hold."""
    with np.errstate(over="ignore"):
        bad = ~np.isfinite(rows.ratio)
    if not bad.any():
        return
    row = int(bad.argmax())
    place = rows.place_of(row)
    raise InputError(
        f"{place.en}: {rows.target[row]:g} / {rows.logging[row]:g} is beyond the range of doubles; such a propensity is no probability "
        "that anybody measured: leave the row out, or mend it",
        f"{place.zh}：{rows.target[row]:g} / {rows.logging[row]:g} 超出双精度范围；这样的倾向概率不可能是测得的：请去掉该行或更正",
    )


def joined(batches: Sequence[OffpolicyRows]) -> OffpolicyRows:
    """The rows of all batches, one after another; they have the same columns."""
    if len(batches) == 1:
        return batches[0]
    columns = {name: np.concatenate([rows.columns()[name] for rows in batches]) for name in batches[0].columns()}
    place = joined_place([rows.place_of for rows in batches], map(len, batches))
    return OffpolicyRows(**columns, place=place, by=joined_partitions([rows.by for rows in batches]))
