"""Names of the rows of a matrix: ids that came with it, or the numbers of the rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.lazy import cached_property
from pingce.base.text import Text
from pingce.evidence.items.directory import Directory
from pingce.factors.pairs import Rows
from pingce.inputs.ids import Ids, IntIds, sorted_rows


class RowNames:
    """An id for each row, each once; without ids rows are called by their number."""

    def __init__(self, count: int, ids: Ids | None = None) -> None:
        self._count, self.ids = count, ids

    def __len__(self) -> int:
        return self._count

    def take(self, rows: NDArray[Any]) -> Ids:
        """The ids of some rows."""
        return IntIds(np.ascontiguousarray(rows, np.int64)) if self.ids is None else self.ids.take(rows)

    def find(self, ids: Ids) -> Rows:
        """The row of each id, -1 where it has none."""
        if self.ids is not None:
            return np.append(self._sorted, -1)[self._directory.find(ids)]
        numbers = ids.plain().comparable()
        return np.where((numbers >= 0) & (numbers < self._count), numbers, -1)

    @cached_property
    def order(self) -> Rows | None:
        """The number of each row's id among all ids, sorted; None where that is the row."""
        return None if self.ids is None else self._directory.numbers()

    @cached_property
    def _directory(self) -> Directory:
        return Directory(self._known)

    @cached_property
    def _sorted(self) -> Rows:
        """Rows in order of their ids."""
        return sorted_rows(self._known)

    @property
    def _known(self) -> Ids:
        if self.ids is None:
            raise ValueError("rows are called by their number")
        return self.ids

    def refuse_repeats(self, name: Text) -> None:
        """Refuse an id that two rows have."""
        if self.ids is None or len(self._directory) == len(self):
            return
        numbers = self._directory.numbers()
        _, first = np.unique(numbers, return_index=True)
        row = int(np.setdiff1d(np.arange(len(numbers)), first)[0])
        before = int(np.flatnonzero(numbers == numbers[row])[0])
        label = self.ids.take(np.array([row])).to_list()[0]
        raise InputError(
            f"row {row} of {name.en} has the id {label!r}, which row {before} has too; give each row an id of its own",
            f"{name.zh}第 {row} 行（从 0 起）的编号 {label!r} 与第 {before} 行相同；请为每行给出不同的编号",
        )
