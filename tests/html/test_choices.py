"""What the caller chooses is what the page shows: intervals, names, and which pairs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import pingce as pc
from pingce.html.write import LARGEST
from report_pages import data_of, runs

CHOSEN: dict[str, Any] = {"confidence": 0.5, "samples": 300, "seed": 4}


@pytest.mark.parametrize("test", ["permutation", "t"])
def test_one_run_has_the_intervals_that_compare_gives_it(tmp_path: Path, test: str) -> None:
    truth, models = runs(40, 2)
    compared = pc.compare(truth, models, ["ndcg@5"], test=test, **CHOSEN)
    path = pc.report(truth, {"a": models["model0"]}, ["ndcg@5"], test=test, path=tmp_path / "r.html", **CHOSEN)
    summary = data_of(path)["summary"]
    assert summary["metrics"][0]["intervals"][0] == pytest.approx(compared.interval("ndcg@5", "model0"), rel=1e-12)
    assert summary["confidence"] == 0.5
    (said,) = summary["said"]
    assert said[0].startswith("50 % intervals: ")
    assert said[1].startswith("50 % 区间：")
    assert ("300 draws, seed 4" in said[0]) == (test == "permutation")


@pytest.mark.parametrize(
    "wrong", [{"test": "foo"}, {"correction": "foo"}, {"confidence": 3}, {"samples": 5}, {"seed": -1}]
)
def test_choices_of_one_run_are_checked(tmp_path: Path, wrong: dict[str, Any]) -> None:
    said = {"confidence": "ci"}.get(*wrong, *wrong)
    with pytest.raises(pc.InputError, match=f"^{said}="):
        pc.report({"q": {"a": 1}}, {"one": {"q": ["a"]}}, ["mrr"], path=tmp_path / "r.html", **wrong)
    assert list(tmp_path.iterdir()) == []


def test_slices_of_runs_have_the_confidence_of_the_call(tmp_path: Path) -> None:
    truth, models = runs(40, 1)
    halves = {query: str(at % 2) for at, query in enumerate(truth)}
    widths = []
    for confidence in (0.5, 0.95):
        chosen = CHOSEN | {"confidence": confidence}
        path = pc.report(truth, models, ["ndcg@5"], by=halves, min_n=5, path=tmp_path / "r.html", **chosen)
        data = data_of(path)
        _, low, high, _ = data["slices"]["overall"]["ndcg@5"][0]
        assert [low, high] == data["summary"]["metrics"][0]["intervals"][0]
        assert data["slices"]["confidence"] == confidence
        _, low, high, _ = data["slices"]["tables"][0]["rows"][0]["values"]["ndcg@5"][0]
        widths.append(high - low)
    assert widths[0] < 0.7 * widths[1]


def test_no_model_is_dropped_for_its_name(tmp_path: Path) -> None:
    truth, models = runs(5, 2)
    given = {1: models["model0"], "1": models["model1"]}
    data = data_of(pc.report(truth, given, ["mrr"], samples=100, path=tmp_path / "r.html"))
    assert data["models"] == ["1", "1#2"]
    assert any("two models named '1'" in line[0] for line in data["summary"]["said"])


def test_a_list_of_runs(tmp_path: Path) -> None:
    truth, models = runs(5, 2)
    for name, run in models.items():
        rows = [f"{query} Q0 {item} 1 {score} x" for query, own in run.items() for item, score in own.items()]
        (tmp_path / f"{name}.run").write_text("\n".join(rows), "utf-8")
    listed = [str(tmp_path / "model0.run"), tmp_path / "model1.run"]
    data = data_of(pc.report(truth, listed, ["mrr"], samples=100, path=tmp_path / "r.html"))
    assert data["models"] == ["model0.run", "model1.run"]
    data = data_of(pc.report(truth, list(models.items()), ["mrr"], samples=100, path=tmp_path / "r.html"))
    assert data["models"] == ["model0", "model1"]
    labels = ["a", "b", "a"]
    data = data_of(pc.report(labels, labels, ["accuracy"], task="multiclass", path=tmp_path / "r.html"))
    assert data["models"] == ["model"]


def test_one_run_with_one_query_says_why_there_is_no_interval(tmp_path: Path) -> None:
    truth, models = runs(1, 1)
    data = data_of(pc.report(truth, models, ["mrr"], path=tmp_path / "r.html"))
    assert data["summary"]["metrics"][0]["intervals"] == [None]
    assert [line[0].startswith("there is a single query") for line in data["summary"]["said"]] == [True]


@pytest.mark.sweep
def test_many_models_are_shown_against_the_baseline(tmp_path: Path) -> None:
    truth, models = runs(30, 20)
    metrics = ["ndcg@10", "map", "mrr", "recall@100", "precision@10", "hit_rate@10"]
    path = pc.report(truth, models, metrics, baseline="model3", samples=100, path=tmp_path / "r.html")
    assert path.stat().st_size <= LARGEST
    pairs = data_of(path)["pairs"]
    assert pairs["only_baseline"]
    assert [len(metric["pairs"]) for metric in pairs["metrics"]] == [19] * 6
    assert all(3 in pair["pair"] for metric in pairs["metrics"] for pair in metric["pairs"])
    assert "only the pairs with the baseline model3" in pairs["note"][0]
    assert pairs["note"][0] in path.read_text("utf-8")
