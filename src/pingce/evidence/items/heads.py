"""The heads of lists: which items stand at the first places. Every metric of what is shown follows from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.records import dataclass
from pingce.evidence.items.directory import Directory
from pingce.evidence.ranking.truth_index import gathered, offsets
from pingce.inputs.ids import Ids, concatenate

PLACE_COLUMNS = ("item", "above", "block", "by_id", "by_order")
WHOLE = 2**31 - 1
"The depth of lists that are looked at to their end."


@dataclass(frozen=True, eq=False)
class ListHeads:
    """What stands at the first places of some lists.

    The places of list q are rows begin[q]:begin[q+1] of the place columns, in rank order with ties by id descending, down to
    `depth` and on to the end of the block of equal scores in which that falls.
    """

    begin: NDArray[np.int64]
    items: Ids
    "Every item that stands somewhere, once, sorted by id."
    item: NDArray[np.int32]
    "The item at each place, as its number in `items`."
    above: NDArray[np.int32]
    "Rows with a higher score."
    block: NDArray[np.int32]
    "Rows with this score, the place's own included."
    by_id: NDArray[np.int32]
    "Rows of the block with a larger id."
    by_order: NDArray[np.int32]
    "Rows of the block that were given earlier."
    depth: int

    def __len__(self) -> int:
        return len(self.begin) - 1

    @property
    def list_of_place(self) -> NDArray[np.int64]:
        """The list of each place."""
        return np.repeat(np.arange(len(self)), np.diff(self.begin))

    def select(self, lists: NDArray[np.integer[Any]]) -> ListHeads:
        """The heads of some lists, by place; items that none of them shows are gone."""
        places, begin = gathered(self.begin, lists)
        items, item = self._renumbered(self.item[places])
        columns = {name: getattr(self, name)[places] for name in PLACE_COLUMNS[1:]}
        return replace(self, begin=begin, items=items, item=item, **columns)

    def _renumbered(self, item: NDArray[np.int32]) -> tuple[Ids, NDArray[np.int32]]:
        """The items of some places, and their numbers among these."""
        numbers, place = np.unique(item, return_inverse=True)
        return self.items.take(numbers), place.reshape(-1).astype(np.int32)

    def among(self, place: NDArray[np.integer[Any]]) -> ListHeads:
        """The heads of more lists: `place` says which of these each is, -1 for an empty one."""
        if len(place) == len(self) and bool((place == np.arange(len(self))).all()):
            return self
        sizes = np.append(np.diff(self.begin), 0)[place]
        order, _ = gathered(self.begin, place[place >= 0])
        return replace(self, begin=offsets(sizes), **{name: getattr(self, name)[order] for name in PLACE_COLUMNS})

    @staticmethod
    def joined(pieces: Sequence[ListHeads]) -> ListHeads:
        """The heads of all lists, one piece after another."""
        if len(pieces) == 1:
            return pieces[0]
        items, number = numbered(concatenate([piece.items for piece in pieces]))
        firsts = np.cumsum([0, *(len(piece.items) for piece in pieces)])[:-1]
        columns = {name: np.concatenate([getattr(piece, name) for piece in pieces]) for name in PLACE_COLUMNS[1:]}
        return ListHeads(
            begin=offsets(np.concatenate([np.diff(piece.begin) for piece in pieces])),
            items=items,
            item=np.concatenate([number[piece.item + first] for piece, first in zip(pieces, firsts, strict=True)]),
            depth=min(piece.depth for piece in pieces),
            **columns,
        )

    def cut(self, depth: int) -> ListHeads:
        """The heads of lists that are no longer than `depth`: ties are settled, by id descending, and are none afterwards."""
        place = self.above + self.by_id
        kept = np.flatnonzero(place < depth)
        items, item = self._renumbered(self.item[kept])
        alone = np.zeros(len(kept), np.int32)
        return replace(
            self,
            begin=offsets(np.bincount(self.list_of_place[kept], minlength=len(self))),
            items=items,
            item=item,
            above=place[kept],
            block=alone + np.int32(1),
            by_id=alone,
            by_order=alone,
        )


def numbered(ids: Ids) -> tuple[Ids, NDArray[np.int32]]:
    """The distinct ids, sorted, and the number of each row's among them."""
    directory = Directory(ids)
    return directory.names, directory.numbers().astype(np.int32)
