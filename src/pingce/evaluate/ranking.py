"""A run against the truth."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.averages import is_counted, mean_of, refuse_undefined, settle_undefined
from pingce.errors import EmptyInputError, InputError, PingceWarning
from pingce.evaluate.definitions import Definitions
from pingce.evidence import (
    Policies,
    RankingEvidence,
    RankingView,
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
    asked = define.defaults(DEFAULT_METRICS) if metrics is None else define.asked(metrics)
    reading: dict[str, Any] = {
        "columns": columns,
        "input_format": input_format,
        "encoding": encoding,
        "threads": threads,
    }
    return evaluate_rows(
        read_truth(qrels, **reading),
        read_run(run, **reading),
        asked,
        define.policies,
        exclude=None if exclude is None else _pairs(exclude, reading),
        query_weight=None if query_weight is None else read_weights(query_weight, **reading),
        threads=threads,
    )


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
    threads: int | None = None,
) -> RankingScores:
    """Score rows that were read before; several runs share one reading of the truth."""
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
    return score_evidence(evidence_under, asked, policies, weights=weights, notes=tuple(notes), cautions=cautions)


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
    views = _Views(evidence_under, weights)
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
def _of_view(policies: Policies) -> Policies:
    """Without the policies that a view does not depend on."""
    return policies.but(undefined="skip", summation="exact")


@lru_cache(maxsize=256)
def _of_lists(policies: Policies) -> Policies:
    """Without those that the choice of queries and lists does not depend on either."""
    return _of_view(policies).but(ties="id", relevant=1)


@lru_cache(maxsize=256)
def _with_ties(policies: Policies, ties: str) -> Policies:
    return policies.but(ties=ties)


class _Views:
    """Evidence as each metric wants to see it, made once for each combination of policies."""

    def __init__(self, evidence_under: Callable[[Policies], RankingEvidence], weights: QueryWeights | None) -> None:
        self._evidence_under = evidence_under
        self._given_weights = weights
        self._weights: dict[Policies, NDArray[np.float64]] = {}
        self.weighted: set[tuple[RankingMetric, Policies]] = set()
        "Metrics in whose value weights count: means, not sums or ratios of sums."
        self._evidence: dict[Policies, RankingEvidence] = {}
        self._views: dict[Policies, RankingView] = {}

    def evidence(self, policies: Policies) -> RankingEvidence:
        """The queries and lists that count."""
        key = _of_lists(policies)
        if key not in self._evidence:
            self._evidence[key] = _select(self._evidence_under(policies), policies)
        return self._evidence[key]

    def view(self, policies: Policies) -> RankingView:
        """The evidence under the metric's ties and relevance."""
        key = _of_view(policies)
        if key not in self._views:
            self._views[key] = self.evidence(policies).seen(ties=policies.ties, relevant=policies.relevant)
        return self._views[key]

    def summary(self, metric: RankingMetric, policies: Policies, values: NDArray[np.float64]) -> float:
        """The one number of all queries."""
        view = self.view(policies)
        weights = self._weights_under(policies)

        def mean(some: NDArray[np.float64]) -> float:
            if weights is not None:
                self.weighted.add((metric, policies))
            return mean_of(some, policies, weights)

        return metric.summarize(view, settle_undefined(values, policies), mean)

    def _weights_under(self, policies: Policies) -> NDArray[np.float64] | None:
        if self._given_weights is None:
            return None
        key = _of_lists(policies)
        if key not in self._weights:
            self._weights[key] = self._given_weights.of(self.evidence(policies))
        return self._weights[key]

    def remarks(self, asked: list[Asked], policies: Policies) -> tuple[Text, ...]:
        """What metrics have to say about themselves on this data."""
        said = (remark for metric in asked for remark in metric.metric.remarks(self.view(metric.under(policies))))
        return tuple(dict.fromkeys(said))


def _select(evidence: RankingEvidence, policies: Policies) -> RankingEvidence:
    missing = ~evidence.answered
    if policies.missing == "error" and missing.any():
        places = np.flatnonzero(missing)
        shown = ", ".join(f"'{query}'" for query in evidence.queries.take(places[:3]).to_list())
        raise InputError(
            f"the run does not answer {len(places)} judged queries ({shown}); missing=zero scores them 0, missing=skip leaves them out",
            f"预测没有回答 {len(places)} 个已标注的查询（{shown}）；missing=zero 记 0 分，missing=skip 不计入",
        )
    if policies.missing == "skip":
        evidence = evidence.select(evidence.answered)
    return evidence.condensed() if policies.judged_only == "yes" else evidence


def _value(asked: Asked, policies: Policies, views: _Views, shown: RankingEvidence) -> RankingValue:
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


def _spread(metric: RankingMetric, policies: Policies, views: _Views) -> tuple[int, float, float] | None:
    """How many queries have ties that change the value, and the value in the worst and in the best order."""
    if metric.counts or not (views.evidence(policies).block > 1).any():
        return None
    worst, best = _with_ties(policies, "worst"), _with_ties(policies, "best")
    low, high = metric.values(views.view(worst)), metric.values(views.view(best))
    changed = int(np.count_nonzero((low != high) & ~np.isnan(low)))
    if not changed:
        return None
    return changed, views.summary(metric, worst, low), views.summary(metric, best, high)
