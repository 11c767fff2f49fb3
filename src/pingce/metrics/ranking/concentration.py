"""How evenly places are spread over items: Gini's coefficient and entropy."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np

from pingce.base.exact import Ints
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.items.counters import Pairs
from pingce.evidence.items.view import ItemView, distinct_counts, item_view
from pingce.evidence.ranking.view import RankingView
from pingce.metrics.parameters import Choice, choice, parameter
from pingce.metrics.ranking.base import NAN
from pingce.metrics.ranking.items import PlainLists, WholeMetric, item_about

HEAD = 0.8
"The share of places of which it is counted how few items have it."


@dataclass(frozen=True, kw_only=True)
class Gini(WholeMetric):
    """How unevenly the places of all lists are spread over items: 0 where all have as many.

    gini@k = Σ_i (2i − I − 1) c_(i) / (I · C), c ascending                                             [shani2011]
    """

    name = "gini"
    formula_zh = "gini@k = Σ_i (2i − I − 1) c_(i) / (I · C)，c 升序"
    aliases = ("gini_index",)
    title = Text("Gini coefficient", "基尼系数")
    about = item_about(
        Text("Do a few items get all the places?", "展示机会是否集中在少数条目上？"),
        Text("Marketplaces and content platforms, for fairness to providers.", "电商与内容平台，关注对供给方的公平。"),
        Text("It does not see which items are favoured.", "看不出受偏爱的是哪些条目。"),
        ("entropy", "coverage", "tail"),
        Text(
            "c = 0 1 1 2 3 4, C = 11: (0·−5 + 1·−3 + 1·−1 + 2·1 + 3·3 + 4·5) / (6 · 11) = 27/66 = 0.409091",
            "c = 0 1 1 2 3 4，C = 11：(0·−5 + 1·−3 + 1·−1 + 2·1 + 3·3 + 4·5) / (6 · 11) = 27/66 = 0.409091",
        ),
        typical_k="10, 20, 100",
        example=("gini@3",),
        higher_is_better=False,
        also=("集中度", "inequality"),
    )

    over: str = choice(
        Text("What the sum is divided by, beside C.", "除 C 之外，总和还除以什么。"),
        n=Text("the number of items I", "条目数 I"),
        n_minus_1=Text("I − 1: one item with all places gives 1", "I − 1：一个条目占尽机会时为 1"),
    )
    items: str = choice(
        Text("Which items there are.", "条目有哪些。"),
        catalog=Text("those of the catalogue, shown or not", "目录中的条目，不论是否展示"),
        shown=Text("only those that are shown", "只有展示过的条目"),
        padded=Text("those of the catalogue and one more, which stands for none", "目录中的条目，再加一个填充条目"),
    )
    places: str = choice(
        Text("How many places there are.", "共有多少个位置。"),
        shown=Text("those that an item fills", "有条目的位置"),
        full=Text("k for each list, however short", "每个列表 k 个，不论多短"),
    )
    even: str = choice(
        Text("What it is where all items are shown alike.", "所有条目展示次数相同时的值。"),
        minor=True,
        zero=Text("0: more is less even", "0：越大越不均"),
        one=Text("1: turned round, more is more even", "1：方向相反，越大越均匀"),
    )

    counters = ("counts",)

    @property
    def higher_is_better(self) -> bool | None:
        return self.even == "one"

    def check(self) -> None:
        """Full lists have k places."""
        if self.places == "full":
            self.refuse_no_k("places=full")

    @property
    def tables(self) -> tuple[str, ...]:
        return (*super().tables, *(("catalog",) if self.items != "shown" else ()))

    def sizes(self, display: ItemView) -> tuple[Ints, int]:
        """How often each item is shown that counts, ascending, without those that never are; and how many items there are."""
        return display.view.remember(("sizes", self.items, self.k), lambda: self._sizes(display))

    def _sizes(self, display: ItemView) -> tuple[Ints, int]:
        counts = display.counts(self.k)
        if self.items != "shown" and not display.in_catalog.all():
            counts = counts[display.in_catalog]
        kept = np.repeat(*distinct_counts(counts))
        if self.items == "shown":
            return kept, len(kept)
        return kept, display.background.catalog_size + (self.items == "padded")

    def whole(self, display: ItemView) -> float:
        counts, size = self.sizes(display)
        bottom = (size if self.over == "n" else size - 1) * self.total(display, counts)
        top = weighed_ranks(counts, size)
        return (top if self.even == "zero" else bottom - top) / bottom if bottom else NAN

    def total(self, display: ItemView, counts: Ints) -> int:
        """How many places there are."""
        return int(counts.sum()) if self.places == "shown" else len(display) * int(self.k or 0)

    def item_counts(self, view: RankingView) -> Mapping[str, int]:
        counts = super().item_counts(view)
        display = item_view(view)
        kept, size = self.sizes(display)
        counts = {**counts, "of": size, "head": fewest_items(kept)}
        return counts if self.items == "shown" else {**counts, "unknown": counts["items"] - len(kept)}

    def define(self, ranked: PlainLists) -> float:
        display = ranked.counts(self.lists, self.k)
        counts = sorted(display.values())
        if self.items != "shown" and isinstance(ranked.catalog, int):
            counts = [0] * (ranked.catalog - len(counts)) + counts
        elif self.items != "shown":
            counts = sorted(display.get(item, 0) for item in set(ranked.catalog))  # type: ignore[arg-type]
        counts = [0] * (self.items == "padded") + counts
        size = len(counts)
        total = sum(counts) if self.places == "shown" else len(ranked.chosen(self.lists)) * int(self.k or 0)
        top = sum((2 * place - size - 1) * count for place, count in enumerate(counts, 1))
        bottom = (size if self.over == "n" else size - 1) * total
        value = top / bottom if bottom else NAN
        return value if self.even == "zero" else 1 - value


def fewest_items(counts: Ints) -> int:
    """How few items have at least four fifths (HEAD) of all places, of which each has so many; ascending."""
    reached, places = np.cumsum(counts[::-1]), int(counts.sum())
    return int(np.searchsorted(reached, places - places // 5)) + 1 if len(counts) else 0


def weighed_ranks(counts: Ints, size: int) -> int:
    """Σ (2i − size − 1) c_(i) over items in ascending order, exactly; items that are never shown come first and add nothing."""
    distinct, times = distinct_counts(counts)
    total, begin = 0, size - len(counts)
    for count, many in zip(distinct.tolist(), times.tolist(), strict=True):
        total += count * many * (2 * begin + many - size)
        begin += many
    return total


@dataclass(frozen=True, kw_only=True)
class Entropy(WholeMetric):
    """Entropy of the shares of places that items have: how many items it is as if were shown alike, as a logarithm.

    entropy@k = −Σ_i p_i log2 p_i,  p_i = c_i / C                                                      [shani2011]
    """

    name = "entropy"
    aliases = ("shannon_entropy", "distributional_coverage")
    title = Text("Entropy of items shown", "展示熵")
    about = item_about(
        Text("Over how many items are the places spread?", "展示机会分散在多少条目上？"),
        Text("Recommendation, beside coverage: it weighs how often.", "推荐系统，与覆盖率一起看：它考虑展示次数。"),
        Text("It cannot be compared between catalogues of different size.", "目录大小不同时不可比。"),
        ("gini", "coverage"),
        Text(
            "p = 4/11, 3/11, 2/11, 1/11, 1/11: −Σ p log2 p = 2.118078",
            "p = 4/11、3/11、2/11、1/11、1/11：−Σ p log2 p = 2.118078",
        ),
        typical_k="10, 20, 100",
        example=("entropy@3",),
        range="0 … ∞",
        also=("熵", "香农熵", "distributional coverage"),
    )

    base: str = parameter(
        "2",
        Choice({"2": Text("bits", "比特"), "e": Text("the natural logarithm", "自然对数")}),
        Text("The base of the logarithm.", "对数的底。"),
    )
    over: str = choice(
        Text("What the sum is divided by.", "总和除以什么。"),
        none=Text("nothing", "不除"),
        distinct=Text("the number of distinct items shown", "展示过的不同条目数"),
    )
    mean: str = choice(
        Text("What weighs the same in the mean of log(1 / p).", "对 log(1 / p) 取平均时，什么权重相同。"),
        minor=True,
        places=Text("every place", "每个位置"),
        lists=Text("every list: a place of a short one weighs more", "每个列表：短列表中的位置权重更大"),
    )

    @property
    def counters(self) -> tuple[str, ...]:
        return ("counts", "lengths") if self.mean == "lists" else ("counts",)

    @property
    def log(self) -> Callable[[float], float]:
        """The logarithm."""
        return math.log2 if self.base == "2" else math.log

    def whole(self, display: ItemView) -> float:
        counts = display.counts(self.k)
        distinct, times = display.count_sizes(self.k)
        if self.mean == "lists" and len(distinct):
            kinds = self.kinds(display)
            total, lists = int(counts.sum()), int(np.count_nonzero(display.depth(self.k)))
            value = math.fsum(self.term(kind, total) for kind in kinds) / lists
            return value / (int(times.sum()) if self.over == "distinct" else 1)
        return self._entropy(dict(zip(distinct.tolist(), times.tolist(), strict=True)))

    def kinds(self, display: ItemView) -> list[tuple[int, int, int]]:
        """How often an item is shown, the length of a list in which it is, and how many places are so."""
        item, length, times = display.lengths(self.k)
        count, length, times = Pairs.of(display.counts(self.k)[item], length, times)
        return list(zip(count.tolist(), length.tolist(), times.tolist(), strict=True))

    def term(self, kind: tuple[int, int, int], total: int) -> float:
        """What such places add, each as its share of the list."""
        count, length, many = kind
        return many * self.log(total / count) / length

    def _entropy(self, times: Mapping[int, int]) -> float:
        """Of items that are shown so often: counts, and how many items have each."""
        total = sum(count * many for count, many in times.items())
        if not total:
            return NAN
        terms = (count * many * self.log(total / count) for count, many in times.items())
        return math.fsum(terms) / total / (sum(times.values()) if self.over == "distinct" else 1)

    def define(self, ranked: PlainLists) -> float:
        counts = ranked.counts(self.lists, self.k)
        if not counts:
            return NAN
        total = sum(counts.values())
        value = -math.fsum(count / total * self.log(count / total) for count in counts.values())
        if self.mean == "lists":
            tops = [top for user in ranked.chosen(self.lists) if (top := ranked.top(user, self.k))]
            means = [math.fsum(self.log(total / counts[item]) for item in top) / len(top) for top in tops]
            value = math.fsum(means) / len(means)
        return (value or 0.0) / (len(counts) if self.over == "distinct" else 1)
