"""What follows from counts in cells, a confusion matrix or decisions: what may be behind the counts is drawn, not rows."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats, Places
from pingce.base.interval import Interval
from pingce.base.places import sums_by_place
from pingce.base.records import dataclass
from pingce.evidence.binary.evidence import BinaryEvidence
from pingce.evidence.binary.thresholds import Cells
from pingce.evidence.multiclass.confusion import ConfusionEvidence
from pingce.evidence.multiclass.evidence import MulticlassEvidence
from pingce.scores.values import Value
from pingce.stats.resampling import Resampling, metric_view, normal_z

FEW = 50
"Rows of a cell below which what was counted says too little of what may be: 0 of 6 is not 0 for certain."
HALF = 0.5
"Rows that every class is taken to have besides, right ones and wrong ones.                             [Jeffreys 1946]"
RARE = 3
"Right rows, or wrong ones, up to which they are counted as rare events."
_UNITS = 2.0**40
"Shares are drawn as whole numbers of so many, which add up without rounding."


@dataclass(frozen=True, eq=False)
class CellSums:
    """Σ w and Σ w² of cells: a cell that was drawn varies as Σ w², which without weights is its number of rows."""

    weight: Floats
    square: Floats

    @staticmethod
    def of(cell: Places, count: int, weight: Floats | None) -> CellSums:
        """Sums over rows, whatever their order."""
        if weight is None:
            counts = np.bincount(cell, minlength=count).astype(np.float64)
            return CellSums(counts, counts)
        return CellSums(*(sums_by_place(added, cell, count) for added in (weight, weight * weight)))

    @property
    def row(self) -> float:
        """The weight of a typical row."""
        return float(self.square.sum()) / float(self.weight.sum())

    def counts(self) -> Floats:
        """How many rows of equal weight would say as much."""
        return np.divide(self.weight**2, self.square, out=np.zeros_like(self.weight), where=self.square > 0)

    def scales(self) -> Floats:
        """The weight of each of them."""
        return np.divide(self.square, self.weight, out=np.zeros_like(self.weight), where=self.weight > 0)


@dataclass(frozen=True, eq=False)
class MatrixDraws:
    """Matrices that may be behind a confusion matrix: each class may have half a row more, right and wrong."""

    sums: CellSums
    labels: list[Any]

    @staticmethod
    def of(evidence: MulticlassEvidence) -> MatrixDraws:
        """The matrices that may be behind some rows."""
        rows, size = evidence.rows, len(evidence.labels)
        if rows.prediction is None or rows.weight is None:
            counts = evidence.confusion.matrix.reshape(-1).astype(np.float64)
            return MatrixDraws(CellSums(counts, counts), rows.labels)
        cell = rows.truth.codes * size + rows.prediction.codes
        return MatrixDraws(CellSums.of(cell, size * size, rows.weight), rows.labels)

    @property
    def present(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Which classes are true somewhere, and which are predicted."""
        matrix = self.sums.weight.reshape(len(self.labels), -1)
        return matrix.sum(axis=1) > 0, matrix.sum(axis=0) > 0

    @property
    def has_few(self) -> bool:
        """Whether a class that occurs has few rows that are right, missed or wrongly found."""

        def kinds(sums: Floats) -> Floats:
            matrix = sums.reshape(len(self.labels), -1)
            right = np.diagonal(matrix)
            return np.stack([right, matrix.sum(axis=1) - right, matrix.sum(axis=0) - right])

        by_kind = CellSums(kinds(self.sums.weight), kinds(self.sums.square))
        return bool((by_kind.counts()[:, by_kind.weight.sum(axis=0) > 0] < FEW).any())

    def matrices(self, resampling: Resampling, *, absent: bool) -> Iterator[MulticlassEvidence]:
        """Matrices; with `absent`, what does not occur never will: a class that was not predicted, or not true."""
        random = resampling.random()
        size, cells = len(self.labels), np.flatnonzero(self.sums.weight)
        counts, scales = self.sums.counts()[cells], self.sums.scales()[cells]
        true, predicted = self.present
        rows, columns = (true, predicted) if absent else (true | predicted, true | predicted)
        errors = np.where(np.eye(size, dtype=bool), 0.0, rows[:, None] * columns[None, :])
        errors /= np.maximum(errors.sum(axis=1, keepdims=True), 1.0)
        right, unit = (rows & columns) * self.sums.row, _UNITS / float(self.sums.weight.sum())
        for _ in range(resampling.samples):
            behind, halves = random.standard_gamma(counts), random.standard_gamma(HALF, (2, size))
            matrix = errors * (halves[1] * self.sums.row)[:, None]
            matrix.reshape(-1)[cells] += behind * scales
            matrix[np.diag_indices(size)] += halves[0] * right
            yield MatrixEvidence(ConfusionEvidence(self.labels, np.ceil(matrix * unit).astype(np.int64)))


class MatrixEvidence(MulticlassEvidence):
    """Evidence that is a matrix, or its margins, and nothing else."""

    def __init__(self, matrix: ConfusionEvidence) -> None:
        super().__init__(None)
        self.confusion, self.labels = matrix, matrix.labels


