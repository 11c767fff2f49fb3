"""How much lists have in common with those of another run: the reference."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pingce.base.exact import Floats, Ints
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.items.heads import WHOLE
from pingce.evidence.items.view import ItemView, item_view
from pingce.evidence.ranking.view import RankingView
from pingce.metrics.parameters import choice
from pingce.metrics.ranking.base import NAN, ratio
from pingce.metrics.ranking.items import Id, ListMetric, PlainLists, item_about
from pingce.metrics.ranking.novelty import EMPTY


@dataclass(frozen=True, kw_only=True)
class AgreementMetric(ListMetric):
    """Base of metrics that compare each list with the one that the reference has for its query."""

    @property
    def tables(self) -> tuple[str, ...]:
        return (*super().tables, "reference")

    def check(self) -> None:
        """What two lists share is a share of k."""
        self.refuse_no_k()

    def common(self, display: ItemView) -> tuple[Ints, Ints]:
        """Per list, how many of its items the other one has too, and how long the other one is, both within k."""
        depth = self.reference_depth
        places = display.places(depth)
        rank, length = display.background.in_reference(display, places, depth)
        return np.bincount(places.query[rank > 0], minlength=len(display)), length

    def item_counts(self, view: RankingView) -> Mapping[str, int]:
        counts, display = super().item_counts(view), item_view(view)
        removed = display.background.removed_from_reference(display, self.reference_depth)
        return {**counts, "reference_removed": removed} if removed else counts

    @property
    def reference_depth(self) -> int:
        """How deep the lists of the reference are looked at."""
        return WHOLE if self.k is None else int(self.k)

    def plain_common(self, ranked: PlainLists, user: Id) -> tuple[int, int, int]:
        """The definition: items in common, and the lengths of both lists."""
        ours, theirs = set(ranked.top(user, self.k)), set(ranked.reference.get(user, ())[: self.k])
        return len(ours & theirs), len(ours), len(theirs)


@dataclass(frozen=True, kw_only=True)
class Overlap(AgreementMetric):
    """Share of k places whose items the reference shows too.

    overlap@k = |top k ∩ top k of the reference| / k                                                   [castells2015]
    """

    name = "overlap"
    formula_zh = "overlap@k = |前 k ∩ 参照的前 k| / k"
    title = Text("Overlap with a reference", "与参照的重合度")
    about = item_about(
        Text("How much of the reference's list does it show?", "与参照列表有多少相同？"),
        Text("Approximate against exact search; a new model against the old.", "近似检索对精确检索；新模型对旧模型。"),
        Text("Order does not matter, nor which of the two is right.", "不管顺序，也不管哪个更好。"),
        ("jaccard", "unexpectedness"),
        Text(
            "against a b c for each: 2/3, 2/3, 2/3, 2/3 = 0.666667",
            "与每人 a b c 相比：2/3、2/3、2/3、2/3 = 0.666667",
        ),
        typical_k="10, 100",
        example=("overlap@3",),
        undefined=EMPTY,
        higher_is_better=None,
        also=("ANN recall", "重合"),
    )

    over: str = choice(
        Text("What the number of items in common is divided by.", "相同条目数除以什么。"),
        k=Text("k, also where the list is shorter", "k，列表更短时亦然"),
        list=Text("the length of the list, up to k", "列表长度，至多 k"),
    )

    def values(self, view: RankingView) -> Floats:
        common, _ = self.common(item_view(view))
        length = view.depth(self.k)
        return ratio(common, length if self.over == "list" else np.full(len(view), int(self.k or 0)), length == 0)

    def define_list(self, ranked: PlainLists, user: Id) -> float:
        common, length, _ = self.plain_common(ranked, user)
        return common / (length if self.over == "list" else int(self.k or 0)) if length else NAN


@dataclass(frozen=True, kw_only=True)
class Unexpectedness(AgreementMetric):
    """Share of k places whose items the reference does not show.

    unexpectedness@k = 1 − |top k ∩ top k of the reference| / k                                        [castells2015]
    """

    name = "unexpectedness"
    formula_zh = "unexpectedness@k = 1 − |前 k ∩ 参照的前 k| / k"
    title = Text("Unexpectedness", "意外度")
    about = item_about(
        Text("How much does it show that a plain reference would not?", "有多少内容是普通参照不会展示的？"),
        Text("Against the most popular items, as a reference.", "以热门榜为参照。"),
        Text("Unexpected is not yet good; a short list is unexpected too.", "意外不等于好；短列表也显得意外。"),
        ("overlap", "serendipity"),
        Text("against a b c for each: 1 − 2/3 = 0.333333", "与每人 a b c 相比：1 − 2/3 = 0.333333"),
        typical_k="10, 20",
        example=("unexpectedness@3",),
        undefined=EMPTY,
        higher_is_better=None,
    )

    def values(self, view: RankingView) -> Floats:
        depth, (common, _) = int(self.k or 0), self.common(item_view(view))
        return ratio(depth - common, np.full(len(view), depth), view.depth(self.k) == 0)

    def define_list(self, ranked: PlainLists, user: Id) -> float:
        common, length, _ = self.plain_common(ranked, user)
        return 1 - common / int(self.k or 0) if length else NAN


@dataclass(frozen=True, kw_only=True)
class Jaccard(AgreementMetric):
    """Items that both lists show, over items that either shows.

    jaccard@k = |top k ∩ top k of the reference| / |top k ∪ top k of the reference|                     [castells2015]
    """

    name = "jaccard"
    formula_zh = "jaccard@k = |前 k ∩ 参照的前 k| / |前 k ∪ 参照的前 k|"
    title = Text("Jaccard with a reference", "与参照的杰卡德系数")
    about = item_about(
        Text("How alike are the two lists, as sets?", "两个列表作为集合有多相似？"),
        Text("Stability of lists from one model to the next.", "模型更新前后列表的稳定性。"),
        Text("Order does not matter.", "不管顺序。"),
        ("overlap", "rbo"),
        Text(
            "against a b c for each: 2/4, 2/4, 2/4 and 2/3; mean 13/24 = 0.541667",
            "与每人 a b c 相比：2/4、2/4、2/4 与 2/3；均值 13/24 = 0.541667",
        ),
        typical_k="10, 100",
        example=("jaccard@3",),
        undefined=EMPTY,
        higher_is_better=None,
    )

    def values(self, view: RankingView) -> Floats:
        common, length = self.common(item_view(view))
        return ratio(common, view.depth(self.k) + length - common, view.depth(self.k) == 0)

    def define_list(self, ranked: PlainLists, user: Id) -> float:
        common, ours, theirs = self.plain_common(ranked, user)
        return common / (ours + theirs - common) if ours else NAN
