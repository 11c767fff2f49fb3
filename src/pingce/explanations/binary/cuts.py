"""One cut through the scores: where it is best, or after a number of rows."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from pingce.base.text import Text
from pingce.evidence.binary.evidence import BinaryView
from pingce.evidence.binary.thresholds import Cells as FourCells
from pingce.evidence.binary.thresholds import ThresholdEvidence
from pingce.explanations.binary.areas import class_counts
from pingce.explanations.binary.decisions import f_division
from pingce.explanations.binary.tables import at_each, threshold_grid
from pingce.explanations.columns import Cells
from pingce.explanations.derivation import Derivation, Line, Step
from pingce.explanations.excerpts import Excerpt, around
from pingce.explanations.numbers import Number, number_line, numbers_in, plain
from pingce.explanations.registry import explains
from pingce.metrics.binary import cuts
from pingce.metrics.declared import NAN

_HIGHEST = Text(
    "threshold #{}, where the last column is largest ({}); of several the highest",
    "第 {} 个阈值，末列在此最大（{}）；有多个时取最高者",
)


@explains(cuts.KolmogorovSmirnov, cuts.KsThreshold)
def distance(metric: cuts.KolmogorovSmirnov | cuts.KsThreshold, view: BinaryView) -> Derivation:
    """TPR and FPR at each threshold, and where they are furthest apart."""
    counts = view.thresholds
    positives, negatives = plain(counts.positives), plain(counts.negatives)
    steps: list[Step] = [*class_counts(positives, negatives)]
    curve = cuts.separation(counts)
    if curve is None:
        return Derivation(steps, "", (), NAN)
    place = int(curve.argmax())
    best = curve[[place]].tolist()[0] / (counts.positives * counts.negatives)
    if isinstance(metric, cuts.KsThreshold):
        place = _place(counts, cuts.highest(counts, curve))
    steps.append(threshold_grid(counts, around(len(counts), place), lambda excerpt: _rates(counts, excerpt)))
    if isinstance(metric, cuts.KsThreshold):
        return Derivation(steps, _HIGHEST, (place + 1, float(best)), cuts.highest(counts, curve))
    numbers = (plain(counts.tp[place]), positives, plain(counts.fp[place]), negatives)
    steps.append(_largest_at(place))
    return Derivation(steps, "{} / {} − {} / {}", numbers, float(best))


def _positives(count: Number) -> Line:
    return number_line("positives", Text("positives P", "正例 P"), count)


def _place(counts: ThresholdEvidence, score: float) -> int:
    return int(np.flatnonzero(counts.score == score)[0])


def _largest_at(place: int) -> Text:
    return Text(f"The last column is largest at threshold #{place + 1}.", f"末列在第 {place + 1} 个阈值处最大。")


def _rates(counts: ThresholdEvidence, excerpt: Excerpt) -> list[Cells]:
    tpr, fpr = (counts.tp[excerpt.places] / counts.positives, counts.fp[excerpt.places] / counts.negatives)
    return [
        ("tpr", Text("TPR = TP / P", "TPR = TP / P"), tpr.tolist()),
        ("fpr", Text("FPR = FP / N", "FPR = FP / N"), fpr.tolist()),
        ("difference", Text("TPR − FPR", "TPR − FPR"), (tpr - fpr).tolist()),
    ]


@explains(cuts.BestF)
def best_f(metric: cuts.BestF, view: BinaryView) -> Derivation:
    """F at each threshold, and the largest."""
    counts = view.thresholds
    positives = plain(counts.positives)
    if not positives:
        return Derivation([_positives(positives)], "", (), NAN)
    curve = metric.curve(counts)
    place = int(curve.argmax())
    chooses = isinstance(metric, cuts.BestFThreshold)
    if chooses:
        place = _place(counts, cuts.highest(counts, curve))
    beta = "F" if metric.beta == 1 else f"F_β (β = {metric.beta:g})"

    def more(excerpt: Excerpt) -> list[Cells]:
        tp, fp = counts.tp[excerpt.places], counts.fp[excerpt.places]
        return [
            ("fn", Text("FN", "FN"), numbers_in((counts.positives - tp).tolist())),
            ("precision", Text("precision", "精确率"), (tp / (tp + fp)).tolist()),
            ("recall", Text("recall", "召回率"), (tp / counts.positives).tolist()),
            ("f", Text(beta, beta), excerpt.exactly(curve)),
        ]

    steps: list[Step] = [_positives(positives), threshold_grid(counts, around(len(counts), place), more)]
    if chooses:
        return Derivation(steps, _HIGHEST, (place + 1, float(curve.max())), cuts.highest(counts, curve))
    steps.append(_largest_at(place))
    tp, fp = counts.tp[place], counts.fp[place]
    cells = FourCells(tp, fp, counts.negatives - fp, counts.positives - tp)
    return Derivation(steps, *f_division(metric.beta, cells), float(curve[place]))


@explains(cuts.BreakEvenPoint)
def break_even(metric: cuts.BreakEvenPoint, view: BinaryView) -> Derivation:
    """As many rows as there are positives."""
    counts = view.thresholds
    positives = plain(counts.positives)
    steps: list[Step] = [_positives(positives)]
    if not positives:
        return Derivation(steps, "", (), NAN)
    steps.append(
        Text(
            "Precision equals recall where as many rows are predicted positive as there are positives.",
            "判为正的行数等于正例数时，查准率等于查全率。",
        )
    )
    exact = Fraction(counts.positives)
    inside = cuts.positives_within(counts, exact)
    steps += _within(counts, exact, inside)
    return Derivation(steps, "{} / {}", (plain(inside), positives), float(inside / exact))


@explains(cuts.Share)
def share(metric: cuts.Share, view: BinaryView) -> Derivation:
    """Lift and gain: the top rows, the positives among them."""
    counts = view.thresholds
    total, positives = view.evidence.totals
    steps: list[Step] = [
        number_line("rows", Text("rows n", "行数 n"), total),
        _positives(plain(positives)),
    ]
    if not positives:
        return Derivation(steps, "", (), NAN)
    taken = metric.rows_within(total)
    template = "⌈{} · {}⌉" if total.denominator == 1 else "{} · {}"
    wanted = plain(taken)
    steps.append(Line("shown", Text("rows taken", "选取的行数"), template, (metric.k or 0, plain(total)), wanted))
    inside = cuts.positives_within(counts, taken)
    steps += _within(counts, taken, inside)
    value = metric.of(inside, taken, positives, total)
    if isinstance(metric, cuts.Lift):
        numbers = (plain(inside), wanted, plain(positives), plain(total))
        return Derivation(steps, "({} / {}) / ({} / {})", numbers, value)
    if isinstance(metric, cuts.Gain):
        return Derivation(steps, "{} / {}", (plain(inside), plain(positives)), value)
    return Derivation(steps, "", (), value)


def _within(counts: ThresholdEvidence, rows: Fraction, positives: Fraction) -> list[Step]:
    """The blocks of equal scores, and the positives in the top rows; a block that is cut counts by its share."""
    above = counts.tp + counts.fp
    at = min(int(np.searchsorted(above, float(rows), side="left")), len(counts) - 1)

    def more(excerpt: Excerpt) -> list[Cells]:
        return [*at_each(counts, excerpt), ("rows", Text("rows so far", "累计行数"), excerpt.of(above))]

    steps: list[Step] = [threshold_grid(counts, around(len(counts), at), more)]
    name, wanted = Text("positives among them", "其中的正例"), plain(rows)
    if rows >= Fraction(above[at].item()):
        words = Text(
            f"The rows taken end with threshold #{at + 1}, all rows of it included.",
            f"取到第 {at + 1} 个阈值为止，该阈值的行全部计入。",
        )
        return [*steps, words, Line("found", name, "{}", (plain(counts.tp[at]),), plain(positives))]
    before, rows_before = (plain(column[at - 1]) if at else 0 for column in (counts.tp, above))
    inside, block = (plain(column[at]) - before_it for column, before_it in ((counts.tp, before), (above, rows_before)))
    words = Text(
        f"The rows taken end within threshold #{at + 1}: its rows score the same, and count by the share that is taken.",
        f"取到第 {at + 1} 个阈值的中间：该阈值的行同分，按取到的比例计入。",
    )
    numbers = (before, wanted, rows_before, inside, block)
    return [*steps, words, Line("found", name, "{} + ({} − {}) · {} / {}", numbers, plain(positives))]
