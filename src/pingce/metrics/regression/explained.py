"""How much of what varies in the truth the predictions follow."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import ldexp, sqrt
from typing import ClassVar

import numpy as np

from pingce.base.exact import Floats, exact_dot, exact_sum, root
from pingce.base.text import Text
from pingce.evidence.regression.evidence import ErrorEvidence, error_evidence
from pingce.evidence.regression.ranks import rank_power, rank_rows
from pingce.inputs.regression import NumberRows
from pingce.metrics.declared import NAN, RowTerms
from pingce.metrics.regression.base import CONSTANT, NumberList, RegressionMetric, about

_ONE_SIDE = Text("truth or prediction is constant", "真值或预测全部相同")


def spread(evidence: ErrorEvidence, name: str, square: str) -> Fraction:
    """The variance of a column, times (Σ w)²: exact, 0 where it is constant and nowhere else."""
    return evidence.sums["weight"] * evidence.sums[square] - evidence.sums[name] ** 2


def deviations(values: list[float], weights: list[float]) -> list[float]:
    """Values less their mean."""
    mean = sum(weight * value for value, weight in zip(values, weights, strict=True)) / sum(weights)
    return [value - mean for value in values]


def summed(weights: list[float], first: list[float], second: list[float]) -> float:
    """Σ of products."""
    return sum(weight * a * b for weight, a, b in zip(weights, first, second, strict=True))


def away_from_mean(values: Floats, weight: Floats | None) -> Floats:
    """Values less their mean."""
    weights = np.ones(len(values)) if weight is None else weight
    return values - float(exact_dot(values, weights) / exact_sum(weights))


def columns(rows: NumberList) -> tuple[list[float], list[float], list[float]]:
    """True numbers, predicted ones and weights of the rows that count."""
    true, predicted, weights = (list(column) for column in zip(*rows.rows(), strict=True))
    return true, predicted, weights


class ExplainedShare(RegressionMetric):
    """Base of the shares of the variance of the truth: 1 less that of the errors, which may count from their mean."""

    about_mean: ClassVar[bool] = False
    "Whether errors count from their mean, so that a constant offset costs nothing."

    def value(self, evidence: ErrorEvidence) -> float:
        varies, sums = spread(evidence, "true", "true_squared"), evidence.sums
        errors = spread(evidence, "error", "squared") if self.about_mean else sums["weight"] * sums["squared"]
        return self.quotient(varies - errors, varies)

    def drawn_values(self, rows: NumberRows, often: Floats) -> Floats:
        """Of each draw, about the means that are its own."""
        error, total = rows.predicted - rows.true, often.sum(axis=1)
        away = away_from_mean(rows.true, None)
        squares = [(often * np.square(side)).sum(axis=1) for side in (error, away)]
        shifts = [np.square((often * side).sum(axis=1)) / total for side in (error, away)]
        bottom = squares[1] - shifts[1]
        top = squares[0] - shifts[0] if self.about_mean else squares[0]
        values: Floats = 1 - np.divide(top, bottom, out=np.full(len(often), np.nan), where=bottom > 0)
        return values

    def row_terms(self, rows: NumberRows) -> RowTerms:
        """The squared error of each row over (y − ȳ)²."""
        error = rows.predicted - rows.true
        error = away_from_mean(error, rows.weight) if self.about_mean else error
        return RowTerms(np.square(error), np.square(away_from_mean(rows.true, rows.weight)), complement=True)

    def define(self, rows: NumberList) -> float:
        true, predicted, weights = columns(rows)
        if len(set(true)) == 1:
            return NAN
        error = [p - y for y, p in zip(true, predicted, strict=True)]
        error = deviations(error, weights) if self.about_mean else error
        away = deviations(true, weights)
        return 1 - summed(weights, error, error) / summed(weights, away, away)


class RSquared(ExplainedShare):
    """Share of the variance of the truth that the predictions account for.

    r2 = 1 − Σ (ŷ − y)² / Σ (y − ȳ)², ȳ = mean y                                                      [kvalseth1985]
    """

    name = "r2"
    aliases = ("r2_score",)
    title = Text("Coefficient of determination (R²)", "决定系数（R²）")
    needs = ("squared", "true", "true_squared")
    about = about(
        Text("How much better than always predicting the mean?", "比永远预测平均值好多少？"),
        Text("Regressions on targets of different units.", "不同量纲的目标之间比较回归效果。"),
        Text(
            "It depends on how much the truth varies: the same errors look better on wider data; below 0 a constant is better.",
            "取决于真值的波动：同样的误差，数据越分散看起来越好；小于 0 说明不如常数。",
        ),
        ("rmse", "explained_variance"),
        Text(
            "Σ e² = 1.5, Σ (y − 2.875)² = 29.1875: 1 − 1.5 / 29.1875 = 0.948608",
            "Σ e² = 1.5，Σ (y − 2.875)² = 29.1875：1 − 1.5 / 29.1875 = 0.948608",
        ),
        range="−∞ … 1",
        higher_is_better=True,
        undefined=CONSTANT,
        also=("拟合优度", "R方", "R²"),
    )


class ExplainedVariance(ExplainedShare):
    """Share of the variance of the truth that is not in the errors; a constant offset costs nothing.

    explained_variance = 1 − Var(ŷ − y) / Var(y)                                                      [kvalseth1985]
    """

    name = "explained_variance"
    aliases = ("explained_variance_score", "evs")
    title = Text("Explained variance", "可解释方差")
    needs = ("squared", "error", "true", "true_squared")
    about_mean = True
    about = about(
        Text("How much of the variation is followed, offset aside?", "撇开整体偏移，跟上了多少波动？"),
        Text(
            "Beside r2: a gap between the two is a constant offset, which is easily mended.",
            "与 r2 对照：两者之差来自整体偏移，容易修正。",
        ),
        Text("It ignores predictions that are too high or too low throughout.", "看不出预测整体偏高或偏低。"),
        ("r2", "pearson"),
        Text(
            "Var(e) = 0.3125, Var(y) = 7.296875: 1 − 0.3125 / 7.296875 = 0.957173",
            "Var(e) = 0.3125，Var(y) = 7.296875：1 − 0.3125 / 7.296875 = 0.957173",
        ),
        range="−∞ … 1",
        higher_is_better=True,
        undefined=CONSTANT,
        also=("解释方差", "可解释方差得分"),
    )


class Pearson(RegressionMetric):
    """Linear correlation of truth and prediction.

    r = Cov(y, ŷ) / √(Var(y) · Var(ŷ))                                                                 [pearson1895]
    """

    name = "pearson"
    aliases = ("pearsonr", "pcc")
    title = Text("Pearson correlation", "皮尔逊相关系数")
    needs = ("true", "predicted", "true_squared", "predicted_squared", "product")
    about = about(
        Text("Do the two lie on a line?", "预测与真值成一条直线吗？"),
        Text(
            "Scores that will be rescaled later; agreement of two raters.",
            "之后还会重新缩放的分数；两位评分者的一致性。",
        ),
        Text(
            "It ignores offset and scale: predictions that are ten times too large can reach 1. A single outlier can decide it.",
            "不管偏移与尺度：预测大了十倍也可以是 1。一个离群点就可能左右它。",
        ),
        ("spearman", "r2", "rmse"),
        Text(
            "Cov = 7.890625, Var(y) = 7.296875, Var(ŷ) = 8.796875: 7.890625 / √(7.296875 · 8.796875) = 0.98487",
            "Cov = 7.890625，Var(y) = 7.296875，Var(ŷ) = 8.796875：7.890625 / √(7.296875 · 8.796875) = 0.98487",
        ),
        range="−1 … 1",
        higher_is_better=True,
        undefined=_ONE_SIDE,
        also=("相关系数", "线性相关", "皮尔森"),
    )

    def value(self, evidence: ErrorEvidence) -> float:
        """The root of r², which is at most 1 before it is rounded, with the sign of the covariance."""
        sums = evidence.sums
        together = sums["weight"] * sums["product"] - sums["true"] * sums["predicted"]
        both = spread(evidence, "true", "true_squared") * spread(evidence, "predicted", "predicted_squared")
        size = root(together**2, both)
        return -size if together < 0 else size

    def drawn_values(self, rows: NumberRows, often: Floats) -> Floats:
        return drawn_correlations(often, *(away_from_mean(side, None) for side in (rows.true, rows.predicted)))

    def row_terms(self, rows: NumberRows) -> RowTerms:
        """x y − r (x² + y²) / 2 of each row, in standard units."""
        weights = np.ones(len(rows)) if rows.weight is None else rows.weight
        sides = (away_from_mean(side, rows.weight) for side in (rows.true, rows.predicted))
        x, y = (side / sqrt(exact_dot(side * weights, side) / exact_sum(weights)) for side in sides)
        value = float(exact_dot(x * weights, y) / exact_sum(weights))
        return RowTerms(x * y - value * (np.square(x) + np.square(y)) / 2, value=value)

    def define(self, rows: NumberList) -> float:
        true, predicted, weights = columns(rows)
        if len(set(true)) == 1 or len(set(predicted)) == 1:
            return NAN
        x, y = deviations(true, weights), deviations(predicted, weights)
        return summed(weights, x, y) / sqrt(summed(weights, x, x)) / sqrt(summed(weights, y, y))


class Concordance(RegressionMetric):
    """Agreement of prediction and truth: correlation, less what offset and scale take away.

    ccc = 2 Cov(y, ŷ) / (Var(y) + Var(ŷ) + (ȳ − mean ŷ)²)                                                  [lin1989]
    """

    name = "ccc"
    aliases = ("concordance_correlation",)
    title = Text("Concordance correlation coefficient (CCC)", "一致性相关系数（CCC）")
    needs = ("true", "predicted", "true_squared", "predicted_squared", "product")
    about = about(
        Text("Do the two lie on the line of equality?", "预测与真值落在相等线上吗？"),
        Text(
            "Agreement of two measurements; beside pearson, which forgives offset and scale.",
            "两种测量的一致性；与不计偏移和尺度的 pearson 对照。",
        ),
        Text(
            "It depends on how much the numbers vary: the same errors look better on wider data.",
            "取决于数值的波动：同样的误差，数据越分散看起来越好。",
        ),
        ("pearson", "r2"),
        Text(
            "Cov = 7.890625, Var(y) = 7.296875, Var(ŷ) = 8.796875, means 0.25 apart: 15.78125 / 16.15625 = 0.976789",
            "Cov = 7.890625，Var(y) = 7.296875，Var(ŷ) = 8.796875，平均相差 0.25：15.78125 / 16.15625 = 0.976789",
        ),
        range="−1 … 1",
        higher_is_better=True,
        undefined=Text("truth and prediction are one and the same constant", "真值与预测是同一个常数"),
        also=("一致性相关", "Lin"),
    )

    def value(self, evidence: ErrorEvidence) -> float:
        sums = evidence.sums
        together = 2 * (sums["weight"] * sums["product"] - sums["true"] * sums["predicted"])
        spreads = spread(evidence, "true", "true_squared") + spread(evidence, "predicted", "predicted_squared")
        return self.quotient(together, spreads + (sums["true"] - sums["predicted"]) ** 2)

    def row_terms(self, rows: NumberRows) -> RowTerms:
        """2 x y − ccc · (x² + y² + 2 d (x − y)) of each row, over the bottom; x and y from their means, d between these."""
        weights = np.ones(len(rows)) if rows.weight is None else rows.weight
        total = exact_sum(weights)
        x, y = (away_from_mean(side, rows.weight) for side in (rows.true, rows.predicted))
        apart = float((exact_dot(rows.true, weights) - exact_dot(rows.predicted, weights)) / total)
        both, of_x, of_y = (float(exact_dot(a * weights, b) / total) for a, b in ((x, y), (x, x), (y, y)))
        bottom = of_x + of_y + apart**2
        value = 2 * both / bottom if bottom else NAN
        moved = 2 * x * y - value * (np.square(x) + np.square(y) + 2 * apart * (x - y))
        return RowTerms(moved / bottom if bottom else moved, value=value)

    def drawn_values(self, rows: NumberRows, often: Floats) -> Floats:
        """Of each draw, about the means that are its own."""
        total, (x, y) = often.sum(axis=1), (away_from_mean(side, None) for side in (rows.true, rows.predicted))
        means = [(often * side).sum(axis=1) / total for side in (x, y)]
        both, of_x, of_y = ((often * a * b).sum(axis=1) / total for a, b in ((x, y), (x, x), (y, y)))
        gap = float(exact_sum(rows.true) - exact_sum(rows.predicted)) / len(rows) + means[0] - means[1]
        top = 2 * (both - means[0] * means[1])
        bottom = of_x - means[0] ** 2 + of_y - means[1] ** 2 + gap**2
        values: Floats = np.divide(top, bottom, out=np.full(len(often), np.nan), where=bottom > 0)
        return values

    def define(self, rows: NumberList) -> float:
        true, predicted, weights = columns(rows)
        x, y = deviations(true, weights), deviations(predicted, weights)
        apart = (summed(weights, true, [1.0] * len(true)) - summed(weights, predicted, [1.0] * len(true))) / sum(
            weights
        )
        bottom = (summed(weights, x, x) + summed(weights, y, y)) / sum(weights) + apart**2
        same = len({*true, *predicted}) == 1
        return NAN if same else 2 * summed(weights, x, y) / sum(weights) / bottom


class Spearman(RegressionMetric):
    """Correlation of the ranks of truth and prediction; equal numbers share the mean of their ranks.

    ρ = pearson(rank y, rank ŷ); equal numbers share the mean of their ranks                          [spearman1904]
    """

    name = "spearman"
    aliases = ("spearmanr", "rank_correlation")
    title = Text("Spearman rank correlation", "斯皮尔曼等级相关系数")
    formula_zh = "ρ = pearson(y 的名次，ŷ 的名次)；相等的数都取其名次的平均"
    needs_rows = True
    of_ranks = True
    about = about(
        Text("Do larger predictions mean larger numbers?", "预测得大的，真值也大吗？"),
        Text(
            "Where only the order will be used; it needs the rows, where most others need sums only.",
            "只用到次序的场景；需要逐行数据，其他指标多数只需各项之和。",
        ),
        Text("It ignores how far apart the numbers are.", "不管数值相差多远。"),
        ("pearson", "mae"),
        Text(
            "y 1, 2, 3, 4, 5 and ŷ 2, 1, 4, 3, 5: ranks differ by 1, 1, 1, 1, 0: 1 − 6 · 4 / (5 · 24) = 0.8",
            "y 为 1、2、3、4、5，ŷ 为 2、1、4、3、5，名次相差 1、1、1、1、0：1 − 6 · 4 / (5 · 24) = 0.8",
        ),
        example=("", (1.0, 2.0, 3.0, 4.0, 5.0), (2.0, 1.0, 4.0, 3.0, 5.0)),
        range="−1 … 1",
        higher_is_better=True,
        undefined=_ONE_SIDE,
        also=("等级相关", "秩相关", "斯皮尔曼"),
    )

    def value(self, evidence: ErrorEvidence) -> float:
        if evidence.far is not None:
            return Pearson().value(replace(evidence, sums=evidence.far.rank_sums()))
        rows = evidence.rows_for(self.name)
        if not len(rows):
            return NAN
        ranks = rank_rows(rows, evidence.threads)
        return Pearson().value(error_evidence(ranks, Pearson.needs, threads=evidence.threads))

    def drawn_values(self, rows: NumberRows, often: Floats) -> Floats:
        """Ranks of each draw: what was drawn below, and half of what is equal."""
        return drawn_correlations(often, *(_drawn_ranks(side, often) for side in (rows.true, rows.predicted)))

    def row_terms(self, rows: NumberRows) -> RowTerms:
        """x y − ρ (x² + y²) / 2 of each row, in standard units of ranks, and what it does to the ranks of those above it."""
        ranks = rank_rows(rows)
        weights = np.ones(len(rows)) if rows.weight is None else rows.weight
        total = float(exact_sum(weights))
        sides = [
            (values, away_from_mean(side, rows.weight))
            for values, side in ((rows.true, ranks.true), (rows.predicted, ranks.predicted))
        ]
        x, y = (side / sqrt(exact_dot(side * weights, side) / Fraction(total)) for _, side in sides)
        value = float(exact_dot(x * weights, y) / Fraction(total))
        moved = x * y - value * (np.square(x) + np.square(y)) / 2
        for (values, side), column, other in zip(sides, (x, y), (y, x), strict=True):
            # Ranks are twice the weight below, in units of 2^-power: a row of weight 1 raises those above it by 2.
            unit = ldexp(2.0, rank_power(rows)) / sqrt(exact_dot(side * weights, side) / Fraction(total))
            moved += unit * _sum_above(values, weights * (other - value * column))
        return RowTerms(moved, value=value)

    def define(self, rows: NumberList) -> float:
        """The weight below a number and half of its equals: its mean rank, less 1/2."""
        true, predicted, weights = columns(rows)

        def ranks(values: list[float]) -> tuple[float, ...]:
            pairs = list(zip(values, weights, strict=True))
            return tuple(sum(w if v < value else w / 2 for v, w in pairs if v <= value) for value in values)

        return Pearson().define(NumberList(ranks(true), ranks(predicted), tuple(weights)))


def drawn_correlations(often: Floats, x: Floats, y: Floats) -> Floats:
    """The correlation of two columns, or of two for each draw, whose rows were drawn so often."""
    total = often.sum(axis=1, keepdims=True)
    x, y = (side - (often * side).sum(axis=1, keepdims=True) / total for side in (x, y))
    products = ((often * a * b).sum(axis=1) for a, b in ((x, y), (x, x), (y, y)))
    together, of_x, of_y = products
    with np.errstate(invalid="ignore", divide="ignore"):
        values: Floats = together / np.sqrt(of_x) / np.sqrt(of_y)
    return values


def _drawn_ranks(values: Floats, often: Floats) -> Floats:
    _, place = np.unique(values, return_inverse=True)
    place = place.reshape(-1)
    order = np.argsort(place, kind="stable")
    first = np.flatnonzero(np.diff(place[order], prepend=-1))
    equal = np.add.reduceat(often[:, order], first, axis=1)
    ranks: Floats = (np.cumsum(equal, axis=1) - equal / 2)[:, place]
    return ranks


def _sum_above(values: Floats, added: Floats) -> Floats:
    """Σ of what rows with a larger value add, and half of what those with the same value do."""
    order = np.lexsort((added, values))
    first = np.flatnonzero(np.concatenate([[True], np.diff(values[order]) != 0]))
    equal = np.add.reduceat(added[order], first)
    above = np.cumsum(equal[::-1])[::-1] - equal / 2
    sums = np.empty(len(values))
    sums[order] = np.repeat(above, np.diff(first, append=len(values)))
    return sums
