"""Probabilities: what each row contributes, the exact sum, the division; and the bins of calibration."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.base.text import Text
from pingce.evidence.binary.evidence import BinaryView, quantile_places
from pingce.evidence.binary.probability import ProbabilityEvidence
from pingce.evidence.binary.reference import losses
from pingce.explanations.binary.tables import labels_of
from pingce.explanations.columns import ROWS, Cells, row_numbers, table, weighted_terms
from pingce.explanations.derivation import Cell, Derivation, Grid, Line, Step
from pingce.explanations.excerpts import MOST_WRITTEN, Excerpt, around, ends, largest
from pingce.explanations.numbers import count_line, exact_sum_line, plain, real, whole
from pingce.explanations.registry import explains
from pingce.metrics.binary import probabilities
from pingce.metrics.declared import NAN

if TYPE_CHECKING:
    from pingce.inputs.binary import BinaryRows

_PROBABILITY = Text("probability p", "概率 p")


@explains(probabilities.LogLoss)
def log_loss(metric: probabilities.LogLoss, view: BinaryView) -> Derivation:
    """Contributions, largest first; their sum; the mean."""
    sums = view.probability(metric.eps)
    steps = _loss_steps(view.evidence.rows, sums)
    return Derivation(steps, "{} / {}", (real(sums.loss), plain(sums.rows)), float(sums.loss / sums.rows))


def _loss_steps(rows: BinaryRows, sums: ProbabilityEvidence) -> list[Step]:
    kept = np.clip(rows.scores.astype(np.float64), sums.epsilon, 1 - sums.epsilon)
    likely = np.where(rows.positive == 1, kept, 1 - kept)
    # Which rows are largest is found fast; what is shown of them is computed as the evidence has it.
    terms = -np.log(likely) if len(rows) > MOST_WRITTEN else losses(rows.scores, rows.positive, sums.epsilon)
    excerpt = largest(terms if rows.weight is None else terms * rows.weight)
    terms[excerpt.places] = losses(rows.scores[excerpt.places], rows.positive[excerpt.places], sums.epsilon)
    columns: list[Cells] = [("given", Text("given to what happened", "给实际结果的概率"), excerpt.exactly(likely))]
    columns.append(("loss", Text("loss = −ln", "损失 = −ln"), excerpt.exactly(terms)))
    columns += weighted_terms(excerpt, terms, rows.weight, Text("loss", "损失"))
    return [
        *_clipped(sums),
        _contributions(rows, excerpt, columns),
        exact_sum_line("sum", Text("loss", "损失"), sums.loss, rows.weight is not None),
        count_line(sums.rows, rows.weight is not None),
    ]


def _clipped(sums: ProbabilityEvidence) -> list[Text]:
    if not sums.clipped:
        return []
    return [
        Text(
            f"{sums.clipped} probabilities are nearer to 0 or 1 than ε = {sums.epsilon:.3g} and are kept within [ε, 1 − ε].",
            f"有 {sums.clipped} 个概率与 0 或 1 的距离小于 ε = {sums.epsilon:.3g}，限制在 [ε, 1 − ε] 内。",
        )
    ]


def _contributions(rows: BinaryRows, excerpt: Excerpt, more: list[Cells], title: Text | None = None) -> Grid:
    columns: list[Cells] = [
        row_numbers(excerpt),
        ("label", Text("label", "标签"), labels_of(rows, excerpt.places)),
        ("probability", _PROBABILITY, excerpt.exactly(rows.scores)),
        *more,
    ]
    heading = title or Text("What each row contributes, largest first", "各行的贡献，从大到小")
    return table("contributions", heading, columns, excerpt.counts, excerpt.note(ROWS))


@explains(probabilities.NormalizedEntropy)
def entropy(metric: probabilities.NormalizedEntropy, view: BinaryView) -> Derivation:
    """The log loss over that of the base rate."""
    sums = view.probability(metric.eps)
    steps = _loss_steps(view.evidence.rows, sums)
    loss = float(sums.loss / sums.rows)
    rate = float(sums.positives / sums.rows)
    steps += [
        Line("logloss", Text("log loss L", "对数损失 L"), "{} / {}", (real(sums.loss), plain(sums.rows)), loss),
        Line("rate", Text("base rate r", "正例比例 r"), "{} / {}", (plain(sums.positives), plain(sums.rows)), rate),
    ]
    if not 0 < sums.positives < sums.rows:
        return Derivation(steps, "", (), NAN)
    base = probabilities.base_loss(sums.positives, sums.rows)
    other = float((sums.rows - sums.positives) / sums.rows)
    name = Text("loss of the base rate L0", "正例比例的损失 L0")
    steps.append(Line("base", name, "−({} · ln {} + {} · ln {})", (rate, rate, other, other), base))
    return Derivation(steps, "{} / {}", (loss, base), loss / base)


@explains(probabilities.Brier)
def brier(metric: probabilities.Brier, view: BinaryView) -> Derivation:
    """Squared distances, largest first."""
    rows, sums = view.evidence.rows, view.probability()
    terms = (rows.scores.astype(np.float64) - rows.positive) ** 2
    excerpt = largest(terms if rows.weight is None else terms * rows.weight)
    title = "(p − y)²"
    more: list[Cells] = [
        ("squared", whole(title), excerpt.exactly(terms)),
        *weighted_terms(excerpt, terms, rows.weight, title),
    ]
    steps: list[Step] = [
        _contributions(rows, excerpt, more),
        exact_sum_line("sum", title, sums.squared, rows.weight is not None),
        count_line(sums.rows, rows.weight is not None),
    ]
    return Derivation(steps, "{} / {}", (real(sums.squared), plain(sums.rows)), float(sums.squared / sums.rows))


@explains(probabilities.PredictedOverObserved)
def predicted_over_observed(metric: probabilities.PredictedOverObserved, view: BinaryView) -> Derivation:
    """Two sums."""
    rows, sums = view.evidence.rows, view.probability()
    p = rows.scores.astype(np.float64)
    excerpt = largest(p if rows.weight is None else p * rows.weight)
    title = Text("The rows, largest probability first", "各行，概率大者在前")
    steps: list[Step] = [
        _contributions(rows, excerpt, weighted_terms(excerpt, p, rows.weight, "p"), title),
        exact_sum_line("predicted", "p", sums.predicted, rows.weight is not None),
        exact_sum_line("observed", "y", sums.positives, rows.weight is not None),
    ]
    value = float(sums.predicted / sums.positives) if sums.positives else NAN
    return Derivation(steps, "{} / {}", (real(sums.predicted), plain(sums.positives)), value)


@explains(probabilities.Calibration)
def calibration(metric: probabilities.Calibration, view: BinaryView) -> Derivation:
    """ECE and MCE: the bins that hold rows, and how far off each is."""
    bins = metric.bins_of(view)
    total: Any = sum(bin.rows for bin in bins)
    off = [abs(bin.positives - bin.predicted) for bin in bins]
    gaps = [gap / bin.rows for gap, bin in zip(off, bins, strict=True)]
    worst = max(range(len(bins)), key=lambda at: gaps[at])
    is_largest = isinstance(metric, probabilities.MaximumCalibrationError)
    matters = np.array([gap > 0 for gap in off])
    excerpt = around(len(bins), worst) if is_largest else ends(len(bins), matters)
    numbers = _numbers(metric, view, len(bins))
    chosen = [bins[at] for at in excerpt.places.tolist()]
    columns: list[Cells] = [
        *_bounds(metric, view, [numbers[at] for at in excerpt.places.tolist()], excerpt),
        ("rows", Text("rows n_b", "行数 n_b"), [plain(bin.rows) for bin in chosen]),
        ("positives", Text("Σ y", "Σ y"), [plain(bin.positives) for bin in chosen]),
        ("predicted", Text("Σ p", "Σ p"), [real(bin.predicted) for bin in chosen]),
        ("observed_mean", Text("ȳ_b", "ȳ_b"), [float(bin.positives / bin.rows) for bin in chosen]),
        ("predicted_mean", Text("p̄_b", "p̄_b"), [float(bin.predicted / bin.rows) for bin in chosen]),
        ("gap", Text("|ȳ_b − p̄_b|", "|ȳ_b − p̄_b|"), [float(gaps[at]) for at in excerpt.places.tolist()]),
    ]
    if not is_largest:
        terms = [float(off[at] / total) for at in excerpt.places.tolist()]
        columns.append(("term", Text("n_b / n · |ȳ_b − p̄_b|", "n_b / n · |ȳ_b − p̄_b|"), terms))
    title = Text(
        f"The {len(bins)} bins that hold rows, of {metric.bins:g}", f"{metric.bins:g} 个分箱中的 {len(bins)} 个非空分箱"
    )
    grid = table("bins", title, columns, excerpt.counts, excerpt.note(Text("bins", "个分箱")))
    if is_largest:
        bin = bins[worst]
        figures = (plain(bin.positives), real(bin.predicted), plain(bin.rows))
        words = Text(f"The largest distance is that of bin {numbers[worst]}.", f"差距最大的是第 {numbers[worst]} 箱。")
        return Derivation([grid, words], "|{} − {}| / {}", figures, float(gaps[worst]))
    top = sum(off, Fraction(0))
    name = Text("Σ_b |Σ y − Σ p|", "Σ_b |Σ y − Σ p|")
    sentence = Text("the exact sum over all bins", "对全部分箱精确求和")
    steps: list[Step] = [
        grid,
        Line("sum", name, sentence, (), real(top)),
        count_line(total, view.evidence.rows.weight is not None),
    ]
    return Derivation(steps, "{} / {}", (real(top), plain(total)), float(top / total))


def _numbers(metric: probabilities.Calibration, view: BinaryView, size: int) -> list[int]:
    """The number of each bin, from 1: empty bins count too where all have the same width."""
    if metric.binning == "quantile":
        return list(range(1, size + 1))
    return [at + 1 for at, bin in enumerate(view.probability(None, int(metric.bins)).bins) if bin.rows]


def _bounds(metric: probabilities.Calibration, view: BinaryView, numbers: list[int], excerpt: Excerpt) -> list[Cells]:
    """Number and range of each bin: its bounds, or the lowest and highest score in it."""
    count = int(metric.bins)
    low: list[Cell]
    high: list[Cell]
    if metric.binning == "width":
        low, high = [(number - 1) / count for number in numbers], [number / count for number in numbers]
    else:
        score = view.thresholds.score[::-1]
        first = np.unique(quantile_places(view.thresholds, count), return_index=True)[1]
        last = np.append(first[1:], len(score)) - 1
        low, high = excerpt.exactly(score[first]), excerpt.exactly(score[last])
    names = (
        (Text("from", "下界"), Text("to", "上界"))
        if metric.binning == "width"
        else (Text("lowest p", "最小 p"), Text("highest p", "最大 p"))
    )
    return [("bin", Text("bin", "箱"), numbers), ("low", names[0], low), ("high", names[1], high)]
