"""Confidence intervals: AUC by DeLong's variance, everything else by the bootstrap."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.errors import InputError
from pingce.evidence.binary import BinaryEvidence, TableEvidence
from pingce.evidence.thresholds import Cells, ThresholdEvidence
from pingce.exact import weighted_dot
from pingce.language import Text
from pingce.stats.calibration import bin_sums
from pingce.stats.delong import score_interval

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pingce.evidence.grouped import GroupEvidence
    from pingce.scores.base import Value

    Floats = NDArray[np.float64]
    Interval = tuple[float, float]

NONE = (math.nan, math.nan)
_BY_DELONG = ("auc", "rank_loss")
EXCESS = 1 / (math.sqrt(2) - 1)
"""What is best of several is too good by σ times some number, and a draw, whose noise is √2 σ with that of the data, by
√2 as much: draws show √2 - 1 of what the data has. (Of a single sharp peak they show more; the end is lower then.)"""
NEEDED = 20
"Rows of each class without which draws of curves hold the truth in fewer than 9 of 10 cases."
FEW = 50
"Rows of a cell below which what was counted says too little of what may be: 0 of 6 is not 0 for certain."


def checked_confidence(confidence: float, samples: int, seed: int = 0) -> None:
    """Refuse a confidence, a number of samples or a seed that makes no sense."""
    if isinstance(confidence, bool) or not isinstance(confidence, (int, float)) or not 0.5 < (1 + confidence) / 2 < 1:
        raise InputError(
            f"ci={confidence}: it is the confidence, a number between 0 and 1 such as 0.95",
            f"ci={confidence}：应为置信水平，介于 0 与 1 之间，例如 0.95",
        )
    if isinstance(samples, bool) or not isinstance(samples, (int, np.integer)) or not 10 <= samples <= 1_000_000:
        raise InputError(
            f"samples={samples}: the number of bootstrap samples must be a whole number from 10 to 1000000",
            f"samples={samples}：自助抽样次数须为 10 到 1000000 的整数",
        )
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or seed < 0:
        raise InputError(
            f"seed={seed!r}: the seed of the bootstrap must be a whole number from 0 up",
            f"seed={seed!r}：自助抽样的种子须为不小于 0 的整数",
        )


def with_intervals(
    values: Mapping[str, Value], evidence: BinaryEvidence, *, confidence: float, samples: int, seed: int
) -> dict[str, Value]:
    """The values with their intervals. The same seed gives the same bits, in whatever order rows come."""
    checked_confidence(confidence, samples, seed)
    found: dict[str, Interval | None] = {}
    few = has_few(evidence)
    by_cells = {}
    for name, value in values.items():
        if value.metric.no_interval is not None or (few and is_drawn_from_few(value.metric)):
            found[name] = None
        elif value.metric.name in _BY_DELONG and evidence.rows.weight is None:
            found[name] = _mirrored(delong(evidence.thresholds, confidence), value.metric.name)
        elif value.metric.name == "ece":
            found[name] = bin_sums(value.metric, evidence).interval(confidence)
        elif value.metric.needs == "groups":  # type: ignore[attr-defined]
            groups = evidence.groups(value.metric.needed_columns())  # type: ignore[attr-defined]
            found[name] = _of_groups(groups, value.metric, confidence, samples, seed)
        else:
            by_cells[name] = value
    if by_cells:
        found |= _of_cells(by_cells, evidence, confidence, samples, seed)
    return {name: replace(value, interval=found[name]) for name, value in values.items()}


def has_few(evidence: BinaryEvidence) -> bool:
    """Whether a class has so few rows that draws of curves say too little: 6 positives hide more than they show."""
    rows = evidence.rows
    positive = rows.positive if rows.weight is None else rows.positive[rows.weight > 0]
    positives = int(np.count_nonzero(positive))
    return min(positives, len(positive) - positives) < NEEDED


def is_drawn_from_few(metric: Any) -> bool:
    """Whether a metric is a curve's, or divides by the rarer class, and is drawn."""
    return bool(metric.needs == "thresholds" or metric.name == "ne")


def _mirrored(interval: Interval, metric: str) -> Interval:
    return interval if metric == "auc" else (1 - interval[1], 1 - interval[0])


