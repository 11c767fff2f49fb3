"""Ids by what they are, wherever they lie: hashes that mean the same on every machine, in NumPy.

The native core computes the same numbers; cpp/identity.h says how.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.inputs.ids import IntIds, StringIds

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Words = NDArray[np.uint64]

_WORD = 8


def reference_hashes(ids: IntIds | StringIds, seed: int) -> Words:
    """One number a row: equal for equal ids, of integers and of strings each."""
    start = np.full(len(ids), seed, np.uint64)
    if isinstance(ids, IntIds):
        return mixed(mixed(start) ^ ids.comparable().view(np.uint64))
    length = (ids.ends - ids.starts).astype(np.int64)
    state = mixed(start ^ mixed(length.astype(np.uint64)))
    longer = np.arange(len(ids))
    at = 0
    while len(longer := longer[length[longer] > at]):
        state[longer] = mixed(state[longer] ^ _words(ids, longer, at))
        at += _WORD
    return state


def reference_deal(ids: IntIds | StringIds, parts: int, seed: int) -> NDArray[np.int32]:
    """The part of each row."""
    upper = np.uint64(32)
    return ((reference_hashes(ids, seed) >> upper) * np.uint64(parts) >> upper).astype(np.int32)


def mixed(x: Words) -> Words:
    """The finalizer of splitmix64."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def _words(ids: StringIds, rows: NDArray[Any], at: int) -> Words:
    """Up to eight letters from a place on as a little-endian number, zeros above."""
    word = np.zeros(len(rows), np.uint64)
    starts, ends = ids.starts[rows] + at, ids.ends[rows]
    for place in range(_WORD):
        inside = starts + place < ends
        letter = ids.data[np.where(inside, starts + place, 0)].astype(np.uint64)
        word |= np.where(inside, letter << np.uint64(8 * place), np.uint64(0))
    return word
