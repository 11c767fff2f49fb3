"""Explained rankings end in the very float of the evaluation, and say what a reader must know."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pingce as pc
from drawn import ALL, Case, at_least, cases
from pingce.base.errors import InputError
from pingce.base.text import Text, use_language
from pingce.evidence.policies import Policies
from pingce.evidence.ranking.overlap import comparable_ids
from pingce.explanations.contrast import Contrast
from pingce.explanations.derivation import Explanation, Grid, Line
from pingce.explanations.ranking.base import explain_place, explain_ranking
from pingce.explanations.ranking.listed import id_text, ids_of, lists_of
from pingce.inputs import read_run, read_truth
from pingce.metrics.declared import registry
from pingce.metrics.grammar import parse_metric
from pingce.metrics.ranking import RankingMetric
from pingce.metrics.ranking.items import ItemMetric
from pingce.run.rankings import RankingInputs

QUERY = Text("a query", "一个查询")
TIES = ("id", "id_ascending", "order", "expected", "best", "worst")


def last_line(explanation: Explanation) -> Line:
    line = explanation.steps[-1]
    assert isinstance(line, Line)
    return line


def compare(case: Case, metrics: list[RankingMetric], **policies: Any) -> None:
    """Every query of the case, explained, against the evaluation's table; one of them by the call, which evaluates all queries anew."""
    scores, chosen = case.evaluate(metrics, **policies), Policies.of(**policies)
    truth, run = comparable_ids(read_truth(case.truth), read_run(case.run))
    queries: list[Any] = list(scores.queries)
    ids = ids_of(scores.evidence.queries, np.arange(len(scores.evidence)))
    places = {id_text(each): (place, lists_of(each, truth, run, chosen)) for place, each in enumerate(ids)}
    for number, metric in enumerate(metrics):
        anew = queries[number % len(queries)]
        for query, value in zip(queries, scores.per_query[metric.id].to_pylist(), strict=True):
            if query == anew or query not in places:
                explained = explain_ranking(RankingInputs(truth, run), parse_metric(metric), chosen, query=query)
            else:
                explained = explain_place(scores, metric.id, *places[query], QUERY)
            wanted = math.nan if value is None else value
            shown = last_line(explained).value
            assert shown is not None
            assert explained.value.hex() == float(shown).hex() == wanted.hex(), (metric.id, query, policies)
            assert explained.signature == scores.signature(metric.id)
            keys = [step.key for step in explained.steps if isinstance(step, (Grid, Line))]
            assert len(keys) == len(set(keys))
        explained.to_text()


@pytest.mark.sweep
@at_least(100)
@given(ties=st.sampled_from(TIES), data=st.data())
def test_the_last_line_has_the_evaluated_float(ties: str, data: st.DataObject) -> None:
    metrics = [metric for metric in ALL if ties != "expected" or metric.knows_expected()]
    case = data.draw(cases())
    policies = {
        "ties": ties,
        "relevant": data.draw(st.sampled_from([1, 2, "any"])),
        "undefined": data.draw(st.sampled_from(["skip", "zero", "one", "nan"])),
        "judged_only": data.draw(st.sampled_from(["no", "no", "yes"])),
        "missing": data.draw(st.sampled_from(["zero", "skip"])),
    }
    compare(case, data.draw(st.lists(st.sampled_from(metrics), min_size=3, max_size=3, unique=True)), **policies)


ONE_OF_EACH = st.tuples(
    *(
        st.sampled_from([metric for metric in ALL if isinstance(metric, kind)])
        for kind in registry("ranking").values()
        if not issubclass(kind, ItemMetric)
    )
)


@pytest.mark.sweep
@given(case=cases(), ties=st.sampled_from(TIES), metrics=ONE_OF_EACH)
def test_every_metric_is_explained(case: Case, ties: str, metrics: tuple[RankingMetric, ...]) -> None:
    """One variant of each on the same drawn lists."""
    expected = [metric for metric in metrics if ties == "expected" and not metric.knows_expected()]
    compare(case, [metric for metric in metrics if metric not in expected], ties=ties)
    if expected:
        compare(case, expected, ties="id")


