"""Confidence intervals of classes and numbers, by the bootstrap of rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from pingce.evidence.multiclass.evidence import MulticlassEvidence
from pingce.evidence.regression.evidence import ErrorEvidence, error_evidence
from pingce.inputs.regression import NumberRows
from pingce.stats.influences import influences_of, metric_view, number_influences, widened
from pingce.stats.intervals import checked_confidence, drawn_interval, with_interval
from pingce.stats.matrices import MatrixDraws, drawn_values, share_interval
from pingce.stats.skewed import both_ways

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pingce.scores.base import Value


def class_intervals(
    values: Mapping[str, Value], evidence: MulticlassEvidence, *, confidence: float, samples: int, seed: int
) -> dict[str, Value]:
    """The same for classes: rows are drawn, sorted first, so that their order does not matter."""
    rows = evidence.rows
    keys = [rows.truth.codes, *(() if rows.prediction is None else (rows.prediction.codes,))]
    keys += [] if rows.weight is None else [rows.weight]
    keys += [] if rows.proba is None else list(rows.proba.T)

    def of(chosen: NDArray[np.intp]) -> MulticlassEvidence:
        return MulticlassEvidence(rows.select(chosen), threads=evidence.threads, whole=evidence)

    def value_of(value: Value, drawn: MulticlassEvidence) -> float:
        metric: Any = value.metric
        found: float = metric.value(drawn.seen(value.policies))  # type: ignore[arg-type]
        return found

    by_matrix = _of_matrices(values, evidence, (confidence, samples, seed))
    rest = {name: value for name, value in values.items() if name not in by_matrix}
    found = _of_rows(rest, keys, of, value_of, (confidence, samples, seed)) if rest else {}
    for name, value in found.items():
        metric: Any = value.metric
        view = metric_view(value, evidence)
        right = None if value.interval is None else metric.right_rows(view)
        ends = value.interval if right is None else share_interval(right, rows.weight, confidence)
        influences = influences_of(metric.row_terms(view), rows.weight)
        found[name] = with_interval(value, ends and widened(value, influences, ends, confidence))
    return {name: by_matrix.get(name) or found[name] for name in values}


def _of_matrices(
    values: Mapping[str, Value], evidence: MulticlassEvidence, drawing: tuple[float, int, int]
) -> dict[str, Value]:
    """Where a class has few rows in a cell, metrics of the confusion matrix by matrices that may be behind it."""
    confidence, samples, seed = drawing
    checked_confidence(confidence, samples, seed)
    chosen = {
        name: value
        for name, value in values.items()
        if value.metric.needs == "confusion" and value.metric.no_interval is None  # type: ignore[attr-defined]
    }
    if not chosen or not (draws := MatrixDraws.of(evidence)).has_few:
        return {}
    ends: dict[str, list[tuple[float, float]]] = {name: [] for name in chosen}
    for absent in (False, True) if draws.may_be_absent() else (False,):
        for name, column in drawn_values(chosen, draws.drawn(samples, seed, absent=absent)).items():
            ends[name].append(drawn_interval(column, chosen[name], confidence))
    return {
        name: with_interval(value, (min(low for low, _ in ends[name]), max(high for _, high in ends[name])))
        for name, value in chosen.items()
    }


def number_intervals(
    values: Mapping[str, Value], rows: NumberRows, *, confidence: float, samples: int, seed: int
) -> dict[str, Value]:
    """The same for numbers; a row of weight 0 is none."""
    rows = rows.counted()
    keys = [rows.true, rows.predicted, *(() if rows.weight is None else (rows.weight,))]
    needs = [need for value in values.values() for need in value.metric.needs]  # type: ignore[attr-defined]

    def of(chosen: NDArray[np.intp]) -> ErrorEvidence:
        weight = None if rows.weight is None else rows.weight[chosen]
        return error_evidence(NumberRows(rows.true[chosen], rows.predicted[chosen], weight), needs, keep_rows=True)

    def value_of(value: Value, drawn: ErrorEvidence) -> float:
        metric: Any = value.metric
        found: float = metric.value(drawn)
        return found

    found = _of_rows(values, keys, of, value_of, (confidence, samples, seed))
    for name, value in found.items():
        if value.interval is not None and not math.isnan(value.interval[0]):
            ends = widened(value, number_influences(value, rows), value.interval, confidence)
            found[name] = with_interval(value, _of_ranks(value, ends, len(rows)))
    return found


def _of_ranks(value: Value, interval: tuple[float, float], count: int) -> tuple[float, float]:
    """Rows that were drawn twice share a rank: a correlation of ranks that were drawn is too low."""
    if not value.metric.of_ranks:
        return interval
    low, middle, high = ((1 + end) / 2 for end in (interval[0], value.value, interval[1]))
    ends = both_ways((low, high), middle, 0.5 / count**2)
    return 2 * ends[0] - 1, 2 * ends[1] - 1


_Drawn = TypeVar("_Drawn")


def _of_rows(
    values: Mapping[str, Value],
    keys: Sequence[NDArray[Any]],
    of: Callable[[NDArray[np.intp]], _Drawn],
    value_of: Callable[[Value, _Drawn], float],
    asked: tuple[float, int, int],
) -> dict[str, Value]:
    """As many rows as there are, drawn again and again; every metric is computed anew."""
    confidence, samples, seed = asked
    checked_confidence(confidence, samples, seed)
    order = np.lexsort(tuple(keys))
    random = np.random.Generator(np.random.PCG64(seed))
    offered = {name: value for name, value in values.items() if value.metric.no_interval is None}
    drawn = {name: np.full(samples, np.nan) for name in offered}
    for i in range(samples if offered else 0):
        sample = of(order[random.integers(0, len(order), len(order))])
        for name, value in offered.items():
            drawn[name][i] = value_of(value, sample)
    ends = {name: drawn_interval(drawn[name], value, confidence) for name, value in offered.items()}
    return {name: replace(value, interval=ends.get(name)) for name, value in values.items()}
