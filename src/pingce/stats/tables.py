"""Rows drawn again and again, as tables of thresholds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.evidence.binary.evidence import BinaryEvidence, TableEvidence
from pingce.evidence.binary.thresholds import ThresholdEvidence

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def drawn_tables(evidence: BinaryEvidence, samples: int, seed: int) -> Iterator[TableEvidence]:
    """Tables of as many rows as there are, drawn again and again."""
    rows, random = evidence.rows, np.random.Generator(np.random.PCG64(seed))
    draw = _weighted_draw(evidence) if rows.weight is not None else _counted_draw(evidence)
    known: dict[float, tuple[Floats, Floats]] = {}
    for _ in range(samples):
        score, positives, negatives = draw(random)
        kept = (positives > 0) | (negatives > 0)
        table = ThresholdEvidence(score[kept], np.cumsum(positives[kept]), np.cumsum(negatives[kept]))
        yield TableEvidence(table, rows, losses=SharedLosses(score, kept, known), rounded=True)


class SharedLosses:
    """Losses of the distinct scores, computed once for all samples."""

    def __init__(self, score: NDArray[Any], kept: NDArray[np.bool_], known: dict[float, tuple[Floats, Floats]]) -> None:
        self.score, self.kept, self.known = score, kept, known

    def __call__(self, epsilon: float) -> tuple[Floats, Floats]:
        """Of a negative and of a positive row with each score."""
        if epsilon not in self.known:
            from pingce.evidence.binary.reference import losses_of_sides

            self.known[epsilon] = losses_of_sides(self.score, epsilon)
        negative, positive = self.known[epsilon]
        return negative[self.kept], positive[self.kept]


_Draw = Callable[[np.random.Generator], "tuple[NDArray[Any], NDArray[Any], NDArray[Any]]"]


def _counted_draw(evidence: BinaryEvidence) -> _Draw:
    """As many rows as there are, from the cells of the table."""
    table = evidence.thresholds
    cells = np.concatenate(table.at)
    total = int(cells.sum())
    share = cells / total

    def draw(random: np.random.Generator) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        often = random.multinomial(total, share)
        return table.score, often[: len(table)], often[len(table) :]

    return draw


def _weighted_draw(evidence: BinaryEvidence) -> _Draw:
    """As many rows as have a weight; each brings its own along. Rows are sorted first: their order must not matter."""
    rows = evidence.rows
    weight = rows.weight if rows.weight is not None else np.ones(len(rows))
    order = np.lexsort((weight, rows.positive, -rows.scores))
    order = order[weight[order] > 0]
    score, positive, weight = rows.scores[order], rows.positive[order].astype(bool), weight[order]
    starts = np.flatnonzero(np.concatenate([[True], score[1:] != score[:-1]]))
    share = np.full(len(order), 1 / len(order))

    def draw(random: np.random.Generator) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        drawn = random.multinomial(len(order), share) * weight
        positives, negatives = (np.add.reduceat(np.where(side, drawn, 0.0), starts) for side in (positive, ~positive))
        return score[starts], positives, negatives

    return draw
