"""What every state is: it sees rows, is merged with its like, travels as tables, and gives scores; and what batches are."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from pingce.base.errors import EmptyInputError, InputError, did_you_mean
from pingce.base.json import Json
from pingce.base.lazy import pa
from pingce.base.text import Text
from pingce.inputs.data import RowData
from pingce.inputs.names import LABEL, PREDICTED_VALUE
from pingce.inputs.predictions import Columns, Naming
from pingce.inputs.vectors import Vector, vector
from pingce.run.memory import RowBudget
from pingce.run.progress import Doing

if TYPE_CHECKING:
    from fractions import Fraction

    from typing_extensions import Self

    from pingce.inputs.slices import SlicePart
    from pingce.metrics.grammar import MetricRequest
    from pingce.request import Request
    from pingce.run.states.sliced import SeenSlice
    from pingce.run.temporary import Workspace

_SPLITS = ("allowed", "never")


class Batches:
    """Counts batches. Once there are two, messages say of which one a row is."""

    def __init__(self) -> None:
        self.count = 0

    def next(self, columns: Columns, data: Any) -> Columns:
        """The columns of the next batch; lines of files, and columns that an engine has read, say themselves what they are."""
        if isinstance(data, (str, os.PathLike)):
            return columns
        number = self.count + 1
        named = {
            name: self._named(vector(column, name), number)
            for name, column in columns.items()
            if "." not in name and column is not None and (data is not None or not isinstance(column, Vector))
        }
        return columns | named

    def _named(self, column: Vector, number: int) -> Vector:
        row_place = column.place

        def place(row: int) -> Text:
            text = row_place(row)
            if max(number, self.count) == 1:
                return text
            space = " " if text.zh[:1].isascii() else ""
            return Text(f"{text.en} in batch {number}", f"第 {number} 批的{space}{text.zh}")

        return replace(column, place=place)


class State(ABC):
    """What an evaluator has seen of the rows of one task."""

    numbers: ClassVar[tuple[str, ...]] = ()
    "Columns, by role, that are read as numbers where a file does not say."
    truth_names: ClassVar[tuple[str, ...]] = ("true", *LABEL)
    prediction_names: ClassVar[tuple[str, ...]] = PREDICTED_VALUE
    "Names that people use, for columns that nobody named."
    has_groups: ClassVar[bool] = False
    "Whether rows have groups, by whose activity they may be sliced."
    prediction_name: ClassVar[str] = "prediction"
    "The keyword of the column of predictions."
    request: Request
    batches: Batches
    rows: int
    "All that were seen."

    @abstractmethod
    def __init__(self, request: Request) -> None: ...

    @classmethod
    def for_stream(cls, request: Request, name: Text, workspace: Workspace, budget: RowBudget) -> Self:
        """A state for rows that are larger than memory, with room for temporary files."""
        return cls(request)

    @classmethod
    def refuses_stream(cls, request: Request) -> bool:
        """Whether a metric that was named cannot be had of rows that are streamed."""
        return False

    @classmethod
    def for_cluster(cls, request: Request, tables: Any) -> Self:
        """A state for rows that lie elsewhere; `tables` count the distinct scores there."""
        return cls(request)

    def read(self, table: Any, named: Naming | None = None) -> Any:
        """The rows of a table or batch; `named` says what messages call them."""
        raise NotImplementedError

    @classmethod
    def sums_slices(cls, request: Request) -> bool:
        """Whether sums of each slice are enough for what is asked, so that slices need no rows."""
        return False

    @classmethod
    def draws_counts(cls, request: Request) -> bool:
        """Whether rows without weights that were counted elsewhere are enough for intervals."""
        return False

    def split_slices(self, rows: Any) -> tuple[Any, list[SlicePart]]:
        """Rows without what they are sliced by, and those of each slice."""
        raise NotImplementedError

    def slice_sums(self, rows: Any) -> tuple[Fraction, ...]:
        """What readings of slices need of the rows of one, beside its state; it adds up."""
        return ()

    def tell_slices(self, evidence: Any, slices: Sequence[SeenSlice]) -> None:  # noqa: B027 - most say nothing of them
        """Let the evidence of the whole know what was seen of its slices."""

    def requests_for(self, evidence: Any) -> Sequence[MetricRequest]:
        """The metrics, or the usual ones for what the rows have."""
        raise NotImplementedError

    def part_evidence(self, evidence: Any) -> Any:
        """The evidence of what was seen as a part of a whole, of which there is evidence; None where no row counts."""
        raise NotImplementedError

    usual: ClassVar[tuple[str, ...]] = ()
    "Metrics where none was named."

    @classmethod
    def usual_names(cls, *, grouped: bool, probabilities: bool = True, streamed: bool = False) -> Sequence[str]:
        """Metrics where none was named; none where a state that rows are streamed to chooses them itself."""
        return cls.usual

    @abstractmethod
    def add(self, rows: Any) -> None:
        """See rows, which must not change afterwards."""

    def add_borrowed(self, rows: Any) -> None:
        """See rows of which the caller will use the arrays again."""
        self.add(rows.owned())

    def skip(self) -> None:
        """Count a batch without rows."""
        self.batches.count += 1

    @property
    def condenses(self) -> bool:
        """Whether `condense` keeps less."""
        return False

    def condense(self) -> None:  # noqa: B027 - most have nothing to condense
        """Keep no more than sums of units that are whole, where they will do."""

    def unit_tables(self) -> Sequence[pa.Table]:
        """The values of each unit, of which sums were enough elsewhere."""
        return ()

    @abstractmethod
    def merge(self, other: Self) -> None:
        """See what another state of the same request has seen."""

    @abstractmethod
    def to_tables(self) -> dict[str, pa.Table]:
        """Everything that was seen, as tables."""

    @abstractmethod
    def take_tables(self, tables: Mapping[str, pa.Table]) -> None:
        """See what `to_tables` wrote, in a state that has seen nothing."""

    @abstractmethod
    def score(self) -> Any:
        """The scores of all that was seen."""

    def score_streamed(self, doing: Doing) -> Any:
        """The same before temporary files are gone; `doing` is told what is done."""
        return self.score()

    @abstractmethod
    def score_rows(self, rows: Any) -> Any:
        """The scores of rows that are whole and settled, as if nothing else had been seen."""

    @property
    def summary(self) -> str:
        """How much was seen, in words."""
        return f"{self.rows} rows seen"

    def settings(self) -> Json:
        """What must be alike in states that are merged, beside the request; plain JSON."""
        return {}

    @classmethod
    def from_settings(cls, request: Request, settings: Json) -> Self:
        """An empty state as these settings say."""
        return cls(request)


def refuse_rows(problem: EmptyInputError, table: RowData) -> None:
    """A batch may be empty, but not in one column only."""
    if table.data is None and any(map(_has_rows, table.columns())):
        raise problem


def _has_rows(column: Any) -> bool:
    if isinstance(column, Mapping):
        return any(map(_has_rows, column.values()))
    if column is None or isinstance(column, str):
        return False
    try:
        return len(column) > 0
    except TypeError:  # an iterator, which is spent by now, or no column at all
        return True


def checked_split(split: Any, what: Text) -> str:
    """Whether a query, or a group, may come in several batches."""
    if split not in _SPLITS:
        hint = did_you_mean(str(split), _SPLITS)
        raise InputError(
            f"split={split!r}: choose allowed (a {what.en} may come in several batches, so rows are kept until compute) or never "
            f"(each {what.en} is whole in one batch){hint.en}",
            f"split={split!r}：可选 allowed（一个{what.zh}可分在多个批次，数据行保留到 compute）或 never"
            f"（每个{what.zh}都完整地在一个批次中）{hint.zh}",
        )
    return str(split)
