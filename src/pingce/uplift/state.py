"""What an evaluator of uplift has seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.lazy import pa
from pingce.base.memory import human
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.soundness import AMOUNT, FINITE, FLAG, Column, checked_columns, demand
from pingce.inputs.data import RowData
from pingce.inputs.names import LABEL, PREDICTED_SCORE
from pingce.inputs.predictions import Naming
from pingce.request import Request
from pingce.run.memory import RowBudget
from pingce.run.states.rows import RowState, Shape, slice_shape
from pingce.run.states.tables import slice_columns, slices_from
from pingce.run.temporary import Workspace
from pingce.uplift.evidence import Cells, UpliftEvidence, refuse_one_arm
from pingce.uplift.rows import UpliftRows, joined, read_rows

if TYPE_CHECKING:
    from typing_extensions import Self

_COLUMNS = {
    "outcome": Column("uint8 float64", (FINITE,)),
    "treated": Column("uint8", (FLAG,)),
    "score": Column("float32 float64", (FINITE,)),
    "weight": Column("float64", (AMOUNT,), optional=True),
}


_ROW_BYTES = 40
"Of a row that waits, about."
_LEAST_ROOM = 1 << 20
"Bytes that distinct rows may take however little memory there is: Python itself takes far more."


@dataclass(frozen=True)
class Room:
    """How many bytes the distinct rows of a stream may take."""

    name: Text
    "Of the stream."
    most: int

    def refuse_more(self, cells: Cells) -> None:
        """Refuse distinct rows that take more: while they are sorted and scored they are there several times over."""
        if cells.nbytes <= self.most:
            return
        rows, size, most = f"{len(cells):,}", human(cells.nbytes), human(self.most)
        raise InputError(
            f"{self.name.en}: {rows} distinct rows (score, treatment, outcome, weight) so far take {size}, and {most} of the memory are for "
            "them; give more --memory (memory=), or round the scores: rows that are alike are counted as one",
            f"{self.name.zh}：到目前为止有 {rows} 种不同的行（分数、干预、结果、权重），占 {size}，而可用于它们的内存为 {most}；"
            "请调大 --memory（memory=），或舍入分数：相同的行合并计数",
        )


class UpliftState(RowState[UpliftRows, Cells]):
    """Rows of both arms, or the distinct ones with how often each occurs."""

    _room: Room | None = None
    "Of a stream."
    usual = ("qini", "auuc", "uplift@0.1", "uplift@0.3", "uplift")
    numbers = ("y_true", "y_score", "weight")
    truth_names = ("outcome", "conversion", "visit", *LABEL)
    prediction_names = ("uplift", "tau", "cate", "ite", *PREDICTED_SCORE)
    prediction_name = "score"

    @staticmethod
    def far_of(tables: Any) -> None:
        return None

    @classmethod
    def for_stream(cls, request: Request, name: Text, workspace: Workspace, budget: RowBudget) -> Self:
        """A state that keeps distinct rows, and no more of them than memory is allowed."""
        state = cls(request)
        room, most = max(_LEAST_ROOM, budget.counted), max(_LEAST_ROOM, budget.waiting)
        state._room, state._many = Room(name, room), most // _ROW_BYTES
        return state

    def read(self, table: RowData, named: Naming | None = None) -> UpliftRows:
        return read_rows(table, self.request.reading, named)

    def shape_of(self, rows: UpliftRows) -> Shape:
        flags = {"weight": rows.is_weighted, "propensity": rows.has_propensity}
        shape = {name: "given" if flag else "" for name, flag in flags.items()}
        return {**shape, "scores": rows.scores.dtype.name} | slice_shape(rows.by)

    def take(self, rows: UpliftRows, places: NDArray[np.intp]) -> UpliftRows:
        return rows.select(places)

    def last(self, rows: UpliftRows, count: int) -> UpliftRows:
        return rows.last(count)

    def join(self, batches: Sequence[UpliftRows]) -> UpliftRows:
        return joined(batches)

    def evidence_of(self, rows: UpliftRows) -> UpliftEvidence:
        evidence = UpliftEvidence.of(rows, self.request.threads)
        refuse_one_arm(evidence)
        return evidence

    def sum_up(self, rows: UpliftRows) -> Cells:
        return self._within_room(Cells.of(rows))

    def add_sums(self, ours: Cells, theirs: Cells) -> Cells:
        return self._within_room(ours.merge(theirs))

    def _within_room(self, cells: Cells) -> Cells:
        if self._room is not None:
            self._room.refuse_more(cells)
        return cells

    def evidence_of_sums(self, sums: Cells) -> UpliftEvidence:
        facts = {name: bool(self._shape[name]) for name in ("weight", "propensity")}
        evidence = UpliftEvidence(None, sums, facts=facts, threads=self.request.threads)
        refuse_one_arm(evidence)
        return evidence

    def sums_from(self, tables: Mapping[str, pa.Table]) -> Cells:
        return Cells.from_arrow(tables["sums"])

    def tables_of_rows(self, rows: UpliftRows) -> dict[str, pa.Table]:
        columns = {"outcome": rows.outcome, "treated": rows.treated, "score": rows.scores}
        weight = {} if rows.weight is None else {"weight": rows.weight}
        return {"rows": pa.table({**columns, **weight, **slice_columns(rows.by)})}

    def rows_from(self, tables: Mapping[str, pa.Table]) -> UpliftRows:
        table = tables["rows"]
        columns = checked_columns(table, _COLUMNS)
        outcome, weight = columns["outcome"], columns.get("weight")
        demand(outcome.dtype != np.uint8 or bool((outcome <= 1).all()), "outcomes are not 0 or 1", "结果不是 0 或 1")
        is_weighted, has_propensity = (bool(self._shape.get(name)) for name in ("weight", "propensity"))
        demand(
            (is_weighted or has_propensity) == (weight is not None),
            "weights are missing, or too many",
            "权重缺失或多余",
        )
        return UpliftRows(
            outcome,
            columns["treated"],
            columns["score"],
            weight,
            is_weighted,
            has_propensity,
            by=slices_from(table),
        )
