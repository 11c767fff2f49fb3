"""What is said of probabilities: recalibrate only where a test rejects, beware of crowded bins, look into the slices."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import optimize, stats

import pingce as pc
from drawn_labels import without_core
from pingce import PingceWarning
from pingce.base.core import native_core
from pingce.diagnosis.loss import loss_reading
from pingce.evidence.binary.odds import OddsCounts

needs_core = pytest.mark.skipif(native_core() is None, reason="THE NATIVE CORE IS NOT INSTALLED: nothing to compare")
pytestmark = pytest.mark.filterwarnings("ignore::pingce.PingceWarning")


def drawn(seed: int, rows: int, a: float = 1, b: float = 3) -> tuple[Any, Any]:
    """Probabilities and labels that follow them."""
    rng = np.random.default_rng(seed)
    p = rng.beta(a, b, rows)
    return (rng.random(rows) < p).astype(int), p


def advises(text: dict[str, str]) -> bool:
    return (
        any(word in text["en"] for word in ("recalibrate.", "recalibrate,", "calibrate there"))
        or "应做校准" in text["zh"]
    )


@pytest.mark.parametrize("rows", [60, 200, 1000])
def test_calibrated_models_are_not_told_to_recalibrate(rows: int) -> None:
    advised = 0
    for seed in range(60):
        labels, p = drawn(seed, rows)
        advised += advises(pc.evaluate_binary(labels, p, ["auc"]).diagnosis["text"])
    assert advised <= 3


def test_what_chance_explains_is_called_so() -> None:
    labels, p = drawn(59, 200)
    found = pc.evaluate_binary(labels, p, ["auc"]).diagnosis
    assert found["loss"]["removable"] > 0.05
    assert found["loss"]["verdict"] == "good"
    assert "no further off than chance explains (test of calibration: p = 0.5)" in found["text"]["en"]
    assert "偏差可由偶然解释（校准检验 p = 0.5）" in found["text"]["zh"]


@pytest.mark.parametrize("power", [0.4, 2.5])
def test_models_that_are_off_still_are_told(power: float) -> None:
    labels, p = drawn(0, 200)
    found = pc.evaluate_binary(labels, p**power, ["auc"]).diagnosis
    assert found["loss"]["verdict"] in ("off", "worse_than_constant")
    assert advises(found["text"])


def reference_p(labels: Any, p: Any, weight: Any, scale: float) -> float:
    """The likelihood ratio test by a general optimiser."""
    odds = np.log(p / (1 - p))

    def loss(fit: Any) -> float:
        z = fit[0] + fit[1] * odds
        return float((weight * np.logaddexp(0, np.where(labels == 1, -z, z))).sum())

    best = optimize.minimize(loss, [0, 1], method="BFGS", options={"gtol": 1e-9}).fun
    return float(stats.chi2.sf(2 * (loss([0, 1]) - best) / scale, 2))


def test_the_test_is_the_likelihood_ratio_of_slope_and_intercept() -> None:
    labels, p = drawn(3, 300)
    rng = np.random.default_rng(5)
    plain = np.ones(300)
    whole, fractions = rng.integers(1, 4, 300).astype(float), rng.random(300) * 2
    for weight, scale in ((plain, 1.0), (whole, 1.0), (fractions, (fractions**2).sum() / fractions.sum())):
        reading = loss_reading(pc.evaluate_binary(labels, p**1.3, ["auc"], weight=weight))
        assert reading is not None
        assert reading.p == pytest.approx(reference_p(labels, p**1.3, weight, scale), rel=1e-6)


def test_whole_weights_count_rows_and_fractions_have_no_scale() -> None:
    labels, p = drawn(3, 300)
    times = np.random.default_rng(5).integers(1, 4, 300)
    twice = loss_reading(pc.evaluate_binary(np.repeat(labels, times), np.repeat(p, times), ["auc"]))
    weighted = loss_reading(pc.evaluate_binary(labels, p, ["auc"], weight=times))
    assert twice is not None
    assert weighted is not None
    assert weighted.p == twice.p
    scaled = [loss_reading(pc.evaluate_binary(labels, p, ["auc"], weight=times * scale)) for scale in (0.3, 0.7)]
    assert scaled[0] is not None
    assert scaled[1] is not None
    assert scaled[0].p == pytest.approx(scaled[1].p, rel=1e-9)


def test_one_probability_and_classes_apart_are_tested_too() -> None:
    constant = loss_reading(pc.evaluate_binary([1] * 30 + [0] * 70, [0.25] * 100, ["auc"]))
    assert constant is not None
    ratio = 2 * (30 * math.log(0.3 / 0.25) + 70 * math.log(0.7 / 0.75))
    assert constant.p == pytest.approx(stats.chi2.sf(ratio, 1), rel=1e-9)
    apart = loss_reading(pc.evaluate_binary([0] * 50 + [1] * 50, np.linspace(0.3, 0.7, 100), ["auc"]))
    assert apart is not None
    assert apart.figures["slope"] is None
    assert apart.rejected


def test_evaluators_read_the_same_of_fractional_weights() -> None:
    labels, p = drawn(1, 400)
    weight = np.random.default_rng(2).random(400)
    whole = pc.evaluate_binary(labels, p**2, ["auc"], weight=weight)
    evaluator = pc.BinaryEvaluator(["auc"])
    for part in np.array_split(np.arange(400), 3):
        state = pc.BinaryEvaluator(["auc"]).update(labels[part], (p**2)[part], weight=weight[part])
        state._state._gather_waiting()
        evaluator.merge(pc.BinaryEvaluator.from_bytes(state.to_bytes()))
    assert evaluator.compute().diagnosis["text"] == whole.diagnosis["text"]
    assert evaluator.compute().evidence.dispersion == whole.evidence.dispersion != 1


def test_a_crowded_bin_is_named_with_its_share_and_range() -> None:
    labels, p = drawn(0, 2000, 0.5, 20)
    with pytest.warns(PingceWarning, match=r"ece, mce: \d\d\.\d % of the rows lie in one of 15 bins"):
        scores = pc.evaluate_binary(labels, p, ["ece", "mce", "ece(bins=100)"])
    (warning,) = scores.warnings
    share = 100 * np.mean(p < 1 / 15)
    assert f"{share:.1f} % of the rows lie in one of 15 bins of equal width (0 to 0.0667)" in warning.en
    assert f"{share:.1f} % 的行落在 15 个等宽箱中的一个（0 至 0.0667）" in warning.zh
    assert "e.g. ece(binning=quantile)" in warning.en
    assert not pc.evaluate_binary(labels, p, ["ece(binning=quantile)"]).warnings
    assert not pc.evaluate_binary(*drawn(0, 2000, 1, 1), ["ece"]).warnings


FACTORS = np.array([0.3, 0.5, 1, 1, 1, 1.2, 1.4, 1.8])


def by_campaign(factors: Any, rows: int = 20_000) -> Any:
    rng = np.random.default_rng(1)
    campaign, p = rng.integers(0, len(factors), rows), rng.beta(2, 10, rows)
    labels = (rng.random(rows) < np.clip(p * factors[campaign], 0, 1)).astype(int)
    return pc.evaluate_binary(labels, p, ["auc", "pcoc"], by={"campaign": campaign})


def test_probabilities_are_not_called_good_where_slices_are_off() -> None:
    scores = by_campaign(FACTORS)
    text = scores.diagnosis["text"]
    pcoc = {part.name: part.values["pcoc"].value for part in scores.slices.parts}
    assert scores.diagnosis["loss"]["verdict"] == "good"
    assert "both good" not in text["en"]
    assert "都好" not in text["zh"]
    assert "fit as a whole" in text["en"]
    assert f"By slice pcoc goes from {pcoc['7']:.3f} to {pcoc['0']:.3f}" in text["en"]
    assert f"5 of 8 slices are off beyond chance: campaign = 0 ({pcoc['0']:.3f}), campaign = 1" in text["en"]
    assert f"各切片的 pcoc 从 {pcoc['7']:.3f} 到 {pcoc['0']:.3f}；8 个切片中有 5 个" in text["zh"]


def test_slices_that_differ_by_chance_stay_unsaid() -> None:
    assert "both good" in by_campaign(np.ones(8)).diagnosis["text"]["en"]
    assert "By slice" not in by_campaign(np.ones(200), 4000).diagnosis["text"]["en"]


@needs_core
@pytest.mark.parametrize("rows", [1, 7, 8, 9, 127, 128, 129, 257, 1_000, 32_769, 100_003])
def test_a_line_is_fitted_by_the_core_as_by_the_reference(rows: int) -> None:
    """Sums by halves and in eight lanes, as NumPy adds up, whatever the number of rows and of threads."""
    rng = np.random.default_rng(rows)
    odds, positives, negatives = rng.normal(0, 3, rows), rng.exponential(1.0, rows), rng.exponential(3.0, rows)
    counts = OddsCounts(odds, positives, negatives)
    fit = counts.sums(0.3, 0.9), counts.loss(0.3, 0.9), counts.line()
    core = native_core()
    assert core is not None
    assert core.newton_sums(odds, positives, negatives, 0.3, 0.9, 3) == fit[0]
    with without_core():
        assert (counts.sums(0.3, 0.9), counts.loss(0.3, 0.9), counts.line()) == fit


def test_no_bit_comes_from_functions_that_change_with_the_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    """NumPy has exp and log of its own for some processors, whose last bits are others."""
    labels, p = drawn(8, 400)

    def bits() -> list[str]:
        scores = pc.evaluate_binary(labels, p, ["logloss", "ece"], ci=0.95)
        reading = loss_reading(scores)
        assert reading is not None and reading.slope is not None
        return [number.hex() for number in (reading.slope, reading.p, *(scores.interval("ece") or ()))]

    wanted = bits()
    for name in ("exp", "log", "log1p"):
        usual = getattr(np, name)
        monkeypatch.setattr(np, name, lambda x, usual=usual: np.nextafter(usual(x), np.inf))
    assert bits() == wanted