def delong_variance(table: ThresholdEvidence) -> float:
    """The variance of AUC: of each positive's share of negatives below it, and the like of each negative.

    V = S(v⁺) / P + S(v⁻) / N, S the sample variance; equal scores count half.            [DeLong et al. 1988]
    """
    positives, negatives = (column.astype(np.float64) for column in table.at)
    many, few = table.positives, table.negatives
    if many < 2 or few < 2:
        return math.nan
    of_positives = (2 * (few - table.fp) + negatives) / (2 * few)
    of_negatives = (2 * table.tp - positives) / (2 * many)
    area = float(table.pairs().twice_concordant) / (2 * many * few)
    above = float(weighted_dot(of_positives - area, of_positives - area, positives)) / (many - 1)
    below = float(weighted_dot(of_negatives - area, of_negatives - area, negatives)) / (few - 1)
    return above / many + below / few


def delong(table: ThresholdEvidence, confidence: float) -> Interval:
    """AUC ± z · √V; where that leaves [0, 1], or nothing varies, the score interval, which does not collapse."""
    if table.positives < 2 or table.negatives < 2:
        return NONE
    area = float(table.pairs().twice_concordant) / (2 * table.positives * table.negatives)
    half = NormalDist().inv_cdf((1 + confidence) / 2) * math.sqrt(delong_variance(table))
    if half and area - half >= 0 and area + half <= 1:
        return area - half, area + half
    return score_interval(area, (float(table.positives), float(table.negatives)), confidence)


TOO_FEW = Text(
    f"draws of fewer than {NEEDED} rows of a class say too little of it",
    f"某类不足 {NEEDED} 行，抽样说明不了什么",
)


def interval_notes(values: Mapping[str, Value]) -> tuple[Text, ...]:
    """A sentence for each metric that has no interval, and why."""
    missing = {name: value for name, value in values.items() if value.interval is None and not math.isnan(value.value)}
    reasons = {name: value.metric.no_interval or TOO_FEW for name, value in missing.items()}
    return tuple(
        Text(f"{name} has no confidence interval: {reason.en}", f"{name} 没有置信区间：{reason.zh}")
        for name, reason in reasons.items()
    )


def percentiles(drawn: Floats, confidence: float) -> Interval:
    """The middle of what was drawn; undefined draws are left out."""
    known = drawn[~np.isnan(drawn)]
    if not len(known):
        return NONE
    low, high = np.quantile(known, [(1 - confidence) / 2, (1 + confidence) / 2])
    return float(low), float(high)


def drawn_interval(drawn: Floats, value: Value, confidence: float) -> Interval:
    """The middle of what was drawn, with the value itself; what is too good on average is first set right."""
    low, high = percentiles(drawn, confidence)
    if math.isnan(low):
        return NONE
    if value.metric.optimistic:
        mean = float(np.nanmean(drawn))
        excess = max(0.0, mean - value.value) * EXCESS
        low, high = value.value - excess - max(high - mean, mean - low), value.value + (mean - low)
        low, high = max(0.0, low), min(1.0, high)
    return min(low, value.value), max(high, value.value)


def _of_groups(groups: GroupEvidence, gauc: Any, confidence: float, samples: int, seed: int) -> Interval:
    """Groups are drawn, with those of one class among them, as they came; without any weight there is no group."""
    groups = groups if groups.weight is None else groups.select(groups.weight > 0)
    auc, weights = gauc.areas(groups), groups.weights(gauc.by)
    known = ~np.isnan(auc)
    if gauc.single == "nan" and not known.all():
        return NONE
    top, bottom = np.where(known, auc * weights, 0.0), np.where(known, weights, 0.0)
    random = np.random.Generator(np.random.PCG64(seed))
    share = np.full(len(groups), 1 / len(groups))
    drawn = np.full(samples, np.nan)
    for i in range(samples):
        often = random.multinomial(len(groups), share)
        total = float((often * bottom).sum())
        drawn[i] = float((often * top).sum()) / total if total else np.nan
    return percentiles(drawn, confidence)


