"""Functions over plain lists: equal to the metrics over tables, and strict about what they are given."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pingce as pc
from pingce.base.errors import InputError

FUNCTIONS = {
    "precision": pc.precision_at_k,
    "recall": pc.recall_at_k,
    "hit_rate": pc.hit_rate_at_k,
    "ap": pc.average_precision_at_k,
    "rr": pc.reciprocal_rank_at_k,
    "cg": pc.cg_at_k,
    "dcg": pc.dcg_at_k,
    "ndcg": pc.ndcg_at_k,
}
GRADES = st.lists(st.sampled_from([-1.0, 0.0, 1.0, 2.0, 3.0]), min_size=1, max_size=8)


@pytest.mark.parametrize("name", FUNCTIONS)
@given(grades=GRADES, absent=st.lists(st.sampled_from([1.0, 2.0]), max_size=3), k=st.integers(1, 9))
def test_a_list_scores_as_a_table_does(name: str, grades: list[float], absent: list[float], k: int) -> None:
    truth = {
        "q": {f"d{i}": grade for i, grade in enumerate(grades)} | {f"m{i}": grade for i, grade in enumerate(absent)}
    }
    run = {"q": [f"d{i}" for i in range(len(grades))]}
    wanted = pc.evaluate_ranking(truth, run, [f"{name}@{k}"])[f"{name}@{k}"]
    assert FUNCTIONS[name](grades, k, judged=grades + absent) == pytest.approx(wanted, nan_ok=True, rel=1e-14)


@pytest.mark.parametrize("grades", ["321", [1, "two"], [1, float("nan")], [float("inf")], 3])
def test_grades_are_a_list_of_numbers(grades: Any) -> None:
    with pytest.raises(InputError, match="grades must be a list of numbers"):
        pc.ndcg_at_k(grades, 2)


def test_judged_holds_the_ranked_grades() -> None:
    with pytest.raises(InputError, match="judged must hold"):
        pc.recall_at_k([1, 1], 2, judged=[1])
    assert pc.recall_at_k([1, 0, None], 2, judged=[1, 1]) == 0.5


def test_a_grade_too_large_for_a_power_is_refused() -> None:
    with pytest.raises(InputError, match=r"too large for 2\^g"):
        pc.ndcg_at_k([2000], 2)
    with pytest.raises(InputError, match=r"too large for 2\^g"):
        pc.evaluate_ranking({"q": {"a": 2000}}, {"q": ["a"]}, ["ndcg@2"])
    assert pc.ndcg_at_k([2000], 2, gain="linear") == 1.0


def test_ids_stand_once() -> None:
    assert pc.average_precision(["a", "x", "b"], ["a", "b"]) == pytest.approx(5 / 6)
    with pytest.raises(InputError, match="twice"):
        pc.average_precision(["a", "a"], {"a"})


@pytest.mark.parametrize(
    ("metric", "said"),
    [
        ("ndcg(ideal=full,max=1)@1", "max=1, but the truth has grade 3"),
        ("err(max=2)", "max=2, but the truth has grade 3"),
        ("ndcg(max=5)@3", "max is for ideal=full only"),
        ("ndcg(gain=linear,gain=exp2)@5", "gain is given twice"),
        ("fallout(catalog=1)@1", "has 2 items that were judged or returned"),
    ],
)
def test_parameters_that_do_not_fit_are_refused(metric: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        pc.evaluate_ranking({"q": {"a": 3, "b": 0}}, {"q": ["a", "b"]}, [metric])


def test_ranks_beyond_every_table() -> None:
    deep = 150_000
    scores = pc.evaluate_ranking({"q": {deep: 1}}, {"q": list(range(1, deep + 1))}, ["rr", "ndcg", "ap"])
    assert scores["rr"] == scores["ap"] == 1 / deep
    assert scores["ndcg"] == pytest.approx(pc.dcg_at_k([0] * (deep - 1) + [1]))
