"""Decisions at a threshold: four cells are all they know, so that cells are drawn and not rows."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.evidence.binary.thresholds import Cells
from pingce.stats.matrices import FEW, CellSums, shares_behind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pingce.evidence.binary.evidence import BinaryEvidence
    from pingce.scores.base import Value

    Floats = NDArray[np.float64]


def decision_draws(value: Value, evidence: BinaryEvidence, samples: int, seed: int) -> Floats | None:
    """A decision knows four cells only: these are drawn, and no table is made; None for many rows with weights.

    Where a cell has few rows, shares are drawn that may be behind the counts (half a row added to each), not counts.
    """
    view = evidence.seen(value.policies)  # type: ignore[arg-type]
    metric: Any = value.metric
    random = np.random.Generator(np.random.PCG64(seed))
    if math.isnan(metric.of(view.cells)):
        return np.full(samples, np.nan)
    if evidence.rows.weight is not None:
        sums = _cell_sums(evidence, view)
        often: NDArray[Any] = shares_behind(sums, samples, random)
        return _decided(metric, often) if sums.counts().min() < FEW else None
    cells = np.array([view.cells.tp, view.cells.fp, view.cells.tn, view.cells.fn])
    if cells.min() < FEW:
        often = random.dirichlet(cells + 0.5, size=samples)
    else:
        often = random.multinomial(int(cells.sum()), cells / cells.sum(), size=samples)
    return _decided(metric, often)


def _decided(metric: Any, often: NDArray[Any]) -> Floats:
    return np.array([metric.of(Cells(*cells)) for cells in often.tolist()])


def _cell_sums(evidence: BinaryEvidence, view: Any) -> CellSums:
    """Rows with weights in the cells of a decision: tp, fp, tn, fn."""
    rows = evidence.rows
    limit = rows.scores.dtype.type(view.threshold)
    chosen = rows.scores >= limit if view.policies.compare == "ge" else rows.scores > limit
    cell = np.where(rows.positive.view(bool), np.where(chosen, 0, 3), np.where(chosen, 1, 2))
    return CellSums.of(cell, 4, rows.weight)
