"""Uplift worked out by hand: the eight rows of the definitions, in fractions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import pingce as pc

OUTCOME = [1, 1, 0, 1, 0, 0, 1, 0]
TREATED = [1, 0, 1, 1, 0, 0, 1, 0]
SCORE = [0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1]
VALUES = {
    "uplift": Fraction(1, 2),
    "uplift@0.5": Fraction(-1, 3),
    "uplift(by=arm)@0.5": Fraction(0),
    "qini": (Fraction(19, 6) - 8) / (19 - 8),
    "qini(negative=no)": (Fraction(19, 6) - 8) / (14 - 8),
    "qini(norm=none)": (Fraction(19, 6) - 8) / 8,
    "auuc": (Fraction(71, 12) - 16) / (Fraction(113, 4) - 16),
    "auuc(norm=none)": Fraction(71, 12) / 8,
    "auuc(norm=end)": Fraction(71, 12) / 8 / 4,
    "auuc(norm=end,area=mean,empty=interpolate)": Fraction(83, 12) / 9 / 4,
    "auuc(norm=none,area=mean,empty=interpolate)": Fraction(83, 12) / 9,
    "qini(norm=end,area=mean,empty=interpolate)": (Fraction(19, 6) / 9 - 1) / 2,
}


@pytest.mark.parametrize("metric", VALUES)
def test_a_person_gets_the_same(metric: str) -> None:
    assert pc.evaluate_uplift(OUTCOME, SCORE, [metric], treatment=TREATED)[metric] == pytest.approx(
        float(VALUES[metric]), rel=1e-12, abs=1e-15
    )


def test_the_curves_are_those_of_the_definitions() -> None:
    scores = pc.evaluate_uplift(OUTCOME, SCORE, ["qini"], treatment=TREATED)
    uplift: list[Any] = [0, 1, 0, Fraction(-3, 2), Fraction(-4, 3), Fraction(5, 6), 2, Fraction(35, 12), 4]
    qini: list[Any] = [0, 1, 0, -1, -1, Fraction(1, 2), 1, Fraction(5, 3), 2]
    for kind, points in (("uplift", uplift), ("qini", qini)):
        curve = scores.curve(kind)
        np.testing.assert_allclose(curve.columns["gain"], [float(point) for point in points], rtol=1e-15)
        assert curve.columns["rows"].tolist() == list(range(9))
    assert curve.summary["qini"] == scores["qini"]


def test_rows_of_one_score_are_one_step() -> None:
    """Their order says nothing, so that no order of rows changes a bit."""
    score = [3, 3, 2, 2, 2, 1, 1, 0]
    values = set()
    random = np.random.default_rng(1)
    for _ in range(20):
        order = random.permutation(8)
        columns = [np.array(column)[order] for column in (OUTCOME, score, TREATED)]
        scores = pc.evaluate_uplift(columns[0], columns[1], ["qini", "auuc", "uplift@0.3"], treatment=columns[2])
        values.add(tuple(scores.values()))
        assert len(scores.curve("qini")) == 5
    assert len(values) == 1


def test_a_weight_of_two_is_a_row_twice() -> None:
    twice = [1, 2, 2, 1, 3, 1, 1, 2]
    rows = np.repeat(np.arange(8), twice)
    metrics = ["qini", "auuc", "uplift@0.4", "qini(area=mean)", "uplift(by=arm)@0.3"]
    weighted = pc.evaluate_uplift(OUTCOME, SCORE, metrics, treatment=TREATED, weight=twice)
    outcome, score, treated = (np.array(column)[rows] for column in (OUTCOME, SCORE, TREATED))
    repeated = pc.evaluate_uplift(outcome, score, metrics, treatment=treated)
    assert dict(weighted) == pytest.approx(dict(repeated), rel=1e-12)


def test_a_propensity_weighs_each_row_by_the_chance_of_its_arm() -> None:
    chance = [0.5, 0.25, 0.5, 0.8, 0.75, 0.5, 0.25, 0.2]
    weight = [1 / (e if w else 1 - e) for e, w in zip(chance, TREATED, strict=True)]
    by_chance = pc.evaluate_uplift(OUTCOME, SCORE, ["qini", "uplift"], treatment=TREATED, propensity=chance)
    by_weight = pc.evaluate_uplift(OUTCOME, SCORE, ["qini", "uplift"], treatment=TREATED, weight=weight)
    assert dict(by_chance) == dict(by_weight)
    assert by_chance.signature("qini").split("|")[-2] == "propensity:given"


def test_the_tenths_add_up_to_the_whole() -> None:
    random = np.random.default_rng(2)
    outcome, treated, score = random.integers(0, 2, 500), random.integers(0, 2, 500), random.random(500)
    scores = pc.evaluate_uplift(outcome, score, ["uplift@0.1"], treatment=treated)
    parts = scores.deciles
    assert sum(part.treated for part in parts) == treated.sum()
    assert parts[0].uplift == pytest.approx(scores["uplift@0.1"])
    assert all(part.low < part.uplift < part.high for part in parts)
