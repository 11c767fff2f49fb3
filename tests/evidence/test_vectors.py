"""The loops of the core give the same bits with vector paths on and off, and as NumPy and plain integers have them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core_calls import CALLS, plain
from pingce.base.core import native_core
from pingce.base.exact import exact_fraction
from pingce.evidence.binary.reference import losses
from pingce.evidence.regression.deviances import deviance_of, log_cosh_of

core: Any = native_core()
pytestmark = pytest.mark.skipif(core is None, reason="THE NATIVE CORE IS NOT INSTALLED: there are no vector paths")

BLOCK, PART = 1 << 10, 1 << 16
SIZES = (1, 2, 7, 8, 9, 31, BLOCK - 1, BLOCK, BLOCK + 1, PART - 1, PART, PART + 1, 2 * PART + 17)
RNG = np.random.default_rng(21)
ROWS = max(SIZES)
Columns = dict[str, Any]


def columns(kind: str) -> tuple[Any, Any]:
    """Two columns of numbers."""
    normal = RNG.standard_normal((2, ROWS))
    if kind == "ordinary":
        return normal[0], normal[1]
    if kind == "of every size":
        return tuple(normal * 2.0 ** RNG.integers(-1000, 400, (2, ROWS)))
    if kind == "that vanish":
        return tuple(normal * 2.0 ** RNG.integers(-1074, -500, (2, ROWS)))
    if kind == "tiny among large":
        return tuple(np.where(RNG.random((2, ROWS)) < 0.01, 1e-200, normal * 1e100))
    if kind == "beyond the ends":
        return tuple(np.where(RNG.random((2, ROWS)) < 0.5, 1e300, -5e-324))
    zeros = np.where(RNG.random((2, ROWS)) < 0.5, 0.0, -0.0)
    return zeros[0], zeros[1]


KINDS = {
    kind: columns(kind)
    for kind in ("ordinary", "of every size", "that vanish", "tiny among large", "beyond the ends", "0 and -0")
}
POSITIVE = (RNG.random(ROWS) < 0.3).astype(np.uint8)
PROBABILITIES: dict[str, Any] = {
    "float32": RNG.random(ROWS).astype(np.float32),
    "float64": RNG.random(ROWS),
    "rare": RNG.random(ROWS) ** 40,
    "few": RNG.integers(0, 3, ROWS) / 2,
    "vanishing": np.where(RNG.random(ROWS) < 0.5, 5e-324, 1 - 2.0**-53),
}
WEIGHT = RNG.random(ROWS) + 0.1


@contextmanager
def vectors(on: bool) -> Iterator[None]:
    before = core.use_vectors(on)
    try:
        yield
    finally:
        core.use_vectors(before)


def both_ways(call: Callable[[], Any]) -> Any:
    """What a call gives, which vector paths do not change."""
    with vectors(True):
        result = plain(call())
    with vectors(False):
        assert core.vector_path() == "baseline"
        assert plain(call()) == result
    return result


def integer(bins: Any) -> Fraction:
    return Fraction(0) if not bins else exact_fraction(bins)


@pytest.mark.parametrize("name", CALLS)
def test_vector_paths_change_no_bit_of_any_call(name: str) -> None:
    both_ways(lambda: CALLS[name](3))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", KINDS)
def test_sums_are_the_same_and_exact(kind: str, size: int) -> None:
    a, b = (np.ascontiguousarray(column[:size]) for column in KINDS[kind])
    both_ways(lambda: core.exact_total(a, np.zeros(0), 2))
    both_ways(lambda: core.exact_total(a, b, 2))
    both_ways(lambda: core.error_sums(a, b, 2))
    few = slice(0, min(size, 3000))
    total = integer(core.exact_total(a[few], np.zeros(0), 0))
    assert total == sum(map(Fraction, a[few].tolist()))
    products = (Fraction(x) * Fraction(y) for x, y in zip(a[few].tolist(), b[few].tolist(), strict=True))
    assert integer(core.exact_total(a[few], b[few], 0)) == sum(products)


@pytest.mark.parametrize("names", [[], ["error"], ["true_squared", "absolute"], ["squared", "true"]])
def test_sums_do_not_depend_on_what_else_is_wanted(names: list[str]) -> None:
    a, b = KINDS["ordinary"]
    every = core.error_sums(a, b, 2)
    assert core.error_sums(a, b, 2, names) == {name: every[name] for name in ("largest", *names)}


def test_a_sum_that_is_unknown_is_refused() -> None:
    with pytest.raises(ValueError, match="no such sum: cubed"):
        core.error_sums(np.ones(1), np.ones(1), 1, ["cubed"])


@pytest.mark.parametrize("size", SIZES)
def test_the_largest_error_is_none_where_a_number_or_difference_is_not_finite(size: int) -> None:
    a, b = (column[:size].copy() for column in KINDS["ordinary"])
    assert both_ways(lambda: core.largest_error(a, b, 2)) == np.abs(b - a).max()
    for row in {0, size // 2, size - 1}:
        for true, predicted in ((np.nan, 1.0), (1.0, np.nan), (np.inf, np.inf), (-np.inf, 1.0), (1e308, -1e308)):
            bad_a, bad_b = a.copy(), b.copy()
            bad_a[row], bad_b[row] = true, predicted
            assert both_ways(partial(core.largest_error, bad_a, bad_b, 2)) is None


@pytest.mark.parametrize("size", [*SIZES, 5 * PART + 1])
@pytest.mark.parametrize("kind", ["distinct", "few", "two", "one", "0 and -0", "ascending", "in turns", "extreme"])
def test_the_middle_errors_are_those_of_sorted_sizes(kind: str, size: int) -> None:
    rng = np.random.default_rng(size)
    row = np.arange(size)
    predicted = {
        "distinct": rng.standard_normal(size),
        "few": rng.integers(-3, 4, size) / 2,
        "two": np.where(rng.random(size) < 0.5, 1.0, -2.0),
        "one": np.full(size, -1.5),
        "0 and -0": np.where(rng.random(size) < 0.5, 0.0, -0.0),
        "ascending": row.astype(np.float64),
        "in turns": np.where(row % max(1, size >> 15) == 0, row % 7, 1000.0 + row % 1013),
        "extreme": rng.choice(np.array([5e-324, 1e-310, 1e308, 1.0]), size),
    }[kind]
    sizes = np.sort(np.abs(predicted))
    expected = sizes[(size - 1) // 2], sizes[size // 2]
    for threads in (0, 1, 3):
        assert tuple(both_ways(partial(core.middle_errors, np.zeros(size), predicted, threads))) == expected


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", PROBABILITIES)
@pytest.mark.parametrize("weighted", [False, True])
def test_sums_of_probabilities_are_the_same(kind: str, size: int, weighted: bool) -> None:
    scores, weight = PROBABILITIES[kind][:size], WEIGHT[:size] if weighted else np.zeros(0)
    for bins in (0, 1, 15):
        sums = both_ways(partial(core.probability_sums, POSITIVE[:size], scores, weight, 1e-9, bins, 2))
        assert both_ways(partial(core.probability_sums, POSITIVE[:size], scores, weight, 1e-9, bins, 2, False)) == {
            **sums,
            "loss": 0,
        }


@pytest.mark.parametrize("epsilon", [2.0**-52, 2.0**-53, 2.0**-54, 1e-17, 1e-20, 1e-300, 5e-324])
@pytest.mark.parametrize("kind", ["float32", "float64"])
def test_losses_have_the_epsilon_that_was_given_however_small(epsilon: float, kind: str) -> None:
    p = np.tile(np.array([0.0, 1.0, 0.5, 1.0, 0.0, 1e-30, 1 - 2.0**-24, 1.0], kind), 9)[:-1]
    positive = (np.arange(len(p)) // 3 % 2).astype(np.uint8)
    expected = losses(p, positive, epsilon)
    assert both_ways(lambda: core.row_losses(positive, p, epsilon, 0)) == expected.tobytes()
    assert expected[1] == expected[4] == -math.log(epsilon)
    for weight in (np.zeros(0), np.ones(len(p))):
        sums = both_ways(partial(core.probability_sums, positive, p, weight, epsilon, 0, 2))
        assert sums["loss"] == plain(core.exact_total(expected, np.zeros(0), 0))
        assert sums["clipped"] == np.count_nonzero((p == 1) | (p.astype(np.float64) < epsilon))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", ["float32", "float64"])
@pytest.mark.parametrize("reach", [False, True])
def test_weights_of_cells_are_those_of_masks(kind: str, size: int, reach: bool) -> None:
    scores, positive, weight = np.round(PROBABILITIES[kind][:size], 1), POSITIVE[:size], WEIGHT[:size]
    limit = scores.dtype.type(0.3)
    cells = core.weight_cells(positive, scores, weight, float(limit), reach, 2)
    both_ways(lambda: core.weight_cells(positive, scores, weight, float(limit), reach, 2))
    code = 2 * (scores >= limit if reach else scores > limit) + positive
    for place, bins in enumerate(cells):
        assert integer(bins) == integer(core.exact_total(np.ascontiguousarray(weight[code == place]), np.zeros(0), 0))
    every, positives = core.weight_sums(positive, weight, 2)
    assert integer(every) == sum(map(integer, cells))
    assert integer(positives) == integer(cells[1]) + integer(cells[3])
    both_ways(lambda: core.weight_sums(positive, weight, 2))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", ["float32", "float64"])
@pytest.mark.parametrize("odd", [None, np.nan, np.inf, -np.inf])
def test_ends_are_those_of_numpy(kind: str, size: int, odd: float | None) -> None:
    values = (RNG.standard_normal(size) * 10.0 ** RNG.integers(-30, 30, size)).astype(kind)
    for place in {0, size // 2, size - 1} if odd is not None else {0}:
        column = values.copy()
        if odd is not None:
            column[place] = odd
        ends = both_ways(partial(core.ends, column, 2))
        assert ends == (None if odd is not None else [column.min(), column.max()])


LABEL_TYPES = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", LABEL_TYPES)
def test_two_labels_are_those_of_numpy(kind: str, size: int) -> None:
    top = -1 if kind.startswith("i") else 200 if kind == "uint8" else 3
    for low, high in ((0, 1), (top, 1), (5, 5)):
        values = np.where(POSITIVE[:size] == 1, high, low).astype(kind)
        below, above, count, mask = core.two_labels(values, 2)
        both_ways(partial(core.two_labels, values, 2))
        assert (values[below], values[above]) == (values.min(), values.max())
        assert count == np.count_nonzero(mask)
        assert np.array_equal(mask, values == values.max())
    if size > 2:
        for place in (1, size // 2, size - 1):
            values = np.where(np.arange(size) % 2, 0, 1).astype(kind)
            values[place] = 7
            assert both_ways(partial(core.two_labels, values, 2)) is None


@pytest.mark.parametrize("odd", [np.nan, np.inf, -np.inf])
def test_labels_that_are_not_finite_are_no_labels(odd: float) -> None:
    for place in (0, 1, 40):
        values = np.arange(50) % 2 * 1.0
        values[place] = odd
        assert core.two_labels(values, 0) is None


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=60), st.floats(0, 1, width=32))
def test_any_numbers_are_added_up_exactly(numbers: list[float], factor: float) -> None:
    a, b = np.array(numbers), np.full(len(numbers), factor)
    for on in (True, False):
        with vectors(on):
            assert integer(core.exact_total(a, np.zeros(0), 0)) == sum(map(Fraction, numbers))
            assert integer(core.exact_total(a, b, 0)) == sum(Fraction(number) * Fraction(factor) for number in numbers)


def numbers(size: int, kind: str) -> Any:
    """Numbers above -1, ties and zeros of both signs among them."""
    values = np.where(RNG.random(size) < 0.1, 0.0, RNG.standard_normal(size) * 3)
    values = np.round(values, 1) if kind == "ties" else values * 2.0 ** RNG.integers(-60, 50, size)
    return np.where(RNG.random(size) < 0.01, -0.0, np.maximum(values, -0.999))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", ["ties", "sizes"])
def test_errors_of_logarithms_are_those_of_the_c_library(kind: str, size: int) -> None:
    truth, predicted = numbers(size, kind), numbers(size, kind)
    both_ways(partial(core.log_errors, truth, predicted, 2))
    errors = np.array([math.log1p(b) - math.log1p(a) for a, b in zip(truth.tolist(), predicted.tolist(), strict=True)])
    assert core.log_errors(truth, predicted, 2).tobytes() == errors.tobytes()
    total = both_ways(partial(core.squared_log_errors, truth, predicted, 2))
    assert total == plain(core.exact_total(errors, errors, 0))
    for odd in (-1.0, -5.0):
        for column in (truth, predicted):
            kept, column[size // 2] = column[size // 2], odd
            assert core.squared_log_errors(truth, predicted, 2) is None
            column[size // 2] = kept


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", ["ties", "sizes"])
def test_the_middle_of_errors_is_that_of_sorted_ones(kind: str, size: int) -> None:
    for rows in {size, size + 1 - 2 * (size == ROWS)}:
        truth, predicted = numbers(rows, kind), numbers(rows, kind)
        ordered = np.sort(np.abs(predicted - truth))
        middle = both_ways(partial(core.middle_errors, truth, predicted, 2))
        assert middle == [ordered[(rows - 1) // 2], ordered[rows // 2]]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", ["ties", "sizes", "equal"])
def test_mean_ranks_count_what_is_below_and_half_of_equals(kind: str, size: int) -> None:
    values = np.zeros(size) if kind == "equal" else numbers(size, kind)
    ordered = np.sort(values)
    below, upto = (np.searchsorted(ordered, values, side=side) for side in ("left", "right"))
    assert np.array_equal(core.mid_ranks(values, 3), (below + upto).astype(np.float64))


@pytest.mark.parametrize("size", SIZES)
def test_losses_of_rows_are_those_of_the_c_library(size: int) -> None:
    errors = RNG.standard_normal(size) * 2.0 ** RNG.integers(-60, 12, size)
    assert core.log_cosh(errors, 2).tobytes() == np.array([log_cosh_of(error) for error in errors.tolist()]).tobytes()
    truth, predicted = (RNG.gamma(2.0, 3.0, size) + 1e-9 for _ in range(2))
    predicted[::7] = truth[::7]
    for power in (-1.5, 0.0, 1.0, 1.5, 2.0, 3.0):
        pairs = zip(truth.tolist(), predicted.tolist(), strict=True)
        wanted = np.array([max(deviance_of(*pair, power), 0.0) for pair in pairs])
        assert core.deviances(truth, predicted, power, 2).tobytes() == wanted.tobytes()
    none = np.where(RNG.random(size) < 0.3, 0.0, truth)
    pairs = zip(none.tolist(), predicted.tolist(), strict=True)
    wanted = np.array([max(deviance_of(*pair, 1.0), 0.0) for pair in pairs])
    assert core.deviances(none, predicted, 1.0, 2).tobytes() == wanted.tobytes()
