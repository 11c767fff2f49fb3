"""What is read out of scores: gaps between their slices, and quantiles of the values of queries."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.base.errors import InputError
from pingce.base.exact import Floats
from pingce.base.interval import Interval
from pingce.base.text import Text
from pingce.inputs.slices import places_in
from pingce.metrics.averages import Column
from pingce.metrics.gaps import SliceReading
from pingce.metrics.grammar import MetricRequest
from pingce.metrics.readings import Quantile
from pingce.request import Intervals, Request
from pingce.run.score import resolve_undefined
from pingce.scores import Scores
from pingce.scores.ranking import RankingScores, RankingValue
from pingce.scores.slices import Slice
from pingce.scores.values import Value
from pingce.slices.gaps import Draws, Gap, read_gap, sliced_by, with_draws
from pingce.slices.measured import checked_min_n
from pingce.stats.resampling import Resampling, with_interval

if TYPE_CHECKING:
    from pingce.run.views import QueryViews

Make = Callable[[MetricRequest, Any, float, int], Value]
"The value of a reading under policies, on so many units."


def add_gaps(scores: Scores, request: Request, draws: Draws, make: Make) -> None:
    """Add the gaps of a request to scores whose slices were measured."""
    for reading in request.readings:
        if isinstance(reading.metric, SliceReading):
            scores.slice_draws = draws
            _add_gap(scores, reading, request, draws, make)


def put_in_order(scores: Scores, request: Request) -> None:
    """Put values where they were asked for; those that one name stands for, as of each group, take its place."""
    place = {name: at for at, name in enumerate(request.order)}
    kinds = {
        each.metric.name: place[each.name]
        for each in request.metrics or ()
        if each.name in place and each.name not in scores.values_by_name
    }
    values = scores.values_by_name

    def rank(name: str) -> int:
        return place.get(name, kinds.get(values[name].metric.name, -1))

    scores.values_by_name = {name: values[name] for name in sorted(values, key=rank)}


def _add_gap(scores: Scores, reading: MetricRequest, request: Request, draws: Draws, make: Make) -> None:
    slices, metric, least = scores.slices, reading.metric, checked_min_n(request.min_n)
    sliced_by(metric, reading.name, slices)
    if slices is None:
        return
    policies = reading.under(request.policies)
    gap = read_gap(reading.name, metric, slices, _measured(scores, reading, policies), least)
    if request.intervals.ci is not None:
        gap = with_draws(gap, metric, slices, draws, _resampling(request.intervals))
    value = make(reading, policies, gap.value, len(gap.reading.groups[gap.reading.metric]))
    value = with_interval(value, gap.interval, "bootstrap")
    scores.values_by_name = {**scores.values_by_name, reading.name: value}
    scores.gaps = {**scores.gaps, reading.name: gap.reading}
    no_value = _no_value(reading.name, metric, gap)
    scores.notes = (
        *scores.notes,
        *gap.reading.texts(least),
        *no_value,
        *_lacking(reading.name, gap, value, request.intervals),
    )


_FORMS = {
    "ratio": Text("as=ratio is of values from 0 up, the largest above 0", "as=ratio 要求各值不小于 0，且最大值大于 0"),
    "cv": Text(
        "as=cv divides by the mean of the groups, which must be above 0", "as=cv 要除以各组的均值，均值须大于 0"
    ),
}


def _no_value(name: str, metric: SliceReading, gap: Gap) -> list[Text]:
    """Why groups that have values have no distance of this form."""
    rule = _FORMS.get(metric.as_)
    if rule is None or not math.isnan(gap.value) or len(gap.reading.groups[gap.reading.metric]) < 2:
        return []
    return [
        Text(
            f"{name} has no value: {rule.en}; ask for as=difference", f"{name} 没有值：{rule.zh}；请改用 as=difference"
        )
    ]


_ALIKE = Text("rows or queries that are drawn anew always give the same value", "对行或查询重新抽样总得到同一个值")


def _lacking(name: str, gap: Gap, value: Value, intervals: Intervals) -> list[Text]:
    if intervals.ci is None or math.isnan(gap.value):
        return []
    if gap.interval is not None:
        from pingce.stats.queries import no_interval_note

        return [] if value.interval is not None else [no_interval_note(name, _ALIKE)]
    return [
        Text(
            f"{name} has no confidence interval: rows or queries that are drawn anew are no guide for what it is of",
            f"{name} 没有置信区间：对其所依据的指标重新抽样说明不了什么",
        )
    ]


def _resampling(intervals: Intervals) -> Resampling:
    return Resampling(intervals.ci or 0.95, intervals.samples, intervals.seed)


def _measured(scores: Scores, reading: MetricRequest, policies: Any) -> list[str]:
    """The names that scores have for what is read."""
    names = []
    for metric in reading.metric.measured():
        same = [
            name
            for name, value in scores.values_by_name.items()
            if value.metric == metric and value.policies == policies
        ]
        if not same:
            raise InputError(
                f"{reading.name}: {metric.id} has several values, of which a gap or quantile reads one; choose one of "
                f"{', '.join(scores.values_by_name)}",
                f"{reading.name}：{metric.id} 有多个值，而差距或分位数只读一个；请选择其一：{'、'.join(scores.values_by_name)}",
            )
        names.append(same[0])
    return names


def row_value(reading: MetricRequest, policies: Any, value: float, count: int) -> Value:
    """The value of a gap between slices of rows."""
    number, undefined = resolve_undefined(reading, value, policies)
    return Value(
        name=reading.name, id=reading.id, metric=reading.metric, policies=policies, value=number, count=count,
        unit="groups", undefined=int(undefined),
    )  # fmt: skip


def row_draws(evidence: Any, scores: Scores) -> Draws:
    """Draws of rows within a slice."""
    from pingce.stats.predictions import predictions_of

    def draws(name: str, part: Slice, resampling: Resampling) -> Floats | None:
        value = scores.values_by_name[name]
        if value.metric.no_interval is not None or value.metric.of_groups:
            return None
        predictions = predictions_of(evidence.part(places_in(evidence.data.by, part.by, part.name)))
        here = replace(value, value=part.values[name].value)
        return predictions.paired_draws({name: here}, predictions.order, resampling)[name]

    return draws


def add_query_readings(scores: RankingScores, request: Request, views: QueryViews) -> None:
    """Add gaps and quantiles to the scores of a ranking."""
    weights = None if views.weights is None else views.weights.of(scores.facts)  # type: ignore[arg-type]

    def make(reading: MetricRequest, policies: Any, value: float, count: int) -> Value:
        return _query_value(reading, policies, value, (count, "groups"), len(scores.facts))

    add_gaps(scores, request, _query_draws(scores, views, weights), make)
    for reading in request.readings:
        if isinstance(reading.metric, Quantile):
            _add_quantile(scores, reading, request, weights)
    put_in_order(scores, request)


def _query_value(
    reading: MetricRequest, policies: Any, value: float, units: tuple[int, str], queries: int
) -> RankingValue:
    number, undefined = resolve_undefined(reading, value, policies)
    return RankingValue(
        name=reading.name,
        id=reading.id,
        metric=reading.metric,
        policies=policies,
        value=number,
        count=units[0],
        unit=units[1],
        undefined=int(undefined),
        column=lambda: np.full(queries, np.nan),
        weighted=False,
        spread=None,
    )


def _query_draws(scores: RankingScores, views: QueryViews, weights: Floats | None) -> Draws:
    """Draws of queries within a slice."""
    from pingce.stats.means import drawn_means, drawn_quantiles
    from pingce.stats.queries import drawn_values, is_of_all

    def draws(name: str, part: Slice, resampling: Resampling) -> Floats | None:
        value, places = scores.values_by_name[name], part.places
        metric = value.metric
        if metric.no_interval is not None or not metric.is_of_columns():
            return None
        if metric.is_mean:
            column, heavy = value.per_query[places], value.weights_with(weights, places)
            if not is_of_all(value):
                column, heavy = _defined(column, heavy)
            return drawn_means(column[:, None], resampling.samples, resampling.seed, heavy)[:, 0]
        columns = views.columns(metric, value.policies)
        if len(columns[0].values) != len(scores.facts):
            return None
        some = [
            replace(each, values=each.values[places], weights=None if each.weights is None else each.weights[places])
            for each in columns
        ]
        if metric.level is not None:
            column, heavy = _defined(some[0].settled, some[0].weights)
            return drawn_quantiles(column, metric.level, resampling, heavy) if len(column) else None
        return drawn_values(metric, some, resampling)

    return draws


def _defined(column: Floats, weights: Floats | None) -> tuple[Floats, Floats | None]:
    """The values of queries that have one, and their weights."""
    kept = ~np.isnan(column)
    return column[kept], None if weights is None else weights[kept]


def _add_quantile(scores: RankingScores, reading: MetricRequest, request: Request, weights: Floats | None) -> None:
    from pingce.stats.queries import ALIKE, EDGE, FEW, no_interval_note, quantile_interval

    policies = reading.under(request.policies)
    of = scores.values_by_name[_measured(scores, reading, policies)[0]]
    kept = ~np.isnan(of.per_query)
    counted = of.weights_with(weights)
    heavy = None if counted is None else counted[kept]
    column, ends = Column(of.per_query[kept], policies, heavy), None
    number = math.nan if math.isnan(of.value) else column.quantile(reading.metric.q)
    if request.intervals.ci is not None and not math.isnan(number):
        ends = quantile_interval(column, reading.metric.q, _resampling(request.intervals))
    plain = _query_value(reading, policies, number, (of.count, "queries"), len(scores.facts))
    value: Any = with_interval(plain, _defined_ends(ends), "order")
    if request.intervals.ci is not None and not math.isnan(number) and value.interval is None:
        reason = FEW if of.count < 2 else ALIKE if _defined_ends(ends) is not None else EDGE
        scores.notes = (*scores.notes, no_interval_note(reading.name, reason))
    scores.values_by_name = {**scores.values_by_name, reading.name: replace(value, weighted=of.weighted)}


def _defined_ends(ends: Interval | None) -> Interval | None:
    return None if ends is None or math.isnan(ends[0]) else ends
