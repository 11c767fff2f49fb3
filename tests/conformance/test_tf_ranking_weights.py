"""Weights of items against the frozen numbers of TensorFlow Ranking, which are in single precision."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import pingce as pc

FROZEN = json.loads((Path(__file__).parent / "tf_ranking_weights.json").read_text(encoding="utf-8"))
CASES: list[dict[str, Any]] = FROZEN["cases"]
BPREF = "BPrefMetric"
"A metric that its convention does not have."
pytestmark = pytest.mark.filterwarnings("ignore")


def tables(case: dict[str, Any]) -> tuple[pa.Table, pa.Table]:
    """The truth with its weights, and a run in the order of the lists."""
    rows = [
        (query, item, label, weight, -float(item))
        for query, (labels, weights) in enumerate(zip(case["labels"], case["weights"], strict=True))
        for item, (label, weight) in enumerate(zip(labels, weights, strict=True))
    ]
    columns = dict(zip(("query", "item", "grade", "ipw", "score"), map(list, zip(*rows, strict=True)), strict=True))
    table = pa.table(columns)
    return table.select(["query", "item", "grade", "ipw"]), table.select(["query", "item", "score"])


def test_there_are_enough_answers() -> None:
    assert FROZEN["version"] == "0.5.5"
    assert len(CASES) == 30
    assert {len(case["answers"]) for case in CASES} == {16}


@pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
def test_every_value_is_that_of_tf_ranking(case: dict[str, Any]) -> None:
    truth, run = tables(case)
    names = [name for name in case["answers"] if name != BPREF]
    named = pc.evaluate_ranking(truth, run, names, convention="tf_ranking", item_weight="ipw")
    bpref = pc.evaluate_ranking(truth, run, "bpref", undefined="zero", item_weight="ipw")
    for name, answer in case["answers"].items():
        scores, ours = (bpref, "bpref") if name == BPREF else (named, name)
        each = [0.0 if value is None else value for value in scores.per_query[ours].to_pylist()]
        assert each == pytest.approx(answer["per_query"], rel=2e-5, abs=2e-6), name
        if answer["mean"] is not None:
            assert scores[ours] == pytest.approx(answer["mean"], rel=2e-5, abs=2e-6), name
