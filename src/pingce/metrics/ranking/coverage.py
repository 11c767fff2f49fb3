"""How much of the catalogue is shown, and to how many users anything."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.items.view import ItemView, item_view
from pingce.evidence.ranking.view import RankingView
from pingce.metrics.parameters import Number, choice, parameter
from pingce.metrics.ranking.base import NAN
from pingce.metrics.ranking.items import PlainLists, WholeMetric, item_about


@dataclass(frozen=True, kw_only=True)
class Coverage(WholeMetric):
    """Share of the items of the catalogue that some list shows.

    coverage@k = |{ i in catalogue : c_i > 0 }| / I                                                        [ge2010]
    """

    name = "coverage"
    formula_zh = "coverage@k = |{ i ∈ 目录 : c_i > 0 }| / I"
    aliases = ("catalog_coverage", "item_coverage")
    title = Text("Coverage", "目录覆盖率")
    about = item_about(
        Text("How much of the catalogue is shown to anybody?", "目录中有多少条目展示给了某个用户？"),
        Text("Recommendation, beside accuracy.", "推荐系统，与准确性一起看。"),
        Text(
            "An item that is shown once counts as one that is shown to all.",
            "只展示一次的条目与人人可见的条目同样计数。",
        ),
        ("gini", "entropy"),
        Text("a, b, c, d, e of a … f: 5 / 6 = 0.833333", "a … f 中展示了 a、b、c、d、e：5 / 6 = 0.833333"),
        typical_k="10, 20, 100",
        example=("coverage@3",),
        range="0 … ∞",
        undefined=Text("", ""),
        also=("catalogue coverage", "物品覆盖率", "覆盖率"),
    )

    of: str = choice(
        Text("What the number of items is divided by.", "展示的条目数除以什么。"),
        catalog=Text("the items of the catalogue", "目录的条目数"),
        train=Text("the items of train", "训练集的条目数"),
        count=Text("nothing", "不除"),
        padded=Text("the items of the catalogue and one more, which stands for none", "目录的条目数加一（填充条目）"),
    )
    unknown: str = choice(
        Text("An item that is shown and is not among these.", "展示了、但不在其中的条目。"),
        drop=Text("is not counted", "不计"),
        count=Text("is counted", "计入"),
    )

    counters = ("counts",)

    @property
    def tables(self) -> tuple[str, ...]:
        needed = {"catalog": ("catalog",), "padded": ("catalog",), "train": ("train",)}
        return (*super().tables, *needed.get(self.of, ()))

    def whole(self, display: ItemView) -> float:
        distinct = np.flatnonzero(display.counts(self.k))
        if self.of == "count":
            return float(len(distinct))
        inside = self.inside(display)[distinct]
        return (len(distinct) if self.unknown == "count" else int(inside.sum())) / self.size(display)

    def size(self, display: ItemView) -> int:
        """How many items there are."""
        if self.of == "train":
            return len(display.background.past.items)
        return display.background.catalog_size + (self.of == "padded")

    def inside(self, display: ItemView) -> NDArray[np.bool_]:
        """Which of the items that are shown somewhere are among those there are."""
        if self.of != "train":
            return display.in_catalog
        of_past: NDArray[np.bool_] = display.in_past >= 0
        return of_past

    def item_counts(self, view: RankingView) -> Mapping[str, int]:
        counts = super().item_counts(view)
        if self.of == "count":
            return counts
        display = item_view(view)
        unknown = np.count_nonzero(~self.inside(display) & (display.counts(self.k) > 0))
        return {**counts, "unknown": int(unknown)}

    def define(self, ranked: PlainLists) -> float:
        display = set(ranked.counts(self.lists, self.k))
        if self.of == "count":
            return float(len(display))
        padding = int(self.of == "padded")
        if isinstance(ranked.catalog, int) and self.of != "train":
            return len(display) / (ranked.catalog + padding)
        every: Any = {item for _, item in ranked.train} if self.of == "train" else ranked.catalog
        among = display if self.unknown == "count" else display & set(every)
        return len(among) / (len(set(every)) + padding)


@dataclass(frozen=True)
class AtLeast:
    """A whole number from 1 up, or k."""

    def accept(self, name: str, value: Any) -> int | str:
        """The number, or the word k."""
        if value == "k":
            return "k"
        number = Number(least=1).accept(name, value)
        if isinstance(number, int):
            return number
        raise InputError(
            f"{name}={value}: must be a whole number from 1 up, or k", f"{name}={value}：须为不小于 1 的整数，或 k"
        )

    def describe(self) -> str:
        return "≥ 1 | k"


@dataclass(frozen=True, kw_only=True)
class UserCoverage(WholeMetric):
    """Share of users with enough items in the top k.

    user_coverage@k = |{ u : min(n_u, k) ≥ at_least }| / users                                             [ge2010]
    """

    name = "user_coverage"
    formula_zh = "user_coverage@k = |{ u : min(n_u, k) ≥ at_least }| / 用户数"
    title = Text("User coverage", "用户覆盖率")
    about = item_about(
        Text("How many users get anything at all?", "有多少用户得到了推荐？"),
        Text("Services that must not leave anybody with an empty list.", "不能让用户面对空列表的服务。"),
        Text("It does not look at what is shown.", "不看展示的是什么。"),
        ("coverage", "recall"),
        Text("each of the four users has a list: 4 / 4 = 1", "四个用户都有列表：4 / 4 = 1"),
        typical_k="10, 20",
        example=("user_coverage@3",),
        undefined=Text("", ""),
        also=("covered users", "sufficient"),
    )

    of: str = choice(
        Text("Whose lists are asked for.", "看谁的列表。"),
        truth=Text("the queries of the truth", "真值中的查询"),
        train=Text("the users of train", "训练集中的用户"),
        run=Text("the queries that have a list", "有列表的查询"),
    )
    at_least: int | str = parameter(
        1, AtLeast(), Text("Items that are enough: a number, or k.", "多少个条目算足够：一个数，或 k。")
    )
    unit: str = choice(
        Text("What is counted.", "数什么。"),
        minor=True,
        users=Text("users with enough items", "条目足够的用户"),
        places=Text(
            "places of the top k that an item fills, of k for each user", "前 k 中有条目的位置，每个用户共 k 个"
        ),
    )

    def check(self) -> None:
        """Without k there is no k to reach, and nobody has more than k items; whose lists count, `of` says."""
        if self.at_least == "k":
            self.refuse_no_k("at_least=k")
        if self.unit == "places":
            self.refuse_no_k("unit=places")
        if self.k is not None and self.least > self.k:
            raise InputError(
                f"at_least={self.at_least}: nobody has more than {self.k} items in the top {self.k}; say at_least=k, or a larger k",
                f"at_least={self.at_least}：前 {self.k} 中至多有 {self.k} 个条目；请用 at_least=k，或更大的 k",
            )
        if self.lists != "all":
            raise InputError(
                f"lists={self.lists}: whose lists {self.name} looks at is said by of=; write of=truth for judged queries",
                f"lists={self.lists}：{self.name} 看谁的列表由 of= 决定；已标注的查询请写 of=truth",
            )

    counters = ("counts",)

    @property
    def scope(self) -> str:
        return "judged" if self.of == "truth" else "all"

    @property
    def tables(self) -> tuple[str, ...]:
        return {"truth": ("qrels",), "train": ("train",)}.get(self.of, ())

    @property
    def least(self) -> int:
        """How many items are enough."""
        return int((self.k or 0) if self.at_least == "k" else self.at_least)

    def whole(self, display: ItemView) -> float:
        enough, users = self.users(display)
        return enough / users if users else NAN

    def users(self, display: ItemView) -> tuple[int, int]:
        """Users with enough items, and all users; or places that are filled, and all places."""
        depth = display.depth(self.k)
        counts, each = (depth, int(self.k or 0)) if self.unit == "places" else (depth >= self.least, 1)
        if self.of != "train":
            return int(counts.sum()), len(counts) * each
        users = display.background.past.queries
        return int(counts[users.find(display.view.evidence.queries) >= 0].sum()), len(users) * each

    def define(self, ranked: PlainLists) -> float:
        users = {"truth": set(ranked.truth), "run": set(ranked.lists), "train": {user for user, _ in ranked.train}}[
            self.of
        ]
        if self.unit == "places":
            return sum(len(ranked.top(user, self.k)) for user in users) / (len(users) * int(self.k or 0))
        return sum(len(ranked.top(user, self.k)) >= self.least for user in users) / len(users)
