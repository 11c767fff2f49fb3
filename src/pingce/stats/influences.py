"""What each row adds to a metric that is a ratio of two sums over rows, or follows from some."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.base.exact import exact_dot, exact_sum
from pingce.evidence.regression.evidence import log_errors, relative_errors, symmetric_errors
from pingce.stats.row_losses import class_losses, row_losses
from pingce.stats.skewed import Influences

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from pingce.evidence.binary.evidence import BinaryEvidence
    from pingce.evidence.multiclass.evidence import MulticlassEvidence
    from pingce.inputs.regression import NumberRows
    from pingce.scores.base import Value

    Floats = NDArray[np.float64]
    Interval = tuple[float, float]

_ROOTS = ("rmse", "rmsle")


def label_influences(value: Value, evidence: BinaryEvidence) -> Influences | None:
    """Influences on brier, logloss, ne and pcoc; None for other metrics. Rows of weight 0 are left out."""
    rows, name = evidence.rows, value.metric.name
    label = rows.positive.astype(np.float64)
    if name == "pcoc":
        return Influences.of_ratio(rows.scores.astype(np.float64), label, rows.weight)
    losses = row_losses(value, evidence) if name in ("brier", "logloss", "ne") else None
    if losses is None:
        return None
    bottom = _entropies(label, rows.weight) if name == "ne" else np.ones(len(label))
    return Influences.of_ratio(losses, bottom, rows.weight)


def _entropies(label: Floats, weight: Floats | None) -> Floats:
    """The entropy of the base rate, as far as each label moves it: H(r) + (y - r) ln((1 - r) / r)."""
    weights = np.ones(len(label)) if weight is None else weight
    rate = float(exact_dot(label, weights) / exact_sum(weights))
    slope = math.log((1 - rate) / rate)
    moved: Floats = rate * slope - math.log(1 - rate) + (label - rate) * slope
    return moved


def class_influences(value: Value, evidence: MulticlassEvidence) -> Influences | None:
    """Influences on the log loss of classes; None for other metrics."""
    losses = class_losses(value, evidence) if value.metric.name == "logloss" else None
    return None if losses is None else Influences.of_ratio(losses, np.ones(len(losses)), evidence.rows.weight)


def number_influences(value: Value, rows: NumberRows) -> Influences | None:
    """Influences on a metric of numbers, on its square where it is a root; None for those without (medae, spearman).

    None also of numbers whose squares are beyond doubles.
    """
    largest = [float(np.abs(side).max(initial=0)) for side in (rows.true, rows.predicted)]
    if any(size and not 1 / _SQUARABLE <= size <= _SQUARABLE for size in largest):
        return None
    name = value.metric.name
    if name in ("r2", "explained_variance"):
        return _unexplained(rows, name == "explained_variance")
    if name == "pearson":
        return _correlation(rows)
    if name not in _TOPS:
        return None
    bottom = np.abs(rows.true) if name == "wmape" else np.ones(len(rows))
    return Influences.of_ratio(_TOPS[name](rows), bottom, rows.weight)


_SQUARABLE = 1e140
"Sums of squares of such numbers are doubles."
_TOPS: Mapping[str, Callable[[NumberRows], Floats]] = {
    "mae": lambda rows: np.abs(rows.predicted - rows.true),
    "wmape": lambda rows: np.abs(rows.predicted - rows.true),
    "mse": lambda rows: np.square(rows.predicted - rows.true),
    "rmse": lambda rows: np.square(rows.predicted - rows.true),
    "mape": relative_errors,
    "smape": lambda rows: 2 * symmetric_errors(rows),
    "msle": lambda rows: np.square(log_errors(rows)),
    "rmsle": lambda rows: np.square(log_errors(rows)),
}


def widened(value: Value, influences: Influences | None, interval: Interval, confidence: float) -> Interval:
    """An interval of draws, no shorter than the influences say, within the range of the metric."""
    if influences is None or not np.isfinite(influences.added).all():
        return interval
    is_root = value.metric.name in _ROOTS
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


def _away(values: Floats, weight: Floats | None) -> Floats:
    """Values less their mean."""
    weights = np.ones(len(values)) if weight is None else weight
    moved: Floats = values - float(exact_dot(values, weights) / exact_sum(weights))
    return moved


def _unexplained(rows: NumberRows, centred: bool) -> Influences:
    """One less Σ e² / Σ (y - ȳ)²."""
    error = rows.predicted - rows.true
    error = _away(error, rows.weight) if centred else error
    ratio = Influences.of_ratio(np.square(error), np.square(_away(rows.true, rows.weight)), rows.weight)
    return replace(ratio, value=1 - ratio.value, added=-ratio.added)


def _correlation(rows: NumberRows) -> Influences:
    """Σ x y / √(Σ x² Σ y²), whose rows add x y - r (x² + y²) / 2 in standard units."""
    sides = [_away(side, rows.weight) for side in (rows.true, rows.predicted)]
    weights = np.ones(len(rows)) if rows.weight is None else rows.weight
    x, y = (side / math.sqrt(exact_dot(side * weights, side) / exact_sum(weights)) for side in sides)
    value = float(exact_dot(x * weights, y) / exact_sum(weights))
    ratio = Influences.of_ratio(x * y - value * (np.square(x) + np.square(y)) / 2, np.ones(len(rows)), rows.weight)
    return replace(ratio, value=value)
