"""Slices of a comparison: each model's value on each part of the data, and its difference to the baseline there."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from pingce.base.errors import InputError
from pingce.base.exact import Floats, Places
from pingce.base.interval import NO_INTERVAL, Interval
from pingce.base.json import Json
from pingce.base.tables import Cell, Table, finite, shown
from pingce.base.text import Text
from pingce.comparison.results import UnitValues
from pingce.scores.ranking import RankingScores, RankingValue
from pingce.scores.slices import ALL, Slice, Slices, slice_title
from pingce.scores.values import ends
from pingce.slices.measured import BOOTSTRAPPED, MOST_DRAWN, is_plain_mean
from pingce.stats.differences import mean_of
from pingce.stats.means import mean_intervals

if TYPE_CHECKING:
    from pingce.comparison.result import Comparison

Key = tuple[str, str | None]
Gaps = Mapping[tuple[str, str], tuple[float, Interval]]
_WHOLE = (ALL, ALL)


def is_sliced(comparison: Comparison) -> bool:
    """Whether every model was scored by slices too."""
    return sum(scores.slices is not None for scores in comparison.scores.values()) == len(comparison.models)


def _slices(comparison: Comparison) -> dict[str, Slices]:
    """The slices of every model; a comparison without is refused."""
    if not is_sliced(comparison):
        raise InputError(
            "this comparison has no slices: give by= (--by) where models are compared",
            "该比较没有切片：请在比较时给出 by=（--by）",
        )
    return {name: scores.slices for name, scores in comparison.scores.items() if scores.slices is not None}


def slice_rows(comparison: Comparison) -> list[Json]:
    """Every slice, the whole last; within it every metric, within that every model.

    None where a value is undefined, the slice is of rows without a name, or the model is the baseline.
    """
    pairs = _Pairs(comparison)
    keys = dict.fromkeys(key for parts in pairs.parts.values() for key in parts if key != _WHOLE)
    return [row for key in (*keys, _WHOLE) for row in _rows(comparison, key, pairs)]


def _rows(comparison: Comparison, key: Key, pairs: _Pairs) -> list[Json]:
    parts = {model: pairs.parts[model][key] for model in comparison.models if key in pairs.parts[model]}
    gaps = pairs.whole if key == _WHOLE else pairs.differences(parts)
    rows = []
    for metric in _sliced_metrics(comparison):
        values = {model: part.values[metric] for model, part in parts.items()}
        base = values[comparison.baseline].value if comparison.baseline in values else math.nan
        for model, value in values.items():
            plain = (math.nan if model == comparison.baseline else value.value - base, NO_INTERVAL)
            gap, interval = gaps.get((metric, model), plain)
            row: Json = {"by": key[0], "slice": key[1], "n": parts[model].n, "metric": metric, "model": model}
            row |= {"value": finite(value.value), **ends(value.interval)}
            rows.append(row | {"difference": finite(gap), **ends(interval, "difference_")})
    return rows


class _Pairs:
    """Which queries of a comparison are in a slice, and how the models differ on them."""

    def __init__(self, comparison: Comparison) -> None:
        slices = _slices(comparison)
        self.parts = {
            name: {(part.by, part.name): part for part in (*each.parts, each.overall)} for name, each in slices.items()
        }
        self._comparison, self._least = comparison, slices[comparison.baseline].min_n
        self._means = {name: units for name in _sliced_metrics(comparison) if (units := _mean_units(comparison, name))}
        units = next(iter(self._means.values()), None)
        row = {} if units is None else {query: at for at, query in enumerate(units.ids)}
        self._places: dict[str, Places] = {}
        for name, scores in comparison.scores.items():
            if isinstance(scores, RankingScores) and row:
                self._places[name] = np.array([row[query] for query in scores.queries], dtype=np.intp)
        small = [part.n for part in next(iter(slices.values())).parts if part.n <= BOOTSTRAPPED]
        self._most = BOOTSTRAPPED if sum(small) <= MOST_DRAWN else 0

    @property
    def whole(self) -> Gaps:
        """The differences of the comparison itself."""
        keys = [(name, model) for name in self._comparison.metrics for model in self._comparison.others]
        gaps = {key: self._comparison.difference(*key) for key in keys}
        return {key: (gap.value, gap.interval) for key, gap in gaps.items()}

    def differences(self, parts: Mapping[str, Slice]) -> Gaps:
        """The mean differences over the pairs of a slice, and their intervals, for plain means over queries."""
        if not self._places:
            return {}
        comparison, settings = self._comparison, self._comparison.settings
        rows = np.unique(np.concatenate([self._places[name][part.places] for name, part in parts.items()]))
        keys = [(name, model) for name in self._means for model in comparison.others]
        apart = np.stack([self._apart(name, model)[rows] for name, model in keys], axis=1)
        gaps = [mean_of(column[~np.isnan(column)]) for column in apart.T]
        if len(rows) < self._least:
            return {key: (gap, NO_INTERVAL) for key, gap in zip(keys, gaps, strict=True)}
        method = "bootstrap" if len(rows) <= self._most else "t"
        intervals = mean_intervals(apart, settings.resampling, method=method).tolist()
        return {key: (gap, (low, high)) for key, gap, (low, high) in zip(keys, gaps, intervals, strict=True)}

    def _apart(self, name: str, model: str) -> Floats:
        columns, models = self._means[name].columns, self._comparison.models
        return columns[:, models.index(model)] - columns[:, models.index(self._comparison.baseline)]


def _sliced_metrics(comparison: Comparison) -> list[str]:
    """All but those that are read out of slices themselves."""
    return [name for name, metric in comparison.measured.items() if not metric.metric.is_reading]


def _mean_units(comparison: Comparison, name: str) -> UnitValues | None:
    """The values of each query, where a metric is a plain mean of them."""
    values = [scores.values_by_name[name] for scores in comparison.scores.values()]
    plain = all(isinstance(value, RankingValue) and is_plain_mean(value) for value in values)
    return comparison[name].units if plain else None


def _counts_queries(comparison: Comparison) -> bool:
    return _slices(comparison)[comparison.baseline].unit == "queries"


def slice_note(comparison: Comparison) -> Text:
    """How differences within slices were made, and what they are not."""
    percent = f"{100 * comparison.settings.confidence:g} %"
    if _counts_queries(comparison):
        return Text(
            f"slices: Δ over the queries of the slice, {percent} interval over the same queries; not corrected for the number of slices",
            f"切片：Δ 及其 {percent} 区间均按该切片的查询计算；未按切片数校正",
        )
    return Text(
        "slices: Δ is the difference of the two values; only that of all rows has an interval and a test",
        "切片：Δ 为两个值之差；只有全部行的 Δ 有区间与检验",
    )


def slice_reading_tables(comparison: Comparison, places: int) -> list[Table]:
    """For readers: a table for each column that was sliced by, a row per slice and metric, a column per model."""
    rows = slice_rows(comparison)
    names = dict.fromkeys(row["by"] for row in rows if row["by"] != ALL)
    return [_table(comparison, by, [row for row in rows if row["by"] in (by, ALL)], places) for by in names]


def _table(comparison: Comparison, by: str, rows: list[Json], places: int) -> Table:
    keyed: dict[tuple[Key, str], dict[str, Json]] = {}
    for row in rows:
        keyed.setdefault(((row["by"], row["slice"]), row["metric"]), {})[row["model"]] = row
    cells: list[list[Cell]] = []
    for ((kind, name), metric), models in keyed.items():
        title = slice_title(... if kind == ALL else name)
        values = [models[model]["value"] if model in models else None for model in comparison.models]
        gaps = [_gap(models.get(model), places) for model in comparison.others]
        cells.append([title, max(row["n"] for row in models.values()), metric, *values, *gaps])
    unit = Text("queries", "查询数") if _counts_queries(comparison) else Text("rows", "行数")
    titles = [by, str(unit), str(Text("metric", "指标")), *comparison.models]
    return Table([*titles, *(f"Δ {model}" for model in comparison.others)], cells)


def _gap(row: Json | None, places: int) -> Cell:
    from pingce.comparison.tables import shown_interval, signed

    if row is None or row["difference"] is None:
        return shown(None, places)
    gap, interval = signed(row["difference"], places), (row["difference_low"], row["difference_high"])
    return gap if None in interval else f"{gap} {shown_interval(interval, places, sign=True)}"
