"""Quantiles over queries: as a metric, and out of scores."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pingce as pc
from pingce.evidence.policies import Policies
from pingce.metrics.averages import quantile_of
from pingce.metrics.grammar import parse_metric

QRELS = {f"q{i:02}": {"a": 1} for i in range(20)}
RUN = {query: [*(f"x{j}" for j in range(at % 7)), "a"] for at, query in enumerate(QRELS)}


@given(st.lists(st.integers(0, 6), min_size=1, max_size=30), st.sampled_from([0.1, 0.25, 0.3, 0.5, 0.7, 0.9]))
def test_a_quantile_is_that_of_the_definition_and_of_numpy(values: list[int], level: float) -> None:
    found = quantile_of(np.array(values, float), level, Policies())
    assert found == parse_metric(f"quantile(of=rr,q={level})").metric.define([float(value) for value in values])
    if len(values) * level % 1 > 0.01:  # NumPy does not know that 0.7 of 10 are 7
        assert found == np.quantile(values, level, method="averaged_inverted_cdf")


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3)), min_size=1, max_size=20))
def test_weight_two_is_the_query_twice(pairs: list[tuple[int, int]]) -> None:
    values, weights = (np.array(side, float) for side in zip(*pairs, strict=True))
    twice = np.repeat(values, weights.astype(int))
    found, wanted = quantile_of(values, 0.3, Policies(), weights), quantile_of(twice, 0.3, Policies())
    assert found == wanted or (np.isnan(found) and not len(twice))


def test_scores_have_quantiles() -> None:
    scores = pc.evaluate_ranking(QRELS, RUN, ["mrr", "median(of=rr)", "quantile(of=rr,q=0.1)"], ci=0.9)
    assert scores.quantiles("mrr", [0.1, 0.5]) == {0.1: scores["quantile(of=rr,q=0.1)"], 0.5: scores["median(of=rr)"]}
    low, high = scores.interval("median(of=rr)") or (np.nan, np.nan)
    assert low <= scores["median(of=rr)"] <= high
    assert list(scores.per_query.column_names) == ["query", "mrr"]
    with pytest.raises(pc.InputError, match="no share of the queries"):
        scores.quantiles("mrr", [1.5])


def test_weighted_queries_have_weighted_quantiles() -> None:
    weights = dict.fromkeys(QRELS, 1.0) | {"q00": 50.0}
    scores = pc.evaluate_ranking(QRELS, RUN, ["mrr", "median(of=mrr)"], query_weight=weights)
    assert scores["median(of=mrr)"] == 1
    with pytest.raises(pc.InputError, match="queries are weighted"):
        scores.quantiles("mrr")


def test_a_quantile_is_explained() -> None:
    told = pc.explain("quantile(of=rr,q=0.3)", QRELS, RUN)
    assert told.value == pc.evaluate_ranking(QRELS, RUN, ["quantile(of=rr,q=0.3)"])["quantile(of=rr,q=0.3)"]


def test_a_quantile_without_an_interval_says_why() -> None:
    truth = {f"q{at}": {"a": 1} for at in range(6)}
    mixed = {query: ["a", "b"] if at % 2 else ["b", "a"] for at, query in enumerate(truth)}
    for run, name, words in (
        (mixed, "quantile(of=mrr,q=0.9)", "too few queries lie beyond such a quantile"),
        ({query: ["a"] for query in truth}, "quantile(of=mrr)", "queries drawn anew always give the same value"),
    ):
        scores = pc.evaluate_ranking(truth, run, [name], ci=0.95)
        assert scores.interval(name) is None
        assert any(note.en.startswith(f"{name} has no confidence interval: {words}") for note in scores.notes)


@pytest.mark.parametrize(
    ("metric", "words"),
    [
        ("entropy@2", "entropy@2 is one value of the whole run, and no query has one"),
        ("gm_ap", "gm_ap is no mean of values of queries"),
        ("hit_rate(mode=micro)@1", "is no mean of values of queries"),
    ],
)
def test_a_quantile_needs_values_of_queries(metric: str, words: str) -> None:
    with pytest.raises(pc.InputError, match=words):
        parse_metric(f"quantile(of={metric})")
    with pytest.raises(pc.InputError, match=words):
        pc.evaluate_ranking(QRELS, RUN, [metric]).quantiles(metric)


@pytest.mark.parametrize("metric", ["median_rank", "num_ret", "ndcg@3"])
def test_a_quantile_is_of_counts_and_ranks_too(metric: str) -> None:
    name = f"quantile(of={metric})"
    assert pc.evaluate_ranking(QRELS, RUN, [name])[name] >= 0


def test_readings_stand_where_they_were_asked_for() -> None:
    names = ["median(of=ap)", "mrr", "quantile(of=rr,q=0.1)", "ndcg@3"]
    scores = pc.evaluate_ranking(QRELS, RUN, names)
    assert list(scores) == ["ap", *names]
    travelled = pc.RankingEvaluator.from_bytes(pc.RankingEvaluator(QRELS, names).update(RUN).to_bytes())
    assert list(pc.RankingEvaluator(QRELS, names).merge(travelled).compute()) == ["ap", *names]
    names = ["mrr", "median(of=rr)", "exposure@3", "ndcg@3"]
    scores = pc.evaluate_ranking(QRELS, RUN, names, items={"item": ["a"], "group": ["x"]})
    assert list(scores) == ["mrr", "median(of=rr)", "exposure(group=x)@3", "ndcg@3"]


@pytest.mark.parametrize(
    ("ranks", "reason"),
    [([1], "it needs at least two queries with a value"), ([1, 2], "too few queries lie beyond such a quantile")],
)
def test_why_a_median_has_no_interval(ranks: list[int], reason: str) -> None:
    truth = {place: {"a": 1} for place in range(len(ranks))}
    run = {place: [*"xyz"[: rank - 1], "a"] for place, rank in enumerate(ranks)}
    scores = pc.evaluate_ranking(truth, run, ["median(of=rr)"], ci=0.9)
    assert scores.interval("median(of=rr)") is None
    assert scores.notes[-1].en.startswith(f"median(of=rr) has no confidence interval: {reason}")
