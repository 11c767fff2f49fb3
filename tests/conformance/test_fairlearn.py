"""Gaps of classifiers against the frozen numbers of fairlearn."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import pingce as pc

FROZEN = json.loads((Path(__file__).parent / "fairlearn.json").read_text(encoding="utf-8"))
CASES: list[dict[str, Any]] = FROZEN["cases"]


def test_there_are_enough_answers() -> None:
    assert FROZEN["version"] == "0.12.0"
    assert len(CASES) == 60
    assert {len(case["answers"]) for case in CASES} == {10}


@pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
def test_every_gap_is_that_of_fairlearn(case: dict[str, Any]) -> None:
    """Groups of any size count there: `min_n=0`."""
    scores = pc.evaluate_binary(
        case["truth"],
        case["decision"],
        list(case["answers"]),
        by={"group": case["group"]},
        weight=case["weight"],
        min_n=0,
    )
    for name, answer in case["answers"].items():
        assert scores[name] == pytest.approx(answer, rel=1e-12, abs=1e-12), name
