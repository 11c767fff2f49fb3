"""Metrics of numbers: exact sums against definitions, worked examples and the laws."""

from __future__ import annotations

import math
import random
import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pingce as pc
from pingce.base.errors import InputError
from pingce.base.text import Text, use_language
from pingce.evidence.regression.evidence import ErrorEvidence, Kept, error_evidence
from pingce.inputs.ids import IntIds
from pingce.inputs.regression import NumberRows
from pingce.metrics.declared import registry
from pingce.metrics.grammar import parse_metric
from pingce.metrics.parameters import Choice
from pingce.metrics.references import REFERENCES
from pingce.metrics.regression import NumberList, RegressionMetric

KINDS: dict[str, type[RegressionMetric]] = registry("regression")
LOGARITHMIC = ("msle", "rmsle")
CHINESE = re.compile("[\u4e00-\u9fff]")
EXAMPLE = ((3.0, -0.5, 2.0, 7.0), (2.5, 0.0, 2.0, 8.0))

every_metric = pytest.mark.parametrize("name", list(KINDS))


@dataclass(frozen=True)
class Case:
    """Rows, as a person would write them."""

    true: tuple[float, ...]
    predicted: tuple[float, ...]
    weights: tuple[float, ...] | None = None
    groups: tuple[int, ...] = ()
    "Of metrics within groups; by default all rows are one."

    def rows(self, **more: Any) -> NumberRows:
        weight = None if self.weights is None else np.array(self.weights)
        group = IntIds(np.array(self.groups or (0,) * len(self.true), np.int64))
        return NumberRows(np.array(self.true), np.array(self.predicted), weight, group=group, **more)

    def plain(self) -> NumberList:
        return NumberList(self.true, self.predicted, self.weights, self.groups or (0,) * len(self.true))

    def at(self, places: list[int]) -> Case:
        true, predicted = (tuple(column[i] for i in places) for column in (self.true, self.predicted))
        weights = None if self.weights is None else tuple(self.weights[i] for i in places)
        return Case(true, predicted, weights, tuple(self.groups[i] for i in places) if self.groups else ())

    def scaled(self, power: int) -> Case:
        true, predicted = (tuple(math.ldexp(v, power) for v in column) for column in (self.true, self.predicted))
        return Case(true, predicted, self.weights)


def evidence(case: Case, name: str) -> ErrorEvidence:
    kind = KINDS[name]
    kept = Kept(rows=kind.needs_rows, ends=kind.needs_ends, groups=() if kind.of_groups else None)
    return error_evidence(case.rows(), kind.needs, kept)


def value(name: str, case: Case) -> float:
    return KINDS[name]().value(evidence(case, name))


def outcome(name: str, case: Case) -> str:
    """The value to the last bit, or that there was a sentence."""
    try:
        return repr(value(name, case))
    except InputError:
        return "refused"


TAME = st.sampled_from([n / 4 for n in range(-40, 41)] + [n / 10 for n in range(-30, 31)] + [0.0, 0.0, 1.0, 1.0])
WILD = st.one_of(
    TAME,
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from([1e16, -1e16, 1e300, -1e300, 1e-300, 5e-324, -5e-324, 1.7e308, 1 + 2.0**-52]),
)
WEIGHTS = st.sampled_from([0.0, 1.0, 1.0, 2.0, 3.0, 0.5, 0.1, 0.7, 1 / 3])
COUNTS = st.sampled_from([0.0, 1.0, 1.0, 2.0, 3.0])


@st.composite
def cases(
    draw: st.DrawFn, numbers: st.SearchStrategy[float] = TAME, weights: st.SearchStrategy[float] = WEIGHTS
) -> Case:
    """Up to a dozen rows, with weights or without."""
    weighted = draw(st.booleans())
    columns = (numbers, numbers, weights) if weighted else (numbers, numbers)
    rows = [*zip(*draw(st.lists(st.tuples(*columns), min_size=1, max_size=12)), strict=True)]
    if weighted:
        rows[2] = (1.0, *rows[2][1:])
    groups = tuple(i % 2 for i in range(len(rows[0])))
    return Case(rows[0], rows[1], rows[2] if weighted else None, groups)