def share_interval(sums: CellSums, confidence: float) -> Interval | None:
    """The interval of a share of rows by the sums of the wrong and of the right ones; None where there are none.

    The shares q with |q - share| ≤ z · √(q (1 - q) / n); of up to three right or wrong rows, no nearer than a count of so
    few allows (Poisson).                                                            [Wilson 1927, Brown et al. 2001]
    """
    from scipy.special import gammaincinv

    total = float(sums.weight.sum())
    if not total:
        return None
    share, rows = float(sums.weight[1]) / total, _share_rows(sums)
    z = normal_z(confidence)
    middle, half = share + z * z / (2 * rows), z * math.sqrt(share * (1 - share) / rows + z * z / (4 * rows * rows))
    ends = [(middle - half) / (1 + z * z / rows), (middle + half) / (1 + z * z / rows)]
    for end, side in enumerate((sums.weight[1], sums.weight[0])):
        counted = rows * float(side) / total
        if counted <= RARE:
            least = float(gammaincinv(counted, 1 - confidence)) / rows if counted else 0.0
            ends[end] = max(ends[1], 1 - least) if end else min(ends[0], least)
    return max(0.0, ends[0]), min(1.0, ends[1])


def _share_rows(sums: CellSums) -> float:
    """How many rows of one weight would make the share as sure as it is; few right or wrong ones weigh what all do."""
    wrong, right = (float(weight) for weight in sums.weight)
    wrong_squares, right_squares = (float(square) for square in sums.square)
    total = wrong + right
    if sums.counts().min() < FEW:
        return total * total / (wrong_squares + right_squares)
    return right * wrong / ((wrong / total) ** 2 * right_squares + (right / total) ** 2 * wrong_squares)


def division_interval(value: Value, evidence: BinaryEvidence, confidence: float) -> Interval | None:
    """The interval of a decision that is a share of some cells; None where it is something else."""
    top, bottom = (names.split() for names in value.metric.division)
    if not top:
        return None
    sums, cells = decision_sums(value, evidence), ("tp", "fp", "tn", "fn")
    within = [[cell in bottom and (cell in top) is right for cell in cells] for right in (False, True)]
    both = [[float(column[of].sum()) for of in np.array(within)] for column in (sums.weight, sums.square)]
    return share_interval(CellSums(*np.array(both)), confidence)


def decision_draws(value: Value, evidence: BinaryEvidence, resampling: Resampling) -> Floats:
    """Draws of a decision, which knows four cells only: no table is made.

    Where a cell has few rows, shares are drawn that may be behind the counts (half a row added to each), not counts.
    """
    metric, weight, samples = value.metric, evidence.rows.weight, resampling.samples
    cells = metric_view(value, evidence).cells
    if math.isnan(metric.of(cells)):
        return np.full(samples, np.nan)
    if weight is None:
        often = _cells_behind(np.array([cells.tp, cells.fp, cells.tn, cells.fn]), resampling)
    else:
        sums = decision_sums(value, evidence)
        random = resampling.random()
        often = random.standard_gamma(sums.counts(), (samples, 4)) * sums.scales()
        if sums.counts().min() < FEW:
            often += random.standard_gamma(HALF, often.shape) * sums.row
        often /= often.sum(axis=1, keepdims=True)
    return np.array([metric.of(Cells(*draw)) for draw in often.tolist()])


def decision_sums(value: Value, evidence: BinaryEvidence) -> CellSums:
    """TP, FP, TN and FN."""
    if evidence.rows.weight is not None:
        return CellSums.of(decision_cells(value, evidence), 4, evidence.rows.weight)
    cells = metric_view(value, evidence).cells
    counts = np.array([cells.tp, cells.fp, cells.tn, cells.fn], np.float64)
    return CellSums(counts, counts)


def decision_cells(value: Value, evidence: BinaryEvidence) -> Places:
    """The cell of each row: TP, FP, TN and FN as 0 to 3."""
    positive, chosen = evidence.rows.positive.view(bool), decisions(value, evidence)
    return np.where(positive, np.where(chosen, 0, 3), np.where(chosen, 1, 2))


def decisions(value: Value, evidence: BinaryEvidence) -> NDArray[np.bool_]:
    """Whether each row is called positive."""
    view, scores = metric_view(value, evidence), evidence.rows.scores
    limit = scores.dtype.type(view.threshold)
    return np.asarray(scores >= limit if view.policies.compare == "ge" else scores > limit)


def _cells_behind(counts: NDArray[np.int64], resampling: Resampling, *, few: int = FEW) -> NDArray[Any]:
    """Counts drawn anew, or where some are few, shares that may be behind them."""
    random = resampling.random()
    if counts.min() < few:
        return random.dirichlet(counts + HALF, size=resampling.samples)
    return random.multinomial(int(counts.sum()), counts / counts.sum(), size=resampling.samples)


def decision_differences(
    pair: tuple[Value, Value], first: BinaryEvidence, second: BinaryEvidence, resampling: Resampling
) -> tuple[Floats, bool]:
    """Draws of the difference of two decisions: with the label they make eight cells, drawn for all samples at once.

    And whether a cell has few rows, so that shares were drawn that may be behind the counts. Two models that are the
    same have cells that will never have any.
    """
    code = first.rows.positive.astype(np.int64)
    for value, evidence in zip(pair, (first, second), strict=True):
        code = 2 * code + decisions(value, evidence)
    counts, few = np.bincount(code, minlength=8), 0 if np.array_equal(first.rows.scores, second.rows.scores) else FEW
    often = _cells_behind(counts, resampling, few=few).reshape(-1, 2, 2, 2)
    values, others = (
        np.array([value.metric.of(Cells(tp, fp, tn, fn)) for (tn, fp), (fn, tp) in often.sum(axis=axis).tolist()])
        for value, axis in zip(pair, (3, 2), strict=True)
    )
    return values - others, bool(counts.min() < few)
