"""Several labels per row: examples that a person worked out, and what follows from the definitions at once."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import pingce as pc

TRUTH = [[1, 0, 1], [0, 1, 0], [1, 1, 0]]
SCORE = [[0.9, 0.35, 0.6], [0.4, 0.7, 0.1], [0.8, 0.3, 0.5]]
WORKED = {
    "precision(average=macro)": (1 + 1 + 1 / 2) / 3,
    "precision(average=micro)": 4 / 5,
    "precision(average=weighted)": (2 * 1 + 2 * 1 + 1 / 2) / 5,
    "precision(average=samples)": (1 + 1 + 1 / 2) / 3,
    "recall(average=macro)": (1 + 1 / 2 + 1) / 3,
    "recall(average=micro)": 4 / 5,
    "f1(average=macro)": (1 + 2 / 3 + 2 / 3) / 3,
    "f1(average=micro)": 4 / 5,
    "f1(average=weighted)": (2 * 1 + 2 * 2 / 3 + 2 / 3) / 5,
    "f1(average=samples)": (1 + 1 + 1 / 2) / 3,
    "f(beta=2,average=macro)": (1 + 5 / 9 + 5 / 6) / 3,
    "jaccard(average=macro)": (1 + 1 / 2 + 1 / 2) / 3,
    "jaccard(average=samples)": (1 + 1 + 1 / 3) / 3,
    "jaccard(average=micro)": 4 / 6,
    "accuracy": 7 / 9,
    "specificity": (1 + 1 + 1 / 2) / 3,
    "hamming": 2 / 9,
    "exact_match": 2 / 3,
    "coverage_error": (2 + 1 + 3) / 3,
    "lrap": (1 + 1 + (1 + 2 / 3) / 2) / 3,
    "label_ranking_loss": (0 + 0 + 1 / 2) / 3,
    "auc": (1 + 1 / 2 + 1) / 3,
    "auc(average=weighted)": (2 * 1 + 2 * 1 / 2 + 1) / 5,
    "auc(average=micro)": 17 / 20,
    "auc(average=samples)": (1 + 1 + 1 / 2) / 3,
    "pr_auc": (1 + (1 + 2 / 3) / 2 + 1) / 3,
    "pr_auc(average=samples)": (1 + 1 + (1 + 2 / 3) / 2) / 3,
    "f1(label=1)": 2 / 3,
    "auc(label=1)": 1 / 2,
}


@pytest.mark.parametrize(("metric", "value"), WORKED.items())
def test_three_rows_of_three_labels(metric: str, value: float) -> None:
    scores = pc.evaluate_multilabel(TRUTH, SCORE, [metric])
    assert scores[metric] == pytest.approx(value, rel=1e-14)
    assert pc.explain(metric, TRUTH, SCORE, task="multilabel").value == scores[metric]


def test_the_two_rows_of_the_literature() -> None:
    scores = pc.evaluate_multilabel(
        [[1, 0, 0], [0, 0, 1]],
        [[0.75, 0.5, 1.0], [1.0, 0.2, 0.1]],
        ["coverage_error", "lrap", "label_ranking_loss"],
    )
    assert scores["coverage_error"] == 2.5
    assert scores["lrap"] == pytest.approx(5 / 12, rel=1e-15)
    assert scores["label_ranking_loss"] == 0.75


def test_ties_stand_above_each_other() -> None:
    """Of three equal scores with one label that holds, all three must be looked at."""
    scores = pc.evaluate_multilabel(
        [[1, 0, 0]],
        [[0.5, 0.5, 0.5]],
        ["coverage_error", "lrap", "label_ranking_loss", "label_ranking_loss(ties=half)", "auc(average=samples)"],
    )
    assert [*scores.values()] == [3, pytest.approx(1 / 3), 1, 0.5, 0.5]


def test_rows_without_labels_and_rows_with_all() -> None:
    truth, score = [[0, 0], [1, 1], [1, 0]], [[0.2, 0.3], [0.2, 0.3], [0.1, 0.9]]
    names = ["coverage_error", "lrap", "label_ranking_loss"]
    scores = pc.evaluate_multilabel(truth, score, [*names, *(f"{name}(empty=skip)" for name in names)])
    assert [scores[name] for name in names] == [pytest.approx(4 / 3), pytest.approx(2.5 / 3), pytest.approx(1 / 3)]
    assert [scores[f"{name}(empty=skip)"] for name in names] == [2, 0.75, 1]
    assert scores.counts["undefined"] == dict(
        zip([*names, *(f"{name}(empty=skip)" for name in names)], [1, 1, 2] * 2, strict=True)
    )
    assert scores.counts["without_labels"] == 1
    alone = pc.evaluate_multilabel([[0, 0]], [[0.1, 0.2]], ["lrap", "lrap(empty=skip)"])
    assert alone["lrap"] == 1
    assert math.isnan(alone["lrap(empty=skip)"])


def test_a_label_that_never_occurs() -> None:
    truth, score = [[1, 0], [0, 0]], [[0.9, 0.2], [0.1, 0.8]]
    scores = pc.evaluate_multilabel(truth, score, ["recall", "auc", "auc(lacking=zero)", "auc(lacking=nan)", "pr_auc"])
    assert scores["recall"] == 0.5
    assert scores["auc"] == 1
    assert scores["auc(lacking=zero)"] == 0.5
    assert math.isnan(scores["auc(lacking=nan)"])
    assert scores.counts["never_true"] == 1
    assert scores.counts["undefined"]["recall"] == 1
    assert any("1 labels never occur in the truth" in text.en for text in scores.warnings)
    assert any("1 个标签从未在真值中出现" in text.zh for text in scores.warnings)
    policies: list[dict[str, Any]] = [{"undefined_label": policy} for policy in ("skip", "one", "zero")]
    assert [pc.evaluate_multilabel(truth, score, ["recall"], **each)["recall"] for each in policies] == [1, 1, 0.5]
    with pytest.raises(pc.InputError, match="recall is undefined for 1 labels; choose undefined_label=zero"):
        pc.evaluate_multilabel(truth, score, ["recall"], undefined_label="error")


def test_no_average_gives_a_value_for_each_label() -> None:
    scores = pc.evaluate_multilabel(TRUTH, SCORE, ["f1(average=none)"], labels=["a", "b", "c"])
    assert {name: round(value, 4) for name, value in scores.items()} == {
        "f1(label=a)": 1.0,
        "f1(label=b)": 0.6667,
        "f1(label=c)": 0.6667,
    }
    table = scores.per_label.to_pydict()
    assert table["label"] == ["a", "b", "c"]
    assert table["support"] == [2, 2, 1]
    assert table["predicted"] == [2, 1, 2]
    with pytest.raises(pc.InputError, match="label=d: there is no such label; there are a, b, c"):
        pc.evaluate_multilabel(TRUTH, SCORE, ["f1(label=d)"], labels=["a", "b", "c"])


def test_a_weight_is_a_row_so_many_times() -> None:
    metrics = [*WORKED, "label_ranking_loss(ties=half)"]
    weighted = pc.evaluate_multilabel(TRUTH, SCORE, metrics, weight=[2, 0, 3])
    rows: Any = [0, 0, 2, 2, 2]
    repeated = pc.evaluate_multilabel(np.array(TRUTH)[rows], np.array(SCORE)[rows], metrics)
    for name in metrics:
        assert weighted[name] == pytest.approx(repeated[name], rel=1e-14, nan_ok=True), name


def test_predicted_labels_are_scores_too() -> None:
    predicted = (np.array(SCORE) >= 0.5).astype(int)
    for decisions in (predicted, predicted.astype(bool), predicted.tolist()):
        scores = pc.evaluate_multilabel(TRUTH, decisions, ["f1(average=micro)", "exact_match"])
        assert [*scores.values()] == [0.8, pytest.approx(2 / 3)]


def test_what_accuracy_is_depends_on_the_tool() -> None:
    ours = pc.evaluate_multilabel(TRUTH, SCORE, ["accuracy"])["accuracy"]
    theirs = pc.evaluate_multilabel(TRUTH, SCORE, ["accuracy_score"], convention="sklearn")["accuracy_score"]
    assert [ours, theirs] == pytest.approx([7 / 9, 2 / 3])
