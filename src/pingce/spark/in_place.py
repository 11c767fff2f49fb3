"""A run whose queries stand together: evidence is made where its rows are; only the ends of partitions travel."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from pingce.errors import InputError
from pingce.evaluators import Evaluator, RankingEvaluator
from pingce.spark.chunks import first_stretch, last_stretch, whole
from pingce.spark.jobs import received, sent
from pingce.spark.problems import spoken
from pingce.spark.ranking import Side, rows_of_side

if TYPE_CHECKING:
    import pyarrow as pa

    from pingce.evidence import Policies
    from pingce.inputs.names import Mapped
    from pingce.metrics import Asked
    from pingce.scores.ranking import RankingScores

MOST_JUDGED = 4_000_000
"Rows of the truth that are sent to every executor: some 100 MB."


def evaluated_in_place(truth: Side, run: Side, asked: list[Asked], policies: Policies) -> RankingScores | None:
    """The scores; None where the run is not what it was said to be, or the truth is too large to be everywhere.

    The first and the last query of a partition may go on in another one: their rows come to the driver. Any other query
    that is in two places is refused by the evaluator itself, so that no number is ever made of half a query.
    """
    with spoken():
        judged = truth.rows(whole_numbers=False).drop("is_run").limit(MOST_JUDGED + 1).toArrow()
    if not 0 < judged.num_rows <= MOST_JUDGED:
        return None
    mapped = run.mapped
    rows = run.rows(whole_numbers=run.has_large_numbers).drop("is_run")
    try:
        evaluator = RankingEvaluator.of(asked, policies, truth=rows_of_side(judged, truth.mapped), threads=1)
        settings, judging = evaluator.to_bytes(), (judged, truth.mapped)

        def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            return sent(batches, lambda: _seen(settings, judging, mapped, batches))

        ends: list[pa.Table] = []
        for data in received(rows, work):
            state, table = _unpacked(data)
            if state:
                evaluator.merge(RankingEvaluator.from_bytes(state))
            ends.append(table)
        _update(evaluator, ends, mapped)
        return evaluator.compute()
    except InputError:  # said again, with its cause, when rows are moved
        return None


def _seen(settings: bytes, judging: tuple[pa.Table, Mapped], mapped: Mapped, batches: Iterable[Any]) -> bytes | None:
    """On an executor: the evidence of a partition, and the rows at its ends."""
    evaluator = _judge(settings, judging)
    ends: list[pa.Table] = []
    seen = False
    before: pa.Table | None = None
    for table in whole(batches, "query"):
        if before is None:
            begin = first_stretch(table.column("query"))
            ends.append(table.slice(0, begin))
            before = table.slice(begin)
            continue
        seen = _update(evaluator, [before], mapped) or seen
        before = table
    if before is None:
        return None
    if before.num_rows:
        end = last_stretch(before.column("query"))
        seen = _update(evaluator, [before.slice(0, end)], mapped) or seen
        ends.append(before.slice(end))
    return _packed(evaluator.to_bytes() if seen else b"", ends)


def _judge(settings: bytes, judging: tuple[pa.Table, Mapped]) -> RankingEvaluator:
    """An evaluator like the driver's, with its truth."""
    asked: Any = Evaluator.from_bytes(settings)
    return RankingEvaluator.of(asked._asked, asked._policies, truth=rows_of_side(*judging), threads=1)


def _update(evaluator: RankingEvaluator, parts: list[pa.Table], mapped: Mapped) -> bool:
    import pyarrow as pa

    rows = [part for part in parts if part.num_rows]
    if rows:
        evaluator.update_rows(rows_of_side(pa.concat_tables(rows), mapped))
    return bool(rows)


def _packed(state: bytes, ends: list[pa.Table]) -> bytes:
    import pyarrow as pa

    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, ends[0].schema) as writer:
        for table in ends:
            writer.write_table(table)
    return len(state).to_bytes(8, "little") + state + bytes(sink.getvalue())


def _unpacked(data: bytes) -> tuple[bytes, pa.Table]:
    import pyarrow as pa

    end = 8 + int.from_bytes(data[:8], "little")
    return data[8:end], pa.ipc.open_stream(pa.py_buffer(data[end:])).read_all()
