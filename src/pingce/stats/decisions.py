"""Decisions at a threshold: four cells are all they know, so that cells are drawn and not rows."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats
from pingce.evidence.binary.evidence import BinaryEvidence
from pingce.evidence.binary.thresholds import Cells
from pingce.scores.values import Value
from pingce.stats.draws import metric_view
from pingce.stats.matrices import FEW, HALF, CellSums, shares_behind
from pingce.stats.resampling import Resampling


def decision_draws(value: Value, evidence: BinaryEvidence, resampling: Resampling) -> Floats | None:
    """Draws of a decision, which knows four cells only: no table is made; None for many rows with weights.

    Where a cell has few rows, shares are drawn that may be behind the counts (half a row added to each), not counts.
    """
    metric: Any = value.metric
    view, samples, random = metric_view(value, evidence), resampling.samples, resampling.random()
    if math.isnan(metric.of(view.cells)):
        return np.full(samples, np.nan)
    if evidence.rows.weight is not None:
        positive, chosen = evidence.rows.positive.view(bool), decided(value, evidence)
        cell = np.where(positive, np.where(chosen, 0, 3), np.where(chosen, 1, 2))
        sums = CellSums.of(cell, 4, evidence.rows.weight)
        if sums.counts().min() >= FEW:
            return None
        often: NDArray[Any] = shares_behind(sums, samples, random)
    else:
        counts = np.array([view.cells.tp, view.cells.fp, view.cells.tn, view.cells.fn])
        often = _cells_behind(counts, samples, random)
    return np.array([metric.of(Cells(*cells)) for cells in often.tolist()])


def decided(value: Value, evidence: BinaryEvidence) -> NDArray[np.bool_]:
    """Whether each row is called positive."""
    view, scores = metric_view(value, evidence), evidence.rows.scores
    limit = scores.dtype.type(view.threshold)
    return np.asarray(scores >= limit if view.policies.compare == "ge" else scores > limit)


def _cells_behind(counts: NDArray[np.int64], samples: int, random: np.random.Generator) -> NDArray[Any]:
    """Counts drawn anew, or where some are few, shares that may be behind them."""
    if counts.min() < FEW:
        return random.dirichlet(counts + HALF, size=samples)
    return random.multinomial(int(counts.sum()), counts / counts.sum(), size=samples)


def decision_differences(
    pair: tuple[Value, Value], first: BinaryEvidence, second: BinaryEvidence, resampling: Resampling
) -> Floats:
    """Draws of the difference of two decisions: with the label they make eight cells, drawn for all samples at once."""
    code = first.rows.positive.astype(np.int64)
    for value, evidence in zip(pair, (first, second), strict=True):
        code = 2 * code + decided(value, evidence)
    counts, random = np.bincount(code, minlength=8), resampling.random()
    if np.array_equal(first.rows.scores, second.rows.scores):
        often: NDArray[Any] = random.multinomial(len(code), counts / counts.sum(), size=resampling.samples)
    else:
        often = _cells_behind(counts, resampling.samples, random)
    often = often.reshape(-1, 2, 2, 2)
    columns = [_decision_values(value, often.sum(axis=axis)) for value, axis in zip(pair, (3, 2), strict=True)]
    return columns[0] - columns[1]


def _decision_values(value: Value, often: NDArray[Any]) -> Floats:
    """The metric of each draw, from its cells by label and decision."""
    metric: Any = value.metric
    return np.array([metric.of(Cells(tp, fp, tn, fn)) for (tn, fp), (fn, tp) in often.tolist()])
