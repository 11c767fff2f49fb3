"""Id columns: 64-bit integers, or UTF-8 strings as slices of one buffer, which is how Arrow and text files hold them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import starmap
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from pingce.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Rows: TypeAlias = NDArray[np.integer[Any]]


@dataclass(frozen=True, eq=False)
class IntIds:
    """Integer ids; they are ordered by value."""

    values: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.values)

    def take(self, rows: Rows) -> IntIds:
        """The ids of the given rows."""
        return IntIds(self.values[rows])

    def to_list(self) -> list[int]:
        """The ids as Python integers."""
        found: list[int] = self.values.tolist()
        return found

    def comparable(self) -> NDArray[Any]:
        """An array that sorts as the ids do."""
        return self.values

    def for_core(self) -> NDArray[np.int64]:
        """What the native core reads."""
        return np.ascontiguousarray(self.values)


@dataclass(frozen=True, eq=False)
class StringIds:
    """String ids: id i is data[starts[i]:ends[i]] in UTF-8; they are ordered by code point, which is byte order."""

    data: NDArray[np.uint8]
    starts: NDArray[np.signedinteger[Any]]
    ends: NDArray[np.signedinteger[Any]]

    @staticmethod
    def from_strings(strings: Iterable[str]) -> StringIds:
        """The column of some Python strings."""
        return StringIds.from_bytes([string.encode() for string in strings])

    @staticmethod
    def from_bytes(pieces: Sequence[bytes]) -> StringIds:
        """The column of some UTF-8 strings."""
        ends = np.cumsum(np.fromiter(map(len, pieces), dtype=np.int64, count=len(pieces)), dtype=np.int64)
        starts = np.concatenate([np.zeros(1, np.int64), ends[:-1]]) if len(pieces) else ends
        return StringIds(np.frombuffer(b"".join(pieces), dtype=np.uint8), starts, ends)

    def __len__(self) -> int:
        return len(self.starts)

    def take(self, rows: Rows) -> StringIds:
        """The ids of the given rows."""
        return StringIds(self.data, self.starts[rows], self.ends[rows])

    def to_bytes(self) -> list[bytes]:
        """The ids as UTF-8."""
        view = self.data.data
        slices = zip(self.starts.tolist(), self.ends.tolist(), strict=True)
        return list(starmap(lambda start, end: view[start:end].tobytes(), slices))

    def to_list(self) -> list[str]:
        """The ids as Python strings."""
        return [_decode(piece) for piece in self.to_bytes()]

    def comparable(self) -> NDArray[Any]:
        """An array that sorts as the ids do."""
        array = np.empty(len(self), dtype=object)
        array[:] = self.to_bytes()
        return array

    def for_core(self) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """What the native core reads."""
        return self.data, np.ascontiguousarray(self.starts), np.ascontiguousarray(self.ends)


Ids: TypeAlias = "IntIds | StringIds"

_LONGEST_INTEGER = 19
"Digits of the largest 64-bit integer."


def _decode(piece: bytes) -> str:
    try:
        return piece.decode("utf-8")
    except UnicodeDecodeError:
        shown = piece.decode("utf-8", "backslashreplace")
        raise InputError(
            f"the id '{shown}' is not UTF-8; convert the file first, e.g. iconv -f gb18030 -t utf-8",
            f"编号 '{shown}' 不是 UTF-8 编码；请先转换文件，例如 iconv -f gb18030 -t utf-8",
        ) from None


def integers_or_none(ids: StringIds) -> IntIds | None:
    """The ids as integers where every one of them is written as an integer prints; else None.

    Digits are added up column by column from the right, so that no row is looked at in Python.
    """
    length = ids.ends - ids.starts
    if not len(ids) or int(length.min()) < 1 or int(length.max()) > _LONGEST_INTEGER + 1:
        return None
    first = ids.data[ids.starts]
    negative = first == ord("-")
    digits = length - negative
    leading = ids.data[np.minimum(ids.starts + negative, ids.ends - 1)]
    canonical = (digits >= 1) & (digits <= _LONGEST_INTEGER) & ((leading != ord("0")) | (digits == 1) & ~negative)
    if not canonical.all():
        return None
    values = np.zeros(len(ids), dtype=np.uint64)
    for place in range(int(digits.max())):
        inside = digits > place
        letter = ids.data[np.where(inside, ids.ends - 1 - place, 0)] - np.uint8(ord("0"))
        if (letter > 9)[inside].any():
            return None
        values += np.where(inside, letter, 0).astype(np.uint64) * np.uint64(10**place)
    if (values > np.uint64(2**63 - 1) + negative.astype(np.uint64)).any():
        return None
    signed = values.astype(np.int64)
    return IntIds(np.where(negative, -signed, signed))


def concatenate(columns: Sequence[Ids]) -> Ids:
    """The columns one after another; all of one kind."""
    if isinstance(columns[0], IntIds):
        return IntIds(np.concatenate([column.values for column in columns if isinstance(column, IntIds)]))
    return StringIds.from_bytes(
        [piece for column in columns if isinstance(column, StringIds) for piece in column.to_bytes()]
    )
