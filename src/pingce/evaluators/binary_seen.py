"""What an evaluator of labels and scores has seen: batches that wait, and pieces of evidence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.base.errors import InputError, nothing_seen
from pingce.base.text import Text
from pingce.evaluate.binary import Assumed, default_metrics, refuse_lacking
from pingce.evaluate.definitions import Definitions
from pingce.evaluators.asked import refuse_unnamed
from pingce.evaluators.base import Evaluator
from pingce.evaluators.batches import Batches
from pingce.evaluators.bins import exact_only
from pingce.evidence.binary.facts import contradicted
from pingce.evidence.binary.grouped import refuse_split
from pingce.evidence.binary.pieces import EVERYTHING, BinaryNeeds, BinaryPieces
from pingce.evidence.policies import BinaryPolicies
from pingce.evidence.soundness import demand
from pingce.inputs.binary import BinaryBatch
from pingce.inputs.binary_batches import (
    USUAL,
    joined_rows,
    names_in,
    refuse_other_shape,
    settled,
    settled_so_far,
    shape_of,
    together,
    union,
    with_positive,
)

if TYPE_CHECKING:
    import pyarrow as pa
    from typing_extensions import Self

    from pingce.evidence.binary.facts import Facts
    from pingce.evidence.binary.score_tables import Tables
    from pingce.inputs.binary import BinaryRows
    from pingce.metrics.grammar import MetricRequest

MANY = 1 << 20
"Rows that wait before they are made into evidence."
ENOUGH = 1 << 16
"Rows of batches that are not joined with others before: joining would cost more than it gains."


class BinarySeen(Evaluator):
    """Batches in, pieces of evidence out; how they are scored stands in `BinaryEvaluator`."""

    split: str
    bins: int | None
    positive: Any
    threads: int | None
    _options: Mapping[str, Any]
    _convention: str | None
    _given: Mapping[str, Any]
    _defaults: Callable[[Any], list[MetricRequest]] | None
    _gather: tuple[str, ...]
    _tables_made: Tables | None
    "Those of an engine."
    _room: int

    def reset(self) -> Self:
        """Forget all rows; settings stay."""
        self._waiting: list[BinaryBatch] = []
        self._count = 0
        self._pieces: BinaryPieces | None = None
        self._batches = Batches()
        self._names: tuple[Any, ...] = ()
        self._shape: dict[str, str] | None = None
        self._columns: tuple[str, ...] = ()
        self._label = Text("y_true", "y_true")
        return self

    def _see(self, batch: BinaryBatch) -> Self:
        if self.rows_waiting > MANY:
            self._gather_waiting()
        shape = shape_of(batch.rows, list(batch.by))
        if self._shape is not None:
            refuse_other_shape(self._shape, shape)
        names = union(self._names, names_in(batch.rows.labels))
        self._refuse_contradiction(settled_so_far(names, self.positive, batch.label), names)
        refuse_lacking(self.asked or [], batch.rows.group is not None, batch.rows.columns)
        if self.bins is not None and batch.by:
            raise exact_only("by=")
        self._shape, self._names, self._label = shape, names, batch.label
        self._columns = tuple(batch.rows.columns)
        self._batches.count += 1
        self._waiting.append(batch)
        self._count += len(batch.rows)
        return self

    def _refuse_contradiction(self, positive_name: Any, names: tuple[Any, ...]) -> None:
        facts = self.facts
        if facts is not None and positive_name is not None and positive_name != facts.positive_name:
            raise contradicted(facts.positive_name, names)

    @property
    def rows_waiting(self) -> int:
        """Rows that are not made into evidence yet."""
        return self._count

    @property
    def rows_seen(self) -> int:
        """All rows."""
        return (0 if self.facts is None else self.facts.rows) + self.rows_waiting

    @property
    def _seen_so_far(self) -> str:
        return f"{self.rows_seen} rows seen"

    @property
    def facts(self) -> Facts | None:
        """What is known of the rows that were made into evidence; None before there are any."""
        return None if self._pieces is None else self._pieces.facts

    @property
    def _keeps_rows(self) -> bool:
        """Whether rows must stay until `compute`: their group may come again, or they are drawn or sliced."""
        shape = self._shape or {}
        split = self.split == "allowed" and shape.get("group", "none") != "none"
        return split or self._options["ci"] is not None or shape.get("by", "none") != "none"

    def _counts_at_once(self, batch: BinaryBatch) -> bool:
        """Whether a batch is one of several, and large enough to be counted alone: then its groups need not be kept."""
        return self._shape is not None and len(batch.rows) >= ENOUGH and not self._keeps_rows

    def _gather_waiting(self) -> None:
        """Make evidence of the rows that wait, if it is settled which of them are positive."""
        if self._keeps_rows or not self._waiting:
            return
        positive = settled_so_far(self._names, self.positive, self._label)
        if positive is None and self._names[0] in USUAL and self.rows_waiting > MANY:
            positive = settled(self._names, None, self._label)[0]
        if positive is not None:
            self._pieces = self._with_waiting(self._pieces, positive)
            self._waiting, self._count = [], 0

    def _no_pieces(self) -> BinaryPieces:
        return BinaryPieces(self._needs(), tables=self._tables_to_fill(), gather=self._gather, room=self._room)

    def _with_waiting(self, pieces: BinaryPieces | None, positive: Any) -> BinaryPieces:
        """The pieces with those of the rows that wait."""
        pieces = self._no_pieces() if pieces is None else pieces
        for rows in together(self._settled_rows(positive), ENOUGH):
            pieces.add(rows, self._names, self.threads)
        return pieces

    def _tables_to_fill(self) -> Tables | None:
        if self.bins is None or self._tables_made is not None:
            return self._tables_made
        from pingce.evidence.binary.score_tables import BinnedTables

        return BinnedTables(self.bins)

    def _rows(self, positive: Any) -> BinaryRows:
        """The rows that wait, as one."""
        return joined_rows(self._settled_rows(positive))

    def _settled_rows(self, positive: Any) -> list[BinaryRows]:
        """The rows that wait, with their labels settled."""
        if self.split == "never" and "groups" in self._gather:
            refuse_split([batch.rows.group for batch in self._waiting if batch.rows.group is not None])
        others = [name for name in self._names if name != positive]
        other = others[0] if others else None
        return [with_positive(batch.rows, positive, other) for batch in self._waiting]

    def _needs(self) -> BinaryNeeds:
        shape = self._shape or {}
        found = self.asked or self._usual
        return BinaryNeeds.of(found, self.policies, np.dtype(shape["scores"]))

    @property
    def _usual(self) -> list[MetricRequest]:
        """Metrics that are shown of probabilities where none was named: they are gathered before scores are known."""
        return self._default(Assumed((self._shape or {})["group"] != "none"))

    def _default(self, rows: Any) -> list[MetricRequest]:
        if self._defaults is not None:
            return self._defaults(rows)
        return Definitions(BinaryPolicies, self._convention, self._given).defaults(default_metrics(rows))

    def _take(self, other: Self) -> None:
        if not other._names:
            return
        if self._shape is not None and other._shape is not None:
            refuse_other_shape(self._shape, other._shape)
        names = union(self._names, other._names)
        found = settled_so_far(names, self.positive, self._label)
        for one in (self, other):
            one._refuse_contradiction(found, names)
        self._shape, self._names, self._label = other._shape, names, other._label
        if other._pieces is not None:
            if self._pieces is None:
                self._pieces = self._no_pieces()
            self._pieces.merge(other._pieces)
        self._waiting += other._waiting
        self._count += other._count
        self._batches.count += other._batches.count
        if self.rows_waiting > MANY:
            self._gather_waiting()

    def beside(self, other: Self) -> Self:
        """Add what another evaluator gathered of the same rows in another pass."""
        for one in (self, other):
            one._gather_waiting()
        if self._pieces is None or other._pieces is None:
            raise nothing_seen()
        self._pieces.beside(other._pieces)
        self._gather = tuple(name for name in EVERYTHING if name in self._pieces.gather)
        return self

    @property
    def tables(self) -> Tables:
        """Where scores are counted; an engine that counted them elsewhere adds its own."""
        if self._tables_made is None:
            from pingce.evidence.binary.score_tables import Tables

            self._tables_made = self._pieces.tables if self._pieces is not None else self._tables_to_fill() or Tables()
        return self._tables_made

    def _tables(self) -> dict[str, pa.Table]:
        from pingce.evaluators.binary_state import state_of

        refuse_unnamed(self.asked, self.task)
        self._gather_waiting()
        said = {"names": list(self._names), "shape": self._shape, "label": [self._label.en, self._label.zh]}
        return state_of(self._waiting, self._pieces, said)

    def _refuse_other_state(self, batch: BinaryBatch) -> None:
        names = names_in(batch.rows.labels)
        same = self._shape == shape_of(batch.rows, list(batch.by)) and {*names} <= {*self._names}
        demand(same, "the rows are others than was said of them", "数据行与其描述不符")
        refuse_lacking(self.asked or [], batch.rows.group is not None, batch.rows.columns)

    def _refuse_other_facts(self, pieces: BinaryPieces) -> None:
        facts, shape, groups = pieces.facts, self._shape or {}, pieces.groups()
        if facts is None:
            return
        group = "none" if groups is None else "integers" if groups.groups.integers else "strings"
        kinds = (facts.score_type, "given" if facts.weighted else "none")
        same = (shape.get("scores"), shape.get("weight")) == kinds and {*facts.names} <= {*self._names}
        demand(same, "the facts are others than was said of them", "汇总与其描述不符")
        demand("groups" not in self._gather or shape.get("group") == group, "groups are missing", "缺少分组")
        filled = not {"sums", "scores"} & {*self._gather} or pieces.counted or bool(pieces.tables)
        demand(filled, "what was counted is missing", "缺少计数")
        refuse_lacking(self.asked or [], groups is not None, {} if groups is None else groups.columns)

    def _take_tables(self, tables: Mapping[str, pa.Table]) -> None:
        from pingce.evaluators.binary_state import fill, read_rows, seen_in

        try:
            said = seen_in(tables)
            self._names, self._shape, self._label = tuple(said["names"]), said["shape"], Text(*said["label"])
            self._batches.count = 1 if self._names else 0
            demand(bool(self._names) == ("rows" in tables or "facts" in tables), "rows are missing", "缺少数据行")
            if "rows" in tables:
                self._waiting = [read_rows(tables["rows"])]
                self._count = len(self._waiting[0].rows)
                self._refuse_other_state(self._waiting[0])
            if "facts" in tables:
                self._pieces = self._no_pieces()
                fill(self._pieces, tables)
                self._refuse_other_facts(self._pieces)
        except (KeyError, TypeError, ValueError, AttributeError) as problem:
            if isinstance(problem, InputError):
                raise
            raise InputError(
                "the state of this evaluator is damaged; give what to_bytes() returned",
                "该评测器的状态已损坏；请给出 to_bytes() 的返回值",
            ) from problem
