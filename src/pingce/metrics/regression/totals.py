"""Errors with their sign, sums against sums, and errors beside what is usual in the truth."""

from __future__ import annotations

from fractions import Fraction
from math import log, log1p, sinh, sqrt

import numpy as np

from pingce.base.exact import Floats, root
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.regression.deviances import log_cosh
from pingce.evidence.regression.evidence import ErrorEvidence
from pingce.inputs.regression import NumberRows
from pingce.metrics.declared import NAN, RowTerms
from pingce.metrics.parameters import choice
from pingce.metrics.regression.base import NumberList, RegressionMetric, about
from pingce.metrics.regression.errors import RowMean

_SIZES = ((10.0, 20.0, 30.0, 60.0), (12.0, 18.0, 33.0, 50.0))
"The errors are 2, −2, 3 and −10; Σ e² = 117."


class MeanError(RowMean):
    """Mean of the errors with their sign: above 0 predictions are too high.

    mean_error = mean (ŷ − y)                                                                         [willmott2005]
    """

    name = "mean_error"
    aliases = ("bias", "mbe")
    title = Text("Mean error (bias)", "平均误差（偏差）")
    needs = ("error",)
    paired_test = "permutation"
    about = about(
        Text("Are predictions too high or too low on average?", "预测整体偏高还是偏低？"),
        Text(
            "Beside mae: sums and budgets follow the mean, not the size.",
            "与 mae 对照：总量与预算取决于平均，而不是误差大小。",
        ),
        Text("Errors of both signs cancel: 0 says nothing about single rows.", "正负误差会抵消：为 0 不代表单行准确。"),
        ("mae", "total_ratio"),
        Text("e = −0.5, 0.5, 0, 1: 1 / 4 = 0.25", "e = −0.5、0.5、0、1：1 / 4 = 0.25"),
        range="−∞ … ∞",
        higher_is_better=None,
        also=("偏差", "高估", "低估", "平均偏差"),
    )

    def row_losses(self, rows: NumberRows) -> Floats:
        return rows.predicted - rows.true

    def of(self, true: float, predicted: float) -> float:
        return predicted - true


class TotalRatio(RegressionMetric):
    """Sum of the predictions over that of the truth: above 1 the total is over-estimated.

    total_ratio = Σ ŷ / Σ y                                                                            [kolassa2007]
    """

    name = "total_ratio"
    aliases = ("sum_ratio",)
    title = Text("Ratio of totals", "总量比（预估/实际）")
    needs = ("predicted", "true")
    about = about(
        Text("Is the total over- or under-estimated, and by what factor?", "总量高估还是低估了多少倍？"),
        Text(
            "What pcoc is to clicks: total watch time, revenue, demand.",
            "相当于点击预估的 pcoc：总时长、总收入、总需求。",
        ),
        Text(
            "Errors of both signs cancel; with numbers of both signs it means nothing.",
            "正负误差会抵消；真值有正有负时没有意义。",
        ),
        ("mean_error", "wmape"),
        Text(
            "(12 + 18 + 33 + 50) / (10 + 20 + 30 + 60) = 113 / 120 = 0.941667",
            "预测合计除以真值合计：(12 + 18 + 33 + 50) / (10 + 20 + 30 + 60) = 113 / 120 = 0.941667",
        ),
        example=("", *_SIZES),
        range="−∞ … ∞",
        higher_is_better=None,
        undefined=Text("the true numbers sum to 0", "真值之和为 0"),
        also=("总量偏差", "预估实际比", "pcoc"),
    )

    def value(self, evidence: ErrorEvidence) -> float:
        return self.quotient(evidence.sums["predicted"], evidence.sums["true"])

    def row_terms(self, rows: NumberRows) -> RowTerms:
        return RowTerms(rows.predicted, rows.true)

    def define(self, rows: NumberList) -> float:
        total = sum(Fraction(w) * Fraction(y) for y, _, w in rows.rows())
        return float(sum(Fraction(w) * Fraction(p) for _, p, w in rows.rows()) / total) if total else NAN


