"""How different the items of one list are: by category or by vector."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.exact import Floats, Ints
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.items.counters import Pairs
from pingce.evidence.items.view import ItemView, item_view
from pingce.evidence.ranking.truth_index import gathered
from pingce.evidence.ranking.view import RankingView
from pingce.metrics.parameters import choice
from pingce.metrics.ranking.base import NAN, ratio
from pingce.metrics.ranking.items import Id, ItemMetric, ListMetric, PlainLists, item_about

_WORD = 8
"Bytes of a word."
_FEW_VALUES = 8
"Of a component, for which a table of lists by values is made."
_SHORT = Text("fewer than two items of the list have a category or vector", "列表中有类目或向量的条目少于两个")


def refuse_no_facts(metric: ItemMetric, holds: bool, part: str) -> None:
    """Refuse a metric that reads a fact of each item that the table does not have."""
    if not holds:
        raise InputError(
            f"{metric.id} reads a {part} of each item, and items= has no column of them; add one, or say columns={{'items.{part}': …}}",
            f"{metric.id} 需要各条目的 {part}，而 items= 没有这一列；请加上，或用 columns={{'items.{part}': …}} 指明",
        )


@dataclass(frozen=True, kw_only=True)
class FeatureMetric(ListMetric):
    """Base of metrics that read the table of items."""

    @property
    def tables(self) -> tuple[str, ...]:
        return (*super().tables, "items")

    @property
    def of_vectors(self) -> bool:
        """Whether it reads vectors, and not categories."""
        return False

    def has_facts(self, display: ItemView) -> NDArray[np.bool_]:
        """Which of the items that are shown somewhere have a category, or a vector."""
        features = display.background.features
        if self.of_vectors:
            refuse_no_facts(self, features.table.vectors is not None, "vector")
            return features.has_vector(display.items)
        refuse_no_facts(self, features.has_categories, "category")
        return np.diff(features.categories(display.items)[0]) > 0

    def item_counts(self, view: RankingView) -> Mapping[str, int]:
        display = item_view(view)
        unknown = np.count_nonzero(~self.has_facts(display) & (display.counts(self.k) > 0))
        return {**super().item_counts(view), "unknown": int(unknown)}


@dataclass(frozen=True, kw_only=True)
class IntraListDiversity(FeatureMetric):
    """Mean distance over the pairs of items of a list.

    ild@k = Σ_{i<j} d(i, j) / (m (m − 1) / 2), over the m items that have a category or vector            [ziegler2005]
    """

    name = "ild"
    formula_zh = "ild@k = Σ_{i<j} d(i, j) / (m (m − 1) / 2)，m 为有类目或向量的条目数"
    aliases = ("intra_list_diversity",)
    title = Text("Intra-list diversity", "列表内多样性")
    about = item_about(
        Text("How different are the items of one list?", "同一列表中的条目有多不同？"),
        Text("Feeds and home pages that must not repeat themselves.", "不应千篇一律的信息流与首页。"),
        Text("Random lists are diverse; it says nothing about quality.", "随机列表也很多样；与好坏无关。"),
        ("category_diversity", "novelty"),
        Text(
            "u1: c d alike (Y), b other (X): 2 of 3 pairs differ; u2 2/3, u3 1, u4 1; mean 5/6 = 0.833333",
            "u1：c、d 同类（Y），b 不同（X）：3 对中 2 对不同；u2 为 2/3，u3 为 1，u4 为 1；均值 5/6 = 0.833333",
        ),
        typical_k="10, 20",
        example=("ild@3",),
        range="0 … ∞",
        undefined=_SHORT,
        also=("多样性", "diversity", "ILD", "ILS"),
    )

    distance: str = choice(
        Text("How far two items are apart.", "两个条目相差多少。"),
        category=Text("1 if they have no category in common, else 0", "没有相同类目为 1，否则为 0"),
        cosine=Text("1 − cosine of their vectors", "1 − 向量的余弦"),
        euclidean=Text("the distance of their vectors", "向量的欧氏距离"),
        hamming=Text("the number of components in which their vectors differ", "向量中不同分量的个数"),
    )
    short: str = choice(
        Text("A list with fewer than two such items.", "此类条目少于两个的列表。"),
        undefined=Text("has no value", "没有数值"),
        zero=Text("is 0", "记 0"),
        one=Text("is 1", "记 1"),
    )
    over: str = choice(
        Text("What the sum over pairs is divided by.", "各对之和除以什么。"),
        pairs=Text("the number of pairs", "对数"),
        list=Text("the number of items: it grows with k", "条目数：随 k 增大"),
    )

    @property
    def of_vectors(self) -> bool:
        return self.distance != "category"

    def sums(self, display: ItemView) -> tuple[Floats, Ints]:
        """Per list, the sum of the distances of its pairs, and how many items have a category or vector."""
        places = display.places(self.k)
        kept = np.flatnonzero(self.has_facts(display)[places.item])
        query, item = places.query[kept], places.item[kept]
        sizes = np.bincount(query, minlength=len(display))
        if self.distance == "hamming":
            return differing_components(
                query, display.background.features.vectors(display.items)[0], item, sizes
            ), sizes
        total = np.zeros(len(display))
        far = self._distances(display)
        for shift in range(1, int(sizes.max(initial=0))):  # the pairs of neighbours, of items two apart, …
            same = np.flatnonzero(query[shift:] == query[:-shift])
            total += np.bincount(query[same], weights=far(item[same], item[same + shift]), minlength=len(display))
        return total, sizes

    def _distances(self, display: ItemView) -> Any:
        """The distance of pairs of items, by their numbers."""
        if self.distance == "category":
            marks = category_marks(*display.background.features.categories(display.items))
            return lambda a, b: (~(marks[a] & marks[b]).any(axis=1)).astype(np.float64)
        features, items = display.background.features, display.items
        if self.distance == "cosine":
            units = features.directions(items, display.counts(self.k) > 0)[0]
            return lambda a, b: 1.0 - (units[a] * units[b]).sum(axis=1)
        vectors, _ = features.vectors(items)
        return lambda a, b: np.sqrt(np.square(vectors[a] - vectors[b]).sum(axis=1))

    def values(self, view: RankingView) -> Floats:
        total, sizes = self.sums(item_view(view))
        bottom = sizes * (sizes - 1) / 2 if self.over == "pairs" else sizes
        instead = {"zero": 0.0, "one": 1.0}.get(self.short, NAN)
        return np.where(sizes < 2, instead, ratio(total, bottom, sizes < 2))

    def define_list(self, ranked: PlainLists, user: Id) -> float:
        facts = ranked.vectors if self.of_vectors else ranked.categories
        items = [item for item in ranked.top(user, self.k) if facts.get(item)]
        if len(items) < 2:
            return {"zero": 0.0, "one": 1.0}.get(self.short, NAN)
        far = [self._plain_distance(facts[a], facts[b]) for a, b in combinations(items, 2)]
        return math.fsum(far) / (len(far) if self.over == "pairs" else len(items))

    def _plain_distance(self, a: Any, b: Any) -> float:
        if self.distance == "category":
            return float(not set(a) & set(b))
        if self.distance == "hamming":
            return float(sum(x != y for x, y in zip(a, b, strict=True)))
        if self.distance == "euclidean":
            return math.dist(a, b)
        dot, *squares = (math.fsum(x * y for x, y in zip(u, v, strict=True)) for u, v in ((a, b), (a, a), (b, b)))
        return 1 - dot / math.sqrt(squares[0] * squares[1])


def differing_components(query: Ints, vectors: Floats, item: NDArray[np.int32], sizes: Ints) -> Floats:
    """Per list, the components in which the vectors of pairs of its items differ, added up: all pairs less those that share a value."""
    least, most = vectors.min(axis=0, initial=np.inf), vectors.max(axis=0, initial=-np.inf)
    is_most = vectors == most
    of_two = (is_most | (vectors == least)).all(axis=0)
    others = vectors[:, ~of_two]
    total: Ints = (sizes * (sizes - 1) // 2) * others.shape[1] + _differing_of_two(is_most[:, of_two], item, sizes)
    for column in others.T:
        values, code = np.unique(column, return_inverse=True)
        width, code = len(values), code.reshape(-1)
        if width > _FEW_VALUES:
            lists, _, times = Pairs.of(query, code[item])
            total -= np.bincount(lists, times * (times - 1) // 2, len(sizes)).astype(np.int64)
            continue
        times = np.bincount(query * width + code[item], minlength=len(sizes) * width).reshape(-1, width)
        for shared in times.T:
            total -= shared * (shared - 1) // 2
    return total.astype(np.float64)


def _differing_of_two(marks: NDArray[np.bool_], item: NDArray[np.int32], sizes: Ints) -> Ints:
    """The same of components that have two values at most: with c of n items at one of them, c (n − c) pairs differ.

    Several components of an item stand in one word, each in as many bits as the longest list has items, and are added up at once.
    """
    total = np.zeros(len(sizes), np.int64)
    field = np.dtype(np.min_scalar_type(int(sizes.max(initial=0))))
    filled, begin = np.flatnonzero(sizes), np.cumsum(sizes) - sizes
    if not len(filled) or not marks.size:
        return total
    width = -(-marks.shape[1] * field.itemsize // _WORD) * _WORD // field.itemsize
    words = np.zeros((len(marks), width), field)
    words[:, : marks.shape[1]] = marks
    sums = np.zeros((len(filled), width), field)
    for word, added in zip(words.view(np.uint64).T, sums.view(np.uint64).T, strict=True):
        added[:] = np.add.reduceat(word[item], begin[filled])
    often = sums[:, : marks.shape[1]].astype(np.int64)
    total[filled] = (often * (sizes[filled, None] - often)).sum(axis=1)
    return total


def category_marks(begin: Ints, category: Ints) -> NDArray[np.uint64]:
    """Of each item a bit for each of its categories, 64 in a word."""
    distinct, place = np.unique(category, return_inverse=True)
    place = place.reshape(-1)
    marks = np.zeros((len(begin) - 1, max(1, -(-len(distinct) // 64))), np.uint64)
    item = np.repeat(np.arange(len(begin) - 1), np.diff(begin))
    np.bitwise_or.at(marks, (item, place // 64), np.uint64(1) << (place % 64).astype(np.uint64))
    return marks


class Tallies(NamedTuple):
    """Pairs of a list and a category that occur together, sorted, and how often they do."""

    query: Ints
    category: Ints
    times: Ints


@dataclass(frozen=True, kw_only=True)
class CategoryMetric(FeatureMetric):
    """Base of metrics of how often each category stands in a list."""

    def tallies(self, display: ItemView) -> Tallies:
        """How often each category stands in each list."""
        begin, category = display.background.features.categories(display.items)
        self.has_facts(display)
        places = display.places(self.k)
        rows, bounds = gathered(begin, places.item)
        width = np.int64(int(category.max(initial=0)) + 1)
        pairs, times = np.unique(np.repeat(places.query, np.diff(bounds)) * width + category[rows], return_counts=True)
        return Tallies(pairs // width, pairs % width, times)

    def plain_tallies(self, ranked: PlainLists, user: Id) -> dict[Any, int]:
        """The definition: how often each category stands in the list."""
        tallies: dict[Any, int] = {}
        for item in ranked.top(user, self.k):
            for category in set(ranked.categories.get(item, ())):
                tallies[category] = tallies.get(category, 0) + 1
        return tallies


@dataclass(frozen=True, kw_only=True)
class CategoryDiversity(CategoryMetric):
    """Distinct categories in the list, over its length.

    category_diversity@k = |categories of the top k| / min(n, k)                                        [castells2015]
    """

    name = "category_diversity"
    formula_zh = "category_diversity@k = |前 k 的类目| / min(n, k)"
    title = Text("Category diversity", "类目多样性")
    about = item_about(
        Text("How many categories does a list touch?", "列表涉及多少个类目？"),
        Text("Feeds of news, videos and goods.", "新闻、视频、商品的信息流。"),
        Text("It cannot see how often each category occurs.", "看不到各类目出现的次数。"),
        ("ild", "category_entropy"),
        Text(
            "u1: Y, X of 3 places; u2 2/3, u3 3/3 with Z, u4 2/2; mean 5/6 = 0.833333",
            "u1：3 个位置中有 Y、X；u2 为 2/3，u3 含 Z 为 3/3，u4 为 2/2；均值 5/6 = 0.833333",
        ),
        typical_k="10, 20",
        example=("category_diversity@3",),
        range="0 … ∞",
        undefined=Text("the list is empty", "列表为空"),
    )

    over: str = choice(
        Text("What the number of categories is divided by.", "类目数除以什么。"),
        list=Text("the length of the list, up to k", "列表长度，至多 k"),
        k=Text("k, also where the list is shorter", "k，列表更短时亦然"),
    )

    def check(self) -> None:
        """To divide by k there must be one."""
        if self.over == "k":
            self.refuse_no_k("over=k")

    def distinct(self, display: ItemView) -> Ints:
        """How many categories each list has."""
        return np.bincount(self.tallies(display).query, minlength=len(display))

    def values(self, view: RankingView) -> Floats:
        bottom = view.depth(self.k) if self.over == "list" else np.full(len(view), int(self.k or 0))
        return ratio(self.distinct(item_view(view)), bottom, bottom == 0)

    def define_list(self, ranked: PlainLists, user: Id) -> float:
        bottom = len(ranked.top(user, self.k)) if self.over == "list" else int(self.k or 0)
        return len(self.plain_tallies(ranked, user)) / bottom if bottom else NAN


@dataclass(frozen=True, kw_only=True)
class CategoryEntropy(CategoryMetric):
    """Entropy of the shares of categories in the list, in bits.

    category_entropy@k = −Σ_c p_c log2 p_c                                                              [castells2015]
    """

    name = "category_entropy"
    title = Text("Category entropy", "类目熵")
    about = item_about(
        Text("How evenly is a list spread over categories?", "列表在各类目间分布得多均匀？"),
        Text("Feeds of news, videos and goods.", "新闻、视频、商品的信息流。"),
        Text("It cannot be compared between lists of very different length.", "列表长度相差很大时不可比。"),
        ("category_diversity", "ild"),
        Text(
            "u1: shares 2/3, 1/3: 0.918296; u2 the same, u3 log2 3 = 1.584963, u4 1; mean 1.105389",
            "u1：占比 2/3、1/3：0.918296；u2 相同，u3 为 log2 3 = 1.584963，u4 为 1；均值 1.105389",
        ),
        typical_k="10, 20",
        example=("category_entropy@3",),
        range="0 … ∞",
        undefined=Text("no item of the list has a category", "列表中没有条目有类目"),
    )

    def values(self, view: RankingView) -> Floats:
        query, _, times = self.tallies(item_view(view))
        total = np.bincount(query, weights=times, minlength=len(view)).astype(np.int64)
        of_list = total[query]
        width = int(of_list.max(initial=0)) + 1
        kinds, place = np.unique(of_list * width + times, return_inverse=True)
        bits = np.array([math.log2((kind // width) / (kind % width)) for kind in kinds.tolist()])
        terms = times * bits[place.reshape(-1)] if len(kinds) else np.zeros(0)
        return ratio(np.bincount(query, weights=terms, minlength=len(view)), total, total == 0)

    def define_list(self, ranked: PlainLists, user: Id) -> float:
        tallies = self.plain_tallies(ranked, user).values()
        if not tallies:
            return NAN
        return math.fsum(times / sum(tallies) * math.log2(sum(tallies) / times) for times in tallies)
