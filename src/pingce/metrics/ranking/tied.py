"""Closed forms of the mean over all orders of tied items, for metrics that are not sums over positions.

A block is a run of equal scores: `above` rows stand before it, it has `size` rows of which `hits` are relevant, and
`before` relevant items stand in earlier blocks. Each closed form is worked out once for each distinct block.
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb, fsum
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats
from pingce.base.lazy import cached_property
from pingce.evidence.ranking.view import RankingView

if TYPE_CHECKING:
    from pingce.metrics.ranking.base import RankingMetric


BlockSum: TypeAlias = Callable[[int, int, int, int], float]
"The mean of a sum over the relevant items of a block, by its rows above, its size, its hits and those before."

_ROUNDING = 1e-9
"How far a mean over orders may be from the value of each by rounding alone."


class TieEnds(NamedTuple):
    """One entry a query: the value with the lowest and with the highest grades first among equals."""

    low: Floats
    high: Floats
    mean: Floats | None
    "Over all orders, where the two do not bound the value and a closed form is known."
    apart: NDArray[np.bool_]
    "Whether the order of tied items can change the value."


class TieBlocks:
    """The blocks with at least one relevant hit, in rank order within each query."""

    def __init__(self, view: RankingView) -> None:
        query, above = view.query[view.relevant], view.above[view.relevant]
        fresh = np.ones(len(query), bool)
        fresh[1:] = (query[1:] != query[:-1]) | (above[1:] != above[:-1])
        start = np.flatnonzero(fresh)
        self._queries = len(view)
        self.query = query[start]
        self.above = above[start]
        self.size = view.block[view.relevant][start]
        self.hits = np.diff(np.append(start, len(query)))
        weights = None if view.item_weight is None else view.item_weight[view.relevant]
        self.weight = None if weights is None or not len(start) else np.add.reduceat(weights, start) / self.hits
        "What its hits weigh on average, where the truth says so."
        total = np.cumsum(self.hits) - self.hits
        self.before = total - total[np.searchsorted(self.query, self.query)]

    @cached_property
    def _distinct(self) -> tuple[NDArray[Any], NDArray[Any]]:
        columns = np.stack([self.above, self.size, self.hits, self.before])
        values, place = np.unique(columns, axis=1, return_inverse=True)
        return values, place.reshape(-1)

    def each(self, form: Callable[[int, int, int, int], float], chosen: NDArray[np.bool_] | None = None) -> Floats:
        """form(above, size, hits, before) of each block; 0 for those not chosen."""
        columns, place = self._distinct
        blocks = columns.T.tolist()
        values = np.zeros(len(blocks))
        for at in range(len(blocks)) if chosen is None else np.unique(place[chosen]).tolist():
            values[at] = form(*blocks[at])
        of_blocks: Floats = values[place]
        return of_blocks

    def sum(self, of_blocks: Floats) -> Floats:
        """Per query, the sum over its blocks."""
        return np.bincount(self.query, weights=of_blocks, minlength=self._queries).astype(np.float64, copy=False)


def tie_blocks(view: RankingView) -> TieBlocks:
    """The blocks of a view, made once."""
    return view.remember("tie_blocks", lambda: TieBlocks(view))


def tie_ends(metric: RankingMetric, view: Callable[[str], RankingView]) -> TieEnds:
    """What the order of tied items does to each query; `view` gives the evidence under a policy of ties."""
    low, high = metric.values(view("worst")), metric.values(view("best"))
    apart = (low != high) & ~(np.isnan(low) & np.isnan(high))
    is_bounded = metric.is_bounded_by_grades()
    is_weighed = metric.weighs_items and view("best").item_weight is not None  # then items of one grade may differ
    if is_bounded and not is_weighed:
        return TieEnds(low, high, None, apart)
    if metric.knows_expected():
        mean = metric.values(view("expected"))
        apart |= np.abs(mean - low) > _ROUNDING * np.maximum(1.0, np.abs(low))
        return TieEnds(low, high, None if is_bounded else mean, apart)
    return TieEnds(low, high, None, apart | (_mixed(metric, view("best")) & ~np.isnan(low)))


def _mixed(metric: RankingMetric, view: RankingView) -> NDArray[np.bool_]:
    """Queries with a block of equal scores within reach of k whose items are not all worth the same."""
    query, above, size, worth = view.query, view.above, view.block, metric.tied_worth(view)
    start = np.flatnonzero(np.r_[True, (query[1:] != query[:-1]) | (above[1:] != above[:-1])][: len(query)])
    least, most = (ends.reduceat(worth, start) if len(start) else worth for ends in (np.minimum, np.maximum))
    unjudged = size[start] > np.diff(np.append(start, len(query)))
    mixed = (np.where(unjudged, np.minimum(least, 0.0), least) < most) & (size[start] > 1)
    if metric.k is not None:
        mixed &= above[start] < metric.k
    out = np.zeros(len(view), bool)
    out[query[start][mixed]] = True
    return out


def slots_within(above: int, size: int, k: int | None) -> int:
    """Rows of the block that fall within the top k."""
    return size if k is None else min(max(k - above, 0), size)


def chance_of_none(above: int, size: int, hits: int, k: int | None) -> float:
    """The probability that none of a block's hits falls within the top k."""
    few, many = sorted((hits, slots_within(above, size, k)))
    probability = 1.0
    for j in range(few):
        probability *= (size - many - j) / (size - j)
    return max(probability, 0.0)


