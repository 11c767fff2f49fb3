"""Areas: the pairs one by one, or the thresholds with running counts."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.text import Text
from pingce.evidence.binary.evidence import BinaryView
from pingce.evidence.binary.thresholds import ThresholdEvidence
from pingce.explanations.binary.base import at_each, threshold_grid
from pingce.explanations.derivation import Derivation, Grid, Line, Number, Step
from pingce.explanations.frame import explains
from pingce.explanations.tables import Cells, ends, number_line, numbers_in, plain, table
from pingce.metrics.binary.areas import Auc, PartialAuc, PrAuc, RankLoss, area

if TYPE_CHECKING:
    from pingce.inputs.binary import BinaryRows

_MOST_PAIRS = 36
_WIDEST = 12
_SIGNS = np.array(["<", "=", ">"])
_TWICE = Text("2 × pairs won + pairs tied", "2 × 胜出的样本对 + 同分的样本对")
_LAST_COLUMN = Text("the sum of the last column", "末列之和")


@explains(Auc, RankLoss)
def ordered_pairs(metric: Auc | RankLoss, view: BinaryView) -> Derivation:
    """AUC and rank loss: pairs that are won count twice, equal ones once."""
    pairs = view.pairs
    positives, negatives, twice = numbers_in((pairs.positives, pairs.negatives, pairs.twice_concordant))
    steps = class_counts(positives, negatives)
    if positives and negatives:
        steps += _pair_steps(view, twice)
    if isinstance(metric, RankLoss):
        numbers = (positives, negatives, twice, positives, negatives)
        return Derivation(steps, "(2 · {} · {} − {}) / (2 · {} · {})", numbers, metric.value(view))
    return Derivation(steps, "{} / (2 · {} · {})", (twice, positives, negatives), area(pairs))


def positives_line(positives: object) -> Line:
    """P."""
    return number_line("positives", Text("positives P", "正例 P"), positives)


def class_counts(positives: Number, negatives: Number) -> list[Step]:
    """P and N."""
    return [positives_line(positives), number_line("negatives", Text("negatives N", "负例 N"), negatives)]


def _pair_steps(view: BinaryView, twice: Number) -> list[Step]:
    """All pairs where they are few, else the sum over thresholds."""
    rows, total = view.evidence.rows, Line("twice", _TWICE, _LAST_COLUMN, (), twice)
    counted = np.ones(len(rows), bool) if rows.weight is None else rows.weight > 0
    positives = int(np.count_nonzero(counted & rows.positive.view(bool)))
    negatives = int(np.count_nonzero(counted)) - positives
    if positives * negatives <= _MOST_PAIRS and (rows.weight is not None or negatives <= _WIDEST):
        order = np.argsort(-rows.scores, kind="stable")
        order = order[counted[order]]
        positive = rows.positive[order].view(bool)
        if rows.weight is None:
            return _pair_matrix(rows.scores[order[positive]], rows.scores[order[~positive]])
        return [_weighted_pairs(rows, order[positive], order[~positive]), total]
    return [_pairs_by_threshold(view.thresholds), total]


def _signs(above: NDArray[Any], below: NDArray[Any]) -> NDArray[np.int64]:
    return (above > below).astype(np.int64) - (above < below)


def _pair_matrix(above: NDArray[Any], below: NDArray[Any]) -> list[Step]:
    signs = _signs(above[:, None], below[None, :])
    won, tied = (int(np.count_nonzero(signs == sign)) for sign in (1, 0))
    columns: list[Cells] = [("positive", "s⁺ \\ s⁻", above.tolist())]
    for place, score in enumerate(below.tolist()):
        columns.append((f"negative_{place + 1}", f"{score:.6g}", _SIGNS[signs[:, place] + 1].tolist()))
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


def _weighted_pairs(rows: BinaryRows, positives: NDArray[Any], negatives: NDArray[Any]) -> Grid:
    """A pair counts as often as the product of its two weights says."""
    weight: Any = rows.weight
    first, second = (side.reshape(-1) for side in np.meshgrid(positives, negatives, indexing="ij"))
    above, below = rows.scores[first].astype(float), rows.scores[second].astype(float)
    signs = _signs(above, below)
    columns: list[Cells] = [
        ("positive", "s⁺", above.tolist()),
        ("sign", "", _SIGNS[signs + 1].tolist()),
        ("negative", "s⁻", below.tolist()),
        ("positive_weight", "w⁺", numbers_in(weight[first])),
        ("negative_weight", "w⁻", numbers_in(weight[second])),
        (
            "twice",
            Text("2, 1 or 0 · w⁺ · w⁻", "2、1 或 0 · w⁺ · w⁻"),
            numbers_in((signs + 1) * weight[first] * weight[second]),
        ),
    ]
    return table("pairs", Text("All pairs: > counts 2, = counts 1", "全部样本对：> 计 2，= 计 1"), columns)


def _pairs_by_threshold(counts: ThresholdEvidence) -> Grid:
    excerpt = ends(counts.at[0] > 0)
    positives, negatives = (column[excerpt.places] for column in counts.at)
    below = counts.negatives - counts.fp[excerpt.places]
    twice = counts.widened(positives) * (2 * below + negatives)
    product = Text("positives · (2 · below + negatives)", "正例 · (2 · 低于此分的负例 + 此处负例)")
    return threshold_grid(
        counts,
        excerpt,
        *at_each(counts, excerpt),
        ("below", Text("negatives below", "低于此分的负例"), numbers_in(below.tolist())),
        ("twice", product, numbers_in(twice.tolist())),
    )


@explains(PartialAuc)
def partial(metric: PartialAuc, view: BinaryView) -> Derivation:
    """Trapezoids up to x, the area, its scale."""
    counts, x = view.thresholds, metric.max_fpr
    positives, negatives = plain(counts.positives), plain(counts.negatives)
    steps = class_counts(positives, negatives)
    if not positives or not negatives:
        return Derivation(steps)
    limit, covered = x * counts.negatives, metric.covered(counts)
    share = covered / (counts.positives * counts.negatives)
    steps += [
        Line("limit", Text("FP at FPR x", "FPR 为 x 处的 FP"), "{} · {}", (x, negatives), limit),
        _trapezoids(counts, limit),
        Line("covered", Text("area in pairs", "以样本对计的面积"), _LAST_COLUMN, (), covered),
        Line("area", "A", "{} / ({} · {})", (covered, positives, negatives), share),
    ]
    return Derivation(steps, "(1 + ({} − {}² / 2) / ({} − {}² / 2)) / 2", (share, x, x, x), metric.scaled(share))


def _trapezoids(counts: ThresholdEvidence, limit: float) -> Grid:
    """Each step of the curve up to the limit, from (0, 0); the last one is cut where it crosses."""
    tp, fp = (np.concatenate([[0.0], column.astype(float)]) for column in (counts.tp, counts.fp))
    steps = min(int(np.searchsorted(fp, limit, side="right")), len(fp) - 1)
    excerpt = ends(fp[1 : steps + 1] > fp[:steps])
    begin, end = excerpt.places, excerpt.places + 1
    right = np.minimum(fp[end], limit)
    share = np.divide(right - fp[begin], fp[end] - fp[begin], out=np.ones(len(end)), where=fp[end] > fp[begin])
    top = tp[begin] + share * (tp[end] - tp[begin])
    pieces = (right - fp[begin]) * (tp[begin] + top) / 2
    columns: list[Cells] = [
        ("number", "#", end.tolist()),
        ("threshold", Text("threshold", "阈值"), counts.score),
        ("fp", Text("FP, at most x · N", "FP，至多 x · N"), numbers_in(right)),
        ("tp", Text("TP there", "该处 TP"), numbers_in(top)),
        ("width", "ΔFP", numbers_in(right - fp[begin])),
        ("piece", Text("ΔFP · mean TP", "ΔFP · 平均 TP"), numbers_in(pieces)),
    ]
    title = Text("The ROC curve in counts, up to FPR x", "以计数表示的 ROC 曲线，到 FPR = x 为止")
    return excerpt.table("trapezoids", title, columns, Text("steps", "段"))


@explains(PrAuc)
def precision_recall(metric: PrAuc, view: BinaryView) -> Derivation:
    """Precision and recall at each threshold, and what recall gains there."""
    counts = view.thresholds
    positives = plain(counts.positives)
    steps: list[Step] = [number_line("positives", Text("positives P⁺", "正例数 P⁺"), positives)]
    if not positives:
        return Derivation(steps)
    excerpt, total = ends(counts.at[0] > 0), metric.covered(counts)
    height = Text("P", "P") if metric.interpolation == "step" else Text("mean P", "平均 P")
    at, terms = metric.terms(counts)
    every = np.zeros(len(counts))
    every[at] = terms
    steps += [
        threshold_grid(
            counts,
            excerpt,
            ("precision", Text("precision P", "精确率 P"), counts.tp / (counts.tp + counts.fp)),
            ("recall", Text("recall R", "召回率 R"), counts.tp / counts.positives),
            ("gained", "ΔTP", excerpt.of(counts.at[0])),
            ("term", Text(f"ΔR · {height.en}", f"ΔR · {height.zh}"), every / counts.positives),
        ),
        Line("covered", Text(*(f"Σ ΔTP · {word}" for word in height)), _OVER_THRESHOLDS, (), float(total)),
    ]
    value = min(1.0, float(total / Fraction(counts.positives)))
    return Derivation(steps, "{} / {}", (float(total), positives), value)


_OVER_THRESHOLDS = Text("the exact sum over all thresholds", "对全部阈值精确求和")
