"""Pairs of rows of any two classes, by the probabilities that executors hold: counts come home, never rows."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pingce.base.lazy import pa
from pingce.base.records import dataclass
from pingce.request import Request
from pingce.run.evaluator import Evaluator, state_of
from pingce.run.feed import row_data
from pingce.spark.chunks import tables
from pingce.spark.jobs import receive, send
from pingce.spark.numbers import whole_table
from pingce.spark.predictions import Plan
from pingce.spark.problems import translate_spark_errors

RangeCounts: TypeAlias = Mapping[str, list[list[int]]]
"By class: how many rows of each class have its probability in a range, and twice the pairs among them that its rows win."
_SENT = "class int, score double, code int"


@dataclass(frozen=True)
class FarClasses:
    """Probabilities of classes in a data frame, without weights."""

    frame: Any
    plan: Plan
    request: Request

    @classmethod
    def of(cls, frame: Any, plan: Plan, request: Request) -> FarClasses | None:
        """The probabilities of a plan; None where there are none, or weights."""
        return cls(frame, plan, request) if plan.proba and "weight" not in plan.roles else None

    def twice_concordant(self, labels: Sequence[Any]) -> list[list[int]]:
        """For each class a and b: pairs of their rows of which that of a has more of its probability, twice; equal ones once."""
        parts = int(self.frame.sparkSession.conf.get("spark.sql.shuffle.partitions"))
        plan, classes = self.plan, len(labels)
        reader = self.request.task.load("evaluator").of(replace(self.request, labels=list(labels)))
        settings: bytes = reader.to_bytes()

        def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            sink = _Probabilities(Evaluator.from_bytes(settings))
            for table in tables(batches):
                plan.feed(sink, table.to_batches())
                yield from sink.take()

        with translate_spark_errors():
            spread = plan.chosen(self.frame).mapInArrow(work, _SENT)
            ranges = spread.repartitionByRange(parts, "class", "score")
        counts = [json.loads(data) for data in receive(ranges, lambda batches: _send_counts(batches, classes))]
        return joined_counts(counts, classes)


class _Probabilities:
    """On an executor: rows as an evaluator reads them, a row for each class."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._state = state_of(evaluator)
        self._pending: list[pa.RecordBatch] = []

    def update(self, y_true: Any, y_pred: Any = None, **columns: Any) -> None:
        """See a batch."""
        rows = self._state.read(row_data(self._state.request.task.name, y_true, y_pred, columns))
        codes, proba = rows.truth.codes.astype(np.int32), rows.proba.astype(np.float64) + 0.0
        for place in range(proba.shape[1]):
            column = np.full(len(codes), place, np.int32)
            self._pending.append(
                pa.record_batch({"class": column, "score": np.ascontiguousarray(proba[:, place]), "code": codes})
            )

    def take(self) -> list[pa.RecordBatch]:
        """What was seen since the last time."""
        pending, self._pending = self._pending, []
        return pending


def _send_counts(batches: Iterable[pa.RecordBatch], classes: int) -> Iterator[pa.RecordBatch]:
    def counts() -> bytes | None:
        table = whole_table(batches)
        return None if table is None else json.dumps(range_counts(table, classes)).encode()

    return send(batches, counts)


def range_counts(table: pa.Table, classes: int) -> RangeCounts:
    """On an executor: the rows and the pairs of a range of each class's probabilities."""
    column, score, code = (table[name].to_numpy() for name in ("class", "score", "code"))
    counts = {}
    for name in np.unique(column).tolist():
        kept = column == name
        counts[str(name)] = [
            np.bincount(code[kept], minlength=classes).tolist(),
            _wins(score[kept], code[kept], name, classes),
        ]
    return counts


def _wins(score: NDArray[np.float64], code: NDArray[np.int32], name: int, classes: int) -> list[int]:
    """Twice the pairs of a row of one class and a row of each other that the former wins, equal ones once."""
    values, place = np.unique(score, return_inverse=True)
    ours = np.bincount(place[code == name], minlength=len(values))
    wins = [0] * classes
    for other in np.unique(code).tolist():
        theirs = np.bincount(place[code == other], minlength=len(values))
        wins[other] = int(ours @ (2 * np.cumsum(theirs) - theirs))
    return wins


def joined_counts(ranges: Sequence[RangeCounts], classes: int) -> list[list[int]]:
    """The pairs of all rows, from ranges that ascend: a row wins against all rows of lower ranges."""
    wins = [[0] * classes for _ in range(classes)]
    lower = [[0] * classes for _ in range(classes)]
    for counts in ranges:
        for word, (rows, within) in counts.items():
            name = int(word)
            for other in range(classes):
                wins[name][other] += within[other] + 2 * rows[name] * lower[name][other]
                lower[name][other] += rows[other]
    return wins
