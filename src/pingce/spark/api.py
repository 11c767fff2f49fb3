"""The four evaluate calls on Spark data frames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pingce.evidence.policies import BinaryKeywords, MulticlassKeywords, RankingKeywords, RegressionKeywords
from pingce.inputs.columns import Reading
from pingce.inputs.data import RankingData, one_weight
from pingce.request import Intervals, MetricNames, Request
from pingce.run.score import warn
from pingce.run.shorthands import with_shorthands
from pingce.scores.multiclass import MulticlassScores
from pingce.scores.regression import RegressionScores
from pingce.spark.lists import read_beside, score_lists
from pingce.spark.rows import MOST_DISTINCT, MOST_ROWS, DriverLimits, FrameColumns, score_rows
from pingce.spark.scores import SparkBinaryScores, SparkRankingScores
from pingce.tasks.options import checked_options

if TYPE_CHECKING:
    from typing_extensions import Unpack


@checked_options("ranking")
def evaluate_ranking(
    qrels: Any,
    run: Any,
    metrics: MetricNames | None = None,
    *,
    exclude: Any = None,
    query_weight: Any = None,
    item_weight: str | None = None,
    ci: float | None = None,
    samples: int = 10_000,
    seed: int = 0,
    train: Any = None,
    catalog: Any = None,
    items: Any = None,
    reference: Any = None,
    by: Any = None,
    min_n: int = 20,
    columns: Mapping[str, str | int] | None = None,
    convention: str | None = None,
    partitions: int | None = None,
    **policies: Unpack[RankingKeywords],
) -> SparkRankingScores:
    """Score a run against the truth, both Spark data frames with a row a (query, item).

    Keywords are those of `pingce.evaluate_ranking`, and so are the numbers, to the last bit; columns are found by their
    names, or said with `columns={"query": "uid", …}`. All rows of a query meet on one executor, in `partitions` parts
    (by default as many as `spark.sql.shuffle.partitions` says). Rows of a data frame have no order: the run needs scores
    or ranks, and `ties="order"` or `duplicates="first"` are refused. `scores.per_query` is a Spark data
    frame, made on the executors when it is used: only sums come to the driver.

    `exclude` is a data frame of pairs, which meet the run's rows on the executors. With `ci`, `query_weight`, `item_weight` or `by` (a data frame
    with a row per query, or what the local call takes; not "popularity") the values of each query come to the driver, 8 bytes a metric.
    With metrics of items the first places of all lists come to the driver, where `train`, `catalog`, `items` and `reference` are (data frames, or what the local
    call takes): about 20 bytes a place, down to the deepest k.
    """
    request = Request.of(
        "ranking",
        metrics,
        convention=convention,
        policies=policies,
        reading=Reading(columns, item_weight=item_weight),
        intervals=Intervals(ci, samples, seed),
        slice_ci=0.95 if ci is None else ci,
        min_n=min_n,
    )
    tables = read_beside(request, RankingData(None, None, None, query_weight, by, train, catalog, items, reference))
    scores = score_lists(request, qrels, run, exclude=exclude, tables=tables, partitions=partitions)
    warn(scores)
    return scores


@checked_options("binary")
def evaluate_binary(
    data: Any,
    metrics: MetricNames | None = None,
    *,
    label: str | None = None,
    score: str | None = None,
    group: str | None = None,
    weight: str | None = None,
    sample_weight: str | None = None,
    convention: str | None = None,
    positive: Any = None,
    field: str | Sequence[str] | None = None,
    cost: str | None = None,
    bins: int | None = None,
    by: Any = None,
    ci: float | None = None,
    samples: int = 1000,
    seed: int = 0,
    min_n: int = 20,
    distinct: int = MOST_DISTINCT,
    collect: int = MOST_ROWS,
    partitions: int | None = None,
    **policies: Unpack[BinaryKeywords],
) -> SparkBinaryScores:
    """Score a model whose labels and scores stand in a Spark data frame.

    `label`, `score`, `group` and `weight` are names of columns; `gauc(by=…)` may name others. Keywords and numbers are
    those of `pingce.evaluate_binary`. Sums are made where the rows are; rows of a group meet on one executor, in
    `partitions` parts (by default as many as `spark.sql.shuffle.partitions` says). For AUC and curves Spark counts the distinct scores: up to
    `distinct` of them go to the driver, and everything works as on one machine; of more, AUC is still exact, curves have
    at most 1000 points, each of them exact, and what else needs every score is refused. `bins` avoids that count at the
    price of a bound that is printed beside each value. `scores.per_group` is a Spark data frame.

    `by` names columns to slice by, or `activity`; each slice is counted where its rows are. Intervals (`ci`) come from the counts of scores. With
    weights, slices or gaps beside `ci`, and with `by="activity"`, the columns that are evaluated come to the driver, up to `collect` rows.
    """
    intervals = Intervals(ci, samples, seed)
    request = Request.of(
        "binary",
        with_shorthands("binary", metrics, field, cost, grouped=group is not None),
        convention=convention,
        policies=policies,
        bins=bins,
        positive=positive,
        intervals=intervals,
        min_n=min_n,
    )
    columns = FrameColumns(label, score, one_weight(weight, sample_weight), group, by=by)
    limits = DriverLimits(distinct, collect)
    scores: SparkBinaryScores = score_rows(request, data, columns, partitions=partitions, limits=limits)
    warn(scores)
    return scores


@checked_options("multiclass")
def evaluate_multiclass(
    data: Any,
    metrics: MetricNames | None = None,
    *,
    label: str | None = None,
    prediction: str | None = None,
    proba: str | Sequence[str] | None = None,
    weight: str | None = None,
    sample_weight: str | None = None,
    labels: Iterable[Any] | None = None,
    convention: str | None = None,
    by: Any = None,
    ci: float | None = None,
    samples: int = 1000,
    seed: int = 0,
    min_n: int = 20,
    collect: int = MOST_ROWS,
    **policies: Unpack[MulticlassKeywords],
) -> MulticlassScores:
    """Score a classifier of any number of classes, whose labels stand in a Spark data frame.

    `label`, `prediction` and `weight` are names of columns, `proba` is a column of arrays or a list of columns, one a
    class in the order of `labels`. Keywords and numbers are those of `pingce.evaluate_multiclass`. Rows stay where they
    are; only counts travel, of each slice too. (With weights the AUC of several classes needs all rows: they go to
    the driver. So do up to `collect` of them with `ci`, and with `by` where there is `proba`.)
    """
    intervals = Intervals(ci, samples, seed)
    request = Request.of(
        "multiclass",
        metrics,
        convention=convention,
        policies=policies,
        labels=labels,
        intervals=intervals,
        min_n=min_n,
    )
    matrix = () if proba is None else (proba,) if isinstance(proba, str) else tuple(proba)
    columns = FrameColumns(label, prediction, one_weight(weight, sample_weight), proba=matrix, by=by)
    scores: MulticlassScores = score_rows(request, data, columns, limits=DriverLimits(rows=collect))
    warn(scores)
    return scores


@checked_options("regression")
def evaluate_regression(
    data: Any,
    metrics: MetricNames | None = None,
    *,
    label: str | None = None,
    prediction: str | None = None,
    group: str | None = None,
    weight: str | None = None,
    sample_weight: str | None = None,
    convention: str | None = None,
    by: Any = None,
    ci: float | None = None,
    samples: int = 1000,
    seed: int = 0,
    min_n: int = 20,
    distinct: int = MOST_DISTINCT,
    collect: int = MOST_ROWS,
    partitions: int | None = None,
    **policies: Unpack[RegressionKeywords],
) -> RegressionScores:
    """Score predicted numbers that stand in a Spark data frame.

    `label`, `prediction`, `group` and `weight` are names of columns; `xgauc(by=…)` may name others. Keywords and numbers are those of
    `pingce.evaluate_regression`. Rows stay where they are; only exact sums travel. Rows of a group meet on one executor, in `partitions`
    parts. For metrics of all pairs (`xauc`, `kendall`, `normalized_gini`) Spark counts the distinct pairs of numbers: up to `distinct` of
    them go to the driver, more are refused. (With weights the median error, rank correlations and pairs need all rows: they go to the driver.
    So do up to `collect` of them with `ci`, and with `by` where one of these is asked for; the median error is among the usual ones.)
    """
    intervals = Intervals(ci, samples, seed)
    request = Request.of(
        "regression", metrics, convention=convention, policies=policies, intervals=intervals, min_n=min_n
    )
    columns = FrameColumns(label, prediction, one_weight(weight, sample_weight), group, by=by)
    limits = DriverLimits(distinct, collect)
    scores: RegressionScores = score_rows(request, data, columns, partitions=partitions, limits=limits)
    return scores
