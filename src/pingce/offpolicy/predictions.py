"""A target policy on the rows of a log, for tests of two policies on the same log."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats, Places
from pingce.metrics.declared import Metric
from pingce.offpolicy.evidence import OffpolicyEvidence
from pingce.offpolicy.rows import ESTIMATES
from pingce.scores.values import Value
from pingce.stats.influences import equivalent_count, ratio_influences
from pingce.stats.labels import MANY
from pingce.stats.predictions import SampledPredictions


class OffpolicyPredictions(SampledPredictions):
    """Probabilities of a target policy, with what a model expects of it."""

    def __init__(self, evidence: OffpolicyEvidence) -> None:
        rows = evidence.data
        columns = rows.columns()
        of_policy = [columns[name] for name in ("target", *ESTIMATES) if name in columns]
        super().__init__(evidence, rows, rows.reward, of_policy)

    @property
    def conditions(self) -> list[NDArray[Any]]:
        """What all policies share of a row: weight, reward, and how likely it was to be logged."""
        return [*self.weights, self.truth, self.rows.logging]

    @property
    def order(self) -> Places:
        """Rows that count, sorted by all that is known of them."""
        order: Places = np.lexsort((self.truth, *self.columns, self.rows.logging, *self.weights))
        return order if self.weight is None else order[self.weight[order] > 0]

    def row_influences(self, value: Value) -> Floats | None:
        """What each row adds to a value, where there are many."""
        if value.undefined or equivalent_count(self.row_weights) < MANY:
            return None
        terms = value.metric.row_terms(self.rows)
        return None if terms is None else ratio_influences(terms, self.weight)

    def select(self, chosen: Places, metrics: Iterable[Metric]) -> OffpolicyEvidence:
        """The evidence of some rows."""
        return OffpolicyEvidence.of(self.rows.select(chosen), threads=self.evidence.threads)
