"""Ranking evidence as metrics read it: in one order of ties, with one idea of what is relevant."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from pingce.base.lazy import cached_property
from pingce.evidence.policies import Relevant
from pingce.evidence.ranking.discounts import TABLE_LIMIT, mean_over_blocks, weights_at

if TYPE_CHECKING:
    from pingce.evidence.ranking.evidence import RankingEvidence

    Floats: TypeAlias = NDArray[np.float64]
    Ints: TypeAlias = NDArray[np.int64]
    Mask: TypeAlias = NDArray[np.bool_]

T = TypeVar("T")
RankWeight: TypeAlias = Callable[[int], float]
"A weight that a rank has, e.g. 1 / log2(rank + 1)."


class RankingView:
    """Hits in rank order. Under `ties=expected` a hit has no rank, but its block of equal scores.

    Everything a metric asks for is here once, however many metrics ask: arrays with one entry a hit (`query`, `rank`,
    `grade`, `relevant`), arrays with one entry a query (`relevant_count`, `returned`), and sums of the first by the second.
    """

    def __init__(self, evidence: RankingEvidence, ties: str = "id", relevant: Relevant = 1) -> None:
        self.evidence = evidence
        self.ties = ties
        self.threshold = 0.0 if relevant == "any" else float(relevant)
        self._remembered: dict[Hashable, Any] = {}

    def __len__(self) -> int:
        return len(self.evidence)

    @property
    def expected(self) -> bool:
        """Whether values are means over all orders of tied items."""
        return self.ties == "expected"

    @property
    def top_grade(self) -> float:
        """The largest grade of the truth."""
        return self.evidence.top_grade

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
        if self.ties in ("id", "expected") or not len(self._tied):
            return None
        e, tied = self.evidence, self._tied
        order = np.arange(len(e.block))
        order[tied] = tied[np.lexsort((self._place_in_block[tied], e.above[tied], e.query_of_hit[tied]))]
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
        fresh = np.ones(len(order), bool)
        fresh[1:] = (query[1:] != query[:-1]) | (above[1:] != above[:-1])
        start = np.flatnonzero(fresh)[np.cumsum(fresh) - 1]
        unjudged = e.block[tied][order] - np.bincount(start, minlength=len(order))[start]
        place = np.arange(len(order)) - start
        out[tied[order]] = place + np.where(grade < 0 if best else grade >= 0, unjudged, 0)
        return out

    def _arranged(self, values: NDArray[Any]) -> NDArray[Any]:
        return values if self._order is None else values[self._order]

    @cached_property
    def query(self) -> Ints:
        """The query of each hit."""
        return self.evidence.query_of_hit

    @cached_property
    def grade(self) -> Floats:
        """The grade of each hit."""
        return self._arranged(self.evidence.grade)

    @cached_property
    def rank(self) -> Ints:
        """The rank of each hit, from 1."""
        return self._arranged(self.evidence.above.astype(np.int64) + self._place_in_block + 1)

    @cached_property
    def above(self) -> Ints:
        """Rows with a higher score than the hit."""
        return self._arranged(self.evidence.above.astype(np.int64))

    @cached_property
    def block(self) -> Ints:
        """Rows with the hit's score."""
        return self._arranged(self.evidence.block.astype(np.int64))

    def is_relevant(self, grades: Floats) -> Mask:
        """Which grades count as relevant; a negative grade means unjudged and never does."""
        return grades >= self.threshold

    @cached_property
    def relevant(self) -> Mask:
        """Which hits are relevant."""
        return self.is_relevant(self.grade)

    @cached_property
    def judged_query(self) -> Ints:
        """The query of each judged item, returned or not."""
        return np.repeat(np.arange(len(self)), np.diff(self.evidence.judged_begin))

    @cached_property
    def judged_grade(self) -> Floats:
        """The grade of each judged item, descending within a query."""
        return self.evidence.judged

    @cached_property
    def relevant_count(self) -> Ints:
        """R: the relevant items judged for each query, returned or not."""
        relevant = self.is_relevant(self.judged_grade)
        if relevant.all():
            return np.diff(self.evidence.judged_begin)
        return np.bincount(self.judged_query[relevant], minlength=len(self))

    @property
    def returned(self) -> Ints:
        """n: the length of each list."""
        return self.evidence.returned

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
        before = np.concatenate([np.zeros(1, np.int64), total])[begin]
        since: Ints = total - before[self.query]
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
