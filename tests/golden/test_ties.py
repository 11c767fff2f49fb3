"""Equal scores: the expectation over all orders by brute force, and the best and the worst order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import naive
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pingce as pc

pytestmark = pytest.mark.filterwarnings("ignore")

Order = list[naive.Grade]
Metric = Callable[[Order, list[float]], Fraction | float]
Row = tuple[int, naive.Grade]

K = 3


def counting(function: Callable[..., Fraction], *cut: int, **options: Any) -> Metric:
    """A counting oracle as a function of the order and of the judged grades."""
    return lambda order, judged: function(order, *cut, judged=judged, **options)


def normalised(**options: Any) -> Metric:
    """NDCG at K."""
    return lambda order, judged: naive.ndcg_at_k(order, K, judged=judged, top=max(judged), **options)


CLOSED_FORMS: dict[str, Metric] = {
    "precision@3": counting(naive.precision_at_k, K),
    "precision(over=list)@3": counting(naive.precision_at_k, K, over="list"),
    "recall@3": counting(naive.recall_at_k, K),
    "recall(over=min)@3": counting(naive.recall_at_k, K, over="min"),
    "f@3": counting(naive.f_at_k, K),
    "f(beta=2)@3": counting(naive.f_at_k, K, beta=2),
    "hits@3": lambda order, judged: Fraction(naive.hits_at_k(order, K)),
    "hit_rate@3": lambda order, judged: naive.hit_rate_at_k(order, K),
    "rr": counting(naive.reciprocal_rank_at_k),
    "rr@3": counting(naive.reciprocal_rank_at_k, K),
    "rr(of=all)@3": counting(naive.reciprocal_rank_at_k, K, of="all"),
    "rr(of=hits)": counting(naive.reciprocal_rank_at_k, of="hits"),
    "rr(of=hits)@3": counting(naive.reciprocal_rank_at_k, K, of="hits"),
    "ap": counting(naive.average_precision_at_k),
    "ap@3": counting(naive.average_precision_at_k, K),
    "ap(norm=hits)@3": counting(naive.average_precision_at_k, K, norm="hits"),
    "ap(norm=min)@3": counting(naive.average_precision_at_k, K, norm="min"),
    "ap(norm=k)@3": counting(naive.average_precision_at_k, K, norm="k"),
    "ap(norm=list)@3": counting(naive.average_precision_at_k, K, norm="list"),
    "ap(norm=depths)@3": lambda order, judged: (
        sum(Fraction(naive.hits_at_k(order, depth), depth) for depth in range(1, K + 1)) / K
    ),
    "r_precision": counting(naive.r_precision),
    "fallout(catalog=50)@3": counting(naive.fallout_at_k, K, catalog=50),
    "judged@3": lambda order, judged: naive.judged_at_k(order, K),
    "cg@3": lambda order, judged: naive.cg_at_k(order, K),
    "dcg@3": lambda order, judged: naive.dcg_at_k(order, K),
    "dcg(gain=linear,discount=jarvelin)@3": lambda order, judged: naive.dcg_at_k(
        order, K, gain="linear", discount="jarvelin"
    ),
    "ndcg": lambda order, judged: naive.ndcg_at_k(order, judged=judged),
    "ndcg@3": normalised(),
    "ndcg(ideal=uncut)@3": normalised(ideal="uncut"),
    "ndcg(ideal=full)@3": normalised(ideal="full"),
    "ndcg(gain=linear,discount=zipf)@3": normalised(gain="linear", discount="zipf"),
    "rbp(p=0.8)@3": lambda order, judged: naive.rbp_at_k(order, K),
    "rbp(p=0.5,gain=linear)": lambda order, judged: naive.rbp_at_k(order, p=0.5, gain="linear", top=max(judged)),
}

rows = st.tuples(st.integers(1, 3), st.sampled_from([None, -1, 0, 0, 1, 1, 2]))
ranked = st.lists(rows, min_size=1, max_size=6)
unreturned = st.lists(st.sampled_from([0, 1, 2]), max_size=2).map(lambda drawn: [1, *drawn])


def as_input(rows: Sequence[Row], missing: Sequence[float]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Qrels and run of one query with these scores and grades."""
    qrels = {f"d{n}": grade for n, (_, grade) in enumerate(rows) if grade is not None}
    qrels |= {f"m{n}": grade for n, grade in enumerate(missing)}
    return {"q": qrels}, {"q": {f"d{n}": score for n, (score, _) in enumerate(rows)}}


def judged_grades(rows: Sequence[Row], missing: Sequence[float]) -> list[float]:
    """The grades of all judged items."""
    return naive.known(grade for _, grade in rows) + list(missing)


