"""Intervals of labels and scores that need no draws: by the method of the metric, or by what each row adds."""

from __future__ import annotations

import math

from pingce.base.interval import Interval
from pingce.scores.values import Value
from pingce.stats.areas import area_interval, clustered_delong, delong
from pingce.stats.calibration import bin_sums
from pingce.stats.cells import division_interval
from pingce.stats.influences import within_range
from pingce.stats.labels import LabelRows
from pingce.stats.resampling import normal_z

RARER = 5
"Rows of the rarer class from which what each row adds says as much on a scale of logarithms."


def direct_interval(value: Value, rows: LabelRows, confidence: float) -> tuple[Interval, str] | None:
    """The interval that needs no draws, and its method; None where there is none."""
    metric, evidence, codes = value.metric, rows.evidence, rows.codes
    if metric.paired_test == "delong" and rows.weight is None:
        area = delong(evidence.thresholds, confidence) if codes is None else clustered_delong(evidence, confidence)
        return (area if metric.about.higher_is_better else (1 - area[1], 1 - area[0])), "delong"
    if metric.paired_test == "calibration":
        low, high = bin_sums(metric, evidence, codes).interval(normal_z(confidence))
        return (min(low, value.value), max(high, value.value)), "calibration"
    if rows.are_many_for(value) and (influences := rows.influences(value)) is not None:
        return within_range(value, influences.interval(confidence)), "influence"
    share = None if codes is not None else division_interval(value, evidence, confidence)
    if share is not None:
        return share, "wilson"
    return _few_rows_interval(value, rows, confidence)


def _few_rows_interval(value: Value, rows: LabelRows, confidence: float) -> tuple[Interval, str] | None:
    """By what each row adds, where there are few: an area by weights as DeLong's, means of positive numbers by logarithms."""
    metric = value.metric
    is_area = metric.paired_test == "delong" and rows.codes is None
    if rows.rarer < RARER or not value.value > 0 or not (is_area or metric.log_scale):
        return None
    influences = rows.influences(value)
    if influences is None or not influences.error:
        return None
    negatives, positives = rows.classes.counts().tolist()
    if is_area:
        return area_interval(value.value, influences.error**2, (positives, negatives), confidence), "influence"
    rarer = min(positives, negatives, float(influences.count))
    by_class = metric.scaled_mean or (
        metric.takes_logarithm and rows.weight is not None
    )  # a few rows weigh a lot there
    ends = influences.log_interval(rarer, confidence, by_class=by_class)
    return (within_range(value, ends), "influence") if math.isfinite(ends[1]) else None
