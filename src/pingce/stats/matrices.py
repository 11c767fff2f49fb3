"""Intervals of what follows from counts in cells: matrices that may be behind the counts are drawn, not counts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats
from pingce.evidence.multiclass.confusion import ConfusionEvidence
from pingce.evidence.multiclass.evidence import MulticlassEvidence
from pingce.stats.resampling import Resampling

Interval = tuple[float, float]


FEW = 50
"Rows of a cell below which what was counted says too little of what may be: 0 of 6 is not 0 for certain."
HALF = 0.5
"Rows that every class is taken to have besides, right ones and wrong ones.                             [Jeffreys 1946]"
_UNITS = 2.0**40
"Shares are drawn as whole numbers of so many, which add up without rounding."


@dataclass(frozen=True, eq=False)
class CellSums:
    """Σ w and Σ w² of cells: a cell that was drawn varies as Σ w², which without weights is its number of rows."""

    weight: Floats
    square: Floats

    @staticmethod
    def of(cell: NDArray[np.intp], count: int, weight: Floats | None) -> CellSums:
        """Sums over rows; the smallest weight first, so that the order of rows changes no bit."""
        if weight is None:
            counts = np.bincount(cell, minlength=count).astype(np.float64)
            return CellSums(counts, counts)
        order = np.lexsort((weight, cell))
        cell, weight = cell[order], weight[order]
        return CellSums(
            np.bincount(cell, weight, minlength=count).astype(np.float64),
            np.bincount(cell, weight * weight, minlength=count).astype(np.float64),
        )

    @property
    def row(self) -> float:
        """The weight of a typical row."""
        return float(self.square.sum()) / float(self.weight.sum())

    def counts(self) -> Floats:
        """How many rows of equal weight would say as much."""
        return np.divide(self.weight**2, self.square, out=np.zeros(len(self.weight)), where=self.square > 0)

    def scales(self) -> Floats:
        """The weight of each of them."""
        return np.divide(self.square, self.weight, out=np.zeros(len(self.weight)), where=self.weight > 0)


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
        return MatrixDraws(
            CellSums.of(rows.truth.codes * size + rows.prediction.codes, size * size, rows.weight), rows.labels
        )

    @property
    def matrix(self) -> Floats:
        """Σ w of each cell."""
        return self.sums.weight.reshape(len(self.labels), -1)

    @property
    def has_few(self) -> bool:
        """Whether a class that occurs has few rows that are right, missed or wrongly found."""
        size = len(self.labels)
        weight, square = (sums.reshape(size, size) for sums in (self.sums.weight, self.sums.square))
        kinds = []
        for sums in (weight, square):
            right = np.diagonal(sums)
            kinds.append(np.stack([right, sums.sum(axis=1) - right, sums.sum(axis=0) - right]))
        counts = np.divide(kinds[0] ** 2, kinds[1], out=np.zeros_like(kinds[0]), where=kinds[1] > 0)
        present = kinds[0].sum(axis=0) > 0
        return bool((counts[:, present] < FEW).any())

    def may_be_absent(self) -> bool:
        """Whether a class occurs in truth alone or in predictions alone, by chance or for good."""
        return bool(((self.matrix.sum(axis=0) > 0) != (self.matrix.sum(axis=1) > 0)).any())

    def matrices(self, resampling: Resampling, *, absent: bool) -> Iterator[MulticlassEvidence]:
        """Matrices; with `absent`, what does not occur never will: a class that was not predicted, or not true."""
        random = resampling.random()
        size, cells = len(self.labels), np.flatnonzero(self.sums.weight)
        counts, scales = self.sums.counts()[cells], self.sums.scales()[cells]
        true, predicted = self.matrix.sum(axis=1) > 0, self.matrix.sum(axis=0) > 0
        rows, columns = (true, predicted) if absent else (true | predicted, true | predicted)
        errors = np.where(np.eye(size, dtype=bool), 0.0, rows[:, None] * columns[None, :])
        errors /= np.maximum(errors.sum(axis=1, keepdims=True), 1.0)
        right, unit = (rows & columns) * self.sums.row, _UNITS / float(self.sums.weight.sum())
        for _ in range(resampling.samples):
            behind, halves = random.standard_gamma(counts), random.standard_gamma(HALF, (2, size))
            matrix = errors * (halves[1] * self.sums.row)[:, None]
            matrix.reshape(-1)[cells] += behind * scales
            matrix[np.diag_indices(size)] += halves[0] * right
            yield _MatrixEvidence(ConfusionEvidence(self.labels, np.ceil(matrix * unit).astype(np.int64)))


class _MatrixEvidence(MulticlassEvidence):
    """Evidence that is a matrix and nothing else."""

    def __init__(self, matrix: ConfusionEvidence) -> None:
        super().__init__(None)
        self.confusion = matrix

    @property
    def labels(self) -> list[Any]:
        """All classes."""
        return self.confusion.labels


def share_interval(right: NDArray[np.bool_], weight: Floats | None, confidence: float) -> Interval | None:
    """The interval of a share of rows where few are right, or few wrong; None where both are many. [Brown et al. 2001]"""
    from scipy.special import betaincinv

    sums = CellSums.of(right.astype(np.intp), 2, weight)
    wrong, count = sums.counts().tolist()
    if min(wrong, count) >= FEW:
        return None
    share, rows = float(sums.weight[1] / sums.weight.sum()), float(sums.weight.sum()) / sums.row
    ends = [
        float(betaincinv(rows * share + HALF, rows * (1 - share) + HALF, end))
        for end in ((1 - confidence) / 2, (1 + confidence) / 2)
    ]
    return (0.0 if not share else ends[0]), (1.0 if share == 1 else ends[1])


def shares_behind(sums: CellSums, samples: int, random: np.random.Generator) -> Floats:
    """Shares of cells that may be behind their sums, a row per draw; half a row is added to each cell."""
    shares: Floats = random.standard_gamma(sums.counts(), (samples, len(sums.weight))) * sums.scales()
    shares += random.standard_gamma(HALF, shares.shape) * sums.row
    shares /= shares.sum(axis=1, keepdims=True)
    return shares
