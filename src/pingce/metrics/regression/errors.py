"""How far predictions are from the truth: e = ŷ − y, as it is, relative to the truth, or in logarithms."""

from __future__ import annotations

from fractions import Fraction
from math import log1p, sqrt
from typing import ClassVar

import numpy as np

from pingce.base.core import native_core, thread_count
from pingce.base.exact import Floats, exact_sum, root
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.regression.evidence import (
    ErrorEvidence,
    errors_to_one,
    log_errors,
    relative_errors,
    symmetric_errors,
)
from pingce.inputs.regression import NumberRows
from pingce.metrics.declared import NAN, RowTerms
from pingce.metrics.parameters import choice
from pingce.metrics.regression.base import NumberList, RegressionMetric, about

_COUNTS = ((1.0, 3.0, 7.0), (3.0, 3.0, 3.0))
"Of the logarithmic examples: 1 + y is 2, 4 and 8, while 1 + ŷ is always 4."


class RowMean(RegressionMetric):
    """Base of the means over rows; `needs` names the sum."""

    def of(self, true: float, predicted: float) -> float:
        """The formula for a row."""
        raise NotImplementedError

    def value(self, evidence: ErrorEvidence) -> float:
        """The sum over the number of rows, rounded once."""
        return self.quotient(evidence.sums[self.needs[0]], evidence.sums["weight"])

    def define(self, rows: NumberList) -> float:
        return sum(weight * self.of(y, predicted) for y, predicted, weight in rows.rows()) / rows.total()


class RootOfMean(RegressionMetric):
    """Base of the roots of means over rows; `needs` names the sum, as that of the mean does."""

    is_root = True
    mean: ClassVar[type[RowMean]]

    def value(self, evidence: ErrorEvidence) -> float:
        return root(evidence.sums[self.needs[0]], evidence.sums["weight"])

    def row_terms(self, rows: NumberRows) -> RowTerms | None:
        return self.mean().row_terms(rows)

    def define(self, rows: NumberList) -> float:
        return sqrt(self.mean().define(rows))


class MeanAbsoluteError(RowMean):
    """Mean size of the errors.

    mae = mean |ŷ − y|                                                                                [willmott2005]
    """

    name = "mae"
    aliases = ("mean_absolute_error",)
    title = Text("Mean absolute error (MAE)", "平均绝对误差（MAE）")
    needs = ("absolute",)
    paired_test = "permutation"
    about = about(
        Text("How far off is a prediction on average?", "平均差多少？"),
        Text("Any regression; it has the unit of the target.", "各类回归任务；与目标同单位。"),
        Text(
            "One large error weighs no more than many small ones with the same sum; the direction is lost.",
            "一个大误差与合计相同的许多小误差没有区别；看不出偏高还是偏低。",
        ),
        ("rmse", "medae"),
        Text(
            "e = −0.5, 0.5, 0, 1: (0.5 + 0.5 + 0 + 1) / 4 = 0.5", "e = −0.5、0.5、0、1：(0.5 + 0.5 + 0 + 1) / 4 = 0.5"
        ),
        also=("绝对误差", "平均误差", "L1"),
    )

    def row_losses(self, rows: NumberRows) -> Floats:
        return np.abs(rows.predicted - rows.true)

    def of(self, true: float, predicted: float) -> float:
        return abs(predicted - true)


class MeanSquaredError(RowMean):
    """Mean of the squared errors.

    mse = mean (ŷ − y)²                                                                               [willmott2005]
    """

    name = "mse"
    aliases = ("mean_squared_error",)
    title = Text("Mean squared error (MSE)", "均方误差（MSE）")
    needs = ("squared",)
    paired_test = "permutation"
    about = about(
        Text("How large are the errors, squared?", "误差的平方平均有多大？"),
        Text("The loss that most regressions minimise.", "多数回归模型所优化的损失。"),
        Text(
            "A few outliers decide it; its unit is the square of the target's: rmse is easier to read.",
            "少数离群点就能左右它；单位是目标的平方，rmse 更好读。",
        ),
        ("rmse", "mae"),
        Text(
            "e = −0.5, 0.5, 0, 1: (0.25 + 0.25 + 0 + 1) / 4 = 0.375",
            "e = −0.5、0.5、0、1：(0.25 + 0.25 + 0 + 1) / 4 = 0.375",
        ),
        also=("平方误差", "L2"),
    )

    def row_losses(self, rows: NumberRows) -> Floats:
        return np.square(rows.predicted - rows.true)

    def of(self, true: float, predicted: float) -> float:
        return (predicted - true) ** 2


