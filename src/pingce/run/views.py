"""What metrics of rankings say of each query, from its evidence or from what was kept of it, and the one number that follows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.exact import Floats
from pingce.base.text import Text
from pingce.evidence.policies import Policies
from pingce.evidence.ranking.evidence import RankingEvidence
from pingce.evidence.ranking.fact_sums import MOST_NAMED, Facts
from pingce.evidence.ranking.facts import FactColumns, QueryFacts
from pingce.evidence.ranking.view import RankingView
from pingce.evidence.ranking.weights import QueryWeights
from pingce.metrics.averages import Column, is_counted, settle_undefined, undefined_values
from pingce.metrics.grammar import MetricRequest
from pingce.metrics.ranking import RankingMetric
from pingce.metrics.ranking.base import Add
from pingce.metrics.ranking.tied import TieEnds, tie_ends
from pingce.run.stretches import Entry, values_by_stretch
from pingce.run.view_policies import list_key, refuse_expected, refuse_missing, view_key, with_ties
from pingce.scores.ranking import Held, RankingValue, TieSpread


class Views(ABC):
    """Queries as each metric wants to see them; its `policies` are those of the request, those of a call are of one metric."""

    def __init__(self, policies: Policies) -> None:
        self.policies = policies

    @abstractmethod
    def judged(self, policies: Policies) -> Facts:
        """All judged queries."""

    @abstractmethod
    def chosen(self, policies: Policies) -> Facts:
        """The queries that count."""

    @abstractmethod
    def view(self, policies: Policies) -> RankingView:
        """The lists; where they were not kept, no more than the top grade of the truth."""

    @abstractmethod
    def value(self, request: MetricRequest, policies: Policies) -> RankingValue:
        """A metric on all queries that count."""

    def prepare(self, metrics: Sequence[MetricRequest]) -> None:  # noqa: B027 - there is nothing to prepare where values were kept
        """Compute what is asked for next, where that is cheaper for all metrics at once."""

    def remarks(self, metrics: Sequence[MetricRequest]) -> tuple[Text, ...]:
        """What metrics have to say about themselves on this data."""
        remarks = (each for metric in metrics for each in metric.metric.remarks(self.view(metric.under(self.policies))))
        return tuple(dict.fromkeys(remarks))


class QueryViews(Views):
    """Views with a value of each query."""

    def __init__(self, policies: Policies, weights: QueryWeights | None = None) -> None:
        super().__init__(policies)
        self.weights = weights
        self.weighted: set[tuple[RankingMetric, Policies]] = set()
        "Metrics in whose value weights count: means, not sums or ratios of sums."
        self._weights: dict[Policies, Floats] = {}

    @abstractmethod
    def judged(self, policies: Policies) -> FactColumns:
        """All judged queries."""

    @abstractmethod
    def chosen(self, policies: Policies) -> FactColumns:
        """The queries that count."""

    @abstractmethod
    def select(self, places: NDArray[np.intp]) -> QueryViews:
        """Some of the judged queries, as if there were no others."""

    @abstractmethod
    def values(self, metric: RankingMetric, policies: Policies) -> Floats:
        """The value of each query that counts."""

    @abstractmethod
    def ends(self, metric: RankingMetric, policies: Policies) -> TieEnds | None:
        """What the order of ties does to each query; None where there are none."""

    @abstractmethod
    def _summarize(self, metric: RankingMetric, policies: Policies, values: Floats, add: Add) -> float:
        """The one number of settled values."""

    def summary(self, metric: RankingMetric, policies: Policies, values: Floats) -> float:
        """The one number of all queries."""
        value, columns = self._added_up(metric, policies, values)
        if any(column.weights is not None and column.is_averaged for column in columns):
            self.weighted.add((metric, policies))
        return value

    def _added_up(self, metric: RankingMetric, policies: Policies, values: Floats) -> tuple[float, list[Column]]:
        """The one number of all queries, and the columns that it was made of."""
        weights, columns = self._weights_under(policies), list[Column]()

        def add(summand: Floats) -> Column:
            columns.append(Column(summand, policies, weights))
            return columns[-1]

        return self._summarize(metric, policies, settle_undefined(values, policies), add), columns

    def columns(self, metric: RankingMetric, policies: Policies) -> list[Column]:
        """The columns over queries that the value of a metric is made of."""
        return self._added_up(metric, policies, self.values(metric, policies))[1]

    def _weights_under(self, policies: Policies) -> Floats | None:
        if self.weights is None:
            return None
        key = list_key(policies)
        if key not in self._weights:
            self._weights[key] = self.weights.of(self.chosen(policies))
        return self._weights[key]

    def value(self, request: MetricRequest, policies: Policies) -> RankingValue:
        """A metric on all queries that count, and its value on each of them."""
        refuse_expected(request, policies)
        metric, queries, values = request.metric, self.chosen(policies), self.values(request.metric, policies)
        undefined = np.flatnonzero(np.isnan(values))
        if policies.undefined == "error" and len(undefined):
            raise undefined_values(request.name, len(undefined), queries.queries.take(undefined[:MOST_NAMED]).to_list())
        settled = settle_undefined(values, policies)
        return RankingValue(
            name=request.name,
            id=request.id,
            metric=metric,
            policies=policies,
            value=self.summary(metric, policies, values),
            column=Held(settled),
            count=int(is_counted(settled, policies).sum()),
            resolved=metric.resolved(self.view(policies)),
            undefined=len(undefined),
            weighted=(metric, policies) in self.weighted,
            spread=self._spread(metric, policies),
        )

    def _spread(self, metric: RankingMetric, policies: Policies) -> TieSpread | None:
        """How many queries have ties that change the value, and the value in the worst and in the best order."""
        ends = None if metric.counts else self.ends(metric, policies)
        changed = 0 if ends is None else int(np.count_nonzero(ends.apart))
        if ends is None or not changed:
            return None

        def value(ties: str, values: Floats) -> float:
            return self.summary(metric, with_ties(policies, ties), values)

        mean = None if ends.mean is None else value("expected", ends.mean)
        return TieSpread(changed, value("worst", ends.low), value("best", ends.high), mean)


class EvidenceViews(QueryViews):
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
        self._values: dict[Entry, Floats] = {}
        "Values that were computed before they are asked for."

    def judged(self, policies: Policies) -> QueryFacts:
        return QueryFacts(self._evidence_for(policies), self.policies)

    def chosen(self, policies: Policies) -> QueryFacts:
        return QueryFacts(self._chosen_evidence(policies), self.policies)

    def select(self, places: NDArray[np.intp]) -> EvidenceViews:
        return EvidenceViews(self.policies, lambda policies: self._evidence_for(policies).select(places), self.weights)

    def _chosen_evidence(self, policies: Policies) -> RankingEvidence:
        key = list_key(policies)
        if key not in self._evidence:
            evidence = self._evidence_for(policies)
            refuse_missing(QueryFacts(evidence, policies), policies)
            if policies.missing == "skip":
                evidence = evidence.select(evidence.answered)
            self._evidence[key] = evidence.condensed() if policies.judged_only == "yes" else evidence
        return self._evidence[key]

    def view(self, policies: Policies) -> RankingView:
        key = view_key(policies)
        if key not in self._views:
            self._views[key] = self._chosen_evidence(policies).view(ties=policies.ties, relevant=policies.relevant)
        return self._views[key]

    def values(self, metric: RankingMetric, policies: Policies) -> Floats:
        values = self._values.pop((metric, view_key(policies)), None)
        return metric.values(self.view(policies)) if values is None else values

    def prepare(self, metrics: Sequence[MetricRequest]) -> None:
        """Of many queries a stretch at a time: what metrics share of it is small, and is in the cache still."""
        lists: dict[Policies, dict[Entry, None]] = {}
        for request in metrics:
            policies = request.under(self.policies)
            if not request.metric.needs_lists:
                lists.setdefault(list_key(policies), {})[request.metric, view_key(policies)] = None
        try:
            for key, entries in lists.items():
                self._values |= values_by_stretch(self._chosen_evidence(key), [*entries])
        except InputError:  # to be raised by the metric whose turn it is
            self._values.clear()

    def ends(self, metric: RankingMetric, policies: Policies) -> TieEnds | None:
        if not (self._chosen_evidence(policies).block > 1).any():
            return None
        return tie_ends(metric, lambda ties: self.view(with_ties(policies, ties)))

    def _summarize(self, metric: RankingMetric, policies: Policies, values: Floats, add: Add) -> float:
        return metric.summarize(self.view(policies), values, add)
