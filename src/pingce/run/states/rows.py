"""States of rows: batches wait until there are many of them, and are then added up, or kept where a metric needs rows."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Mapping, Sequence, Sized
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError, nothing_seen
from pingce.base.json import Json
from pingce.base.lazy import pa
from pingce.base.text import Text
from pingce.evidence.soundness import WHOLE, checked_json, checked_value, demand
from pingce.inputs.cells import refuse_weightless
from pingce.inputs.slices import Partition, SlicePart, refuse_without_values
from pingce.metrics.grammar import MetricRequest
from pingce.request import Request
from pingce.run.score import score
from pingce.run.states.base import Batches, State
from pingce.run.states.window import checked_window, slide, window_notes

if TYPE_CHECKING:
    from typing_extensions import Self


MANY = 1_000_000
"Rows that wait before they are added up, where memory is not short: few enough to hold, enough for threads to share."

_Rows = TypeVar("_Rows", bound=Sized)
_Sums = TypeVar("_Sums", bound="Sums")
Shape = dict[str, str]


class Sums(Protocol):
    """What is kept of rows that are added up."""

    @property
    def count(self) -> int:
        """How many rows the sums are of, also of weight 0."""

    def merge(self, other: Self) -> Self:
        """The sums of both sets of rows."""

    def to_tables(self) -> dict[str, pa.Table]:
        """Sums as tables."""


class RowState(State, Generic[_Rows, _Sums]):
    """What states of classes and of numbers have in common."""

    def __init__(self, request: Request, *, is_far: bool = False, far: Any = None) -> None:
        self.request = replace(request, window=checked_window(request.window))
        self.is_far, self._far = is_far, far
        "Whether what needs rows is made where they lie, so that here sums suffice; and what makes it, while that is at hand."
        self._waiting: list[_Rows] = []
        self._count = 0
        "Rows that wait."
        self._many = MANY
        self._sums: _Sums | None = None
        self._shape: Shape = {}
        "What the first batch had: every other must have the same."
        self.batches = Batches()
        self.notes: tuple[Text, ...] = ()
        "What readers of the scores should know."
        self.rows = 0

    @classmethod
    def for_cluster(cls, request: Request, tables: Any) -> Self:
        far = cls.far_of(tables)
        return cls(request, is_far=far is not None, far=far)

    @staticmethod
    @abstractmethod
    def far_of(tables: Any) -> Any:
        """What answers for rows that lie elsewhere; None where no metric needs them."""

    def settings(self) -> Json:
        return {"is_far": True} if self.is_far else {}

    @classmethod
    def from_settings(cls, request: Request, settings: Json) -> Self:
        return cls(request, is_far=settings.get("is_far", False))

    def add(self, rows: _Rows) -> None:
        shape = agreed(self._shape, self.shape_of(rows))
        self._add_up_many()
        self._shape = shape
        self._waiting.append(rows)
        self._count += len(rows)
        self.batches.count += 1
        self.rows += self.size_of(rows)
        self._slide()

    def merge(self, other: Self) -> None:
        if not other._shape:
            return
        shape = agreed(self._shape, other._shape)
        self._add_up_many()
        if other._sums is not None:
            self._sums = other._sums if self._sums is None else self.add_sums(self._sums, other._sums)
        self._shape = shape
        self._waiting += other._waiting
        self._count += other._count
        self.batches.count += other.batches.count
        self.rows += other.rows
        self._slide()

    def _slide(self, *, exact: bool = False) -> None:
        """Forget rows that are no longer among the last."""
        if self.request.window is not None and self.rows > self.request.window:
            excess = self.rows - self.request.window
            self.rows -= slide(self._waiting, excess, self.size_of, self.last, exact=exact)

    def score(self) -> Any:
        if not self._shape:
            raise nothing_seen()
        self._slide(exact=True)
        if self._sums is None:
            batch: Any = self.join(self._waiting)
            self._waiting = [batch]
            if batch.weight is not None:
                refuse_weightless(batch.weight, Text("weight", "weight"))
            refuse_without_values(batch.by)
            evidence = self.evidence_of(self.join_all([batch]))
        else:
            evidence = self.evidence_of_sums(self._add_up())
            refuse_weightless(np.array([float(evidence.weight)]), Text("weight", "weight"))
        scores = score(self.request, self.metrics, evidence)
        scores.notes = (*scores.notes, *self.notes, *window_notes(self.request.window, self.rows))
        return scores

    def score_rows(self, rows: _Rows) -> Any:
        self._shape = self.shape_of(rows)
        return score(self.request, self.metrics, self.evidence_of(rows))

    def to_tables(self) -> dict[str, pa.Table]:
        if not self._shape:
            return {}
        self._slide(exact=True)
        about = pa.table({"shape": [json.dumps(self._shape, ensure_ascii=False)], "rows": [self.rows]})
        if self.adds_up:
            return {"seen": about} | self._add_up().to_tables()
        sums = {} if self._sums is None else self._sums.to_tables()
        waiting = self.tables_of_rows(self.join(self._waiting)) if self._waiting else {}
        return {"seen": about} | sums | waiting

    def take_tables(self, tables: Mapping[str, pa.Table]) -> None:
        if "seen" not in tables:
            return
        (summary,) = checked_value(tables["seen"].to_pylist(), [{"shape": str, "rows": WHOLE}], "seen")
        demand("sums" in tables or "rows" in tables, "what was seen is missing", "缺少内容")
        self._shape = checked_json(summary["shape"], {"weight": str, "by": str, str: str}, "shape")
        self._sums = self.sums_from(tables) if "sums" in tables else None
        self._waiting = [self.rows_from(tables)] if "rows" in tables else []
        for rows in self._waiting:
            agreed(self._shape, self.shape_of(rows))
        self._count = sum(map(len, self._waiting))
        self.batches.count, self.rows = 1, summary["rows"]
        added = 0 if self._sums is None else self._sums.count
        demand(added + sum(map(self.size_of, self._waiting)) == self.rows, "rows are counted wrongly", "行数有误")

    def _add_up_many(self) -> None:
        if self._count >= self._many and self.adds_up:
            self._sums, self._waiting, self._count = self._add_up(), [], 0

    def _add_up(self) -> _Sums:
        """The sums of everything."""
        if not self._waiting and self._sums is not None:
            return self._sums
        sums = self.sum_up(self.join_all(self._waiting))
        return sums if self._sums is None else self.add_sums(self._sums, sums)

    @classmethod
    def sums_slices(cls, request: Request) -> bool:
        return not any(metric.metric.needs_rows for metric in request.metrics or request.usual(cls.usual))

    def split_slices(self, rows: Any) -> tuple[Any, list[SlicePart]]:
        parts = [part for partition in rows.by for part in partition.split()]
        return replace(rows, by=()), [replace(part, rows=self.take(rows, part.places)) for part in parts]

    def requests_for(self, evidence: Any) -> Sequence[MetricRequest]:
        return self.metrics

    def part_evidence(self, evidence: Any) -> Any:
        if not self._shape:
            return None
        part = self.evidence_of_sums(self._add_up())
        return part if part.weight else None

    @property
    def metrics(self) -> Sequence[MetricRequest]:
        """The metrics, or the usual ones for what the batches have."""
        return self.request.metrics or self.request.usual(self.usual)

    @property
    def adds_up(self) -> bool:
        """Whether sums suffice, and can be made now."""
        sliced = not self._shape or bool(self._shape["by"])
        rows_needed = not self.is_far and any(metric.metric.needs_rows for metric in self.metrics)
        draws = self.request.intervals.ci is not None
        return not sliced and not rows_needed and not draws and self.request.window is None

    @abstractmethod
    def shape_of(self, rows: _Rows) -> Shape:
        """What kinds of columns a batch has."""

    def size_of(self, rows: _Rows) -> int:
        """How many rows, also of weight 0."""
        return len(rows)

    @abstractmethod
    def take(self, rows: _Rows, places: NDArray[np.intp]) -> _Rows:
        """Some rows of a batch, as if there were no others."""

    @abstractmethod
    def last(self, rows: _Rows, count: int) -> _Rows:
        """The last rows of a batch, as if there had been no others."""

    @abstractmethod
    def join(self, batches: Sequence[_Rows]) -> _Rows:
        """The rows of several batches, which are still a batch."""

    def join_all(self, batches: Sequence[_Rows]) -> _Rows:
        """The rows of all batches, of which evidence can be made."""
        return self.join(batches)

    @abstractmethod
    def evidence_of(self, rows: _Rows) -> Any:
        """The evidence of rows."""

    @abstractmethod
    def sum_up(self, rows: _Rows) -> _Sums:
        """The sums of rows."""

    def add_sums(self, ours: _Sums, theirs: _Sums) -> _Sums:
        """The sums of both."""
        return ours.merge(theirs)

    @abstractmethod
    def evidence_of_sums(self, sums: _Sums) -> Any:
        """The evidence of rows that were added up and not kept."""

    @abstractmethod
    def sums_from(self, tables: Mapping[str, pa.Table]) -> _Sums:
        """The sums that were written as tables."""

    @abstractmethod
    def tables_of_rows(self, rows: _Rows) -> dict[str, pa.Table]:
        """Rows as tables."""

    @abstractmethod
    def rows_from(self, tables: Mapping[str, pa.Table]) -> _Rows:
        """The rows that `tables_of_rows` wrote."""


NAMES = {
    "weight": Text("weights", "权重"),
    "y_pred": Text("predicted labels", "预测标签"),
    "proba": Text("probabilities", "概率"),
    "labels": Text("labels", "标签"),
    "by": Text("columns to slice by", "切片列"),
}
_KINDS = {
    "": Text("none", "无"),
    "given": Text("given", "已给出"),
    "strings": Text("strings", "字符串"),
    "integers": Text("integers", "整数"),
    "truth values": Text("truth values", "布尔值"),
    "numbers": Text("numbers", "数字"),
    "words": Text("words", "文字"),
}
ANY = "*"
"A batch that cannot tell: all its values are missing, or of weight 0."


def agreed(first: Shape, now: Shape) -> Shape:
    """The shape of all batches; one that differs from the first is refused."""
    if not first:
        return now
    for name in {**first, **now}:
        ours, theirs = first.get(name, ""), now.get(name, "")
        if ours != theirs and ANY not in (ours, theirs):
            had, has = (_KINDS.get(kind, Text(kind, kind)) for kind in (ours, theirs))
            plain = f"by '{name.removeprefix('by.')}'" if name.startswith("by.") else name
            title = NAMES.get(name, Text(plain, plain))
            raise InputError(
                f"{title.en}: {had.en} in the first batch, {has.en} in this one; give all batches the same columns of the same types",
                f"{title.zh}：第一批为{had.zh}，这一批为{has.zh}；各批的列与类型须相同",
            )
    return {name: now[name] if kind == ANY and name in now else kind for name, kind in first.items()}


def slice_shape(by: Sequence[Partition]) -> Shape:
    """What rows are sliced by."""
    kinds = {partition.by: _kind_of(partition.values) for partition in by}
    return {"by": ", ".join(kinds)} | {f"by.{name}": kind for name, kind in kinds.items()}


def _kind_of(values: Sequence[Any]) -> str:
    if not values:
        return ANY
    first = values[0]
    for kind, types in (("truth values", (bool, np.bool_)), ("words", (str,)), ("numbers", (int, float, np.number))):
        if isinstance(first, types):
            return kind
    return type(first).__name__
