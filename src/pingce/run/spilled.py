"""Exact counts of scores that do not fit into memory: sorted tables on disk, merged range by range."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.memory import human
from pingce.base.records import dataclass
from pingce.evidence.binary.score_tables import Tables, pairs_of_ranges, thinned
from pingce.evidence.binary.thresholds import Counts, Pairs, ThresholdEvidence, join_counts
from pingce.run.temporary import Workspace

if TYPE_CHECKING:
    from typing_extensions import Self


_COLUMNS: Final = ("score", "positives", "negatives")
_STEP: Final = 1 << 12
"Of how many rows on disk one score is kept in memory."
_MANY_POINTS: Final = 1 << 14
"Of a whole table that are kept for curves."
_numbers = count()


@dataclass(frozen=True)
class Run:
    """Scores, descending, and the positives and negatives with each: on disk, or in memory."""

    columns: tuple[Path | NDArray[Any], ...]
    kinds: tuple[np.dtype[Any], ...]
    rows: int
    index: NDArray[Any]
    "Every so-many-th score."
    step: int

    def read(self, begin: int, end: int) -> Counts:
        """Some rows."""
        score, positives, negatives = (self.column(place, begin, end) for place in range(3))
        return score, positives, negatives

    def column(self, place: int, begin: int, end: int) -> NDArray[Any]:
        """Some rows of one of the columns."""
        column, kind = self.columns[place], self.kinds[place]
        if isinstance(column, np.ndarray):
            return column[begin:end]
        return np.fromfile(column, kind, end - begin, offset=begin * kind.itemsize)

    def above(self, score: Any) -> int:
        """How many rows have a higher score."""
        blocks = int(np.searchsorted(-self.index, -score, side="left"))
        begin = max(blocks - 1, 0) * self.step
        block = self.column(0, begin, min(begin + self.step, self.rows))
        return begin + int(np.searchsorted(-block, -score, side="left"))


@dataclass(frozen=True)
class Scan:
    """What one look at all ranges tells."""

    pairs: Pairs
    rows: int
    points: ThresholdEvidence
    "Some rows of the whole table, evenly spread, the first and the last among them."


def run_of(table: ThresholdEvidence, step: int) -> Run:
    """A table in memory."""
    columns = tuple(map(_narrowed, table.counts))
    return Run(columns, tuple(column.dtype for column in columns), len(table), table.score[::step].copy(), step)


def _narrowed(column: NDArray[Any]) -> NDArray[Any]:
    """Counts in as few bytes as they need: most scores occur a few times, and rows on disk are written and read."""
    return column if column.dtype.kind == "f" else column.astype(np.min_scalar_type(int(column.max(initial=0))))


def write_run(table: ThresholdEvidence, folder: Path, step: int) -> Run:
    """The table on disk."""
    number, run = next(_numbers), run_of(table, step)
    paths = tuple(folder / f"scores-{number}.{name}" for name in _COLUMNS)
    for path, column in zip(paths, run.columns, strict=True):
        with path.open("wb", 0) as file:
            left = np.ascontiguousarray(column).data.cast("B")
            while left:
                left = left[file.write(left[: 1 << 26]) :]
    return replace(run, columns=paths)


class SpilledTables(Tables):
    """The table of distinct scores in a workspace: no more than `room` bytes of it are in memory while it grows.

    Up to `easy` bytes it is as good as one in memory; up to `most` it is given where a metric needs all of it.
    """

    def __init__(self, workspace: Workspace, room: int, easy: int, most: int, *, step: int = _STEP) -> None:
        super().__init__()
        self._workspace, self._room, self._easy, self._most, self._step = workspace, room, easy, most, step
        self._runs: list[Run] = []
        self._scan: Scan | None = None

    def __bool__(self) -> bool:
        return bool(self._runs) or super().__bool__()

    def add(self, table: ThresholdEvidence) -> None:
        self._scan = None
        super().add(table)
        if super().nbytes > self._room:
            self._runs.append(write_run(super().whole(), self._workspace.folder, self._step))
            self._held = []

    def pieces(self) -> Iterator[ThresholdEvidence]:
        """Tables that together are the whole, each of which fits into memory."""
        for run in self._runs:
            for begin in range(0, run.rows, self._rows):
                yield join_counts([run.read(begin, min(begin + self._rows, run.rows))])
        yield from super().pieces()

    @property
    def _rows(self) -> int:
        """Rows of a range: what is merged is there twice or three times."""
        return max(1, self._room // (4 * self._row_bytes))

    @property
    def _row_bytes(self) -> int:
        """Bytes of memory that a row of a table takes."""
        return self._runs[0].kinds[0].itemsize + 16

    def _ranges(self) -> Iterator[ThresholdEvidence]:
        """The whole table in ranges of scores, the highest first; equal scores are never in two of them."""
        runs = [*self._runs, *([run_of(super().whole(), self._step)] if self._held else [])]
        scores = np.sort(np.concatenate([run.index for run in runs]))[::-1]
        apart = max(1, self._rows // self._step)
        taken = [0] * len(runs)
        for bound in [*np.unique(scores[apart::apart])[::-1], None]:
            ends = [run.rows if bound is None else run.above(bound) for run in runs]
            places = [each for each in zip(runs, taken, ends, strict=True) if each[1] < each[2]]
            taken = ends
            if places:
                yield join_counts([run.read(begin, end) for run, begin, end in places])

    def ranges(self) -> Iterator[ThresholdEvidence]:
        """The whole table in ranges of scores, with the counts that it has there."""
        if not self._runs:
            yield from super().ranges()
            return
        pairs = self._scanned().pairs
        above: tuple[float, float] = (0, 0)  # counts stay whole
        for table in self._ranges():
            tp, fp = (column + of for column, of in zip((table.tp, table.fp), above, strict=True))
            totals = pairs.positives, pairs.negatives
            yield ThresholdEvidence(table.score, tp, fp, above=above, totals=totals)
            above = tp[-1].item(), fp[-1].item()

    def _scanned(self) -> Scan:
        if self._scan is None:
            points = _Points(max(1, sum(run.rows for run in self._runs) // _MANY_POINTS))
            pairs = pairs_of_ranges(points.watching(self._ranges()))
            self._scan = Scan(pairs, points.rows, points.table())
        return self._scan

    @property
    def fits(self) -> bool:
        return not self._runs or self._scanned().rows * self._row_bytes <= self._easy

    def whole(self) -> ThresholdEvidence:
        if not self._runs:
            return super().whole()
        rows = self._scanned().rows
        if rows * self._row_bytes > self._most:
            raise self._too_large(rows)
        kind, counts_kind, _ = self._runs[0].kinds
        amounts = np.float64 if counts_kind.kind == "f" else np.int64
        columns = [np.empty(rows, kind), np.empty(rows, amounts), np.empty(rows, amounts)]
        begin = 0
        for table in self._ranges():
            end = begin + len(table)
            columns[0][begin:end] = table.score
            for column, counts in zip(columns[1:], (table.tp, table.fp), strict=True):
                column[begin:end] = counts + (column[begin - 1] if begin else 0)
            begin = end
        score, tp, fp = columns
        twice = self._scanned().pairs.twice_concordant
        return ThresholdEvidence(score, tp, fp, twice if isinstance(twice, int) else None)

    def _too_large(self, rows: int) -> InputError:
        size, most = human(rows * self._row_bytes), human(self._most)
        return InputError(
            f"the scores have {rows:,} distinct values: a table of {size}, and {most} of the memory are for it; auc, gauc, "
            "pr_auc and ks do not need the whole table at once: leave out the metrics and curves that do, or give more --memory "
            "(memory=)",
            f"分数有 {rows:,} 个不同的值，其表为 {size}，而可用于它的内存为 {most}；auc、gauc、pr_auc 与 ks "
            "不需要一次用到整张表：请去掉需要整张表的指标与曲线，或调大 --memory（memory=）",
        )

    def pairs(self) -> Pairs:
        return self._scanned().pairs if self._runs else super().pairs()

    def thinned(self, points: int) -> ThresholdEvidence:
        return thinned(self._scanned().points, points) if self._runs else super().thinned(points)

    @property
    def nbytes(self) -> int:
        return super().nbytes + sum(run.rows * self._row_bytes for run in self._runs)

    def copy(self) -> Self:
        """What was added so far; both read the same tables on disk, which nobody changes."""
        other = super().copy()
        other._runs, other._scan = list(self._runs), self._scan
        return other


class _Points:
    """Keeps every so-many-th row of ranges that pass by, and the last one."""

    def __init__(self, apart: int) -> None:
        self._apart = apart
        self._above: list[Any] = [0, 0]
        self.rows = 0
        self._chosen: list[list[NDArray[Any]]] = []

    def watching(self, tables: Iterator[ThresholdEvidence]) -> Iterator[ThresholdEvidence]:
        """The same ranges."""
        for table in tables:
            places = np.arange(-self.rows % self._apart, len(table), self._apart)
            self._chosen.append(self._rows_of(table, places))
            last = self._rows_of(table, np.array([len(table) - 1]))
            self.rows, self._last_row = self.rows + len(table), last
            self._above = [last[1][0], last[2][0]]
            yield table

    def _rows_of(self, table: ThresholdEvidence, places: NDArray[np.int64]) -> list[NDArray[Any]]:
        return [table.score[places], table.tp[places] + self._above[0], table.fp[places] + self._above[1]]

    def table(self) -> ThresholdEvidence:
        """The rows that were kept."""
        rows = [*self._chosen, *([self._last_row] if (self.rows - 1) % self._apart else [])]
        score, tp, fp = (np.concatenate(columns) for columns in zip(*rows, strict=True))
        return ThresholdEvidence(score, tp, fp)
