"""Intervals of numbers whose squares are beyond doubles, or below them."""

from __future__ import annotations

import numpy as np
import pytest

import pingce as pc

NAMES = ("mae", "rmse", "r2", "explained_variance", "pearson", "wmape", "medae")


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("size", [1e154, 1e200, 1e300, 1e-200, 1e-310])
@pytest.mark.parametrize("name", NAMES)
def test_numbers_of_any_size_have_intervals_without_an_overflow(name: str, size: float, weighted: bool) -> None:
    true, predicted, weight = np.random.default_rng(4).random((3, 50))
    scores = pc.evaluate_regression(
        true * size, predicted * size, [name], ci=0.9, samples=50, weight=weight if weighted else None
    )
    interval = scores.interval(name)
    assert interval is None or not interval[0] > scores[name]
