"""Metrics of probabilities: not only the order counts, but the numbers themselves."""

from __future__ import annotations

from fractions import Fraction
from math import log, log1p

import numpy as np

from pingce.base.errors import InputError
from pingce.base.exact import Floats
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.binary.evidence import BinaryView
from pingce.evidence.binary.losses import row_losses
from pingce.evidence.binary.probability import Bin
from pingce.metrics.binary.base import NO_POSITIVE, BinaryMetric, LabelledList
from pingce.metrics.declared import NAN, About, RowTerms
from pingce.metrics.parameters import Number, choice, parameter


class ProbabilityMetric(BinaryMetric):
    """Base of the metrics that need probabilities."""

    needs = "probability"
    uses = "probabilities"

    def value(self, view: BinaryView) -> float:
        """Refuse other scores first."""
        view.evidence.rows.refuse_improbable(self.name)
        return self.of_probabilities(view)

    def of_probabilities(self, view: BinaryView) -> float:
        """The formula."""
        raise NotImplementedError


_EPSILON = Text(
    "p is kept within [ε, 1 − ε]; by default the machine epsilon of the scores' type.",
    "p 限制在 [ε, 1 − ε] 内；默认取分数类型的机器精度。",
)


def base_loss(positives: Fraction, total: Fraction) -> float:
    """L0: the log loss of predicting the base rate everywhere."""
    rarer = float(min(positives, total - positives) / total)
    # The logarithm of what is nearly 1 by what it lacks: nothing is lost.
    return -(rarer * log(rarer) + (1 - rarer) * log1p(-rarer)) if rarer else 0.0


@dataclass(frozen=True, kw_only=True)
class LogarithmMetric(ProbabilityMetric):
    """Base of the log loss, and of what is made of it."""

    paired_test = "permutation"
    takes_logarithm = True
    log_scale = True

    eps: float | None = parameter(None, Number(above=0, below=0.5, optional=True), _EPSILON)

    def epsilon(self, view: BinaryView) -> float:
        """ε, as given or by the type of the scores."""
        return view.evidence.rows.epsilon if self.eps is None else self.eps

    def probability_sums(self) -> tuple[float | None, int] | None:
        return None if self.eps is None else (self.eps, 0)

    def row_losses(self, view: BinaryView) -> Floats:
        """−ln of the probability that was given to what happened."""
        rows = view.evidence.rows
        return row_losses(rows.scores, rows.positive, self.epsilon(view))

    def group_losses(self, view: BinaryView) -> Floats | None:
        return view.evidence.groups((), self.epsilon(view)).loss


class LogLoss(LogarithmMetric):
    """Mean negative logarithm of the probability that was given to what happened.

    logloss = −mean(y · ln p + (1 − y) · ln(1 − p)), p kept within [ε, 1 − ε]                               [he2014]
    """

    name = "logloss"
    aliases = ("log_loss", "cross_entropy", "binary_crossentropy", "bce")
    of_each_group = True
    title = Text("Log loss (cross entropy)", "对数损失（交叉熵）")
    formula_zh = "logloss = −mean(y · ln p + (1 − y) · ln(1 − p))，p 限制在 [ε, 1 − ε] 内"
    about = About(
        Text("How surprised is the model by what happened?", "预估的概率与实际差多远？"),
        Text("CTR models whose probabilities are used, e.g. for bids.", "概率要直接使用的 CTR 模型，例如出价。"),
        Text(
            "It falls with the base rate alone: compare it with that of the base rate (ne). One confident error can dominate it.",
            "正例越少它越小：应与基准概率的损失相比（ne）。一个过于自信的错误就可能主导它。",
        ),
        ("auc", "ne", "pcoc"),
        Text(
            "−(ln 0.9 + ln 0.2 + ln 0.7 + ln 0.9) / 4 = 0.544208", "−(ln 0.9 + ln 0.2 + ln 0.7 + ln 0.9) / 4 = 0.544208"
        ),
        range="0 … ∞",
        higher_is_better=False,
        also=("对数损失", "交叉熵", "LogLoss"),
    )

    def of_probabilities(self, view: BinaryView) -> float:
        sums = view.probability(self.eps, loss=True)
        return float(sums.loss / sums.rows)

    def define(self, rows: LabelledList) -> float:
        epsilon = rows.epsilon if self.eps is None else self.eps
        total = 0.0
        for y, score, weight in rows.rows():
            p = min(max(score, epsilon), 1 - epsilon)
            other = log1p(-p) if p < 1 else log(epsilon)  # 1 - ε may be rounded to 1
            total -= weight * (log(p) if y else other)
        return total / (rows.count(0) + rows.count(1))