def suited(case: Case) -> list[tuple[str, Case]]:
    """Every metric, and the case, or one of numbers from -1/2 up for a metric of logarithms."""
    true, predicted = (tuple(abs(v) - 0.5 for v in column) for column in (case.true, case.predicted))
    above = Case(true, predicted, case.weights, case.groups)
    return [(name, above if name in LOGARITHMIC else case) for name in KINDS]


# What a person computed.


def test_worked_example_24() -> None:
    assert value("mae", Case(*EXAMPLE)) == 0.5
    assert value("rmse", Case(*EXAMPLE)) == pytest.approx(0.6123724356958, rel=1e-12)


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("mse", 3 / 8),
        ("max_error", 1.0),
        ("medae", 1 / 2),
        ("mape", 55 / 168),
        ("smape", 191 / 330),
        ("wmape", 4 / 25),
        ("r2", 1 - 1.5 / 29.1875),
        ("explained_variance", 1 - 0.3125 / 7.296875),
        ("pearson", 7.890625 / math.sqrt(7.296875 * 8.796875)),
        ("spearman", 1.0),
        ("msle", (math.log(3.5 / 4) ** 2 + math.log(2) ** 2 + math.log(9 / 8) ** 2) / 4),
    ],
)
def test_the_same_four_rows(name: str, wanted: float) -> None:
    assert value(name, Case(*EXAMPLE)) == pytest.approx(wanted, rel=1e-12)


def test_average_ranks() -> None:
    """Ranks 1.5, 1.5, 3, 4 and 1, 3, 3, 3: Cov 0.5, Var 1.125 and 0.75."""
    case = Case((1.0, 1.0, 2.0, 3.0), (0.0, 5.0, 5.0, 5.0))
    assert value("spearman", case) == pytest.approx(0.5 / math.sqrt(1.125 * 0.75), rel=1e-12)


@pytest.mark.parametrize(
    ("weights", "wanted"),
    [
        (None, 2.5),
        ((1.0, 1.0, 1.0, 1.0), 2.5),
        ((3.0, 1.0, 1.0, 1.0), 1.5),
        ((3.0, 0.0, 0.0, 3.0), 2.5),
        ((0.0, 0.0, 1.0, 0.0), 3.0),
        ((0.1, 0.2, 0.3, 0.0), 2.0),
        ((0.25, 0.25, 0.5, 0.0), 2.5),
        ((1e300, 1.0, 1.0, 1e300), 2.5),
    ],
)
def test_weighted_median(weights: tuple[float, ...] | None, wanted: float) -> None:
    """0.1 + 0.2 is more than 0.3 as doubles are: only what is exactly half counts as half."""
    assert value("medae", Case((0.0,) * 4, (4.0, -3.0, 2.0, 1.0)[::-1], weights)) == wanted


# The definitions.


@given(case=cases())
def test_values_equal_the_definition(case: Case) -> None:
    for name, rows in suited(case):
        wanted = KINDS[name]().define(rows.plain())
        assert value(name, rows) == pytest.approx(wanted, rel=1e-12, abs=1e-12, nan_ok=True), name


VARIANTS = [
    f"{name}({parameter.name}={word})"
    for name, kind in KINDS.items()
    for parameter in kind.parameters()
    if isinstance(parameter.metadata["check"], Choice)
    for word in parameter.metadata["check"].words
    if parameter.name not in ("both", "level")  # these need another word beside them
]


