"""Order of numbers within groups, averaged: users are never compared with each other."""

from __future__ import annotations

from collections.abc import Mapping
from math import isnan
from typing import Any

import numpy as np

from pingce.base.errors import InputError
from pingce.base.exact import Floats, exact_dot, exact_sum
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.regression.evidence import ErrorEvidence
from pingce.evidence.regression.groups import NumberGroups
from pingce.metrics.declared import NAN, Basis
from pingce.metrics.parameters import parameter
from pingce.metrics.regression.base import NumberList, about
from pingce.metrics.regression.pairs import EXAMPLE, PairRules, kind_of

BY = {
    "rows": Text("its rows, or Σ of their weights", "行数，或行权重之和"),
    "uniform": Text("1: every group counts the same", "1：每组一样"),
    "pairs": Text("the pairs of its rows that are counted", "该组计入的样本对数"),
}


class PairGroupWeight:
    """One of some words, or the name of a column whose sum over the group is its weight."""

    words = BY

    def accept(self, name: str, value: Any) -> str:
        """The word or the column; impressions are rows, as gauc calls them."""
        if isinstance(value, str) and value.strip():
            return {"impressions": "rows"}.get(value.strip(), value.strip())
        raise InputError(f"{name}={value}: choose one of {self.describe()}", f"{name}={value}：可选 {self.describe()}")

    def describe(self) -> str:
        return " | ".join([*BY, "COLUMN"])


@dataclass(frozen=True, kw_only=True)
class Xgauc(PairRules):
    """Mean of the share of pairs in order of each group, weighted; groups without a pair are left out and counted.

    xgauc = Σ_u w_u · XAUC_u / Σ_u w_u over groups with a pair of rows that counts                        [zhou2018]
    """

    name = "xgauc"
    aliases = ("group_xauc",)
    title = Text("Ordered pairs within groups (XGAUC)", "分组序对准确率（XGAUC）")
    formula_zh = "xgauc = Σ_u w_u · XAUC_u / Σ_u w_u，只对有样本对计入的组求和"
    example_form = Text("true y {}; predicted ŷ {}; groups {}", "真值 y {}；预测 ŷ {}；分组 {}")
    of_groups = True
    paired_test = "groups"
    about = about(
        Text("Is the order right within each user?", "对每个用户来说，次序对不对？"),
        Text("Watch time of a feed: items are ranked for one user at a time.", "信息流时长：每次只为一个用户排序。"),
        Text(
            "Users whose rows are all alike do not count; it ignores sizes; tools weight users differently.",
            "各行真值都相同的用户不计入；不看大小；各工具的加权方式不同。",
        ),
        ("xauc", "mae"),
        Text(
            "u has 4 rows and XAUC 0.9, v has 2 rows in the wrong order: (4 · 0.9 + 2 · 0) / 6 = 0.6",
            "u 有 4 行，XAUC 0.9；v 有 2 行，次序相反：(4 · 0.9 + 2 · 0) / 6 = 0.6",
        ),
        example=("", (*EXAMPLE[0], 10.0, 20.0), (*EXAMPLE[1], 2.0, 1.0)),
        groups=("u", "u", "u", "u", "v", "v"),
        range="0 … 1",
        higher_is_better=True,
        undefined=Text("no group has two rows that differ in the truth", "没有任何一组含有真值不同的两行"),
        also=("XGAUC", "分组XAUC", "GroupedXAUC"),
    )

    by: str = parameter("rows", PairGroupWeight(), Text("What a group weighs (w_u).", "每组的权重 w_u。"))

    def needed_columns(self) -> tuple[str, ...]:
        """The column that `by` names."""
        return () if self.by in BY else (self.by,)

    def basis(self, evidence: ErrorEvidence, *, undefined: bool) -> Basis:
        """The groups that it is a mean over."""
        groups = evidence.groups(self.needed_columns())
        is_scored = np.zeros(len(groups), bool)
        for name, (_, counted) in self.shares.items():
            if counted:
                is_scored |= getattr(groups, name) > 0
        scored = int(np.count_nonzero(is_scored))
        return Basis(scored, "groups", len(groups) - scored)

    def value(self, evidence: ErrorEvidence) -> float:
        """The weighted mean; exact sums, so that the order of groups does not matter."""
        groups = evidence.groups(self.needed_columns())
        areas, weights = self.areas(groups), self.weights(groups)
        if (left_out := np.isnan(areas)).any():
            scored = ~left_out
            areas, weights = areas[scored], weights[scored]
        bottom = exact_sum(weights)
        return float(exact_dot(areas, weights) / bottom) if bottom else NAN

    def weights(self, groups: NumberGroups) -> Floats:
        """What each group weighs."""
        return self._counted(groups) if self.by == "pairs" else groups.weights(self.by)

    def areas(self, groups: NumberGroups) -> Floats:
        """The share of each group; NaN where no pair counts."""
        right = _sum(groups, {name: share for name, (share, counted) in self.shares.items() if counted and share})
        with np.errstate(invalid="ignore"):  # 0 / 0
            right /= self._counted(groups)
        return np.minimum(right, 1.0, out=right)

    def _counted(self, groups: NumberGroups) -> Floats:
        """Pairs of each group that are counted."""
        return _sum(groups, {name: 1.0 for name, (_, counted) in self.shares.items() if counted})

    def define(self, rows: NumberList) -> float:
        """The same, group by group; a column cannot be named here."""
        parts = [(member, self.define_share(member)) for member in rows.members()]
        scored = [(self._weight(member), share) for member, share in parts if not isnan(share)]
        total = sum(weight for weight, _ in scored)
        return sum(weight * share for weight, share in scored) / total if total else NAN

    def _weight(self, rows: NumberList) -> float:
        if self.by != "pairs":
            return 1.0 if self.by == "uniform" else rows.total()
        return sum(weight * self.shares[kind_of(y, p)][1] for y, p, weight in rows.pairs())


def _sum(groups: NumberGroups, factors: Mapping[str, float]) -> Floats:
    """Pairs of some kinds, each times its factor; those in order are always among them."""
    total: Floats = groups.concordant * factors["concordant"]
    for name, factor in factors.items():
        if name != "concordant":
            total += getattr(groups, name) if factor == 1 else factor * getattr(groups, name)
    return total
