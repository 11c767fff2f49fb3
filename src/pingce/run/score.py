"""Evidence of rows to scores, whatever the task: values, intervals and slices, in one place."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError, warn_user
from pingce.base.progress import part
from pingce.evidence.policy_set import PolicySet
from pingce.metrics.grammar import MetricRequest
from pingce.request import Request
from pingce.scores import Scores
from pingce.scores.signature import refuse_unmet
from pingce.scores.values import Value
from pingce.stats.resampling import Resampling
from pingce.tasks import TASKS


def score(request: Request, metrics: Sequence[MetricRequest], evidence: Any) -> Any:
    """The scores of evidence, with rows behind it or without."""
    metrics = [each for metric in metrics for each in metric.metric.requests(metric, evidence)]
    kind = request.task.load("scores")
    refuse_unmet(metrics, **kind.signed_facts(evidence))
    whole = 0.5 if evidence.partitions else 1.0
    with part(0, whole):
        values = measure(request, metrics, evidence, sure=True)
    scores = kind(values, evidence, request.policies, confidence=request.intervals.ci)
    if request.intervals.ci is not None:
        from pingce.stats.intervals import note_no_intervals

        note_no_intervals(scores)
    if evidence.partitions:
        from pingce.slices.measured import row_parts, row_slices

        def values_of(places: NDArray[np.intp], sure: bool) -> dict[str, Value]:
            some = evidence.part(places)
            within = [metric for metric in metrics if metric.metric.is_within(some)]
            return measure(request, within, some, sure=sure)

        parts = row_parts(evidence.data, values_of)
        with part(whole, 1):
            scores.slices = row_slices(scores, parts, evidence.partitions, min_n=request.min_n)
    if request.readings:
        from pingce.run.readings import add_gaps, put_in_order, row_draws, row_value

        add_gaps(scores, request, row_draws(evidence, scores), row_value)
        put_in_order(scores, request)
    return scores


def measure(request: Request, metrics: Sequence[MetricRequest], evidence: Any, *, sure: bool) -> dict[str, Value]:
    """Every metric on some rows; `sure` with intervals, where they are asked for."""
    evidence.prepare([metric.metric for metric in metrics])
    computed: dict[tuple[Any, Any], Value] = {}
    values: dict[str, Value] = {}
    for metric in metrics:
        policies = metric.under(request.policies)
        key = (metric.metric, policies)
        if key not in computed:
            computed[key] = _value(metric, policies, evidence)
        values[metric.name] = computed[key].called(metric.name, metric.id)
    if sure and request.intervals.ci is not None and values:
        resampling = Resampling(request.intervals.ci, request.intervals.samples, request.intervals.seed)
        values = request.task.load("intervals")(values, evidence, resampling)
    return values


def _value(request: MetricRequest, policies: Any, evidence: Any) -> Value:
    metric, view = request.metric, evidence.view(policies)
    value, undefined = resolve_undefined(request, metric.value(view), policies)
    basis = metric.basis(view, undefined=undefined)
    return Value(name=request.name, id=request.id, metric=metric, policies=policies, value=value, **asdict(basis))


def resolve_undefined(request: MetricRequest, value: float, policies: Any) -> tuple[float, bool]:
    """The value to report, and whether it was undefined: NaN, 0 or 1 then, or an error."""
    if not math.isnan(value):
        return value, False
    if policies.undefined == "error":
        when = request.metric.undefined_when
        raise InputError(
            f"{request.name} is undefined here ({when.en}); choose undefined=skip, zero, one or nan",
            f"{request.name} 在此没有定义（{when.zh}）；请选择 undefined=skip、zero、one 或 nan",
        )
    return {"zero": 0.0, "one": 1.0}.get(policies.undefined, value), True


def score_rows(request: Request, rows: Any) -> Any:
    """The scores of rows that are whole and settled; warnings stay with them."""
    return request.task.load("state")(request).score_rows(rows)


def score_metric(metric: MetricRequest, policies: PolicySet, rows: Any, threads: int | None = None) -> Any:
    """The scores of one metric on such rows."""
    return score_rows(Request(task=TASKS[policies.task], policies=policies, metrics=(metric,), threads=threads), rows)


def warn(scores: Scores) -> None:
    """Give the caller the warnings of his scores."""
    for warning in scores.warnings:
        warn_user(warning)
