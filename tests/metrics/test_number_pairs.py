"""Pairs of numbers: the core against the reference and against all pairs, metrics against SciPy and scikit-learn, worked examples."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

import pingce as pc
from drawn import at_least
from pingce.base.core import native_core
from pingce.base.errors import InputError
from pingce.evidence.regression import groups as grouping
from pingce.evidence.regression import pairs as counting
from pingce.evidence.regression.groups import NumberGroups, number_groups
from pingce.evidence.regression.pairs import PairSums, pair_sums, row_pairs
from pingce.inputs.ids import IntIds, StringIds
from pingce.inputs.regression import NumberRows, number_rows
from pingce.metrics.grammar import parse_metric

KINDS = ("concordant", "discordant", "tied_truth", "tied_predicted", "tied_both")
VALUES = st.sampled_from([-1e300, -2.0, -0.0, 0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 1e300])
WEIGHTS = st.sampled_from([0.0, 0.1, 0.25, 1.0, 1.0, 2.0, 3.0, 1 / 3, 1e3])
FOUR = ([1, 3, 3, 5], [0.2, 0.4, 0.6, 0.6])


@st.composite
def tables(draw: st.DrawFn, most: int = 30) -> NumberRows:
    """Rows with ties, perhaps with weights, in three groups."""
    rows = draw(st.lists(st.tuples(VALUES, VALUES, WEIGHTS, st.integers(-1, 1)), min_size=1, max_size=most))
    true, predicted, weight, group = (np.array(column) for column in zip(*rows, strict=True))
    weight[0] = 1.0
    return NumberRows(true, predicted, weight if draw(st.booleans()) else None, group=IntIds(group)).counted()


def sign(value: float) -> int:
    return (value > 0) - (value < 0)


def by_hand(rows: NumberRows) -> dict[str, Fraction]:
    """Every pair, one after another."""
    weights = [Fraction(w) for w in (np.ones(len(rows)) if rows.weight is None else rows.weight).tolist()]
    counts = dict.fromkeys(KINDS, Fraction(0))
    for i, w in enumerate(weights):
        counts["tied_both"] += w * max(w - 1, Fraction(0)) / 2
        for j in range(i):
            y, p = (sign(float(side[i]) - float(side[j])) for side in (rows.true, rows.predicted))
            name = "tied_both" if not y and not p else "tied_truth" if not y else "tied_predicted" if not p else ""
            counts[name or ("concordant" if y == p else "discordant")] += w * weights[j]
    return counts


def without_core(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (counting, grouping):
        monkeypatch.setattr(module, "native_core", lambda: None)


@at_least(300)
@given(rows=tables())
def test_pairs_are_those_of_all_pairs(rows: NumberRows) -> None:
    counts, sums = by_hand(rows), pair_sums(rows, 2)
    exact = rows.weight is None or bool((rows.weight == np.floor(rows.weight)).all())
    for name in KINDS:
        found = getattr(sums, name)
        if exact:
            assert found == counts[name], name
        else:
            total = float(sum(counts.values()))
            assert float(found) == pytest.approx(float(counts[name]), rel=1e-12, abs=1e-12 * total), name


@given(rows=tables())
def test_the_reference_counts_the_same(rows: NumberRows) -> None:
    with pytest.MonkeyPatch.context() as patch:
        core, groups = pair_sums(rows), number_groups(rows)
        without_core(patch)
        assert pair_sums(rows) == core
        same_groups(number_groups(rows), groups)


def same_groups(first: NumberGroups, second: NumberGroups) -> None:
    assert first.groups.to_list() == second.groups.to_list()
    for name in ("rows", *KINDS):
        assert getattr(first, name).tolist() == getattr(second, name).tolist(), name


@given(rows=tables())
def test_pairs_of_each_row_add_up(rows: NumberRows) -> None:
    counts, each = by_hand(rows), row_pairs(rows)
    weights = np.ones(len(rows)) if rows.weight is None else rows.weight
    for name in KINDS[:4]:
        total = float((each.column(name) * weights).sum() / 2)
        assert total == pytest.approx(float(counts[name]), rel=1e-9, abs=1e-9 * float(sum(counts.values()))), name


@given(rows=tables())
def test_groups_are_counted_by_themselves(rows: NumberRows) -> None:
    groups = number_groups(rows)
    group: Any = rows.group
    for place, name in enumerate(groups.groups.to_list()):
        members = rows.select(np.flatnonzero(group.values == name))
        counts = by_hand(NumberRows(members.true, members.predicted, members.weight))
        for kind in KINDS:
            wanted, scale = float(counts[kind]), float(sum(counts.values()))
            assert getattr(groups, kind)[place] == pytest.approx(wanted, rel=1e-9, abs=1e-9 * scale), kind


def test_light_groups_beside_a_heavy_one() -> None:
    """The weights of a group are counted beside its own largest."""
    true, predicted, user = [1, 2, 3, 1, 2], [1, 3, 2, 2, 1], [1, 1, 1, 2, 2]
    scores = pc.evaluate_regression(
        true, predicted, "xgauc(by=uniform)", group=user, weight=[0.1, 0.2, 0.3, 1e30, 1e30]
    )
    assert scores["xgauc(by=uniform)"] == pytest.approx((0.05 / 0.11) / 2, rel=1e-12)


@pytest.mark.parametrize("layout", ["near", "far", "strings", "sorted"])
def test_large_groups_and_many_rows(layout: str) -> None:
    """Groups of more rows than are compared one by one; whatever the ids are."""
    rng = np.random.default_rng(3)
    group = rng.integers(0, 40, 20_000) ** 2 % 37
    true, predicted = (rng.integers(0, 60, len(group)).astype(float) for _ in range(2))
    ids: Any = IntIds(group)
    if layout == "far":
        ids = IntIds(group * 10**15)
    elif layout == "strings":
        ids = StringIds.from_strings([f"u{name:03d}" for name in group.tolist()])
    elif layout == "sorted":
        order = np.argsort(group, kind="stable")
        ids, group, true, predicted = IntIds(group[order]), group[order], true[order], predicted[order]
    groups = number_groups(NumberRows(true, predicted, group=ids), (), 2)
    assert len(groups) == len(np.unique(group))
    for place, name in enumerate(np.unique(group).tolist()):
        member = group == name
        sums = pair_sums(NumberRows(true[member], predicted[member]))
        assert {kind: int(getattr(groups, kind)[place]) for kind in KINDS} == {
            kind: int(getattr(sums, kind)) for kind in KINDS
        }


SIZES = (1, 2, 3, 4, 5, 7, 8, 9, 31, 32, 33, 63, 64, 65, 66, 257, 511, 512, 513, 600)
CLOSE: dict[str, Callable[[np.random.Generator, int], NDArray[Any]]] = {
    "far apart": lambda rng, rows: rng.standard_normal(rows),
    "apart in the last bits": lambda rng, rows: 1.0 + rng.integers(0, 1 << 20, rows) * 2.0**-52,
    "equal, or apart in the last bits": lambda rng, rows: -1.0 - rng.integers(0, 40, rows) * 2.0**-52,
    "upper halves alone": lambda rng, rows: rng.integers(-30, 30, rows).astype(float),
    "of both halves": lambda rng, rows: np.floor(rng.standard_normal(rows) * 10) / 10,
    "one number": lambda rng, rows: np.full(rows, 0.1),
}
"Numbers that differ in the bits that are compared first, in others, or not at all."


@pytest.mark.parametrize("true", CLOSE)
@pytest.mark.parametrize("predicted", CLOSE)
def test_numbers_however_close(true: str, predicted: str) -> None:
    """In groups of every size at which they are counted in another way, in many rows, and as the reference counts them."""
    rng = np.random.default_rng(5)
    group = rng.permutation(np.repeat(np.arange(len(SIZES)), SIZES))
    rows = NumberRows(CLOSE[true](rng, len(group)), CLOSE[predicted](rng, len(group)), group=IntIds(group))
    sums, groups = pair_sums(rows, 2), number_groups(rows, (), 2)
    with pytest.MonkeyPatch.context() as patch:
        without_core(patch)
        assert pair_sums(rows) == sums
        same_groups(number_groups(rows), groups)


def test_many_rows_for_threads() -> None:
    """More rows than one thread sorts by itself, with a tail: the same for every number of threads, and as SciPy counts."""
    rng = np.random.default_rng(4)
    true = rng.integers(0, 5000, 200_003).astype(float)
    predicted = true + rng.integers(-3000, 3000, len(true)).astype(float)
    counts = [pair_sums(NumberRows(true, predicted), threads) for threads in (1, 2, 5)]
    assert counts[0] == counts[1] == counts[2]
    weighted = [pair_sums(NumberRows(true, predicted, np.full(len(true), 2.0)), threads) for threads in (1, 3)]
    assert weighted[0] == weighted[1]
    assert weighted[0].discordant == 4 * counts[0].discordant
    scores = pc.evaluate_regression(true, predicted, ["kendall"])
    assert scores["kendall"] == pytest.approx(stats.kendalltau(true, predicted).statistic, rel=1e-12)


@pytest.mark.sweep
@at_least(300)
@given(rows=tables())
def test_kendall_is_that_of_scipy(rows: NumberRows) -> None:
    found = pc.evaluate_regression(rows.true, rows.predicted, ["kendall"])["kendall"]
    wanted = stats.kendalltau(rows.true, rows.predicted).statistic if len(rows) > 1 else math.nan
    assert found == pytest.approx(float(wanted), rel=1e-12, abs=1e-12, nan_ok=True)


@given(rows=tables())
def test_two_labels_make_it_auc(rows: NumberRows) -> None:
    labels = (rows.true > 0.5).astype(int)
    if 0 < labels.sum() < len(labels):
        weight = rows.weight
        auc = pc.evaluate_binary(labels, rows.predicted, ["auc"], weight=weight)["auc"]
        scores = pc.evaluate_regression(labels, rows.predicted, ["xauc", "normalized_gini"], weight=weight)
        assert scores["xauc"] == pytest.approx(auc, rel=1e-12)
        assert scores["normalized_gini"] == pytest.approx(2 * auc - 1, rel=1e-9, abs=1e-12)


SPELLINGS = [
    f"{name}(pairs={pairs},tied={tied}{more})"
    for name in ("xauc", "xgauc")
    for pairs, mores in (("different", [""]), ("all", ["", ",both=right", ",level=right", ",both=right,level=right"]))
    for tied in ("half", "wrong", "right")
    for more in mores
] + ["xgauc(by=uniform)", "xgauc(by=pairs,tied=wrong)"]


@given(rows=tables(12))
def test_parameters_are_as_they_are_defined(rows: NumberRows) -> None:
    from pingce.metrics.grammar import parse_metric
    from pingce.metrics.regression import NumberList

    group: Any = rows.group
    plain = NumberList(
        tuple(rows.true.tolist()),
        tuple(rows.predicted.tolist()),
        None if rows.weight is None else tuple(rows.weight.tolist()),
        tuple(group.values.tolist()),
    )
    scores = pc.evaluate_regression(rows.true, rows.predicted, SPELLINGS, group=group.values, weight=rows.weight)
    for spelling in SPELLINGS:
        wanted = parse_metric(spelling, task="regression").metric.define(plain)
        assert scores[spelling] == pytest.approx(wanted, rel=1e-9, abs=1e-9, nan_ok=True), spelling


# Worked examples of section 11.


def test_the_seven_ways_to_count() -> None:
    """C 4, D 0, one pair tied in the truth, one in the prediction."""
    assert pair_sums(NumberRows(np.array(FOUR[0], float), np.array(FOUR[1]))) == PairSums(
        *map(Fraction, (4, 0, 1, 1, 0))
    )
    values = {
        "xauc": 9 / 10,
        "concordance": 9 / 10,
        "c_index": 9 / 10,
        "xauc(tied=wrong)": 4 / 5,
        "xauc(pairs=all,tied=wrong,both=right)": 2 / 3,
        "xauc(pairs=all,tied=wrong)": 2 / 3,
        "xauc(pairs=all,tied=right,both=right,level=right)": 1.0,
        "kendall": 4 / 5,
    }
    scores = pc.evaluate_regression(*FOUR, list(values))
    assert dict(scores) == pytest.approx(values, rel=1e-12)


def test_a_second_user() -> None:
    true, predicted, user = [*FOUR[0], 10, 20], [*FOUR[1], 2, 1], ["u"] * 4 + ["v"] * 2
    spellings = ["xgauc", "xgauc(by=uniform)", "xgauc(by=pairs)", "xgauc(by=impressions)"]
    scores = pc.evaluate_regression(true, predicted, spellings, group=user)
    assert list(scores.values()) == pytest.approx([3 / 5, 9 / 20, 3 / 4, 3 / 5], rel=1e-12)
    assert scores.counts["groups"] == {"all": 2, "scored": 2, "without_pairs": 0, "without_pairs_rows": 0}
    assert scores.per_group.to_pydict()["xauc"] == [0.9, 0.0]
    alike = pc.evaluate_regression([*true, 7, 7], [*predicted, 1, 2], "xgauc", group=[*user, "w", "w"])
    assert alike["xgauc"] == pytest.approx(3 / 5)
    assert alike.counts["groups"] == {"all": 3, "scored": 2, "without_pairs": 1, "without_pairs_rows": 2}


def test_gini_by_hand() -> None:
    scores = pc.evaluate_regression([0, 0, 10, 90, 5], [1, 2, 20, 40, 30], "normalized_gini")
    assert scores["normalized_gini"] == pytest.approx(37 / 38, rel=1e-12)


def test_nrmse_in_four_ways() -> None:
    spellings = ["nrmse", "nrmse(by=range)", "nrmse(by=std)", "nrmse(by=norm)"]
    scores = pc.evaluate_regression([10, 20, 30, 60], [12, 18, 33, 50], spellings)
    error = math.sqrt(117 / 4)
    assert list(scores.values()) == pytest.approx(
        [error / 30, error / 50, error / math.sqrt(350), error / math.sqrt(5000)], rel=1e-12
    )


# Bad input.


@pytest.mark.parametrize(
    ("true", "predicted"), [([5.0], [4.0]), ([2.0, 2.0, 2.0], [1.0, 2.0, 3.0]), ([1.0, 2.0], [0.0, 0.0])]
)
def test_one_row_and_constants(true: list[float], predicted: list[float]) -> None:
    scores = pc.evaluate_regression(true, predicted, ["xauc", "kendall", "normalized_gini", "d2_pinball"])
    constant = len(set(true)) == 1
    assert math.isnan(scores["kendall"])
    assert math.isnan(scores["xauc"]) == math.isnan(scores["normalized_gini"]) == constant
    assert constant or (scores["xauc"], scores["normalized_gini"]) == (0.5, 0.0)
    assert scores.counts["undefined"]["kendall"] == 1


@pytest.mark.parametrize(
    ("metric", "true", "predicted", "sentence"),
    [
        (
            "tweedie(power=1)",
            [1, -2],
            [1, 1],
            r"row 1.*: tweedie\(power=1\) needs true numbers of 0 or more, but this one is -2",
        ),
        (
            "tweedie(power=1.5)",
            [1, 2],
            [1, 0],
            r"y_pred: tweedie\(power=1.5\) needs predicted numbers above 0, but this one is 0",
        ),
        ("tweedie(power=2)", [0, 2], [1, 1], r"tweedie\(power=2\) needs true numbers above 0, but this one is 0"),
        ("d2_tweedie(power=2)", [0, 2], [1, 1], r"needs true numbers above 0"),
        ("tweedie(power=0.5)", [1, 2], [1, 1], r"power=0.5: there is no Tweedie distribution between 0 and 1"),
        ("pinball(alpha=1)", [1, 2], [1, 1], r"alpha=1: must be a number, > 0, < 1"),
        (
            "xauc(both=right)",
            [1, 2],
            [1, 1],
            r"xauc\(both=right\): pairs with equal true numbers .* write pairs=all too",
        ),
        ("xgauc", [1, 2], [1, 1], r"xgauc needs groups: say which column or array holds them with group= or --group"),
        ("xgauc(by=money)", [1, 2], [1, 1], r"there is no column 'money'; by= is rows, uniform, pairs, or a column"),
    ],
)
def test_one_sentence(metric: str, true: list[float], predicted: list[float], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence) as caught:
        pc.evaluate_regression(true, predicted, metric)
    assert caught.value.text.zh != caught.value.text.en


def test_columns_of_groups() -> None:
    true, predicted, user = [*FOUR[0], 10, 20], [*FOUR[1], 2, 1], ["u"] * 4 + ["v"] * 2
    money = {"money": [1, 0, 0, 0, 2, 1]}
    scores = pc.evaluate_regression(true, predicted, "xgauc(by=money)", group=user, group_weight=money)
    assert scores["xgauc(by=money)"] == pytest.approx(0.9 / 4, rel=1e-12)
    with pytest.raises(InputError, match="group_weight has a column 'pairs', but xgauc"):
        pc.evaluate_regression(true, predicted, "xgauc", group=user, group_weight={"pairs": money["money"]})


@given(rows=tables(), cut=st.integers(0, 30))
def test_batches_and_bytes_change_no_bit(rows: NumberRows, cut: int) -> None:
    group: Any = rows.group
    names = ["xauc", "xgauc", "kendall", "normalized_gini", "nrmse(by=range)", "d2_pinball", "ccc", "log_cosh"]
    names = names if np.abs(rows.true).max() < 1e100 > np.abs(rows.predicted).max() else names[:4]
    whole = pc.evaluate_regression(rows.true, rows.predicted, names, group=group.values, weight=rows.weight)
    evaluator = pc.RegressionEvaluator(names)
    for part in (slice(0, cut), slice(cut, None)):
        if len(rows.true[part]):
            weight = None if rows.weight is None else rows.weight[part]
            evaluator.update(rows.true[part], rows.predicted[part], group=group.values[part], weight=weight)
            evaluator = pc.RegressionEvaluator.from_bytes(evaluator.to_bytes())
    assert evaluator.compute().to_json(per_query=True) == whole.to_json(per_query=True)


def test_groups_that_are_whole_need_no_rows() -> None:
    rng = np.random.default_rng(5)
    user, true, predicted = np.repeat(np.arange(50), 8), rng.gamma(2, 10, 400), rng.gamma(2, 10, 400)
    whole = pc.evaluate_regression(true, predicted, ["xgauc", "mae", "nrmse(by=range)"], group=user)
    evaluator = pc.RegressionEvaluator(["xgauc", "mae", "nrmse(by=range)"], split="never")
    for part in np.array_split(np.arange(400), 5):
        evaluator.update(true[part], predicted[part], group=user[part])
    again = pc.RegressionEvaluator.from_bytes(evaluator.to_bytes())
    assert again.compute().to_json(per_query=True) == whole.to_json(per_query=True)
    evaluator.update(true[:3], predicted[:3], group=user[:3])
    with pytest.raises(InputError, match="stand in two batches"):
        evaluator.compute()


def test_the_core_is_here() -> None:
    assert native_core() is not None


def long_columns() -> dict[str, tuple[Any, Any]]:
    """Columns of more than one part of rows, and of several ranges: even, tied, lopsided, sorted either way."""
    random = np.random.default_rng(8)
    rows = 150_000
    true, noise = random.normal(size=(2, rows))
    half = random.random(rows) < 0.5
    return {
        "even": (true, true + noise),
        "few numbers": (np.round(true), np.round(true + noise)),
        "half of one number": (true, np.where(half, 0.0, true + noise)),
        "one number": (true, np.zeros(rows)),
        "any size": (true, np.exp(80 * (true + noise))),
        "sorted": (true, true),
        "reversed": (true, -true),
    }


@pytest.mark.parametrize("shape", long_columns())
def test_long_columns_are_counted_as_the_reference_does(shape: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = number_rows(*long_columns()[shape])
    counts = [pair_sums(rows, threads) for threads in (1, 2)]
    without_core(monkeypatch)
    assert counts == [pair_sums(rows)] * 2


@pytest.mark.parametrize("size", [0.0, 1e-9, 5e-4, 1e-3, 0.01, 0.0499, 0.05, 0.5, 20.0, 299.0, 301.0, 1e6])
def test_log_cosh_is_exact_from_tiny_to_large(size: float) -> None:
    metric = parse_metric("log_cosh", task="regression").metric
    exact = math.log1p(2 * math.sinh(size / 2) ** 2) if size < 300 else size - math.log(2)
    assert metric.of(0.0, size) == pytest.approx(exact, rel=1e-12, abs=0)
    assert metric.row_losses(NumberRows(np.zeros(1), np.array([size])))[0] == pytest.approx(exact, rel=1e-12, abs=0)
