"""The middle error and the ranks of numbers that lie on executors: counts and sums of integers come home, never rows."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.exact import exact_dot, exact_sum
from pingce.base.lazy import pa
from pingce.base.records import dataclass
from pingce.evidence.regression.ranks import mid_ranks
from pingce.inputs.predictions import vector_of
from pingce.inputs.regression import NumberRows, number_rows
from pingce.spark.chunks import tables
from pingce.spark.frames import column, is_numeric, row_source, types
from pingce.spark.jobs import receive, send
from pingce.spark.predictions import NAME, Plan
from pingce.spark.problems import translate_spark_errors

FEW = 1 << 20
"Errors that may come to the driver, each distinct one with how many there are."
MOST_DISTINCT = 10_000_000
"Distinct pairs of numbers that are collected on the driver: some 250 MB."
_DIGIT = 16
"Bits of an error that are counted in one pass."
RangeSums: TypeAlias = Mapping[str, list[Any]]
"Of a range of the other column: number, rows and sums of ranks of each range of the one column that it meets, and sums of products."
_RANKED = "other double, part int, rank double"


@dataclass(frozen=True)
class FarNumbers:
    """True and predicted numbers in a data frame, without weights."""

    frame: Any
    true: str
    predicted: str
    few: int = FEW
    distinct: int = MOST_DISTINCT

    @classmethod
    def of(cls, frame: Any, plan: Plan, distinct: int = MOST_DISTINCT) -> FarNumbers | None:
        """The numbers of a plan; None where they have weights, or types of which only rows tell what they are."""
        names, kinds = (plan.roles["y_true"], plan.roles.get("y_pred", "")), types(frame)
        plain = all(is_numeric(kind) and kind != "boolean" for kind in (kinds.get(name, "") for name in names))
        return cls(frame, *names, distinct=distinct) if plain and "weight" not in plan.roles else None

    def distinct_rows(self, metric: str) -> NumberRows:
        """The distinct pairs of numbers, each weighted by its rows; refused where they are more than may come to the driver."""
        from pyspark.sql import functions

        sides = [
            (column(name).cast("double") + functions.lit(0.0)).alias(alias)  # zeros of both signs are one number
            for name, alias in ((self.true, "truth"), (self.predicted, "other"))
        ]
        with translate_spark_errors():
            counts = self.frame.select(*sides).groupBy("truth", "other").count().limit(self.distinct + 1).toArrow()
        if len(counts) > self.distinct:
            raise InputError(
                f"{metric} over all rows needs the distinct pairs of numbers on the driver, and there are more than distinct={self.distinct}; "
                "round the numbers, give more distinct= and memory, or measure it within groups: xgauc",
                f"在全部行上计算 {metric} 需要把不同的数对取到 driver，而它们多于 distinct={self.distinct}；"
                "请对数值取整，调大 distinct= 与内存，或按组计算：xgauc",
            )
        columns = (counts[name].to_numpy() for name in ("truth", "other", "count"))
        true, predicted, count = (np.ascontiguousarray(values, np.float64) for values in columns)
        return NumberRows(true, predicted, count)

    def middle_errors(self) -> tuple[float, float]:
        """The two sizes of errors in the middle of all; of an odd number of rows they are one.

        Sizes are ordered as the integers with their bits are. They are counted by their leading bits, then by the next
        bits of those that begin as the middle ones do, and one by one as soon as they are few.
        """
        shift, counts = 64 - _DIGIT, self._counts(64, 64 - _DIGIT, [])
        total = counts.total
        places = [counts.place(rank) for rank in ((total - 1) // 2, total // 2)]
        while shift:
            prefixes = sorted({bits for bits, _ in places})
            begin, shift = shift, 0 if counts.of(prefixes) <= self.few else shift - _DIGIT
            counts = self._counts(begin, shift, prefixes)
            places = [counts.beginning(bits, begin - shift).place(rank) for bits, rank in places]
        low, high = np.array([bits for bits, _ in places], np.uint64).view(np.float64).tolist()
        return low, high

    def _counts(self, begin: int, shift: int, prefixes: list[int]) -> BitCounts:
        """How many errors have the same bits above `shift`, of those whose bits above `begin` are among the prefixes."""
        columns, wanted = (self.true, self.predicted), np.array(prefixes, np.uint64)

        def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            return send(batches, lambda: error_counts(batches, columns, (wanted, begin, shift)))

        pieces = receive(self.frame.select(*map(column, columns)), work)
        return BitCounts.joined([BitCounts.from_bytes(data) for data in pieces])

    def rank_sums(self) -> dict[str, Fraction]:
        """Sums over the ranks of both columns, as Spearman's correlation counts them: products, squares, and plain ones.

        Rows go to ranges of true numbers, where they are ranked, and on to ranges of predicted ones. A rank is twice the rows in lower
        ranges, and the rank within its own: for each pair of ranges, sums of the latter are enough.
        """
        from pyspark.sql import functions

        parts = int(self.frame.sparkSession.conf.get("spark.sql.shuffle.partitions"))
        # Zeros of both signs are one number.
        truth, other = (
            (column(name).cast("double") + functions.lit(0.0)).alias(alias)
            for name, alias in ((self.true, "truth"), (self.predicted, "other"))
        )
        with translate_spark_errors():
            ranked = self.frame.select(truth, other).repartitionByRange(parts, "truth").mapInArrow(_ranks, _RANKED)
            moved = ranked.repartitionByRange(parts, "other")
        return joined_sums([json.loads(data) for data in receive(moved, _send_sums)])


@dataclass(frozen=True)
class BitCounts:
    """Leading bits of errors, ascending, and how many errors have them."""

    bits: NDArray[np.uint64]
    count: NDArray[np.int64]

    @classmethod
    def joined(cls, pieces: Sequence[BitCounts]) -> BitCounts:
        """All together."""
        every = np.concatenate([np.zeros(0, np.uint64), *(piece.bits for piece in pieces)])
        bits, place = np.unique(every, return_inverse=True)
        count = np.zeros(len(bits), np.int64)
        np.add.at(count, place, np.concatenate([np.zeros(0, np.int64), *(piece.count for piece in pieces)]))
        return cls(bits, count)

    def to_bytes(self) -> bytes:
        """For the driver."""
        return self.bits.astype("<u8").tobytes() + self.count.astype("<i8").tobytes()

    @classmethod
    def from_bytes(cls, data: bytes) -> BitCounts:
        """What `to_bytes` wrote."""
        half = len(data) // 16
        return cls(np.frombuffer(data, "<u8", half), np.frombuffer(data, "<i8", half, 8 * half))

    @property
    def total(self) -> int:
        """How many errors."""
        return int(self.count.sum())

    def of(self, bits: Sequence[int]) -> int:
        """How many errors have any of these."""
        return int(self.count[np.isin(self.bits, np.array(bits, np.uint64))].sum())

    def beginning(self, prefix: int, shift: int) -> BitCounts:
        """Those that begin with these bits, and have `shift` more."""
        kept = self.bits >> np.uint64(shift) == np.uint64(prefix)
        return BitCounts(self.bits[kept], self.count[kept])

    def place(self, rank: int) -> tuple[int, int]:
        """The bits of the error of a rank, from 0, and its rank among those that have them."""
        reached = np.cumsum(self.count)
        at = int(np.searchsorted(reached, rank, side="right"))
        if at == len(reached):
            raise InputError(
                "the data changed between two passes; persist the DataFrame, or write it to a file first",
                "两遍读取之间数据有变化；请先 persist 该 DataFrame，或写成文件",
            )
        return int(self.bits[at]), rank - int(reached[at] - self.count[at])


def error_counts(
    batches: Iterable[pa.RecordBatch], columns: tuple[str, str], bits: tuple[NDArray[np.uint64], int, int]
) -> bytes | None:
    """On an executor: the bits of errors above a place, and how many errors have them."""
    prefixes, begin, shift = bits
    pieces = []
    for table in tables(batches):
        source = row_source(table, NAME)
        rows = number_rows(*(vector_of(table, name, source) for name in columns))
        sizes = np.abs(rows.predicted - rows.true).view(np.uint64)
        if begin < 64:
            sizes = sizes[np.isin(sizes >> np.uint64(begin), prefixes)]
        pieces.append(BitCounts(*np.unique(sizes >> np.uint64(shift), return_counts=True)))
    return BitCounts.joined(pieces).to_bytes() if pieces else None


def _ranks(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """On an executor: the numbers of the other column, and the ranks of a range of the one column within it."""
    from pyspark import TaskContext

    context = TaskContext.get()
    table = whole_table(batches)
    if table is None or context is None:
        return
    ranked = {
        "other": table["other"].combine_chunks(),
        "part": pa.array(np.full(len(table), context.partitionId(), np.int32)),
        "rank": pa.array(mid_ranks(table["truth"].to_numpy(), 1)),
    }
    yield from pa.table(ranked).to_batches(max_chunksize=1 << 16)


def _send_sums(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    def sums() -> bytes | None:
        table = whole_table(batches)
        return None if table is None else json.dumps(range_sums(table)).encode()

    return send(batches, sums)


def range_sums(table: pa.Table) -> RangeSums:
    """On an executor: sums over the ranks of a range of the other column, by the range of the one column."""
    ours, theirs = table["rank"].to_numpy(), mid_ranks(table["other"].to_numpy(), 1)
    part = table["part"].to_numpy()
    order = np.argsort(part, kind="stable")
    names, begins = np.unique(part[order], return_index=True)
    ends = [*begins[1:].tolist(), len(order)]
    pieces = [order[begin:end] for begin, end in zip(begins.tolist(), ends, strict=True)]
    return {
        "ranges": [
            [int(name), len(rows), int(exact_sum(ours[rows])), int(exact_sum(theirs[rows]))]
            for name, rows in zip(names.tolist(), pieces, strict=True)
        ],
        "products": [int(exact_dot(*pair)) for pair in ((ours, ours), (theirs, theirs), (ours, theirs))],
    }


def joined_sums(ranges: Sequence[RangeSums]) -> dict[str, Fraction]:
    """The sums over all rows, from those of ranges that ascend."""
    rows_of: Counter[int] = Counter()
    for each in ranges:
        rows_of.update({name: count for name, count, *_ in each["ranges"]})
    names = sorted(rows_of)
    below = dict(zip(names, accumulate((rows_of[name] for name in names), initial=0), strict=False))
    sums, lower = Counter[str](), 0
    for each in ranges:
        for name, count, true, other in each["ranges"]:
            a, b = 2 * below[name], 2 * lower
            sums["true"] += a * count + true
            sums["predicted"] += b * count + other
            sums["true_squared"] += a * a * count + 2 * a * true
            sums["predicted_squared"] += b * b * count + 2 * b * other
            sums["product"] += a * b * count + a * other + b * true
        for name, product in zip(("true_squared", "predicted_squared", "product"), each["products"], strict=True):
            sums[name] += product
        lower += sum(count for _, count, *_ in each["ranges"])
    return {name: Fraction(total) for name, total in {"weight": lower, **sums}.items()}


def whole_table(batches: Iterable[pa.RecordBatch]) -> pa.Table | None:
    """All batches; None without rows."""
    kept = [batch for batch in batches if batch.num_rows]
    return pa.Table.from_batches(kept) if kept else None
