"""Confidence intervals of predictions: by the method of the metric, by what each row adds, or by draws of rows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np

from pingce.base.exact import Floats
from pingce.base.interval import NO_INTERVAL, Interval
from pingce.base.progress import stepwise
from pingce.base.text import Text
from pingce.evidence.binary.evidence import BinaryEvidence
from pingce.evidence.binary.grouped import GroupEvidence
from pingce.evidence.binary.pieced import PiecedEvidence, RowsGoneError
from pingce.evidence.binary.stack import quotients
from pingce.evidence.multiclass.evidence import MulticlassEvidence
from pingce.inputs.regression import NumberRows
from pingce.metrics.declared import Metric
from pingce.scores.base import Scores
from pingce.scores.values import Value
from pingce.stats.areas import score_interval
from pingce.stats.cells import FEW, CellSums, MatrixDraws, share_interval
from pingce.stats.direct import direct_interval
from pingce.stats.draws import Units
from pingce.stats.influences import Influences, both_ways, equivalent_count, median_ends, widened, within_range
from pingce.stats.labels import LabelRows
from pingce.stats.predictions import ClassPredictions, NumberPredictions, Predictions
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


GROUPS = 10
"Groups of one weight from which what each adds says as much as draws do."


def label_intervals(
    values: Values, evidence: BinaryEvidence, resampling: Resampling, *, by_group: bool = False
) -> dict[str, Value]:
    """The values with their intervals, in whatever order rows come; `by_group` groups vary and not rows."""
    rows = LabelRows(evidence, by_group=by_group)
    expanded: list[LabelRows] = []

    def interval(value: Value) -> Value:
        try:
            return _label_value(value, rows, resampling)
        except RowsGoneError:  # what each row adds is asked for, and rows were counted: they are made of the counts
            if not isinstance(evidence, PiecedEvidence) or rows.weight is not None:
                raise
        if not expanded:
            expanded.append(LabelRows(evidence.expanded()))
        return _label_value(value, expanded[0], resampling)

    return {name: interval(values[name]) for name in stepwise(values)}


def _label_value(value: Value, rows: LabelRows, resampling: Resampling) -> Value:
    """By the method of the metric, by what each row adds, else by draws."""
    metric, evidence = value.metric, rows.evidence
    may_clip = rows.codes is None and metric.takes_logarithm and metric.eps is None
    is_clipped = may_clip and bool(evidence.probability(None).clipped)
    if metric.no_interval is not None or rows.rarer < metric.rows_for_interval() or is_clipped:
        return with_interval(value, None)
    if metric.of_groups:
        return _label_group_value(value, evidence.groups(metric.needed_columns()), resampling)
    direct = direct_interval(value, rows, resampling.confidence)
    return with_interval(value, *(direct or (_label_interval(value, rows, resampling), rows.drawing(value))))


def _label_group_value(value: Value, groups: GroupEvidence, resampling: Resampling) -> Value:
    """Groups vary, those of one class among them, as they came; without any weight there is no group."""
    gauc = value.metric
    groups = groups if groups.weight is None else groups.select(groups.weight > 0)
    areas = gauc.areas(groups)
    if gauc.single == "nan" and np.isnan(areas)[gauc.eligible(groups)].any():
        return with_interval(value, NO_INTERVAL)
    return _group_value(value, areas, gauc.weights(groups), resampling)


def _group_value(value: Value, areas: Floats, weights: Floats, resampling: Resampling) -> Value:
    """The mean of what groups have; those without a value weigh nothing, and vary as the others do."""
    defined = ~np.isnan(areas)
    top, bottom = np.where(defined, areas * weights, 0.0), np.where(defined, weights, 0.0)
    if equivalent_count(bottom) >= GROUPS:
        influences = Influences.of_ratio(top, bottom, None)
        return with_interval(value, within_range(value, influences.interval(resampling.confidence)), "influence")
    columns = [np.concatenate(each) for each in zip(*_group_sums(top, bottom, resampling), strict=True)]
    return with_interval(value, percentiles(quotients(*columns), resampling), "bootstrap")


def _group_sums(top: Floats, bottom: Floats, resampling: Resampling) -> Iterator[tuple[Floats, Floats]]:
    """Both sums of each draw."""
    units = Units.of_counts(np.ones(len(top), np.int64))
    for often in units.sums(resampling):
        yield (often * top).sum(axis=1), (often * bottom).sum(axis=1)


def _label_interval(value: Value, rows: LabelRows, resampling: Resampling) -> Interval:
    """The interval of draws, longer where few rows of a class, or a few rows or groups of great weight, decide the value."""
    metric, weight, codes, confidence = value.metric, rows.weight, rows.codes, resampling.confidence
    influences = Influences.of_terms(rows.terms(value), weight)
    if codes is not None and influences is not None:
        influences = influences.by_group(codes if weight is None else codes[weight > 0])
    interval = widened(value, influences, drawn_interval(rows.draws(value, resampling), value, resampling), confidence)
    if codes is not None or math.isnan(interval[0]):
        return interval
    if metric.paired_test == "delong" and not 0 < interval[0] <= interval[1] < 1:
        negatives, positives = rows.classes.counts().tolist()
        ends = score_interval(value.value, (positives, negatives), confidence)
        return min(interval[0], ends[0]), max(interval[1], ends[1])
    if metric.decided_by_few and rows.rarer < MANY:
        return both_ways(interval, value.value, 0.5 / rows.rarer)
    return interval


def class_intervals(values: Values, evidence: MulticlassEvidence, resampling: Resampling) -> dict[str, Value]:
    """The values of classes with their intervals."""
    predictions, confidence = ClassPredictions(evidence), resampling.confidence
    done = {name: with_interval(value, None) for name, value in values.items() if value.metric.no_interval is not None}
    for name, ends in _matrix_intervals(values, evidence, resampling).items():
        done[name] = with_interval(values[name], ends, "jeffreys")
    for name, value in values.items():
        if name not in done and (direct := _direct_value(value, predictions, confidence)) is not None:
            done[name] = direct
    others = {name: value for name, value in values.items() if name not in done}
    for name, ends in _row_intervals(others, predictions, resampling).items():
        terms = values[name].metric.row_terms(metric_view(values[name], evidence))
        influences = Influences.of_terms(terms, predictions.weight)
        done[name] = with_interval(values[name], widened(values[name], influences, ends, confidence), "bootstrap")
    return {name: done[name] for name in values}


def _direct_value(value: Value, predictions: ClassPredictions, confidence: float) -> Value | None:
    """A share of few rows by its own interval, and all else by what each row adds; None where neither is known."""
    right = value.metric.right_rows(metric_view(value, predictions.evidence))
    sums = None if right is None else CellSums.of(right.astype(np.intp), 2, predictions.weight)
    if sums is not None and sums.counts().min() < FEW:
        return with_interval(value, share_interval(sums, confidence), "wilson")
    ends = influence_interval(value, predictions.row_influences(value), predictions, confidence)
    if ends is not None:
        return with_interval(value, ends, "influence")
    return None if sums is None else with_interval(value, share_interval(sums, confidence), "wilson")


def influence_interval(
    value: Value, added: Floats | None, predictions: Predictions, confidence: float
) -> Interval | None:
    """The interval by what each row adds; None where that is not known."""
    if added is None or not np.isfinite(added).all():
        return None
    weight = predictions.weight
    centre = value.value**2 if value.metric.is_root else value.value
    influences = Influences.of_shares(centre, added if weight is None else added[weight > 0])
    return within_range(value, influences.interval(confidence))


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
    columns = [
        value_columns(chosen, draws.matrices(resampling, absent=absent), resampling.samples)
        for absent in stepwise(kinds)
    ]
    ends = {name: [drawn_interval(each[name], value, resampling) for each in columns] for name, value in chosen.items()}
    return {name: (min(low for low, _ in pairs), max(high for _, high in pairs)) for name, pairs in ends.items()}


def number_intervals(values: Values, rows: NumberRows, resampling: Resampling) -> dict[str, Value]:
    """The values of numbers with their intervals; a row of weight 0 is none."""
    rows = getattr(rows, "data", rows).counted()
    predictions, confidence = NumberPredictions(rows), resampling.confidence
    done = {name: with_interval(value, None) for name, value in values.items() if value.metric.no_interval is not None}
    for name, value in values.items():
        if value.metric.of_groups:
            groups = predictions.grouped(value.metric.needed_columns())
            done[name] = _group_value(value, value.metric.areas(groups), value.metric.weights(groups), resampling)
    for name, value in values.items():
        added = None if name in done or math.isnan(value.value) else predictions.square_influences(value)
        median = None if added is None else value.metric.median_of(rows)
        if median is not None:
            done[name] = with_interval(value, median_ends(median, rows.weight, normal_z(confidence)), "order")
        elif (interval := influence_interval(value, added, predictions, confidence)) is not None:
            done[name] = with_interval(value, interval, "influence")
    others = {name: value for name, value in values.items() if name not in done}
    for name, interval in _row_intervals(others, predictions, resampling).items():
        done[name] = with_interval(
            values[name], _few_numbers(values[name], interval, predictions, confidence), "bootstrap"
        )
    return {name: done[name] for name in values}


def _few_numbers(value: Value, interval: Interval, predictions: NumberPredictions, confidence: float) -> Interval:
    """The interval of draws, longer where a few rows decide the value, or ranks are all it knows."""
    rows = predictions.rows
    if math.isnan(interval[0]):
        return interval
    terms = None if value.metric.of_ranks or not predictions.are_squarable else value.metric.row_terms(rows)
    wide = widened(value, Influences.of_terms(terms, rows.weight), interval, confidence)
    return _rank_interval(value, wide, len(rows)) if value.metric.of_ranks else wide


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
    columns = predictions.paired_draws(offered, predictions.order, resampling)
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
