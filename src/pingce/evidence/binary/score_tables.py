"""The growing table of distinct scores: tables of some rows come in, the table of all of them comes out.

Beside it what follows from such tables: pairs, fewer rows, pools of the best monotone recalibration.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from copy import copy
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.core import native_core
from pingce.base.errors import EmptyInputError
from pingce.base.exact import Floats
from pingce.evidence.binary.thresholds import Pairs, ThresholdEvidence, join_counts

if TYPE_CHECKING:
    from typing_extensions import Self


class Tables:
    """Tables of distinct scores, merged like the digits of a binary counter: n rows in any batches cost O(n log n).

    Where scores are put into `bins` cells, there is one row a cell, and memory is bounded by their number. Who keeps
    tables elsewhere than in memory overrides `add`, `pieces`, `whole`, `ranges`, `pairs`, `thinned`, `fits` and `nbytes`.
    """

    most_rows = 1 << 62
    "Rows that may be made of the table again, where what is asked of it needs them."

    def __init__(self, bins: int | None = None) -> None:
        self.bins = bins
        self._held: list[ThresholdEvidence] = []

    def __bool__(self) -> bool:
        return bool(self._held)

    def add(self, table: ThresholdEvidence) -> None:
        """Take the table of more rows."""
        if len(table):
            self._hold(table)
        while len(self._held) > 1 and len(self._held[-2]) < 2 * len(self._held[-1]):
            self._join_last()

    def _hold(self, table: ThresholdEvidence) -> None:
        self._held.append(table if self.bins is None else binned(table, self.bins))

    def _join_last(self) -> None:
        last = self._held.pop()
        self._hold(self._held.pop().merge(last))

    def pieces(self) -> Iterator[ThresholdEvidence]:
        """Tables that together are the whole, e.g. to be written."""
        yield from self._held

    @property
    def fits(self) -> bool:
        """Whether `whole` can give the whole table; `ranges`, `pairs` and `thinned` work in any case."""
        return True

    def whole(self) -> ThresholdEvidence:
        """The table of all rows."""
        if not self._held:
            raise EmptyInputError("there is no table of scores: no row counts", "没有分数表：没有计入的行")
        if len(self._held) > 1:
            tables, self._held = self._held, []
            self._hold(
                tables[0].merge(tables[1]) if len(tables) == 2 else join_counts([each.counts for each in tables])
            )
        return self._held[0]

    def ranges(self) -> Iterator[ThresholdEvidence]:
        """The table of all rows in ranges of scores, the highest first."""
        yield self.whole()

    def pairs(self) -> Pairs:
        """Pairs of a positive and a negative row."""
        return self.whole().pairs()

    def thinned(self, points: int) -> ThresholdEvidence:
        """At most so many rows of the whole table, the first and the last among them."""
        return thinned(self.whole(), points)

    @property
    def nbytes(self) -> int:
        """Bytes that the tables take."""
        return sum(table.nbytes for table in self._held)

    def copy(self) -> Self:
        """What was added so far; what is added later to one of the two, the other does not see."""
        other = copy(self)
        other._held = list(self._held)
        return other


def binned(table: ThresholdEvidence, bins: int) -> ThresholdEvidence:
    """One row a cell that occurs, under its lowest score: every row is one of the rows of the table."""
    if not len(table):
        return table
    cells = cells_of_scores(table.score, bins)
    last = np.flatnonzero(np.append(cells[1:] != cells[:-1], True))  # scores descend: the lowest of a cell is its last
    return ThresholdEvidence(table.score[last], table.tp[last], table.fp[last])


def cells_of_scores(score: NDArray[Any], bins: int) -> NDArray[np.int64]:
    """The cell of each score: equal steps of the integer that orders single-precision numbers as their values do.

    No range has to be known beforehand. A double goes with the largest single-precision number not above it.
    """
    with np.errstate(over="ignore"):
        single = score.astype(np.float32)
        single = np.where(single > score, np.nextafter(single, np.float32(-np.inf)), single) + np.float32(0)
    bits = single.astype(np.float32).view(np.uint32)
    ordered = np.where(bits >> 31, ~bits, bits | np.uint32(1 << 31))
    cells: NDArray[np.int64] = (ordered.astype(np.uint64) * np.uint64(bins) >> np.uint64(32)).astype(np.int64)
    return cells


def thinned(table: ThresholdEvidence, points: int) -> ThresholdEvidence:
    """At most so many rows of a table, evenly spread, the first and the last among them."""
    if len(table) <= points:
        return table
    chosen = np.linspace(0, len(table) - 1, max(points, 2)).astype(np.int64)
    return ThresholdEvidence(table.score[chosen], table.tp[chosen], table.fp[chosen])


def pairs_of_ranges(tables: Iterable[ThresholdEvidence]) -> Pairs:
    """The pairs of tables of ranges of scores, the highest first: no score of a table is in or above the one before.

    Exact for counts, however large; one table is looked at after another.
    """
    positives: Any = 0
    negatives: Any = 0
    twice: Any = 0
    for table in tables:
        if len(table):
            # All positives of the tables before score higher than the negatives of this one.
            twice += table.pairs().twice_concordant + 2 * positives * table.negatives
            positives += table.positives
            negatives += table.negatives
    return Pairs(positives, negatives, twice)


def pools(table: ThresholdEvidence) -> tuple[Floats, Floats]:
    """Positives and rows of each pool, from the highest score down: their shares of positives fall."""
    positives, negatives = (column.astype(np.float64) for column in table.at)
    rows = positives + negatives
    core = native_core()
    return core.pool(positives, rows) if core is not None else pools_by_reference(positives, rows)


def pools_by_reference(positives: Floats, rows: Floats) -> tuple[Floats, Floats]:
    """Runs of neighbours whose shares rise are pooled, all at once, until none is left.

    Sums of fractions are rounded, and so depend on their order: these are made one by one, as the core makes them.
    """
    columns = positives, rows
    if not all(bool((column == np.floor(column)).all()) and float(column.sum()) < 1 << 53 for column in columns):
        return _pools_one_by_one(positives.tolist(), rows.tolist())
    while True:
        rises = positives[:-1] * rows[1:] < positives[1:] * rows[:-1]
        if not rises.any():
            return positives, rows
        starts = np.flatnonzero(np.concatenate([[True], ~rises]))
        positives, rows = np.add.reduceat(positives, starts), np.add.reduceat(rows, starts)


def _pools_one_by_one(positives: list[float], rows: list[float]) -> tuple[Floats, Floats]:
    """Pool neighbours: each joins the pools before it while shares rise."""
    sums: list[tuple[float, float]] = []
    for few, count in zip(positives, rows, strict=True):
        last = (few, count)
        while sums and sums[-1][0] * last[1] < last[0] * sums[-1][1]:
            before = sums.pop()
            last = (before[0] + last[0], before[1] + last[1])
        sums.append(last)
    pools = np.array(sums, np.float64).reshape(-1, 2)
    return pools[:, 0].copy(), pools[:, 1].copy()


def pooled_loss(table: ThresholdEvidence) -> float:
    """L*: the mean log loss if each pool were predicted its own share of positives."""
    positives, rows = pools(table)
    mixed = (positives > 0) & (positives < rows)
    rarer = np.minimum(positives, rows - positives)[mixed]
    # The logarithm of what is nearly 1 by what it lacks: nothing is lost.
    total = math.fsum(
        -(few * math.log(few / n) + (n - few) * math.log1p(-few / n))
        for few, n in zip(rarer.tolist(), rows[mixed].tolist(), strict=True)
    )
    return total / float(rows.sum())
