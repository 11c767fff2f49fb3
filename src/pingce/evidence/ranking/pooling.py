"""The best that a monotone recalibration could do: pool-adjacent-violators on the table of thresholds."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from pingce.base.core import native_core
from pingce.base.exact import Floats

if TYPE_CHECKING:
    from pingce.evidence.binary.thresholds import ThresholdEvidence


def pools(table: ThresholdEvidence) -> tuple[Floats, Floats]:
    """Positives and rows of each pool, from the highest score down: their shares of positives fall."""
    positives, negatives = (column.astype(np.float64) for column in table.at)
    rows = positives + negatives
    core = native_core()
    return core.pool(positives, rows) if core is not None else pools_by_reference(positives, rows)


def pools_by_reference(positives: Floats, rows: Floats) -> tuple[Floats, Floats]:
    """Runs of neighbours whose shares rise are pooled, all at once, until none is left.

    Sums of fractions are rounded, and so depend on their order: these are made one by one, as the core makes them.
    """
    if not _whole(positives, rows):
        return _pools_one_by_one(positives.tolist(), rows.tolist())
    while True:
        rises = positives[:-1] * rows[1:] < positives[1:] * rows[:-1]
        if not rises.any():
            return positives, rows
        starts = np.flatnonzero(np.concatenate([[True], ~rises]))
        positives, rows = np.add.reduceat(positives, starts), np.add.reduceat(rows, starts)


def _whole(*columns: Floats) -> bool:
    """Whether all sums are whole numbers that doubles hold."""
    return all(bool((column == np.floor(column)).all()) and float(column.sum()) < 1 << 53 for column in columns)


def _pools_one_by_one(positives: list[float], rows: list[float]) -> tuple[Floats, Floats]:
    """Pool neighbours: each joins the pools before it while shares rise."""
    sums: list[tuple[float, float]] = []
    for few, count in zip(positives, rows, strict=True):
        last = (few, count)
        while sums and sums[-1][0] * last[1] < last[0] * sums[-1][1]:
            before = sums.pop()
            last = (before[0] + last[0], before[1] + last[1])
        sums.append(last)
    pools = np.array(sums, np.float64).reshape(-1, 2)
    return pools[:, 0].copy(), pools[:, 1].copy()


def pooled_loss(table: ThresholdEvidence) -> float:
    """L*: the mean log loss if each pool were predicted its own share of positives."""
    positives, rows = pools(table)
    mixed = (positives > 0) & (positives < rows)
    rarer = np.minimum(positives, rows - positives)[mixed]
    # The logarithm of what is nearly 1 by what it lacks: nothing is lost.
    total = math.fsum(
        -(few * math.log(few / n) + (n - few) * math.log1p(-few / n))
        for few, n in zip(rarer.tolist(), rows[mixed].tolist(), strict=True)
    )
    return total / float(rows.sum())
