"""A confusion matrix as a thing to show: counts, shares, a table, a heat map."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import refuse_other
from pingce.base.exact import Floats
from pingce.base.lazy import pa
from pingce.base.records import dataclass
from pingce.base.tables import ArrowColumns
from pingce.base.text import Language
from pingce.curves.base import divided

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from pingce.evidence.binary.thresholds import Cells
    from pingce.evidence.multiclass.confusion import ConfusionEvidence

BOTTOMS = ("true", "predicted", "all")
"Of what shares are: the rows of a true class, those predicted as a class, all."


@dataclass(frozen=True, eq=False)
class ConfusionMatrix(ArrowColumns):
    """True classes are rows, predicted ones columns; counts are integers, or sums of weights."""

    kind: ClassVar[str] = "confusion_matrix"

    labels: tuple[Any, ...]
    counts: NDArray[Any]
    model: str = "model"
    decision: str = ""
    "How rows were predicted, such as ≥ 0.5."

    @staticmethod
    def of(evidence: ConfusionEvidence, model: str = "model") -> ConfusionMatrix:
        """The matrix of classes."""
        counts = evidence.matrix
        if counts.dtype.kind == "f" and bool((counts == np.floor(counts)).all()) and counts.max() < 2.0**53:
            counts = counts.astype(np.int64)
        return ConfusionMatrix(tuple(evidence.labels), counts, model)

    @staticmethod
    def of_cells(cells: Cells, labels: Sequence[Any], model: str = "model", decision: str = "") -> ConfusionMatrix:
        """That of one decision; of the labels the positive one comes first."""
        counts = np.array([[cells.tp, cells.fn], [cells.fp, cells.tn]])
        return ConfusionMatrix(tuple(labels), counts, model, decision)

    def __len__(self) -> int:
        return len(self.labels)

    def normalized(self, by: str = "true") -> Floats:
        """Shares of the rows of each true class, of those predicted as each class, or of all; NaN of nothing."""
        refuse_other("normalize", by, BOTTOMS)
        axis = {"true": 1, "predicted": 0, "all": None}[by]
        return divided(self.counts, self.counts.sum(axis=axis, keepdims=True))

    @property
    def table(self) -> pa.Table:
        """One row a cell: true, predicted, rows, and the shares of the true class, of the predicted one, of all."""
        size = len(self)
        columns: dict[str, list[Any] | NDArray[Any]] = {
            "true": [label for label in self.labels for _ in range(size)],
            "predicted": list(self.labels) * size,
            "rows": self.counts.ravel(),
        }
        columns |= {f"of_{by}": self.normalized(by).ravel() for by in BOTTOMS}
        return pa.table(columns)

    def plot(
        self,
        *,
        normalize: str | None = None,
        ax: Axes | None = None,
        path: str | os.PathLike[str] | None = None,
        language: Language | None = None,
    ) -> Figure:
        """A heat map of shares (`normalize`, by default of the true class) with the counts in its cells."""
        from pingce.curves.plot import draw

        return draw(path, ax, lambda drawing: drawing.figure_of_matrix(self, normalize or "true", ax, language))
