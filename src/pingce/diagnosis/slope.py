"""Logistic recalibration: how steeply clicks rise with the log odds that were predicted, and whether that is chance."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from pingce.base.core import native_core, thread_count
from pingce.base.exact import Floats
from pingce.base.records import dataclass
from pingce.evidence.binary.losses import row_losses

if TYPE_CHECKING:
    from pingce.evidence.binary.thresholds import ThresholdEvidence


_ITERATIONS = 50
_STEEPEST = 1e3
_SMALL = 1e-10
"Steps that lead no further."
_MANY = 1 << 14
"Rows that are worth a thread."


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
    positives, negatives = (column.astype(np.float64) for column in table.at)
    # NumPy's logarithms change with the processor: the losses of both sides are the same everywhere.
    losing, winning = (row_losses(table.score, np.full(len(table), side, np.uint8), epsilon) for side in (0, 1))
    counts = OddsCounts(losing - winning, positives, negatives)
    before = counts.loss(0.0, 1.0)
    if len(table) < 2 or counts.odds[0] == counts.odds[-1]:
        return Recalibration(None, before - best, 1)
    fit = counts.line()
    if fit is None:
        return Recalibration(None, before - best, 2)
    return Recalibration(fit[1], before - counts.loss(*fit), 2)


@dataclass(frozen=True, eq=False)
class OddsCounts:
    """Log odds, and the positives and negatives that have them."""

    odds: Floats
    positives: Floats
    negatives: Floats

    def loss(self, intercept: float, slope: float) -> float:
        """Minus the log likelihood."""
        if (core := native_core()) is not None:
            return core.line_loss(self.odds, self.positives, self.negatives, intercept, slope, self._threads)
        odds = intercept + slope * self.odds
        return float((self.positives * np.logaddexp(0, -odds) + self.negatives * np.logaddexp(0, odds)).sum())

    def line(self) -> tuple[float, float] | None:
        """a and b by Newton's steps; None where they have no finite value."""
        intercept, slope = 0.0, 0.0  # from a constant the steps lead up; from a steep line they may lead away
        for _ in range(_ITERATIONS):
            rest, tilt, a, b, c = self.sums(intercept, slope)
            bottom = a * c - b * b
            if not bottom > 0:
                return None
            step = (c * rest - b * tilt) / bottom, (a * tilt - b * rest) / bottom
            intercept, slope = intercept + step[0], slope + step[1]
            if not (math.isfinite(intercept) and math.isfinite(slope)) or abs(slope) > _STEEPEST:
                return None
            if max(map(abs, step)) < _SMALL:
                return intercept, slope
        return None

    def sums(self, intercept: float, slope: float) -> tuple[float, ...]:
        """Σ r, Σ r · odds, Σ w, Σ w · odds, Σ w · odds²: r positives beyond what is expected, w the variance of that."""
        if (core := native_core()) is not None:
            return core.newton_sums(self.odds, self.positives, self.negatives, intercept, slope, self._threads)
        rows = self.positives + self.negatives
        exponents = -np.clip(intercept + slope * self.odds, -700, 700)
        # NumPy's own exp has other last bits on some processors.
        share = 1 / (1 + np.fromiter(map(math.exp, exponents.tolist()), np.float64, len(exponents)))
        rest, weight = self.positives - rows * share, rows * share * (1 - share)
        first = weight * self.odds
        terms = (rest, rest * self.odds, weight, first, first * self.odds)
        return tuple(float(term.sum()) for term in terms)

    @property
    def _threads(self) -> int:
        return thread_count() if len(self.odds) > _MANY else 0
