"""The log loss measured by the entropy of the labels."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import exp, log, log1p
from typing import ClassVar

import numpy as np

from pingce.base.exact import Floats, exact_dot, exact_sum
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.binary.evidence import BinaryView
from pingce.evidence.binary.losses import row_losses
from pingce.evidence.binary.odds import odds_counts
from pingce.evidence.binary.score_tables import pooled_loss
from pingce.metrics.binary.base import NO_CLASS, BinaryMetric, LabelledList
from pingce.metrics.binary.probabilities import LogarithmMetric, LogLoss, base_loss
from pingce.metrics.declared import NAN, About, RowTerms
from pingce.metrics.parameters import choice


@dataclass(frozen=True, kw_only=True)
class NormalizedEntropy(LogarithmMetric):
    """Log loss over that of the base rate.

    ne = logloss / −(r · ln r + (1 − r) · ln(1 − r)), r = P / n                                             [he2014]
    """

    name = "ne"
    aliases: ClassVar[tuple[str, ...]] = ("normalized_entropy",)
    scaled_mean = True
    title = Text("Normalised entropy", "归一化熵（NE）")
    about = About(
        Text("How much better than always saying the base rate?", "比永远预估平均点击率好多少？"),
        Text("CTR models on data with different base rates.", "点击率不同的数据上的 CTR 模型。"),
        Text("Above 1 the model is worse than a constant.", "大于 1 说明不如常数。"),
        ("logloss", "auc"),
        Text("0.544208 / ln 2 = 0.785127", "0.544208 / ln 2 = 0.785127"),
        range="0 … ∞",
        higher_is_better=False,
        undefined=NO_CLASS,
        also=("归一化交叉熵",),
    )

    recalibrate: str = choice(
        Text("What is set right in the probabilities before.", "计算之前先校准什么。"),
        minor=True,
        none=Text("nothing", "不校准"),
        total=Text(
            "their total: all odds times one factor, so that Σ p = Σ y",
            "总量：所有几率乘以同一个倍数，使 Σ p = Σ y",
        ),
        isotonic=Text(
            "all but their order: the best monotone recalibration on the same rows, a lower bound",
            "顺序以外的一切：在同样的行上做最佳的单调校准，是下界",
        ),
    )

    def check(self) -> None:
        """What was fitted to the same rows has no interval of its own."""
        if self.recalibrate == "isotonic":
            object.__setattr__(self, "no_interval", _FITTED)

    def reads_table(self) -> bool:
        """Where probabilities are recalibrated: that needs every one of them."""
        return self.recalibrate != "none"

    def of_probabilities(self, view: BinaryView) -> float:
        loss, base = self.losses(view)
        return loss / base if base else NAN

    def losses(self, view: BinaryView) -> tuple[float, float]:
        """The mean loss, after the recalibration, and that of the base rate: 0 where a class is missing."""
        rows, positives = view.evidence.totals
        if not 0 < positives < rows:
            return NAN, 0.0
        base = base_loss(positives, rows)
        if self.recalibrate == "isotonic":
            return pooled_loss(view.thresholds), base
        if self.recalibrate == "total":
            counts = odds_counts(view.thresholds, self.epsilon(view))
            return counts.loss(counts.intercept(), 1.0) / float(rows), base
        sums = view.probability(self.eps, loss=True)
        return float(sums.loss / sums.rows), base

    def rows_for_interval(self) -> int:
        """It divides by the entropy of the labels, of which fewer rows say next to nothing."""
        return 5

    def row_losses(self, view: BinaryView) -> Floats:
        if self.recalibrate != "total":
            return super().row_losses(view)
        rows, epsilon = view.evidence.rows, self.epsilon(view)
        factor = odds_counts(view.thresholds, epsilon).intercept()
        losing, winning = (row_losses(rows.scores, np.full(len(rows), side, np.uint8), epsilon) for side in (0, 1))
        odds = losing - winning + factor
        return np.asarray(np.logaddexp(0.0, np.where(rows.positive.view(bool), -odds, odds)))

    def group_losses(self, view: BinaryView) -> Floats | None:
        return super().group_losses(view) if self.recalibrate == "none" else BinaryMetric.group_losses(self, view)

    def row_terms(self, view: BinaryView) -> RowTerms:
        """The loss of each row over the entropy of the base rate, as far as its label moves it.

        H(r) + (y − r) ln((1 − r) / r)
        """
        rows = view.evidence.rows
        label = rows.positive.astype(np.float64)
        weights = np.ones(len(label)) if rows.weight is None else rows.weight
        rate = float(exact_dot(label, weights) / exact_sum(weights))
        slope = log((1 - rate) / rate)
        return RowTerms(self.row_losses(view), rate * slope - log(1 - rate) + (label - rate) * slope)

    def define(self, rows: LabelledList) -> float:
        positives, total = Fraction(rows.count(1)), Fraction(rows.count(1)) + Fraction(rows.count(0))
        if not 0 < positives < total:
            return NAN
        if self.recalibrate == "total":
            return _total_loss(rows, self.eps) / float(total) / base_loss(positives, total)
        if self.recalibrate == "isotonic":
            return _isotonic_loss(rows) / float(total) / base_loss(positives, total)
        return LogLoss(eps=self.eps).define(rows) / base_loss(positives, total)


_FITTED = Text(
    "it was fitted to the same rows, and is a lower bound however few they are",
    "它在同样的行上拟合，无论行数多少都只是下界",
)


def _total_loss(rows: LabelledList, eps: float | None) -> float:
    """Σ of the loss after all odds were multiplied until Σ p = Σ y, by halving the range of the factor."""
    epsilon = rows.epsilon if eps is None else eps
    kept = [(y, min(max(p, epsilon), 1 - epsilon), weight) for y, p, weight in rows.rows()]
    odds = [(y, log(p) - (log1p(-p) if p < 1 else log(epsilon)), weight) for y, p, weight in kept]
    low, high = -600.0, 600.0
    for _ in range(100):
        middle = (low + high) / 2
        expected = sum(weight / (1 + exp(min(700.0, -x - middle))) for _, x, weight in odds)
        low, high = (middle, high) if expected < rows.count(1) else (low, middle)

    def surprise(x: float) -> float:
        return x + log1p(exp(-x)) if x > 0 else log1p(exp(x))

    return sum(weight * surprise(-x - low if y else x + low) for y, x, weight in odds)


def _isotonic_loss(rows: LabelledList) -> float:
    """Σ of the loss after neighbouring scores were pooled until the shares of positives rise with the score."""
    pools: list[list[Fraction]] = []
    before = Fraction(0), Fraction(0)
    for _, cells in rows.at_thresholds():
        now = Fraction(cells.tp), Fraction(cells.tp) + Fraction(cells.fp)
        pools.append([now[0] - before[0], now[1] - before[1]])
        before = now
        while len(pools) > 1 and pools[-2][0] * pools[-1][1] < pools[-1][0] * pools[-2][1]:
            last = pools.pop()
            pools[-1] = [pools[-1][0] + last[0], pools[-1][1] + last[1]]
    mixed = [(few, n) for few, n in pools if 0 < few < n]
    return sum(float(n) * base_loss(few, n) for few, n in mixed)


class RelativeInformationGain(LogarithmMetric):
    """Share of the entropy of the labels that the probabilities explain.

    rig = 1 − ne = 1 − logloss / −(r · ln r + (1 − r) · ln(1 − r)), r = P / n                          [graepel2010]
    """

    name = "rig"
    aliases = ("d2_log_loss", "relative_information_gain")
    scaled_mean = True
    log_scale = False
    title = Text("Relative information gain", "相对信息增益（RIG）")
    about = About(
        Text("How much of the uncertainty is gone?", "不确定性消除了多少？"),
        Text("CTR models on data with different base rates.", "点击率不同的数据上的 CTR 模型。"),
        Text("Below 0 the model is worse than a constant.", "小于 0 说明不如常数。"),
        ("ne", "logloss"),
        Text("1 − 0.544208 / ln 2 = 0.214873", "1 − 0.544208 / ln 2 = 0.214873"),
        range="−∞ … 1",
        undefined=NO_CLASS,
        also=("信息增益", "RIG"),
    )

    def of_probabilities(self, view: BinaryView) -> float:
        return 1 - NormalizedEntropy(eps=self.eps).of_probabilities(view)

    def rows_for_interval(self) -> int:
        """As the entropy that it divides by."""
        return 5

    def row_losses(self, view: BinaryView) -> Floats:
        """What each row gains: more is better here."""
        return -super().row_losses(view)

    def group_losses(self, view: BinaryView) -> Floats | None:
        losses = super().group_losses(view)
        return None if losses is None else -losses

    def row_terms(self, view: BinaryView) -> RowTerms:
        return replace(NormalizedEntropy(eps=self.eps).row_terms(view), complement=True)

    def define(self, rows: LabelledList) -> float:
        return 1 - NormalizedEntropy(eps=self.eps).define(rows)
