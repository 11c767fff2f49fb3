"""Areas: the pairs one by one, or the thresholds with running counts."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.text import Text
from pingce.evidence.binary.evidence import BinaryView
from pingce.evidence.binary.thresholds import ThresholdEvidence
from pingce.explanations.binary.tables import at_each, threshold_grid
from pingce.explanations.columns import Cells, table
from pingce.explanations.derivation import Derivation, Grid, Line, Step
from pingce.explanations.excerpts import Excerpt, ends
from pingce.explanations.numbers import number_line, numbers_in, plain, whole
from pingce.explanations.registry import explains
from pingce.metrics.binary.areas import Auc, PartialAuc, PrAuc, RankLoss, area
from pingce.metrics.declared import NAN

if TYPE_CHECKING:
    from pingce.inputs.binary import BinaryRows

MOST_PAIRS = 36
_WIDEST = 12
_SIGN = {1: ">", 0: "=", -1: "<"}


@explains(Auc, RankLoss)
def ordered_pairs(metric: Auc | RankLoss, view: BinaryView) -> Derivation:
    """AUC and rank loss: pairs that are won count twice, equal ones once."""
    pairs = view.pairs
    positives, negatives, twice = (plain(count) for count in (pairs.positives, pairs.negatives, pairs.twice_concordant))
    steps: list[Step] = [*class_counts(positives, negatives)]
    if positives and negatives:
        steps += _pair_steps(view)
    if isinstance(metric, RankLoss):
        numbers = (positives, negatives, twice, positives, negatives)
        return Derivation(steps, "(2 · {} · {} − {}) / (2 · {} · {})", numbers, metric.value(view))
    return Derivation(steps, "{} / (2 · {} · {})", (twice, positives, negatives), area(pairs))


def class_counts(positives: float, negatives: float) -> list[Line]:
    """P and N."""
    return [
        number_line("positives", Text("positives P", "正例 P"), positives),
        number_line("negatives", Text("negatives N", "负例 N"), negatives),
    ]


def _pair_steps(view: BinaryView) -> list[Step]:
    """All pairs where they are few, else the sum over thresholds."""
    rows = view.evidence.rows
    counted = np.ones(len(rows), bool) if rows.weight is None else rows.weight > 0
    positives = int(np.count_nonzero(counted & rows.positive.view(bool)))
    negatives = int(np.count_nonzero(counted)) - positives
    if positives * negatives <= MOST_PAIRS and (rows.weight is not None or negatives <= _WIDEST):
        sides = _sides(rows, counted)
        return _pair_matrix(rows, *sides) if rows.weight is None else _weighted_pairs(rows, *sides, view)
    counts = view.thresholds
    twice = plain(view.pairs.twice_concordant)
    words = Text("the sum of the last column", "末列之和")
    return [
        threshold_grid(
            counts, ends(len(counts), counts.at[0] > 0), lambda excerpt: _pairs_by_threshold(counts, excerpt)
        ),
        Line("twice", _TWICE, words, (), twice),
    ]


_TWICE = Text("2 × pairs won + pairs tied", "2 × 胜出的样本对 + 同分的样本对")


def _sides(rows: BinaryRows, counted: NDArray[np.bool_]) -> tuple[NDArray[Any], NDArray[Any]]:
    """The rows of each class that count, from the highest score."""
    order = np.argsort(-rows.scores, kind="stable")
    order = order[counted[order]]
    positive = rows.positive[order].view(bool)
    return order[positive], order[~positive]


def _signs(above: NDArray[Any], below: NDArray[Any]) -> NDArray[np.int64]:
    return (above > below).astype(np.int64) - (above < below)


def _pair_matrix(rows: BinaryRows, positives: NDArray[Any], negatives: NDArray[Any]) -> list[Step]:
    above, below = rows.scores[positives], rows.scores[negatives]
    signs = _signs(above[:, None], below[None, :])
    won, tied = (int(np.count_nonzero(signs == sign)) for sign in (1, 0))
    columns: list[Cells] = [("positive", Text("s⁺ \\ s⁻", "s⁺ \\ s⁻"), above.tolist())]
    for place, score in enumerate(below.tolist()):
        head = whole(f"{score:.6g}")
        columns.append((f"negative_{place + 1}", head, [_SIGN[sign] for sign in signs[:, place].tolist()]))
    columns.append(("won", Text("> and ½ · =", "> 与 ½ · ="), ((signs > 0) + (signs == 0) / 2).sum(axis=1).tolist()))
    title = Text(
        "Each positive score s⁺ (a line) against each negative score s⁻ (a column)",
        "每个正例分数 s⁺（行）与每个负例分数 s⁻（列）相比",
    )
    return [
        table("pairs", title, columns),
        number_line("won", Text("pairs won (>)", "胜出的样本对（>）"), won),
        number_line("tied", Text("pairs tied (=)", "同分的样本对（=）"), tied),
        Line("twice", _TWICE, "2 · {} + {}", (won, tied), 2 * won + tied),
    ]


def _weighted_pairs(rows: BinaryRows, positives: NDArray[Any], negatives: NDArray[Any], view: BinaryView) -> list[Step]:
    """A pair counts as often as the product of its two weights says."""
    weight: Any = rows.weight
    first, second = (side.reshape(-1) for side in np.meshgrid(positives, negatives, indexing="ij"))
    above, below = rows.scores[first].astype(float), rows.scores[second].astype(float)
    signs = _signs(above, below)
    columns: list[Cells] = [
        ("positive", Text("s⁺", "s⁺"), above.tolist()),
        ("sign", Text("", ""), [_SIGN[sign] for sign in signs.tolist()]),
        ("negative", Text("s⁻", "s⁻"), below.tolist()),
        ("positive_weight", Text("w⁺", "w⁺"), numbers_in(weight[first].tolist())),
        ("negative_weight", Text("w⁻", "w⁻"), numbers_in(weight[second].tolist())),
        (
            "twice",
            Text("2, 1 or 0 · w⁺ · w⁻", "2、1 或 0 · w⁺ · w⁻"),
            numbers_in(((signs + 1) * weight[first] * weight[second]).tolist()),
        ),
    ]
    title = Text("All pairs: > counts 2, = counts 1", "全部样本对：> 计 2，= 计 1")
    total = plain(view.pairs.twice_concordant)
    words = Text("the sum of the last column", "末列之和")
    return [table("pairs", title, columns), Line("twice", _TWICE, words, (), total)]


def _pairs_by_threshold(counts: ThresholdEvidence, excerpt: Excerpt) -> list[Cells]:
    positives, negatives = (column[excerpt.places] for column in counts.at)
    below = counts.negatives - counts.fp[excerpt.places]
    twice = counts.widened(positives) * (2 * below + negatives)
    return [
        *at_each(counts, excerpt),
        ("below", Text("negatives below", "低于此分的负例"), numbers_in(below.tolist())),
        (
            "twice",
            Text("positives · (2 · below + negatives)", "正例 · (2 · 低于此分的负例 + 此处负例)"),
            numbers_in(twice.tolist()),
        ),
    ]


@explains(PartialAuc)
def partial(metric: PartialAuc, view: BinaryView) -> Derivation:
    """Trapezoids up to x, the area, its scale."""
    counts, x = view.thresholds, metric.max_fpr
    positives, negatives = plain(counts.positives), plain(counts.negatives)
    steps: list[Step] = [*class_counts(positives, negatives)]
    template, numbers = "(1 + ({} − {}² / 2) / ({} − {}² / 2)) / 2", (x, x, x)
    if not positives or not negatives:
        return Derivation(steps, template, numbers, NAN)
    limit = x * counts.negatives
    covered = metric.covered(counts)
    share = covered / (counts.positives * counts.negatives)
    steps += [
        Line("limit", Text("FP at FPR x", "FPR 为 x 处的 FP"), "{} · {}", (x, negatives), limit),
        _trapezoids(counts, limit),
        Line(
            "covered",
            Text("area in pairs", "以样本对计的面积"),
            Text("the sum of the last column", "末列之和"),
            (),
            covered,
        ),
        Line("area", "A", "{} / ({} · {})", (covered, positives, negatives), share),
    ]
    return Derivation(steps, template, (share, *numbers), metric.scaled(share))


def _trapezoids(counts: ThresholdEvidence, limit: float) -> Grid:
    """Each step of the curve up to the limit, from (0, 0); the last one is cut where it crosses."""
    tp, fp = (np.concatenate([[0.0], column.astype(float)]) for column in (counts.tp, counts.fp))
    steps = min(int(np.searchsorted(fp, limit, side="right")), len(fp) - 1)
    excerpt = ends(steps, fp[1 : steps + 1] > fp[:steps])
    begin, end = excerpt.places, excerpt.places + 1
    right = np.minimum(fp[end], limit)
    share = np.divide(right - fp[begin], fp[end] - fp[begin], out=np.ones(len(end)), where=fp[end] > fp[begin])
    top = tp[begin] + share * (tp[end] - tp[begin])
    pieces = (right - fp[begin]) * (tp[begin] + top) / 2
    columns: list[Cells] = [
        ("number", Text("#", "#"), end.tolist()),
        ("threshold", Text("threshold", "阈值"), excerpt.exactly(counts.score)),
        ("fp", Text("FP, at most x · N", "FP，至多 x · N"), numbers_in(right.tolist())),
        ("tp", Text("TP there", "该处 TP"), numbers_in(top.tolist())),
        ("width", Text("ΔFP", "ΔFP"), numbers_in((right - fp[begin]).tolist())),
        ("piece", Text("ΔFP · mean TP", "ΔFP · 平均 TP"), numbers_in(pieces.tolist())),
    ]
    title = Text("The ROC curve in counts, up to FPR x", "以计数表示的 ROC 曲线，到 FPR = x 为止")
    return table("trapezoids", title, columns, excerpt.counts, excerpt.note(Text("steps", "段")))


@explains(PrAuc)
def precision_recall(metric: PrAuc, view: BinaryView) -> Derivation:
    """Precision and recall at each threshold, and what recall gains there."""
    counts = view.thresholds
    positives = plain(counts.positives)
    steps: list[Step] = [number_line("positives", Text("positives P⁺", "正例数 P⁺"), positives)]
    if not positives:
        return Derivation(steps, "{} / {}", (), NAN)
    total = metric.covered(counts)
    height = Text("P", "P") if metric.interpolation == "step" else Text("mean P", "平均 P")
    sum_of = Text("the exact sum over all thresholds", "对全部阈值精确求和")
    name = Text(f"Σ ΔTP · {height.en}", f"Σ ΔTP · {height.zh}")
    steps += [
        threshold_grid(
            counts,
            ends(len(counts), counts.at[0] > 0),
            lambda excerpt: _recall_columns(metric, counts, excerpt, height),
        ),
        Line("covered", name, sum_of, (), float(total)),
    ]
    value = min(1.0, float(total / Fraction(counts.positives)))
    return Derivation(steps, "{} / {}", (float(total), positives), value)


def _recall_columns(metric: PrAuc, counts: ThresholdEvidence, excerpt: Excerpt, height: Text) -> list[Cells]:
    at, terms = metric.terms(counts)
    every = np.zeros(len(counts))
    every[at] = terms
    tp = counts.tp[excerpt.places]
    precision = tp / (tp + counts.fp[excerpt.places])
    recall = tp / counts.positives
    return [
        ("precision", Text("precision P", "精确率 P"), precision.tolist()),
        ("recall", Text("recall R", "召回率 R"), recall.tolist()),
        ("gained", Text("ΔTP", "ΔTP"), excerpt.of(counts.at[0])),
        ("term", Text(f"ΔR · {height.en}", f"ΔR · {height.zh}"), (every[excerpt.places] / counts.positives).tolist()),
    ]
