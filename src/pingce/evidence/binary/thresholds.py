"""Threshold evidence: how many positives and negatives score at least as much as each distinct score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.core import native_core, thread_count
from pingce.base.errors import InputError
from pingce.base.exact import exact_fraction, exact_sum
from pingce.base.lazy import cached_property, pa
from pingce.base.records import dataclass
from pingce.evidence import soundness as sound
from pingce.evidence.soundness import demand

if TYPE_CHECKING:
    from pingce.inputs.binary import BinaryRows


@dataclass(frozen=True)
class Cells:
    """The four counts of a decision: integers, or sums of weights; or columns of them, a class a row."""

    tp: Any
    fp: Any
    tn: Any
    fn: Any

    @property
    def positives(self) -> Any:
        """P."""
        return self.tp + self.fn

    @property
    def negatives(self) -> Any:
        """N."""
        return self.fp + self.tn

    @property
    def total(self) -> Any:
        """All rows."""
        return self.positives + self.negatives


@dataclass(frozen=True)
class Pairs:
    """Pairs of a positive and a negative row; concordant ones count twice, equal scores once. One group needs no table."""

    positives: float
    negatives: float
    twice_concordant: float


_BLOCK = 1 << 16
"Rows of a table that are worked on at once."
_COLUMNS = {
    "score": sound.Column("float32 float64", (sound.FINITE, sound.DESCENDING)),
    "tp": sound.Column("int64 float64", (sound.AMOUNT, sound.RUNNING)),
    "fp": sound.Column("int64 float64", (sound.AMOUNT, sound.RUNNING)),
}


@dataclass(frozen=True, eq=False)
class ThresholdEvidence:
    """One row a distinct score, descending. `tp` and `fp` are the positives and negatives that score at least as much:
    integers, or sums of weights where rows are weighted.
    """

    score: NDArray[Any]
    tp: NDArray[Any]
    fp: NDArray[Any]
    twice_concordant: int | None = None
    "Of all pairs, where it was counted on the way."
    above: tuple[float, float] = (0, 0)
    "Positives and negatives with a higher score than any of these rows, which are some of a larger table."
    totals: tuple[float, float] | None = None
    "Positives and negatives of the larger table."

    def __len__(self) -> int:
        return len(self.score)

    @property
    def weighted(self) -> bool:
        """Whether the counts are sums of weights."""
        return bool(self.tp.dtype.kind == "f")

    @property
    def nbytes(self) -> int:
        """Bytes of memory that the table takes."""
        return int(self.score.nbytes + self.tp.nbytes + self.fp.nbytes)

    @cached_property
    def positives(self) -> float:
        """P, a plain number; of the larger table where these rows are some of it."""
        count: float = self.tp[-1].item() if self.totals is None else self.totals[0]
        return count

    @cached_property
    def negatives(self) -> float:
        """N, likewise."""
        count: float = self.fp[-1].item() if self.totals is None else self.totals[1]
        return count

    @cached_property
    def at(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """The positives and the negatives with exactly each score."""
        return _steps(self.tp, self.above[0]), _steps(self.fp, self.above[1])

    def pairs(self) -> Pairs:
        """The pairs, from the table: Σ of positives at a score × (2 × the negatives below + those with it)."""
        if self.twice_concordant is not None:
            return Pairs(self.positives, self.negatives, self.twice_concordant)
        twice = np.empty(len(self), self.widened(self.tp[:0]).dtype)
        begin = 0
        for block in self.blocks():
            positives, negatives = block.at
            end = begin + len(block)
            twice[begin:end] = self.widened(positives) * (2 * (self.negatives - block.fp) + negatives)
            begin = end
        total = float(twice.sum()) if self.weighted else int(twice.sum())
        return Pairs(self.positives, self.negatives, total)

    def blocks(self) -> Iterator[ThresholdEvidence]:
        """The same rows in ranges that fit into the cache of a processor, the highest scores first."""
        before: tuple[float, float] = self.above
        for begin in range(0, len(self), _BLOCK):
            part = slice(begin, begin + _BLOCK)
            yield replace(
                self,
                score=self.score[part],
                tp=self.tp[part],
                fp=self.fp[part],
                twice_concordant=None,
                above=before,
                totals=(self.positives, self.negatives),
            )
            before = self.tp[part][-1].item(), self.fp[part][-1].item()

    def widened(self, counts: NDArray[Any]) -> NDArray[Any]:
        """Counts to be multiplied with others: as they are where 2 P N fits in 64 bits, else as Python's integers."""
        return counts if self.weighted or 2 * self.positives * self.negatives < 2**63 else counts.astype(object)

    def cells(self, threshold: float, compare: str) -> Cells:
        """The decision at a threshold, which was rounded to the type of the scores."""
        limit = self.score.dtype.type(threshold)
        # Scores descend: count those that are predicted positive.
        upto = len(self) - int(np.searchsorted(self.score[::-1], limit, side="left" if compare == "ge" else "right"))
        tp, fp = (column[upto - 1].item() if upto else 0 for column in (self.tp, self.fp))
        return Cells(tp, fp, self.negatives - fp, self.positives - tp)

    def merge(self, other: ThresholdEvidence) -> ThresholdEvidence:
        """The evidence of both sets of rows together."""
        core = native_core()
        if core is None or self.weighted or other.weighted or self.score.dtype != other.score.dtype:
            return join_counts([self.counts, other.counts])
        columns = self.score, self.tp, self.fp, other.score, other.tp, other.fp
        return _counted(core.merge_tables(*columns, thread_count()))

    @property
    def counts(self) -> Counts:
        """The scores, and the positives and negatives with exactly each."""
        return self.score, *self.at

    def to_arrow(self) -> pa.Table:
        """One row a distinct score; `from_arrow` gives the same evidence back."""
        return sound.stamped({name: getattr(self, name) for name in _COLUMNS}, "thresholds")

    @staticmethod
    def from_arrow(table: pa.Table) -> ThresholdEvidence:
        """The evidence that `to_arrow` wrote."""
        sound.checked_table(table, "thresholds")
        columns = sound.checked_columns(table, _COLUMNS)
        tp, fp = columns["tp"], columns["fp"]
        demand(tp.dtype == fp.dtype, "positives and negatives are counted differently", "正例与负例的计数方式不同")
        most = sound.MOST if tp.dtype.kind == "i" else sound.LARGEST_SUM
        few = not len(tp) or 0 < float(tp[-1]) + float(fp[-1]) <= most
        demand(few, "more rows are counted than there can be, or none", "计数超出可能的行数，或为零")
        return ThresholdEvidence(columns["score"], tp, fp)