def expectation(blocks: list[Order], oracle: Metric, judged: list[float]) -> float:
    """The mean of a metric over all orders."""
    return naive.brute_force_expected(blocks, lambda order: float(oracle(order, judged)))


@pytest.mark.sweep
@given(rows=ranked, missing=unreturned)
def test_expected_is_the_mean_over_all_orders(rows: list[Row], missing: list[float]) -> None:
    """Every closed form against brute force."""
    scores = pc.evaluate_ranking(*as_input(rows, missing), list(CLOSED_FORMS), ties="expected")
    blocks, judged = naive.tied_blocks(rows), judged_grades(rows, missing)
    for metric, oracle in CLOSED_FORMS.items():
        value = expectation(blocks, oracle, judged)
        assert scores[metric] == pytest.approx(value, rel=1e-12, abs=1e-15), metric


@pytest.mark.parametrize("metric", ["rr(of=hits)", "rr(of=hits)@3", "ap(norm=hits)@3"])
def test_means_over_hits_of_tied_lists(metric: str) -> None:
    """One list of which no block is simple: a hit above, a block that k cuts, hits below."""
    rows: list[Row] = [(3, 1), (2, 1), (2, 0), (2, None), (2, 2), (1, 0), (1, 1)]
    value = expectation(naive.tied_blocks(rows), CLOSED_FORMS[metric], judged_grades(rows, [1]))
    assert pc.evaluate_ranking(*as_input(rows, [1]), [metric], ties="expected")[metric] == pytest.approx(
        value, rel=1e-12
    )


def gains_something(rows: Sequence[Row]) -> bool:
    """Some returned item has a gain, so that an ideal taken from the list is not 0."""
    return any(naive.is_relevant(grade) for _, grade in rows)


@given(rows=ranked.filter(gains_something), missing=unreturned)
def test_expected_ndcg_with_the_ideal_of_the_list(rows: list[Row], missing: list[float]) -> None:
    """The ideal list holds the same items in every order."""
    scores = pc.evaluate_ranking(*as_input(rows, missing), ["ndcg(ideal=list)@3"], ties="expected")
    value = expectation(naive.tied_blocks(rows), normalised(ideal="list"), judged_grades(rows, missing))
    assert scores["ndcg(ideal=list)@3"] == pytest.approx(value, rel=1e-12, abs=0)


MONOTONE = ["precision@3", "recall@3", "hit_rate@3", "rr", "ap", "ap@3", "r_precision", "dcg@3", "ndcg", "ndcg@3"]


@given(rows=ranked, missing=unreturned)
def test_best_and_worst_bound_every_order(rows: list[Row], missing: list[float]) -> None:
    """Highest grade first is the best there is, lowest first the worst, for metrics that like good items early."""
    data, judged = as_input(rows, missing), judged_grades(rows, missing)
    best, worst = (pc.evaluate_ranking(*data, MONOTONE, ties=ties) for ties in ("best", "worst"))
    orders = naive.all_orders(naive.tied_blocks(rows))
    for metric in MONOTONE:
        values = [float(CLOSED_FORMS[metric](order, judged)) for order in orders]
        assert best[metric] == pytest.approx(max(values), rel=1e-13, abs=0), metric
        assert worst[metric] == pytest.approx(min(values), rel=1e-13, abs=0), metric


@pytest.mark.parametrize("metric", ["bpref", "err(max=2)@3", "iprec(recall=0.5)", "ap11", "ndcg(ideal=topk)@3"])
def test_metrics_without_a_closed_form_refuse(metric: str) -> None:
    """No approximation in silence: a metric that has no expectation says so."""
    rows: list[Row] = [(1, 1), (1, 0), (1, 2)]
    with pytest.raises(pc.InputError, match=r"\w+ \w+"):
        pc.evaluate_ranking(*as_input(rows, [1]), [metric], ties="expected")


@pytest.mark.parametrize(
    ("ties", "value"),
    [("id", Fraction(1, 3)), ("id_ascending", Fraction(1)), ("order", Fraction(1, 2)), ("expected", Fraction(11, 18))],
)
def test_integer_ids_are_ordered_by_value(ties: str, value: Fraction) -> None:
    """As a number 9 comes before 10 and 100, as a string after both."""
    run = {"q": {100: 1.0, 9: 1.0, 10: 1.0}}
    score = pc.evaluate_ranking({"q": {9: 1}}, run, ["rr"], ties=ties)["rr"]  # type: ignore[arg-type]
    assert score == pytest.approx(float(value), rel=1e-15, abs=0)
