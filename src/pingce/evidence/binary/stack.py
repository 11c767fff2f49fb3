"""Several tables of the same scores at once, such as draws of rows: a row per table, a column per score."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats
from pingce.base.lazy import cached_property
from pingce.base.records import dataclass
from pingce.evidence.binary.evidence import TableEvidence
from pingce.evidence.binary.reference import losses_of_sides
from pingce.evidence.binary.thresholds import ThresholdEvidence

if TYPE_CHECKING:
    from pingce.inputs.binary import BinaryRows


@dataclass(frozen=True, eq=False)
class TableStack:
    """The positives and the negatives with each score, from the highest: counts or sums of weights, rounded."""

    score: NDArray[Any]
    positive: Floats
    negative: Floats
    rows: BinaryRows
    "What the scores are of."

    @cached_property
    def tp(self) -> Floats:
        """The positives that score at least as much."""
        return np.cumsum(self.positive, axis=1)

    @cached_property
    def fp(self) -> Floats:
        """The negatives that score at least as much."""
        return np.cumsum(self.negative, axis=1)

    @property
    def positives(self) -> Floats:
        """P of each table, a column."""
        return self.tp[:, -1:]

    @property
    def negatives(self) -> Floats:
        """N of each table, a column."""
        return self.fp[:, -1:]

    def positives_within(self, rows: Floats) -> Floats:
        """Positives among the top rows, a number of rows per table; of a tie block that is cut, its share."""
        both = self.positive + self.negative
        before = np.cumsum(both, axis=1) - both
        share = np.divide(rows - before, both, out=np.zeros_like(both), where=both > 0)
        inside: Floats = (self.positive * np.clip(share, 0.0, 1.0)).sum(axis=1)
        return inside

    def tables(self) -> Iterator[TableEvidence]:
        """One table after another, for metrics that know no more than one."""
        all_losses = cache(partial(losses_of_sides, self.score))
        for positive, negative in zip(self.positive, self.negative, strict=True):
            kept = (positive > 0) | (negative > 0)
            table = ThresholdEvidence(self.score[kept], np.cumsum(positive[kept]), np.cumsum(negative[kept]))

            def losses(epsilon: float, kept: NDArray[np.bool_] = kept) -> tuple[Floats, Floats]:
                losing, winning = all_losses(epsilon)
                return losing[kept], winning[kept]

            yield TableEvidence(table, self.rows, losses=losses, rounded=True)


def quotients(top: Floats, bottom: Floats) -> Floats:
    """Each top over its bottom; NaN where that is 0."""
    out: Floats = np.divide(top, bottom, out=np.full(np.broadcast(top, bottom).shape, np.nan), where=bottom != 0)
    return out
