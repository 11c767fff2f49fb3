"""Arrow batches as Spark hands them out, a few thousand rows each, put together to tables that are worth a call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import pyarrow as pa

ROWS = 1 << 20
"Rows of a table: enough to keep the core busy, few enough for the memory of an executor."


def tables(batches: Iterable[pa.RecordBatch], rows: int = ROWS) -> Iterator[pa.Table]:
    """Tables of about so many rows."""
    pending: list[pa.RecordBatch] = []
    count = 0
    for batch in batches:
        pending.append(batch)
        count += batch.num_rows
        if count >= rows:
            yield _joined(pending)
            pending, count = [], 0
    if count:
        yield _joined(pending)


def whole(batches: Iterable[pa.RecordBatch], key: str, rows: int = ROWS) -> Iterator[pa.Table]:
    """Tables of about so many rows, or of one key if that has more; equal keys stand together, and stay together."""
    pending: list[pa.RecordBatch] = []
    count = 0
    for batch in batches:
        if not batch.num_rows:
            continue
        cut = last_stretch(batch.column(key))
        ends = cut > 0 or (bool(pending) and not _goes_on(pending[-1].column(key), batch.column(key)))
        if ends and count + cut >= rows:
            yield _joined([*pending, batch.slice(0, cut)])
            pending, count = [], 0
            batch = batch.slice(cut)  # noqa: PLW2901
        pending.append(batch)
        count += batch.num_rows
    if count:
        yield _joined(pending)


def last_stretch(column: pa.Array) -> int:
    """The row from which on all keys are the last one."""
    import pyarrow.compute as pc

    other = pc.fill_null(pc.not_equal(column, column[-1]), True)
    if column[-1].is_valid:
        places = np.flatnonzero(other.to_numpy(zero_copy_only=False))
    else:
        places = np.flatnonzero(column.is_valid().to_numpy(zero_copy_only=False))
    return int(places[-1]) + 1 if len(places) else 0


def first_stretch(column: pa.Array) -> int:
    """The row up to which all keys are the first one."""
    return len(column) - last_stretch(column.take(np.arange(len(column))[::-1]))


def _goes_on(before: pa.Array, after: pa.Array) -> bool:
    """Whether a batch begins with the key that the one before it ended with."""
    same: bool = before[-1].as_py() == after[0].as_py()
    return same


def _joined(batches: list[pa.RecordBatch]) -> pa.Table:
    import pyarrow as pa

    return pa.Table.from_batches([batch for batch in batches if batch.num_rows] or batches[:1])
