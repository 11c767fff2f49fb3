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
from pingce.base.text import Text
from pingce.comparison.results import NONE, Difference, MeasuredMetric, UnitValues

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pingce.comparison.results import Interval
    from pingce.comparison.settings import ComparisonSettings
    from pingce.scores.base import Scores, Value
    from pingce.stats.models import ModelDifference

    Floats = NDArray[np.float64]

_POWER = 0.8
_MANY = 20_000
"Rows from which on the two ways to draw a mean agree to all digits that a reader sees."


def measured_models(
    scores: Mapping[str, Scores], settings: ComparisonSettings, at: Callable[[Text], None] = lambda text: None
) -> list[MeasuredMetric]:
    """Every metric that all models have, with the difference of each two models."""
    first, *rest = scores.values()
    names = [name for name in first.values_by_name if all(name in other.values_by_name for other in rest)]
    if not names:
        raise InputError("the models have no metric in common", "各模型没有共同的指标")
    _refuse_one_row(first)
    intervals = {}
    for model, one in scores.items():
        at(Text(f"intervals of {model}", f"正在计算 {model} 的区间"))
        intervals[model] = _intervals(one, names, settings)
    gaps: dict[tuple[str, str], dict[str, Difference]] = {}
    for against, model in combinations(sorted(scores), 2):
        at(Text(f"comparing {model} with {against}", f"正在比较 {model} 与 {against}"))
        gaps[model, against] = _gaps(model, against, scores, names, settings)
    return [_measured(name, scores, intervals, gaps) for name in names]


def _refuse_one_row(scores: Scores) -> None:
    if scores.counts["rows"] < 2:
        raise InputError(
            "there is one row only: a test and an interval need at least two",
            "只有一行数据：检验与区间至少需要两行",
        )


def _measured(
    name: str,
    scores: Mapping[str, Scores],
    intervals: Mapping[str, Mapping[str, Interval]],
    gaps: Mapping[tuple[str, str], Mapping[str, Difference]],
) -> MeasuredMetric:
    values = [one.values_by_name[name] for one in scores.values()]
    return MeasuredMetric(
        name=name,
        id=values[0].id,
        metric=values[0].metric,
        models=tuple(scores),
        values=tuple(value.value for value in values),
        intervals=tuple(intervals[model][name] for model in scores),
        signatures=tuple(one.signature(name) for one in scores.values()),
        counts=tuple(value.count for value in values),
        undefined=tuple(value.undefined for value in values),
        unit=values[0].unit,
        differences={pair: found[name] for pair, found in gaps.items()},
        units=_groups(name, scores),
        notes=() if values[0].metric.no_interval is None else (_untested(values[0].metric.no_interval),),
    )


def _untested(reason: Text) -> Text:
    return Text(
        f"there is no test, no letter and no interval: {reason.en}",
        f"没有检验、字母与区间：{reason.zh}",
    )


def has_groups(scores: Any) -> bool:
    """Whether rows were given in groups."""
    return getattr(getattr(_evidence(scores), "rows", None), "group", None) is not None


def _evidence(scores: Any) -> Any:
    return scores.data if scores.task == "regression" else scores.evidence


def _intervals(scores: Scores, names: Sequence[str], settings: ComparisonSettings) -> dict[str, Interval]:
    """Those that were computed with the scores, else computed now; undefined values have none."""
    values: dict[str, Value] = {name: scores.values_by_name[name] for name in names}
    if scores.confidence != settings.confidence:
        asked: dict[str, Any] = {
            "confidence": settings.confidence,
            "samples": settings.cell_draws,
            "seed": settings.seed,
        }
        defined = {name: value for name, value in values.items() if not math.isnan(value.value)}
        if has_groups(scores):
            return _of_groups(defined, values, scores, asked)
        values = values | _means_of_many(defined, scores, asked)
        rest = {name: value for name, value in defined.items() if values[name].interval is None}
        values = values | (_interval_call(scores.task)(rest, _evidence(scores), **asked) if rest else {})
    return {name: value.interval or NONE for name, value in values.items()}


def _of_groups(
    defined: Mapping[str, Value], values: Mapping[str, Value], scores: Any, asked: Mapping[str, Any]
) -> dict[str, Interval]:
    """Intervals with the group as the unit, as differences have it."""
    from pingce.stats.clustered import clustered_intervals
    from pingce.stats.intervals import with_intervals

    means = {name: value for name, value in defined.items() if value.metric.needs == "groups"}  # type: ignore[attr-defined]
    rest = {name: value for name, value in defined.items() if name not in means}
    ends = clustered_intervals(rest, scores.evidence, **asked)
    ends |= {name: value.interval for name, value in with_intervals(means, scores.evidence, **asked).items()}
    return {name: ends.get(name) or NONE for name in values}


