"""Sums against sums, and the root of squares beside what is usual in the truth."""

from __future__ import annotations

from fractions import Fraction

from pingce.base.exact import root
from pingce.base.text import Text
from pingce.evidence.regression.evidence import ErrorEvidence
from pingce.explanations.derivation import Derivation, Line, Step
from pingce.explanations.frame import explains
from pingce.explanations.regression.errors import contributions, row_mean
from pingce.explanations.tables import count_line, exact_sum_line, plain, real
from pingce.metrics.regression import totals

_DIVISORS = {
    "mean": Text("|ȳ|", "|ȳ|"),
    "range": Text("highest y less lowest", "y 的最大值减最小值"),
    "std": Text("standard deviation of y", "y 的标准差"),
    "norm": Text("√(Σ y²)", "√(Σ y²)"),
}


@explains(totals.MeanError, totals.LogCosh)
def mean_of_rows(metric: totals.MeanError | totals.LogCosh, view: ErrorEvidence) -> Derivation | None:
    """The mean of what each row adds."""
    return row_mean(metric, view)


@explains(totals.TotalRatio)
def ratio_of_totals(metric: totals.TotalRatio, view: ErrorEvidence) -> Derivation:
    """Two sums."""
    top, bottom, weighted = view.sums["predicted"], view.sums["true"], view.weighted
    steps: list[Step] = [
        contributions(view.data.counted(), "error"),
        exact_sum_line("predicted", "ŷ", top, weighted),
        exact_sum_line("truth", "y", bottom, weighted),
    ]
    return Derivation(steps, "{} / {}", (real(top), real(bottom)), metric.quotient(top, bottom))


@explains(totals.NormalizedRootMeanSquaredError)
def normalized_root(metric: totals.NormalizedRootMeanSquaredError, view: ErrorEvidence) -> Derivation:
    """The root of the mean of squares, and what it is divided by."""
    squared, weight, weighted = view.sums["squared"], view.sums["weight"], view.weighted
    error, divisor = root(squared, weight), root(metric.square(view), Fraction(1))
    exactly = Text("from exact sums over all rows", "由全部行的精确和算出")
    steps: list[Step] = [
        contributions(view.data.counted(), "squared"),
        exact_sum_line("sum", "e²", squared, weighted),
        count_line(weight, weighted),
        Line("rmse", "rmse", "√({} / {})", (real(squared), plain(weight)), error),
        Line("divisor", _DIVISORS[metric.by], exactly, (), divisor),
    ]
    return Derivation(steps, "{} / {}", (error, divisor), metric.value(view))
