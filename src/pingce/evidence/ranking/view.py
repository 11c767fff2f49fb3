"""Ranking evidence as metrics read it: in one order of ties, with one idea of what is relevant."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats, Ints
from pingce.base.lazy import cached_property
from pingce.evidence.policies import Relevant
from pingce.evidence.ranking.truth_index import starts

if TYPE_CHECKING:
    from pingce.evidence.ranking.evidence import RankingEvidence

    Mask: TypeAlias = NDArray[np.bool_]

T = TypeVar("T")
RankWeight: TypeAlias = Callable[[int], float]
"A weight that a rank has, e.g. 1 / log2(rank + 1)."

TABLE_LIMIT = 1 << 17
"Lists that are longer get no table of weights."


def reciprocal(rank: int) -> float:
    """1 / rank."""
    return 1.0 / rank


@lru_cache(maxsize=64)
def _table(of_rank: RankWeight, size: int) -> Floats:
    """Weights of ranks 1 … size, with a 0 in front; from Python's math, since NumPy's logarithms change with the CPU."""
    return np.array([0.0, *map(of_rank, range(1, size + 1))])


def weight_table(of_rank: RankWeight, upto: int) -> Floats:
    """Weights by rank (index 0 unused) up to at least `upto`; sizes are rounded up so that few tables are made."""
    return _table(of_rank, max(128, 1 << (max(upto, 1) - 1).bit_length()))


def weights_at(of_rank: RankWeight, ranks: NDArray[Any]) -> Floats:
    """The weight of each rank."""
    if not len(ranks):
        return np.zeros(0)
    if of_rank is reciprocal:  # a division is the same on every machine
        return np.asarray(1.0 / ranks)
    top = int(ranks.max())
    if top <= TABLE_LIMIT:
        weights: Floats = weight_table(of_rank, top)[ranks]
        return weights
    distinct, place = np.unique(ranks, return_inverse=True)
    return np.array([of_rank(rank) for rank in distinct.tolist()])[place.reshape(-1)]


def mean_over_blocks(of_rank: RankWeight, above: Ints, block: Ints, k: int | None) -> Floats:
    """The mean weight over the ranks above+1 … above+block of each block, ranks beyond k weighing nothing."""
    if not len(above):
        return np.zeros(0)
    ends = above + block
    stops = ends if k is None else np.clip(k, above, ends)
    bounds, place = np.unique(np.stack([above, stops]), axis=1, return_inverse=True)
    table = np.append(weight_table(of_rank, int(ends.max()))[: int(ends.max()) + 1], 0.0)
    sums = np.add.reduceat(table, (bounds + 1).T.reshape(-1))[::2]
    return np.where(bounds[0] < bounds[1], sums, 0.0)[place.reshape(-1)] / block


class RankingView:
    """Hits in rank order. Under `ties=expected` a hit has no rank, but its block of equal scores.

    Everything a metric asks for is here once, however many metrics ask: arrays with one entry a hit (`query`, `rank`,
    `grade`, `relevant`), arrays with one entry a query (`relevant_count`, `returned`), and sums of the first by the second.
    """

    def __init__(self, evidence: RankingEvidence, ties: str = "id", relevant: Relevant = 1) -> None:
        self.evidence, self.ties, self.expected = evidence, ties, ties == "expected"
        "Where ties are `expected`, values are means over all orders of tied items."
        self.top_grade, self.returned, self.judged_grade = evidence.top_grade, evidence.returned, evidence.judged
        "The largest grade of the truth; n, the length of each list; the grades of all judged items, descending in a query."
        self.threshold = 0.0 if relevant == "any" else float(relevant)
        self._remembered: dict[Hashable, Any] = {}

    def __len__(self) -> int:
        return len(self.evidence)

    def remember(self, key: Hashable, compute: Callable[[], T]) -> T:
        """Compute once what several metrics share."""
        if key not in self._remembered:
            self._remembered[key] = compute()
        value: T = self._remembered[key]
        return value

    @cached_property
    def _tied(self) -> Ints:
        """Hits that share their score with another row: no other moves, whatever the policy."""
        return np.flatnonzero(self.evidence.block > 1)

    @cached_property
    def _order(self) -> Ints | None:
        """How hits are re-ordered under this tie policy; None = as they lie, ties by id descending."""
        if self.ties == "id" or not len(self._tied):
            return None
        e, tied = self.evidence, self._tied
        order = np.arange(len(e.block))
        # Where no order is meant, tied hits stand by grade: what is summed over them has the same bits whatever their ids are.
        place = -e.grade if self.expected else self._place_in_block
        keys: tuple[NDArray[Any], ...] = (place[tied], e.above[tied], e.query_of_hit[tied])
        if self.expected and e.weights is not None:
            keys = (-e.weights.hit[tied], *keys)
        order[tied] = tied[np.lexsort(keys)]
        return order

    @cached_property
    def _place_in_block(self) -> Ints:
        """Rows of the block that stand before the hit."""
        e = self.evidence
        if self.ties == "id":
            return e.by_id.astype(np.int64)
        if self.ties == "id_ascending":
            return e.block.astype(np.int64) - 1 - e.by_id
        if self.ties == "order":
            return e.by_order.astype(np.int64)
        return self._place_by_grade(best=self.ties == "best")

    def _place_by_grade(self, *, best: bool) -> Ints:
        """Highest (or lowest) grade first. Unjudged items count as grade 0 and stand last (or first) among these."""
        e, tied = self.evidence, self._tied
        out = np.zeros(len(e.block), np.int64)
        if not len(tied):
            return out
        query, above, grade = e.query_of_hit[tied], e.above[tied], e.grade[tied]
        order = np.lexsort((e.by_id[tied], -grade if best else grade, above, query))
        query, above, grade = query[order], above[order], grade[order]
        start = starts(query, above)
        unjudged = e.block[tied][order] - np.bincount(start, minlength=len(order))[start]
        place = np.arange(len(order)) - start
        out[tied[order]] = place + np.where(grade < 0 if best else grade >= 0, unjudged, 0)
        return out

    def arranged(self, values: NDArray[Any]) -> NDArray[Any]:
        """A column of hits, as evidence has them, in the order of this view."""
        return values if self._order is None else values[self._order]

    @cached_property
    def query(self) -> Ints:
        """The query of each hit."""
        return self.evidence.query_of_hit

    @cached_property
    def grade(self) -> Floats:
        """The grade of each hit."""
        return self.arranged(self.evidence.grade)

    @cached_property
    def rank(self) -> Ints:
        """The rank of each hit, from 1."""
        return self.arranged(self.evidence.above.astype(np.int64) + self._place_in_block + 1)

    @cached_property
    def above(self) -> Ints:
        """Rows with a higher score than the hit."""
        return self.arranged(self.evidence.above.astype(np.int64))

    @cached_property
    def block(self) -> Ints:
        """Rows with the hit's score."""
        return self.arranged(self.evidence.block.astype(np.int64))

    def is_relevant(self, grades: Floats) -> Mask:
        """Which grades count as relevant; a negative grade means unjudged and never does."""
        return grades >= self.threshold

    @cached_property
    def relevant(self) -> Mask:
        """Which hits are relevant."""
        return self.is_relevant(self.grade)

    @cached_property
    def item_weight(self) -> Floats | None:
        """What each hit weighs, where the truth says so; None where all weigh alike."""
        weights = self.evidence.weights
        return None if weights is None else self.arranged(weights.hit)

    def weighed(self, of_hits: Floats) -> Floats:
        """A column of hits times what each weighs; as it is where all weigh alike."""
        return of_hits if self.item_weight is None else of_hits * self.item_weight

    def weighed_judged(self, of_judged: Floats) -> Floats:
        """The same of judged items."""
        weights = self.evidence.weights
        return of_judged if weights is None else of_judged * weights.judged

    def sum_judged(self, of_judged: Floats) -> Floats:
        """Per query, the sum over its judged items, added up one after another, best grade first."""
        total: Floats = np.bincount(self.judged_query, of_judged, len(self)).astype(np.float64, copy=False)
        return total

    @cached_property
    def judged_query(self) -> Ints:
        """The query of each judged item, returned or not."""
        return np.repeat(np.arange(len(self)), np.diff(self.evidence.judged_begin))

    @cached_property
    def relevant_count(self) -> Ints:
        """R: the relevant items judged for each query, returned or not."""
        relevant = self.is_relevant(self.judged_grade)
        if relevant.all():
            return np.diff(self.evidence.judged_begin)
        return np.bincount(self.judged_query[relevant], minlength=len(self))

    def depth(self, k: int | None) -> Ints:
        """min(n, k) of each query; without k, n."""
        return self.returned if k is None else np.minimum(self.returned, k)

    def cutoff(self, k: int | None) -> Ints:
        """k for each query; without k, n."""
        return self.returned if k is None else np.full(len(self), k)

    def sum(self, of_hits: Floats) -> Floats:
        """Per query, the sum over its hits, added up one after another in rank order."""
        total: Floats = np.bincount(self.query, weights=of_hits, minlength=len(self)).astype(np.float64, copy=False)
        return total

    def count(self, hits: Mask) -> Ints:
        """Per query, the number of hits in the mask."""
        return np.bincount(self.query[hits], minlength=len(self))

    def running(self, hits: Mask) -> Ints:
        """At each hit, how many in the mask its query had up to and including it."""
        total = np.cumsum(hits)
        begin = self.evidence.hit_begin[:-1]
        since: Ints = total - np.append(0, total)[begin][self.query]
        return since

    def share_within(self, k: int | Ints | None) -> Floats:
        """The share of orders in which each hit stands in the top k: 1 or 0 where the order is fixed."""
        if k is None:
            return np.ones(len(self.query))
        limit = k if isinstance(k, int) else k[self.query]
        if not self.expected:
            return (self.rank <= limit).astype(np.float64)
        return np.clip((limit - self.above) / self.block, 0.0, 1.0)

    def weight(self, of_rank: RankWeight, k: int | None = None) -> Floats:
        """The weight of each hit's rank, 0 beyond k; the mean over its block where the order is not fixed."""
        if self.expected:
            return mean_over_blocks(of_rank, self.above, self.block, k)
        if k is None or self._deepest <= TABLE_LIMIT:
            weights = self.remember(("weight", of_rank), lambda: weights_at(of_rank, self.rank))
        else:
            weights = weights_at(of_rank, np.minimum(self.rank, k))
        return weights if k is None else np.where(self.rank <= k, weights, 0.0)

    @cached_property
    def _deepest(self) -> int:
        return int(self.rank.max(initial=0))

    def hits_within(self, k: int | Ints | None) -> Floats:
        """h_k: relevant items in the top k, or their expected number."""
        return self.sum(self.share_within(k) * self.relevant)
