"""Evidence as metrics of rankings want to see it, and the one number that follows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.evidence import Policies, RankingEvidence, RankingView
from pingce.metrics.averages import mean_of, settle_undefined
from pingce.metrics.grammar import MetricRequest
from pingce.metrics.ranking import RankingMetric

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pingce.evidence.ranking.weights import QueryWeights


@lru_cache(maxsize=256)
def _view_key(policies: Policies) -> Policies:
    """Without the policies that a view does not depend on."""
    return policies.but(undefined="skip", summation="exact")


@lru_cache(maxsize=256)
def _list_key(policies: Policies) -> Policies:
    """Without those that the choice of queries and lists does not depend on either."""
    return _view_key(policies).but(ties="id", relevant=1)


class Views:
    """Evidence as each metric wants to see it, made once for each combination of policies."""

    def __init__(self, evidence_for: Callable[[Policies], RankingEvidence], weights: QueryWeights | None) -> None:
        self._evidence_for = evidence_for
        self._query_weights = weights
        self._weights: dict[Policies, NDArray[np.float64]] = {}
        self.weighted: set[tuple[RankingMetric, Policies]] = set()
        "Metrics in whose value weights count: means, not sums or ratios of sums."
        self._evidence: dict[Policies, RankingEvidence] = {}
        self._views: dict[Policies, RankingView] = {}

    def evidence(self, policies: Policies) -> RankingEvidence:
        """The queries and lists that count."""
        key = _list_key(policies)
        if key not in self._evidence:
            self._evidence[key] = _select(self._evidence_for(policies), policies)
        return self._evidence[key]

    def view(self, policies: Policies) -> RankingView:
        """The evidence under the metric's ties and relevance."""
        key = _view_key(policies)
        if key not in self._views:
            self._views[key] = self.evidence(policies).view(ties=policies.ties, relevant=policies.relevant)
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
        if self._query_weights is None:
            return None
        key = _list_key(policies)
        if key not in self._weights:
            self._weights[key] = self._query_weights.of(self.evidence(policies))
        return self._weights[key]

    def remarks(self, metrics: Sequence[MetricRequest], policies: Policies) -> tuple[Text, ...]:
        """What metrics have to say about themselves on this data."""
        remarks = (each for metric in metrics for each in metric.metric.remarks(self.view(metric.under(policies))))
        return tuple(dict.fromkeys(remarks))


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