class RootMeanSquaredError(RootOfMean):
    """Root of the mean of the squared errors.

    rmse = √(mean (ŷ − y)²)                                                                           [willmott2005]
    """

    name = "rmse"
    aliases = ("root_mean_squared_error",)
    title = Text("Root mean squared error (RMSE)", "均方根误差（RMSE）")
    needs = ("squared",)
    mean = MeanSquaredError
    about = about(
        Text("How large is a typical error, large ones weighing more?", "误差一般有多大（大误差算得更重）？"),
        Text("Where large errors are worse than in proportion.", "大误差的代价特别高的场景。"),
        Text(
            "A few outliers decide it; far above mae means that errors differ much in size.",
            "少数离群点就能左右它；远大于 mae 说明误差大小悬殊。",
        ),
        ("mae", "max_error", "r2"),
        Text("mse = 0.375: √0.375 = 0.612372", "mse = 0.375：√0.375 = 0.612372"),
        also=("均方根", "标准误差"),
    )


class MaxError(RegressionMetric):
    """Size of the largest error.

    max_error = max |ŷ − y|                                                                             [cheney1966]
    """

    name = "max_error"
    no_interval = Text(
        "one row decides it, and drawing rows anew never finds a larger error",
        "由一行决定，对行重新抽样也不会出现更大的误差",
    )
    title = Text("Maximum error", "最大误差")
    about = about(
        Text("How far off is the worst prediction?", "最离谱的一次差多少？"),
        Text("Where a single bad prediction is costly.", "一次失误代价就很高的场景。"),
        Text("One row decides it, even if its label is wrong.", "由一行决定，哪怕那一行标错了。"),
        ("mae", "rmse"),
        Text("e = −0.5, 0.5, 0, 1: the largest size is 1", "e = −0.5、0.5、0、1：绝对值最大为 1"),
        also=("最大绝对误差",),
    )

    def value(self, evidence: ErrorEvidence) -> float:
        return evidence.largest if evidence.sums["weight"] else NAN

    def define(self, rows: NumberList) -> float:
        return max(abs(predicted - y) for y, predicted, _ in rows.rows())


