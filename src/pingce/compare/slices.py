"""Slices of a comparison: each model's value on each part of the data, and its difference to the baseline there."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.compare.results import NONE, Interval, known
from pingce.errors import InputError
from pingce.export import Cell, Table, shown
from pingce.language import Text
from pingce.scores.ranking import RankingValue
from pingce.slices.measured import BOOTSTRAPPED, MOST_DRAWN, is_plain_mean
from pingce.slices.table import ALL
from pingce.slices.table import NONE as NO_VALUE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from pingce.compare.comparison import Comparison
    from pingce.scores import Scores
    from pingce.slices.table import Slice

    Key = tuple[str, str | None]
    Gaps = Mapping[tuple[str, str], tuple[float, Interval]]
    Places = NDArray[np.intp]

_WHOLE = (ALL, ALL)


@dataclass(frozen=True, kw_only=True)
class SliceRow:
    """One metric of one model on one slice; NaN where undefined, or of the baseline."""

    by: str
    slice: str | None
    "None: rows without a value."
    n: int
    metric: str
    model: str
    value: float
    interval: Interval = NONE
    difference: float = math.nan
    difference_interval: Interval = NONE

    def flat(self) -> dict[str, Any]:
        """One row of a table; None where there is nothing."""
        row = {name: getattr(self, name) for name in ("by", "slice", "n", "metric", "model", "value")}
        row |= dict(zip(("low", "high"), self.interval, strict=True))
        row |= {"difference": self.difference}
        row |= dict(zip(("difference_low", "difference_high"), self.difference_interval, strict=True))
        return {name: known(value) for name, value in row.items()}


def is_sliced(found: Comparison) -> bool:
    """Whether every model was scored by slices too."""
    return len(found.scores) == len(found.models) and all(one.slices is not None for one in found.scores.values())


def slice_rows(found: Comparison) -> list[SliceRow]:
    """Every slice, the whole last; within it every metric, within that every model."""
    if not is_sliced(found):
        raise InputError(
            "this comparison has no slices: give by= (--by) where models are compared",
            "该比较没有切片：请在比较时给出 by=（--by）",
        )
    parts = {name: {(part.by, part.name): part for part in _parts(one)} for name, one in found.scores.items()}
    keys = list(dict.fromkeys(key for own in parts.values() for key in own if key != _WHOLE))
    pairs = _Pairs(found, parts)
    return [row for key in (*keys, _WHOLE) for row in _rows(found, key, pairs)]


def _parts(scores: Scores) -> tuple[Slice, ...]:
    slices = scores.slices
    return () if slices is None else (*slices.parts, slices.overall)


def _rows(found: Comparison, key: Key, pairs: _Pairs) -> list[SliceRow]:
    own = {model: pairs.parts[model][key] for model in found.models if key in pairs.parts[model]}
    apart = _of_whole(found) if key == _WHOLE else pairs.differences(own)
    rows = []
    for metric in found.metrics:
        values = {model: part.values[metric] for model, part in own.items()}
        base = values[found.baseline].value if found.baseline in values else math.nan
        for model, value in values.items():
            plain = (math.nan if model == found.baseline else value.value - base, NONE)
            gap, ends = apart.get((metric, model), plain)
            rows.append(
                SliceRow(
                    by=key[0],
                    slice=key[1],
                    n=own[model].n,
                    metric=metric,
                    model=model,
                    value=value.value,
                    interval=value.interval or NONE,
                    difference=gap,
                    difference_interval=ends,
                )
            )
    return rows


def _of_whole(found: Comparison) -> Gaps:
    """The differences of the comparison itself."""
    gaps = {(name, model): found.difference(name, model) for name in found.metrics for model in found.others}
    return {key: (gap.value, gap.interval) for key, gap in gaps.items()}


class _Pairs:
    """Which queries of a comparison are in a slice, and how the models differ on them."""

    def __init__(self, found: Comparison, parts: Mapping[str, Mapping[Key, Slice]]) -> None:
        self.parts, self._found = parts, found
        self._means = [name for name in found.metrics if _is_plain_mean(found, name)]
        self._places = {name: _places(found, scores) for name, scores in found.scores.items()} if self._means else {}
        base = next(iter(parts.values()))
        small = [part.n for key, part in base.items() if key != _WHOLE and part.n <= BOOTSTRAPPED]
        self._most = BOOTSTRAPPED if sum(small) <= MOST_DRAWN else 0

    def differences(self, own: Mapping[str, Slice]) -> Gaps:
        """Of plain means over queries: the mean difference over the pairs of a slice, and its interval."""
        inside = [self._places[name][part.places] for name, part in own.items() if self._places]
        if not inside:
            return {}
        from pingce.stats.means import mean_intervals

        found, settings = self._found, self._found.settings
        rows = np.unique(np.concatenate(inside))
        keys = [(name, model) for name in self._means for model in found.others]
        apart = np.stack([_apart(found, name, model)[rows] for name, model in keys], axis=1)
        gaps = [_mean(apart[:, at]) for at in range(len(keys))]
        if len(rows) < _least(found):
            return {key: (gap, NONE) for key, gap in zip(keys, gaps, strict=True)}
        ends = mean_intervals(
            apart,
            confidence=settings.confidence,
            samples=settings.draws,
            seed=settings.seed,
            method="bootstrap" if len(rows) <= self._most else "t",
        )
        return {key: (gap, (low, high)) for key, gap, (low, high) in zip(keys, gaps, ends.tolist(), strict=True)}


def _mean(values: NDArray[np.float64]) -> float:
    """The mean of the pairs that have both values; NaN where none has."""
    from pingce.stats.moments import mean_of

    return mean_of(values[~np.isnan(values)])


def _is_plain_mean(found: Comparison, name: str) -> bool:
    values = [one.values_by_name[name] for one in found.scores.values()]
    return found[name].units is not None and all(
        isinstance(value, RankingValue) and is_plain_mean(value) for value in values
    )


def _places(found: Comparison, scores: Any) -> Places:
    """Where the queries of a run stand among those of the comparison."""
    units = next(one.units for one in found.measured.values() if one.units is not None)
    row = {query: at for at, query in enumerate(units.ids)}
    return np.array([row[query] for query in scores.queries], dtype=np.intp)


def _apart(found: Comparison, name: str, model: str) -> NDArray[np.float64]:
    units = found[name].units
    if units is None:
        raise KeyError(name)
    return units.columns[:, found.models.index(model)] - units.columns[:, found.models.index(found.baseline)]


def _least(found: Comparison) -> int:
    slices = found.scores[found.baseline].slices
    return 0 if slices is None else slices.min_n


def _counts_queries(found: Comparison) -> bool:
    slices = found.scores[found.baseline].slices
    return slices is not None and slices.unit == "queries"


def slice_note(found: Comparison) -> Text:
    """How differences within slices were found, and what they are not."""
    percent = f"{100 * found.settings.confidence:g} %"
    if _counts_queries(found):
        return Text(
            f"slices: Δ over the queries of the slice, {percent} interval over the same queries; not corrected for the number of slices",
            f"切片：Δ 及其 {percent} 区间均按该切片的查询计算；未按切片数校正",
        )
    return Text(
        "slices: Δ is the difference of the two values; only that of all rows has an interval and a test",
        "切片：Δ 为两个值之差；只有全部行的 Δ 有区间与检验",
    )


def slice_data_table(found: Comparison) -> Table:
    """For data formats: one row per slice, metric and model."""
    rows = [row.flat() for row in slice_rows(found)]
    return Table(list(rows[0]), [list(row.values()) for row in rows])


def slice_reading_tables(found: Comparison, places: int) -> list[Table]:
    """For readers: a table for each column that was sliced by, a row per slice and metric, a column per model."""
    rows = slice_rows(found)
    names = dict.fromkeys(row.by for row in rows if row.by != ALL)
    return [_table(found, by, [row for row in rows if row.by in (by, ALL)], places) for by in names]


def _table(found: Comparison, by: str, rows: list[SliceRow], places: int) -> Table:
    keyed: dict[tuple[Key, str], dict[str, SliceRow]] = {}
    for row in rows:
        keyed.setdefault(((row.by, row.slice), row.metric), {})[row.model] = row
    cells: list[list[Cell]] = []
    for ((kind, name), metric), own in keyed.items():
        title = Text(ALL, "全部") if kind == ALL else NO_VALUE if name is None else name
        head: list[Cell] = [str(title), max(row.n for row in own.values()), metric]
        values = [known(own[model].value) if model in own else None for model in found.models]
        cells.append([*head, *values, *(_gap(own.get(model), places) for model in found.others)])
    unit = Text("queries", "查询数") if _counts_queries(found) else Text("rows", "行数")
    titles = [by, str(unit), str(Text("metric", "指标")), *found.models]
    return Table([*titles, *(f"Δ {model}" for model in found.others)], cells)


def _gap(row: SliceRow | None, places: int) -> Cell:
    from pingce.compare.tables import shown_interval, signed

    if row is None or math.isnan(row.difference):
        return shown(None, places)
    gap = signed(row.difference, places)
    return (
        gap
        if math.isnan(row.difference_interval[0])
        else f"{gap} {shown_interval(row.difference_interval, places, sign=True)}"
    )