def expected_hit_rate(view: RankingView, k: int | None) -> Floats:
    """1 − the probability that no relevant item falls within the top k."""
    blocks = tie_blocks(view)
    missed = np.ones(len(view))
    np.multiply.at(missed, blocks.query, blocks.each(lambda above, size, hits, _: chance_of_none(above, size, hits, k)))
    return 1.0 - missed


def chances_of_first(above: int, size: int, hits: int, k: int | None) -> list[tuple[int, float]]:
    """The ranks of a block within the top k, each with the probability that its first hit stands there."""
    probability, chances = hits / size, []
    for j in range(1, min(size - hits + 1, slots_within(above, size, k)) + 1):
        chances.append((above + j, probability))
        probability *= (size - j - hits + 1) / (size - j) if size > j else 0.0
    return chances


def expected_first_reciprocal(view: RankingView, k: int | None) -> Floats:
    """Mean of 1/rank of the first relevant item: it stands in the first block that has one."""

    def form(above: int, size: int, hits: int, before: int) -> float:
        return 0.0 if before else fsum(chance / rank for rank, chance in chances_of_first(above, size, hits, k))

    blocks = tie_blocks(view)
    return blocks.sum(blocks.each(form))


def precision_sum(above: int, size: int, hits: int, before: int, slots: int | None = None) -> float:
    """Mean of Σ h_i / i over the relevant items in the first `slots` rows of a block; without it, in all of them."""
    step = (hits - 1) / (size - 1) if size > 1 else 0.0
    rows = range(size if slots is None else slots)
    return hits / size * fsum((before + 1 + j * step) / (above + j + 1) for j in rows)


def expected_precision_sum(view: RankingView, k: int | None) -> Floats:
    """Mean of Σ_{i ≤ k} rel_i · h_i / i, the numerator of AP."""
    blocks = tie_blocks(view)
    sums = blocks.each(lambda a, m, r, before: precision_sum(a, m, r, before, slots_within(a, m, k)))
    return blocks.sum(sums if blocks.weight is None else sums * blocks.weight)


def inverse_hits(above: int, size: int, hits: int, before: int, k: int | None) -> float:
    """Mean of 1 / (hits within the top k), over how many of a cut block's hits fall within."""
    total = chances_within(size, hits, slots_within(above, size, k))
    return fsum(p / (before + x) for x, p in total if before + x)


def reciprocal_sum(above: int, size: int, hits: int, before: int) -> float:
    """Mean of Σ 1 / rank over the relevant items of a block."""
    return hits / size * fsum(1.0 / (above + j + 1) for j in range(size))


def sum_over_hits(cut: tuple[int, int, int, int], k: int | None, block_sum: BlockSum) -> float:
    """Mean of the sum of a cut block over the hits within the top k, by how many of its own fall within."""
    above, size, hits, before = cut
    slots = slots_within(above, size, k)
    total = chances_within(size, hits, slots)
    return fsum(p * block_sum(above, slots, x, before) / (before + x) for x, p in total if x)


def expected_over_hits(view: RankingView, k: int | None, block_sum: BlockSum) -> Floats:
    """Mean of a sum over hits, over their number: in the block cut by k, condition on how many of its hits fall within.

    With x hits within, it is (A + E_x) / (H + x), where A comes from the blocks above and E_x from this one; hence
    A · Σ P(x)/(H+x) + Σ P(x)·E_x/(H+x).
    """
    blocks = tie_blocks(view)
    ends = blocks.above + blocks.size
    whole = np.ones(len(ends), bool) if k is None else ends <= k
    cut = np.zeros(len(ends), bool) if k is None else ~whole & (blocks.above < k)
    above_cut = blocks.sum(blocks.each(block_sum, whole))
    certain = blocks.sum(np.where(whole, blocks.hits, 0).astype(np.float64))
    inverse = blocks.sum(blocks.each(lambda a, m, r, before: inverse_hits(a, m, r, before, k), cut))
    within = blocks.sum(blocks.each(lambda *block: sum_over_hits(block, k, block_sum), cut))
    plain = np.divide(above_cut, certain, out=np.zeros(len(view)), where=certain > 0)
    return np.where(blocks.sum(cut.astype(np.float64)) > 0, above_cut * inverse + within, plain)


def chances_within(size: int, hits: int, slots: int) -> list[tuple[int, float]]:
    """The chances of x of the block's hits falling into its first `slots` rows (hypergeometric)."""
    total = comb(size, slots)
    low, high = max(0, slots - (size - hits)), min(hits, slots)
    return [(x, comb(hits, x) * comb(size - hits, slots - x) / total) for x in range(low, high + 1)]
