"""Probabilities: what each row contributes, the exact sum, the division; and the bins of calibration."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats
from pingce.base.text import Text
from pingce.evidence.binary.evidence import BinaryView, quantile_places
from pingce.evidence.binary.probability import ProbabilityEvidence
from pingce.evidence.binary.reference import losses
from pingce.explanations.binary.base import label_column
from pingce.explanations.derivation import Derivation, Line, Step
from pingce.explanations.frame import explains
from pingce.explanations.tables import (
    MOST_WRITTEN,
    Cells,
    Excerpt,
    around,
    count_line,
    ends,
    exact_sum_line,
    largest,
    mean_steps,
    numbers_in,
    plain,
    quotient,
    real,
)
from pingce.metrics.binary import probabilities

if TYPE_CHECKING:
    from pingce.inputs.binary import BinaryRows

_LARGEST_FIRST = Text("What each row contributes, largest first", "各行的贡献，从大到小")
_LOSS = Text("loss", "损失")


def _row_columns(rows: BinaryRows, excerpt: Excerpt) -> list[Cells]:
    return [excerpt.row, label_column(rows, excerpt), ("probability", Text("probability p", "概率 p"), rows.scores)]


def loss_steps(  # noqa: PLR0917 - in the order in which they are read
    sums: ProbabilityEvidence,
    scores: NDArray[Any],
    positive: NDArray[Any],
    weight: Floats | None,
    title: Text,
    columns_of: Callable[[Excerpt, Floats], list[Cells]],
) -> list[Step]:
    """Log losses, largest first, their sum and number; before its loss a row shows columns, also of what was likely."""
    kept = np.clip(scores.astype(np.float64), sums.epsilon, 1 - sums.epsilon)
    likely = np.where(positive == 1, kept, np.where(kept == 1, sums.epsilon, 1 - kept))
    # Which rows are largest is found fast; what is shown of them is computed as the evidence has it.
    terms = -np.log(likely) if len(scores) > MOST_WRITTEN else losses(scores, positive, sums.epsilon)
    excerpt = largest(terms, weight)
    terms[excerpt.places] = losses(scores[excerpt.places], positive[excerpt.places], sums.epsilon)
    columns = [*columns_of(excerpt, likely), ("loss", title, terms), *excerpt.weighted(terms, weight, _LOSS)]
    clipped = Text(
        f"{sums.clipped} probabilities are nearer to 0 or 1 than ε = {sums.epsilon:.3g} and are kept within [ε, 1 − ε].",
        f"有 {sums.clipped} 个概率与 0 或 1 的距离小于 ε = {sums.epsilon:.3g}，限制在 [ε, 1 − ε] 内。",
    )
    grid = excerpt.table("contributions", _LARGEST_FIRST, columns)
    steps = mean_steps(grid, _LOSS, sums.loss, sums.rows, weighted=weight is not None)
    return [clipped, *steps] if sums.clipped else steps


def row_loss_steps(view: BinaryView, sums: ProbabilityEvidence) -> list[Step]:
    """The losses of rows, each with the probability that was given to what happened."""
    rows = view.evidence.rows

    def columns(excerpt: Excerpt, likely: Floats) -> list[Cells]:
        return [*_row_columns(rows, excerpt), ("given", Text("given to what happened", "给实际结果的概率"), likely)]

    title = Text("loss = −ln", "损失 = −ln")
    return loss_steps(sums, rows.scores, rows.positive, rows.weight, title, columns)


@explains(probabilities.LogLoss)
def log_loss(metric: probabilities.LogLoss, view: BinaryView) -> Derivation:
    """Contributions, largest first; their sum; the mean."""
    sums = view.probability(metric.eps, loss=True)
    return quotient(row_loss_steps(view, sums), sums.loss, sums.rows)


@explains(probabilities.Brier)
def brier(metric: probabilities.Brier, view: BinaryView) -> Derivation:
    """Squared distances, largest first."""
    rows, sums, title = view.evidence.rows, view.probability(), "(p − y)²"
    terms = (rows.scores.astype(np.float64) - rows.positive) ** 2
    excerpt = largest(terms, rows.weight)
    columns = [*_row_columns(rows, excerpt), ("squared", title, terms), *excerpt.weighted(terms, rows.weight, title)]
    grid = excerpt.table("contributions", _LARGEST_FIRST, columns)
    steps = mean_steps(grid, title, sums.squared, sums.rows, weighted=rows.weight is not None)
    return quotient(steps, sums.squared, sums.rows)


@explains(probabilities.PredictedOverObserved, probabilities.ObservedOverPredicted)
def predicted_over_observed(metric: probabilities.ProbabilityMetric, view: BinaryView) -> Derivation:
    """Two sums."""
    rows, sums = view.evidence.rows, view.probability()
    p = rows.scores.astype(np.float64)
    excerpt = largest(p, rows.weight)
    title = Text("The rows, largest probability first", "各行，概率大者在前")
    columns = [*_row_columns(rows, excerpt), *excerpt.weighted(p, rows.weight, "p")]
    steps: list[Step] = [
        excerpt.table("contributions", title, columns),
        exact_sum_line("predicted", "p", sums.predicted, rows.weight is not None),
        exact_sum_line("observed", "y", sums.positives, rows.weight is not None),
    ]
    if isinstance(metric, probabilities.ObservedOverPredicted):
        return quotient(steps, sums.positives, sums.predicted)
    return quotient(steps, sums.predicted, sums.positives)


@explains(probabilities.Calibration)
def calibration(metric: probabilities.Calibration, view: BinaryView) -> Derivation:
    """ECE and MCE: the bins that hold rows, and how far off each is."""
    bins = metric.bins_of(view)
    total = sum((bin.rows for bin in bins), Fraction(0))
    off = [abs(bin.positives - bin.predicted) for bin in bins]
    gaps = [gap / bin.rows for gap, bin in zip(off, bins, strict=True)]
    worst = max(range(len(bins)), key=lambda at: gaps[at])
    is_largest = isinstance(metric, probabilities.MaximumCalibrationError)
    excerpt = around(len(bins), worst) if is_largest else ends(np.array([gap > 0 for gap in off]))
    numbers = list(range(1, len(bins) + 1))
    if metric.binning == "width":  # empty bins have numbers too
        numbers = [at for at, bin in enumerate(view.probability(None, int(metric.bins)).bins, 1) if bin.rows]
    places = excerpt.places.tolist()
    chosen = [bins[at] for at in places]
    columns: list[Cells] = [
        *_bounds(metric, view, np.array(numbers), excerpt),
        ("rows", Text("rows n_b", "行数 n_b"), numbers_in(bin.rows for bin in chosen)),
        ("positives", "Σ y", numbers_in(bin.positives for bin in chosen)),
        ("predicted", "Σ p", [real(bin.predicted) for bin in chosen]),
        ("observed_mean", "ȳ_b", [float(bin.positives / bin.rows) for bin in chosen]),
        ("predicted_mean", "p̄_b", [float(bin.predicted / bin.rows) for bin in chosen]),
        ("gap", "|ȳ_b − p̄_b|", [float(gaps[at]) for at in places]),
    ]
    if not is_largest:
        columns.append(("term", "n_b / n · |ȳ_b − p̄_b|", [float(off[at] / total) for at in places]))
    title = Text(
        f"The {len(bins)} bins that hold rows, of {metric.bins:g}", f"{metric.bins:g} 个分箱中的 {len(bins)} 个非空分箱"
    )
    grid = excerpt.table("bins", title, columns, Text("bins", "个分箱"))
    if is_largest:
        bin = bins[worst]
        figures = (plain(bin.positives), real(bin.predicted), plain(bin.rows))
        words = Text(f"The largest distance is that of bin {numbers[worst]}.", f"差距最大的是第 {numbers[worst]} 箱。")
        return Derivation([grid, words], "|{} − {}| / {}", figures, float(gaps[worst]))
    top = sum(off, Fraction(0))
    sentence = Text("the exact sum over all bins", "对全部分箱精确求和")
    line = Line("sum", "Σ_b |Σ y − Σ p|", sentence, (), real(top))
    return quotient([grid, line, count_line(total, view.evidence.rows.weight is not None)], top, total)


def _bounds(
    metric: probabilities.Calibration, view: BinaryView, numbers: NDArray[np.int64], excerpt: Excerpt
) -> list[Cells]:
    """Number and range of each bin: its bounds, or the lowest and highest score in it."""
    count, number = int(metric.bins), ("bin", Text("bin", "箱"), numbers)
    if metric.binning == "width":
        low, high = (numbers - 1) / count, numbers / count
        return [number, ("low", Text("from", "下界"), low), ("high", Text("to", "上界"), high)]
    score = view.thresholds.score[::-1]
    first = np.unique(quantile_places(view.thresholds, count), return_index=True)[1]
    last = np.append(first[1:], len(score)) - 1
    return [
        number,
        ("low", Text("lowest p", "最小 p"), score[first]),
        ("high", Text("highest p", "最大 p"), score[last]),
    ]
