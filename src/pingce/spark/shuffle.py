"""Rows with one key meet in one partition: dealt to parts where they are, and moved as Arrow blobs, not row by row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import PingceError
from pingce.base.lazy import pa
from pingce.inputs.ids import Ids, partition_by_key
from pingce.spark.chunks import ROWS, tables
from pingce.spark.narrow import narrow, widened
from pingce.spark.problems import problem_from_line, problem_to_line

if TYPE_CHECKING:
    Keys = Callable[[pa.Table], Ids]
    "The ids by which the rows of a table meet; problems of theirs are sentences."

SENT = "part int, side int, rows binary, problem string"
BLOB = 1 << 17
"Bytes of a blob's rows: two thousand of them, which Spark may put into one batch, are a quarter of a gigabyte."
_SEED = 42
"Of Spark's own hash."


def shuffle_by_key(sides: Sequence[tuple[Any, Keys]], partitions: int | None) -> Any:
    """A frame of blobs from frames that have a key each; equal keys are in one partition, sorted by part.

    Without `partitions` there are as many as `spark.sql.shuffle.partitions` says, and Spark puts small ones together.
    """
    session = sides[0][0].sparkSession
    parts = partitions or int(session.conf.get("spark.sql.shuffle.partitions"))
    names = names_of_parts(parts)

    def dealing(side: int, keys: Keys) -> Callable[[Iterator[Any]], Iterator[Any]]:
        return lambda batches: blobs(batches, side, keys, names)

    sent = [frame.mapInArrow(dealing(side, keys), SENT) for side, (frame, keys) in enumerate(sides)]
    together = reduce(lambda ours, theirs: ours.unionAll(theirs), sent)
    moved = together.repartition("part") if partitions is None else together.repartition(partitions, "part")
    return moved.sortWithinPartitions("part")


def names_of_parts(parts: int) -> NDArray[np.int32]:
    """A number for each part, chosen so that Spark's hash of it leads to a partition of its own."""
    tried = 16 * parts
    while True:
        places = spark_hash(np.arange(tried, dtype=np.uint32)).astype(np.int64) % parts
        partitions, first = np.unique(places, return_index=True)
        if len(partitions) == parts:
            return first.astype(np.int32)
        tried *= 2


def spark_hash(numbers: NDArray[np.uint32]) -> NDArray[np.int32]:
    """What `hash(…)` gives in Spark of 32-bit integers: Murmur3."""

    def turned(x: NDArray[np.uint32], bits: int) -> NDArray[np.uint32]:
        return (x << np.uint32(bits)) | (x >> np.uint32(32 - bits))

    x = turned(numbers * np.uint32(0xCC9E2D51), 15) * np.uint32(0x1B873593)
    x = turned(x ^ np.uint32(_SEED), 13) * np.uint32(5) + np.uint32(0xE6546B64)
    x ^= np.uint32(4)
    x = (x ^ (x >> np.uint32(16))) * np.uint32(0x85EBCA6B)
    x = (x ^ (x >> np.uint32(13))) * np.uint32(0xC2B2AE35)
    return (x ^ (x >> np.uint32(16))).view(np.int32)


def blobs(
    batches: Iterable[pa.RecordBatch], side: int, keys: Keys, names: NDArray[np.int32]
) -> Iterator[pa.RecordBatch]:
    """On an executor: the rows of a partition, a few blobs a part; a problem of ours as its sentence."""
    try:
        for table in tables(batches):
            yield _dealt_table(table, keys(table), side, names)
    except PingceError as problem:
        for _ in batches:  # a worker that leaves rows unread is thrown away
            pass
        yield _sent(names[:1], side, pa.nulls(1, pa.binary()), problem_to_line(problem))


def whole_parts(batches: Iterable[pa.RecordBatch], sides: int, rows: int = ROWS) -> Iterator[list[pa.Table | None]]:
    """On an executor: whole parts again, so many that they have about so many rows: a table a side, None without rows."""
    held: list[list[pa.Table]] = [[] for _ in range(sides)]
    count, last = 0, None
    for batch in batches:
        columns = (batch.column(name) for name in ("part", "side", "rows", "problem"))
        for part, side, blob, problem in zip(*columns, strict=True):
            if problem.is_valid:
                raise problem_from_line(problem.as_py())
            if count >= rows and part != last:
                yield [widened(parts) for parts in held]
                held, count = [[] for _ in range(sides)], 0
            table = pa.ipc.open_stream(blob.as_buffer()).read_all()
            held[side.as_py()].append(table)
            count, last = count + table.num_rows, part
    if count:
        yield [widened(parts) for parts in held]


def _dealt_table(table: pa.Table, ids: Ids, side: int, names: NDArray[np.int32]) -> pa.RecordBatch:
    width = max(1, BLOB // max(1, table.nbytes // table.num_rows))
    part = partition_by_key(ids, len(names))
    small = part.astype(np.uint16) if len(names) <= 1 << 16 else part  # which NumPy sorts digit by digit
    sorted_table = narrow(table.combine_chunks()).take(np.argsort(small, kind="stable"))
    ends = np.cumsum(np.bincount(part, minlength=len(names)))
    places: list[int] = []
    offsets, sink, begin = [0], pa.BufferOutputStream(), 0
    for place in np.flatnonzero(np.diff(ends, prepend=0)).tolist():
        end = int(ends[place])
        for at in range(begin, end, width):
            with pa.ipc.new_stream(sink, sorted_table.schema) as writer:
                writer.write_table(sorted_table.slice(at, min(width, end - at)))
            places.append(place)
            offsets.append(sink.tell())
        begin = end
    letters = [None, pa.py_buffer(np.array(offsets, np.int32)), sink.getvalue()]
    return _sent(names[places], side, pa.Array.from_buffers(pa.binary(), len(places), letters))


def _sent(part: NDArray[np.int32], side: int, rows: pa.Array, problem: str | None = None) -> pa.RecordBatch:
    return pa.record_batch(
        {
            "part": pa.array(part),
            "side": pa.array(np.full(len(part), side, np.int32)),
            "rows": rows,
            "problem": pa.array([problem] * len(part), pa.string()),
        }
    )
