"""What is kept of queries once they are whole: one row of values each, and small facts; their evidence is dropped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats
from pingce.base.lazy import cached_property
from pingce.base.records import dataclass
from pingce.evidence.policies import Policies
from pingce.evidence.ranking.cautions import ScoreFacts
from pingce.evidence.ranking.evidence import RankingEvidence, Tally, no_evidence
from pingce.evidence.ranking.facts import KeptFacts, QueryFacts, compact
from pingce.evidence.ranking.view import RankingView
from pingce.evidence.ranking.weights import QueryWeights
from pingce.inputs import Ids
from pingce.inputs.ids import concatenate, sorted_rows
from pingce.metrics.grammar import MetricRequest
from pingce.metrics.ranking import RankingMetric
from pingce.metrics.ranking.base import Add
from pingce.metrics.ranking.tied import TieEnds
from pingce.run.states.ranking_pieces import Key, Piece
from pingce.run.view_policies import refuse_missing, table_policies, view_key, with_ties
from pingce.run.views import EvidenceViews, QueryViews

_ENDS = ("worst", "best", "expected")


class Differences(NamedTuple):
    """Where a column differs from another one, and its values there: orders of ties change few queries."""

    places: NDArray[np.int64]
    values: Floats

    @classmethod
    def between(cls, column: Floats, base: Floats) -> Differences:
        """Bits are compared, so that what `apply` gives is the column itself."""
        bits = (np.ascontiguousarray(each).view(np.int64) for each in (column, base))
        places = np.flatnonzero(np.not_equal(*bits))
        return cls(places, column[places])

    def apply(self, base: Floats) -> Floats:
        """The column again."""
        column = base.copy()
        column[self.places] = self.values
        return column


@dataclass(frozen=True)
class Plan:
    """Which columns are kept: `0` has the values of the first metric, `0.1` its second part, `0 worst` them under other ties."""

    metrics: tuple[MetricRequest, ...]
    policies: Policies
    keys: tuple[Key, ...]
    "Combinations of policies that concern rows."

    @cached_property
    def entries(self) -> list[tuple[RankingMetric, Policies]]:
        """Each metric once for each way in which it sees lists; that of unanswered queries is kept too."""
        both = ((metric.metric, _every(metric.under(self.policies))) for metric in self.metrics)
        return [
            (metric, policies)
            for metric, policies in dict.fromkeys(both)
            if policies.ties != "expected" or metric.knows_expected()
        ]

    def names(self) -> dict[tuple[RankingMetric, Policies], str]:
        """The name of the column for a metric under policies."""
        names = {entry: str(place) for place, entry in enumerate(self.entries)}
        for place, (metric, policies) in enumerate(self.entries):
            for ties in ends_of(metric):
                names.setdefault((metric, with_ties(policies, ties)), f"{place} {ties}")
        return names

    def keyed(self) -> list[Policies]:
        """Policies of a metric for each of the combinations."""
        every = {
            policies.row_policies: policies for policies in (metric.under(self.policies) for metric in self.metrics)
        }
        return [every[key] for key in self.keys]

    @property
    def is_summable(self) -> bool:
        """Whether values may be added up in any order, where they are; who refuses queries names those of the whole."""
        each = (metric.under(self.policies) for metric in self.metrics)
        if any(metric.metric.level is not None for metric in self.metrics):
            return False
        return all(
            policies.summation == "exact" and "error" not in (policies.missing, policies.undefined) for policies in each
        )

    @property
    def cutoffs(self) -> tuple[int, ...]:
        """The k of all metrics."""
        return tuple(sorted({metric.metric.k for metric in self.metrics if metric.metric.k is not None}))

    @cached_property
    def table(self) -> Policies:
        """Policies of the per-query table."""
        return table_policies(self.metrics, self.policies)


def _every(policies: Policies) -> Policies:
    return view_key(policies).but(missing="zero")


def ends_of(metric: RankingMetric) -> tuple[str, ...]:
    """Orders of ties whose values are kept beside the one that counts."""
    if metric.counts:
        return ()
    return _ENDS if not metric.is_bounded_by_grades() and metric.knows_expected() else _ENDS[:2]


@dataclass(frozen=True, eq=False)
class RankingTally:
    """What is kept of some batches."""

    facts: KeptFacts
    columns: Mapping[str, NDArray[Any]]
    "Of metrics, and whether queries are answered under each combination of policies; none where there are no queries."
    differences: Mapping[str, Differences]
    extra: Ids
    "Queries without judgements."
    scores: ScoreFacts

    @classmethod
    def of(cls, piece: Piece, plan: Plan, top_grade: float | None) -> RankingTally:
        """The tally of evidence; without a top grade no metric reads it."""
        top = float("nan") if top_grade is None else top_grade
        evidence = {key: replace(each, top_grade=top) for key, each in piece.evidence.items()}
        views = EvidenceViews(plan.policies, lambda policies: evidence[policies.row_policies])
        first = piece.evidence[plan.table.row_policies]
        facts = _kept_facts(first, plan, views)
        if not len(first):
            return cls(facts, {}, {}, piece.extra, piece.facts)
        columns: dict[str, NDArray[Any]] = {
            f"answered {place}": piece.evidence[key].answered for place, key in enumerate(plan.keys)
        }
        differences: dict[str, Differences] = {}
        for place, (metric, policies) in enumerate(plan.entries):
            values = _with_parts(views.values(metric, policies), metric, views.view(policies), str(place))
            columns |= values
            if not ends_of(metric):
                continue
            tied = bool((evidence[policies.row_policies].block > 1).any())
            differences |= dict(_differences(values, metric, policies, views, tied=tied))
            ends = views.ends(metric, policies) if tied else None
            columns[f"{place} apart"] = np.zeros(len(first), np.uint8) if ends is None else compact(ends.apart)
        if top_grade is not None:
            facts = replace(facts, top_grade=top_grade)
        return cls(facts, columns, differences, piece.extra, piece.facts)

    @property
    def queries(self) -> Ids:
        """The judged ones."""
        return self.facts.queries

    @classmethod
    def joined(cls, tallies: Sequence[RankingTally]) -> RankingTally:
        """All together, sorted by query; a column at a time."""
        if len(tallies) == 1:
            return tallies[0]
        parts = [tally.facts for tally in tallies]
        queries = concatenate([part.queries for part in parts])
        order = sorted_rows(queries)
        place_of = np.empty(len(order), np.int64)
        place_of[order] = np.arange(len(order))
        begins = np.cumsum([0, *map(len, parts)])[:-1]
        distinct = [
            np.unique(np.concatenate(grades)) for grades in zip(*(part.distinct for part in parts), strict=True)
        ]
        facts = KeptFacts(
            queries.take(order),
            np.concatenate([part.answered for part in parts])[order],
            reduce(Tally.plus, [part.tally for part in parts]),
            {name: np.concatenate([part.columns[name] for part in parts])[order] for name in parts[0].columns},
            (distinct[0], distinct[1]),
            max(part.top_grade for part in parts),
        )
        full = [(tally, at) for tally, at in zip(tallies, begins.tolist(), strict=True) if len(tally.facts)]
        columns, differences = {}, {}
        for name in full[0][0].columns if full else ():
            columns[name] = np.concatenate([tally.columns[name] for tally, _ in full])[order]
        for name in full[0][0].differences if full else ():
            places = np.concatenate([place_of[tally.differences[name].places + at] for tally, at in full])
            rank = np.argsort(places)
            values = np.concatenate([tally.differences[name].values for tally, _ in full])
            differences[name] = Differences(places[rank], values[rank])
        scores = reduce(ScoreFacts.merge, (tally.scores for tally in tallies))
        return cls(facts, columns, differences, concatenate([tally.extra for tally in tallies]), scores)


def _kept_facts(evidence: RankingEvidence, plan: Plan, views: EvidenceViews) -> KeptFacts:
    """The facts of queries; what metrics have made of their lists is not made again."""
    policies = plan.policies
    view = views.view(_every(plan.table).but(ties="id", relevant=policies.relevant))
    is_condensed = plan.table.judged_only == "yes"
    facts = QueryFacts(evidence, policies, None if is_condensed else view)
    return KeptFacts.of(facts, QueryFacts(view.evidence, policies, view) if is_condensed else facts, plan.cutoffs)


def _with_parts(values: Floats, metric: RankingMetric, view: RankingView, name: str) -> dict[str, Floats]:
    return {name: values} | {f"{name}.{place}": part for place, part in enumerate(metric.parts(view))}


def _differences(
    values: Mapping[str, Floats], metric: RankingMetric, policies: Policies, views: EvidenceViews, *, tied: bool
) -> Iterator[tuple[str, Differences]]:
    """The same columns under other orders of ties; where nothing is tied, all orders are one."""
    name = next(iter(values))
    for ties in ends_of(metric):
        if not tied and "expected" not in (ties, policies.ties):
            yield from ((f"{part} {ties}", Differences(np.zeros(0, np.int64), np.zeros(0))) for part in values)
            continue
        under = with_ties(policies, ties)
        columns = _with_parts(views.values(metric, under), metric, views.view(under), name)
        for part, column in columns.items():
            yield f"{part} {ties}", Differences.between(column, values[part])


class TalliedViews(QueryViews):
    """Views of queries whose evidence was dropped."""

    def __init__(
        self,
        plan: Plan,
        tally: RankingTally,
        weights: QueryWeights | None = None,
        places: NDArray[np.intp] | None = None,
    ) -> None:
        super().__init__(plan.policies, weights)
        self._plan, self._tally, self._places = plan, tally, places
        self._names = plan.names()
        self._chosen: dict[tuple[Key, str], KeptFacts] = {}

    def judged(self, policies: Policies) -> KeptFacts:
        facts = replace(self._tally.facts, answered=self._answered(policies))
        if self._places is None:
            return facts
        queries = facts.queries.take(self._places)
        return replace(facts, queries=queries, answered=facts.answered[self._places], columns={})

    def _answered(self, policies: Policies) -> NDArray[np.bool_]:
        return self._column(f"answered {self._plan.keys.index(policies.row_policies)}")

    def chosen(self, policies: Policies, scope: str = "truth") -> KeptFacts:
        key = policies.row_policies, policies.missing
        if key not in self._chosen:
            facts = self.judged(policies)
            refuse_missing(facts, policies)
            self._chosen[key] = facts.of_answered() if policies.missing == "skip" else facts
        return self._chosen[key]

    def select(self, places: NDArray[np.intp]) -> TalliedViews:
        return TalliedViews(self._plan, self._tally, self.weights, places)

    def view(self, policies: Policies, scope: str = "truth") -> RankingView:
        """Nothing but the top grade of the truth."""
        facts = self._tally.facts
        nothing = no_evidence(facts.queries, facts.tally, facts.top_grade)
        return nothing.view(ties=policies.ties, relevant=policies.relevant)

    def values(self, metric: RankingMetric, policies: Policies) -> Floats:
        return self._values(self._names[metric, _every(policies)], policies)

    def _values(self, name: str, policies: Policies) -> Floats:
        column: Floats = self._column(name)
        if self._places is not None:
            column = column[self._places]
        if policies.missing == "skip":
            answered = self._answered(policies)
            column = column[answered if self._places is None else answered[self._places]]
        return column

    def _column(self, name: str) -> NDArray[Any]:
        tally = self._tally
        if name not in tally.differences:
            return tally.columns[name]
        return tally.differences[name].apply(tally.columns[name.partition(" ")[0]])

    def ends(self, metric: RankingMetric, policies: Policies) -> TieEnds | None:
        name = self._names[metric, _every(policies)]
        apart = self._values(f"{name} apart", policies).astype(bool)
        if not apart.any():
            return None
        ends = [self._values(f"{name} {ties}", policies) for ties in ends_of(metric)]
        return TieEnds(ends[0], ends[1], ends[2] if len(ends) > 2 else None, apart)

    def _summarize(self, metric: RankingMetric, policies: Policies, values: Floats, add: Add) -> float:
        return metric.summary(*map(add, self.settled_columns(metric, policies, values)))

    def settled_columns(self, metric: RankingMetric, policies: Policies, values: Floats) -> tuple[Floats, ...]:
        """The columns of settled values that are added up."""
        name, _, ties = self._names[metric, _every(policies)].partition(" ")
        parts = [part for part in self._tally.columns if part.startswith(f"{name}.")]
        columns = tuple(self._values(f"{part} {ties}".rstrip(), policies) for part in parts)
        return metric.summands(values, columns)
