"""What is known of items by category or by vector, for the items that lists show."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.exact import Floats, Ints
from pingce.base.lazy import cached_property
from pingce.base.records import dataclass
from pingce.evidence.items.directory import Directory
from pingce.evidence.ranking.truth_index import offsets
from pingce.inputs.ids import Ids
from pingce.inputs.item_table import ItemTable


@dataclass(frozen=True, eq=False)
class Features:
    """A table of items, by item."""

    table: ItemTable

    @cached_property
    def _directory(self) -> Directory:
        return Directory(self.table.rows.item)

    @cached_property
    def _number(self) -> Ints:
        return self._directory.find(self.table.rows.item)

    @cached_property
    def _categories(self) -> tuple[Ints, Ints]:
        """Where the categories of each item begin, and the categories, each once."""
        width = np.int64(int(self.table.category.max(initial=0)) + 1)
        pairs = np.unique(self._number[self.table.category_row] * width + self.table.category)
        return offsets(np.bincount(pairs // width, minlength=len(self._directory))), pairs % width

    def categories(self, items: Ids) -> tuple[Ints, Ints]:
        """Where the categories of each of these items begin, and their numbers; an item that the table lacks has none."""
        begin, category = self._categories
        number = self._directory.find(items)
        sizes = np.append(np.diff(begin), 0)[number]
        fresh = offsets(sizes)
        rows = np.arange(fresh[-1]) + np.repeat(np.append(begin[:-1], 0)[number] - fresh[:-1], sizes)
        return fresh, category[rows]

    @property
    def has_categories(self) -> bool:
        """Whether the table tells categories."""
        return bool(len(self.table.category))

    def vectors(self, items: Ids) -> tuple[Floats, NDArray[np.bool_]]:
        """The vector of each item, and whether it has one; two different ones are refused."""
        given = self.table.vectors
        if given is None:
            raise ValueError("no vectors")
        first, owner = np.full(len(self._directory) + 1, -1, np.int64), self._number[self.table.vector_row]
        first[owner[::-1]] = np.arange(len(owner))[::-1]
        other = np.flatnonzero((given != given[first[owner]]).any(axis=1))
        if len(other):
            place = self.table.rows.source.place(int(self.table.vector_row[other[0]]))
            raise InputError(
                f"{place.en}: the item has another vector before; give each item one",
                f"{place.zh}：该条目此前有另一个向量；请为每个条目只给一个",
            )
        row = first[self._directory.find(items)]
        return given[row], row >= 0
