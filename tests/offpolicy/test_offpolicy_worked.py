"""Off-policy values that a person worked out."""

from __future__ import annotations

from typing import Any

import pytest

import pingce as pc

LOG = {
    "reward": [1, 0, 1, 0],
    "new": [0.6, 0.1, 0.5, 0.2],
    "old": [0.5, 0.25, 0.1, 0.5],
    "q": [0.5, 0.2, 0.4, 0.1],
    "v": [0.5, 0.3, 0.5, 0.2],
}
"Weights 1.2, 0.4, 5 and 0.4."
MODEL: dict[str, Any] = {"propensity": "old", "logged_estimate": "q", "target_estimate": "v"}

WORKED = {
    "logged_value": 1 / 2,
    "ips": 6.2 / 4,
    "snips": 6.2 / 7,
    "ips(clip=2)": 3.2 / 4,
    "snips(clip=2)": 3.2 / 4,
    "ips(switch=2)": 1.2 / 4,
    "snips(switch=2)": 1.2 / 2,
    "ips(shrink=1)": (1.2 / 2.44 + 5 / 26) / 4,
    "ips(smooth=0.5)": (1.2 / 1.1 + 5 / 3) / 4,
    "ips(smooth=1)": 2 / 4,
    "dm": 1.5 / 4,
    "dr": (1.5 + 3.48) / 4,
    "sndr": 1.5 / 4 + 3.48 / 7,
    "dr(clip=2)": (1.5 + 0.6 - 0.08 + 1.2 - 0.04) / 4,
    "dr(switch=2)": (1.5 + 0.6 - 0.08 - 0.04) / 4,
    "dr(shrink=0)": 1.5 / 4,
    "ess": 49 / 26.76,
    "ess(as=share)": 49 / 26.76 / 4,
    "ess(clip=1.2)": 3.2**2 / (2 * 1.44 + 2 * 0.16),
    "max_weight": 5.0,
    "max_weight(as=share)": 5 / 7,
    "mean_weight": 7 / 4,
}


@pytest.mark.parametrize("metric", WORKED)
def test_worked_values(metric: str) -> None:
    scores = pc.evaluate_offpolicy("reward", "new", [metric], data=LOG, **MODEL)
    assert scores[metric] == pytest.approx(WORKED[metric], rel=1e-14)


def test_the_numbers_of_the_reference() -> None:
    """The row of the notes: 1.55 for rewards of 0 and 1, and fewer than two effective rows."""
    scores = pc.evaluate_offpolicy("reward", "new", ["ips", "snips", "dr", "ess"], data=LOG, **MODEL)
    assert [round(value, 4) for value in scores.values()] == [1.55, 0.8857, 1.245, 1.8311]


def test_replay_looks_at_rows_on_which_both_agree() -> None:
    scores = pc.evaluate_offpolicy(
        [1, 0, 1, 0], [1, 1, 0, 0], ["replay_method", "ips", "snips"], propensity=[0.5, 0.5, 0.25, 0.25]
    )
    assert dict(scores) == {"replay_method": 0.5, "ips": 0.5, "snips": 0.5}


def test_the_target_policy_that_wrote_the_log_has_the_value_of_the_log() -> None:
    names = ["logged_value", "ips", "snips", "mean_weight", "ess"]
    scores = pc.evaluate_offpolicy([3, -1, 4.5], [0.3, 0.2, 0.7], names, propensity=[0.3, 0.2, 0.7])
    assert list(scores.values()) == [6.5 / 3] * 3 + [1.0, 3.0]


def test_what_is_usual_follows_from_the_model() -> None:
    plain = pc.evaluate_offpolicy("reward", "new", data=LOG, propensity="old")
    assert list(plain) == ["logged_value", "ips", "snips", "ess", "max_weight"]
    assert list(pc.evaluate_offpolicy("reward", "new", data=LOG, **MODEL)) == [*plain, "dm", "dr"]


def test_words_say_when_not_to_believe() -> None:
    scores = pc.evaluate_offpolicy("reward", "new", ["ips"], data=LOG, propensity="old")
    assert scores.diagnosis["verdict"] == "none"
    text = str(scores.diagnosis["text"])
    assert "After weighting, 4 rows say as much as 1.831 (45.78%); the largest weight is 5, 71.43% of all." in text
    assert "ips is 1.55, but no reward of the log lies outside 0 to 1" in text
    assert "Do not believe the values" in text
    assert "不要相信这些值及其区间" in scores.diagnosis["text"]["zh"]
    assert len(scores.warnings) == 2
    assert pc.evaluate_offpolicy("reward", "new", ["logged_value"], data=LOG, propensity="old").warnings == ()


def even(count: int, **more: Any) -> pc.OffpolicyScores:
    rewards, target = [0, 1] * (count // 2), [0.5, 0.25] * (count // 2)
    return pc.evaluate_offpolicy(rewards, target, ["snips"], propensity=[0.4, 0.3] * (count // 2), **more)


def test_verdicts_go_by_effective_rows() -> None:
    assert [even(count).diagnosis["verdict"] for count in (20, 200, 2000)] == ["none", "rough", "good"]
    assert even(2000).diagnosis["ess"] == pytest.approx(2000 * 25 / 26)


def test_weights_that_do_not_average_to_1_are_said() -> None:
    """A log that claims to have been twice as likely as it was."""
    scores = pc.evaluate_offpolicy([0, 1] * 500, [0.2, 0.4] * 500, ["ips"], propensity=[0.5, 0.75] * 500)
    assert scores.diagnosis["mean_weight"] == pytest.approx(7 / 15)
    assert "The weights average to 0.4667 and not to 1" in scores.warnings[0].en
    assert "things that the log never has" in scores.warnings[0].en
    assert "权重平均为 0.4667 而不是 1" in scores.warnings[0].zh
    high = pc.evaluate_offpolicy([0, 1] * 500, [0.9, 0.8] * 500, ["ips"], propensity=[0.5, 0.75] * 500)
    assert "rows are missing" in high.warnings[0].en


def test_bands_add_up() -> None:
    scores = pc.evaluate_offpolicy("reward", "new", ["ips"], data=LOG, propensity="old")
    bands = scores.bands
    assert [(band.above, band.upto, band.rows) for band in bands] == [(0.0, 0.5, 2), (1.0, 2.0, 1), (2.0, 5.0, 1)]
    assert sum(band.share for band in bands) == pytest.approx(1)
    assert sum(band.added for band in bands) == pytest.approx(scores["ips"])
