"""Rankings dealt to files by query: run, truth and excluded pairs of one part belong together and to no other."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.lazy import pa
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.inputs.arrow import array_of, ids_of
from pingce.inputs.columns import LARGEST_EXACT, Rows, rows_of
from pingce.inputs.ids import Ids, hashes
from pingce.run.memory import ListBudget
from pingce.run.partition import Column, Part, Partitioner, in_order_of, repartition
from pingce.run.progress import Doing
from pingce.run.whole import as_given, kept, too_large

Whole = type[np.int64] | type[np.uint64] | None


Chunks = Callable[..., Generator[Rows]]
_NOWHERE = rows_of(Text("", ""))
_DEEPEST = 16
"How often a part may be dealt again."
_HANDY = 1 << 25
"Bytes of a part that is put in order fast."


@dataclass(frozen=True, eq=False)
class PartitionedRows:
    """One table in parts."""

    chunks: Chunks
    "Its rows again, for messages."
    parts: list[Part]
    head: Rows
    "A row of it, by which the others are known."

    def rows(self, part: Part) -> Rows:
        """The rows of one part; those of a query lie together, in the order they had in the table."""
        head = self.head
        if not part.rows:
            return kept(head, 0, 0)
        table = part.table()
        query, item = (ids_of(table[name], name, _NOWHERE, empty=True) for name in ("query", "item"))
        order = together(query)
        return Rows(
            in_order_of(query, order),
            in_order_of(item, order),
            as_given(part.rows) if head.meaning == "order" else array_of(table["value"])[order],
            replace(head.source, place=lambda row: _place(self.chunks, part, int(order[row]))),
            head.meaning,
            array_of(table["whole"])[order] if "whole" in table.column_names else None,
            subtopic=_subtopics(table, order) if "subtopic" in table.column_names else None,
            weight=array_of(table["weight"])[order] if "weight" in table.column_names else None,
        )


def _subtopics(table: pa.Table, order: NDArray[np.int64]) -> Ids:
    return in_order_of(ids_of(table["subtopic"], "subtopic", _NOWHERE, empty=True), order)


def together(ids: Ids) -> NDArray[np.int64]:
    """An order in which rows of one id stand together, and as they stood before.

    Hashes are sorted, with the number of the row in their low bits. Two ids with one hash would stand mixed: that is
    rare, and costs time only.
    """
    bits = np.uint64(len(ids).bit_length())
    keys = hashes(ids) >> bits << bits
    keys |= np.arange(len(ids), dtype=np.uint64)
    keys.sort()
    keys &= (np.uint64(1) << bits) - np.uint64(1)
    return keys.view(np.int64)


def _place(chunks: Chunks, part: Part, row: int) -> Text:
    """Where a row of a part stands in the files: they are read again up to it."""
    with closing(chunks()) as again:
        for chunk in again:
            places = np.flatnonzero(part.holds(chunk.query))
            if row < len(places):
                return chunk.source.place(int(places[row]))
            row -= len(places)
    return chunk.source.name


def partition_rows(chunks: Chunks, doing: Doing, folder: Path, name: str, parts: int) -> PartitionedRows:
    """Deal a table; integers beyond 2^53 or 2^63, which few tables have, are noticed on the way."""
    for whole in (None, np.int64):
        with suppress(_BeyondError):
            return _partition(chunks, doing, Partitioner(folder, name, parts), whole)
    return _partition(chunks, doing, Partitioner(folder, name, parts), np.uint64)


class _BeyondError(Exception):
    """A score is an integer that needs a wider column than was begun."""


def _partition(chunks: Chunks, doing: Doing, to: Partitioner, whole: Whole) -> PartitionedRows:
    heads: list[Rows] = []
    with to as partitioner, closing(chunks(doing)) as stream:
        for chunk in stream:
            if chunk.whole is not None and whole is None:
                raise _BeyondError
            heads = heads or [_head(chunk)]
            columns: dict[str, Column] = {"query": chunk.query, "item": chunk.item}
            columns |= {} if chunk.meaning == "order" else {"value": chunk.value}
            columns |= {} if chunk.subtopic is None else {"subtopic": chunk.subtopic}
            columns |= {} if chunk.weight is None else {"weight": chunk.weight}
            columns |= {} if whole is None else {"whole": _integers(chunk, whole)}
            partitioner.add(chunk.query, columns)
            del chunk, columns
        return PartitionedRows(chunks, partitioner.finish(), heads[0])  # a stream without rows has said so itself


def _head(chunk: Rows) -> Rows:
    """One row, which keeps nothing else alive."""
    row, name = kept(chunk, 0, 1), chunk.source.name
    return replace(row, source=replace(row.source, place=lambda _: name), whole=None)


def _integers(chunk: Rows, kind: type[np.int64] | type[np.uint64]) -> NDArray[Any]:
    value = chunk.whole if chunk.whole is not None else np.nan_to_num(chunk.value, nan=0.0)
    exact = chunk.whole is not None or bool(((np.abs(value) <= LARGEST_EXACT) & (value % 1 == 0)).all())
    if exact and kind is np.int64 and int(value.max()) > np.iinfo(np.int64).max:
        raise _BeyondError
    if not exact or int(value.min()) < np.iinfo(kind).min:
        name = chunk.source.name
        raise InputError(
            f"{name.en} has integers beyond 2^53 as scores, and others that are fractions, or negative beside some beyond 2^63; "
            "make them alike",
            f"{name.zh} 的分数中有超过 2^53 的整数，也有小数，或既有负数又有超过 2^63 的数；请统一",
        )
    return value.astype(kind)


def number_of_parts(estimate: int, budget: ListBudget) -> int:
    """How many parts to aim at: rows that lie in the processor's cache are put in order several times as fast."""
    return max(2, min(budget.files, -(-5 * estimate // (4 * min(budget.part, _HANDY)))))


def small_enough(tables: list[PartitionedRows], budget: ListBudget) -> Iterator[list[Part]]:
    """The parts of all tables, those of one number together, and none of them too large."""
    for parts in zip(*(table.parts for table in tables), strict=True):
        yield from _split(tables, list(parts), budget)


def _split(tables: list[PartitionedRows], parts: list[Part], budget: ListBudget) -> Iterator[list[Part]]:
    size = sum(part.nbytes for part in parts)
    if size > budget.part:
        others = size - _largest_query(tables, parts, budget.query)
        if others > budget.part and len(parts[0].buckets) < _DEEPEST:
            pieces = number_of_parts(size, budget)
            for smaller in zip(*(repartition(part, "query", pieces) for part in parts), strict=True):
                yield from _split(tables, list(smaller), budget)
            return
    yield parts
    for part in parts:
        part.remove()


def _largest_query(tables: list[PartitionedRows], parts: list[Part], most: int) -> int:
    """The size of the largest query of a part; refused if it is beyond all measure."""
    code, size, count = _sizes(parts)
    at = int(size.argmax())
    if size[at] > most:
        raise too_large(_first_of(tables, parts, code[at]), int(count[at]), int(size[at]), most)
    return int(size[at])


def _sizes(parts: Iterable[Part]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Queries by their hash, their bytes and rows in all tables."""
    codes: list[Any] = [np.zeros(0, np.uint64)]
    sizes: list[Any] = [np.zeros(0)]
    counts: list[Any] = [np.zeros(0, np.int64)]
    for part in parts:
        for batch in part.batches():
            code, count = np.unique(hashes(_queries(batch)), return_counts=True)
            codes.append(code)
            sizes.append(count * (part.nbytes / part.rows))
            counts.append(count)
    code, inverse = np.unique(np.concatenate(codes), return_inverse=True)
    inverse = inverse.reshape(-1)
    size = np.bincount(inverse, np.concatenate(sizes), len(code))
    return code, size, np.bincount(inverse, np.concatenate(counts), len(code)).astype(np.int64)


def _queries(batch: pa.RecordBatch) -> Ids:
    return ids_of(pa.chunked_array([batch.column("query")]), "query", _NOWHERE, empty=True)


def _first_of(tables: list[PartitionedRows], parts: list[Part], code: np.uint64) -> Rows:
    """A row of the query with this hash."""
    for table, part in zip(tables, parts, strict=True):
        for batch in part.batches():
            queries = _queries(batch)
            places = np.flatnonzero(hashes(queries) == code)
            if len(places):
                return replace(table.head, query=queries.take(places[:1]))
    return tables[0].head
