"""Pairs of rows by how truth and prediction order them, in O(n log n): counted exactly, weights as whole numbers of a small unit."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from pingce.base.core import native_core, thread_count
from pingce.base.exact import Floats, Ints, exact_dot, exact_sum
from pingce.base.records import dataclass
from pingce.inputs.regression import NumberRows

_NO_WEIGHTS = np.zeros(0, np.uint64)
_WHOLE = float(1 << 52)
"Whole weights up to such a sum are their own units."


@dataclass(frozen=True)
class PairSums:
    """How many pairs of rows there are of each kind; with weights the sums of their products."""

    concordant: Fraction
    "Truth and prediction order both rows alike."
    discordant: Fraction
    tied_truth: Fraction
    "Only the true numbers are equal."
    tied_predicted: Fraction
    "Only the predicted numbers are equal."
    tied_both: Fraction
    "A row of weight w stands for w equal ones, which are w (w − 1) / 2 such pairs."


@dataclass(frozen=True, eq=False)
class RowPairs:
    """The same for each row: Σ of the weights of the others with which it makes such a pair, in units of 2^-power."""

    concordant: Ints
    discordant: Ints
    tied_truth: Ints
    tied_predicted: Ints
    tied_both: Ints
    power: int

    def column(self, name: str) -> Floats:
        """The weights of one kind as doubles."""
        weights: Floats = np.ldexp(getattr(self, name).astype(np.float64), -self.power)
        return weights


def pair_sums(rows: NumberRows, threads: int | None = None) -> PairSums:
    """Count the pairs of all rows."""
    if rows.weight is None:
        squares, power = _squares(rows, None, threads), 0
        total = single = len(rows)
    else:
        units, power = pair_units(rows)
        squares = _squares(rows, units, threads)
        total, single = int(units.sum()), _product(units, units)
    both = (squares["both"] - single) // 2
    truth, predicted = ((squares[name] - single) // 2 - both for name in ("truth", "predicted"))
    discordant = squares["discordant"]
    concordant = (total * total - single) // 2 - discordant - both - truth - predicted
    unit = Fraction(4) ** power
    counted = (Fraction(count) / unit for count in (concordant, discordant, truth, predicted, both))
    sums = PairSums(*counted)
    return sums if rows.weight is None else _with_repeated(sums, rows.weight)


def _squares(rows: NumberRows, units: Ints | None, threads: int | None) -> dict[str, int]:
    """Σ of squared weights of equal rows, and the discordant pairs; without weights each row is one unit."""
    core = native_core()
    if core is None:
        return _squares_by_reference(rows, np.ones(len(rows), np.int64) if units is None else units)
    weights = _NO_WEIGHTS if units is None else units.astype(np.uint64)
    counts = core.number_pairs(*rows.in_memory_order(), weights, thread_count(threads))
    return {name: (high << 64) + low for name, (high, low) in counts.items()}


def _with_repeated(sums: PairSums, weight: Floats) -> PairSums:
    """With the pairs that a row of a weight above 1 makes with itself."""
    more = exact_dot(weight, np.maximum(weight - 1, 0.0)) / 2
    kept = sums.concordant, sums.discordant, sums.tied_truth, sums.tied_predicted
    return PairSums(*kept, sums.tied_both + more)


def pair_units(rows: NumberRows) -> tuple[Ints, int]:
    """Weights as whole numbers of 2^-power, and the power; all of them together are about 2^61, so that a weight is rounded
    where it has digits beyond the 61st of their sum.
    """
    if rows.weight is None:
        return np.ones(len(rows), np.int64), 0
    power = 0 if is_whole(rows.weight) or not len(rows) else 61 - math.frexp(float(exact_sum(rows.weight)))[1]
    return np.rint(np.ldexp(rows.weight, power)).astype(np.int64), power


def is_whole(weight: Floats) -> bool:
    """Whether weights are whole numbers whose sums doubles hold."""
    return bool((weight == np.floor(weight)).all()) and float(weight.sum()) < _WHOLE


def _product(a: Ints, b: Ints) -> int:
    """Σ a · b of numbers below 2^62, by halves of 31 bits."""
    low = (1 << 31) - 1
    halves = ((a >> 31, 31), (a & low, 0)), ((b >> 31, 31), (b & low, 0))
    return sum(_sum(x * y) << (p + q) for x, p in halves[0] for y, q in halves[1])


def _sum(products: Ints) -> int:
    """Σ of numbers below 2^62, which need not fit into 64 bits."""
    return (int((products >> 31).sum()) << 31) + int((products & ((1 << 31) - 1)).sum())


def _squares_by_reference(rows: NumberRows, units: Ints) -> dict[str, int]:
    """What the core counts: Σ of squared weights of equal rows, and the discordant pairs."""
    truth, predicted = places_of(rows.true), places_of(rows.predicted)
    both = truth * (int(predicted.max(initial=0)) + 1) + predicted
    discordant = _row_counts(truth, predicted, units)["against_below"]
    squares = {
        name: _product(sums := _sums_at(places_of(places), units), sums)
        for name, places in (("truth", truth), ("predicted", predicted), ("both", both))
    }
    return squares | {"discordant": _product(units, discordant)}


def row_pairs(rows: NumberRows, code: Ints | None = None) -> RowPairs:
    """Count the pairs of each row; with the code of its group, within that."""
    units, power = pair_units(rows)
    truth, predicted = places_of(rows.true), places_of(rows.predicted)
    if code is not None:  # groups one above the other: between them all pairs are alike
        truth, predicted = (code * (int(side.max(initial=0)) + 1) + side for side in (truth, predicted))
        truth, predicted = places_of(truth), places_of(predicted)
    counts = _row_counts(truth, predicted, units)
    group = np.zeros(len(rows), np.int64) if code is None else code
    discordant = counts["against_below"] + counts["below_predicted"] - counts["below"] - counts["equal_truth_lower"]
    both = counts["both"]
    tied_truth, tied_predicted = counts["equal_truth"] - both, counts["equal_predicted"] - both
    concordant = _sums_at(group, units)[group] - discordant - tied_truth - tied_predicted - both
    return RowPairs(concordant, discordant, tied_truth, tied_predicted, both - units, power)


def _row_counts(truth: Ints, predicted: Ints, units: Ints) -> dict[str, Ints]:
    """Weights of the rows around each row: below it in both, equal to it, and below it in truth and above it in prediction."""
    order = np.lexsort((-predicted, truth))
    below = np.empty(len(order), np.int64)
    below[order] = weight_before(predicted[order], units[order])
    both = places_of(truth * (int(predicted.max(initial=0)) + 1) + predicted)
    by_prediction = places_of(predicted * (int(truth.max(initial=0)) + 1) + truth)
    equal = _sums_at(both, units)[both]
    beside = _below(by_prediction, units) - _below(predicted, units)  # below in truth, equal in prediction
    return {
        "below": below,
        "both": equal,
        "equal_truth": _sums_at(truth, units)[truth],
        "equal_predicted": _sums_at(predicted, units)[predicted],
        "below_predicted": _below(predicted, units),
        "equal_truth_lower": _below(both, units) - _below(truth, units),
        "against_below": _below(truth, units) - below - beside,
    }


def places_of(values: Any) -> Ints:
    """The place of each number among the distinct ones, from 0."""
    return np.unique(values, return_inverse=True)[1].reshape(-1).astype(np.int64)


def _sums_at(places: Ints, units: Ints) -> Ints:
    """Σ of units at each place; whole numbers, which bincount would round."""
    sums = np.zeros(int(places.max(initial=-1)) + 1, np.int64)
    np.add.at(sums, places, units)
    return sums


def _below(places: Ints, units: Ints) -> Ints:
    """Σ of units at lower places, of each row."""
    sums = _sums_at(places, units)
    below: Ints = (np.cumsum(sums) - sums)[places]
    return below


def twice_below(values: Floats, units: Ints) -> Ints:
    """Twice the units below each row, and once those of its equals, itself among them."""
    places = places_of(values)
    ranks: Ints = 2 * _below(places, units) + _sums_at(places, units)[places]
    return ranks


def weight_before(places: Ints, units: Ints) -> Ints:
    """Σ of the units of those that stand before a row and have a lower place, of each row.

    Bit by bit from the highest: of the rows that share the higher bits, those with a 1 have the earlier ones with a 0 below them.
    """
    sums, order = np.zeros(len(places), np.int64), np.arange(len(places))
    for level in reversed(range(int(places.max(initial=0)).bit_length())):
        now = places[order]
        first = np.flatnonzero(np.diff(now >> (level + 1), prepend=-1))
        sizes = np.diff(first, append=len(now))
        upper = (now >> level & 1).astype(bool)
        lower = np.where(upper, 0, units[order])
        before = np.cumsum(lower) - lower
        sums[order[upper]] += (before - np.repeat(before[first], sizes))[upper]
        order = order[_partition(~upper, first, sizes)]
    return sums


def _partition(lower: Any, first: Ints, sizes: Ints) -> Ints:
    """Rows of each stretch in their order, those that are lower first."""
    before = np.cumsum(lower) - lower
    inside = before - np.repeat(before[first], sizes)
    place = np.arange(len(lower)) - np.repeat(first, sizes)
    lowers = np.add.reduceat(lower, first, dtype=np.int64)
    target = np.repeat(first, sizes) + np.where(lower, inside, np.repeat(lowers, sizes) + place - inside)
    order = np.empty(len(lower), np.int64)
    order[target] = np.arange(len(lower))
    return order
