"""Id columns in Arrow's other layouts, read as they are: views, codes into a dictionary, and several pieces in a row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.records import dataclass
from pingce.inputs.ids import Ids, IntIds, Piece, StringIds, concatenate

WITHIN = 12
"The longest string that a view holds itself."


@dataclass(frozen=True, eq=False)
class ViewIds(Ids):
    """Arrow's string_view: four 32-bit words a string, its length and then the string itself, if it is short, or its
    first letters, the number of a buffer and an offset there.
    """

    views: NDArray[np.int32]
    buffers: tuple[NDArray[np.uint8], ...]
    integers = False

    def __len__(self) -> int:
        return len(self.views)

    def plain(self) -> StringIds:
        base = np.cumsum([self.views.nbytes, *map(len, self.buffers)], dtype=np.int64)
        length, buffer, offset = (self.views[:, column].astype(np.int64) for column in (0, 2, 3))
        within = length <= WITHIN
        inside = 16 * np.arange(len(self), dtype=np.int64) + 4
        starts = np.where(within, inside, base[np.where(within, 0, buffer)] + offset)
        data = np.concatenate([np.ascontiguousarray(self.views).view(np.uint8).reshape(-1), *self.buffers])
        return StringIds(data, starts, starts + length)

    def pieces(self) -> list[Piece]:
        return [("views", np.ascontiguousarray(self.views).view(np.uint8).reshape(-1), list(self.buffers))]


@dataclass(frozen=True, eq=False)
class CodedIds(Ids):
    """Codes into a dictionary of ids: Arrow's dictionary columns, pandas' categories, the lists of a dict."""

    codes: NDArray[np.integer[Any]]
    dictionary: IntIds | StringIds | ViewIds

    @property
    def integers(self) -> bool:  # type: ignore[override]
        return self.dictionary.integers

    def __len__(self) -> int:
        return len(self.codes)

    def plain(self) -> IntIds | StringIds:
        return self.dictionary.plain().chosen(self.codes)

    def pieces(self) -> list[Piece]:
        return [("coded", np.ascontiguousarray(self.codes), self.dictionary.pieces()[0])]


@dataclass(frozen=True, eq=False)
class JoinedIds(Ids):
    """Pieces one after another: Arrow's chunks, the files of a folder. All of one kind, and at least one."""

    parts: tuple[Ids, ...]

    @property
    def integers(self) -> bool:  # type: ignore[override]
        return self.parts[0].integers

    def __len__(self) -> int:
        return sum(map(len, self.parts))

    def plain(self) -> IntIds | StringIds:
        return concatenate(self.parts)

    def pieces(self) -> list[Piece]:
        return [piece for part in self.parts for piece in part.pieces()]


def joined(parts: list[Ids]) -> Ids:
    """The parts as one column."""
    if len(parts) == 1:
        return parts[0]
    numbers = [part.values for part in parts if isinstance(part, IntIds)]
    stretch = one_stretch(numbers) if len(numbers) == len(parts) else None
    return JoinedIds(tuple(parts)) if stretch is None else IntIds(stretch)


def one_stretch(parts: Sequence[NDArray[Any]]) -> NDArray[Any] | None:
    """Arrays as one, where each lies in memory just behind the one before; else None."""
    base, kind = parts[0].base, parts[0].dtype
    if not isinstance(base, np.ndarray) or base.dtype != kind or not base.flags.c_contiguous or base.ndim != 1:
        return None
    first = end = _address(parts[0])
    for part in parts:
        if part.base is not base or part.dtype != kind or not part.flags.c_contiguous or _address(part) != end:
            return None
        end += part.nbytes
    begin = (first - _address(base)) // kind.itemsize
    return base[begin : begin + (end - first) // kind.itemsize]


def _address(array: NDArray[Any]) -> int:
    address: int = array.__array_interface__["data"][0]
    return address
