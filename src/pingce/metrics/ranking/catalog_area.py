"""The area under the ROC curve of a whole catalogue, of which a list shows the top."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pingce.base.exact import Floats, Ints
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.items.view import item_view
from pingce.evidence.ranking.view import RankingView
from pingce.metrics.parameters import choice
from pingce.metrics.ranking.areas import others_above
from pingce.metrics.ranking.base import NAN, Sum
from pingce.metrics.ranking.items import Id, ListMetric, PlainLists, item_about


@dataclass(frozen=True, kw_only=True)
class CatalogArea(ListMetric):
    """Share of pairs of a relevant and another item of the catalogue in which the relevant one stands higher.

    catalog_auc@k = (Σ_{i≤k} rel_i · (N − (i − h_i)) + (R − h_k) · (N − w) / 2) / (R · N),  N = I − R,  w = min(n, k) − h_k [rendle2009]
    """

    name = "catalog_auc"
    title = Text("Area under the ROC curve of the catalogue", "全目录 AUC")
    formula_zh = "catalog_auc@k = (Σ_{i≤k} rel_i · (N − (i − h_i)) + (R − h_k) · (N − w) / 2) / (R · N)，N = I − R，w = min(n, k) − h_k"
    about = item_about(
        Text("Does what is relevant stand above the rest of the catalogue?", "相关的是否排在目录中其他条目之前？"),
        Text("Recommendation from implicit feedback.", "隐式反馈的推荐。"),
        Text(
            "Near 1 for any large catalogue; what the list does not show is guessed to be in random order.",
            "目录很大时总接近 1；列表没有展示的部分按随机顺序估计。",
        ),
        ("list_auc", "recall"),
        Text(
            "u1: d at rank 2, R = 1, N = 5, one wrong above: 4/5; u2: b at rank 1, e not shown, N = 4, two wrong shown: (4 + 2/2) / 8 = 5/8; u3 1; u4: (5 − 2)/2 / 5 = 3/10; mean 0.68125",
            "u1：d 在第 2 位，R = 1，N = 5，之前 1 个错：4/5；u2：b 在第 1 位，e 未展示，N = 4，展示了 2 个错的：(4 + 2/2) / 8 = 5/8；u3 为 1；u4：(5 − 2)/2 / 5 = 3/10；均值 0.68125",
        ),
        typical_k="10, 100",
        example=("catalog_auc@3",),
        undefined=Text(
            "R = 0, or all of the catalogue is relevant; with mean=hits, nothing relevant is shown",
            "R = 0，或目录中的条目全部相关；mean=hits 时，没有展示相关条目",
        ),
        also=("AUC",),
    )

    negatives: str = choice(
        Text("Which items are the others.", "其他条目指哪些。"),
        catalog=Text("those of the catalogue that are not relevant", "目录中不相关的条目"),
        unseen=Text("of these, those that the user did not have in train", "其中训练集里该用户没有的条目"),
        unseen_1=Text("one more than that (Elliot, WarpRec)", "比上者多一个（Elliot、WarpRec）"),
    )
    unranked: str = choice(
        Text("Relevant items that are not in the top k.", "不在前 k 中的相关条目。"),
        random=Text(
            "stand anywhere below, by chance: half of the rest above them", "随机排在后面：其余条目有一半在其前"
        ),
        lost=Text("are below everything", "排在所有条目之后"),
    )
    over: str = choice(
        Text("What the sum over relevant items is divided by.", "对相关条目的总和除以什么。"),
        relevant=Text("R", "R"),
        min=Text("min(R, k)", "min(R, k)"),
    )
    mean: str = choice(
        Text("What weighs the same in the value of the run.", "总体数值中什么权重相同。"),
        minor=True,
        users=Text("every user", "每个用户"),
        hits=Text("every relevant item that is shown; others do not count", "每个展示了的相关条目；其余不计"),
    )

    def check(self) -> None:
        """There is no min(R, k) without k."""
        if self.over == "min":
            self.refuse_no_k("over=min")

    @property
    def tables(self) -> tuple[str, ...]:
        return ("qrels", "catalog", *(("train",) if self.negatives != "catalog" else ()))

    @property
    def is_mean(self) -> bool:
        return self.mean == "users"

    def hits(self, view: RankingView) -> Ints:
        """The relevant items of the top k."""
        return view.count(self.within(view))

    def within(self, view: RankingView) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Which hits are relevant and in the top k."""
        return view.relevant if self.k is None else view.relevant & (view.rank <= self.k)

    def others(self, view: RankingView) -> Ints:
        """N: items of the catalogue that are not relevant, at least those that are shown."""
        background = item_view(view).background
        count = background.catalog_size - view.relevant_count
        if self.negatives != "catalog":
            count = count - background.past.sizes(view.evidence.queries)
        plus = int(self.negatives == "unseen_1")
        others: Ints = np.maximum(count + plus, view.depth(self.k) - self.hits(view))
        return others

    def sums(self, view: RankingView) -> tuple[Floats, Floats]:
        """Pairs in the right order, and those that are guessed to be."""
        hits, others = self.hits(view), self.others(view)
        above = view.sum(others_above(view) * self.within(view))
        left = others - (view.depth(self.k) - hits)
        rest = (view.relevant_count - hits) * left / 2.0 if self.unranked == "random" else np.zeros(len(view))
        return hits * others - above, rest

    def bottom(self, view: RankingView) -> Ints:
        """Relevant items that are counted."""
        if self.mean == "hits":
            return self.hits(view)
        return view.relevant_count if self.over == "relevant" else np.minimum(view.relevant_count, int(self.k or 0))

    def parts(self, view: RankingView) -> tuple[Floats, ...]:
        """The shares of all relevant items that are shown, and their number; where every user weighs the same, nothing."""
        if self.mean == "users":
            return ()
        others = self.others(view)
        shares = np.zeros(len(view))
        np.divide(self.sums(view)[0], others, out=shares, where=others > 0)
        return shares, np.where(others > 0, self.hits(view), 0).astype(np.float64)

    def combine(self, *sums: Sum) -> float:
        """The mean over users, or over relevant items."""
        if self.mean == "users":
            return sums[0].mean
        return sums[0].total / sums[1].total if sums[1].total else NAN

    def values(self, view: RankingView) -> Floats:
        right, rest = self.sums(view)
        bottom = self.bottom(view) * self.others(view)
        total = right if self.mean == "hits" else right + rest
        values = np.full(len(view), NAN)
        np.divide(total, bottom, out=values, where=(bottom > 0) & (view.relevant_count > 0))
        return values

    def item_counts(self, view: RankingView) -> Mapping[str, int]:
        counts = super().item_counts(view)
        display = item_view(view)
        unknown = ~display.in_catalog & (display.counts(self.k) > 0)
        return {**counts, "unknown": int(np.count_nonzero(unknown))}

    def define(self, ranked: PlainLists) -> float:
        if self.mean == "users":
            return super().define(ranked)
        users = ranked.chosen(self.lists)
        shares = [
            share for user in users for share in self.define_shares(ranked, user) if self.define_others(ranked, user)
        ]
        return sum(shares) / len(shares) if shares else NAN

    def define_others(self, ranked: PlainLists, user: Id) -> int:
        """The definition of N."""
        relevant = [item for item in ranked.truth.get(user, {}) if ranked.is_relevant(user, item)]
        size = ranked.catalog if isinstance(ranked.catalog, int) else len(set(ranked.catalog))
        past = {item for other, item in ranked.train if other == user}
        others = size - len(relevant) - (len(past) if self.negatives != "catalog" else 0)
        wrong = [item for item in ranked.top(user, self.k) if not ranked.is_relevant(user, item)]
        return max(others + int(self.negatives == "unseen_1"), len(wrong))

    def define_shares(self, ranked: PlainLists, user: Id) -> list[float]:
        """The definition: of each relevant item that is shown, the share of others below it."""
        wrong, shares, others = 0, [], self.define_others(ranked, user)
        for item in ranked.top(user, self.k):
            if not ranked.is_relevant(user, item):
                wrong += 1
            elif others:
                shares.append((others - wrong) / others)
        return shares

    def define_list(self, ranked: PlainLists, user: Id) -> float:
        relevant = sum(ranked.is_relevant(user, item) for item in ranked.truth.get(user, {}))
        others, shares = self.define_others(ranked, user), self.define_shares(ranked, user)
        if not relevant or not others:
            return NAN
        left = others - (len(ranked.top(user, self.k)) - len(shares))
        rest = (relevant - len(shares)) * left / others / 2 if self.unranked == "random" else 0.0
        return (sum(shares) + rest) / (relevant if self.over == "relevant" else min(relevant, int(self.k or 0)))
