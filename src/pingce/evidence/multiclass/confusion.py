"""Confusion evidence: how many rows of each true class were predicted as each class."""

from __future__ import annotations

import json
from math import fsum
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.lazy import pa
from pingce.base.records import dataclass
from pingce.evidence import soundness as sound
from pingce.evidence.binary.thresholds import Cells
from pingce.evidence.soundness import demand

if TYPE_CHECKING:
    from pingce.inputs.classes import Classes

_COLUMNS = {
    "cell": sound.Column("int64", (sound.COUNT, sound.ASCENDING)),
    "rows": sound.Column("int64 float64", (sound.AMOUNT,)),
}
MOST_CLASSES = 20_000
"A matrix of so many classes takes 3 GB."


@dataclass(frozen=True, eq=False)
class ConfusionEvidence:
    """Rows are true classes, columns predicted ones: counts, or sums of weights."""

    labels: list[Any]
    matrix: NDArray[Any]

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def true(self) -> NDArray[Any]:
        """Rows of each true class: its support."""
        counts: NDArray[Any] = self.matrix.sum(axis=1)
        return counts

    @property
    def predicted(self) -> NDArray[Any]:
        """Rows predicted as each class."""
        counts: NDArray[Any] = self.matrix.sum(axis=0)
        return counts

    @property
    def right(self) -> NDArray[Any]:
        """Rows of each class that were predicted as such."""
        return np.diagonal(self.matrix)

    @property
    def all_right(self) -> float:
        """Rows that were predicted as what they are."""
        return _sum(self.right)

    @property
    def total(self) -> float:
        """All rows."""
        return _sum(self.matrix)

    @property
    def present(self) -> NDArray[np.bool_]:
        """Classes that occur, in truth or prediction."""
        return (self.true > 0) | (self.predicted > 0)

    def cells(self) -> Cells:
        """The cells of each class against all others."""
        tp = self.right
        fp, fn = self.predicted - tp, self.true - tp
        return Cells(tp, fp, self.total - tp - fp - fn, fn)

    def select(self, chosen: NDArray[Any]) -> ConfusionEvidence:
        """The matrix of some classes."""
        places = np.flatnonzero(chosen) if chosen.dtype == bool else chosen
        return ConfusionEvidence([self.labels[i] for i in places.tolist()], self.matrix[np.ix_(places, places)])

    def merge(self, other: ConfusionEvidence) -> ConfusionEvidence:
        """The evidence of both sets of rows together; classes of one that the other lacks are added."""
        kinds = [{type(label) for label in piece.labels} for piece in (self, other)]
        if all(kinds) and kinds[0] - kinds[1]:
            raise InputError(
                "string and integer labels cannot be merged; make them alike", "字符串与整数标签不能合并；请统一类型"
            )
        if self.labels == other.labels:
            return ConfusionEvidence(self.labels, self.matrix + other.matrix)
        labels = sorted({*self.labels, *other.labels})
        place = {label: i for i, label in enumerate(labels)}
        matrix = np.zeros((len(labels), len(labels)), np.result_type(self.matrix, other.matrix))
        for piece in (self, other):
            at = [place[label] for label in piece.labels]
            matrix[np.ix_(at, at)] += piece.matrix
        return ConfusionEvidence(labels, matrix)

    def to_arrow(self) -> pa.Table:
        """The cells that are not 0, for of many classes most are; `from_arrow` gives the same evidence back."""
        flat = self.matrix.reshape(-1)
        places = np.flatnonzero(flat)
        labels = json.dumps(self.labels, ensure_ascii=False)
        return sound.stamped({"cell": places, "rows": flat[places]}, "confusion_cells", labels=labels)

    @staticmethod
    def from_arrow(table: pa.Table) -> ConfusionEvidence:
        """The evidence that `to_arrow` wrote."""
        labels = sound.checked_json(sound.checked_table(table, "confusion_cells").get("labels"), sound.LABELS, "labels")
        demand(len(labels) <= MOST_CLASSES, "there are too many classes", "类别过多")
        columns = sound.checked_columns(table, _COLUMNS)
        cells, rows = columns["cell"], columns["rows"]
        demand(not len(cells) or cells[-1] < len(labels) ** 2, "a cell lies outside the matrix", "有单元格在矩阵之外")
        flat = np.zeros(len(labels) ** 2, rows.dtype)
        flat[cells] = rows
        return ConfusionEvidence(labels, flat.reshape(len(labels), len(labels)))


def _sum(counts: NDArray[Any]) -> float:
    """Rounded once, so that the parts are never more than the whole."""
    total: float = fsum(counts[counts != 0].tolist()) if counts.dtype.kind == "f" else counts.sum().item()
    return total


def confusion_evidence(
    truth: Classes, prediction: Classes, weight: NDArray[np.float64] | None = None
) -> ConfusionEvidence:
    """Every row counted in its cell."""
    size = len(truth.names)
    if size > MOST_CLASSES:
        raise InputError(
            f"{size} classes: a confusion matrix holds at most {MOST_CLASSES}; are these ids rather than labels?",
            f"共 {size} 个类别：混淆矩阵最多 {MOST_CLASSES} 个；这些是否是编号而非标签？",
        )
    cell = truth.codes * size + prediction.codes
    if weight is not None and (weight != np.floor(weight)).any():
        order = np.lexsort((weight, cell))  # smallest first, so that the order of rows changes no bit
        cell, weight = cell[order], weight[order]
    counts = np.bincount(cell, weights=weight, minlength=size * size)
    return ConfusionEvidence(truth.names, counts.reshape(size, size))