class Brier(ProbabilityMetric):
    """Mean squared error of the probabilities.

    brier = mean((p − y)²)                                                                               [brier1950]
    """

    name = "brier"
    aliases = ("brier_score",)
    paired_test = "permutation"
    log_scale = True
    title = Text("Brier score", "Brier 分数")
    about = About(
        Text("How far are probabilities from what happened, squared?", "概率与实际的平方差有多大？"),
        Text("Probabilities, where one confident error must not dominate.", "评价概率，且不希望被个别自信的错误主导。"),
        Text("It falls with the base rate alone.", "正例越少它越小。"),
        ("logloss", "ece"),
        Text("(0.01 + 0.64 + 0.09 + 0.01) / 4 = 0.1875", "(0.01 + 0.64 + 0.09 + 0.01) / 4 = 0.1875"),
        higher_is_better=False,
        also=("布里尔",),
    )

    def of_probabilities(self, view: BinaryView) -> float:
        sums = view.probability()
        return float(sums.squared / sums.rows)

    def row_losses(self, view: BinaryView) -> Floats:
        rows = view.evidence.rows
        return np.square(rows.scores.astype(np.float64) - rows.positive)

    def define(self, rows: LabelledList) -> float:
        total = sum(weight * (score - y) ** 2 for y, score, weight in rows.rows())
        return total / (rows.count(0) + rows.count(1))


@dataclass(frozen=True, kw_only=True)
class Calibration(ProbabilityMetric):
    """Base of the metrics of bins."""

    bins: int = parameter(15, Number(least=1, most=10_000), Text("B, the number of bins.", "B，分箱数。"))
    binning: str = choice(
        Text("How rows are put into bins.", "如何分箱。"),
        width=Text("equal width: bin ⌊p · B⌋, the last one closed", "等宽：第 ⌊p · B⌋ 箱，末箱闭合"),
        quantile=Text("equal numbers of rows; equal scores stay together", "等频：各箱行数相近，同分不拆开"),
    )

    def check(self) -> None:
        """A number of bins is a whole number."""
        if self.bins != int(self.bins):
            raise InputError(f"bins={self.bins}: must be a whole number", f"bins={self.bins}：须为整数")

    def probability_sums(self) -> tuple[float | None, int] | None:
        return (None, int(self.bins)) if self.binning == "width" else None

    def reads_table(self) -> bool:
        """Only bins of equal numbers of rows do."""
        return self.binning == "quantile"

    def bins_of(self, view: BinaryView) -> tuple[Bin, ...]:
        """Those that hold rows."""
        count = int(self.bins)
        if self.binning == "quantile":
            return view.evidence.quantile_bins(count)
        return tuple(bin for bin in view.probability(None, count).bins if bin.rows)

    def _defined_bins(self, rows: LabelledList) -> list[tuple[float, float, float]]:
        """Rows, positives and Σ p of each bin."""
        count = int(self.bins)
        sums: dict[int, list[float]] = {}
        ordered = sorted((row for row in rows.rows() if row[2]), key=lambda row: row[1])
        total, below, last = sum(weight for _, _, weight in ordered), 0.0, (-1.0, 0)
        for y, p, weight in ordered:
            place = int(p * count) if self.binning == "width" else int(below * count / total)
            place = min(place, count - 1) if p != last[0] or self.binning == "width" else last[1]
            last, below = (p, place), below + weight
            inside = sums.setdefault(place, [0.0, 0.0, 0.0])
            for i, value in enumerate((weight, weight * y, weight * p)):
                inside[i] += value
        return [(n, positives, predicted) for n, positives, predicted in sums.values()]


class ExpectedCalibrationError(Calibration):
    """Mean distance between the probability and the share of positives, bin by bin.

    ece = Σ_b n_b / n · |ȳ_b − p̄_b|                                                                       [guo2017]
    """

    name = "ece"
    paired_test = "calibration"
    title = Text("Expected calibration error", "期望校准误差（ECE）")
    about = About(
        Text("Does 0.3 mean 3 of 10?", "说 0.3 的，真有三成吗？"),
        Text("Probabilities that are used as such: bids, risks.", "直接使用概率的场景：出价、风险。"),
        Text(
            "It depends on the bins; errors within a bin cancel. A constant base rate reaches 0.",
            "取决于分箱；箱内的误差会抵消。全部预估成平均点击率也能得 0。",
        ),
        ("mce", "pcoc", "logloss"),
        Text("(0.1 + 0.8 + 0.3 + 0.1) / 4 = 0.325", "(0.1 + 0.8 + 0.3 + 0.1) / 4 = 0.325"),
        higher_is_better=False,
        also=("校准误差", "校准"),
    )

    def of_probabilities(self, view: BinaryView) -> float:
        bins = self.bins_of(view)
        return float(sum(abs(bin.positives - bin.predicted) for bin in bins) / sum(bin.rows for bin in bins))

    def define(self, rows: LabelledList) -> float:
        bins = self._defined_bins(rows)
        return sum(abs(y - p) for _, y, p in bins) / sum(n for n, _, _ in bins)


