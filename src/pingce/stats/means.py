"""Intervals of means over queries: queries are drawn again and again, or Student's t."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pingce.base.core import native_core, thread_count
from pingce.base.errors import refuse_other
from pingce.base.exact import Floats
from pingce.base.progress import advance
from pingce.base.text import Text
from pingce.stats.differences import matrix, mean_of, moments
from pingce.stats.influences import PairedSums
from pingce.stats.resampling import Resampling, student_t

METHODS = {
    "bootstrap": Text("percentile bootstrap over queries", "按查询自助抽样的百分位区间"),
    "t": Text("Student's t", "t 区间"),
}
MANY = 200_000
"Queries beyond which the bootstrap gives way to t: the two agree there to more digits than anyone reads."
CELLS = 1 << 21
"Counts that BLAS multiplies at once: its threads have to meet after each product, and on a busy machine they wait."
FINE = 1 << 18
"Counts that are made at once, so that they stay near the processor."
NARROW = 3
"Columns up to which values are looked up and added; beyond, queries are counted and BLAS multiplies."


def mean_intervals(
    values: ArrayLike,
    resampling: Resampling = Resampling(samples=10_000),  # noqa: B008 - frozen
    *,
    weights: Floats | None = None,
    method: str = "bootstrap",
) -> Floats:
    """Low and high of the mean of each column; rows are queries sorted by id, NaN is an undefined value.

    bootstrap: as many queries as there are, drawn with replacement, many times; all columns share the draws, and
    the middle of their means is the interval (t beyond 200,000 queries). Fewer than two values give NaN. With weights
    the mean is Σ w v / Σ w, both sums of each draw; a query of weight 0 is none.
    """
    table = matrix(values)
    if weights is not None:
        table, weights = table[weights > 0], weights[weights > 0]
    refuse_other("method", method, METHODS)
    if method_used(method, len(table)) != "t":
        return _by_bootstrap(table, weights, resampling)
    if weights is None:
        return _by_t(table, resampling.confidence)
    ratios = [PairedSums.of(column, weights, sorted=True).interval(resampling.confidence) for column in table.T]
    return np.array(ratios).reshape(-1, 2)


def method_used(method: str, queries: int) -> str:
    """The method that so many queries get."""
    return "t" if queries > MANY else method


def _by_t(values: Floats, confidence: float) -> Floats:
    ends = np.full((values.shape[1], 2), np.nan)
    for column, (count, mean, deviation) in enumerate(moments(values)):
        if count >= 2:
            half = student_t(count, confidence) * deviation / math.sqrt(count)
            ends[column] = mean - half, mean + half
    return ends


def _by_bootstrap(values: Floats, weights: Floats | None, resampling: Resampling) -> Floats:
    defined = ~np.isnan(values)
    enough = np.count_nonzero(defined, axis=0) >= 2
    ends = np.full((values.shape[1], 2), np.nan)
    if enough.any():
        means = drawn_means(values[:, enough], resampling.samples, resampling.seed, weights)
        quantile = np.quantile if defined[:, enough].all() else np.nanquantile
        ends[enough] = quantile(means, resampling.ends, axis=0).T
    return ends


def drawn_means(values: Floats, samples: int, seed: int, weights: Floats | None = None) -> Floats:
    """A row per draw: the means of each column over the queries drawn; NaN where all of them are undefined."""
    if weights is not None:
        return _drawn_ratios(values, samples, seed, weights)
    return drawn_totals(values, samples, seed)[0]


def drawn_totals(values: Floats, samples: int, seed: int) -> tuple[Floats, Floats]:
    """The means of each column over the queries drawn, and their sums, a row per draw; undefined values count in neither."""
    defined = ~np.isnan(values)
    centre = np.array([mean_of(column[~np.isnan(column)]) for column in values.T])
    away, unit = _whole(np.where(defined, values - centre, 0.0))
    everywhere = bool(defined.all())
    table = away if everywhere else np.hstack([away, defined.astype(np.float64)])
    rows, columns = values.shape
    means, sums = np.empty((samples, columns)), np.empty((samples, columns))
    least, most = np.fmin.reduce(values, axis=0), np.fmax.reduce(values, axis=0)
    for part, totals in _parts(table, samples, seed):
        often = totals[:, columns:] if not everywhere else float(rows)
        with np.errstate(invalid="ignore"):  # no mean leaves the range of its values, as a rounded sum may
            means[part] = np.clip(centre + totals[:, :columns] / often * unit, least, most)
            sums[part] = np.where(often == 0, 0.0, means[part] * often)
    return means, sums


def drawn_quantiles(values: Floats, level: float, resampling: Resampling, weights: Floats | None = None) -> Floats:
    """The quantile of each draw, as `quantile_of` has it: of values that are all defined, over the queries drawn."""
    order = np.argsort(values, kind="stable") if weights is None else np.lexsort((weights, values))
    ranked, rows = values[order], len(values)
    heavy = np.ones(rows) if weights is None else weights[order]
    quantiles, near = np.empty(resampling.samples), 1e-12
    counter = _Draws(np.zeros((rows, 1)), resampling.seed, max(1, FINE // rows))
    for begin in range(0, resampling.samples, counter.block):
        part = slice(begin, min(begin + counter.block, resampling.samples))
        reached = np.cumsum(counter.counts(part.stop - begin)[:, order] * heavy, axis=1)
        share = reached[:, -1:] * level
        low, high = (reached < share * (1 - near)).sum(axis=1), (reached <= share * (1 + near)).sum(axis=1)
        middle = (ranked[low] + ranked[np.minimum(high, rows - 1)]) / 2
        quantiles[part] = np.where(share[:, 0] > 0, middle, np.nan)
    return quantiles


def _drawn_ratios(values: Floats, samples: int, seed: int, weights: Floats) -> Floats:
    """Draws of Σ w v / Σ w: both sums are those of the queries drawn, so that no mean leaves the range of its values."""
    defined = ~np.isnan(values)
    counted = np.where(defined, weights[:, None], 0.0)
    filled = np.where(defined, values, 0.0)
    centre = np.array(
        [math.fsum(top) / math.fsum(bottom) for top, bottom in zip((counted * filled).T, counted.T, strict=True)]
    )
    away, unit = _whole(counted * (filled - centre))
    bottom, size = _whole(counted[:, :1] if defined.all() else counted)
    ratios = np.empty((samples, values.shape[1]))
    for part, totals in _parts(np.hstack([away, bottom]), samples, seed):
        with np.errstate(invalid="ignore"):
            ratios[part] = centre + totals[:, : len(centre)] / totals[:, len(centre) :] * (unit / size)
    return np.clip(ratios, np.nanmin(values, axis=0), np.nanmax(values, axis=0))


def _parts(table: Floats, samples: int, seed: int) -> Iterator[tuple[slice, Floats]]:
    """The sums of the columns over the queries of each draw, some draws at a time."""
    sums = _Draws(table, seed, max(1, min(CELLS // max(table.shape), samples)))
    for begin in range(0, samples, sums.block):
        part = slice(begin, min(begin + sums.block, samples))
        yield part, sums(part.stop - part.start)
        advance(part.stop / samples)


def _whole(away: Floats) -> tuple[Floats, Floats]:
    """Distances from the mean as whole numbers so small that sums of n of them are exact; and their unit."""
    size = np.frexp(np.abs(away).max(axis=0, initial=0.0))[1]
    exponent = 52 - len(away).bit_length() - size
    return np.rint(np.ldexp(away, exponent[None, :])), np.ldexp(1.0, -exponent)


class _Draws:
    """Sums over queries drawn with replacement. The raw bits of PCG64 stay the same in every version of NumPy.

    A query is the product of 32 bits and n, without the lower half: no two differ in chance by more than n / 2^32.
    """

    def __init__(self, table: Floats, seed: int, block: int) -> None:
        self.table, self.block = table, block
        self.bits = np.random.PCG64(seed)
        self.core = native_core()
        self.room = np.empty((block if table.shape[1] > NARROW and self.core is None else 0, len(table)))

    def __call__(self, draws: int) -> Floats:
        """The next draws, a row each. Sums of whole numbers are exact, however they are made."""
        rows, columns = self.table.shape
        if self.core is not None:
            counts = self.core.count_draws(self.words(draws).reshape(-1), rows, thread_count())
            return counts.reshape(draws, rows) @ self.table
        fine = max(1, FINE // rows)
        parts = [slice(begin, min(begin + fine, draws)) for begin in range(0, draws, fine)]
        if columns <= NARROW:
            return np.concatenate([self.looked_up(part.stop - part.start) for part in parts])
        for part in parts:
            self.room[part] = self.counts(part.stop - part.start)
        return self.room[:draws] @ self.table

    def looked_up(self, draws: int) -> Floats:
        """Sums of few columns, value by value."""
        chosen = self.chosen(draws)
        return np.stack([np.take(column, chosen, mode="clip").sum(axis=1) for column in self.table.T], axis=1)

    def counts(self, draws: int) -> NDArray[np.int64]:
        """How often each query was drawn."""
        rows = len(self.table)
        chosen = self.chosen(draws) + np.arange(draws)[:, None] * rows
        return np.bincount(chosen.reshape(-1), minlength=draws * rows).reshape(draws, rows)

    def chosen(self, draws: int) -> NDArray[np.int64]:
        """Which queries."""
        rows = len(self.table)
        halves = self.words(draws).astype("<u8", copy=False).view("<u4")[:, :rows].astype(np.uint64)
        return (halves * np.uint64(rows) >> np.uint64(32)).astype(np.int64)

    def words(self, draws: int) -> NDArray[np.uint64]:
        """The next random bits, two queries a word."""
        return self.bits.random_raw((draws, -(-len(self.table) // 2)))