@pytest.mark.parametrize("name", VARIANTS)
def test_every_word_equals_its_definition(name: str) -> None:
    metric = parse_metric(name, task="regression").metric
    true = (3.0, 0.5, 2.0, 7.0, 2.0, 0.25, 12.0, 2.0, 5.0)
    predicted = (2.5, 1.0, 2.0, 8.5, 0.125, 0.25, 30.0, 3.0, 5.5)
    for weights in (None, (1.0, 2.0, 0.5, 1.0, 3.0, 1.0, 0.25, 1.0, 2.0)):
        case = Case(true, predicted, weights, (0, 0, 0, 1, 1, 1, 1, 0, 1) if metric.of_groups else ())
        beside: dict[str, Any] = {"group": case.groups} if metric.of_groups else {}
        scores = pc.evaluate_regression(true, predicted, [name], weight=weights, **beside)
        assert scores[name] == pytest.approx(metric.define(case.plain()), rel=1e-12)


def fractions(case: Case) -> list[tuple[Fraction, Fraction, Fraction, Fraction]]:
    """y, ŷ, e (which is rounded) and w of each row that counts."""
    weights = case.weights or (1.0,) * len(case.true)
    rows = zip(case.true, case.predicted, weights, strict=True)
    return [(Fraction(y), Fraction(p), Fraction(p - y), Fraction(w)) for y, p, w in rows if w]


def exactly(name: str, case: Case) -> tuple[Fraction, Fraction]:
    """The value before it is rounded, as a numerator and a denominator."""
    rows = fractions(case)
    total = sum((w for *_, w in rows), Fraction(0))
    if name in ("mae", "wmape"):
        size = sum((abs(y) * w for y, _, _, w in rows), Fraction(0))
        return sum((abs(e) * w for _, _, e, w in rows), Fraction(0)), total if name == "mae" else size
    if name == "mse":
        return sum((e * e * w for _, _, e, w in rows), Fraction(0)), total
    mean, offset = (sum((row[i] * row[3] for row in rows), Fraction(0)) / total for i in (0, 2))
    varies = sum(((y - mean) ** 2 * w for y, _, _, w in rows), Fraction(0))
    offset = Fraction(0) if name == "r2" else offset
    return varies - sum(((e - offset) ** 2 * w for _, _, e, w in rows), Fraction(0)), varies


def check_exact(name: str, case: Case) -> None:
    try:
        top, bottom = exactly(name, case)
        wanted = repr(float(top / bottom) if bottom else math.nan)
    except OverflowError:
        wanted = "refused"
    assert outcome(name, case) == wanted, name


@given(case=cases(WILD, st.one_of(WEIGHTS, st.sampled_from([1e300, 1e-300, 1e16]))))
def test_sums_are_rounded_once(case: Case) -> None:
    for name in ("mae", "mse", "wmape", "r2", "explained_variance"):
        check_exact(name, case)


@pytest.mark.parametrize("weights", [None, (1.0, 1.0, 1.0), (0.1, 3.0, 0.1), (1.0, 1e-16, 1.0)])
@pytest.mark.parametrize("name", ["mae", "mse", "wmape", "r2", "explained_variance"])
@pytest.mark.parametrize(
    ("true", "predicted"),
    [
        ((1e16, 1.0, -1e16), (1e16, 2.0, -1e16)),
        ((1e16, 1.0, -1e16), (-3.0, 0.1, 7.0)),
        ((1e16, 1e16 + 2, 1e16 + 4), (1e16, 1e16, 1e16 + 2)),
        ((1e8 + 0.1, 1e8 + 0.2, 1e8 + 0.3), (1e8, 1e8, 1e8)),
        ((1e300, 1.0, -1e300), (1e300, 3.0, -1e300)),
    ],
)
def test_cancellation_loses_nothing(
    name: str, true: tuple[float, ...], predicted: tuple[float, ...], weights: tuple[float, ...] | None
) -> None:
    check_exact(name, Case(true, predicted, weights))


@pytest.mark.parametrize("offset", [0.0, 1e8, 1e15, -(2.0**52)])
def test_correlation_far_from_zero(offset: float) -> None:
    """Where the textbook's one pass has no digit left."""
    case = Case(tuple(offset + v for v in (1.0, 2.0, 3.0)), tuple(offset + v for v in (1.0, 3.0, 2.0)))
    assert value("pearson", case) == 0.5
    assert value("explained_variance", case) == 0.0


