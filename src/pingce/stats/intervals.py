"""Confidence intervals: AUC by DeLong's variance, everything else by the bootstrap."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.base.errors import InputError
from pingce.base.exact import weighted_dot
from pingce.base.text import Text
from pingce.evidence.binary.evidence import BinaryEvidence
from pingce.evidence.binary.thresholds import ThresholdEvidence
from pingce.stats.calibration import bin_sums
from pingce.stats.decisions import decision_draws
from pingce.stats.delong import score_interval
from pingce.stats.influences import label_influences, widened
from pingce.stats.matrices import CellSums, is_point
from pingce.stats.skewed import both_ways
from pingce.stats.tables import drawn_tables

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pingce.evidence.binary.grouped import GroupEvidence
    from pingce.metrics.declared import Metric
    from pingce.scores.base import Scores, Value

    Floats = NDArray[np.float64]
    Interval = tuple[float, float]

NONE = (math.nan, math.nan)
EXCESS = 1 / (math.sqrt(2) - 1)
"""What is best of several is too good by σ times some number, and a draw, whose noise is √2 σ with that of the data, by
√2 as much: draws show √2 - 1 of what the data has. (Of a single sharp peak they show more; the end is lower then.)"""
MANY = 200
"Rows of each class from which draws of a curve alone hold the truth."


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
    rarer = rarer_rows(evidence)
    by_cells = {}
    for name, value in values.items():
        metric: Any = value.metric
        if metric.no_interval is not None or rarer < metric.rows_for_interval() or _clips(metric, evidence):
            found[name] = None
        elif metric.paired_test == "delong" and evidence.rows.weight is None:
            found[name] = area_ends(metric, delong(evidence.thresholds, confidence))
        elif metric.paired_test == "calibration":
            found[name] = bin_sums(metric, evidence).interval(confidence)
        elif metric.needs == "groups":
            groups = evidence.groups(metric.needed_columns())
            found[name] = _of_groups(groups, metric, confidence, samples, seed)
        else:
            by_cells[name] = value
    if by_cells:
        found |= _of_cells(by_cells, evidence, confidence, samples, seed)
    return {name: with_interval(value, found[name]) for name, value in values.items()}


def with_interval(value: Value, interval: Interval | None) -> Value:
    """The value with its interval; a point is none: rows that are all alike do not say how others may differ."""
    return replace(value, interval=None if is_point(interval) else interval)


def _clips(metric: Any, evidence: BinaryEvidence) -> bool:
    """Whether a logarithm was taken of probabilities of 0 or 1, so that an ε nobody chose says what a wrong label costs."""
    return metric.takes_logarithm and metric.eps is None and bool(evidence.probability(None).clipped)


def rarer_rows(evidence: BinaryEvidence) -> int:
    """How many rows the rarer class has: 6 positives hide more than they show."""
    rows = evidence.rows
    positive = rows.positive if rows.weight is None else rows.positive[rows.weight > 0]
    positives = int(np.count_nonzero(positive))
    return min(positives, len(positive) - positives)


def area_ends(metric: Metric, interval: Interval) -> Interval:
    """The interval of a metric from that of the area: a rank loss is lower where the area is larger."""
    return interval if metric.about.higher_is_better else (1 - interval[1], 1 - interval[0])


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


ALIKE = Text(
    "rows drawn anew always give the same value, which does not say how others may differ",
    "对行重新抽样总得到同一个值，说明不了其他数据会如何",
)


CLIPPED = Text(
    "there are probabilities of 0 or 1, where one wrong label decides it, or too few rows of a class, or draws that are all alike",
    "有等于 0 或 1 的概率（那里错一个标签就会决定结果），或某类行数太少，或抽样结果全都相同",
)


def no_interval(metric: Any) -> Text:
    """Why a metric has none: it never has, a class has too few rows, or draws are all alike."""
    reason: Text | None = metric.no_interval
    if reason is not None:
        return reason
    if metric.takes_logarithm:
        return CLIPPED
    needed = metric.rows_for_interval()
    if not needed:
        return ALIKE
    return Text(
        f"draws of fewer than {needed} rows of a class, or such as are all alike, say too little of it",
        f"某类不足 {needed} 行，或抽样结果全都相同，说明不了什么",
    )


def note_no_intervals(scores: Scores) -> None:
    """Add to the notes which metrics have no interval where intervals were asked for, and why."""
    if scores.confidence is None:
        return
    for name, value in scores.values_by_name.items():
        if value.interval is None and not math.isnan(value.value):
            reason = no_interval(value.metric)
            note = Text(f"{name} has no confidence interval: {reason.en}", f"{name} 没有置信区间：{reason.zh}")
            scores.notes = (*scores.notes, note)


def percentiles(drawn: Floats, confidence: float) -> Interval:
    """The middle of what was drawn; undefined draws are left out."""
    known = drawn[~np.isnan(drawn)]
    if not len(known):
        return NONE
    low, high = np.quantile(known, [(1 - confidence) / 2, (1 + confidence) / 2])
    return float(low), float(high)


def drawn_interval(sample: Floats, value: Value, confidence: float) -> Interval:
    """The middle of what was drawn, with the value itself; what is too good on average is first set right."""
    low, high = percentiles(sample, confidence)
    if math.isnan(low):
        return NONE
    if value.metric.optimistic:
        mean = float(np.nanmean(sample))
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
    for name, value in decided.items():
        column = decision_draws(value, evidence, samples, seed)
        if column is not None:
            drawn[name] = column
            values = {other: one for other, one in values.items() if other != name}
    for i, sample in enumerate(drawn_tables(evidence, samples, seed) if values else ()):
        for name, value in values.items():
            metric: Any = value.metric
            drawn[name][i] = metric.value(sample.seen(value.policies))  # type: ignore[arg-type]
    return {name: set_right(asked[name], column, evidence, confidence) for name, column in drawn.items()}


def set_right(value: Value, drawn: Floats, evidence: BinaryEvidence, confidence: float) -> Interval:
    """The interval of draws, longer where few rows of a class, or a few rows of great weight, decide the value."""
    interval = widened(value, label_influences(value, evidence), drawn_interval(drawn, value, confidence), confidence)
    if math.isnan(interval[0]):
        return interval
    if value.metric.paired_test == "delong" and not 0 < interval[0] <= interval[1] < 1:
        ends = score_interval(value.value, _effective_counts(evidence), confidence)
        return min(interval[0], ends[0]), max(interval[1], ends[1])
    if value.metric.decided_by_few and (rarer := rarer_rows(evidence)) < MANY:
        return both_ways(interval, value.value, 0.5 / rarer)
    return interval


def _effective_counts(evidence: BinaryEvidence) -> tuple[float, float]:
    """How many rows of equal weight each class would have."""
    rows = evidence.rows
    negative, positive = CellSums.of(rows.positive.astype(np.intp), 2, rows.weight).counts().tolist()
    return positive, negative
