"""Fusions that learn from judged queries what ranks are worth: worked by hand, and at the ends of what was learned."""

from __future__ import annotations

import math
from typing import Any

import pytest

import pingce as pc
from pingce.fusion.trained import LEAST_ODDS

A = {"q1": {"a": 3.0, "b": 2.0, "c": 1.0}, "q2": {"a": 2.0, "b": 1.0}}
B = {"q1": {"c": 2.0, "a": 1.0}, "q2": {"b": 1.0}}
TRUTH = {"q1": {"a": 1, "c": 0}, "q2": {"b": 1}}
FIFTH = math.log((1 / 5) / (4 / 5))

WORKED: list[tuple[str, dict[str, Any], dict[str, float]]] = [
    ("posfuse", {}, {"a": 1 / 2 + 1, "b": 1 / 2, "c": 0 + 1 / 2}),
    ("mapfuse", {}, {"a": 3 / 4 + 3 / 8, "b": 3 / 8, "c": 1 / 4 + 3 / 4}),
    ("probfuse", {"segments": 2}, {"a": 1 / 4 + 1 / 4, "b": 1 / 4, "c": 1 / 4 + 1 / 2}),
    ("slidefuse", {"window": 1}, {"a": 1 / 2 + 3 / 4, "b": 1 / 3, "c": 1 / 4 + 3 / 4}),
    ("segfuse", {"norm": "none"}, {"a": 1 / 5 * 4 + 1 / 5 * 2, "b": 1 / 5 * 3, "c": 1 / 5 * 2 + 1 / 5 * 3}),
    ("bayesfuse", {}, {"a": 2 * FIFTH, "b": FIFTH + LEAST_ODDS, "c": 2 * FIFTH}),
]


def learned(runs: list[Any], method: str, truth: Any = None, **options: Any) -> pc.FusedRun:
    return pc.fuse(runs, method, qrels=truth or TRUTH, hold_out=0, **options)


@pytest.mark.parametrize(("method", "options", "scores"), WORKED, ids=[method for method, *_ in WORKED])
def test_a_person_gets_the_same(method: str, options: dict[str, Any], scores: dict[str, float]) -> None:
    assert learned([A, B], method, **options).to_dict()["q1"] == pytest.approx(scores, rel=1e-14)


@pytest.mark.parametrize("method", [method for method, *_ in WORKED])
def test_lists_longer_than_any_that_taught(method: str) -> None:
    long = {"q1": A["q1"], "q2": A["q2"], "new": {f"d{number:04}": -float(number) for number in range(6000)}}
    options = {"segments": 3} if method == "probfuse" else {"window": 2} if method == "slidefuse" else {}
    scores = learned([long, B], method, **options).to_dict()["new"]
    assert len(scores) == 6000
    last = {"bayesfuse": LEAST_ODDS, "mapfuse": 3 / 4 / 6000, "probfuse": 0.0}.get(method, 0.0)
    assert scores["d5999"] == pytest.approx(last, rel=1e-14)


def test_a_run_without_a_judged_query_has_no_relevant_item_there() -> None:
    fused = learned([A, {"q1": B["q1"]}], "mapfuse").to_dict()
    assert fused["q1"]["c"] == 3 / 4 / 3 + 1 / 4
    fused = learned([A, {"q1": B["q1"]}], "bayesfuse").to_dict()
    assert fused["q2"] == {"b": FIFTH, "a": FIFTH}


def test_judged_queries_that_no_run_answers_teach_nothing() -> None:
    wider = {**TRUTH, "q9": {"a": 1}}
    for method in ("mapfuse", "bayesfuse", "segfuse"):
        assert learned([A, B], method, wider).table.equals(learned([A, B], method).table)


def test_what_is_learned_is_told_by_queries_that_taught_nothing() -> None:
    queries = [f"q{number}" for number in range(40)]
    truth = {query: {"a": 1} for query in queries}
    good, bad = (dict.fromkeys(queries, items) for items in (["a", "b", "c"], ["c", "b", "a"]))
    fused = pc.fuse([bad, good], "mapfuse", qrels=truth, metric="mrr")
    search = fused.search
    assert search is not None
    assert (search.train, search.held_out, search.tuned, search.best) == (1.0, 1.0, "", None)
    assert search.summary.en.startswith(f"learned from {search.queries[0]} queries; mrr 1.0000 on")
    assert search.to_dict()["tuned"] is None
    assert "segments" not in fused.settings
    tuned = pc.fuse([bad, good], "probfuse", qrels=truth, metric="mrr")
    assert tuned.search is not None
    assert [point for point, _ in tuned.search.tried] == list(range(1, 101))
    assert tuned.settings["segments"] == tuned.search.best
