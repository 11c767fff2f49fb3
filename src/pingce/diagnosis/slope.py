"""Logistic recalibration: how steeply clicks rise with the log odds that were predicted, and whether that is chance."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pingce.base.core import thread_count
from pingce.base.exact import Floats

if TYPE_CHECKING:
    from pingce.evidence.binary.thresholds import ThresholdEvidence


_ITERATIONS = 50
_STEEPEST = 1e3
_BLOCK = 1 << 15
_MANY = 8


@dataclass(frozen=True)
class Recalibration:
    """P(y) = σ(a + b · logit p) fitted to the data."""

    slope: float | None
    "b: below 1 probabilities are too extreme, above 1 too timid; None where it has no finite value."
    gain: float
    "How much larger the log likelihood is than that of the probabilities themselves (a = 0, b = 1)."
    freedom: int
    "Parameters that were fitted."

    def p(self, dispersion: float) -> float:
        """How often probabilities that are right would gain as much: the likelihood ratio test, χ² of 2 · gain.

        `dispersion` is Σw² / Σw where weights are fractions, so that the test stands on the effective number of rows
        (Σw)² / Σw²; where weights count rows, and without any, it is 1.
        """
        ratio = max(0.0, self.gain / dispersion)
        return math.exp(-ratio) if self.freedom == 2 else math.erfc(math.sqrt(ratio))


def recalibration(table: ThresholdEvidence, epsilon: float, best: float) -> Recalibration:
    """The logistic recalibration of a table of distinct probabilities; `best` is Σ of the loss after any monotone one.

    Probabilities times a constant change a, hardly b. One distinct probability has no slope: a alone is fitted. Where
    scores separate the classes the slope has no finite value, and the likelihood comes as near to `best` as one likes.
    """
    p = np.clip(table.score.astype(np.float64), epsilon, 1 - epsilon)
    positives, negatives = (column.astype(np.float64) for column in table.at)
    odds = np.log(p) - np.log1p(-p)
    before = _loss(odds, positives, negatives)
    if len(odds) < 2 or odds[0] == odds[-1]:
        return Recalibration(None, before - best, 1)
    fit = _fitted(odds, positives, positives + negatives)
    if fit is None:
        return Recalibration(None, before - best, 2)
    return Recalibration(float(fit[1]), before - _loss(fit[0] + fit[1] * odds, positives, negatives), 2)


def _loss(odds: Floats, positives: Floats, negatives: Floats) -> float:
    """Minus the log likelihood."""
    terms = np.empty(len(odds))

    def write(rows: slice) -> None:
        up, down = np.logaddexp(0, -odds[rows]), np.logaddexp(0, odds[rows])
        terms[rows] = positives[rows] * up + negatives[rows] * down

    _write_terms(len(odds), write)
    return float(terms.sum())


def _write_terms(rows: int, write: Callable[[slice], None]) -> None:
    """Terms of rows, in stretches that fit into the cache of a processor, side by side where there are many."""
    parts = [slice(begin, begin + _BLOCK) for begin in range(0, rows, _BLOCK)]
    if len(parts) < _MANY or thread_count() < 2:
        for part in parts:
            write(part)
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(thread_count()) as pool:
        list(pool.map(write, parts))


def _fitted(odds: Floats, positives: Floats, rows: Floats) -> Floats | None:
    """a and b; None where they have no finite value."""
    fit = np.zeros(2)  # from a constant the steps lead up; from a steep line they may lead away
    terms = np.empty((5, len(odds)))
    for _ in range(_ITERATIONS):
        step = _newton(fit, (odds, positives, rows), terms)
        if step is None:
            return None
        fit = fit + step
        if not np.isfinite(fit).all() or abs(fit[1]) > _STEEPEST:
            return None
        if np.abs(step).max() < 1e-10:
            return fit
    return None


def _newton(fit: Floats, columns: tuple[Floats, Floats, Floats], terms: Floats) -> Floats | None:
    """One step towards the largest likelihood; None where there is none. `terms` is room to work in."""

    def write(part: slice) -> None:
        odds, positives, rows = (column[part] for column in columns)
        share = 1 / (1 + np.exp(-np.clip(fit[0] + fit[1] * odds, -700, 700)))
        rest, weight = positives - rows * share, rows * share * (1 - share)
        first = weight * odds
        for row, term in zip(terms, (rest, rest * odds, weight, first, first * odds), strict=True):
            row[part] = term

    _write_terms(terms.shape[1], write)
    up, tilt, a, b, c = (row.sum() for row in terms)
    bottom = a * c - b * b
    if not bottom > 0:
        return None
    step: Floats = np.array([c * up - b * tilt, a * tilt - b * up]) / bottom
    return step
