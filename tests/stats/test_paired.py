"""Paired tests against scipy, against their definitions, and at the edges."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from pingce.base.errors import InputError
from pingce.stats import paired, permutation
from pingce.stats.differences import FINEST, whole
from pingce.stats.paired import TESTS, paired_p

RNG = np.random.default_rng(6)
DRAWN = np.round(RNG.beta(2, 3, (60, 4)) - RNG.beta(2, 2.6, (60, 4)), 3)
FEW, MANY = DRAWN[:11], RNG.normal(0.05, 1, (300, 4))


def by_definition(column: Sequence[float]) -> float:
    """All assignments of signs, one by one."""
    observed = abs(sum(column))
    sums = [
        abs(sum(s * d for s, d in zip(signs, column, strict=True))) for signs in product((1, -1), repeat=len(column))
    ]
    return sum(one >= observed - 1e-9 for one in sums) / len(sums)


def test_t_equals_scipy() -> None:
    for sample in (FEW, DRAWN, MANY):
        wanted = stats.ttest_rel(sample + 1, np.ones_like(sample)).pvalue
        np.testing.assert_allclose(paired_p(sample, test="t"), wanted, rtol=1e-11, atol=1e-12)


def test_wilcoxon_equals_scipy() -> None:
    for sample in (MANY[:9], MANY[:50], MANY):
        wanted = stats.wilcoxon(sample).pvalue
        np.testing.assert_allclose(paired_p(sample, test="wilcoxon"), wanted, rtol=0, atol=1e-12)


def test_wilcoxon_with_ties_beyond_the_exact_range_equals_scipy() -> None:
    coarse = np.round(MANY * 2) / 2
    wanted = stats.wilcoxon(coarse).pvalue
    np.testing.assert_allclose(paired_p(coarse, test="wilcoxon"), wanted, rtol=0, atol=1e-12)


def test_wilcoxon_with_ties_is_counted_out() -> None:
    column = [1.0, -1.0, 2.0, 2.0, 2.0, -3.0, 0.0, 4.0]
    ranks = stats.rankdata(np.abs([d for d in column if d]))
    sums = [sum(r for s, r in zip(signs, ranks, strict=True) if s) for signs in product((0, 1), repeat=7)]
    observed = sum(r for d, r in zip([d for d in column if d], ranks, strict=True) if d > 0)
    rarer = min(sum(one <= observed for one in sums), sum(one >= observed for one in sums))
    assert paired_p(column, test="wilcoxon")[0] == pytest.approx(2 * rarer / len(sums), abs=1e-15)


def test_sign_equals_scipy() -> None:
    for sample in (FEW, DRAWN, MANY):
        wins, losses = (sample > 0).sum(axis=0), (sample < 0).sum(axis=0)
        wanted = [stats.binomtest(int(w), int(w + lost)).pvalue for w, lost in zip(wins, losses, strict=True)]
        np.testing.assert_allclose(paired_p(sample, test="sign"), wanted, rtol=0, atol=1e-12)


def test_exact_permutation_equals_scipy() -> None:
    for column in range(4):
        own = FEW[:, column]
        wanted = stats.permutation_test((own,), np.sum, permutation_type="samples", n_resamples=np.inf).pvalue
        assert paired_p(own)[0] == pytest.approx(wanted, abs=1e-12)


@given(st.lists(st.integers(-6, 6), min_size=1, max_size=9))
def test_exact_permutation_by_definition(tenths: list[int]) -> None:
    column = [one / 8 for one in tenths]
    assert paired_p(column)[0] == pytest.approx(by_definition(column), abs=1e-15)


def test_decimal_sums_tie() -> None:
    """0.1 + 0.2 is 0.3 to a reader: no multiple of 2^-36, nor of any power of two, but a tie all the same."""
    tenths = [1, 2, -3, 3, 2, 1, -1, 4, 2, -2, 3, 1]
    assert paired_p([one / 10 for one in tenths])[0] == by_definition(tenths)
    many = np.resize(tenths, 240)
    many[::7] *= -1
    assert paired_p(many / 10, samples=5000)[0] == paired_p(many / 8, samples=5000)[0]


def test_twenty_pairs_are_enumerated_and_ties_do_not_count() -> None:
    column = np.arange(1, 21) / 32
    column[[3, 8, 15]] *= -1
    sums = np.array([0])
    for one in (column * 32).astype(int):
        sums = np.concatenate([sums - one, sums + one])
    wanted = np.mean(np.abs(sums) >= abs((column * 32).sum()))
    assert paired_p(column)[0] == wanted
    assert paired_p(np.concatenate([np.zeros(30), column]))[0] == wanted
    assert paired_p(np.concatenate([column, [0.25]]))[0] * 100_001 % 1 == pytest.approx(0, abs=1e-6)


def test_random_signs_come_near_the_exact_distribution(monkeypatch: pytest.MonkeyPatch) -> None:
    exact = paired_p(DRAWN[:18])
    monkeypatch.setattr(permutation, "EXACT", 0)
    drawn = paired_p(DRAWN[:18])
    np.testing.assert_allclose(drawn, exact, atol=4 * np.sqrt(0.25 / 100_000))
    monkeypatch.setattr(permutation, "MANY", 17)
    np.testing.assert_allclose(paired_p(MANY), paired_p(MANY, test="t"), atol=3e-3)


@pytest.mark.parametrize("test", TESTS)
def test_equal_runs_give_one(test: str) -> None:
    assert paired_p(np.zeros((30, 2)), test=test).tolist() == [1.0, 1.0]


@pytest.mark.parametrize("test", TESTS)
def test_no_pair_and_one_pair(test: str) -> None:
    nothing = paired_p(np.full((3, 1), np.nan), test=test)
    assert np.isnan(nothing).all() and np.isnan(paired_p(np.zeros((0, 1)), test=test)).all()
    one = paired_p([0.5], test=test)[0]
    assert np.isnan(one) if test == "t" else one == 1.0


def test_equal_differences_have_no_variance() -> None:
    same = np.full(6, 0.1)
    assert paired_p(same, test="t")[0] == 0.0
    assert paired_p(same)[0] == paired_p(same, test="sign")[0] == paired_p(same, test="wilcoxon")[0] == 2 / 64


@pytest.mark.parametrize("test", TESTS)
def test_undefined_pairs_are_left_out(test: str) -> None:
    holes = DRAWN.copy()
    holes[10:, 0] = np.nan
    found = paired_p(holes, test=test, samples=1000)
    assert found[0] == paired_p(DRAWN[:10, 0], test=test)[0]
    assert found[1:].tolist() == paired_p(DRAWN, test=test, samples=1000)[1:].tolist()


@pytest.mark.parametrize("test", TESTS)
def test_swapping_models_and_scaling_change_nothing(test: str) -> None:
    p = paired_p(DRAWN, test=test, samples=2000)
    assert paired_p(-DRAWN, test=test, samples=2000).tolist() == p.tolist()
    np.testing.assert_allclose(paired_p(DRAWN * 4, test=test, samples=2000), p, rtol=1e-14)


@pytest.mark.parametrize("test", ["t", "wilcoxon", "sign"])
def test_order_of_queries_changes_no_bit(test: str) -> None:
    assert paired_p(MANY[::-1], test=test).tolist() == paired_p(MANY, test=test).tolist()


def test_what_is_below_the_grid_is_a_tie() -> None:
    noise = np.full(12, 2.0 ** -(FINEST + 2))
    assert paired_p(noise)[0] == paired_p(noise, test="wilcoxon")[0] == paired_p(noise, test="sign")[0] == 1.0


@pytest.mark.parametrize("size", [1e-3, 1.0, 9e3, 1e15, 1e300])
def test_large_differences_get_a_coarser_grid(size: float) -> None:
    units = whole(MANY * size)
    assert np.abs(units).max() < 2**40 and (units == np.rint(units)).all()
    p = paired_p(MANY * size, samples=1000)
    np.testing.assert_allclose(p, paired_p(MANY, samples=1000), atol=2e-3)


@pytest.mark.parametrize("test", ["permutation", "t"])
def test_five_percent_of_true_nulls_are_rejected(test: str) -> None:
    rng = np.random.default_rng(20)
    null = rng.beta(1, 3, (40, 2000)) - rng.beta(1, 3, (40, 2000))
    rejected = float(np.mean(paired_p(null, test=test, samples=4000) <= 0.05))
    assert abs(rejected - 0.05) <= 0.015


@pytest.mark.parametrize(
    ("given_", "words"),
    [
        ({"test": "permutations"}, "did you mean 'permutation'"),
        ({"samples": 10}, "number of permutations"),
        ({"samples": True}, "number of permutations"),
        ({"seed": -1}, "seed"),
    ],
)
def test_bad_settings(given_: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        paired_p(DRAWN, **given_)


def test_bad_matrices() -> None:
    with pytest.raises(InputError, match="row 1, column 0: an infinite difference"):
        paired_p([0.5, np.inf])
    with pytest.raises(InputError, match="two dimensions"):
        paired_p(np.zeros((2, 2, 2)))


def test_names_say_how_p_was_reached() -> None:
    assert "exact" in paired.test_name("permutation", 20).en
    assert "5,000" in paired.test_name("permutation", 21, 5000).zh
    assert "normal" in paired.test_name("permutation", permutation.MANY + 1).en
    assert paired.test_name("sign", 3) == TESTS["sign"]


def test_one_huge_difference_hides_no_other() -> None:
    from scipy import stats

    differences = np.append(np.random.default_rng(3).normal(0.1, 1, 30), 1e15)
    wins = int((differences > 0).sum())
    assert paired_p(differences, test="sign")[0] == pytest.approx(stats.binomtest(wins, 31).pvalue, rel=1e-12)
    assert paired_p(differences, test="wilcoxon")[0] == pytest.approx(stats.wilcoxon(differences).pvalue, rel=1e-9)


@pytest.mark.parametrize("scale", [1e-12, 1e-6, 1.0, 1e6])
def test_the_scale_of_losses_does_not_matter(scale: float) -> None:
    from pingce.stats.influences import PairedSums

    apart = np.random.default_rng(4).normal(0.3, 1, 100)
    expected = PairedSums.of(apart, None).p(2000, 0)
    assert 0 < expected < 0.05
    assert PairedSums.of(apart * scale, None).p(2000, 0) == pytest.approx(expected, abs=0.002)
