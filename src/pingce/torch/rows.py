"""What a metric in torch has seen: batches that wait, and what was made of those that were read."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch

from pingce.base.errors import InputError
from pingce.base.lazy import pa
from pingce.base.text import Text
from pingce.inputs import Rows, cells
from pingce.inputs.columns import joined_place
from pingce.inputs.ids import IntIds
from pingce.inputs.vectors import Vector, vector
from pingce.request import Request
from pingce.run.evaluator import Evaluator
from pingce.run.packed import table_from_stream, table_to_stream
from pingce.torch.inbox import Columns, Inbox, Piece
from pingce.training.measure import numbered_classes

_KEYWORDS = {"indexes": "group", "weight": "weight"}
"What evaluators call the columns of a batch, beside truth and prediction."


class SeenRows(ABC):
    """Rows of one process; those of several are merged by their bytes."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self._inbox = Inbox()

    @staticmethod
    def of(request: Request) -> SeenRows:
        """Nothing yet, of what a request asks."""
        return (EvaluatedRows if request.task.of_rows else ListedRows)(request)

    @classmethod
    def from_tensors(cls, request: Request, parts: Sequence[torch.Tensor]) -> SeenRows:
        """What several processes have seen, by their bytes."""
        rows = SeenRows.of(request)
        for number, part in enumerate(parts):
            if len(part):
                rows.take_bytes(part.cpu().numpy().tobytes(), number)
        return rows

    def add(self, columns: Columns) -> None:
        """See a batch, without waiting for its device."""
        self._inbox.put(columns)

    def settle(self) -> None:
        """Read what waits; now devices are waited for. What cannot be read stays, so that no later number lacks it."""
        while (piece := self._inbox.first()) is not None:
            self.read(piece)
            self._inbox.drop()

    def to_tensor(self) -> torch.Tensor:
        """Everything so far as bytes; none where there are no rows."""
        self.settle()
        data = bytearray(self.to_bytes())
        return torch.frombuffer(data, dtype=torch.uint8) if data else torch.zeros(0, dtype=torch.uint8)

    def __deepcopy__(self, memo: dict[int, Any]) -> SeenRows:
        """Another one that has seen the same."""
        self.settle()
        twin = SeenRows.of(self.request)
        twin.merge(self)
        return twin

    def __reduce__(self) -> tuple[Any, ...]:
        """Through a pool of processes it travels as bytes."""
        return SeenRows.from_tensors, (self.request, [self.to_tensor()])

    @abstractmethod
    def read(self, piece: Piece) -> None:
        """See rows that have arrived."""

    @abstractmethod
    def to_bytes(self) -> bytes:
        """What was read, for another process."""

    @abstractmethod
    def take_bytes(self, data: bytes, process: int) -> None:
        """See what another process has seen."""

    @abstractmethod
    def merge(self, other: Any) -> None:
        """See what another one has seen."""

    @abstractmethod
    def evaluator(self) -> Evaluator:
        """The evaluator of everything so far."""


class EvaluatedRows(SeenRows):
    """Rows of labels, classes or numbers: an evaluator sees them, and keeps what its metrics need."""

    def __init__(self, request: Request) -> None:
        super().__init__(request)
        self._evaluator: Evaluator = request.task.load("evaluator").of(request)

    def read(self, piece: Piece) -> None:
        columns = piece.vectors()
        sides = {_KEYWORDS[name]: columns[name] for name in _KEYWORDS if name in columns}
        predicted = columns["preds"]
        if predicted.values.ndim == 2:
            self._number_classes(columns, predicted.values.shape[1])
            self._evaluator.update(columns["target"], proba=predicted.values, **sides)
        else:
            self._evaluator.update(columns["target"], predicted, **sides)

    def _number_classes(self, columns: dict[str, Vector], count: int) -> None:
        """Classes that nobody named are numbered as the columns of probabilities are."""
        if self.request.labels is not None:
            return
        weight = columns["weight"].values if "weight" in columns else None
        labels = numbered_classes(columns["target"].values, count, weight)
        if not self._evaluator.rows_seen:
            self._evaluator = type(self._evaluator).of(replace(self.request, labels=labels))

    def to_bytes(self) -> bytes:
        return self._evaluator.to_bytes() if self._evaluator.rows_seen else b""

    def take_bytes(self, data: bytes, process: int) -> None:
        self._take(Evaluator.from_bytes(data))

    def merge(self, other: EvaluatedRows) -> None:
        evaluator = other.evaluator()
        if evaluator.rows_seen:
            self._take(evaluator.__copy__())

    def _take(self, evaluator: Evaluator) -> None:
        """Go on with another evaluator, whose rows may have told it the classes, or merge it into that which has rows."""
        if self.evaluator().rows_seen:
            self._evaluator.merge(evaluator)
        else:
            self._evaluator = evaluator

    def evaluator(self) -> Evaluator:
        self.settle()
        return self._evaluator


