"""Numbers that say nothing of the model: a threshold above every score, and groups without both classes."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

import pingce as pc
from pingce.base.errors import PingceWarning

LABELS = [1, 0, 0, 1, 0]
LOW = [0.09, 0.03, 0.02, 0.05, 0.01]


@pytest.mark.parametrize("options", [{}, {"threshold": 0.5}, {"threshold": 50}])
def test_a_threshold_that_nothing_reaches_is_said(options: dict[str, Any]) -> None:
    with pytest.warns(PingceWarning, match="no row reaches the threshold") as caught:
        scores = pc.evaluate_binary(LABELS, LOW, ["f1", "recall"], **options)
    assert scores["f1"] == 0
    (sentence,) = [str(alarm.message) for alarm in caught]
    assert f"{options.get('threshold', 0.5):g}" in sentence
    assert "the highest score is 0.09" in sentence
    assert "f1, recall" in sentence


@pytest.mark.parametrize(
    ("metrics", "options"), [("f1", {"threshold": 0.05}), ("auc", {}), ("f1(threshold=0.09)", {}), ("ks", {})]
)
def test_a_threshold_that_is_reached_or_not_needed_is_not(metrics: str, options: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pc.evaluate_binary(LABELS, LOW, metrics, **options)


def test_groups_of_one_class_each_are_said() -> None:
    with pytest.warns(PingceWarning, match="none of the 5 groups has both classes: gauc undefined"):
        assert pc.evaluate_binary(LABELS, LOW, "gauc", group=range(5)).counts["groups"]["scored"] == 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pc.evaluate_binary(LABELS, LOW, "gauc", group=["a", "a", "b", "c", "d"])
