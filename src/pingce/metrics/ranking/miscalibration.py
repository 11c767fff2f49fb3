"""Whether lists keep the proportions of what users liked before."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from pingce.base.exact import Floats, Ints
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.items.view import ItemView, item_view
from pingce.evidence.ranking.truth_index import gathered
from pingce.evidence.ranking.view import RankingView
from pingce.metrics.parameters import Number, choice, parameter
from pingce.metrics.ranking.average_precision import each_log
from pingce.metrics.ranking.base import NAN
from pingce.metrics.ranking.diversity import CategoryMetric
from pingce.metrics.ranking.items import Id, PlainLists, item_about


class Proportions(NamedTuple):
    """Pairs of a list and a category that the list or its user's past has, sorted."""

    query: Ints
    category: Ints
    past: Floats
    "How often the category occurs in the past of the user."
    listed: Floats
    "How often it stands in the list."
    totals: tuple[Floats, Floats]
    "Of each list: of its user's past, and of the list."

    @property
    def shares(self) -> tuple[Floats, Floats]:
        """p and q of each pair; where there is nothing to have a share of, 0."""
        past, listed = (np.where(total > 0, total, 1.0)[self.query] for total in self.totals)
        return self.past / past, self.listed / listed


@dataclass(frozen=True, kw_only=True)
class Miscalibration(CategoryMetric):
    """Divergence of the shares of categories in the list from those in the user's past.

    miscalibration@k = Σ_c p_c ln(p_c / (0.99 q_c + 0.01 p_c)),  p: shares in train, q: in the list         [steck2018]
    """

    name = "miscalibration"
    formula_zh = "miscalibration@k = Σ_c p_c ln(p_c / (0.99 q_c + 0.01 p_c))，p：训练集中的占比，q：列表中的占比"
    aliases = ("calibration_kl",)
    title = Text("Miscalibration of interests", "兴趣偏移")
    about = item_about(
        Text("Does a list keep the proportions of a user's interests?", "列表是否保持用户各项兴趣的比例？"),
        Text("Recommendation: lesser interests should not be crowded out.", "推荐系统：次要兴趣不应被挤掉。"),
        Text("It holds users to their past, and few items make coarse shares.", "它把用户限于过去；条目少时占比粗糙。"),
        ("category_entropy", "exposure"),
        Text(
            "u1: past X, list X 1/3: ln(1 / 0.34) = 1.07881; u2 0.057649, u3 0.455465, u4 ln(1 / 0.505) = 0.683197; mean 0.56878",
            "u1：过去为 X，列表中 X 占 1/3：ln(1 / 0.34) = 1.07881；u2 为 0.057649，u3 为 0.455465，u4 为 ln(1 / 0.505) = 0.683197；均值 0.56878",
        ),
        typical_k="10, 20, 100",
        example=("miscalibration@3",),
        range="0 … ∞",
        higher_is_better=False,
        undefined=Text(
            "no item of the list, or none of the user's past, has a category", "列表中的条目或用户过去的条目没有类目"
        ),
        also=("兴趣校准", "calibrated recommendations", "KL divergence", "JS"),
    )

    divergence: str = choice(
        Text("How far the shares are apart.", "两组占比相差多少。"),
        kl=Text("Kullback and Leibler's, of p from q mixed with a little p", "KL 散度：p 相对于混入少许 p 的 q"),
        js=Text("Jensen and Shannon's: at most ln 2, and nothing is mixed in", "JS 散度：至多 ln 2，无需混合"),
    )
    smoothing: float = parameter(
        0.01,
        Number(above=0, below=1),
        Text("How much of p is mixed into q, so that no share is 0.", "向 q 中混入多少 p，使占比不为 0。"),
    )

    @property
    def tables(self) -> tuple[str, ...]:
        return (*super().tables, "train")

    def proportions(self, display: ItemView) -> Proportions:
        """How often each category stands in each list, and how often its user chose it."""
        listed, (begin, category, times) = self.tallies(display), display.background.past_categories
        width = np.int64(len(display.background.features.table.categories.names))
        user = display.background.past.queries.find(display.view.evidence.queries)
        rows, bounds = gathered(np.append(begin, begin[-1]), user)  # a user without a past has the empty end
        before = np.repeat(np.arange(len(display)), np.diff(bounds)) * width + category[rows]
        now = listed.query * width + listed.category
        pairs = np.union1d(before, now)
        columns = np.zeros((2, len(pairs)))
        columns[0][np.searchsorted(pairs, before)] = times[rows]
        columns[1][np.searchsorted(pairs, now)] = listed.times
        query = pairs // width
        past, lists = (np.bincount(query, column, len(display)).astype(np.float64, copy=False) for column in columns)
        return Proportions(query, pairs % width, columns[0], columns[1], (past, lists))

    def terms(self, proportions: Proportions) -> Floats:
        """What each pair adds."""
        p, q = proportions.shares
        if self.divergence == "kl":
            return _divergence(p, (1 - self.smoothing) * q + self.smoothing * p)
        middle = (p + q) / 2
        return (_divergence(p, middle) + _divergence(q, middle)) / 2

    def values(self, view: RankingView) -> Floats:
        proportions = self.proportions(item_view(view))
        total = np.bincount(proportions.query, weights=self.terms(proportions), minlength=len(view))
        past, listed = proportions.totals
        return np.where((past == 0) | (listed == 0), NAN, total)

    def define_list(self, ranked: PlainLists, user: Id) -> float:
        listed, past = self.plain_tallies(ranked, user), dict[object, int]()
        for category in (
            each for other, item in ranked.train if other == user for each in set(ranked.categories.get(item, ()))
        ):
            past[category] = past.get(category, 0) + 1
        if not listed or not past:
            return NAN
        p, q = ({each: times / sum(tally.values()) for each, times in tally.items()} for tally in (past, listed))
        mixed = {each: self._mix(p.get(each, 0.0), q.get(each, 0.0)) for each in {*p, *q}}
        far = math.fsum(share * math.log(share / mixed[each]) for each, share in p.items())
        if self.divergence == "kl":
            return far
        return (far + math.fsum(share * math.log(share / mixed[each]) for each, share in q.items())) / 2

    def _mix(self, p: float, q: float) -> float:
        return (p + q) / 2 if self.divergence == "js" else (1 - self.smoothing) * q + self.smoothing * p


def _divergence(share: Floats, other: Floats) -> Floats:
    """share · ln(share / other); 0 where the share is."""
    kept, terms = np.flatnonzero(share > 0), np.zeros(len(share))
    terms[kept] = share[kept] * each_log(share[kept] / other[kept])
    return terms
