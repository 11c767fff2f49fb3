"""What varies with what: variances and correlations, from exact sums."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from pingce.base.text import Text
from pingce.evidence.regression.evidence import ErrorEvidence, error_evidence
from pingce.evidence.regression.ranks import rank_power, rank_rows
from pingce.explanations.derivation import Derivation, Grid, Line, Step
from pingce.explanations.frame import explains
from pingce.explanations.regression.errors import contributions
from pingce.explanations.tables import Cells, Excerpt, ends, exact_sum_line, numbers_in, plain, real
from pingce.inputs.regression import NumberRows
from pingce.metrics.regression import explained

_AS_IT_IS = Fraction(1)
_EXACTLY = Text("from exact sums over all rows", "由全部行的精确和算出")


def _mean(view: ErrorEvidence, name: str, symbol: str | Text) -> list[Step]:
    """A sum and its mean."""
    total, weight = view.sums[name], view.sums["weight"]
    letter = {"true": "y", "predicted": "ŷ", "error": "e"}[name]
    return [
        exact_sum_line(f"sum_{name}", letter, total, view.data.weight is not None),
        Line(f"mean_{name}", symbol, "{} / {}", (real(total), plain(weight)), real(total / weight)),
    ]


@explains(explained.RSquared)
def r_squared(metric: explained.RSquared, view: ErrorEvidence) -> Derivation:
    """Squared errors against squared distances from the mean."""
    weight, squared, weighted = view.sums["weight"], view.sums["squared"], view.data.weight is not None
    varies = explained.spread(view, "true", "true_squared")
    name, distance = "Σ w · (y − ȳ)²" if weighted else "Σ (y − ȳ)²", real(varies / weight)
    steps: list[Step] = [
        contributions(view.data.counted(), "squared"),
        exact_sum_line("squared", "e²", squared, weighted),
        *_mean(view, "true", "ȳ"),
        Line("varies", name, _EXACTLY, (), distance),
    ]
    value = metric.quotient(varies - weight * squared, varies)
    return Derivation(steps, "1 − {} / {}", (real(squared), distance), value)


@explains(explained.ExplainedVariance)
def explained_variance(metric: explained.ExplainedVariance, view: ErrorEvidence) -> Derivation:
    """The variance of the errors against that of the truth."""
    varies, errs = explained.spread(view, "true", "true_squared"), explained.spread(view, "error", "squared")
    variances = tuple(real(part / view.sums["weight"] ** 2) for part in (errs, varies))
    steps: list[Step] = [
        contributions(view.data.counted(), "squared"),
        *_mean(view, "error", Text("mean e", "e 的平均")),
        Line("error_variance", "Var(e)", _EXACTLY, (), variances[0]),
        *_mean(view, "true", "ȳ"),
        Line("true_variance", "Var(y)", _EXACTLY, (), variances[1]),
    ]
    return Derivation(steps, "1 − {} / {}", variances, metric.quotient(varies - errs, varies))


def _side_columns(rows: NumberRows, excerpt: Excerpt) -> list[Cells]:
    return [excerpt.row, ("true", "y", rows.true), ("predicted", "ŷ", rows.predicted)]


@explains(explained.Pearson)
def pearson(metric: explained.Pearson, view: ErrorEvidence) -> Derivation:
    """Deviations from the two means, their covariance and variances."""
    steps = [
        *_mean(view, "true", "ȳ"),
        *_mean(view, "predicted", Text("mean ŷ", "ŷ 的平均")),
        _deviations(view, view.data.counted()),
    ]
    return _correlation(view, steps, ("y", "ŷ"), metric.value(view))


def _deviations(view: ErrorEvidence, rows: NumberRows) -> Grid:
    excerpt = ends(np.ones(len(rows), bool) if rows.weight is None else rows.weight > 0)
    with np.errstate(over="ignore", invalid="ignore"):
        true, predicted = (
            column[excerpt.places] - real(view.sums[name] / view.sums["weight"])
            for column, name in ((rows.true, "true"), (rows.predicted, "predicted"))
        )
        product = true * predicted
    columns: list[Cells] = [
        *_side_columns(rows, excerpt),
        ("true_deviation", "y − ȳ", true.tolist()),
        ("predicted_deviation", Text("ŷ − mean ŷ", "ŷ − ŷ 的平均"), predicted.tolist()),
        ("product", Text("product", "乘积"), product.tolist()),
        *excerpt.weight(rows.weight),
    ]
    return excerpt.table("deviations", Text("Deviations from the means", "与平均值之差"), columns)


def _correlation(
    view: ErrorEvidence, steps: list[Step], names: tuple[str, str], value: float, scale: Fraction = _AS_IT_IS
) -> Derivation:
    """Covariance and variances; `scale` undoes that ranks are counted in halves."""
    sums, square = view.sums, view.sums["weight"] ** 2 * scale
    together = sums["weight"] * sums["product"] - sums["true"] * sums["predicted"]
    spreads = explained.spread(view, "true", "true_squared"), explained.spread(view, "predicted", "predicted_squared")
    figures = tuple(real(Fraction(part) / square) for part in (together, *spreads))
    titles = (f"Cov({', '.join(names)})", *(f"Var({name})" for name in names))
    keys = ("covariance", "true_variance", "predicted_variance")
    lines = [Line(key, title, _EXACTLY, (), part) for key, title, part in zip(keys, titles, figures, strict=True)]
    return Derivation([*steps, *lines], "{} / √({} · {})", figures, value)


@explains(explained.Concordance)
def concordance(metric: explained.Concordance, view: ErrorEvidence) -> Derivation:
    """The covariance against both variances and the square between the means."""
    sums, square = view.sums, view.sums["weight"] ** 2
    together = sums["weight"] * sums["product"] - sums["true"] * sums["predicted"]
    spreads = explained.spread(view, "true", "true_squared"), explained.spread(view, "predicted", "predicted_squared")
    apart = (sums["true"] - sums["predicted"]) ** 2
    figures = tuple(real(Fraction(part) / square) for part in (together, *spreads, apart))
    names: tuple[str | Text, ...] = "Cov(y, ŷ)", "Var(y)", "Var(ŷ)", Text("(ȳ − mean ŷ)²", "(ȳ − ŷ 的平均)²")
    keys = ("covariance", "true_variance", "predicted_variance", "apart")
    steps: list[Step] = [
        *_mean(view, "true", "ȳ"),
        *_mean(view, "predicted", Text("mean ŷ", "ŷ 的平均")),
        _deviations(view, view.data.counted()),
        *(Line(key, name, _EXACTLY, (), part) for key, name, part in zip(keys, names, figures, strict=True)),
    ]
    return Derivation(steps, "2 · {} / ({} + {} + {})", figures, metric.value(view))


@explains(explained.Spearman)
def spearman(metric: explained.Spearman, view: ErrorEvidence) -> Derivation:
    """The ranks, and their correlation."""
    counted = view.rows_for(metric.name)
    if not len(counted):
        return Derivation([])
    twice = rank_rows(counted)
    excerpt = ends(np.ones(len(counted), bool))
    unit = Fraction(2) ** rank_power(counted)
    true, predicted = (
        numbers_in((Fraction(rank) / unit + 1) / 2 for rank in column[excerpt.places].tolist())
        for column in (twice.true, twice.predicted)
    )
    columns: list[Cells] = [
        *_side_columns(counted, excerpt),
        ("true_rank", Text("rank of y", "y 的名次"), true),
        ("predicted_rank", Text("rank of ŷ", "ŷ 的名次"), predicted),
        *excerpt.weight(counted.weight),
    ]
    title = Text(
        "Ranks from the smallest; equal numbers share the mean of theirs", "名次从小到大；相等的数取其名次的平均"
    )
    sums = error_evidence(twice, explained.Pearson.needs)
    value = explained.Pearson().value(sums)
    return _correlation(sums, [excerpt.table("ranks", title, columns)], ("rank y", "rank ŷ"), value, unit * unit * 4)
