"""`field` and `cost`: metrics that are asked for by what they are about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pingce.base.errors import InputError
from pingce.metrics.costs import checked_cost
from pingce.metrics.declared import Metric
from pingce.metrics.grammar import MetricRequest
from pingce.request import MetricNames
from pingce.tasks import TASKS

_FIELD_METRICS = ("field_rce", "field_ece")
_COST_METRICS = ("cost", "best_cost", "cost_threshold")


def field_names(field: Any) -> list[str]:
    """The columns that `field` names: one, several, or the keys of a dict of columns."""
    names: list[Any] = [field] if isinstance(field, str) else list(field) if isinstance(field, Iterable) else []
    if not names or not all(isinstance(name, str) and name for name in names):
        value = field if len(repr(field)) < 80 else type(field).__name__
        raise InputError(
            f"field={value!r}: give the name of a column of data=, a list of such names, or values with a name: field={{'city': values}}",
            f"field={value!r}：应为 data= 的列名、列名的列表，或带名称的值：field={{'city': 值}}",
        )
    return names


def field_columns(field: Any) -> Mapping[str, object]:
    """The columns that `field` brings with it."""
    return field if isinstance(field, Mapping) else {}


def shorthand_names(field: Any, cost: str | None) -> list[str]:
    """The metrics that `field` and `cost` stand for."""
    columns = [] if field is None else field_names(field)
    names = [f"{name}(by={column})" for column in columns for name in _FIELD_METRICS]
    return names if cost is None else [*names, *(f"{name}({checked_cost(cost)})" for name in _COST_METRICS)]


def with_shorthands(
    task: str, metrics: MetricNames | None, field: Any, cost: str | None, *, grouped: bool
) -> MetricNames | None:
    """Metrics, or the usual ones, and those that `field` and `cost` stand for; `field` says that scores are probabilities."""
    more = shorthand_names(field, cost)
    if not more:
        return metrics
    if metrics is None:
        usual = TASKS[task].load("state").usual_names(grouped=grouped, probabilities=field is not None)
        return [*usual, *more]
    return [*([metrics] if isinstance(metrics, (str, Metric, MetricRequest)) else metrics), *more]
