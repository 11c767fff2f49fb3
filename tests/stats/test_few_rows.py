"""Intervals of few rows: worked numbers of textbooks, and exact chances by counting out every case."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pingce as pc
from pingce.stats.areas import area_interval, score_interval
from pingce.stats.binomial import distance_moments, recalibrated, tails
from pingce.stats.calibration import BinSums
from pingce.stats.cells import CellSums, share_interval
from pingce.stats.influences import Influences

Z = 1.959963984540054


def chances(rows: int, share: float) -> list[float]:
    """Of each number of positives."""
    return [math.comb(rows, k) * share**k * (1 - share) ** (rows - k) for k in range(rows + 1)]


def counted(wrong: float, right: float) -> CellSums:
    """Rows of weight 1."""
    return CellSums(*np.array([[wrong, right], [wrong, right]], np.float64))


@pytest.mark.parametrize(
    ("right", "rows", "ends"),
    [(81, 263, (0.2553, 0.3662)), (15, 148, (0.0624, 0.1605)), (0, 20, (0.0, 0.1611)), (29, 29, (0.8830, 1.0))],
)
def test_wilson_as_newcombe_prints_it(right: int, rows: int, ends: tuple[float, float]) -> None:
    """Table I of Newcombe 1998, method 3."""
    assert share_interval(counted(rows - right, right), 0.95) == pytest.approx(ends, abs=5e-5)


def test_one_to_three_rows_are_counted_as_rare_events() -> None:
    """P(none) = e^-λ = 0.95 for λ = 0.0513; P(fewer than 3) = 0.95 for λ = 0.8177: half of χ² with 2 and 6 degrees at 0.05."""
    for right, least in ((1, 0.051293), (3, 0.817691)):
        low, _ = share_interval(counted(500 - right, right), 0.95) or (math.nan, math.nan)
        assert low == pytest.approx(least / 500, abs=1e-9)
        _, high = share_interval(counted(right, 500 - right), 0.95) or (math.nan, math.nan)
        assert high == pytest.approx(1 - least / 500, abs=1e-9)
    assert share_interval(counted(0, 0), 0.95) is None


def test_weights_that_are_all_alike_are_rows_and_uneven_ones_are_fewer() -> None:
    plain = share_interval(counted(60, 90), 0.95)
    assert share_interval(CellSums(np.array([180.0, 270.0]), np.array([540.0, 810.0])), 0.95) == pytest.approx(plain)
    uneven = share_interval(CellSums(np.array([180.0, 270.0]), np.array([1080.0, 1620.0])), 0.95)
    assert plain is not None and uneven is not None and uneven[0] < plain[0] < plain[1] < uneven[1]


@given(st.integers(1, 40), st.floats(0, 1), st.floats(0, 1))
def test_distances_of_counts_are_those_of_every_case(rows: int, share: float, place: float) -> None:
    centre = place * rows
    found = distance_moments(np.array([rows]), np.array([share]), np.array([centre]))
    weights = chances(rows, share)
    mean = math.fsum(weight * abs(k - centre) for k, weight in enumerate(weights))
    powers = [math.fsum(w * (abs(k - centre) - mean) ** power for k, w in enumerate(weights)) for power in (2, 3)]
    assert [float(moment[0]) for moment in found] == pytest.approx([mean, *powers], abs=1e-10 * rows**3)


def test_tails_are_exponential_normal_and_turned_round() -> None:
    x = np.array([-0.5, 0.0, 1.0, 3.0])
    above, below = tails(x, np.full(4, 2.0))
    assert above == pytest.approx(np.exp(-1 - x)) and below == pytest.approx(1 - np.exp(-1 - x))
    turned = tails(-x, np.full(4, -2.0))
    assert turned[0] == pytest.approx(below) and turned[1] == pytest.approx(above)
    assert tails(np.array([Z]), np.zeros(1)) == pytest.approx((0.025, 0.975))


def test_a_line_through_log_odds_leaves_nothing_to_explain() -> None:
    """Both equations of the likelihood hold, the row besides counted in."""
    mean, rows = np.array([0.1, 0.3, 0.6, 0.9]), np.array([40, 30, 30, 40])
    share = np.array([0.2, 0.3, 0.5, 0.8])
    line = recalibrated(mean, share, rows)
    left = rows * share + mean - (rows + 1) * line
    assert left.sum() == pytest.approx(0, abs=1e-8) and (left * np.log(mean / (1 - mean))).sum() == pytest.approx(
        0, abs=1e-8
    )
    odds = np.log(line / (1 - line))
    slopes = np.diff(odds) / np.diff(np.log(mean / (1 - mean)))
    assert slopes == pytest.approx(slopes[0])


@pytest.mark.parametrize(("mean", "share"), [(0.3, 0.3), (0.3, 0.35), (0.3, 0.45), (0.1, 0.02), (0.5, 0.9)])
def test_one_bin_holds_its_error_in_95_of_100_cases(mean: float, share: float) -> None:
    """Every number of positives of 200 rows, with its chance: counts are whole numbers, so that it cannot be exact."""
    rows, held = 200, 0.0
    for k, chance in enumerate(chances(rows, share)):
        if chance > 1e-7:
            sums = BinSums(np.array([200.0]), np.array([float(k)]), np.array([mean * rows]), np.array([rows]))
            low, high = sums.interval(Z)
            assert 0 <= low <= sums.value <= high <= 1
            held += chance * (low - 1e-9 <= abs(share - mean) <= high + 1e-9)
    assert 0.93 <= held <= 0.98


def test_bins_of_which_nothing_is_left_to_chance() -> None:
    """pytest makes errors of warnings: nothing overflows. Of 100 rows that are all right 3 in 100 may be wrong yet."""
    certain = BinSums(np.array([50.0, 50.0]), np.array([0.0, 50.0]), np.array([0.0, 50.0]), np.array([50, 50]))
    assert certain.interval(Z)[0] == 0.0 and certain.interval(Z)[1] == pytest.approx(0.03, abs=0.01)
    far = BinSums(np.array([1e9]), np.array([9e8]), np.array([1e-3]), np.array([10**9]))
    low, high = far.interval(Z)
    assert low == pytest.approx(0.9 - Z * math.sqrt(0.09 / 1e9), abs=1e-6) and high == pytest.approx(
        1.8 - low, abs=1e-6
    )


def test_areas_end_where_the_variance_of_the_area_says_so() -> None:
    """V(θ) by hand: Newcombe's model times DeLong's share of it, 15 rows of the model beside 14 degrees of freedom."""

    def model(theta: float) -> float:
        pairs = (1 - theta) / (2 - theta) + theta / (1 + theta)
        return theta * (1 - theta) * (1 + (500 / 2 - 1) * pairs) / (15 * 485)

    area, variance, student = 0.8, 0.003, 2.045230  # t of 29 degrees at 0.975, as tables print it
    factor = (14 * variance / model(area) + 15) / 29
    for end in area_interval(area, variance, (15.0, 485.0), 0.95):
        assert (end - area) ** 2 == pytest.approx(student**2 * factor * model(end), rel=1e-6)
    assert area_interval(area, 0.0, (15.0, 485.0), 0.95) == score_interval(area, (15.0, 485.0), 0.95)
    assert all(map(math.isnan, area_interval(area, math.nan, (15.0, 485.0), 0.95)))
    assert area_interval(area, variance, (1e-200, 1e-200), 0.95) == (0.0, 1.0)


def test_logarithms_of_a_mean_end_at_equal_factors() -> None:
    """Losses 1, 2, 3: mean 2, s² = 1/3, of 3 rows t with 2 degrees is 4.302653; the rarer class has 5 rows: times 5/4."""
    influences = Influences.of_ratio(np.array([1.0, 2.0, 3.0]), np.ones(3), None)
    far = math.exp(4.302653 * math.sqrt(1 / 3 * 5 / 4) / 2)
    assert influences.log_interval(5.0, 0.95, by_class=False) == pytest.approx((2 / far, 2 * far), rel=1e-6)
    wide = math.exp(2.776445 * math.sqrt(1 / 3 * 5 / 4) / 2)  # 4 degrees
    assert influences.log_interval(5.0, 0.95, by_class=True) == pytest.approx((2 / wide, 2 * wide), rel=1e-6)


def test_documents_say_which_method_it_was() -> None:
    random = np.random.default_rng(3)
    p = random.beta(1, 12, 300)
    y, weight = random.random(300) < p, random.exponential(size=300)
    names = ["auc", "ece", "ne", "brier", "recall", "gauc"]
    scores = pc.evaluate_binary(y, p, names, ci=0.95, samples=20, group=np.arange(300) % 30)
    methods = [scores.values_by_name[name].method for name in names]
    assert methods == ["delong", "calibration", "influence", "influence", "wilson", "influence"]
    weighted = pc.evaluate_binary(y, p, names[:-1], ci=0.95, samples=20, weight=weight)
    assert weighted.values_by_name["auc"].method == "influence"
    again = pc.evaluate_binary(y, p, names[:-1], ci=0.95, samples=20, seed=9, weight=weight)
    assert [weighted.interval(name) for name in names[:-1]] == [again.interval(name) for name in names[:-1]], "no draws"


def test_rows_of_one_group_say_less_of_calibration_than_rows_of_many() -> None:
    """Ten copies of a row are one row: the test of two models knows it by their groups."""
    random = np.random.default_rng(8)
    p = random.random(60)
    y, other = random.random(60) < p, np.clip(p + 0.2, 0.01, 0.99)
    tenfold = [np.repeat(column, 10) for column in (y, p, other)]

    def width(columns: list[np.ndarray], group: np.ndarray) -> float:
        models = {"a": columns[1], "b": columns[2]}
        low, high = pc.compare(columns[0], models, ["ece"], task="binary", group=group).difference("ece", "b").interval
        return float(high - low)

    apart, together = width(tenfold, np.arange(600)), width(tenfold, np.repeat(np.arange(60), 10))
    assert together > 2 * apart
    assert together == pytest.approx(width([y, p, other], np.arange(60)), rel=0.15)
    assert width([y, p, other], np.zeros(60, int)) > together


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_weights_of_which_some_vanish_beside_others_leave_an_interval_of_ece() -> None:
    scores = pc.evaluate_binary([0, 1, 0, 1], [0.1, 0.3, 0.4, 0.9], ["ece"], weight=[1e9, 1e-9, 1, 3], ci=0.95)
    low, high = scores.interval("ece") or (1.0, 0.0)
    assert low <= scores["ece"] <= high
