"""Two models on the same rows: which test, by which definition, and what does not matter."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

import pingce as pc
from pingce.base.errors import InputError
from pingce.stats.areas import area_difference, score_interval
from pingce.stats.models import BOOTSTRAP, DELONG, JEFFREYS, MCNEMAR, UNDEFINED, ModelDifference, model_differences
from pingce.stats.resampling import Resampling

RNG = np.random.default_rng(14)
N = 300
TRUE = (RNG.random(N) < 0.4).astype(int)
LOGIT = RNG.normal(size=N) + 2 * TRUE - 1
FIRST, SECOND = (np.round(1 / (1 + np.exp(-LOGIT - noise * RNG.normal(size=N))), 3) for noise in (0.2, 1.5))
USERS = RNG.integers(0, 30, N)
WEIGHT = RNG.integers(0, 4, N)
BINARY = ["auc", "rank_loss", "logloss", "ne", "brier", "accuracy", "f1", "pr_auc", "ks", "ece"]


def compared(a: Any, b: Any, **settings: Any) -> dict[str, ModelDifference]:
    sides = tuple(one.data if one.task == "regression" else one.evidence for one in (a, b))
    pairs = {name: (value, b.values_by_name[name]) for name, value in a.values_by_name.items()}
    permutations = {name: settings.pop(name) for name in ("permutations",) if name in settings}
    return model_differences(pairs, sides, Resampling(**{"samples": 30, **settings}), **permutations)


def binary(scores: Any, metrics: Any = BINARY, order: Any = slice(None), **given: Any) -> Any:
    given = {name: column[order] for name, column in given.items()}
    return pc.evaluate_binary(TRUE[order], scores[order], metrics, **given)


def test_which_test_and_difference() -> None:
    a, b = binary(FIRST), binary(SECOND)
    found = compared(a, b)
    assert list(found) == BINARY
    for name, one in found.items():
        assert one.difference == a[name] - b[name]
        assert one.interval[0] <= one.difference <= one.interval[1] or name == "ece"
        assert 0 < one.p <= 1 and one.count == N and one.left_out == 0
    assert found["auc"].test == found["rank_loss"].test == DELONG
    assert found["accuracy"].test == MCNEMAR
    assert found["pr_auc"].test == found["ks"].test == BOOTSTRAP
    assert found["f1"].test == JEFFREYS
    assert "permutation" in found["logloss"].test.en and "置换" in found["brier"].test.zh


def test_decisions_with_few_rows_say_what_is_drawn() -> None:
    many = np.tile([[0, 0, 0], [0, 0, 1], [0, 1, 0], [0, 1, 1], [1, 0, 0], [1, 0, 1], [1, 1, 0], [1, 1, 1]], (50, 1))
    for rows, test in ((many, BOOTSTRAP), (many[1:], JEFFREYS)):
        a, b = (pc.evaluate_binary(rows[:, 0], rows[:, side] * 0.5 + 0.2, ["f1"]) for side in (1, 2))
        assert compared(a, b)["f1"].test == test
    assert compared(a, a)["f1"].test == BOOTSTRAP and compared(a, a)["f1"].interval == (0.0, 0.0)


def test_an_interval_holds_the_difference_and_a_point_is_none() -> None:
    a, b = (pc.evaluate_binary([1, 0], scores, ["f1", "mcc"]) for scores in ([0.9, 0.1], [0.1, 0.9]))
    for first, second in ((a, b), (b, a)):
        for difference in compared(first, second, samples=200).values():
            assert difference.interval[0] <= difference.difference <= difference.interval[1]
            assert difference.interval[0] < difference.interval[1]
    a, b = (pc.evaluate_binary([1, 0], scores, ["f1"], weight=[1, 1.5]) for scores in ([0.9, 0.1], [0.1, 0.9]))
    certain = compared(a, b, samples=200)["f1"]
    assert certain.difference == 1 and math.isnan(certain.p) and all(map(math.isnan, certain.interval))
    assert compared(a, a, samples=200)["f1"].interval == (0.0, 0.0)


def test_auc_is_delong() -> None:
    one = compared(binary(FIRST), binary(SECOND))
    wanted = area_difference(TRUE.astype(np.uint8), FIRST, SECOND)
    assert one["auc"].difference == pytest.approx(wanted.value, abs=1e-15)
    assert one["auc"].p == one["rank_loss"].p == wanted.p
    low, high = wanted.interval(0.95)
    assert one["auc"].interval == (low, high) and one["rank_loss"].interval == pytest.approx((-high, -low), abs=1e-15)


def test_accuracy_is_mcnemar() -> None:
    right = [(scores >= 0.5) == TRUE for scores in (FIRST, SECOND)]
    only = int((right[0] & ~right[1]).sum()), int((right[1] & ~right[0]).sum())
    found = compared(binary(FIRST, ["accuracy"]), binary(SECOND, ["accuracy"]))["accuracy"]
    assert found.p == pytest.approx(stats.binomtest(only[0], sum(only)).pvalue, abs=1e-12)
    apart = right[0].astype(float) - right[1]
    assert found.interval == pytest.approx(tuple(stats.ttest_1samp(apart, 0).confidence_interval()), abs=1e-12)


def test_losses_are_paired_by_row() -> None:
    apart = (FIRST - TRUE) ** 2 - (SECOND - TRUE) ** 2
    found = compared(binary(FIRST, ["brier"]), binary(SECOND, ["brier"]))["brier"]
    assert found.interval == pytest.approx(tuple(stats.ttest_1samp(apart, 0).confidence_interval()), abs=1e-12)
    few = slice(0, 12)
    small = compared(binary(FIRST, ["brier"], few), binary(SECOND, ["brier"], few))["brier"]
    exact = stats.permutation_test((apart[few],), np.sum, permutation_type="samples", n_resamples=np.inf).pvalue
    assert small.p == pytest.approx(exact, abs=1e-12) and "exact" in small.test.en


def test_losses_are_paired_by_group_where_there_are_groups() -> None:
    users = USERS % 12
    apart = (FIRST - TRUE) ** 2 - (SECOND - TRUE) ** 2
    sums = np.bincount(users, apart, minlength=12)
    exact = stats.permutation_test((sums,), np.sum, permutation_type="samples", n_resamples=np.inf).pvalue
    a, b = (binary(scores, ["brier", "logloss", "accuracy", "gauc"], group=users) for scores in (FIRST, SECOND))
    found = compared(a, b)
    assert found["brier"].p == pytest.approx(exact, abs=1e-12)
    for name in ("brier", "logloss", "accuracy"):
        assert (found[name].unit, found[name].count) == ("groups", 12)
        low, high = found[name].interval
        assert low < a[name] - b[name] < high
    areas = [one.per_group for one in (a, b)]
    weighted = [np.array(table["auc"]) * np.array(table["n"]) for table in areas]
    wanted = stats.permutation_test(
        (weighted[0] - weighted[1],), np.sum, permutation_type="samples", n_resamples=np.inf
    ).pvalue
    assert found["gauc"].p == pytest.approx(wanted, abs=1e-12)


def test_groups_of_one_class_are_left_out_and_counted() -> None:
    users = np.where(TRUE == 1, USERS, USERS % 20)
    found = compared(*(binary(scores, ["gauc"], group=users) for scores in (FIRST, SECOND)))["gauc"]
    single = sum(len(set(TRUE[users == user])) == 1 for user in np.unique(users))
    assert single > 0 and found.left_out == single and found.count == len(np.unique(users)) - single


@pytest.mark.parametrize("given", [{}, {"group": USERS}, {"weight": WEIGHT}, {"group": USERS, "weight": WEIGHT}])
def test_order_of_rows_and_of_models_change_no_bit(given: dict[str, Any]) -> None:
    metrics = [*BINARY, *(["gauc"] if "group" in given else [])]
    a, b = (binary(scores, metrics, **given) for scores in (FIRST, SECOND))
    found = compared(a, b)
    turned = RNG.permutation(N)
    assert compared(*(binary(scores, metrics, turned, **given) for scores in (FIRST, SECOND))) == found
    for name, one in compared(b, a).items():
        assert (one.p, one.test) == (found[name].p, found[name].test)
        assert one.interval == pytest.approx((-found[name].interval[1], -found[name].interval[0]), abs=1e-15)


def test_models_with_the_same_scores_on_other_rows_can_be_swapped() -> None:
    """Sorted, the two columns are equal: only the rows they stand on say which model is which."""
    a, b = (binary(scores, ["pr_auc"]) for scores in (FIRST, RNG.permutation(FIRST)))
    one, other = compared(a, b)["pr_auc"], compared(b, a)["pr_auc"]
    assert one.p == other.p and one.interval == pytest.approx((-other.interval[1], -other.interval[0]), abs=1e-15)


def test_a_row_of_weight_nothing_is_none() -> None:
    kept = np.flatnonzero(WEIGHT)
    whole = compared(*(binary(scores, weight=WEIGHT) for scores in (FIRST, SECOND)))
    assert compared(*(binary(scores, order=kept, weight=WEIGHT) for scores in (FIRST, SECOND))) == {
        name: one if one.test != BOOTSTRAP else one.__class__(**{**vars(one), "count": len(kept)})
        for name, one in whole.items()
    }


@pytest.mark.parametrize("given", [{}, {"group": USERS}, {"weight": WEIGHT}])
def test_equal_models_give_one(given: dict[str, Any]) -> None:
    metrics = [*BINARY, *(["gauc"] if "group" in given else [])]
    for one in compared(*(binary(FIRST, metrics, **given) for _ in range(2))).values():
        assert (one.difference, one.p, one.interval) == (0.0, 1.0, (0.0, 0.0))


def test_a_bootstrap_takes_both_models_on_the_same_rows() -> None:
    """A copy that is a little better on every draw is certain, though its own interval is wide."""
    better = np.where(TRUE == 1, FIRST + 0.03, FIRST)
    found = compared(binary(better, ["pr_auc"]), binary(FIRST, ["pr_auc"]), samples=200)["pr_auc"]
    assert found.p == 2 / 201 and found.interval[0] > 0


def test_bootstrap_rejects_five_percent_of_true_nulls() -> None:
    rng, rejected = np.random.default_rng(9), 0
    for _ in range(150):
        true = (rng.random(80) < 0.5).astype(int)
        first, second = rng.normal(size=(2, 80)) + true
        a, b = (pc.evaluate_binary(true, one, ["f1"]) for one in (first, second))
        rejected += compared(a, b, samples=200)["f1"].p <= 0.05
    assert 0.01 <= rejected / 150 <= 0.10


def test_classes() -> None:
    true = RNG.integers(0, 3, N)
    said = [np.where(RNG.random(N) < share, true, RNG.integers(0, 3, N)) for share in (0.7, 0.6)]
    a, b = (pc.evaluate_multiclass(true, one, ["accuracy", "f1(average=macro)", "kappa"]) for one in said)
    found = compared(a, b)
    only = [int(((one == true) & (other != true)).sum()) for one, other in (said, said[::-1])]
    assert found["accuracy"].test == MCNEMAR
    assert found["accuracy"].p == pytest.approx(stats.binomtest(only[0], sum(only)).pvalue, abs=1e-12)
    assert found["kappa"].test == BOOTSTRAP
    assert compared(b, a)["kappa"].p == found["kappa"].p
    low, high = found["f1(average=macro)"].interval
    assert low < a["f1(average=macro)"] - b["f1(average=macro)"] < high


def test_probabilities_of_classes() -> None:
    true = RNG.integers(0, 3, N)
    sides = [RNG.dirichlet(np.ones(3), N) for _ in range(2)]
    a, b = (pc.evaluate_multiclass(true, None, ["logloss"], proba=one) for one in sides)
    apart = -np.log(sides[0][np.arange(N), true]) + np.log(sides[1][np.arange(N), true])
    low, high = compared(a, b)["logloss"].interval
    assert (low, high) == pytest.approx(tuple(stats.ttest_1samp(apart, 0).confidence_interval()), abs=1e-12)


@pytest.mark.parametrize("weight", [None, WEIGHT])
def test_numbers(weight: Any) -> None:
    true = RNG.normal(size=N)
    said = [true + scale * RNG.normal(size=N) for scale in (0.5, 0.8)]
    metrics = ["mae", "mse", "rmse", "r2"]
    a, b = (pc.evaluate_regression(true, one, metrics, weight=weight) for one in said)
    found = compared(a, b)
    for name in metrics:
        low, high = found[name].interval
        assert low < a[name] - b[name] < high and found[name].p < 0.07
    assert "permutation" in found["mae"].test.en and found["rmse"].test == BOOTSTRAP
    order = RNG.permutation(N)
    again = [
        pc.evaluate_regression(true[order], one[order], metrics, weight=None if weight is None else weight[order])
        for one in said
    ]
    assert compared(*again) == found


def test_undefined_values_have_no_test() -> None:
    a, b = (pc.evaluate_binary([0, 0, 1], scores, ["precision"]) for scores in ([0.1, 0.2, 0.3], [0.1, 0.2, 0.9]))
    one = compared(a, b)["precision"]
    assert one.test == UNDEFINED and math.isnan(one.p) and math.isnan(one.interval[0])


def test_fewer_permutations_are_said() -> None:
    one = compared(binary(FIRST, ["brier"]), binary(SECOND, ["brier"]), permutations=500)["brier"]
    assert "500 random" in one.test.en and one.p * 501 == pytest.approx(round(one.p * 501))
    with pytest.raises(InputError, match="number of permutations"):
        compared(binary(FIRST, ["brier"]), binary(SECOND, ["brier"]), permutations=5)


def test_other_rows_are_refused() -> None:
    a, b = binary(FIRST, ["auc"]), pc.evaluate_binary(TRUE[:-1], SECOND[:-1], ["auc"])
    with pytest.raises(InputError, match="300 and 299 rows"):
        compared(a, b)
    turned = pc.evaluate_binary(TRUE[::-1], SECOND[::-1], ["auc"])
    with pytest.raises(InputError, match="different truth"):
        compared(a, turned)


def test_a_class_without_any_weight_leaves_an_area_open() -> None:
    assert score_interval(0.7, (0.0, 3.0), 0.95) == (0.0, 1.0)
    low, high = score_interval(0.7, (30.0, 30.0), 0.95)
    assert 0.5 < low < 0.7 < high < 0.9
