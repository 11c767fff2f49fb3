"""Two correlated AUCs: DeLong's test against the definition of 1988, pair by pair."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pingce.stats.areas import AreaDifference, area_difference

ROWS = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=30)


def textbook(positive: np.ndarray, first: np.ndarray, second: np.ndarray) -> tuple[float, float]:
    """Matrices of ψ, their means by row and column, and L S Lᵀ."""
    areas, v10, v01 = [], [], []
    for scores in (first, second):
        psi = np.array([[(x > y) + (x == y) / 2 for y in scores[positive == 0]] for x in scores[positive == 1]])
        areas.append(psi.mean())
        v10.append(psi.mean(axis=1))
        v01.append(psi.mean(axis=0))
    spread = np.cov(v10) / len(v10[0]) + np.cov(v01) / len(v01[0])
    return areas[0] - areas[1], spread[0, 0] + spread[1, 1] - 2 * spread[0, 1]


@given(ROWS)
def test_the_textbook(rows: list[tuple[int, int, int]]) -> None:
    table = np.array(rows)
    positive, first, second = table[:, 0].astype(np.uint8), table[:, 1] / 4, table[:, 2] / 4
    found = area_difference(positive, first, second)
    sizes = int(positive.sum()), int((1 - positive).sum())
    if min(sizes) == 0:
        assert math.isnan(found.value) and math.isnan(found.p)
    elif min(sizes) < 2:
        assert math.isnan(found.p) and math.isnan(found.interval(0.95)[0]) and not math.isnan(found.value)
    else:
        value, variance = textbook(positive, first, second)
        assert found.value == pytest.approx(value, abs=1e-14)
        assert found.variance == pytest.approx(variance, abs=1e-14)


def test_order_of_rows_and_of_models() -> None:
    rng = np.random.default_rng(5)
    positive = rng.integers(0, 2, 500).astype(np.uint8)
    first, second = rng.normal(size=(2, 500)) + positive
    one, order = area_difference(positive, first, second), rng.permutation(500)
    assert area_difference(positive[order], first[order], second[order]) == one
    assert area_difference(positive, second, first) == AreaDifference(-one.value, one.variance)
    assert area_difference(positive, np.exp(first), second) == one


def test_p_and_interval_are_those_of_the_normal() -> None:
    found = AreaDifference(0.03, 0.0004)
    assert found.p == pytest.approx(2 * NormalDist().cdf(-1.5), rel=1e-12)
    assert found.interval(0.95) == pytest.approx((0.03 - 1.959964 * 0.02, 0.03 + 1.959964 * 0.02), abs=1e-7)
    assert AreaDifference(0.9, 0.04).interval(0.95)[1] == 1.0


def test_equal_models_and_no_variance() -> None:
    labels, scores = np.array([1, 1, 0, 0], np.uint8), np.array([0.9, 0.4, 0.5, 0.1])
    same = area_difference(labels, scores, scores)
    assert (same.value, same.p, same.interval(0.95)) == (0.0, 1.0, (0.0, 0.0))
    perfect = area_difference(labels, np.array([1.0, 0.9, 0.2, 0.1]), np.zeros(4))
    assert (perfect.value, perfect.variance, perfect.p) == (0.5, 0.0, 0.0)


def test_five_percent_of_true_nulls_are_rejected() -> None:
    rng = np.random.default_rng(2)
    rejected = 0
    for _ in range(600):
        positive = (rng.random(120) < 0.4).astype(np.uint8)
        seen = rng.normal(size=120) + positive
        first, second = seen + rng.normal(size=(2, 120))
        rejected += area_difference(positive, first, second).p < 0.05
    assert abs(rejected / 600 - 0.05) < 0.025
