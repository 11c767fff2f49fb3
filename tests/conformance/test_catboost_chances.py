"""CatBoost's expected reciprocal rank, whose labels are chances: its frozen numbers, by naming the tool."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import pingce as pc

FROZEN = json.loads((Path(__file__).parent / "catboost_chances.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("measure", FROZEN["answers"])
def test_every_number_of_the_tool(measure: str) -> None:
    lists = {
        query: dict(enumerate(zip(*columns.values(), strict=True))) for query, columns in FROZEN["queries"].items()
    }
    truth = {query: {item: label for item, (label, _) in items.items()} for query, items in lists.items()}
    run = {query: {item: score for item, (_, score) in items.items()} for query, items in lists.items()}
    scores = pc.evaluate_ranking(truth, run, [measure], convention="catboost")
    theirs = dict(FROZEN["answers"][measure])
    assert scores[measure] == pytest.approx(theirs.pop("mean"), rel=1e-9)
    ours = dict(zip(*scores.per_query.to_pydict().values(), strict=True))
    assert ours == pytest.approx(theirs, rel=1e-9)
