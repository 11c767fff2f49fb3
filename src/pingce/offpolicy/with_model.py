"""Estimates of what a target policy would have earned per row by a model of the reward, alone or put right by weights."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

import numpy as np

from pingce.base.exact import Floats, exact_dot, exact_sum, weighted_sum
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.metrics.declared import NAN, RowTerms
from pingce.offpolicy.base import WEIGHTLESS, OffpolicyMetric, WeightedMetric, about
from pingce.offpolicy.evidence import OffpolicyEvidence
from pingce.offpolicy.plain import LoggedRow, LogList
from pingce.offpolicy.rows import ESTIMATES, OffpolicyRows


def _left(row: LoggedRow) -> Fraction:
    return row.reward - row.logged_estimate


class DirectMethod(OffpolicyMetric):
    """Direct method: what a model of the reward expects of the target policy.

    dm = mean v̂,  v̂ = Σ_a π(a|x) q̂(x, a)                                                              [dudik2011]
    """

    name = "dm"
    aliases = ("direct_method",)
    title = Text("Direct method (DM)", "直接法（DM）")
    needs_roles = ("target_estimate",)
    about = about(
        Text("What does the model of the reward say the target policy earns?", "按回报模型，目标策略能得到多少？"),
        Text("Beside dr: where the two differ, the model is biased.", "与 dr 并看：两者不同说明模型有偏。"),
        Text(
            "It repeats whatever the model gets wrong, and its interval does not know of that: it is narrow and may be far off.",
            "模型错什么它就错什么，而区间并不知道：可能又窄又偏。",
        ),
        ("dr", "ips"),
        Text("(0.5 + 0.3 + 0.5 + 0.2) / 4 = 0.375", "(0.5 + 0.3 + 0.5 + 0.2) / 4 = 0.375"),
        also=("DM", "模型估计"),
    )

    def sums(self) -> tuple[str, ...]:
        return "target", "count"

    def value(self, evidence: OffpolicyEvidence) -> float:
        return self.rounded(evidence.total("target"), evidence.total("count"))

    def row_terms(self, view: OffpolicyRows) -> RowTerms | None:
        return None if view.target_estimate is None else RowTerms(view.target_estimate)

    def define(self, rows: LogList) -> float:
        return float(rows.mean(lambda row: row.target_estimate))


@dataclass(frozen=True, kw_only=True)
class DoublyRobust(WeightedMetric):
    """Doubly robust: the model's estimate, put right by the weighted errors that the log shows.

    dr = mean (v̂ + w (r − q̂))                                                                         [dudik2011]
    """

    name = "dr"
    aliases = ("doubly_robust", "aipw")
    title = Text("Doubly robust (DR)", "双重稳健（DR）")
    needs_roles: ClassVar[tuple[str, ...]] = ESTIMATES
    about = about(
        Text(
            "What would the target policy have earned, by model and log together?",
            "综合模型与日志，目标策略会得到多少？",
        ),
        Text(
            "Where there is a model of the reward: without bias if the propensities are right or the model is, and steadier than ips. "
            "switch=t is Switch-DR, shrink=λ DRos.",
            "有回报模型时：倾向概率或模型有一个正确即无偏，且比 ips 稳定。switch=t 即 Switch-DR，shrink=λ 即 DRos。",
        ),
        Text(
            "Large weights still carry the errors of the model; a model that was fitted to the same rows makes them look small.",
            "大权重仍会放大模型误差；若模型就在这些行上训练，误差会显得过小。",
        ),
        ("ips", "dm", "sndr", "ess"),
        Text(
            "dm 0.375; w (r − q̂) = 0.6, −0.08, 3, −0.04 with mean 0.87: 0.375 + 0.87 = 1.245",
            "dm 为 0.375；w (r − q̂) = 0.6、−0.08、3、−0.04，均值 0.87：0.375 + 0.87 = 1.245",
        ),
        also=("DR", "双稳健", "Switch-DR", "DRos", "AIPW"),
    )

    def sums(self) -> tuple[str, ...]:
        return "target", self.named("reward"), self.named("logged"), "count"

    def left(self, evidence: OffpolicyEvidence) -> Fraction:
        """Σ w (r − q̂)."""
        return evidence.total(self.named("reward")) - evidence.total(self.named("logged"))

    def value(self, evidence: OffpolicyEvidence) -> float:
        return self.rounded(evidence.total("target") + self.left(evidence), evidence.total("count"))

    def row_terms(self, view: OffpolicyRows) -> RowTerms | None:
        if view.logged_estimate is None or view.target_estimate is None:
            return None
        return RowTerms(view.target_estimate + self.ratios(view) * (view.reward - view.logged_estimate))

    def define(self, rows: LogList) -> float:
        model = rows.total(lambda row: row.target_estimate)
        return float((model + rows.weighted(self.shape, _left)) / rows.count())


@dataclass(frozen=True, kw_only=True)
class SelfNormalizedDoublyRobust(DoublyRobust):
    """Self-normalised doubly robust: as dr, with weights that sum to one.

    sndr = mean v̂ + Σ w (r − q̂) / Σ w                                                                 [saito2021]
    """

    name = "sndr"
    aliases = ("self_normalized_dr", "sn_dr")
    title = Text("Self-normalised doubly robust (SNDR)", "自归一化双重稳健（SNDR）")
    about = about(
        Text("As dr, with weights that sum to one.", "同 dr，但权重之和归一。"),
        Text("Where dr is carried by a few weights.", "dr 被少数大权重左右时。"),
        Text("As dr; the bias of snips comes with it.", "同 dr；并带有 snips 的偏差。"),
        ("dr", "snips", "ess"),
        Text(
            "dm 0.375; Σ w (r − q̂) / Σ w = 3.48 / 7 = 0.497143: 0.375 + 0.497143 = 0.872143",
            "dm 为 0.375；Σ w (r − q̂) / Σ w = 3.48 / 7 = 0.497143：0.375 + 0.497143 = 0.872143",
        ),
        undefined=WEIGHTLESS,
        also=("SNDR",),
    )

    def sums(self) -> tuple[str, ...]:
        return *super().sums(), self.named("one")

    def value(self, evidence: OffpolicyEvidence) -> float:
        weights = evidence.total(self.named("one"))
        if not weights:
            return NAN
        return self.rounded(evidence.total("target") / evidence.total("count") + self.left(evidence) / weights)

    def row_terms(self, view: OffpolicyRows) -> RowTerms | None:
        """What each row moves the value by: the mean of these is that of the estimates alone."""
        if view.logged_estimate is None or view.target_estimate is None:
            return None
        often: Floats = np.ones(len(view)) if view.weight is None else view.weight
        ratios, left = self.ratios(view), view.reward - view.logged_estimate
        total = exact_dot(ratios, often)
        if not total:
            return None
        share = exact_dot(ratios * left, often) / total
        moved = ratios * (left - float(share)) * float(exact_sum(often) / total)
        mean = weighted_sum(view.target_estimate, view.weight) / exact_sum(often)
        return RowTerms(view.target_estimate + moved, value=float(mean + share))

    def define(self, rows: LogList) -> float:
        bottom = rows.weight_sum(self.shape)
        if not bottom:
            return NAN
        return float(rows.mean(lambda row: row.target_estimate) + rows.weighted(self.shape, _left) / bottom)
