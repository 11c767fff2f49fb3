"""The middle form of several labels per row: a matrix of zeros and ones and a matrix of scores, a row each, a column a label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.inputs.columns import Place, joined_place
from pingce.inputs.slices import Partition, joined_partitions

Flags = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class LabelRows:
    """Which labels each row has, and the score of each."""

    truth: Flags
    scores: NDArray[Any]
    "float32 or float64."
    labels: tuple[str, ...]
    weight: Floats | None = None
    place: Place | None = None
    by: tuple[Partition, ...] = ()
    "What the rows are sliced by."
    declared: bool = False
    "Whether `labels=` named the labels."

    def __len__(self) -> int:
        return len(self.truth)

    @property
    def weights(self) -> Floats:
        """The weight of each row, 1 without weights."""
        return np.ones(len(self)) if self.weight is None else self.weight

    def select(self, chosen: NDArray[np.intp]) -> LabelRows:
        """Some rows; the labels stay."""
        return replace(
            self,
            truth=self.truth[chosen],
            scores=self.scores[chosen],
            weight=None if self.weight is None else self.weight[chosen],
            place=lambda row: self.place_of(int(chosen[row])),
            by=(),
        )

    def last(self, count: int) -> LabelRows:
        """The last rows, as if there had been no others."""
        first = len(self) - count
        by = tuple(partition.since(first, first) for partition in self.by)
        return replace(self.select(np.arange(first, len(self))), by=by)

    def counted(self) -> LabelRows:
        """Without the rows of weight 0."""
        return self if self.weight is None or self.weight.all() else self.select(np.flatnonzero(self.weight))

    def owned(self) -> LabelRows:
        """The same in memory that nobody else writes to."""
        weight = None if self.weight is None else self.weight.copy()
        return replace(self, truth=self.truth.copy(), scores=self.scores.copy(), weight=weight)

    def place_of(self, row: int) -> Text:
        """The row, in words."""
        return self.place(row) if self.place else Text(f"row {row}", f"第 {row} 行（从 0 起）")


def joined(batches: Sequence[LabelRows]) -> LabelRows:
    """The rows of all batches, one after another."""
    if len(batches) == 1:
        return batches[0]
    first = batches[0]
    return replace(
        first,
        truth=np.concatenate([rows.truth for rows in batches]),
        scores=np.concatenate([rows.scores for rows in batches]),
        weight=None if first.weight is None else np.concatenate([rows.weights for rows in batches]),
        place=joined_place([rows.place_of for rows in batches], map(len, batches)),
        by=joined_partitions([rows.by for rows in batches]),
    )
