"""What metrics of rankings say of each query, from its evidence or from what was kept of it, and the one number that follows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.exact import Floats
from pingce.base.text import Text
from pingce.evidence import Policies, RankingEvidence, RankingView
from pingce.evidence.ranking.facts import Facts, QueryFacts
from pingce.evidence.ranking.weights import QueryWeights
from pingce.metrics.averages import mean_of, settle_undefined
from pingce.metrics.grammar import MetricRequest
from pingce.metrics.ranking import RankingMetric
from pingce.metrics.ranking.base import Mean
from pingce.metrics.ranking.tied import TieEnds, tie_ends


@lru_cache(maxsize=256)
def view_key(policies: Policies) -> Policies:
    """Without the policies that a view does not depend on."""
    return policies.but(undefined="skip", summation="exact")


@lru_cache(maxsize=256)
def _list_key(policies: Policies) -> Policies:
    """Without those that the choice of queries and lists does not depend on either."""
    return view_key(policies).but(ties="id", relevant=1)


@lru_cache(maxsize=256)
def with_ties(policies: Policies, ties: str) -> Policies:
    """The policies with another order of ties."""
    return policies.but(ties=ties)


class Views(ABC):
    """Queries as each metric wants to see them; `policies` are those of the request, `own` those of one metric."""

    def __init__(self, policies: Policies, weights: QueryWeights | None = None) -> None:
        self.policies, self.weights = policies, weights
        self.weighted: set[tuple[RankingMetric, Policies]] = set()
        "Metrics in whose value weights count: means, not sums or ratios of sums."
        self._weights: dict[Policies, Floats] = {}

    @abstractmethod
    def judged(self, own: Policies) -> Facts:
        """All judged queries."""

    @abstractmethod
    def chosen(self, own: Policies) -> Facts:
        """The queries that count."""

    @abstractmethod
    def select(self, places: NDArray[np.intp]) -> Views:
        """Some of the judged queries, as if there were no others."""

    @abstractmethod
    def view(self, own: Policies) -> RankingView:
        """The lists; where they were not kept, no more than the top grade of the truth."""

    @abstractmethod
    def values(self, metric: RankingMetric, own: Policies) -> Floats:
        """The value of each query that counts."""

    @abstractmethod
    def ends(self, metric: RankingMetric, own: Policies) -> TieEnds | None:
        """What the order of ties does to each query; None where there are none."""

    @abstractmethod
    def _combine(self, metric: RankingMetric, own: Policies, values: Floats, mean: Mean) -> float:
        """The one number of settled values."""

    def summary(self, metric: RankingMetric, own: Policies, values: Floats) -> float:
        """The one number of all queries."""
        weights = self._weights_under(own)

        def mean(some: Floats) -> float:
            if weights is not None:
                self.weighted.add((metric, own))
            return mean_of(some, own, weights)

        return self._combine(metric, own, settle_undefined(values, own), mean)

    def _weights_under(self, own: Policies) -> Floats | None:
        if self.weights is None:
            return None
        key = _list_key(own)
        if key not in self._weights:
            self._weights[key] = self.weights.of(self.chosen(own))
        return self._weights[key]

    def remarks(self, metrics: Sequence[MetricRequest]) -> tuple[Text, ...]:
        """What metrics have to say about themselves on this data."""
        remarks = (each for one in metrics for each in one.metric.remarks(self.view(one.under(self.policies))))
        return tuple(dict.fromkeys(remarks))


class EvidenceViews(Views):
    """Views of evidence, made once for each combination of policies."""

    def __init__(
        self,
        policies: Policies,
        evidence_for: Callable[[Policies], RankingEvidence],
        weights: QueryWeights | None = None,
    ) -> None:
        super().__init__(policies, weights)
        self._evidence_for = evidence_for
        self._evidence: dict[Policies, RankingEvidence] = {}
        self._views: dict[Policies, RankingView] = {}

    def judged(self, own: Policies) -> QueryFacts:
        """All judged queries."""
        return QueryFacts(self._evidence_for(own), self.policies)

    def chosen(self, own: Policies) -> QueryFacts:
        """The queries that count."""
        return QueryFacts(self._chosen_evidence(own), self.policies)

    def select(self, places: NDArray[np.intp]) -> EvidenceViews:
        """Some of the judged queries, as if there were no others."""
        return EvidenceViews(self.policies, lambda own: self._evidence_for(own).select(places), self.weights)

    def _chosen_evidence(self, own: Policies) -> RankingEvidence:
        key = _list_key(own)
        if key not in self._evidence:
            evidence = self._evidence_for(own)
            refuse_missing(QueryFacts(evidence, own), own)
            if own.missing == "skip":
                evidence = evidence.select(evidence.answered)
            self._evidence[key] = evidence.condensed() if own.judged_only == "yes" else evidence
        return self._evidence[key]

    def view(self, own: Policies) -> RankingView:
        """The evidence under the metric's ties and relevance."""
        key = view_key(own)
        if key not in self._views:
            self._views[key] = self._chosen_evidence(own).view(ties=own.ties, relevant=own.relevant)
        return self._views[key]

    def values(self, metric: RankingMetric, own: Policies) -> Floats:
        """The value of each query that counts."""
        return metric.values(self.view(own))

    def ends(self, metric: RankingMetric, own: Policies) -> TieEnds | None:
        """What the order of ties does to each query; None where there are none."""
        if not (self._chosen_evidence(own).block > 1).any():
            return None
        return tie_ends(metric, lambda ties: self.view(with_ties(own, ties)))

    def _combine(self, metric: RankingMetric, own: Policies, values: Floats, mean: Mean) -> float:
        return metric.summarize(self.view(own), values, mean)


def refuse_missing(queries: Facts, own: Policies) -> None:
    """Under `missing=error`, name judged queries that the run does not answer."""
    places = np.flatnonzero(~queries.answered)
    if len(places) and own.missing == "error":
        shown = ", ".join(f"'{query}'" for query in queries.queries.take(places[:3]).to_list())
        raise InputError(
            f"the run does not answer {len(places)} judged queries ({shown}); missing=zero scores them 0, missing=skip leaves them out",
            f"预测没有回答 {len(places)} 个已标注的查询（{shown}）；missing=zero 记 0 分，missing=skip 不计入",
        )
