"""What is shown, in words: only from values that were evaluated, in both languages."""

from __future__ import annotations

import json
from typing import Any

import pytest

import pingce as pc

USERS = [f"u{number}" for number in range(10)]
TRUTH = {user: [number] for number, user in enumerate(USERS)}
SAME = {user: [100, 101] for user in USERS}
"Two items for everybody, both wrong."
OWN = {user: [number + 20, number + 30] for number, user in enumerate(USERS)}
RIGHT = {user: [number, 100] for number, user in enumerate(USERS)}
"The right item, and one for everybody."
TRAIN = {user: [100, 101, number] for number, user in enumerate(USERS)}


def words(metrics: list[str], run: Any = SAME, truth: Any = TRUTH, **options: Any) -> dict[str, str]:
    scores = pc.evaluate_ranking(truth, run, metrics, **options)
    return dict(scores.diagnosis["text"])


def test_who_gets_the_places() -> None:
    text = words(["gini@2"], catalog=200)
    assert text["en"].endswith("80 % of the places go to 1 % of the items (2 of 200; gini@2 0.99).")
    assert text["zh"].endswith("80 % 的位置给了 1 % 的条目（200 个中的 2 个；gini@2 0.99）。")
    scores = pc.evaluate_ranking(TRUTH, SAME, ["gini@2"], catalog=200)
    assert scores.diagnosis["shown"] == {"gini@2": {"share_of_places": 0.8, "items": 2, "of": 200}}
    assert json.loads(scores.to_json())["diagnosis"]["shown"]["gini@2"]["of"] == 200


def test_how_many_items_nobody_sees() -> None:
    assert (
        "98.5 % of the items of the catalogue are shown to nobody (coverage@2 0.015)."
        in words(["coverage@2"], {**SAME, "u0": [5, 100]}, catalog=200)["en"]
    )
    assert "训练集中 83.3 % 的条目没有展示给任何人" in words(["coverage(of=train)@2"], train=TRAIN)["zh"]
    assert "nobody" not in words(["coverage(of=count)@2"])["en"]


def test_an_item_that_stands_for_none_is_not_said_to_be_shown_to_nobody() -> None:
    assert "shown to nobody" not in words(["coverage(of=padded)@2"], catalog=200)["en"]


def test_whether_lists_favour_the_popular() -> None:
    text = words(["tail@2"], train=TRAIN)
    # 80 % of 30 interactions are 24: the head has 100, 101 (10 each) and four others, the tail six of 30
    assert "the long tail has 20 % of the past and 0 % of a list (tail@2)" in text["en"]
    assert "长尾占过去交互的 20 %，只占列表的 0 %（tail@2）" in text["zh"]
    tail = {user: [9, 8] for user in USERS}
    assert "favour" not in words(["tail@2"], tail, train=TRAIN)["en"]


def test_what_was_not_evaluated_is_not_spoken_of() -> None:
    scores = pc.evaluate_ranking(TRUTH, SAME, ["mrr"], catalog=200, train=TRAIN)
    assert list(scores.diagnosis) == ["first_relevant", "queries", "points", "text"]
    assert "%" in str(scores.diagnosis["text"])
    assert "places" not in scores.diagnosis["text"]["en"]


def test_without_a_truth_nothing_is_said_of_relevance() -> None:
    text = words(["gini@2"], truth=None, catalog=200)
    assert text["en"].startswith("80 % of the places")
    assert words(["entropy@2"], truth=None)["en"] == "No query has a relevant item."


def compared(runs: dict[str, Any], metrics: list[str]) -> list[str]:
    comparison = pc.compare(TRUTH, runs, metrics, catalog=200, samples=100)
    return [text.en for text in comparison.warnings if text.en.startswith("Accuracy rises")]


def test_accuracy_that_rises_while_coverage_falls() -> None:
    (line,) = compared({"wide": OWN, "right": RIGHT}, ["mrr@2", "coverage@2"])
    assert line == (
        "Accuracy rises while coverage falls by 45 %: from wide to right, mrr@2 goes from 0 to 1, coverage@2 from 0.1 to 0.055; "
        "the p of mrr@2 says whether the rise may be chance."
    )
    assert compared({"right": RIGHT, "wide": OWN}, ["mrr@2", "coverage@2"]) == [line]


def test_coverage_that_halves() -> None:
    half = {user: [number // 2 * 2 if number % 2 else number, 100 + number // 5] for number, user in enumerate(USERS)}
    wide = {user: [number + 20, number // 2 + 30] for number, user in enumerate(USERS)}
    scores = {
        name: pc.evaluate_ranking(TRUTH, run, ["mrr@2", "coverage@2"], catalog=200)
        for name, run in {"wide": wide, "half": half}.items()
    }
    (text,) = scores["wide"].between(scores)
    assert text.en.startswith("Accuracy rises while coverage halves: from wide to half, mrr@2 goes from 0 to 0.5")
    assert text.zh.startswith("准确性上升，覆盖率减半：从 wide 到 half，mrr@2 由 0 升至 0.5")


@pytest.mark.parametrize("metrics", [["mrr@2"], ["coverage@2"], ["mrr@2", "gini@2"]])
def test_nothing_is_traded_where_one_of_the_two_is_not_evaluated(metrics: list[str]) -> None:
    assert compared({"wide": OWN, "right": RIGHT}, metrics) == []


def test_a_rise_of_both_is_no_trade() -> None:
    assert compared({"same": SAME, "right": RIGHT}, ["mrr@2", "coverage@2"]) == []


def test_only_metrics_that_all_have_are_spoken_of() -> None:
    scores = {
        "wide": pc.evaluate_ranking(TRUTH, OWN, ["hit_rate@2", "mrr@2", "coverage@2"], catalog=200),
        "right": pc.evaluate_ranking(TRUTH, RIGHT, ["mrr@2", "coverage@2"], catalog=200),
    }
    (text,) = scores["wide"].between(scores)
    assert "mrr@2 goes from 0 to 1" in text.en
    del scores["right"]
    scores["right"] = pc.evaluate_ranking(TRUTH, RIGHT, ["mrr@2"])
    assert scores["wide"].between(scores) == []
