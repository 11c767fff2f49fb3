"""One cut through the scores: where it is best, or after a number of rows."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from pingce.base.text import Text
from pingce.evidence.binary.evidence import BinaryView
from pingce.evidence.binary.thresholds import Cells as FourCells
from pingce.evidence.binary.thresholds import ThresholdEvidence
from pingce.explanations.binary.areas import class_counts, positives_line
from pingce.explanations.binary.base import at_each, threshold_grid
from pingce.explanations.binary.decisions import f_division
from pingce.explanations.derivation import Derivation, Line, Step
from pingce.explanations.frame import explains
from pingce.explanations.tables import around, number_line, numbers_in, plain
from pingce.metrics.binary import cuts

_HIGHEST = Text(
    "threshold #{}, where the last column is largest ({}); of several the highest",
    "第 {} 个阈值，末列在此最大（{}）；有多个时取最高者",
)


@explains(cuts.KolmogorovSmirnov, cuts.KsThreshold)
def distance(metric: cuts.KolmogorovSmirnov | cuts.KsThreshold, view: BinaryView) -> Derivation:
    """TPR and FPR at each threshold, and where they are furthest apart."""
    counts = view.thresholds
    positives, negatives = plain(counts.positives), plain(counts.negatives)
    steps = class_counts(positives, negatives)
    curve = cuts.separation(counts)
    if curve is None:
        return Derivation(steps)
    chooses = isinstance(metric, cuts.KsThreshold)
    place = _place(counts, cuts.highest(counts, curve)) if chooses else int(curve.argmax())
    best = float(curve[[int(curve.argmax())]].tolist()[0] / (counts.positives * counts.negatives))
    tpr, fpr = counts.tp / counts.positives, counts.fp / counts.negatives
    rates = ("tpr", "TPR = TP / P", tpr), ("fpr", "FPR = FP / N", fpr), ("difference", "TPR − FPR", tpr - fpr)
    steps.append(threshold_grid(counts, around(len(counts), place), *rates))
    if chooses:
        return Derivation(steps, _HIGHEST, (place + 1, best), cuts.highest(counts, curve))
    numbers = (plain(counts.tp[place]), positives, plain(counts.fp[place]), negatives)
    return Derivation([*steps, _largest_at(place)], "{} / {} − {} / {}", numbers, best)


def _place(counts: ThresholdEvidence, score: float) -> int:
    return int(np.flatnonzero(counts.score == score)[0])


def _largest_at(place: int) -> Text:
    return Text(f"The last column is largest at threshold #{place + 1}.", f"末列在第 {place + 1} 个阈值处最大。")


@explains(cuts.BestF)
def best_f(metric: cuts.BestF, view: BinaryView) -> Derivation:
    """F at each threshold, and the largest."""
    counts = view.thresholds
    steps: list[Step] = [positives_line(counts.positives)]
    if not counts.positives:
        return Derivation(steps)
    curve = metric.curve(counts)
    chooses = isinstance(metric, cuts.BestFThreshold)
    place = _place(counts, cuts.highest(counts, curve)) if chooses else int(curve.argmax())
    excerpt = around(len(counts), place)
    steps.append(
        threshold_grid(
            counts,
            excerpt,
            ("fn", "FN", excerpt.of(counts.positives - counts.tp)),
            ("precision", Text("precision", "精确率"), counts.tp / (counts.tp + counts.fp)),
            ("recall", Text("recall", "召回率"), counts.tp / counts.positives),
            ("f", "F" if metric.beta == 1 else f"F_β (β = {metric.beta:g})", curve),
        )
    )
    if chooses:
        return Derivation(steps, _HIGHEST, (place + 1, float(curve.max())), cuts.highest(counts, curve))
    tp, fp = counts.tp[place], counts.fp[place]
    cells = FourCells(tp, fp, counts.negatives - fp, counts.positives - tp)
    return Derivation([*steps, _largest_at(place)], *f_division(metric.beta, cells), float(curve[place]))


@explains(cuts.BreakEvenPoint)
def break_even(metric: cuts.BreakEvenPoint, view: BinaryView) -> Derivation:
    """As many rows as there are positives."""
    counts = view.thresholds
    steps: list[Step] = [positives_line(counts.positives)]
    if not counts.positives:
        return Derivation(steps)
    exact = Fraction(counts.positives)
    inside = cuts.positives_within(counts, exact)
    words = Text(
        "Precision equals recall where as many rows are predicted positive as there are positives.",
        "判为正的行数等于正例数时，精确率等于召回率。",
    )
    steps += [words, *_within(counts, exact, inside)]
    return Derivation(steps, "{} / {}", (plain(inside), plain(exact)), float(inside / exact))


@explains(cuts.Share)
def share(metric: cuts.Share, view: BinaryView) -> Derivation:
    """Lift and gain: the top rows, the positives among them."""
    counts = view.thresholds
    total, positives = view.evidence.totals
    steps: list[Step] = [number_line("rows", Text("rows n", "行数 n"), total), positives_line(positives)]
    if not positives:
        return Derivation(steps)
    taken = metric.rows_within(total)
    inside = cuts.positives_within(counts, taken)
    template = "⌈{} · {}⌉" if total.denominator == 1 else "{} · {}"
    steps += [
        Line("shown", Text("rows taken", "选取的行数"), template, (metric.k or 0, plain(total)), plain(taken)),
        *_within(counts, taken, inside),
    ]
    template, numbers = "", []
    if isinstance(metric, cuts.Lift):
        template, numbers = "({} / {}) / ({} / {})", numbers_in((inside, taken, positives, total))
    elif isinstance(metric, cuts.Gain):
        template, numbers = "{} / {}", numbers_in((inside, positives))
    return Derivation(steps, template, tuple(numbers), metric.of(inside, taken, positives, total))


def _within(counts: ThresholdEvidence, rows: Fraction, positives: Fraction) -> list[Step]:
    """The blocks of equal scores, and the positives in the top rows; a block that is cut counts by its share."""
    above = counts.tp + counts.fp
    at = min(int(np.searchsorted(above, float(rows), side="left")), len(counts) - 1)
    excerpt = around(len(counts), at)
    so_far = ("rows", Text("rows so far", "累计行数"), excerpt.of(above))
    grid = threshold_grid(counts, excerpt, *at_each(counts, excerpt), so_far)
    name = Text("positives among them", "其中的正例")
    if rows >= Fraction(above[at].item()):
        words = Text(
            f"The rows taken end with threshold #{at + 1}, all rows of it included.",
            f"取到第 {at + 1} 个阈值为止，该阈值的行全部计入。",
        )
        return [grid, words, Line("found", name, "{}", (plain(counts.tp[at]),), plain(positives))]
    before, rows_before = (plain(column[at - 1]) if at else 0 for column in (counts.tp, above))
    words = Text(
        f"The rows taken end within threshold #{at + 1}: its rows score the same, and count by the share that is taken.",
        f"取到第 {at + 1} 个阈值的中间：该阈值的行同分，按取到的比例计入。",
    )
    numbers = (before, plain(rows), rows_before, plain(counts.tp[at]) - before, plain(above[at]) - rows_before)
    return [grid, words, Line("found", name, "{} + ({} − {}) · {} / {}", numbers, plain(positives))]
