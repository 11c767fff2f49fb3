"""Effect sizes, wins and losses, and what could be found at all."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from pingce.base.errors import InputError
from pingce.stats.differences import cohen_d, minimum_detectable, win_tie_loss

RNG = np.random.default_rng(12)


def test_cohen_d_by_hand() -> None:
    assert cohen_d([1.0, 2.0, 3.0])[0] == 2.0
    assert cohen_d([-1.0, -2.0, -3.0, np.nan])[0] == -2.0
    assert cohen_d([0.0, 0.0])[0] == 0.0
    assert math.isnan(cohen_d([0.5, 0.5])[0]) and math.isnan(cohen_d([0.5])[0])


def test_wins_ties_and_losses() -> None:
    table = np.array([[0.2, 0.0], [0.0, np.nan], [-0.1, 1e-13], [0.4, -0.3], [np.nan, -1.0]])
    assert win_tie_loss(table).tolist() == [[2, 1, 1], [0, 2, 2]]
    assert win_tie_loss(-table).tolist() == [[1, 1, 2], [2, 2, 0]]


def test_minimum_detectable_by_hand() -> None:
    """n = 16, s = 1: (t(0.975, 15) + t(0.8, 15)) / 4 with 2.131450 and 0.866245 from the tables."""
    column = np.array([1.0, -1.0] * 8) * math.sqrt(15 / 16)
    assert minimum_detectable(column)[0] == pytest.approx((2.131450 + 0.866245) / 4, abs=1e-6)
    assert minimum_detectable(column, alpha=0.01, power=0.9)[0] > minimum_detectable(column)[0]
    assert math.isnan(minimum_detectable([0.3])[0])
    assert minimum_detectable([0.3, 0.3])[0] == 0.0


@pytest.mark.parametrize("given", [{"alpha": 5}, {"power": 1.0}])
def test_bad_settings(given: dict[str, float]) -> None:
    with pytest.raises(InputError, match=next(iter(given))):
        minimum_detectable([0.1, 0.2], **given)


def test_such_a_difference_is_found_with_that_power() -> None:
    noise = RNG.normal(size=(50, 4000))
    size = (stats.t.ppf(0.975, 49) + stats.t.ppf(0.8, 49)) / math.sqrt(50)
    found = stats.ttest_1samp(noise + size, 0).pvalue < 0.05
    assert np.mean(found) == pytest.approx(0.8, abs=0.03)
    assert np.mean(minimum_detectable(noise)) == pytest.approx(size, rel=0.01)
