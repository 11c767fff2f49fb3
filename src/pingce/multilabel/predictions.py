"""Rows drawn anew, for intervals and for two models on the same rows: counts and sums follow from how often each row was drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats, Places
from pingce.base.lazy import cached_property
from pingce.base.records import dataclass
from pingce.evidence.binary.thresholds import Pairs, ThresholdEvidence
from pingce.multilabel.counts import Decisions, Patterns, pattern_codes, predicted_flags
from pingce.multilabel.evidence import Key, LabelView, MultilabelEvidence, label_rows
from pingce.multilabel.ranks import RankSums
from pingce.scores.values import Value
from pingce.stats.blocks import BLOCKS, blocks_of
from pingce.stats.draws import Units
from pingce.stats.predictions import Predictions
from pingce.stats.resampling import Resampling, value_columns

_CELLS = 1 << 22
"Sums of labels that are held at once."
_RANKS = ("coverage", "precision", "wrong", "half")


class LabelPredictions(Predictions):
    """Which labels rows have, and their scores."""

    def __init__(self, evidence: MultilabelEvidence) -> None:
        rows = evidence.data.counted()
        evidence = evidence if rows is evidence.data else MultilabelEvidence(rows, threads=evidence.threads)
        super().__init__(evidence, rows, rows.truth, tuple(rows.scores.T))

    @property
    def conditions(self) -> list[NDArray[Any]]:
        """What all models share of a row: weight and labels."""
        return [*self.weights, *self.truth.T]

    @property
    def order(self) -> Places:
        """Rows sorted by all that is known of them."""
        return np.lexsort((*self.columns, *self.truth.T, *self.weights))

    def binned(self) -> DrawnEvidence:
        """The rows as they are, in the blocks of the draws."""
        return DrawnEvidence(RowUnits(self.evidence, np.arange(len(self.truth))), Units.whole)

    def draws(self, order: Places, resampling: Resampling) -> Iterator[DrawnEvidence]:
        """As many rows as there are, drawn by their place in the order; some draws at a time."""
        units = RowUnits(self.evidence, order)
        at_once = max(1, _CELLS // (2 * BLOCKS * len(self.rows.labels)))
        for first in range(0, resampling.samples, at_once):
            draws = _Draws(resampling, first, min(at_once, resampling.samples - first))
            yield from (DrawnEvidence(units, partial(draws.sums, at)) for at in range(draws.count))

    def paired_draws(self, values: Mapping[str, Value], order: Places, resampling: Resampling) -> dict[str, Floats]:
        """Draws of each value; two models that share the order of their rows share the rows of each draw."""
        return value_columns(values, self.draws(order, resampling), resampling.samples)


class _Draws:
    """Some draws: sums are made for all of them when those of one are wanted."""

    def __init__(self, resampling: Resampling, first: int, count: int) -> None:
        self._resampling, self._first, self.count = resampling, first, count
        self._sums: dict[int, Floats] = {}

    def sums(self, at: int, units: Units) -> Floats:
        """The sums of one draw; every kind of units is drawn by the same numbers."""
        if id(units) not in self._sums:
            self._sums[id(units)] = units.drawn(self._resampling, self._first, self.count)
        sums: Floats = self._sums[id(units)][at]
        return sums


@dataclass(frozen=True, eq=False)
class Flags:
    """What rows add to the counts at a threshold."""

    labels: Units
    "Of each label: right, predicted, true."
    patterns: Patterns
    rows: Units
    "Of each pattern."
    amounts: Units


class RowUnits:
    """What rows, in an order, add to which sums."""

    def __init__(self, evidence: MultilabelEvidence, order: Places) -> None:
        self.evidence, self.rows, self._order = evidence, evidence.data, order
        self.weight = None if self.rows.weight is None else self.rows.weight[order]
        self._flags: dict[Key, Flags] = {}
        self._labels: dict[int | None, Units] = {}

    @cached_property
    def total(self) -> Units:
        """Σ w."""
        return Units.in_order(np.zeros(len(self._order), np.intp), 1, self.weight)

    def flags(self, key: Key) -> Flags:
        """What is predicted at a threshold, and the pattern of each row."""
        if key not in self._flags:
            truth, width = self.rows.truth, len(self.rows.labels)
            predicted = predicted_flags(self.rows.scores, *key).view(np.uint8)
            matrices = truth & predicted, predicted, truth
            sizes = np.stack([matrix.sum(axis=1, dtype=np.int64) for matrix in matrices])
            codes, place, rows = np.unique(pattern_codes(sizes, width), return_inverse=True, return_counts=True)
            rest, true = np.divmod(codes, width + 1)
            tp, of_prediction = np.divmod(rest, width + 1)
            patterns = Patterns(tp, of_prediction, true, rows.astype(np.int64), rows.astype(np.float64))
            cells = np.nonzero(np.hstack(matrices)[self._order])[1]
            entries = self._entries(cells, 3 * width, sizes.sum(axis=0)[self._order])
            place = place.reshape(-1)[self._order]
            counted = Units.in_order(place, len(codes), None)
            amounts = counted if self.weight is None else Units.in_order(place, len(codes), self.weight)
            self._flags[key] = Flags(entries, patterns, counted, amounts)
        return self._flags[key]

    def label(self, at: int | None) -> Units:
        """Rows with and without a label in each block of its scores, the highest first; None: of all labels together."""
        if at not in self._labels:
            rows = label_rows(self.rows, at)
            cells = 2 * blocks_of(-rows.scores) + rows.positive
            count = int(cells.max()) // 2 * 2 + 2
            if at is not None:
                self._labels[at] = Units.in_order(cells[self._order], count, self.weight)
            else:
                width = len(self.rows.labels)
                each = np.full(len(self._order), width)
                cells = cells.reshape(-1, width)[self._order].reshape(-1)
                self._labels[at] = self._entries(cells, count, each)
        return self._labels[at]

    @cached_property
    def kinds(self) -> tuple[Units, Units]:
        """Rows without labels, rows that have all, all others; and Σ w of them."""
        empty, full, _ = self.evidence.row_ranks.kinds
        kind = np.where(empty, 0, np.where(full, 1, 2))[self._order]
        rows = Units.in_order(kind, 3, None)
        return rows, rows if self.weight is None else Units.in_order(kind, 3, self.weight)

    @cached_property
    def ranks(self) -> Units:
        """What the order within rows adds up to, of the others."""
        ranks = self.evidence.row_ranks
        columns = [np.where(ranks.kinds[2], getattr(ranks, name), 0.0)[self._order] for name in _RANKS]
        values = np.stack(columns, axis=1) * (1.0 if self.weight is None else self.weight[:, None])
        cells = np.tile(np.arange(len(_RANKS)), len(values))
        return Units.of_entries(cells, len(_RANKS), np.full(len(values), len(_RANKS)), values.reshape(-1))

    def _entries(self, cells: Places, count: int, entries: Places) -> Units:
        """Rows of so many entries each, which add the weight of their row."""
        weight = None if self.weight is None else np.repeat(self.weight, entries)
        return Units.of_entries(cells, count, entries, weight)


class DrawnEvidence:
    """What metrics read of rows that were drawn: each counts as often as it was."""

    threads = None

    def __init__(self, units: RowUnits, sums_of: Callable[[Units], Floats]) -> None:
        self._units, self._sums_of = units, sums_of
        self.whole = units.evidence
        self.labels: tuple[str, ...] = units.rows.labels
        self.count = len(units.rows)
        self._decisions: dict[Key, Decisions] = {}
        self._labels: dict[int | None, DrawnLabel] = {}

    @property
    def weight(self) -> float:
        """Σ w."""
        return float(self._sums_of(self._units.total)[0])

    def view(self, policies: Any) -> LabelView:
        """The evidence under the policies of a metric."""
        return LabelView(self, policies)

    def decisions(self, key: Key) -> Decisions:
        """The counts at a threshold."""
        if key not in self._decisions:
            flags = self._units.flags(key)
            right, predicted, true = self._sums_of(flags.labels).reshape(3, -1)
            rows, amount = self._sums_of(flags.rows).astype(np.int64), self._sums_of(flags.amounts)
            patterns = flags.patterns
            counted = Patterns(patterns.tp, patterns.predicted, patterns.true, rows, amount)
            self._decisions[key] = Decisions(right, predicted, true, counted)
        return self._decisions[key]

    @cached_property
    def ranks(self) -> RankSums:
        """What the order within rows adds up to."""
        rows, amounts = (self._sums_of(units).tolist() for units in self._units.kinds)
        sums = zip(_RANKS, map(Fraction, self._sums_of(self._units.ranks).tolist()), strict=True)
        return RankSums(tuple(map(int, rows)), tuple(map(Fraction, amounts)), dict(sums))  # type: ignore[arg-type]

    def label(self, at: int | None) -> DrawnLabel:
        """The rows of one label, or of all."""
        if at not in self._labels:
            sides = self._sums_of(self._units.label(at)).reshape(-1, 2)
            self._labels[at] = DrawnLabel(sides[:, 1], sides[:, 0])
        return self._labels[at]

    def is_mixed(self, at: int | None) -> tuple[bool, bool]:
        """Whether there are rows that have the label, and rows that do not."""
        table = self.label(at).thresholds
        return table.positives > 0, table.negatives > 0


class DrawnLabel:
    """What areas read of one label of rows that were drawn: a table of blocks."""

    def __init__(self, positive: Floats, negative: Floats) -> None:
        kept = (positive + negative) > 0
        score = -np.flatnonzero(kept).astype(np.float64)
        self.thresholds = ThresholdEvidence(score, np.cumsum(positive[kept]), np.cumsum(negative[kept]))

    def view(self, policies: object) -> DrawnLabel:
        """Itself: no policy changes an area."""
        return self

    @property
    def pairs(self) -> Pairs:
        """Pairs of a row that has the label and one that does not."""
        return self.thresholds.pairs()

    def ranges(self) -> tuple[ThresholdEvidence, ...]:
        """The table itself."""
        return (self.thresholds,)
