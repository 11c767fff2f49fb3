"""Models of the same rows: labels and scores, classes, or numbers; which test it is depends on the metric."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.base.errors import InputError
from pingce.base.exact import Floats
from pingce.base.interval import NO_INTERVAL, Interval
from pingce.base.progress import part
from pingce.base.text import Text
from pingce.comparison.results import Difference, MeasuredMetric, UnitValues
from pingce.comparison.settings import ComparisonSettings
from pingce.scores.base import RowScores
from pingce.scores.values import Value
from pingce.stats.resampling import Resampling, metric_view
from pingce.tasks import TASKS

if TYPE_CHECKING:
    from pingce.stats.models import ModelDifference


_POWER = 0.8
_MANY = 20_000
"Rows from which on the two ways to draw a mean agree to all digits that a reader sees."


def measured_models(
    scores: Mapping[str, RowScores], settings: ComparisonSettings, at: Callable[[Text], None] = lambda text: None
) -> list[MeasuredMetric]:
    """Every metric that all models have, with the difference of each two models."""
    first, *others = scores.values()
    names = [name for name in first.values_by_name if all(name in other.values_by_name for other in others)]
    names = [name for name in names if not first.values_by_name[name].metric.is_reading]
    if not names:
        raise InputError("the models have no metric in common", "各模型没有共同的指标")
    if first.counts["rows"] < 2:
        raise InputError(
            "there is one row only: a test and an interval need at least two",
            "只有一行数据：检验与区间至少需要两行",
        )
    pairs = list(combinations(sorted(scores), 2))
    steps = len(scores) + len(pairs)
    intervals = {}
    for step, (model, each) in enumerate(scores.items()):
        at(Text(f"intervals of {model}", f"正在计算 {model} 的区间"))
        with part(step / steps, (step + 1) / steps):
            intervals[model] = _intervals(each, names, settings)
    gaps: dict[tuple[str, str], dict[str, Difference]] = {}
    for step, (against, model) in enumerate(pairs, len(scores)):
        at(Text(f"comparing {model} with {against}", f"正在比较 {model} 与 {against}"))
        with part(step / steps, (step + 1) / steps):
            gaps[model, against] = _gaps(model, against, scores, names, settings)
    measured = []
    for name in names:
        values = {model: each.values_by_name[name] for model, each in scores.items()}
        metric = MeasuredMetric.of(name, values, [each.signature(name) for each in scores.values()])
        reason = metric.metric.no_interval
        note = reason and Text(
            f"there is no test, no letter and no interval: {reason.en}", f"没有检验、字母与区间：{reason.zh}"
        )
        measured.append(
            replace(
                metric,
                intervals=tuple(intervals[model][name] for model in scores),
                differences={pair: each[name] for pair, each in gaps.items()},
                units=_groups(metric, scores),
                notes=(note,) if note else (),
            )
        )
    return measured


def has_groups(scores: Any) -> bool:
    """Whether rows were given in groups."""
    return getattr(getattr(scores.paired_data, "rows", None), "group", None) is not None


def _intervals(scores: RowScores, names: Sequence[str], settings: ComparisonSettings) -> dict[str, Interval]:
    """The intervals that were computed with the scores, else computed now; undefined values have none."""
    values: dict[str, Value] = {name: scores.values_by_name[name] for name in names}
    if scores.confidence == settings.confidence:
        return {name: value.interval or NO_INTERVAL for name, value in values.items()}
    resampling, ends = settings.row_resampling, dict.fromkeys(names, NO_INTERVAL)
    defined = {name: value for name, value in values.items() if not math.isnan(value.value)}
    by_group = {"by_group": True} if has_groups(scores) else {}
    means = {} if by_group else _mean_intervals(defined, scores, resampling)
    others = {name: value for name, value in defined.items() if name not in means}
    if others:
        computed = TASKS[scores.task].load("intervals")(others, scores.paired_data, resampling, **by_group)
        ends |= {name: value.interval or NO_INTERVAL for name, value in computed.items()}
    return ends | means


def _mean_intervals(values: Mapping[str, Value], scores: Any, resampling: Resampling) -> dict[str, Interval]:
    """Intervals of means over many rows, drawn as means: no table of scores is made a thousand times over."""
    from pingce.stats.means import mean_intervals

    if scores.counts["rows"] < _MANY or scores.counts["weight"] is not None:
        return {}
    ends = {}
    for name, value in values.items():
        is_mean = value.metric.paired_test == "permutation" and not value.metric.scaled_mean
        losses = _per_unit(value, scores, "rows") if is_mean else None
        if losses is not None:
            low, high = mean_intervals(np.sort(losses), resampling)[0].tolist()
            ends[name] = (low, high)
    return ends


def _gaps(
    model: str, against: str, scores: Mapping[str, RowScores], names: Sequence[str], settings: ComparisonSettings
) -> dict[str, Difference]:
    """All metrics of two models."""
    from pingce.stats.models import model_differences

    first, second = scores[model], scores[against]
    pairs = {name: (first.values_by_name[name], second.values_by_name[name]) for name in names}
    defined = {name: pair for name, pair in pairs.items() if not any(math.isnan(value.value) for value in pair)}
    evidence = first.paired_data, second.paired_data
    tests = model_differences(defined, evidence, settings.row_resampling, settings.permutations)
    gaps = {}
    for name, pair in pairs.items():
        values = (pair[0].value, pair[1].value)
        gap = Difference(model=model, against=against, values=values, p=math.nan, test=_UNTESTED)
        if name in tests:
            unit = tests[name].unit
            sides = _per_unit(pair[0], first, unit), _per_unit(pair[1], second, unit)
            gap = _with_sides(_tested(gap, tests[name], settings), *sides, pair[0].metric.about.higher_is_better)
        gaps[name] = gap
    return gaps


_UNTESTED = Text("not tested: a value is undefined", "未检验：有一个值没有定义")


def _tested(gap: Difference, difference: ModelDifference, settings: ComparisonSettings) -> Difference:
    """The difference with its test; what could be seen follows from the standard error that the interval stands for."""
    normal = NormalDist()
    sure = normal.inv_cdf((1 + settings.confidence) / 2)
    low, high = difference.interval
    return replace(
        gap,
        p=difference.p,
        test=difference.test,
        interval=difference.interval,
        unit=difference.unit,
        pairs=difference.count,
        left_out=difference.left_out,
        detectable=(high - low) / (2 * sure) * (sure + normal.inv_cdf(_POWER)),
    )


def _with_sides(gap: Difference, first: Floats | None, second: Floats | None, higher: bool | None) -> Difference:
    """The difference with its effect size, and the rows or groups that either model wins."""
    if first is None or second is None:
        return gap
    from pingce.stats.differences import cohen_d, win_tie_loss

    wins, ties, losses = win_tie_loss(first - second)[0].tolist()
    if higher is False:
        wins, losses = losses, wins
    return replace(gap, effect=float(cohen_d(first - second)[0]), wins=wins, ties=ties, losses=losses)


def _per_unit(value: Value, scores: Any, unit: str) -> Floats | None:
    """What each group or row has of a value, where it is a mean of them."""
    metric: Any = value.metric
    if metric.of_groups:
        areas: Floats = metric.areas(scores.evidence.groups(metric.needed_columns()))
        return areas
    if unit == "groups":
        return None
    losses: Floats | None = value.metric.row_losses(metric_view(value, scores.paired_data))
    return losses


def _groups(metric: MeasuredMetric, scores: Mapping[str, RowScores]) -> UnitValues | None:
    """The AUC of each group under each model."""
    kind: Any = metric.metric
    if not kind.of_groups:
        return None
    groups = [each.evidence.groups(kind.needed_columns()) for each in scores.values()]
    columns = np.stack([kind.areas(each) for each in groups], axis=1)
    return UnitValues(unit="group", ids=groups[0].groups.to_list(), columns=columns)
