"""How many rows Spark hands to Python at once, for as long as a job of ours runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_ROWS = "spark.sql.execution.arrow.maxRecordsPerBatch"
_BYTES = "spark.sql.execution.arrow.maxBytesPerBatch"
_NO_LIMIT = "2147483647"
MOST = 2000
"Rows of a batch: so many blobs are some 250 MB at most, and so many plain rows are worth the cost of a batch."


@contextmanager
def limit_by_rows(session: Any) -> Iterator[None]:
    """Limit batches by rows: where bytes are limited, Spark measures all columns after each row, 4 s for 10M of them."""
    from pyspark.errors import PySparkException

    before: dict[str, str] = {}
    try:
        rows = int(session.conf.get(_ROWS))
        most = min(rows, MOST) if rows > 0 else MOST
        # A call in another thread may have set them already, and will set them back.
        if most != rows or session.conf.get(_BYTES) != _NO_LIMIT:
            for name, value in ((_ROWS, str(most)), (_BYTES, _NO_LIMIT)):
                before[name] = session.conf.get(name)
                session.conf.set(name, value)
    except PySparkException:  # a session whose owner fixed them, or that does not know them: slower, no more
        pass
    try:
        yield
    finally:
        for name, value in before.items():
            session.conf.set(name, value)