def _of_cells(
    values: Mapping[str, Value], evidence: BinaryEvidence, confidence: float, samples: int, seed: int
) -> dict[str, Interval]:
    """Cells (score, label) are drawn as often as they hold rows, and every metric is computed anew."""
    asked, drawn = values, {name: np.full(samples, np.nan) for name in values}
    decided = {name: value for name, value in values.items() if value.metric.needs == "cells"}  # type: ignore[attr-defined]
    if evidence.rows.weight is None:
        for name, value in decided.items():
            drawn[name] = _of_decision(value, evidence, samples, seed)
        values = {name: value for name, value in values.items() if name not in decided}
    for i, sample in enumerate(_tables(evidence, samples, seed) if values else ()):
        for name, value in values.items():
            metric: Any = value.metric
            drawn[name][i] = metric.value(sample.seen(value.policies))  # type: ignore[arg-type]
    return {name: drawn_interval(column, asked[name], confidence) for name, column in drawn.items()}


def _of_decision(value: Value, evidence: BinaryEvidence, samples: int, seed: int) -> Floats:
    """A decision knows four cells only: these are drawn, and no table is made.

    Where a cell has few rows, shares are drawn that may be behind the counts (half a row added to each), not counts.
    """
    view = evidence.seen(value.policies)  # type: ignore[arg-type]
    cells = np.array([view.cells.tp, view.cells.fp, view.cells.tn, view.cells.fn])
    metric: Any = value.metric
    random = np.random.Generator(np.random.PCG64(seed))
    if math.isnan(metric.of(view.cells)):
        return np.full(samples, np.nan)
    if cells.min() < FEW:
        often: NDArray[Any] = random.dirichlet(cells + 0.5, size=samples)
    else:
        often = random.multinomial(int(cells.sum()), cells / cells.sum(), size=samples)
    return np.array([metric.of(Cells(*one)) for one in often.tolist()])


def _tables(evidence: BinaryEvidence, samples: int, seed: int) -> Iterator[TableEvidence]:
    rows, random = evidence.rows, np.random.Generator(np.random.PCG64(seed))
    draw = _weighted_draw(evidence) if rows.weight is not None else _counted_draw(evidence)
    known: dict[float, tuple[Floats, Floats]] = {}
    for _ in range(samples):
        score, positives, negatives = draw(random)
        kept = (positives > 0) | (negatives > 0)
        table = ThresholdEvidence(score[kept], np.cumsum(positives[kept]), np.cumsum(negatives[kept]))
        yield TableEvidence(table, rows, losses=SharedLosses(score, kept, known), rounded=True)


class SharedLosses:
    """Losses of the distinct scores, computed once for all samples."""

    def __init__(self, score: NDArray[Any], kept: NDArray[np.bool_], known: dict[float, tuple[Floats, Floats]]) -> None:
        self.score, self.kept, self.known = score, kept, known

    def __call__(self, epsilon: float) -> tuple[Floats, Floats]:
        """Of a negative and of a positive row with each score."""
        if epsilon not in self.known:
            from pingce.evidence.label_reference import losses_of_sides

            self.known[epsilon] = losses_of_sides(self.score, epsilon)
        negative, positive = self.known[epsilon]
        return negative[self.kept], positive[self.kept]


_Draw = Callable[[np.random.Generator], "tuple[NDArray[Any], NDArray[Any], NDArray[Any]]"]


def _counted_draw(evidence: BinaryEvidence) -> _Draw:
    """As many rows as there are, from the cells of the table."""
    table = evidence.thresholds
    cells = np.concatenate(table.at)
    total = int(cells.sum())
    share = cells / total

    def draw(random: np.random.Generator) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        often = random.multinomial(total, share)
        return table.score, often[: len(table)], often[len(table) :]

    return draw


def _weighted_draw(evidence: BinaryEvidence) -> _Draw:
    """As many rows as have a weight; each brings its own along. Rows are sorted first: their order must not matter."""
    rows = evidence.rows
    weight = rows.weight if rows.weight is not None else np.ones(len(rows))
    order = np.lexsort((weight, rows.positive, -rows.scores))
    order = order[weight[order] > 0]
    score, positive, weight = rows.scores[order], rows.positive[order].astype(bool), weight[order]
    starts = np.flatnonzero(np.concatenate([[True], score[1:] != score[:-1]]))
    share = np.full(len(order), 1 / len(order))

    def draw(random: np.random.Generator) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        drawn = random.multinomial(len(order), share) * weight
        positives, negatives = (np.add.reduceat(np.where(side, drawn, 0.0), starts) for side in (positive, ~positive))
        return score[starts], positives, negatives

    return draw
