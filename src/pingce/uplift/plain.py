"""Plain rows and what follows from them in plain Python: the definitions of metrics of uplift, and nothing fast."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import pairwise
from typing import TypeAlias

from pingce.base.records import dataclass

Row: TypeAlias = "tuple[Fraction, int, Fraction]"
"Outcome, whether it was treated, and weight."
Steps: TypeAlias = "list[tuple[Fraction, Fraction]]"


@dataclass(frozen=True)
class ArmList:
    """Plain rows; the weight of a row is how often it counts."""

    outcomes: tuple[float, ...]
    treated: tuple[int, ...]
    scores: tuple[float, ...]
    weights: tuple[float, ...] | None = None

    def rows(self) -> list[tuple[float, Row]]:
        """Score and row, of those that count, the highest score first."""
        weights = self.weights or (1.0,) * len(self.scores)
        every = zip(self.scores, self.outcomes, self.treated, weights, strict=True)
        rows = [(score, (Fraction(y), int(w), Fraction(weight))) for score, y, w, weight in every if weight]
        return sorted(rows, key=lambda pair: -pair[0])

    def arm(self, flag: int) -> ArmList:
        """The rows of one arm."""
        kept = [at for at, treated in enumerate(self.treated) if treated == flag]
        weights = None if self.weights is None else tuple(self.weights[at] for at in kept)
        outcomes, scores = (tuple(column[at] for at in kept) for column in (self.outcomes, self.scores))
        return ArmList(outcomes, (flag,) * len(kept), scores, weights)

    def total(self) -> Fraction:
        """Σ w."""
        return sum((weight for _, (_, _, weight) in self.rows()), Fraction(0))

    def is_whole(self) -> bool:
        """Whether rows of each arm count as whole numbers at every score."""
        sums: dict[tuple[float, int], Fraction] = {}
        for score, (_, treated, weight) in self.rows():
            sums[score, treated] = sums.get((score, treated), Fraction(0)) + weight
        return all(weight.denominator == 1 for weight in sums.values())

    def has_both(self) -> bool:
        """Whether there are rows of both arms."""
        return {treated for _, (_, treated, _) in self.rows()} == {0, 1}

    def shares(self, wanted: Fraction) -> list[tuple[Row, Fraction]]:
        """How much of each row is among the first so many: of rows with one score all the same share."""
        rows = self.rows()
        shares = []
        for score, row in rows:
            above = sum((other[2] for at, other in rows if at > score), Fraction(0))
            beside = sum((other[2] for at, other in rows if at == score), Fraction(0))
            share = min(max((wanted - above) / beside, Fraction(0)), Fraction(1))
            shares.append((row, share * row[2]))
        return shares


def steps_by_score(rows: ArmList, kind: str, empty: str) -> Steps:
    """The points of a curve, a step per distinct score: for each of them all rows are counted anew."""
    every = rows.rows()
    scores = sorted({score for score, _ in every}, reverse=True)
    return _points(([row for score, row in every if score >= limit] for limit in scores), kind, empty)


def best_steps(rows: ArmList, empty: str) -> Steps:
    """The points of the Qini curve of the best order: by outcome, that of a control row with the other sign."""
    return _ordered(rows, lambda row: row[0] if row[1] else -row[0], "qini", empty)


def best_uplift_steps(rows: ArmList, empty: str) -> Steps | None:
    """The points of the uplift curve of the best order; None where outcomes are not 0 and 1."""
    every = [row for _, row in rows.rows()]
    if not {row[0] for row in every} <= {Fraction(0), Fraction(1)}:
        return None
    lost = sum(weight for y, treated, weight in every if y and not treated)
    idle = sum(weight for y, treated, weight in every if not y and treated)

    def rank(row: Row) -> Fraction:
        agrees = 2 * (int(row[0]) == row[1])
        return Fraction(agrees + (row[0] if lost > idle else row[1]))

    return _ordered(rows, rank, "uplift", empty)


def _ordered(rows: ArmList, rank: Callable[[Row], Fraction], kind: str, empty: str) -> Steps:
    every = [row for _, row in rows.rows()]
    ranks = sorted({rank(row) for row in every}, reverse=True)
    return _points(([row for row in every if rank(row) >= limit] for limit in ranks), kind, empty)


def _points(groups: Iterable[list[Row]], kind: str, empty: str) -> Steps:
    """A point for each set of the first rows."""
    points: list[tuple[Fraction, Fraction, bool]] = []
    for group in groups:
        n, y = (
            [sum((w * (v if s else 1) for v, t, w in group if t == arm), Fraction(0)) for arm in (1, 0)] for s in (0, 1)
        )
        size = n[0] + n[1]
        if kind == "qini":
            gain = y[0] - (y[1] * n[0] / n[1] if n[1] else Fraction(0))
            has_value = n[1] > 0
        else:
            gain = (y[0] / n[0] if n[0] else Fraction(0)) - (y[1] / n[1] if n[1] else Fraction(0))
            has_value = n[0] > 0 and n[1] > 0
        points.append((size, gain, has_value))
    if empty == "interpolate":
        first = next((at for at, point in enumerate(points) if point[2]), 0)
        for at in range(first):
            size, _, has_value = points[at]
            points[at] = (size, points[first][1] * size / points[first][0], has_value)
    zero = (Fraction(0), Fraction(0))
    return [zero, *((size, gain if kind == "qini" else gain * size) for size, gain, _ in points)]


def plain_level(points: Steps, area: str) -> Fraction:
    """The mean height of a curve: by trapezoids, or of a point for each row and one before the first."""
    total = Fraction(0)
    for (x0, y0), (x1, y1) in pairwise(points):
        width = x1 - x0
        total += width * (y0 + y1) / 2 if area == "trapezoid" else width * y0 + (y1 - y0) * (width + 1) / 2
    return total / (points[-1][0] if area == "trapezoid" else points[-1][0] + 1)
