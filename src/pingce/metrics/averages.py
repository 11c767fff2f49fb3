"""The mean over queries, under the policies for undefined values and for summation."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.exact import Floats, rounded, two_products, units
from pingce.evidence import Policies

if TYPE_CHECKING:
    from pingce.inputs import Ids


def settle_undefined(values: Floats, policies: Policies) -> Floats:
    """Values with undefined ones replaced under `zero` and `one`; under `skip` and `nan` they stay NaN."""
    instead = {"zero": 0.0, "one": 1.0}.get(policies.undefined)
    return values if instead is None else np.where(np.isnan(values), instead, values)


def is_counted(settled: Floats, policies: Policies) -> NDArray[np.bool_]:
    """Which of the settled values a mean is taken of."""
    return ~np.isnan(settled) if policies.undefined == "skip" else np.ones(len(settled), bool)


def mean_of(values: Floats, policies: Policies, weights: Floats | None = None) -> float:
    """The mean, weighted or plain; NaN where nothing is left. Exact sums do not depend on the order of queries."""
    settled = settle_undefined(values, policies)
    counts = is_counted(settled, policies)
    kept = settled[counts]
    if not len(kept) or (weights is not None and not weights[counts].any()):
        return float("nan")
    kept, power = _scaled(kept)
    if weights is None:
        return math.ldexp(_sum(kept, policies) / len(kept), power)
    chosen = _scaled(weights[counts])[0]
    return math.ldexp(_sum_of_products(kept, chosen, policies) / _sum(chosen, policies), power)


def _scaled(values: Floats) -> tuple[Floats, int]:
    """Values whose sums and products neither overflow nor vanish: a power of two apart, which changes no digit."""
    largest = float(np.abs(values).max())
    power = math.frexp(largest)[1] if math.isfinite(largest) and not 1e-100 < largest < 1e100 else 0
    return (np.ldexp(values, -power), power) if power else (values, 0)


def _sum(values: Floats, policies: Policies) -> float:
    return exact_sum(values) if policies.summation == "exact" else float(np.add.accumulate(values)[-1])


def _sum_of_products(values: Floats, weights: Floats, policies: Policies) -> float:
    """Σ values × weights; an exact sum takes each product with what its rounding left over."""
    products = values * weights
    if policies.summation != "exact":
        return _sum(products, policies)
    return exact_sum(np.concatenate(two_products(values, weights)))


def exact_sum(values: Floats) -> float:
    """The sum, rounded once; with anything that is not finite, as `math.fsum` has it."""
    return rounded(units(values)) if np.isfinite(values).all() else math.fsum(values.tolist())


def refuse_undefined(name: str, values: Floats, queries: Ids, policies: Policies) -> None:
    """Under `undefined=error`, name the queries without a value."""
    undefined = np.flatnonzero(np.isnan(values))
    if policies.undefined == "error" and len(undefined):
        names = ", ".join(f"'{query}'" for query in queries.take(undefined[:3]).to_list())
        raise InputError(
            f"{name} is undefined for {len(undefined)} queries ({names}); choose undefined=skip, zero, one or nan",
            f"{name} 对 {len(undefined)} 个查询没有定义（{names}）；请选择 undefined=skip、zero、one 或 nan",
        )
