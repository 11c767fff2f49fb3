"""Slices of rows: which slice each row or query belongs to. Every one belongs to exactly one, so that slices add up."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.lazy import pa
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.inputs.data import MOST_SLICES, Column
from pingce.inputs.ids import Ids, IntIds, StringIds
from pingce.inputs.predictions import ACTIVITY
from pingce.inputs.vectors import Vector, same_length, vector

Codes = NDArray[np.intp]

DECILES = 10


@dataclass(frozen=True, eq=False)
class SlicePart:
    """Rows of one slice: `count` has those of weight 0 among them, `places` may not; and the rows themselves, once they are taken."""

    by: str
    name: str | None
    value: Any
    count: int
    places: Codes
    rows: Any = None


@dataclass(frozen=True, eq=False)
class Partition:
    """`codes` are places in `names`; -1 where there is no value, which is a slice of its own."""

    by: str
    codes: Codes
    names: tuple[str, ...]
    notes: tuple[Text, ...] = ()
    every: Codes | None = None
    "The codes of all rows, where rows of weight 0 are not among `codes`."
    values: tuple[Any, ...] = ()
    "What the names were written from, for partitions that may be joined with others."

    def parts(self) -> Iterator[tuple[str | None, int, Codes]]:
        """Each slice that has rows: its name (None for rows without a value, last), their number, their places."""
        order = np.argsort(self.codes, kind="stable")
        bounds = np.searchsorted(self.codes[order], np.arange(-1, len(self.names) + 1))
        sizes = np.bincount(self.every_code + 1, minlength=len(self.names) + 1)
        for place in (*range(1, len(sizes)), 0):
            if sizes[place]:
                name = self.names[place - 1] if place else None
                yield name, int(sizes[place]), order[bounds[place] : bounds[place + 1]]

    def take(self, rows: Codes) -> Partition:
        """Of some of the rows; sizes stay those of all."""
        return replace(self, codes=self.codes[rows], every=self.every_code)

    def since(self, row: int, every_row: int) -> Partition:
        """Of the rows from one on, as if there had been no others; `every_row` is where it stands among all, those of weight 0 too."""
        both = np.concatenate([self.codes[row:], self.every_code[every_row:]])
        present = np.unique(both[both >= 0])
        place = np.full(len(self.names) + 1, -1, np.intp)
        place[present] = np.arange(len(present))
        partition = partition_from([self.values[code] for code in present.tolist()], place[both], self.by)
        codes, every = np.split(partition.codes, [len(self.codes) - row])
        return replace(partition, codes=codes, every=None if self.every is None else every)

    def split(self) -> Iterator[SlicePart]:
        """Each slice that has rows, with what its name was written from."""
        values = dict(zip(self.names, self.values, strict=True))
        for name, count, places in self.parts():
            yield SlicePart(self.by, name, None if name is None else values[name], count, places)

    @property
    def every_code(self) -> Codes:
        """The codes of all rows, those of weight 0 among them."""
        return self.codes if self.every is None else self.every


def places_in(partitions: Iterable[Partition], by: str, name: str | None) -> Codes:
    """The rows of the slice of this name."""
    parts = (part for partition in partitions if partition.by == by for part in partition.parts())
    return next(places for title, _, places in parts if title == name)


def partition_of(column: Vector, by: str, *, batch: bool = False) -> Partition:
    """One slice a value: numbers by size, words by letters; null, NaN and empty text are no value."""
    partition = partition_from(*(_numbers(column) if column.is_array else _words(column)), by)
    if not batch:
        _refuse_empty(partition, column.name)
    return partition


def _refuse_empty(partition: Partition, name: Text) -> None:
    if not partition.names:
        raise InputError(
            f"{name.en} has no value in any row: there is nothing to slice by", f"{name.zh} 没有任何值，无法据此切片"
        )


def partition_from(values: Sequence[Any], codes: Codes, by: str) -> Partition:
    """A slice a value, in order; `codes` are places in `values`."""
    names = list(map(_written, values))
    order = in_order(values, names)
    place = np.empty(len(values) + 1, np.intp)
    place[order], place[-1] = np.arange(len(values)), -1
    return Partition(by, place[codes], tuple(names[i] for i in order), values=tuple(values[i] for i in order))


def in_order(values: Sequence[Any], names: Sequence[str]) -> list[int]:
    """The places of values by which slices stand: numbers by size, words by letters."""
    return sorted(range(len(values)), key=_sorting(values, names)) if values else []


def joined_partitions(batches: Iterable[tuple[Partition, ...]]) -> tuple[Partition, ...]:
    """What the rows of several batches, one after another, are sliced by."""
    return tuple(_joined(pieces) for pieces in zip(*batches, strict=True))


def _joined(pieces: Sequence[Partition]) -> Partition:
    """The partition of the rows of several batches, one after another, as if it had been made of them at once."""
    first = pieces[0]
    if len(pieces) == 1:
        return first
    values = {name: value for piece in pieces for name, value in zip(piece.names, piece.values, strict=True)}
    refuse_many(first.by, len(values))
    place = {name: code for code, name in enumerate(values)}
    places = [np.array([*(place[name] for name in piece.names), -1], np.intp) for piece in pieces]
    codes = np.concatenate([at[piece.codes] for at, piece in zip(places, pieces, strict=True)])
    partition = partition_from(list(values.values()), codes, first.by)
    if all(piece.every is None for piece in pieces):
        return partition
    order = np.array([*(partition.names.index(name) for name in values), -1], np.intp)
    rows = [order[at[piece.every_code]] for at, piece in zip(places, pieces, strict=True)]
    return replace(partition, every=np.concatenate(rows))


def refuse_without_values(partitions: Sequence[Partition]) -> None:
    """Refuse what no row has a value of."""
    for each in partitions:
        _refuse_empty(each, Text(f"by '{each.by}'", f"by '{each.by}'"))


def refuse_many(by: str, count: int) -> None:
    """Refuse more slices than a person reads."""
    _refuse_many(Text(f"by '{by}'", f"by '{by}'"), count)


def _refuse_many(name: Text, count: int) -> None:
    if count > MOST_SLICES:
        raise InputError(
            f"{name.en} has {count} different values, too many for slices (at most {MOST_SLICES}); group them first",
            f"{name.zh} 有 {count} 个不同的值，切片过多（至多 {MOST_SLICES} 个）；请先归并",
        )


def _numbers(column: Vector) -> tuple[list[Any], Codes]:
    distinct, codes = np.unique(column.values, return_inverse=True)
    codes = codes.reshape(-1).astype(np.intp)
    if distinct.dtype.kind == "f":
        count = int(np.count_nonzero(~np.isnan(distinct)))  # np.unique puts NaN last
        codes[codes >= count] = -1
        distinct = distinct[:count]
    _refuse_many(column.name, len(distinct))
    return list(distinct), codes


def _words(column: Vector) -> tuple[list[Any], Codes]:
    kind = column.values.type
    if pa.types.is_nested(kind) or pa.types.is_binary(kind):
        raise _no_words(column)
    try:
        encoded = pa.chunked_array(column.values).combine_chunks().dictionary_encode()
    except pa.ArrowNotImplementedError:
        raise _no_words(column) from None
    encoded = encoded.combine_chunks() if isinstance(encoded, pa.ChunkedArray) else encoded
    nothing = 2  # an empty text, NaN
    _refuse_many(column.name, len(encoded.dictionary) - nothing)
    codes = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.intp)
    values = encoded.dictionary.to_pylist()
    kept = [value not in ("", None) and not (isinstance(value, float) and math.isnan(value)) for value in values]
    _refuse_many(column.name, sum(kept))
    place = np.append(np.where(kept, np.cumsum(kept) - 1, -1), -1).astype(np.intp)
    return [value for value, keep in zip(values, kept, strict=True) if keep], place[codes]


def _no_words(column: Vector) -> InputError:
    kind = column.values.type
    return InputError(
        f"{column.name.en} holds {kind}; slices go by words, numbers, dates or truth values",
        f"{column.name.zh} 的类型是 {kind}；切片的依据应为文字、数字、日期或布尔值",
    )


def _written(value: Any) -> str:
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    whole = isinstance(value, (float, np.floating)) and float(value).is_integer() and abs(float(value)) < 2**53
    return str(int(value)) if whole else str(value)


def _sorting(values: Sequence[Any], names: Sequence[str]) -> Any:
    """Words that are all numbers, as text files have them, stand by size too."""
    if not isinstance(values[0], str):
        return lambda place: values[place]
    try:
        sizes = [float(name) for name in names]
    except ValueError:
        return lambda place: names[place]
    return lambda place: (sizes[place], names[place])


def deciles(values: NDArray[np.float64], by: str, what: Text) -> Partition:
    """Ten parts by rank: a value goes to the part in which its first place falls, so that equal values stay together."""
    ranked = np.sort(values[~np.isnan(values)])
    if not len(ranked):
        raise InputError(f"by={by}: there is nothing to count", f"by={by}：没有可计数的内容")
    below = np.searchsorted(ranked, values)
    codes = np.where(np.isnan(values), -1, np.minimum(below * DECILES // len(ranked), DECILES - 1))
    names = []
    present = np.unique(codes[codes >= 0])
    for decile in present.tolist():
        inside = values[codes == decile]
        low, high = _short(inside.min()), _short(inside.max())
        names.append(f"{decile + 1} ({low})" if low == high else f"{decile + 1} ({low}–{high})")
    place = np.full(DECILES + 1, -1)
    place[present] = np.arange(len(present))
    note = Text(
        f"{by}: deciles, by rank, of {what.en}; equal numbers stay together, so that deciles may differ in size or be absent",
        f"{by}：按{what.zh}排名分为十份；相同的数分在同一份，因此各份大小可能不同，也可能缺少某份",
    )
    return Partition(by, place[codes].astype(np.intp), tuple(names), (note,))


def _short(value: float) -> str:
    return str(int(value)) if float(value).is_integer() else f"{value:.4g}"


def coded(column: Ids) -> NDArray[np.intp]:
    """Equal ids as equal numbers from 0 up, in order of appearance or size."""
    plain = column.take(np.arange(len(column)))
    if isinstance(plain, IntIds):
        numbers: NDArray[np.intp] = np.unique(plain.values, return_inverse=True)[1].reshape(-1)
        return numbers
    if (plain.starts[1:] != plain.ends[:-1]).any():  # they do not lie side by side
        plain = StringIds.from_bytes(plain.to_bytes())
    offsets = np.append(plain.starts[:1], plain.ends).astype(np.int64)
    data = np.ascontiguousarray(plain.data)
    words = pa.Array.from_buffers(pa.large_binary(), len(plain), [None, pa.py_buffer(offsets), pa.py_buffer(data)])
    codes: NDArray[np.intp] = words.dictionary_encode().indices.to_numpy().astype(np.intp)
    return codes


def row_partitions(
    columns: Mapping[str, Column], like: Vector, group: Ids | None = None, *, batch: bool = False
) -> tuple[Partition, ...]:
    """The slice of each row, under each of the columns; None stands for the activity of groups.

    A column of one `batch` may be without any value.
    """
    partitions = []
    for name, column in columns.items():
        if column is None:
            partitions.append(_activity(group))
            continue
        values = vector(column, f"by '{name}'")
        same_length(like, values)
        partitions.append(partition_of(values, name, batch=batch))
    return tuple(partitions)


def _activity(group: Ids | None) -> Partition:
    """Deciles of the groups by their number of rows; a row goes with its group."""
    if group is None:
        raise InputError(
            "by=activity goes by the number of rows of each group: say which column or array holds the groups with group= or --group",
            "by=activity 依据每组的行数：请用 group= 或 --group 指明哪一列是分组（如用户）",
        )
    codes = coded(group)
    rows = np.bincount(codes)
    what = Text("a group's number of rows", "每组的行数")
    groups = deciles(rows.astype(np.float64), ACTIVITY, what)
    return Partition(ACTIVITY, groups.codes[codes], groups.names, groups.notes)
