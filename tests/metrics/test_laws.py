"""Laws that hold for all metrics, whatever the data."""

from __future__ import annotations

import itertools
import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drawn import ALL, OF_EACH_QUERY, SOME, Case, cases, without_ties
from pingce.evidence.policies import Policies
from pingce.evidence.ranking.compute import ranking_evidence
from pingce.evidence.ranking.evidence import RankingEvidence
from pingce.inputs import read_run, read_truth
from pingce.metrics.declared import registry
from pingce.metrics.grammar import parse_metrics
from pingce.metrics.ranking import RankingMetric
from pingce.run.rankings import score_evidence

KNOWN = [metric for metric in ALL if metric.knows_expected()]
SOME_KNOWN = st.lists(st.sampled_from(KNOWN), min_size=12, max_size=12, unique=True)
Metrics = list[RankingMetric]
SET_METRICS = ("precision", "recall", "f", "hits", "hit_rate", "cg")
GROWING = ("recall", "hits", "hit_rate", "rr", "cg", "dcg")


def shuffled(case: Case, seed: int) -> Case:
    rng = random.Random(seed)

    def mix(table: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
        return {
            query: dict(rng.sample(sorted(table[query].items()), len(table[query])))
            for query in rng.sample(sorted(table), len(table))
        }

    return Case(mix(case.truth), mix(case.run))


@given(
    case=cases(), metrics=SOME, seed=st.integers(0, 99), ties=st.sampled_from(["id", "id_ascending", "best", "worst"])
)
def test_row_order_never_matters(case: Case, metrics: Metrics, seed: int, ties: str) -> None:
    given_order, other_order = (one.evaluate(metrics, ties=ties) for one in (case, shuffled(case, seed)))
    assert given_order.to_json(per_query=True) == other_order.to_json(per_query=True)


@given(case=without_ties(cases()), metrics=SOME)
def test_renaming_ids_changes_nothing_without_ties(case: Case, metrics: Metrics) -> None:
    def renamed(table: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
        return {query: {item[::-1] + "x": value for item, value in rows.items()} for query, rows in table.items()}

    other = Case(renamed(case.truth), renamed(case.run))
    assert case.evaluate(metrics).to_json() == other.evaluate(metrics).to_json()


@pytest.mark.sweep
@given(case=cases(), metrics=SOME)
def test_an_increasing_function_of_the_scores_changes_nothing(case: Case, metrics: Metrics) -> None:
    assert {metric.uses for metric in ALL} == {"order"}
    grown = {query: {item: math.exp(score) - 7 for item, score in rows.items()} for query, rows in case.run.items()}
    assert case.evaluate(metrics).to_json() == Case(case.truth, grown).evaluate(metrics).to_json()


@pytest.mark.sweep
@given(case=cases(), metrics=OF_EACH_QUERY, data=st.data())
def test_splitting_and_merging_changes_no_bit(case: Case, metrics: Metrics, data: st.DataObject) -> None:
    truth = read_truth(case.truth)
    judged = sorted(query for query in case.run if query in case.truth)
    first = data.draw(st.sets(st.sampled_from(judged), min_size=1, max_size=len(judged)))
    pieces = [{query: case.run[query] for query in sorted(some)} for some in (first, set(case.run) - first)]
    evidence = [ranking_evidence(truth, read_run(piece)) for piece in pieces if piece.keys() & case.truth.keys()]
    whole = ranking_evidence(
        truth, read_run({query: rows for piece in pieces[: len(evidence)] for query, rows in piece.items()})
    )
    one, other = evidence[0], evidence[-1]
    if len(evidence) == 2:
        one, other = evidence[0].merge(evidence[1]), evidence[1].merge(evidence[0])
    assert scored(one, metrics) == scored(other, metrics) == scored(whole, metrics)


def scored(evidence: RankingEvidence, metrics: Metrics) -> str:
    return score_evidence(Policies(), parse_metrics(metrics), lambda _: evidence).to_json(per_query=True)


@given(case=cases(), metrics=SOME)
def test_values_lie_in_their_range(case: Case, metrics: Metrics) -> None:
    scores = case.evaluate(metrics)
    for metric in metrics:
        low, _, high = registry()[metric.name].about.range.partition(" … ")
        most = {"∞": math.inf, "k": metric.k or math.inf}.get(high) or float(high)
        if getattr(metric, "gain", None) == "grade":  # ranx's, which says so itself
            most = math.inf
        column = [value for value in scores.per_query.column(metric.id).to_pylist() if value is not None]
        least = float(low.replace("−", "-").replace("∞", "inf"))
        assert all(least <= value <= most + 1e-12 for value in column), metric.id


@given(case=without_ties(cases()), k=st.integers(1, 6), seed=st.integers(0, 99))
def test_order_within_the_top_k_does_not_matter_to_set_metrics(case: Case, k: int, seed: int) -> None:
    rng = random.Random(seed)
    moved = {}
    for query, rows in case.run.items():
        top = sorted(rows, key=lambda item: -rows[item])[:k]
        scores = rng.sample([rows[item] for item in top], len(top))
        moved[query] = rows | dict(zip(top, scores, strict=True))
    before, after = (
        Case(case.truth, run).evaluate([f"{name}@{k}" for name in SET_METRICS]) for run in (case.run, moved)
    )
    assert dict(before) == pytest.approx(dict(after), nan_ok=True)


@pytest.mark.sweep
@given(case=cases())
def test_a_larger_k_never_lowers(case: Case) -> None:
    table = case.evaluate([f"{name}@{k}" for name in GROWING for k in range(1, 14)]).per_query.to_pydict()
    for name in GROWING:
        for values in zip(*(table[f"{name}@{k}"] for k in range(1, 14)), strict=True):
            assert all(a is None or a <= b + 1e-15 for a, b in itertools.pairwise(values)), name


@given(case=cases())
def test_a_perfect_ranking_reaches_the_maximum(case: Case) -> None:
    perfect = {query: {item: grade for item, grade in rows.items() if grade > 0} for query, rows in case.truth.items()}
    answered = {query: rows for query, rows in perfect.items() if rows}
    if not answered:
        return
    names = [
        "ndcg",
        "ndcg@3",
        "ap",
        "rr",
        "r_precision",
        "recall",
        "bpref",
        "hit_rate@1",
        "precision",
        "ap(norm=min)@3",
    ]
    scores = Case(case.truth, answered).evaluate([*names, "ap11", "precision(over=min)@3", "recall(over=min)@3"])
    assert list(scores.values()) == pytest.approx([1.0] * len(scores))


@given(case=cases(), metrics=SOME_KNOWN)
def test_best_is_at_least_every_order_and_worst_at_most(case: Case, metrics: Metrics) -> None:
    """Not for ap(norm=hits)@k and rr(of=hits)@k, means over the hits shown: a relevant item that falls below k leaves the mean, too.

    1.0 for d7 above a tie of d0, d1, d2 at k = 3 if d0 comes first or last of the three, 5/6 if it comes second.
    """
    metrics = [m for m in metrics if m.about.higher_is_better and not isinstance(getattr(m, "gain", ""), tuple)]
    metrics = [m for m in metrics if "hits" not in (getattr(m, "norm", ""), getattr(m, "of", "")) or m.k is None]
    if not metrics:
        return
    low, mid, high = (case.evaluate(metrics, ties=ties) for ties in ("worst", "expected", "best"))
    for metric in metrics:
        a, b, c = low[metric.id], mid[metric.id], high[metric.id]
        assert math.isnan(a) or (a <= b + 1e-12 and b <= c + 1e-12), metric.id


@pytest.mark.sweep
@given(case=without_ties(cases()), metrics=SOME_KNOWN)
def test_without_ties_all_policies_agree(case: Case, metrics: Metrics) -> None:
    wanted = dict(case.evaluate(metrics, ties="id"))
    for ties in ("id_ascending", "order", "worst", "best"):
        assert dict(case.evaluate(metrics, ties=ties)) == pytest.approx(wanted, nan_ok=True, rel=0, abs=0)
    assert dict(case.evaluate(metrics, ties="expected")) == pytest.approx(wanted, nan_ok=True, rel=1e-13)
