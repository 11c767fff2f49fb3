"""Gaps between groups under several models: how far each model sets groups apart, whether two differ in that, and where."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from pingce.base.exact import Floats
from pingce.base.interval import NO_INTERVAL, Interval
from pingce.base.text import Text
from pingce.comparison.gap_draws import Group, PairDraws, QueryPairs, RowPairs
from pingce.comparison.gap_results import ComparedGap, GroupDifference
from pingce.comparison.results import Difference, MeasuredMetric
from pingce.comparison.settings import ComparisonSettings
from pingce.metrics.grammar import parse_metric
from pingce.scores.base import RowScores, Scores
from pingce.scores.gaps import GapReading
from pingce.scores.ranking import RankingScores
from pingce.scores.saved import SavedScores
from pingce.slices.gaps import APART, Gap, group_p, pair_interval, with_draws
from pingce.stats.paired import corrected
from pingce.stats.paired_draws import judge
from pingce.stats.resampling import Resampling

if TYPE_CHECKING:
    from pingce.metrics.gaps import SliceReading

_UNTESTED = Text(
    "not tested: rows or queries that are drawn anew are no guide for what the gap is of",
    "未检验：对差距所依据的指标重新抽样说明不了什么",
)
_TESTS = {
    "queries": Text("paired bootstrap of queries within groups", "组内按查询配对的自助抽样"),
    "rows": Text("paired bootstrap of rows within groups", "组内按行配对的自助抽样"),
}


def measured_gaps(
    models: Mapping[str, object], measured: Sequence[MeasuredMetric], baseline: str, settings: ComparisonSettings
) -> dict[str, tuple[MeasuredMetric, ComparedGap]]:
    """The gaps that all models have; `measured` are the metrics that they are of. Saved scores have no groups to draw from."""
    scores = {name: model for name, model in models.items() if isinstance(model, Scores) and model.gaps}
    if len(scores) < len(models):
        return {}
    names = [name for name in scores[baseline].gaps if all(name in each.gaps for each in scores.values())]
    rows = {name: each for name, each in scores.items() if isinstance(each, RowScores)}
    if rows:
        whole = GapComparison(scores, baseline, RowPairs(rows), settings.row_resampling)
    else:
        runs = {name: each for name, each in scores.items() if isinstance(each, RankingScores)}
        by_name = {metric.name: metric for metric in measured}
        whole = GapComparison(scores, baseline, QueryPairs(runs, by_name), settings.resampling)
    return {name: whole.measure(name) for name in names}


def in_order(measured: Sequence[MeasuredMetric], model: Any) -> list[MeasuredMetric]:
    """Metrics and gaps as they were asked for."""
    place = {name: at for at, name in enumerate(model)}
    return sorted(measured, key=lambda metric: place.get(metric.name, -1))


def saved_gaps(models: Mapping[str, object]) -> list[Text]:
    """Which gaps of saved scores are not compared, in words."""
    return [
        Text(
            f"{name}: {model.source.en} has the gap alone, and not the rows or queries of its groups: it is not compared",
            f"{name}：{model.source.zh} 只有差距本身，没有各组的行或查询，不做比较",
        )
        for model in models.values()
        if isinstance(model, SavedScores)
        for name, metric in model.metrics.items()
        if parse_metric(metric.id, task=model.task).metric.is_reading
    ]


class GapComparison:
    """What compares the gaps of models: their scores, what draws groups of two of them alike, and how often."""

    def __init__(self, scores: Mapping[str, Scores], baseline: str, draws: PairDraws, resampling: Resampling) -> None:
        self.scores, self.baseline, self.draws, self.resampling = scores, baseline, draws, resampling

    def measure(self, name: str) -> tuple[MeasuredMetric, ComparedGap]:
        """One gap: of each model with its interval, of each two with a test."""
        values = {model: each.values_by_name[name] for model, each in self.scores.items()}
        metric = MeasuredMetric.of(name, values, [each.signature(name) for each in self.scores.values()])
        readings = {model: each.gaps[name] for model, each in self.scores.items()}
        pairs = {
            (model, against): self._difference(metric, (model, against), readings)
            for against, model in combinations(sorted(self.scores), 2)
        }
        measured = replace(
            metric,
            intervals=tuple(self._interval(metric, model, readings[model]) for model in self.scores),
            differences=pairs,
            notes=_other_groups(readings),
        )
        return measured, ComparedGap(name, self.baseline, readings, self._groups(metric.metric, readings))

    def _interval(self, metric: MeasuredMetric, model: str, reading: GapReading) -> Interval:
        """The interval that the gap of one model has where it is evaluated alone."""
        scores = self.scores[model]
        if scores.confidence == self.resampling.confidence:
            return scores.values_by_name[metric.name].interval or NO_INTERVAL
        if scores.slices is None or scores.slice_draws is None:
            return NO_INTERVAL
        plain, kind = Gap(metric.value(model), reading), cast("SliceReading", metric.metric)
        ends = with_draws(plain, kind, scores.slices, scores.slice_draws, self.resampling).interval
        return NO_INTERVAL if ends is None or ends[0] == ends[1] else ends

    def _difference(
        self, metric: MeasuredMetric, pair: tuple[str, str], readings: Mapping[str, GapReading]
    ) -> Difference:
        values = metric.value(pair[0]), metric.value(pair[1])
        groups = [[group.name for group in readings[model].groups[readings[model].metric]] for model in pair]
        gap = Difference(
            model=pair[0],
            against=pair[1],
            values=values,
            p=math.nan,
            test=_UNTESTED,
            unit="groups",
            pairs=len(set(groups[0]) & set(groups[1])),
            left_out=len(set(groups[0]) ^ set(groups[1])),
        )
        if any(map(math.isnan, values)) or groups[0] != groups[1]:
            return gap
        sides: tuple[list[Floats], list[Floats]] = [], []
        for each in readings[pair[0]].groups:
            draws = [self._draws(each, Group(readings[pair[0]].by, name), pair) for name in groups[0]]
            columns = [both for both in draws if both is not None]
            if len(columns) < len(draws):
                return gap
            for side in (0, 1):
                sides[side].append(np.stack([both[side] for both in columns]))
        kind = cast("SliceReading", metric.metric)
        apart = kind.draws(sides[0]) - kind.draws(sides[1])
        p, interval = judge(apart, values[0] - values[1], self.resampling, optimistic=True)
        if interval[0] == interval[1] != 0:  # rows that are all alike do not say how others may differ
            p, interval = math.nan, NO_INTERVAL
        return replace(gap, p=p, interval=interval, test=_TESTS[readings[pair[0]].unit])

    def _draws(self, metric: str, group: Group, pair: tuple[str, str]) -> tuple[Floats, Floats] | None:
        """Draws of a group under two models; each group has a seed of its own, as their rows vary on their own."""
        slices = self.scores[self.baseline].slices
        names = [] if slices is None else [part.name for part in slices.by(group.by)]
        seed = self.resampling.seed + APART * (1 + names.index(group.name))
        return self.draws(metric, group, pair, replace(self.resampling, seed=seed))

    def _groups(self, metric: Any, readings: Mapping[str, GapReading]) -> tuple[GroupDifference, ...]:
        """Each model against the baseline on each group, corrected over all of them."""
        base, differences = readings[self.baseline], list[GroupDifference]()
        for each, groups in base.groups.items():
            for group in groups:
                for model in self.scores:
                    other = next((same for same in readings[model].groups[each] if same.name == group.name), None)
                    if model != self.baseline and other is not None:
                        plain = GroupDifference(
                            metric=each, group=group.name, model=model, values=(other.value, group.value)
                        )
                        differences.append(self._tested(plain, base.by))
        p_values = corrected([each.p for each in differences], metric.correction)
        return tuple(replace(each, corrected=p) for each, p in zip(differences, p_values, strict=True))

    def _tested(self, gap: GroupDifference, by: str) -> GroupDifference:
        draws = self._draws(gap.metric, Group(by, gap.group), (gap.model, self.baseline))
        if draws is None:
            return gap
        apart = draws[0] - draws[1]
        apart = apart[~np.isnan(apart)]
        p = group_p(gap.value, apart)
        return gap if math.isnan(p) else replace(gap, p=p, interval=pair_interval(gap.value, apart, self.resampling))


def _other_groups(readings: Mapping[str, GapReading]) -> tuple[Text, ...]:
    """What to say where not the same groups count for all models: their gaps are of different groups."""
    names = {model: [group.name for group in reading.groups[reading.metric]] for model, reading in readings.items()}
    first, *others = names
    other = next((model for model in others if names[model] != names[first]), None)
    if other is None:
        return ()
    return (
        Text(
            f"not the same groups count for {first} and {other}, so that their gaps are of different groups and are not tested",
            f"{first} 与 {other} 计入的组不同；两者的差距来自不同的组，不做检验",
        ),
    )
