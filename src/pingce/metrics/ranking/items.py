"""What metrics of items share: they look at which items lists show, and at what is known of these from elsewhere."""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import field
from typing import Any

import numpy as np

from pingce.base.errors import InputError
from pingce.base.exact import Floats
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.items.view import ItemView, item_view
from pingce.evidence.ranking.view import RankingView
from pingce.metrics.parameters import choice
from pingce.metrics.ranking.base import NAN, Add, RankingMetric, about

Id = Hashable


@dataclass(frozen=True)
class PlainLists:
    """The raw lists of all users, and the tables beside them: what the definitions of metrics of items read."""

    lists: Mapping[Any, Sequence[Any]]
    "Of the run: items, best first."
    truth: Mapping[Any, Mapping[Any, float]]
    train: Sequence[tuple[Id, Id]] = ()
    catalog: Collection[Id] | int = ()
    relevant: float = 1
    categories: Mapping[Any, Collection[Any]] = field(default_factory=dict)
    vectors: Mapping[Any, Sequence[float]] = field(default_factory=dict)
    "Of items, where they have any."
    reference: Mapping[Any, Sequence[Any]] = field(default_factory=dict)
    "The lists of another run."
    groups: Mapping[Any, Any] = field(default_factory=dict)
    "Of items, where they have one."

    def chosen(self, which: str) -> list[Id]:
        """The users whose lists count."""
        return list(self.lists if which == "all" else self.truth)

    def top(self, user: Id, k: int | None) -> Sequence[Id]:
        """The first k items of a list; without k, all."""
        return self.lists.get(user, ())[:k]

    def counts(self, which: str, k: int | None) -> dict[Id, int]:
        """How often each item stands in the top k of a list."""
        counts: dict[Id, int] = {}
        for user in self.chosen(which):
            for item in self.top(user, k):
                counts[item] = counts.get(item, 0) + 1
        return counts

    def users_of(self, item: Id) -> int:
        """How many users had the item in the past."""
        return len({user for user, other in self.train if other == item})

    def count_of(self, item: Id) -> int:
        """How often the item occurs in the past."""
        return sum(other == item for _, other in self.train)

    def is_relevant(self, user: Id, item: Id) -> bool:
        """Whether the truth calls it relevant."""
        grade = self.truth.get(user, {}).get(item)
        return grade is not None and grade >= self.relevant


EXAMPLE = PlainLists(
    {"u1": "cdb", "u2": "bda", "u3": "ceb", "u4": "bc"},
    {"u1": {"d": 1}, "u2": {"b": 1, "e": 1}, "u3": {"c": 1}, "u4": {"d": 1}},
    tuple((user, item) for user, items in (("u1", "ab"), ("u2", "ac"), ("u3", "abd"), ("u4", "a")) for item in items),
    "abcdef",
    categories={"a": "X", "b": "X", "c": "Y", "d": "Y", "e": "Z", "f": "Z"},
    reference=dict.fromkeys(("u1", "u2", "u3", "u4"), "abc"),
    groups=dict(zip("abcdef", "XXYYZZ", strict=True)),
)
"Four users, six items, of which e and f have no past."


@dataclass(frozen=True, kw_only=True)
class ItemMetric(RankingMetric):
    """Base of metrics that look at which items lists show."""

    of_items = True
    closed_form = False
    symbols = Text(
        "n: items returned · I: items of the catalogue · c_i: how often item i stands in the top k of all lists · C = Σ_i c_i · users(i), count(i): users and interactions of i in train",
        "n：返回的条目数 · I：目录中的条目数 · c_i：条目 i 出现在所有列表前 k 中的次数 · C = Σ_i c_i · users(i)、count(i)：训练集中 i 的用户数与交互数",
    )

    lists: str = choice(
        Text("Which lists count.", "哪些列表计入。"),
        minor=True,
        all=Text("all lists of the run, judged or not", "预测中的全部列表，不论是否有标注"),
        judged=Text("those of judged queries; an unanswered one is empty", "已标注查询的列表；未回答的视为空列表"),
    )

    @property
    def counters(self) -> tuple[str, ...]:
        """What must be counted of lists so that the value of the run follows without them (`COUNTERS`); none: it needs the lists."""
        return ()

    @property
    def counting_tables(self) -> tuple[str, ...]:
        """Tables of items that must be at hand when lists are counted: those that values of lists are made of."""
        return () if self.is_whole else self.tables

    @property
    def needs_lists(self) -> bool:
        return not self.counters

    @property
    def scope(self) -> str:
        return self.lists

    @property
    def tables(self) -> tuple[str, ...]:
        """What it reads beside the run."""
        return ("qrels",) if self.lists == "judged" else ()

    @classmethod
    def example_rows(cls) -> Any:
        """The four users of the example."""
        return EXAMPLE

    @classmethod
    def example_words(cls) -> Text:
        return Text(
            "lists c d b · b d a · c e b · b c; past {a, b} · {a, c} · {a, b, d} · {a}; catalogue a … f; categories a, b: X, c, d: Y, e, f: Z; relevant d · b, e · c · d",
            "列表 c d b · b d a · c e b · b c；训练集 {a, b} · {a, c} · {a, b, d} · {a}；目录 a … f；类目 a、b：X，c、d：Y，e、f：Z；相关 d · b、e · c · d",
        )

    def refuse_no_k(self, when: str = "") -> None:
        """Refuse a metric that divides by k, always or with a parameter, and has none."""
        if self.k is None:
            bracket, here = (f"({when})", Text(f" here ({when})", f"（{when}）")) if when else ("", Text("", ""))
            raise InputError(
                f"{self.name} divides by k{here.en}: say it, e.g. {self.name}{bracket}@10",
                f"{self.name} 要除以 k{here.zh}：请写明 k，例如 {self.name}{bracket}@10",
            )

    def item_counts(self, view: RankingView) -> Mapping[str, int]:
        """Places and items that were looked at, and items that a table does not know."""
        display = item_view(view)
        display.background.refuse_strange(self.tables, display.items, view.evidence.queries)
        counts = display.counts(self.k)
        return {"places": int(counts.sum()), "items": int(np.count_nonzero(counts))}


@dataclass(frozen=True, kw_only=True)
class WholeMetric(ItemMetric):
    """Base of metrics that are one value of the run, and no mean over lists."""

    is_whole = True

    def values(self, view: RankingView) -> Floats:
        """A list has no value of its own."""
        return np.full(len(view), NAN)

    def whole(self, display: ItemView) -> float:
        """The one value of all lists; NaN = undefined."""
        raise NotImplementedError

    def summarize(self, view: RankingView, values: Floats, add: Add) -> float:
        return self.whole(item_view(view))


@dataclass(frozen=True, kw_only=True)
class ListMetric(ItemMetric):
    """Base of metrics with a value for each list, whose mean is the value of the run."""

    counters = ("counts",)

    @property
    def is_mean(self) -> bool:
        return getattr(self, "over", "") != "places"

    def define(self, ranked: PlainLists) -> float:
        values = [self.define_list(ranked, user) for user in ranked.chosen(self.lists)]
        kept = [value for value in values if not math.isnan(value)]
        return math.fsum(kept) / len(kept) if kept else NAN

    def define_list(self, ranked: PlainLists, user: Id) -> float:
        """The definition for one list."""
        raise NotImplementedError


def item_about(*words: Any, **more: Any) -> Any:
    """What a metric of items says of itself."""
    return about(*words, **{"undefined": Text("no list shows an item", "没有列表展示任何条目"), **more})
