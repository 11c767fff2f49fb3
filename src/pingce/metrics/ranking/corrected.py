"""What a metric is over the whole catalogue, estimated from lists of one relevant item among drawn ones.

The rank r among N items and the rank r̃ among m drawn ones and the item itself: r̃ − 1 is binomial, with m draws and the share
(r − 1) / (N − 1) of items that stand above. Krichene and Rendle, On Sampled Metrics for Item Recommendation, KDD 2020.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import comb, fsum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.exact import Floats, Ints
from pingce.base.lazy import cached_property
from pingce.base.records import dataclass
from pingce.evidence.ranking.evidence import QUERY_COLUMNS, RankingEvidence, Tally, evidence_of_columns
from pingce.evidence.ranking.view import RankingView, RankWeight
from pingce.inputs.ids import IntIds
from pingce.metrics.ranking.base import RankingMetric

GAMMA = 0.01
"What a unit of variance weighs against a unit of squared bias."
MOST_DRAWN, MOST_ITEMS = 500, 10**8
"Beyond so many, least squares lose their digits, or take minutes."
_STRETCH = 1 << 12
"Ranks that are looked at together."


@dataclass(frozen=True)
class Design:
    """How a list was made, and what its one relevant item is worth."""

    items: int
    "N: items of the catalogue."
    draws: int
    "m: items that were drawn beside the relevant one."
    grade: float
    threshold: float
    "The grade from which an item is relevant."
    top_grade: float

    def expected_ranks(self) -> Floats:
        """For each rank in the list, that among all items at which it is expected: 1 + (N − 1)(r̃ − 1) / m."""
        return 1.0 + (self.items - 1) * np.arange(self.draws + 1) / self.draws

    def lists(self, ranks: NDArray[np.int64] | Floats) -> RankingEvidence:
        """Lists of the whole catalogue, each with the relevant item at one rank."""
        count = len(ranks)
        begin, grade, none = np.arange(count + 1), np.full(count, self.grade), np.zeros(count, np.int32)
        columns: dict[str, NDArray[Any]] = dict.fromkeys(QUERY_COLUMNS, none.astype(np.int64))
        columns |= dict.fromkeys(("returned", "given"), np.full(count, self.items))
        columns |= {
            "answered": np.ones(count, bool),
            "hit_begin": begin,
            "above": (np.ceil(ranks) - 1).astype(np.int32),
            "block": none + np.int32(1),
            "by_id": none,
            "by_order": none,
            "grade": grade,
            "judged_begin": begin,
            "judged": grade,
        }
        return evidence_of_columns(IntIds(begin[:-1]), columns, self.top_grade, Tally())


class PlacedView(RankingView):
    """Lists of one relevant item, whose rank may lie between two."""

    def __init__(self, design: Design, ranks: Floats) -> None:
        super().__init__(design.lists(np.minimum(ranks, float(np.iinfo(np.int32).max))), "id", design.threshold)
        self._ranks = ranks

    @cached_property
    def rank(self) -> Floats:  # type: ignore[override]
        """The rank of each hit."""
        return self._ranks

    def weight(self, of_rank: RankWeight, k: int | None = None) -> Floats:
        """The weight of each rank, 0 beyond k."""
        weights = np.array([of_rank(rank) for rank in self._ranks.tolist()])
        return weights if k is None else np.where(self._ranks <= k, weights, 0.0)


def corrected_values(metric: RankingMetric, view: RankingView, method: str, items: int) -> Floats:
    """The values of queries over a catalogue of so many items; of those without a list or a relevant item, as they are."""
    refuse_uncorrected(metric)
    rows = _candidate_lists(metric, view, items)
    values = np.array(metric.values(view), np.float64)
    hits = np.flatnonzero(view.relevant)
    hits = hits[np.searchsorted(view.query[hits], rows)]
    draws, grade = view.returned[rows] - 1, view.grade[hits]
    for m, worth in sorted(set(zip(draws.tolist(), grade.tolist(), strict=True))):
        chosen = np.flatnonzero((draws == m) & (grade == worth))
        design = Design(items, m, worth, view.threshold, view.top_grade)
        values[rows[chosen]] = _looked_up(estimates(metric, method, design), view, hits[chosen])
    return values


def _looked_up(table: Floats, view: RankingView, hits: Ints) -> Floats:
    """The estimate at each rank; the mean over its block where the order of ties is not fixed."""
    if not view.expected:
        return table[view.rank[hits] - 1]
    pairs, place = np.unique(np.stack([view.above[hits], view.block[hits]]), axis=1, return_inverse=True)
    means = [fsum(table[above : above + block].tolist()) / block for above, block in pairs.T.tolist()]
    return np.array(means)[place.reshape(-1)]


@lru_cache(maxsize=256)
def estimates(metric: RankingMetric, method: str, design: Design) -> Floats:
    """The estimate of a metric for each rank in a list."""
    if method == "plug_in":
        return _defined(metric, metric.values(PlacedView(design, design.expected_ranks())))
    return _least_squares(metric, design)


def _defined(metric: RankingMetric, values: Floats) -> Floats:
    """Values of ranks, each of which must be defined."""
    if np.isnan(values).any():
        raise _no_correction(metric)
    return values


def _least_squares(metric: RankingMetric, design: Design) -> Floats:
    """Those whose squared bias and γ times whose variance, over all ranks alike, add up to the least.

    ((1 − γ) AᵀA + γ diag(Aᵀ1)) f̂ = Aᵀf, where A has the chance of each rank in the list, a row for each rank among all.
    """
    refuse_large(design)
    m, sums = design.draws, [list[float]() for _ in range(design.draws + 1)]
    for ranks, share in _stretches(design.items):
        of_ranks = _defined(metric, metric.values(design.lists(ranks).view(relevant=design.threshold)))
        if of_ranks.any():
            for total, chance in zip(sums, _chances(share, m), strict=True):
                total.append(float((chance * of_ranks).sum()))
    right = np.array([fsum(total) for total in sums]) / design.items
    return _solved(_squares(design.items, m), right)


def _stretches(items: int) -> Iterator[tuple[NDArray[np.int64], Floats]]:
    """All ranks, some after others, and the share of other items that stand above each."""
    for begin in range(0, items, _STRETCH):
        above = np.arange(begin, min(begin + _STRETCH, items))
        yield above + 1, above / (items - 1)


def _chances(share: Floats, draws: int) -> Iterator[Floats]:
    """The chance that 0, 1 … of so many draws stand above, at each share."""
    below = np.ones((draws + 1, len(share)))
    for place in range(1, draws + 1):
        np.multiply(below[place - 1], 1.0 - share, out=below[place])
    above = np.ones(len(share))
    for count in range(draws + 1):
        yield above * below[draws - count]
        above = above * (share * ((draws - count) / (count + 1)))


@lru_cache(maxsize=8)
def _squares(items: int, m: int) -> NDArray[np.float64]:
    """(1 − γ) AᵀA / N + γ diag(Aᵀ1 / N).

    The product of two chances among m draws is one among 2m draws, times a ratio of binomial coefficients: so there are no more
    than 2m + 1 sums over all ranks.
    """
    pairs, singles = (_means(items, draws) for draws in (2 * m, m))
    ways, both = ([comb(draws, count) for count in range(draws + 1)] for draws in (m, 2 * m))
    ratio = np.array([[a * b / both[i + j] for j, b in enumerate(ways)] for i, a in enumerate(ways)])
    place = np.arange(m + 1)
    squares: Floats = (1 - GAMMA) * ratio * pairs[place[:, None] + place]
    squares[place, place] += GAMMA * singles
    return squares


def _means(items: int, draws: int) -> Floats:
    """The mean over all ranks of the chance of each count."""
    sums = [list[float]() for _ in range(draws + 1)]
    for _, share in _stretches(items):
        for total, chance in zip(sums, _chances(share, draws), strict=True):
            total.append(float(chance.sum()))
    return np.array([fsum(total) for total in sums]) / items


def _solved(matrix: NDArray[np.float64], right: Floats) -> Floats:
    """The solution of a positive definite system, by elimination: the same bits wherever it is computed."""
    left, right = matrix.copy(), right.copy()
    for place in range(len(right) - 1):
        factor = left[place + 1 :, place] / left[place, place]
        left[place + 1 :, place:] -= factor[:, None] * left[place, place:]
        right[place + 1 :] -= factor * right[place]
    solution = np.zeros(len(right))
    for place in range(len(right) - 1, -1, -1):
        rest = fsum((left[place, place + 1 :] * solution[place + 1 :]).tolist())
        solution[place] = (right[place] - rest) / left[place, place]
    return solution


def refuse_uncorrected(metric: RankingMetric) -> None:
    """Refuse a metric that does not follow from the rank of the one relevant item alone."""
    if not metric.of_rank or not metric.is_mean:
        raise _no_correction(metric)


def _no_correction(metric: RankingMetric) -> InputError:
    name = metric.name
    return InputError(
        f"{metric.id}: no correction of drawn candidates is known, since it does not follow from the rank of one relevant item, "
        f"whatever that is; write {name}(corrected=none), or leave corrected out",
        f"{metric.id}：对抽取的候选没有校正方法，因为它并不能由一个相关条目的任意名次得出；请写 {name}(corrected=none)，或不用 corrected",
    )


def refuse_large(design: Design) -> None:
    """Refuse least squares that would lose their digits or take minutes."""
    for count, most, en, zh in (
        (design.draws, MOST_DRAWN, "drawn items a list", "每个列表抽取的条目"),
        (design.items, MOST_ITEMS, "items of the catalogue", "目录的条目"),
    ):
        if count > most:
            raise InputError(
                f"corrected=bias_variance goes up to {most} {en}, here there are {count}; choose corrected=plug_in",
                f"corrected=bias_variance 至多支持 {most} 个{zh}，此处为 {count} 个；请改用 corrected=plug_in",
            )


def _candidate_lists(metric: RankingMetric, view: RankingView, items: int) -> Ints:
    """The queries whose lists are one relevant item and drawn ones; a list that is something else is refused."""
    hits, total = view.count(view.relevant), view.relevant_count
    rows = np.flatnonzero((view.returned > 0) & (total > 0))
    gains = "gain" in {parameter.name for parameter in metric.parameters()}
    worth = view.judged_grade > 0 if gains else view.is_relevant(view.judged_grade)
    others = np.bincount(view.judged_query[worth], minlength=len(view)) - 1
    for is_other, en, zh in (
        (total > 1, "several relevant items", "有多个相关条目"),
        (hits == 0, "a relevant item that its list does not have", "的相关条目不在列表中"),
        (others > 0, "several items that gain something", "有多个带增益的条目"),
        (view.returned < 2, "nothing in its list but the relevant item", "的列表中只有相关条目"),
    ):
        wrong = rows[is_other[rows]]
        if len(wrong):
            query = view.evidence.queries.take(wrong[:1]).to_list()[0]
            raise InputError(
                f"corrected= is for lists of one relevant item among drawn ones, but {len(wrong)} queries are not so: "
                f"query {query!r} has {en}; leave corrected out, or give one list for each relevant item",
                f"corrected= 用于一个相关条目与抽取的条目组成的列表，但有 {len(wrong)} 个查询不是这样：查询 {query!r} {zh}；"
                "请不用 corrected，或为每个相关条目给出一个列表",
            )
    longest = int(view.returned[rows].max(initial=0))
    if longest > items:
        raise InputError(
            f"catalog={items}: a list has {longest} items, more than there could be; give the number of all items that could be shown",
            f"catalog={items}：有列表含 {longest} 个条目，多于目录的条目数；请给出可展示条目的总数",
        )
    return rows