class ListedRows(SeenRows):
    """Rows of queries, which are kept: a query may be spread over batches and processes, and its list is known once all are there."""

    def __init__(self, request: Request) -> None:
        super().__init__(replace(request, split="never"))
        self._parts: list[dict[str, Vector]] = []
        self._has_items: bool | None = None
        "Whether rows have items; None where there are no rows."

    def add(self, columns: Columns) -> None:
        self._refuse_mixed("items" in columns)
        super().add(columns)

    def read(self, piece: Piece) -> None:
        self._parts.append(piece.vectors())

    def to_bytes(self) -> bytes:
        columns = {name: column.values for name, column in self._joined().items()}
        return bytes(table_to_stream(pa.table(columns))) if columns else b""

    def take_bytes(self, data: bytes, process: int) -> None:
        table = table_from_stream(data)
        self._refuse_mixed("items" in table.column_names)
        self._parts.append({name: _of_process(name, table.column(name), process) for name in table.column_names})

    def merge(self, other: ListedRows) -> None:
        other.settle()
        if other._has_items is not None:
            self._refuse_mixed(other._has_items)
        self._parts += other._parts

    def _refuse_mixed(self, has_items: bool) -> None:
        """Refuse items of some rows only: equal scores would have an order in some lists, and none in others."""
        if self._has_items not in (None, has_items):
            here, there = (Text("given", "有") if has else Text("none", "无") for has in (has_items, self._has_items))
            raise InputError(
                f"this batch differs from the first one: items: {here.en} here, {there.en} there; make them alike",
                f"这一批与第一批不同：items 此处{here.zh}，第一批{there.zh}；请统一",
            )
        self._has_items = has_items

    def evaluator(self) -> Evaluator:
        self.settle()
        evaluator: Any = self.request.task.load("evaluator").of(self.request)
        columns = self._joined()
        return evaluator.update_rows(*_lists(columns)) if columns else evaluator  # type: ignore[no-any-return]

    def _joined(self) -> dict[str, Vector]:
        """All rows, which are still called what they were."""
        names = self._parts[0] if self._parts else ()
        return {name: _join([part[name] for part in self._parts]) for name in names}


def _join(parts: Sequence[Vector]) -> Vector:
    place = joined_place([part.place for part in parts], map(len, parts))
    return replace(parts[0], values=np.concatenate([part.values for part in parts]), place=place)


def _of_process(name: str, column: Any, process: int) -> Vector:
    def place(row: int) -> Text:
        return Text(f"row {row} of {name} in process {process}", f"进程 {process} 的 {name} 第 {row} 行（从 0 起）")

    return replace(vector(column, name), place=place)


def _lists(columns: dict[str, Vector]) -> tuple[Rows, Rows]:
    """The run and the truth of rows; without ids an item is known by its row."""
    query, count = cells.ids(columns["indexes"]), len(columns["preds"])
    item = cells.ids(columns["items"]) if "items" in columns else IntIds(np.arange(count))
    run, truth = (
        Rows(query, item, cells.plain_numbers(column).astype(np.float64), column.source)
        for column in (columns["preds"], columns["target"])
    )
    return run, truth
