"""Rows that are all here: seen at once, and scored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pingce.request import Request
from pingce.tasks import TASKS

if TYPE_CHECKING:
    from pingce.evidence.policies import PolicySet
    from pingce.metrics.grammar import MetricRequest


def score_rows(request: Request, rows: Any) -> Any:
    """The scores of rows that are whole and settled; warnings stay with them."""
    return request.task.load("state")(request).score_rows(rows)


def score_metric(metric: MetricRequest, policies: PolicySet, rows: Any, threads: int | None = None) -> Any:
    """The scores of one metric on such rows."""
    return score_rows(Request(task=TASKS[policies.task], policies=policies, metrics=(metric,), threads=threads), rows)
