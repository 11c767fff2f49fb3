"""Sums of doubles that are not rounded until they are asked for: integers, which add up in any order."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.core import native_core, thread_count

if TYPE_CHECKING:
    from fractions import Fraction

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Places = NDArray[np.intp]

UNIT = 2148
"Sums are counted in 2^-2148, the smallest product of two doubles."

_MANY = 1 << 16
_BLOCK = 1 << 25
"Rows whose half mantissas add up exactly in a double."
_LOW_HALF = (1 << 26) - 1
_NOTHING = np.zeros(0)


def units(values: Floats, threads: int | None = None) -> int:
    """Σ values, in units of 2^-2148; every value must be finite."""
    core = native_core()
    if core is None:
        return units_by_reference(values)
    return units_of(core.exact_total(np.ascontiguousarray(values, np.float64), _NOTHING, _threads(values, threads)))


def units_of(bins: Iterable[tuple[int, int, int]]) -> int:
    """The integer that the core hands over as (exponent, high, low), a bin for each exponent."""
    return sum(((high << 64) + low) << (exponent - 2) for exponent, high, low in bins)


def exact_fraction(bins: Iterable[tuple[int, int, int]]) -> Fraction:
    """The same integer as the sum that it stands for."""
    from fractions import Fraction

    return Fraction(units_of(bins), 1 << UNIT)


def units_by_reference(values: Floats) -> int:
    """The same in NumPy: mantissas are counted by exponent, in two halves, so that doubles hold their sums exactly."""
    total = 0
    for begin in range(0, len(values), _BLOCK):
        mantissa, exponent = np.frexp(values[begin : begin + _BLOCK])
        whole = np.ldexp(mantissa, 53).astype(np.int64)
        lowest = int(exponent.min())
        place = exponent - lowest
        high = np.bincount(place, weights=whole >> 26)
        low = np.bincount(place, weights=whole & _LOW_HALF)
        summed = sum(
            ((int(h) << 26) + int(rest)) << at
            for at, (h, rest) in enumerate(zip(high.tolist(), low.tolist(), strict=True))
        )
        total += summed << (lowest - 53 + UNIT)
    return total


def units_by_group(values: Floats, group: Places, count: int) -> list[int]:
    """Σ values of each of some groups, in units of 2^-2148: the same way, by group and exponent."""
    totals = [0] * count
    for begin in range(0, len(values), _BLOCK):
        part = slice(begin, begin + _BLOCK)
        mantissa, exponent = np.frexp(values[part])
        whole = np.ldexp(mantissa, 53).astype(np.int64)
        lowest, width = int(exponent.min()), int(np.ptp(exponent)) + 1
        cells, place = np.unique(group[part].astype(np.int64) * width + (exponent - lowest), return_inverse=True)
        high = np.bincount(place.reshape(-1), weights=whole >> 26)
        low = np.bincount(place.reshape(-1), weights=whole & _LOW_HALF)
        for cell, most, rest in zip(cells.tolist(), high.tolist(), low.tolist(), strict=True):
            at, power = divmod(cell, width)
            totals[at] += ((int(most) << 26) + int(rest)) << (power + lowest - 53 + UNIT)
    return totals


def rounded(total: int, power: int = 0) -> float:
    """The double nearest to a sum over 2^power."""
    return total / (1 << (UNIT + power))


def exact_sum(values: Floats, threads: int | None = None) -> Fraction:
    """Σ values, as a fraction."""
    from fractions import Fraction

    return Fraction(units(values, threads), 1 << UNIT)


def exact_dot(a: Floats, b: Floats, threads: int | None = None) -> Fraction:
    """Σ a · b, as a fraction: each product keeps what its rounding would lose."""
    from fractions import Fraction

    core = native_core()
    if core is not None and len(a):
        columns = np.ascontiguousarray(a, np.float64), np.ascontiguousarray(b, np.float64)
        return exact_fraction(core.exact_total(*columns, _threads(a, threads)))
    if not (_far_from_the_ends(a) and _far_from_the_ends(b)):
        return _dot_of_integers(a, b)
    high, low = two_products(a, b)
    return Fraction(units_by_reference(high) + units_by_reference(low), 1 << UNIT)


def root(top: Fraction, bottom: Fraction) -> float:
    """√(top / bottom), also where the quotient is beyond the range of doubles; NaN where the bottom is 0."""
    from fractions import Fraction

    if not bottom:
        return math.nan
    square = top / bottom
    half = (square.numerator.bit_length() - square.denominator.bit_length()) // 2
    return math.ldexp(math.sqrt(square / Fraction(4) ** half), half)


def weighted_dot(a: Floats, b: Floats, weights: Floats | None, threads: int | None = None) -> Fraction:
    """Σ w · a · b; without weights Σ a · b."""
    if weights is None:
        return exact_dot(a, b, threads)
    if not (_far_from_the_ends(a) and _far_from_the_ends(b)):
        return _dot_of_integers(a, b, weights)
    high, low = two_products(a, b)
    return exact_dot(high, weights, threads) + exact_dot(low, weights, threads)


def weighted_sum(values: Floats, weights: Floats | None, threads: int | None = None) -> Fraction:
    """Σ w · values; without weights Σ values."""
    return exact_sum(values, threads) if weights is None else exact_dot(values, weights, threads)


def two_products(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """Each product, and what its rounding left over (Dekker)."""
    product = a * b
    (a_high, a_low), (b_high, b_low) = _halves(a), _halves(b)
    return product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low


def _halves(values: Floats) -> tuple[Floats, Floats]:
    """Each value as a sum of two with half the digits, whose products are exact."""
    shifted = values * 134217729.0
    high = shifted - (shifted - values)
    return high, values - high


def _far_from_the_ends(values: Floats) -> bool:
    """Whether products neither overflow nor lose digits below the smallest double."""
    size = np.abs(values[values != 0])
    return not len(size) or bool(size.min() >= 2.0**-400 and size.max() < 2.0**400)


def _dot_of_integers(*columns: Floats) -> Fraction:
    """Σ of the products of any finite doubles, by the integers of Python: slow, for numbers that hardly anyone has."""
    from fractions import Fraction

    product: Any = 1
    exponent = np.zeros(len(columns[0]), np.int64)
    for column in columns:
        mantissa, power = np.frexp(column)
        product = product * np.ldexp(mantissa, 53).astype(np.int64).astype(object)
        exponent += power - 53
    lowest = int(exponent.min(initial=0))
    total = (product * 2 ** (exponent - lowest).astype(object)).sum()
    return Fraction(int(total)) * Fraction(2) ** lowest


def _threads(values: Floats, threads: int | None) -> int:
    return thread_count(threads) if len(values) > _MANY else 0
