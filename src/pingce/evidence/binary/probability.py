"""Probability evidence: exact sums of losses, squared errors and probabilities, whole and by bins."""

from __future__ import annotations

from fractions import Fraction
from math import log
from typing import TYPE_CHECKING

import numpy as np

from pingce.base.core import native_core, thread_count
from pingce.base.errors import InputError
from pingce.base.exact import exact_fraction, exact_sum
from pingce.base.lazy import pa
from pingce.base.records import dataclass
from pingce.evidence import soundness as sound
from pingce.evidence.soundness import demand

if TYPE_CHECKING:
    from pingce.inputs.binary import BinaryRows

_NOTHING = np.zeros(0)


@dataclass(frozen=True)
class Bin:
    """Rows (or Σ weights), positives among them, and Σ of their probabilities."""

    rows: Fraction
    positives: Fraction
    predicted: Fraction

    def plus(self, other: Bin) -> Bin:
        """Both together."""
        return Bin(self.rows + other.rows, self.positives + other.positives, self.predicted + other.predicted)


@dataclass(frozen=True)
class ProbabilityEvidence:
    """Sums over rows that are not rounded: they add up in any order."""

    epsilon: float
    "Probabilities were kept within [ε, 1 - ε] for the logarithm, and for nothing else."
    rows: Fraction
    "How many, or Σ w."
    positives: Fraction
    loss: Fraction
    "Σ w · loss; 0 where it was not asked for."
    squared: Fraction
    "Σ w · (p - y)²."
    predicted: Fraction
    "Σ w · p."
    clipped: int
    "Rows whose probability was outside [ε, 1 - ε]."
    bins: tuple[Bin, ...] = ()
    "By probability, of equal width: bin ⌊p · B⌋, the last one closed."

    def merge(self, other: ProbabilityEvidence) -> ProbabilityEvidence:
        """The evidence of both sets of rows together."""
        if self.epsilon != other.epsilon or len(self.bins) != len(other.bins):
            raise InputError(
                "the two pieces were computed with another epsilon or other bins; compute both alike",
                "两份证据的 epsilon 或分箱不同；请用相同的设置计算",
            )
        sums = {name: getattr(self, name) + getattr(other, name) for name in (*_SUMS, "clipped")}
        bins = tuple(mine.plus(theirs) for mine, theirs in zip(self.bins, other.bins, strict=True))
        return ProbabilityEvidence(epsilon=self.epsilon, bins=bins, **sums)

    def to_arrow(self) -> pa.Table:
        """Sums as fractions in words: the first row is the whole, the others are the bins."""
        whole = {name: str(getattr(self, name)) for name in _SUMS} | {"clipped": str(self.clipped)}
        columns = {
            name: pa.array([str(getattr(sums, name)) for sums in (self, *self.bins)])
            for name in ("rows", "positives", "predicted")
        }
        return sound.stamped(columns, "probability", epsilon=self.epsilon.hex(), **whole)

    @staticmethod
    def from_arrow(table: pa.Table) -> ProbabilityEvidence:
        """The evidence that `to_arrow` wrote."""
        about = sound.checked_value(sound.checked_table(table, "probability"), _BESIDE, "sums")
        rows = sound.checked_value(table.to_pylist(), [dict.fromkeys(_OF_BIN, sound.FRACTION)], "bins")
        evidence = ProbabilityEvidence(
            epsilon=float.fromhex(about["epsilon"]),
            clipped=int(about["clipped"]),
            bins=tuple(Bin(**{name: sound.checked_fraction(row[name], name) for name in _OF_BIN}) for row in rows[1:]),
            **{name: sound.checked_fraction(about[name], name) for name in _SUMS},
        )
        evidence._refuse_unsound()
        return evidence

    def _refuse_unsound(self) -> None:
        """Refuse sums that no rows have."""
        demand(0 < self.epsilon < 0.5, "epsilon is not between 0 and 1/2", "epsilon 不在 0 与 1/2 之间")
        parts: list[ProbabilityEvidence | Bin] = [self, *self.bins]
        for part in parts:
            few = max(part.positives, part.predicted) <= part.rows
            demand(few, "sums are larger than the rows give", "各项之和大于各行所能给出的")
        most = (self.rows, Fraction(1 - log(self.epsilon)) * self.rows)
        demand(
            self.squared <= most[0] and self.loss <= most[1], "losses are larger than they can be", "损失大于可能的值"
        )
        for name in _OF_BIN if self.bins else ():
            whole = sum((getattr(part, name) for part in self.bins), Fraction(0))
            demand(whole == getattr(self, name), f"the bins do not add up to '{name}'", f"各箱之和不等于 '{name}'")


_SUMS = ("rows", "positives", "loss", "squared", "predicted")
_OF_BIN = ("rows", "positives", "predicted")
_BESIDE = {"epsilon": sound.HEXADECIMAL, "clipped": sound.DECIMAL} | dict.fromkeys(_SUMS, sound.FRACTION)


def probability_evidence(
    rows: BinaryRows, *, epsilon: float | None = None, bins: int = 0, loss: bool = True, threads: int | None = None
) -> ProbabilityEvidence:
    """The sums of some rows, whose scores must be probabilities; ε is by default that of the scores' type.

    Logarithms cost more than all the rest: without `loss` there are none.
    """
    epsilon = rows.epsilon if epsilon is None else epsilon
    core = native_core()
    if core is None:
        from pingce.evidence.binary.reference import probability_sums

        return probability_sums(rows, epsilon, bins)
    weight = rows.weight if rows.weight is not None else _NOTHING
    sums = core.probability_sums(rows.positive, rows.scores, weight, epsilon, bins, thread_count(threads), loss)
    total, positives = row_sums(rows, threads)
    return ProbabilityEvidence(
        epsilon=epsilon,
        rows=total,
        positives=positives,
        clipped=sums["clipped"],
        bins=tuple(Bin(*map(exact_fraction, numbers)) for numbers in sums["bins"]),
        **{name: exact_fraction(sums[name]) for name in ("loss", "squared", "predicted")},
    )


def row_sums(rows: BinaryRows, threads: int | None = None) -> tuple[Fraction, Fraction]:
    """How many rows and how many positives, or Σ of their weights."""
    if rows.weight is None:
        return Fraction(len(rows)), Fraction(rows.labels.count)
    core = native_core()
    if core is not None:
        every, positives = core.weight_sums(rows.positive, rows.weight, thread_count(threads))
        return exact_fraction(every), exact_fraction(positives)
    return exact_sum(rows.weight), exact_sum(rows.weight[rows.positive.view(bool)])
