"""What is known of items by category or by vector, for the items that lists show."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.exact import Floats, Ints
from pingce.base.lazy import cached_property
from pingce.base.records import dataclass
from pingce.evidence.items.directory import Directory
from pingce.evidence.ranking.truth_index import offsets
from pingce.inputs.ids import Ids
from pingce.inputs.item_table import ItemTable, Labels


@dataclass(frozen=True, eq=False)
class Features:
    """A table of items, by item."""

    table: ItemTable

    @cached_property
    def _directory(self) -> Directory:
        return Directory(self.table.rows.item)

    @cached_property
    def _number(self) -> Ints:
        return self._directory.numbers()

    @cached_property
    def _categories(self) -> tuple[Ints, Ints]:
        """Where the categories of each item begin, and the categories, each once."""
        return self._by_item(self.table.categories)

    def _by_item(self, labels: Labels) -> tuple[Ints, Ints]:
        width = np.int64(len(labels.names) or 1)
        pairs = np.unique(self._number[labels.row] * width + labels.number)
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
        return bool(len(self.table.categories.row))

    @property
    def group_names(self) -> tuple[str, ...]:
        """The groups of items, sorted: those of their column, else the categories."""
        return self._grouping.names

    @property
    def _grouping(self) -> Labels:
        return self.table.groups if len(self.table.groups.row) else self.table.categories

    @cached_property
    def _groups(self) -> Ints:
        """The group of each item of the table, -1 for none; one that has two is refused."""
        begin, group = self._by_item(self._grouping)
        sizes = np.diff(begin)
        several = np.flatnonzero(sizes > 1)
        if len(several):
            name = self._directory.names.take(several[:1]).to_list()[0]
            first, second = (self.group_names[each] for each in group[begin[several[0]] :][:2])
            raise InputError(
                f"items=: item '{name}' is in two groups, '{first}' and '{second}'; give each item one, in a column group",
                f"items=：条目 '{name}' 属于两个组 '{first}' 与 '{second}'；请用 group 列为每个条目只给一个组",
            )
        return np.append(np.where(sizes > 0, np.append(group, -1)[begin[:-1]], -1), -1)

    @property
    def group_sizes(self) -> Ints:
        """How many items of the table each group has."""
        return np.bincount(self._groups[self._groups >= 0], minlength=len(self.group_names))

    def groups(self, items: Ids) -> Ints:
        """The number of the group of each of these items, -1 for none."""
        return self._groups[self._directory.find(items)]

    @cached_property
    def _first_vectors(self) -> Ints:
        """The row of the vector of each item, -1 for none; two different ones are refused."""
        rows = self.table.vectors
        if rows is None:
            raise ValueError("no vectors")
        first, owner = np.full(len(self._directory) + 1, -1, np.int64), self._number[self.table.vector_row]
        first[owner[::-1]] = np.arange(len(owner))[::-1]
        again = np.flatnonzero(first[owner] != np.arange(len(owner)))
        other = again[(rows[again] != rows[first[owner[again]]]).any(axis=1)]
        if len(other):
            place = self.table.rows.source.place(int(self.table.vector_row[other[0]]))
            raise InputError(
                f"{place.en}: the item has another vector before; give each item one",
                f"{place.zh}：该条目此前有另一个向量；请为每个条目只给一个",
            )
        return first

    def has_vector(self, items: Ids) -> NDArray[np.bool_]:
        """Whether each item has a vector."""
        has: NDArray[np.bool_] = self._first_vectors[self._directory.find(items)] >= 0
        return has

    def vectors(self, items: Ids) -> tuple[Floats, NDArray[np.bool_]]:
        """The vector of each item, and whether it has one."""
        row = self._first_vectors[self._directory.find(items)]
        rows: Any = self.table.vectors
        return rows[row], row >= 0

    def directions(self, items: Ids, used: NDArray[np.bool_]) -> tuple[Floats, NDArray[np.bool_]]:
        """The vector of each item at length 1, and whether it has one; a vector without a direction is refused where it is used."""
        vectors, has_vector = self.vectors(items)
        length = np.sqrt(np.square(vectors).sum(axis=1))
        zero = np.flatnonzero(has_vector & used & (length == 0))
        if len(zero):
            name = items.take(zero[:1]).to_list()[0]
            raise InputError(
                f"items=: the vector of item '{name}' is all 0, which has no direction; leave the item out, or ask for ild(distance=euclidean)",
                f"items=：条目 '{name}' 的向量全为 0，没有方向；请去掉该条目，或改用 ild(distance=euclidean)",
            )
        return vectors / np.where(length == 0, 1.0, length)[:, None], has_vector
