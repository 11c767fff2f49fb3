"""Plain rows, for the definitions of metrics in plain Python: fractions, and nothing fast."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from pingce.base.lazy import cached_property
from pingce.base.records import dataclass
from pingce.offpolicy.shapes import Shape


class LoggedRow(NamedTuple):
    """What is known of a row: how often it counts, its importance weight, and numbers that are not rounded."""

    often: Fraction
    ratio: float
    reward: Fraction
    target: float
    logged_estimate: Fraction
    target_estimate: Fraction


@dataclass(frozen=True)
class LogList:
    """Plain rows; the weight of a row is how often it counts."""

    rewards: tuple[float, ...]
    target: tuple[float, ...]
    logging: tuple[float, ...]
    logged_estimates: tuple[float, ...] | None = None
    target_estimates: tuple[float, ...] | None = None
    weights: tuple[float, ...] | None = None

    @cached_property
    def rows(self) -> list[LoggedRow]:
        """The rows that count."""
        size = len(self.rewards)
        weights = self.weights or (1.0,) * size
        estimates = self.logged_estimates or (0.0,) * size, self.target_estimates or (0.0,) * size
        every = zip(weights, self.rewards, self.target, self.logging, *estimates, strict=True)
        return [
            LoggedRow(Fraction(m), p1 / p0, Fraction(r), p1, Fraction(q), Fraction(v))
            for m, r, p1, p0, q, v in every
            if m
        ]

    def total(self, of: Callable[[LoggedRow], Fraction]) -> Fraction:
        """Σ of what each row adds, as often as it counts."""
        return sum((row.often * of(row) for row in self.rows), Fraction(0))

    def mean(self, of: Callable[[LoggedRow], Fraction]) -> Fraction:
        """The mean of the same."""
        return self.total(of) / self.count()

    def count(self) -> Fraction:
        """How many rows there are, each as often as it counts."""
        return sum((row.often for row in self.rows), Fraction(0))

    def weight_sum(self, shape: Shape) -> Fraction:
        """Σ of importance weights."""
        return self.weighted(shape, lambda row: Fraction(1))

    def weighted(self, shape: Shape, of: Callable[[LoggedRow], Fraction]) -> Fraction:
        """Σ of what each row adds times its importance weight."""
        return self.total(lambda row: Fraction(shape.plain(row.ratio)) * of(row))
