"""How alike two ranked lists are, for many queries at once: overlap, Jaccard, rank-biased overlap, Kendall's tau.

All of it follows from the number of items that both lists have within their first d places, for every d.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pingce.base.core import native_core, thread_count
from pingce.base.lazy import cached_property
from pingce.base.records import dataclass
from pingce.evidence.ranking.truth_index import offsets

if TYPE_CHECKING:
    from pingce.evidence.ranking.aligned import AlignedRun

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
FORMS = ("truncated", "ext", "min")
"Of rank-biased overlap."


@dataclass(frozen=True, eq=False)
class Agreement:
    """Two lists for each of some queries, and where their common items stand in both."""

    lengths: tuple[Ints, Ints]
    query: Ints
    "Of each common item, in the order of the first list."
    ranks: tuple[Ints, Ints]
    "Of each common item in both lists, from 1."

    @classmethod
    def of(cls, first: AlignedRun, second: AlignedRun, places: int) -> Agreement:
        """The agreement of two aligned runs whose items have so many numbers."""
        rank = np.zeros(places, np.int64)
        rank[second.place] = second.rank + 1
        there = rank[first.place]
        common = np.flatnonzero(there)
        query = np.repeat(np.arange(len(first.begin) - 1), first.lengths)[common]
        return cls((first.lengths, second.lengths), query, (first.rank[common] + 1, there[common]))

    @cached_property
    def depth(self) -> Ints:
        """The length of the longer list of each query."""
        return np.maximum(*self.lengths)

    @cached_property
    def _begin(self) -> Ints:
        return offsets(self.depth)

    @cached_property
    def by_depth(self) -> Ints:
        """Items that both lists have within d places, for d from 1 to the depth, query by query."""
        at = self._begin[self.query] + np.maximum(*self.ranks) - 1
        total = np.cumsum(np.bincount(at, minlength=int(self._begin[-1])))
        before = np.concatenate([[0], total])[self._begin[:-1]]
        common: Ints = total - np.repeat(before, self.depth)
        return common

    def common(self, k: int | Ints) -> Ints:
        """Items that both lists have within k places."""
        deep = np.minimum(k, self.depth)
        padded = np.concatenate([self.by_depth, [0]])
        return np.where(deep > 0, padded[np.where(deep > 0, self._begin[:-1] + deep - 1, -1)], 0)

    def overlap(self, k: int) -> Floats:
        """Common items within k places over k; undefined where both lists are empty."""
        return np.where(self.depth > 0, self.common(k) / k, np.nan)

    def jaccard(self, k: int) -> Floats:
        """Common items within k places over the items that one of the two has there."""
        common = self.common(k)
        either = np.minimum(k, self.lengths[0]) + np.minimum(k, self.lengths[1]) - common
        return np.where(either > 0, common / np.maximum(either, 1), np.nan)

    def rbo(self, p: float, form: str = "truncated") -> Floats:
        """Rank-biased overlap: agreement at every depth d, weighed p^(d-1).

        `truncated` divides by the weights down to the end of the longer list, `ext` goes on with the agreement that was reached,
        `min` as if nothing more were common (Webber, Moffat, Zobel 2010, equations 32 and 11).
        """
        powers = powers_of(p, int(self.depth.max(initial=0)))
        summed = self.weighed(powers)
        end = powers[self.depth]
        if form == "truncated":
            total = np.concatenate([[0.0], np.cumsum(powers[:-1])])[self.depth]
            value = summed / np.where(total > 0, total, 1.0)
        elif form == "min":
            overlap = self.common(self.depth)
            harmonic = np.concatenate([[0.0], np.cumsum(powers[1:] / np.arange(1, len(powers)))])[self.depth]
            value = (1 - p) / p * (summed * p - overlap * harmonic - overlap * math.log(1 - p))
        else:
            value = (1 - p) * (summed + self.unseen(powers)) + self.reached() * end
        return np.where(self.depth > 0, value, np.nan)

    def weighed(self, powers: Floats) -> Floats:
        """The sum of p^(d-1) times the agreement at depth d, added from the top down."""
        place = np.arange(len(self.by_depth)) - np.repeat(self._begin[:-1], self.depth)
        query = np.repeat(np.arange(len(self.depth)), self.depth)
        weighed = powers[place] * (self.by_depth / (place + 1))
        return np.bincount(query, weighed, len(self.depth)).astype(np.float64, copy=False)

    def unseen(self, powers: Floats) -> Floats:
        """What the shorter list would agree below its end, had it gone on as before: Σ p^(d-1) X_s (d - s) / (s d)."""
        short = np.minimum(*self.lengths)
        plain = np.concatenate([[0.0], np.cumsum(powers[:-1])])
        harmonic = np.concatenate([[0.0], np.cumsum(powers[:-1] / np.arange(1, len(powers)))])
        below = (plain[self.depth] - plain[short]) - short * (harmonic[self.depth] - harmonic[short])
        return np.where(short > 0, self.common(short) / np.maximum(short, 1) * below, 0.0)

    def reached(self) -> Floats:
        """The agreement at the end, extrapolated: (X_l - X_s) / l + X_s / s."""
        short = np.minimum(*self.lengths)
        at_short = self.common(short)
        deep = np.maximum(self.depth, 1)
        return (self.common(self.depth) - at_short) / deep + np.where(short > 0, at_short / np.maximum(short, 1), 0.0)

    def kendall(self, threads: int | None = None) -> Floats:
        """Kendall's tau of the common items; undefined where fewer than two are common."""
        counts = np.bincount(self.query, minlength=len(self.depth)).astype(np.int64)
        begin, core = offsets(counts), native_core()
        if core is None:
            from pingce.evidence.ranking.aligned_reference import inversions_by_reference

            swapped = inversions_by_reference(begin, self.ranks[1])
        else:
            swapped = core.inversions(begin, np.ascontiguousarray(self.ranks[1]), thread_count(threads))
        pairs = counts * (counts - 1) // 2
        return np.where(pairs > 0, (pairs - 2 * swapped) / np.maximum(pairs, 1), np.nan)


def powers_of(p: float, most: int) -> Floats:
    """1, p, p², …: multiplied up one by one, which every machine does alike."""
    return np.multiply.accumulate(np.concatenate([[1.0], np.full(most, p)]))
