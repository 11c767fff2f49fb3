"""A run against the truth, both data frames of Spark."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.evaluate.definitions import Definitions
from pingce.evaluate.ranking import DEFAULT_METRICS
from pingce.evidence import Policies
from pingce.inputs.arrow_ids import ids_of
from pingce.inputs.columns import ROLE_NAMES, Role, Source
from pingce.inputs.frames import from_table
from pingce.inputs.names import Mapped, map_columns, names_value, table_name
from pingce.spark.dealt import dealt, whole_parts
from pingce.spark.frames import column, id_type, is_numeric, numeric_columns, refuse_other, shown_rows, types
from pingce.spark.jobs import evaluated
from pingce.spark.problems import spoken
from pingce.spark.scores import SparkRankingScores
from pingce.tasks.options import checked_options

if TYPE_CHECKING:
    import pyarrow as pa

    from pingce.inputs.ids import Ids
    from pingce.metrics.grammar import MetricRequest
    from pingce.metrics.ranking import RankingMetric


@checked_options("ranking")
def evaluate_ranking(
    qrels: Any,
    run: Any,
    metrics: Iterable[str | RankingMetric | MetricRequest] | str | MetricRequest | None = None,
    *,
    columns: Mapping[str, str | int] | None = None,
    convention: str | None = None,
    relevant: float | str | None = None,
    missing: str | None = None,
    extra: str | None = None,
    undefined: str | None = None,
    ties: str | None = None,
    score_type: str | None = None,
    duplicates: str | None = None,
    nan: str | None = None,
    judged_only: bool | str | None = None,
    identical: str | None = None,
    summation: str | None = None,
    partitions: int | None = None,
) -> SparkRankingScores:
    """Score a run against the truth, both Spark data frames with a row a (query, item).

    Keywords are those of `pingce.evaluate_ranking`, and so are the numbers, to the last bit; columns are found by their
    names, or said with `columns={"query": "uid", …}`. All rows of a query meet on one executor, in `partitions` parts
    (by default as many as `spark.sql.shuffle.partitions` says). Rows of a data frame have no order: the run needs scores
    or ranks, and `ties="order"` or `duplicates="first"` are refused. `scores.per_query` is a Spark data frame.
    """
    given = Policies.among(locals())
    define = Definitions(Policies, convention, given)
    asked = define.defaults(DEFAULT_METRICS) if metrics is None else define.asked(metrics)
    return score_ranking(qrels, run, asked, define.policies, columns=columns, partitions=partitions)


@spoken()
def score_ranking(
    qrels: Any,
    run: Any,
    asked: list[MetricRequest],
    policies: Policies,
    *,
    columns: Mapping[str, str | int] | None = None,
    partitions: int | None = None,
) -> SparkRankingScores:
    """Score data frames under definitions that were read before."""
    from pingce.evaluators import RankingEvaluator

    _refuse_orders(asked, policies)
    truth, rows = Side.of(qrels, "truth", columns), Side.of(run, "run", columns)
    _refuse_order(rows)
    _refuse_unlike(truth, rows)
    sides = [(side.mapped, names_value(side.mapped.role, columns)) for side in (truth, rows)]
    evaluator = evaluated(
        dealt([(side.rows, _keys(side.mapped)) for side in (truth, rows)], partitions),
        RankingEvaluator.of(asked, policies, split="never", threads=1),
        lambda one, batches: _feed(one, batches, sides),
    )
    scores = SparkRankingScores.of(evaluator.compute(), run.sparkSession)
    scores.notes = (*truth.mapped.notes, *rows.mapped.notes, *scores.notes)
    return scores


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
    def of(cls, frame: Any, role: Role, columns: Mapping[str, str | int] | None) -> Side:
        """The frame of a role, its columns found and their types checked."""
        refuse_other(frame, ROLE_NAMES[role])
        name = table_name(role, "DataFrame")
        mapped = map_columns(frame.columns, role, columns, name, numeric=numeric_columns(frame))
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
        return self.frame.select(*map(column, dict.fromkeys(self.mapped.columns())))


def _keys(mapped: Mapped) -> Callable[[pa.Table], Ids]:
    """The queries of a table on an executor."""
    return lambda table: ids_of(table.column(mapped.query), mapped.query, _source(table, mapped))


def _feed(evaluator: Any, batches: Iterable[pa.RecordBatch], sides: Sequence[tuple[Mapped, bool]]) -> bool:
    """On an executor: whole queries to the evaluator, a million rows at a time.

    Of each side it is known whether the caller named its grades or scores.
    """
    seen = False
    for tables in whole_parts(batches, len(sides)):
        truth, run = (
            None
            if table is None
            else from_table(table, replace(mapped, notes=()), replace(_source(table, mapped), stated=stated))
            for table, (mapped, stated) in zip(tables, sides, strict=True)
        )
        evaluator.update_rows(run, truth)
        seen = True
    return seen


def _source(table: pa.Table, mapped: Mapped) -> Source:
    return shown_rows(table, table_name(mapped.role, "DataFrame"))


def _refuse_orders(asked: list[MetricRequest], policies: Policies) -> None:
    """Rows of a data frame have no order; what depends on it would be another number every time."""
    for one in asked:
        own = one.under(policies)
        for name, value in (("ties", own.ties), ("duplicates", own.duplicates)):
            if value in ("order", "first", "last"):
                raise InputError(
                    f"{one.name}: {name}={value} depends on the order of the rows, and rows of a Spark DataFrame have none; "
                    f"choose {'ties=id' if name == 'ties' else 'duplicates=best'}, or add the order as a column and evaluate by it",
                    f"{one.name}：{name}={value} 取决于行的顺序，而 Spark DataFrame 的行没有顺序；"
                    f"请选择 {'ties=id' if name == 'ties' else 'duplicates=best'}，或将顺序作为一列给出",
                )


def _refuse_order(run: Side) -> None:
    if run.mapped.value is None:
        raise InputError(
            f"{run.name.en} has neither a score nor a rank column, and rows of a Spark DataFrame have no order; "
            "add one, or name it with columns={'score': …}",
            f"{run.name.zh} 既没有分数列也没有排名列，而 Spark DataFrame 的行没有顺序；请添加一列，或用 columns={{'score': …}} 指明",
        )


def _refuse_unlike(truth: Side, run: Side) -> None:
    kinds = {"bigint": Text("integers", "整数"), "string": Text("strings", "字符串")}
    for part in ("query", "item"):
        ours, theirs = kinds[getattr(truth, part)], kinds[getattr(run, part)]
        if ours != theirs:
            raise InputError(
                f"{part} ids are {ours.en} in the truth and {theirs.en} in the run: convert one side",
                f"真值的 {part} 编号是{ours.zh}，预测的是{theirs.zh}：请统一类型",
            )
