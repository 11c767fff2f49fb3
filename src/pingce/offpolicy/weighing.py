"""What importance weights say of themselves: how many rows they leave, how large one is, and whether they average to 1."""

from __future__ import annotations

from fractions import Fraction

from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.metrics.declared import NAN, RowTerms
from pingce.metrics.parameters import choice
from pingce.offpolicy.base import WEIGHTLESS, OffpolicyMetric, WeightedMetric, about
from pingce.offpolicy.evidence import OffpolicyEvidence
from pingce.offpolicy.plain import LogList
from pingce.offpolicy.rows import OffpolicyRows

_SAMPLE = Text(
    "it describes the weights of these very rows, and not what other rows would have",
    "它描述的就是这些行的权重，而不是其他数据的",
)


@dataclass(frozen=True, kw_only=True)
class EffectiveSampleSize(WeightedMetric):
    """Effective sample size: how many rows of the target policy itself would say as much.

    ess = (Σ w)² / Σ w²                                                                               [kish1965]
    """

    name = "ess"
    aliases = ("effective_sample_size",)
    title = Text("Effective sample size (ESS)", "有效样本量（ESS）")
    no_interval = _SAMPLE
    about = about(
        Text("How many rows are left, after weighting?", "加权之后相当于还剩多少行？"),
        Text(
            "Beside every value of ips, snips or dr: below some tens they are not to be believed.",
            "与 ips、snips、dr 并看：只有几十行以下时，这些值不可信。",
        ),
        Text(
            "It looks at weights only: rare rewards need more rows than it says.",
            "只看权重：回报稀少时，需要的行数比它所说的多。",
        ),
        ("max_weight", "mean_weight", "snips"),
        Text("w = 1.2, 0.4, 5, 0.4: 7² / 26.76 = 1.831091", "w = 1.2、0.4、5、0.4：7² / 26.76 = 1.831091"),
        range="0 … ∞",
        undefined=WEIGHTLESS,
        also=("ESS", "有效样本", "有效行数"),
    )
    as_: str = choice(
        Text("How it is counted", "如何计"),
        rows=Text("in rows", "行数"),
        share=Text("as a share of all rows", "占全部行的比例"),
    )

    def sums(self) -> tuple[str, ...]:
        return self.named("one"), self.named("weight"), "count"

    def value(self, evidence: OffpolicyEvidence) -> float:
        total, squares = evidence.total(self.named("one")), evidence.total(self.named("weight"))
        return self.rounded(total**2, squares * self.size(evidence.total("count")))

    def size(self, count: Fraction) -> Fraction:
        """What rows are counted in."""
        return count if self.as_ == "share" else Fraction(1)

    def define(self, rows: LogList) -> float:
        total = rows.weight_sum(self.shape)
        squares = rows.weighted(self.shape, lambda row: Fraction(self.shape.plain(row.ratio)))
        return float(total**2 / squares / self.size(rows.count())) if squares else NAN


@dataclass(frozen=True, kw_only=True)
class MaxWeight(OffpolicyMetric):
    """The largest importance weight: for how many rows a single one speaks.

    max_weight = max w                                                                                [owen2013]
    """

    name = "max_weight"
    aliases = ("largest_weight",)
    title = Text("Largest weight", "最大权重")
    no_interval = _SAMPLE
    about = about(
        Text("For how many rows does a single one speak?", "单独一行最多代表多少行？"),
        Text("Beside ess; as=share says what part of all weight it is.", "与 ess 并看；as=share 为其占总权重的比例。"),
        Text("Other rows may weigh nearly as much.", "其余的行可能几乎同样重。"),
        ("ess", "mean_weight"),
        Text("w = 1.2, 0.4, 5, 0.4: 5", "w = 1.2、0.4、5、0.4：5"),
        range="0 … ∞",
        higher_is_better=False,
        undefined=Text("a share is asked for, and all importance weights are 0", "求占比而重要性权重全为 0"),
        also=("权重上限", "最大重要性权重"),
    )
    as_: str = choice(
        Text("How it is measured", "如何计"),
        weight=Text("the weight itself", "权重本身"),
        share=Text("as a share of the sum of all weights", "占全部权重之和的比例"),
    )

    def sums(self) -> tuple[str, ...]:
        return ("raw|one",)

    def value(self, evidence: OffpolicyEvidence) -> float:
        largest = Fraction(evidence.largest)
        return self.rounded(largest, evidence.total("raw|one")) if self.as_ == "share" else evidence.largest

    def define(self, rows: LogList) -> float:
        weights = [row.ratio for row in rows.rows]
        if self.as_ == "weight":
            return max(weights)
        total = rows.total(lambda row: Fraction(row.ratio))
        return float(Fraction(max(weights)) / total) if total else NAN


@dataclass(frozen=True, kw_only=True)
class MeanWeight(WeightedMetric):
    """Mean importance weight: 1, but for chance, where the propensities are right and the log has all that the target policy does.

    mean_weight = mean w                                                                              [li2015]
    """

    name = "mean_weight"
    aliases = ("average_weight",)
    title = Text("Mean weight", "平均权重")
    about = about(
        Text("Do the weights average to 1, as they must?", "权重的平均是否如应有的那样为 1？"),
        Text(
            "A check of the log before any value: an interval that does not hold 1 says that propensities are wrong, or rows or actions missing.",
            "看任何估计之前先检查日志：区间不含 1，说明倾向概率有误，或缺少某些行或动作。",
        ),
        Text("1 is no proof that they are right.", "为 1 并不证明概率正确。"),
        ("ess", "max_weight", "ips"),
        Text("(1.2 + 0.4 + 5 + 0.4) / 4 = 1.75", "(1.2 + 0.4 + 5 + 0.4) / 4 = 1.75"),
        range="0 … ∞",
        higher_is_better=None,
        also=("权重均值", "倾向概率校验"),
    )

    def sums(self) -> tuple[str, ...]:
        return self.named("one"), "count"

    def value(self, evidence: OffpolicyEvidence) -> float:
        return self.rounded(evidence.total(self.named("one")), evidence.total("count"))

    def row_terms(self, view: OffpolicyRows) -> RowTerms:
        return RowTerms(self.ratios(view))

    def define(self, rows: LogList) -> float:
        return float(rows.weight_sum(self.shape) / rows.count())
