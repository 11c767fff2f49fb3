"""Rows of both arms drawn anew, each arm by itself: for intervals, and for two models on the same rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats, Places
from pingce.scores.values import Value
from pingce.stats.predictions import Predictions
from pingce.stats.resampling import Resampling, value_columns
from pingce.uplift.evidence import ArmTable, UpliftEvidence

BLOCKS = 1000
"Steps of a curve that is drawn anew; longer ones are put into so many of neighbouring scores."


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
        self._block = _blocks(-rows.scores)
        self._best = None if evidence.is_binary else _blocks(-np.where(self._treated, outcome, -outcome))
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
        return self._drawn(np.ones(len(self.truth)))

    def draws(self, order: Places, resampling: Resampling) -> Iterator[DrawnEvidence]:
        """As many rows of each arm as there are, drawn by their place in the order."""
        random = resampling.random()
        arms = [order[self._treated[order]], order[~self._treated[order]]]
        for _ in range(resampling.samples):
            often = np.zeros(len(self.truth))
            for arm in arms:
                often[arm] = np.bincount(random.integers(0, len(arm), len(arm)), minlength=len(arm))
            yield self._drawn(often)

    def _drawn(self, often: Floats) -> DrawnEvidence:
        amount = often * self._amount
        best = None if self._best is None else self._table(self._best, amount)
        return DrawnEvidence(self._table(self._block, amount), best)

    def _table(self, block: Places, amount: Floats) -> ArmTable:
        size = int(block.max()) + 1
        sums = [
            np.bincount(block[arm], column[arm], size)
            for column in (amount, amount * self.truth)
            for arm in (self._treated, ~self._treated)
        ]
        kept = (sums[0] + sums[1]) > 0
        return ArmTable(np.flatnonzero(kept), *(np.cumsum(column[kept]) for column in sums))

    def paired_draws(self, values: Mapping[str, Value], order: Places, resampling: Resampling) -> dict[str, Floats]:
        """Draws of each value; two models that share the order of their rows share the rows of each draw."""
        return value_columns(values, self.draws(order, resampling), resampling.samples)


def _blocks(keys: NDArray[np.float64]) -> Places:
    """The step of each row, ascending by its key; where there are many steps, neighbours share one."""
    distinct, place = np.unique(keys, return_inverse=True)
    if len(distinct) <= BLOCKS:
        return place.astype(np.intp)
    upto = np.cumsum(np.bincount(place))
    blocks: Places = np.minimum((upto - 1) * BLOCKS // upto[-1], BLOCKS - 1).astype(np.intp)
    return blocks[place]
