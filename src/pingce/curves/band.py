"""Where one curve is above another by more than chance explains: a joint band around both, from their counts alone.

At thresholds that are chosen by rank, denser towards both ends, the counts of positives and of negatives above are
binomial. By Chernoff's inequality the true rate p is with probability 1 − α′ where n · KL(counted, p) ≤ ln(2 / α′). All such
intervals of both curves share α = 0.05 (Bonferroni), so that with probability 0.95 all of them hold at once; between
thresholds rates only rise. A curve whose lower edge is above the other's upper edge is then above it in truth.

The band takes no draws, needs no rows, holds for any distribution and any number of rows, is narrow where rates are near
0 or 1, and costs a look-up for each threshold. It does not use that both models saw the same rows: it is silent rather
than hasty.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats
from pingce.curves.base import Steps

CONFIDENCE = 0.95
_LEVELS = 1 / (1 + np.exp(-np.linspace(-7, 7, 71)))
"The rates at which thresholds are chosen: by the negatives, and by the positives."
_PLACES = 1000
"Places of the axis that are looked at."
_HALVINGS = 50


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
