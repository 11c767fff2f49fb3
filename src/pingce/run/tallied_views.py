"""Views of queries whose lists were dropped: values are as they were kept, and items as they were counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats
from pingce.base.lazy import cached_property
from pingce.evidence.items.background import Background
from pingce.evidence.policies import Policies
from pingce.evidence.ranking.evidence import RankingEvidence, no_evidence
from pingce.evidence.ranking.facts import KeptFacts
from pingce.evidence.ranking.view import RankingView
from pingce.evidence.ranking.weights import QueryWeights
from pingce.metrics.ranking import RankingMetric
from pingce.metrics.ranking.base import Add
from pingce.metrics.ranking.tied import TieEnds
from pingce.run.plan import Plan, ends_of
from pingce.run.states.ranking_pieces import Key
from pingce.run.tallies import RankingTally
from pingce.run.view_policies import of_all, refuse_missing
from pingce.run.views import QueryViews, is_looked_at


class TalliedViews(QueryViews):
    """Views of queries whose evidence was dropped."""

    def __init__(
        self,
        plan: Plan,
        tally: RankingTally,
        weights: QueryWeights | None = None,
        places: NDArray[np.intp] | None = None,
        backgrounds: Mapping[Key, Background] | None = None,
    ) -> None:
        super().__init__(plan.policies, weights)
        self._plan, self._tally, self._places = plan, tally, places
        self._backgrounds = backgrounds or {}
        "What is known of items, by policies that concern rows."
        self._names = plan.names()
        self._chosen: dict[tuple[Key, str, str], KeptFacts] = {}
        self._views: dict[tuple[Policies, str], RankingView] = {}

    @cached_property
    def _judged_rows(self) -> NDArray[np.intp]:
        """The rows of judged queries; all where there is no truth."""
        facts = self._tally.facts
        is_judged = facts.column("judgements") > 0
        rows = np.flatnonzero(is_judged) if self._plan.of_items and is_judged.any() else np.arange(len(facts))
        return rows if self._places is None else rows[self._places]

    def judged(self, policies: Policies) -> KeptFacts:
        facts = replace(self._tally.facts, answered=self._answered(policies))
        if self._places is not None:
            facts = replace(facts, columns={})
        is_all = self._places is None and len(self._judged_rows) == len(facts)
        return facts if is_all else facts.at(self._judged_rows)

    def _answered(self, policies: Policies) -> NDArray[np.bool_]:
        return self._column(f"answered {self._plan.keys.index(policies.row_policies)}")

    def size(self, policies: Policies) -> int:
        return len(self._tally.facts)

    def rows(self, metric: RankingMetric, policies: Policies) -> NDArray[np.intp]:
        return self._rows(metric.scope, policies)

    def _rows(self, scope: str, policies: Policies) -> NDArray[np.intp]:
        some = np.arange(len(self._tally.facts)) if scope == "all" and self._places is None else self._judged_rows
        return some[is_looked_at(self._answered(policies)[some], None, scope, policies)]

    def facts_at(self, policies: Policies, rows: NDArray[np.intp]) -> KeptFacts:
        facts = replace(self._tally.facts, answered=self._answered(policies))
        return facts if self._places is None and len(rows) == len(facts) else facts.at(rows)

    def chosen(self, policies: Policies, scope: str = "truth") -> KeptFacts:
        key = policies.row_policies, policies.missing, scope
        if key not in self._chosen:
            refuse_missing(self.judged(policies), policies)
            self._chosen[key] = self.facts_at(policies, self._rows(scope, policies))
        return self._chosen[key]

    def select(self, places: NDArray[np.intp]) -> TalliedViews:
        return TalliedViews(self._plan, self._tally, self.weights, places, self._backgrounds)

    def view(self, policies: Policies, scope: str = "truth") -> RankingView:
        """Nothing but the top grade of the truth; where items are looked at, also how long lists are and what they show."""
        key = of_all(policies), scope
        if key not in self._views:
            facts = self._tally.facts
            evidence = no_evidence(facts.queries, facts.tally, facts.top_grade)
            evidence = self._counted(evidence, policies, scope) if key in self._plan.displays else evidence
            self._views[key] = evidence.view(ties=policies.ties, relevant=policies.relevant)
        return self._views[key]

    def _counted(self, nothing: RankingEvidence, policies: Policies, scope: str) -> RankingEvidence:
        rows, key = self._rows(scope, policies), policies.row_policies
        begin = np.zeros(len(rows) + 1, np.int64)
        returned = self._column(f"returned {self._plan.keys.index(key)}")[rows].astype(np.int64)
        counters = self._tally.items[list(self._plan.displays).index((of_all(policies), scope))]
        return replace(
            nothing,
            queries=self._tally.facts.queries.take(rows),
            answered=self._answered(policies)[rows],
            returned=returned,
            hit_begin=begin,
            judged_begin=begin,
            counters=counters,
            background=self._backgrounds.get(key),
        )

    def values(self, metric: RankingMetric, policies: Policies) -> Floats:
        return self._values(self._names[metric, of_all(policies)], metric, policies)

    def list_weights(self, metric: RankingMetric, policies: Policies) -> Floats | None:
        name = f"{self._names[metric, of_all(policies)].partition(' ')[0]} weight"
        return self._values(name, metric, policies) if name in self._tally.columns else None

    def _values(self, name: str, metric: RankingMetric, policies: Policies) -> Floats:
        column: Floats = self._column(name)
        rows = self.rows(metric, policies)
        return column if len(rows) == len(column) and self._places is None else column[rows]

    def _column(self, name: str) -> NDArray[Any]:
        tally = self._tally
        if name not in tally.differences:
            return tally.column(name)
        return tally.differences[name].apply(tally.column(name.partition(" ")[0]))

    def ends(self, metric: RankingMetric, policies: Policies) -> TieEnds | None:
        if metric.of_items:
            return None
        name = self._names[metric, of_all(policies)]
        apart = self._values(f"{name} apart", metric, policies).astype(bool)
        if not apart.any():
            return None
        ends = [self._values(f"{name} {ties}", metric, policies) for ties in ends_of(metric)]
        return TieEnds(ends[0], ends[1], ends[2] if len(ends) > 2 else None, apart)

    def _summarize(self, metric: RankingMetric, policies: Policies, values: Floats, add: Add) -> float:
        if metric.is_whole:
            return metric.summarize(self.view(policies, metric.scope), values, add)
        return metric.summary(*map(add, self.settled_columns(metric, policies, values)))

    def settled_columns(self, metric: RankingMetric, policies: Policies, values: Floats) -> tuple[Floats, ...]:
        """The columns of settled values that are added up."""
        name, _, ties = self._names[metric, of_all(policies)].partition(" ")
        parts = [part for part in self._tally.columns if part.startswith(f"{name}.")]
        columns = tuple(self._values(f"{part} {ties}".rstrip(), metric, policies) for part in parts)
        return metric.summands(values, columns)
