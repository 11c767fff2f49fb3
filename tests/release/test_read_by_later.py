"""What release 0.1.0 signed and saved is read by this one, and means the same numbers."""

from __future__ import annotations

import importlib.util
import json
import math
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import pingce as pc
from pingce.scores.read import read_scores

ROOT = Path(__file__).resolve().parents[2]
FROZEN = json.loads((Path(__file__).parent / "0.1.0.json").read_text("utf-8"))
TASKS = FROZEN["tasks"]


def load_script() -> Any:
    """The script that froze them: its data and calls."""
    spec = importlib.util.spec_from_file_location("freeze_release", ROOT / "scripts" / "freeze_release.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["freeze_release"] = module
    spec.loader.exec_module(module)
    return module


SCRIPT = load_script()


def test_the_list_is_of_0_1_0() -> None:
    assert FROZEN["version"] == "0.1.0"
    assert {task: len(each["signatures"]) for task, each in TASKS.items()} == {
        "ranking": 75, "binary": 42, "multiclass": 8, "regression": 14,
    }  # fmt: skip


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("task", TASKS)
def test_signatures_are_read_and_give_the_values_that_they_had(task: str) -> None:
    for document in TASKS[task]["documents"]:
        values = {metric["signature"]: metric["value"] for metric in document["metrics"]}
        signed = [pc.from_signature(line) for line in values]
        assert {(each.task, each.version) for each in signed} == {(task, "0.1.0")}
        now = SCRIPT.evaluations(task)[0][1](signed)
        assert len(now) == len(values)
        for (line, value), again in zip(values.items(), now.values(), strict=True):
            assert math.isnan(again) if value is None else again == pytest.approx(value, rel=1e-12, abs=1e-15), line


@pytest.mark.parametrize("task", TASKS)
def test_a_document_matches_the_schema_of_today(task: str) -> None:
    """Of the same version of the schema; a policy that was added since is `unwritten`, or `younger`."""
    schema = json.loads((ROOT / "src" / "pingce" / "schema" / "scores.schema.json").read_text("utf-8"))
    for document in TASKS[task]["documents"]:
        jsonschema.Draft202012Validator(schema).validate(document)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("task", TASKS)
def test_a_document_is_a_baseline(task: str) -> None:
    for document, (_, evaluate) in zip(TASKS[task]["documents"], SCRIPT.evaluations(task), strict=True):
        saved = read_scores(document)
        assert saved.version == "0.1.0"
        scores = evaluate(list(saved))
        result = pc.check(scores, baseline=document, max_drop=dict.fromkeys(saved, 1e-12))
        reasons = {row.metric: row.reason.en for row in result.rows if row.passed is None and row.reason}
        explained = ("is undefined", "is infinite", "cannot drop")
        assert {name: text for name, text in reasons.items() if not any(word in text for word in explained)} == {}
        assert [row.metric for row in result.rows if row.passed is False] == []
        assert sum(row.passed is True for row in result.rows) > len(result.rows) / 2


@pytest.mark.filterwarnings("ignore")
def test_a_document_of_rankings_is_compared() -> None:
    document = TASKS["ranking"]["documents"][0]
    now = SCRIPT.evaluations("ranking")[0][1](["rr@10"])
    found = pc.compare(None, {"now": now.to_dict(per_query=True), "then": document}, ["rr@10"])
    assert found.difference("rr@10", "then").value == 0
