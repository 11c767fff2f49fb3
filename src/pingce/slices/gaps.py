"""How far slices lie apart: a gap is a reading of slices, its interval one of rows or queries drawn within each of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from pingce.base.erfc import erfc
from pingce.base.errors import InputError
from pingce.base.exact import Floats
from pingce.base.interval import NO_INTERVAL, Interval
from pingce.base.records import dataclass
from pingce.metrics.gaps import SliceReading
from pingce.scores.gaps import GapReading, GroupPair, GroupValue
from pingce.scores.slices import Slice, Slices
from pingce.stats.paired import corrected
from pingce.stats.resampling import EXCESS, Resampling

Draws = Callable[[str, Slice, Resampling], "Floats | None"]
"A metric on a slice whose rows or queries were drawn again and again; None where that says nothing."
MOST_TESTED = 20
"Groups of which every two are tested: of more, nobody reads so many tests."
APART = 1 << 32
"Between the seeds of two groups: their rows vary on their own."


@dataclass(frozen=True, eq=False)
class Gap:
    """The distance of some slices, where it was read, and what chance makes of it."""

    value: float
    reading: GapReading
    interval: Interval | None = None


def sliced_by(metric: SliceReading, name: str, slices: Slices | None) -> str:
    """What the groups of a gap are by; refused where nothing is sliced so."""
    names = [] if slices is None else slices.names
    if metric.by in names or (not metric.by and len(names) == 1):
        return metric.by or names[0]
    listed, wanted = ", ".join(names) or "–", metric.by or "COLUMN"
    if not metric.by and names:
        raise InputError(
            f"{name}: slices are by several things ({listed}); say which one the groups are by, e.g. by={names[0]} within the brackets",
            f"{name}：有多种切片（{listed}）；请在括号内写明按哪一种分组，例如 by={names[0]}",
        )
    raise InputError(
        f"{name}: nothing is sliced by '{wanted}' (slices: {listed}); give by= (--by): for predictions a column or an array of this "
        f'name, for rankings a table with a query column, by=("users.csv", "{wanted}") or --by users.csv:{wanted}',
        f"{name}：没有按 '{wanted}' 切片（现有切片：{listed}）；请给出 by=（--by）：预测表为该名称的列或数组，排序为含查询列的表，"
        f'如 by=("users.csv", "{wanted}") 或 --by users.csv:{wanted}',
    )


def read_gap(name: str, metric: SliceReading, slices: Slices, measured: Sequence[str], least: int) -> Gap:
    """The distance of the slices that are large enough and have a value; `measured` are the names of what is read."""
    by = sliced_by(metric, name, slices)
    groups = [part for part in slices.by(by) if part.name is not None]
    large = [part for part in groups if part.n >= least]
    defined = [part for part in large if not any(math.isnan(part.values[each].value) for each in measured)]
    values = {
        each: tuple(
            GroupValue(str(part.name), part.n, part.values[each].value, part.values[each].interval) for part in defined
        )
        for each in measured
    }
    reading = GapReading(
        name=name,
        by=by,
        unit=slices.unit,
        groups=values,
        metric=measured[0],
        small=tuple(str(part.name) for part in groups if part.n < least),
        undefined=tuple(str(part.name) for part in large if part not in defined),
        without=sum(part.n for part in slices.by(by) if part.name is None),
        correction=metric.correction,
    )
    if len(defined) < 2:
        return Gap(math.nan, reading)
    distances = [metric.define([group.value for group in each]) for each in values.values()]
    value = metric.worst(distances)
    decides = next((at for at, distance in enumerate(distances) if distance == value), 0)
    return Gap(value, replace(reading, metric=measured[decides]))


def with_draws(gap: Gap, metric: SliceReading, slices: Slices, draws: Draws, resampling: Resampling) -> Gap:
    """A gap with its interval, and with every two groups tested; rows or queries are drawn within their group."""
    reading = gap.reading
    if math.isnan(gap.value):
        return gap
    parts = {str(part.name): part for part in slices.by(reading.by) if part.name is not None}
    samples: dict[str, Floats] = {}
    for at, each in enumerate(reading.groups):
        rows = []
        for place, group in enumerate(reading.groups[each]):
            seed = resampling.seed + APART * (1 + place + at * len(reading.groups[each]))
            column = draws(each, parts[group.name], replace(resampling, seed=seed))
            if column is None:
                return gap
            rows.append(column)
        samples[each] = np.stack(rows)
    interval = _interval(gap.value, metric.draws(list(samples.values())), metric, resampling)
    pairs = _pairs(reading, samples, resampling) if len(reading.groups[reading.metric]) <= MOST_TESTED else ()
    return replace(gap, interval=interval, reading=replace(reading, pairs=pairs))


def _interval(value: float, draws: Floats, metric: SliceReading, resampling: Resampling) -> Interval:
    """The interval of a distance; that of a ratio by its logarithm, in which it is a difference."""
    draws = draws[~np.isnan(draws)]
    if not len(draws):
        return NO_INTERVAL
    if metric.as_ != "ratio":
        return _distance_interval(value, draws, resampling)
    if value > 0 and (draws > 0).all():
        logarithms = np.array([-math.log(draw) for draw in draws.tolist()])
        low, high = _distance_interval(-math.log(value), logarithms, resampling)
        return math.exp(-high), math.exp(-low)
    low, high = _distance_interval(1 - value, 1 - draws, resampling)
    return max(0.0, 1 - high), 1 - low


def _distance_interval(value: float, draws: Floats, resampling: Resampling) -> Interval:
    """Groups that are alike lie apart by chance, and draws of them more so: what the value is too large by is set right."""
    low, high = (float(end) for end in np.quantile(draws, resampling.ends))
    mean = float(draws.mean())
    excess = max(0.0, mean - value) * EXCESS
    half = max(high - mean, mean - low)
    return max(0.0, value - excess - half), max(value + half, high)


def pair_interval(gap: float, apart: Floats, resampling: Resampling) -> Interval:
    """The interval of a difference, which lies within it, from draws of it."""
    low, high = (float(end) for end in np.quantile(apart, resampling.ends))
    return min(low, gap), max(high, gap)


def group_p(gap: float, apart: Floats) -> float:
    """How often chance alone makes so large a difference, by the error that draws of it have; NaN where they have none."""
    error = _error(apart)
    return erfc(abs(gap) / error / math.sqrt(2)) if error else (math.nan if gap else 1.0)


def _error(apart: Floats) -> float:
    return float(np.std(apart, ddof=1)) if len(apart) > 1 else 0.0


def _pairs(reading: GapReading, samples: Mapping[str, Floats], resampling: Resampling) -> tuple[GroupPair, ...]:
    """Every two groups of every metric, by the error that the difference of their draws has."""
    pairs = []
    for name, groups in reading.groups.items():
        for first, second in combinations(range(len(groups)), 2):
            gap = groups[first].value - groups[second].value
            apart = samples[name][first] - samples[name][second]
            apart = apart[~np.isnan(apart)]
            p = group_p(gap, apart)
            ends = pair_interval(gap, apart, resampling) if _error(apart) else NO_INTERVAL
            pairs.append(GroupPair(name, groups[first].name, groups[second].name, gap, ends, p))
    p_values = corrected([pair.p for pair in pairs], reading.correction)
    return tuple(replace(pair, corrected=p) for pair, p in zip(pairs, p_values, strict=True))
