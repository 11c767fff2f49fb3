"""Whole queries added up: values of all of them together where those of each are kept elsewhere, or not at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import reduce
from operator import add
from typing import Any

import numpy as np

from pingce.base.json import Json
from pingce.base.lazy import pa
from pingce.base.records import dataclass
from pingce.evidence.policies import Policies
from pingce.evidence.ranking.cautions import ScoreFacts
from pingce.evidence.ranking.evidence import Tally, no_evidence
from pingce.evidence.ranking.fact_sums import MOST_NAMED, SummedFacts, first_ids
from pingce.evidence.ranking.facts import OF_JUDGEMENTS, STAGES, list_columns
from pingce.evidence.ranking.view import RankingView
from pingce.evidence.soundness import ASCENDING, HEXADECIMAL, WHOLE, Condition, demand, id_array, ids_in, row_of
from pingce.inputs import Ids
from pingce.inputs.ids import concatenate, sorted_rows
from pingce.metrics.averages import Total, is_counted, settle_undefined
from pingce.metrics.grammar import MetricRequest
from pingce.run.plan import Plan, ends_of
from pingce.run.states.tables import OLD_SCORES, SCORE_FORM, annotate, annotation
from pingce.run.tallied_views import TalliedViews
from pingce.run.tallies import RankingTally
from pingce.run.view_policies import refuse_completed, refuse_expected, with_ties
from pingce.run.views import Views
from pingce.scores.ranking import RankingValue, TieSpread, refuse_single_queries

_UNITS = Condition(lambda text: isinstance(text, str) and len(text) < 2000 and text.lstrip("-").isalnum())
_NUMBER = Condition(lambda text: isinstance(text, str) and len(text) < 40)
_IDS = [(str, int)]
_PAIR = row_of(WHOLE, WHOLE)
_TOTALS = [row_of(_UNITS, WHOLE, _NUMBER, _NUMBER)]
_METRIC = {"count": WHOLE, "undefined": WHOLE, "apart": WHOLE, "totals": {str: _TOTALS}}
_FORM = {
    "sizes": _PAIR,
    "totals": {str: _PAIR},
    "irrelevant": _PAIR,
    "stages": row_of([WHOLE], [WHOLE]),
    "fraction": (None, row_of((str, int), _NUMBER)),
    "distinct": row_of([HEXADECIMAL], [HEXADECIMAL]),
    "tally": dict.fromkeys(Tally._fields, WHOLE),
    "top_grade": (HEXADECIMAL, Condition(lambda text: text == "-inf")),
    "answered": [row_of(WHOLE, _IDS)],
    "metrics": [_METRIC],
    "lengths": _PAIR,
    "scores": SCORE_FORM,
}


@dataclass(frozen=True)
class MetricSums:
    """One metric over some queries."""

    count: int
    undefined: int
    apart: int
    "Queries whose value depends on the order of ties."
    totals: Mapping[str, tuple[Total, ...]]
    "By order of ties; the order that counts has no name."

    @classmethod
    def of(cls, request: MetricRequest, views: TalliedViews) -> MetricSums:
        """Add up what was kept of each query."""
        metric, policies = request.metric, request.under(views.policies)
        refuse_expected(request, policies)
        refuse_completed(request, policies)
        values = views.values(metric, policies)
        totals = {}
        for ties in ("", *ends_of(metric)):
            under = with_ties(policies, ties) if ties else policies
            column = settle_undefined(views.values(metric, under) if ties else values, policies)
            totals[ties] = tuple(Total.of(each, policies) for each in views.settled_columns(metric, under, column))
        ends = None if metric.counts else views.ends(metric, policies)
        apart = 0 if ends is None else int(np.count_nonzero(ends.apart))
        counted = int(is_counted(settle_undefined(values, policies), policies).sum())
        return cls(counted, int(np.isnan(values).sum()), apart, totals)

    def __add__(self, other: MetricSums) -> MetricSums:
        totals = {
            ties: tuple(map(add, each, other.totals[ties])) if other.totals else each
            for ties, each in self.totals.items()
        }
        counts = (self.count + other.count, self.undefined + other.undefined, self.apart + other.apart)
        return MetricSums(*counts, totals or other.totals)


_NONE = MetricSums(0, 0, 0, {})


@dataclass(frozen=True)
class RankingSums:
    """Everything that scores need of whole queries but the values of each."""

    facts: SummedFacts
    answered: tuple[tuple[int, tuple[str | int, ...]], ...]
    "For each combination of policies that concern rows: queries with a list, and the first without."
    metrics: tuple[MetricSums, ...]
    extra: Ids
    "The first query without judgements."
    scores: ScoreFacts

    @classmethod
    def of(cls, tally: RankingTally, plan: Plan) -> RankingSums:
        """Add up a tally."""
        extra = tally.extra.take(sorted_rows(tally.extra)[:1]) if len(tally.extra) else tally.extra
        facts, nothing = SummedFacts.of(tally.facts), (0, ())
        if not len(facts):
            return cls(facts, (nothing,) * len(plan.keys), (_NONE,) * len(plan.metrics), extra, tally.scores)
        views = TalliedViews(plan, tally)
        judged = [views.judged(policies) for policies in plan.keyed()]
        answered = tuple((each.answered_count, tuple(each.unanswered(MOST_NAMED))) for each in judged)
        return cls(facts, answered, tuple(MetricSums.of(each, views) for each in plan.metrics), extra, tally.scores)

    def __add__(self, other: RankingSums) -> RankingSums:
        extra = concatenate([self.extra, other.extra])
        both = zip(self.answered, other.answered, strict=True)
        return RankingSums(
            self.facts + other.facts,
            tuple((ours[0] + theirs[0], first_ids(ours[1], theirs[1])) for ours, theirs in both),
            tuple(map(add, self.metrics, other.metrics)),
            extra.take(sorted_rows(extra)[:1]),
            self.scores.merge(other.scores),
        )

    @classmethod
    def joined(cls, sums: Sequence[RankingSums]) -> RankingSums:
        """All together, in any order."""
        return reduce(add, sums)

    def to_table(self) -> pa.Table:
        """No more than sums, and the distinct grades of the truth."""
        facts = self.facts
        about: Json = {
            "sizes": facts.sizes,
            "totals": facts.totals,
            "irrelevant": facts.irrelevant,
            "stages": facts.stages,
            "fraction": None if facts.fraction is None else (facts.fraction[0], facts.fraction[1].hex()),
            "distinct": [[grade.hex() for grade in grades.tolist()] for grades in facts.distinct],
            "tally": facts.tally._asdict(),
            "top_grade": facts.top_grade.hex(),
            "lengths": facts.lengths,
            "answered": self.answered,
            "metrics": [
                asdict(replace(each, totals={})) | {"totals": {k: [*map(_written, t)] for k, t in each.totals.items()}}
                for each in self.metrics
            ],
            "scores": self.scores._asdict(),
        }
        return annotate(pa.table({"extra": id_array(self.extra)}), about)

    @classmethod
    def from_table(cls, table: pa.Table, plan: Plan) -> RankingSums:
        """What `to_table` wrote."""
        about = annotation(table, _FORM, "sums", {"scores": OLD_SCORES})
        alike = len(about["metrics"]) == len(plan.metrics) and len(about["answered"]) == len(plan.keys)
        columns = {*OF_JUDGEMENTS, *list_columns(plan.cutoffs)} - {"stage", "first_fraction"}
        alike = alike and about["totals"].keys() == columns
        for each, request in zip(about["metrics"], plan.metrics, strict=False):
            orders = {"", *ends_of(request.metric)} if about["sizes"][0] else set()
            alike = alike and each["totals"].keys() == orders and all(each["totals"].values())
        demand(alike, "sums are of other metrics", "合计属于其他指标")
        every, listed = about["sizes"]
        holds = listed <= every and all(count <= every for count, _ in about["answered"])
        holds = holds and all(len(each) == len(STAGES) for each in about["stages"])
        demand(holds, "sums do not fit together", "合计互不相符")
        none, some = (np.array([float.fromhex(grade) for grade in grades]) for grades in about["distinct"])
        demand(ASCENDING.holds(none) and ASCENDING.holds(some), "grades are not in order", "等级未按大小排列")
        fraction, answered = about["fraction"], tuple((count, tuple(names)) for count, names in about["answered"])
        facts = SummedFacts(
            tuple(about["sizes"]),
            {name: (pair[0], pair[1]) for name, pair in about["totals"].items()},
            tuple(about["irrelevant"]),
            tuple(about["stages"]),
            answered[0][1] if answered else (),
            None if fraction is None else (fraction[0], float.fromhex(fraction[1])),
            (none, some),
            Tally(**about["tally"]),
            float.fromhex(about["top_grade"]),
            tuple(about["lengths"]),
        )
        metrics = (
            MetricSums(
                each["count"],
                each["undefined"],
                each["apart"],
                {ties: tuple(map(_read, totals)) for ties, totals in each["totals"].items()},
            )
            for each in about["metrics"]
        )
        return cls(facts, answered, tuple(metrics), ids_in(table, "extra"), ScoreFacts(**about["scores"]))


def _written(total: Total) -> list[str | int]:
    return [format(total.units, "x"), total.count, total.largest.hex(), total.infinite.hex()]


def _read(row: Sequence[Any]) -> Total:
    return Total(int(row[0], 16), row[1], float.fromhex(row[2]), float.fromhex(row[3]))


class SummedViews(Views):
    """Views of queries of which nothing but sums is left."""

    def __init__(self, plan: Plan, sums: RankingSums) -> None:
        super().__init__(plan.policies)
        self._plan, self._sums = plan, sums

    def judged(self, policies: Policies) -> SummedFacts:
        answered, lacking = self._sums.answered[self._plan.keys.index(policies.row_policies)]
        facts = self._sums.facts
        return replace(facts, sizes=(facts.sizes[0], answered), lacking=lacking)

    def chosen(self, policies: Policies) -> SummedFacts:
        facts = self.judged(policies)
        return facts.of_answered() if policies.missing == "skip" else facts

    def view(self, policies: Policies, scope: str = "truth") -> RankingView:
        """Nothing but the top grade of the truth."""
        facts = self._sums.facts
        nothing = no_evidence(self._sums.extra, facts.tally, facts.top_grade)
        return nothing.view(ties=policies.ties, relevant=policies.relevant)

    def value(self, request: MetricRequest, policies: Policies) -> RankingValue:
        sums = self._sums.metrics[self._plan.metrics.index(request)]
        refuse_expected(request, policies)
        refuse_completed(request, policies)
        value = {ties: request.metric.combine(*totals) for ties, totals in sums.totals.items()}
        spread = TieSpread(sums.apart, value["worst"], value["best"], value.get("expected")) if sums.apart else None
        return RankingValue(
            name=request.name,
            id=request.id,
            metric=request.metric,
            policies=policies,
            value=value[""],
            column=refuse_single_queries,
            count=sums.count,
            resolved=request.metric.resolved(self.view(policies)),
            undefined=sums.undefined,
            weighted=False,
            spread=spread,
        )
