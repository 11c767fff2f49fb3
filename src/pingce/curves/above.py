"""Where one curve lies above another: decided on counts, by integers, and not on rounded rates; and where beyond chance.

Beyond chance is outside a joint band around both, from their counts alone. At thresholds that are chosen by rank,
denser towards both ends, the counts of positives and of negatives above are binomial. By Chernoff's inequality the
true rate p is with probability 1 − α′ where n · KL(counted, p) ≤ ln(2 / α′). All such intervals of both curves share
α = 0.05 (Bonferroni), so that with probability 0.95 all of them hold at once; between thresholds rates only rise. A
curve whose lower edge is above the other's upper edge is then above it in truth.

The band takes no draws, needs no rows, holds for any distribution and any number of rows, is narrow where rates are near
0 or 1, and costs a look-up for each threshold. It does not use that both models saw the same rows: it is silent rather
than hasty.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats
from pingce.base.records import dataclass
from pingce.curves.base import Steps

Column = NDArray[Any]
Signs = NDArray[np.int8]

_NEAR = 1e-12
"Of fractional weights, whose sums are rounded: rates that differ by less are the same."
_WIDE = 2**62
"Integers below are safe in 64 bits; beyond, Python's are used."


CONFIDENCE = 0.95
_LEVELS = 1 / (1 + np.exp(-np.linspace(-7, 7, 71)))
"The rates at which thresholds are chosen: by the negatives, and by the positives."
_PLACES = 1000
"Places of the axis that are looked at."
_HALVINGS = 50


@dataclass(frozen=True, eq=False)
class RocLine:
    """A ROC curve by FPR: at each place it arrives at height `low` and, after a rise, leaves at height `high`."""

    x: Column
    low: Column
    high: Column

    @staticmethod
    def through(x: Column, y: Column) -> RocLine:
        """The points of a curve, joined: of those with the same x the first and the last matter."""
        last = np.flatnonzero(np.append(x[1:] != x[:-1], True))
        first = np.concatenate([[0], last[:-1] + 1])
        return RocLine(x[first], y[first], y[last])

    def at(self, places: Column) -> tuple[Column, Column, Column]:
        """Heights on arriving and on leaving, over a common bottom: nothing is rounded where counts are integers."""
        after = np.searchsorted(self.x, places, side="left")
        here, before = self.x[after] == places, np.maximum(after - 1, 0)
        bottom = np.where(here, 1, self.x[after] - self.x[before])
        gone = np.where(here, 0, places - self.x[before])
        between = self.high[before] * (bottom - gone) + self.low[after] * gone
        return np.where(here, self.low[after], between), np.where(here, self.high[after], between), bottom


def above_roc(first: Steps, second: Steps) -> tuple[Signs, tuple[float, ...]]:
    """Signs of the difference at each FPR of either curve, on arriving and on leaving: between, both are straight."""
    x, other_x, width = _common(first, second, "fp", "negatives")
    y, other_y, height = _common(first, second, "tp", "positives")
    if width * height >= _WIDE:
        x, other_x, y, other_y = (column.astype(object) for column in (x, other_x, y, other_y))
    places = _merged(x, other_x)
    mine, theirs = RocLine.through(x, y).at(places), RocLine.through(other_x, other_y).at(places)
    signs = np.empty(2 * len(places), np.int8)
    for side in (0, 1):
        signs[side::2] = _sign_of(mine[side], mine[2], theirs[side], theirs[2])

    def difference(at: int, side: int) -> Fraction:
        return _exact(mine[side][at]) / _exact(mine[2][at]) - _exact(theirs[side][at]) / _exact(theirs[2][at])

    def crossing(before: int, after: int) -> Fraction:
        at = (after - 1) // 2
        here = _exact(places[at])
        if after - before > 1 or before % 2 == 0:  # they meet at a point of the grid, or one rises past the other there
            return here / _exact(width)
        left, arrived = difference(at, 1), difference(at + 1, 0)
        return (here + (_exact(places[at + 1]) - here) * left / (left - arrived)) / _exact(width)

    return signs, _crossings(signs, crossing)


def above_pr(first: Steps, second: Steps) -> tuple[Signs, tuple[float, ...]]:
    """Signs of the difference up to each recall of either curve: precision where that recall is first reached."""
    recall, other_recall, width = _common(first, second, "tp", "positives")
    places = _merged(recall, other_recall)
    fractions = []
    for steps, column in ((first, recall), (second, other_recall)):
        at = np.searchsorted(column, places[1:], side="left")
        fractions += [steps.tp[at], steps.tp[at] + steps.fp[at]]
    signs = _sign_of(*fractions)
    return signs, _crossings(signs, lambda _, after: _exact(places[after]) / _exact(width))


def _crossings(signs: Signs, place: Callable[[int, int], Fraction]) -> tuple[float, ...]:
    """Where the sign turns: `place` gets the last of one sign and the first of the other."""
    clear = np.flatnonzero(signs)
    turns = np.flatnonzero(signs[clear[1:]] != signs[clear[:-1]])
    return tuple(float(place(int(clear[turn]), int(clear[turn + 1]))) for turn in turns.tolist())


def _exact(value: Any) -> Fraction:
    return Fraction(value.item() if isinstance(value, np.generic) else value)


def _common(first: Steps, second: Steps, side: str, total: str) -> tuple[Column, Column, Any]:
    """Counts of both curves in the same unit, and how many units make 1."""
    mine, theirs = getattr(first, side), getattr(second, side)
    n, m = getattr(first, total), getattr(second, total)
    if not (first.whole and second.whole):
        return *_snapped(mine / n, theirs / m), 1.0
    shared = math.gcd(n, m)
    if n // shared * m >= _WIDE:
        mine, theirs = mine.astype(object), theirs.astype(object)
    return mine * (m // shared), theirs * (n // shared), n // shared * m


def _merged(first: Column, second: Column) -> Column:
    """The distinct values of two ascending columns, ascending: a stable sort merges two runs in one pass."""
    both = np.concatenate([first, second])
    both.sort(kind="stable")
    distinct: Column = both[np.append(True, both[1:] != both[:-1])]
    return distinct


def _snapped(first: Column, second: Column) -> tuple[Column, Column]:
    """Rates that differ by rounding alone made equal: each becomes the lowest of its neighbourhood."""
    both = _merged(first, second)
    begins = np.concatenate([[True], np.diff(both) > _NEAR])
    lowest = both[begins][np.cumsum(begins) - 1]
    return lowest[np.searchsorted(both, first)], lowest[np.searchsorted(both, second)]


def _sign_of(top: Column, bottom: Column, other_top: Column, other_bottom: Column) -> Signs:
    """The sign of top / bottom − other_top / other_bottom."""
    columns = (top, bottom, other_top, other_bottom)
    if "f" in {column.dtype.kind for column in columns}:
        difference = top / bottom - other_top / other_bottom
        return _signs(np.where(np.abs(difference) > _NEAR, difference, 0))
    signs = _signs(top * other_bottom - other_top * bottom)
    a, b, c, d = (column.astype(np.float64) for column in columns)
    large = np.flatnonzero(np.maximum(a * d, c * b) >= _WIDE)
    if len(large):
        a, b, c, d = (column[large].astype(object) for column in columns)
        signs[large] = _signs(a * d - c * b)
    return signs


def _signs(difference: Column) -> Signs:
    return (difference > 0).astype(np.int8) - (difference < 0).astype(np.int8)


@dataclass(frozen=True)
class Lead:
    """A stretch of FPR (ROC) or recall (PR) on which a model is above the other beyond chance."""

    model: str
    low: float
    high: float

    @property
    def length(self) -> float:
        """How much of the axis it takes."""
        return self.high - self.low


@dataclass(frozen=True, eq=False)
class _Band:
    """Intervals of two rates at the same thresholds, which fall: the rate along an axis, and the one that rises with it."""

    along: tuple[Floats, Floats]
    up: tuple[Floats, Floats]

    def lower(self, at: Floats) -> Floats:
        """What is certainly reached by each place."""
        step = np.searchsorted(self.along[1], at, side="right")
        return np.concatenate([[0.0], self.up[0]])[step]

    def upper(self, at: Floats) -> Floats:
        """What is reached by each place at most."""
        step = np.searchsorted(self.along[0], at, side="left")
        return np.concatenate([self.up[1], [1.0]])[step]


def leads(kind: str, curves: tuple[Steps, Steps], names: tuple[str, str]) -> tuple[Lead, ...]:
    """Stretches on which either curve is above the other beyond chance, in order along the axis.

    A higher precision at a recall is a lower FPR there, so that PR curves are compared by FPR along recall. Sums of
    weights that are no whole numbers do not say on how many rows they stand: they have no band, and no leads.
    """
    if not all(curve.whole and curve.positives and curve.negatives for curve in curves):
        return ()
    first, second = (_band(kind, curve) for curve in curves)
    at = np.arange(1, _PLACES) / _PLACES
    signs = _above(first, second, at) - _above(second, first, at)
    if kind == "pr":  # the lower FPR is the better one
        signs = -signs
    return tuple(sorted(_stretches(at, signs, names), key=lambda lead: lead.low))


def _band(kind: str, steps: Steps) -> _Band:
    by_negatives = np.searchsorted(steps.fp, _LEVELS * steps.negatives)
    by_positives = np.searchsorted(steps.tp, _LEVELS * steps.positives)
    chosen = np.union1d(by_negatives, by_positives)
    fpr, tpr = _rates(steps.fp[chosen], steps.negatives), _rates(steps.tp[chosen], steps.positives)
    return _Band(fpr, tpr) if kind == "roc" else _Band(tpr, fpr)


def _rates(count: NDArray[np.int64], total: float) -> tuple[Floats, Floats]:
    """The lowest and the highest rate that go with each count."""
    share = count / total
    limit = math.log(2 * 2 * 2 * 2 * len(_LEVELS) / (1 - CONFIDENCE)) / total
    return _farthest(share, np.zeros(len(share)), limit), _farthest(share, np.ones(len(share)), limit)


def _farthest(share: Floats, end: Floats, limit: float) -> Floats:
    """The rate between a share and an end of [0, 1] whose divergence reaches the limit, by halving."""
    near, far = share, end
    for _ in range(_HALVINGS):
        middle = (near + far) / 2
        inside = _divergence(share, middle) <= limit
        near, far = np.where(inside, middle, near), np.where(inside, far, middle)
    return far


def _divergence(share: Floats, rate: Floats) -> Floats:
    """KL of two coins."""
    with np.errstate(divide="ignore", invalid="ignore"):
        heads = np.where(share > 0, share * np.log(share / rate), 0)
        tails = np.where(share < 1, (1 - share) * np.log((1 - share) / (1 - rate)), 0)
    divergence: Floats = np.where((rate == share), 0, heads + tails)
    return divergence


def _above(first: _Band, second: _Band, at: Floats) -> NDArray[np.int8]:
    return (first.lower(at) > second.upper(at)).astype(np.int8)


def _stretches(at: Floats, signs: NDArray[np.int8], names: tuple[str, str]) -> Iterator[Lead]:
    """Runs of places with the same sign."""
    for sign, name in ((1, names[0]), (-1, names[1])):
        inside = np.concatenate([[False], signs == sign, [False]])
        begins, ends = np.flatnonzero(inside[1:] & ~inside[:-1]), np.flatnonzero(inside[:-1] & ~inside[1:])
        for begin, end in zip(begins.tolist(), ends.tolist(), strict=True):
            yield Lead(name, float(at[begin]), float(at[end - 1]))
