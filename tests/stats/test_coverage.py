"""Intervals hold the truth as often as they say: small simulations of `benchmarks/coverage.py`, with a fixed seed."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import pingce as pc

REPLICATES, SAMPLES = 80, 80
NOTHING = (math.nan, math.nan)


def labels(seed: int, n: int, *, tilt: float = 1.0, shift: float = 0.0) -> tuple[Any, Any, Any]:
    """Labels, predicted and true probabilities."""
    random = np.random.default_rng([seed, n])
    logit = shift + 1.2 * random.normal(size=n)
    true, predicted = (1 / (1 + np.exp(-scale * logit)) for scale in (1.0, tilt))
    return (random.random(n) < true).astype(np.int8), predicted, true


def truth(metrics: list[str], **world: float) -> dict[str, float]:
    """Each row as a positive and a negative one, weighted by their probabilities: no noise of labels."""
    _, predicted, true = labels(0, 100_000, **world)
    both = np.repeat(np.array([1, 0], np.int8), len(true))
    weight = np.concatenate([true, 1 - true])
    return dict(pc.evaluate_binary(both, np.tile(predicted, 2), metrics, weight=weight))


def held(metrics: list[str], n: int, **world: float) -> dict[str, int]:
    """How many of the intervals of each metric hold the truth; the estimate lies within its own."""
    found, real = dict.fromkeys(metrics, 0), truth(metrics, **world)
    for seed in range(REPLICATES):
        y, predicted, _ = labels(seed + 1, n, **world)
        scores = pc.evaluate_binary(y, predicted, metrics, ci=0.95, samples=SAMPLES)
        for name in metrics:
            low, high = scores.interval(name) or NOTHING
            assert low <= scores[name] <= high
            found[name] += low - 1e-9 <= real[name] <= high + 1e-9
    return found


@pytest.mark.parametrize("world", [{}, {"tilt": 1.5}, {"shift": -2.5}], ids=["calibrated", "not", "few positives"])
def test_the_best_of_many_and_the_error_of_bins(world: dict[str, float]) -> None:
    counts = held(["ece", "ece(binning=quantile)", "ks", "best_f", "recall", "mcc"], 300, **world)
    assert min(counts.values()) >= 0.93 * REPLICATES - 4, counts


def test_a_decision_that_finds_nothing_is_not_sure_of_it() -> None:
    y, score = [1] * 6 + [0] * 94, [0.4] * 50 + [0.1] * 50
    scores = pc.evaluate_binary(y, score, ["recall", "f1", "mcc", "precision", "fpr"], ci=0.95, samples=200)
    low, high = scores.interval("recall") or NOTHING
    assert low == 0.0 and 0.2 < high < 0.6
    assert all((scores.interval(name) or NOTHING)[1] > 0 for name in ("f1", "mcc", "fpr"))
    assert all(math.isnan(end) for end in scores.interval("precision") or ())


@pytest.mark.parametrize("name", ["mce", "ks_threshold", "best_f_threshold"])
def test_what_draws_cannot_show_has_no_interval_and_a_sentence(name: str) -> None:
    y, predicted, _ = labels(1, 200)
    scores = pc.evaluate_binary(y, predicted, [name, "auc"], ci=0.95, samples=50)
    assert scores.interval(name) is None and scores.interval("auc") is not None
    assert scores.notes[-1].en.startswith(f"{name} has no confidence interval: ")
    assert scores.notes[-1].zh.startswith(f"{name} 没有置信区间：")
    assert not pc.evaluate_binary(y, predicted, [name]).notes


def test_the_largest_error_has_no_interval() -> None:
    scores = pc.evaluate_regression([1.0, 2.0, 3.0], [1.0, 2.0, 5.0], ["max_error", "mae"], ci=0.9, samples=50)
    assert scores.interval("max_error") is None and "max_error has no" in scores.notes[0].en


@pytest.mark.parametrize("score", [[0.9, 0.8, 0.7, 0.3, 0.2, 0.1], [0.1, 0.2, 0.3, 0.7, 0.8, 0.9]])
def test_auc_of_few_rows_is_never_certain(score: list[float]) -> None:
    """Newcombe's method 5: θ = 0.5010 solves 1 - θ = 1.96 √V(θ) for 3 against 3."""
    scores = pc.evaluate_binary([1, 1, 1, 0, 0, 0], score, ["auc", "rank_loss"], ci=0.95)
    low, high = scores.interval("auc") or NOTHING
    assert (low, high) == pytest.approx((0.501019, 1.0) if scores["auc"] else (0.0, 0.498981), abs=1e-6)
    assert scores.interval("rank_loss") == (1 - high, 1 - low)


