"""What uplift refuses, with the sentence, and what it warns of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pingce as pc

OUTCOME, SCORE, TREATED = [1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1], [1, 0, 0, 1]


def refusal(**more: Any) -> pc.InputError:
    columns: dict[str, Any] = {"y_true": OUTCOME, "y_score": SCORE, "treatment": TREATED} | more
    with pytest.raises(pc.InputError) as refused:
        pc.evaluate_uplift(columns.pop("y_true"), columns.pop("y_score"), **columns)
    return refused.value


def test_a_treatment_is_0_or_1() -> None:
    problem = refusal(treatment=[1, 0, 2, 3])
    assert problem.text.en == (
        "row 2 of treatment: treatment is 2, but a row was treated (1) or not (0); of several treatments compare one with the control rows at a time (2 in all)"
    )
    assert problem.text.zh.startswith("treatment 第 2 行（从 0 起）：treatment 为 2，而它应为 1（干预）或 0（对照）")
    assert "treatment holds" in str(refusal(treatment=["a", "b", "a", "b"]))


@pytest.mark.parametrize(("arm", "name"), [(0, "treated"), (1, "control")])
def test_both_arms_are_needed(arm: int, name: str) -> None:
    problem = refusal(treatment=[arm] * 4)
    assert f"there is no {name} row that counts" in problem.text.en
    assert "请给出两组的数据" in problem.text.zh


def test_an_arm_whose_weights_are_0_is_empty() -> None:
    assert "there is no treated row that counts" in str(refusal(weight=[0, 1, 1, 0]))


@pytest.mark.parametrize("chance", [0, 1, -0.1, 1.5])
def test_propensities_lie_between_0_and_1(chance: float) -> None:
    problem = refusal(propensity=[0.5, chance, 0.5, 0.5])
    assert (
        f"row 1 of propensity: propensity is {chance:g}; the probability to be treated lies between 0 and 1"
        in problem.text.en
    )
    assert "被干预的概率须大于 0 且小于 1" in problem.text.zh


def test_the_treatment_is_asked_for() -> None:
    assert (
        str(refusal(treatment=None))
        == "treatment= (--treatment) is missing: 1 for rows that were treated, 0 for control rows."
    )


def test_lengths_and_missing_values_are_looked_at() -> None:
    assert "treatment" in str(refusal(treatment=[1, 0, 1]))
    assert "y_score is nan" in str(refusal(y_score=[0.1, float("nan"), 0.2, 0.3]))
    assert "y_true is nan" in str(refusal(y_true=[0.1, float("nan"), 0.2, 0.3]))


def test_constant_scores_are_said_and_worth_nothing() -> None:
    with pytest.warns(pc.PingceWarning, match="all scores are the same: every order is as good"):
        scores = pc.evaluate_uplift([1, 0, 1, 1], [0.5] * 4, ["qini", "auuc", "uplift@0.5"], treatment=[1, 0, 1, 0])
    assert scores["qini"] == 0
    assert scores["auuc"] == 0
    assert scores["uplift@0.5"] == 0.5


def test_treatments_that_follow_the_scores_are_said() -> None:
    score = np.arange(400) / 400
    treated = (np.random.default_rng(0).random(400) < 0.2 + 0.6 * score).astype(int)
    outcome = np.arange(400) % 2
    with pytest.warns(pc.PingceWarning, match="do not look as if they had been treated at random"):
        pc.evaluate_uplift(outcome, score, ["qini"], treatment=treated)


def test_a_share_without_rows_of_an_arm_is_undefined() -> None:
    scores = pc.evaluate_uplift([1, 0, 1, 0], SCORE, ["uplift@0.25"], treatment=[1, 1, 0, 0])
    assert np.isnan(scores["uplift@0.25"])
    assert scores.counts["undefined"] == {"uplift@0.25": 1}


def test_amounts_have_no_perfect_uplift_curve() -> None:
    scores = pc.evaluate_uplift([1.5, 0, 3, 0], SCORE, ["auuc", "auuc(norm=none)", "qini"], treatment=[1, 0, 1, 0])
    assert np.isnan(scores["auuc"])
    assert not np.isnan(scores["auuc(norm=none)"] + scores["qini"])


def test_a_file_names_its_line(tmp_path: Path) -> None:
    file = tmp_path / "trial.csv"
    file.write_text("outcome,score,treatment\n1,0.5,1\n0,0.4,7\n0,0.3,0\n")
    with pytest.raises(pc.InputError, match=r"trial\.csv:3: column 'treatment' of .* is 7"):
        pc.evaluate_uplift("outcome", "score", data=file, treatment="treatment")
