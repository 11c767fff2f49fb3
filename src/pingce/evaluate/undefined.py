"""A value that is not defined, under the policy for it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from pingce.base.errors import InputError

if TYPE_CHECKING:
    from pingce.metrics.grammar import MetricRequest


def settled(asked: MetricRequest, value: float, policies: Any) -> tuple[float, bool]:
    """The value to report, and whether it was undefined: NaN, 0 or 1 then, or an error."""
    if not math.isnan(value):
        return value, False
    if policies.undefined == "error":
        when = asked.metric.about.undefined
        raise InputError(
            f"{asked.name} is undefined here ({when.en}); choose undefined=skip, zero, one or nan",
            f"{asked.name} 在此没有定义（{when.zh}）；请选择 undefined=skip、zero、one 或 nan",
        )
    return {"zero": 0.0, "one": 1.0}.get(policies.undefined, value), True
