"""Values that are functions of sums over cells: each row adds its weight to one of them. Draws and slopes of such values."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats, Ints
from pingce.base.records import dataclass
from pingce.evidence.binary.thresholds import ThresholdEvidence

RANGES = 512
"Ranges of scores that stand for all: a draw of so many differs from one of every score by far less than draws do."
_BLOCK = 1 << 19
"Sums that are changed at once."


@dataclass(frozen=True, eq=False)
class CellValue:
    """A value by the sums of its cells."""

    evaluate: Callable[[Floats], Floats]
    "The value of each of several rows of sums."
    sums: Floats
    "Those of the data."
    cell: Callable[[], Ints]
    "The cell of each row."

    def slopes(self, row: float) -> Floats:
        """By how much the value moves with the sum of each cell, for a row of a typical weight; 0 of an empty cell."""
        slopes, cells = np.zeros(len(self.sums)), np.flatnonzero(self.sums)
        step = row / 2
        for first in range(0, len(cells), max(1, _BLOCK // len(self.sums))):
            some = cells[first : first + max(1, _BLOCK // len(self.sums))]
            moved = np.tile(self.sums, (len(some), 1))
            moved[np.arange(len(some)), some] += step
            more = self.evaluate(moved)
            moved[np.arange(len(some)), some] -= row
            slopes[some] = (more - self.evaluate(moved)) / row
        return slopes

    def draws(self, sums: Iterable[Floats]) -> Floats:
        """The value of each draw."""
        return np.concatenate([self.evaluate(some) for some in sums])

    @property
    def value(self) -> float:
        """The value of the data, as its cells know it."""
        return float(self.evaluate(self.sums[None, :])[0])


@dataclass(frozen=True, eq=False)
class ScoreRanges:
    """A table of thresholds in ranges of scores, each with a small share of the positives and of the negatives."""

    score: NDArray[Any]
    "The lowest score of each, from the highest."
    sums: Floats
    "The positives of each range, then the negatives."

    @staticmethod
    def of(table: ThresholdEvidence, most: int = RANGES) -> ScoreRanges:
        """As many ranges as there are scores, where these are few."""
        positive, negative = (side.astype(np.float64) for side in table.at)
        if len(table) <= most:
            return ScoreRanges(table.score, np.concatenate([positive, negative]))
        shares = (
            (table.tp - positive) / float(table.positives or 1),
            (table.fp - negative) / float(table.negatives or 1),
        )
        levels = sum((share * (most // 2)).astype(np.int64) for share in shares)
        first = np.flatnonzero(np.diff(levels, prepend=-1))
        last = np.append(first[1:], len(table)) - 1
        sums = [np.add.reduceat(side, first) for side in (positive, negative)]
        return ScoreRanges(table.score[last], np.concatenate(sums))

    def __len__(self) -> int:
        return len(self.score)

    def cells(self, scores: NDArray[Any], positive: NDArray[np.bool_]) -> Ints:
        """The place of each row among the sums; one of weight 0 may lie below all that count, and adds nothing there."""
        place = np.minimum(len(self) - np.searchsorted(self.score[::-1], scores, side="right"), len(self) - 1)
        return np.where(positive, place, place + len(self))
