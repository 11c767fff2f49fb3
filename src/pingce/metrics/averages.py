"""The mean over queries, under the policies for undefined values and for summation."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.exact import Floats, rounded, two_products, units
from pingce.base.records import dataclass
from pingce.evidence.policies import Policies


def settle_undefined(values: Floats, policies: Policies) -> Floats:
    """Values with undefined ones replaced under `zero` and `one`; under `skip` and `nan` they stay NaN."""
    instead = {"zero": 0.0, "one": 1.0}.get(policies.undefined)
    return values if instead is None else np.where(np.isnan(values), instead, values)


def is_counted(settled: Floats, policies: Policies) -> NDArray[np.bool_]:
    """Which of the settled values a mean is taken of."""
    return ~np.isnan(settled) if policies.undefined == "skip" else np.ones(len(settled), bool)


@dataclass(frozen=True)
class Total:
    """A column added up over queries that count, exactly: totals of other queries may follow, in any order."""

    units: int = 0
    "Of finite values, in 2^-2148."
    count: int = 0
    largest: float = 0.0
    infinite: float = 0.0
    "The sum of values that are not finite."

    @classmethod
    def of(cls, values: Floats, policies: Policies) -> Total:
        """Add up the values of some queries."""
        settled = settle_undefined(values, policies)
        kept = settled[is_counted(settled, policies)]
        finite, infinite, is_finite = kept, 0.0, np.isfinite(kept)
        if not is_finite.all():
            finite, infinite = kept[is_finite], math.fsum(kept[~is_finite].tolist())
        return cls(units(finite), len(kept), float(np.abs(finite).max(initial=0)), infinite)

    def __add__(self, other: Total) -> Total:
        largest, infinite = max(self.largest, other.largest), self.infinite + other.infinite
        return Total(self.units + other.units, self.count + other.count, largest, infinite)

    @property
    def mean(self) -> float:
        """The sum, rounded, over how many there are; NaN of none."""
        if not self.count:
            return float("nan")
        power = _power(self.largest)
        return self.infinite or math.ldexp(rounded(self.units, power) / self.count, power)

    @property
    def total(self) -> float:
        """The sum, rounded once."""
        return self.infinite or rounded(self.units)


@dataclass
class Column:
    """A column of values that is all there, with weights or an order of summation that totals do not have."""

    values: Floats
    policies: Policies
    weights: Floats | None = None
    is_averaged: bool = False
    "Whether its mean was asked for."

    @property
    def mean(self) -> float:
        """The mean, weighted or plain."""
        self.is_averaged = True
        return mean_of(self.values, self.policies, self.weights)

    @property
    def total(self) -> float:
        """The sum, rounded once."""
        return exact_sum(self.values)

    def quantile(self, level: float) -> float:
        """The value that such a share of the queries does not exceed, weighted or plain."""
        self.is_averaged = True
        return quantile_of(self.values, level, self.policies, self.weights)

    @property
    def settled(self) -> Floats:
        """The values with what stands for undefined ones; NaN where they do not count."""
        return settle_undefined(self.values, self.policies)


def mean_of(values: Floats, policies: Policies, weights: Floats | None = None) -> float:
    """The mean, weighted or plain; NaN where nothing is left. Exact sums do not depend on the order of queries."""
    if weights is None and policies.summation == "exact":
        return Total.of(values, policies).mean
    settled = settle_undefined(values, policies)
    counts = is_counted(settled, policies)
    kept = settled[counts]
    if not len(kept) or (weights is not None and not weights[counts].any()):
        return float("nan")
    kept, power = _scaled(kept)
    if weights is None:
        return math.ldexp(_sum(kept, policies) / len(kept), power)
    chosen = _scaled(weights[counts])[0]
    # An exact sum takes each product with what its rounding left over.
    terms = np.concatenate(two_products(kept, chosen)) if policies.summation == "exact" else kept * chosen
    return math.ldexp(_sum(terms, policies) / _sum(chosen, policies), power)


def settled_weights(weights: Floats) -> Floats:
    """Weights of lists by their items; one without an item that is worth anything has the mean of the others, as TF-Ranking has it."""
    lacking = np.isnan(weights)
    if not lacking.any():
        return weights
    heavy = weights[weights > 0]
    return np.where(lacking, exact_sum(heavy) / len(heavy) if len(heavy) else 1.0, weights)


def quantile_of(values: Floats, level: float, policies: Policies, weights: Floats | None = None) -> float:
    """The least value that such a share of all weight does not exceed, the mean of two where both do; NaN where nothing is left.

    The share ½ gives the median; weight 2 is the query twice.
    """
    settled = settle_undefined(values, policies)
    counts = is_counted(settled, policies)
    kept = settled[counts]
    heavy = np.ones(len(kept)) if weights is None else weights[counts]
    order = np.lexsort((heavy, kept))
    order = order[heavy[order] > 0]
    if not len(order) or np.isnan(kept).any():
        return float("nan")
    reached = np.cumsum(heavy[order])
    share, near = float(reached[-1]) * level, 1e-12  # 0.7 of 10 queries are 7, whatever a double makes of 0.7
    ends = int(np.searchsorted(reached, share * (1 - near))), int(np.searchsorted(reached, share * (1 + near), "right"))
    return float((kept[order[ends[0]]] + kept[order[min(ends[1], len(order) - 1)]]) / 2)


def _scaled(values: Floats) -> tuple[Floats, int]:
    """Values whose sums and products neither overflow nor vanish: a power of two apart, which changes no digit."""
    power = _power(float(np.abs(values).max()))
    return (np.ldexp(values, -power), power) if power else (values, 0)


def _power(largest: float) -> int:
    return math.frexp(largest)[1] if math.isfinite(largest) and not 1e-100 < largest < 1e100 else 0


def _sum(values: Floats, policies: Policies) -> float:
    return exact_sum(values) if policies.summation == "exact" else float(np.add.accumulate(values)[-1])


def exact_sum(values: Floats) -> float:
    """The sum, rounded once; with anything that is not finite, as `math.fsum` has it."""
    return rounded(units(values)) if np.isfinite(values).all() else math.fsum(values.tolist())


def undefined_values(name: str, count: int, queries: Sequence[str | int]) -> InputError:
    """What to say under `undefined=error` of queries without a value, the first of which are named."""
    names = ", ".join(f"'{query}'" for query in queries)
    return InputError(
        f"{name} is undefined for {count} queries ({names}); choose undefined=skip, zero, one or nan",
        f"{name} 对 {count} 个查询没有定义（{names}）；请选择 undefined=skip、zero、one 或 nan",
    )
