"""Slices of a data frame: rows are named by their slice where they are, and distinct scores are counted slice by slice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from pingce.base.lazy import cached_property, compute, pa
from pingce.inputs.predictions import vector_of
from pingce.inputs.slices import partition_of
from pingce.inputs.times import in_slices_of_time
from pingce.spark.chunks import tables
from pingce.spark.frames import column, row_source
from pingce.spark.predictions import NAME, Plan
from pingce.spark.problems import translate_spark_errors
from pingce.spark.tables import SparkTables, counted_scores

if TYPE_CHECKING:
    from pingce.evidence.binary.facts import Facts

_ROWS = 10_000
"Of a batch that goes back to Spark."


class SliceCounts:
    """Distinct scores of every slice by one column, counted when they are first asked for; `most` may be collected."""

    def __init__(self, count: Callable[[], Any], most: int) -> None:
        self._count, self.most = count, most

    @cached_property
    def frame(self) -> Any:
        """A row per slice and distinct score, kept by Spark."""
        return self._count().persist()

    @cached_property
    def sizes(self) -> dict[str | None, int]:
        """How many distinct scores each slice has."""
        with translate_spark_errors():
            return {row["slice"]: row["count"] for row in self.frame.groupBy("slice").count().collect()}

    @cached_property
    def collected(self) -> pa.Table | None:
        """All of them, where they are few enough."""
        if sum(self.sizes.values()) > self.most:
            return None
        with translate_spark_errors():
            return self.frame.toArrow()

    def close(self) -> None:
        """Let Spark forget them."""
        if "frame" in self.__dict__:
            self.frame.unpersist()


class SliceTables(SparkTables):
    """The table of distinct scores of one slice."""

    def __init__(self, counts: SliceCounts, name: str | None, facts: Callable[[], Facts]) -> None:
        super().__init__(lambda _: None, facts, counts.most)
        self._shared, self._name = counts, name

    @cached_property
    def _counts(self) -> tuple[Any, int]:
        from pyspark.sql import functions

        mine = functions.col("slice").eqNullSafe(functions.lit(self._name))
        return self._shared.frame.where(mine).select("score", "tp", "fp"), self._shared.sizes.get(self._name, 0)

    def _collect(self) -> pa.Table:
        every = self._shared.collected
        if every is None:
            return super()._collect()
        names = every.column("slice")
        return every.filter(compute.is_null(names) if self._name is None else compute.equal(names, self._name))


def counted_slices(frame: Any, plan: Plan, by: str, score: str, positive: Any) -> Any:
    """A row per slice and distinct score, with the positives and negatives that have it, or their weights."""
    from pyspark.sql.types import StringType, StructField, StructType

    roles = {"label": plan.roles["y_true"], "score": score, "weight": plan.roles.get("weight"), "by": plan.by[by]}
    chosen = frame.select(*(column(name).alias(role) for role, name in roles.items() if name is not None))
    kept = [field for field in chosen.schema.fields if field.name != "by"]
    schema = StructType([StructField("slice", StringType()), *kept])
    named = chosen.mapInArrow(partial(_named, by=by), schema)
    return counted_scores(named, "label", "score", "weight" if roles["weight"] else None, positive, by=("slice",))


def _named(batches: Iterable[pa.RecordBatch], by: str) -> Iterator[pa.RecordBatch]:
    """On an executor: rows with the name of their slice in place of what they are sliced by."""
    for table in tables(batches):
        values = in_slices_of_time(by, vector_of(table, "by", row_source(table, NAME)))
        partition = partition_of(values, by, batch=True)
        codes = pa.array(partition.codes, mask=partition.codes < 0)
        names = pa.array(partition.names, pa.string()).take(codes)
        yield from table.drop_columns(["by"]).add_column(0, "slice", names).to_batches(max_chunksize=_ROWS)
