"""One job: executors see batches and send their states home; the driver merges them. No metric is known here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from pingce.base.errors import PingceError
from pingce.base.lazy import pa
from pingce.run.evaluator import Evaluator, state_of
from pingce.spark.batches import limit_by_rows
from pingce.spark.problems import problem_from_line, problem_to_line, translate_spark_errors

_Evaluator = TypeVar("_Evaluator", bound=Evaluator)
Feed = Callable[[Any, Iterable["pa.RecordBatch"]], bool]
"Lets an evaluator see batches, and says whether there were any."

SENT = "task int, piece int, state binary, problem string"
_PIECE = 4 << 20
"Bytes of a state that travel in one row: far below the limits of rows, of Arrow and of Connect's messages."

_ROWS = 10_000
"Of a batch that goes back to Spark."


def feed_evaluator(frame: Any, evaluator: _Evaluator, feed: Feed) -> _Evaluator:
    """An evaluator that has seen nothing, after its likes on the executors have seen the frame; sums come home where sums will do."""
    settings = evaluator.to_bytes()

    def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        def state() -> bytes | None:
            other: Any = Evaluator.from_bytes(settings)
            if not feed(other, batches):
                return None
            state_of(other).condense()
            return bytes(other.to_bytes())

        return send(batches, state)

    for state in receive(frame, work):
        evaluator.merge(type(evaluator).from_bytes(state))
    return evaluator


def rows_of(frame: Any, evaluator: Evaluator, feed: Feed, schema: Any) -> Any:
    """The values of each unit that stay on the executors, as a frame, made when it is used; None where all come home."""
    if not state_of(evaluator).condenses:
        return None
    settings = evaluator.to_bytes()

    def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        other: Any = Evaluator.from_bytes(settings)
        for table in state_of(other).unit_tables() if feed(other, batches) else ():
            yield from table.to_batches(max_chunksize=_ROWS)

    return frame.mapInArrow(work, schema)


def receive(frame: Any, work: Callable[[Iterator[Any]], Iterator[Any]]) -> Iterator[bytes]:
    """What `work` sends from the executors, in the order of the partitions; the first problem of one of them is raised."""
    import numpy as np

    with translate_spark_errors(), limit_by_rows(frame.sparkSession):
        table = frame.mapInArrow(work, SENT).toArrow()
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
        yield _row(task, 0, None, problem_to_line(problem))
        return
    if state is not None:
        for piece, begin in enumerate(range(0, len(state), _PIECE)):
            yield _row(task, piece, state[begin : begin + _PIECE], None)


def _row(task: int, piece: int, state: bytes | None, problem: str | None) -> pa.RecordBatch:
    return pa.record_batch(
        {
            "task": pa.array([task], pa.int32()),
            "piece": pa.array([piece], pa.int32()),
            "state": pa.array([state], pa.binary()),
            "problem": pa.array([problem], pa.string()),
        }
    )
