"""What varies with what: variances and correlations, from exact sums."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from pingce.base.text import Text
from pingce.evidence.regression.evidence import ErrorEvidence, error_evidence
from pingce.explanations.columns import ROWS, Cells, row_numbers, table, weight_column
from pingce.explanations.derivation import Derivation, Grid, Line, Step
from pingce.explanations.excerpts import ends
from pingce.explanations.numbers import exact_sum_line, plain, real
from pingce.explanations.registry import explains
from pingce.explanations.regression.errors import contributions
from pingce.inputs.regression import NumberRows
from pingce.metrics.declared import NAN
from pingce.metrics.regression import explained

_AS_IT_IS = Fraction(1)
_EXACTLY = Text("from exact sums over all rows", "由全部行的精确和算出")


@explains(explained.RSquared)
def r_squared(metric: explained.RSquared, view: ErrorEvidence, rows: NumberRows) -> Derivation:
    """Squared errors against squared distances from the mean."""
    weight, squared = view.sums["weight"], view.sums["squared"]
    varies = explained.spread(view, "true", "true_squared")
    weighted = rows.weight is not None
    steps: list[Step] = [
        contributions(rows, "squared"),
        exact_sum_line("squared", "e²", squared, weighted),
        *_mean(view, "true", "ȳ", weighted=weighted),
        Line("varies", "Σ w · (y − ȳ)²" if weighted else "Σ (y − ȳ)²", _EXACTLY, (), real(varies / weight)),
    ]
    value = metric.quotient(varies - weight * squared, varies)
    return Derivation(steps, "1 − {} / {}", (real(squared), real(varies / weight)), value)


def _mean(view: ErrorEvidence, name: str, symbol: str | Text, *, weighted: bool) -> list[Step]:
    """A sum and its mean."""
    total, weight = view.sums[name], view.sums["weight"]
    letter = {"true": "y", "predicted": "ŷ", "error": "e"}[name]
    return [
        exact_sum_line(f"sum_{name}", letter, total, weighted),
        Line(f"mean_{name}", symbol, "{} / {}", (real(total), plain(weight)), real(total / weight)),
    ]


@explains(explained.ExplainedVariance)
def explained_variance(metric: explained.ExplainedVariance, view: ErrorEvidence, rows: NumberRows) -> Derivation:
    """The variance of the errors against that of the truth."""
    square = view.sums["weight"] ** 2
    varies, errs = explained.spread(view, "true", "true_squared"), explained.spread(view, "error", "squared")
    weighted = rows.weight is not None
    steps: list[Step] = [
        contributions(rows, "squared"),
        *_mean(view, "error", Text("mean e", "e 的平均"), weighted=weighted),
        Line("error_variance", "Var(e)", _EXACTLY, (), real(errs / square)),
        *_mean(view, "true", "ȳ", weighted=weighted),
        Line("true_variance", "Var(y)", _EXACTLY, (), real(varies / square)),
    ]
    value = metric.quotient(varies - errs, varies)
    return Derivation(steps, "1 − {} / {}", (real(errs / square), real(varies / square)), value)


@explains(explained.Pearson)
def pearson(metric: explained.Pearson, view: ErrorEvidence, rows: NumberRows) -> Derivation:
    """Deviations from the two means, their covariance and variances."""
    weighted = rows.weight is not None
    means = [real(view.sums[name] / view.sums["weight"]) for name in ("true", "predicted")]
    steps: list[Step] = [
        *_mean(view, "true", "ȳ", weighted=weighted),
        *_mean(view, "predicted", Text("mean ŷ", "ŷ 的平均"), weighted=weighted),
        _deviations(rows, means),
    ]
    return _correlation(view, steps, ("y", "ŷ"), metric.value(view))


def _deviations(rows: NumberRows, means: list[float]) -> Grid:
    excerpt = ends(len(rows), np.ones(len(rows), bool) if rows.weight is None else rows.weight > 0)
    with np.errstate(over="ignore", invalid="ignore"):
        true, predicted = (
            column[excerpt.places] - mean for column, mean in zip((rows.true, rows.predicted), means, strict=True)
        )
        product = true * predicted
    columns: list[Cells] = [
        row_numbers(excerpt),
        ("true", Text("y", "y"), excerpt.exactly(rows.true)),
        ("predicted", Text("ŷ", "ŷ"), excerpt.exactly(rows.predicted)),
        ("true_deviation", Text("y − ȳ", "y − ȳ"), true.tolist()),
        ("predicted_deviation", Text("ŷ − mean ŷ", "ŷ − ŷ 的平均"), predicted.tolist()),
        ("product", Text("product", "乘积"), product.tolist()),
    ]
    columns += weight_column(excerpt, rows.weight)
    title = Text("Deviations from the means", "与平均值之差")
    return table("deviations", title, columns, excerpt.counts, excerpt.note(ROWS))


def _correlation(
    view: ErrorEvidence, steps: list[Step], names: tuple[str, str], value: float, scale: Fraction = _AS_IT_IS
) -> Derivation:
    """Covariance and variances; `scale` undoes that ranks are counted in halves."""
    sums, square = view.sums, view.sums["weight"] ** 2 * scale
    together = sums["weight"] * sums["product"] - sums["true"] * sums["predicted"]
    spreads = explained.spread(view, "true", "true_squared"), explained.spread(view, "predicted", "predicted_squared")
    figures = [real(Fraction(part) / square) for part in (together, *spreads)]
    a, b = names
    titles = (f"Cov({a}, {b})", f"Var({a})", f"Var({b})")
    keys = ("covariance", "true_variance", "predicted_variance")
    steps = [
        *steps,
        *(Line(key, name, _EXACTLY, (), part) for key, name, part in zip(keys, titles, figures, strict=True)),
    ]
    return Derivation(steps, "{} / √({} · {})", tuple(figures), value)


@explains(explained.Spearman)
def spearman(metric: explained.Spearman, view: ErrorEvidence, rows: NumberRows) -> Derivation:
    """The ranks, and their correlation."""
    counted = view.rows_for(metric.name)
    if not len(counted):
        return Derivation([], "", (), NAN)
    twice = explained.rank_rows(counted)
    excerpt = ends(len(counted), np.ones(len(counted), bool))
    unit = Fraction(2) ** explained.rank_power(counted)
    columns: list[Cells] = [
        row_numbers(excerpt),
        ("true", Text("y", "y"), excerpt.exactly(counted.true)),
        ("predicted", Text("ŷ", "ŷ"), excerpt.exactly(counted.predicted)),
        ("true_rank", Text("rank of y", "y 的名次"), _ranks(twice.true[excerpt.places].tolist(), unit)),
        (
            "predicted_rank",
            Text("rank of ŷ", "ŷ 的名次"),
            _ranks(twice.predicted[excerpt.places].tolist(), unit),
        ),
    ]
    columns += weight_column(excerpt, counted.weight)
    title = Text(
        "Ranks from the smallest; equal numbers share the mean of theirs", "名次从小到大；相等的数取其名次的平均"
    )
    sums = error_evidence(twice, explained.Pearson.needs)
    steps: list[Step] = [table("ranks", title, columns, excerpt.counts, excerpt.note(ROWS))]
    names = ("rank y", "rank ŷ")
    return _correlation(sums, steps, names, explained.Pearson().value(sums), unit * unit * 4)


def _ranks(twice: list[float], unit: Fraction) -> list[float]:
    """From twice the rank less 1."""
    return [plain((Fraction(rank) / unit + 1) / 2) for rank in twice]
