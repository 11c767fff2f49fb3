"""Intervals of means over queries."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

from pingce.base.errors import InputError
from pingce.stats import means
from pingce.stats.means import drawn_means, mean_intervals
from pingce.stats.resampling import Resampling

VALUES = np.random.default_rng(8).beta(1, 3, (400, 3))


def test_t_equals_scipy() -> None:
    wanted = stats.ttest_1samp(VALUES, 0).confidence_interval(0.9)
    found = mean_intervals(VALUES, method="t", resampling=Resampling(0.9, 10_000))
    np.testing.assert_allclose(found, np.stack([wanted.low, wanted.high], axis=1), rtol=1e-12)


def test_bootstrap_agrees_with_scipy_as_far_as_draws_go() -> None:
    own = VALUES[:, 0]
    wanted = stats.bootstrap((own,), np.mean, n_resamples=10_000, method="percentile", rng=1).confidence_interval
    low, high = mean_intervals(own)[0]
    width = wanted.high - wanted.low
    assert abs(low - wanted.low) < 0.05 * width and abs(high - wanted.high) < 0.05 * width


def test_draws_are_means_of_queries_drawn_with_replacement() -> None:
    """With three queries a draw is one of the 27 triples."""
    column = np.array([0.0, 0.1, 0.7])
    drawn = drawn_means(column[:, None], 4000, 0)[:, 0]
    triples = (column[:, None, None] + column[None, :, None] + column[None, None, :]).ravel() / 3
    values, often = np.unique(np.round(triples, 9), return_counts=True)
    found, counts = np.unique(np.round(drawn, 9), return_counts=True)
    np.testing.assert_allclose(found, values, atol=1e-8)
    np.testing.assert_allclose(counts / 4000, often / 27, atol=0.03)


def test_undefined_queries_are_drawn_but_do_not_count() -> None:
    holes = np.array([[0.2], [np.nan], [0.8], [np.nan]])
    drawn = drawn_means(holes, 2000, 0)[:, 0]
    known = drawn[~np.isnan(drawn)]
    assert 0.03 < np.isnan(drawn).mean() < 0.1  # (1/2)^4
    assert known.min() == pytest.approx(0.2) and known.max() == pytest.approx(0.8)
    assert mean_intervals(holes)[0] == pytest.approx([0.2, 0.8])


@pytest.mark.parametrize("fill", [0.0, np.nan])
def test_no_draw_leaves_the_range_of_its_values(fill: float) -> None:
    column = np.array([[1.0, fill], [1 / 3, 1.0]])
    drawn = drawn_means(column, 2000, 0)
    assert np.nanmin(drawn, axis=0).tolist() == np.nanmin(column, axis=0).tolist()
    assert np.nanmax(drawn, axis=0).tolist() == [1.0, 1.0]


def test_an_interval_covers_its_mean_as_often_as_it_says() -> None:
    rng = np.random.default_rng(4)
    samples = rng.beta(2, 3, (60, 600))
    for method in ("bootstrap", "t"):
        low, high = mean_intervals(samples, method=method, resampling=Resampling(0.9, 1000)).T
        assert 0.86 <= np.mean((low <= 0.4) & (high >= 0.4)) <= 0.94


@pytest.mark.parametrize("method", ["bootstrap", "t"])
def test_edges(method: str) -> None:
    assert np.isnan(mean_intervals([0.5], method=method)).all()
    assert np.isnan(mean_intervals([0.5, np.nan, np.nan], method=method)).all()
    assert np.isnan(mean_intervals(np.zeros((0, 2)), method=method)).all()
    assert mean_intervals(np.full(9, 0.3), method=method).tolist() == [[0.3, 0.3]]


@pytest.mark.parametrize("method", ["bootstrap", "t"])
def test_scaling_and_sign(method: str) -> None:
    found = mean_intervals(VALUES, method=method, resampling=Resampling(samples=300))
    np.testing.assert_allclose(
        mean_intervals(VALUES * 1e6, method=method, resampling=Resampling(samples=300)), found * 1e6, rtol=1e-12
    )
    np.testing.assert_allclose(
        mean_intervals(-VALUES, method=method, resampling=Resampling(samples=300)), -found[:, ::-1], rtol=1e-12
    )


def test_many_queries_get_t(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(means, "MANY", 399)
    assert mean_intervals(VALUES).tolist() == mean_intervals(VALUES, method="t").tolist()
    assert means.method_used("bootstrap", 400) == "t" and means.method_used("bootstrap", 399) == "bootstrap"


@pytest.mark.parametrize("given_", [{"method": "boostrap"}, {"confidence": 95}, {"samples": 1}, {"seed": 0.5}])
def test_bad_settings(given_: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=next(iter(given_)).replace("confidence", "ci")):
        mean_intervals(VALUES, method=given_.pop("method", "bootstrap"), resampling=Resampling(**given_))


def test_a_ratio_of_thirty_queries_holds_the_truth() -> None:
    """Σ w v / Σ w with weights of any size: nine of ten intervals at least, all within the range of the values."""
    random = np.random.default_rng(4)
    held, replicates = 0, 300
    for _ in range(replicates):
        weights, values = random.pareto(2.5, 30) + 0.1, (random.random(30) < 0.7).astype(float)
        low, high = mean_intervals(values, weights=weights, resampling=Resampling(samples=200))[0]
        assert 0 <= low <= high <= 1
        held += low <= 0.7 <= high
    assert held >= 0.88 * replicates


def test_equal_weights_weigh_nothing() -> None:
    plain = mean_intervals(VALUES, resampling=Resampling(samples=200))
    np.testing.assert_allclose(
        mean_intervals(VALUES, resampling=Resampling(samples=200), weights=np.full(400, 3.0)), plain, rtol=1e-12
    )
    ratio = mean_intervals(VALUES, method="t", weights=np.full(400, 3.0))
    np.testing.assert_allclose(ratio, mean_intervals(VALUES, method="t"), rtol=1e-12)
