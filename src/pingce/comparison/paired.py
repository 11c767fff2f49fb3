"""Differences of values that are means over queries (or groups), tested pair by pair."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.exact import Floats
from pingce.base.text import Text
from pingce.comparison.results import NO_SPREAD, NONE, Difference, Interval
from pingce.comparison.settings import ComparisonSettings
from pingce.stats.differences import mean_of, whole
from pingce.stats.paired import paired_p, test_name

_Item = TypeVar("_Item")
CELLS = 1 << 23
"Drawn means held at once: with all pairs of 400 models they would take gigabytes."


@dataclass(frozen=True, eq=False, kw_only=True)
class UnitMetric:
    """A metric on the same units under every model."""

    name: str
    models: tuple[str, ...]
    values: tuple[float, ...]
    columns: Floats
    "A row per unit, a column per model; NaN where undefined."
    unit: str = "queries"
    higher_is_better: bool | None = True
    is_mean: bool = True
    "Whether the value is the mean of its column; if not, neither a test of the column nor an interval would be of the value."
    weights: Floats | None = None
    "How much each unit counts in the mean."


@dataclass(frozen=True, eq=False)
class _Pair:
    """Two models of one metric, in the order of their names: whoever is asked about first changes no bit."""

    metric: UnitMetric
    model: str
    against: str

    def columns(self) -> tuple[Floats, Floats]:
        """Their values on the pairs; NaN elsewhere."""
        first, second = (self.metric.columns[:, self.metric.models.index(name)] for name in (self.model, self.against))
        both = ~np.isnan(first) & ~np.isnan(second)
        return np.where(both, first, math.nan), np.where(both, second, math.nan)

    def differences(self) -> Floats:
        first, second = self.columns()
        gap: Floats = first - second
        weights = self.metric.weights
        return gap if weights is None else gap * _shares(weights, ~np.isnan(gap))

    def has_no_spread(self) -> bool:
        """Whether the differences are all the same, and not 0."""
        gaps = self.differences()
        defined = gaps[~np.isnan(gaps)]
        return len(defined) > 1 and bool(defined[0] and (defined == defined[0]).all())

    def values(self) -> tuple[float, float]:
        """The two values over the pairs; those of the whole where nothing is left out.

        What is no mean cannot be had of the pairs alone: of other queries each, there are no two values to compare.
        """
        whole = tuple(self.metric.values[self.metric.models.index(name)] for name in (self.model, self.against))
        columns = self.columns()
        if any(math.isnan(value) for value in whole) or not np.isnan(columns[0]).any():
            return whole[0], whole[1]
        if not self.metric.is_mean:
            places = [self.metric.models.index(name) for name in (self.model, self.against)]
            missing = np.isnan(self.metric.columns[:, places])
            return (whole[0], whole[1]) if bool((missing[:, 0] == missing[:, 1]).all()) else NONE
        defined = ~np.isnan(columns[0])
        shares = np.ones(len(defined)) if self.metric.weights is None else _shares(self.metric.weights, defined)
        first, second = (mean_of((column * shares)[defined]) for column in columns)
        return first, second


def _shares(weights: Floats, defined: NDArray[np.bool_]) -> Floats:
    """Weights whose mean over the known units is 1."""
    total = math.fsum(weights[defined].tolist())
    return weights * (int(defined.sum()) / total) if total else weights


def compare_units(
    metrics: Sequence[UnitMetric], settings: ComparisonSettings
) -> list[tuple[tuple[Interval, ...], dict[tuple[str, str], Difference]]]:
    """For each metric, the interval of each model's value, and every model against every other.

    All columns share the draws; some of them are looked at together, so that memory does not grow with their number.
    """
    pairs = [
        [_Pair(metric, model, against) for against, model in combinations(sorted(metric.models), 2)]
        for metric in metrics
    ]
    every = [pair for of_metric in pairs for pair in of_metric]
    weights = next((metric.weights for metric in metrics if metric.weights is not None), None)
    most = max(1, CELLS // max(settings.draws, len(metrics[0].columns)))
    columns = [column for metric in metrics for column in metric.columns.T]
    intervals = iter([ends for block in _blocks(columns, most) for ends in _intervals(block, weights, settings)])
    _refuse_constant(every, settings.test)
    gaps = (gap for block in _blocks(every, most) for gap in _differences(block, weights, settings))
    results = []
    for metric, of_metric in zip(metrics, pairs, strict=True):
        drawn_ends = [next(intervals) for _ in metric.models]
        defined = [metric.is_mean and not math.isnan(value) for value in metric.values]
        ends = tuple(pair if yes else NONE for pair, yes in zip(drawn_ends, defined, strict=True))
        results.append((ends, {(pair.model, pair.against): next(gaps) for pair in of_metric}))
    return results


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

    ends = _intervals([first - second for pair in pairs for first, second in [pair.columns()]], weights, settings)
    gaps = np.stack([pair.differences() for pair in pairs], axis=1)
    means = np.where([pair.metric.is_mean for pair in pairs], gaps, math.nan)
    same = [settings.test == "t" and pair.has_no_spread() for pair in pairs]
    p = paired_p(means, test=settings.test, samples=settings.permutations, seed=settings.seed).tolist()
    effect, detectable = cohen_d(means).tolist(), minimum_detectable(means, alpha=settings.alpha).tolist()
    sides = win_tie_loss(gaps).tolist()
    counts = np.count_nonzero(~np.isnan(gaps), axis=0).tolist()
    moved = np.count_nonzero(whole(gaps), axis=0).tolist()
    reasons = [NO_SPREAD if constant else _UNTESTED for constant in same]
    for i, pair in enumerate(pairs):
        values = pair.values()
        is_mean = pair.metric.is_mean
        is_tested = is_mean and counts[i] >= 2 and not any(math.isnan(value) for value in values)
        wins, ties, losses = sides[i] if pair.metric.higher_is_better is not False else sides[i][::-1]
        yield Difference(
            model=pair.model,
            against=pair.against,
            values=values,
            p=p[i] if is_tested and not same[i] else math.nan,
            test=test_name(settings.test, moved[i], settings.permutations) if is_mean and not same[i] else reasons[i],
            interval=ends[i] if is_tested else NONE,
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