@given(
    run=st.lists(
        st.tuples(st.sampled_from("abcdef"), st.sampled_from([math.nan, 0.1, 0.1 + 1e-9, 2.0, math.inf])), min_size=1
    ),
    policies=st.fixed_dictionaries(
        {
            "duplicates": st.sampled_from(["first", "last", "best"]),
            "nan": st.sampled_from(["first", "last", "drop"]),
            "score_type": st.sampled_from(["given", "float32"]),
            "ties": st.sampled_from(TIES),
            "identical": st.sampled_from(["keep", "drop"]),
        }
    ),
    seen=st.sampled_from([None, "a", "f"]),
)
def test_rows_are_kept_and_ordered_as_the_evaluation_does(
    run: list[tuple[str, float]], policies: dict[str, str], seen: str | None
) -> None:
    import pyarrow as pa

    table = pa.table({"query": ["a"] * len(run), "item": [one for one, _ in run], "score": [one for _, one in run]})
    truth = {"a": {"a": 1, "b": 2, "c": 0, "d": -1}, "other": {"x": 3}}
    options: dict[str, Any] = policies | {"exclude": [("a", seen)] if seen else None}
    value = pc.evaluate_ranking(truth, table, ["ndcg"], **options).per_query["ndcg"].to_pylist()[0]
    found = pc.explain("ndcg", truth, table, query="a", **options)
    assert found.value.hex() == value.hex()


# metrics.md, worked examples 1, 2, 6 and 8: the figures a person computed.
@pytest.mark.parametrize(
    ("metric", "grades", "judged", "line"),
    [
        ("ndcg@5", [3, 2, 3, 0, 1], None, "NDCG@5 = 12.7796 / 13.3472 = 0.9575"),
        ("cg@5", [3, 2, 3, 0, 1], None, "CG@5 = 3 + 2 + 3 + 0 + 1 = 9"),
        ("dcg@5", [3, 2, 3, 0, 1], None, "DCG@5 = 7 + 1.8928 + 3.5000 + 0 + 0.3869 = 12.7796"),
        ("ndcg(gain=linear)@6", [3, 2, 3, 0, 1, 2, 3, 0], None, "NDCG@6 = 6.8611 / 8.3841 = 0.8184"),
        ("ndcg(gain=linear,ideal=topk)@6", [3, 2, 3, 0, 1, 2, 3, 0], None, "NDCG@6 = 6.8611 / 7.1410 = 0.9608"),
        ("ap(norm=hits)@6", [1, 0, 0, 1, 0, 1], None, "AP@6 = 2 / 3 = 0.6667"),
        ("ap", [1, 1, 0, 0, 0], [1, 1, 1], "AP = 2 / 3 = 0.6667"),
        ("ap", [0, 0, 0, 1, 1], [1, 1, 1], "AP = 0.6500 / 3 = 0.2167"),
        ("precision@5", [1, 1, 0, 0, 0], None, "P@5 = 2 / 5 = 0.4000"),
        ("precision(over=min)@10", [1, 0, 1], None, "P@10 = 2 / 2 = 1"),
        ("recall@5", [1, 0, 1], [1, 1, 1], "R@5 = 2 / 3 = 0.6667"),
        ("recall", [1, 0, 1], [1, 1, 1], "recall = 2 / 3 = 0.6667"),
        ("recall(over=min)@2", [1, 0, 1], None, "over=min: min(R, k): the most that k places can hold."),
        ("f@4", [1, 0, 1, 0], [1, 1, 1], "F@4 = (1 + 1) · 0.5000 · 0.6667 / (1 · 0.5000 + 0.6667) = 0.5714"),
        ("hit_rate@3", [0, 1, 1], None, "HR@3 = [2 > 0] = 1"),
        ("rr@10", [0, 0, 1, 1], None, "RR@10 = 1 / 3 = 0.3333"),
        ("rr(of=all)", [0, 1, 0, 1], None, "RR = 0.7500 / 2 = 0.3750"),
        ("r_precision", [1, 0, 1, 0], [1, 1, 1], "RPrec = 2 / 3 = 0.6667"),
        ("iprec(recall=0.5)", [0, 1, 1], None, "iprec(x) = max(0.5000, 0.6667) = 0.6667"),
        ("ap11", [0, 1, 1], None, "AP11 = 7.3333 / 11 = 0.6667"),
        ("bpref", [1, 0, 1], None, "bpref = 1 / 2 = 0.5000"),
        ("rbp", [1, 0, 1, 0], None, "RBP(p) = (1 − 0.8000) · 1.6400 = 0.3280"),
        ("err(max=2)@10", [2, 0, 1], None, "ERR@10 = 0.7500 + 0 + 0.0208 = 0.7708"),
        ("err(max=4,gain=linear)@10", [2, 0, 1], None, "ERR@10 = 0.5000 + 0 + 0.0417 = 0.5417"),
        ("fallout(over=list)@3", [1, 0, 1, 0], None, "fallout@3 = (3 − 2) / (4 − 2) = 0.5000"),
        ("judged@4", [1, None, 0, None], None, "judged@4 = 2 / 4 = 0.5000"),
        ("fallout(catalog=103)@4", [1, 0, 1, 0], [1, 1, 1], "fallout@4 = (4 − 2) / (103 − 3) = 0.0200"),
        ("gm_ap", [0, 0], [1], "GMAP = max(0, 1e-05) = 1e-05"),
        ("set_ap", [1, 0, 1, 0], [1, 1, 1], "set_AP = 2² / (4 · 3) = 0.3333"),
    ],
)
def test_worked_examples(metric: str, grades: list[Any], judged: list[float] | None, line: str) -> None:
    text = pc.explain(metric, grades=grades, judged=judged).to_text()
    assert line in text.splitlines()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_first_worked_example_in_both_languages(lang: Any) -> None:
    use_language(lang)
    lines = str(pc.explain("ndcg@5", grades=[3, 2, 3, 0, 1])).splitlines()
    ideal = {"en": "ideal", "zh": "理想值"}[lang]
    assert "DCG@5 = 7 + 1.8928 + 3.5000 + 0 + 0.3869 = 12.7796" in lines
    assert f"{ideal} = 7 + 4.4165 + 1.5000 + 0.4307 + 0 = 13.3472" in lines
    assert "NDCG@5 = 12.7796 / 13.3472 = 0.9575" in lines
    assert any(line.split() == ["2", "2", "1", "3", "0.6309", "1.8928", "8.8928"] for line in lines)


