"""Confidence intervals of labels and scores: AUC by DeLong's variance, everything else by the bootstrap."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats
from pingce.base.text import Text
from pingce.evidence.binary.evidence import BinaryEvidence
from pingce.evidence.binary.grouped import GroupEvidence
from pingce.metrics.declared import Metric
from pingce.scores.base import Scores
from pingce.scores.values import Value
from pingce.stats.calibration import bin_sums
from pingce.stats.clustered import area_interval
from pingce.stats.decisions import decision_draws
from pingce.stats.delong import delong, score_interval
from pingce.stats.draws import NONE, drawn_interval, metric_view, percentiles, value_columns, with_interval
from pingce.stats.influences import influences_of, widened
from pingce.stats.matrices import CellSums
from pingce.stats.predictions import group_codes
from pingce.stats.resampling import Resampling
from pingce.stats.skewed import both_ways
from pingce.stats.tables import drawn_tables

Codes = NDArray[np.int64]
Interval = tuple[float, float]


MANY = 200
"Rows of each class from which draws of a curve alone hold the truth."


def with_intervals(
    values: Mapping[str, Value], evidence: BinaryEvidence, resampling: Resampling, *, by_group: bool = False
) -> dict[str, Value]:
    """The values with their intervals, in whatever order rows come; `by_group` groups vary and not rows."""
    codes = group_codes(evidence) if by_group else None
    rarer = rarer_rows(evidence)
    ends: dict[str, Interval | None] = {}
    sampled: dict[str, Value] = {}
    for name, value in values.items():
        metric: Any = value.metric
        may_clip = codes is None and metric.takes_logarithm and metric.eps is None
        is_clipped = may_clip and bool(evidence.probability(None).clipped)
        if metric.no_interval is not None or rarer < metric.rows_for_interval() or is_clipped:
            ends[name] = None
        elif metric.paired_test == "delong" and evidence.rows.weight is None:
            confidence = resampling.confidence
            area = delong(evidence.thresholds, confidence) if codes is None else area_interval(evidence, confidence)
            ends[name] = area if metric.about.higher_is_better else (1 - area[1], 1 - area[0])
        elif metric.paired_test == "calibration":
            ends[name] = bin_sums(metric, evidence, codes).interval(resampling.confidence)
        elif metric.needs == "groups":
            ends[name] = _group_interval(evidence.groups(metric.needed_columns()), metric, resampling)
        else:
            sampled[name] = value
    for name, column in _columns(sampled, evidence, resampling, codes).items():
        ends[name] = _drawn_interval(sampled[name], column, evidence, resampling, codes)
    return {name: with_interval(value, ends[name]) for name, value in values.items()}


def rarer_rows(evidence: BinaryEvidence) -> int:
    """How many rows the rarer class has: 6 positives hide more than they show."""
    rows = evidence.rows
    positive = rows.positive if rows.weight is None else rows.positive[rows.weight > 0]
    positives = int(np.count_nonzero(positive))
    return min(positives, len(positive) - positives)


def _group_interval(groups: GroupEvidence, gauc: Any, resampling: Resampling) -> Interval:
    """Groups are drawn, with those of one class among them, as they came; without any weight there is no group."""
    groups = groups if groups.weight is None else groups.select(groups.weight > 0)
    auc, weights = gauc.areas(groups), groups.weights(gauc.by)
    defined = ~np.isnan(auc)
    if gauc.single == "nan" and not defined.all():
        return NONE
    top, bottom = np.where(defined, auc * weights, 0.0), np.where(defined, weights, 0.0)
    random, share = resampling.random(), np.full(len(groups), 1 / len(groups))
    column = np.full(resampling.samples, np.nan)
    for i in range(resampling.samples):
        often = random.multinomial(len(groups), share)
        total = float((often * bottom).sum())
        column[i] = float((often * top).sum()) / total if total else np.nan
    return percentiles(column, resampling)


def _columns(
    values: Mapping[str, Value], evidence: BinaryEvidence, resampling: Resampling, codes: Codes | None
) -> dict[str, Floats]:
    """Draws of each metric: of the four cells of a decision, else of tables of scores, or of groups with their rows."""
    columns = {}
    for name, value in values.items() if codes is None else ():
        metric: Any = value.metric
        decisions = decision_draws(value, evidence, resampling) if metric.needs == "cells" else None
        if decisions is not None:
            columns[name] = decisions
    others = {name: value for name, value in values.items() if name not in columns}
    return columns | value_columns(others, drawn_tables(evidence, resampling, codes))


def _drawn_interval(
    value: Value, column: Floats, evidence: BinaryEvidence, resampling: Resampling, codes: Codes | None
) -> Interval:
    """The interval of draws, longer where few rows of a class, or a few rows or groups of great weight, decide the value."""
    metric: Any = value.metric
    weight, confidence = evidence.rows.weight, resampling.confidence
    influences = influences_of(metric.row_terms(metric_view(value, evidence)), weight)
    if codes is not None and influences is not None:
        influences = influences.by_group(codes if weight is None else codes[weight > 0])
    interval = widened(value, influences, drawn_interval(column, value, resampling), confidence)
    if codes is not None or math.isnan(interval[0]):
        return interval
    if metric.paired_test == "delong" and not 0 < interval[0] <= interval[1] < 1:
        classes = CellSums.of(evidence.rows.positive.astype(np.intp), 2, weight)
        negatives, positives = classes.counts().tolist()
        ends = score_interval(value.value, (positives, negatives), confidence)
        return min(interval[0], ends[0]), max(interval[1], ends[1])
    if metric.decided_by_few and (rarer := rarer_rows(evidence)) < MANY:
        return both_ways(interval, value.value, 0.5 / rarer)
    return interval


ALIKE = Text(
    "rows drawn anew always give the same value, which does not say how others may differ",
    "对行重新抽样总得到同一个值，说明不了其他数据会如何",
)
CLIPPED = Text(
    "there are probabilities of 0 or 1, where one wrong label decides it, or too few rows of a class, or draws that are all alike",
    "有等于 0 或 1 的概率（那里错一个标签就会决定结果），或某类行数太少，或抽样结果全都相同",
)


def no_interval(metric: Metric) -> Text:
    """Why a metric has no interval: it never has, a class has too few rows, or draws are all alike."""
    if metric.no_interval is not None:
        return metric.no_interval
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