def test_without_the_native_core(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(5)
    true, predicted = (tuple(rng.choice([rng.gauss(0, 1), 1e300, 1e-300, 1e16]) for _ in range(50)) for _ in range(2))
    case = Case(true, predicted, tuple(rng.random() for _ in range(50)))
    native = {name: outcome(name, case) for name in KINDS if name not in LOGARITHMIC}
    monkeypatch.setattr("pingce.base.exact.native_core", lambda: None)
    assert {name: outcome(name, case) for name in native} == native


# The laws.


@given(case=cases(WILD), seed=st.integers(0, 99))
def test_row_order_never_matters(case: Case, seed: int) -> None:
    places = list(range(len(case.true)))
    random.Random(seed).shuffle(places)
    for name, rows in suited(case):
        assert outcome(name, rows.at(places)) == outcome(name, rows), name


@pytest.mark.sweep
@given(case=cases(WILD, COUNTS))
def test_a_weight_is_how_often_a_row_counts(case: Case) -> None:
    """2 = the row twice, 0 = no row, 1 = none; to the last bit."""
    weights = case.weights or (1.0,) * len(case.true)
    places = [i for i, weight in enumerate(weights) for _ in range(int(weight))]
    for name, rows in suited(case):
        repeated = rows.at(places)
        wanted = outcome(name, Case(repeated.true, repeated.predicted, None, repeated.groups))
        assert outcome(name, rows) == wanted, name
        ones = Case(repeated.true, repeated.predicted, (1.0,) * len(places), repeated.groups)
        assert outcome(name, ones) == wanted, name


@pytest.mark.sweep
@given(case=cases(WILD), batch=st.lists(st.integers(0, 2), min_size=12, max_size=12))
def test_splitting_and_merging_changes_no_bit(case: Case, batch: list[int]) -> None:
    batch = batch[: len(case.true)]
    pieces = [[i for i, where in enumerate(batch) if where == number] for number in sorted(set(batch))]
    whole = Case(case.true, case.predicted, case.weights, tuple(batch))  # a group stands in one piece
    for name, rows in suited(whole):
        wanted = outcome(name, rows)
        try:
            held = [evidence(rows.at(piece), name) for piece in pieces]
        except InputError:
            assert wanted == "refused", name
            continue
        assert merged_outcome(name, held) == merged_outcome(name, held[::-1]) == wanted, name
        if not KINDS[name].needs_rows and not KINDS[name].of_groups:
            read = [ErrorEvidence.from_arrow(one.to_arrow()) for one in held]
            assert merged_outcome(name, read) == wanted, name


def merged_outcome(name: str, held: list[ErrorEvidence]) -> str:
    whole = held[0]
    for one in held[1:]:
        whole = whole.merge(one)
    try:
        return repr(KINDS[name]().value(whole))
    except InputError:
        return "refused"


@given(case=cases(WILD))
def test_values_lie_in_their_range(case: Case) -> None:
    for name, rows in suited(case):
        low, high = (float(end.replace("−", "-").replace("∞", "inf")) for end in KINDS[name].about.range.split(" … "))
        said = outcome(name, rows)
        assert said in ("refused", "nan") or (low <= float(said) <= high and math.isfinite(float(said))), name


@given(case=cases(WILD))
def test_a_perfect_prediction_reaches_the_best_value(case: Case) -> None:
    for name, rows in suited(case):
        best = 1.0 if KINDS[name].about.higher_is_better or name == "total_ratio" else 0.0
        found = value(name, Case(rows.true, rows.true, rows.weights, rows.groups))
        assert found == best or (math.isnan(found) and KINDS[name].about.undefined.en), name


@given(case=cases())
def test_rank_correlation_uses_the_order_only(case: Case) -> None:
    grown = Case(tuple(math.exp(y) - 7 for y in case.true), tuple(p**3 for p in case.predicted), case.weights)
    assert outcome("spearman", grown) == outcome("spearman", case)


def test_many_rows_with_fractional_weights() -> None:
    """A tenth is no sum of powers of two: ranks are sums of many, and must not drift."""
    rng = np.random.default_rng(1)
    true = rng.integers(0, 50, 20_000).astype(float)
    predicted = true + rng.integers(-20, 20, len(true)).astype(float)
    whole = rng.choice([1.0, 7.0], len(true))
    for name in ("spearman", "medae"):
        found = [
            KINDS[name]().value(error_evidence(NumberRows(true, predicted, weight), (), Kept(rows=True)))
            for weight in (whole, whole / 10, whole * 2.0**1000, whole * 2.0**-1060)
        ]
        assert found == pytest.approx([found[0]] * len(found), rel=1e-14)
        times = whole.astype(int)
        repeated = NumberRows(np.repeat(true, times), np.repeat(predicted, times))
        assert KINDS[name]().value(error_evidence(repeated, (), Kept(rows=True))) == found[0]


# Where numbers end.


@pytest.mark.parametrize("weights", [None, (1.0, 2.0, 0.5, 3.0), (1e300, 1e300, 1e300, 1e300), (5e-324,) * 4])
@pytest.mark.parametrize("power", [990, 1015, -1000, -1070])
def test_extreme_magnitudes(power: int, weights: tuple[float, ...] | None) -> None:
    """Sizes grow with the numbers, ratios stay, to the last bit; the square is out of range where it must be."""
    case = Case(*EXAMPLE, weights)
    far = case.scaled(power)
    for name in ("mae", "max_error", "medae"):
        assert value(name, far) == math.ldexp(value(name, case), power)
    assert value("rmse", far) == pytest.approx(math.ldexp(value("rmse", case), power), rel=1e-15)
    for name in ("mape", "smape", "wmape", "r2", "explained_variance", "pearson", "spearman"):
        assert value(name, far) == value(name, case), name
    if power < 0:
        assert value("mse", far) == 0.0
    else:
        with pytest.raises(InputError, match=r"^mse: the value is beyond the range of doubles; use mae or rmse$"):
            value("mse", far)


@pytest.mark.parametrize("weights", [None, (1.0, 1.0)])
def test_ends_of_the_range(weights: tuple[float, ...] | None) -> None:
    largest, smallest = 1.7976931348623157e308, 5e-324
    assert value("mae", Case((largest, largest), (0.0, 0.0), weights)) == largest
    assert value("rmse", Case((largest, -largest), (0.0, 0.0), weights)) == largest
    assert value("rmse", Case((smallest, smallest), (0.0, 0.0), weights)) == smallest
    assert value("medae", Case((largest, largest), (0.0, 0.0), weights)) == largest
    assert value("smape", Case((largest, smallest), (0.0, 0.0), weights)) == 2.0
    assert value("smape", Case((largest, 0.0), (largest / 2, 0.0), weights)) == pytest.approx(1 / 3, rel=1e-15)
    assert value("msle", Case((largest, smallest), (largest, smallest), weights)) == 0.0
    assert value("pearson", Case((largest, smallest), (smallest, 0.0), weights)) == 1.0


@pytest.mark.parametrize(
    ("name", "true", "predicted", "sentence"),
    [
        ("mae", 1.7e308, -1.7e308, "row 1: the difference of -1.7e+308 and 1.7e+308 is beyond the range of doubles"),
        ("mape", 1e-300, 1e300, "row 1: the error 1e+300 over the true number 1e-300 is beyond the range of doubles"),
        ("wmape", 1e-300, 1e300, "wmape: the value is beyond the range of doubles"),
        ("r2", 1e-300, 1e300, "r2: the value is beyond the range of doubles"),
        ("explained_variance", 1e-300, 1e300, "explained_variance: the value is beyond the range of doubles"),
        ("mse", 0.0, 1e300, "mse: the value is beyond the range of doubles"),
        ("msle", 1.0, -1.0, r"row 1: msle and rmsle .* numbers above -1, but the predicted one is -1; use mae or rmse"),
        ("rmsle", -7.5, 3.0, r"row 1: msle and rmsle .* numbers above -1, but the true one is -7\.5; use mae or rmse"),
    ],
)
def test_one_sentence(name: str, true: float, predicted: float, sentence: str) -> None:
    case = Case((2e-300, true), (2e-300, predicted))
    with pytest.raises(InputError, match=sentence.replace("+", r"\+")) as caught:
        value(name, case)
    assert CHINESE.search(caught.value.text.zh)
    assert not CHINESE.search(caught.value.text.en)
    # A row without weight is no row; its neighbour is named by its own place.
    assert outcome(name, Case(case.true, case.predicted, (1.0, 0.0))) in ("0.0", "nan")
    if sentence.startswith("row"):
        rows = NumberRows(np.array((0.0, *case.true)), np.array((0.0, *case.predicted)), np.array((0.0, 1.0, 1.0)))
        with pytest.raises(InputError, match=r"^row 2: "):
            error_evidence(rows, KINDS[name].needs)


def test_the_place_is_named_as_it_was_given() -> None:
    rows = Case((1.0, 1.0, -3.0), (1.0, -2.0, 1.0)).rows(place=lambda row: Text(f"line {row + 2}", f"第 {row + 2} 行"))
    with pytest.raises(InputError) as caught:
        error_evidence(rows, ["log_squared"])
    assert str(caught.value).startswith("line 3: msle")
    use_language("zh")
    assert str(caught.value).startswith("第 3 行：msle 与 rmsle 要取 ln(1 + v)，数值须大于 -1，而预测值为 -2；")


@pytest.mark.parametrize(
    ("name", "true", "predicted"),
    [
        ("mape", (0.0, 1.0), (0.0, 1.0)),
        ("mape", (-0.0,), (1.0,)),
        ("wmape", (0.0, 0.0), (1.0, 2.0)),
        ("r2", (0.1, 0.1, 0.1), (0.1, 0.2, 0.3)),
        ("r2", (5.0,), (5.0,)),
        ("explained_variance", (0.1, 0.1, 0.1), (0.1, 0.1, 0.1)),
        ("explained_variance", (5.0,), (4.0,)),
        ("pearson", (0.1, 0.1, 0.1), (1.0, 2.0, 3.0)),
        ("pearson", (1.0, 2.0, 3.0), (0.1, 0.1, 0.1)),
        ("spearman", (1.0, 2.0, 3.0), (0.0, -0.0, 0.0)),
        ("spearman", (1.0,), (2.0,)),
    ],
)
def test_undefined(name: str, true: tuple[float, ...], predicted: tuple[float, ...]) -> None:
    assert math.isnan(value(name, Case(true, predicted)))
    weighted = Case((*true, -0.75), (*predicted, 0.75), (0.3,) * len(true) + (0.0,))
    assert math.isnan(value(name, weighted))
    assert math.isnan(KINDS[name]().define(NumberList(weighted.true, weighted.predicted, weighted.weights)))
    assert KINDS[name].about.undefined.en


@every_metric
def test_no_row_that_counts_has_no_value(name: str) -> None:
    """A batch may be so; merged with others it changes nothing."""
    nothing = Case((-2.0, 1.0), (1.0, 2.0), (0.0, 0.0))
    assert math.isnan(value(name, nothing))
    case = Case((1.0, 2.0, 4.0), (2.0, 3.0, 3.0), (1.0, 2.0, 1.0))
    whole = evidence(nothing, name).merge(evidence(case, name))
    assert KINDS[name]().value(whole) == value(name, case)


@pytest.mark.parametrize("name", ["medae", "spearman"])
def test_sums_do_not_hold_rows(name: str) -> None:
    assert KINDS[name].needs_rows
    read = ErrorEvidence.from_arrow(evidence(Case(*EXAMPLE), name).to_arrow())
    with pytest.raises(InputError, match=f"^{name} needs the rows, but this evidence holds sums only"):
        KINDS[name]().value(read)


def test_pieces_with_other_sums_are_not_merged() -> None:
    with pytest.raises(InputError, match="different sums"):
        evidence(Case(*EXAMPLE), "mae").merge(evidence(Case(*EXAMPLE), "mse"))


def test_weighted_and_plain_rows_merge() -> None:
    one, other = (evidence(Case(*EXAMPLE, weights), "medae") for weights in (None, (2.0, 0.0, 1.0, 1.0)))
    whole = Case(EXAMPLE[0] * 2, EXAMPLE[1] * 2, (1.0,) * 4 + (2.0, 0.0, 1.0, 1.0))
    assert KINDS["medae"]().value(one.merge(other)) == value("medae", whole)


# What each says about itself.


@every_metric
class TestDeclaration:
    def test_both_languages_are_there(self, name: str) -> None:
        kind = KINDS[name]
        about = kind.about
        for text in (kind.title, about.question, about.use, about.blind, about.worked):
            assert text.en.strip()
            assert not CHINESE.search(text.en)
            assert CHINESE.search(text.zh) or text is about.worked
            assert not re.search("[\u4e00-\u9fff][,;:?!]", text.zh)
        assert bool(about.undefined.en) == bool(about.undefined.zh)

    def test_docstring_has_meaning_formula_and_reference(self, name: str) -> None:
        lines = (KINDS[name].__doc__ or "").strip().splitlines()
        assert lines[0].endswith(".")
        assert any("=" in line for line in lines[1:])
        assert f"[{KINDS[name].about.reference}]" in lines[-1]

    def test_names_it_refers_to_exist(self, name: str) -> None:
        about = KINDS[name].about
        assert about.reference in REFERENCES
        assert set(about.pairs_with) <= set(KINDS) - {name}
        assert about.pairs_with

    def test_the_worked_example_ends_in_its_value(self, name: str) -> None:
        example, true, predicted = KINDS[name].about.example
        metric, groups = parse_metric(example, task="regression").metric, KINDS[name].about.groups or None
        assert metric.name == name
        found = pc.evaluate_regression(true, predicted, example, group=groups)[example]
        wanted = f"{metric.define(NumberList(true, predicted, groups=groups)):.6g}"
        assert f"{found:.6g}" == wanted
        for text in KINDS[name].about.worked:
            assert text.split()[-1].replace("−", "-") == wanted


def test_no_two_metrics_share_a_name() -> None:
    names = [name for kind in KINDS.values() for name in (kind.name, *kind.aliases)]
    assert len(names) == len(set(names))


def test_what_each_row_adds_is_the_value_together() -> None:
    rows = NumberRows(np.array([3.0, 0.5, 2.0, 7.0]), np.array([2.5, 1.0, 2.0, 8.0]))
    smape, pearson = (KINDS[name]().row_terms(rows) for name in ("smape", "pearson"))
    assert smape is not None
    assert pearson is not None
    # |e| over the mean of both numbers: 0.5 / 2.75, 0.5 / 0.75, 0, 1 / 7.5
    assert smape.top == pytest.approx([2 / 11, 2 / 3, 0.0, 2 / 15])
    x, y = np.array([-0.125, -2.625, -1.125, 3.875]), np.array([-0.875, -2.375, -1.375, 4.625])
    x, y = x / np.sqrt(np.mean(x * x)), y / np.sqrt(np.mean(y * y))
    r = np.mean(x * y)
    assert pearson.value == pytest.approx(r)
    assert pearson.top == pytest.approx(x * y - r * (x * x + y * y) / 2)


@pytest.mark.parametrize("native", [True, False])
def test_a_deviance_that_doubles_do_not_hold(native: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not native:
        monkeypatch.setattr("pingce.evidence.regression.deviances.native_core", lambda: None)
    for true, predicted, power in ((1e-300, 1e300, 1), (1e-300, 1e300, 2), (1e200, 1.0, -1)):
        with pytest.raises(InputError, match=rf"tweedie\(power={power}\): a deviance is beyond the range of doubles"):
            pc.evaluate_regression([true, 1.0], [predicted, 2.0], [f"tweedie(power={power})"])