def grid(explanation: Explanation | Contrast, key: str) -> list[dict[str, Any]]:
    assert isinstance(explanation, Explanation)
    found = next(step for step in explanation.steps if isinstance(step, Grid) and step.key == key)
    return [dict(zip((column.key for column in found.columns), row.cells, strict=True)) for row in found.rows]


def test_expected_ties_show_blocks_and_their_mean_weight() -> None:
    truth, run = {"q": {"a": 1, "b": 0}}, {"q": {"a": 2.0, "b": 2.0, "c": 2.0, "d": 1.0}}
    found = pc.explain("dcg(discount=zipf)@2", truth, run, ties="expected")
    rows = grid(found, "list")
    assert [row["rank"] for row in rows] == ["1–3"] * 3
    assert {row["discount"] for row in rows} == {(1 + 1 / 2) / 3}
    assert "Equal scores stand in every order, equally likely" in found.to_text()


def test_ids_scores_and_the_ideal_list_are_shown() -> None:
    truth, run = {"q": {"甲": 2, "b": 1, "gone": 3}}, {"q": {"b": 0.75, "x": 0.5, "甲": 0.25}}
    found = pc.explain("ndcg@2", truth, run)
    assert [(row["item"], row["score"], row["grade"]) for row in grid(found, "list")] == [
        ("b", 0.75, 1),
        ("x", 0.5, None),
    ]
    assert [row["item"] for row in grid(found, "ideal_list")] == ["gone", "甲"]
    assert "Items below rank 2, which are not looked at: 1." in found.to_text()


