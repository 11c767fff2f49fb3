"""Metrics as plain JSON, and back: what was asked for travels with an evaluator."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pingce.base.errors import InputError
from pingce.metrics.grammar import MetricRequest, parse_metric


def metrics_written(asked: Iterable[MetricRequest] | None) -> list[dict[str, Any]] | None:
    """Each metric by its spelling, its definition and the policies that go with it."""
    return None if asked is None else [_written(one) for one in asked]


def _written(asked: MetricRequest) -> dict[str, Any]:
    from pingce.scores.signature import Signed

    found = {"name": asked.name, "metric": asked.metric.id, "policies": dict(asked.policies)}
    return found | ({"version": asked.version, "given": dict(asked.given)} if isinstance(asked, Signed) else {})


def metrics_read(written: Iterable[Mapping[str, Any]] | None, task: str) -> list[MetricRequest] | None:
    """The metrics that `metrics_written` wrote."""
    return None if written is None else [_read(one, task) for one in written]


def _read(written: Mapping[str, Any], task: str) -> MetricRequest:
    metric = parse_metric(written["metric"], task=task).metric
    if "given" not in written:
        return MetricRequest(written["name"], metric, written["policies"])
    from pingce.scores.signature import Signed

    return Signed(written["name"], metric, written["policies"], written["version"], written["given"])


def refuse_unnamed(asked: Iterable[MetricRequest] | None, task: str) -> None:
    """Refuse a metric that cannot be found again by its name: one that was not declared, or with odd parameters."""
    for one in asked or ():
        try:
            same = parse_metric(one.metric.id, task=task).metric == one.metric
        except InputError:
            same = False
        if not same:
            raise InputError(
                f"{one.name} cannot be written: no name gives this metric back; ask for it by name, or declare it everywhere",
                f"{one.name} 无法写出：没有名称能还原该指标；请按名称指定，或在各处声明该指标",
            )
