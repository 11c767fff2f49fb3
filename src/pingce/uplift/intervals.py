"""Confidence intervals of uplift: rows are drawn anew within each arm."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from pingce.base.interval import NO_INTERVAL, Interval
from pingce.scores.values import Value
from pingce.stats.resampling import Resampling, metric_value, percentiles, value_columns, with_interval
from pingce.uplift.evidence import UpliftEvidence
from pingce.uplift.predictions import UpliftPredictions


def uplift_intervals(values: Mapping[str, Value], evidence: UpliftEvidence, resampling: Resampling) -> dict[str, Value]:
    """The values with their intervals. Curves of many steps are drawn in blocks; what blocks change is the same in every draw."""
    offered = {name: value for name, value in values.items() if value.metric.no_interval is None}
    evidence = UpliftEvidence.of(evidence.data.counted(), evidence.threads)
    predictions = UpliftPredictions(evidence)
    columns = value_columns(offered, predictions.draws(predictions.order, resampling), resampling.samples)
    binned: Any = predictions.binned()
    done = {}
    for name, value in values.items():
        ends = None
        if name in offered and not math.isnan(value.value):
            shift = value.value - metric_value(value, binned)
            ends = _shifted(percentiles(columns[name], resampling), shift, value.value)
        done[name] = with_interval(value, ends, "bootstrap")
    return done


def _shifted(ends: Interval, shift: float, value: float) -> Interval:
    """The interval with the value itself."""
    if math.isnan(ends[0]) or math.isnan(shift):
        return NO_INTERVAL
    return min(ends[0] + shift, value), max(ends[1] + shift, value)
