"""Explanations of numbers: the last line is the value, the steps lead there."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pingce as pc
from explained_steps import adds_up, check, column, grid, last_line, line, written
from pingce.base.errors import InputError
from pingce.evidence.policies import RegressionPolicies
from pingce.evidence.regression.evidence import Kept, error_evidence
from pingce.explanations.derivation import Explanation, Grid
from pingce.explanations.regression.base import explain_regression
from pingce.inputs.ids import IntIds
from pingce.inputs.regression import NumberRows, number_rows
from pingce.metrics.declared import registry
from pingce.metrics.grammar import MetricRequest, parse_metric
from pingce.metrics.regression import RegressionMetric

KINDS: dict[str, type[RegressionMetric]] = registry("regression")
LOGARITHMIC = ("msle", "rmsle")
POLICIES = st.builds(RegressionPolicies, undefined=st.sampled_from(["skip", "zero", "one", "nan"]))
TAME = st.sampled_from([n / 4 for n in range(-12, 13)] + [n / 10 for n in range(-9, 10)] + [0.0, 0.0, 1.0])
WILD = st.one_of(TAME, st.floats(allow_nan=False, allow_infinity=False), st.sampled_from([1e300, 5e-324, -1e16]))
WEIGHTS = st.sampled_from([0.0, 1.0, 1.0, 2.0, 3.0, 0.5, 0.1, 1 / 3])
FOUR = ([3, -0.5, 2, 7], [2.5, 0.0, 2, 8])


@st.composite
def cases(draw: st.DrawFn, numbers: st.SearchStrategy[float] = TAME, most: int = 12) -> NumberRows:
    """Some rows, with ties and zeros, weights or none."""
    weighted = draw(st.booleans())
    columns = (numbers, numbers, WEIGHTS) if weighted else (numbers, numbers)
    found = [*zip(*draw(st.lists(st.tuples(*columns), min_size=1, max_size=most)), strict=True)]
    weight = np.array((1.0, *found[2][1:])) if weighted else None
    return number_rows(np.array(found[0]), np.array(found[1]), weight, group=np.arange(len(found[0])) % 2)


def above(rows: NumberRows) -> NumberRows:
    """The same rows for a metric of logarithms."""
    return NumberRows(np.abs(rows.true) - 0.5, np.abs(rows.predicted) - 0.5, rows.weight, group=rows.group)


def explained(name: str, rows: NumberRows, **policies: Any) -> Explanation:
    return explain_regression(rows, parse_metric(name, task="regression"), RegressionPolicies.of(**policies))


def wanted(metric: RegressionMetric, rows: NumberRows, policies: RegressionPolicies) -> float:
    value = float(metric.value(error_evidence(rows, metric.needs, Kept(metric.needs_rows, metric.needs_ends))))
    return {"zero": 0.0, "one": 1.0}.get(policies.undefined, value) if math.isnan(value) else value


# Every metric: bit by bit.


@pytest.mark.sweep
@given(rows=cases(), policies=POLICIES)
def test_the_last_line_is_the_value(rows: NumberRows, policies: RegressionPolicies) -> None:
    for name, kind in KINDS.items():
        own = above(rows) if name in LOGARITHMIC else rows
        check(explain_regression(own, MetricRequest(name, kind()), policies), wanted(kind(), own, policies))


@pytest.mark.sweep
@given(rows=cases(WILD))
def test_numbers_of_any_size(rows: NumberRows) -> None:
    """Where evaluation refuses, so does the explanation; else it ends in the same value."""
    for name, kind in KINDS.items():
        own = above(rows) if name in LOGARITHMIC else rows
        try:
            value = wanted(kind(), own, RegressionPolicies())
        except InputError:
            with pytest.raises(InputError):
                explained(name, own)
            continue
        found = explained(name, own)
        assert found.value.hex() == value.hex(), name
        assert last_line(found).value is found.value or math.isnan(value)


@pytest.mark.sweep
@given(rows=cases(most=120))
def test_longer_tables_end_in_the_value_too(rows: NumberRows) -> None:
    """Beyond what is written whole."""
    times = 12
    weight = None if rows.weight is None else np.tile(rows.weight, times)
    group = IntIds(np.arange(times * len(rows)) % 30)
    rows = NumberRows(np.tile(rows.true, times), np.tile(rows.predicted, times), weight, group=group)
    for name, kind in KINDS.items():
        own = above(rows) if name in LOGARITHMIC else rows
        found = explained(name, own)
        check(found, wanted(kind(), own, RegressionPolicies()))
        assert all(len(step.rows) <= 40 for step in found.steps if isinstance(step, Grid))


@given(rows=cases())
def test_columns_add_up_to_their_sums(rows: NumberRows) -> None:
    for name in ("mae", "mse", "rmse", "mape", "smape", "msle", "rmsle"):
        own = above(rows) if name in LOGARITHMIC else rows
        found = explained(name, own)
        if not math.isnan(found.value):
            adds_up(found, "contributions", "term" if rows.weight is None else "weighted", line(found, "sum"))


@given(rows=cases())
def test_ranks_are_those_of_a_person(rows: NumberRows) -> None:
    """1 + the smaller ones + half of the other equal ones."""
    if rows.weight is None:
        table = grid(explained("spearman", rows), "ranks")
        for key, values in (("true_rank", rows.true), ("predicted_rank", rows.predicted)):
            by_hand = [1 + (values < one).sum() + ((values == one).sum() - 1) / 2 for one in values]
            assert column(table, key) == by_hand


def test_a_sum_that_is_too_large_is_said() -> None:
    """e² and its sum have no double, their quotient has: 1 − 4 / (1/2)."""
    found = explained("r2", number_rows([1e200, 2], [3e200, 1]))
    assert found.value == -7
    assert line(found, "squared") == math.inf
    assert "beyond the range of doubles" in written(found)
    assert "beyond" not in written(explained("r2", number_rows(*FOUR)))


# The worked example 24, and the figures that metrics declare for it.


def test_example_24() -> None:
    rows = number_rows(*FOUR)
    found = explained("mae", rows)
    table = grid(found, "contributions")
    assert [row.cells for row in table.rows] == [
        (3, 7.0, 8.0, 1.0, 1.0),
        (0, 3.0, 2.5, -0.5, 0.5),
        (1, -0.5, 0.0, 0.5, 0.5),
        (2, 2.0, 2.0, 0.0, 0.0),
    ]
    assert [row.counts for row in table.rows] == [True, True, True, False]
    assert (line(found, "sum"), line(found, "rows")) == (2, 4)
    assert found.value == 0.5
    root = explained("rmse", rows)
    assert (line(root, "sum"), line(root, "mean")) == (1.5, 0.375)
    assert last_line(root).template == "√({})"
    assert root.value == pytest.approx(0.6123724356958, rel=1e-12)


def test_variances_and_correlations() -> None:
    rows = number_rows(*FOUR)
    r2 = explained("r2", rows)
    assert (line(r2, "squared"), line(r2, "mean_true"), line(r2, "varies")) == (1.5, 2.875, 29.1875)
    assert last_line(r2).numbers == (1.5, 29.1875)
    variance = explained("explained_variance", rows)
    assert last_line(variance).numbers == (0.3125, 7.296875)
    pearson = explained("pearson", rows)
    assert last_line(pearson).numbers == (7.890625, 7.296875, 8.796875)
    adds_up(pearson, "deviations", "product", 4 * 7.890625)
    ranks = explained("spearman", number_rows([1, 2, 3, 4, 5], [2, 1, 4, 3, 5]))
    assert column(grid(ranks, "ranks"), "predicted_rank") == [2, 1, 4, 3, 5]
    assert last_line(ranks).numbers == (1.6, 2, 2)
    assert ranks.value == 0.8


def test_the_row_that_decides() -> None:
    worst = explained("max_error", number_rows(*FOUR))
    assert "The largest error is that of row 3." in written(worst)
    assert last_line(worst).numbers == (8, 7)
    two = explained("medae", number_rows(*FOUR))
    assert [row.counts for row in grid(two, "errors").rows] == [False, True, True, False]
    assert last_line(two).numbers == (0.5, 0.5)
    one = explained("medae", number_rows([0, 0, 0], [1, 5, 2]))
    assert "The middle one is #2." in written(one)
    assert "居中的是第 2 个" in written(one, "zh")
    share = explained("wmape", number_rows(*FOUR))
    assert last_line(share).numbers == (2, 12.5)


# Weights, undefined values.


def test_weights_have_a_column() -> None:
    rows = number_rows(*FOUR, [1, 2, 0, 0.5], group=[1, 1, 2, 2])
    for name, kind in KINDS.items():
        found = explained(name, rows)
        keys = {one.key for step in found.steps if isinstance(step, Grid) for one in step.columns}
        assert "weight" in keys, name
        assert "1 rows of weight 0 are left out" in written(found)
        assert "weight:given" in found.signature
        assert kind.name == name
    heavy = explained("mae", rows)
    assert column(grid(heavy, "contributions"), "weighted") == [1, 0.5, 0.5]
    assert last_line(heavy).numbers == (2, 3.5)
    assert column(grid(explained("medae", rows), "errors"), "reached") == [1, 3, 3.5]


@pytest.mark.parametrize(
    ("name", "true", "said"),
    [
        ("mape", [0, 1], "a true number is 0"),
        ("r2", [2, 2], "the truth is constant"),
        ("wmape", [0, 0], "every true number is 0"),
    ],
)
def test_an_undefined_value_is_said(name: str, true: list[float], said: str) -> None:
    rows = number_rows(true, [1, 2])
    found = explained(name, rows)
    assert math.isnan(found.value)
    assert f"{name} is not defined here: {said}." in written(found)
    assert "没有定义" in written(found, "zh")
    assert explained(name, rows, undefined="one").value == 1
    with pytest.raises(InputError, match="undefined here"):
        explained(name, rows, undefined="error")


def test_a_row_without_a_share_comes_first() -> None:
    table = grid(explained("mape", number_rows([1, 0], [9, 2])), "contributions")
    assert column(table, "term") == [None, 8]


# Much data.


@pytest.mark.parametrize("name", list(KINDS))
def test_large_data_is_cut_short(name: str) -> None:
    random = np.random.default_rng(9)
    true = random.gamma(2, 3, 20_000)
    group = np.arange(len(true)) % 500
    rows = number_rows(true, true + random.normal(0, 0.3, len(true)).clip(-0.9, 0.9), group=group)
    found = explained(name, rows)
    check(found, pc.evaluate_regression(rows.true, rows.predicted, [name], group=group)[name])
    units = "500 groups" if KINDS[name].of_groups else "20000 rows"
    for step in found.steps:
        if isinstance(step, Grid):
            assert len(step.rows) <= 40
            assert step.note is not None
            assert f"of {units} are written here" in step.note.en
    if name == "mse":
        kept = np.sort((rows.predicted - rows.true) ** 2)[::-1][:20]
        assert column(grid(found, "contributions"), "term") == kept.tolist()
