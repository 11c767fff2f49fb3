"""The public calls: each makes a request, and runs it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pingce.base.text import Language, Text
from pingce.checks.result import CheckResult
from pingce.comparison.convention_values import ConventionComparison
from pingce.curves.base import Curve
from pingce.evidence.policies import BinaryKeywords, MulticlassKeywords, RankingKeywords, RegressionKeywords
from pingce.explanations.contrast import Contrast
from pingce.explanations.derivation import Explanation
from pingce.metrics.declared import Metric
from pingce.metrics.grammar import MetricRequest
from pingce.request import MetricNames
from pingce.run.feed import data_from_keywords, evaluate_keywords, request_from_keywords
from pingce.run.memory import refuse_larger
from pingce.run.task_pairs import evaluate_tasks, pair_request, task_of_pairs
from pingce.tasks import checked_task
from pingce.tasks.options import Keywords, checked_options, no_option_here, refuse_options

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from pingce.comparison.result import Comparison
    from pingce.curves.binary import CurveReading
    from pingce.fusion.result import FusedRun
    from pingce.protocols.leak import Leakage
    from pingce.protocols.split import Split
    from pingce.scores.binary import BinaryScores
    from pingce.scores.multiclass import MulticlassScores
    from pingce.scores.pairs import PairScores
    from pingce.scores.ranking import RankingScores
    from pingce.scores.regression import RegressionScores
    from pingce.similarity.result import Similarity


@checked_options("ranking")
def evaluate_ranking(
    qrels: Any,
    run: Any,
    metrics: MetricNames | None = None,
    *,
    data: Any = None,
    sizes: Any = None,
    convention: str | None = None,
    exclude: Any = None,
    query_weight: Any = None,
    item_weight: str | int | None = None,
    ci: float | None = None,
    samples: int = 10_000,
    seed: int = 0,
    train: Any = None,
    catalog: Any = None,
    reference: Any = None,
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
    **policies: Unpack[RankingKeywords],
) -> RankingScores:
    """Score a run against the truth.

    `qrels` and `run` may be paths, data frames, Arrow tables, dictionaries, lists, matrices or tensors; `metrics` are
    names such as "ndcg@10" or "ap(norm=min)@100". Rows of a matrix or of a list of lists are queries that are known by their
    place only: `queries` names them, and `items` names the columns of a matrix (or the item numbers that it holds); a matrix
    may also come as a pair `(query_ids, matrix)`. `exclude` are pairs (query, item) that are taken out of the run before
    it is ranked; `query_weight` says how much each query counts in a mean, `item_weight` which column of the truth says how much each judged
    item weighs, such as its inverse propensity (docs/protocols.md). The keywords before them are policies;
    docs/glossary.md says what each does and what its default is. `convention="ranx"` gives the numbers of that tool:
    its parameters and policies hold wherever you do not give your own. `ci=0.95` adds confidence intervals: queries are drawn
    again and again, `samples` times.

    As a booster has them, a row per item: `qrels` and `run` are columns of grades and of scores, and `queries` has the query of each row,
    or `sizes` how many rows each query has, one query after another. With `data` (a path, a data frame, an Arrow table or a dict of
    columns) they are names of its columns. Items are then known by their row, unless `items` has an id for each: say `ties="expected"`
    where the order of rows must not decide between equal scores.

    Metrics of items look at what lists show, judged or not: `train` are pairs (query, item) of the past, in every shape that `exclude` may
    have, and `catalog` the items that could be shown: a list of ids, a table with an item column, or only their number. `items` may be
    a table too (a path, a frame, a dict of columns, or a pair (ids, matrix)): with an item column it has facts of items, categories (one or several
    an item, in a list or in rows) or vectors; a plain list of ids names columns. `reference` is another run, for overlap, jaccard and unexpectedness. Where no metric looks at relevance `qrels` may be None.

    `by` adds `scores.slices`, the same metrics for parts of the queries: `("users.csv", "country")` (a table with a query
    column, and the columns to slice by, "time:1d" by days of one), a dict {query: value}, "activity" (deciles of a query's number of relevant
    items), "popularity" (deciles of how often its relevant items occur in the truth), or a list of these. Slices of fewer
    than `min_n` queries have no interval.

    Files that would take more than `memory` ("2GB"; by default a quarter of the memory there is) are streamed; where that
    needs temporary files they go to `tmpdir`. The scores are the same.

    >>> import pingce as pc
    >>> pc.evaluate_ranking({"q": {"a": 3, "b": 1}}, {"q": ["b", "a"]}, ["ndcg@10", "mrr"])["mrr"]
    1.0
    """
    scores: RankingScores = evaluate_keywords("ranking", metrics, qrels, run, {**locals(), **policies})
    return scores


@checked_options("ranking")
def evaluate_factors(
    users: Any,
    items: Any,
    truth: Any,
    metrics: MetricNames | None = None,
    *,
    similarity: str = "dot",
    exclude: Any = None,
    candidates: Any = None,
    outside: str = "count",
    item_bias: Any = None,
    user_bias: Any = None,
    user_ids: Any = None,
    item_ids: Any = None,
    batch: int | None = None,
    device: Any = None,
    convention: str | None = None,
    query_weight: Any = None,
    ci: float | None = None,
    samples: int = 10_000,
    seed: int = 0,
    train: Any = None,
    catalog: Any = None,
    reference: Any = None,
    item_facts: Any = None,
    by: Any = None,
    min_n: int = 20,
    columns: Mapping[str, str | int] | None = None,
    input_format: str | None = None,
    encoding: str | None = None,
    threads: int | None = None,
    **policies: Unpack[RankingKeywords],
) -> RankingScores:
    """Score a model by its vectors: every user ranks the whole catalogue, exactly, and no score matrix is made.

    `users` and `items` are matrices with a vector a row: NumPy arrays, tensors, .npy or .safetensors files (mapped, not read), Arrow
    lists, Parquet files or frames with a column of lists. Rows are called by their number, unless ids come with them in a
    column or as `user_ids` and `item_ids`. `truth` and `exclude` (pairs that nobody is shown, such as the training set) have all
    shapes that `evaluate_ranking` takes, sparse matrices of SciPy among them. `similarity` is dot, cosine or l2 (closest
    first); `item_bias` and `user_bias` are added to it. `candidates` are the items that are ranked, for everybody (ids, or a mask), or for
    each user (pairs); without them all items are.

    Ranks are counted: for each relevant item, how many candidates have a higher score, and how many the same. So all metrics at all
    cut-offs, under all policies of ties, are those of the full score matrix given to `evaluate_ranking` as a run, to the last
    bit, for any number of threads and any `batch` (users at a time). Numbers are float32, or float64 where a matrix
    has that; float16 and bfloat16 become float32.

    Judged items that are not in the catalogue count as not found; `outside="drop"` leaves them out of the truth, `"error"` refuses them.
    `item_facts` is the table that `evaluate_ranking` calls `items`. All else is as there.

    >>> import pingce as pc
    >>> users, items = [[1.0, 0.0], [0.0, 1.0]], [[0.9, 0.1], [0.2, 0.8], [0.5, 0.6]]
    >>> pc.evaluate_factors(users, items, {0: [0], 1: [2]}, ["mrr"], exclude={0: [1]})["mrr"]
    0.75
    """
    from pingce.inputs.data import RankingData
    from pingce.run.factors import FactorData, evaluate_factors

    options = {**locals(), **policies}
    tables = RankingData(truth, None, exclude, query_weight, by, train, catalog, item_facts, reference)
    chosen = {name: options[name] for name in FactorData.__annotations__ if name in options}
    request = request_from_keywords("ranking", metrics, {**options, "items": None})
    return evaluate_factors(request, FactorData(**chosen, tables=tables))


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
    positive: Any = None,
    group_weight: Mapping[str, Iterable[object]] | None = None,
    field: str | Iterable[str] | Mapping[str, Iterable[object]] | None = None,
    cost: str | None = None,
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
    **policies: Unpack[BinaryKeywords],
) -> BinaryScores:
    """Score a model that gives each row a score, against labels of two kinds.

    Columns may be lists, arrays, series or tensors; with `data` (a path, a data frame or an Arrow table) they are names
    of its columns. `group` are the users or requests of `gauc`, `weight` (or `sample_weight`) says how often a row counts, `group_weight`
    holds columns that `gauc(by=…)` names. A row is predicted positive if its score reaches `threshold` (0.5;
    `compare="gt"`: exceeds it). `convention="sklearn"` gives the numbers of that tool. `ci=0.95` adds confidence
    intervals. `bins` puts scores into so many cells, a 512th of them for every doubling of the score, which bounds
    memory: auc, pr_auc and ks then have a `bound` beside them, and the exact value is no further away. With 1048576 that
    of auc is about 0.0001.

    `field="ad_id"` (a name or several, or a dict {name: column}) adds calibration within the values of a column, `field_rce` and `field_ece`;
    `cost="fp=1,fn=20"` what decisions cost: `cost`, `best_cost`, `cost_threshold`.

    `by` adds `scores.slices`, the same metrics for parts of the rows: the name of a column of `data` (or a list of names),
    an array, or a dict {name: column or array}; "time:1d" is by days of a column of times; "activity" takes deciles of the groups by their number of rows. With `ci`
    slices have intervals too, from `min_n` rows up. Labels and definitions are those of all rows.

    Files that would take more than `memory` ("2GB"; by default a quarter of the memory there is) are streamed; temporary files, if any are needed, go to
    `tmpdir`. The numbers are the same.

    >>> import pingce as pc
    >>> pc.evaluate_binary([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1], ["auc", "f1"])["auc"]
    0.75
    """
    scores: BinaryScores = evaluate_keywords("binary", metrics, y_true, y_score, {**locals(), **policies})
    return scores


@checked_options("binary")
def evaluate_pairs(
    data: Any,
    pairs: Iterable[str] | str,
    metrics: MetricNames | None = None,
    *,
    group: str | None = None,
    weight: str | None = None,
    sample_weight: str | None = None,
    convention: str | None = None,
    positive: Any = None,
    field: str | Iterable[str] | None = None,
    cost: str | None = None,
    ci: float | None = None,
    samples: int = 1000,
    seed: int = 0,
    by: Any = None,
    min_n: int = 20,
    input_format: str | None = None,
    encoding: str | None = None,
    threads: int | None = None,
    **policies: Unpack[BinaryKeywords],
) -> PairScores:
    """Score several tasks of one table in one call: CTR, CVR on the clicked rows, CTCVR.

    A pair is `LABEL:SCORE`, a product `LABEL:SCORE*SCORE`, with `@COLUMN=VALUE` for some of the rows: `click:pctr`,
    `buy:pcvr@click=1`, `buy:pctr*pcvr`. `data` is a path, a data frame, an Arrow table or a dict of columns; the other columns are
    names of its columns, and the keywords are those of `evaluate_binary`. The scores of each task stand under its text.

    >>> import pingce as pc
    >>> rows = {"click": [1, 1, 0, 0], "buy": [1, 0, 0, 0], "pctr": [0.8, 0.6, 0.3, 0.2], "pcvr": [0.5, 0.2, 0.4, 0.1]}
    >>> pc.evaluate_pairs(rows, ["click:pctr", "buy:pcvr@click=1"], ["auc"])["buy:pcvr@click=1"]["auc"]
    1.0
    """
    return evaluate_tasks(pair_request(metrics, pairs, {**locals(), **policies}), data)


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
    **policies: Unpack[MulticlassKeywords],
) -> MulticlassScores:
    """Score a classifier of any number of classes.

    Labels are strings, integers or truth values; with `data` they are names of its columns. `proba` is a matrix with a
    column a class, in the order of `labels`; without predicted labels the most probable class counts. A class for which
    a metric is undefined counts 0 in an average; `undefined="skip"` (or `undefined_class="skip"`) leaves it out.
    `convention="sklearn"` gives the numbers of that tool; `ci=0.95` adds confidence intervals.

    `by` adds `scores.slices`, the same metrics for parts of the rows: the name of a column of `data` (or a list of names),
    an array, or a dict {name: column or array}; "time:1d" is by days of a column of times. With `ci` slices have intervals too, from `min_n` rows up. The classes of a
    slice are those that occur in it, unless `labels` or `proba` say otherwise.

    Files that would take more than `memory` ("2GB"; by default a quarter of the memory there is) are streamed; the numbers are the same.

    >>> import pingce as pc
    >>> pc.evaluate_multiclass(["a", "b", "b"], ["a", "b", "a"], ["accuracy"])["accuracy"]
    0.6666666666666666
    """
    scores: MulticlassScores = evaluate_keywords("multiclass", metrics, y_true, y_pred, {**locals(), **policies})
    return scores


@checked_options("regression")
def evaluate_regression(
    y_true: Any,
    y_pred: Any,
    metrics: MetricNames | None = None,
    *,
    data: Any = None,
    group: Any = None,
    weight: Any = None,
    sample_weight: Any = None,
    convention: str | None = None,
    group_weight: Mapping[str, Iterable[object]] | None = None,
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
    **policies: Unpack[RegressionKeywords],
) -> RegressionScores:
    """Score predicted numbers against true ones; with `data` they are names of its columns.

    `group` are the users or requests of `xgauc`, `group_weight` holds columns that `xgauc(by=…)` names. `convention="sklearn"` gives
    the numbers of that tool.

    `by` adds `scores.slices`, the same metrics for parts of the rows: the name of a column of `data` (or a list of names),
    an array, or a dict {name: column or array}; "time:1d" is by days of a column of times. With `ci` slices have intervals too, from `min_n` rows up.

    Files that would take more than `memory` ("2GB"; by default a quarter of the memory there is) are streamed; the numbers are the same. Metrics that need
    all rows at once (`medae`, `spearman`, `xauc`) are then refused; where no metrics are named, they are left out, with a note.

    >>> import pingce as pc
    >>> pc.evaluate_regression([3, -0.5, 2, 7], [2.5, 0.0, 2, 8], ["mae"])["mae"]
    0.5
    """
    scores: RegressionScores = evaluate_keywords("regression", metrics, y_true, y_pred, {**locals(), **policies})
    return scores


def compare(
    truth: Any,
    models: Any,
    metrics: Iterable[str | Metric] | str | None = None,
    *,
    task: str = "ranking",
    baseline: str | None = None,
    test: str = "permutation",
    correction: str = "holm",
    confidence: float = 0.95,
    samples: int | None = None,
    seed: int = 0,
    id: str | None = None,
    unmatched: str = "error",
    pairs: Iterable[str] | str | None = None,
    **options: Any,
) -> Comparison:
    """Compare several models on the same truth: values, differences to the baseline, and which of them are real.

    `models` is a dict from names to runs (rankings), scores (`task="binary"`), predicted labels or matrices of
    probabilities (`"multiclass"`), or numbers (`"regression"`); with `data=` they and `truth` are names of its columns.
    In place of runs, rankings also take documents saved with the value of each query (a path, a dict, or what
    `read_scores` gave; `truth` may be None then). Runs are matched by query id, other models by row. `options` are those of the task's evaluate call:
    policies, `convention=`, `group=`, `weight=`, `by=` and `min_n=` (slices), and how data is read.

    Where each model has a table of its own, it is a pair (table, column): {"old": ("old.parquet", "pctr"), "new": ("new.parquet", "pctr")}, and
    `truth`, `group` and the other columns are names that every table has. Rows are taken in the order they have, or matched by the
    column `id`; ids that not every table has are refused, or left out and counted (`unmatched="drop"`). With `pairs`, several tasks of one table as in
    `evaluate_pairs`, `truth` is None, models are tables, metrics are called by their task too, and every p is corrected over all tasks.

    `test` is permutation, t, wilcoxon or sign, for means over queries; of rows each metric has its own test. `correction`
    is holm, bonferroni, bh or none. `samples` are the random draws of each kind (100,000 permutations, 10,000
    bootstrap draws of queries, 1,000 of rows); the same `seed` gives the same bits.

    >>> import pingce as pc
    >>> truth = {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 1}}
    >>> comparison = pc.compare(truth, {"old": {"q1": ["x", "a"], "q2": ["b"], "q3": ["y", "c"]}, "new": truth}, "mrr")
    >>> gap = comparison.difference("mrr", "new")
    >>> round(gap.value, 4), gap.p, gap.wins, gap.ties, gap.losses
    (0.3333, 0.5, 2, 1, 0)
    """
    from pingce.comparison.call import ComparisonInputs, compare_models, refuse_unfit
    from pingce.comparison.matched import RowMatching
    from pingce.comparison.settings import ComparisonSettings

    refuse_unfit(checked_task(task) if pairs is None else task_of_pairs(task, truth), options, compare)
    settings = ComparisonSettings(test, correction, confidence, samples, seed)
    if pairs is not None:
        from pingce.comparison.joined import compare_tables

        return compare_tables(pair_request(metrics, pairs, options), models, baseline, settings)
    request, data = request_from_keywords(task, metrics, options), data_from_keywords(task, truth, None, options)
    return compare_models(request, data, ComparisonInputs(models, baseline, settings, RowMatching(id, unmatched)))


@checked_options()
def similar(
    a: Any,
    b: Any,
    *,
    k: int | Iterable[int] = 10,
    p: float = 0.9,
    names: Sequence[str] = ("A", "B"),
    ties: str | None = None,
    duplicates: str | None = None,
    nan: str | None = None,
    score_type: str | None = None,
    queries: Any = None,
    items: Any = None,
    columns: Mapping[str, str | int] | None = None,
    input_format: str | None = None,
    encoding: str | None = None,
    threads: int | None = None,
) -> Similarity:
    """Put two runs side by side: how alike are their lists, and for which queries did they change most?

    `a` and `b` are runs as `evaluate_ranking` takes them. The result has, per query and as a mean over the queries that both
    answer, rank-biased overlap with persistence `p` in three forms (truncated, ext, min), `overlap@k` and `jaccard@k` for each
    k, and Kendall's tau of the common items. Queries of only one run are counted and left out. Every item has one
    rank: `ties` is id (equal scores by id, the largest first), id_ascending or order (as given).

    >>> import pingce as pc
    >>> result = pc.similar({"q": ["a", "b", "c", "d"]}, {"q": ["b", "a", "e", "c"]}, k=4)
    >>> {name: round(value, 3) for name, value in result.means.items()}
    {'rbo': 0.578, 'rbo(form=ext)': 0.691, 'rbo(form=min)': 0.396, 'overlap@4': 0.75, 'jaccard@4': 0.6, 'kendall': 0.333}
    """
    from pingce.evidence.ranking.aligned import list_policies
    from pingce.inputs.columns import Reading
    from pingce.similarity.call import Depths, name_pair, similarity

    policies = list_policies(ties=ties, duplicates=duplicates, nan=nan, score_type=score_type)
    depths, reading = Depths.of(k, p), Reading(columns, input_format, encoding, threads, queries, items)
    titles = name_pair(names)
    return similarity((reading.read(a, "run"), reading.read(b, "run")), titles, depths, policies, threads)


@checked_options()
def fuse(
    runs: Any,
    method: str = "rrf",
    *,
    norm: str | None = None,
    weights: Iterable[float] | None = None,
    k: float = 60,
    phi: float = 0.8,
    sigma: float = 0.01,
    gamma: float = 1.0,
    segments: int | None = None,
    window: int | None = None,
    qrels: Any = None,
    metric: str = "ndcg@10",
    hold_out: float = 0.5,
    ties: str | None = None,
    duplicates: str | None = None,
    nan: str | None = None,
    score_type: str | None = None,
    columns: Mapping[str, str | int] | None = None,
    input_format: str | None = None,
    encoding: str | None = None,
    threads: int | None = None,
) -> FusedRun:
    """Fuse several runs into one: a list of runs, or a dict from names to runs.

    `method` looks at ranks (rrf with `k`, rbc with `phi`, isr, log_isr, logn_isr with `sigma`, bordafuse, condorcet) or at scores (sum, mnz,
    anz, gmnz with `gamma`, min, max, med, wsum, wmnz, mixed); the names and definitions are ranx's, and combsum and the like are known, too.
    Scores are normalised before, by default to min_max; `norm` may be max, sum, zmuv, rank, borda, min_max_inverted or none.
    `weights` has a number for each run. A run without a query adds nothing to it.

    With `qrels` the numbers of the method (weights, or k of rrf, phi of rbc …) are looked for on a grid: those with the best `metric`
    on a part of the queries win, and `hold_out` is the share of the others, which tell how good they are; a query belongs to one
    part by a hash of its id. `fused.search` has both values. bayesfuse, mapfuse, posfuse, probfuse, segfuse and slidefuse learn from
    the first part what each rank of each run is worth; `segments` of probfuse and `window` of slidefuse are looked for where they are not given.

    The result is a run for every other call, and `fused.write("fused.run")`, `to_arrow()`, `to_dict()` hand it on.

    >>> import pingce as pc
    >>> fused = pc.fuse([{"q": ["a", "b"]}, {"q": ["b", "c"]}])
    >>> {item: round(score, 6) for item, score in fused.to_dict()["q"].items()}
    {'b': 0.032522, 'a': 0.016393, 'c': 0.016129}
    """
    from pingce.evidence.ranking.aligned import list_policies
    from pingce.fusion.call import fuse_runs, named_runs
    from pingce.fusion.methods import Parameters
    from pingce.fusion.recipe import Fusion
    from pingce.fusion.search import SearchSettings, search_fusion
    from pingce.inputs.columns import Reading

    policies = list_policies(ties=ties, duplicates=duplicates, nan=nan, score_type=score_type)
    parameters = Parameters(k, phi, sigma, gamma, tuple(weights or ()), segments, window)
    fusion = Fusion.of(method, norm, parameters, policies)
    settings, reading = SearchSettings(metric, hold_out), Reading(columns, input_format, encoding, threads)
    tables = {name: reading.read(run, "run") for name, run in named_runs(runs).items()}
    if qrels is None:
        return fuse_runs(tables, fusion, threads)
    return search_fusion(reading.read(qrels, "truth"), tables, fusion, settings, threads)


@checked_options()
def split(
    data: Any,
    how: str = "random",
    *,
    test: float | None = None,
    validation: float = 0,
    folds: int | None = None,
    at: Any = None,
    seed: int = 0,
    user: str | None = None,
    item: str | None = None,
    time: str | None = None,
    input_format: str | None = None,
    encoding: str | None = None,
    threads: int | None = None,
) -> Split:
    """Split a log of interactions into train and test (and validation), the same on every machine and on Spark.

    `data` is a path, a data frame, an Arrow table or a dict of columns; `user`, `item` and `time` name columns. `how` is one of
    random (by a hash of user and item), users or items (by a hash of one of them: the others are cold), last (the last `test` rows of each user,
    1 by default), user_time (the last share of each user's rows), time (what happened from one moment on: by share, or from `at`;
    two moments are the beginnings of validation and test). `test` and `validation` are shares, of how="last" rows a user. With `folds` random,
    users and items give so many parts of equal chance. A hash lasts: a row that joins the log moves no other one.

    `split["test"]` is an Arrow table with all columns, `split.counts` says how large the parts are and what is new in them, `write(folder)` writes
    them. Rows of the same moment are ordered by a hash of the item; `time="order"` says that rows stand in the order of time.

    >>> import pingce as pc
    >>> log = {"user": ["a", "a", "a", "b", "b"], "item": [1, 2, 3, 1, 4], "time": [10, 30, 20, 5, 6]}
    >>> parts = pc.split(log, "last")
    >>> parts["test"].to_pydict()
    {'user': ['a', 'b'], 'item': [2, 4], 'time': [30, 6]}
    """
    from pingce.inputs.columns import Reading
    from pingce.protocols.interactions import Naming
    from pingce.protocols.methods import SplitSettings
    from pingce.protocols.split import split_log

    settings = SplitSettings.of(how, test, validation, folds=folds, seed=seed, at=at)
    return split_log(data, settings, Naming(user, item, time), Reading(None, input_format, encoding, threads))


@checked_options()
def leak(
    train: Any,
    test: Any,
    *,
    user: str | None = None,
    item: str | None = None,
    time: str | None = None,
    input_format: str | None = None,
    encoding: str | None = None,
    threads: int | None = None,
) -> Leakage:
    """Look for what leaks from a test into the training data, before any number is believed.

    Counts, with examples: test pairs (user, item) that train has; test rows older than a train row of the same user, or than the last train row of all;
    pairs that stand twice; users and items that train does not have. Without times in both tables their order is not looked at, and that is said.

    >>> import pingce as pc
    >>> found = pc.leak({"user": ["a", "b"], "item": [1, 2]}, {"user": ["a", "c"], "item": [1, 2]})
    >>> found["pairs_in_train"].count, found["new_users"].count, found.clean
    (1, 1, False)
    """
    from pingce.inputs.columns import Reading
    from pingce.protocols.interactions import Naming
    from pingce.protocols.leak import find_leaks

    return find_leaks(train, test, Naming(user, item, time), Reading(None, input_format, encoding, threads))


def compare_conventions(
    truth: Any,
    prediction: Any,
    metrics: Iterable[str | Metric] | str,
    conventions: Iterable[str] | str,
    *,
    task: str = "ranking",
    **options: Any,
) -> ConventionComparison:
    """What several tools would say of the same predictions, and which choice makes each difference.

    `options` are those of the task's evaluate call: policies, and how data is read.

    >>> import pingce as pc
    >>> truth, run = {"q": {"a": 3, "b": 1}}, {"q": ["b", "a"]}
    >>> tools = pc.compare_conventions(truth, run, "ndcg@10", ["trec_eval", "recbole"])
    >>> [(row.tool, round(row.value, 4), row.cause) for row in tools.rows]
    [('trec_eval_9', 0.7967, 'gain: exp2 → linear'), ('recbole', 1.0, 'gain: exp2 → binary')]
    """
    from pingce.comparison.definitions import compare_tools

    place = Text(f"comparing conventions of {task}", f"比较 {task} 的约定")
    refuse_options(options, place, checked_task(task).name)
    if options.get("by") is not None:
        raise no_option_here("by", place, task)
    request = request_from_keywords(task, metrics, options)
    request.refuse_readings(Text("a comparison of definitions", "定义的比较"))
    return compare_tools(request, data_from_keywords(task, truth, prediction, options), conventions)


def explain(
    metric: str | Metric | MetricRequest,
    truth: Any = None,
    prediction: Any = None,
    *,
    query: str | int | None = None,
    grades: Sequence[float | None] | None = None,
    judged: Sequence[float] | str | None = None,
    labels: Any = None,
    scores: Any = None,
    true: Any = None,
    pred: Any = None,
    data: Any = None,
    group: Any = None,
    weight: Any = None,
    sample_weight: Any = None,
    memory: str | float | None = None,
    group_weight: Mapping[str, Iterable[object]] | None = None,
    positive: Any = None,
    proba: Any = None,
    classes: Iterable[Any] | None = None,
    of_class: Any = None,
    of_group: Any = None,
    exclude: Any = None,
    item_weight: str | int | None = None,
    train: Any = None,
    catalog: Any = None,
    reference: Any = None,
    by: Any = None,
    task: str | None = None,
    convention: str | None = None,
    against: str | None = None,
    columns: Mapping[str, str | int] | None = None,
    input_format: str | None = None,
    encoding: str | None = None,
    threads: int | None = None,
    queries: Any = None,
    items: Any = None,
    sizes: Any = None,
    **policies: Any,
) -> Explanation | Contrast:
    """The worked calculation of a metric, as a teacher would write it.

    A ranking: `truth` and `prediction` are qrels and a run, `query` the one to work through; or bare `grades` in ranked
    order (None = not judged), with `judged`, the grades of all judged items (a word is the policy of that name). Labels and scores: `truth` and `prediction`,
    or `labels` and `scores`; classes and numbers: the two, or `true` and `pred`, or `proba`; with `data` they are names of
    its columns. `of_class` picks one class, `of_group` the rows of one group; `by` is what the groups of a gap are by. The other keywords are those of the evaluate_* calls;
    those of columns that only some tasks have among them; but files of more than `memory` are refused, since all rows are read at once.

    `convention="ranx"` works as that tool does; `against="ranx"` shows both calculations and marks the first line that
    differs. The result prints itself; `to_markdown`, `to_html`, `to_latex` and `to_json` write it. Its `value` is the very
    float that the evaluation gives.

    >>> import pingce as pc
    >>> print(str(pc.explain("ndcg@5", grades=[3, 2, 3, 0, 1])).splitlines()[-3])
    NDCG@5 = 12.7796 / 13.3472 = 0.9575
    """
    from pingce.explanations.call import Worker, refuse_unfit, task_of
    from pingce.explanations.inputs import ExplainInputs

    refuse_larger(memory, (truth, prediction, exclude, data), "explain")
    if isinstance(judged, str):
        policies, judged = {**policies, "judged": judged}, None
    inputs = ExplainInputs.among(locals())
    chosen = task_of(metric, inputs, task, convention or against, policies)
    stated = {name: value for name, value in policies.items() if name not in checked_task(chosen).columns}
    refuse_unfit(chosen, stated, explain)
    return Worker(chosen, metric, inputs, stated).explain(convention, against)


def report(
    truth: Any,
    models: Any,
    metrics: Iterable[Any] | str | None = None,
    *,
    task: str = "ranking",
    path: str | os.PathLike[str] = "report.html",
    title: str | None = None,
    lang: Language | None = None,
    baseline: str | None = None,
    test: str = "permutation",
    correction: str = "holm",
    confidence: float = 0.95,
    samples: int | None = None,
    seed: int = 0,
    by: Any = None,
    min_n: int = 20,
    id: str | None = None,
    unmatched: str = "error",
    pairs: Iterable[str] | str | None = None,
    **options: Any,
) -> Path:
    """Write one HTML file about one or several models: interactive, offline, at most 1 MB; its path comes back.

    `models` are runs or predictions by name, {"bm25": run, "dense": other}, a list of paths or of pairs (name, model), or a
    single one. With `task="binary"`,
    "multiclass" or "regression" they are scores, classes or numbers, or with `data=` names of its columns, or pairs (table, column) as in `compare`, with `id` and `unmatched`. `baseline`,
    `test`, `correction`, `confidence`, `samples` and `seed` are those of `compare`; `by` and `min_n` add slices; of rankings,
    `train` and `catalog` add what lists show: who gets the places, how popular that was before, coverage beside accuracy; the
    other keywords are those of the task's evaluate call; for predictions `ci=0.95` also gives slices intervals, which take
    longer; but files of more than `memory` are refused, since all rows are read at once. With `pairs`, several tasks of one table as in `evaluate_pairs`,
    `truth` is None and models are tables, or a single one. The page is in both languages; `lang` is the one it opens in.

    >>> import pingce as pc, tempfile, os
    >>> path = os.path.join(tempfile.mkdtemp(), "report.html")
    >>> pc.report({"q": {"a": 1}}, {"one": {"q": ["a", "b"]}}, ["mrr"], path=path).name
    'report.html'
    """
    from pingce.comparison.matched import RowMatching
    from pingce.comparison.settings import ComparisonSettings
    from pingce.html.call import ReportInputs, ReportSettings, refuse_unfit, write_models

    refuse_unfit(task if pairs is None else task_of_pairs(task, truth).name, lang, options, report)
    options |= {"by": by, "min_n": min_n}
    if pairs is not None:
        from pingce.html.task_pairs import write_tasks

        settings = ComparisonSettings(test, correction, confidence, samples, seed)
        return write_tasks(
            pair_request(metrics, pairs, options), models, ReportSettings(settings, baseline, title), path, lang
        )
    request, data = request_from_keywords(task, metrics, options), data_from_keywords(task, truth, None, options)
    settings = ComparisonSettings(test, correction, confidence, samples, seed)
    matching = RowMatching(id, unmatched)
    return write_models(ReportInputs(request, data, models, settings, baseline, matching), path, title, lang)


@checked_options()
def check(
    scores: Any,
    *,
    min: Mapping[str, float | str] | None = None,
    max: Mapping[str, float | str] | None = None,
    baseline: Any = None,
    max_drop: Mapping[str, float | str] | None = None,
    non_inferior: Mapping[str, float | str] | None = None,
    equivalent: Mapping[str, float | str] | None = None,
    significant: bool = False,
    checks: str | os.PathLike[str] | None = None,
    alpha: float | None = None,
    samples: int = 100_000,
    seed: int = 0,
    changes: bool = False,
) -> CheckResult:
    """Judge scores by rules: at least, at most, and no worse than a baseline by more than so much.

    `scores` are those of an `evaluate_*` call, a dict of them by name, or a document that was saved (its path, what
    `to_dict` gave, or what `read_scores` read); so is `baseline`. A drop is a change for the worse, so that of a loss it is a rise: `0.005`, or
    `"0.5%"` of the baseline's value. With `significant` a drop fails only if a paired test over the queries says that it
    is not chance (p ≤ `alpha`, 0.05); a saved baseline then needs the value of each query (`to_json(per_query=True)`),
    or, for what is no mean over queries or groups (auc, logloss …), an interval (`ci=0.95`): the test is unpaired then.
    `non_inferior` asks for the opposite proof: that the drop is below a margin, with confidence 1 - `alpha` (a one-sided paired t test);
    `equivalent` that the change is, either way (two such tests, TOST). `changes` lists every metric that the baseline has too, and the
    queries that lost most. `checks` is a TOML file of rules. The definitions of a metric here and in the baseline must agree.

    >>> import pingce as pc
    >>> scores = pc.evaluate_ranking({"q": {"a": 1}}, {"q": ["b", "a"]}, ["mrr"])
    >>> result = pc.check(scores, min={"mrr": 0.4}, max={"mrr": 0.45})
    >>> [(row.metric, row.kind, row.passed) for row in result.rows], result.passed
    ([('mrr', 'min', True), ('mrr', 'max', False)], False)
    """
    from pingce.checks.call import check_scores, checked_alpha
    from pingce.checks.drops import Trial
    from pingce.checks.rules import every_rule

    limits = {"min": min, "max": max, "max_drop": max_drop, "non_inferior": non_inferior, "equivalent": equivalent}
    rules = every_rule(limits, checks, significant=significant)
    alpha = rules.alpha if alpha is None else alpha
    trial = Trial(checked_alpha(0.05 if alpha is None else alpha), samples, seed)
    return check_scores(scores, rules, baseline, trial, changes=changes)


def roc_curve(
    y_true: Any,
    y_score: Any,
    *,
    data: Any = None,
    weight: Any = None,
    sample_weight: Any = None,
    positive: Any = None,
    thresholds: Iterable[float] = (),
    name: str = "model",
    thin: int | None = None,
    drop_collinear: bool = False,
    **reading: Unpack[CurveReading],
) -> Curve:
    """False and true positive rate as the threshold falls: threshold, fpr, tpr.

    The first point is (0, 0), with the threshold +∞; then comes one a distinct score. Columns are given as for
    `evaluate_binary`. `thresholds` are marked; `thin` keeps at most so many points; `drop_collinear` leaves out those that
    lie exactly on the line between their neighbours.

    >>> import pingce as pc
    >>> pc.roc_curve([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1]).table["tpr"].to_pylist()
    [0.0, 0.5, 0.5, 1.0, 1.0]
    """
    return _curve("roc", locals())


def pr_curve(
    y_true: Any,
    y_score: Any,
    *,
    data: Any = None,
    weight: Any = None,
    sample_weight: Any = None,
    positive: Any = None,
    thresholds: Iterable[float] = (),
    name: str = "model",
    thin: int | None = None,
    **reading: Unpack[CurveReading],
) -> Curve:
    """Recall and precision as the threshold falls: threshold, recall, precision, wherever recall is above 0."""
    return _curve("pr", locals())


def det_curve(
    y_true: Any,
    y_score: Any,
    *,
    data: Any = None,
    weight: Any = None,
    sample_weight: Any = None,
    positive: Any = None,
    thresholds: Iterable[float] = (),
    name: str = "model",
    thin: int | None = None,
    **reading: Unpack[CurveReading],
) -> Curve:
    """Both kinds of error as the threshold falls: threshold, fpr, fnr."""
    return _curve("det", locals())


def cost_curve(
    y_true: Any,
    y_score: Any,
    *,
    cost: str = "fp=1,fn=1",
    data: Any = None,
    weight: Any = None,
    sample_weight: Any = None,
    positive: Any = None,
    thresholds: Iterable[float] = (),
    name: str = "model",
    thin: int | None = None,
    **reading: Unpack[CurveReading],
) -> Curve:
    """What decisions cost per row as the threshold falls (`cost="fp=1,fn=20"`): threshold, fp, fn, cost; the least is marked."""
    return _curve("cost", locals())


def lift_curve(
    y_true: Any,
    y_score: Any,
    *,
    data: Any = None,
    weight: Any = None,
    sample_weight: Any = None,
    positive: Any = None,
    thresholds: Iterable[float] = (),
    name: str = "model",
    thin: int | None = None,
    **reading: Unpack[CurveReading],
) -> Curve:
    """How much denser positives are among the highest scores than in all rows: threshold, share, lift."""
    return _curve("lift", locals())


def gain_curve(
    y_true: Any,
    y_score: Any,
    *,
    data: Any = None,
    weight: Any = None,
    sample_weight: Any = None,
    positive: Any = None,
    thresholds: Iterable[float] = (),
    name: str = "model",
    thin: int | None = None,
    **reading: Unpack[CurveReading],
) -> Curve:
    """Share of the positives among the highest scores: threshold, share, gain."""
    return _curve("gain", locals())


def ks_curve(
    y_true: Any,
    y_score: Any,
    *,
    data: Any = None,
    weight: Any = None,
    sample_weight: Any = None,
    positive: Any = None,
    thresholds: Iterable[float] = (),
    name: str = "model",
    thin: int | None = None,
    **reading: Unpack[CurveReading],
) -> Curve:
    """How far the two classes are apart: threshold, tpr, fpr, difference; the largest difference is marked."""
    return _curve("ks", locals())


def confusion_at_thresholds(
    y_true: Any,
    y_score: Any,
    *,
    data: Any = None,
    weight: Any = None,
    sample_weight: Any = None,
    positive: Any = None,
    thresholds: Iterable[float] = (),
    compare: str = "ge",
    name: str = "model",
    thin: int | None = None,
    **reading: Unpack[CurveReading],
) -> Curve:
    """The decision at each threshold, or only at those that are given: threshold, tp, fp, tn, fn."""
    return _curve("confusion", locals())


def calibration_curve(
    y_true: Any,
    y_score: Any,
    *,
    data: Any = None,
    weight: Any = None,
    sample_weight: Any = None,
    positive: Any = None,
    bins: int = 15,
    binning: str = "width",
    name: str = "model",
    **reading: Unpack[CurveReading],
) -> Curve:
    """What was predicted and what happened, bin by bin: low, high, rows, mean_predicted, observed.

    `binning` is width (bins of equal width) or quantile (of equal numbers of rows). Empty bins are left out.
    """
    return _curve("calibration", locals())


def _curve(kind: str, keywords: Keywords) -> Curve:
    from pingce.curves.binary import curve_from_keywords

    return curve_from_keywords(kind, keywords)
