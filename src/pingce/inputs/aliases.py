"""Keywords that have two names."""

from __future__ import annotations

from typing import Any

from pingce.base.errors import InputError


def one_weight(weight: Any, sample_weight: Any) -> Any:
    """How often each row counts, under either of its names: `sample_weight` is scikit-learn's."""
    if weight is not None and sample_weight is not None:
        raise InputError(
            "weight= and sample_weight= are two names for the same; give one of them",
            "weight= 与 sample_weight= 是同一参数的两个名称；请只给一个",
        )
    return sample_weight if weight is None else weight
