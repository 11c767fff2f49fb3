"""Rows of both arms drawn anew, each arm by itself: for intervals, and for two models on the same rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats, Places
from pingce.scores.values import Value
from pingce.stats.blocks import blocks_of
from pingce.stats.draws import Units
from pingce.stats.predictions import Predictions
from pingce.stats.resampling import Resampling, value_columns
from pingce.uplift.evidence import ArmTable, UpliftEvidence


class DrawnEvidence:
    """What metrics read of rows that were drawn: tables of blocks, in which each row counts as often as it was drawn."""

    threads = None

    def __init__(self, table: ArmTable, best: ArmTable | None) -> None:
        self.table, self._best = table, best

    @property
    def best_table(self) -> ArmTable:
        """The best order for a Qini curve."""
        return self.table.best() if self._best is None else self._best

    @property
    def best_uplift_table(self) -> ArmTable | None:
        """The best order for an uplift curve."""
        return self.table.best_uplift() if self._best is None else None


class UpliftPredictions(Predictions):
    """Scores of rows of both arms."""

    def __init__(self, evidence: UpliftEvidence) -> None:
        rows = evidence.data
        outcome = rows.outcome.astype(np.float64)
        super().__init__(evidence, rows, outcome, (rows.scores,))
        self._treated, self._amount = rows.treated == 1, rows.weights
        self._block = blocks_of(-rows.scores)
        self._best = None if evidence.is_binary else blocks_of(-np.where(self._treated, outcome, -outcome))
        "The order that is best where outcomes are not 0 and 1."

    @property
    def conditions(self) -> list[NDArray[np.float64]]:
        """What all models share of a row: weight, outcome and arm."""
        return [*self.weights, self.truth, self._treated.astype(np.float64)]

    @property
    def order(self) -> Places:
        """Rows sorted by all that is known of them."""
        return np.lexsort((self.truth, *self.columns, self._treated, *self.weights))

    def binned(self) -> DrawnEvidence:
        """The rows as they are, in the blocks of the draws."""
        best = None if self._best is None else self._whole(self._best)
        return DrawnEvidence(self._whole(self._block), best)

    def _whole(self, block: Places) -> ArmTable:
        size = int(block.max()) + 1
        columns: list[Floats] = [
            np.bincount(block[arm], column[arm], size).astype(np.float64, copy=False)
            for column in (self._amount, self._amount * self.truth)
            for arm in (self._treated, ~self._treated)
        ]
        return _table(*columns)

    def draws(self, order: Places, resampling: Resampling) -> Iterator[DrawnEvidence]:
        """As many rows of each arm as there are, drawn by their place in the order."""
        tables = self._tables(self._block, order, resampling)
        if self._best is None:
            yield from (DrawnEvidence(table, None) for table in tables)
            return
        yield from map(DrawnEvidence, tables, self._tables(self._best, order, resampling))

    def _tables(self, block: Places, order: Places, resampling: Resampling) -> Iterator[ArmTable]:
        """A table of blocks for each draw."""
        arms = [order[self._treated[order]], order[~self._treated[order]]]
        seeds = [replace(resampling, seed=2 * resampling.seed + arm) for arm in range(len(arms))]
        sums = [self._sums(block, rows, seed) for rows, seed in zip(arms, seeds, strict=True)]
        for (treated, treated_sum), (control, control_sum) in zip(*sums, strict=True):
            yield _table(treated, control, treated_sum, control_sum)

    def _sums(self, block: Places, rows: Places, resampling: Resampling) -> Iterator[tuple[Floats, Floats]]:
        """Rows and outcomes of each block, for each draw of the rows of an arm."""
        size = int(block.max()) + 1
        if self._best is None and self.weight is None:  # outcomes are 0 and 1
            units = Units.in_order(2 * block[rows] + self.truth[rows].astype(np.intp), 2 * size, None)
            for sums in units.sums(resampling):
                sides = sums.reshape(-1, size, 2)
                yield from zip(sides.sum(axis=2), sides[:, :, 1], strict=True)
            return
        outcomes = self._amount * self.truth
        both = (Units.in_order(block[rows], size, column[rows]) for column in (self._amount, outcomes))
        for amount, outcome in zip(*(units.sums(resampling) for units in both), strict=True):  # of the same rows
            yield from zip(amount, outcome, strict=True)

    def paired_draws(self, values: Mapping[str, Value], order: Places, resampling: Resampling) -> dict[str, Floats]:
        """Draws of each value; two models that share the order of their rows share the rows of each draw."""
        return value_columns(values, self.draws(order, resampling), resampling.samples)


def _table(treated: Floats, control: Floats, treated_sum: Floats, control_sum: Floats) -> ArmTable:
    """Running sums over the blocks that have a row."""
    kept = (treated + control) > 0
    columns = (treated, control, treated_sum, control_sum)
    return ArmTable(np.flatnonzero(kept), *(np.cumsum(column[kept]) for column in columns))
