"""The log loss, after a recalibration where one is asked for, over that of the base rate."""

from __future__ import annotations

from math import exp

import numpy as np

from pingce.base.text import Text
from pingce.evidence.binary.evidence import BinaryView
from pingce.evidence.binary.odds import odds_counts
from pingce.evidence.binary.score_tables import pools
from pingce.explanations.binary.probabilities import row_loss_steps
from pingce.explanations.derivation import Derivation, Line, Step
from pingce.explanations.frame import explains
from pingce.explanations.tables import Cells, ends, number_line, plain, real
from pingce.metrics.binary import entropies
from pingce.metrics.binary.probabilities import base_loss

_LOSS = Text("log loss L", "对数损失 L")


@explains(entropies.NormalizedEntropy)
def entropy(metric: entropies.NormalizedEntropy, view: BinaryView) -> Derivation:
    """The log loss over that of the base rate."""
    steps, loss, base = _losses(metric, view)
    return Derivation(steps, "{} / {}", (loss, base), loss / base) if base else Derivation(steps)


@explains(entropies.RelativeInformationGain)
def gain(metric: entropies.RelativeInformationGain, view: BinaryView) -> Derivation:
    """What is left of the loss of the base rate."""
    steps, loss, base = _losses(entropies.NormalizedEntropy(eps=metric.eps), view)
    return Derivation(steps, "1 − {} / {}", (loss, base), 1 - loss / base) if base else Derivation(steps)


def _losses(metric: entropies.NormalizedEntropy, view: BinaryView) -> tuple[list[Step], float, float]:
    """The steps to both losses; that of the base rate is 0 where a class is missing."""
    rows, positives = view.evidence.totals
    (loss, base), rate = metric.losses(view), float(positives / rows)
    sides = [number_line("rows", Text("rows n", "行数 n"), rows)]
    if metric.recalibrate == "none":
        sums = view.probability(metric.eps, loss=True)
        loss = float(sums.loss / sums.rows)
        steps = [
            *row_loss_steps(view, sums),
            Line("logloss", _LOSS, "{} / {}", (real(sums.loss), plain(rows)), loss),
        ]
    elif not base:
        steps = [*sides]
    else:
        steps = _total(metric, view, loss) if metric.recalibrate == "total" else _isotonic(view, loss)
    steps.append(
        Line("rate", Text("base rate r", "正例比例 r"), "{} / {}", (plain(positives), plain(rows)), rate),
    )
    if base:
        other = float((rows - positives) / rows)
        name = Text("loss of the base rate L0", "正例比例的损失 L0")
        base = base_loss(positives, rows)
        steps.append(Line("base", name, "−({} · ln {} + {} · ln {})", (rate, rate, other, other), base))
    return steps, loss, base


def _total(metric: entropies.NormalizedEntropy, view: BinaryView, loss: float) -> list[Step]:
    """The factor, each probability before and after it, and the loss that is left."""
    table = view.thresholds
    counts = odds_counts(table, metric.epsilon(view))
    shift = counts.intercept()
    after = 1 / (1 + np.exp(-np.clip(counts.odds + shift, -700, 700)))
    excerpt = ends(np.ones(len(table), bool))
    columns: list[Cells] = [
        ("probability", Text("probability p", "概率 p"), table.score),
        ("positives", Text("positives", "正例"), excerpt.of(counts.positives)),
        ("negatives", Text("negatives", "负例"), excerpt.of(counts.negatives)),
        ("after", Text("p after the recalibration", "校准后的 p"), after),
    ]
    title = Text(
        "Distinct probabilities: all odds p / (1 − p) times one factor, so that Σ p = Σ y",
        "互不相同的概率：所有几率 p / (1 − p) 乘以同一倍数，使 Σ p = Σ y",
    )
    words = Text("where Σ p after it is Σ y", "使校准后 Σ p = Σ y")
    left = Text("the mean over all rows, after the recalibration", "校准后对全部行求均值")
    return [
        excerpt.table("recalibrated", title, columns, Text("probabilities", "个概率")),
        Line("factor", Text("factor of the odds", "几率的倍数"), words, (), exp(shift)),
        Line("logloss", _LOSS, left, (), loss),
    ]


def _isotonic(view: BinaryView, loss: float) -> list[Step]:
    """The pools, each with its share of positives."""
    positives, rows = pools(view.thresholds)
    excerpt = ends(np.ones(len(rows), bool))
    columns: list[Cells] = [
        ("pool", Text("pool", "合并块"), (excerpt.places + 1).tolist()),
        ("rows", Text("rows", "行数"), excerpt.of(rows)),
        ("positives", Text("positives", "正例"), excerpt.of(positives)),
        ("share", Text("share of positives", "正例占比"), positives / rows),
    ]
    title = Text(
        "Neighbouring scores pooled until the share of positives falls with the score, from the highest",
        "相邻分数合并，直到正例占比随分数下降，从高到低",
    )
    left = Text("the mean loss if each pool were predicted its own share", "各块都预估为自身占比时的平均损失")
    return [
        excerpt.table("pools", title, columns, Text("pools", "个合并块")),
        Line("logloss", _LOSS, left, (), loss),
    ]
