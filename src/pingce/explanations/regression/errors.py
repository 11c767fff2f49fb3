"""Errors of numbers: each row's, largest first, the exact sum, the division."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate
from math import log1p

import numpy as np

from pingce.base.exact import Floats, root
from pingce.base.text import Text
from pingce.evidence.regression.deviances import log_cosh
from pingce.evidence.regression.evidence import ErrorEvidence
from pingce.explanations.derivation import Derivation, Grid, Line, Step
from pingce.explanations.frame import explains
from pingce.explanations.tables import (
    MOST_WRITTEN,
    Cells,
    Excerpt,
    around,
    dashed,
    exact_sum_line,
    largest,
    mean_steps,
    numbers_in,
    plain,
    real,
    rows_in,
)
from pingce.inputs.regression import NumberRows
from pingce.metrics.regression import errors

_LARGEST_FIRST = Text("The errors, largest first", "各行误差，从大到小")


def _error_of(rows: NumberRows) -> Floats:
    errors: Floats = rows.predicted - rows.true
    return errors


def _over(error: Floats, size: Floats, otherwise: float) -> Floats:
    errors: Floats = np.divide(np.abs(error), size, out=np.full(len(error), otherwise), where=size != 0)
    return errors


_TERMS: dict[str, tuple[str, Callable[[NumberRows, Floats], Floats]]] = {
    "error": ("e", lambda rows, error: error),
    "log_cosh": ("ln cosh e", lambda rows, error: log_cosh(error)),
    "absolute": ("|e|", lambda rows, error: np.abs(error)),
    "squared": ("e²", lambda rows, error: error * error),
    "relative": ("|e| / |y|", lambda rows, error: _over(error, np.abs(rows.true), np.nan)),
    "relative_to_one": ("|e| / max(1, |y|)", lambda rows, error: np.abs(error) / np.maximum(np.abs(rows.true), 1.0)),
    "symmetric": (
        "|e| / ((|y| + |ŷ|) / 2)",
        lambda rows, error: _over(error, np.abs(rows.true) / 2 + np.abs(rows.predicted) / 2, 0.0),
    ),
    "log_squared": (
        "(ln(1 + ŷ) − ln(1 + y))²",
        lambda rows, error: (np.log1p(rows.predicted) - np.log1p(rows.true)) ** 2,
    ),
}
"By the name of the sum: what a row adds to it, for showing only, since the sums are exact."


def _row_columns(rows: NumberRows, excerpt: Excerpt) -> list[Cells]:
    """Which row, truth, prediction, error."""
    sides: list[Cells] = [("true", "y", rows.true), ("predicted", "ŷ", rows.predicted)]
    return [excerpt.row, *sides, ("error", "e = ŷ − y", _error_of(rows))]


def row_grid(view: ErrorEvidence) -> Grid:
    """Each row with its error: all that is known of a metric that a caller declared."""
    rows = view.data.counted()
    excerpt = rows_in(np.arange(len(rows)))
    columns = [*_row_columns(rows, excerpt), *excerpt.weight(rows.weight)]
    return excerpt.table("rows", Text("The rows", "各行"), columns)


def contributions(rows: NumberRows, name: str) -> Grid:
    """The errors and what they add, largest first."""
    title, formula = _TERMS[name]
    with np.errstate(over="ignore"):
        terms = formula(rows, _error_of(rows))
    return term_grid(rows, name, title, terms)


def term_grid(rows: NumberRows, name: str, title: str, terms: Floats) -> Grid:
    """The errors and what they add to a sum, largest first."""
    with np.errstate(over="ignore"):
        sized = np.nan_to_num(terms if rows.weight is None else terms * rows.weight, nan=np.inf, posinf=np.inf)
    excerpt = largest(np.abs(sized))
    if name == "log_squared":  # the rows that are shown as the evidence has them, by the C library
        for place in excerpt.places.tolist():
            terms[place] = (log1p(rows.predicted[place]) - log1p(rows.true[place])) ** 2
    term: Cells = ("term", title, dashed(terms[excerpt.places]))
    columns = [*_row_columns(rows, excerpt), term, *excerpt.weighted(terms, rows.weight, title)]
    return excerpt.table("contributions", _LARGEST_FIRST, columns)


def _sum_and_count(view: ErrorEvidence, name: str) -> list[Step]:
    rows, sums = view.data.counted(), view.sums
    grid, weighted = contributions(rows, name), rows.weight is not None
    return mean_steps(grid, _TERMS[name][0], sums[name], sums["weight"], weighted=weighted)


@explains(errors.RowMean)
def row_mean(metric: errors.RowMean, view: ErrorEvidence) -> Derivation | None:
    """The mean of what each row adds."""
    name = metric.needs[0] if metric.needs else ""
    if name not in _TERMS:
        return None
    if name == "relative" and view.sums["zeros"]:
        return Derivation([contributions(view.data.counted(), name)])
    top, bottom = view.sums[name], view.sums["weight"]
    value = metric.quotient(top, bottom)
    return Derivation(_sum_and_count(view, name), "{} / {}", (real(top), plain(bottom)), value)


@explains(errors.RootMeanSquaredError, errors.RootMeanSquaredLogError)
def root_of_mean(
    metric: errors.RootMeanSquaredError | errors.RootMeanSquaredLogError, view: ErrorEvidence
) -> Derivation:
    """The root of the mean."""
    top, bottom = view.sums[metric.needs[0]], view.sums["weight"]
    mean = real(top / bottom)
    line = Line("mean", Text("mean", "平均"), "{} / {}", (real(top), plain(bottom)), mean)
    return Derivation([*_sum_and_count(view, metric.needs[0]), line], "√({})", (mean,), root(top, bottom))


@explains(errors.WeightedMeanAbsolutePercentageError)
def weighted_share(metric: errors.WeightedMeanAbsolutePercentageError, view: ErrorEvidence) -> Derivation:
    """Two sums."""
    rows, top, bottom = view.data.counted(), view.sums["absolute"], view.sums["true_absolute"]
    weighted = rows.weight is not None
    steps: list[Step] = [
        contributions(rows, "absolute"),
        exact_sum_line("errors", "|e|", top, weighted),
        exact_sum_line("truth", "|y|", bottom, weighted),
    ]
    return Derivation(steps, "{} / {}", (real(top), real(bottom)), metric.quotient(top, bottom))


@explains(errors.MaxError)
def largest_error(metric: errors.MaxError, view: ErrorEvidence) -> Derivation:
    """The row that is worst."""
    rows = view.data.counted()
    size = np.abs(_error_of(rows))
    excerpt = largest(size)
    at = int(excerpt.places[0])
    excerpt = replace(excerpt, counts=(excerpt.places == at).tolist(), summed=False)
    columns = [*_row_columns(rows, excerpt), ("size", "|e|", size), *excerpt.weight(rows.weight)]
    grid = excerpt.table("errors", _LARGEST_FIRST, columns)
    words = Text(f"The largest error is that of row {at}.", f"误差最大的是第 {at} 行（从 0 起）。")
    return Derivation([grid, words], "|{} − {}|", (plain(rows.predicted[at]), plain(rows.true[at])), float(size[at]))


@explains(errors.MedianAbsoluteError)
def median_error(metric: errors.MedianAbsoluteError, view: ErrorEvidence) -> Derivation:
    """Errors from the smallest; the middle one, or the mean of the two middle ones."""
    rows = view.data.counted()
    size = np.abs(_error_of(rows))
    order = np.argsort(size, kind="stable")
    weight = None if rows.weight is None else rows.weight[order]
    low, high = ((len(order) - 1) // 2, len(order) // 2) if weight is None else errors.middle(weight)
    near = around(len(order), low).places
    excerpt = Excerpt(order[near], [int(at) in (low, high) for at in near], len(order), summed=False)
    columns = [("number", "#", (near + 1).tolist()), *_row_columns(rows, excerpt), ("size", "|e|", size)]
    columns += excerpt.weight(rows.weight)
    if weight is not None and len(order) <= MOST_WRITTEN:
        reached = accumulate(map(Fraction, weight.tolist()))
        columns.append(("reached", Text("Σ w so far", "累计 Σ w"), numbers_in(reached)))
    grid = excerpt.table("errors", Text("The errors, smallest first", "各行误差，从小到大"), columns)
    a, b = float(size[order[low]]), float(size[order[high]])
    value = float((Fraction(a) + Fraction(b)) / 2)
    if low == high:
        words = Text(f"The middle one is #{low + 1}.", f"居中的是第 {low + 1} 个。")
        return Derivation([grid, words], "{}", (a,), value)
    words = Text(
        f"The two in the middle are #{low + 1} and #{high + 1}.", f"居中的两个是第 {low + 1} 与第 {high + 1} 个。"
    )
    return Derivation([grid, words], "({} + {}) / 2", (a, b), value)