@dataclass(frozen=True, kw_only=True)
class NormalizedRootMeanSquaredError(RegressionMetric):
    """Root mean squared error beside what is usual in the truth.

    nrmse = rmse / |ȳ|                                                                                [willmott2005]
    """

    name = "nrmse"
    aliases = ("normalized_root_mean_squared_error",)
    title = Text("Normalized root mean squared error (NRMSE)", "归一化均方根误差（NRMSE）")
    needs = ("squared", "true", "true_squared")
    needs_ends = True
    no_interval = Text("both the error and what it is divided by vary; rmse has one", "误差与除数都会变动；rmse 有区间")
    about = about(
        Text("How large is a typical error beside the numbers themselves?", "误差相对于数值本身有多大？"),
        Text("Targets of different sizes or units.", "不同量级、不同单位的目标。"),
        Text(
            "Tools divide by the mean, the range, the standard deviation or the norm of the truth: the same errors give four numbers.",
            "各工具分别除以真值的平均、极差、标准差或范数：同样的误差会得到四个数。",
        ),
        ("rmse", "r2"),
        Text(
            "y 10, 20, 30, 60 and ŷ 12, 18, 33, 50: √(117 / 4) / 30 = 0.180278",
            "y 为 10、20、30、60，ŷ 为 12、18、33、50：√(117 / 4) / 30 = 0.180278",
        ),
        example=("", *_SIZES),
        undefined=Text("what it divides by is 0", "除数为 0"),
        also=("相对均方根误差", "CV-RMSE"),
    )

    by: str = choice(
        Text("What the root mean squared error is divided by.", "均方根误差除以什么。"),
        mean=Text("the size of the mean of the truth", "真值平均的绝对值"),
        range=Text("highest less lowest true number", "真值的最大值减最小值"),
        std=Text("the standard deviation of the truth", "真值的标准差"),
        norm=Text("√(Σ y²)", "√(Σ y²)"),
    )

    def value(self, evidence: ErrorEvidence) -> float:
        weight = evidence.sums["weight"]
        if not weight:
            return NAN
        try:
            return root(evidence.sums["squared"], weight * self.square(evidence))
        except OverflowError:
            return self.quotient(Fraction(1 << 1100), Fraction(1))  # says so

    def square(self, evidence: ErrorEvidence) -> Fraction:
        """The square of what is divided by."""
        sums = evidence.sums
        mean = sums["true"] / sums["weight"]
        if self.by == "range":
            low, high = evidence.ends or (0.0, 0.0)
            return (Fraction(high) - Fraction(low)) ** 2
        squares = {"mean": mean**2, "std": sums["true_squared"] / sums["weight"] - mean**2}
        return squares.get(self.by, sums["true_squared"])

    def define(self, rows: NumberList) -> float:
        table = rows.rows()
        true, total = [y for y, _, _ in table], rows.total()
        mean = sum(w * y for y, _, w in table) / total
        sizes = {
            "mean": abs(mean),
            "range": max(true) - min(true),
            "std": sqrt(sum(w * (y - mean) ** 2 for y, _, w in table) / total) if len(set(true)) > 1 else 0.0,
            "norm": sqrt(sum(w * y * y for y, _, w in table)),
        }
        error = sqrt(sum(w * (p - y) ** 2 for y, p, w in table) / total)
        return error / sizes[self.by] if sizes[self.by] else NAN


class LogCosh(RowMean):
    """Mean of ln cosh of the errors: half their square where they are small, their size where they are large.

    log_cosh = mean ln cosh(ŷ − y)                                                                        [saleh2022]
    """

    name = "log_cosh"
    aliases = ("log_cosh_error",)
    title = Text("Log-cosh error", "log-cosh 误差")
    needs = ("log_cosh",)
    paired_test = "permutation"
    about = about(
        Text("How large are errors, outliers weighing less than in mse?", "误差有多大（离群点的影响小于 mse）？"),
        Text("The smooth loss that some regressions minimise.", "部分回归模型所优化的平滑损失。"),
        Text(
            "It depends on the unit: in seconds it is like mae, in hours like mse.",
            "取决于单位：以秒计像 mae，以小时计像 mse。",
        ),
        ("mae", "mse"),
        Text(
            "e = −0.5, 0.5, 0, 1: (0.120115 + 0.120115 + 0 + 0.433781) / 4 = 0.168502",
            "e = −0.5、0.5、0、1：(0.120115 + 0.120115 + 0 + 0.433781) / 4 = 0.168502",
        ),
        also=("双曲余弦", "平滑误差"),
    )

    def row_losses(self, rows: NumberRows) -> Floats:
        return log_cosh(np.asarray(rows.predicted - rows.true))

    def of(self, true: float, predicted: float) -> float:
        size = abs(predicted - true)
        return log1p(2 * sinh(size / 2) ** 2) if size < 300 else size - log(2.0)
