"""Log odds with the positives and negatives that have them: straight lines through them, and what these lose."""

from __future__ import annotations

import math

import numpy as np

from pingce.base.core import native_core, thread_count
from pingce.base.exact import Floats
from pingce.base.records import dataclass
from pingce.evidence.binary.losses import row_losses
from pingce.evidence.binary.thresholds import ThresholdEvidence

_ITERATIONS = 50
_STEEPEST = 1e3
_SMALL = 1e-10
"Steps that lead no further."
_FARTHEST = 600.0
"Beyond any log odds that doubles have, with room for a factor."
_MOST_STEPS = 200
_MANY = 1 << 14
"Rows that are worth a thread."


def odds_counts(table: ThresholdEvidence, epsilon: float) -> OddsCounts:
    """The log odds of a table of distinct probabilities, kept within [ε, 1 - ε]."""
    positives, negatives = (column.astype(np.float64) for column in table.at)
    # NumPy's logarithms change with the processor: the losses of both sides are the same everywhere.
    losing, winning = (row_losses(table.score, np.full(len(table), side, np.uint8), epsilon) for side in (0, 1))
    return OddsCounts(losing - winning, positives, negatives)


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

    def intercept(self) -> float:
        """a where b is 1: the factor of all odds, as a logarithm, under which as many positives are expected as there are.

        Newton's steps, halved into the bracket where they would lead out of it; both classes must occur.
        """
        low, high, at = -_FARTHEST, _FARTHEST, 0.0
        for _ in range(_MOST_STEPS):
            rest, _, weight, *_ = self.sums(at, 1.0)
            if not rest:
                return at
            low, high = (at, high) if rest > 0 else (low, at)
            step = rest / weight if weight > 0 else math.inf
            after = at + step if low < at + step < high else (low + high) / 2
            if abs(after - at) <= _SMALL * max(1.0, abs(at)):
                return after
            at = after
        return at

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
