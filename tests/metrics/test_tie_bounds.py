"""What is said about ties is true of every order of the tied items, and every query whose value can change is counted."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pingce as pc
from drawn import ALL, Case, at_least, cases
from pingce.metrics.grammar import parse_metric
from pingce.metrics.ranking import RankedList, RankingMetric

pytestmark = pytest.mark.filterwarnings("ignore")
ORDERED = [metric for metric in ALL if not (metric.counts or metric.of_items)]
"What looks at items beside the truth has no ends of ties."
TURNED = [metric for metric in ORDERED if not metric.is_bounded_by_grades()]


def orders(case: Case, query: str) -> Iterator[RankedList]:
    """The list of a query in every order of its tied items."""
    truth, run = case.truth[query], case.run.get(query, {})
    blocks = [[item for item in run if run[item] == score] for score in sorted(set(run.values()), reverse=True)]
    for arranged in itertools.product(*(itertools.permutations(block) for block in blocks)):
        items = [item for block in arranged for item in block]
        grades, anywhere = tuple(truth.get(item) for item in items), case.judged_anywhere(items)
        yield RankedList(grades, tuple(truth.values()), 1, case.top_grade(), judged_anywhere=anywhere)


def values_of(metric: RankingMetric, case: Case, query: str) -> list[float]:
    return [metric.define(ranked) for ranked in orders(case, query)]


def assert_ends(case: Case, metrics: list[RankingMetric]) -> None:
    scores = case.evaluate(metrics)
    ends = [case.evaluate(metrics, ties=ties).per_query for ties in ("worst", "best")]
    for metric in metrics:
        varied = 0
        for query in scores.queries:
            found = [value for value in values_of(metric, case, str(query)) if not math.isnan(value)]
            varied += bool(found) and max(found) - min(found) > 1e-9
            if metric.is_bounded_by_grades() and found:
                place = scores.queries.index(query)  # type: ignore[arg-type]
                low, high = sorted(table.column(metric.id)[place].as_py() for table in ends)
                assert math.isclose(low, min(found), abs_tol=1e-12)
                assert math.isclose(high, max(found), abs_tol=1e-12)
        counted = scores.counts["ties"].get(metric.id, {"queries": 0})["queries"]
        assert counted >= varied, metric.id
        assert counted == varied or not metric.is_bounded_by_grades(), metric.id


@pytest.mark.sweep
@at_least(60)
@given(case=cases(most=5), metrics=st.lists(st.sampled_from(ORDERED), min_size=8, max_size=8, unique=True))
def test_every_order_lies_between_the_ends(case: Case, metrics: list[RankingMetric]) -> None:
    assert_ends(case, metrics)


@pytest.mark.sweep
def test_the_ends_of_every_metric() -> None:
    """Each kind of item beside each other kind, and three of them."""
    grades = {"a": 3.0, "b": 1.0, "c": 0.0, "d": -1.0}
    tied = [*itertools.combinations("abcdx", 2), *itertools.combinations("abcdx", 3)]
    assert_ends(
        Case({"".join(items): grades for items in tied}, {"".join(items): dict.fromkeys(items, 1.0) for items in tied}),
        ORDERED,
    )


def test_what_is_not_bounded() -> None:
    assert {metric.name for metric in TURNED if not metric.of_subtopics} == {
        *("ap", "cg", "compat", "dcg", "g", "inf_ap", "ndcg", "ndcg_rel", "precision", "r_ndcg", "rbp", "rr"),
        *("bpm", "insq", "inst", "list_auc", "nerr"),
    }
    assert parse_metric("ap(norm=hits)@3").metric.is_bounded_by_grades() is False
    assert parse_metric("ap(norm=hits)").metric.is_bounded_by_grades()
    assert parse_metric("dcg(gain={1:1,2:3})@3").metric.is_bounded_by_grades()
    assert parse_metric("rbp(gain=grade)").metric.is_bounded_by_grades()


TRUTH = {"q": {"a": 1, "b": 1, "c": 0}}
RUN = {"q": {"a": 2.0, "b": 1.0, "c": 1.0, "d": 1.0}}


def test_a_mean_over_hits_whose_ends_agree() -> None:
    scores = pc.evaluate_ranking(TRUTH, RUN, "ap(norm=hits)@3")
    assert scores["ap(norm=hits)@3"] == 1.0
    assert scores.counts["ties"]["ap(norm=hits)@3"] == {"queries": 1, "worst": 1.0, "best": 1.0}
    (warning,) = scores.warnings
    assert "is 1 with the lowest grades first among equals and 1 with the highest first" in warning.en
    assert "0.944444 on average over all orders; other orders may lie outside" in warning.en
    assert "所有顺序平均为 0.944444；其他顺序可能在此之外" in warning.zh
    assert "lies between" not in pc.explain("ap(norm=hits)@3", TRUTH, RUN, query="q").to_markdown()
    assert "on average over all orders" in pc.explain("ap(norm=hits)@3", TRUTH, RUN, query="q").to_markdown()


def test_less_is_better_and_the_smaller_end_comes_first() -> None:
    metric = "fallout(catalog=10)@2"
    scores = pc.evaluate_ranking(TRUTH, RUN, metric)
    assert scores.counts["ties"][metric] == {"queries": 1, "worst": 0.125, "best": 0.0}
    assert f"{metric} lies between 0 and 0.125 by their order" in scores.warnings[-1].en
    assert "lies between 0 and 0.125" in pc.explain(metric, TRUTH, RUN, query="q").to_markdown()


@pytest.mark.parametrize("metric", ["ndcg(ideal=topk)@2", "dcg(gain={1:5,2:1})@2", "rbp(gain={1:1,2:0})@2"])
def test_an_order_of_grades_that_is_not_that_of_values(metric: str) -> None:
    truth, run = {"q": {"a": 2, "b": 1, "c": 1}}, {"q": {"a": 1.0, "b": 1.0, "c": 1.0, "d": 1.0}}
    scores = pc.evaluate_ranking(truth, run, metric)
    assert scores.counts["ties"][metric]["queries"] == 1
    assert "lies between" not in scores.warnings[-1].en
    assert "other orders may lie outside" in scores.warnings[-1].en


@pytest.mark.parametrize(("catalog", "right"), [(3, False), (4, False), (5, True)])
def test_a_catalogue_holds_what_was_judged_or_shown(catalog: int, right: bool) -> None:
    truth, run = {"q": {"a": 1, "b": 1}}, {"q": {"x": 3.0, "y": 2.0, "z": 1.0}}
    metric = f"fallout(catalog={catalog})@3"
    if right:
        assert pc.evaluate_ranking(truth, run, metric)[metric] == 1.0
        return
    with pytest.raises(pc.InputError, match=rf"catalog={catalog}: query 'q' has 5 items that were judged or returned"):
        pc.evaluate_ranking(truth, run, metric)
