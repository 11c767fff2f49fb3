"""Values of every query or group: quantised where they are many different ones, sampled where there are too many units."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pingce.base.exact import Floats, Places
from pingce.base.json import Json
from pingce.base.records import dataclass
from pingce.html.plain import number, numbers, readable

MOST_UNITS = 6000
"Queries or groups in the file; of more, a sample in strata."
_LEVELS = 4096
"Distinct values that are kept exactly; of more, as many steps as 16 bits have."
_STEPS = 65534


@dataclass(frozen=True, eq=False)
class Units:
    """Queries or groups that at least one model has, sorted by id, with a value a metric and model (NaN = none)."""

    per: str
    ids: list[Any]
    values: dict[str, Floats]
    "By metric: a row a unit, a column a model."

    def __len__(self) -> int:
        return len(self.ids)

    def take(self, places: Places) -> Units:
        """Some of them."""
        chosen = {name: matrix[places] for name, matrix in self.values.items()}
        return Units(self.per, [self.ids[at] for at in places.tolist()], chosen)


def aligned_units(per: str, columns: Mapping[str, dict[str, list[Any]]], metrics: list[str]) -> Units:
    """The units of all models by id, with their values of these metrics."""
    ids = sorted(
        {unit for table in columns.values() for unit in table[per]}, key=lambda unit: (isinstance(unit, str), unit)
    )
    place = {unit: at for at, unit in enumerate(ids)}
    values = {name: np.full((len(ids), len(columns)), np.nan) for name in metrics}
    for at, table in enumerate(columns.values()):
        rows = [place[unit] for unit in table[per]]
        for name in metrics:
            values[name][rows, at] = np.array(table[name], dtype=np.float64)
    return Units(per, ids, values)


def sampled(units: Units, most: int, metric: str) -> Places:
    """Places of at most so many units: spread evenly over the order of the mean value, both ends among them."""
    if len(units) <= most:
        return np.arange(len(units))
    means = mean_over_models(units.values[metric])
    order = np.lexsort((np.arange(len(units)), np.where(np.isnan(means), np.inf, means)))
    picked: Places = np.sort(order[np.unique(np.linspace(0, len(units) - 1, most).round().astype(np.intp))])
    return picked


def telling(units: Units, metric: str, most: int) -> Places:
    """Places of the units that matter: in turn the worst, the best, and those on which two models differ most."""
    matrix = units.values[metric]
    means = mean_over_models(matrix)
    defined = np.flatnonzero(~np.isnan(means))
    with np.errstate(invalid="ignore"):
        spread = np.nan_to_num(np.fmax.reduce(matrix, axis=1) - np.fmin.reduce(matrix, axis=1), nan=-1.0)
    orders = [np.argsort(means[defined], kind="stable"), np.argsort(-means[defined], kind="stable")]
    if matrix.shape[1] > 1:
        orders += [np.argsort(-spread[defined], kind="stable")] * 2
    turns = np.stack([defined[order] for order in orders], axis=1).reshape(-1)
    _, first = np.unique(turns, return_index=True)
    chosen: Places = turns[np.sort(first)][:most]
    return chosen


def mean_over_models(matrix: Floats) -> Floats:
    """NaN where no model has a value."""
    defined = ~np.isnan(matrix)
    count = defined.sum(axis=1)
    total = np.where(defined, matrix, 0.0).sum(axis=1)
    means: Floats = np.divide(total, count, out=np.full(len(matrix), np.nan), where=count > 0)
    return means


def coded(matrix: Floats) -> Json:
    """Values as small integers: places in a list of levels, exact while these are few; -1 where there is none."""
    defined = matrix[~np.isnan(matrix)]
    levels = np.unique(defined)
    if len(levels) <= _LEVELS:
        codes = np.searchsorted(levels, np.where(np.isnan(matrix), 0.0, matrix))
        scale: Json = {"levels": numbers(levels)}
    else:
        low, high = float(levels[0]), float(levels[-1])
        step = (high - low) / _STEPS
        codes = np.rint((np.nan_to_num(matrix) - low) / step)
        scale = {"low": low, "step": step}
    codes = np.where(np.isnan(matrix), -1, codes).astype(np.int64)
    return scale | {"codes": [column.tolist() for column in codes.T]}


def unit_data(units: Units, kept: Places) -> Json:
    """The table of units, compact."""
    some = units.take(kept)
    return {
        "per": units.per,
        "all": len(units),
        "ids": [readable(unit) for unit in some.ids],
        "values": {name: coded(matrix) for name, matrix in some.values.items()},
        "means": {name: [_mean(column) for column in matrix.T] for name, matrix in units.values.items()},
    }


def _mean(column: Floats) -> float | None:
    defined = column[~np.isnan(column)]
    return number(float(defined.mean())) if len(defined) else None
