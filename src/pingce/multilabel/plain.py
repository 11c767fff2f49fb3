"""Plain rows and what follows from them in plain Python: the definitions of metrics of several labels, and nothing fast."""

from __future__ import annotations

from fractions import Fraction
from math import isnan, nan

from pingce.base.records import dataclass


@dataclass(frozen=True)
class Four:
    """What was predicted of a label, or of a row: right, predicted, true, and all."""

    tp: Fraction
    predicted: Fraction
    true: Fraction
    total: Fraction


@dataclass(frozen=True)
class LabelList:
    """Plain rows; the weight of a row is how often it counts."""

    truth: tuple[tuple[int, ...], ...]
    scores: tuple[tuple[float, ...], ...]
    weights: tuple[float, ...] | None = None
    labels: tuple[str, ...] = ()
    threshold: float = 0.5
    compare: str = "ge"
    undefined_label: str = "zero"

    def names(self) -> tuple[str, ...]:
        """What the labels are called."""
        return self.labels or tuple(map(str, range(len(self.truth[0]))))

    def rows(self) -> list[tuple[tuple[int, ...], tuple[float, ...], Fraction]]:
        """Labels, scores and weight of each row that counts."""
        weights = self.weights or (1.0,) * len(self.truth)
        every = zip(self.truth, self.scores, weights, strict=True)
        return [(true, scores, Fraction(weight)) for true, scores, weight in every if weight]

    def is_predicted(self, score: float) -> int:
        """Whether a label with this score is predicted."""
        return int(score >= self.threshold if self.compare == "ge" else score > self.threshold)

    def of_label(self, at: int) -> Four:
        """The counts of one label."""
        cells = [(true[at], self.is_predicted(scores[at]), weight) for true, scores, weight in self.rows()]
        return _four(cells)

    def of_rows(self) -> list[tuple[Four, Fraction]]:
        """The counts of each row, and its weight."""
        return [
            (_four([(y, self.is_predicted(s), Fraction(1)) for y, s in zip(true, scores, strict=True)]), weight)
            for true, scores, weight in self.rows()
        ]

    def column(self, at: int | None) -> list[tuple[int, float, Fraction]]:
        """Truth, score and weight of one label in each row; None: of every label."""
        places = range(len(self.truth[0])) if at is None else (at,)
        return [(true[place], scores[place], weight) for true, scores, weight in self.rows() for place in places]


def _four(cells: list[tuple[int, int, Fraction]]) -> Four:
    return Four(
        sum((weight for y, p, weight in cells if y and p), Fraction(0)),
        sum((weight for _, p, weight in cells if p), Fraction(0)),
        sum((weight for y, _, weight in cells if y), Fraction(0)),
        sum((weight for _, _, weight in cells), Fraction(0)),
    )


def plain_mean(values: list[float], weights: list[Fraction], policy: str) -> float:
    """The mean; one that is undefined counts as the policy says."""
    pairs = [(value, weight) for value, weight in zip(values, weights, strict=True) if weight]
    if policy == "skip":
        pairs = [(value, weight) for value, weight in pairs if not isnan(value)]
    instead = {"zero": 0.0, "one": 1.0}.get(policy, nan)
    pairs = [(instead if isnan(value) else value, weight) for value, weight in pairs]
    bottom = sum((weight for _, weight in pairs), Fraction(0))
    if not bottom or any(isnan(value) for value, _ in pairs):
        return nan
    return float(sum((Fraction(value) * weight for value, weight in pairs), Fraction(0)) / bottom)


def plain_area(cells: list[tuple[int, float, Fraction]]) -> float:
    """Share of pairs (true, not) that the scores order rightly, one by one; equal ones count half."""
    pairs = [(a, b, v * w) for y, a, v in cells if y for z, b, w in cells if not z]
    won = sum((weight * Fraction(2 * (a > b) + (a == b), 2) for a, b, weight in pairs), Fraction(0))
    total = sum((weight for _, _, weight in pairs), Fraction(0))
    return float(won / total) if total else nan


def plain_precision(cells: list[tuple[int, float, Fraction]]) -> float:
    """Mean over true cells of the share of true ones among those that score at least as much."""
    true = [(score, weight) for y, score, weight in cells if y]
    if not true:
        return nan
    total = Fraction(0)
    for score, weight in true:
        true_weight = sum((w for y, s, w in cells if y and s >= score), Fraction(0))
        total += weight * true_weight / sum((w for _, s, w in cells if s >= score), Fraction(0))
    return float(total / sum((weight for _, weight in true), Fraction(0)))
