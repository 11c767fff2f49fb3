"""What a model predicted for rows, whatever the task: columns to sort and compare by, and evidence of rows drawn anew."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats, Ints, Places
from pingce.evidence.binary.evidence import BinaryEvidence
from pingce.evidence.multiclass.evidence import MulticlassEvidence
from pingce.evidence.regression.evidence import error_evidence
from pingce.inputs.regression import NumberRows
from pingce.stats.tables import SharedLosses, table_sample

if TYPE_CHECKING:
    from pingce.metrics.declared import Metric

    "The evidence where each joint cell was drawn so often."

Sampler = Callable[[Ints], Any]


class Predictions(ABC):
    """The predictions of one model, row by row."""

    groups: Ints | None = None
    "The group of each row as a number; -1 for a row of weight 0, which is none."

    def __init__(self, evidence: Any, rows: Any, truth: NDArray[Any], columns: Sequence[NDArray[Any]]) -> None:
        self.evidence = evidence
        self.rows = rows
        self.weight: Floats | None = rows.weight
        self.truth = truth
        self.columns = columns
        "What the model predicted, as numbers."

    @property
    def labels(self) -> NDArray[Any]:
        """The truth of each row as two models can compare it."""
        return self.truth

    @property
    def conditions(self) -> list[NDArray[Any]]:
        """What all models share of a row: weight and truth."""
        return [*self._weights, self.truth]

    @property
    def _weights(self) -> list[Floats]:
        return [] if self.weight is None else [self.weight]

    @property
    def order(self) -> Places:
        """Rows sorted by all that is known of them, so that the order they came in does not matter."""
        return np.lexsort((self.truth, *self.columns, *self._weights))

    @property
    def units(self) -> tuple[int, str]:
        """How many rows there are, or groups where there are some; a row of weight 0 is none."""
        if self.groups is not None:
            return int(self.groups.max()) + 1, "groups"
        return len(self.truth) if self.weight is None else int(np.count_nonzero(self.weight)), "rows"

    def agrees_with(self, other: Predictions) -> bool:
        """Whether two models predict the same for every row."""
        return len(self.columns) == len(other.columns) and all(map(np.array_equal, self.columns, other.columns))

    @abstractmethod
    def sampler(self, first: Places, metrics: Iterable[Metric]) -> Sampler:
        """Evidence of cells, by how often each was drawn; `first` is a row of each cell."""


class LabelPredictions(Predictions):
    """Scores of labels of two kinds."""

    def __init__(self, evidence: BinaryEvidence) -> None:
        rows = evidence.rows
        super().__init__(evidence, rows, rows.positive, (rows.scores,))
        self.groups = None if rows.group is None else group_codes(evidence)

    def sampler(self, first: Places, metrics: Iterable[Metric]) -> Sampler:
        """Cells are summed by score into a table of thresholds."""
        score, positive = self.rows.scores[first] + 0, self.truth[first].view(bool)
        weight = None if self.weight is None else self.weight[first]
        distinct, place = np.unique(-score, return_inverse=True)
        distinct, place = -distinct + 0, place.reshape(-1)
        losses = SharedLosses(distinct)

        def sample(often: Ints) -> Any:
            counts = often.astype(np.float64) if weight is None else often * weight
            sides = [np.bincount(place[side], counts[side], minlength=len(distinct)) for side in (positive, ~positive)]
            if weight is None:
                sides = [side.astype(np.int64) for side in sides]
            return table_sample(self.rows, losses, *sides)

        return sample


def group_codes(evidence: BinaryEvidence) -> Ints:
    """The group of each row as a number, in the order of their ids; -1 for a row of weight 0, which is none."""
    rows = evidence.rows
    if rows.group is None:
        return np.arange(len(rows))
    kept = np.arange(len(rows)) if rows.weight is None else np.flatnonzero(rows.weight)
    codes = np.full(len(rows), -1, np.int64)
    codes[kept] = np.unique(rows.group.plain().comparable()[kept], return_inverse=True)[1].reshape(-1)
    return codes


class ClassPredictions(Predictions):
    """Predicted classes, or a probability of each."""

    def __init__(self, evidence: MulticlassEvidence) -> None:
        rows = evidence.rows
        self.codes = [] if rows.prediction is None else [rows.prediction.codes]
        self.probabilities = [] if rows.proba is None else list(rows.proba.T)
        super().__init__(evidence, rows, rows.truth.codes, [*self.codes, *self.probabilities])

    @property
    def labels(self) -> NDArray[Any]:
        """The names of the true classes."""
        names: NDArray[Any] = np.array([str(name) for name in self.rows.truth.names])
        labels: NDArray[Any] = names[self.truth]
        return labels

    @property
    def order(self) -> Places:
        """Rows sorted by probabilities, weight, prediction and truth."""
        return np.lexsort((self.truth, *self.codes, *self._weights, *self.probabilities))

    def select(self, chosen: Places) -> MulticlassEvidence:
        """The evidence of some rows."""
        return MulticlassEvidence(self.rows.select(chosen), threads=self.evidence.threads, whole=self.evidence)

    def sampler(self, first: Places, metrics: Iterable[Metric]) -> Sampler:
        """A cell that was drawn three times is a row of weight 3."""
        rows = self.rows.select(first)

        def sample(often: Ints) -> Any:
            kept = np.flatnonzero(often)
            chosen, counts = rows.select(kept), often[kept].astype(np.float64)
            weight = counts if chosen.weight is None else counts * chosen.weight
            weighted = replace(chosen, weight=weight)
            return MulticlassEvidence(weighted, threads=self.evidence.threads, whole=self.evidence)

        return sample


class NumberPredictions(Predictions):
    """Predicted numbers."""

    def __init__(self, rows: NumberRows) -> None:
        super().__init__(rows, rows, rows.true, (rows.predicted,))

    def select(self, chosen: Places, metrics: Iterable[Metric]) -> Any:
        """The evidence of some rows, as the metrics need it."""
        weight = None if self.weight is None else self.weight[chosen]
        rows = NumberRows(self.rows.true[chosen], self.rows.predicted[chosen], weight)
        needs = [need for metric in metrics for need in metric.needs]  # type: ignore[attr-defined]
        return error_evidence(rows, needs, keep_rows=True)

    def sampler(self, first: Places, metrics: Iterable[Metric]) -> Sampler:
        """The row itself, as often as it was drawn: not every metric of numbers takes weights."""
        metrics = list(metrics)
        return lambda often: self.select(np.repeat(first, often), metrics)


def predictions_of(evidence: Any) -> Predictions:
    """The predictions behind some evidence, or rows of numbers."""
    if isinstance(evidence, BinaryEvidence):
        return LabelPredictions(evidence)
    if isinstance(evidence, MulticlassEvidence):
        return ClassPredictions(evidence)
    return NumberPredictions(evidence if isinstance(evidence, NumberRows) else evidence.data)
