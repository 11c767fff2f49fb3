"""`pc.read_scores`: what was saved is a mapping again, and stands in for scores in compare and check."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import pingce as pc
from pingce.scores.tables import documents

TRUTH = {f"q{i}": {"a": 1, "b": 2} for i in range(5)}
ONE = pc.evaluate_ranking(TRUTH, {query: ["x", "a", "b"] for query in TRUTH}, ["ndcg@3", "mrr"])
OTHER = pc.evaluate_ranking(TRUTH, {query: ["b", "a"] for query in TRUTH}, ["ndcg@3", "mrr"])
CLICKS = pc.evaluate_binary(
    [1, 0, 1, 0], [0.9, 0.1, 0.4, 0.4], ["auc", "gauc"], group=[1, 1, 2, 2], ci=0.9, samples=100
)
CLASSES = pc.evaluate_multiclass(["a", "b"], ["a", "a"])
NUMBERS = pc.evaluate_regression([1, 2], [1, 3], ["mae"])


@pytest.mark.parametrize("scores", [ONE, CLICKS, CLASSES, NUMBERS], ids=lambda scores: scores.task)
@pytest.mark.parametrize("per_query", [True, False])
def test_values_definitions_counts_and_units_come_back(scores: Any, per_query: bool, tmp_path: Path) -> None:
    path = tmp_path / "scores.json"
    path.write_text(scores.to_json(per_query=per_query), encoding="utf-8")
    found = pc.read_scores(path)
    assert dict(found) == dict(scores)
    assert found.signatures == {name: scores.signature(name) for name in scores}
    assert [found.interval(name) for name in found] == [value.interval for value in scores.values_by_name.values()]
    assert (found.task, found.run, found.version) == (scores.task, None, pc.__version__)
    assert found.counts == json.loads(scores.to_json())["counts"]
    for unit in ("query", "group", "class"):
        table = getattr(found, f"per_{unit}")
        has_rows = scores.per == unit and len(getattr(scores, f"per_{unit}")) > 0
        assert (table is not None) == (has_rows and (per_query or unit == "class"))
        assert table is None or table.to_pydict() == getattr(scores, f"per_{unit}").to_pydict()


def test_any_spelling_finds_a_value() -> None:
    found = pc.read_scores(ONE.to_dict())
    assert found["rr"] == found["mrr"] == ONE["mrr"]
    assert found.signature("rr") == ONE.signature("mrr")
    assert "ap" not in found
    assert repr(found) == f"SavedScores(task='ranking', ndcg@3={ONE['ndcg@3']:.4f}, mrr=0.5000)"
    with pytest.raises(KeyError, match="'ndcg@10' is not in the document; did you mean 'ndcg@3'"):
        found["ndcg@10"]


def test_they_compare_as_the_runs_do() -> None:
    one, other = (pc.read_scores(scores.to_dict(per_query=True)) for scores in (ONE, OTHER))
    found = pc.compare(None, {"one": one, "other": other}, samples=200)
    runs = {name: dict.fromkeys(TRUTH, items) for name, items in (("one", ["x", "a", "b"]), ("other", ["b", "a"]))}
    expected = pc.compare(TRUTH, runs, ["ndcg@3", "mrr"], samples=200)
    assert found.to_dict()["metrics"] == expected.to_dict()["metrics"]


def test_they_are_checked_as_scores_are() -> None:
    one, other = (pc.read_scores(scores.to_dict(per_query=True)) for scores in (ONE, OTHER))
    assert not pc.check(one, baseline=other, max_drop={"mrr": 0.1}).passed
    assert pc.check(other, baseline=one, max_drop={"mrr": 0.1}, significant=True).passed
    rows = pc.check({"one": one, "other": other}, min={"mrr": 0.6}).rows
    assert [(row.run, row.passed) for row in rows] == [("one", False), ("other", True)]


def test_of_several_runs_one_is_named(tmp_path: Path) -> None:
    path = tmp_path / "both.json"
    path.write_text(json.dumps(documents({"one": ONE, "other": OTHER})))
    assert pc.read_scores(path, run="other")["mrr"] == 1.0
    with pytest.raises(pc.InputError, match=r"both\.json holds 2 runs \('one', 'other'\)"):
        pc.read_scores(path)


def test_a_comparison_is_no_scores(tmp_path: Path) -> None:
    path = tmp_path / "compared.json"
    runs = {"a": {"q0": ["a"], "q1": ["x"]}, "b": {"q0": ["x"], "q1": ["a"]}}
    path.write_text(pc.compare(TRUTH, runs, "mrr", samples=200).to_json())
    with pytest.raises(pc.InputError, match="no document of pingce scores"):
        pc.read_scores(path)
