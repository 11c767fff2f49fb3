"""The uplift curve and the Qini curve as numbers: points, areas, and the curves of the best and of a random order."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pingce.base.core import thread_count
from pingce.base.exact import Floats, exact_sum
from pingce.base.records import dataclass
from pingce.uplift.evidence import ArmTable


@dataclass(frozen=True, eq=False)
class Points:
    """A curve from (0, 0) on: rows so far, and what the curve says there."""

    x: Floats
    y: Floats

    @property
    def size(self) -> Fraction:
        """All rows."""
        return Fraction(float(self.x[-1]))

    @property
    def end(self) -> Fraction:
        """Where the curve ends: what treating everybody brings."""
        return Fraction(float(self.y[-1]))

    def total(self, area: str) -> Fraction:
        """The sum behind the mean height: the area, or that of the points of all rows, which lie on lines between steps."""
        width, low, high = np.diff(self.x), self.y[:-1], self.y[1:]
        if area == "trapezoid":
            return exact_sum(width * (low + high), 1) / 2
        return exact_sum(width * low + (high - low) * ((width + 1) / 2), 1)

    def level(self, area: str) -> Fraction:
        """The mean height: the area over the number of rows; or the mean of the points, one for each row and one before the first."""
        return mean_height(self.total(area), self.size, area)


def mean_height(total: Fraction, size: Fraction, area: str) -> Fraction:
    """A sum over rows as a mean: of points there is one more than rows."""
    return total / (size if area == "trapezoid" else size + 1)


PointsOf: TypeAlias = Callable[[ArmTable, str], Points]
_RANGE = 1 << 15
"Steps that are worked on at once."


def curve_level(
    points_of: PointsOf, table: ArmTable, empty: str, area: str, threads: int | None
) -> tuple[Fraction, Fraction]:
    """The mean height of a curve, and its end; made range by range, in memory that a processor has at hand.

    Sums are exact: ranges may be added in any order.
    """
    size = _RANGE if empty == "zero" else len(table)

    def total(begin: int) -> Fraction:
        points = points_of(table.part(max(begin - 1, 0), begin + size), empty)
        return (Points(points.x[1:], points.y[1:]) if begin else points).total(area)

    if len(table) <= size:
        whole = total(0)
    else:
        with ThreadPoolExecutor(thread_count(threads)) as pool:
            whole = sum(pool.map(total, range(0, len(table), size)), Fraction(0))
    end = points_of(table.part(len(table) - 1, len(table)), "zero")
    return mean_height(whole, end.size, area), end.end


def uplift_points(table: ArmTable, empty: str) -> Points:
    """V = (Y_t / N_t − Y_c / N_c) (N_t + N_c)."""
    treated, control, treated_sum, control_sum = _columns(table)
    rows = treated + control
    lift = _ratio(treated_sum, treated) - _ratio(control_sum, control)
    if empty == "interpolate":
        lift = _from_first(lift, rows, (treated > 0) & (control > 0))
    return Points(np.append(0.0, rows), np.append(0.0, lift * rows))


def qini_points(table: ArmTable, empty: str) -> Points:
    """Q = Y_t − Y_c · N_t / N_c."""
    treated, control, treated_sum, control_sum = _columns(table)
    rows, gain = treated + control, treated_sum - control_sum * _ratio(treated, control)
    if empty == "interpolate":
        gain = _from_first(gain, rows, control > 0)
    return Points(np.append(0.0, rows), np.append(0.0, gain))


def one_step(points: Points) -> Points:
    """Where the best curve without harm goes: up by what treating everybody brings, a row each, then on the level."""
    end, size = float(points.end), float(points.size)
    return Points(np.array([0.0, end, size]), np.array([0.0, end, end]))


def _columns(table: ArmTable) -> list[Floats]:
    columns = table.treated, table.control, table.treated_sum, table.control_sum
    return [column.astype(np.float64, copy=False) for column in columns]


def _ratio(top: Floats, bottom: Floats) -> Floats:
    """top / bottom, 0 where the bottom is 0."""
    if bottom[0]:  # running sums: none is 0 then
        return top / bottom
    ratio: Floats = np.divide(top, bottom, out=np.zeros(len(top)), where=bottom != 0)
    return ratio


def _from_first(values: Floats, rows: Floats, has_value: NDArray[np.bool_]) -> Floats:
    """What stands before the first step that has a value, on a line from 0 to it."""
    first = int(has_value.argmax())
    if not first:
        return values
    return np.concatenate([values[first] * (rows[:first] / rows[first]), values[first:]])
