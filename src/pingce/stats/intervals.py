"""Confidence intervals of predictions: AUC by DeLong's variance, calibration by its bins, all else by draws of rows."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from pingce.base.exact import Floats, Ints
from pingce.base.text import Text
from pingce.evidence.binary.evidence import BinaryEvidence
from pingce.evidence.binary.grouped import GroupEvidence
from pingce.evidence.multiclass.evidence import MulticlassEvidence
from pingce.inputs.regression import NumberRows
from pingce.metrics.declared import Metric
from pingce.scores.base import Scores
from pingce.scores.values import NO_INTERVAL, Interval, Value
from pingce.stats.areas import clustered_delong, delong, group_codes, score_interval
from pingce.stats.calibration import bin_sums
from pingce.stats.cells import CellSums, MatrixDraws, decision_draws, share_interval
from pingce.stats.influences import Influences, both_ways, widened
from pingce.stats.predictions import ClassPredictions, NumberPredictions, drawn_tables
from pingce.stats.resampling import (
    Resampling,
    drawn_interval,
    metric_view,
    normal_z,
    percentiles,
    value_columns,
    with_interval,
)

Values = Mapping[str, Value]

MANY = 200
"Rows of each class from which draws of a curve alone hold the truth."
_SQUARABLE = 1e140
"Sums of squares of such numbers are doubles."


def label_intervals(
    values: Values, evidence: BinaryEvidence, resampling: Resampling, *, by_group: bool = False
) -> dict[str, Value]:
    """The values with their intervals, in whatever order rows come; `by_group` groups vary and not rows."""
    codes, confidence = group_codes(evidence) if by_group else None, resampling.confidence
    rarer = _rarer_rows(evidence)
    ends: dict[str, Interval | None] = {}
    sampled: dict[str, Value] = {}
    for name, value in values.items():
        metric = value.metric
        may_clip = codes is None and metric.takes_logarithm and metric.eps is None
        is_clipped = may_clip and bool(evidence.probability(None).clipped)
        if metric.no_interval is not None or rarer < metric.rows_for_interval() or is_clipped:
            ends[name] = None
        elif metric.paired_test == "delong" and evidence.rows.weight is None:
            area = delong(evidence.thresholds, confidence) if codes is None else clustered_delong(evidence, confidence)
            ends[name] = area if metric.about.higher_is_better else (1 - area[1], 1 - area[0])
        elif metric.paired_test == "calibration":
            ends[name] = bin_sums(metric, evidence, codes).interval(normal_z(confidence))
        elif metric.needs == "groups":
            ends[name] = _group_interval(evidence.groups(metric.needed_columns()), metric, resampling)
        else:
            sampled[name] = value
    for name, column in _label_columns(sampled, evidence, resampling, codes).items():
        ends[name] = _label_interval(sampled[name], column, evidence, resampling, codes)
    return {name: with_interval(value, ends[name]) for name, value in values.items()}


def _rarer_rows(evidence: BinaryEvidence) -> int:
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
        return NO_INTERVAL
    top, bottom = np.where(defined, auc * weights, 0.0), np.where(defined, weights, 0.0)
    random, share = resampling.random(), np.full(len(groups), 1 / len(groups))
    column = np.full(resampling.samples, np.nan)
    for i in range(resampling.samples):
        often = random.multinomial(len(groups), share)
        total = float((often * bottom).sum())
        column[i] = float((often * top).sum()) / total if total else np.nan
    return percentiles(column, resampling)


def _label_columns(
    values: Values, evidence: BinaryEvidence, resampling: Resampling, codes: Ints | None
) -> dict[str, Floats]:
    """Draws of each metric: of the four cells of a decision, else of tables of scores, or of groups with their rows."""
    decisions = {name: value for name, value in values.items() if codes is None and value.metric.needs == "cells"}
    draws = {name: decision_draws(value, evidence, resampling) for name, value in decisions.items()}
    columns = {name: column for name, column in draws.items() if column is not None}
    others = {name: value for name, value in values.items() if name not in columns}
    return columns | value_columns(others, drawn_tables(evidence, resampling, codes))


def _label_interval(
    value: Value, column: Floats, evidence: BinaryEvidence, resampling: Resampling, codes: Ints | None
) -> Interval:
    """The interval of draws, longer where few rows of a class, or a few rows or groups of great weight, decide the value."""
    metric, weight, confidence = value.metric, evidence.rows.weight, resampling.confidence
    influences = Influences.of_terms(metric.row_terms(metric_view(value, evidence)), weight)
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
    if metric.decided_by_few and (rarer := _rarer_rows(evidence)) < MANY:
        return both_ways(interval, value.value, 0.5 / rarer)
    return interval


def class_intervals(values: Values, evidence: MulticlassEvidence, resampling: Resampling) -> dict[str, Value]:
    """The values of classes with their intervals."""
    predictions, confidence = ClassPredictions(evidence), resampling.confidence
    ends = _matrix_intervals(values, evidence, resampling)
    others = {name: value for name, value in values.items() if name not in ends}
    for name, interval in _row_intervals(others, predictions, resampling).items():
        value, metric = values[name], values[name].metric
        view = metric_view(value, evidence)
        right = metric.right_rows(view)
        share = None if right is None else share_interval(right, predictions.weight, confidence)
        influences = Influences.of_terms(metric.row_terms(view), predictions.weight)
        ends[name] = widened(value, influences, share or interval, confidence)
    return {name: with_interval(value, ends.get(name)) for name, value in values.items()}


def _matrix_intervals(values: Values, evidence: MulticlassEvidence, resampling: Resampling) -> dict[str, Interval]:
    """Metrics of the confusion matrix, by matrices that may be behind it where a class has few rows in a cell."""
    chosen = {
        name: value
        for name, value in values.items()
        if value.metric.needs == "confusion" and value.metric.no_interval is None
    }
    if not chosen or not (draws := MatrixDraws.of(evidence)).has_few:
        return {}
    true, predicted = draws.present
    kinds = (False, True) if (true != predicted).any() else (False,)  # absent by chance, or for good
    columns = [value_columns(chosen, draws.matrices(resampling, absent=absent)) for absent in kinds]
    ends = {name: [drawn_interval(each[name], value, resampling) for each in columns] for name, value in chosen.items()}
    return {name: (min(low for low, _ in pairs), max(high for _, high in pairs)) for name, pairs in ends.items()}


def number_intervals(values: Values, rows: NumberRows, resampling: Resampling) -> dict[str, Value]:
    """The values of numbers with their intervals; a row of weight 0 is none."""
    rows = getattr(rows, "data", rows).counted()
    ends = _row_intervals(values, NumberPredictions(rows), resampling)
    for name, interval in ends.items():
        if not math.isnan(interval[0]):
            value = values[name]
            wide = widened(value, _number_influences(value.metric, rows), interval, resampling.confidence)
            ends[name] = _rank_interval(value, wide, len(rows)) if value.metric.of_ranks else wide
    return {name: with_interval(value, ends.get(name)) for name, value in values.items()}


def _number_influences(metric: Any, rows: NumberRows) -> Influences | None:
    """Influences on a metric of numbers, on its square where it is a root; None where squares are beyond doubles."""
    largest = [float(np.abs(side).max(initial=0)) for side in (rows.true, rows.predicted)]
    if any(size and not 1 / _SQUARABLE <= size <= _SQUARABLE for size in largest):
        return None
    return Influences.of_terms(metric.row_terms(rows), rows.weight)


def _rank_interval(value: Value, interval: Interval, count: int) -> Interval:
    """Rows that were drawn twice share a rank: a correlation of ranks that were drawn is too low."""
    low, middle, high = ((1 + end) / 2 for end in (interval[0], value.value, interval[1]))
    ends = both_ways((low, high), middle, 0.5 / count**2)
    return 2 * ends[0] - 1, 2 * ends[1] - 1


def _row_intervals(
    values: Values, predictions: ClassPredictions | NumberPredictions, resampling: Resampling
) -> dict[str, Interval]:
    """As many rows as there are, drawn again and again; every metric that has an interval is computed anew."""
    offered = {name: value for name, value in values.items() if value.metric.no_interval is None}
    metrics, order, random = [value.metric for value in values.values()], predictions.order, resampling.random()
    draws = (order[random.integers(0, len(order), len(order))] for _ in range(resampling.samples))
    columns = value_columns(offered, (predictions.select(rows, metrics) for rows in draws))
    return {name: drawn_interval(columns[name], value, resampling) for name, value in offered.items()}


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
