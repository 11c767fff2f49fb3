"""Every ranking metric against the naive oracles, on small random lists, and where a query is undefined."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import naive
import pytest
from cases import Query, evaluate, per_query, score
from hypothesis import given
from hypothesis import strategies as st

import pingce as pc

pytestmark = pytest.mark.filterwarnings("ignore")

K = 3
CATALOG = 50
Oracle = Callable[[Query, float, float], Fraction | float]


def counting(function: Callable[..., Fraction], *cut: int, **options: Any) -> Oracle:
    """A counting oracle as a function of the query, the grade that is relevant and the top grade."""
    return lambda query, relevant, top: function(query.grades, *cut, judged=query.judged, relevant=relevant, **options)


def shown(function: Callable[..., Fraction | int], *cut: int) -> Oracle:
    """An oracle that looks at the list alone."""
    return lambda query, relevant, top: function(query.grades, *cut, relevant=relevant)


def gaining(function: Callable[..., float], *cut: int, **options: Any) -> Oracle:
    """An oracle of the gains in the list."""
    return lambda query, relevant, top: function(query.grades, *cut, relevant=relevant, **options)


def normalised(*cut: int, **options: Any) -> Oracle:
    """NDCG; the largest grade of the qrels is the top."""
    return lambda query, relevant, top: naive.ndcg_at_k(
        query.grades, *cut, judged=query.judged, relevant=relevant, top=top, **options
    )


def topped(function: Callable[..., float], *cut: int, **options: Any) -> Oracle:
    """An oracle that needs the top grade."""
    return lambda query, relevant, top: function(query.grades, *cut, top=top, **options)


COUNTING: dict[str, Oracle] = {
    "precision": counting(naive.precision_at_k),
    "precision@3": counting(naive.precision_at_k, K),
    "precision(over=list)@3": counting(naive.precision_at_k, K, over="list"),
    "precision(over=min)@3": counting(naive.precision_at_k, K, over="min"),
    "recall": counting(naive.recall_at_k),
    "recall@3": counting(naive.recall_at_k, K),
    "recall(over=min)@3": counting(naive.recall_at_k, K, over="min"),
    "recall(over=list)@3": counting(naive.recall_at_k, K, over="list"),
    "f@3": counting(naive.f_at_k, K),
    "f(beta=2)@3": counting(naive.f_at_k, K, beta=2),
    "f(beta=2,squared=no)": counting(naive.f_at_k, beta=2, squared=False),
    "hit_rate@3": shown(naive.hit_rate_at_k, K),
    "hits@3": shown(naive.hits_at_k, K),
    "ap": counting(naive.average_precision_at_k),
    "ap@3": counting(naive.average_precision_at_k, K),
    "ap(norm=hits)@3": counting(naive.average_precision_at_k, K, norm="hits"),
    "ap(norm=min)@3": counting(naive.average_precision_at_k, K, norm="min"),
    "ap(norm=k)@3": counting(naive.average_precision_at_k, K, norm="k"),
    "ap(norm=list)@3": counting(naive.average_precision_at_k, K, norm="list"),
    "rr": counting(naive.reciprocal_rank_at_k),
    "rr@3": counting(naive.reciprocal_rank_at_k, K),
    "rr(of=all)": counting(naive.reciprocal_rank_at_k, of="all"),
    "rr(of=all)@3": counting(naive.reciprocal_rank_at_k, K, of="all"),
    "r_precision": counting(naive.r_precision),
    "iprec(recall=0.3)": counting(naive.interpolated_precision, recall="0.3"),
    "iprec(recall=0.7)": counting(naive.interpolated_precision, recall="0.7"),
    "iprec(recall=0.3,rounding=nearest)": counting(naive.interpolated_precision, recall="0.3", rounding="nearest"),
    "ap11": counting(naive.eleven_points),
    "ap11(rounding=nearest)": counting(naive.eleven_points, rounding="nearest"),
    "bpref": counting(naive.bpref),
    f"fallout(catalog={CATALOG})@3": counting(naive.fallout_at_k, K, catalog=CATALOG),
}

GAINING: dict[str, Oracle] = {
    "cg@3": gaining(naive.cg_at_k, K),
    "cg(gain=exp2)": gaining(naive.cg_at_k, gain="exp2"),
    "cg(gain=binary)@3": gaining(naive.cg_at_k, K, gain="binary"),
    "dcg@3": gaining(naive.dcg_at_k, K),
    "dcg(gain=linear,discount=zipf)": gaining(naive.dcg_at_k, gain="linear", discount="zipf"),
    "dcg(discount=jarvelin)@3": gaining(naive.dcg_at_k, K, discount="jarvelin"),
    "dcg(gain={1:1,2:3,3:10})@3": gaining(naive.dcg_at_k, K, gain={1: 1, 2: 3, 3: 10}),
    "dcg(gain_below=zero)@3": gaining(naive.dcg_at_k, K, gain_below="zero"),
    "rbp(p=0.8)": gaining(naive.rbp_at_k),
    "rbp(p=0.5)@3": gaining(naive.rbp_at_k, K, p=0.5),
    "rbp(p=0.9,gain=linear)": topped(naive.rbp_at_k, p=0.9, gain="linear"),
    "rbp(p=0.9,gain=exp2)@3": topped(naive.rbp_at_k, K, p=0.9, gain="exp2"),
    "err@3": topped(naive.err_at_k, K),
    "err(max=5)": lambda query, relevant, top: naive.err_at_k(query.grades, top=5),
}

NORMALISED: dict[str, Oracle] = {
    "ndcg": normalised(),
    "ndcg@3": normalised(K),
    "ndcg(gain=linear)@3": normalised(K, gain="linear"),
    "ndcg(gain=binary)@3": normalised(K, gain="binary"),
    "ndcg(gain={1:1,2:3,3:10})@3": normalised(K, gain={1: 1, 2: 3, 3: 10}),
    "ndcg(gain_below=zero)@3": normalised(K, gain_below="zero"),
    "ndcg(discount=zipf)@3": normalised(K, discount="zipf"),
    "ndcg(discount=jarvelin)": normalised(discount="jarvelin"),
    "ndcg(ideal=uncut)@3": normalised(K, ideal="uncut"),
    "ndcg(ideal=list)@3": normalised(K, ideal="list"),
    "ndcg(ideal=list_uncut)@3": normalised(K, ideal="list_uncut"),
    "ndcg(ideal=topk)@3": normalised(K, ideal="topk"),
    "ndcg(discount=jarvelin,ideal=full)@5": normalised(5, discount="jarvelin", ideal="full"),
    "ndcg(gain=binary,ideal=full)@5": normalised(5, gain="binary", ideal="full"),
}

ALL = COUNTING | GAINING | NORMALISED


def expected(metric: str, query: Query, relevant: float, top: float) -> float | None:
    """The value by the oracle; None where the metric is undefined."""
    if metric not in NORMALISED and naive.total_relevant(query.judged, relevant=relevant) == 0:
        return None
    try:
        return float(ALL[metric](query, relevant, top))
    except ZeroDivisionError:
        return None


grades = st.sampled_from([None, -1, 0, 1, 2, 3])
queries = st.builds(
    Query,
    st.lists(grades, min_size=1, max_size=8).map(tuple),
    st.lists(st.sampled_from([-1, 0, 1, 2, 3]), max_size=4).map(tuple),
)
# The first list keeps the top grade of the qrels above 0, and leaves something defined in every draw.
lists = st.lists(queries.filter(lambda query: len(query.judged) > 0), max_size=4).map(
    lambda drawn: [Query((0, 2, None, 1), (3,)), *drawn]
)


@pytest.mark.sweep
@given(lists=lists, relevant=st.sampled_from([1, 2]))
def test_every_metric_is_its_definition(lists: list[Query], relevant: int) -> None:
    """Each query of each metric, and the mean over the queries in which it is defined."""
    scores = evaluate(lists, list(ALL), relevant=relevant)
    top = max(grade for query in lists for grade in query.judged)
    for metric in ALL:
        values = [expected(metric, query, relevant, top) for query in lists]
        assert per_query(scores, metric) == [value if value is None else near(value) for value in values], metric
        assert scores[metric] == near(mean_of(values)), metric


def near(value: float) -> Any:
    """Equal but for the order of a few additions."""
    return pytest.approx(value, rel=1e-13, abs=0)


def mean_of(values: Sequence[float | None]) -> float:
    """The mean over the queries that have a value."""
    defined = [value for value in values if value is not None]
    return math.fsum(defined) / len(defined)


BARREN = [Query((0, None, 0), (0,)), Query((1, 0, 2), (3, 1))]


@pytest.mark.parametrize("metric", [metric for metric in ALL if "ideal=full" not in metric])
def test_undefined_queries(metric: str) -> None:
    """A query without relevant items is left out, or counts 0 or 1, as the policy says."""
    value = expected(metric, BARREN[1], 1, 3)
    assert value is not None
    assert per_query(evaluate(BARREN, [metric]), metric) == [None, near(value)]
    assert score(metric, BARREN) == near(value)
    assert score(metric, BARREN, undefined="zero") == near(value / 2)
    assert score(metric, BARREN, undefined="one") == near((1 + value) / 2)
    with pytest.raises(pc.InputError):
        score(metric, BARREN, undefined="error")


def test_the_full_ideal_is_never_zero() -> None:
    """Measured against the top grade at every rank, a query with nothing to find scores 0 and is defined."""
    assert per_query(evaluate(BARREN, ["ndcg(ideal=full)@3"]), "ndcg(ideal=full)@3")[0] == 0


@given(lists=lists, relevant=st.sampled_from([1, 2]))
def test_what_is_not_a_mean(lists: list[Query], relevant: int) -> None:
    """Sums over queries, shares of sums, F of the means, and the geometric mean."""
    metrics = ["num_q", "num_ret", "num_rel", "num_rel_ret", "judged@3", "hit_rate(mode=micro)@3", "f(of=means)@3"]
    scores = evaluate(lists, [*metrics, "gm_ap"], relevant=relevant)
    found = [naive.total_relevant(query.judged, relevant=relevant) for query in lists]
    assert scores["num_q"] == len(lists)
    assert scores["num_ret"] == sum(len(query.grades) for query in lists)
    assert scores["num_rel"] == sum(found)
    assert scores["num_rel_ret"] == sum(naive.hits_at_k(query.grades, None, relevant) for query in lists)
    assert scores["judged@3"] == near(float(naive.mean([naive.judged_at_k(query.grades, K) for query in lists])))
    hits = sum(naive.hits_at_k(query.grades, K, relevant) for query in lists)
    assert scores["hit_rate(mode=micro)@3"] == near(hits / sum(found))
    defined = [query for query, total in zip(lists, found, strict=True) if total]
    precision, recall = (mean_over(defined, f"{name}@3", relevant) for name in ("precision", "recall"))
    assert scores["f(of=means)@3"] == near(float(naive.f_of(precision, recall)))
    values = [float(ALL["ap"](query, relevant, 3)) for query in defined]
    assert scores["gm_ap"] == near(naive.geometric_mean(values))


def mean_over(lists: Sequence[Query], metric: str, relevant: float) -> Fraction:
    """The exact mean of a counting metric."""
    return naive.mean([Fraction(ALL[metric](query, relevant, 3)) for query in lists])


def test_a_grade_missing_from_the_gain_table_is_an_error() -> None:
    """Grade 3 has no entry; grade 0 needs none."""
    assert score("ndcg(gain={1:1,2:3})@5", [Query((2, 1, 0))]) == 1
    with pytest.raises(pc.InputError):
        score("ndcg(gain={1:1,2:3})@5", [Query((2, 3, 1))])


@pytest.mark.parametrize("metric", ["ap(norm=hits)@3", "precision@3", "ndcg@3", "rr@3", "recall(over=list)@3"])
def test_relevant_items_but_no_hit_is_zero(metric: str) -> None:
    """Something was there to find and nothing was found: 0, not undefined."""
    assert score(metric, [Query((0, 0, 0, 0), (2,))]) == 0


@pytest.mark.parametrize(("policy", "value"), [("zero", 0.5), ("skip", 1.0)])
def test_missing_queries(policy: str, value: float) -> None:
    """A judged query that the run does not answer counts 0, or is left out, or is an error."""
    qrels, run = {"a": {"x": 1}, "b": {"y": 1}}, {"a": {"x": 1.0}}
    assert pc.evaluate_ranking(qrels, run, ["ap"], missing=policy)["ap"] == value  # type: ignore[arg-type]
    with pytest.raises(pc.InputError):
        pc.evaluate_ranking(qrels, run, ["ap"], missing="error")


@pytest.mark.parametrize("relevant", [1, 2])
def test_judged_only_drops_negative_grades_too(relevant: int) -> None:
    """A negative grade means pooled but not judged: with judged_only the item goes, as an unjudged one does."""
    ranked, condensed = Query((None, -1, 0, None, 2, 1), (1,)), Query((0, 2, 1), (1,))
    for metric in ("ap", "precision@3", "ndcg@3", "bpref", "num_ret"):
        value = score(metric, [ranked], judged_only="yes", relevant=relevant)
        assert value == score(metric, [condensed], relevant=relevant), metric
