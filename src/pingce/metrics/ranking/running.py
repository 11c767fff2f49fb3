"""Sums over the first rows of each query."""

from __future__ import annotations

import numpy as np

from pingce.base.exact import Floats, Ints
from pingce.base.records import dataclass
from pingce.evidence.ranking.view import RankingView


@dataclass(frozen=True, eq=False)
class Running:
    """Sums over the first rows of each query, added up one after another: the bits of a query do not depend on others."""

    begin: Ints
    "Where the rows of each query begin, and where the last end."
    sums: Floats

    @classmethod
    def of(cls, query: Ints, values: Floats, queries: int) -> Running:
        """Add up values that lie query by query."""
        counts = np.bincount(query, minlength=queries)
        begin = np.append(0, np.cumsum(counts))
        by_length = np.argsort(-counts, kind="stable")
        sums = values.astype(np.float64)
        longest = counts[by_length]
        for step in range(1, int(counts.max(initial=0))):
            rows = begin[by_length[: int(np.searchsorted(-longest, -step, side="left"))]] + step
            sums[rows] += sums[rows - 1]
        return cls(begin, sums)

    def upto(self, query: Ints, rows: Ints) -> Floats:
        """The sum of the first rows of a query; of more than it has, of all."""
        rows = np.minimum(rows, np.diff(self.begin)[query])
        if not len(self.sums):
            return np.zeros(len(query))
        return np.where(rows > 0, self.sums[np.maximum(self.begin[query] + rows - 1, 0)], 0.0)


def hits_upto(view: RankingView, query: Ints, rank: Ints) -> Ints:
    """How many hits a query has at a rank or above it."""
    width = int(max(view.returned.max(initial=0), rank.max(initial=0))) + 1
    place = np.searchsorted(view.query * width + view.rank, query * width + rank, side="right")
    hits: Ints = place - view.evidence.hit_begin[:-1][query]
    return hits
