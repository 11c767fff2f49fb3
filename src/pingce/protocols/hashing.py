"""A hash of ids that lasts: the same on every machine, in every version, for 7 and for "7".

`inputs.ids.hashes` is another: it is of one process, may change with every version, and tells 7 from "7".
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pingce.base.lazy import compute, pa

Hashes = NDArray[np.uint64]
_BASIS: Final = np.uint64(0xCBF29CE484222325)
_PRIME: Final = np.uint64(0x100000001B3)
"Of FNV-1a with 64 bits."
_STEP: Final = np.uint64(0x9E3779B97F4A7C15)
_FACTORS: Final = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))
"Of SplitMix64."


def mixed(numbers: Hashes) -> Hashes:
    """Each number with its bits spread over all others, by SplitMix64's last step."""
    spread = numbers + _STEP
    spread = (spread ^ (spread >> np.uint64(30))) * _FACTORS[0]
    spread = (spread ^ (spread >> np.uint64(27))) * _FACTORS[1]
    return spread ^ (spread >> np.uint64(31))


def text_hashes(texts: pa.Array) -> Hashes:
    """FNV-1a of the UTF-8 bytes of each text, mixed."""
    texts = texts.cast(pa.large_string())
    offset = np.frombuffer(texts.buffers()[1], np.int64)[texts.offset : texts.offset + len(texts) + 1]
    content = texts.buffers()[2]
    data = np.frombuffer(content, np.uint8) if content is not None else np.zeros(0, np.uint8)
    begin, length = offset[:-1], np.diff(offset)
    order = np.argsort(-length, kind="stable")
    begin, left = begin[order], np.sort(length)
    hashes = np.full(len(begin), _BASIS)
    for at in range(int(left[-1]) if len(left) else 0):
        still = len(begin) - int(np.searchsorted(left, at, "right"))
        hashes[:still] = (hashes[:still] ^ data[begin[:still] + at].astype(np.uint64)) * _PRIME
    result = np.empty_like(hashes)
    result[order] = mixed(hashes)
    return result


def id_hashes(column: Any) -> Hashes:
    """The hash of the id in each row, integers by their digits; an id that stands in many rows is hashed once."""
    coded = compute.dictionary_encode(column)
    coded = coded.combine_chunks() if isinstance(coded, pa.ChunkedArray) else coded
    distinct = text_hashes(coded.dictionary.cast(pa.large_string()))
    hashes: Hashes = distinct[coded.indices.to_numpy(zero_copy_only=False)]
    return hashes


def seeded(seed: int, *hashes: Hashes) -> Hashes:
    """One hash of a seed and of ids, in their order."""
    result = mixed(np.full(1, seed & (1 << 64) - 1, np.uint64))
    for each in hashes:
        result = mixed(result ^ each)
    return result
