"""Rows dealt to files by the hash of an id: all rows of a query or group lie in one file, in the order they came in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import nullcontext, suppress
from dataclasses import field
from functools import reduce
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pingce.base.lazy import pa
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.inputs.ids import Ids, IntIds, StringIds, partition_by_key

Column: TypeAlias = "Ids | NDArray[Any] | pa.Array | pa.ChunkedArray"


@dataclass(frozen=True)
class Bucket:
    """One dealing, and which part of it is meant."""

    parts: int
    seed: int
    number: int = 0

    def of(self, ids: Ids) -> NDArray[Any]:
        """The part that each id goes to."""
        kind = np.uint8 if self.parts <= 1 << 8 else np.uint16  # small numbers are sorted by counting
        return partition_by_key(ids, self.parts, self.seed).astype(kind)

    def holds(self, ids: Ids) -> NDArray[np.bool_]:
        """Whether each id goes to this part."""
        return np.asarray(self.of(ids) == self.number)


@dataclass(frozen=True)
class Part:
    """Rows of one part, in a file of its own."""

    path: Path
    rows: int
    nbytes: int
    "In memory."
    buckets: tuple[Bucket, ...]
    "How its rows were dealt: a part that was too large has been dealt again."

    def batches(self) -> Iterator[pa.RecordBatch]:
        """The rows, piece by piece."""
        if self.rows:
            with pa.OSFile(str(self.path)) as file, pa.ipc.open_stream(file) as reader:
                yield from reader

    def table(self) -> pa.Table:
        """The rows, all at once; a part without rows has no columns."""
        batches = list(self.batches())
        return pa.Table.from_batches(batches) if batches else pa.table({})

    def holds(self, ids: Ids) -> NDArray[np.bool_]:
        """Which rows of the input are in this part."""
        return reduce(np.logical_and, (bucket.holds(ids) for bucket in self.buckets))

    def remove(self) -> None:
        """Give the space back."""
        self.path.unlink(missing_ok=True)


@dataclass
class Partitioner:
    """Writes rows to the files of their parts. What it holds in memory is the batch at hand."""

    folder: Path
    name: str
    parts: int
    seed: int = 0
    above: tuple[Bucket, ...] = ()
    "Dealings that the rows went through before."
    _files: dict[int, tuple[Any, Any]] = field(default_factory=dict, init=False, repr=False)
    _rows: NDArray[np.int64] = field(init=False, repr=False)
    _nbytes: NDArray[np.int64] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._rows = np.zeros(self.parts, np.int64)
        self._nbytes = np.zeros(self.parts, np.int64)

    def __enter__(self) -> Partitioner:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        with suppress(OSError) if kind is not None else nullcontext():  # what went wrong first is what counts
            self._close()

    def add(self, ids: Ids, columns: Mapping[str, Column]) -> None:
        """Deal rows by their ids; the order of rows of one part is kept. Every batch has the same columns."""
        numbers = Bucket(self.parts, self.seed).of(ids)
        order = np.argsort(numbers, kind="stable")
        batch = pa.RecordBatch.from_arrays([_gathered(each, order) for each in columns.values()], names=list(columns))
        counts = np.bincount(numbers, minlength=self.parts)
        width = batch.nbytes / max(1, len(order))
        begin = 0
        for number in np.flatnonzero(counts).tolist():
            count = int(counts[number])
            self._writer(number, batch.schema).write_batch(batch.slice(begin, count))
            begin += count
        self._rows += counts
        self._nbytes += np.ceil(counts * width).astype(np.int64)

    def finish(self) -> list[Part]:
        """All parts, also those without rows."""
        self._close()
        return [
            Part(self._path(number), int(rows), int(nbytes), (*self.above, Bucket(self.parts, self.seed, number)))
            for number, (rows, nbytes) in enumerate(zip(self._rows, self._nbytes, strict=True))
        ]

    def _path(self, number: int) -> Path:
        way = "-".join(str(each) for each in (*(bucket.number for bucket in self.above), number))
        return self.folder / f"{self.name}-{way}.arrows"

    def _writer(self, number: int, schema: pa.Schema) -> Any:
        if number not in self._files:
            file = pa.OSFile(str(self._path(number)), "wb")
            self._files[number] = (file, pa.ipc.new_stream(file, schema))
        return self._files[number][1]

    def _close(self) -> None:
        files, self._files = self._files, {}
        for file, writer in files.values():
            try:
                writer.close()
            finally:
                file.close()


def repartition(part: Part, column: str, parts: int) -> list[Part]:
    """A part that is too large, dealt to smaller ones; its own file is given back."""
    from pingce.inputs.arrow import ids_of
    from pingce.inputs.columns import rows_of

    seed = max(bucket.seed for bucket in part.buckets) + 1
    name = part.path.name.split("-", 1)[0]
    with Partitioner(part.path.parent, name, parts, seed, part.buckets) as partitioner:
        for batch in part.batches():
            ids = ids_of(pa.chunked_array([batch.column(column)]), column, rows_of(Text("", "")), empty=True)
            partitioner.add(ids, dict(zip(batch.schema.names, batch.columns, strict=True)))
        smaller = partitioner.finish()
    part.remove()
    return smaller


def _gathered(column: Column, order: NDArray[np.intp]) -> pa.Array:
    """A column in another order, as Arrow has it."""
    if isinstance(column, Ids):
        return arrow_of(in_order_of(column, order))
    if isinstance(column, np.ndarray):
        return pa.array(column[order])
    taken = column.take(pa.array(order))
    return taken.combine_chunks() if isinstance(taken, pa.ChunkedArray) else taken


def in_order_of(ids: Ids, order: NDArray[np.signedinteger[Any]]) -> IntIds | StringIds:
    """The ids in another order, copied."""
    return ids.plain().chosen(order) if ids.integers else ids.take(order)  # of integers NumPy is the faster one


def arrow_of(ids: IntIds | StringIds) -> pa.Array:
    """Ids as an Arrow array: 64-bit integers, or large strings that need not be valid UTF-8."""
    if isinstance(ids, IntIds):
        return pa.array(ids.values.astype(np.int64, copy=False))
    if len(ids) and not (ids.starts[0] == 0 and np.array_equal(ids.starts[1:], ids.ends[:-1])):
        ids = StringIds.from_bytes(ids.to_bytes())
    offsets = np.concatenate([np.zeros(1, np.int64), ids.ends])
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(np.ascontiguousarray(ids.data))]
    return pa.Array.from_buffers(pa.large_string(), len(ids), buffers)
