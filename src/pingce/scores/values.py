"""A value: one metric on one run or model, and what it stands on."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any

from pingce.base.interval import NO_INTERVAL, Interval
from pingce.base.json import Json
from pingce.base.records import dataclass
from pingce.base.tables import finite
from pingce.base.text import Text

if TYPE_CHECKING:
    from typing_extensions import Self

UNITS = {
    "queries": Text("queries", "查询"),
    "rows": Text("rows", "行"),
    "groups": Text("groups", "组"),
    "fields": Text("fields", "字段"),
    "classes": Text("classes", "类"),
}
"What values stand on."


def ends(interval: Interval | None, prefix: str = "") -> Json:
    """The ends of an interval for a document or a row; None where there is none."""
    low, high = interval or NO_INTERVAL
    return {f"{prefix}low": finite(low), f"{prefix}high": finite(high)}


def best_of(values: Sequence[float | None], *, higher: bool | None) -> list[int]:
    """The places of the best values; none where all are equal, undefined, or there is no better end."""
    defined = {value for value in values if value is not None and not math.isnan(value)}
    if higher is None or len(defined) < 2:
        return []
    top = max(defined) if higher else min(defined)
    return [at for at, value in enumerate(values) if value == top]


@dataclass(frozen=True, eq=False, kw_only=True)
class Value:
    """One metric on one run or model."""

    name: str
    "The spelling asked for."
    id: str
    "The canonical spelling."
    metric: Any
    "A metric of the task; its policies are of the task too."
    policies: Any
    value: float
    count: int
    "How many units the value stands on."
    unit: str = "queries"
    resolved: Mapping[str, object] = field(default_factory=dict)
    "Parameters that were taken from the data, such as the top grade."
    undefined: int = 0
    "Units for which the metric is undefined."
    interval: Interval | None = None
    "The confidence interval, where one was asked for."
    method: str | None = None
    "How the interval was made: a word of `pingce.scores.methods`."
    bound: float | None = None
    "How far the exact value may be, where scores were put into bins."

    def called(self, name: str, canonical: str) -> Self:
        """The same value under another spelling."""
        return replace(self, name=name, id=canonical)
