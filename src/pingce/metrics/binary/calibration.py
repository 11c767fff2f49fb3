"""More measures of calibration: of bins, and of the running sum of errors, which needs no bins."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import ClassVar

import numpy as np

from pingce.base.erfc import erfc
from pingce.base.exact import Floats, exact_dot, root
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.binary.evidence import BinaryView
from pingce.evidence.binary.probability import Bin
from pingce.evidence.binary.thresholds import ThresholdEvidence
from pingce.metrics.binary.base import LabelledList
from pingce.metrics.binary.probabilities import Calibration, ProbabilityMetric
from pingce.metrics.declared import NAN, About
from pingce.metrics.parameters import choice

_NO_INTERVAL = Text(
    "it is a sum of squared distances, which rows drawn anew make larger",
    "它是距离平方之和，对行重新抽样会使其变大",
)


class RootMeanSquaredCalibrationError(Calibration):
    """Root of the mean squared distance between the probability and the share of positives, bin by bin.

    rmsce = √(Σ_b n_b / n · (ȳ_b − p̄_b)²)                                                              [kumar2019]
    """

    name = "rmsce"
    aliases = ("rms_calibration_error",)
    no_interval = _NO_INTERVAL
    title = Text("Root mean squared calibration error", "均方根校准误差（RMSCE）")
    about = About(
        Text("Does 0.3 mean 3 of 10, large errors above all?", "说 0.3 的，真有三成吗（更看重大的偏差）？"),
        Text("Probabilities that are used as such: bids, risks.", "直接使用概率的场景：出价、风险。"),
        Text("It depends on the bins; errors within a bin cancel.", "取决于分箱；箱内的误差会抵消。"),
        ("ece", "mce"),
        Text("√((0.01 + 0.64 + 0.09 + 0.01) / 4) = 0.433013", "√((0.01 + 0.64 + 0.09 + 0.01) / 4) = 0.433013"),
        higher_is_better=False,
        also=("校准误差",),
    )

    def of_probabilities(self, view: BinaryView) -> float:
        bins = self.bins_of(view)
        squares = sum(((bin.positives - bin.predicted) ** 2 / bin.rows for bin in bins), Fraction(0))
        return root(squares, sum((bin.rows for bin in bins), Fraction(0)))

    def define(self, rows: LabelledList) -> float:
        bins = self._defined_bins(rows)
        return math.sqrt(sum((y - p) ** 2 / n for n, y, p in bins) / sum(n for n, _, _ in bins))


@dataclass(frozen=True, kw_only=True)
class CalibrationN(Calibration):
    """Root mean square of how many times too high or too low clicks are predicted, bucket by bucket.

    cal_n = √(Σ_b e_b² / B), e_b = PCOC_b − 1 where PCOC_b ≥ 1, else 1 / PCOC_b − 1                       [deng2020]
    """

    name = "cal_n"
    no_interval = _NO_INTERVAL
    title = Text("Cal-N", "Cal-N 校准误差")
    formula_zh = "cal_n = √(Σ_b e_b² / B)，PCOC_b ≥ 1 时 e_b = PCOC_b − 1，否则 e_b = 1 / PCOC_b − 1"
    about = About(
        Text("How many times off are clicks, from low to high scores?", "从低分到高分，点击预估差几倍？"),
        Text("Advertising: over- and under-estimates count alike, by factors.", "广告：高估与低估按倍数同等看待。"),
        Text(
            "One bucket with few clicks decides it; without a click in a bucket there is no value.",
            "一个点击很少的桶就能左右它；有桶没有点击时没有值。",
        ),
        ("pcoc", "ece"),
        Text(
            "PCOC 0.8 / 1 and 1.7 / 1: √((0.25² + 0.7²) / 2) = 0.525595",
            "两箱 PCOC 0.8 / 1 与 1.7 / 1：√((0.25² + 0.7²) / 2) = 0.525595",
        ),
        example=("cal_n(bins=2)", (1, 0, 1, 0), (0.9, 0.8, 0.7, 0.1)),
        range="0 … ∞",
        higher_is_better=False,
        undefined=Text("a bin has no positive row, or only probabilities of 0", "有分箱没有正例，或概率全为 0"),
        also=("Cal-N", "分桶校准"),
    )

    binning: str = choice(
        Text("How rows are put into bins.", "如何分箱。"),
        quantile=Text("equal numbers of rows; equal scores stay together", "等频：各箱行数相近，同分不拆开"),
        width=Text("equal width: bin ⌊p · B⌋, the last one closed", "等宽：第 ⌊p · B⌋ 箱，末箱闭合"),
    )

    @staticmethod
    def times(bin: Bin) -> Fraction:
        """By how many times more the larger of predicted and observed is, less 1."""
        return max(bin.predicted / bin.positives, bin.positives / bin.predicted) - 1

    def of_probabilities(self, view: BinaryView) -> float:
        bins = self.bins_of(view)
        if not all(bin.positives and bin.predicted for bin in bins):
            return NAN
        return root(sum((self.times(bin) ** 2 for bin in bins), Fraction(0)), Fraction(len(bins)))

    def define(self, rows: LabelledList) -> float:
        bins = self._defined_bins(rows)
        if not all(y and p for _, y, p in bins):
            return NAN
        return math.sqrt(sum((max(p / y, y / p) - 1) ** 2 for _, y, p in bins) / len(bins))


@dataclass(frozen=True, kw_only=True)
class CumulativeCalibrationError(ProbabilityMetric):
    """Range of the running sum of errors, from the lowest score: no bins, and a test.

    ecce = max_k C_k − min_k C_k, C_k = Σ_{i ≤ k} (y_i − p_i) / n by ascending score, C_0 = 0            [arrieta2022]
    """

    name = "ecce"
    aliases: ClassVar[tuple[str, ...]] = ("ecce_r",)
    no_interval = Text(
        "it is the largest of many sums; its p-value says what chance makes of it (as=p)",
        "它是许多部分和中最大的；偶然的影响由其 p 值说明（as=p）",
    )
    title = Text("Cumulative calibration error (ECCE)", "累积校准误差（ECCE）")
    formula_zh = "ecce = max_k C_k − min_k C_k，C_k = 分数由低到高累加的 Σ (y − p) / n，C_0 = 0"
    about = About(
        Text("Is there a range of scores whose clicks are off in total?", "有没有一段分数，其点击总数预估不准？"),
        Text("Calibration without a choice of bins, with a test.", "无需选择分箱的校准检验。"),
        Text("Errors of opposite sign within the range cancel.", "同一段之内高估与低估会抵消。"),
        ("ece", "pcoc"),
        Text(
            "C is 0, −0.025, 0.05, −0.15, −0.125; 0.05 + 0.15 = 0.2",
            "C 依次为 0、−0.025、0.05、−0.15、−0.125；0.05 + 0.15 = 0.2",
        ),
        range="0 … ∞",
        higher_is_better=False,
        undefined=Text(
            "every probability is 0 or 1, with as=sigma or as=p", "所有概率都是 0 或 1，且 as=sigma 或 as=p"
        ),
        also=("累积校准", "Kuiper"),
    )

    as_: str = choice(
        Text("How it is written.", "写法。"),
        range=Text("the range itself", "极差本身"),
        sigma=Text("over its size by chance, √(Σ p (1 − p)) / n", "除以偶然的大小 √(Σ p (1 − p)) / n"),
        p=Text("how often right probabilities have as large a range", "概率正确时出现这么大极差的概率"),
    )

    def reads_table(self) -> bool:
        return True

    def of_probabilities(self, view: BinaryView) -> float:
        table = view.thresholds
        return self.written(*spread(table), float(view.evidence.totals[0]))

    def written(self, extent: float, sigma: float, rows: float) -> float:
        """Range, range over σ, or p; all of sums over rows."""
        if self.as_ == "range":
            return extent / rows
        if not sigma:
            return NAN
        return extent / sigma if self.as_ == "sigma" else range_p(extent / sigma)

    @property
    def higher_is_better(self) -> bool | None:
        return self.as_ == "p"

    @property
    def undefined_when(self) -> Text:
        return Text("", "") if self.as_ == "range" else self.about.undefined

    def define(self, rows: LabelledList) -> float:
        low = high = at = variance = 0.0
        blocks: dict[float, list[float]] = {}
        for y, p, weight in rows.rows():
            block = blocks.setdefault(p, [0.0, 0.0])
            block[0] += weight * (y - p)
            block[1] += weight * p * (1 - p)
        for p in sorted(blocks):
            at += blocks[p][0]
            low, high, variance = min(low, at), max(high, at), variance + blocks[p][1]
        return self.written(high - low, math.sqrt(variance), rows.count(0) + rows.count(1))


def running(table: ThresholdEvidence) -> Floats:
    """Σ (y − p) up to each distinct score, from the lowest."""
    positives, negatives = (column[::-1].astype(np.float64) for column in table.at)
    p = table.score[::-1].astype(np.float64)
    return np.cumsum(positives * (1 - p) - negatives * p)


def spread(table: ThresholdEvidence) -> tuple[float, float]:
    """The range of the running sum, and the standard deviation of its end if probabilities are right."""
    sums = running(table)
    positives, negatives = (column.astype(np.float64) for column in table.at)
    p = table.score.astype(np.float64)
    variance = float(exact_dot(p * (1 - p), positives + negatives))
    return max(0.0, float(sums.max())) - min(0.0, float(sums.min())), math.sqrt(variance)


def range_p(x: float) -> float:
    """How often the range of a Brownian motion over a unit of time is larger than x.                     [Feller 1951]"""
    if x <= 0:
        return 1.0
    if x > 1.5:  # the tails, which subtraction from 1 would lose
        terms = ((-1) ** (k + 1) * k * erfc(k * x / math.sqrt(2)) for k in range(1, 30))
        return min(1.0, max(0.0, 4 * math.fsum(terms)))
    odd = [(2 * k - 1) ** 2 * math.pi**2 for k in range(1, 30)]
    return min(1.0, max(0.0, 1 - math.fsum(8 * (1 / x**2 + 1 / each) * math.exp(-each / (2 * x * x)) for each in odd)))
