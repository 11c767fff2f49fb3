"""Differences of values that are means over queries (or groups), tested pair by pair."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, groupby
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.exact import Floats
from pingce.base.interval import NO_INTERVAL, Interval
from pingce.base.progress import part
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.comparison.results import NO_SPREAD, Difference, MeasuredMetric, UnitValues
from pingce.comparison.settings import ComparisonSettings
from pingce.stats.differences import mean_of, whole
from pingce.stats.paired import paired_p, test_name

_Item = TypeVar("_Item")
CELLS = 1 << 23
"Drawn means held at once: with all pairs of 400 models they would take gigabytes."


@dataclass(frozen=True, eq=False)
class _Pair:
    """Two models of one metric, in the order of their names: whoever is asked about first changes no bit."""

    metric: MeasuredMetric
    units: UnitValues
    model: str
    against: str

    @property
    def places(self) -> list[int]:
        return [self.metric.models.index(name) for name in (self.model, self.against)]

    def columns(self) -> tuple[Floats, Floats]:
        """Their values on the pairs; NaN elsewhere."""
        first, second = self.units.columns[:, self.places].T
        both = ~np.isnan(first) & ~np.isnan(second)
        return np.where(both, first, math.nan), np.where(both, second, math.nan)

    def differences(self) -> Floats:
        first, second = self.columns()
        gap: Floats = first - second
        weights = self.weights()
        return gap if weights is None else gap * _shares(weights, ~np.isnan(gap))

    def weights(self) -> Floats | None:
        """How much each unit counts over the pairs."""
        first, second = self.units.columns[:, self.places].T
        return self.units.weights_over(~np.isnan(first) & ~np.isnan(second))

    def has_no_spread(self) -> bool:
        """Whether the differences are all the same, and not 0."""
        gaps = self.differences()
        defined = gaps[~np.isnan(gaps)]
        return len(defined) > 1 and bool(defined[0] and (defined == defined[0]).all())

    def values(self) -> tuple[float, float]:
        """The two values over the pairs; those of the whole where nothing is left out.

        What is no mean cannot be had of the pairs alone: of other queries each, there are no two values to compare.
        """
        first, second = (self.metric.values[place] for place in self.places)
        missing = np.isnan(self.units.columns[:, self.places])
        if math.isnan(first) or math.isnan(second) or not missing.any():
            return first, second
        if not self.metric.is_mean:
            return (first, second) if bool((missing[:, 0] == missing[:, 1]).all()) else NO_INTERVAL
        defined, weights = ~(missing[:, 0] | missing[:, 1]), self.weights()
        shares = np.ones(len(defined)) if weights is None else _shares(weights, defined)
        first, second = (mean_of((column * shares)[defined]) for column in self.columns())
        return first, second


def _shares(weights: Floats, defined: NDArray[np.bool_]) -> Floats:
    """Weights whose mean over the known units is 1."""
    total = math.fsum(weights[defined].tolist())
    return weights * (int(defined.sum()) / total) if total else weights


def compare_units(
    metrics: Sequence[tuple[MeasuredMetric, UnitValues]], settings: ComparisonSettings
) -> list[MeasuredMetric]:
    """Each metric with the interval of each model's value, and every model against every other.

    All columns share the draws; some of them are looked at together, so that memory does not grow with their number.
    """
    pairs = [
        [_Pair(metric, units, model, against) for against, model in combinations(sorted(metric.models), 2)]
        for metric, units in metrics
    ]
    every = [pair for of_metric in pairs for pair in of_metric]
    most = max(1, CELLS // max(settings.draws, len(metrics[0][1].columns)))
    with part(0, 0.3):
        columns = ((units.weights_over(~np.isnan(each)), each) for _, units in metrics for each in units.columns.T)
        blocks = ((weights, block) for weights, some in _alike(columns) for block in _blocks(some, most))
        intervals = iter([ends for weights, block in blocks for ends in _intervals(block, weights, settings)])
    _refuse_constant(every, settings.test)
    of_pairs = _alike((pair.weights(), pair) for pair in every)
    blocks = ((weights, block) for weights, some in of_pairs for block in _blocks(some, most))
    gaps = (gap for weights, block in blocks for gap in _differences(block, weights, settings))
    results = []
    for (metric, units), of_metric in zip(metrics, pairs, strict=True):
        ends = zip([next(intervals) for _ in metric.models], metric.values, strict=True)
        defined = [pair if metric.is_mean and not math.isnan(value) else NO_INTERVAL for pair, value in ends]
        differences = {(pair.model, pair.against): next(gaps) for pair in of_metric}
        results.append(replace(metric, units=units, intervals=tuple(defined), differences=differences))
    return results


def _alike(items: Iterable[tuple[Floats | None, _Item]]) -> Iterator[tuple[Floats | None, list[_Item]]]:
    """What follows each other and weighs units alike, with the weights."""
    for _, group in groupby(items, key=lambda each: None if each[0] is None else each[0].tobytes()):
        weights, some = zip(*group, strict=True)
        yield weights[0], [*some]


def _blocks(items: Sequence[_Item], most: int) -> Iterator[Sequence[_Item]]:
    """Blocks of the items, in order, with at most so many in each."""
    return (items[begin : begin + most] for begin in range(0, len(items), most))


def _intervals(columns: Sequence[Floats], weights: Floats | None, settings: ComparisonSettings) -> list[Interval]:
    from pingce.stats.means import mean_intervals

    ends = mean_intervals(
        np.stack(columns, axis=1),
        settings.resampling,
        weights=weights,
        method=interval_method(settings, weighted=weights is not None),
    )
    return [(low, high) for low, high in ends.tolist()]


def interval_method(settings: ComparisonSettings, *, weighted: bool) -> str:
    """How intervals are made: beside a t-test by t; of weighted means by draws, since t knows no ratio of few queries."""
    return "t" if settings.test == "t" and not weighted else "bootstrap"


def _differences(pairs: Sequence[_Pair], weights: Floats | None, settings: ComparisonSettings) -> Iterator[Difference]:
    """One difference per pair."""
    from pingce.stats.differences import cohen_d, minimum_detectable, win_tie_loss

    with part(0.3, 0.7):
        ends = _intervals([first - second for pair in pairs for first, second in [pair.columns()]], weights, settings)
    gaps = np.stack([pair.differences() for pair in pairs], axis=1)
    means = np.where([pair.metric.is_mean for pair in pairs], gaps, math.nan)
    same = [settings.test == "t" and pair.has_no_spread() for pair in pairs]
    with part(0.7, 1):
        p = paired_p(means, test=settings.test, samples=settings.permutations, seed=settings.seed).tolist()
    effect, detectable = cohen_d(means).tolist(), minimum_detectable(means, alpha=settings.alpha).tolist()
    sides = win_tie_loss(gaps).tolist()
    counts = np.count_nonzero(~np.isnan(gaps), axis=0).tolist()
    moved = np.count_nonzero(whole(gaps), axis=0).tolist()
    reasons = [NO_SPREAD if constant else _UNTESTED for constant in same]
    for i, pair in enumerate(pairs):
        values, is_mean = pair.values(), pair.metric.is_mean
        is_tested = is_mean and counts[i] >= 2 and not any(math.isnan(value) for value in values)
        wins, ties, losses = sides[i] if pair.metric.higher_is_better is not False else sides[i][::-1]
        yield Difference(
            model=pair.model,
            against=pair.against,
            values=values,
            p=p[i] if is_tested and not same[i] else math.nan,
            test=test_name(settings.test, moved[i], settings.permutations) if is_mean and not same[i] else reasons[i],
            interval=ends[i] if is_tested else NO_INTERVAL,
            unit=pair.metric.unit,
            pairs=counts[i],
            left_out=len(gaps) - counts[i],
            effect=effect[i] if is_tested else math.nan,
            wins=wins,
            ties=ties,
            losses=losses,
            detectable=detectable[i] if is_tested else math.nan,
        )


_UNTESTED = Text("not tested: the value is not a mean over queries", "未检验：该值不是各查询的均值")


def _refuse_constant(pairs: Sequence[_Pair], test: str) -> None:
    """A t-test cannot judge differences that are all the same, and not 0: of such pairs alone there is none."""
    means = [pair for pair in pairs if pair.metric.is_mean]
    if test != "t" or not means or not all(pair.has_no_spread() for pair in means):
        return
    gaps = means[0].differences()
    defined = gaps[~np.isnan(gaps)]
    raise InputError(
        f"the {len(defined)} differences are all {defined[0]:.6g}: without variance there is no t-test; "
        "choose test=permutation, wilcoxon or sign",
        f"{len(defined)} 个差值全为 {defined[0]:.6g}：方差为零，无法做 t 检验；请选择 test=permutation、wilcoxon 或 sign",
    )
