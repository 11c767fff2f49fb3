"""Intervals hold the truth as often as they say: small simulations of `benchmarks/coverage.py`, with a fixed seed."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pingce as pc
from pingce.scores.methods import METHODS

REPLICATES, SAMPLES = 80, 80
DOCS = Path(__file__).resolve().parents[2] / "docs"
NOTHING = (math.nan, math.nan)

simulation = pytest.mark.deep("draws a hundred populations, each with its intervals")


@pytest.mark.parametrize(("name", "title"), [("coverage.md", "population"), ("coverage.zh-CN.md", "总体")])
def test_every_method_of_the_table_is_said_above_it(name: str, title: str) -> None:
    head, _, rows = (DOCS / name).read_text().partition(f"\n| {title}")
    assert rows and {method for method in METHODS if f"- `{method}`" in head} == set(METHODS)
    assert "0.029" in head, "how far a share may be away without a mark"


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


@simulation
@pytest.mark.parametrize("world", [{}, {"tilt": 1.5}, {"shift": -1.4}], ids=["calibrated", "not", "few positives"])
def test_the_best_of_many_and_the_error_of_bins(world: dict[str, float]) -> None:
    counts = held(["ece", "ece(binning=quantile)", "ks", "best_f", "recall", "mcc"], 300, **world)
    assert min(counts.values()) >= 0.93 * REPLICATES - 4, counts


def drawing(random: np.random.Generator) -> dict[str, Any]:
    """Few draws, other ones for each sample."""
    return {"samples": 60, "seed": int(random.integers(1 << 30))}


def share_held(draw: Any, metrics: dict[str, float], replicates: int) -> dict[str, float]:
    """How often the intervals of samples hold the truth of each metric; a sample without one does not count."""
    found: dict[str, list[bool]] = {name: [] for name in metrics}
    for seed in range(replicates):
        scores = draw(np.random.default_rng([7, seed]), list(metrics))
        for name, real in metrics.items():
            if (ends := scores.interval(name)) is not None:
                found[name].append(ends[0] <= real <= ends[1])
    return {name: sum(holds) / len(holds) for name, holds in found.items()}


@simulation
def test_squares_of_errors_of_which_a_few_are_large() -> None:
    """E |e| = 1, E e² = 2, E e⁴ = 24 of exponential errors: of 60 rows plain draws hold e² in 86 of 100 cases."""

    def draw(random: np.random.Generator, metrics: list[str]) -> Any:
        error = random.exponential(size=60)
        return pc.evaluate_regression(np.zeros(60), error, metrics, ci=0.95, **drawing(random))

    shares = share_held(draw, {"mae": 1.0, "mse": 2.0, "rmse": math.sqrt(2)}, 250)
    assert min(shares.values()) >= 0.915, shares


@simulation
def test_log_loss_of_few_positives() -> None:
    def draw(random: np.random.Generator, metrics: list[str]) -> Any:
        return pc.evaluate_binary(random.random(150) < 0.03, np.full(150, 0.03), metrics, ci=0.95, **drawing(random))

    shares = share_held(draw, {"logloss": -0.03 * math.log(0.03) - 0.97 * math.log(0.97), "brier": 0.03 * 0.97}, 250)
    assert min(shares.values()) >= 0.915, shares


@simulation
def test_classes_of_which_one_is_rare() -> None:
    cells = np.array([[0.45, 0.1, 0.001], [0.1, 0.3, 0.004], [0.015, 0.015, 0.015]])
    true, said = cells.sum(axis=1), cells.sum(axis=0)
    right = np.diagonal(cells)
    metrics = {"precision": (right / said).mean(), "recall": (right / true).mean(), "accuracy": right.sum()}
    metrics |= {"f1": (2 * right / (true + said)).mean(), "f1(label=2)": 2 * right[2] / (true[2] + said[2])}

    def draw(random: np.random.Generator, names: list[str]) -> Any:
        counts = random.multinomial(100, cells.reshape(-1))
        rows = np.repeat(np.arange(9), counts)
        return pc.evaluate_multiclass(rows // 3, rows % 3, names, ci=0.95, labels=[0, 1, 2], **drawing(random))

    shares = share_held(draw, metrics, 150)
    assert min(shares.values()) >= 0.88, f"{shares}: 60 draws instead of 1,000 cost two of a hundred"


@simulation
def test_ranks_that_nearly_agree() -> None:
    """ρ = 6 / π · asin(r / 2) of normal numbers with correlation r."""

    def draw(random: np.random.Generator, metrics: list[str]) -> Any:
        x, noise = random.normal(size=(2, 60))
        return pc.evaluate_regression(x, 0.99 * x + math.sqrt(1 - 0.99**2) * noise, metrics, ci=0.95, **drawing(random))

    assert share_held(draw, {"spearman": 6 / math.pi * math.asin(0.495)}, 120)["spearman"] >= 0.91


@simulation
def test_differences_of_models_that_hardly_differ() -> None:
    """Two models that are wrong in 3 of 100 rows each, by turns: both differences are 0."""
    count = dict.fromkeys(["accuracy", "f1", "mae"], 0)
    for seed in range(100):
        random = np.random.default_rng([5, seed])
        y = random.random(60) < 0.5
        first, second = (np.where(random.random(60) < 0.03, ~y, y) * 0.8 + 0.1 for _ in range(2))
        gaps = pc.compare(y, {"a": first, "b": second}, ["accuracy", "f1"], task="binary", samples=100)
        errors = [random.exponential(size=60) ** 2 for _ in range(2)]
        other = pc.compare(np.zeros(60), dict(zip("ab", errors, strict=True)), ["mae"], task="regression", samples=100)
        for name, found in (("accuracy", gaps), ("f1", gaps), ("mae", other)):
            low, high = found.difference(name, "b").interval
            count[name] += low <= 0 <= high
    assert min(count.values()) >= 90, count


def test_a_perfect_score_of_few_rows_is_not_certain() -> None:
    y, score = [1] * 60 + [0] * 60, [0.9] * 60 + [0.1] * 60
    scores = pc.evaluate_binary(y, score, ["ks", "pr_auc", "best_f", "auc", "f1"], ci=0.95, samples=50)
    assert [name for name in scores if scores.interval(name) is None] == ["ks", "pr_auc", "best_f"]
    assert "or such as are all alike" in scores.notes[0].en and "全都相同" in scores.notes[0].zh
    weighted = pc.evaluate_binary(y, score, ["auc", "f1"], weight=[2.0] * 120, ci=0.95, samples=50)
    assert weighted.interval("auc") == scores.interval("auc"), "weights that are all alike are none"
    assert (weighted.interval("f1") or NOTHING)[0] < 1.0
    numbers = pc.evaluate_regression([1.0, 2.0], [1.0, 2.0], ["mae"], ci=0.95, samples=50)
    assert numbers.interval("mae") is None and "always give the same value" in numbers.notes[0].en


def test_how_far_few_rows_carry_a_mean() -> None:
    """Hall's transformation by hand: of 0, 0, 0, 4 the skewness of the mean is 24 / 12^1.5 = 1 / √3."""
    from pingce.stats.influences import Influences

    influences = Influences.of_ratio(np.array([0.0, 0.0, 0.0, 4.0]), np.ones(4), None)
    t, skewness = 3.182446305284263, 1 / math.sqrt(3)
    upper = 3 / skewness * (np.cbrt(1 + skewness * (-t - skewness / 6)) - 1)
    assert influences.skewness == pytest.approx(skewness) and influences.is_lopsided
    assert influences.interval(0.95) == pytest.approx((1 - t, max(1 + t, 1 - upper)))
    doubled = Influences.of_ratio(np.array([0.0, 0.0, 0.0, 4.0, 9.0]), np.ones(5), np.array([2.0] * 4 + [0.0]))
    assert doubled.interval(0.95) == influences.interval(0.95)


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
@pytest.mark.parametrize("weight", [None, [0.5] * 7])
def test_a_perfect_prediction_of_few_rows_is_not_certain(policy: str, weight: list[float] | None) -> None:
    rows = list("aaabbbc")
    metrics = ["f1", "recall", "precision", "balanced_accuracy", "f1(average=weighted)", "accuracy", "kappa"]
    scores = pc.evaluate_multiclass(
        rows,
        rows,
        metrics,
        ci=0.95,
        samples=200,
        undefined_class=policy,  # type: ignore[arg-type]
        weight=weight,
        labels=[*"abc"],
    )
    for name in metrics:
        low, high = scores.interval(name) or NOTHING
        assert 0.2 < low < 0.9 and high == 1.0


def test_a_class_that_was_never_predicted_may_never_be_or_may_be_yet() -> None:
    true, said = list("aaabbbc") * 3, list("aaabbba") * 3
    scores = pc.evaluate_multiclass(true, said, ["precision"], ci=0.95, samples=200)
    low, high = scores.interval("precision") or NOTHING
    assert 0.4 < low < scores["precision"] < 2 / 3 < high < 1


def test_few_rows_of_a_class_give_no_curve_its_interval() -> None:
    y, predicted, _ = labels(1, 200, shift=-4.1)
    assert 1 < y.sum() < 20
    scores = pc.evaluate_binary(y, predicted, ["pr_auc", "ks", "auc", "brier"], ci=0.95, samples=50)
    assert [name for name in scores if scores.interval(name) is None] == ["pr_auc", "ks"]
    assert "pr_auc has no confidence interval: draws of fewer than 50 rows of a class" in scores.notes[0].en


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
