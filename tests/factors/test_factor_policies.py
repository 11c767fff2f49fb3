"""Items and candidates that no vector has, matrices of another shape, and vectors whose length would vanish."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import pingce as pc

USERS, ITEMS = np.eye(4, 3), np.eye(5, 3) + 1


def texts(scores: pc.RankingScores) -> list[str]:
    return [note.en for note in scores.notes]


def test_judged_items_beyond_the_rows_are_under_the_policy() -> None:
    """Where items have no ids a row's number is its name, and 99 is none."""
    truth = {0: {1: 1, 99: 1}}
    counted = pc.evaluate_factors(USERS, ITEMS, truth, ["recall@5"])
    dropped = pc.evaluate_factors(USERS, ITEMS, truth, ["recall@5"], outside="drop")
    assert (counted["recall@5"], dropped["recall@5"]) == (1 / 2, 1)
    assert "1 judgement is of items that are not in the catalogue" in texts(counted)[0]
    assert "1 judgement of items that are not in the catalogue was left out" in texts(dropped)[0]
    with pytest.raises(pc.InputError, match="the item is not in the catalogue"):
        pc.evaluate_factors(USERS, ITEMS, truth, ["recall@5"], outside="error")
    with pytest.raises(pc.InputError, match=r"no judgement is left; are item_ids= those of the truth"):
        pc.evaluate_factors(USERS, ITEMS, {0: {88: 1, 99: 1}}, ["recall@5"], outside="drop")
    assert pc.evaluate_factors(USERS, ITEMS, {0: {88: 1, 99: 1}}, ["recall@5"])["recall@5"] == 0


def test_pairs_of_a_matrix_need_no_ids_and_unknown_ones_are_counted() -> None:
    candidates = sp.csr_matrix(np.ones((4, 5)))
    whole, some = (pc.evaluate_factors(USERS, ITEMS, {0: [1]}, ["rr"], candidates=each) for each in (None, candidates))
    assert whole["rr"] == some["rr"]
    with pytest.raises(pc.InputError, match=r"candidates= is a matrix of 3 rows, but users= has 4 vectors"):
        pc.evaluate_factors(USERS, ITEMS, {0: [1]}, ["rr"], candidates=candidates[:3])
    scores = pc.evaluate_factors(USERS, ITEMS, {0: [1]}, ["rr"], exclude=[(0, 2), (0, 77)])
    assert any(
        "exclude=: 1 of 2 pairs are of users or items without a vector, such as (0, 77)" in each
        for each in texts(scores)
    )


def test_a_truth_of_which_nothing_is_left_is_refused() -> None:
    with pytest.raises(
        pc.InputError, match=r"outside='drop' leaves them out: no judgement is left; are item_ids= those"
    ):
        pc.evaluate_factors(np.eye(4), np.eye(4), {0: ["zz"]}, ["rr"], item_ids=list("abcd"), outside="drop")


def test_candidates_without_a_vector_are_counted() -> None:
    pairs = [(0, 1), (0, 2), (0, 77), (9, 1)]
    scores = pc.evaluate_factors(USERS, ITEMS, {0: {1: 1}}, ["mrr"], candidates=pairs)
    assert texts(scores) == [
        "candidates=: 2 of 4 pairs are of users or items without a vector, such as (0, 77): they were left out"
    ]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"qrels": sp.csr_matrix(np.eye(3, 5))}, "qrels= is a matrix of 3 rows, but users= has 4 vectors"),
        ({"qrels": sp.csr_matrix(np.eye(4, 4))}, "qrels= is a matrix of 4 columns, but items= has 5 vectors"),
        ({"exclude": sp.csr_matrix(np.eye(3, 5))}, "exclude= is a matrix of 3 rows, but users= has 4 vectors"),
        ({"candidates": np.array([0, 1, 1, 0, 1])}, "candidates= has 5 numbers, all 0 or 1"),
        ({"candidates": [0, 1, 1, 0, 1]}, "is it a mask, or are these two ids"),
    ],
)
def test_what_does_not_fit_is_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(pc.InputError) as problem:
        pc.evaluate_factors(USERS, ITEMS, options.pop("qrels", {0: {1: 1}}), ["mrr"], **options)
    assert words in str(problem.value)


def test_a_matrix_of_excluded_items_goes_with_any_truth() -> None:
    """Where users have no ids, row i is user i."""
    matrix = sp.csr_matrix(([1], ([0], [1])), shape=(4, 5))
    options: dict[str, Any] = {"metrics": ["mrr", "recall@5"]}
    wanted = pc.evaluate_factors(USERS, ITEMS, {0: {1: 1, 2: 1}}, exclude=[(0, 1)], **options)
    assert dict(pc.evaluate_factors(USERS, ITEMS, {0: {1: 1, 2: 1}}, exclude=matrix, **options)) == dict(wanted)


@pytest.mark.parametrize(("kind", "small"), [(np.float64, 2.0**-700), (np.float32, 2.0**-120)])
def test_the_direction_of_short_vectors_counts(kind: Any, small: float) -> None:
    """Squares of such numbers vanish; a power of two changes no cosine."""
    random = np.random.default_rng(1)
    users, items = random.normal(size=(6, 4)).astype(kind), random.normal(size=(8, 4)).astype(kind)
    truth = {user: {user: 1, user + 2: 1} for user in range(6)}
    options: dict[str, Any] = {"similarity": "cosine", "metrics": ["mrr", "ndcg@3"]}
    wanted = pc.evaluate_factors(users, items, truth, **options).per_query
    short = pc.evaluate_factors(users * kind(small), items * kind(small), truth, **options).per_query
    assert short.equals(wanted)


@pytest.mark.parametrize("shape", [[-2, -3], 6, [2, 3.5]])
def test_a_broken_safetensors_file_is_refused(tmp_path: Path, shape: Any) -> None:
    entry = {"w": {"dtype": "F32", "shape": shape, "data_offsets": [0, 24]}}
    header = json.dumps(entry).encode()
    path = tmp_path / "w.safetensors"
    path.write_bytes(len(header).to_bytes(8, "little") + header + bytes(24))
    with pytest.raises(pc.InputError):
        pc.evaluate_factors(str(path), ITEMS, {0: {1: 1}}, ["mrr"])


def test_rows_of_scores_of_different_lengths_are_refused() -> None:
    evaluator = pc.RankingEvaluator({1: {1: 1}}, ["mrr"], split="never")
    with pytest.raises(pc.InputError, match="give rows of one length, a number for each item"):
        evaluator.update_scores([1, 2], [[1, 2], [3]])
