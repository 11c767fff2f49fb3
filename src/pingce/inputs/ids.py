"""Id columns: integers or UTF-8 strings, laid out in memory as Arrow, text files or Python have them.

The native core reads every layout as it is; only the reference and messages ask for `plain` columns.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pingce.base.core import native_core, thread_count
from pingce.base.errors import InputError
from pingce.base.records import dataclass
from pingce.base.text import Text

Rows: TypeAlias = NDArray[np.integer[Any]]
Piece: TypeAlias = tuple[Any, ...]
Words = NDArray[np.uint64]


class Ids(ABC):
    """One id a row: all integers, or all strings."""

    integers: bool

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def plain(self) -> IntIds | StringIds:
        """The same ids in one of the two simple layouts; a copy where the layout is another."""

    @abstractmethod
    def pieces(self) -> list[Piece]:
        """What the native core reads: see cpp/python_ids.h."""

    def take(self, rows: Rows) -> IntIds | StringIds:
        """The ids of the given rows; where there is a core they are copied, so that they outlive a file or a frame."""
        if (core := native_core()) is not None and len(self):
            return from_core(core.take(self.pieces(), np.ascontiguousarray(rows, dtype=np.int64)))
        return self.plain().chosen(rows)

    def within(self, rows: slice) -> Ids:
        """The ids of rows that stand together: as they lie in memory, where a layout can."""
        return self.take(np.arange(rows.start, rows.stop))

    def to_list(self) -> list[str] | list[int]:
        """The ids as Python strings or integers."""
        return self.plain().to_list()


def from_core(ids: Any) -> IntIds | StringIds:
    """Ids that the core hands out: an array of integers, or the letters and where each string ends."""
    return StringIds.from_ends(*ids) if isinstance(ids, tuple) else IntIds(ids)


@dataclass(frozen=True, eq=False)
class IntIds(Ids):
    """Integer ids of any width; they are ordered by value. Unsigned ones fit in 63 bits."""

    values: NDArray[np.integer[Any]]
    integers = True

    def __len__(self) -> int:
        return len(self.values)

    def plain(self) -> IntIds:
        return self

    def chosen(self, rows: Rows) -> IntIds:
        """The ids of the given rows."""
        return IntIds(self.values[rows])

    def within(self, rows: slice) -> IntIds:
        return IntIds(self.values[rows])

    def to_list(self) -> list[int]:
        return self.values.tolist()  # type: ignore[no-any-return]

    def comparable(self) -> NDArray[Any]:
        """An array that sorts as the ids do."""
        return self.values.astype(np.int64, copy=False)

    def pieces(self) -> list[Piece]:
        return [("int", np.ascontiguousarray(self.values))]


@dataclass(frozen=True, eq=False)
class StringIds(Ids):
    """String ids: id i is data[starts[i]:ends[i]] in UTF-8; they are ordered by code point, which is byte order."""

    data: NDArray[np.uint8]
    starts: NDArray[np.signedinteger[Any]]
    ends: NDArray[np.signedinteger[Any]]
    integers = False

    @staticmethod
    def from_strings(strings: Iterable[str]) -> StringIds:
        """The column of some Python strings."""
        return StringIds.from_bytes([string.encode() for string in strings])

    @staticmethod
    def from_bytes(pieces: Sequence[bytes]) -> StringIds:
        """The column of some UTF-8 strings."""
        ends = np.cumsum(np.fromiter(map(len, pieces), dtype=np.int64, count=len(pieces)), dtype=np.int64)
        return StringIds.from_ends(np.frombuffer(b"".join(pieces), dtype=np.uint8), ends)

    @staticmethod
    def from_ends(data: NDArray[np.uint8], ends: NDArray[np.int64]) -> StringIds:
        """Strings that lie side by side."""
        return StringIds(data, np.concatenate([np.zeros(1, np.int64), ends])[:-1], ends)

    def __len__(self) -> int:
        return len(self.starts)

    def plain(self) -> StringIds:
        return self

    def chosen(self, rows: Rows) -> StringIds:
        """The ids of the given rows, as slices of the same letters."""
        return StringIds(self.data, self.starts[rows], self.ends[rows])

    def within(self, rows: slice) -> StringIds:
        return StringIds(self.data, self.starts[rows], self.ends[rows])

    def to_bytes_of(self, row: int) -> bytes:
        """One id as UTF-8."""
        return self.data[self.starts[row] : self.ends[row]].tobytes()

    def is_constant(self) -> bool:
        """Whether one id stands in every row."""
        first = np.frombuffer(self.to_bytes_of(0), np.uint8)
        if ((self.ends - self.starts) != len(first)).any():
            return False
        return all((self.data[self.starts + i] == letter).all() for i, letter in enumerate(first))

    def to_bytes(self) -> list[bytes]:
        """The ids as UTF-8."""
        view = self.data.data
        slices = zip(self.starts.tolist(), self.ends.tolist(), strict=True)
        return [view[start:end].tobytes() for start, end in slices]

    def to_list(self) -> list[str]:
        return list(map(_decode, self.to_bytes()))

    def comparable(self) -> NDArray[Any]:
        array = np.empty(len(self), dtype=object)
        array[:] = self.to_bytes()
        return array

    def pieces(self) -> list[Piece]:
        return [("slices", self.data, np.ascontiguousarray(self.starts), np.ascontiguousarray(self.ends))]


_LONGEST_INTEGER = 19
"Digits of the largest 64-bit integer."


def _decode(piece: bytes) -> str:
    try:
        return piece.decode("utf-8")
    except UnicodeDecodeError:
        text = piece.decode("utf-8", "backslashreplace")
        raise InputError(
            f"the id '{text}' is not UTF-8; convert the file first, e.g. iconv -f gb18030 -t utf-8",
            f"编号 '{text}' 不是 UTF-8 编码；请先转换文件，例如 iconv -f gb18030 -t utf-8",
        ) from None


def checked_integers(values: NDArray[Any], where: Text) -> NDArray[Any]:
    """Integers of any type in the byte order of this machine, refused where they are beyond 64-bit signed ones."""
    if values.dtype == np.uint64 and len(values) and int(values.max()) > 2**63 - 1:
        raise InputError(
            f"{where.en} has an id beyond 64-bit signed integers; make the ids strings",
            f"{where.zh} 有超出 64 位有符号整数的编号；请改用字符串编号",
        )
    return values.astype(values.dtype.newbyteorder("="), copy=False)


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


def concatenate(columns: Sequence[Ids]) -> IntIds | StringIds:
    """The columns one after another; all of one kind."""
    plain = [column.plain() for column in columns]
    strings = [column for column in plain if isinstance(column, StringIds)]
    if not strings:
        return IntIds(np.concatenate([column.comparable() for column in plain]))
    base = np.cumsum([0, *(len(column.data) for column in strings)])
    return StringIds(
        np.concatenate([column.data for column in strings]),
        np.concatenate([column.starts + at for column, at in zip(strings, base[:-1], strict=True)]),
        np.concatenate([column.ends + at for column, at in zip(strings, base[:-1], strict=True)]),
    )


_MANY = 1 << 18
"Rows that are worth a thread, where little is done with each."


def partition_by_key(ids: Ids, parts: int, seed: int = 0) -> NDArray[np.int32]:
    """The part, from 0 to parts - 1, of each row by a hash of its id: the same id goes to the same part everywhere."""
    if (core := native_core()) is not None and len(ids):
        return core.deal(ids.pieces(), parts, seed, _threads(ids))
    upper = np.uint64(32)
    return ((reference_hashes(ids.plain(), seed) >> upper) * np.uint64(parts) >> upper).astype(np.int32)


def hashes(ids: Ids, seed: int = 0) -> NDArray[np.uint64]:
    """A number for each row that depends on its id only, and is the same on every machine."""
    if (core := native_core()) is not None and len(ids):
        return core.hashes(ids.pieces(), seed, _threads(ids))
    return reference_hashes(ids.plain(), seed)


def changes(ids: Ids) -> NDArray[np.int64]:
    """The first row of each stretch of equal ids."""
    if (core := native_core()) is not None and len(ids):
        return core.changes(ids.pieces(), _threads(ids))
    values = ids.plain().comparable()
    fresh = np.ones(len(values), bool)
    fresh[1:] = values[1:] != values[:-1]
    return np.flatnonzero(fresh).astype(np.int64)


def sorted_rows(ids: Ids) -> NDArray[np.int64]:
    """Rows in order of their ids; rows with one id stay in given order."""
    if (core := native_core()) is not None and len(ids):
        return core.sorted_rows(ids.pieces())
    return np.argsort(ids.plain().comparable(), kind="stable").astype(np.int64)


def _threads(ids: Ids) -> int:
    return thread_count() if len(ids) > _MANY else 0


_WORD = 8


def reference_hashes(ids: IntIds | StringIds, seed: int) -> Words:
    """One number a row: equal for equal ids, of integers and of strings each."""
    start = np.full(len(ids), seed, np.uint64)
    if isinstance(ids, IntIds):
        return mixed(mixed(start) ^ ids.comparable().view(np.uint64))
    length = (ids.ends - ids.starts).astype(np.int64)
    state = mixed(start ^ mixed(length.astype(np.uint64)))
    longer = np.arange(len(ids))
    at = 0
    while len(longer := longer[length[longer] > at]):
        state[longer] = mixed(state[longer] ^ _words(ids, longer, at))
        at += _WORD
    return state


def mixed(x: Words) -> Words:
    """The finalizer of splitmix64."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def _words(ids: StringIds, rows: NDArray[Any], at: int) -> Words:
    """Up to eight letters from a place on as a little-endian number, zeros above."""
    word = np.zeros(len(rows), np.uint64)
    starts, ends = ids.starts[rows] + at, ids.ends[rows]
    for place in range(_WORD):
        inside = starts + place < ends
        letter = ids.data[np.where(inside, starts + place, 0)].astype(np.uint64)
        word |= np.where(inside, letter << np.uint64(8 * place), np.uint64(0))
    return word