Counts = tuple[NDArray[Any], NDArray[Any], NDArray[Any]]
"Scores, each once, descending, and the positives and negatives with each: how many, or their weights."


def join_counts(pieces: Sequence[Counts]) -> ThresholdEvidence:
    """The table of all pieces, however many there are."""
    kinds = dict.fromkeys(str(score.dtype) for score, _, _ in pieces)
    if len(kinds) > 1:
        first, second, *_ = kinds
        raise InputError(
            f"scores of type {first} cannot be merged with scores of type {second}",
            f"{first} 与 {second} 类型的分数不能合并",
        )
    core, weighted = native_core(), any(positives.dtype.kind == "f" for _, positives, _ in pieces)
    if len(pieces) == 1:
        score, *sides = pieces[0]
        tp, fp = (np.cumsum(side, dtype=np.float64 if weighted else np.int64) for side in sides)
        return ThresholdEvidence(score, tp, fp)
    if core is not None and not weighted:
        whole = [
            (score, positives.astype(np.int64), negatives.astype(np.int64)) for score, positives, negatives in pieces
        ]
        return _counted(core.join_tables(whole, thread_count()))
    scores, *columns = map(np.concatenate, zip(*pieces, strict=True))
    distinct, place = np.unique(-scores, return_inverse=True)
    sums = np.zeros((2, len(distinct)), np.float64 if weighted else np.int64)
    for total, counts in zip(sums, columns, strict=True):
        np.add.at(total, place.reshape(-1), counts)
    return ThresholdEvidence(-distinct + 0, *np.cumsum(sums, axis=1))


def _counted(table: tuple[NDArray[Any], NDArray[Any], NDArray[Any], tuple[int, int]]) -> ThresholdEvidence:
    """A table of the core with its pairs, a number of 128 bits in two halves."""
    score, tp, fp, (high, low) = table
    return ThresholdEvidence(score, tp, fp, (high << 64) + low)


def _steps(running: NDArray[Any], before: float) -> NDArray[Any]:
    """What a running sum grows by, in one pass."""
    steps = np.empty_like(running)
    steps[0] = running[0] - before
    np.subtract(running[1:], running[:-1], out=steps[1:])
    return steps


def threshold_evidence(rows: BinaryRows, *, threads: int | None = None) -> ThresholdEvidence:
    """The table of some rows: dealt by ranges of scores, sorted in each and walked from the highest, by the core."""
    core = native_core()
    if core is None:
        from pingce.evidence.binary.reference import tabulate, tabulate_weights

        return tabulate(rows.positive, rows.scores) if rows.weight is None else tabulate_weights(rows)
    if rows.weight is not None:
        weight, count = np.ascontiguousarray(rows.weight), thread_count(threads)
        return ThresholdEvidence(*core.tabulate_weights(rows.positive, rows.scores, weight, count)[:3])
    return _counted(core.tabulate(rows.positive, rows.scores, thread_count(threads)))


def pair_evidence(rows: BinaryRows, *, threads: int | None = None) -> Pairs:
    """The pairs of all rows as one group; without weights no table is made."""
    if rows.weight is not None:
        return threshold_evidence(rows, threads=threads).pairs()
    core = native_core()
    if core is None:
        from pingce.evidence.binary.reference import count_pairs

        return count_pairs(rows.positive, rows.scores)
    positives = rows.labels.count
    high, low = core.twice_concordant(rows.positive, rows.scores, thread_count(threads))
    return Pairs(positives, len(rows) - positives, (high << 64) + low)


def exact_cells(rows: BinaryRows, threshold: float, compare: str, threads: int | None = None) -> tuple[Any, ...]:
    """TP, FP, TN, FN: counts, or sums of weights that are not rounded."""
    core = native_core()
    if core is not None and rows.weight is not None:
        columns = rows.positive, rows.scores, rows.weight
        sums = core.weight_cells(*columns, threshold, compare == "ge", thread_count(threads))
        below, below_positive, above, above_positive = map(exact_fraction, sums)
        return above_positive, above, below, below_positive
    limit = rows.scores.dtype.type(threshold)
    predicted = rows.scores >= limit if compare == "ge" else rows.scores > limit
    positive = rows.positive.view(bool)
    hit = predicted & positive
    if rows.weight is None:
        tp, chosen, positives = int(np.count_nonzero(hit)), int(np.count_nonzero(predicted)), rows.labels.count
        return tp, chosen - tp, len(rows) - positives - (chosen - tp), positives - tp
    parts = (hit, predicted & ~positive, ~predicted & ~positive, ~predicted & positive)
    return tuple(exact_sum(rows.weight[mask]) for mask in parts)