class MaximumCalibrationError(Calibration):
    """Largest distance between the probability and the share of positives of a bin.

    mce = max_b |ȳ_b − p̄_b|                                                                               [guo2017]
    """

    name = "mce"
    no_interval = Text(
        "the largest of several distances is mostly the noise of the smallest bin, and drawing rows anew adds to it",
        "若干差距中最大的一个多半是最小一箱的噪声，对行重新抽样只会更大",
    )
    title = Text("Maximum calibration error", "最大校准误差（MCE）")
    about = About(
        Text("How wrong are probabilities at worst?", "概率最离谱时差多少？"),
        Text("Where a single bad range is costly.", "某一段概率不准就很危险的场景。"),
        Text("A bin of one row can decide it.", "只有一行的箱也可能决定它。"),
        ("ece",),
        Text("The bin of 0.8 holds no positive: |0 − 0.8| = 0.8", "0.8 所在的箱没有正例：|0 − 0.8| = 0.8"),
        higher_is_better=False,
        also=("校准误差",),
    )

    def of_probabilities(self, view: BinaryView) -> float:
        return float(max(abs(bin.positives - bin.predicted) / bin.rows for bin in self.bins_of(view)))

    def define(self, rows: LabelledList) -> float:
        return max(abs(y - p) / n for n, y, p in self._defined_bins(rows))


class PredictedOverObserved(ProbabilityMetric):
    """Predicted clicks over clicks: above 1 the model over-estimates.

    pcoc = Σ p / Σ y                                                                                        [he2014]
    """

    name = "pcoc"
    log_scale = True
    title = Text("Predicted over observed (PCOC)", "预估/实际点击比（PCOC）")
    about = About(
        Text("Are clicks over- or under-estimated in total?", "总体高估还是低估？"),
        Text("Advertising: bids are made of probabilities.", "广告：出价由概率算出。"),
        Text(
            "1 is right, but in total only: errors of opposite sign cancel; look at ece too.",
            "1 为正好，但仅就总量而言：高估与低估会抵消，同时看 ece。",
        ),
        ("ece", "logloss"),
        Text("(0.9 + 0.8 + 0.7 + 0.1) / 2 = 1.25", "(0.9 + 0.8 + 0.7 + 0.1) / 2 = 1.25"),
        range="0 … ∞",
        higher_is_better=None,
        undefined=NO_POSITIVE,
        also=("预估点击比", "高估", "低估"),
    )

    def of_probabilities(self, view: BinaryView) -> float:
        sums = view.probability()
        return float(sums.predicted / sums.positives) if sums.positives else NAN

    def row_terms(self, view: BinaryView) -> RowTerms:
        rows = view.evidence.rows
        return RowTerms(rows.scores.astype(np.float64), rows.positive.astype(np.float64))

    def define(self, rows: LabelledList) -> float:
        positives = rows.count(1)
        return sum(weight * score for _, score, weight in rows.rows()) / positives if positives else NAN


class ObservedOverPredicted(ProbabilityMetric):
    """Clicks over predicted clicks: below 1 the model over-estimates.

    copc = Σ y / Σ p = 1 / pcoc                                                                             [he2014]
    """

    name = "copc"
    log_scale = True
    title = Text("Observed over predicted (COPC)", "实际/预估点击比（COPC）")
    about = About(
        Text("How many clicks come for one that was predicted?", "预估一次点击，实际来了几次？"),
        Text("Advertising: bids are made of probabilities.", "广告：出价由概率算出。"),
        Text(
            "1 is right, but in total only: errors of opposite sign cancel; look at field_rce and ece too.",
            "1 为正好，但仅就总量而言：高估与低估会抵消，同时看 field_rce 与 ece。",
        ),
        ("pcoc", "ece"),
        Text("2 / (0.9 + 0.8 + 0.7 + 0.1) = 0.8", "2 / (0.9 + 0.8 + 0.7 + 0.1) = 0.8"),
        range="0 … ∞",
        higher_is_better=None,
        undefined=Text("every probability is 0", "所有概率都为 0"),
        also=("COPC", "高估", "低估"),
    )

    def of_probabilities(self, view: BinaryView) -> float:
        sums = view.probability()
        return float(sums.positives / sums.predicted) if sums.predicted else NAN

    def row_terms(self, view: BinaryView) -> RowTerms:
        rows = view.evidence.rows
        return RowTerms(rows.positive.astype(np.float64), rows.scores.astype(np.float64))

    def define(self, rows: LabelledList) -> float:
        predicted = sum((Fraction(weight) * Fraction(score) for _, score, weight in rows.rows()), Fraction(0))
        return float(Fraction(rows.count(1)) / predicted) if predicted else NAN
