"""Confidence intervals of off-policy values: by what each row adds, and further to the side to which a few rows of great weight carry."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from pingce.base.interval import NO_INTERVAL, Interval
from pingce.offpolicy.evidence import OffpolicyEvidence
from pingce.scores.values import Value
from pingce.stats.influences import Influences, within_range
from pingce.stats.resampling import Resampling, percentiles, with_interval


def offpolicy_intervals(
    values: Mapping[str, Value], evidence: OffpolicyEvidence, resampling: Resampling
) -> dict[str, Value]:
    """The values with their intervals; a metric that does not say what rows add is drawn anew."""
    done = {}
    for name, value in values.items():
        if value.metric.no_interval is not None or value.undefined:
            done[name] = with_interval(value, None)
            continue
        rows = evidence.data.counted()
        influences = Influences.of_terms(value.metric.row_terms(rows), rows.weight)
        if influences is None or not np.isfinite(influences.added).all():
            done[name] = with_interval(value, _drawn(value, evidence, resampling), "bootstrap")
        else:
            ends = influences.interval(resampling.confidence)
            ends = ends if math.isnan(ends[0]) else within_range(value, ends)
            done[name] = with_interval(value, ends, "influence")
    return done


def _drawn(value: Value, evidence: OffpolicyEvidence, resampling: Resampling) -> Interval:
    predictions = evidence.predictions()
    column = predictions.paired_draws({value.name: value}, predictions.order, resampling)[value.name]
    low, high = percentiles(column, resampling)
    return NO_INTERVAL if math.isnan(low) else (min(low, value.value), max(high, value.value))
