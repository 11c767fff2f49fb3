"""Confidence intervals of several labels: whole rows are drawn anew, with all of their labels."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from pingce.base.interval import NO_INTERVAL, Interval
from pingce.multilabel.evidence import MultilabelEvidence
from pingce.multilabel.predictions import LabelPredictions
from pingce.scores.values import Value
from pingce.stats.resampling import Resampling, metric_value, percentiles, value_columns, with_interval


def label_intervals(
    values: Mapping[str, Value], evidence: MultilabelEvidence, resampling: Resampling
) -> dict[str, Value]:
    """The values with their intervals. Scores of areas are drawn in blocks; what blocks change is the same in every draw."""
    predictions = LabelPredictions(evidence)
    columns = value_columns(values, predictions.draws(predictions.order, resampling), resampling.samples)
    binned: Any = predictions.binned()
    done = {}
    for name, value in values.items():
        ends = None
        if not math.isnan(value.value):
            shift = value.value - metric_value(value, binned)
            ends = _shifted(percentiles(columns[name], resampling), shift, value.value)
        done[name] = with_interval(value, ends, "bootstrap")
    return done


def _shifted(ends: Interval, shift: float, value: float) -> Interval:
    """The interval with the value itself."""
    if math.isnan(ends[0]) or math.isnan(shift):
        return NO_INTERVAL
    return min(ends[0] + shift, value), max(ends[1] + shift, value)
