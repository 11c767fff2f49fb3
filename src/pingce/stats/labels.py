"""Labels and scores as intervals and tests see them: metrics by the sums of cells, what each row adds, and draws."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats, Ints
from pingce.base.lazy import cached_property
from pingce.base.places import sums_by_place
from pingce.evidence.binary.evidence import BinaryEvidence
from pingce.evidence.binary.stack import TableStack, quotients
from pingce.evidence.binary.thresholds import Cells
from pingce.metrics.declared import RowTerms
from pingce.scores.values import Value
from pingce.stats.celled import CellValue, ScoreRanges
from pingce.stats.cells import FEW, CellSums, decision_cells, decision_draws, decision_sums
from pingce.stats.draws import Units
from pingce.stats.influences import Influences, ratio_influences
from pingce.stats.resampling import Resampling, metric_view

MANY = 1000
"Rows of each class, or groups, from which what each row adds says as much as draws do; rows of one weight count so."
CELLED = 200
"And rows of each cell of a decision."

_HELD = 1 << 24
"Sums of draws that are kept for the next metric."


class LabelRows:
    """The rows of one model; with `by_group`, groups vary and not rows."""

    def __init__(self, evidence: BinaryEvidence, *, by_group: bool = False) -> None:
        self.evidence, self.rows, self.weight = evidence, evidence.rows, evidence.rows.weight
        self.codes: Ints | None = evidence.group_codes if by_group else None
        self._drawn: tuple[Resampling, list[Floats]] | None = None

    @cached_property
    def positive(self) -> NDArray[np.bool_]:
        """Which rows are positive."""
        return self.rows.positive.view(bool)

    @cached_property
    def classes(self) -> CellSums:
        """The negatives and the positives."""
        if self.weight is None:
            counts = np.array([len(self.rows) - self.rows.labels.count, self.rows.labels.count], np.float64)
            return CellSums(counts, counts)
        return CellSums.of(self.rows.positive.astype(np.intp), 2, self.weight)

    @cached_property
    def are_many(self) -> bool:
        """Whether both classes have many rows, and there are many groups."""
        groups = MANY if self.codes is None else int(self.codes.max()) + 1
        return bool(self.classes.counts().min() >= MANY) and groups >= MANY

    def are_many_for(self, value: Value) -> bool:
        """Whether there are so many rows that a value needs no draws: of each cell too, where it is a decision.

        What is best of several is drawn however many there are: its excess has to be seen.
        """
        if value.metric.optimistic or not self.are_many:
            return False
        return value.metric.needs != "cells" or bool(decision_sums(value, self.evidence).counts().min() >= CELLED)

    @cached_property
    def rarer(self) -> int:
        """How many rows the rarer class has: 6 positives hide more than they show."""
        if self.weight is None:
            return int(self.classes.weight.min())
        positive = self.positive[self.weight > 0]
        positives = int(np.count_nonzero(positive))
        return min(positives, len(positive) - positives)

    @cached_property
    def ranges(self) -> ScoreRanges:
        """The table of thresholds in ranges."""
        return ScoreRanges.of(self.evidence.thresholds)

    @cached_property
    def range_cells(self) -> Ints:
        """The place of each row in the ranges."""
        return self.ranges.cells(self.rows.scores, self.positive)

    def celled(self, value: Value) -> CellValue:
        """A value as a function of sums over cells: the four of a decision, or those of ranges of scores."""
        if value.metric.needs == "cells":
            sums = decision_sums(value, self.evidence).weight
            return CellValue(partial(_decided, value.metric), sums, partial(decision_cells, value, self.evidence))
        terms = self.terms(value)
        cells = partial(getattr, self, "range_cells")
        if terms is not None:
            return CellValue(self._ratios(terms), self.ranges.sums, cells)
        return CellValue(partial(self._stacked, value), self.ranges.sums, cells)

    def terms(self, value: Value) -> RowTerms | None:
        """What each row adds to a ratio of sums."""
        terms: RowTerms | None = value.metric.row_terms(metric_view(value, self.evidence))
        return terms

    def _stacked(self, value: Value, sums: Floats) -> Floats:
        size = len(self.ranges)
        values: Floats = value.metric.values(
            TableStack(self.ranges.score, sums[:, :size], sums[:, size:], self.rows), value.policies
        )
        return values

    def _ratios(self, terms: RowTerms) -> Any:
        """The mean of what rows of a cell add stands for each of them."""
        weight, cells, count = self.weight, self.range_cells, len(self.ranges.sums)
        bottom = np.ones(len(terms.top)) if terms.bottom is None else terms.bottom
        of_cell = [_means(column, cells, count, weight) for column in (terms.top, bottom)]

        def ratios(sums: Floats) -> Floats:
            values = quotients(*((sums * column).sum(axis=1) for column in of_cell))
            return 1 - values if terms.complement else values

        return ratios

    def influences(self, value: Value) -> Influences | None:
        """What each row or group adds to a value; None where that is not finite."""
        weight = self.weight
        if self.codes is None and weight is None and self.terms(value) is None:
            celled = self.celled(value)
            slopes = celled.slopes(1.0)
            influences = Influences.of_shares(value.value, slopes, celled.sums)
        else:
            added = self.row_influences(value)
            influences = Influences.of_shares(value.value, added if weight is None else added[weight > 0])
        if self.codes is not None:
            influences = influences.by_group(self.codes if weight is None else self.codes[weight > 0])
        return influences if np.isfinite(influences.added).all() else None

    def row_influences(self, value: Value) -> Floats:
        """What each row adds to the distance of a value from the truth; they sum to 0."""
        terms = self.terms(value)
        if terms is not None:
            return ratio_influences(terms, self.weight)
        celled = self.celled(value)
        added = celled.slopes(self.classes.row)[celled.cell()]
        return added if self.weight is None else added * self.weight

    def drawing(self, value: Value) -> str:
        """What is drawn: rows, or what may be behind a cell of few rows."""
        is_decision = value.metric.needs == "cells" and self.codes is None
        has_few = is_decision and decision_sums(value, self.evidence).counts().min() < FEW
        return "jeffreys" if has_few else "bootstrap"

    def draws(self, value: Value, resampling: Resampling) -> Floats:
        """Draws of a value; ranges of scores stand a little apart from all scores, which is set right."""
        if value.metric.needs == "cells" and self.codes is None:
            return decision_draws(value, self.evidence, resampling)
        celled = self.celled(value)
        is_decision = value.metric.needs == "cells"
        sums = self.units(celled).sums(resampling) if is_decision else self._range_sums(celled, resampling)
        return celled.draws(sums) + (value.value - celled.value)

    def _range_sums(self, celled: CellValue, resampling: Resampling) -> Iterable[Floats]:
        """Draws of the ranges, which all metrics of scores share while they fit into memory."""
        if resampling.samples * len(celled.sums) > _HELD:
            return self.units(celled).sums(resampling)
        if self._drawn is None or self._drawn[0] != resampling:
            self._drawn = resampling, [*self.units(celled).sums(resampling)]
        return self._drawn[1]

    def units(self, celled: CellValue) -> Units:
        """Rows to draw, or groups."""
        count = len(celled.sums)
        if self.codes is not None:
            return Units.of_groups(celled.cell(), count, self.weight, self.codes)
        if self.weight is None:
            return Units.of_counts(celled.sums.astype(np.int64))
        return Units.of_rows(celled.cell(), count, self.weight)


def _means(column: Floats, cells: Ints, count: int, weight: Floats | None) -> Floats:
    weights = np.ones(len(column)) if weight is None else weight
    top, bottom = (sums_by_place(added, cells, count) for added in (column * weights, weights))
    return np.divide(top, bottom, out=np.zeros(count), where=bottom > 0)


def _decided(metric: Any, sums: Floats) -> Floats:
    return np.array([metric.of(Cells(*draw)) for draw in sums.tolist()])
