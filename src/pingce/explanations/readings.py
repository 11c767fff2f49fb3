"""What is read out of values: the groups or queries that it was read from, down to the distance or the quantile."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from pingce.base.text import Text
from pingce.explanations.derivation import Column, Derivation, Explanation, Grid, Line, Row, Step, summed
from pingce.explanations.frame import finished, silently
from pingce.explanations.inputs import ExplainInputs
from pingce.inputs.data import RankingData, RowData
from pingce.metrics.gaps import FORMULAS, SliceReading
from pingce.metrics.readings import Quantile
from pingce.request import Request
from pingce.run.feed import evaluate
from pingce.scores import Scores
from pingce.scores.gaps import GapReading
from pingce.scores.values import UNITS

_SHOWN = 5
"Queries on either side of a quantile."


def explain_reading(inputs: ExplainInputs, definition: Request) -> Explanation:
    """The worked reading of a gap or a quantile, of all rows or queries."""
    with silently():
        scores: Scores = evaluate(_asked(inputs, definition), _data(inputs, definition))
    (reading,) = definition.readings
    value = scores.find(reading.name)
    gap = scores.gaps.get(reading.name)
    derivation = _quantile_steps(scores, reading.metric) if gap is None else _gap_steps(gap, reading.metric)
    if math.isnan(derivation.value):
        derivation = replace(derivation, template=Text("not defined", "没有定义"), value=value.value)
    derivation = replace(derivation, notes=(*scores.notes, *scores.warnings))
    unit = "queries" if gap is None else "groups"
    subject = Text(f"{value.count} {UNITS[unit].en}", f"{value.count} 个{UNITS[unit].zh}")
    explanation = finished(value, scores, subject, derivation, value.value, reading.name)
    if gap is None or len(gap.groups) > 1:
        return explanation
    formula = f"{reading.metric.name} = {FORMULAS[reading.metric.as_]}"
    return replace(explanation, formula=Text(formula, formula))


def _asked(inputs: ExplainInputs, definition: Request) -> Request:
    labels = None if inputs.classes is None else list(inputs.classes)
    return replace(definition, reading=inputs.reading, positive=inputs.positive, labels=labels)


def _data(inputs: ExplainInputs, definition: Request) -> RowData | RankingData:
    if not definition.task.of_rows:
        return RankingData(inputs.truth, inputs.prediction, inputs.exclude, None, inputs.by)
    columns = (inputs.data, inputs.weight, inputs.by, inputs.group, inputs.group_weight, inputs.proba)
    return RowData(inputs.truth, inputs.prediction, *columns, roles=inputs.roles)


def _gap_steps(gap: GapReading, metric: SliceReading) -> Derivation:
    """The values of the groups, the distance of each metric, and of several the worst."""
    steps: list[Step] = [_group_grid(gap)]
    if len(gap.groups[gap.metric]) < 2:
        return Derivation(steps)
    values = {name: [group.value for group in groups] for name, groups in gap.groups.items()}
    distances = {name: metric.define(column) for name, column in values.items()}
    derivations = {name: _distance(metric, column, distances[name]) for name, column in values.items()}
    if len(values) == 1:
        (only,) = derivations.values()
        return replace(only, steps=(*steps, *only.steps))
    for name, each in derivations.items():
        steps += [
            *each.steps,
            Line(f"gap {name}", Text(f"gap of {name}", f"{name} 的差距"), each.template, each.numbers, each.value),
        ]
    worst = "min({})" if metric.as_ == "ratio" else "max({})"
    numbers = tuple(distances.values())
    return Derivation(steps, worst.format(", ".join(["{}"] * len(numbers))), numbers, metric.worst(numbers))


def _group_grid(gap: GapReading) -> Grid:
    first = gap.groups[gap.metric]
    columns = Column("group", gap.by), Column("n", UNITS[gap.unit]), *(Column(name, name) for name in gap.groups)
    rows = [
        Row((group.name, group.n, *(groups[at].value for groups in gap.groups.values())))
        for at, group in enumerate(first)
    ]
    return Grid("groups", Text("The groups that count", "计入的各组"), columns, tuple(rows))


def _distance(metric: SliceReading, values: list[float], distance: float) -> Derivation:
    """One distance; the words of its last line follow its form."""
    most, least, count = max(values), min(values), len(values)
    if math.isnan(distance):
        return Derivation([])
    if metric.as_ == "difference":
        return Derivation([], "{} − {}", (most, least), distance)
    if metric.as_ == "ratio":
        return Derivation([], "{} / {}", (least, most), distance)
    if metric.as_ == "cv":
        column = np.array(values)
        mean, deviation = float(column.mean()), float(column.std())
        template, numbers = summed(values)
        steps: list[Step] = [
            Line("mean", Text("mean", "均值"), f"({template}) / {{}}", (*numbers, count), mean),
            Line("deviation", Text("standard deviation", "标准差"), "√(Σ (v − {})² / {})", (mean, count), deviation),
        ]
        return Derivation(steps, "{} / {}", (deviation, mean), distance)
    pairs = [abs(a - b) for a, b in combinations(values, 2)]
    template, numbers = summed(pairs)
    return Derivation([], f"({template}) / {{}}", (*numbers, len(pairs)), distance)


def _quantile_steps(scores: Scores, metric: Quantile) -> Derivation:
    """The queries around the quantile, sorted by their value."""
    of: Any = next(value for value in scores.values_by_name.values() if value.metric == metric.of)
    queries: list[str] | list[int] = scores.queries  # type: ignore[attr-defined]
    kept = np.flatnonzero(~np.isnan(of.per_query))
    order = kept[np.argsort(of.per_query[kept], kind="stable")]
    value = scores.find(metric.id).value
    if not len(order):
        return Derivation([])
    ranked = of.per_query[order]
    low, high = int(np.searchsorted(ranked, value)), int(np.searchsorted(ranked, value, side="right"))
    begin, end = max(0, min(low, high - 1) - _SHOWN), min(len(order), max(low, high) + _SHOWN)
    rows = tuple(
        Row((at + 1, str(queries[int(order[at])]), float(ranked[at]))) for at in range(begin, min(end, begin + 50))
    )
    columns = Column("place", "i"), Column("query", Text("query", "查询")), Column("value", of.name)
    grid = Grid("queries", Text("Queries around it, by value", "按值排序后其附近的查询"), columns, rows)
    share = Line(
        "place",
        Text("queries that do not exceed it, at least", "不超过它的查询数至少为"),
        "{} · {}",
        (metric.q, len(order)),
        metric.q * len(order),
    )
    if low < high:
        return Derivation([grid, share], Text("v_({})", "v_({})"), (low + 1,), value)
    return Derivation([grid, share], "({} + {}) / 2", (float(ranked[low - 1]), float(ranked[low])), value)