def test_rows_that_were_removed_are_counted() -> None:
    import pyarrow as pa

    run = pa.table({"query": ["q"] * 4, "item": ["a", "b", "b", "c"], "score": [1.0, 0.5, 0.4, math.nan]})
    text = pc.explain("rr", {"q": {"b": 1}}, run, nan="drop", duplicates="first").to_text()
    assert "Scores that are not numbers were dropped (nan=drop): 1." in text
    assert "Repeated rows removed (duplicates=first): 1." in text


def test_the_ideal_list_says_where_it_is_cut() -> None:
    assert "all judged items, best first, cut at 2\n" in pc.explain("ndcg@2", grades=[1, 0, 1]).to_text()
    assert "all judged items, best first\n" in pc.explain("ndcg", grades=[1, 0, 1]).to_text()
    assert "best first, not cut\n" in pc.explain("ndcg(ideal=uncut)@2", grades=[1, 0, 1]).to_text()


def test_an_empty_list_is_said_to_be_empty() -> None:
    text = pc.explain("precision@5", TWO, RUN, query="q3").to_text()
    assert "The list, from the top: empty" in text


def test_a_short_form_for_the_prompt() -> None:
    found = pc.explain("rr", grades=[0, 1])
    assert repr(found) == "<rr = 0.5 of the list as given; print it to see the calculation>"


TWO = {"q1": {"a": 1}, "q2": {"b": 0}, "q3": {"c": 1}}
RUN = {"q1": {"a": 1.0, "z": 0.5}, "q2": {"b": 1.0}, "q9": {"a": 1.0}}


@pytest.mark.parametrize(
    ("query", "options", "said", "value"),
    [
        ("q1", {}, "k = 5 goes beyond the list, which has 2 items: ranks 3–5 are empty", 0.2),
        ("q3", {}, "The run does not answer this query; it counts as an empty list (missing=zero)", 0.0),
        ("q3", {"missing": "skip"}, "it is left out (missing=skip), so there is no value", None),
        ("q2", {}, "There is no value here: R = 0.", None),
        ("q2", {"undefined": "one"}, "1, by undefined=one", 1.0),
        ("q1", {"relevant": "any"}, "R = 1 relevant (every judged item)", 0.2),
        ("q1", {"judged_only": True}, "Unjudged items were taken out first (judged_only=yes): 1", 0.2),
        ("q1", {"exclude": [("q1", "z")]}, "Items excluded before ranking: 1", 0.2),
        ("q1", {"score_type": "float32"}, "Scores are compared as float32", 0.2),
        ("q3", {"relevant": 2}, "R = 0 relevant (grade ≥ 2)", None),
    ],
)
def test_what_policies_did_is_said(query: str, options: dict[str, Any], said: str, value: float | None) -> None:
    found = pc.explain("precision@5", TWO, RUN, query=query, **options)
    assert said in found.to_text()
    assert math.isnan(found.value) if value is None else found.value == value


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "there are 3 queries ('q1', 'q2', 'q3'); say which one with query= or --query"),
        ({"query": "q11"}, "there is no query 'q11' among the 3 judged ones ("),
        ({"query": "q9"}, "query 'q9' is in the run, but nothing is judged for it"),
    ],
)
def test_a_query_must_be_named_and_known(options: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError) as caught:
        pc.explain("precision@5", TWO, RUN, **options)
    assert said in caught.value.text.en


@pytest.mark.parametrize("query", [2, "2"])
def test_queries_with_integer_ids_may_be_written_either_way(query: int | str) -> None:
    assert pc.explain("rr", {1: {7: 1}, 2: {8: 1}}, {1: [7], 2: [9, 8]}, query=query).value == 0.5


def test_a_metric_of_ones_own_is_shown_with_its_list() -> None:
    from dataclasses import dataclass

    from pingce.metrics.ranking.precision_recall import Precision

    @dataclass(frozen=True, kw_only=True)
    class Own(Precision):
        name = ""

    text = str(pc.explain(Own(k=2), grades=[1, 0, 1]))
    assert "P@2 = 0.5000" in text.splitlines()
