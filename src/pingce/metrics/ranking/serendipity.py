"""What is relevant and not merely popular."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.items.view import ItemView, Places, item_view
from pingce.evidence.ranking.view import RankingView
from pingce.metrics.parameters import choice
from pingce.metrics.ranking.base import NAN
from pingce.metrics.ranking.diversity import refuse_no_facts
from pingce.metrics.ranking.items import Id, PlainLists, item_about
from pingce.metrics.ranking.novelty import PlaceMean


@dataclass(frozen=True, kw_only=True)
class Serendipity(PlaceMean):
    """Mean over the list of how much higher a relevant item stands than its popularity would put it.

    serendipity@k = mean over the list of rel_i · max(P_u(i) − P_all(i), 0),  P = (I + 1 − rank) / I          [ge2010]
    """

    name = "serendipity"
    formula_zh = "serendipity@k = 列表中 rel_i · max(P_u(i) − P_all(i), 0) 的均值，P = (I + 1 − 名次) / I"
    title = Text("Serendipity", "惊喜度")
    about = item_about(
        Text("Does it find what is relevant and not popular anyway?", "找到的是否相关、又并非人人皆知？"),
        Text("Recommendation: pleasant surprises.", "推荐系统：带来惊喜。"),
        Text("It is small for any large catalogue near the top.", "目录很大时数值很小。"),
        ("novelty", "precision", "popularity"),
        Text(
            "d of u1 at rank 2, by popularity 3: 1/6 of 3 places = 1/18; u2 1/18, u3 1/9, u4 0; mean 1/18 = 0.0555556",
            "u1 的 d 在第 2 位，按流行度为第 3：1/6 除以 3 个位置 = 1/18；u2 为 1/18，u3 为 1/9，u4 为 0；均值 1/18 = 0.0555556",
        ),
        typical_k="10, 20",
        example=("serendipity@3",),
        undefined=Text(
            "the list is empty; with of=similarity, nothing of it or of the user's past has a vector",
            "列表为空；of=similarity 时，列表或用户过去的条目没有向量",
        ),
        also=("惊喜",),
    )

    of: str = choice(
        Text("What makes a relevant item a surprise.", "什么使相关条目成为惊喜。"),
        rank=Text("that it stands higher than by popularity", "名次高于其流行度名次"),
        similarity=Text(
            "1 − mean cosine of its vector with those of the user's past; items without a vector do not count",
            "1 − 其向量与用户过去各条目向量余弦的均值；没有向量的条目不计",
        ),
    )

    @property
    def tables(self) -> tuple[str, ...]:
        beside = "catalog" if self.of == "rank" else "items"
        return tuple(dict.fromkeys(("qrels", *super().tables, beside)))

    def is_kept(self, display: ItemView, places: Places) -> NDArray[np.bool_] | None:
        return None if self.of == "rank" else ~np.isnan(self.similarity(display, places))

    def worth(self, display: ItemView, places: Places) -> Floats:
        grade = display.grade[places.row]
        rel = ~np.isnan(grade) & (grade >= display.view.threshold)
        if self.of == "similarity":
            similarity = self.similarity(display, places)
            return np.where(rel & ~np.isnan(similarity), 1.0 - similarity, 0.0)
        above = self.popularity_ranks(display)[places.item] - places.rank
        worth: Floats = np.where(rel, np.maximum(above, 0), 0) / display.background.catalog_size
        return worth

    def similarity(self, display: ItemView, places: Places) -> Floats:
        """The mean cosine of the item of each place with the past of its user; NaN where one of them has no vector."""
        return display.view.remember(("similarity to the past", self.k), lambda: self._similarity(display, places))

    def _similarity(self, display: ItemView, places: Places) -> Floats:
        background = display.background
        refuse_no_facts(self, background.features.table.vectors is not None, "vector")
        units, has_vector = background.features.directions(display.items, display.counts(self.k) > 0)
        user = background.past.queries.find(display.view.evidence.queries)
        means, has_past = background.past.mean_directions(user, background.features)
        cosine: Floats = (units[places.item] * means[places.query]).sum(axis=1)
        return np.where(has_vector[places.item] & has_past[places.query], cosine, NAN)

    def item_counts(self, view: RankingView) -> Mapping[str, int]:
        counts = super().item_counts(view)
        display = item_view(view)
        if self.of == "rank":
            display.in_catalog  # noqa: B018 - more items than there could be are refused
            return counts
        has_vector = display.background.features.has_vector(display.items)
        return {**counts, "unknown": int(np.count_nonzero(~has_vector & (display.counts(self.k) > 0)))}

    def popularity_ranks(self, display: ItemView) -> Floats:
        """The dense rank of each item by popularity; of a cold one the last there is, and one more."""
        past = display.background.past
        ranks: Floats = np.append(past.popularity_rank(dense=True), display.background.catalog_size + 1)[
            display.in_past
        ]
        return ranks

    def define_terms(self, ranked: PlainLists, user: Id) -> list[tuple[float, float]]:
        if self.of == "similarity":
            return self._plain_surprises(ranked, user)
        size = ranked.catalog if isinstance(ranked.catalog, int) else len(set(ranked.catalog))
        counts = sorted({ranked.count_of(item) for _, item in ranked.train}, reverse=True)
        terms = []
        for rank, item in enumerate(ranked.top(user, self.k), 1):
            count = ranked.count_of(item)
            general = (size + 1 - (counts.index(count) + 1)) / size if count else 0.0
            far = max((size + 1 - rank) / size - general, 0.0)
            terms.append((1.0, far if ranked.is_relevant(user, item) else 0.0))
        return terms

    def _plain_surprises(self, ranked: PlainLists, user: Id) -> list[tuple[float, float]]:
        past = [
            ranked.vectors[item]
            for item in {item for other, item in ranked.train if other == user}
            if item in ranked.vectors
        ]
        terms = []
        for item in ranked.top(user, self.k):
            vector = ranked.vectors.get(item)
            if vector is None or not past:
                continue
            near = math.fsum(_cosine(vector, other) for other in past) / len(past)
            terms.append((1.0, 1 - near if ranked.is_relevant(user, item) else 0.0))
        return terms


def _cosine(a: Sequence[float], b: Sequence[float]) -> float:
    """The plain cosine of two vectors."""
    dot, *squares = (math.fsum(x * y for x, y in zip(u, v, strict=True)) for u, v in ((a, b), (a, a), (b, b)))
    return dot / math.sqrt(squares[0] * squares[1])