def test_a_row_of_weight_0_is_none() -> None:
    random = np.random.default_rng(3)
    true, predicted = random.normal(size=(2, 40))
    weight = np.where(np.arange(40) < 10, 0.0, random.random(40) + 0.5)
    order: dict[str, Any] = {"ci": 0.95, "samples": 60}
    kinds: list[tuple[Any, list[str], Any, Any]] = [
        (pc.evaluate_regression, ["mae", "rmse", "medae", "r2"], true, predicted),
        (pc.evaluate_binary, ["pr_auc", "ks", "ece", "logloss", "f1"], true > 0, 1 / (1 + np.exp(-predicted))),
        (pc.evaluate_multiclass, ["f1", "accuracy"], np.sign(true + 0.3).astype(int), np.sign(predicted).astype(int)),
    ]
    for call, metrics, truth_, said in kinds:
        whole = call(truth_, said, metrics, weight=weight, **order)
        without = call(truth_[10:], said[10:], metrics, weight=weight[10:], **order)
        assert [whole.interval(name) for name in metrics] == [without.interval(name) for name in metrics]


@pytest.mark.parametrize("policy", ["zero", "error", "nan", "one"])
def test_a_class_that_a_draw_lacks_is_left_out_of_it(policy: str) -> None:
    rows = list("aaabbbc")
    metrics = ["f1", "recall", "precision", "balanced_accuracy", "f1(average=weighted)"]
    scores = pc.evaluate_multiclass(rows, rows, metrics, ci=0.95, samples=200, undefined_class=policy)
    assert {scores.interval(name) for name in metrics} == {(1.0, 1.0)}


def test_a_class_that_the_data_lacks_stays_what_the_policy_says() -> None:
    true, said = list("aaabbbc") * 3, list("aaabbba") * 3
    scores = pc.evaluate_multiclass(true, said, ["precision"], ci=0.95, samples=200)
    low, high = scores.interval("precision") or NOTHING
    assert 0.4 < low <= scores["precision"] <= high <= 2 / 3


def test_few_rows_of_a_class_give_no_curve_its_interval() -> None:
    y, predicted, _ = labels(1, 200, shift=-4.1)
    assert 1 < y.sum() < 20
    scores = pc.evaluate_binary(y, predicted, ["pr_auc", "ks", "auc", "brier"], ci=0.95, samples=50)
    assert [name for name in scores if scores.interval(name) is None] == ["pr_auc", "ks"]
    assert "pr_auc has no confidence interval: draws of fewer than 20 rows of a class" in scores.notes[0].en


def test_differences_of_what_is_too_good_on_average() -> None:
    y, predicted, _ = labels(2, 400)
    bad = 1 / (1 + np.exp(-4 * np.log(predicted / (1 - predicted))))
    metrics = ["ece", "ks", "mce"]
    found = pc.compare(y, {"good": predicted, "bad": bad}, metrics, task="binary", samples=100)
    gap = found.difference("ece", "bad")
    assert gap.p < 0.05 and 0 < gap.interval[0] < gap.value < gap.interval[1]
    same = found.difference("ks", "bad")
    assert same.p == 1.0 and same.interval[0] <= 0 <= same.interval[1], "the same order has the same ks"
    assert math.isnan(found.difference("mce", "bad").p) and not found["mce"].is_tested
    assert any("mce: there is no test, no letter and no interval" in text.en for text in found.warnings)
    turned = pc.compare(y, {"bad": bad, "good": predicted}, metrics, task="binary", samples=100, baseline="bad")
    assert turned.difference("ece", "good").p == gap.p
