"""AUC within groups, averaged: users are never compared with each other."""

from __future__ import annotations

from math import isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.exact import Floats, exact_dot, exact_sum
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.binary.evidence import BinaryView
from pingce.evidence.binary.grouped import GroupEvidence
from pingce.metrics.binary.areas import Auc
from pingce.metrics.binary.base import BinaryMetric, LabelledList, ratio
from pingce.metrics.declared import NAN, About, Basis
from pingce.metrics.parameters import Number, choice, parameter

BY = {
    "impressions": Text("its rows, or Σ of their weights", "行数，或行权重之和"),
    "clicks": Text("its positive rows, or Σ of their weights", "正例数，或其权重之和"),
    "uniform": Text("1: every group counts the same", "1：每组一样"),
}


class GroupWeight:
    """One of some words, or the name of a column whose sum over the group is its weight."""

    words = BY

    def accept(self, name: str, value: Any) -> str:
        if isinstance(value, str) and value.strip():
            return value.strip()
        raise InputError(f"{name}={value}: choose one of {self.describe()}", f"{name}={value}：可选 {self.describe()}")

    def describe(self) -> str:
        return " | ".join([*BY, "COLUMN"])


@dataclass(frozen=True, kw_only=True)
class Gauc(BinaryMetric):
    """Mean of the AUC of each group, weighted; groups with one class only are left out and counted.

    gauc = Σ_u w_u · AUC_u / Σ_u w_u over groups with positives and negatives                             [zhou2018]
    """

    name = "gauc"
    aliases = ("group_auc", "uauc", "wuauc")
    title = Text("Group AUC (GAUC)", "分组 AUC（GAUC）")
    formula_zh = "gauc = Σ_u w_u · AUC_u / Σ_u w_u，只对同时有正例和负例的组求和"
    example_form = Text("labels {}; scores {}; groups {}", "标签 {}；分数 {}；分组 {}")
    needs = "groups"
    of_groups = True
    chance = 0.5
    paired_test = "groups"
    about = About(
        Text("Is the order right within each user?", "对每个用户来说，排序对不对？"),
        Text("CTR models that rank items for one user at a time.", "为单个用户排序的 CTR 模型。"),
        Text(
            "Users with clicks only or none do not count; it ignores probabilities; tools weight it differently.",
            "只有点击或没有点击的用户不计入；不看概率；各工具的加权方式不同。",
        ),
        ("auc", "logloss"),
        Text(
            "u has rows 0.9 (1), 0.8 (0): AUC 1; v has 0.7 (1), 0.1 (0): AUC 1; (2·1 + 2·1) / 4 = 1",
            "u 的两行 0.9（正）、0.8（负）：AUC 1；v 的两行 0.7（正）、0.1（负）：AUC 1；(2·1 + 2·1) / 4 = 1",
        ),
        groups=("u", "u", "v", "v"),
        undefined=Text("no group has both classes", "没有任何一组同时有正例和负例"),
        also=("分组AUC", "用户AUC", "gAUC"),
    )

    by: str = parameter("impressions", GroupWeight(), Text("What a group weighs (w_u).", "每组的权重 w_u。"))
    single: str = choice(
        Text("A group with positives only or negatives only.", "只有正例或只有负例的组。"),
        minor=True,
        drop=Text("left out, and counted", "不计入，并如实计数"),
        zero=Text("counts 0, with its weight (torchmetrics)", "按其权重记 0（torchmetrics）"),
        nan=Text("leaves no value at all (Microsoft recommenders)", "整个值没有定义（Microsoft recommenders）"),
    )

    constant: str = choice(
        Text("A group with both classes in which all scores are equal.", "同时有正例和负例、但所有分数都相同的组。"),
        minor=True,
        half=Text("counts ½: nothing is ordered there", "记 ½：组内没有排序"),
        drop=Text("left out, and counted (torchrec)", "不计入，并如实计数（torchrec）"),
    )
    min_rows: float = parameter(
        0,
        Number(least=0),
        Text(
            "Groups of fewer rows (Σ of their weights) are left out, and counted.",
            "行数（或权重之和）更少的组不计入，并如实计数。",
        ),
        minor=True,
    )
    min_positives: float = parameter(
        0,
        Number(least=0),
        Text(
            "Groups of fewer positive rows (Σ of their weights) are left out, and counted.",
            "正例数（或权重之和）更少的组不计入，并如实计数。",
        ),
        minor=True,
    )

    def basis(self, view: BinaryView, *, undefined: bool) -> Basis:
        """The groups that it is a mean over; those of one class only where they count 0."""
        groups = view.groups(*self.needed_columns())
        kept = self.eligible(groups) & (groups.both | (self.single == "zero"))
        count = int(np.count_nonzero(kept))
        return Basis(count, "groups", len(groups) - count)

    def eligible(self, groups: GroupEvidence) -> NDArray[np.bool_]:
        """Groups that are large enough, and whose scores differ where that is asked for."""
        kept = np.ones(len(groups), bool) if self.constant == "half" else groups.constant == 0
        for by, least in (("impressions", self.min_rows), ("clicks", self.min_positives)):
            if least:
                kept &= groups.weights(by) >= least
        return kept

    def needed_columns(self) -> tuple[str, ...]:
        """The column that `by` names."""
        return () if self.by in BY else (self.by,)

    def value(self, view: BinaryView) -> float:
        """The weighted mean; exact sums, so that the order of groups does not matter."""
        groups = self.groups_of(view)
        areas, weights = self.areas(groups), groups.weights(self.by)
        left_out = np.isnan(areas)
        if self.single == "nan" and left_out[self.eligible(groups)].any():
            return NAN
        if left_out.any():
            areas, weights = np.fmax(areas, 0.0), np.where(left_out, 0.0, weights)
        bottom = exact_sum(weights)
        return float(exact_dot(areas, weights) / bottom) if bottom else NAN

    def groups_of(self, view: BinaryView) -> GroupEvidence:
        """The groups with rows that count: a row without weight is no row."""
        groups = view.groups(*self.needed_columns())
        return groups if groups.weight is None else groups.select(groups.weight > 0)

    def weights(self, groups: GroupEvidence) -> Floats:
        """What each group weighs."""
        return groups.weights(self.by)

    def areas(self, groups: GroupEvidence) -> Floats:
        """The AUC of each group as it counts; NaN where it does not."""
        areas = groups.auc()
        if self.single == "zero":
            areas = np.where(np.isnan(areas), 0.0, areas)
        return areas if self.counts_all else np.where(self.eligible(groups), areas, NAN)

    @property
    def counts_all(self) -> bool:
        """Whether no group is left out for its size or its scores."""
        return self.constant == "half" and not self.min_rows and not self.min_positives

    def define(self, rows: LabelledList) -> float:
        """The same, group by group; a column cannot be named here."""
        areas = [(member, Auc().define(member)) for member in rows.members() if self._counts(member)]
        single = {"drop": None, "zero": 0.0, "nan": NAN}[self.single]
        settled = [(member, single if isnan(area) else area) for member, area in areas]
        counted = [(member, area) for member, area in settled if area is not None]

        def weight(member: LabelledList) -> float:
            if self.by == "uniform":
                return 1.0
            return member.count(1) + (member.count(0) if self.by == "impressions" else 0.0)

        return ratio(sum(weight(m) * area for m, area in counted), sum(weight(m) for m, _ in counted))

    def _counts(self, member: LabelledList) -> bool:
        """Whether a group is large enough, and its scores differ where that is asked for."""
        positives, negatives = member.count(1), member.count(0)
        alike = positives and negatives and len({score for _, score, weight in member.rows() if weight}) == 1
        if self.constant == "drop" and alike:
            return False
        return positives + negatives >= self.min_rows and positives >= self.min_positives
