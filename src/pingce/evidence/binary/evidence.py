"""Labels and scores as metrics see them: each piece of evidence is made when a metric first asks for it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from fractions import Fraction
from functools import reduce
from operator import mul
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats, exact_sum, weighted_dot, weighted_sum
from pingce.base.lazy import cached_property
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.binary.fields import FieldEvidence, column_of_fields, field_evidence
from pingce.evidence.binary.grouped import GroupEvidence, group_evidence
from pingce.evidence.binary.probability import Bin, ProbabilityEvidence, probability_evidence, row_sums
from pingce.evidence.binary.reference import count_clipped, losses_of_sides
from pingce.evidence.binary.slice_totals import SliceSums, slice_sums
from pingce.evidence.binary.thresholds import (
    Cells,
    Pairs,
    ThresholdEvidence,
    exact_cells,
    pair_evidence,
    threshold_evidence,
)
from pingce.evidence.policies import BinaryPolicies

if TYPE_CHECKING:
    from pingce.inputs.binary import BinaryRows
    from pingce.inputs.slices import Partition


_HEAVIEST = 1e150
"Weights whose squares are still finite."
_SOME = 1000
"Rows that are looked at first: most often they settle it."


class BinaryEvidence:
    """The evidence of some rows. Where a metric `needs` the table of thresholds, the pairs follow from it too."""

    bins: int | None = None
    "How many cells scores were put into; None where every score is its own."

    def __init__(self, rows: BinaryRows, needs: Collection[str] = (), *, threads: int | None = None) -> None:
        self.rows, self.notes, self.needs, self.threads = rows, rows.notes, needs, threads
        self._cells: dict[tuple[float, str], Cells] = {}
        self._probability: dict[tuple[float | None, int, bool], ProbabilityEvidence] = {}
        self._groups: dict[tuple[float | None, tuple[str, ...]], GroupEvidence] = {}
        self._fields: dict[str, FieldEvidence] = {}

    @property
    def data(self) -> BinaryRows:
        """The rows."""
        return self.rows

    @property
    def partitions(self) -> tuple[Partition, ...]:
        """What the rows are sliced by."""
        return self.rows.by

    @cached_property
    def slice_totals(self) -> tuple[SliceSums, ...]:
        """Predicted and actual positives of each slice."""
        return tuple(slice_sums(self.rows))

    def part(self, places: NDArray[np.intp]) -> BinaryEvidence:
        """The evidence of some of the rows."""
        return BinaryEvidence(self.rows.select(places), self.needs, threads=self.threads)

    def prepare(self, metrics: Sequence[Any]) -> None:
        """Make at once what several metrics will ask for piece by piece."""
        bins = {int(metric.bins) for metric in metrics if getattr(metric, "binning", "") == "width"}
        loss = any(metric.takes_logarithm and metric.eps is None for metric in metrics)
        if (bins or loss) and self.rows.are_probabilities:
            self.probability(None, max(bins, default=0), loss=loss)
        columns = weight_columns(metrics)
        if columns:
            self.groups(columns)
        fields = tuple(dict.fromkeys(name for metric in metrics if metric.needs == "fields" for name in [metric.by]))
        if fields and self.rows.are_probabilities:
            self.count_fields(fields)

    @cached_property
    def thresholds(self) -> ThresholdEvidence:
        """The table of distinct scores."""
        return threshold_evidence(self.rows, threads=self.threads)

    def ranges(self) -> Iterable[ThresholdEvidence]:
        """The same in ranges of scores, the highest first, for metrics that need only one after another."""
        return self.thresholds.blocks()

    @cached_property
    def pairs(self) -> Pairs:
        """Pairs of a positive and a negative row."""
        if "thresholds" in self.needs:
            return self.thresholds.pairs()
        return pair_evidence(self.rows, threads=self.threads)

    @cached_property
    def totals(self) -> tuple[Fraction, Fraction]:
        """How many rows and how many positives, or Σ of their weights."""
        return row_sums(self.rows, self.threads)

    @cached_property
    def squared_weights(self) -> tuple[bool, Fraction]:
        """Whether every weight is a whole number, that is, counts rows; and Σ of the squares."""
        if self.rows.weight is None:
            return True, Fraction(len(self.rows))
        weight = np.minimum(self.rows.weight, _HEAVIEST)
        return bool((self.rows.weight == np.floor(self.rows.weight)).all()), exact_sum(weight * weight)

    @property
    def dispersion(self) -> float:
        """Σw² / Σw where weights are fractions, 1 where they count rows: by how much sums vary more than counts do."""
        whole, squared = self.squared_weights
        return 1.0 if whole else float(squared / self.totals[0])

    @cached_property
    def group_codes(self) -> NDArray[np.int64]:
        """The group of each row as a number, in the order of their ids; -1 for a row of weight 0, which is none."""
        rows = self.rows
        if rows.group is None:
            return np.arange(len(rows))
        kept = np.arange(len(rows)) if rows.weight is None else np.flatnonzero(rows.weight)
        codes = np.full(len(rows), -1, np.int64)
        codes[kept] = np.unique(rows.group.plain().comparable()[kept], return_inverse=True)[1].reshape(-1)
        return codes

    @cached_property
    def few_scores(self) -> tuple[float, ...] | None:
        """The distinct scores, if there are no more than two."""
        scores = self.rows.scores
        if len(np.unique(scores[:_SOME])) > 2:
            return None
        low, high = scores.min() + 0, scores.max() + 0  # 0 has no sign
        if low == high:
            return (float(low),)
        either = int(np.count_nonzero((scores == low) | (scores == high)))
        return (float(low), float(high)) if either == len(scores) else None

    @property
    def undiagnosed(self) -> Text | None:
        """Why there is no diagnosis; None where there is one."""
        return None

    def curve_table(self) -> tuple[ThresholdEvidence, bool]:
        """The points of curves, and whether these are all there are."""
        return self.thresholds, True

    def cells(self, threshold: float, compare: str) -> Cells:
        """The decision at a threshold."""
        key = (threshold, compare)
        if key not in self._cells:
            self._cells[key] = self.count_cells(key)
        return self._cells[key]

    def count_cells(self, key: tuple[float, str]) -> Cells:
        """The decision at a threshold and a comparison that nobody asked for yet, counted row by row."""
        counts = exact_cells(self.rows, *key, self.threads)
        return Cells(*counts) if self.rows.weight is None else Cells(*map(float, counts))

    def probability(self, epsilon: float | None, bins: int = 0, *, loss: bool = True) -> ProbabilityEvidence:
        """Sums of probabilities; a call without bins or loss is content with those of any."""
        for (other, number, has_loss), sums in self._probability.items():
            if other == epsilon and bins in (0, number) and loss <= has_loss:
                return sums
        sums = probability_evidence(self.rows, epsilon=epsilon, bins=bins, loss=loss, threads=self.threads)
        self._probability[epsilon, bins, loss] = sums
        return sums

    def groups(self, columns: tuple[str, ...] = (), epsilon: float | None = None) -> GroupEvidence:
        """Pairs by group; a call without columns or loss is content with any."""
        for (other, names), groups in self._groups.items():
            if epsilon in (None, other) and set(columns) <= set(names):
                return groups
        groups = group_evidence(self.rows, epsilon=epsilon, columns=columns, threads=self.threads)
        self._groups[epsilon, columns] = groups
        return groups

    def fields(self, name: str) -> FieldEvidence:
        """Sums of probabilities by the values of a column; by group where it has no name."""
        if name not in self._fields:
            self.count_fields((name,))
        return self._fields[name]

    def count_fields(self, names: Sequence[str]) -> None:
        """Sums of several columns in one pass over the probabilities."""
        columns = [column_of_fields(self.rows, name) for name in names]
        self._fields |= dict(zip(names, field_evidence(self.rows, columns), strict=True))

    def quantile_bins(self, count: int) -> tuple[Bin, ...]:
        """Bins with as nearly as possible the same number of rows; equal scores stay together."""
        p = self.thresholds.score[::-1].astype(np.float64)
        positives, negatives = (column[::-1].astype(np.float64) for column in self.thresholds.at)
        both, place = positives + negatives, quantile_places(self.thresholds, count)
        return tuple(_bin(p, positives, both, place == number) for number in np.unique(place).tolist())

    def view(self, policies: BinaryPolicies) -> BinaryView:
        """The evidence under the policies of a metric."""
        return BinaryView(self, policies)


class TableEvidence(BinaryEvidence):
    """The same evidence from a table of thresholds alone, without the rows: it has no groups."""

    def __init__(
        self,
        table: ThresholdEvidence,
        rows: BinaryRows,
        losses: Callable[[float], tuple[Floats, Floats]] | None = None,
        *,
        rounded: bool = False,
    ) -> None:
        super().__init__(rows, ("thresholds",))
        self.rounded = rounded
        "Whether sums may be rounded, as those of a random sample may; they still do not depend on the order of rows."
        self.thresholds = table
        self.totals = Fraction(table.positives) + Fraction(table.negatives), Fraction(table.positives)
        self._losses = losses or (lambda epsilon: losses_of_sides(table.score, epsilon))

    def count_cells(self, key: tuple[float, str]) -> Cells:
        return self.thresholds.cells(*key)

    def probability(self, epsilon: float | None, bins: int = 0, *, loss: bool = True) -> ProbabilityEvidence:
        """Sums of probabilities, each distinct score looked at once."""
        epsilon = self.rows.epsilon if epsilon is None else epsilon
        p = self.thresholds.score.astype(np.float64)
        positives, negatives = (column.astype(np.float64) for column in self.thresholds.at)
        both, (losing, winning) = positives + negatives, self._losses(epsilon)
        place = np.minimum((p * bins).astype(np.int64), bins - 1)

        def total(count: Floats, *factors: Floats) -> Any:
            if self.rounded:
                return float((reduce(mul, factors) * count).sum())
            return weighted_sum(factors[0], count) if len(factors) == 1 else weighted_dot(factors[0], factors[1], count)

        if self.rounded:
            sums = (
                [np.bincount(place, column, minlength=bins) for column in (both, positives, p * both)] if bins else []
            )
            parts = [Bin(*map(Fraction, row)) for row in np.transpose(sums).tolist()]
        else:
            parts = [_bin(p, positives, both, place == number) for number in range(bins)]
        return ProbabilityEvidence(
            epsilon=epsilon,
            rows=self.totals[0],
            positives=self.totals[1],
            loss=Fraction(total(positives, winning) + total(negatives, losing)),
            squared=Fraction(total(positives, p - 1, p - 1) + total(negatives, p, p)),
            predicted=Fraction(total(both, p)),
            clipped=0 if self.rounded else count_clipped(p, epsilon, both),
            bins=tuple(parts),
        )


def weight_columns(metrics: Iterable[Any]) -> tuple[str, ...]:
    """Columns of numbers by which metrics weigh groups."""
    named = [name for metric in metrics for name in metric.needed_columns() if name not in metric.field_columns()]
    return tuple(dict.fromkeys(named))


def _bin(p: Floats, positives: Floats, both: Floats, mask: NDArray[np.bool_]) -> Bin:
    return Bin(
        Fraction(float(both[mask].sum())), Fraction(float(positives[mask].sum())), weighted_sum(p[mask], both[mask])
    )


def quantile_places(table: ThresholdEvidence, count: int) -> NDArray[np.int64]:
    """The bin of each distinct score, from the lowest: that in which its first row falls, ⌊B · rows below / n⌋."""
    both = np.add(*(column[::-1].astype(np.float64) for column in table.at))
    below = np.cumsum(both) - both
    place: NDArray[np.int64] = np.minimum((below * count / both.sum()).astype(np.int64), count - 1)
    return place


@dataclass(frozen=True, eq=False)
class BinaryView:
    """What a metric reads: evidence under one threshold."""

    evidence: BinaryEvidence
    policies: BinaryPolicies

    @cached_property
    def threshold(self) -> float:
        """t, rounded to the type of the scores; beyond its largest number no score reaches it."""
        with np.errstate(over="ignore"):
            return float(self.evidence.rows.score_type.type(self.policies.threshold))

    @cached_property
    def cells(self) -> Cells:
        """TP, FP, TN, FN at the threshold."""
        return self.evidence.cells(self.threshold, self.policies.compare)

    @property
    def pairs(self) -> Pairs:
        """Pairs of a positive and a negative row."""
        return self.evidence.pairs

    @property
    def thresholds(self) -> ThresholdEvidence:
        """The table of distinct scores."""
        return self.evidence.thresholds

    def ranges(self) -> Iterable[ThresholdEvidence]:
        """The same in ranges of scores, the highest first: all of them need not fit into memory."""
        return self.evidence.ranges()

    def probability(self, epsilon: float | None = None, bins: int = 0, *, loss: bool = False) -> ProbabilityEvidence:
        """Sums of probabilities; those of losses only where they are asked for."""
        return self.evidence.probability(epsilon, bins, loss=loss)

    def groups(self, *columns: str) -> GroupEvidence:
        """Pairs by group."""
        return self.evidence.groups(columns)

    def fields(self, name: str) -> FieldEvidence:
        """Sums of probabilities by the values of a column, or by group."""
        return self.evidence.fields(name)
