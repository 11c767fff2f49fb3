"""Explanations of labels and scores: the last line is the value, the steps lead there."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pingce as pc
from drawn_labels import ALL, ANY_SCORES, FRACTIONS, KINDS, TIED, Table, tables
from explained_steps import adds_up, check, column, grid, last_line, line, written
from pingce.base.errors import InputError
from pingce.evidence.binary.evidence import BinaryEvidence
from pingce.evidence.policies import BinaryPolicies
from pingce.explanations.binary.base import explain_binary
from pingce.explanations.derivation import Explanation, Grid
from pingce.inputs.binary import BinaryRows, binary_rows
from pingce.metrics.catalogue import example_value
from pingce.metrics.grammar import MetricRequest, parse_metric
from pingce.metrics.parameters import Choice

DEFAULT = BinaryPolicies()
POLICIES = st.builds(
    BinaryPolicies,
    threshold=st.sampled_from([0.5, 0.1, 0.7, 0.0, 1.0]),
    compare=st.sampled_from(["ge", "gt"]),
    undefined=st.sampled_from(["skip", "nan", "zero", "one"]),
)
OF_ORDER = [metric for metric in ALL if metric.uses != "probabilities"]


def explained(name: str, rows: BinaryRows, **policies: Any) -> Explanation:
    return explain_binary(rows, parse_metric(name, task="binary"), BinaryPolicies.of(**policies))


def wanted(metric: Any, rows: BinaryRows, policies: BinaryPolicies) -> float:
    """The value of the metric alone, under the policy for undefined ones."""
    value = float(metric.value(BinaryEvidence(rows).view(policies)))
    return {"zero": 0.0, "one": 1.0}.get(policies.undefined, value) if math.isnan(value) else value


# Every metric: bit by bit.


@pytest.mark.sweep
@given(table=tables(weights=FRACTIONS, groups=True), policies=POLICIES)
def test_the_last_line_is_the_value(table: Table, policies: BinaryPolicies) -> None:
    rows = table.rows()
    for metric in ALL:
        check(explain_binary(rows, MetricRequest(metric.id, metric), policies), wanted(metric, rows, policies))


@pytest.mark.sweep
@given(table=tables(scores=ANY_SCORES, groups=True), policies=POLICIES)
def test_scores_may_be_any_numbers(table: Table, policies: BinaryPolicies) -> None:
    rows = table.rows()
    for metric in OF_ORDER:
        check(explain_binary(rows, MetricRequest(metric.id, metric), policies), wanted(metric, rows, policies))


@pytest.mark.sweep
@given(table=tables(scores=TIED, weights=FRACTIONS, groups=True, most=90))
def test_longer_tables_end_in_the_value_too(table: Table) -> None:
    """Beyond what is written whole."""
    table = replace(table, labels=tuple(i % 2 for i in range(len(table.labels))))
    scores = tuple(min(1.0, score + i / 1000) for i, score in enumerate(table.scores))
    for rows in (table.rows(), replace(table, scores=scores).rows()):
        for kind in KINDS.values():
            metric = kind.make()
            check(explain_binary(rows, MetricRequest(metric.id, metric), DEFAULT), wanted(metric, rows, DEFAULT))


@given(table=tables(weights=FRACTIONS, groups=True))
def test_columns_add_up_to_their_sums(table: Table) -> None:
    rows = table.rows()
    own = "weighted" if table.weights else ""
    for name, key, term in (("logloss", "contributions", "loss"), ("brier", "contributions", "squared")):
        found = explained(name, rows)
        adds_up(found, key, own or term, line(found, "sum"))
    found = explained("pcoc", rows)
    adds_up(found, "contributions", own or "probability", line(found, "predicted"))
    found = explained("ece", rows)
    adds_up(found, "bins", "term", found.value)
    found = explained("gauc", rows)
    adds_up(found, "groups", "weighted", line(found, "top"))
    positives = BinaryEvidence(rows).thresholds.positives
    if positives:
        found = explained("pr_auc", rows)
        adds_up(found, "thresholds", "term", found.value)
    if positives and BinaryEvidence(rows).thresholds.negatives:
        found = explained("auc", rows)
        key = next(step.key for step in found.steps if isinstance(step, Grid))
        if table.weights or key == "thresholds":
            adds_up(found, key, "twice", line(found, "twice"))
        else:
            adds_up(found, "pairs", "won", line(found, "twice") / 2)
        found = explained("partial_auc(max_fpr=0.35)", rows)
        adds_up(found, "trapezoids", "piece", line(found, "covered"))


@given(table=tables(weights=FRACTIONS, groups=True))
def test_the_pairs_of_a_few_rows_are_those_of_the_thresholds(table: Table) -> None:
    """Two ways to one sum."""
    found = explained("auc", table.rows())
    counts = BinaryEvidence(table.rows()).thresholds
    if not math.isnan(found.value):
        positives, negatives = counts.at
        twice = (positives * (2 * (counts.negatives - counts.fp) + negatives)).sum()
        assert line(found, "twice") == pytest.approx(float(twice), rel=1e-12)


# The worked examples.

SEVEN = ([0, 1, 1, 1, 0, 0, 1], [0.9, 0.8, 0.6, 0.6, 0.6, 0.4, 0.1])


def test_example_17_pairs() -> None:
    """Of 12 pairs 4 are won and 2 tied: (2 · 4 + 2) / 24."""
    rows = binary_rows(*SEVEN, positive=1)
    found = explained("auc", rows)
    table = grid(found, "pairs")
    assert [row.cells for row in table.rows] == [
        (0.8, "<", ">", ">", 2.0),
        (0.6, "<", "=", ">", 1.5),
        (0.6, "<", "=", ">", 1.5),
        (0.1, "<", "<", "<", 0.0),
    ]
    assert [str(one.title) for one in table.columns][1:4] == ["0.9", "0.6", "0.4"]
    assert (line(found, "won"), line(found, "tied"), line(found, "twice")) == (4, 2, 10)
    assert last_line(found).template == "{} / (2 · {} · {})"
    assert last_line(found).numbers == (10, 4, 3)
    assert found.value == float(Fraction(5, 12))
    loss = explained("rank_loss", rows)
    assert last_line(loss).numbers == (4, 3, 10, 4, 3)
    assert loss.value == float(Fraction(7, 12))


def test_example_17_as_thresholds() -> None:
    """The same rows five times over are too many pairs to write down."""
    rows = binary_rows(SEVEN[0] * 5, SEVEN[1] * 5, positive=1)
    found = explained("auc", rows)
    table = grid(found, "thresholds")
    assert column(table, "tp") == [0, 5, 15, 15, 20]
    assert column(table, "fp") == [5, 5, 10, 15, 15]
    assert column(table, "below") == [10, 10, 5, 0, 0]
    assert column(table, "twice") == [0, 5 * 20, 10 * (2 * 5 + 5), 0, 0]
    assert [row.counts for row in table.rows] == [False, True, True, False, True]
    assert last_line(found).numbers == (250, 20, 15)
    assert found.value == float(Fraction(5, 12))
    areas = explained("pr_auc", rows)
    assert column(grid(areas, "thresholds"), "precision") == [0, 0.5, 0.6, 0.5, pytest.approx(4 / 7)]
    assert column(grid(areas, "thresholds"), "recall") == [0, 0.25, 0.75, 0.75, 1]
    assert column(grid(areas, "thresholds"), "term") == [0, 0.125, pytest.approx(0.3), 0, pytest.approx(1 / 7)]


@pytest.mark.parametrize(("scores", "figure"), [((0.51, 0.49), 0.6733445532638), ((0.99, 0.01), 0.01005033585350)])
def test_example_19(scores: tuple[float, float], figure: float) -> None:
    rows = binary_rows([1, 0], list(scores), positive=1)
    assert explained("auc", rows).value == 1
    found = explained("logloss", rows)
    assert column(grid(found, "contributions"), "given") == pytest.approx([scores[0]] * 2)
    assert column(grid(found, "contributions"), "loss") == pytest.approx([figure] * 2, rel=1e-12)
    assert found.value == pytest.approx(figure, rel=1e-12)


def test_example_20() -> None:
    """One row is the whole loss."""
    rows = binary_rows([1, 0], [0.001, 0.001], positive=1)
    table = grid(explained("logloss", rows), "contributions")
    assert table.rows[0].cells[:3] == (0, 1, 0.001)
    assert column(table, "loss")[0] == pytest.approx(6.907755278982, rel=1e-12)


def test_example_21() -> None:
    rows = binary_rows([1, 0], [0.9, 0.4], positive=1)
    found = explained("pcoc", rows)
    assert (line(found, "predicted"), line(found, "observed")) == (1.3, 1)
    assert found.value == 1.3
    loss = explained("logloss", rows)
    assert column(grid(loss, "contributions"), "row") == [1, 0]
    assert loss.value == pytest.approx(0.3080930697119, rel=1e-12)


def test_example_22_an_undefined_precision_is_said() -> None:
    rows = binary_rows([1, 0], [0.0, 0.0], weight=[19, 800_000_000 - 19], positive=1)
    found = explained("accuracy", rows)
    table = grid(found, "confusion")
    assert [row.cells for row in table.rows] == [
        ("1", "TP", 0, "FN", 19, 19),
        ("0", "FP", 0, "TN", 799999981, 799999981),
    ]
    assert last_line(found).numbers == (0, 799999981, 0, 0, 799999981, 19)
    assert found.value == 0.99999997625
    assert "A constant prediction" in written(found)
    nothing = explained("precision", rows)
    assert math.isnan(nothing.value)
    assert "precision is not defined here: no row is predicted positive." in written(nothing)
    assert "没有一行被判为正" in written(nothing, "zh")
    assert explained("precision", rows, undefined="zero").value == 0
    assert "undefined=zero" in written(explained("precision", rows, undefined="zero"))
    with pytest.raises(InputError, match="undefined here"):
        explained("precision", rows, undefined="error")


USERS = ["u1"] * 6 + ["u2"] * 4 + ["u3"] * 3 + ["u4"] * 2
CLICKS = [*(1, 0, 0, 0, 0, 0), *(1, 0, 1, 1), *(1, 1, 1), *(0, 0)]
CLICK_SCORES = [*(0.9, 0.8, 0.5, 0.4, 0.2, 0.1), *(0.9, 0.7, 0.5, 0.3), *(0.6, 0.5, 0.1), *(0.9, 0.2)]


@pytest.mark.parametrize(
    ("by", "weights", "figure"),
    [
        ("impressions", [6, 4, 3, 2], Fraction(11, 15)),
        ("clicks", [1, 3, 3, 0], Fraction(1, 2)),
        ("uniform", [1, 1, 1, 1], Fraction(2, 3)),
    ],
)
def test_example_25_gauc(by: str, weights: list[int], figure: Fraction) -> None:
    rows = binary_rows(CLICKS, CLICK_SCORES, group=USERS, positive=1)
    found = explained(f"gauc(by={by})", rows)
    table = grid(found, "groups")
    assert column(table, "group") == ["u1", "u2", "u3", "u4"]
    assert column(table, "rows") == [6, 4, 3, 2]
    assert column(table, "positives") == [1, 3, 3, 0]
    assert column(table, "auc") == [1, pytest.approx(1 / 3), None, None]
    assert column(table, "weight") == weights
    assert column(table, "weighted")[2:] == [None, None]
    assert [row.counts for row in table.rows] == [True, True, False, False]
    assert found.value == pytest.approx(float(figure), rel=1e-15)
    assert "2 of 4 groups have positives only or negatives only" in written(found)


def test_single_class_groups_count_as_asked() -> None:
    rows = binary_rows(CLICKS, CLICK_SCORES, group=USERS, positive=1)
    zero = explained("gauc(single=zero)", rows)
    assert column(grid(zero, "groups"), "weighted")[2:] == [0, 0]
    assert zero.value == pytest.approx((6 + 4 / 3) / 15, rel=1e-15)
    none = explained("gauc(single=nan)", rows)
    assert math.isnan(none.value)
    assert "single=nan" in written(none)


@pytest.mark.parametrize(
    ("labels", "scores", "numbers", "figure"),
    [
        ([1, 0, 1, 1, 0, 0], [6, 5, 4, 3, 2, 1], (2,), Fraction(2, 3)),
        ([1] + [1] + [0] * 9 + [1] * 2 + [0] * 5, [3] + [2] * 10 + [1] * 7, (1, 4, 1, 1, 10), Fraction(13, 40)),
        ([0, 1, 1, 0], [4, 3, 2, 1], (1,), Fraction(1, 2)),
    ],
)
def test_example_26_break_even_point(labels: Any, scores: Any, numbers: tuple[int, ...], figure: Fraction) -> None:
    """In the second, 1 + (4 − 1) · 1 / 10 = 1.3 of 4: three of the ten rows of a tie block."""
    found = explained("bep", binary_rows(labels, scores, positive=1))
    (cut,) = (step for step in found.steps if getattr(step, "key", "") == "found")
    assert cut.numbers == numbers  # type: ignore[union-attr]
    assert found.value == float(figure)


def test_the_examples_of_the_declarations_come_out() -> None:
    """What a metric says of itself, its explanation shows."""
    for kind in KINDS.values():
        name, labels, scores = kind.about.example
        rows = binary_rows(list(labels), list(scores), group=list(kind.about.groups) or None, positive=1)
        assert explained(name, rows).value == pytest.approx(example_value(kind), rel=1e-12), name


# What is shown.


def test_f1_names_its_cells() -> None:
    found = explained("f1(threshold=0.7)", binary_rows(*SEVEN, positive=1))
    assert "score is ≥ 0.7" in written(found)
    assert "分数 ≥ 0.7 的行判为正" in written(found, "zh")
    assert column(grid(found, "rows"), "cell") == ["FP", "TP", "FN", "FN", "TN", "TN", "FN"]
    assert (line(found, "precision"), line(found, "recall")) == (0.5, 0.25)
    assert last_line(found).name == "f1(threshold=0.7)"
    assert last_line(found).numbers == (1, 1, 3, 1)
    assert "compare:ge" in found.signature


def test_a_margin_of_nothing_makes_mcc_0() -> None:
    found = explained("mcc", binary_rows([1, 0], [0.1, 0.2], positive=1))
    assert found.value == 0
    assert "0 by definition" in written(found)


def test_clipped_rows_are_said() -> None:
    found = explained("logloss(eps=0.01)", binary_rows([1, 0, 1], [1.0, 0.005, 0.5], positive=1))
    assert "2 probabilities are nearer to 0 or 1 than ε = 0.01" in written(found)
    assert "有 2 个概率" in written(found, "zh")
    assert column(grid(found, "contributions"), "given") == pytest.approx([0.5, 0.99, 0.99])


@pytest.mark.parametrize("name", ["auc", "f1", "logloss", "brier", "pcoc"])
def test_weights_have_a_column(name: str) -> None:
    rows = binary_rows([1, 0, 1], [0.9, 0.4, 0.2], weight=[1, 2.5, 0.5], positive=1)
    found = explained(name, rows)
    keys = {one.key for step in found.steps if isinstance(step, Grid) for one in step.columns}
    assert keys & {"weight", "positive_weight"}
    assert "Rows are weighted" in written(found)
    assert "已加权" in found.subject.zh


def test_names_of_labels_are_shown() -> None:
    rows = binary_rows(["no", "yes", "no"], [0.2, 0.7, 0.6], positive="yes")
    found = explained("recall", rows)
    assert [str(one.title) for one in grid(found, "confusion").columns][2] == "predicted yes"
    assert column(grid(found, "rows"), "label") == ["yes", "no", "no"]


def test_warnings_become_notes(recwarn: pytest.WarningsRecorder) -> None:
    rows = binary_rows([1] + [0] * 99, [0.1] * 100, positive=1)
    found = explained("accuracy", rows)
    assert any("constant prediction" in note.en for note in found.notes)
    assert not recwarn.list


def test_every_choice_of_a_parameter_is_explained() -> None:
    """What is drawn above covers each word of each choice."""
    drawn = {(metric.name, p.name, getattr(metric, p.name)) for metric in ALL for p in metric.parameters()}
    for kind in KINDS.values():
        for parameter in kind.parameters():
            check_of = parameter.metadata["check"]
            for word in check_of.words if isinstance(check_of, Choice) else ():
                assert (kind.name, parameter.name, word) in drawn


# Much data.


@pytest.fixture(scope="module")
def many() -> BinaryRows:
    random = np.random.default_rng(5)
    size = 20_000
    labels = random.integers(0, 2, size)
    scores = np.clip(random.normal(0.45 + 0.1 * labels, 0.15), 0.0, 1.0)
    return binary_rows(labels, scores, group=random.integers(0, 900, size), positive=1)


@pytest.mark.parametrize("name", list(KINDS))
def test_large_data_is_cut_short(name: str, many: BinaryRows) -> None:
    found = explained(name, many)
    metric = parse_metric(name, task="binary").metric
    check(found, wanted(metric, many, DEFAULT))
    for step in found.steps:
        if isinstance(step, Grid):
            assert len(step.rows) <= 40, step.key
            assert step.note is not None or step.key in ("confusion", "bins")
    if name == "logloss":
        losses = column(grid(found, "contributions"), "loss")
        assert len(losses) == 20
        assert losses == sorted(losses, reverse=True)  # type: ignore[type-var]
        given = np.where(many.positive == 1, many.scores, 1 - many.scores)
        kept = np.sort(-np.log(np.clip(given, 2.0**-52, 1)))[::-1][:20]
        assert losses == pytest.approx(kept.tolist())
        assert "20 of 20000 rows are written here" in written(found)
        assert "20000 行中只列出 20 行" in written(found, "zh")


@pytest.mark.parametrize("name", ["ks", "ks_threshold", "best_f", "best_f_threshold", "bep", "lift@0.1"])
def test_the_row_that_decides_is_never_left_out(name: str, many: BinaryRows) -> None:
    table = grid(explained(name, many), "thresholds")
    (row,) = (row for row in table.rows if row.counts)
    if name.endswith("threshold"):
        assert row.cells[1] == explained(name, many).value
    numbers = column(table, "number")
    assert {1, len(BinaryEvidence(many).thresholds)} <= set(numbers)


def test_it_agrees_with_the_public_call(many: BinaryRows) -> None:
    """The very float that a user gets."""
    labels, scores = many.positive.astype(int), many.scores
    names = ["auc", "f1", "logloss", "ece(binning=quantile)", "lift@0.2"]
    found = pc.evaluate_binary(labels, scores, names)
    for name in names:
        assert explained(name, many).value.hex() == found[name].hex()


@pytest.mark.parametrize("single", ["drop", "zero", "nan"])
def test_a_group_whose_rows_weigh_nothing_is_no_group(single: str) -> None:
    metric = f"gauc(by=uniform,single={single})"
    data: dict[str, Any] = {"group": ["z", "z", "x"], "weight": [1, 1, 0]}
    value = pc.evaluate_binary([0, 1, 1], [0.1, 0.5, 0.5], metric, **data)[metric]
    assert pc.explain(metric, [0, 1, 1], [0.1, 0.5, 0.5], **data).value == value == 1.0
