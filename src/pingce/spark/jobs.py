"""One job: executors see batches and send their states home; the driver merges them. No metric is known here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from pingce.base.errors import PingceError
from pingce.base.lazy import pa
from pingce.run.evaluator import Evaluator, state_of
from pingce.run.packed import table_to_stream
from pingce.spark.problems import problem_from_line, problem_to_line, translate_spark_errors

_Evaluator = TypeVar("_Evaluator", bound=Evaluator)
Feed = Callable[[Any, Iterable["pa.RecordBatch"]], bool]
"Lets an evaluator see batches, and says whether there were any."

SENT = "task int, piece int, state binary, rows binary, problem string"
_PIECE = 4 << 20
"Bytes of a state, or of rows, that travel in one row: far below the limits of rows, of Arrow and of Connect's messages."


def feed_evaluator(frame: Any, evaluator: _Evaluator, feed: Feed) -> Any:
    """Let an evaluator that has seen nothing see what its likes on the executors made of the frame.

    What comes back is the frame that has the rows which stay there, kept by Spark, for `rows_in`; None where all came home.
    """
    settings = evaluator.to_bytes()

    def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        rows: list[pa.Table] = []

        def state() -> bytes | None:
            other: Any = Evaluator.from_bytes(settings)
            if not feed(other, batches):
                return None
            rows.extend(state_of(other).condense())
            return bytes(other.to_bytes())

        yield from send(batches, state)
        for table in rows:
            height = max(1, _PIECE * table.num_rows // max(1, table.nbytes))
            for begin in range(0, table.num_rows, height):
                yield _row(rows=bytes(table_to_stream(table.slice(begin, height))))

    keeps_rows = state_of(evaluator).condenses
    sent = frame.mapInArrow(work, SENT)
    if keeps_rows:
        sent = sent.persist()
    for state in _received(sent.where("rows is null")):
        evaluator.merge(type(evaluator).from_bytes(state))
    return sent if keeps_rows else None


def rows_in(sent: Any, schema: Any) -> Any:
    """The rows that stayed on the executors, as a frame."""

    def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for blob in batch.column("rows"):
                yield from pa.ipc.open_stream(blob.as_buffer())

    return sent.where("rows is not null").mapInArrow(work, schema)


def receive(frame: Any, work: Callable[[Iterator[Any]], Iterator[Any]]) -> Iterator[bytes]:
    """What `work` sends from the executors, in the order of the partitions; the first problem of one of them is raised."""
    return _received(frame.mapInArrow(work, SENT))


def _received(sent: Any) -> Iterator[bytes]:
    import numpy as np

    with translate_spark_errors():
        table = sent.toArrow()
    problems = table.column("problem").drop_null()
    if len(problems):
        raise problem_from_line(min(problems.to_pylist()))
    task, piece = (table.column(name).to_numpy() for name in ("task", "piece"))
    order = np.lexsort((piece, task))
    begins = np.flatnonzero(np.diff(task[order], prepend=-1))
    for rows in np.split(order, begins[1:]) if len(order) else []:
        yield b"".join(table.column("state")[int(row)].as_py() for row in rows)


def send(batches: Iterable[Any], make: Callable[[], bytes | None]) -> Iterator[pa.RecordBatch]:
    """On an executor: what was made, in pieces; a problem of ours as its sentence, so that Spark does not try again."""
    from pyspark import TaskContext

    context = TaskContext.get()
    task = context.partitionId() if context is not None else 0
    try:
        state = make()
    except PingceError as problem:
        for _ in batches:  # a worker that leaves rows unread is thrown away
            pass
        yield _row(task, problem=problem_to_line(problem))
        return
    if state is not None:
        for piece, begin in enumerate(range(0, len(state), _PIECE)):
            yield _row(task, piece, state[begin : begin + _PIECE])


def _row(
    task: int = 0, piece: int = 0, state: bytes | None = None, rows: bytes | None = None, problem: str | None = None
) -> pa.RecordBatch:
    return pa.record_batch(
        {
            "task": pa.array([task], pa.int32()),
            "piece": pa.array([piece], pa.int32()),
            "state": pa.array([state], pa.binary()),
            "rows": pa.array([rows], pa.binary()),
            "problem": pa.array([problem], pa.string()),
        }
    )
