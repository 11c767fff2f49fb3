"""How alike a list and that of the reference are from the top down: rank-biased overlap."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from pingce.base.exact import Floats
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.items.view import ItemView, item_view
from pingce.evidence.ranking.agreement import Agreement
from pingce.evidence.ranking.view import RankingView
from pingce.metrics.parameters import Number, choice, parameter
from pingce.metrics.ranking.agreement import AgreementMetric
from pingce.metrics.ranking.base import NAN
from pingce.metrics.ranking.items import Id, PlainLists, item_about
from pingce.metrics.ranking.novelty import EMPTY


@dataclass(frozen=True, kw_only=True)
class RankBiasedOverlap(AgreementMetric):
    """Agreement with the reference at every depth, of which deeper ones weigh less.

    rbo = Σ_d p^(d−1) X_d / d / Σ_d p^(d−1),  X_d: items that both have within d                        [webber2010]
    """

    name = "rbo"
    formula_zh = "rbo = Σ_d p^(d−1) X_d / d / Σ_d p^(d−1)，X_d：前 d 中两者都有的条目数"
    aliases = ("rank_biased_overlap",)
    title = Text("Rank-biased overlap", "排名偏置重合度")
    about = item_about(
        Text("How alike are the two lists, the top above all?", "两个列表有多相似，尤其是顶部？"),
        Text("How much a new model changes what users see first.", "新模型在多大程度上改变用户最先看到的内容。"),
        Text("Which of the two is right it does not say.", "不说明哪个更好。"),
        ("overlap", "jaccard"),
        Text(
            "u1 c d b against a b c: agreement 0, 0, 2/3, weights 1, 0.9, 0.81: 0.54 / 2.71 = 0.199262; u2 0.365314, u3 0.199262, u4 0.365314; mean 0.282288",
            "u1 c d b 对 a b c：一致度 0、0、2/3，权重 1、0.9、0.81：0.54 / 2.71 = 0.199262；u2 为 0.365314，u3 为 0.199262，u4 为 0.365314；均值 0.282288",
        ),
        typical_k="10, 100",
        example=("rbo@3",),
        undefined=EMPTY,
        higher_is_better=None,
        also=("RBO", "排名相似度"),
    )

    p: float = parameter(0.9, Number(above=0, below=1), Text("The reader's patience.", "读者继续往下看的概率。"))
    form: str = choice(
        Text("What is said of places below the end of the lists.", "列表末尾以下如何计。"),
        truncated=Text("nothing: divided by the weights down to the end", "不计：除以到末尾为止的权重"),
        ext=Text("the agreement that was reached goes on", "按已达到的一致度外推"),
        min=Text("nothing more is in common: a lower bound", "不再有相同条目：下界"),
    )

    def check(self) -> None:
        """It needs no k: whole lists are compared."""

    def agreement(self, display: ItemView) -> Agreement:
        """Both lists of each query, within k."""
        places = display.places(self.k)
        rank, length = display.background.in_reference(display, places, self.reference_depth)
        common = np.flatnonzero(rank)
        lengths = display.depth(self.k).astype(np.int64), length.astype(np.int64)
        return Agreement(lengths, places.query[common], (places.rank[common], rank[common]))

    def values(self, view: RankingView) -> Floats:
        values = self.agreement(item_view(view)).rbo(self.p, self.form)
        return np.where(view.depth(self.k) == 0, NAN, values)

    def define_list(self, ranked: PlainLists, user: Id) -> float:
        ours, theirs = ranked.top(user, self.k), ranked.reference.get(user, ())[: self.k]
        if not ours:
            return NAN
        common = [len({*ours[:depth]} & {*theirs[:depth]}) for depth in range(max(len(ours), len(theirs)) + 1)]
        return self._plain(common, min(len(ours), len(theirs)))

    def _plain(self, common: Sequence[int], short: int) -> float:
        """Webber, Moffat, Zobel, equations 32 and 11; `common` has X_0, X_1, … down to the end of the longer list."""
        p, deep = self.p, len(common) - 1
        depths = range(1, deep + 1)
        if self.form == "truncated":
            return math.fsum(p**d / d * common[d] for d in depths) / math.fsum(p**d for d in depths)
        if self.form == "min":
            more = math.fsum((common[d] - common[deep]) * p**d / d for d in depths)
            return (1 - p) / p * (more - common[deep] * math.log(1 - p))
        if not short:
            return 0.0
        unseen = (common[short] * (d - short) / (short * d) * p**d for d in range(short + 1, deep + 1))
        summed = math.fsum([*(common[d] / d * p**d for d in depths), *unseen])
        reached = (common[deep] - common[short]) / deep + common[short] / short
        return (1 - p) / p * summed + reached * p**deep
