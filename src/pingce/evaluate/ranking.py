"""A run against the truth."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.averages import is_counted, refuse_undefined, settle_undefined
from pingce.errors import EmptyInputError, InputError, PingceWarning
from pingce.evaluate.definitions import Definitions
from pingce.evaluate.ranking_views import Views
from pingce.evidence import (
    Policies,
    RankingEvidence,
    comparable_ids,
    no_item_in_common,
    ranking_evidence,
    refuse_unplaced,
)
from pingce.inputs import Rows, read_excluded, read_run, read_truth, read_weights
from pingce.language import Text
from pingce.metrics import Asked, RankingMetric
from pingce.scores.ranking import RankingScores, RankingValue
from pingce.scores.signature import refuse_unmet
from pingce.weights import QueryWeights

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pingce.slices.queries import QueryBy
    from pingce.slices.table import SliceValue

DEFAULT_METRICS = ("ndcg@10", "map", "mrr", "recall@100", "precision@10", "hit_rate@10")


def evaluate_ranking(
    qrels: Any,
    run: Any,
    metrics: Iterable[str | RankingMetric | Asked] | str | Asked | None = None,
    *,
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
    exclude: Any = None,
    query_weight: Any = None,
    by: Any = None,
    min_n: int = 20,
    columns: Mapping[str, str] | None = None,
    input_format: str | None = None,
    encoding: str | None = None,
    threads: int | None = None,
) -> RankingScores:
    """Score a run against the truth.

    `qrels` and `run` may be paths, data frames, Arrow tables, dictionaries, lists, matrices or tensors; `metrics` are
    names such as "ndcg@10" or "ap(norm=min)@100". `exclude` are pairs (query, item) that are taken out of the run before
    it is ranked; `query_weight` says how much each query counts in a mean. The keywords before them are policies;
    docs/glossary.md says what each does and what its default is. `convention="ranx"` gives the numbers of that tool:
    its parameters and policies hold wherever you do not give your own.

    `by` adds `scores.slices`, the same metrics for parts of the queries: `("users.csv", "country")` (a table with a query
    column, and the columns to slice by), a dict {query: value}, "activity" (deciles of a query's number of relevant
    items), "popularity" (deciles of how often its relevant items occur in the truth), or a list of these. Slices of fewer
    than `min_n` queries have no interval.

    >>> import pingce as pc
    >>> pc.evaluate_ranking({"q": {"a": 3, "b": 1}}, {"q": ["b", "a"]}, ["ndcg@10", "mrr"])["mrr"]
    1.0
    """
    given = {
        "relevant": relevant,
        "missing": missing,
        "extra": extra,
        "undefined": undefined,
        "ties": ties,
        "score_type": score_type,
        "duplicates": duplicates,
        "nan": nan,
        "judged_only": judged_only,
        "identical": identical,
        "summation": summation,
    }
    define = Definitions(Policies, convention, given)
    slices = _query_slices(by, columns, encoding)
    asked = define.defaults(DEFAULT_METRICS) if metrics is None else define.asked(metrics)
    truth, rows, more = ranking_rows(
        qrels,
        run,
        exclude=exclude,
        query_weight=query_weight,
        columns=columns,
        input_format=input_format,
        encoding=encoding,
        threads=threads,
    )
    return evaluate_rows(truth, rows, asked, define.policies, by=slices, min_n=min_n, **more)


def ranking_rows(
    qrels: Any, run: Any, *, exclude: Any = None, query_weight: Any = None, **reading: Any
) -> tuple[Rows, Rows, dict[str, Any]]:
    """What `evaluate_rows` scores, read: truth, run, and the keywords for what else was given."""
    return (
        read_truth(qrels, **reading),
        read_run(run, **reading),
        {
            "exclude": None if exclude is None else _pairs(exclude, reading),
            "query_weight": None if query_weight is None else read_weights(query_weight, **reading),
            "threads": reading.get("threads"),
        },
    )


def _query_slices(by: Any, columns: Mapping[str, str] | None, encoding: str | None) -> Sequence[QueryBy]:
    if by is None:
        return ()
    from pingce.slices.queries import read_query_slices

    return read_query_slices(by, columns=columns, encoding=encoding)


def _pairs(exclude: Any, reading: Mapping[str, Any]) -> Rows | None:
    """The pairs to exclude; an object without any means none, an empty file is a mistake."""
    try:
        return read_excluded(exclude, **reading)
    except EmptyInputError:
        if isinstance(exclude, (str, os.PathLike)):
            raise
        return None


def evaluate_rows(
    truth: Rows,
    run: Rows,
    asked: list[Asked],
    policies: Policies,
    *,
    exclude: Rows | None = None,
    query_weight: Rows | None = None,
    by: Sequence[QueryBy] = (),
    min_n: int = 20,
    confidence: float = 0.95,
    samples: int = 10_000,
    seed: int = 0,
    threads: int | None = None,
) -> RankingScores:
    """Score rows that were read before; several runs share one reading of the truth. `confidence` to `seed` are of slices."""
    truth, run = comparable_ids(truth, run)
    made: dict[tuple[str, ...], RankingEvidence] = {}

    def evidence_under(own: Policies) -> RankingEvidence:
        if own.of_evidence not in made:
            made[own.of_evidence] = ranking_evidence(truth, run, own, exclude=exclude, threads=threads)
        return made[own.of_evidence]

    refuse_unmet(
        asked,
        exclude=None if exclude is None else "given",
        query_weight=None if query_weight is None else "given",
    )
    first = evidence_under(asked[0].under(policies))
    weights = None
    if query_weight is not None:
        refuse_unplaced(query_weight, truth, run)
        weights = QueryWeights(query_weight, truth.source.untyped_ids)
    sources = [rows.source for rows in (truth, run, exclude, query_weight) if rows is not None]
    notes = [note for source in sources for note in source.notes] + ([weights.note(first)] if weights else [])
    if exclude is not None:
        notes.append(_excluded(exclude, first))
    cautions = no_item_in_common(truth, run, first)
    scores = score_evidence(evidence_under, asked, policies, weights=weights, notes=tuple(notes), cautions=cautions)
    if by:
        from pingce.slices.measured import query_slices

        def values_of(places: NDArray[np.intp]) -> Mapping[str, SliceValue]:
            return _of_queries(places, evidence_under, asked, policies, weights)

        drawn: dict[str, Any] = {"confidence": confidence, "samples": samples, "seed": seed}
        scores.slices = query_slices(scores, by, first, truth, values_of, min_n=min_n, **drawn)
    return scores


def _of_queries(
    places: NDArray[np.intp],
    evidence_under: Callable[[Policies], RankingEvidence],
    asked: list[Asked],
    policies: Policies,
    weights: QueryWeights | None,
) -> dict[str, SliceValue]:
    """Every metric on some of the judged queries, as if there were no others."""
    from pingce.slices.measured import slice_values

    views = Views(lambda own: evidence_under(own).select(places), weights)

    def value(metric: RankingMetric, own: Policies) -> tuple[float, NDArray[np.float64]]:
        view = views.view(own)
        values = metric.values(view) if len(view.evidence) else np.empty(0)
        return views.summary(metric, own, values) if len(values) else float("nan"), values

    return slice_values(asked, policies, value)


def _excluded(exclude: Rows, evidence: RankingEvidence) -> Text:
    name, count = exclude.source.name, int(evidence.excluded.sum())
    return Text(f"{name.en}: {count} rows of the run were taken out", f"{name.zh}：从预测中去掉 {count} 行")


def score_evidence(
    evidence_under: Callable[[Policies], RankingEvidence],
    asked: list[Asked],
    policies: Policies,
    *,
    weights: QueryWeights | None = None,
    notes: tuple[Text, ...] = (),
    cautions: tuple[Text, ...] = (),
) -> RankingScores:
    """Scores from evidence, wherever it was computed; what was seen before goes along as notes and cautions."""
    views = Views(evidence_under, weights)
    of_table = _of_table(asked, policies)
    shown = views.evidence(of_table)
    missing = int(np.count_nonzero(~evidence_under(of_table).answered))
    values: dict[str, RankingValue] = {}
    computed: dict[tuple[RankingMetric, Policies], RankingValue] = {}
    for metric in asked:
        own = metric.under(policies)
        if (metric.metric, own) not in computed:
            computed[metric.metric, own] = _value(metric, own, views, shown)
        values[metric.name] = computed[metric.metric, own].called(metric.name, metric.id)
    cautions = cautions + views.remarks(asked, policies)
    scores = RankingScores(values, shown, policies, missing=missing, notes=notes, cautions=cautions)
    for warning in scores.warnings:
        warnings.warn(PingceWarning(str(warning)), stacklevel=4)
    return scores


def _of_table(asked: list[Asked], policies: Policies) -> Policies:
    """Policies of the per-query table: rows as for the first metric; unanswered queries as soon as one counts them."""
    some = any(metric.under(policies).missing == "zero" for metric in asked)
    return asked[0].under(policies).but(missing="zero" if some else "skip")


@lru_cache(maxsize=256)
def _with_ties(policies: Policies, ties: str) -> Policies:
    return policies.but(ties=ties)


def _value(asked: Asked, policies: Policies, views: Views, shown: RankingEvidence) -> RankingValue:
    metric, view = asked.metric, views.view(policies)
    if view.expected and not metric.knows_expected():
        raise InputError(
            f"{asked.name}: the mean over all orders of tied items has no closed form here; choose ties=id, worst or best",
            f"{asked.name}：没有对并列条目所有排列求均值的闭式解；请选择 ties=id、worst 或 best",
        )
    values = metric.values(view)
    refuse_undefined(asked.name, values, view.evidence.queries, policies)
    settled = settle_undefined(values, policies)
    return RankingValue(
        name=asked.name,
        id=asked.id,
        metric=metric,
        policies=policies,
        value=views.summary(metric, policies, values),
        per_query=_aligned(settled, view.evidence, shown),
        count=int(is_counted(settled, policies).sum()),
        resolved=metric.resolved(view),
        undefined=int(np.isnan(values).sum()),
        weighted=(metric, policies) in views.weighted,
        spread=_spread(metric, policies, views),
    )


def _aligned(values: NDArray[np.float64], own: RankingEvidence, shown: RankingEvidence) -> NDArray[np.float64]:
    """Values in the rows of the per-query table: a metric that skips unanswered queries has none there."""
    if len(own) == len(shown):
        return values
    column = np.full(len(shown), np.nan)
    column[shown.answered] = values
    return column


def _spread(metric: RankingMetric, policies: Policies, views: Views) -> tuple[int, float, float] | None:
    """How many queries have ties that change the value, and the value in the worst and in the best order."""
    if metric.counts or not (views.evidence(policies).block > 1).any():
        return None
    worst, best = _with_ties(policies, "worst"), _with_ties(policies, "best")
    low, high = metric.values(views.view(worst)), metric.values(views.view(best))
    changed = int(np.count_nonzero((low != high) & ~np.isnan(low)))
    if not changed:
        return None
    return changed, views.summary(metric, worst, low), views.summary(metric, best, high)
