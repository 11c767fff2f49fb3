"""Confidence intervals of classes and numbers, by the bootstrap of rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from pingce.evidence.multiclass import MulticlassEvidence
from pingce.evidence.residuals import ErrorEvidence, NumberRows, error_evidence
from pingce.stats.intervals import checked_confidence, drawn_interval

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

    return _of_rows(values, keys, of, value_of, (confidence, samples, seed))


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

    return _of_rows(values, keys, of, value_of, (confidence, samples, seed))


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
