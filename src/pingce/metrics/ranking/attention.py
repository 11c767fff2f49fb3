"""How evenly attention is spread over items: Gini's coefficient of the weights of their places."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from pingce.base.exact import Floats
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.items.view import ItemView, item_view
from pingce.evidence.ranking.view import RankingView, RankWeight, weights_at
from pingce.metrics.parameters import Number, choice, parameter
from pingce.metrics.ranking.base import NAN
from pingce.metrics.ranking.items import Id, PlainLists, WholeMetric, item_about
from pingce.metrics.ranking.novelty import even, log2_discount
from pingce.metrics.ranking.user_models import Patience


@dataclass(frozen=True, kw_only=True)
class ExposureGini(WholeMetric):
    """How unevenly attention is spread over the items of the catalogue: 0 where all have as much.

    exposure_gini@k = Σ_i (2i − I − 1) e_(i) / (I · Σ_i e_i),  e_i = Σ_lists d(rank of i), ascending;  d(r) = 1 / log2(r + 1) [singh2018]
    """

    name = "exposure_gini"
    formula_zh = "exposure_gini@k = Σ_i (2i − I − 1) e_(i) / (I · Σ_i e_i)，e_i = Σ_列表 d(i 的名次)，升序；d(r) = 1 / log2(r + 1)"
    title = Text("Gini coefficient of exposure", "曝光基尼系数")
    about = item_about(
        Text("Do a few items get all the attention?", "注意力是否集中在少数条目上？"),
        Text("Fairness to providers, where the first place is worth more.", "关注对供给方的公平，且首位更值钱时。"),
        Text("It does not see which items are favoured.", "看不出受偏爱的是哪些条目。"),
        ("gini", "exposure", "coverage"),
        Text(
            "e = 0, 0.5, 0.63093, 1.26186, 2.63093, 3: 22.02372 / (6 · 8.023719) = 0.457471",
            "e = 0、0.5、0.63093、1.26186、2.63093、3：22.02372 / (6 · 8.023719) = 0.457471",
        ),
        typical_k="10, 20, 100",
        example=("exposure_gini@3",),
        higher_is_better=False,
        also=("曝光集中度",),
    )

    discount: str = choice(
        Text("What a place weighs.", "各位置的权重。"),
        log2=Text("1 / log2(rank + 1)", "1 / log2(名次 + 1)"),
        none=Text("all alike: gini", "相同，即 gini"),
        geometric=Text("p^(rank − 1)", "p^(名次 − 1)"),
    )
    p: float = parameter(
        0.85,
        Number(above=0, below=1),
        Text("The reader's patience, for discount=geometric.", "读者继续往下看的概率，用于 discount=geometric。"),
    )

    @property
    def tables(self) -> tuple[str, ...]:
        return (*super().tables, "catalog")

    def weigh(self) -> RankWeight:
        """The weight of a rank."""
        weights: dict[str, RankWeight] = {"log2": log2_discount, "none": even, "geometric": Patience(self.p)}
        return weights[self.discount]

    def attention(self, display: ItemView) -> Floats:
        """The weights of the places of each item that is shown somewhere, from the first rank down, whatever the order of lists."""
        places = display.places(self.k)
        width = np.int64(int(places.rank.max(initial=0)) + 1)
        pairs, times = np.unique(places.item * width + places.rank, return_counts=True)
        weights = times * weights_at(self.weigh(), pairs % width)
        return np.bincount(pairs // width, weights, len(display.items)).astype(np.float64)

    def shares(self, display: ItemView) -> tuple[Floats, int]:
        """The same of items of the catalogue that have any, ascending; and how many items there are."""
        attention = self.attention(display)
        inside = display.in_catalog
        return np.sort(attention[inside & (attention > 0)]), display.background.catalog_size

    def whole(self, display: ItemView) -> float:
        attention, size = self.shares(display)
        total = math.fsum(attention)
        return math.fsum(self.terms(attention, size)) / (size * total) if total else NAN

    @staticmethod
    def terms(attention: Floats, size: int) -> list[float]:
        """(2i − I − 1) e of each item; those that are never shown come first, and add nothing."""
        place = np.arange(size - len(attention) + 1, size + 1)
        terms: list[float] = ((2.0 * place - size - 1) * attention).tolist()
        return terms

    def item_counts(self, view: RankingView) -> Mapping[str, int]:
        counts, display = super().item_counts(view), item_view(view)
        return {**counts, "unknown": counts["items"] - len(self.shares(display)[0])}

    def define(self, ranked: PlainLists) -> float:
        attention: dict[Id, float] = {}
        for user in ranked.chosen(self.lists):
            for rank, item in enumerate(ranked.top(user, self.k), 1):
                attention[item] = attention.get(item, 0.0) + self.weigh()(rank)
        every = sorted(attention.values())
        if isinstance(ranked.catalog, int):
            every = [0.0] * (ranked.catalog - len(every)) + every
        else:
            every = sorted(attention.get(item, 0.0) for item in set(ranked.catalog))
        top = math.fsum((2 * place - len(every) - 1) * share for place, share in enumerate(every, 1))
        return top / (len(every) * math.fsum(every)) if any(every) else NAN