@dataclass(frozen=True, kw_only=True)
class MeanAbsolutePercentageError(RowMean):
    """Mean size of the errors, each relative to the truth.

    mape = mean (|ŷ − y| / |y|)                                                                        [hyndman2006]
    """

    name = "mape"
    no_interval = Text(
        "true numbers near 0 decide it, and rows drawn anew do not show those that are not among them; wmape has one",
        "真实值接近 0 的行起决定作用，而抽样看不到没有出现过的这种行；wmape 有区间",
    )
    aliases = ("mean_absolute_percentage_error",)
    title = Text("Mean absolute percentage error (MAPE)", "平均绝对百分比误差（MAPE）")
    needs = ("relative", "zeros")
    about = about(
        Text("By what share is a prediction off on average?", "平均差百分之几？"),
        Text(
            "Forecasts of different sizes, all far from 0; 0.1 means 10 %.", "量级不一、都远离 0 的预测；0.1 即 10 %。"
        ),
        Text(
            "Rows with small true numbers decide it; among positive numbers too low costs at most 1, too high has no limit: it favours low predictions.",
            "由真值小的行决定；数值为正时，低估至多计 1，高估没有上限，因此偏袒低估。",
        ),
        ("wmape", "smape"),
        Text(
            "(0.5/3 + 0.5/0.5 + 0/2 + 1/7) / 4 = 0.327381",
            "各行误差与真值之比：(0.5/3 + 0.5/0.5 + 0/2 + 1/7) / 4 = 0.327381",
        ),
        undefined=Text("a true number is 0", "有真值为 0"),
        also=("百分比误差", "相对误差"),
    )

    over: str = choice(
        Text("What each error is divided by.", "每个误差除以什么。"),
        minor=True,
        truth=Text("|y|", "|y|"),
        one=Text("max(1, |y|), as boosters have it (LightGBM, CatBoost)", "max(1, |y|)，同 LightGBM、CatBoost"),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.over == "one":
            object.__setattr__(self, "needs", ("relative_to_one",))

    def row_terms(self, rows: NumberRows) -> RowTerms:
        return RowTerms(relative_errors(rows) if self.over == "truth" else errors_to_one(rows))

    def of(self, true: float, predicted: float) -> float:
        if self.over == "one":
            return abs(predicted - true) / max(1.0, abs(true))
        return abs(predicted - true) / abs(true) if true else NAN

    def value(self, evidence: ErrorEvidence) -> float:
        """Undefined if a row that counts has no share."""
        return NAN if self.over == "truth" and evidence.sums["zeros"] else super().value(evidence)


class SymmetricMeanAbsolutePercentageError(RowMean):
    """Mean size of the errors, each relative to the middle of truth and prediction.

    smape = mean (|ŷ − y| / ((|y| + |ŷ|) / 2)); 0 for a row with y = ŷ = 0                             [hyndman2006]
    """

    name = "smape"
    aliases = ("symmetric_mean_absolute_percentage_error",)
    title = Text("Symmetric mean absolute percentage error (SMAPE)", "对称平均绝对百分比误差（SMAPE）")
    formula_zh = "smape = mean (|ŷ − y| / ((|y| + |ŷ|) / 2))；y = ŷ = 0 的行计 0"
    needs = ("symmetric",)
    about = about(
        Text("By what share, if truth and prediction count alike?", "真值与预测同等看待时，平均差百分之几？"),
        Text("Forecasts in which the truth may be 0.", "真值可能为 0 的预测。"),
        Text(
            "Tools differ by a factor of 2; a true 0 costs 2, however near the prediction; the same error costs more when it is too low.",
            "各工具可能相差一倍；真值为 0 时，预测再接近也计 2；同样大小的误差，低估罚得更重。",
        ),
        ("mape", "wmape"),
        Text(
            "(0.5/2.75 + 0.5/0.25 + 0/2 + 1/7.5) / 4 = 0.578788",
            "各行误差与真值、预测的平均大小之比：(0.5/2.75 + 0.5/0.25 + 0/2 + 1/7.5) / 4 = 0.578788",
        ),
        range="0 … 2",
        also=("对称百分比误差",),
    )

    def row_terms(self, rows: NumberRows) -> RowTerms:
        return RowTerms(2 * symmetric_errors(rows))

    def of(self, true: float, predicted: float) -> float:
        size = (abs(true) + abs(predicted)) / 2
        return abs(predicted - true) / size if size else 0.0


class WeightedMeanAbsolutePercentageError(RegressionMetric):
    """Sum of the sizes of the errors relative to that of the truth.

    wmape = Σ |ŷ − y| / Σ |y|                                                                          [kolassa2007]
    """

    name = "wmape"
    aliases = ("wape", "weighted_mean_absolute_percentage_error")
    title = Text("Weighted mean absolute percentage error (WMAPE)", "加权平均绝对百分比误差（WMAPE）")
    needs = ("absolute", "true_absolute")
    about = about(
        Text("How large is the sum of the errors against the total?", "误差合计占总量的多少？"),
        Text("Demand and sales, with zeros among the true numbers.", "销量、需求预测，真值中可以有 0。"),
        Text("Rows with large numbers decide it.", "由数值大的行决定。"),
        ("mape", "mae"),
        Text(
            "(0.5 + 0.5 + 0 + 1) / (3 + 0.5 + 2 + 7) = 2 / 12.5 = 0.16",
            "误差合计除以真值合计：(0.5 + 0.5 + 0 + 1) / (3 + 0.5 + 2 + 7) = 2 / 12.5 = 0.16",
        ),
        undefined=Text("every true number is 0", "真值全为 0"),
        also=("加权百分比误差", "WAPE"),
    )

    def value(self, evidence: ErrorEvidence) -> float:
        return self.quotient(evidence.sums["absolute"], evidence.sums["true_absolute"])

    def row_terms(self, rows: NumberRows) -> RowTerms:
        return RowTerms(np.abs(rows.predicted - rows.true), np.abs(rows.true))

    def define(self, rows: NumberList) -> float:
        size = sum(weight * abs(y) for y, _, weight in rows.rows())
        return sum(weight * abs(predicted - y) for y, predicted, weight in rows.rows()) / size if size else NAN


class MeanSquaredLogError(RowMean):
    """Mean of the squared differences of logarithms.

    msle = mean (ln(1 + ŷ) − ln(1 + y))²; needs y, ŷ > −1                                             [tofallis2015]
    """

    name = "msle"
    aliases = ("mean_squared_log_error",)
    title = Text("Mean squared logarithmic error (MSLE)", "均方对数误差（MSLE）")
    formula_zh = "msle = mean (ln(1 + ŷ) − ln(1 + y))²；要求 y、ŷ > −1"
    needs = ("log_squared",)
    about = about(
        Text("By what factor are predictions off, squared?", "预测差了多少倍（取对数再平方）？"),
        Text(
            "Counts, prices, durations: numbers of many sizes from 0 up.", "计数、价格、时长等不小于 0 且跨量级的数值。"
        ),
        Text(
            "It ignores absolute size: 100 off at 10 000 is nearly nothing; the same error costs more when it is too low.",
            "不看绝对大小：在 10 000 上差 100 几乎不计；同样大小的误差，低估罚得更重。",
        ),
        ("rmsle", "mae"),
        Text(
            "y 1, 3, 7, always predicted as 3: (ln(4/2)² + ln(4/4)² + ln(4/8)²) / 3 = 0.320302",
            "y 为 1、3、7，都预测为 3：(ln(4/2)² + ln(4/4)² + ln(4/8)²) / 3 = 0.320302",
        ),
        example=("", *_COUNTS),
        also=("对数误差",),
    )

    def row_terms(self, rows: NumberRows) -> RowTerms:
        return RowTerms(np.square(log_errors(rows)))

    def of(self, true: float, predicted: float) -> float:
        return (log1p(predicted) - log1p(true)) ** 2


class RootMeanSquaredLogError(RootOfMean):
    """Root of the mean of the squared differences of logarithms.

    rmsle = √(mean (ln(1 + ŷ) − ln(1 + y))²); needs y, ŷ > −1                                         [tofallis2015]
    """

    name = "rmsle"
    aliases = ("root_mean_squared_log_error",)
    title = Text("Root mean squared logarithmic error (RMSLE)", "均方根对数误差（RMSLE）")
    formula_zh = "rmsle = √(mean (ln(1 + ŷ) − ln(1 + y))²)；要求 y、ŷ > −1"
    needs = ("log_squared",)
    mean = MeanSquaredLogError
    about = about(
        Text("By what factor is a typical prediction off?", "预测一般差了多少倍？"),
        Text(
            "Counts, prices, durations; a value of 0.1 is about 10 % in 1 + y.",
            "计数、价格、时长；0.1 约相当于 1 + y 差 10 %。",
        ),
        Text(
            "It ignores absolute size; the same error costs more when it is too low.",
            "不看绝对大小；同样大小的误差，低估罚得更重。",
        ),
        ("msle", "rmse"),
        Text("msle = 0.320302: √0.320302 = 0.565952", "msle = 0.320302：√0.320302 = 0.565952"),
        example=("", *_COUNTS),
        also=("对数均方根误差",),
    )


class MedianAbsoluteError(RegressionMetric):
    """Median size of the errors.

    medae = median |ŷ − y|; where half of the weight lies at or under a value, the mean of it and the next  [hyndman2006]
    """

    name = "medae"
    aliases = ("median_absolute_error", "mdae")
    title = Text("Median absolute error (MedAE)", "中位绝对误差（MedAE）")
    formula_zh = "medae = median |ŷ − y|；若不大于某个值的权重恰占一半，则取该值与下一个值的平均"
    needs_rows = True
    about = about(
        Text("How far off is the middle prediction?", "居中的那次预测差多少？"),
        Text(
            "Data with outliers; it needs the rows, where most others need sums only.",
            "有离群点的数据；需要逐行数据，其他指标多数只需各项之和。",
        ),
        Text("It ignores how bad the worse half is.", "不管较差的那一半有多差。"),
        ("mae", "max_error"),
        Text("|e| sorted 0, 0.5, 0.5, 1: (0.5 + 0.5) / 2 = 0.5", "|e| 排序为 0、0.5、0.5、1：(0.5 + 0.5) / 2 = 0.5"),
        also=("中位数绝对误差", "中位误差"),
    )

    def value(self, evidence: ErrorEvidence) -> float:
        """The mean of the two middle sizes, which are mostly one."""
        if evidence.far is not None:
            return float(sum(map(Fraction, evidence.far.middle_errors())) / 2)
        rows = evidence.rows_for(self.name)
        if not len(rows):
            return NAN
        low, high = middle_sizes(rows, evidence.threads)
        return float((Fraction(low) + Fraction(high)) / 2)

    def drawn_values(self, rows: NumberRows, often: Floats) -> Floats:
        """Where what was drawn of the sizes, from the smallest, exceeds half; the mean of two where it is half just before."""
        size = np.abs(rows.predicted - rows.true)
        order = np.argsort(size, kind="stable")
        size, reached = size[order], np.cumsum(often[:, order], axis=1)
        half = reached[:, -1:] / 2
        low, high = ((reached < half).sum(axis=1), (reached <= half).sum(axis=1))
        values: Floats = (size[low] + size[high]) / 2
        return values

    def median_of(self, rows: NumberRows) -> Floats:
        return np.abs(rows.predicted - rows.true)

    def define(self, rows: NumberList) -> float:
        """Count weights from the smallest error until they exceed half."""
        ordered = sorted((abs(predicted - y), Fraction(weight)) for y, predicted, weight in rows.rows())
        half, reached, last = sum(weight for _, weight in ordered) / Fraction(2), Fraction(0), NAN
        for size, weight in ordered:
            if reached + weight > half:
                return (last + size) / 2 if reached == half else size
            reached, last = reached + weight, size
        return NAN


def middle_sizes(rows: NumberRows, threads: int | None) -> tuple[float, float]:
    """The two middle sizes of the errors."""
    core = native_core()
    if core is not None and rows.weight is None:
        return core.middle_errors(*rows.in_memory_order(), thread_count(threads))
    size = np.abs(rows.predicted - rows.true)
    if rows.weight is None:
        low, high = (len(size) - 1) // 2, len(size) // 2
        size.partition((low, high))
    else:
        order = np.argsort(size)
        size = size[order]
        low, high = middle(rows.weight[order])
    return float(size[low]), float(size[high])


def middle(weights: Floats) -> tuple[int, int]:
    """The place at which weights from the first on exceed half of all, and the one before it if that reaches half.

    Sums are exact, so that the order of equal errors does not matter; each is taken over half of what was left.
    """
    half = exact_sum(weights) / 2
    begin, end, before = 0, len(weights) - 1, Fraction(0)
    while begin < end:
        middle = (begin + end) // 2
        reached = before + exact_sum(weights[begin : middle + 1])
        if reached > half:
            end = middle
        else:
            begin, before = middle + 1, reached
    return (begin - 1 if before == half else begin), begin
