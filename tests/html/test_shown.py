"""The section of what is shown: every number is one that `evaluate_ranking` gives, and it is there only where it can be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import pingce as pc
from report_pages import data_of, runs

TRUTH, MODELS = runs(40, 3)
PAST: dict[str, Any] = {
    "train": {query: [f"d{number % 9}", "d0", f"d{number % 4}"] for number, query in enumerate(TRUTH)},
    "catalog": [f"d{number}" for number in range(30)],
}
METRICS = ["ndcg@5", "map"]


def section(path: Path, metrics: list[str] = METRICS, models: Any = MODELS, **options: Any) -> Any:
    options = {"samples": 100, **options}
    return data_of(pc.report(TRUTH, models, metrics, path=path / "r.html", **options)).get("shown")


def test_values_are_those_of_evaluate(tmp_path: Path) -> None:
    shown = section(tmp_path, **PAST)
    names = [metric["name"] for metric in shown["metrics"]]
    assert shown["k"] == 5
    assert [name.partition("@")[0] for name in names] == [
        *("coverage", "gini", "entropy", "personalization", "novelty", "unseen", "popularity", "tail")
    ]
    ladder = [f"coverage@{k}" for k in shown["coverage"]["k"]]
    for at, run in enumerate(MODELS.values()):
        scores = pc.evaluate_ranking(TRUTH, run, [*dict.fromkeys([*names, *ladder, *METRICS])], **PAST)
        assert [metric["values"][at] for metric in shown["metrics"]] == [scores[name] for name in names]
        assert shown["coverage"]["values"][at] == [scores[name] for name in ladder]
        assert shown["scatter"]["values"][at] == scores["coverage@5"]
        assert {name: own[at] for name, own in shown["scatter"]["accuracy"].items()} == {
            name: scores[name] for name in METRICS
        }


def test_curves_belong_to_the_values(tmp_path: Path) -> None:
    shown = section(tmp_path, **PAST)
    gini = next(metric["values"] for metric in shown["metrics"] if metric["name"] == "gini@5")
    for curve, value in zip(shown["lorenz"]["curves"], gini, strict=True):
        items, places = curve["items"], curve["places"]
        below = sum((items[at] - items[at - 1]) * (places[at] + places[at - 1]) for at in range(1, len(items)))
        assert 1 - below == pytest.approx(value, abs=1e-12)
    popularity = shown["popularity"]
    assert sum(popularity["past"]) == pytest.approx(1)
    for shares, cold in zip(popularity["models"], popularity["cold"], strict=True):
        assert sum(shares) + cold == pytest.approx(1)
    unseen = [value for value in popularity["cold"] if value > 0]
    assert len(unseen) == 3


def test_there_is_no_section_where_nothing_is_known_of_items(tmp_path: Path) -> None:
    assert section(tmp_path) is None
    assert "What is shown" not in (tmp_path / "r.html").read_text("utf-8").split("<script")[0]


def test_each_table_allows_its_part(tmp_path: Path) -> None:
    only_past = section(tmp_path, train=PAST["train"])
    assert only_past["coverage"]["metric"] == "coverage(of=train)"
    assert only_past["lorenz"]["metric"] == "gini(items=shown)@5"
    only_size = section(tmp_path, catalog=30)
    assert only_size["popularity"] is None
    assert {metric["name"] for metric in only_size["metrics"]} == {
        *("coverage@5", "gini@5", "entropy@5", "personalization@5")
    }
    items = {"item": [f"d{number}" for number in range(12)], "category": ["even", "odd"] * 6}
    with_items = section(tmp_path, items=items)
    assert with_items["coverage"] is with_items["scatter"] is None
    assert [metric["name"] for metric in with_items["metrics"]][-2:] == ["category_diversity@5", "ild@5"]


def test_exposure_is_that_of_evaluate_beside_the_share_of_items(tmp_path: Path) -> None:
    items = {"item": [f"d{number}" for number in range(12)], "group": ["A", "B", "B", "C"] * 3}
    shown = section(tmp_path, items=items)["exposure"]
    assert shown["metric"] == "exposure@5"
    assert sorted(shown["groups"]) == ["A", "B", "C"]
    assert dict(zip(shown["groups"], shown["items"], strict=True)) == {"A": 0.25, "B": 0.5, "C": 0.25}
    for at, run in enumerate(MODELS.values()):
        scores = pc.evaluate_ranking(TRUTH, run, ["exposure@5"], items=items)
        assert shown["models"][at] == [scores[f"exposure(group={group})@5"] for group in shown["groups"]]
    assert shown["models"][0] == sorted(shown["models"][0], reverse=True)
    static = (tmp_path / "r.html").read_text("utf-8").split("<script")[0]
    assert 'data-table="shown-exposure"' in static


def test_small_groups_are_one_and_items_of_two_groups_have_no_chart(tmp_path: Path) -> None:
    names = [f"d{number}" for number in range(30)]
    many = section(tmp_path, items={"item": names, "group": [f"g{number % 15}" for number in range(30)]})["exposure"]
    assert (len(many["groups"]), many["others"]) == (12, 3)
    assert sum(many["items"]) == pytest.approx(1)
    assert [sum(shares) for shares in many["models"]] == pytest.approx([1] * 3)
    several = {"item": names[:3], "category": [["x", "y"], ["x"], ["y"]]}
    assert section(tmp_path, items=several)["exposure"] is None


def test_a_favoured_group_is_said(tmp_path: Path) -> None:
    run = {query: ["rich", f"p{number % 9}"] for number, query in enumerate(TRUTH)}
    items = {"item": ["rich", *(f"p{number}" for number in range(9))], "group": ["big", *["small"] * 9]}
    shown = section(tmp_path, models={"a": run}, items=items)
    english = "big gets 61.3 % of the exposure with 10 % of the items (exposure@5)."
    point = [["Exposure", "曝光"], [english, "big 以 10 % 的条目得到 61.3 % 的曝光（exposure@5）。"]]
    assert point in shown["readings"][0]


def test_the_depth_is_that_of_the_call(tmp_path: Path) -> None:
    assert section(tmp_path, ["ndcg@5", "gini@3"], **PAST)["k"] == 3
    assert section(tmp_path, ["map"], **PAST)["k"] == 10


def test_one_model_has_no_trade(tmp_path: Path) -> None:
    shown = section(tmp_path, models={"alone": MODELS["model0"]}, **PAST)
    assert shown["scatter"] is None
    assert shown["between"] == []


def test_words_stand_once_on_the_page(tmp_path: Path) -> None:
    quiet = section(tmp_path, ["ndcg@5", "gini@5", "coverage@5", "tail@5"], **PAST)
    assert quiet["readings"] == [[]] * 3
    spoken = section(tmp_path, **PAST)
    first = [points[0] for points in spoken["readings"]]
    assert all(label == ["Concentration", "集中度"] for label, _ in first)
    assert all(english.startswith("80 % of the places go to ") for _, (english, _) in first)
    assert all(chinese.startswith("80 % 的位置给了 ") for _, (_, chinese) in first)
    static = (tmp_path / "r.html").read_text("utf-8").split("<script")[0]
    assert first[0][1][0] in static


def test_policies_that_forbid_to_look_are_said(tmp_path: Path) -> None:
    shown = section(tmp_path, ["ndcg@5"], ties="expected", **PAST)
    assert "no closed form" in shown["note"][0]
    assert "没有" in shown["note"][1]
    assert shown["note"][0] in (tmp_path / "r.html").read_text("utf-8").split("<script")[0]


def test_the_command_line_writes_the_same_section(tmp_path: Path) -> None:
    from pingce.cli import run

    lines = [
        f"{query} Q0 {item} 1 {score!r} x" for query, own in MODELS["model0"].items() for item, score in own.items()
    ]
    (tmp_path / "a.run").write_text("\n".join(lines), "utf-8")
    judged = [f"{query} 0 {item} {grade}" for query, own in TRUTH.items() for item, grade in own.items()]
    (tmp_path / "t.qrels").write_text("\n".join(judged), "utf-8")
    pairs = [f"{query}\t{item}" for query, own in PAST["train"].items() for item in own]
    (tmp_path / "train.tsv").write_text("\n".join(["query\titem", *pairs]), "utf-8")
    files = [str(tmp_path / name) for name in ("t.qrels", "a.run")]
    beside = ["--train", str(tmp_path / "train.tsv"), "--catalog", "30"]
    assert run(["report", *files, "-m", "ndcg@5", "-m", "map", *beside, "-o", str(tmp_path / "c.html"), "--quiet"]) == 0
    written = data_of(tmp_path / "c.html")["shown"]
    called = section(tmp_path, models={"a.run": MODELS["model0"]}, train=PAST["train"], catalog=30)
    assert written == called


def test_a_report_without_a_truth_is_refused(tmp_path: Path) -> None:
    with pytest.raises(pc.InputError, match="a report shows lists beside their truth"):
        pc.report(None, MODELS, ["coverage@5"], path=tmp_path / "r.html", **PAST)
