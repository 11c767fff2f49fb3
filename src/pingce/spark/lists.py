"""A run against the truth, both data frames of Spark."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from math import isnan
from typing import Any, cast

from pingce.base.errors import InputError
from pingce.base.lazy import pa
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.items.background import Background
from pingce.inputs.arrow import ids_of
from pingce.inputs.columns import ROLE_NAMES, Role, Source
from pingce.inputs.data import RankingData
from pingce.inputs.frames import from_table
from pingce.inputs.ids import Ids
from pingce.inputs.names import Mapped, map_columns, names_value, table_name
from pingce.request import Request
from pingce.run.evaluator import state_of
from pingce.run.evaluators.ranking import RankingEvaluator
from pingce.run.states.fixed_tables import FixedTables, read_tables, refuse_no_truth
from pingce.run.states.ranking import USUAL, RankingState, refuse_popularity
from pingce.run.view_policies import needs_top_grade
from pingce.spark.frames import column, id_type, is_numeric, numeric_columns, refuse_other, row_source, types
from pingce.spark.jobs import feed_evaluator, rows_of
from pingce.spark.problems import translate_spark_errors
from pingce.spark.scores import SparkRankingScores
from pingce.spark.shuffle import shuffle_by_key, whole_parts

LENT = 1 << 28
"Bytes of tables of items that are sent to every executor."
_ROW = 16
"Bytes of a row of such a table, at least: two ids."


@translate_spark_errors()
def score_lists(
    request: Request,
    qrels: Any,
    run: Any,
    *,
    exclude: Any = None,
    tables: FixedTables | None = None,
    partitions: int | None = None,
) -> SparkRankingScores:
    """The scores of data frames; warnings stay with them. `tables` has query weights and slices."""
    request = replace(request, threads=1, split="never").with_usual(USUAL)
    _refuse_orders(request)
    columns, fixed = request.reading.columns, tables or FixedTables()
    refuse_popularity(fixed.by)
    if qrels is None:
        refuse_no_truth(request.metrics)
    rows = Side.of(run, "run", columns)
    truth = None if qrels is None else Side.of(qrels, "truth", columns, subtopics=request.reading.subtopics)
    pairs = None if exclude is None else Side.of(exclude, "exclude", columns)
    _refuse_order(rows)
    for other in (rows, pairs):
        if other is not None and truth is not None:
            _refuse_unlike(truth, other)
    fixed.top_grade = None if truth is None else _top_grade(request, truth)
    evaluator = RankingEvaluator.of(request, fixed)
    sides = [side for side in (truth, rows, pairs) if side is not None]
    named = [(side.mapped, names_value(side.mapped.role, columns)) for side in sides]
    frame = shuffle_by_key([(side.rows, _keys(side.mapped)) for side in sides], partitions)

    lent = _lent(evaluator)

    def feed(each: Any, batches: Iterable[pa.RecordBatch]) -> bool:
        if lent is not None:
            cast("RankingState", state_of(each)).borrow(lent)
        return _feed(each, batches, named)

    names = [metric.name for metric in request.metrics or ()]
    is_apart = cast("RankingState", state_of(evaluator)).is_valued_apart
    per_query = rows_of(frame, evaluator, feed, _schema(rows.query, names)) if is_apart else None
    evaluator = feed_evaluator(frame, evaluator, feed)
    if pairs is not None:
        _give_some(evaluator, pairs)
    scores = SparkRankingScores.of(evaluator.score(), run.sparkSession)
    if per_query is not None:
        scores.leave(per_query.orderBy("query"))
    read = (side.mapped.notes for side in (truth, rows) if side is not None)
    scores.notes = (*(note for notes in read for note in notes), *scores.notes)
    return scores


def _lent(evaluator: RankingEvaluator) -> Background | None:
    """The tables of items that go to the executors with the job, so that values come home and no lists; not where they are large."""
    from pyspark import cloudpickle

    tables = cast("RankingState", state_of(evaluator)).lends
    if tables is None:
        return None
    sides = (getattr(tables, name) for name in tables.present)
    rows = sum(len(side) for each in sides if (side := getattr(each, "rows", each)) is not None)
    return tables if rows * _ROW <= LENT and len(cloudpickle.dumps(tables)) <= LENT else None


def read_beside(request: Request, data: RankingData) -> FixedTables:
    """Query weights, what queries are sliced by, and tables of items; frames of them come to the driver."""
    roles: dict[str, Role] = {"query_weight": "weights", "train": "train", "catalog": "catalog", "reference": "run"}
    columns = request.reading.columns
    chosen = {
        name: Side.of(frame, role, columns).rows
        for name, role in roles.items()
        if hasattr(frame := getattr(data, name), "mapInArrow")
    }
    with translate_spark_errors():
        tables = {name: _collected(chosen.get(name, getattr(data, name))) for name in (*roles, "by", "items")}
        return read_tables(request, replace(data, **tables))


def _collected(data: Any) -> Any:
    """The same with an Arrow table for each frame in it."""
    if isinstance(data, (list, tuple)):
        return type(data)(map(_collected, data))
    return data.toArrow() if hasattr(data, "mapInArrow") else data


def _give_some(evaluator: RankingEvaluator, pairs: Side) -> None:
    """Show the first pairs to exclude: where they meet no query on an executor, nobody has seen that there are any."""
    table = pairs.rows.limit(1).toArrow()
    if len(table):
        evaluator.update_rows(None, None, from_table(table, pairs.mapped, _source(table, pairs.mapped)))


def _schema(id_type: str, metrics: Iterable[str]) -> Any:
    """Of the table with one row per query."""
    from pyspark.sql.types import DoubleType, LongType, StringType, StructField, StructType

    query = StructField("query", LongType() if id_type == "bigint" else StringType())
    return StructType([query, *(StructField(name, DoubleType()) for name in metrics)])


def _top_grade(request: Request, truth: Side) -> float | None:
    """The largest grade of the truth, where a metric needs it before its first value."""
    from pyspark.sql import functions

    if not any(needs_top_grade(metric, request.policies) for metric in request.metrics or ()):
        return None
    if truth.mapped.value is None:
        return 1.0
    top = truth.frame.agg(functions.max(column(truth.mapped.value).cast("double"))).first()[0]
    return None if top is None or isnan(top) else float(top)


@dataclass(frozen=True)
class Side:
    """One of the two frames, with the columns that were found in it."""

    frame: Any
    mapped: Mapped
    name: Text
    query: str
    item: str
    "Types of the ids: bigint or string."

    @classmethod
    def of(cls, frame: Any, role: Role, columns: Mapping[str, str | int] | None, *, subtopics: bool = False) -> Side:
        """The frame of a role, its columns found and their types checked."""
        refuse_other(frame, ROLE_NAMES[role])
        name = table_name(role, "DataFrame")
        mapped = map_columns(frame.columns, role, columns, name, numeric=numeric_columns(frame), subtopics=subtopics)
        if mapped.value is not None and not is_numeric(types(frame)[mapped.value]):
            kind = types(frame)[mapped.value]
            raise InputError(
                f"{name.en}: column '{mapped.value}' has type {kind}, but grades and scores must be numbers; convert it, or name "
                "another column with columns=… / --columns",
                f"{name.zh}：列 '{mapped.value}' 的类型是 {kind}，而等级和分数须为数字；请转换，或用 columns=… / --columns 指定另一列",
            )
        return cls(frame, mapped, name, id_type(frame, mapped.query, name), id_type(frame, mapped.item, name))

    @property
    def rows(self) -> Any:
        """The columns that travel, as they are."""
        return self.frame.select(*map(column, self.mapped.wanted.columns))


def _keys(mapped: Mapped) -> Callable[[pa.Table], Ids]:
    """The queries of a table on an executor."""
    return lambda table: ids_of(table.column(mapped.query), mapped.query, _source(table, mapped))


def _feed(evaluator: Any, batches: Iterable[pa.RecordBatch], sides: Sequence[tuple[Mapped, bool]]) -> bool:
    """On an executor: whole queries to the evaluator, a million rows at a time.

    Of each side it is known whether the caller named its grades or scores.
    """
    has_rows = False
    for tables in whole_parts(batches, len(sides)):
        rows = {
            mapped.role: from_table(table, replace(mapped, notes=()), replace(_source(table, mapped), stated=stated))
            for table, (mapped, stated) in zip(tables, sides, strict=True)
            if table is not None
        }
        evaluator.update_rows(rows.get("run"), rows.get("truth"), rows.get("exclude"))
        has_rows = True
    return has_rows


def _source(table: pa.Table, mapped: Mapped) -> Source:
    return row_source(table, table_name(mapped.role, "DataFrame"))


def _refuse_orders(request: Request) -> None:
    """Rows of a data frame have no order; what depends on it would be another number every time."""
    for metric in request.metrics or ():
        policies = metric.under(request.policies)
        for name, value in (("ties", policies.ties), ("duplicates", policies.duplicates)):
            if value in ("order", "first", "last"):
                instead = "ties=id" if name == "ties" else "duplicates=best"
                raise InputError(
                    f"{metric.name}: {name}={value} depends on the order of the rows, and rows of a Spark DataFrame have none; "
                    f"choose {instead}, or add the order as a column and evaluate by it",
                    f"{metric.name}：{name}={value} 取决于行的顺序，而 Spark DataFrame 的行没有顺序；"
                    f"请选择 {instead}，或将顺序作为一列给出",
                )


def _refuse_order(run: Side) -> None:
    if run.mapped.value is None:
        raise InputError(
            f"{run.name.en} has neither a score nor a rank column, and rows of a Spark DataFrame have no order; "
            "add one, or name it with columns={'score': …}",
            f"{run.name.zh} 既没有分数列也没有排名列，而 Spark DataFrame 的行没有顺序；请添加一列，或用 columns={{'score': …}} 指明",
        )


def _refuse_unlike(truth: Side, other: Side) -> None:
    name = {"run": Text("the run", "预测"), "exclude": Text("exclude", "exclude ")}[other.mapped.role]
    kinds = {"bigint": Text("integers", "整数"), "string": Text("strings", "字符串")}
    for part in ("query", "item"):
        ours, theirs = kinds[getattr(truth, part)], kinds[getattr(other, part)]
        if ours != theirs:
            raise InputError(
                f"{part} ids are {ours.en} in the truth and {theirs.en} in {name.en}: convert one side",
                f"真值的 {part} 编号是{ours.zh}，{name.zh}的是{theirs.zh}：请统一类型",
            )
