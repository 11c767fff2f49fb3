"""The public calls: each makes a request, and runs it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NoReturn

from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.evidence.policies import (
    Compare,
    Duplicates,
    Extra,
    Identical,
    JudgedOnly,
    Missing,
    Nan,
    Policies,
    ScoreType,
    Summation,
    Ties,
    Undefined,
    UndefinedClass,
)
from pingce.inputs.aliases import one_weight
from pingce.inputs.columns import Reading
from pingce.request import Intervals, Limits, MetricNames, Request
from pingce.run.data import RankingData, RowData
from pingce.run.feed import evaluate_lists, evaluate_rows
from pingce.tasks.options import checked_options

if TYPE_CHECKING:
    from pingce.scores.binary import BinaryScores
    from pingce.scores.multiclass import MulticlassScores
    from pingce.scores.ranking import RankingScores
    from pingce.scores.regression import RegressionScores


@checked_options("ranking")
def evaluate_ranking(
    qrels: Any,
    run: Any,
    metrics: MetricNames | None = None,
    *,
    convention: str | None = None,
    relevant: float | str | None = None,
    missing: Missing | None = None,
    extra: Extra | None = None,
    undefined: Undefined | None = None,
    ties: Ties | None = None,
    score_type: ScoreType | None = None,
    duplicates: Duplicates | None = None,
    nan: Nan | None = None,
    judged_only: bool | JudgedOnly | None = None,
    identical: Identical | None = None,
    summation: Summation | None = None,
    exclude: Any = None,
    query_weight: Any = None,
    by: Any = None,
    min_n: int = 20,
    queries: Any = None,
    items: Any = None,
    columns: Mapping[str, str | int] | None = None,
    input_format: str | None = None,
    encoding: str | None = None,
    threads: int | None = None,
    memory: str | float | None = None,
    tmpdir: str | os.PathLike[str] | None = None,
) -> RankingScores:
    """Score a run against the truth.

    `qrels` and `run` may be paths, data frames, Arrow tables, dictionaries, lists, matrices or tensors; `metrics` are
    names such as "ndcg@10" or "ap(norm=min)@100". Rows of a matrix or of a list of lists are queries that are known by their
    place only: `queries` names them, and `items` names the columns of a matrix (or the item numbers that it holds); a matrix
    may also come as a pair `(query_ids, matrix)`. `exclude` are pairs (query, item) that are taken out of the run before
    it is ranked; `query_weight` says how much each query counts in a mean. The keywords before them are policies;
    docs/glossary.md says what each does and what its default is. `convention="ranx"` gives the numbers of that tool:
    its parameters and policies hold wherever you do not give your own.

    `by` adds `scores.slices`, the same metrics for parts of the queries: `("users.csv", "country")` (a table with a query
    column, and the columns to slice by), a dict {query: value}, "activity" (deciles of a query's number of relevant
    items), "popularity" (deciles of how often its relevant items occur in the truth), or a list of these. Slices of fewer
    than `min_n` queries have no interval.

    Files that would take more than `memory` ("2GB"; by default a quarter of the memory there is) are streamed; where that
    needs temporary files they go to `tmpdir`. The scores are the same.

    >>> import pingce as pc
    >>> pc.evaluate_ranking({"q": {"a": 3, "b": 1}}, {"q": ["b", "a"]}, ["ndcg@10", "mrr"])["mrr"]
    1.0
    """
    request = Request.of(
        "ranking",
        metrics,
        convention=convention,
        policies=Policies.among(locals()),
        intervals=Intervals(0.95, 10_000),
        min_n=min_n,
        reading=Reading(columns, input_format, encoding, threads, queries, items),
        limits=Limits(memory, tmpdir),
        threads=threads,
    )
    return evaluate_lists(request, RankingData(qrels, run, exclude, query_weight, by))


@checked_options("binary")
def evaluate_binary(
    y_true: Any,
    y_score: Any,
    metrics: MetricNames | None = None,
    *,
    data: Any = None,
    group: Any = None,
    weight: Any = None,
    sample_weight: Any = None,
    convention: str | None = None,
    threshold: float | None = None,
    compare: Compare | None = None,
    positive: Any = None,
    group_weight: Mapping[str, Any] | None = None,
    undefined: Undefined | None = None,
    bins: int | None = None,
    ci: float | None = None,
    samples: int = 1000,
    seed: int = 0,
    by: Any = None,
    min_n: int = 20,
    input_format: str | None = None,
    encoding: str | None = None,
    memory: str | float | None = None,
    tmpdir: str | os.PathLike[str] | None = None,
    threads: int | None = None,
) -> BinaryScores:
    """Score a model that gives each row a score, against labels of two kinds.

    Columns may be lists, arrays, series or tensors; with `data` (a path, a data frame or an Arrow table) they are names
    of its columns. `group` are the users or requests of `gauc`, `weight` (or `sample_weight`) says how often a row counts, `group_weight`
    holds columns that `gauc(by=…)` names. A row is predicted positive if its score reaches `threshold` (0.5;
    `compare="gt"`: exceeds it). `convention="sklearn"` gives the numbers of that tool. `ci=0.95` adds confidence
    intervals. `bins` puts scores into so many cells, a 512th of them for every doubling of the score, which bounds
    memory: auc, pr_auc and ks then have a `bound` beside them, and the exact value is no further away. With 1048576 that
    of auc is about 0.0001.

    `by` adds `scores.slices`, the same metrics for parts of the rows: the name of a column of `data` (or a list of names),
    an array, or a dict {name: column or array}; "activity" takes deciles of the groups by their number of rows. With `ci`
    slices have intervals too, from `min_n` rows up. Labels and definitions are those of all rows.

    Files that would take more than `memory` ("2GB"; by default a quarter of the memory there is) are streamed; temporary files, if any are needed, go to
    `tmpdir`. The numbers are the same.

    >>> import pingce as pc
    >>> pc.evaluate_binary([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1], ["auc", "f1"])["auc"]
    0.75
    """
    request = Request.of(
        "binary",
        metrics,
        convention=convention,
        policies={"threshold": threshold, "compare": compare, "undefined": undefined},
        intervals=Intervals(ci, samples, seed),
        min_n=min_n,
        reading=Reading(None, input_format, encoding, threads),
        limits=Limits(memory, tmpdir),
        threads=threads,
        bins=bins,
        positive=positive,
    )
    weight = one_weight(weight, sample_weight)
    scores: BinaryScores = evaluate_rows(request, RowData(y_true, y_score, data, weight, by, group, group_weight))
    return scores


@checked_options("multiclass")
def evaluate_multiclass(
    y_true: Any,
    y_pred: Any = None,
    metrics: MetricNames | None = None,
    *,
    data: Any = None,
    proba: Any = None,
    labels: Iterable[Any] | None = None,
    weight: Any = None,
    sample_weight: Any = None,
    convention: str | None = None,
    undefined: Undefined | None = None,
    undefined_class: UndefinedClass | None = None,
    ci: float | None = None,
    samples: int = 1000,
    seed: int = 0,
    by: Any = None,
    min_n: int = 20,
    input_format: str | None = None,
    encoding: str | None = None,
    memory: str | float | None = None,
    tmpdir: str | os.PathLike[str] | None = None,
    threads: int | None = None,
) -> MulticlassScores:
    """Score a classifier of any number of classes.

    Labels are strings, integers or truth values; with `data` they are names of its columns. `proba` is a matrix with a
    column a class, in the order of `labels`; without predicted labels the most probable class counts. A class for which
    a metric is undefined counts 0 in an average; `undefined="skip"` (or `undefined_class="skip"`) leaves it out.
    `convention="sklearn"` gives the numbers of that tool; `ci=0.95` adds confidence intervals.

    `by` adds `scores.slices`, the same metrics for parts of the rows: the name of a column of `data` (or a list of names),
    an array, or a dict {name: column or array}. With `ci` slices have intervals too, from `min_n` rows up. The classes of a
    slice are those that occur in it, unless `labels` or `proba` say otherwise.

    Files that would take more than `memory` ("2GB"; by default a quarter of the memory there is) are streamed; the numbers are the same.

    >>> import pingce as pc
    >>> pc.evaluate_multiclass(["a", "b", "b"], ["a", "b", "a"], ["accuracy"])["accuracy"]
    0.6666666666666666
    """
    request = Request.of(
        "multiclass",
        metrics,
        convention=convention,
        policies={"undefined": undefined, "undefined_class": undefined_class},
        intervals=Intervals(ci, samples, seed),
        min_n=min_n,
        reading=Reading(None, input_format, encoding, threads),
        limits=Limits(memory, tmpdir),
        threads=threads,
        labels=labels,
    )
    weight = one_weight(weight, sample_weight)
    scores: MulticlassScores = evaluate_rows(request, RowData(y_true, y_pred, data, weight, by, proba=proba))
    return scores


@checked_options("regression")
def evaluate_regression(
    y_true: Any,
    y_pred: Any,
    metrics: MetricNames | None = None,
    *,
    data: Any = None,
    weight: Any = None,
    sample_weight: Any = None,
    convention: str | None = None,
    undefined: Undefined | None = None,
    ci: float | None = None,
    samples: int = 1000,
    seed: int = 0,
    by: Any = None,
    min_n: int = 20,
    input_format: str | None = None,
    encoding: str | None = None,
    memory: str | float | None = None,
    tmpdir: str | os.PathLike[str] | None = None,
    threads: int | None = None,
) -> RegressionScores:
    """Score predicted numbers against true ones; with `data` they are names of its columns.

    `convention="sklearn"` gives the numbers of that tool.

    `by` adds `scores.slices`, the same metrics for parts of the rows: the name of a column of `data` (or a list of names),
    an array, or a dict {name: column or array}. With `ci` slices have intervals too, from `min_n` rows up.

    Files that would take more than `memory` ("2GB"; by default a quarter of the memory there is) are streamed; the numbers are the same. Metrics that need
    all rows at once (`medae`, `spearman`) are then refused; where no metrics are named, they are left out, with a note.

    >>> import pingce as pc
    >>> pc.evaluate_regression([3, -0.5, 2, 7], [2.5, 0.0, 2, 8], ["mae"])["mae"]
    0.5
    """
    request = Request.of(
        "regression",
        metrics,
        convention=convention,
        policies={"undefined": undefined},
        intervals=Intervals(ci, samples, seed),
        min_n=min_n,
        reading=Reading(None, input_format, encoding, threads),
        limits=Limits(memory, tmpdir),
        threads=threads,
    )
    scores: RegressionScores = evaluate_rows(
        request, RowData(y_true, y_pred, data, one_weight(weight, sample_weight), by)
    )
    return scores


_CALLS = {
    "evaluate_ranking": Text("qrels and a run", "qrels 与预测的排序"),
    "evaluate_binary": Text("labels of two kinds and scores", "二类标签与分数"),
    "evaluate_multiclass": Text("true and predicted classes", "真实与预测的类别"),
    "evaluate_regression": Text("true and predicted numbers", "真实与预测的数值"),
}


def evaluate(*arguments: Any, **options: Any) -> NoReturn:
    """Say which of the four calls is meant: evaluate_ranking, evaluate_binary, evaluate_multiclass or evaluate_regression."""
    likely = _likely(arguments, options)
    listed_en = ", ".join(f"pc.{name} ({of.en})" for name, of in _CALLS.items())
    listed_zh = "、".join(f"pc.{name}（{of.zh}）" for name, of in _CALLS.items())
    raise InputError(
        f"there is no pc.evaluate: this looks like pc.{likely}(truth, prediction, …); the calls are {listed_en}",
        f"没有 pc.evaluate：这里应为 pc.{likely}（先给真值，后给预测）；可用的调用有 {listed_zh}",
    )


def _likely(arguments: tuple[Any, ...], options: Mapping[str, Any]) -> str:
    """The call that fits the arguments by their shape; a ranking where nothing tells."""
    if {"proba", "labels", "average"} & options.keys():
        return "evaluate_multiclass"
    if {"group", "positive", "threshold", "y_score"} & options.keys():
        return "evaluate_binary"
    sides = [side for side in arguments[:2] if not isinstance(side, (str, os.PathLike, Mapping))]
    if len(sides) < 2 or any(len(getattr(side, "shape", (0,))) != 1 for side in sides):
        return "evaluate_ranking"
    try:
        truth, prediction = (side.tolist() if hasattr(side, "tolist") else list(side) for side in sides)
        return _of_columns(truth, prediction)
    except TypeError:
        return "evaluate_ranking"


def _of_columns(truth: list[Any], prediction: list[Any]) -> str:
    labels = set(truth)
    if any(isinstance(label, float) and not label.is_integer() for label in labels):
        return "evaluate_regression"
    if len(labels) <= 2 and not set(prediction) <= labels:
        return "evaluate_binary"
    return "evaluate_multiclass"
