"""Confidence intervals of classes and numbers, and the ends of ranges that sums of weights must not step over."""

from __future__ import annotations

import datetime
import math
from typing import Any

import numpy as np
import pytest

import pingce as pc

RNG = np.random.default_rng(7)
TRUE = RNG.integers(0, 3, 60)
SAID = np.where(RNG.random(60) < 0.7, TRUE, RNG.integers(0, 3, 60))
NUMBERS = RNG.normal(size=60)
GUESSES = NUMBERS + RNG.normal(size=60) / 3
WEIGHT = RNG.random(60)


@pytest.mark.parametrize("weight", [None, WEIGHT])
def test_classes_and_numbers_have_intervals(weight: Any) -> None:
    classes = pc.evaluate_multiclass(TRUE, SAID, ["accuracy", "f1", "kappa"], weight=weight, ci=0.9, samples=200)
    numbers = pc.evaluate_regression(
        NUMBERS, GUESSES, ["mae", "rmse", "r2", "medae"], weight=weight, ci=0.9, samples=200
    )
    for scores in (classes, numbers):
        for name, value in scores.items():
            low, high = scores.interval(name) or (math.nan, math.nan)
            assert low < value < high
        assert {"low", "high"} <= set(scores.to_arrow().column_names)
        assert scores.to_dict()["metrics"][0]["interval"]["confidence"] == 0.9


def test_row_order_and_seed() -> None:
    order = RNG.permutation(60)
    given: dict[str, Any] = {"ci": 0.95, "samples": 50}
    one = pc.evaluate_multiclass(TRUE, SAID, ["f1"], **given)
    assert pc.evaluate_multiclass(TRUE[order], SAID[order], ["f1"], **given).interval("f1") == one.interval("f1")
    assert pc.evaluate_multiclass(TRUE, SAID, ["f1"], seed=1, **given).interval("f1") != one.interval("f1")
    two = pc.evaluate_regression(NUMBERS, GUESSES, ["rmse"], **given)
    assert pc.evaluate_regression(NUMBERS[order], GUESSES[order], ["rmse"], **given).interval("rmse") == two.interval(
        "rmse"
    )


def test_probabilities_have_intervals() -> None:
    proba = RNG.dirichlet(np.ones(3), 60)
    scores = pc.evaluate_multiclass(TRUE, None, ["logloss", "auc"], proba=proba, ci=0.9, samples=100)
    for name, value in scores.items():
        low, high = scores.interval(name) or (math.nan, math.nan)
        assert low < value < high


def test_bad_intervals() -> None:
    with pytest.raises(pc.InputError, match="ci=2"):
        pc.evaluate_regression(NUMBERS, GUESSES, ci=2)
    with pytest.raises(pc.InputError, match="samples=1"):
        pc.evaluate_multiclass(TRUE, SAID, ci=0.9, samples=1)


def test_areas_of_weights_stay_within_their_range() -> None:
    for seed in range(300):
        random = np.random.default_rng(seed)
        n = int(random.integers(3, 9))
        y, score = random.integers(0, 2, n), np.sort(random.random(n))
        for labels in (np.sort(y), np.sort(y)[::-1]):
            found = pc.evaluate_binary(
                labels, score, ["auc", "rank_loss", "gauc", "pr_auc", "mcc", "kappa"],
                weight=np.round(random.random(n), 1) + 0.1, group=np.zeros(n, int), positive=1,
            )  # fmt: skip
            assert all(
                math.isnan(value) or (-1 if name in ("mcc", "kappa") else 0) <= value <= 1
                for name, value in found.items()
            )


@pytest.mark.parametrize("weight", [1e80, 1e-90])
def test_a_perfect_decision_of_any_weight(weight: float) -> None:
    rows = [1, 0], [0.9, 0.1]
    assert pc.evaluate_binary(*rows, ["mcc", "kappa"], weight=[weight] * 2) == {"mcc": 1.0, "kappa": 1.0}
    assert pc.mcc(["a", "b"], ["a", "b"], weight=[weight] * 2) == 1.0


def test_rare_classes_lose_no_digits() -> None:
    """tp 10, fp 7, fn 9 among 800 million: the binary formula and that of classes agree."""
    true, said, weight = [1, 0, 1, 0], [1, 1, 0, 0], [10, 7, 9, 8 * 10**8 - 26]
    binary = pc.evaluate_binary(true, [float(one) for one in said], ["mcc", "kappa"], weight=weight)
    for name, value in binary.items():
        assert pc.evaluate_multiclass(true, said, [name], weight=weight)[name] == pytest.approx(value, rel=1e-14)


def test_equal_thresholds_of_weights() -> None:
    y, score = [0, 1, 1, 0, 1, 0], [0.6, 0.4, 0.7, 0.1, 0.9, 0.9]
    for name in ("ks_threshold", "best_f_threshold"):
        plain = pc.evaluate_binary(y, score, [name])[name]
        assert pc.evaluate_binary(y, score, [name], weight=[0.1] * 6)[name] == plain


def test_an_absent_class_is_no_zero_area() -> None:
    proba = [[0.8, 0.1, 0.1], [0.1, 0.8, 0.1]]
    scores = pc.evaluate_multiclass(["a", "b"], None, ["auc", "auc(multi=ovo)"], proba=proba, labels=["a", "b", "c"])
    assert dict(scores) == {"auc": 1.0, "auc(multi=ovo)": 1.0}
    assert scores.counts["undefined"] == {"auc": 1, "auc(multi=ovo)": 2}
    assert "left out" in scores.warnings[0].en
    alone = pc.evaluate_multiclass(["a", "a"], None, ["auc"], proba=[[0.8, 0.2], [0.7, 0.3]], labels=["a", "b"])
    assert math.isnan(alone["auc"])
    assert alone.counts["undefined"] == {"auc": 2}


@pytest.mark.parametrize(
    "group",
    [
        [datetime.date(2026, 1, 1), datetime.date(2026, 1, 2)] * 2,
        np.array([2**64 - 1, 2**64 - 2] * 2, np.uint64),
        ["", "a", "", "a"],
        np.array(["2026-01-01", "2026-01-02"] * 2, "datetime64[D]"),
    ],
    ids=["dates", "64 bits", "an empty one", "NumPy's dates"],
)
def test_groups_of_any_type(group: Any) -> None:
    scores = pc.evaluate_binary([1, 0, 0, 1], [0.9, 0.8, 0.1, 0.9], ["gauc"], group=group)
    assert scores["gauc"] == 1.0
    assert scores.per_group.num_rows == 2
