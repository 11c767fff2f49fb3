"""Candidates of everybody are ids of items, whatever users are called."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pingce as pc

USERS, ITEMS = np.eye(2, dtype=np.float32), np.array([[1, 0], [0, 1], [0.5, 0.5]], np.float32)


@pytest.mark.parametrize(
    ("truth", "options"),
    [
        ({0: ["a"], 1: ["b"]}, {"item_ids": ["a", "b", "c"], "candidates": ["a", "b"]}),
        ({"x": [0], "y": [1]}, {"user_ids": ["x", "y"], "candidates": [0, 1]}),
        ({"x": [0], "y": [1]}, {"user_ids": ["x", "y"], "candidates": np.array([True, True, False])}),
    ],
)
def test_ids_of_items_are_compared_with_items(truth: Any, options: dict[str, Any]) -> None:
    scores = pc.evaluate_factors(USERS, ITEMS, truth, ["rr", "num_ret"], **options)
    assert dict(scores) == {"rr": 1.0, "num_ret": 4.0}


def test_lines_of_a_text_are_numbers_where_items_are(tmp_path: Path) -> None:
    path = tmp_path / "ids.txt"
    path.write_text("0\n2\n")
    assert pc.evaluate_factors(USERS, ITEMS, {0: [0], 1: [2]}, ["num_ret"], candidates=path)["num_ret"] == 4.0


def test_ids_of_another_kind_are_refused() -> None:
    with pytest.raises(
        pc.InputError, match="candidates=: the ids are strings, but those of items= integers; convert one side"
    ):
        pc.evaluate_factors(USERS, ITEMS, {0: [0]}, ["rr"], candidates=["a"])


def test_numbers_whose_squares_overflow_are_refused() -> None:
    with pytest.raises(
        pc.InputError, match=r"as large as 1e\+160: their scores may exceed float64; give smaller numbers"
    ):
        pc.evaluate_factors(USERS.astype(np.float64) * 1e160, ITEMS, {0: [0]}, ["rr"])
