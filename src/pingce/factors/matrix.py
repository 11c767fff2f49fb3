"""A matrix of vectors, one a row, as it lies in memory or in a file; and the numbers of some rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.inputs.ids import Ids

Floats = NDArray[np.floating[Any]]
_CELLS = 1 << 22
"Numbers that are looked at together."


@dataclass(frozen=True, eq=False)
class Matrix:
    """Vectors of users or of items."""

    values: NDArray[Any]
    "Rows of float16, float32 or float64; of brain floats their bits."
    name: Text
    ids: Ids | None = None
    "Of the rows, where they came with them."
    is_brain: bool = False
    "Whether 16 bits are the upper half of a float32, a type that NumPy lacks."

    def __len__(self) -> int:
        return len(self.values)

    @property
    def width(self) -> int:
        """How many numbers a vector has."""
        return int(self.values.shape[1])

    @property
    def precision(self) -> np.dtype[Any]:
        """The type that its numbers are computed with: none smaller than float32."""
        return np.dtype(np.float64 if self.values.dtype == np.float64 else np.float32)

    def rows(self, chosen: NDArray[Any] | slice, precision: np.dtype[Any]) -> Floats:
        """Some rows as numbers of a type."""
        block = np.ascontiguousarray(self.values[chosen])
        if self.is_brain:
            block = (block.astype(np.uint32) << np.uint32(16)).view(np.float32)
        return block.astype(precision, copy=False)

    def blocks(self, precision: np.dtype[Any]) -> Iterator[tuple[int, Floats]]:
        """All rows, some at a time, each time with the number of the first."""
        size = max(1, _CELLS // max(self.width, 1))
        for begin in range(0, len(self), size):
            yield begin, self.rows(slice(begin, begin + size), precision)

    def largest(self) -> float:
        """The largest absolute number; a row that has something else than finite numbers is refused."""
        largest, bad, first = 0.0, 0, -1
        for begin, block in self.blocks(self.precision):
            top = np.abs(block).max(initial=0)
            if np.isfinite(top):
                largest = max(largest, float(top))
                continue
            rows = np.flatnonzero(~np.isfinite(block).all(axis=1))
            first = begin + int(rows[0]) if first < 0 else first
            bad += len(rows)
        if bad:
            raise self._not_finite(first, bad)
        return largest

    def _not_finite(self, row: int, count: int) -> InputError:
        number = next(float(x) for x in self.rows(slice(row, row + 1), self.precision)[0] if not np.isfinite(x))
        id_text = "" if self.ids is None else f" ({self.ids.take(np.array([row])).to_list()[0]!r})"
        return InputError(
            f"row {row}{id_text} of {self.name.en} has {number}; {count} of {len(self)} rows have something that is no finite number: correct "
            "them, or leave these rows out",
            f"{self.name.zh}第 {row} 行{id_text}（从 0 起）含 {number}；{len(self)} 行中有 {count} 行含有不是有限数的值：请更正，或去掉这些行",
        )

    def norms(self, precision: np.dtype[Any]) -> Floats:
        """The length of each vector, summed number by number; 1 for one of zeros, so that it can be divided by."""
        norms = np.empty(len(self), precision)
        for begin, block in self.blocks(precision):
            total = np.zeros(len(block), precision)
            for column in range(block.shape[1]):
                total += block[:, column] * block[:, column]
            norms[begin : begin + len(block)] = np.sqrt(total)
            small = np.flatnonzero(total < _smallest_sum(precision))
            norms[begin + small] = _small_norms(block[small])
        norms[norms == 0] = 1
        return norms


def _smallest_sum(precision: np.dtype[Any]) -> Any:
    """Below it a sum of squares has lost digits, or everything."""
    facts = np.finfo(precision)
    return facts.tiny / facts.eps


def _small_norms(block: Floats) -> Floats:
    """The length of vectors of small numbers: a power of two brings them near 1 and back, which changes no digit."""
    power = np.frexp(np.abs(block).max(axis=1, initial=0))[1]
    scaled, total = np.ldexp(block, -power[:, None]), np.zeros(len(block), block.dtype)
    for column in range(block.shape[1]):
        total += scaled[:, column] * scaled[:, column]
    return np.asarray(np.ldexp(np.sqrt(total), power))
