"""How much of what lists show goes to each group of items."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from pingce.base.errors import InputError, did_you_mean
from pingce.base.exact import Floats
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.items.background import Background
from pingce.evidence.items.features import Features
from pingce.evidence.items.view import ItemView, item_view
from pingce.evidence.ranking.view import RankingView, RankWeight
from pingce.metrics.grammar import MetricRequest
from pingce.metrics.parameters import Number, choice, parameter
from pingce.metrics.ranking.base import NAN, Sum
from pingce.metrics.ranking.items import PlainLists, WholeMetric, item_about
from pingce.metrics.ranking.novelty import even, log2_discount
from pingce.metrics.ranking.user_models import Patience


class GroupName:
    """The name of a group of items, or none."""

    def accept(self, name: str, value: Any) -> str | None:
        """The name as text."""
        return None if value is None else str(value)

    def describe(self) -> str:
        return "GROUP"


@dataclass(frozen=True, kw_only=True)
class Exposure(WholeMetric):
    """Share of the weights of all places that goes to the items of a group.

    exposure@k = Σ_lists Σ_{i ≤ k, item i of the group} d(i) / Σ_lists Σ_{i ≤ k} d(i),  d(i) = 1 / log2(i + 1)      [singh2018]
    """

    name = "exposure"
    formula_zh = "exposure@k = Σ_列表 Σ_{i ≤ k，第 i 位属于该组} d(i) / Σ_列表 Σ_{i ≤ k} d(i)，d(i) = 1 / log2(i + 1)"
    title = Text("Exposure of a group", "分组曝光")
    about = item_about(
        Text("Which share of attention does each group of items get?", "各组条目分得多少注意力？"),
        Text("Fairness to providers, brands and kinds of content.", "对供给方、品牌与内容类型的公平。"),
        Text("What share would be fair it does not say.", "它不说明多少才算公平。"),
        ("gini", "tail", "category_entropy"),
        Text(
            "group Y: ranks 1 and 2 of u1, 2 of u2, 1 of u3, 2 of u4: 2 · 1 + 3 · 0.63093 = 3.892789; of all 8.023719; 0.48516",
            "Y 组：u1 的第 1、2 位，u2 的第 2 位，u3 的第 1 位，u4 的第 2 位：2 · 1 + 3 · 0.63093 = 3.892789；总计 8.023719；0.48516",
        ),
        typical_k="10, 20, 100",
        example=("exposure(group=Y)@3",),
        undefined=Text("no item of a group is shown", "没有展示任何组的条目"),
        higher_is_better=None,
        also=("曝光", "fairness", "group exposure", "公平"),
    )

    discount: str = choice(
        Text("What a place weighs.", "各位置的权重。"),
        log2=Text("1 / log2(rank + 1)", "1 / log2(名次 + 1)"),
        none=Text("all alike", "相同"),
        geometric=Text("p^(rank − 1)", "p^(名次 − 1)"),
    )
    p: float = parameter(
        0.8,
        Number(above=0, below=1),
        Text("The reader's patience, for discount=geometric.", "读者继续往下看的概率，用于 discount=geometric。"),
    )
    unknown: str = choice(
        Text("Places of items that have no group.", "没有组的条目所占的位置。"),
        drop=Text("do not count", "不计"),
        count=Text("count in the total: shares add up to less than 1", "计入总量：各组之和小于 1"),
    )
    group: str | None = parameter(None, GroupName(), Text("One group only.", "只看一个组。"))

    counters = ("counts", "groups")
    counting_tables = ("items",)

    @property
    def tables(self) -> tuple[str, ...]:
        return (*super().tables, "items")

    def requests(self, request: MetricRequest, background: Background) -> list[MetricRequest]:
        """One metric per group, unless one was named."""
        if self.group is not None:
            return [request]
        names = self._names(background.features)
        requests = [replace(request, metric=replace(self, group=name)) for name in names]
        return [replace(each, name=each.id) for each in requests]

    def _names(self, features: Features) -> tuple[str, ...]:
        if not features.group_names:
            raise InputError(
                f"{self.id} reads the group of each item, and items= has no column of them; add one, or say columns={{'items.group': …}}",
                f"{self.id} 需要各条目的组，而 items= 没有这一列；请加上，或用 columns={{'items.group': …}} 指明",
            )
        return features.group_names

    def place(self, features: Features) -> int:
        """The number of its group."""
        names = self._names(features)
        if self.group in names:
            return names.index(str(self.group))
        hint, some = did_you_mean(str(self.group), names), ", ".join(names[:8])
        raise InputError(
            f"group={self.group}: items= has no such group; there are {some}{hint.en}",
            f"group={self.group}：items= 中没有这个组；现有 {some}{hint.zh}",
        )

    def weigh(self) -> RankWeight:
        """The weight of a rank."""
        weights: dict[str, RankWeight] = {"log2": log2_discount, "none": even, "geometric": Patience(self.p)}
        return weights[self.discount]

    def sums(self, display: ItemView) -> dict[int, float]:
        """The weights of the places of each group that is shown, by its number, and of those without one by -1."""
        of_rank, terms = self.weigh(), dict[int, list[float]]()
        for group, rank, times in zip(*(column.tolist() for column in display.groups(self.k)), strict=True):
            terms.setdefault(group, []).append(times * of_rank(rank))
        return {group: math.fsum(each) for group, each in terms.items()}

    def total(self, sums: Mapping[int, float]) -> float:
        """The weights of all places that count."""
        return math.fsum(each for group, each in sums.items() if group >= 0 or self.unknown == "count")

    def whole(self, display: ItemView) -> float:
        place, sums = self.place(display.background.features), self.sums(display)
        total = self.total(sums)
        return sums.get(place, 0.0) / total if total else NAN

    @classmethod
    def is_of_columns(cls) -> bool:
        """Two sums over lists say it, so that draws of lists tell how sure it is."""
        return True

    def parts(self, view: RankingView) -> tuple[Floats, ...]:
        """Of each list, the weights of the group's places, and of all that count."""
        display = item_view(view)
        places, features = display.places(self.k), display.background.features
        group, weights = features.groups(display.items)[places.item], display.weights(self.k, self.weigh())
        counted = np.where((group >= 0) | (self.unknown == "count"), weights, 0.0)
        part = np.where(group == self.place(features), weights, 0.0)
        return display.per_list(places, part), display.per_list(places, counted)

    def combine(self, *sums: Sum) -> float:
        """The share, of the lists that were drawn."""
        return sums[0].total / sums[1].total if sums[1].total else NAN

    def item_counts(self, view: RankingView) -> Mapping[str, int]:
        display = item_view(view)
        unknown = (display.background.features.groups(display.items) < 0) & (display.counts(self.k) > 0)
        return {**super().item_counts(view), "unknown": int(np.count_nonzero(unknown))}

    def define(self, ranked: PlainLists) -> float:
        part, total = [], []
        for user in ranked.chosen(self.lists):
            for rank, item in enumerate(ranked.top(user, self.k), 1):
                weight, group = self.weigh()(rank), ranked.groups.get(item)
                part += [weight] if group == self.group else []
                total += [weight] if group is not None or self.unknown == "count" else []
        return math.fsum(part) / math.fsum(total) if total else NAN