def _means_of_many(values: Mapping[str, Value], scores: Any, asked: Mapping[str, Any]) -> dict[str, Value]:
    """Of many rows, a mean is drawn as a mean: no table of scores is made a thousand times over."""
    from pingce.stats.means import mean_intervals

    if scores.counts["rows"] < _MANY or scores.counts["weight"] is not None:
        return dict(values)
    found = {}
    for name, value in values.items():
        is_mean = value.metric.paired_test == "permutation" and not value.metric.scaled_mean
        losses = _per_unit(value, scores, "rows") if is_mean else None
        ends = None if losses is None else mean_intervals(np.sort(losses), **asked)[0].tolist()
        found[name] = replace(value, interval=None if ends is None else (ends[0], ends[1]))
    return found


def _interval_call(task: str) -> Callable[..., dict[str, Value]]:
    if task == "binary":
        from pingce.stats.intervals import with_intervals

        return with_intervals
    from pingce.stats.row_intervals import class_intervals, number_intervals

    return class_intervals if task == "multiclass" else number_intervals


def _gaps(
    model: str, against: str, scores: Mapping[str, Scores], names: Sequence[str], settings: ComparisonSettings
) -> dict[str, Difference]:
    """All metrics of two models."""
    from pingce.stats.models import model_differences

    one, other = scores[model], scores[against]
    pairs = {name: (one.values_by_name[name], other.values_by_name[name]) for name in names}
    known = {name: pair for name, pair in pairs.items() if not any(math.isnan(value.value) for value in pair)}
    first, second = ({name: pair[side] for name, pair in known.items()} for side in (0, 1))
    found = model_differences(
        first,
        second,
        _evidence(one),
        _evidence(other),
        confidence=settings.confidence,
        samples=settings.cell_draws,
        permutations=settings.permutations,
        seed=settings.seed,
    )
    out = {}
    for name, pair in pairs.items():
        gap = Difference(
            model=model, against=against, values=(pair[0].value, pair[1].value), p=math.nan, test=_UNTESTED
        )
        out[name] = _tested(gap, found[name], pair, (one, other), settings) if name in found else gap
    return out


_UNTESTED = Text("not tested: a value is undefined", "未检验：有一个值没有定义")


def _tested(
    gap: Difference,
    found: ModelDifference,
    pair: tuple[Value, Value],
    scores: tuple[Scores, Scores],
    settings: ComparisonSettings,
) -> Difference:
    gap = replace(
        gap,
        p=found.p,
        test=found.test,
        interval=found.interval,
        unit=found.unit,
        pairs=found.count,
        left_out=found.left_out,
        detectable=_detectable(found.interval, settings),
    )
    sides = [_per_unit(value, one, found.unit) for value, one in zip(pair, scores, strict=True)]
    if sides[0] is None or sides[1] is None:
        return gap
    from pingce.stats.effects import cohen_d, win_tie_loss

    apart = sides[0] - sides[1]
    wins, ties, losses = win_tie_loss(apart)[0].tolist()
    if pair[0].metric.about.higher_is_better is False:
        wins, losses = losses, wins
    return replace(gap, effect=float(cohen_d(apart)[0]), wins=wins, ties=ties, losses=losses)


def _detectable(interval: Interval, settings: ComparisonSettings) -> float:
    """From the standard error that the interval stands for."""
    normal = NormalDist()
    sure = normal.inv_cdf((1 + settings.confidence) / 2)
    return (interval[1] - interval[0]) / (2 * sure) * (sure + normal.inv_cdf(_POWER))


def _per_unit(value: Value, scores: Any, unit: str) -> Floats | None:
    """What each group or row has of a value, where it is a mean of them."""
    metric: Any = value.metric
    if metric.needs == "groups":
        areas: Floats = metric.areas(scores.evidence.groups(metric.needed_columns()))
        return areas
    if unit == "groups":
        return None
    from pingce.stats.influences import row_losses

    return row_losses(value, _evidence(scores))


def _groups(name: str, scores: Mapping[str, Any]) -> UnitValues | None:
    """The AUC of each group under each model."""
    first = next(iter(scores.values()))
    if first.values_by_name[name].metric.needs != "groups":
        return None
    metric = first.values_by_name[name].metric
    groups = [one.evidence.groups(metric.needed_columns()) for one in scores.values()]
    columns = np.stack([metric.areas(one) for one in groups], axis=1)
    return UnitValues(unit="group", ids=groups[0].groups.to_list(), columns=columns)
