"""Losses of quantiles and of counts: pinball and Tweedie deviance, as they are and as shares of the best constant's."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from pingce.base.errors import InputError
from pingce.base.exact import Floats, exact_dot, exact_sum, weighted_dot, weighted_sum
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.regression.deviances import checked_deviances, deviance_of, deviances
from pingce.evidence.regression.evidence import TWEEDIE, ErrorEvidence
from pingce.inputs.regression import NumberRows
from pingce.metrics.declared import NAN, RowTerms
from pingce.metrics.parameters import Number, parameter
from pingce.metrics.regression.base import CONSTANT, NumberList, RegressionMetric, about
from pingce.metrics.regression.errors import RowMean

_TIMES = ((1.0, 2.0, 4.0), (1.0, 2.0, 3.0))
_COUNTS = ((0.0, 1.0, 2.0), (1.0, 1.0, 1.0))


@dataclass(frozen=True, kw_only=True)
class Pinball(RowMean):
    """Mean error of a quantile: too low costs α per unit, too high 1 − α.

    pinball = mean max(α · (y − ŷ), (α − 1) · (y − ŷ))                                               [koenker1978]
    """

    name = "pinball"
    aliases = ("pinball_loss", "quantile_loss")
    title = Text("Pinball loss", "分位数损失（pinball）")
    needs = ("absolute", "error")
    paired_test = "permutation"
    about = about(
        Text("How good is a prediction as a quantile?", "作为分位数，预测得好不好？"),
        Text("Quantile regression; alpha=0.5 is half of mae.", "分位数回归；alpha=0.5 时是 mae 的一半。"),
        Text(
            "Of one quantile only: it does not say whether others are right.",
            "只针对一个分位点，看不出其他分位点是否正确。",
        ),
        ("mae", "d2_pinball"),
        Text(
            "e = −0.5, 0.5, 0, 1: 0.5 · (0.5 + 0.5 + 0 + 1) / 4 = 0.25",
            "e = −0.5、0.5、0、1：0.5 · (0.5 + 0.5 + 0 + 1) / 4 = 0.25",
        ),
        also=("分位数回归", "分位损失"),
    )

    alpha: float = parameter(0.5, Number(above=0, below=1), Text("The quantile that is predicted.", "所预测的分位点。"))

    def value(self, evidence: ErrorEvidence) -> float:
        """What lies above and below the truth follows from Σ |e| and Σ e."""
        return self.quotient(self.total(evidence), evidence.sums["weight"])

    def total(self, evidence: ErrorEvidence) -> Fraction:
        """The sum over all rows."""
        absolute, error, alpha = evidence.sums["absolute"], evidence.sums["error"], Fraction(self.alpha)
        return alpha * (absolute - error) / 2 + (1 - alpha) * (absolute + error) / 2

    def row_losses(self, rows: NumberRows) -> Floats:
        left = rows.true - rows.predicted
        return np.maximum(self.alpha * left, (self.alpha - 1) * left)

    def of(self, true: float, predicted: float) -> float:
        return max(self.alpha * (true - predicted), (self.alpha - 1) * (true - predicted))


@dataclass(frozen=True, kw_only=True)
class PinballShare(RegressionMetric):
    """Share of the pinball loss of the best constant that the predictions save.

    d2_pinball = 1 − pinball(ŷ) / pinball(q), q the α-quantile of the truth                         [koenker1999]
    """

    name = "d2_pinball"
    aliases = ("d2_pinball_score",)
    title = Text("Share of pinball loss explained (D²)", "分位数损失的可解释比例（D²）")
    formula_zh = "d2_pinball = 1 − pinball(ŷ) / pinball(q)，q 为真值的 α 分位数"
    needs = ("absolute", "error")
    needs_rows = True
    no_interval = Text("the quantile that it is compared with varies too", "与之比较的分位数本身也会变动")
    about = about(
        Text("How much better than always predicting the quantile?", "比永远预测分位数好多少？"),
        Text(
            "What r2 is to squares; with alpha=0.5 it is D² of absolute errors.",
            "相当于平方误差的 r2；alpha=0.5 即绝对误差的 D²。",
        ),
        Text(
            "It depends on how much the truth varies; older scikit-learn compared with an interpolated quantile, which is not the best constant.",
            "取决于真值的波动；旧版 scikit-learn 与插值得到的分位数比较，那并不是最好的常数。",
        ),
        ("pinball", "r2"),
        Text(
            "pinball 0.25; always 2 gives 0.5 · (1 + 2.5 + 0 + 5) / 4 = 1.0625: 1 − 0.25 / 1.0625 = 0.764706",
            "pinball 为 0.25；一律预测 2 时为 0.5 · (1 + 2.5 + 0 + 5) / 4 = 1.0625：1 − 0.25 / 1.0625 = 0.764706",
        ),
        range="−∞ … 1",
        higher_is_better=True,
        undefined=CONSTANT,
        also=("D2", "绝对误差D2"),
    )

    alpha: float = parameter(0.5, Number(above=0, below=1), Text("The quantile that is predicted.", "所预测的分位点。"))

    def value(self, evidence: ErrorEvidence) -> float:
        rows = evidence.rows_for_pairs(self.name)
        if not len(rows):
            return NAN
        total, best = Pinball(alpha=self.alpha).total(evidence), self.constant_loss(rows) * evidence.sums["weight"]
        return self.quotient(best - total, best)

    def constant(self, rows: NumberRows) -> float:
        """The quantile of the truth."""
        order = np.argsort(rows.true, kind="stable")
        values = rows.true[order]
        if rows.weight is None:
            return float(values[max(0, int(-(-Fraction(self.alpha) * len(values) // 1)) - 1)])
        total, begin, end = exact_sum(rows.weight) * Fraction(self.alpha), 0, len(values) - 1
        weights = rows.weight[order]
        while begin < end:  # sums are exact: rounded ones would choose by the order of rows
            middle = (begin + end) // 2
            begin, end = (begin, middle) if exact_sum(weights[: middle + 1]) >= total else (middle + 1, end)
        return float(values[begin])

    def constant_loss(self, rows: NumberRows) -> Fraction:
        """The pinball loss of the constant, exactly."""
        constant, alpha, weights = self.constant(rows), Fraction(self.alpha), np.ones(len(rows))
        weights = weights if rows.weight is None else rows.weight
        parts = []
        for side in (rows.true > constant, rows.true < constant):
            apart = exact_dot(rows.true[side], weights[side]) - Fraction(constant) * exact_sum(weights[side])
            parts.append(abs(apart))
        return (alpha * parts[0] + (1 - alpha) * parts[1]) / exact_sum(weights)

    def define(self, rows: NumberList) -> float:
        """The constant is looked for among the true numbers: one of them is best."""
        loss, table = Pinball(alpha=self.alpha), rows.rows()
        constants = [y for y, _, _ in table]
        best = min(sum(w * loss.of(y, constant) for y, _, w in table) for constant in constants)
        total = sum(w * loss.of(y, p) for y, p, w in table)
        return 1 - total / best if best else NAN


class _DomainOfPower:
    """A power at which the deviance exists: 0 or below, or 1 and above."""

    def accept(self, name: str, value: Any) -> float:
        number: Any = Number().accept(name, value)
        if 0 < number < 1:
            raise InputError(
                f"{name}={value}: there is no Tweedie distribution between 0 and 1; choose 0, or 1 and above",
                f"{name}={value}：0 与 1 之间没有 Tweedie 分布；请取 0，或 1 及以上",
            )
        return number  # type: ignore[no-any-return]

    def describe(self) -> str:
        return "≤ 0, ≥ 1"


_POWER = Text(
    "Of the variance by the mean: 0 normal (squared error), 1 Poisson, between 1 and 2 many zeros, 2 gamma, 3 inverse Gaussian.",
    "方差随均值的幂次：0 为正态（平方误差），1 为泊松，1 到 2 之间为多零数据，2 为伽马，3 为逆高斯。",
)


@dataclass(frozen=True, kw_only=True)
class Tweedie(RowMean):
    """Mean deviance of counts, times or amounts, whose variance grows with their mean.

    tweedie = mean 2 · (y^(2−p) / ((1−p)(2−p)) − y ŷ^(1−p) / (1−p) + ŷ^(2−p) / (2−p)), p the power    [jorgensen1987]
    """

    name = "tweedie"
    aliases = ("tweedie_deviance", "mean_tweedie_deviance")
    title = Text("Tweedie deviance", "Tweedie 偏差")
    formula_zh = "tweedie = mean 2 · (y^(2−p) / ((1−p)(2−p)) − y ŷ^(1−p) / (1−p) + ŷ^(2−p) / (2−p))，p 为 power"
    needs = ("squared",)
    about = about(
        Text("How good are predictions of amounts, most of which are small?", "多数很小、少数很大的数，预测得好不好？"),
        Text(
            "Counts (power=1), amounts with many zeros (1.5), durations and prices (2).",
            "计数（power=1）、多零的金额（1.5）、时长与价格（2）。",
        ),
        Text(
            "From power 1 up predictions must be above 0; values of different powers cannot be compared.",
            "power ≥ 1 时预测须大于 0；不同 power 的值不能互相比较。",
        ),
        ("mse", "d2_tweedie"),
        Text(
            "power=1, y 0, 1, 2, always predicted as 1: 2 · (1 + 0 + (2 · ln 2 − 1)) / 3 = 0.924196",
            "power=1，y 为 0、1、2，都预测为 1：2 · (1 + 0 + (2 · ln 2 − 1)) / 3 = 0.924196",
        ),
        example=("tweedie(power=1)", *_COUNTS),
        also=("泊松偏差", "伽马偏差", "LTV"),
    )

    power: float = parameter(0, _DomainOfPower(), _POWER)

    def check(self) -> None:
        """Name the sum that this power needs: squared errors have theirs."""
        needs = ("squared",) if self.power == 0 else (f"{TWEEDIE}{float(self.power)!r}",)
        object.__setattr__(self, "needs", needs)

    def row_terms(self, rows: NumberRows) -> RowTerms:
        return RowTerms(deviances(rows, self.power))

    def of(self, true: float, predicted: float) -> float:
        return deviance_of(true, predicted, self.power)


@dataclass(frozen=True, kw_only=True)
class TweedieShare(RegressionMetric):
    """Share of the Tweedie deviance of always predicting the mean that the predictions save.

    d2_tweedie = 1 − tweedie(ŷ) / tweedie(ȳ)                                                        [jorgensen1987]
    """

    name = "d2_tweedie"
    aliases = ("d2_tweedie_score",)
    title = Text("Share of Tweedie deviance explained (D²)", "Tweedie 偏差的可解释比例（D²）")
    needs = ("squared",)
    needs_rows = True
    no_interval = Text("the mean that it is compared with varies too", "与之比较的平均值本身也会变动")
    about = about(
        Text("How much better than always predicting the mean?", "比永远预测平均值好多少？"),
        Text(
            "What r2 is to squares, for counts and amounts; power=0 is r2.",
            "相当于平方误差的 r2，用于计数与金额；power=0 即 r2。",
        ),
        Text("It depends on how much the truth varies.", "取决于真值的波动。"),
        ("tweedie", "r2"),
        Text(
            "power=1, y 1, 2, 4 and ŷ 1, 2, 3: 0.100486 against 0.666925 for the mean 7/3: 1 − 0.100486 / 0.666925 = 0.84933",
            "power=1，y 为 1、2、4，ŷ 为 1、2、3：0.100486，而预测平均值 7/3 时为 0.666925：1 − 0.100486 / 0.666925 = 0.84933",
        ),
        example=("d2_tweedie(power=1)", *_TIMES),
        range="−∞ … 1",
        higher_is_better=True,
        undefined=CONSTANT,
        also=("D2", "偏差解释度"),
    )

    power: float = parameter(0, _DomainOfPower(), _POWER)

    def check(self) -> None:
        """Need the sum that the deviance needs."""
        object.__setattr__(self, "needs", Tweedie(power=self.power).needs)

    def value(self, evidence: ErrorEvidence) -> float:
        rows = evidence.rows_for_pairs(self.name)
        best = self.constant_deviance(rows)
        return self.quotient(best - evidence.sums[self.needs[0]], best)

    def constant_deviance(self, rows: NumberRows) -> Fraction:
        """Σ of the deviances of always predicting the mean; 0 where the truth is constant."""
        if not len(rows) or (rows.true == rows.true[0]).all():
            return Fraction(0)
        mean = weighted_sum(rows.true, rows.weight) / (len(rows) if rows.weight is None else exact_sum(rows.weight))
        if self.power == 0:
            return weighted_dot(rows.true, rows.true, rows.weight) - mean * weighted_sum(rows.true, rows.weight)
        constant = NumberRows(rows.true, np.full(len(rows), float(mean)), rows.weight, rows.place)
        return weighted_sum(checked_deviances(constant, self.power), rows.weight)

    def define(self, rows: NumberList) -> float:
        table = rows.rows()
        mean = sum(w * y for y, _, w in table) / rows.total()
        best = sum(w * deviance_of(y, mean, self.power) for y, _, w in table)
        total = sum(w * deviance_of(y, p, self.power) for y, p, w in table)
        return 1 - total / best if len({y for y, _, _ in table}) > 1 else NAN
