"""What each row adds to a value of the confusion matrix, by the margins that it adds to."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats
from pingce.evidence.multiclass.confusion import ConfusionEvidence
from pingce.evidence.multiclass.evidence import MulticlassEvidence
from pingce.scores.values import Value
from pingce.stats.cells import MatrixDraws, MatrixEvidence
from pingce.stats.resampling import metric_value


class MarginMatrix(ConfusionEvidence):
    """A confusion matrix of which no more is known than how many rows each class has, is predicted for, and is right in."""

    def __init__(self, labels: list[object], margins: NDArray[np.float64]) -> None:
        super().__init__(labels, np.zeros((0, 0)))
        object.__setattr__(self, "margins", margins)

    margins: NDArray[np.float64]
    "A row each: true, predicted, right."

    @property
    def true(self) -> Floats:
        """Rows of each true class."""
        counts: Floats = self.margins[0]
        return counts

    @property
    def predicted(self) -> Floats:
        """Rows predicted as each class."""
        counts: Floats = self.margins[1]
        return counts

    @property
    def right(self) -> Floats:
        """Rows of each class that were predicted as such."""
        counts: Floats = self.margins[2]
        return counts

    @property
    def total(self) -> float:
        """All rows."""
        return float(self.margins[0].sum())


def margin_influences(value: Value, evidence: MulticlassEvidence) -> Floats | None:
    """The slope of the value along the margins of each row; None where a class has few rows of a kind."""
    rows, confusion = evidence.rows, evidence.confusion
    draws = MatrixDraws.of(evidence)
    if rows.prediction is None or draws.has_few:
        return None
    margins = np.stack([confusion.true, confusion.predicted, confusion.right]).astype(np.float64)
    slopes, step = np.zeros_like(margins), draws.sums.row / 2
    for place in np.argwhere(margins > 0).tolist():
        ends = []
        for sign in (1, -1):
            moved = margins.copy()
            moved[tuple(place)] += sign * step
            ends.append(metric_value(value, MatrixEvidence(MarginMatrix(evidence.labels, moved))))
        slopes[tuple(place)] = (ends[0] - ends[1]) / (2 * step)
    truth, prediction = rows.truth.codes, rows.prediction.codes
    added: Floats = slopes[0][truth] + slopes[1][prediction] + np.where(truth == prediction, slopes[2][truth], 0.0)
    return added if rows.weight is None else added * rows.weight
