"""A value: one metric on one run or model, and what it stands on."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pingce.base.text import Text
from pingce.evidence.policies import PolicySet

if TYPE_CHECKING:
    from typing_extensions import Self

    from pingce.metrics.declared import Metric

UNITS = {
    "queries": Text("queries", "查询"),
    "rows": Text("rows", "行"),
    "groups": Text("groups", "组"),
    "classes": Text("classes", "类"),
}
"What values stand on."


@dataclass(frozen=True, eq=False, kw_only=True)
class Value:
    """One metric on one run or model."""

    name: str
    "The spelling asked for."
    id: str
    "The canonical spelling."
    metric: Metric
    policies: PolicySet
    value: float
    count: int
    "How many units the value stands on."
    unit: str = "queries"
    resolved: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    "Parameters that were taken from the data, such as the top grade."
    undefined: int = 0
    "Units for which the metric is undefined."
    interval: tuple[float, float] | None = None
    "The confidence interval, where one was asked for."
    bound: float | None = None
    "How far the exact value may be, where scores were put into bins."

    def called(self, name: str, canonical: str) -> Self:
        """The same value under another spelling."""
        return replace(self, name=name, id=canonical)
