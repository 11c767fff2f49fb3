"""Logistic recalibration: how steeply clicks rise with the log odds that were predicted, and whether that is chance."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from pingce.base.erfc import erfc
from pingce.base.records import dataclass
from pingce.evidence.binary.odds import odds_counts

if TYPE_CHECKING:
    from pingce.evidence.binary.thresholds import ThresholdEvidence


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
        return math.exp(-ratio) if self.freedom == 2 else erfc(math.sqrt(ratio))


def recalibration(table: ThresholdEvidence, epsilon: float, best: float) -> Recalibration:
    """The logistic recalibration of a table of distinct probabilities; `best` is Σ of the loss after any monotone one.

    Probabilities times a constant change a, hardly b. One distinct probability has no slope: a alone is fitted. Where
    scores separate the classes the slope has no finite value, and the likelihood comes as near to `best` as one likes.
    """
    counts = odds_counts(table, epsilon)
    before = counts.loss(0.0, 1.0)
    if len(table) < 2 or counts.odds[0] == counts.odds[-1]:
        return Recalibration(None, before - best, 1)
    fit = counts.line()
    if fit is None:
        return Recalibration(None, before - best, 2)
    return Recalibration(fit[1], before - counts.loss(*fit), 2)
