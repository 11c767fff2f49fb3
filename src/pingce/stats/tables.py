"""Rows drawn again and again, as tables of thresholds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats
from pingce.evidence.binary.evidence import BinaryEvidence, TableEvidence
from pingce.evidence.binary.reference import losses_of_sides
from pingce.evidence.binary.thresholds import ThresholdEvidence
from pingce.stats.resampling import Resampling

if TYPE_CHECKING:
    from pingce.inputs.binary import BinaryRows

    "Positive and negative rows of each score, one draw after the other."

Draw = Callable[[np.random.Generator], "tuple[NDArray[Any], NDArray[Any]]"]


class SharedLosses:
    """Losses of the distinct scores, computed once for all samples."""

    def __init__(self, score: NDArray[Any]) -> None:
        self.score = score
        self._sides: dict[float, tuple[Floats, Floats]] = {}

    def __call__(self, epsilon: float) -> tuple[Floats, Floats]:
        """Losses of a negative and of a positive row with each score."""
        if epsilon not in self._sides:
            self._sides[epsilon] = losses_of_sides(self.score, epsilon)
        return self._sides[epsilon]


def table_sample(
    rows: BinaryRows, losses: SharedLosses, positives: NDArray[Any], negatives: NDArray[Any]
) -> TableEvidence:
    """Evidence of a table with so many positive and negative rows of each score."""
    kept = (positives > 0) | (negatives > 0)
    table = ThresholdEvidence(losses.score[kept], np.cumsum(positives[kept]), np.cumsum(negatives[kept]))

    def of_kept(epsilon: float) -> tuple[Floats, Floats]:
        negative, positive = losses(epsilon)
        return negative[kept], positive[kept]

    return TableEvidence(table, rows, losses=of_kept, rounded=True)


def drawn_tables(
    evidence: BinaryEvidence, resampling: Resampling, groups: NDArray[np.int64] | None = None
) -> Iterator[TableEvidence]:
    """Tables of as many rows as there are, drawn again and again; with `groups`, of as many groups, with all their rows."""
    rows, random = evidence.rows, resampling.random()
    by_cell = rows.weight is None and groups is None
    score, draw = _cell_draw(evidence) if by_cell else _row_draw(evidence, groups)
    losses = SharedLosses(score)
    for _ in range(resampling.samples):
        yield table_sample(rows, losses, *draw(random))


def _cell_draw(evidence: BinaryEvidence) -> tuple[NDArray[Any], Draw]:
    """Draw as many rows as there are from the cells of the table."""
    table = evidence.thresholds
    cells = np.concatenate(table.at)
    total = int(cells.sum())
    share = cells / total

    def draw(random: np.random.Generator) -> tuple[NDArray[Any], NDArray[Any]]:
        often = random.multinomial(total, share)
        return often[: len(table)], often[len(table) :]

    return table.score, draw


def _row_draw(evidence: BinaryEvidence, groups: NDArray[np.int64] | None) -> tuple[NDArray[Any], Draw]:
    """Draw as many groups as there are, or rows of a weight; rows are sorted first: their order must not matter."""
    rows = evidence.rows
    weights = np.ones(len(rows)) if rows.weight is None else rows.weight
    codes = np.zeros(len(rows), np.int64) if groups is None else groups
    order = np.lexsort((weights, codes, rows.positive, -rows.scores))
    order = order[weights[order] > 0] if groups is None else order[codes[order] >= 0]
    code = np.arange(len(order)) if groups is None else codes[order]
    score, positive, weight = rows.scores[order], rows.positive[order].view(bool), weights[order]
    starts = np.flatnonzero(np.concatenate([[True], score[1:] != score[:-1]]))
    sides = [np.where(side, weight, 0.0) for side in (positive, ~positive)]
    count = int(code.max()) + 1
    share = np.full(count, 1 / count)

    def draw(random: np.random.Generator) -> tuple[NDArray[Any], NDArray[Any]]:
        often = random.multinomial(count, share)[code]
        positives, negatives = (np.add.reduceat(side * often, starts) for side in sides)
        if rows.weight is None:
            return positives.astype(np.int64), negatives.astype(np.int64)
        return positives, negatives

    return score[starts], draw
