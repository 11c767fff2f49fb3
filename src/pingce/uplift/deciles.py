"""The effect by tenths of the rows, the highest scores first, each with an interval."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pingce.base.exact import Floats
from pingce.base.records import dataclass
from pingce.base.tables import Cell, Table, finite
from pingce.base.text import Text
from pingce.stats.resampling import normal_z
from pingce.uplift.evidence import ArmTable, UpliftEvidence

PARTS = 10


@dataclass(frozen=True)
class Decile:
    """A tenth of the rows: how many of each arm, their mean outcomes, and the difference with its interval."""

    number: int
    treated: float
    control: float
    treated_mean: float
    control_mean: float
    uplift: float
    low: float
    high: float


def deciles(evidence: UpliftEvidence, confidence: float = 0.95) -> list[Decile]:
    """Tenths of the rows by descending score; rows of one score that lie in two tenths count in both by their share."""
    table, z = evidence.table, normal_z(confidence)
    rows = np.append(0.0, table.treated + table.control)
    edges = np.linspace(0, rows[-1], PARTS + 1)
    columns = [_within(rows, column, edges) for column in _columns(table)]
    squares = _squares(evidence)
    spread = [_within(rows, column, edges) for column in squares]
    return [
        _decile(number + 1, *(float(column[number]) for column in (*columns, *spread)), z=z) for number in range(PARTS)
    ]


def _columns(table: ArmTable) -> tuple[Any, ...]:
    return table.treated, table.control, table.treated_sum, table.control_sum


def _squares(evidence: UpliftEvidence) -> tuple[Any, Any]:
    """Running sums of squared outcomes: of 0 and 1 the outcomes themselves."""
    table = evidence.table
    if evidence.is_binary:
        return table.treated_sum, table.control_sum
    cells = evidence.cells.counted()
    block = np.cumsum(np.append(True, cells.score[1:] != cells.score[:-1])) - 1
    terms = cells.weight * cells.number * cells.outcome**2
    first, second = (
        np.cumsum(np.bincount(block, np.where(cells.treated == arm, terms, 0.0), len(table))) for arm in (1, 0)
    )
    return first, second


def _within(rows: Floats, column: Any, edges: Floats) -> Floats:
    """What a running sum grows by between edges."""
    parts: Floats = np.diff(np.interp(edges, rows, np.append(0.0, column)))
    return parts


def _decile(number: int, *sums: float, z: float) -> Decile:
    treated, control, gained, lost, gained_squares, lost_squares = sums
    if treated <= 0 or control <= 0:
        first, second = (
            total / count if count > 0 else math.nan for total, count in ((gained, treated), (lost, control))
        )
        return Decile(number, treated, control, first, second, math.nan, math.nan, math.nan)
    first, second = gained / treated, lost / control
    spread = _variance(gained_squares, first, treated) + _variance(lost_squares, second, control)
    half, uplift = z * math.sqrt(max(0.0, spread)), first - second
    return Decile(number, treated, control, first, second, uplift, uplift - half, uplift + half)


def _variance(squares: float, mean: float, count: float) -> float:
    """Of the mean of an arm, with one row more of each kind than there is: few rows that agree are not certain."""
    within = max(0.0, squares / count - mean * mean)
    return (within * count + 0.25 * (within == 0)) / (count * max(1.0, count - 1))


def decile_table(parts: list[Decile], name: str = "") -> Table:
    """The tenths for readers; what a tenth without rows of an arm lacks is undefined."""
    words = [
        Text("tenth", "十分位"),
        Text("treated", "干预组"),
        Text("control", "对照组"),
        Text("mean, treated", "干预组均值"),
        Text("mean, control", "对照组均值"),
        Text("uplift", "增益"),
        Text("low", "下限"),
        Text("high", "上限"),
    ]
    rows: list[list[Cell]] = [
        [
            each.number,
            *map(_plain, (each.treated, each.control)),
            *finite([each.treated_mean, each.control_mean, each.uplift, each.low, each.high]),
        ]
        for each in parts
    ]
    return Table([str(word) for word in words], rows)


def _plain(count: float) -> Cell:
    return int(count) if float(count).is_integer() else count
