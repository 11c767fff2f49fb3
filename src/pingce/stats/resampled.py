"""Two models on rows drawn again and again: each draw takes both models' predictions of the same rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.evidence.binary.evidence import BinaryEvidence, TableEvidence
from pingce.evidence.binary.thresholds import Cells, ThresholdEvidence
from pingce.evidence.multiclass.evidence import MulticlassEvidence
from pingce.evidence.regression.evidence import error_evidence
from pingce.inputs.regression import NumberRows
from pingce.stats.clustered import group_codes
from pingce.stats.intervals import EXCESS, percentiles
from pingce.stats.matrices import FEW, HALF
from pingce.stats.tables import SharedLosses

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pingce.scores.base import Value

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Found = tuple[float, tuple[float, float]]
    Side = Callable[[Ints], Mapping[str, float]]
    "The metrics of a model, given how often each joint cell was drawn."


def resampled_differences(
    pairs: Mapping[str, tuple[Value, Value]], a: Any, b: Any, *, confidence: float, samples: int, seed: int
) -> dict[str, Found]:
    """p and interval of each difference, first less second. Which model comes first changes no bit but the sign."""
    turned = _turned(a, b)
    if turned:
        a, b, pairs = b, a, {name: (second, first) for name, (first, second) in pairs.items()}
    drawn = _drawn(pairs, a, b, samples, seed)
    found = {}
    for name, column in drawn.items():
        p, (low, high) = _judged(column, pairs[name], confidence)
        found[name] = (p, (0.0 - high, 0.0 - low) if turned else (low, high))
    return found


def _judged(sample: Floats, pair: tuple[Value, Value], confidence: float) -> Found:
    """p and interval; where both values are too good on average, the two excesses need not cancel."""
    low, high = percentiles(sample, confidence)
    if not pair[0].metric.optimistic or math.isnan(low):
        return two_sided(sample), (low, high)
    apart, mean = pair[0].value - pair[1].value, float(np.nanmean(sample))
    excess, half = EXCESS * abs(mean - apart), max(high - mean, mean - low)
    centre = math.copysign(max(0.0, abs(apart) - excess), apart)
    return two_sided(sample - mean + centre), (apart - excess - half, apart + excess + half)


def two_sided(drawn: Floats) -> float:
    """Twice the share of draws on the rarer side of 0, those at 0 on both, and the observed one with them."""
    known = drawn[~np.isnan(drawn)]
    if not len(known):
        return math.nan
    rarer = min(int(np.count_nonzero(known <= 0)), int(np.count_nonzero(known >= 0)))
    return min(1.0, 2 * (1 + rarer) / (1 + len(known)))


def _scores(evidence: Any) -> Sequence[NDArray[Any]]:
    """What a model said of each row, as numbers."""
    if isinstance(evidence, BinaryEvidence):
        return (evidence.rows.scores,)
    if isinstance(evidence, NumberRows):
        return (evidence.predicted,)
    rows = evidence.rows
    return [
        *(() if rows.prediction is None else (rows.prediction.codes,)),
        *(() if rows.proba is None else rows.proba.T),
    ]


def says_the_same(a: Any, b: Any) -> bool:
    """Whether two models said the same of every row."""
    sides = _scores(a), _scores(b)
    return len(sides[0]) == len(sides[1]) and all(map(np.array_equal, *sides))


def _turned(a: Any, b: Any) -> bool:
    """Whether the second model is to be drawn first, by what the two hold and not by who came first."""
    for left, right in zip(_sorted(a, b), _sorted(b, a), strict=False):
        other = np.flatnonzero(left != right)
        if len(other):
            return bool(left[other[0]] > right[other[0]])
    return False


def _sorted(a: Any, b: Any) -> list[NDArray[Any]]:
    """What two models said, the rows sorted by truth, then by the first of them."""
    said = [*_scores(a), *_scores(b)]
    order = np.lexsort((*reversed(said), *_truth(a)))
    return [column[order] for column in said]


def _drawn(pairs: Mapping[str, tuple[Value, Value]], a: Any, b: Any, samples: int, seed: int) -> dict[str, Floats]:
    if isinstance(a, BinaryEvidence):
        decided = {name for name, (value, _) in pairs.items() if value.metric.needs == "cells"}  # type: ignore[attr-defined]
        if a.rows.weight is None and a.rows.group is None:
            found = {name: _of_decisions(pairs[name], a, b, samples, seed) for name in decided}
            rest = {name: pair for name, pair in pairs.items() if name not in decided}
            return found | (_of_joint(rest, a, b, samples, seed) if rest else {})
    return _of_joint(pairs, a, b, samples, seed)


def _of_decisions(pair: tuple[Value, Value], a: BinaryEvidence, b: BinaryEvidence, samples: int, seed: int) -> Floats:
    """Two decisions and a label make eight cells: these are drawn, all samples at once.

    Where a cell has few rows, shares are drawn that may be behind the counts (half a row added to each), not counts.
    """
    code = a.rows.positive.astype(np.int64)
    for value, evidence in zip(pair, (a, b), strict=True):
        view, scores = evidence.seen(value.policies), evidence.rows.scores  # type: ignore[arg-type]
        limit = scores.dtype.type(view.threshold)
        code = 2 * code + (scores >= limit if view.policies.compare == "ge" else scores > limit)
    cells = np.bincount(code, minlength=8)
    random = np.random.Generator(np.random.PCG64(seed))
    if cells.min() < FEW and not says_the_same(a, b):
        often: NDArray[Any] = random.dirichlet(cells + HALF, size=samples).reshape(-1, 2, 2, 2)
    else:
        often = random.multinomial(int(cells.sum()), cells / cells.sum(), size=samples).reshape(-1, 2, 2, 2)
    sides = (often.sum(axis=3), often.sum(axis=2))
    values = [
        np.array([_decided(value, one) for one in side.tolist()]) for value, side in zip(pair, sides, strict=True)
    ]
    apart: Floats = values[0] - values[1]
    return apart


def _decided(value: Value, counts: list[list[Any]]) -> float:
    (tn, fp), (fn, tp) = counts
    metric: Any = value.metric
    found: float = metric.of(Cells(tp, fp, tn, fn))
    return found


def _of_joint(pairs: Mapping[str, tuple[Value, Value]], a: Any, b: Any, samples: int, seed: int) -> dict[str, Floats]:
    """Rows that are alike in truth, weight and both predictions make one cell, drawn as often as it holds rows."""
    keys = [*_scores(b), *_scores(a), *_truth(a)]
    order = np.lexsort(tuple(keys))
    weight = (a if isinstance(a, NumberRows) else a.rows).weight
    order = order if weight is None else order[weight[order] > 0]
    new = np.zeros(len(order), bool)
    new[:1] = True
    for key in keys:
        new[1:] |= key[order][1:] != key[order][:-1]
    starts, cell = np.flatnonzero(new), np.cumsum(new) - 1
    sides = [
        _side({name: pair[place] for name, pair in pairs.items()}, evidence, order[starts])
        for place, evidence in enumerate((a, b))
    ]
    random = np.random.Generator(np.random.PCG64(seed))
    drawn = {name: np.full(samples, np.nan) for name in pairs}
    groups = group_codes(a)[order] if isinstance(a, BinaryEvidence) and a.rows.group is not None else None
    for i in range(samples):
        often = _often(random, cell, groups)
        first, second = (side(often) for side in sides)
        for name in pairs:
            drawn[name][i] = first[name] - second[name]
    return drawn


def _often(random: np.random.Generator, cell: NDArray[np.intp], groups: NDArray[np.int64] | None) -> Ints:
    """How often each cell was drawn, with its rows, or with their groups."""
    size = len(cell)
    if groups is None:
        return np.bincount(cell[random.integers(0, size, size)], minlength=int(cell[-1]) + 1)
    count = int(groups.max()) + 1
    times = np.bincount(random.integers(0, count, count), minlength=count)[groups]
    return np.bincount(cell, times, minlength=int(cell[-1]) + 1).astype(np.int64)


def _truth(evidence: Any) -> list[NDArray[Any]]:
    rows: Any = evidence if isinstance(evidence, NumberRows) else evidence.rows
    weight = [] if rows.weight is None else [rows.weight]
    if isinstance(evidence, BinaryEvidence):
        return [*weight, rows.positive]
    return [*weight, rows.true if isinstance(evidence, NumberRows) else rows.truth.codes]


def _side(values: Mapping[str, Value], evidence: Any, first_rows: NDArray[np.intp]) -> Side:
    if isinstance(evidence, BinaryEvidence):
        return _binary_side(values, evidence, first_rows)
    return (_class_side if isinstance(evidence, MulticlassEvidence) else _number_side)(values, evidence, first_rows)


def _binary_side(values: Mapping[str, Value], evidence: BinaryEvidence, first_rows: NDArray[np.intp]) -> Side:
    """Cells are summed by score into a table of thresholds."""
    rows = evidence.rows
    score, positive = rows.scores[first_rows] + 0, rows.positive[first_rows].view(bool)
    weight = None if rows.weight is None else rows.weight[first_rows]
    distinct, place = np.unique(-score, return_inverse=True)
    distinct, place = -distinct + 0, place.reshape(-1)
    known: dict[float, tuple[Floats, Floats]] = {}

    def side(often: Ints) -> dict[str, float]:
        counted = often.astype(np.float64) if weight is None else often * weight
        sums = [np.bincount(place[label], counted[label], minlength=len(distinct)) for label in (positive, ~positive)]
        if weight is None:
            sums = [one.astype(np.int64) for one in sums]
        kept = (sums[0] > 0) | (sums[1] > 0)
        tp, fp = (np.cumsum(one[kept]) for one in sums)
        table = ThresholdEvidence(distinct[kept], tp, fp)
        sample = TableEvidence(table, rows, losses=SharedLosses(distinct, kept, known), rounded=True)
        return _values(values, lambda value: sample.seen(value.policies))  # type: ignore[arg-type]

    return side


def _class_side(values: Mapping[str, Value], evidence: MulticlassEvidence, first_rows: NDArray[np.intp]) -> Side:
    """A cell that was drawn three times is a row of weight 3."""
    rows = evidence.rows.select(first_rows)

    def side(often: Ints) -> dict[str, float]:
        kept = np.flatnonzero(often)
        chosen = rows.select(kept)
        counted = often[kept].astype(np.float64)
        weight = counted if chosen.weight is None else counted * chosen.weight
        sample = MulticlassEvidence(replace(chosen, weight=weight), threads=evidence.threads, whole=evidence)
        return _values(values, lambda value: sample.seen(value.policies))  # type: ignore[arg-type]

    return side


def _number_side(values: Mapping[str, Value], rows: NumberRows, first_rows: NDArray[np.intp]) -> Side:
    """The row itself, as often as it was drawn: not every metric of numbers takes weights."""
    needs = [need for value in values.values() for need in value.metric.needs]  # type: ignore[attr-defined]

    def side(often: Ints) -> dict[str, float]:
        chosen = np.repeat(first_rows, often)
        weight = None if rows.weight is None else rows.weight[chosen]
        sample = error_evidence(NumberRows(rows.true[chosen], rows.predicted[chosen], weight), needs, keep_rows=True)
        return _values(values, lambda value: sample)

    return side


def _values(values: Mapping[str, Value], seen: Callable[[Value], Any]) -> dict[str, float]:
    found = {}
    for name, value in values.items():
        metric: Any = value.metric
        found[name] = float(metric.value(seen(value)))
    return found
