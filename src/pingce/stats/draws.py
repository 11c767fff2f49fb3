"""Units drawn with replacement, again and again: what each draw adds up to in each cell, in whole numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

import numpy as np
from numpy.typing import NDArray

from pingce.base.core import native_core, thread_count
from pingce.base.exact import Floats, Ints
from pingce.base.progress import advance
from pingce.base.records import dataclass
from pingce.stats.resampling import Resampling

_STEP = 0x9E3779B97F4A7C15
"2^64 over the golden ratio."
_BLOCK = 1 << 20
"Sums of draws that are held at once."


def _nothing() -> Ints:
    return np.zeros(0, np.int64)


@dataclass(frozen=True, eq=False)
class Units:
    """Rows, or groups with all their rows, and what each adds to which cell. Their order matters: it must be that of
    what they are, and not that in which they came."""

    cells: NDArray[np.uint32]
    "The cell of each entry."
    count: int
    "How many cells there are."
    amounts: Ints = field(default_factory=_nothing)
    "What each entry adds; nothing: 1 each."
    starts: Ints = field(default_factory=_nothing)
    "Where the entries of each unit begin, and the end of all; nothing: a unit is an entry."
    power: int = 0
    "Amounts are counted in 2^-power."

    @staticmethod
    def of_counts(counts: Ints) -> Units:
        """Cells that hold so many rows each."""
        return Units(np.repeat(np.arange(len(counts), dtype=np.uint32), counts), len(counts))

    @staticmethod
    def of_rows(cells: Ints, count: int, weight: Floats | None) -> Units:
        """Rows of these cells, sorted by cell and weight; a row of weight 0 is none."""
        if weight is None:
            return Units.of_counts(np.bincount(cells, minlength=count))
        order = np.lexsort((weight, cells))
        order = order[weight[order] > 0]
        return _weighted(cells[order], count, weight[order])

    @staticmethod
    def in_order(cells: Ints, count: int, weight: Floats | None) -> Units:
        """Rows that were sorted already, by something that two models share."""
        return Units(cells.astype(np.uint32), count) if weight is None else _weighted(cells, count, weight)

    @staticmethod
    def of_groups(cells: Ints, count: int, weight: Floats | None, code: Ints) -> Units:
        """Groups by their number; a row of number -1 is none."""
        order = np.argsort(code, kind="stable")
        order = order[code[order] >= 0]
        return Units.of_entries(
            cells[order], count, np.bincount(code[order]), None if weight is None else weight[order]
        )

    @staticmethod
    def of_entries(cells: Ints, count: int, entries: Ints, amounts: Floats | None) -> Units:
        """Units of so many entries each; what each entry adds, by default 1."""
        starts = np.concatenate([[0], np.cumsum(entries)])
        if amounts is None:
            return Units(cells.astype(np.uint32), count, starts=starts)
        return _weighted(cells, count, amounts, starts)

    def whole(self) -> Floats:
        """The sums of each cell with every unit once."""
        amounts = self.amounts if len(self.amounts) else np.ones(len(self.cells), np.int64)
        sums = np.zeros(self.count, np.int64)
        np.add.at(sums, self.cells, amounts)
        return np.ldexp(sums.astype(np.float64), -self.power)

    def drawn(self, resampling: Resampling, first: int, draws: int) -> Floats:
        """The sums of each cell, a row per draw, of so many draws from one on."""
        sums = self._sums(_short(resampling.seed), first, draws).astype(np.float64)
        return np.ldexp(sums, -self.power) if self.power else sums

    def sums(self, resampling: Resampling) -> Iterator[Floats]:
        """The sums of each cell, a row per draw, some draws at a time."""
        block = max(1, _BLOCK // self.count)
        for first in range(0, resampling.samples, block):
            draws = min(block, resampling.samples - first)
            yield self.drawn(resampling, first, draws)
            advance((first + draws) / resampling.samples)

    def _sums(self, seed: int, first: int, draws: int) -> Ints:
        core = native_core()
        if core is None:
            return sums_by_reference(self, seed, first, draws)
        columns = self.starts, self.cells, self.amounts
        return core.drawn_sums(*columns, self.count, (seed, first, draws), thread_count()).reshape(draws, self.count)


def _weighted(cells: Ints, count: int, weight: Floats, starts: Ints | None = None) -> Units:
    """Weights, or what they weigh, in so small a unit that whole numbers will do, and so large that no sum of a draw leaves 64 bits."""
    starts = _nothing() if starts is None else starts
    units, entries = (len(starts) - 1, int(np.diff(starts).max(initial=1))) if len(starts) else (len(cells), 1)
    largest = float(np.abs(weight).max(initial=0.0))
    power = 61 - units.bit_length() - entries.bit_length() - int(np.frexp(largest)[1]) if largest else 0
    return Units(cells.astype(np.uint32), count, np.rint(np.ldexp(weight, power)).astype(np.int64), starts, power)


def _short(seed: int) -> int:
    """A seed of any size as 64 bits, by its rest after the largest prime below 2^64."""
    return seed % ((1 << 64) - 59)


def sums_by_reference(units: Units, seed: int, first: int, draws: int) -> Ints:
    """The same in NumPy."""
    count = len(units.starts) - 1 if len(units.starts) else len(units.cells)
    draw_numbers = np.arange(first, first + draws, dtype=np.uint64)
    key = _mixed(_mixed(np.array([(seed + _STEP) % 2**64], np.uint64)) + draw_numbers * _U_STEP)
    places = np.arange(1, -(-count // 2) + 1, dtype=np.uint64) * _U_STEP
    out = np.zeros((draws, units.count), np.int64)
    for draw in range(draws):
        halves = _mixed(key[draw] + places).astype("<u8", copy=False).view("<u4")[:count].astype(np.uint64)
        often = np.bincount((halves * np.uint64(count) >> np.uint64(32)).astype(np.int64), minlength=count)
        times = np.repeat(often, np.diff(units.starts)) if len(units.starts) else often
        np.add.at(out[draw], units.cells, times * units.amounts if len(units.amounts) else times)
    return out


_U_STEP = np.uint64(_STEP)


def _mixed(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """SplitMix64: every bit of a word depends on every bit of the counter."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))
