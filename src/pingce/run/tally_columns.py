"""The columns of a metric over whole queries: its values, its parts, and what orders of ties change."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats
from pingce.evidence.policies import Policies
from pingce.evidence.ranking.facts import compact
from pingce.metrics.ranking import RankingMetric
from pingce.run.plan import ends_of
from pingce.run.view_policies import with_ties
from pingce.run.views import EvidenceViews


class Differences(NamedTuple):
    """Where a column differs from another one, and its values there: orders of ties change few queries."""

    places: NDArray[np.int64]
    values: Floats

    @classmethod
    def none(cls) -> Differences:
        """No difference."""
        return cls(np.zeros(0, np.int64), np.zeros(0))

    @classmethod
    def between(cls, column: Floats, base: Floats) -> Differences:
        """Bits are compared, so that what `apply` gives is the column itself."""
        bits = (np.ascontiguousarray(each).view(np.int64) for each in (column, base))
        places = np.flatnonzero(np.not_equal(*bits))
        return cls(places, column[places])

    def apply(self, base: Floats) -> Floats:
        """The column again."""
        column = base.copy()
        column[self.places] = self.values
        return column


class MetricColumns:
    """The columns of a metric: its values and parts, with a row for each query of the evidence; NaN where it does not look."""

    def __init__(self, metric: RankingMetric, policies: Policies, name: str, views: EvidenceViews) -> None:
        self._metric, self._policies, self._name, self._views = metric, policies, name, views
        self._rows, self._size = views.rows(metric, policies), views.size(policies)
        self.values = self._under(policies)

    def _under(self, policies: Policies) -> dict[str, Floats]:
        metric, views, name = self._metric, self._views, self._name
        if not len(self._rows):
            return {name: np.full(self._size, np.nan)}
        columns = {name: views.values(metric, policies)}
        parts = metric.parts(views.view(policies, metric.scope))
        added = metric.summands(columns[name], parts)
        if any(part is each for part in parts for each in added):  # a mean over queries is made of values alone
            columns |= {f"{name}.{place}": part for place, part in enumerate(parts)}
        return {name: self._placed(column, np.nan) for name, column in columns.items()}

    def list_weights(self) -> Floats | None:
        """How much each query counts by the weights of its items; None where items weigh alike."""
        weights = self._views.list_weights(self._metric, self._policies) if len(self._rows) else None
        return None if weights is None else self._placed(weights, np.nan)

    def _placed(self, values: NDArray[Any], elsewhere: float) -> NDArray[Any]:
        if len(values) == self._size:
            return values
        column = np.full(self._size, elsewhere, values.dtype)
        column[self._rows] = values
        return column

    def differences(self, *, tied: bool) -> Iterator[tuple[str, Differences]]:
        """The same columns under other orders of ties; where nothing is tied, all orders are one."""
        for ties in ends_of(self._metric):
            if not tied and "expected" not in (ties, self._policies.ties):
                yield from ((f"{part} {ties}", Differences.none()) for part in self.values)
                continue
            for part, column in self._under(with_ties(self._policies, ties)).items():
                yield f"{part} {ties}", Differences.between(column, self.values[part])

    def apart(self, *, tied: bool) -> NDArray[Any]:
        """Whether the order of ties changes the value of each query."""
        ends = self._views.ends(self._metric, self._policies) if tied and len(self._rows) else None
        return np.zeros(self._size, np.uint8) if ends is None else self._placed(compact(ends.apart), 0)
