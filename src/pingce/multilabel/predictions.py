"""Rows drawn anew, for intervals and for two models on the same rows: counts and sums follow from how often each row was drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats, Ints, Places, exact_dot, exact_sum
from pingce.base.lazy import cached_property
from pingce.evidence.binary.thresholds import Pairs, ThresholdEvidence
from pingce.multilabel.counts import Decisions, Patterns, pattern_codes, predicted_flags
from pingce.multilabel.evidence import Key, LabelView, MultilabelEvidence, label_rows
from pingce.multilabel.ranks import RankSums
from pingce.scores.values import Value
from pingce.stats.predictions import Predictions
from pingce.stats.resampling import Resampling, value_columns

BLOCKS = 1000
"Scores of a label that is drawn anew; more are put into so many of neighbouring ones."
_WIDE = 1 << 26
"Cells of a matrix that is multiplied at once."


class LabelPredictions(Predictions):
    """Which labels rows have, and their scores."""

    def __init__(self, evidence: MultilabelEvidence) -> None:
        rows = evidence.data.counted()
        evidence = evidence if rows is evidence.data else MultilabelEvidence(rows, threads=evidence.threads)
        super().__init__(evidence, rows, rows.truth, tuple(rows.scores.T))
        self._flags: dict[Key, tuple[NDArray[np.uint8], Ints, Patterns]] = {}
        self._blocks: dict[int | None, tuple[Places, NDArray[np.uint8], int]] = {}

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
        return DrawnEvidence(self, np.ones(len(self.truth)))

    def draws(self, order: Places, resampling: Resampling) -> Iterator[DrawnEvidence]:
        """As many rows as there are, drawn by their place in the order."""
        random, size = resampling.random(), len(order)
        for _ in range(resampling.samples):
            often = np.zeros(size)
            often[order] = np.bincount(random.integers(0, size, size), minlength=size)
            yield DrawnEvidence(self, often)

    def paired_draws(self, values: Mapping[str, Value], order: Places, resampling: Resampling) -> dict[str, Floats]:
        """Draws of each value; two models that share the order of their rows share the rows of each draw."""
        return value_columns(values, self.draws(order, resampling), resampling.samples)

    def flags(self, key: Key) -> tuple[NDArray[np.uint8], Ints, Patterns]:
        """What is predicted at a threshold, the pattern of each row, and all patterns."""
        if key not in self._flags:
            predicted = predicted_flags(self.rows.scores, *key).view(np.uint8)
            matrices = self.truth & predicted, predicted, self.truth
            sizes = np.stack([matrix.sum(axis=1, dtype=np.int64) for matrix in matrices])
            width = len(self.rows.labels)
            codes, place, rows = np.unique(pattern_codes(sizes, width), return_inverse=True, return_counts=True)
            rest, true = np.divmod(codes, width + 1)
            tp, of_prediction = np.divmod(rest, width + 1)
            patterns = Patterns(tp, of_prediction, true, rows.astype(np.int64), rows.astype(np.float64))
            self._flags[key] = predicted, place.reshape(-1), patterns
        return self._flags[key]

    def blocks(self, at: int | None) -> tuple[Places, NDArray[np.uint8], int]:
        """The block of each row by its score of a label, the highest first, whether it has the label, and how many blocks there are."""
        if at not in self._blocks:
            rows = label_rows(self.rows, at)
            place = _blocks(-rows.scores)
            self._blocks[at] = place, rows.positive, int(place.max()) + 1
        return self._blocks[at]


class DrawnEvidence:
    """What metrics read of rows that were drawn: each counts as often as it was."""

    threads = None

    def __init__(self, predictions: LabelPredictions, often: Floats) -> None:
        self._predictions, self._rows = predictions, predictions.rows
        self.whole = predictions.evidence
        self.labels: tuple[str, ...] = self._rows.labels
        self.count = len(often)
        self._often = often
        self._amount = often if predictions.weight is None else often * predictions.weight
        self._decisions: dict[Key, Decisions] = {}

    @property
    def weight(self) -> float:
        """Σ w."""
        return float(self._amount.sum())

    def view(self, policies: Any) -> LabelView:
        """The evidence under the policies of a metric."""
        return LabelView(self, policies)

    def decisions(self, key: Key) -> Decisions:
        """The counts at a threshold."""
        if key not in self._decisions:
            predicted, place, patterns = self._predictions.flags(key)
            truth = self._rows.truth
            right, positives, true = (self._by_label(matrix) for matrix in (truth & predicted, predicted, truth))
            amount: Floats = np.bincount(place, self._amount, len(patterns.tp)).astype(np.float64)
            rows = np.bincount(place, self._often, len(patterns.tp)).astype(np.int64)
            counted = Patterns(patterns.tp, patterns.predicted, patterns.true, rows, amount)
            self._decisions[key] = Decisions(right, positives, true, counted)
        return self._decisions[key]

    def _by_label(self, flags: NDArray[np.uint8]) -> Floats:
        """Σ w of the rows that have each label: whole numbers are added up exactly, whatever multiplies matrices."""
        if self._predictions.weight is None and flags.size <= _WIDE:
            sums: Floats = self._often @ flags.astype(np.float64)
            return sums
        return np.array([np.bincount(label, self._amount, 2)[1] for label in flags.T])

    @cached_property
    def ranks(self) -> RankSums:
        """What the order within rows adds up to."""
        ranks = self.whole.row_ranks
        empty, full, others = ranks.kinds
        amounts = [exact_sum(self._amount[kind]) for kind in (empty, full, others)]
        rows = [int(self._often[kind].sum()) for kind in (empty, full, others)]
        amount = self._amount[others]
        sums = {
            name: exact_dot(getattr(ranks, name)[others], amount) for name in ("coverage", "precision", "wrong", "half")
        }
        return RankSums(tuple(rows), tuple(amounts), sums)  # type: ignore[arg-type]

    def label(self, at: int | None) -> DrawnLabel:
        """The rows of one label, or of all."""
        place, positive, count = self._predictions.blocks(at)
        amount = self._amount if at is not None else np.repeat(self._amount, len(self.labels))
        sides: Floats = np.bincount(2 * place + positive, amount, 2 * count).reshape(-1, 2).astype(np.float64)
        return DrawnLabel(sides[:, 1], sides[:, 0])

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


def _blocks(keys: NDArray[Any]) -> Places:
    """The step of each row, ascending by its key; where there are many steps, neighbours share one."""
    distinct, place = np.unique(keys, return_inverse=True)
    place = place.reshape(-1)
    if len(distinct) <= BLOCKS:
        return place.astype(np.intp)
    upto = np.cumsum(np.bincount(place))
    blocks: Places = np.minimum((upto - 1) * BLOCKS // upto[-1], BLOCKS - 1).astype(np.intp)
    return blocks[place]
