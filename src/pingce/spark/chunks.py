"""Arrow batches as Spark hands them out, a few thousand rows each, put together to tables that are worth a call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pingce.base.lazy import pa

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


def _joined(batches: list[pa.RecordBatch]) -> pa.Table:
    return pa.Table.from_batches([batch for batch in batches if batch.num_rows] or batches[:1])
