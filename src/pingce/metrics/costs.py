"""What decisions cost, as callers write it: the parameters of metrics that price them."""

from __future__ import annotations

from typing import Any

from pingce.base.errors import InputError


def checked_cost(cost: Any) -> str:
    """The text that says what a false positive and a false negative cost."""
    if not isinstance(cost, str):
        raise InputError(
            f"cost={cost!r}: it is a text, what a false positive and a false negative cost, e.g. cost='fp=1,fn=20'",
            f"cost={cost!r}：应为文本，说明误报与漏报的代价，例如 cost='fp=1,fn=20'",
        )
    return cost
