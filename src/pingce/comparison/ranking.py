"""Runs against the same truth: their queries are matched by id, and each metric is compared query by query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from pingce.base.errors import InputError
from pingce.base.exact import Floats, Places
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.comparison.paired import compare_units
from pingce.comparison.results import MeasuredMetric, UnitValues
from pingce.comparison.settings import ComparisonSettings
from pingce.metrics.grammar import parse_metric
from pingce.scores.ranking import RankingValue
from pingce.scores.saved import SavedScores, definition
from pingce.scores.signature import weighted_units


@dataclass(frozen=True, eq=False)
class Run:
    """What a comparison needs of a run, whether it was scored now or saved before."""

    name: str
    ids: Sequence[str | int]
    values: Mapping[str, RankingValue]
    signatures: Mapping[str, str]
    weights: Floats | None = None


def run_of(name: str, scores: Any, weights: Floats | None = None) -> Run:
    """A run from its scores, or from those that were saved."""
    if isinstance(scores, SavedScores):
        return _saved_run(name, scores)
    signatures = {title: scores.signature(title) for title in scores}
    return Run(name, scores.queries, scores.values_by_name, signatures, weights)


def _saved_run(name: str, document: SavedScores) -> Run:
    """A run whose scores were saved with the value of each query."""
    table, source = document.per, document.source
    if table is None or table.unit != "query":
        raise InputError(
            f"{source.en} has no values of single queries, so it cannot be paired; save it with -q, or to_json(per_query=True)",
            f"{source.zh} 没有逐查询的值，无法配对比较；请用 -q 或 to_json(per_query=True) 重新保存",
        )
    values = {}
    for title, metric in document.metrics.items():
        kind = parse_metric(metric.id, task=document.task).metric
        if kind.is_reading:
            continue
        if (units := weighted_units(metric.signature)) is not None:
            raise InputError(
                f"{source.en}: {title} is weighted by {units.en}, and the weights were not saved; compare the runs themselves",
                f"{source.zh}：{title} 按{units.zh}加权，而权重没有保存；请直接比较原始预测",
            )
        values[title] = RankingValue(
            name=title,
            id=metric.id,
            metric=kind,
            policies=None,
            value=metric.value,
            count=metric.n,
            undefined=metric.undefined,
            column=partial(table.values, metric.name),
            weighted=False,
            spread=None,
        )
    return Run(name, table.ids, values, document.signatures)


def measured_runs(runs: Sequence[Run], baseline: str, settings: ComparisonSettings) -> list[MeasuredMetric]:
    """Every metric that all runs have, with the difference of each two runs."""
    names = _common_metrics(runs)
    _refuse_other_definitions(runs, names)
    ids, places = _aligned(runs)
    _refuse_few(runs, places, baseline)
    weights = _weights(runs, ids, places)
    metrics = []
    for name in names:
        if runs[0].values[name].metric.is_reading:  # it has no values of queries
            continue
        values = {run.name: run.values[name] for run in runs}
        metric = MeasuredMetric.of(name, values, [run.signatures[name] for run in runs])
        columns = np.full((len(ids), len(runs)), np.nan)
        for at, (value, place) in enumerate(zip(values.values(), places, strict=True)):
            columns[place, at] = value.per_query
        units = UnitValues(unit="query", ids=ids, columns=columns)
        if metric.is_mean:
            units = replace(units, weights=weights, by_items=_by_items(name, runs, places, len(ids)))
        metrics.append((metric if metric.is_mean else replace(metric, notes=(_NOT_A_MEAN,)), units))
    return compare_units(metrics, settings)


_NOT_A_MEAN = Text(
    "the value is not a mean over queries: there is no test, no letter and no interval; wins and losses count single queries",
    "该值不是各查询的均值：没有检验、字母与区间；胜负按单个查询计",
)


def _common_metrics(runs: Sequence[Run]) -> list[str]:
    names = [name for name in runs[0].values if all(name in run.values for run in runs)]
    if not names:
        first, other = runs[0], next(run for run in runs if not set(run.values) & set(runs[0].values))
        raise InputError(
            f"{first.name} and {other.name} have no metric in common: {', '.join(first.values)} against {', '.join(other.values)}",
            f"{first.name} 与 {other.name} 没有共同的指标：{'、'.join(first.values)} 对 {'、'.join(other.values)}",
        )
    return names


def _refuse_other_definitions(runs: Sequence[Run], names: Sequence[str]) -> None:
    """Numbers under two definitions cannot be compared."""
    for name in names:
        first = runs[0].signatures[name]
        for run in runs[1:]:
            other = run.signatures[name]
            if definition(other) != definition(first):
                raise InputError(
                    f"{name} was defined differently: {first} for {runs[0].name}, {other} for {run.name}; score both alike",
                    f"{name} 的定义不同：{runs[0].name} 为 {first}，{run.name} 为 {other}；请按同一定义评测",
                )


def _aligned(runs: Sequence[Run]) -> tuple[list[str | int], list[Places]]:
    """All queries of all runs, sorted by id, and where those of each run stand among them."""
    first = list(runs[0].ids)
    if all(list(run.ids) == first for run in runs[1:]):
        order = sorted(range(len(first)), key=lambda at: _key(first[at]))
        place = np.empty(len(first), np.intp)
        place[order] = np.arange(len(first))
        return [first[at] for at in order], [place] * len(runs)
    ids = sorted({query for run in runs for query in run.ids}, key=_key)
    place_of = {query: at for at, query in enumerate(ids)}
    return ids, [np.array([place_of[query] for query in run.ids], np.intp) for run in runs]


def _key(query: str | int) -> tuple[bool, str | int]:
    return isinstance(query, str), query


def _weights(runs: Sequence[Run], ids: Sequence[str | int], places: Sequence[Places]) -> Floats | None:
    """The weight of each query; the same whichever run brings it."""
    weights = None
    for run, place in zip(runs, places, strict=True):
        if run.weights is not None:
            weights = np.ones(len(ids)) if weights is None else weights
            weights[place] = run.weights
    return weights


def _by_items(name: str, runs: Sequence[Run], places: Sequence[Places], count: int) -> Floats | None:
    """How much each query counts by its items, the same whichever run brings it; a run whose items say nothing has 1."""
    some = [(run.values[name], place) for run, place in zip(runs, places, strict=True)]
    if all(value.list_weights is None for value, _ in some):
        return None
    by_items, is_looked_at = np.full(count, np.nan), np.zeros(count, bool)
    for value, place in some:
        if value.policies.judged == "list":
            raise InputError(
                f"{name}: with judged=list the items of a list say how much it counts (item_weight=), so that runs weigh queries differently; "
                "compare with judged=truth, or without weights",
                f"{name}：judged=list 时列表的权重由其中的条目决定（item_weight=），各预测对查询的加权不同；请用 judged=truth 比较，或不给权重",
            )
        if value.list_weights is not None:
            by_items[place] = np.where(np.isnan(value.list_weights), by_items[place], value.list_weights)
            is_looked_at[place[~np.isnan(value.per_query)]] = True
    by_items[~is_looked_at & np.isnan(by_items)] = 1.0
    return by_items


def _refuse_few(runs: Sequence[Run], places: Sequence[Places], baseline: str) -> None:
    """Without two queries in common with the baseline there is neither a test nor an interval."""
    first = next(at for at, run in enumerate(runs) if run.name == baseline)
    for run, place in zip(runs, places, strict=True):
        if run.name == baseline:
            continue
        common = len(np.intersect1d(places[first], place))
        if common == 0:
            many, few = len(runs[first].ids), len(run.ids)
            raise InputError(
                f"{baseline} and {run.name} have no query in common ({many} against {few} queries); were both scored on "
                "the same queries?",
                f"{baseline} 与 {run.name} 没有共同的查询（{many} 个对 {few} 个）；两者是在同一批查询上评测的吗？",
            )
        if common < 2:
            raise InputError(
                f"{baseline} and {run.name} have one query in common: a test and an interval need at least two",
                f"{baseline} 与 {run.name} 只有一个共同的查询：检验与区间至少需要两个",
            )
