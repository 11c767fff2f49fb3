"""Intervals of what is drawn in blocks of neighbouring scores: what blocks change of a value is the same in every draw."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, Protocol

import numpy as np

from pingce.base.exact import Floats, Places
from pingce.base.interval import NO_INTERVAL, Interval
from pingce.scores.values import Value
from pingce.stats.resampling import Resampling, metric_value, percentiles, value_columns, with_interval

BLOCKS = 1000
"Distinct scores that are drawn anew; more are put into so many blocks of neighbouring ones."


class BlockPredictions(Protocol):
    """Predictions whose rows are drawn in blocks."""

    @property
    def order(self) -> Places:
        """Rows sorted by all that is known of them."""

    def draws(self, order: Places, resampling: Resampling) -> Iterator[Any]:
        """The evidence of each draw."""

    def binned(self) -> Any:
        """The rows as they are, in the blocks of the draws."""


def blocks_of(keys: Floats) -> Places:
    """The step of each row, ascending by its key; where there are many steps, neighbours share one."""
    distinct, place = np.unique(keys, return_inverse=True)
    place = place.reshape(-1)
    if len(distinct) <= BLOCKS:
        return place.astype(np.intp)
    upto = np.cumsum(np.bincount(place))
    blocks: Places = np.minimum((upto - 1) * BLOCKS // upto[-1], BLOCKS - 1).astype(np.intp)
    return blocks[place]


def block_intervals(
    values: Mapping[str, Value], predictions: BlockPredictions, resampling: Resampling
) -> dict[str, Value]:
    """The values with their intervals; without one those that offer none."""
    offered = {name: value for name, value in values.items() if value.metric.no_interval is None}
    columns = value_columns(offered, predictions.draws(predictions.order, resampling), resampling.samples)
    binned = predictions.binned()
    done = {}
    for name, value in values.items():
        ends = None
        if name in offered and not math.isnan(value.value):
            shift = value.value - metric_value(value, binned)
            ends = _shifted(percentiles(columns[name], resampling), shift, value.value)
        done[name] = with_interval(value, ends, "bootstrap")
    return done


def _shifted(ends: Interval, shift: float, value: float) -> Interval:
    """The interval with the value itself."""
    if math.isnan(ends[0]) or math.isnan(shift):
        return NO_INTERVAL
    return min(ends[0] + shift, value), max(ends[1] + shift, value)
