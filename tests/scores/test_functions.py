"""The plain functions: each is one value of the evaluate call of its task."""

from __future__ import annotations

import inspect
import math
from typing import Any

import numpy as np
import pytest

import pingce as pc
from pingce import functions

Y = [1, 0, 1, 1, 0, 0, 1, 0]
SCORE = [0.9, 0.8, 0.7, 0.4, 0.4, 0.35, 0.2, 0.1]
SAID = [int(score >= 0.5) for score in SCORE]
USER = ["u", "u", "u", "u", "v", "v", "v", "v"]
WEIGHT = [1, 2, 1, 3, 1, 0.5, 1, 1]
WORDS = {0: "no", 1: "yes"}
NUMBERS, GUESSES = [3.0, -0.5, 2.0, 7.0], [2.5, 0.1, 2.0, 8.0]

OF_DECISIONS = ("precision", "recall", "f1", "specificity", "jaccard")
OF_CLASSES = ("accuracy", "balanced_accuracy", "kappa", "mcc")
OF_SCORES = ("auc", "pr_auc", "ks", "logloss", "ne", "brier", "ece", "pcoc")
OF_NUMBERS = ("mae", "mse", "rmse", "r2", "mape", "smape", "wmape", "medae", "pearson", "spearman")
OTHERS = ("fbeta", "confusion_matrix", "classification_report", "gauc", "lift")


def call(name: str, *columns: Any, **options: Any) -> float:
    found: float = getattr(pc, name)(*columns, **options)
    return found


def test_all_of_them_are_tested_and_exported() -> None:
    known = {name for name, one in inspect.getmembers(functions, inspect.isfunction) if not name.startswith("_")}
    known -= {"registry"}
    assert known == {*OF_DECISIONS, *OF_CLASSES, *OF_SCORES, *OF_NUMBERS, *OTHERS}
    assert known <= set(pc.__all__)


@pytest.mark.parametrize("name", OF_DECISIONS)
@pytest.mark.parametrize("weight", [None, WEIGHT])
def test_decisions(name: str, weight: Any) -> None:
    expected = pc.evaluate_binary(Y, SCORE, [name], weight=weight)[name]
    assert call(name, Y, SAID, weight=weight) == pytest.approx(expected, rel=1e-15)
    words = [WORDS[y] for y in Y], [WORDS[y] for y in SAID]
    assert call(name, *words, positive="yes", weight=weight) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize("name", ["precision", "recall", "f1", "jaccard"])
@pytest.mark.parametrize("average", ["macro", "micro", "weighted"])
def test_averages(name: str, average: str) -> None:
    true, said = ["a", "b", "c", "a", "b"], ["a", "c", "c", "b", "b"]
    metric = f"{name}(average={average})"
    assert call(name, true, said, average=average) == pc.evaluate_multiclass(true, said, [metric])[metric]


def test_fbeta() -> None:
    assert pc.fbeta(Y, SAID, beta=2) == pc.evaluate_binary(Y, SCORE, ["f(beta=2)"])["f(beta=2)"]
    assert pc.fbeta(Y, SAID, beta=1, average="macro") == pc.f1(Y, SAID, average="macro")


@pytest.mark.parametrize("name", OF_CLASSES)
def test_agreement(name: str) -> None:
    assert call(name, Y, SAID) == pc.evaluate_multiclass(Y, SAID, [name])[name]
    assert call(name, Y, SAID) == pytest.approx(pc.evaluate_binary(Y, SCORE, [name])[name], rel=1e-15)


@pytest.mark.parametrize("name", OF_SCORES)
@pytest.mark.parametrize("weight", [None, WEIGHT])
def test_scores(name: str, weight: Any) -> None:
    assert call(name, Y, SCORE, weight=weight) == pc.evaluate_binary(Y, SCORE, [name], weight=weight)[name]


def test_parameters_of_scores() -> None:
    assert pc.lift(Y, SCORE, 0.25) == pc.evaluate_binary(Y, SCORE, ["lift@0.25"])["lift@0.25"]
    assert (
        pc.gauc(Y, SCORE, USER, by="clicks")
        == pc.evaluate_binary(Y, SCORE, "gauc(by=clicks)", group=USER)["gauc(by=clicks)"]
    )
    assert pc.pr_auc(Y, SCORE, interpolation="trapezoid") != pc.pr_auc(Y, SCORE)
    assert pc.logloss(Y, SCORE, eps=0.3) < pc.logloss(Y, SCORE)
    assert pc.ece(Y, SCORE, bins=2, binning="quantile") != pc.ece(Y, SCORE)


@pytest.mark.parametrize("name", OF_NUMBERS)
@pytest.mark.parametrize("weight", [None, [1, 2, 0, 3]])
def test_numbers(name: str, weight: Any) -> None:
    expected = pc.evaluate_regression(NUMBERS, GUESSES, [name], weight=weight)[name]
    assert call(name, NUMBERS, GUESSES, weight=weight) == expected


def test_matrices() -> None:
    assert pc.confusion_matrix(["b", "a", "a"], ["b", "b", "a"]).tolist() == [[1, 1], [0, 1]]
    assert pc.confusion_matrix(["b", "a", "a"], ["b", "b", "a"], labels=["b", "a", "c"]).tolist() == [
        [1, 0, 0],
        [1, 1, 0],
        [0, 0, 0],
    ]
    assert pc.confusion_matrix([1, 0], [1, 1], weight=[0.5, 2]).tolist() == [[0, 2], [0, 0.5]]
    report = pc.classification_report(["b", "a", "a"], ["b", "b", "a"])
    assert report.column_names == ["class", "precision", "recall", "f1", "support", "predicted"]
    assert report["recall"].to_pylist() == [0.5, 1.0]


def test_a_label_that_nobody_predicts() -> None:
    assert pc.recall([2, 5, 5], [2, 2, 2]) == 0
    assert math.isnan(pc.precision([2, 5, 5], [2, 2, 2]))
    assert pc.recall(np.array([0, 1]), np.array([0, 0])) == 0
    assert math.isnan(pc.recall([0, 0], [0, 0]))
    assert pc.specificity([True, False], [False, False]) == 1


@pytest.mark.parametrize(
    ("columns", "options", "says"),
    [
        ((["a", "b"], ["a", "b"]), {}, "say which is positive"),
        ((["a", "b", "c"], ["a", "b", "c"]), {}, "average="),
        (([0, 1], [0, 1]), {"positive": "1"}, "there is no such label"),
        (([0, 1], [0, 1]), {"positive": 2}, "there is no such label"),
        (([0, 1], [0, 1, 1]), {}, "y_pred has 3"),
        (([0, 1], ["0", "1"]), {}, "never equal"),
    ],
)
def test_bad_input(columns: Any, options: dict[str, Any], says: str) -> None:
    with pytest.raises(pc.InputError, match=says) as problem:
        pc.f1(*columns, **options)
    assert problem.value.text.zh
