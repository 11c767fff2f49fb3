"""What each row adds to a metric that is a ratio of two sums over rows, or follows from some."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.base.exact import Floats
from pingce.metrics.declared import RowTerms
from pingce.scores.values import Value
from pingce.stats.draws import metric_view
from pingce.stats.skewed import Influences

if TYPE_CHECKING:
    from pingce.inputs.regression import NumberRows

Interval = tuple[float, float]


_SQUARABLE = 1e140
"Sums of squares of such numbers are doubles."


def influences_of(terms: RowTerms | None, weight: Floats | None) -> Influences | None:
    """Influences on a metric whose rows add these terms; None where they add none. Rows of weight 0 are left out."""
    if terms is None:
        return None
    bottom = np.ones(len(terms.top)) if terms.bottom is None else terms.bottom
    influences = Influences.of_ratio(terms.top, bottom, weight)
    if terms.complement:
        return replace(influences, value=1 - influences.value, added=-influences.added)
    return influences if terms.value is None else replace(influences, value=terms.value)


def row_losses(value: Value, evidence: Any) -> Floats | None:
    """What each row adds to a value that is a mean over rows; None where it is none."""
    metric: Any = value.metric
    losses: Floats | None = metric.row_losses(metric_view(value, evidence))
    return losses


def number_influences(value: Value, rows: NumberRows) -> Influences | None:
    """Influences on a metric of numbers, on its square where it is a root; None where its rows add no terms.

    None also of numbers whose squares are beyond doubles.
    """
    largest = [float(np.abs(side).max(initial=0)) for side in (rows.true, rows.predicted)]
    if any(size and not 1 / _SQUARABLE <= size <= _SQUARABLE for size in largest):
        return None
    metric: Any = value.metric
    return influences_of(metric.row_terms(rows), rows.weight)


def widened(value: Value, influences: Influences | None, interval: Interval, confidence: float) -> Interval:
    """An interval of draws, no shorter than the influences say, within the range of the metric."""
    if influences is None or not np.isfinite(influences.added).all():
        return interval
    is_root = value.metric.is_root
    squared = (interval[0] ** 2, interval[1] ** 2) if is_root else interval
    ends = influences.widened(squared, confidence)
    if ends == squared:
        return interval
    least, most = metric_range(value.metric)
    ends = max(least, ends[0]), min(most, ends[1])
    return (math.sqrt(ends[0]), math.sqrt(ends[1])) if is_root else ends


def metric_range(metric: Any) -> Interval:
    """The least and the largest value that a metric can have, as its declaration says."""
    least, most = (end.strip().replace("−", "-").replace("∞", "inf") for end in metric.about.range.split("…"))
    return float(least), float(most)
