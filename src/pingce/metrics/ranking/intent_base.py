"""What metrics of queries with several meanings share: subtopics, what serving one again is worth, and the best that a list could gain."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

import numpy as np

from pingce.base.exact import Floats, Ints
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.ranking.intent_view import intent_view, running
from pingce.evidence.ranking.view import RankingView
from pingce.metrics.parameters import Number, parameter
from pingce.metrics.ranking.base import NAN, RankedList, RankingMetric, about, divide, no_relevant, ratio

EXAMPLE: tuple[Mapping[int, int], ...] = ({3: 1}, {2: 1, 3: 1}, {1: 1}, {1: 1, 2: 1})
"The items d4, d3, d2, d1 of the example, which are judged for these subtopics; the list is d1, x, d2, d3."
LISTED: tuple[Mapping[int, int], ...] = (EXAMPLE[3], {}, EXAMPLE[2], EXAMPLE[1])
intent_about = partial(
    about,
    undefined=Text("no subtopic has a relevant item", "没有任何子主题有相关条目"),
    also=("diversity", "多样性", "意图", "子主题", "intent", "subtopic"),
)


@dataclass(frozen=True, kw_only=True)
class IntentMetric(RankingMetric):
    """Base of metrics that tell the subtopics of a query apart."""

    of_subtopics = True
    closed_form = False
    symbols = Text(
        "A: subtopics with a relevant item · S_i: subtopics that the item at rank i is relevant to · c_s: items above rank i that are relevant to s · R_s: relevant items of s in the truth · n: items returned",
        "A：有相关条目的子主题数 · S_i：第 i 位条目相关的子主题 · c_s：第 i 位之前与 s 相关的条目数 · R_s：真值中 s 的相关条目数 · n：返回的条目数",
    )

    @classmethod
    def example_rows(cls) -> RankedList:
        """The list d1, x, d2, d3, with d4 not returned."""
        ranked, judged = ([max(item.values(), default=None) for item in items] for items in (LISTED, EXAMPLE))
        return RankedList(tuple(ranked), tuple(1 for _ in judged), 1, 1, LISTED, EXAMPLE)

    @classmethod
    def example_words(cls) -> Text:
        listed = ", ".join("{" + ", ".join(map(str, item)) + "}" for item in LISTED)
        return Text(
            f"relevant to the subtopics {listed}; {{3}} was not returned", f"各位相关的子主题 {listed}；{{3}} 未返回"
        )

    def tied_worth(self, view: RankingView) -> Floats:
        """Items with the same subtopics may change places."""
        return intent_view(view).kinds.astype(np.float64)


def alpha_parameter() -> Any:
    """The parameter `alpha`."""
    return parameter(
        0.5,
        Number(least=0, most=1),
        Text(
            "How much less a subtopic is worth each time it was served: 0 is not at all, 1 only the first counts.",
            "子主题每被满足一次，其后的价值减少多少：0 为不减少，1 为只计第一次。",
        ),
    )


Weigh = Callable[[Floats, Ints], Floats]
"Gains by what their ranks weigh."


def bound(view: RankingView, weigh: Weigh, alpha: float, k: int | None) -> Floats:
    """Σ A (1 − α)^(i−1) · weight(i) over the first k ranks of each query; without k over its list."""
    depth, count = view.cutoff(k), intent_view(view).count
    deepest = int(depth.max(initial=0))
    distinct, place = np.unique(count, return_inverse=True)
    factors = np.full((len(distinct), deepest), 1.0 - alpha)
    factors[:, :1] = distinct[:, None]
    sums = running(weigh(np.multiply.accumulate(factors, axis=1), np.arange(1, deepest + 1)))
    of_queries: Floats = sums[place.reshape(-1), depth]
    return of_queries


def ideal_sum(view: RankingView, weigh: Weigh, alpha: float, k: int | None) -> Floats:
    """Σ gain · weight(i) of the ideal list."""
    total = np.zeros(len(view))
    for rank, (queries, gain, _) in enumerate(intent_view(view).ideal(alpha).upto(k), 1):
        total[queries] += weigh(gain, np.array([rank]))
    return total


def plain_gains(items: Iterable[set[Any]], alpha: float) -> list[float]:
    """The definition: what each item of a list gains."""
    worth: dict[Any, float] = {}
    gains = []
    for item in items:
        gains.append(math.fsum(worth.get(subtopic, 1.0) for subtopic in item))
        worth |= {subtopic: worth.get(subtopic, 1.0) * (1 - alpha) for subtopic in item}
    return gains


def plain_ideal(ranked: RankedList, alpha: float) -> list[set[Any]]:
    """The definition: the judged items, at each rank the first of those that gain most."""
    left, ideal = ranked.judged_intents(), list[set[Any]]()
    while left:
        best = max(range(len(left)), key=lambda place: (plain_gains([*ideal, left[place]], alpha)[-1], -place))
        ideal.append(left.pop(best))
    return ideal


def subtopic_count(ranked: RankedList) -> int:
    """A."""
    return len(set[Any]().union(*ranked.judged_intents()))


@dataclass(frozen=True, kw_only=True)
class Gained(IntentMetric):
    """What α-DCG and ERR-IA share: gains by the weight of their rank."""

    alpha: float = alpha_parameter()

    def weigh(self, gains: Floats, ranks: Ints) -> Floats:
        """Gains by what their ranks weigh."""
        raise NotImplementedError

    def weight(self, rank: int) -> float:
        """The definition of what a rank weighs."""
        raise NotImplementedError

    def terms(self, view: RankingView) -> Floats:
        """What each hit within k adds."""
        gains = intent_view(view).gains(float(self.alpha))
        within = np.ones(len(gains), bool) if self.k is None else view.rank <= self.k
        return np.where(within, self.weigh(gains, view.rank), 0.0)

    def bound(self, view: RankingView) -> Floats:
        """What the sum of each query is divided by."""
        return bound(view, self.weigh, float(self.alpha), self.k)

    def ideal(self, view: RankingView) -> Floats:
        """The sum of the ideal list of each query."""
        return ideal_sum(view, self.weigh, float(self.alpha), self.k)

    def plain_sum(self, items: list[set[Any]]) -> float:
        """The definition of the sum."""
        gains = plain_gains(items[: self.k], self.alpha)
        return math.fsum(gain * self.weight(rank) for rank, gain in enumerate(gains, 1))

    def plain_bound(self, ranked: RankedList) -> float:
        """The definition of what it is divided by."""
        depth, count = len(ranked.grades) if self.k is None else self.k, subtopic_count(ranked)
        return math.fsum(count * (1 - self.alpha) ** i * self.weight(i + 1) for i in range(depth))


@dataclass(frozen=True, kw_only=True)
class Normalized(Gained):
    """The same over that of the ideal list."""

    def values(self, view: RankingView) -> Floats:
        total, bound = view.sum(self.terms(view)), self.bound(view)
        undefined = no_relevant(view)
        return ratio(ratio(total, bound, undefined), ratio(self.ideal(view), bound, undefined), undefined)

    def define(self, ranked: RankedList) -> float:
        if not subtopic_count(ranked):
            return NAN
        return divide(self.plain_sum(ranked.intents(self.k)), self.plain_sum(plain_ideal(ranked, self.alpha)))
