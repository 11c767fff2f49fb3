"""The paired permutation test: under the null each difference could as well have the other sign."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pingce.base.core import native_core, thread_count
from pingce.base.erfc import erfc
from pingce.base.exact import Floats, exact_dot
from pingce.base.progress import advance
from pingce.stats.differences import CHUNK_BITS, paired, whole

if TYPE_CHECKING:
    from pingce._core import Core

EXACT = 20
"Pairs up to which every assignment of signs is looked at; a pair without a difference does not count."
MANY = 20_000
"Pairs beyond which the normal limit of the same distribution takes the place of random signs: it is closer than those."
SHARED = 100_000
"Rows up to which all columns share the signs; beyond, each draws them for its own pairs that differ."
CELLS = 1 << 22
"Signs held at once, in shares: the threads of BLAS have to meet after each product, and on a busy machine they wait."
NARROW = 3
"Columns up to which sums are looked up; beyond, BLAS multiplies."
_EIGHT = (np.arange(256)[:, None] >> np.arange(8) & 1).astype(np.float64)
"The bits of each byte."


def permutation_p(differences: Floats, samples: int, seed: int) -> Floats:
    """Two-sided p of each column: how often a sum with other signs lies at least as far from 0 as the observed one."""
    return of_whole(whole(differences), paired(differences), samples, seed)


def unordered_p(differences: Floats, samples: int, seed: int) -> float:
    """p of rows that have no name to be sorted by: signs are drawn for the sizes of the differences, sorted."""
    counted = whole(differences[:, None])
    observed = np.abs(_exact_columns(counted))
    sizes = np.sort(np.abs(counted[counted != 0]))[:, None]
    return float(of_whole(sizes, np.array([len(counted) > 0]), samples, seed, observed)[0])


def of_whole(
    counted: Floats, has_pairs: NDArray[np.bool_], samples: int, seed: int, observed: NDArray[np.int64] | None = None
) -> Floats:
    """p of differences in whole units; the observed sums are their own unless others are passed."""
    observed = np.abs(_exact_columns(counted)) if observed is None else observed
    moved = np.count_nonzero(counted, axis=0)
    least = observed - moved  # each difference is off by half a unit at most: 0.1 + 0.2 must tie with 0.3
    p = np.where(has_pairs, 1.0, np.nan)
    few = moved <= EXACT
    for column in np.flatnonzero(has_pairs & few & (moved > 0)).tolist():
        p[column] = _enumerated(counted[:, column], int(least[column]))
    for column in np.flatnonzero(moved > MANY).tolist():
        # Random signs give a sum of mean 0 and variance Σ d².
        variance = exact_dot(counted[:, column], counted[:, column])
        p[column] = erfc(int(observed[column]) / math.sqrt(2 * variance))
    sampled = np.flatnonzero(~few & (moved <= MANY))
    if len(sampled) and len(counted) <= SHARED:
        p[sampled] = (1 + _as_extreme(counted[:, sampled], least[sampled], samples, seed)) / (1 + samples)
        return p
    for column in sampled.tolist():
        alone = counted[counted[:, column] != 0, column][:, None]
        p[column] = (1 + _as_extreme(alone, least[[column]], samples, seed)[0]) / (1 + samples)
    return p


def _enumerated(column: Floats, least: int) -> float:
    """All 2^n signs; the first one is held, since turning all of them changes nothing."""
    first, *others = column[column != 0].astype(np.int64).tolist()
    sums = np.array([first], np.int64)
    for other in others:
        sums = np.concatenate([sums - other, sums + other])
    return int(np.count_nonzero(np.abs(sums) >= least)) / len(sums)


def _as_extreme(counted: Floats, least: NDArray[np.int64], samples: int, seed: int) -> NDArray[np.int64]:
    """How many of the random assignments are as extreme; a bit decides on a sign, 1 keeps it: Σ ± d = 2 Σ kept d - Σ d."""
    rows, total = len(counted), _exact_columns(counted)
    words = -(-rows // 64)
    kept = _kept_sums(counted)
    block = max(1, min(int(CELLS * kept.share) // max(words * 64, counted.shape[1]), samples))
    random = np.random.PCG64(seed)
    counts = np.zeros(counted.shape[1], np.int64)
    for begin in range(0, samples, block):
        draws = min(block, samples - begin)
        counts += np.count_nonzero(np.abs(2 * kept(random.random_raw((draws, words))) - total) >= least, axis=0)
        advance((begin + draws) / samples)
    return counts


def _kept_sums(counted: Floats) -> _Counted | _Looked | _Multiplied:
    """What adds up the rows that random bits keep: the core, or NumPy in one of two ways."""
    core = native_core()
    if core is not None:
        return _Counted(counted, core)
    return _Looked(counted) if counted.shape[1] <= NARROW else _Multiplied(counted)


class _Counted:
    """Sums by the core, which takes bits as bits."""

    share = 32

    def __init__(self, counted: Floats, core: Core) -> None:
        self.values, self.columns, self.core = counted.astype(np.int64).reshape(-1), counted.shape[1], core

    def __call__(self, words: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Σ of what the bits keep, a row per draw."""
        sums = self.core.sum_kept(words.reshape(-1), self.values, self.columns, thread_count())
        return sums.reshape(len(words), self.columns)


