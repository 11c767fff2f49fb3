"""Groups of rows or queries that are drawn again and again, the same ones for two models."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from pingce.base.exact import Floats, Places
from pingce.comparison.results import MeasuredMetric, UnitValues
from pingce.inputs.slices import places_in
from pingce.scores.base import RowScores
from pingce.scores.ranking import RankingScores
from pingce.scores.slices import Slice
from pingce.stats.means import drawn_means
from pingce.stats.predictions import Predictions, predictions_of
from pingce.stats.resampling import Resampling


class Group(NamedTuple):
    """A slice by what it is of and its name."""

    by: str
    name: str


Pair = tuple[str, str]
PairDraws = Callable[[str, Group, Pair, Resampling], "tuple[Floats, Floats] | None"]
"A metric on a group under two models, in draws of rows or queries that both share; None where draws say nothing."


class QueryPairs:
    """Queries of groups, matched by id: a query that only one of two models has a value of counts for that one."""

    def __init__(self, scores: Mapping[str, RankingScores], measured: Mapping[str, MeasuredMetric]) -> None:
        self.scores, self.measured = scores, measured
        units = next(each.units for each in measured.values() if each.units is not None)
        place = {query: at for at, query in enumerate(units.ids)}
        self.places = {name: np.array([place[query] for query in each.queries]) for name, each in scores.items()}

    def __call__(self, metric: str, group: Group, pair: Pair, resampling: Resampling) -> tuple[Floats, Floats] | None:
        """Means are drawn over the queries of both; what is no mean only where both have the same queries."""
        measured = self.measured[metric]
        if measured.metric.no_interval is not None:
            return None
        parts = [_part(self.scores[name], group) for name in pair]
        rows = [self.places[name][part.places] for name, part in zip(pair, parts, strict=True)]
        if measured.is_mean and measured.units is not None:
            columns = [measured.models.index(name) for name in pair]
            return _means(measured.units, np.unique(np.concatenate(rows)), columns, resampling)
        if not np.array_equal(rows[0], rows[1]):
            return None
        draw_from = [self.scores[name].slice_draws for name in pair]
        draws = [
            None if draw is None else draw(metric, part, resampling)
            for draw, part in zip(draw_from, parts, strict=True)
        ]
        first, second = draws
        return None if first is None or second is None else (first, second)


def _part(scores: Any, group: Group) -> Slice:
    part: Slice = next(each for each in scores.slices.by(group.by) if each.name == group.name)
    return part


def _means(units: UnitValues, rows: Places, columns: list[int], resampling: Resampling) -> tuple[Floats, Floats] | None:
    values = units.columns[rows][:, columns]
    defined = ~np.isnan(values)
    kept = defined.any(axis=1)
    if not defined.any(axis=0).all():
        return None
    chosen = np.zeros(len(units.columns), bool)
    chosen[rows[kept]] = True
    weights = units.weights_over(chosen)
    weights = None if weights is None else weights[rows][kept]
    first, second = drawn_means(values[kept], resampling.samples, resampling.seed, weights).T
    return first, second


class RowPairs:
    """Rows of groups, in an order that two models share."""

    def __init__(self, scores: Mapping[str, RowScores]) -> None:
        self.scores = scores
        self._sides: dict[tuple[str, Group], Predictions] = {}

    def __call__(self, metric: str, group: Group, pair: Pair, resampling: Resampling) -> tuple[Floats, Floats] | None:
        """Rows are drawn by their place in the order of all that both models know of them."""
        values = [self.scores[name].values_by_name[metric] for name in pair]
        if values[0].metric.no_interval is not None or values[0].metric.of_groups:
            return None
        first, second = (self._side(name, group) for name in pair)
        order = np.lexsort((*second.columns, *first.columns, *first.conditions))
        order = order if first.weight is None else order[first.weight[order] > 0]
        draws = []
        for name, value, side in zip(pair, values, (first, second), strict=True):
            here = replace(value, value=_part(self.scores[name], group).values[metric].value)
            draws.append(side.paired_draws({metric: here}, order, resampling)[metric])
        return draws[0], draws[1]

    def _side(self, model: str, group: Group) -> Predictions:
        if (model, group) not in self._sides:
            evidence = self.scores[model].evidence
            self._sides[model, group] = predictions_of(evidence.part(places_in(evidence.data.by, *group)))
        return self._sides[model, group]
