"""The calibration slope: how steeply clicks rise with the log odds that were predicted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pingce.evidence.thresholds import ThresholdEvidence

    Floats = NDArray[np.float64]

_ITERATIONS = 50
_STEEPEST = 1e3


def calibration_slope(table: ThresholdEvidence, epsilon: float) -> float | None:
    """b of the logistic regression P(y) = σ(a + b · logit p): below 1 probabilities are too extreme, above 1 too timid.

    Probabilities times a constant change a, hardly b. None where it has no finite value: one distinct probability, or
    scores that separate the classes.
    """
    p = np.clip(table.score.astype(np.float64), epsilon, 1 - epsilon)
    positives, negatives = (column.astype(np.float64) for column in table.at)
    rows, odds = positives + negatives, np.log(p) - np.log1p(-p)
    if len(odds) < 2 or odds[0] == odds[-1]:
        return None
    fit = np.zeros(2)  # from a constant the steps lead up; from a steep line they may lead away
    for _ in range(_ITERATIONS):
        step = _newton(fit, odds, positives, rows)
        if step is None:
            return None
        fit = fit + step
        if not np.isfinite(fit).all() or abs(fit[1]) > _STEEPEST:
            return None
        if np.abs(step).max() < 1e-10:
            return float(fit[1])
    return None


def _newton(fit: Floats, odds: Floats, positives: Floats, rows: Floats) -> Floats | None:
    """One step towards the largest likelihood; None where there is none."""
    share = 1 / (1 + np.exp(-np.clip(fit[0] + fit[1] * odds, -700, 700)))
    rest, weight = positives - rows * share, rows * share * (1 - share)
    slopes = np.array([rest.sum(), (rest * odds).sum()])
    a, b, c = weight.sum(), (weight * odds).sum(), (weight * odds * odds).sum()
    bottom = a * c - b * b
    if not bottom > 0:
        return None
    step: Floats = np.array([c * slopes[0] - b * slopes[1], a * slopes[1] - b * slopes[0]]) / bottom
    return step
