"""What metrics of rankings say of each query, from its evidence or from what was kept of it, and the one number that follows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.exact import Floats
from pingce.base.text import Text
from pingce.evidence.policies import Policies
from pingce.evidence.ranking.completed import completed
from pingce.evidence.ranking.evidence import RankingEvidence
from pingce.evidence.ranking.fact_sums import MOST_NAMED, Facts
from pingce.evidence.ranking.facts import FactColumns, QueryFacts
from pingce.evidence.ranking.view import RankingView
from pingce.evidence.ranking.weights import QueryWeights
from pingce.metrics.averages import Column, is_counted, settle_undefined, settled_weights, undefined_values
from pingce.metrics.grammar import MetricRequest
from pingce.metrics.ranking import RankingMetric
from pingce.metrics.ranking.base import Add
from pingce.metrics.ranking.corrected import corrected_values
from pingce.metrics.ranking.tied import TieEnds, tie_ends
from pingce.run.score import resolve_undefined
from pingce.run.stretches import Entry, values_by_stretch
from pingce.run.view_policies import (
    as_judged,
    counted_key,
    list_key,
    of_all,
    refuse_completed,
    refuse_condensed,
    refuse_expected,
    refuse_missing,
    view_key,
    weightless,
    with_ties,
)
from pingce.scores.ranking import Held, RankingValue, TieSpread


def _no_column(_: Floats) -> Column:
    raise ValueError("a value of the run adds up nothing")


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
    def view(self, policies: Policies, scope: str = "truth") -> RankingView:
        """The lists of a scope; where they were not kept, no more than the top grade of the truth."""

    @abstractmethod
    def value(self, request: MetricRequest, policies: Policies) -> RankingValue:
        """A metric on all queries that count."""

    def prepare(self, metrics: Sequence[MetricRequest]) -> None:  # noqa: B027 - there is nothing to prepare where values were kept
        """Compute what is asked for next, where that is cheaper for all metrics at once."""

    def remarks(self, metrics: Sequence[MetricRequest]) -> tuple[Text, ...]:
        """What metrics have to say about themselves on this data."""
        remarks = (
            each
            for metric in metrics
            for each in metric.metric.remarks(self.view(metric.under(self.policies), metric.metric.scope))
        )
        return tuple(dict.fromkeys(remarks))


class QueryViews(Views):
    """Views with a value of each query."""

    def __init__(self, policies: Policies, weights: QueryWeights | None = None) -> None:
        super().__init__(policies)
        self.weights = weights
        self.weighted: set[tuple[RankingMetric, Policies]] = set()
        "Metrics in whose value weights count: means, not sums or ratios of sums."
        self._weights: dict[tuple[Policies, str], Floats] = {}

    @abstractmethod
    def judged(self, policies: Policies) -> FactColumns:
        """All judged queries."""

    @abstractmethod
    def chosen(self, policies: Policies, scope: str = "truth") -> FactColumns:
        """The queries that count."""

    @abstractmethod
    def select(self, places: NDArray[np.intp]) -> QueryViews:
        """Some of the judged queries, as if there were no others."""

    @abstractmethod
    def values(self, metric: RankingMetric, policies: Policies) -> Floats:
        """The value of each query that counts."""

    @abstractmethod
    def list_weights(self, metric: RankingMetric, policies: Policies) -> Floats | None:
        """How much each query counts by the weights of its items; NaN where none is worth anything, None where items weigh alike."""

    @abstractmethod
    def size(self, policies: Policies) -> int:
        """How many queries and lists there are, judged or not."""

    @abstractmethod
    def rows(self, metric: RankingMetric, policies: Policies) -> NDArray[np.intp]:
        """Which of them a metric looks at."""

    @abstractmethod
    def facts_at(self, policies: Policies, rows: NDArray[np.intp]) -> FactColumns:
        """The facts of some of them."""

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
        weights, columns = self._heavy(metric, policies), list[Column]()

        def add(summand: Floats) -> Column:
            columns.append(Column(summand, policies, weights))
            return columns[-1]

        return self._summarize(metric, policies, settle_undefined(values, policies), add), columns

    def columns(self, metric: RankingMetric, policies: Policies) -> list[Column]:
        """The columns over queries that the value of a metric is made of; one of the run has its parts, where it has any."""
        if metric.is_whole:
            view = self.view(policies, metric.scope)
            return [Column(part, policies) for part in metric.parts(view)]
        return self._added_up(metric, policies, self.values(metric, policies))[1]

    def _heavy(self, metric: RankingMetric, policies: Policies) -> Floats | None:
        """How much each query counts: by its own weight, and by those of its items."""
        weights, by_items = self._weights_under(policies, metric.scope), self._weights_by_items(metric, policies)
        if by_items is None or weights is None:
            return weights if by_items is None else by_items
        return by_items * weights

    def _weights_by_items(self, metric: RankingMetric, policies: Policies) -> Floats | None:
        """How much each query counts by the weights of its items; None where all count alike."""
        weights = self.list_weights(metric, policies)
        return None if weights is None or ((weights == 1) | np.isnan(weights)).all() else settled_weights(weights)

    def _weights_under(self, policies: Policies, scope: str) -> Floats | None:
        if self.weights is None:
            return None
        key = list_key(policies), scope
        if key not in self._weights:
            self._weights[key] = self.weights.of(self.chosen(policies, scope))
        return self._weights[key]

    def value(self, request: MetricRequest, policies: Policies) -> RankingValue:
        """A metric on all queries that count, and its value on each of them."""
        refuse_expected(request, policies)
        refuse_condensed(request, policies)
        refuse_completed(request, policies)
        if request.metric.is_whole:
            return self._whole(request, policies)
        metric, scope = request.metric, request.metric.scope
        queries, values = self.chosen(policies, scope), self.values(metric, policies)
        undefined = np.flatnonzero(np.isnan(values))
        if policies.undefined == "error" and len(undefined):
            raise undefined_values(request.name, len(undefined), queries.queries.take(undefined[:MOST_NAMED]).to_list())
        settled = settle_undefined(values, policies)
        value, by_items = self.summary(metric, policies, values), self._weights_by_items(metric, policies)
        if by_items is not None and not by_items.any():
            raise weightless()
        is_weighted = (metric, policies) in self.weighted
        return RankingValue(
            name=request.name,
            id=request.id,
            metric=metric,
            policies=policies,
            value=value,
            column=Held(settled),
            count=int(is_counted(settled, policies).sum()),
            resolved=metric.resolved(self.view(policies, scope)),
            undefined=len(undefined),
            weighted=is_weighted and self.weights is not None,
            list_weights=self.list_weights(metric, policies) if is_weighted and by_items is not None else None,
            spread=self._spread(metric, policies),
            item_counts=metric.item_counts(self.view(policies, scope)),
        )

    def _whole(self, request: MetricRequest, policies: Policies) -> RankingValue:
        """A metric that is one value of the run: no list has one."""
        metric, view = request.metric, self.view(policies, request.metric.scope)
        value = self._summarize(metric, policies, np.zeros(0), _no_column)
        value, undefined = resolve_undefined(request, value, policies)
        return RankingValue(
            name=request.name,
            id=request.id,
            metric=metric,
            policies=policies,
            value=value,
            column=Held(np.full(len(view), np.nan)),
            count=len(view),
            undefined=int(undefined),
            weighted=False,
            spread=None,
            item_counts=metric.item_counts(view),
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


class ListTable(NamedTuple):
    """The table of all lists that some metric looks at, where they are not only those of judged queries."""

    facts: FactColumns
    rows: NDArray[np.intp]
    "Of all queries and lists that there are."
    size: int
    "How many these are."
    row_of: Callable[[RankingMetric, Policies], NDArray[np.intp]]
    "The rows of them that a metric has values for."

    @classmethod
    def of(cls, metrics: Sequence[MetricRequest], views: QueryViews) -> ListTable | None:
        """The table, where a metric looks at other lists than those of judged queries."""
        if not any(metric.metric.of_items for metric in metrics):
            return None
        size = views.size(metrics[0].under(views.policies))
        inside = np.zeros(size, bool)
        for metric in metrics:
            inside[views.rows(metric.metric, metric.under(views.policies))] = True
        rows = np.flatnonzero(inside)
        return cls(views.facts_at(metrics[0].under(views.policies), rows), rows, size, views.rows)

    def place(self, value: RankingValue) -> RankingValue:
        """Values of queries with a row for each list of the table; NaN where the metric does not look at it."""
        rows = self.row_of(value.metric, value.policies)
        column, weights = np.full(self.size, np.nan), np.full(self.size, np.nan)
        column[rows] = value.per_query
        if value.list_weights is not None:
            weights[rows] = value.list_weights
            value = replace(value, list_weights=weights[self.rows])
        return replace(value, column=Held(column[self.rows]))


class EvidenceViews(QueryViews):
    """Views of evidence, made once for each combination of policies."""

    def __init__(
        self,
        policies: Policies,
        evidence_for: Callable[[Policies], RankingEvidence],
        weights: QueryWeights | None = None,
        *,
        is_part: bool = False,
    ) -> None:
        super().__init__(policies, weights)
        self._evidence_for = evidence_for
        self._is_part = is_part
        "Whether there is more elsewhere: that nothing is judged here does not mean then that there is no truth."
        self._evidence: dict[tuple[Policies, str], RankingEvidence] = {}
        self._views: dict[tuple[Policies, int], RankingView] = {}
        self._values: dict[Entry, Floats] = {}
        "Values that were computed before they are asked for."

    def judged(self, policies: Policies) -> QueryFacts:
        return QueryFacts(self._judged_evidence(policies), self.policies)

    def chosen(self, policies: Policies, scope: str = "truth") -> QueryFacts:
        return QueryFacts(self._chosen_evidence(as_judged(policies), scope), self.policies)

    def select(self, places: NDArray[np.intp]) -> EvidenceViews:
        """Some of the judged queries; lists without judgements are none of them."""
        return EvidenceViews(
            self.policies, lambda policies: self._judged_evidence(policies).select(places), self.weights
        )

    def size(self, policies: Policies) -> int:
        return len(self._evidence_for(policies))

    def facts_at(self, policies: Policies, rows: NDArray[np.intp]) -> QueryFacts:
        every = self._evidence_for(policies)
        return QueryFacts(every if len(rows) == len(every) else every.select(rows), self.policies)

    def rows(self, metric: RankingMetric, policies: Policies) -> NDArray[np.intp]:
        evidence = self._evidence_for(policies)
        has_truth = evidence.heads is not None and (len(evidence.judged) or self._is_part)
        is_judged = evidence.is_judged if has_truth else None
        return np.flatnonzero(is_looked_at(evidence.answered, is_judged, metric.scope, policies))

    def _judged_evidence(self, policies: Policies) -> RankingEvidence:
        """The evidence of judged queries; of all lists where there is no truth."""
        evidence = self._evidence_for(policies)
        if evidence.heads is None or evidence.is_judged.all() or not (len(evidence.judged) or self._is_part):
            return evidence
        key = as_judged(list_key(policies)).but(missing="zero", judged_only="no", unjudged="zero"), "judged"
        if key not in self._evidence:
            self._evidence[key] = evidence.select(evidence.is_judged)
        return self._evidence[key]

    def _read_evidence(self, policies: Policies, scope: str = "truth") -> RankingEvidence:
        """The evidence that metrics read; what is counted of queries is counted without grades that nobody gave."""
        if policies.unjudged == "zero":
            return self._chosen_evidence(policies, scope)
        key = list_key(policies), f"{scope} completed"
        if key not in self._evidence:
            self._evidence[key] = completed(self._chosen_evidence(policies, scope), policies.unjudged)
        return self._evidence[key]

    def _chosen_evidence(self, policies: Policies, scope: str = "truth") -> RankingEvidence:
        key = counted_key(policies), scope
        if key not in self._evidence:
            evidence = self._judged_evidence(policies) if scope != "all" else self._evidence_for(policies)
            refuse_missing(QueryFacts(self._judged_evidence(policies), policies), policies)
            inside = is_looked_at(evidence.answered, None, scope, policies)
            evidence = evidence if inside.all() else evidence.select(inside)
            condenses = policies.judged_only == "yes" and scope == "truth"
            evidence = evidence.condensed() if condenses else evidence
            self._evidence[key] = evidence.of_returned() if policies.judged == "list" else evidence
        return self._evidence[key]

    def view(self, policies: Policies, scope: str = "truth") -> RankingView:
        evidence = self._read_evidence(policies, scope)
        key = of_all(policies), id(evidence)  # which stays where it is: scopes may share their lists
        if key not in self._views:
            self._views[key] = evidence.view(ties=policies.ties, relevant=policies.relevant)
        return self._views[key]

    def values(self, metric: RankingMetric, policies: Policies) -> Floats:
        values = self._values.pop((metric, view_key(policies)), None)
        return values_under(metric, self.view(policies, metric.scope), policies) if values is None else values

    def list_weights(self, metric: RankingMetric, policies: Policies) -> Floats | None:
        view = self.view(policies, metric.scope)
        return None if view.evidence.weights is None else metric.list_weights(view)

    def prepare(self, metrics: Sequence[MetricRequest]) -> None:
        """Of many queries a stretch at a time: what metrics share of it is small, and is in the cache still."""
        lists: dict[Policies, dict[Entry, None]] = {}
        for request in metrics:
            policies = request.under(self.policies)
            is_plain = policies.corrected == "none" and not request.metric.of_items
            if is_plain and not request.metric.needs_lists:
                lists.setdefault(list_key(policies), {})[request.metric, view_key(policies)] = None
        try:
            for key, entries in lists.items():
                self._values |= values_by_stretch(self._read_evidence(key), [*entries])
        except InputError:  # to be raised by the metric whose turn it is
            self._values.clear()

    def ends(self, metric: RankingMetric, policies: Policies) -> TieEnds | None:
        if metric.of_items or policies.corrected != "none":
            return None
        if not (self._read_evidence(policies).block > 1).any():
            return None
        return tie_ends(metric, lambda ties: self.view(with_ties(policies, ties)))

    def _summarize(self, metric: RankingMetric, policies: Policies, values: Floats, add: Add) -> float:
        return metric.summarize(self.view(policies, metric.scope), values, add)


def values_under(metric: RankingMetric, view: RankingView, policies: Policies) -> Floats:
    """The values of a metric, of lists as they are, or over the catalogue from which their items were drawn."""
    if policies.corrected == "none":
        return metric.values(view)
    background = view.evidence.background
    if background is None:
        raise ValueError("no catalogue")
    return corrected_values(metric, view, policies.corrected, background.catalog_size)


def is_looked_at(
    answered: NDArray[np.bool_], is_judged: NDArray[np.bool_] | None, scope: str, policies: Policies
) -> NDArray[np.bool_]:
    """Which queries a metric of this scope looks at; where it is not told which are judged, all are."""
    if scope == "all":
        return answered
    judged = np.ones(len(answered), bool) if is_judged is None else is_judged
    return judged & answered if scope == "truth" and policies.missing == "skip" else judged
