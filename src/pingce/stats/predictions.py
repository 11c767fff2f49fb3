"""What a model predicted for rows, whatever the task: columns to sort and compare by, and evidence of rows drawn anew."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats, Ints, Places
from pingce.evidence.binary.evidence import BinaryEvidence, TableEvidence
from pingce.evidence.binary.reference import losses_of_sides
from pingce.evidence.binary.thresholds import ThresholdEvidence
from pingce.evidence.multiclass.evidence import MulticlassEvidence
from pingce.evidence.regression.evidence import error_evidence
from pingce.inputs.binary import BinaryRows
from pingce.inputs.regression import NumberRows
from pingce.metrics.declared import Metric
from pingce.stats.areas import group_codes
from pingce.stats.resampling import Resampling

Sampler = Callable[[Ints], Any]
"The evidence where each joint cell was drawn so often."


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
        self.weights = [] if rows.weight is None else [rows.weight]

    @property
    def labels(self) -> NDArray[Any]:
        """The truth of each row as two models can compare it."""
        return self.truth

    @property
    def conditions(self) -> list[NDArray[Any]]:
        """What all models share of a row: weight and truth."""
        return [*self.weights, self.truth]

    @property
    def order(self) -> Places:
        """Rows sorted by all that is known of them, so that the order they came in does not matter."""
        return np.lexsort((self.truth, *self.columns, *self.weights))

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
        table = _TableSampler(self.rows, distinct)

        def sample(often: Ints) -> Any:
            counts = often.astype(np.float64) if weight is None else often * weight
            return table(
                *(np.bincount(place[side], counts[side], minlength=len(distinct)) for side in (positive, ~positive))
            )

        return sample


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
        names: NDArray[Any] = np.array([str(name) for name in self.rows.truth.names])[self.truth]
        return names

    @property
    def order(self) -> Places:
        """Rows sorted by probabilities, weight, prediction and truth."""
        return np.lexsort((self.truth, *self.codes, *self.weights, *self.probabilities))

    def select(self, chosen: Places, _: Iterable[Metric] = ()) -> MulticlassEvidence:
        """The evidence of some rows."""
        return self._evidence(self.rows.select(chosen))

    def _evidence(self, rows: Any) -> MulticlassEvidence:
        return MulticlassEvidence(rows, threads=self.evidence.threads, whole=self.evidence)

    def sampler(self, first: Places, metrics: Iterable[Metric]) -> Sampler:
        """A cell that was drawn three times is a row of weight 3."""
        rows = self.rows.select(first)

        def sample(often: Ints) -> Any:
            kept = np.flatnonzero(often)
            chosen, counts = rows.select(kept), often[kept].astype(np.float64)
            return self._evidence(replace(chosen, weight=counts if self.weight is None else counts * chosen.weight))

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
        return lambda often: self.select(np.repeat(first, often), metrics)


def predictions_of(evidence: Any) -> Predictions:
    """The predictions behind some evidence, or rows of numbers."""
    if isinstance(evidence, BinaryEvidence):
        return LabelPredictions(evidence)
    if isinstance(evidence, MulticlassEvidence):
        return ClassPredictions(evidence)
    return NumberPredictions(evidence if isinstance(evidence, NumberRows) else evidence.data)


class _TableSampler:
    """Evidence of tables with other numbers of rows of each score; losses of the scores are computed once for all."""

    def __init__(self, rows: BinaryRows, score: NDArray[Any]) -> None:
        self.rows, self.score = rows, score
        self.losses = cache(partial(losses_of_sides, score))

    def __call__(self, *sides: NDArray[Any]) -> TableEvidence:
        """The table of so many positive and so many negative rows of each score, or of such weights."""
        if self.rows.weight is None:
            sides = tuple(side.astype(np.int64, copy=False) for side in sides)
        positives, negatives = sides
        kept = (positives > 0) | (negatives > 0)
        table = ThresholdEvidence(self.score[kept], np.cumsum(positives[kept]), np.cumsum(negatives[kept]))

        def losses(epsilon: float) -> tuple[Floats, Floats]:
            negative, positive = self.losses(epsilon)
            return negative[kept], positive[kept]

        return TableEvidence(table, self.rows, losses=losses, rounded=True)


def drawn_tables(
    evidence: BinaryEvidence, resampling: Resampling, groups: Ints | None = None
) -> Iterator[TableEvidence]:
    """Tables of as many rows as there are, drawn again and again; with `groups`, of as many groups, with all their rows."""
    random = resampling.random()
    if evidence.rows.weight is not None or groups is not None:
        yield from _row_tables(evidence, groups, random, resampling.samples)
        return
    table = evidence.thresholds
    cells = np.concatenate(table.at)
    total = int(cells.sum())
    share, sample = cells / total, _TableSampler(evidence.rows, table.score)
    for _ in range(resampling.samples):
        often = random.multinomial(total, share)
        yield sample(often[: len(table)], often[len(table) :])


def _row_tables(
    evidence: BinaryEvidence, groups: Ints | None, random: np.random.Generator, samples: int
) -> Iterator[TableEvidence]:
    """As many groups as there are, or rows of a weight; rows are sorted first: their order must not matter."""
    rows = evidence.rows
    weights = np.ones(len(rows)) if rows.weight is None else rows.weight
    codes = np.zeros(len(rows), np.int64) if groups is None else groups
    order = np.lexsort((weights, codes, rows.positive, -rows.scores))
    order = order[weights[order] > 0] if groups is None else order[codes[order] >= 0]
    code = np.arange(len(order)) if groups is None else codes[order]
    score, positive, weight = rows.scores[order], rows.positive[order].view(bool), weights[order]
    starts = np.flatnonzero(np.concatenate([[True], score[1:] != score[:-1]]))
    sides = [np.where(side, weight, 0.0) for side in (positive, ~positive)]
    count, sample = int(code.max()) + 1, _TableSampler(rows, score[starts])
    share = np.full(count, 1 / count)
    for _ in range(samples):
        often = random.multinomial(count, share)[code]
        yield sample(*(np.add.reduceat(side * often, starts) for side in sides))
