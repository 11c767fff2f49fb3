"""Probabilities: what each row contributes, the exact sum, the division; and the bins of calibration."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.base.text import Text
from pingce.evidence.binary.evidence import quantile_places
from pingce.evidence.binary.reference import losses
from pingce.explanations.binary.tables import labels_of
from pingce.explanations.derivation import Cell, Derivation, Grid, Line, Step
from pingce.explanations.parts import (
    MOST_WRITTEN,
    ROWS,
    Cells,
    Shown,
    around,
    count_line,
    ends,
    exact_sum_line,
    largest,
    plain,
    real,
    row_numbers,
    table,
    weighted_terms,
    whole,
)
from pingce.explanations.registry import explains
from pingce.metrics.binary.probabilities import (
    Brier,
    Calibration,
    LogLoss,
    MaximumCalibrationError,
    NormalizedEntropy,
    PredictedOverObserved,
    base_loss,
)
from pingce.metrics.declared import NAN

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pingce.evidence.binary.evidence import BinaryView
    from pingce.evidence.binary.probability import ProbabilityEvidence
    from pingce.inputs.binary import BinaryRows

    Floats = NDArray[np.float64]

_PROBABILITY = Text("probability p", "概率 p")


@explains(LogLoss)
def log_loss(metric: LogLoss, view: BinaryView) -> Derivation:
    """Contributions, largest first; their sum; the mean."""
    found = view.probability(metric.eps)
    steps = _loss_steps(view.evidence.rows, found)
    return Derivation(steps, "{} / {}", (real(found.loss), plain(found.rows)), float(found.loss / found.rows))


def _loss_steps(rows: BinaryRows, found: ProbabilityEvidence) -> list[Step]:
    kept = np.clip(rows.scores.astype(np.float64), found.epsilon, 1 - found.epsilon)
    given = np.where(rows.positive == 1, kept, 1 - kept)
    # Which rows are largest is found fast; what is shown of them is computed as the evidence has it.
    terms = -np.log(given) if len(rows) > MOST_WRITTEN else losses(rows.scores, rows.positive, found.epsilon)
    shown = largest(terms if rows.weight is None else terms * rows.weight)
    terms[shown.places] = losses(rows.scores[shown.places], rows.positive[shown.places], found.epsilon)
    columns: list[Cells] = [("given", Text("given to what happened", "给实际结果的概率"), shown.exactly(given))]
    columns.append(("loss", Text("loss = −ln", "损失 = −ln"), shown.exactly(terms)))
    columns += weighted_terms(shown, terms, rows.weight, Text("loss", "损失"))
    return [
        *_clipped(found),
        _contributions(rows, shown, columns),
        exact_sum_line("sum", Text("loss", "损失"), found.loss, rows.weight is not None),
        count_line(found.rows, rows.weight is not None),
    ]


def _clipped(found: ProbabilityEvidence) -> list[Text]:
    if not found.clipped:
        return []
    return [
        Text(
            f"{found.clipped} probabilities are nearer to 0 or 1 than ε = {found.epsilon:.3g} and are kept within [ε, 1 − ε].",
            f"有 {found.clipped} 个概率与 0 或 1 的距离小于 ε = {found.epsilon:.3g}，限制在 [ε, 1 − ε] 内。",
        )
    ]


def _contributions(rows: BinaryRows, shown: Shown, more: list[Cells], title: Text | None = None) -> Grid:
    columns: list[Cells] = [
        row_numbers(shown),
        ("label", Text("label", "标签"), labels_of(rows, shown.places)),
        ("probability", _PROBABILITY, shown.exactly(rows.scores)),
        *more,
    ]
    said = title or Text("What each row contributes, largest first", "各行的贡献，从大到小")
    return table("contributions", said, columns, shown.counts, shown.note(ROWS))


@explains(NormalizedEntropy)
def entropy(metric: NormalizedEntropy, view: BinaryView) -> Derivation:
    """The log loss over that of the base rate."""
    found = view.probability(metric.eps)
    steps = _loss_steps(view.evidence.rows, found)
    loss = float(found.loss / found.rows)
    rate = float(found.positives / found.rows)
    steps += [
        Line("logloss", Text("log loss L", "对数损失 L"), "{} / {}", (real(found.loss), plain(found.rows)), loss),
        Line("rate", Text("base rate r", "正例比例 r"), "{} / {}", (plain(found.positives), plain(found.rows)), rate),
    ]
    if not 0 < found.positives < found.rows:
        return Derivation(steps, "", (), NAN)
    base = base_loss(found.positives, found.rows)
    other = float((found.rows - found.positives) / found.rows)
    name = Text("loss of the base rate L0", "正例比例的损失 L0")
    steps.append(Line("base", name, "−({} · ln {} + {} · ln {})", (rate, rate, other, other), base))
    return Derivation(steps, "{} / {}", (loss, base), loss / base)


@explains(Brier)
def brier(metric: Brier, view: BinaryView) -> Derivation:
    """Squared distances, largest first."""
    rows, found = view.evidence.rows, view.probability()
    terms = (rows.scores.astype(np.float64) - rows.positive) ** 2
    shown = largest(terms if rows.weight is None else terms * rows.weight)
    title = "(p − y)²"
    more: list[Cells] = [
        ("squared", whole(title), shown.exactly(terms)),
        *weighted_terms(shown, terms, rows.weight, title),
    ]
    steps: list[Step] = [
        _contributions(rows, shown, more),
        exact_sum_line("sum", title, found.squared, rows.weight is not None),
        count_line(found.rows, rows.weight is not None),
    ]
    return Derivation(steps, "{} / {}", (real(found.squared), plain(found.rows)), float(found.squared / found.rows))


@explains(PredictedOverObserved)
def predicted_over_observed(metric: PredictedOverObserved, view: BinaryView) -> Derivation:
    """Two sums."""
    rows, found = view.evidence.rows, view.probability()
    p = rows.scores.astype(np.float64)
    shown = largest(p if rows.weight is None else p * rows.weight)
    title = Text("The rows, largest probability first", "各行，概率大者在前")
    steps: list[Step] = [
        _contributions(rows, shown, weighted_terms(shown, p, rows.weight, "p"), title),
        exact_sum_line("predicted", "p", found.predicted, rows.weight is not None),
        exact_sum_line("observed", "y", found.positives, rows.weight is not None),
    ]
    value = float(found.predicted / found.positives) if found.positives else NAN
    return Derivation(steps, "{} / {}", (real(found.predicted), plain(found.positives)), value)


@explains(Calibration)
def calibration(metric: Calibration, view: BinaryView) -> Derivation:
    """ECE and MCE: the bins that hold rows, and how far off each is."""
    bins = metric.bins_of(view)
    total: Any = sum(one.rows for one in bins)
    off = [abs(one.positives - one.predicted) for one in bins]
    gaps = [gap / one.rows for gap, one in zip(off, bins, strict=True)]
    worst = max(range(len(bins)), key=lambda at: gaps[at])
    is_largest = isinstance(metric, MaximumCalibrationError)
    matters = np.array([gap > 0 for gap in off])
    shown = around(len(bins), worst) if is_largest else ends(len(bins), matters)
    numbers = _numbers(metric, view, len(bins))
    chosen = [bins[at] for at in shown.places.tolist()]
    columns: list[Cells] = [
        *_bounds(metric, view, [numbers[at] for at in shown.places.tolist()], shown),
        ("rows", Text("rows n_b", "行数 n_b"), [plain(one.rows) for one in chosen]),
        ("positives", Text("Σ y", "Σ y"), [plain(one.positives) for one in chosen]),
        ("predicted", Text("Σ p", "Σ p"), [real(one.predicted) for one in chosen]),
        ("observed_mean", Text("ȳ_b", "ȳ_b"), [float(one.positives / one.rows) for one in chosen]),
        ("predicted_mean", Text("p̄_b", "p̄_b"), [float(one.predicted / one.rows) for one in chosen]),
        ("gap", Text("|ȳ_b − p̄_b|", "|ȳ_b − p̄_b|"), [float(gaps[at]) for at in shown.places.tolist()]),
    ]
    if not is_largest:
        terms = [float(off[at] / total) for at in shown.places.tolist()]
        columns.append(("term", Text("n_b / n · |ȳ_b − p̄_b|", "n_b / n · |ȳ_b − p̄_b|"), terms))
    title = Text(
        f"The {len(bins)} bins that hold rows, of {metric.bins:g}", f"{metric.bins:g} 个分箱中的 {len(bins)} 个非空分箱"
    )
    grid = table("bins", title, columns, shown.counts, shown.note(Text("bins", "个分箱")))
    if is_largest:
        one = bins[worst]
        figures = (plain(one.positives), real(one.predicted), plain(one.rows))
        said = Text(f"The largest distance is that of bin {numbers[worst]}.", f"差距最大的是第 {numbers[worst]} 箱。")
        return Derivation([grid, said], "|{} − {}| / {}", figures, float(gaps[worst]))
    top = sum(off, Fraction(0))
    name = Text("Σ_b |Σ y − Σ p|", "Σ_b |Σ y − Σ p|")
    sentence = Text("the exact sum over all bins", "对全部分箱精确求和")
    steps: list[Step] = [
        grid,
        Line("sum", name, sentence, (), real(top)),
        count_line(total, view.evidence.rows.weight is not None),
    ]
    return Derivation(steps, "{} / {}", (real(top), plain(total)), float(top / total))


def _numbers(metric: Calibration, view: BinaryView, size: int) -> list[int]:
    """The number of each bin, from 1: empty bins count too where all have the same width."""
    if metric.binning == "quantile":
        return list(range(1, size + 1))
    return [at + 1 for at, one in enumerate(view.probability(None, int(metric.bins)).bins) if one.rows]


def _bounds(metric: Calibration, view: BinaryView, numbers: list[int], shown: Shown) -> list[Cells]:
    """Number and range of each bin: its bounds, or the lowest and highest score in it."""
    count = int(metric.bins)
    low: list[Cell]
    high: list[Cell]
    if metric.binning == "width":
        low, high = [(one - 1) / count for one in numbers], [one / count for one in numbers]
    else:
        score = view.thresholds.score[::-1]
        first = np.unique(quantile_places(view.thresholds, count), return_index=True)[1]
        last = np.append(first[1:], len(score)) - 1
        low, high = shown.exactly(score[first]), shown.exactly(score[last])
    names = (
        (Text("from", "下界"), Text("to", "上界"))
        if metric.binning == "width"
        else (Text("lowest p", "最小 p"), Text("highest p", "最大 p"))
    )
    return [("bin", Text("bin", "箱"), numbers), ("low", names[0], low), ("high", names[1], high)]
