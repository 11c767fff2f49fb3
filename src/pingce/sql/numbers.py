"""Queries of numbers: sums over rows."""

from __future__ import annotations

from pingce.metrics.regression.errors import (
    MaxError,
    MeanAbsoluteError,
    MeanSquaredError,
    RootMeanSquaredError,
    WeightedMeanAbsolutePercentageError,
)
from pingce.metrics.regression.explained import RSquared
from pingce.metrics.regression.totals import MeanError
from pingce.sql.draft import Draft, Step, writes
from pingce.sql.rows import result, whole_rows


def _steps(draft: Draft, select: str, value: str) -> list[Step]:
    """A value of sums over the rows that are whole; others are counted."""
    read = {"pc_true": f"CAST({draft.column('true')} AS DOUBLE)", "pc_pred": f"CAST({draft.column('pred')} AS DOUBLE)"}
    return [
        *whole_rows(draft, read, list(read), "pc_true AS y, pc_pred AS f"),
        Step("pc_center", "SELECT AVG(y) AS center FROM pc_rows"),
        Step("pc_sums", f"SELECT {select}\nFROM pc_rows CROSS JOIN pc_center"),
        result(value, "pc_sums"),
    ]


@writes(MeanAbsoluteError)
def absolute(draft: Draft) -> list[Step]:
    """The mean distance."""
    return _steps(draft, "AVG(ABS(f - y)) AS error", "error")


@writes(MeanSquaredError)
def squared(draft: Draft) -> list[Step]:
    """The mean squared distance."""
    return _steps(draft, "AVG((f - y) * (f - y)) AS error", "error")


@writes(RootMeanSquaredError)
def root(draft: Draft) -> list[Step]:
    """Its root."""
    return _steps(draft, "AVG((f - y) * (f - y)) AS error", "SQRT(error)")


@writes(MeanError)
def signed(draft: Draft) -> list[Step]:
    """The mean difference."""
    return _steps(draft, "AVG(f - y) AS error", "error")


@writes(MaxError)
def greatest(draft: Draft) -> list[Step]:
    """The greatest distance."""
    return _steps(draft, "MAX(ABS(f - y)) AS error", "error")


@writes(WeightedMeanAbsolutePercentageError)
def weighted(draft: Draft) -> list[Step]:
    """Distances by what there was."""
    return _steps(draft, "SUM(ABS(f - y)) AS error, SUM(ABS(y)) AS total", "CASE WHEN total > 0 THEN error / total END")


@writes(RSquared)
def explained(draft: Draft) -> list[Step]:
    """What is left of the variation about the mean; a constant has none, though its mean may be rounded."""
    sums = "SUM((f - y) * (f - y)) AS error, SUM((y - center) * (y - center)) AS total, MIN(y) AS lowest, MAX(y) AS highest"
    return _steps(draft, sums, "CASE WHEN lowest < highest AND total > 0 THEN 1 - error / total END")
