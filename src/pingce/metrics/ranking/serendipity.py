"""What is relevant and not merely popular."""

from __future__ import annotations

import numpy as np

from pingce.base.exact import Floats
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.items.shown import Places, Shown
from pingce.metrics.ranking.items import Id, PlainLists, item_about
from pingce.metrics.ranking.novelty import EMPTY, PlaceMean


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
            "d of u1 at rank 2, by popularity 3: 1/6 of 3 places = 1/18; u2 1/18, u3 1/9, u4 0; mean 1/18 = 0.055556",
            "u1 的 d 在第 2 位，按流行度为第 3：1/6 除以 3 个位置 = 1/18；u2 为 1/18，u3 为 1/9，u4 为 0；均值 1/18 = 0.055556",
        ),
        typical_k="10, 20",
        example=("serendipity@3",),
        undefined=EMPTY,
        also=("惊喜",),
    )

    @property
    def tables(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(("qrels", *super().tables, "catalog")))

    def worth(self, shown: Shown, places: Places) -> Floats:
        grade, size = shown.grade[places.row], shown.background.catalog_size
        above = self.popularity_ranks(shown)[places.item] - places.rank
        rel = ~np.isnan(grade) & (grade >= shown.view.threshold)
        worth: Floats = np.where(rel, np.maximum(above, 0), 0) / size
        return worth

    def popularity_ranks(self, shown: Shown) -> Floats:
        """The dense rank of each item by popularity; of a cold one the last there is, and one more."""
        shown.background.in_catalog(shown.heads.items)
        past = shown.background.past
        ranks: Floats = np.append(past.popularity_rank(dense=True), shown.background.catalog_size + 1)[shown.in_past]
        return ranks

    def define_terms(self, ranked: PlainLists, user: Id) -> list[tuple[float, float]]:
        size = ranked.catalog if isinstance(ranked.catalog, int) else len(set(ranked.catalog))
        counts = sorted({ranked.count_of(item) for _, item in ranked.train}, reverse=True)
        terms = []
        for rank, item in enumerate(ranked.top(user, self.k), 1):
            known = ranked.count_of(item)
            general = (size + 1 - (counts.index(known) + 1)) / size if known else 0.0
            far = max((size + 1 - rank) / size - general, 0.0)
            terms.append((1.0, far if ranked.is_relevant(user, item) else 0.0))
        return terms
