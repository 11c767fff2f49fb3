"""Uplift evidence: how many treated and control rows score at least as much as each distinct score, and their outcomes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.core import native_core, thread_count
from pingce.base.errors import InputError, rows_not_kept
from pingce.base.exact import Floats
from pingce.base.lazy import cached_property, pa
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence import soundness as sound
from pingce.inputs.slices import Partition
from pingce.uplift.rows import UpliftRows

if TYPE_CHECKING:
    from pingce.uplift.predictions import UpliftPredictions

_COLUMNS = {
    "score": sound.Column("float32 float64", (sound.FINITE,)),
    "treated": sound.Column("uint8", (sound.FLAG,)),
    "outcome": sound.Column("float64", (sound.FINITE,)),
    "weight": sound.Column("float64", (sound.AMOUNT,)),
    "count": sound.Column("int64", (sound.COUNT,)),
}


_MOST = 2**31 - 1
"Rows that the core counts."


@dataclass(frozen=True, eq=False)
class ArmTable:
    """One row per step, from the first rows to be treated on: rows of both arms so far, and the sums of their outcomes."""

    score: NDArray[Any]
    treated: NDArray[Any]
    control: NDArray[Any]
    treated_sum: NDArray[Any]
    control_sum: NDArray[Any]

    def __len__(self) -> int:
        return len(self.treated)

    @property
    def totals(self) -> tuple[float, float, float, float]:
        """Of all rows: treated, control, and the outcomes of each."""
        treated, control = self.treated[-1].item(), self.control[-1].item()
        return treated, control, self.treated_sum[-1].item(), self.control_sum[-1].item()

    def rows(self, step: int) -> float:
        """Rows of both arms up to a step."""
        return float(self.treated[step].item() + self.control[step].item())

    @property
    def is_whole(self) -> bool:
        """Whether rows count as whole numbers, at every step: they are not weighted, or by whole numbers."""
        sides = self.treated, self.control
        return all(side.dtype.kind in "iu" or bool((side == np.floor(side)).all()) for side in sides)

    def part(self, begin: int, end: int) -> ArmTable:
        """Some of the steps."""
        columns = self.score, self.treated, self.control, self.treated_sum, self.control_sum
        return ArmTable(*(column[begin:end] for column in columns))

    def best(self) -> ArmTable:
        """The best order for a Qini curve of outcomes 0 and 1: treated rows that respond, all that do not, control rows that respond."""
        treated, control, gained, lost = self.totals
        middle = (treated - gained, control - lost, 0, 0)
        return ArmTable.of_steps([(gained, 0, gained, 0), middle, (0, lost, 0, lost)])

    def best_uplift(self) -> ArmTable:
        """The same for an uplift curve: first treated rows that respond and control rows that do not; of the others the more numerous last."""
        treated, control, gained, lost = self.totals
        idle, taken = (treated - gained, 0, 0, 0), (0, lost, 0, lost)
        rest = [taken, idle] if lost > treated - gained else [idle, taken]
        return ArmTable.of_steps([(gained, 0, gained, 0), (0, control - lost, 0, 0), *rest])

    @staticmethod
    def of_steps(steps: Sequence[tuple[float, float, float, float]]) -> ArmTable:
        """A table of a few steps, each with what it adds."""
        columns = np.cumsum(np.array(steps, np.float64), axis=0)
        return ArmTable(np.arange(len(steps), 0, -1), *columns.T)


@dataclass(frozen=True, eq=False)
class Cells:
    """Distinct rows with how often each occurs, sorted: scores descend, then control rows come first, then by outcome and weight.

    Nothing of the rows is lost but their order, so that however batches are merged the same bits come out.
    """

    score: NDArray[Any]
    treated: NDArray[np.uint8]
    outcome: Floats
    weight: Floats
    number: NDArray[np.int64]

    @property
    def count(self) -> int:
        """How many rows they are."""
        return int(self.number.sum())

    def __len__(self) -> int:
        return len(self.score)

    @property
    def nbytes(self) -> int:
        """Bytes of memory."""
        return sum(int(getattr(self, name).nbytes) for name in _NAMES)

    @classmethod
    def of(cls, rows: UpliftRows) -> Cells:
        """The distinct rows."""
        ones = np.ones(len(rows), np.int64)
        return _grouped(rows.scores, rows.treated, rows.outcome.astype(np.float64), rows.weights, ones)

    def merge(self, other: Cells) -> Cells:
        """The cells of both sets of rows."""
        pairs = [np.concatenate([getattr(each, name) for each in (self, other)]) for name in _NAMES]
        return _grouped(*pairs)

    def table(self) -> ArmTable:
        """What follows for each distinct score."""
        cells = self.counted()
        fresh = np.ones(len(cells.score), bool)
        fresh[1:] = cells.score[1:] != cells.score[:-1]
        return _table(cells.score[fresh], np.cumsum(fresh) - 1, cells)

    def best_table(self) -> ArmTable:
        """The best order for a Qini curve: large outcomes of treated rows first, large ones of control rows last."""
        cells = self.counted()
        signed = np.where(cells.treated == 1, cells.outcome, -cells.outcome) + 0.0
        value, block = np.unique(-signed, return_inverse=True)
        order = np.argsort(block, kind="stable")
        return _table(-value, block[order], cells.select(order))

    def counted(self) -> Cells:
        """Without the rows of weight 0."""
        return self if self.weight.all() else self.select(np.flatnonzero(self.weight))

    def select(self, places: NDArray[np.intp]) -> Cells:
        """Some of the cells."""
        score, treated, outcome = self.score[places], self.treated[places], self.outcome[places]
        return Cells(score, treated, outcome, self.weight[places], self.number[places])

    def to_tables(self) -> dict[str, pa.Table]:
        """The cells as tables of a state."""
        columns = {name: getattr(self, "number" if name == "count" else name) for name in _COLUMNS}
        return {"sums": sound.stamped(columns, "uplift")}

    @classmethod
    def from_arrow(cls, table: pa.Table) -> Cells:
        """The cells that were written; they are sorted anew."""
        sound.checked_table(table, "uplift")
        columns = sound.checked_columns(table, _COLUMNS)
        return _grouped(*(columns[name] for name in _COLUMNS))


_NAMES = ("score", "treated", "outcome", "weight", "number")


def _grouped(
    score: NDArray[Any],
    treated: NDArray[np.uint8],
    outcome: Floats,
    weight: Floats,
    number: NDArray[np.int64],
) -> Cells:
    """Rows that are alike brought together; zeros of both signs are one number."""
    keys = score + 0, treated, outcome + 0.0, weight
    order = np.lexsort((keys[3], keys[2], keys[1], -keys[0]))
    columns: list[NDArray[Any]] = [key[order] for key in keys]
    fresh = np.zeros(len(order), bool)
    fresh[:1] = True
    for column in columns:
        fresh[1:] |= column[1:] != column[:-1]
    starts = np.flatnonzero(fresh)
    score, treated, outcome, weight = (column[starts] for column in columns)
    return Cells(score, treated, outcome, weight, np.add.reduceat(number[order], starts) if len(starts) else number)


def _table(score: NDArray[Any], block: NDArray[Any], cells: Cells) -> ArmTable:
    """Running sums by block; `bincount` adds one after another, so that no bit depends on the machine."""
    amount = cells.weight * cells.number
    sums = [
        np.bincount(block, np.where(cells.treated == arm, column, 0.0), len(score))
        for column in (amount, amount * cells.outcome)
        for arm in (1, 0)
    ]
    return ArmTable(score, *map(np.cumsum, sums))


class UpliftEvidence:
    """The evidence of some rows; each table is made when a metric first asks for it."""

    def __init__(
        self,
        rows: UpliftRows | None,
        cells: Cells | None = None,
        *,
        facts: Mapping[str, bool] | None = None,
        threads: int | None = None,
    ) -> None:
        self._rows, self._cells, self.threads = rows, cells, threads
        self.facts = facts or {}
        "Whether rows were weighted, and propensities given."
        self.notes: tuple[Text, ...] = ()

    @classmethod
    def of(cls, rows: UpliftRows, threads: int | None = None) -> UpliftEvidence:
        """The evidence of rows."""
        facts = {"weight": rows.is_weighted, "propensity": rows.has_propensity}
        return cls(rows, facts=facts, threads=threads)

    @property
    def data(self) -> UpliftRows:
        """The rows, where they were kept."""
        if self._rows is None:
            raise rows_not_kept()
        return self._rows

    @property
    def count(self) -> int:
        """How many rows, also of weight 0."""
        return self.cells.count if self._rows is None else len(self._rows)

    @property
    def weight(self) -> float:
        """Σ w."""
        treated, control, _, _ = self.table.totals
        return float(treated + control)

    @property
    def partitions(self) -> tuple[Partition, ...]:
        """What the rows are sliced by."""
        return () if self._rows is None else self._rows.by

    def prepare(self, metrics: Sequence[object]) -> None:
        """Make at once what several metrics read: the table is."""

    def view(self, policies: object) -> UpliftEvidence:
        """The evidence under the policies of a metric: none of them changes it."""
        return self

    def part(self, places: NDArray[np.intp]) -> UpliftEvidence:
        """The evidence of some of the rows."""
        return UpliftEvidence.of(self.data.select(places), self.threads)

    def predictions(self) -> UpliftPredictions:
        """The predictions behind it, for paired tests."""
        from pingce.uplift.predictions import UpliftPredictions

        return UpliftPredictions(self)

    @cached_property
    def cells(self) -> Cells:
        """The distinct rows."""
        return Cells.of(self.data.counted()) if self._cells is None else self._cells

    @cached_property
    def is_binary(self) -> bool:
        """Whether outcomes are 0 and 1."""
        if self._rows is not None:
            return bool(self._rows.outcome.dtype == np.uint8)
        return bool(np.isin(self.cells.outcome, (0.0, 1.0)).all())

    @cached_property
    def table(self) -> ArmTable:
        """The table of distinct scores."""
        rows = self._rows
        if rows is not None and rows.is_plain and len(rows) <= _MOST and native_core() is not None:
            return counted_table(rows, self.threads)
        return self.cells.table()

    @cached_property
    def best_table(self) -> ArmTable:
        """The best order for a Qini curve."""
        return self.table.best() if self.is_binary else self.cells.best_table()

    @cached_property
    def best_uplift_table(self) -> ArmTable | None:
        """The best order for an uplift curve; known for outcomes of 0 and 1 only."""
        return self.table.best_uplift() if self.is_binary else None


def counted_table(rows: UpliftRows, threads: int | None) -> ArmTable:
    """The table of rows that are counted, by the core."""
    core: Any = native_core()
    columns = (np.ascontiguousarray(column) for column in (rows.treated, rows.outcome, rows.scores))
    return ArmTable(*core.tabulate_flags(*columns, thread_count(threads)))


def refuse_one_arm(evidence: UpliftEvidence) -> None:
    """Refuse rows that were all treated, or none of them: there is nothing to compare with."""
    treated, control, _, _ = evidence.table.totals if len(evidence.table) else (0, 0, 0, 0)
    if treated and control:
        return
    side = Text("treated", "干预组") if not treated else Text("control", "对照组")
    raise InputError(
        f"there is no {side.en} row that counts: uplift compares outcomes of treated rows (treatment 1) with those of control rows "
        "(treatment 0); give rows of both arms",
        f"没有计入的{side.zh}样本：增益比较干预组（treatment 为 1）与对照组（treatment 为 0）的结果；请给出两组的数据",
    )
