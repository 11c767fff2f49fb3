"""`unjudged(of=any)`: what of a list no query at all has judged; the truth of all queries decides, however it comes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pingce as pc
from drawn import Case, cases
from drawn_labels import without_core

TRUTH: dict[str, dict[str, float]] = {"q1": {"a": 1, "b": 0}, "q2": {"c": 1, "d": -1}, "q3": {"e": 1}}
RUN = {"q1": ["a", "c", "x", "d"], "q2": ["b", "y"], "q4": ["z"]}
NAMES = ["unjudged(of=any)@4", "unjudged(of=any,over=list)@4", "unjudged(of=any)", "unjudged@4"]


def test_worked_example() -> None:
    """q1: c is judged for q2, x for nobody, d only pooled: 2 / 4. q2: b is judged for q1, y is not: 1 / 4. q3 shows nothing."""
    scores = pc.evaluate_ranking(TRUTH, RUN, NAMES)
    assert scores.per_query.to_pydict() == {
        "query": ["q1", "q2", "q3"],
        "unjudged(of=any)@4": [2 / 4, 1 / 4, 0],
        "unjudged(of=any,over=list)@4": [2 / 4, 1 / 2, 0],
        "unjudged(of=any)": [2 / 4, 1 / 2, 0],
        "unjudged@4": [3 / 4, 2 / 4, 0],
    }
    assert scores["unjudged(of=any)@4"] == 1 / 4
    assert pc.evaluate_ranking(TRUTH, RUN, NAMES[:1], missing="skip")["unjudged(of=any)@4"] == 3 / 8
    tied = pc.evaluate_ranking(
        {"q": {"a": 1}}, {"q": {"a": 1, "x": 0, "y": 0, "a2": 0}}, "unj(of=any)@2", ties="expected"
    )
    assert tied["unj(of=any)@2"] == 1 / 2


def document(scores: pc.RankingScores) -> str:
    return scores.to_json(per_query=True)


def test_feeds_of_the_worked_example() -> None:
    run = {query: {item: -float(rank) for rank, item in enumerate(items)} for query, items in RUN.items()}
    check_feeds(Case(TRUTH, run), 1, "id")


@pytest.mark.sweep
@given(case=cases(), cut=st.integers(0, 3), ties=st.sampled_from(["id", "best", "worst", "order", "expected"]))
def test_every_feed_gives_the_same_bits(case: Case, cut: int, ties: str) -> None:
    check_feeds(case, cut, ties)


def check_feeds(case: Case, cut: int, ties: Any) -> None:
    """The call, its reference, batches with one truth or with their own, and bytes: one document."""
    wanted = document(pc.evaluate_ranking(case.truth, case.run, NAMES, ties=ties))
    with without_core():
        assert document(pc.evaluate_ranking(case.truth, case.run, NAMES, ties=ties)) == wanted
    queries = sorted({*case.truth, *case.run})
    parts = [part for part in (queries[:cut], queries[cut:]) if part]
    for truth in (case.truth, None):
        for split in ("never", "allowed")[: 1 if truth is None else 2]:
            options: dict[str, Any] = {"split": split, "ties": ties}
            whole = pc.RankingEvaluator(truth, NAMES, **options)
            for part in parts:
                some = pc.RankingEvaluator(truth, NAMES, **options)
                run = {query: case.run[query] for query in part if query in case.run}
                judged = {query: case.truth[query] for query in part if query in case.truth}
                some.update(run, **({} if truth is not None else {"qrels": judged}))
                whole.merge(pc.RankingEvaluator.from_bytes(some.to_bytes()))
            assert document(whole.compute()) == wanted


def test_factors_and_blocks_of_scores() -> None:
    random = np.random.default_rng(3)
    users, items = random.integers(-3, 4, (6, 3)).astype(np.float64), random.integers(-3, 4, (9, 3)).astype(np.float64)
    truth = {0: {1: 1, 4: 0}, 2: {4: 1}, 5: {7: 1, 8: -1}}
    scores = users @ items.T
    run = {user: dict(enumerate(row)) for user, row in enumerate(scores.tolist())}
    wanted = pc.evaluate_ranking(truth, run, NAMES).per_query
    assert pc.evaluate_factors(users, items, truth, NAMES).per_query.equals(wanted)
    evaluator = pc.RankingEvaluator(truth, NAMES, split="never")
    for begin in (0, 3):
        evaluator.update_scores(list(range(begin, begin + 3)), scores[begin : begin + 3])
    assert evaluator.compute().per_query.equals(wanted)


def test_slices_know_the_whole_truth() -> None:
    scores = pc.evaluate_ranking(TRUTH, RUN, NAMES[:1], by={"q1": "A", "q2": "B", "q3": "B"})
    assert scores.slices is not None
    values = {part.name: part.values[NAMES[0]].value for part in scores.slices.parts}
    assert values == {"A": 1 / 2, "B": 1 / 8}


@pytest.mark.parametrize("ties", ["id", "expected"])
def test_explained(ties: str) -> None:
    lesson = pc.explain(NAMES[0], TRUTH, RUN, query="q1", ties=ties)
    assert lesson.value == 1 / 2
    assert "items in the top 4 without a judgement for any query" in str(lesson)


def test_policies_that_change_lists_or_grades_are_refused() -> None:
    with pytest.raises(pc.InputError, match="judged_only=yes takes unjudged items out of the lists"):
        pc.evaluate_ranking(TRUTH, RUN, NAMES[:1], judged_only=True)
    with pytest.raises(pc.InputError, match="unjudged=best gives unjudged items a grade"):
        pc.evaluate_ranking(TRUTH, RUN, NAMES[:1], unjudged="best")
    with pytest.raises(pc.InputError, match="qrels is None, but unjudged"):
        pc.evaluate_ranking(None, RUN, NAMES[:1])


def test_whether_any_query_has_judged_an_item_needs_ids() -> None:
    columns: dict[str, Any] = {"queries": [1, 1, 2, 2]}
    with pytest.raises(pc.InputError, match=r"asks whether any query has judged an item, and items have no ids here"):
        pc.evaluate_ranking([1, -1, 0, 1], [0.4, 0.3, 0.2, 0.1], "unjudged(of=any)@2", **columns)
    named = pc.evaluate_ranking(
        [1, -1, 0, 1], [0.4, 0.3, 0.2, 0.1], "unjudged(of=any)@2", items=[1, 2, 2, 3], **columns
    )
    assert float(named["unjudged(of=any)@2"]) == 0
