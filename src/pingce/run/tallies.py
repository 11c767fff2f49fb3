"""What is kept of queries once they are whole: one row of values each, small facts, and counters of items; their evidence is dropped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.records import dataclass
from pingce.evidence.items.counters import ItemCounters
from pingce.evidence.items.view import item_view
from pingce.evidence.ranking.cautions import ScoreFacts
from pingce.evidence.ranking.evidence import RankingEvidence, Tally
from pingce.evidence.ranking.facts import KeptFacts, QueryFacts, compact
from pingce.inputs import Ids
from pingce.inputs.ids import concatenate, sorted_rows
from pingce.run.plan import TIE_ENDS, Plan, ends_of
from pingce.run.states.ranking_pieces import Piece
from pingce.run.tally_columns import Differences, MetricColumns
from pingce.run.view_policies import as_judged, of_all
from pingce.run.views import EvidenceViews


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
    items: tuple[ItemCounters, ...] = ()
    "What lists show, for each of the plan's displays; none where there are no queries."

    @classmethod
    def of(cls, piece: Piece, plan: Plan, top_grade: float | None) -> RankingTally:
        """The tally of evidence; without a top grade no metric reads it."""
        top = float("nan") if top_grade is None else top_grade
        evidence = {key: replace(each, top_grade=top) for key, each in piece.evidence.items()}
        views = EvidenceViews(plan.policies, lambda policies: evidence[policies.row_policies], is_part=True)
        first = piece.evidence[plan.table.row_policies]
        facts = _kept_facts(first, plan, views)
        if not len(first):
            return cls(facts, {}, {}, piece.extra, piece.facts)
        columns: dict[str, NDArray[Any]] = {}
        for place, key in enumerate(plan.keys):
            columns[f"answered {place}"] = piece.evidence[key].answered
            if plan.of_items:
                columns[f"returned {place}"] = compact(piece.evidence[key].returned)
        differences: dict[str, Differences] = {}
        for place, (metric, policies) in enumerate(plan.entries):
            if metric.is_whole:
                continue
            column = MetricColumns(metric, policies, str(place), views)
            columns |= column.values
            if (weights := column.list_weights()) is not None:
                columns[f"{place} weight"] = weights
            if not ends_of(metric):
                continue
            tied = bool((evidence[policies.row_policies].block > 1).any())
            differences |= dict(column.differences(tied=tied))
            columns[f"{place} apart"] = column.apart(tied=tied)
        if top_grade is not None:
            facts = replace(facts, top_grade=top_grade)
        items = tuple(
            ItemCounters.of(item_view(views.view(policies, scope)), counting)
            for (policies, scope), counting in plan.displays.items()
        )
        return cls(facts, columns, differences, piece.extra, piece.facts, items)

    @property
    def queries(self) -> Ids:
        """The judged ones."""
        is_judged = self.facts.column("judgements") > 0
        return self.facts.queries if is_judged.all() else self.facts.queries.take(np.flatnonzero(is_judged))

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
        for name in dict.fromkeys(name for tally, _ in full for name in tally.columns):
            columns[name] = np.concatenate([tally.column(name) for tally, _ in full])[order]
        for name in sorted({name for tally, _ in full for name in tally.differences}, key=_place_of_difference):
            some = [(tally.differences[name], at) for tally, at in full if name in tally.differences]
            places = np.concatenate([place_of[each.places + at] for each, at in some])
            rank = np.argsort(places)
            differences[name] = Differences(places[rank], np.concatenate([each.values for each, _ in some])[rank])
        scores = reduce(ScoreFacts.merge, (tally.scores for tally in tallies))
        items = tuple(map(ItemCounters.joined, zip(*(tally.items for tally, _ in full), strict=True)))
        return cls(facts, columns, differences, concatenate([tally.extra for tally in tallies]), scores, items)

    def column(self, name: str) -> NDArray[Any]:
        """A column of metrics; a part of one that looks at no query here is undefined everywhere."""
        column = self.columns.get(name)
        return np.full(len(self.facts), np.nan) if column is None else column


def _place_of_difference(name: str) -> tuple[int, int, str]:
    """Where `0.1 worst` stands among its like: by metric, by order of ties, by part."""
    part, _, ties = name.partition(" ")
    return int(part.partition(".")[0]), TIE_ENDS.index(ties), part


def _kept_facts(evidence: RankingEvidence, plan: Plan, views: EvidenceViews) -> KeptFacts:
    """The facts of queries; what metrics have made of their lists is not made again."""
    policies = plan.policies
    if plan.of_items:
        facts = QueryFacts(evidence, policies)
        return KeptFacts.of(facts, facts, plan.cutoffs)
    view = views.view(as_judged(of_all(plan.table)).but(ties="id", relevant=policies.relevant, unjudged="zero"))
    is_condensed = plan.table.judged_only == "yes"
    facts = QueryFacts(evidence, policies, None if is_condensed else view)
    return KeptFacts.of(facts, QueryFacts(view.evidence, policies, view) if is_condensed else facts, plan.cutoffs)