class _Looked:
    """Sums of few columns: each byte looks up the sum of the eight rows whose bits it holds."""

    share = 1 / 16
    "A byte is looked up as 8 bytes of its own."

    def __init__(self, counted: Floats) -> None:
        rows = -(-len(counted) // 64) * 64
        filled = np.zeros((rows, counted.shape[1]))
        filled[: len(counted)] = counted
        self.tables = [(column.reshape(-1, 8) @ _EIGHT.T).astype(np.int64).reshape(-1) for column in filled.T]
        self.first = np.arange(rows // 8) * 256

    def __call__(self, words: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Σ of what the bits keep, a row per draw."""
        place = _octets(words) + self.first
        return np.stack([np.take(table, place, mode="clip").sum(axis=1) for table in self.tables], axis=1)


class _Multiplied:
    """Sums of many columns: bits as doubles times whole numbers, which BLAS adds up exactly."""

    share = 1

    def __init__(self, counted: Floats) -> None:
        self.counted, self.chunk = counted, _chunk(counted)
        self.room = np.empty(0)

    def __call__(self, words: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Σ of what the bits keep, a row per draw."""
        octets, (rows, columns) = _octets(words), self.counted.shape
        kept = np.zeros((len(octets), columns), np.int64)
        for start in range(0, rows, self.chunk):
            part = self.counted[start : start + self.chunk]
            bits = self.bits(octets[:, start // 8 : (start + self.chunk) // 8])[:, : len(part)]
            kept += (bits @ part).astype(np.int64)
        return kept

    def bits(self, octets: NDArray[np.uint8]) -> Floats:
        """In room that is used again: fresh memory would cost as much as the product."""
        if octets.size * 8 > len(self.room):
            self.room = np.empty(octets.size * 8)
        room = self.room[: octets.size * 8].reshape(*octets.shape, 8)
        np.take(_EIGHT, octets, axis=0, out=room, mode="clip")
        return room.reshape(len(octets), -1)


def _octets(words: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """The bytes of words, the lowest first."""
    return words.astype("<u8", copy=False).view(np.uint8)


def _chunk(counted: Floats) -> int:
    """Rows, a multiple of 64, whose sums stay below 2^53."""
    largest = int(np.abs(counted).max(initial=1.0))
    return (1 << CHUNK_BITS) // largest // 64 * 64


def _exact_columns(counted: Floats) -> NDArray[np.int64]:
    totals: NDArray[np.int64] = counted.astype(np.int64).sum(axis=0)
    return totals
