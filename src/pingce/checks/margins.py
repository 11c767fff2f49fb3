"""Whether a model is surely no worse than a baseline by more than a margin (non-inferiority), or differs by no more (equivalence)."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from statistics import NormalDist

from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.checks.drops import Side, Trial, interval_error, refuse_too_large, unit_pairs
from pingce.checks.result import CheckRow, UnjudgedError
from pingce.checks.rules import Rule


@dataclass(frozen=True)
class DropEstimate:
    """How much worse than the baseline a value is, and its standard error: a mean over pairs, or of two intervals."""

    drops: tuple[float, ...]
    "Of the values, and of the pairs, where some units have a value in one of the two only."
    error: float
    degrees: float
    "Of Student's t; infinite where the error is that of a normal number."
    test: Text

    @property
    def flat(self) -> bool:
        """Whether all pairs differ alike, so that there is no spread to measure by."""
        return not self.error

    def bound(self, alpha: float) -> float:
        """The largest drop that the data does not rule out: the upper end of the one-sided interval."""
        if math.isinf(self.degrees):
            return max(self.drops) + NormalDist().inv_cdf(1 - alpha) * self.error
        from scipy.special import stdtrit

        return max(self.drops) + float(stdtrit(self.degrees, 1 - alpha)) * self.error

    def p(self, margin: float) -> float:
        """How likely a drop that looks as small is, where the true one is as large as the margin.

        Of pairs that all differ alike by a sign test: each would lie below a median as large as the margin by even chance.
        """
        if self.flat:
            return 0.5 ** (self.degrees + 1) if max(self.drops) < margin else 1.0
        distance = (margin - max(self.drops)) / self.error
        if math.isinf(self.degrees):
            return NormalDist().cdf(-distance)
        from scipy.special import stdtr

        return float(stdtr(self.degrees, -distance))


def judge_margin(
    row: CheckRow, rule: Rule, estimates: tuple[DropEstimate, DropEstimate], margin: Fraction, trial: Trial
) -> CheckRow:
    """One rule of a margin, from the drop and the rise: by one test, or by two where neither way may be too far (TOST)."""
    either_way = rule.kind == "equivalent"
    estimate, sides = estimates[0], estimates if either_way else estimates[:1]
    p = max(side.p(float(margin)) for side in sides)
    if estimate.flat and trial.alpha < p < 1:
        count = round(estimate.degrees) + 1
        raise UnjudgedError(
            f"the margin cannot be tested: all {count} differ alike, so that there is no spread, and a sign test of so few proves "
            f"nothing (p = {p:.4g}); evaluate more",
            f"无法检验界值：{count} 个的差异完全相同，没有离散程度，而这么少的符号检验什么也证明不了（p = {p:.4g}）；请评测更多",
        )
    bound = max(side.bound(trial.alpha) for side in sides)
    sure, reached = f"{1 - trial.alpha:.4g}", f"{abs(bound):.4g}"
    if either_way:
        words = Text(f"differs by at most {reached}", f"差异不超过 {reached}")
    elif bound < 0:
        words = Text(f"better by at least {reached}", f"至少变好 {reached}")
    else:
        words = Text(f"worse by at most {reached}", f"变差不超过 {reached}")
    reason = Text(
        f"{words.en} with confidence {sure}, p = {p:.4g} ({estimate.test.en})",
        f"{words.zh}，置信水平 {sure}，p = {p:.4g}（{estimate.test.zh}）",
    )
    return replace(row, bound=bound, margin=float(margin) - bound, p=p, passed=p <= trial.alpha, reason=reason)


def paired_estimate(candidate: Side, baseline: Side, drop: float, *, better: bool) -> tuple[DropEstimate, DropEstimate]:
    """The drop and the rise, from the differences of the units that both have."""
    import numpy as np

    from pingce.stats.differences import FINEST, moments

    pairs = unit_pairs(candidate, baseline)
    refuse_too_large(pairs)
    drops = np.asarray(-pairs.linear if better else pairs.linear, np.float64)
    ((count, mean, deviation),) = moments(drops[:, None])
    if count < 2:
        raise UnjudgedError(
            f"the margin cannot be tested: {count} {pairs.unit.en} have a value in both",
            f"无法检验界值：两者都有数值的{pairs.unit.zh}为 {count} 个",
        )
    # What is smaller is the rounding of a metric, which is no spread.
    deviation = 0.0 if float(np.ptp(drops)) < 2.0**-FINEST else deviation
    name = (
        Text("paired t test", "配对 t 检验")
        if deviation
        else Text("sign test, all differ alike", "符号检验，差异完全相同")
    )
    test = Text(
        f"{name.en}, {count} {pairs.unit.en}{pairs.only.en}", f"{name.zh}，{count} 个{pairs.unit.zh}{pairs.only.zh}"
    )
    estimate = DropEstimate((drop, mean), deviation / math.sqrt(count), count - 1, test)
    return estimate, replace(estimate, drops=(-drop, -mean))


def unpaired_estimate(
    candidate: Side, baseline: Side, drop: float, *, better: bool
) -> tuple[DropEstimate, DropEstimate]:
    """The drop and the rise, from the intervals that were saved, as if both were of other rows: on the same rows it is cautious.

    A drop may be larger than it looks where the candidate is truly worse and the baseline truly better, each by its own half.
    """
    for _, metric in (candidate, baseline):
        if metric.interval is not None and metric.interval[0] == metric.interval[1]:
            raise UnjudgedError(
                "the margin cannot be tested: a saved interval has no width", "无法检验界值：有保存的区间宽度为零"
            )
    drop_error, test = interval_error(candidate, baseline, below=better)
    rise_error, _ = interval_error(candidate, baseline, below=not better)
    return DropEstimate((drop,), drop_error, math.inf, test), DropEstimate((-drop,), rise_error, math.inf, test)
