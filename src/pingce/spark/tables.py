"""Distinct scores counted by Spark: collected where they are few enough, else summed up range by range."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from math import isclose
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.base.errors import InputError
from pingce.base.lazy import cached_property, pa
from pingce.evidence.binary.score_tables import Tables, thinned
from pingce.evidence.binary.thresholds import Pairs, ThresholdEvidence
from pingce.spark.chunks import tables
from pingce.spark.frames import column
from pingce.spark.jobs import receive, send
from pingce.spark.problems import translate_spark_errors

if TYPE_CHECKING:
    from pingce.evidence.binary.facts import Facts
    from pingce.spark.classes import FarClasses
    from pingce.spark.numbers import FarNumbers

POINTS = 1000
"Of a range, for curves."


def counted_scores(
    frame: Any, label: str, score: str, weight: str | None, positive: Any, *, by: Sequence[str] = ()
) -> Any:
    """A row a distinct score, with the positives and negatives that have it, or their weights; of each value of `by`."""
    from pyspark.sql import functions

    single = dict(frame.dtypes)[score] == "float"
    kept = frame if weight is None else frame.where(column(weight) > 0)
    amount = functions.lit(1) if weight is None else column(weight).cast("double")
    is_positive = column(label) == functions.lit(positive)
    counts = (functions.sum(functions.when(side, amount)) for side in (is_positive, ~is_positive))
    kind = "bigint" if weight is None else "double"
    tp, fp = (functions.coalesce(count, functions.lit(0)).cast(kind) for count in counts)
    key = column(score).cast("float" if single else "double").alias("score")
    return kept.groupBy(*map(column, by), key).agg(tp.alias("tp"), fp.alias("fp"))


class SparkTables(Tables):
    """The table of distinct scores of a data frame, counted when it is first asked for.

    `most` is how many scores may be collected; of more only pairs and points of curves are known. The count is a second
    pass over the rows, of which the first one has found the `facts`.
    """

    numbers: FarNumbers | None = None
    classes: FarClasses | None = None
    "The numbers of a regression, and the probabilities of classes, where what needs rows can be made where these lie."

    def __init__(self, counts: Callable[[Facts], Any], facts: Callable[[], Facts], most: int) -> None:
        super().__init__()
        self._count, self._facts, self._most = counts, facts, most

    def __bool__(self) -> bool:
        return True

    @cached_property
    def _counts(self) -> tuple[Any, int]:
        """The frame of counts, kept by Spark, and how many there are."""
        with translate_spark_errors():
            frame = self._count(self._facts()).persist()
            return frame, frame.count()

    @cached_property
    def _whole(self) -> ThresholdEvidence:
        table = table_of(self._collect())
        refuse_other_totals(self._facts(), *((table.tp[-1], table.fp[-1]) if len(table) else (0, 0)))
        return table

    def _collect(self) -> pa.Table:
        """The counts, on the driver; Spark may forget them."""
        frame, _ = self._counts
        with translate_spark_errors():
            table = frame.toArrow()
            frame.unpersist()
        return table

    @cached_property
    def _ranges(self) -> tuple[Pairs, ThresholdEvidence]:
        """The pairs of all rows, and points of every range."""
        from pyspark.sql import functions

        frame, _ = self._counts
        descending = frame.repartitionByRange(functions.desc("score")).sortWithinPartitions(functions.desc("score"))
        ranges = [read_range(data) for data in receive(descending, summed_range)]
        frame.unpersist()
        pairs = reduce(joined_pairs, (pairs for pairs, _ in ranges))
        refuse_other_totals(self._facts(), pairs.positives, pairs.negatives)
        return pairs, joined_points([points for _, points in ranges])

    @property
    def fits(self) -> bool:
        """Whether there are few enough scores to collect."""
        return self._counts[1] <= self._most

    def whole(self) -> ThresholdEvidence:
        if self.fits:
            return self._whole
        rows = self._counts[1]
        raise InputError(
            f"this metric needs the table of all {rows} distinct scores on the driver, and distinct={self._most} is the most that "
            "may go there; raise it, ask for auc only, or give bins= (a bound is then printed beside the value)",
            f"该指标需要把全部 {rows} 个不同分数收集到驱动端，而上限为 distinct={self._most}；请调大该值，或只计算 auc，"
            "或给出 bins=（数值旁会给出误差界）",
        )

    def pairs(self) -> Pairs:
        return self._whole.pairs() if self.fits else self._ranges[0]

    def thinned(self, points: int) -> ThresholdEvidence:
        return thinned(self._whole if self.fits else self._ranges[1], points)

    def pieces(self) -> Iterator[ThresholdEvidence]:
        yield self.whole()

    @property
    def nbytes(self) -> int:
        return self._whole.nbytes if "_whole" in self.__dict__ else 0

    def copy(self) -> SparkTables:
        """Itself: nothing is ever added."""
        return self


def refuse_other_totals(facts: Facts, positives: float, negatives: float) -> None:
    """Refuse counts of other rows than those of the first pass; weights add up to the same but for their last digits."""
    before = {"positives": facts.positive_weight, "negatives": facts.weight - facts.positive_weight}
    for (name, there), here in zip(before.items(), (positives, negatives), strict=True):
        if not (isclose(here, there, rel_tol=1e-9) if facts.weighted else here == there):
            raise InputError(
                f"the data changed between two passes: {name} were {float(there):g}, now they are {float(here):g}; "
                "persist the DataFrame, or write it to a file first",
                f"两遍读取之间数据有变化：{name} 原为 {float(there):g}，现为 {float(here):g}；请先 persist 该 DataFrame，或写成文件",
            )


def table_of(counts: pa.Table) -> ThresholdEvidence:
    """Counts a score, in any order, as a table."""
    score, tp, fp = (np.asarray(counts.column(name).to_numpy()) for name in ("score", "tp", "fp"))
    order = np.argsort(-score, kind="stable")
    return ThresholdEvidence(score[order], np.cumsum(tp[order]), np.cumsum(fp[order]))


def summed_range(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """On an executor: the pairs of a range of scores, which descend, and points of its table."""
    return send(batches, lambda: written_range([table_of(table) for table in tables(batches)]))


def written_range(parts: list[ThresholdEvidence]) -> bytes | None:
    """The pairs and some points of tables that follow each other downwards; None without any."""
    if not parts:
        return None
    pairs = reduce(joined_pairs, (part.pairs() for part in parts))
    points = thinned(joined_points([thinned(part, POINTS) for part in parts]), POINTS)
    numbers = json.dumps([pairs.positives, pairs.negatives, pairs.twice_concordant])
    table = pa.table({"score": points.score, "tp": points.tp, "fp": points.fp})
    sink = pa.BufferOutputStream()
    with pa.ipc.new_file(sink, table.schema.with_metadata({"pairs": numbers})) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue())


def read_range(data: bytes) -> tuple[Pairs, ThresholdEvidence]:
    """What `written_range` wrote."""
    table = pa.ipc.open_file(pa.BufferReader(data)).read_all()
    pairs = Pairs(*json.loads(table.schema.metadata[b"pairs"]))
    return pairs, ThresholdEvidence(*(table.column(name).to_numpy() for name in ("score", "tp", "fp")))


def joined_pairs(above: Pairs, below: Pairs) -> Pairs:
    """The pairs of two ranges of scores, the higher one first: each of its positives beats all negatives below."""
    return Pairs(
        above.positives + below.positives,
        above.negatives + below.negatives,
        above.twice_concordant + below.twice_concordant + 2 * above.positives * below.negatives,
    )


def joined_points(parts: list[ThresholdEvidence]) -> ThresholdEvidence:
    """Points of ranges that follow each other downwards as points of the whole; the last one of each is its end."""
    tp, fp, above = [], [], [0, 0]
    for part in parts:
        tp.append(part.tp + above[0])
        fp.append(part.fp + above[1])
        above = [tp[-1][-1].item(), fp[-1][-1].item()]
    return ThresholdEvidence(np.concatenate([part.score for part in parts]), np.concatenate(tp), np.concatenate(fp))
