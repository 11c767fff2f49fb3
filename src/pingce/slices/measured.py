"""Metrics of each slice: exactly what evaluating its rows alone gives, under the definitions of the whole."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.exact import Places
from pingce.base.progress import part as share
from pingce.base.progress import stepwise
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.policies import Policies
from pingce.evidence.ranking.facts import FactColumns
from pingce.evidence.ranking.truth_index import IdIndex
from pingce.inputs import Rows
from pingce.inputs.slices import Partition
from pingce.inputs.times import time_slicing
from pingce.scores import Scores, Value
from pingce.scores.ranking import RankingScores, RankingValue
from pingce.scores.slices import ALL, Slice, Slices, SliceValue
from pingce.slices.queries import QueryBy
from pingce.stats.resampling import Resampling

_Values = TypeVar("_Values")
QueryValues = Callable[[Places], Mapping[str, SliceValue]]


BOOTSTRAPPED = 1_000
"Queries of a slice up to which its intervals are drawn; beyond, Student's t says the same."
MOST_DRAWN = 5_000
"Queries in all such slices up to which they are: drawing costs far more than scoring."


def query_slices(
    scores: RankingScores,
    by: Sequence[QueryBy],
    queries: FactColumns,
    truth: Rows,
    values_of: QueryValues,
    *,
    resampling: Resampling,
    min_n: int,
) -> Slices:
    """Slices of queries. `queries` are all that were judged, also those that were left out; `values_of` scores some of them."""
    partitions = [slicing.partition(queries, truth, scores.policies.relevant) for slicing in by]
    row_of, parts = _rows_in_table(scores, queries), []
    for partition in partitions:
        for name, _, places in partition.parts():
            rows = row_of[places]
            rows = rows[rows >= 0]
            if len(rows):
                values = _in_slice(partition.by, name, partial(values_of, places))
                parts.append(Slice(partition.by, name, len(rows), values, rows))
    overall = replace(_overall(scores, len(scores.facts)), places=np.arange(len(scores.facts)))
    least = checked_min_n(min_n)
    is_drawn = sum(part.n for part in parts if least <= part.n <= BOOTSTRAPPED) <= MOST_DRAWN
    most = BOOTSTRAPPED if is_drawn else 0
    *parts, overall = _with_intervals([*parts, overall], scores, least, most, resampling)
    percent = f"{100 * resampling.confidence:g}%"
    method = Text(f"intervals: {percent}, Student's t over queries", f"区间：{percent}，对查询的 t 区间")
    if is_drawn:
        method = Text(
            f"intervals: {percent}, percentile bootstrap over queries (Student's t beyond {BOOTSTRAPPED} queries)",
            f"区间：{percent}，对查询的百分位自助法（超过 {BOOTSTRAPPED} 个查询时用 t 区间）",
        )
    return _complete(Slices((), overall, "queries", min_n, resampling.confidence), partitions, parts, method)


def _rows_in_table(scores: RankingScores, queries: FactColumns) -> Places:
    """The row of each judged query in the table of scores, which may lack some and have lists that nobody judged; -1: none."""
    index = IdIndex(scores.facts.queries)  # type: ignore[union-attr]
    rows: Places = np.append(index.first_rows(), -1)[index.find(queries.queries)]
    return rows


def _with_intervals(
    parts: list[Slice], scores: RankingScores, least: int, most: int, resampling: Resampling
) -> list[Slice]:
    """Slices with an interval for each value that is a plain mean over queries; others, and weighted ones, have none.

    They are drawn where a slice has at most so many queries; those with less than the least have none.
    """
    from pingce.stats.means import mean_intervals
    from pingce.stats.queries import is_of_all

    means = {name: value for name, value in scores.values_by_name.items() if is_plain_mean(value)}
    shared = [name for name, value in means.items() if is_of_all(value)]
    matrix = np.stack([means[name].per_query for name in shared], axis=1) if shared else np.zeros((0, 0))
    others = [name for name in means if name not in shared]
    completed = []
    for part in stepwise(parts):
        values, method = dict(part.values), "bootstrap" if part.n <= most else "t"
        ends: dict[str, list[float]] = {}
        if shared and part.n >= least:
            ends = dict(
                zip(shared, mean_intervals(matrix[part.places], resampling, method=method).tolist(), strict=True)
            )
        for name in others if part.n >= least else ():  # queries that a metric does not look at are not drawn for it
            column = means[name].per_query[part.places]
            ends |= {name: mean_intervals(column[~np.isnan(column)][:, None], resampling, method=method)[0].tolist()}
        for name, (low, high) in ends.items():
            if not math.isnan(low) and not math.isnan(values[name].value):
                values[name] = replace(values[name], interval=(low, high))
        completed.append(replace(part, values=values))
    return completed


def is_plain_mean(value: RankingValue) -> bool:
    """Whether a value is an unweighted mean over queries."""
    metric: Any = value.metric
    return bool(metric.is_plain_mean()) and not value.is_weighted


@dataclass(frozen=True, eq=False)
class RowPart:
    """A slice of rows, and what scores it, with intervals where it is told so; None where no row of it counts."""

    by: str
    name: str | None
    n: int
    values: Callable[[bool], Mapping[str, Value] | None]


def row_parts(rows: Any, values_of: Callable[[Places, bool], Mapping[str, Value]]) -> Iterator[RowPart]:
    """The slices by the partitions that rows carry; `values_of` scores some rows."""

    def values(places: Places, sure: bool) -> Mapping[str, Value] | None:
        counts = len(places) and (rows.weight is None or rows.weight[places].any())
        return values_of(places, sure) if counts else None

    for partition in rows.by:
        for name, n, places in partition.parts():
            yield RowPart(partition.by, name, n, partial(values, places))


def row_slices(scores: Scores, parts: Iterable[RowPart], partitions: Sequence[Partition], *, min_n: int = 20) -> Slices:
    """Slices of rows, by the partitions that are named."""
    least = checked_min_n(min_n)
    measured, done, rows = [], 0, max(1, int(scores.counts["rows"]) * len(partitions))
    for part in parts:
        with share(done / rows, (done + part.n) / rows):
            values = _in_slice(part.by, part.name, partial(part.values, part.n >= least))
        done += part.n
        empty = SliceValue(math.nan, 0 if values is None else part.n, 1)
        measured.append(Slice(part.by, part.name, part.n, dict.fromkeys(scores, empty) | _taken(values or {})))
    slices = Slices((), _overall(scores, int(scores.counts["rows"])), "rows", min_n, scores.confidence)
    return _complete(slices, partitions, measured, *_too_few(scores, measured, least))


def _too_few(scores: Scores, parts: Sequence[Slice], least: int) -> list[Text]:
    """Metrics that have no interval in some slices though these are large enough: a class has too few rows there, or draws are alike."""
    if scores.confidence is None:
        return []
    from pingce.stats.intervals import no_interval

    offered = {name: value.metric for name, value in scores.values_by_name.items() if value.metric.no_interval is None}
    lacking = {
        name: sum(
            part.n >= least and part.values[name].interval is None and not math.isnan(part.values[name].value)
            for part in parts
        )
        for name in offered
    }
    return [
        Text(
            f"{name} has no confidence interval in {count} of {len(parts)} slices: {no_interval(offered[name]).en}",
            f"{name} 在 {len(parts)} 个切片中的 {count} 个没有置信区间：{no_interval(offered[name]).zh}",
        )
        for name, count in lacking.items()
        if count
    ]


def _overall(scores: Scores, n: int) -> Slice:
    return Slice(ALL, ALL, n, _taken(scores.values_by_name))


def _taken(values: Mapping[str, Value]) -> dict[str, SliceValue]:
    return {name: SliceValue(each.value, each.count, each.undefined, each.interval) for name, each in values.items()}


def _in_slice(by: str, name: str | None, measure: Callable[[], _Values]) -> _Values:
    """What cannot be scored in a slice says in which."""
    try:
        return measure()
    except InputError as problem:
        place = f"{by} = {'(none)' if name is None else name}"
        raise InputError(f"slice {place}: {problem.text.en}", f"切片 {place}：{problem.text.zh}") from None


def _complete(slices: Slices, partitions: Sequence[Partition], parts: list[Slice], *notes: Text) -> Slices:
    """Slices with their parts, and with notes of all that was done; a name that stands twice is refused."""
    names = [partition.by for partition in partitions]
    twice = next((name for place, name in enumerate(names) if name in names[:place]), None)
    if twice is not None:
        raise InputError(f"by names '{twice}' twice; name each once", f"by 中 '{twice}' 出现两次；每个只需一次")
    small = sum(part.n < slices.min_n for part in parts)
    if small and slices.confidence is not None:
        zh = {"queries": "查询", "rows": "行"}[slices.unit]
        text = Text(
            f"{small} of {len(parts)} slices have fewer than {slices.min_n} {slices.unit}: they have no interval (min_n)",
            f"{len(parts)} 个切片中有 {small} 个不足 {slices.min_n} 个{zh}，不给出区间（min_n）",
        )
        notes = (text, *notes)
    times = (slicing.note for name in names if (slicing := time_slicing(name)) is not None)
    notes = (*(note for partition in partitions for note in partition.notes), *times, *notes)
    return replace(slices, parts=tuple(parts), notes=notes)


def slice_values(
    metrics: Sequence[Any], policies: Policies, values: Callable[[Any, Policies], tuple[float, NDArray[np.float64]]]
) -> dict[str, SliceValue]:
    """Each metric on some queries; `values` gives the number of all of them and the value of each."""
    from pingce.metrics.averages import is_counted, settle_undefined

    slices = {}
    for metric in metrics:
        resolved = metric.under(policies)
        value, each = values(metric.metric, resolved)
        if getattr(metric.metric, "is_whole", False):
            slices[metric.name] = SliceValue(value, len(each), int(np.isnan(value)))
            continue
        count = int(is_counted(settle_undefined(each, resolved), resolved).sum())
        slices[metric.name] = SliceValue(value, count, int(np.isnan(each).sum()))
    return slices


def checked_min_n(min_n: Any) -> int:
    """The size from which a slice gets an interval."""
    if isinstance(min_n, bool) or not isinstance(min_n, (int, np.integer)) or min_n < 0:
        raise InputError(
            f"min_n={min_n!r}: it is the number of rows or queries from which a slice gets an interval, a whole number",
            f"min_n={min_n!r}：应为整数，即切片至少有多少行或查询才给出区间",
        )
    return int(min_n)
