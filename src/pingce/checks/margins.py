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

    def bound(self, alpha: float) -> float:
        """The largest drop that the data does not rule out: the upper end of the one-sided interval."""
        if math.isinf(self.degrees):
            return max(self.drops) + NormalDist().inv_cdf(1 - alpha) * self.error
        from scipy.special import stdtrit

        return max(self.drops) + float(stdtrit(self.degrees, 1 - alpha)) * self.error

    def p(self, margin: float) -> float:
        """How likely a drop that looks as small is, where the true one is as large as the margin."""
        if not self.error:
            return 0.0 if max(self.drops) < margin else 1.0
        distance = (margin - max(self.drops)) / self.error
        if math.isinf(self.degrees):
            return NormalDist().cdf(-distance)
        from scipy.special import stdtr

        return float(stdtr(self.degrees, -distance))


def judge_margin(row: CheckRow, rule: Rule, estimate: DropEstimate, margin: Fraction, trial: Trial) -> CheckRow:
    """One rule of a margin: by one test, or by two where neither way may be too far (TOST)."""
    either_way = rule.kind == "equivalent"
    sides = [estimate]
    if either_way:
        sides.append(replace(estimate, drops=tuple(-drop for drop in estimate.drops)))
    p = max(side.p(float(margin)) for side in sides)
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


def paired_estimate(candidate: Side, baseline: Side, drop: float, *, better: bool) -> DropEstimate:
    """From the differences of the units that both have."""
    import numpy as np

    from pingce.stats.differences import moments

    pairs = unit_pairs(candidate, baseline)
    refuse_too_large(pairs)
    drops = -pairs.differences if better else pairs.differences
    ((count, mean, deviation),) = moments(np.asarray(drops, np.float64)[:, None])
    if count < 2:
        raise UnjudgedError(
            f"the margin cannot be tested: {count} {pairs.unit.en} have a value in both",
            f"无法检验界值：两者都有数值的{pairs.unit.zh}为 {count} 个",
        )
    test = Text(
        f"paired t test, {count} {pairs.unit.en}{pairs.only.en}",
        f"配对 t 检验，{count} 个{pairs.unit.zh}{pairs.only.zh}",
    )
    return DropEstimate((drop, mean), deviation / math.sqrt(count), count - 1, test)


def unpaired_estimate(candidate: Side, baseline: Side, drop: float, *, better: bool) -> DropEstimate:
    """From the intervals that were saved, as if both were of other rows: on the same rows it is cautious."""
    error, test = interval_error(candidate, baseline, better=better)
    return DropEstimate((drop,), error, math.inf, test)
