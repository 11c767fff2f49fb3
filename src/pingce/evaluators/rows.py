"""Evaluators of rows: batches wait until there are many of them, and are then added up, or kept where a metric needs rows."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence, Sized
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from pingce.base.errors import EmptyInputError, InputError, nothing_seen
from pingce.base.text import Text
from pingce.evaluators.base import Evaluator
from pingce.evaluators.batches import Batches, refuse_rows
from pingce.evidence.soundness import WHOLE, checked_json, checked_value, demand

if TYPE_CHECKING:
    import pyarrow as pa
    from typing_extensions import Self

    from pingce.inputs.slices import Partition

MANY = 1_000_000
"Rows that wait before they are added up: few enough to hold, enough for threads to share."

_Rows = TypeVar("_Rows", bound=Sized)
_Sums = TypeVar("_Sums")
Shape = dict[str, str]


class RowEvaluator(Evaluator, Generic[_Rows, _Sums]):
    """What evaluators of classes and of numbers have in common."""

    _waiting: list[_Rows]
    _count: int
    "Rows that wait."
    _sums: _Sums | None
    _batches: Batches
    rows_seen: int
    "All rows."
    _shape: Shape | None
    "What the first batch had: every other must have the same."

    def reset(self) -> Self:
        """Forget all rows."""
        self._waiting, self._count, self._sums, self._shape = [], 0, None, None
        self._batches, self.rows_seen = Batches(), 0
        return self

    def update_rows(self, rows: _Rows) -> Self:
        """See rows that were read before; they must not change afterwards."""
        shape = agreed(self._shape, self._shape_of(rows))
        self._add_up_many()
        self._shape = shape
        self._waiting.append(rows)
        self._count += len(rows)
        self._batches.count += 1
        self.rows_seen += self._rows_in(rows)
        return self

    def _rows_in(self, rows: _Rows) -> int:
        """How many, also of weight 0."""
        return len(rows)

    def _update(self, read: Callable[[], _Rows], data: Any, columns: Mapping[str, Any]) -> Self:
        """See a batch, unless it is empty."""
        try:
            rows = read()
        except EmptyInputError as problem:
            refuse_rows(problem, data, columns)
            self._batches.count += 1
            return self
        return self.update_rows(rows)

    @property
    def _seen_so_far(self) -> str:
        return f"{self.rows_seen} rows seen"

    def _add_up_many(self) -> None:
        if self._count >= MANY and self._adds_up:
            self._sums, self._waiting, self._count = self._added_up(), [], 0

    def _take(self, other: Self) -> None:
        if other._shape is None:
            return
        shape = agreed(self._shape, other._shape)
        self._add_up_many()
        if other._sums is not None:
            self._sums = other._sums if self._sums is None else self._both(self._sums, other._sums)
        self._shape = shape
        self._waiting += other._waiting
        self._count += other._count
        self._batches.count += other._batches.count
        self.rows_seen += other.rows_seen

    def _tables(self) -> dict[str, pa.Table]:
        import pyarrow as pa

        self._refuse_unnamed()
        if self._shape is None:
            return {}
        seen = pa.table({"shape": [json.dumps(self._shape, ensure_ascii=False)], "rows": [self.rows_seen]})
        if self._adds_up:
            return {"seen": seen} | self._sums_tables(self._added_up())
        sums = {} if self._sums is None else self._sums_tables(self._sums)
        waiting = self._rows_tables(self._joined(self._waiting)) if self._waiting else {}
        return {"seen": seen} | sums | waiting

    def _take_tables(self, tables: Mapping[str, pa.Table]) -> None:
        if "seen" in tables:
            summary = checked_value(tables["seen"].to_pylist(), [{"shape": str, "rows": WHOLE}], "seen")
            demand(len(summary) == 1 and ("sums" in tables or "rows" in tables), "what was seen is missing", "缺少内容")
            self._shape = checked_json(summary[0]["shape"], {"weight": str, "by": str, str: str}, "shape")
            self._sums = self._sums_from(tables) if "sums" in tables else None
            self._waiting = [self._rows_from(tables)] if "rows" in tables else []
            for rows in self._waiting:
                agreed(self._shape, self._shape_of(rows))
            self._count = sum(map(len, self._waiting))
            self._batches.count, self.rows_seen = 1, summary[0]["rows"]
            counted = self._rows_added() + sum(map(self._rows_in, self._waiting))
            demand(counted == self.rows_seen, "rows are counted wrongly", "行数有误")

    def _added_up(self) -> _Sums:
        """All that was seen."""
        if not self._waiting and self._sums is not None:
            return self._sums
        found = self._sums_of(self._whole(self._waiting))
        return found if self._sums is None else self._both(self._sums, found)

    def _refuse_nothing(self) -> None:
        if self._shape is None:
            raise nothing_seen()

    @abstractmethod
    def _rows_added(self) -> int:
        """How many rows the sums are of, also of weight 0."""

    @property
    @abstractmethod
    def _adds_up(self) -> bool:
        """Whether sums suffice, and can be made now."""

    @abstractmethod
    def _shape_of(self, rows: _Rows) -> Shape: ...

    @abstractmethod
    def _joined(self, batches: Sequence[_Rows]) -> _Rows:
        """The rows of several batches, which are still a batch."""

    @abstractmethod
    def _whole(self, batches: Sequence[_Rows]) -> _Rows:
        """The rows of several batches, of which sums can be made."""

    @abstractmethod
    def _sums_of(self, rows: _Rows) -> _Sums: ...

    @abstractmethod
    def _both(self, one: _Sums, other: _Sums) -> _Sums: ...

    @abstractmethod
    def _sums_tables(self, sums: _Sums) -> dict[str, pa.Table]: ...

    @abstractmethod
    def _sums_from(self, tables: Mapping[str, pa.Table]) -> _Sums: ...

    @abstractmethod
    def _rows_tables(self, rows: _Rows) -> dict[str, pa.Table]: ...

    @abstractmethod
    def _rows_from(self, tables: Mapping[str, pa.Table]) -> _Rows: ...

    @abstractmethod
    def _refuse_unnamed(self) -> None: ...


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


def agreed(first: Shape | None, now: Shape) -> Shape:
    """The shape of all batches; one that differs from the first is refused."""
    if first is None:
        return now
    for name in {**first, **now}:
        one, other = first.get(name, ""), now.get(name, "")
        if one != other and ANY not in (one, other):
            had, has = (_KINDS.get(kind, Text(kind, kind)) for kind in (one, other))
            plain = f"by '{name.removeprefix('by.')}'"
            title = NAMES.get(name, Text(plain, plain))
            raise InputError(
                f"{title.en}: {had.en} in the first batch, {has.en} in this one; give all batches the same columns of the same types",
                f"{title.zh}：第一批为{had.zh}，这一批为{has.zh}；各批的列与类型须相同",
            )
    return {name: now[name] if kind == ANY and name in now else kind for name, kind in first.items()}


def slice_shape(by: Sequence[Partition]) -> Shape:
    """What rows are sliced by."""
    kinds = {one.by: _kind_of(one.values) for one in by}
    return {"by": ", ".join(kinds)} | {f"by.{name}": kind for name, kind in kinds.items()}


def _kind_of(values: Sequence[Any]) -> str:
    if not values:
        return ANY
    first = values[0]
    for kind, types in (("truth values", (bool, np.bool_)), ("words", (str,)), ("numbers", (int, float, np.number))):
        if isinstance(first, types):
            return kind
    return type(first).__name__
