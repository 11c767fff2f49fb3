"""What off-policy values refuse, with the sentence, and what they warn of."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pingce as pc

REWARD, TARGET, LOGGING = [1, 0, 1, 0], [0.6, 0.1, 0.5, 0.2], [0.5, 0.25, 0.1, 0.5]


def refusal(metrics: list[str] | None = None, **more: Any) -> pc.InputError:
    columns: dict[str, Any] = {"y_true": REWARD, "y_pred": TARGET, "propensity": LOGGING} | more
    with pytest.raises(pc.InputError) as refused:
        pc.evaluate_offpolicy(columns.pop("y_true"), columns.pop("y_pred"), metrics, **columns)
    return refused.value


@pytest.mark.parametrize("chance", [0, -0.1, 1.5])
def test_what_was_logged_had_a_chance(chance: float) -> None:
    problem = refusal(propensity=[0.5, chance, 0.5, chance])
    assert problem.text.en == (
        f"row 1 of propensity: propensity is {chance:g}; the probability with which the logging policy did what it did is above 0 and at most 1: "
        "what it never does is not in its log (2 in all)"
    )
    assert "日志策略选中所记录动作的概率须大于 0 且不超过 1" in problem.text.zh


@pytest.mark.parametrize("chance", [-0.1, 1.01])
def test_the_target_has_probabilities(chance: float) -> None:
    problem = refusal(y_pred=[0.5, 0.5, chance, 0.5])
    assert problem.text.en.startswith(
        f"row 2 of y_pred: y_pred is {chance:g}; the probability with which the target policy"
    )
    assert "目标策略选中同一动作的概率须在 0 到 1 之间" in problem.text.zh


@pytest.mark.parametrize("role", ["y_true", "y_pred", "propensity", "logged_estimate", "target_estimate", "weight"])
def test_no_number_is_missing(role: str) -> None:
    columns: dict[str, Any] = {role: [0.5, float("nan"), 0.5, 0.5]}
    problem = refusal(**columns)
    assert problem.text.en.startswith(f"row 1 of {role}: {role} is nan; remove such rows or fill them in (1 in all)")


@pytest.mark.parametrize(
    ("metric", "missing"), [("dm", "target_estimate"), ("dr", "logged_estimate"), ("sndr(clip=2)", "logged_estimate")]
)
def test_a_model_is_asked_for_by_metric_and_argument(metric: str, missing: str) -> None:
    problem = refusal([metric])
    assert problem.text.en.startswith(f"{metric} needs {missing}= (--{missing.replace('_', '-')}): What ")
    assert f"{metric} 需要 {missing}=" in problem.text.zh
    half = refusal(["dr"], logged_estimate=[0.5] * 4)
    assert half.text.en.startswith("dr needs target_estimate= (--target-estimate): What the same model expects")


def test_the_propensity_is_asked_for() -> None:
    assert str(refusal(propensity=None)) == (
        "propensity= (--propensity) is missing: The probability with which the logging policy did what it did, above 0 and up to 1."
    )


def test_a_weight_beyond_doubles_is_refused() -> None:
    assert "0.1 / 4.94066e-324 is beyond the range of doubles" in str(refusal(propensity=[0.5, 5e-324, 0.1, 0.5]))


def test_lengths_are_looked_at() -> None:
    assert "3" in str(refusal(propensity=[0.5, 0.5, 0.5]))


def test_a_value_beyond_doubles_is_refused() -> None:
    problem = refusal(["ips"], y_true=[1e308] * 4, propensity=[1e-10] * 4)
    assert str(problem).startswith("ips: the value is beyond the range of doubles; scale the rewards down, or clip")


@pytest.mark.parametrize(
    ("metric", "words"),
    [
        ("ips(clip=2,switch=3)", "clip=2 and switch=3 are two ways to tame large weights; choose one"),
        ("ips(clip=0)", "clip=0: must be a number, > 0"),
        ("dr(smooth=2)", "smooth=2: must be a number, ≥ 0, ≤ 1"),
        ("ips@10", "ips takes no @k"),
        ("switch_dr", "switch_dr"),
    ],
)
def test_parameters_that_make_no_sense(metric: str, words: str) -> None:
    assert words in str(refusal([metric]))


def test_all_weights_0_say_nothing() -> None:
    scores = pc.evaluate_offpolicy(
        REWARD, [0, 0, 0, 0], ["ips", "snips", "ess", "max_weight(as=share)", "mean_weight"], propensity=LOGGING, ci=0.9
    )
    assert scores["ips"] == 0
    assert np.isnan([scores["snips"], scores["ess"], scores["max_weight(as=share)"]]).all()
    assert scores.counts["undefined"] == {"ips": 0, "snips": 1, "ess": 1, "max_weight(as=share)": 1, "mean_weight": 0}
    assert scores.counts["zero_weights"] == 4
    assert [warning.en for warning in scores.warnings] == [
        "All importance weights are 0: the target policy never does what was logged, so that the log says nothing of it."
    ]
    assert scores.diagnosis["verdict"] == "none"
    with pytest.raises(pc.InputError, match=r"snips is undefined here \(all importance weights are 0"):
        pc.evaluate_offpolicy(REWARD, [0, 0, 0, 0], ["snips"], propensity=LOGGING, undefined="error")


def test_one_row_has_a_value_and_no_interval() -> None:
    scores = pc.evaluate_offpolicy([1], [0.5], ["ips", "snips", "ess"], propensity=[0.25], ci=0.95)
    assert dict(scores) == {"ips": 2.0, "snips": 1.0, "ess": 1.0}
    assert all(scores.interval(name) is None or np.isnan(scores.interval(name)).all() for name in scores)  # type: ignore[arg-type]


def test_batches_have_the_same_columns() -> None:
    evaluator = pc.OffpolicyEvaluator(["ips"]).update([1], [0.5], propensity=[0.5], logged_estimate=[0.1])
    with pytest.raises(pc.InputError, match="logged_estimate: given in the first batch, none in this one"):
        evaluator.update([1], [0.5], propensity=[0.5])


def test_a_column_of_one_model_is_not_taken_for_another() -> None:
    models = {"a": TARGET, "b": LOGGING}
    with pytest.raises(
        pc.InputError, match="target_estimate= belongs to one model: give a dict with a column for each of a, b"
    ):
        pc.compare(
            REWARD, models, ["dr"], task="offpolicy", propensity=LOGGING, logged_estimate=TARGET, target_estimate=TARGET
        )
