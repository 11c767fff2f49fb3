"""Errors of numbers: each row's, largest first, the exact sum, the division."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from pingce.base.exact import Floats, root
from pingce.base.text import Text
from pingce.evidence.regression.evidence import ErrorEvidence
from pingce.explanations.columns import ROWS, Cells, row_numbers, table, weight_column, weighted_terms
from pingce.explanations.derivation import Derivation, Grid, Line, Step
from pingce.explanations.excerpts import MOST_WRITTEN, Excerpt, around, ends, largest
from pingce.explanations.numbers import count_line, exact_sum_line, plain, real, whole
from pingce.explanations.registry import explains
from pingce.inputs.regression import NumberRows
from pingce.metrics.declared import NAN
from pingce.metrics.regression import errors

_LARGEST_FIRST = Text("The errors, largest first", "各行误差，从大到小")


def error_of(rows: NumberRows) -> Floats:
    """e = ŷ − y."""
    errors: Floats = rows.predicted - rows.true
    return errors


def _symmetric(rows: NumberRows, error: Floats) -> Floats:
    size = np.abs(rows.true) / 2 + np.abs(rows.predicted) / 2
    errors: Floats = np.divide(np.abs(error), size, out=np.zeros(len(error)), where=size != 0)
    return errors


def _relative(rows: NumberRows, error: Floats) -> Floats:
    size, none = np.abs(rows.true), np.full(len(error), np.nan)
    errors: Floats = np.divide(np.abs(error), size, out=none, where=size != 0)
    return errors


_TERMS: dict[str, tuple[str, Any]] = {
    "absolute": ("|e|", lambda rows, error: np.abs(error)),
    "squared": ("e²", lambda rows, error: error * error),
    "relative": ("|e| / |y|", _relative),
    "symmetric": ("|e| / ((|y| + |ŷ|) / 2)", _symmetric),
    "log_squared": (
        "(ln(1 + ŷ) − ln(1 + y))²",
        lambda rows, error: (np.log1p(rows.predicted) - np.log1p(rows.true)) ** 2,
    ),
}
"By the name of the sum: what a row adds to it."


def terms_of(rows: NumberRows, name: str) -> tuple[str, Floats]:
    """What each row adds to a sum, and how it is written; for showing only, the sums are exact."""
    title, formula = _TERMS[name]
    with np.errstate(over="ignore"):
        return title, formula(rows, error_of(rows))


def row_columns(rows: NumberRows, excerpt: Excerpt) -> list[Cells]:
    """Which row, truth, prediction, error."""
    return [
        row_numbers(excerpt),
        ("true", Text("y", "y"), excerpt.exactly(rows.true)),
        ("predicted", Text("ŷ", "ŷ"), excerpt.exactly(rows.predicted)),
        ("error", Text("e = ŷ − y", "e = ŷ − y"), excerpt.exactly(error_of(rows))),
    ]


def row_grid(rows: NumberRows) -> Grid:
    """Each row with its error: all that is known of a metric that a caller declared."""
    excerpt = replace(ends(len(rows), np.ones(len(rows), bool)), summed=False)
    columns = [*row_columns(rows, excerpt), *weight_column(excerpt, rows.weight)]
    return table("rows", Text("The rows", "各行"), columns, note=excerpt.note(ROWS))


def contributions(rows: NumberRows, name: str) -> Grid:
    """The errors and what they add, largest first."""
    title, terms = terms_of(rows, name)
    with np.errstate(over="ignore"):
        sized = np.nan_to_num(terms if rows.weight is None else terms * rows.weight, nan=np.inf, posinf=np.inf)
    excerpt = largest(sized)
    if name == "log_squared":
        _like_the_evidence(rows, terms, excerpt)
    cells = [None if np.isnan(term) else term for term in terms[excerpt.places].tolist()]
    columns: list[Cells] = [
        *row_columns(rows, excerpt),
        ("term", whole(title), cells),
        *weighted_terms(excerpt, terms, rows.weight, title),
    ]
    return table("contributions", _LARGEST_FIRST, columns, excerpt.counts, excerpt.note(ROWS))


def _like_the_evidence(rows: NumberRows, terms: Floats, excerpt: Excerpt) -> None:
    """Logarithms of the rows that are shown, by the C library."""
    from math import log1p

    for place in excerpt.places.tolist():
        terms[place] = (log1p(rows.predicted[place]) - log1p(rows.true[place])) ** 2


def _sum_and_count(rows: NumberRows, view: ErrorEvidence, name: str) -> list[Step]:
    title = _TERMS[name][0]
    return [
        contributions(rows, name),
        exact_sum_line("sum", title, view.sums[name], rows.weight is not None),
        count_line(view.sums["weight"], rows.weight is not None),
    ]


@explains(errors.RowMean)
def row_mean(metric: errors.RowMean, view: ErrorEvidence, rows: NumberRows) -> Derivation | None:
    """The mean of what each row adds."""
    name = metric.needs[0] if metric.needs else ""
    if name not in _TERMS:
        return None
    if name == "relative" and view.sums["zeros"]:
        return Derivation([contributions(rows, name)], "", (), NAN)
    top, bottom = view.sums[name], view.sums["weight"]
    steps = _sum_and_count(rows, view, name)
    return Derivation(steps, "{} / {}", (real(top), plain(bottom)), metric.quotient(top, bottom))


@explains(errors.RootMeanSquaredError, errors.RootMeanSquaredLogError)
def root_of_mean(
    metric: errors.RootMeanSquaredError | errors.RootMeanSquaredLogError, view: ErrorEvidence, rows: NumberRows
) -> Derivation:
    """The root of the mean."""
    name = metric.needs[0]
    top, bottom = view.sums[name], view.sums["weight"]
    steps = _sum_and_count(rows, view, name)
    mean = real(top / bottom)
    words = Text("mean", "平均")
    steps.append(Line("mean", words, "{} / {}", (real(top), plain(bottom)), mean))
    return Derivation(steps, "√({})", (mean,), root(top, bottom))


@explains(errors.WeightedMeanAbsolutePercentageError)
def weighted_share(
    metric: errors.WeightedMeanAbsolutePercentageError, view: ErrorEvidence, rows: NumberRows
) -> Derivation:
    """Two sums."""
    top, bottom = view.sums["absolute"], view.sums["true_absolute"]
    weighted = rows.weight is not None
    steps: list[Step] = [
        contributions(rows, "absolute"),
        exact_sum_line("errors", "|e|", top, weighted),
        exact_sum_line("truth", "|y|", bottom, weighted),
    ]
    return Derivation(steps, "{} / {}", (real(top), real(bottom)), metric.quotient(top, bottom))


@explains(errors.MaxError)
def largest_error(metric: errors.MaxError, view: ErrorEvidence, rows: NumberRows) -> Derivation:
    """The row that is worst."""
    size = np.abs(error_of(rows))
    excerpt = largest(size)
    first = excerpt.places[:1].tolist()
    columns = row_columns(rows, excerpt)
    columns.append(("size", Text("|e|", "|e|"), excerpt.exactly(size)))
    columns += weight_column(excerpt, rows.weight)
    note = Excerpt(excerpt.places, excerpt.counts, excerpt.size, summed=False).note(ROWS)
    grid = table("errors", _LARGEST_FIRST, columns, [place in first for place in excerpt.places.tolist()], note)
    at = int(first[0])
    numbers = (plain(rows.predicted[at]), plain(rows.true[at]))
    words = Text(f"The largest error is that of row {at}.", f"误差最大的是第 {at} 行（从 0 起）。")
    return Derivation([grid, words], "|{} − {}|", numbers, float(size[at]))


@explains(errors.MedianAbsoluteError)
def median_error(metric: errors.MedianAbsoluteError, view: ErrorEvidence, rows: NumberRows) -> Derivation:
    """Errors from the smallest; the middle one, or the mean of the two middle ones."""
    size = np.abs(error_of(rows))
    order = np.argsort(size, kind="stable")
    weight = None if rows.weight is None else rows.weight[order]
    low, high = ((len(order) - 1) // 2, len(order) // 2) if weight is None else errors.middle(weight)
    near = around(len(order), low)
    excerpt = Excerpt(order[near.places], [int(at) in (low, high) for at in near.places], len(order), summed=False)
    columns: list[Cells] = [
        ("number", Text("#", "#"), [int(at) + 1 for at in near.places]),
        *row_columns(rows, excerpt),
        ("size", Text("|e|", "|e|"), excerpt.exactly(size)),
    ]
    if weight is not None:
        columns += weight_column(excerpt, rows.weight)
        if len(order) <= MOST_WRITTEN:
            columns.append(("reached", Text("Σ w so far", "累计 Σ w"), _running(weight)))
    grid = table(
        "errors", Text("The errors, smallest first", "各行误差，从小到大"), columns, excerpt.counts, excerpt.note(ROWS)
    )
    a, b = float(size[order[low]]), float(size[order[high]])
    value = float((Fraction(a) + Fraction(b)) / 2)
    if low == high:
        words = Text(f"The middle one is #{low + 1}.", f"居中的是第 {low + 1} 个。")
        return Derivation([grid, words], "{}", (a,), value)
    words = Text(
        f"The two in the middle are #{low + 1} and #{high + 1}.",
        f"居中的两个是第 {low + 1} 与第 {high + 1} 个。",
    )
    return Derivation([grid, words], "({} + {}) / 2", (a, b), value)


def _running(weights: Floats) -> list[Any]:
    """Sums from the first on, each rounded once."""
    total, sums = Fraction(0), []
    for weight in weights.tolist():
        total += Fraction(weight)
        sums.append(plain(total))
    return sums
