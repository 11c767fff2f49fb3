"""Where the rows of some ids stand among millions, without making a Python object of the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Places
from pingce.inputs.ids import Ids, IntIds, StringIds

_WORD = 8
_MIXER = np.uint64(0x9E3779B97F4A7C15)
_BITS = 16


def as_id(value: Any) -> Any:
    """An id as columns hold it: an integer, or UTF-8."""
    return value if isinstance(value, int) else str(value).encode("utf-8", "surrogateescape")


def rows_of_each(column: Ids, ids: Sequence[Any]) -> list[Places]:
    """The rows of each id, in the order of rows."""
    plain = column.plain()
    if isinstance(plain, IntIds):
        integers = [int(value) for value in ids]
        candidates = np.flatnonzero(np.isin(plain.values, np.array(integers, dtype=np.int64)))
        return _sorted_out(candidates, plain.values[candidates].tolist(), integers)
    # Rows whose last letters have the hash of a wanted id; of these few, the letters are compared.
    strings = [as_id(value) for value in ids]
    is_wanted = np.zeros(1 << _BITS, bool)
    is_wanted[_hashes(StringIds.from_bytes(strings))] = True
    candidates = np.flatnonzero(is_wanted[_hashes(plain)])
    return _sorted_out(candidates, plain.chosen(candidates).to_bytes(), strings)


def _hashes(column: StringIds) -> NDArray[np.uint64]:
    """A few bits from the last eight letters of each id."""
    padded = np.concatenate([np.zeros(_WORD, np.uint8), column.data])
    windows: NDArray[np.uint64] = np.lib.stride_tricks.as_strided(
        padded[: len(padded) // _WORD * _WORD].view(np.uint64)[:1].view("<u8"), (len(padded) - _WORD + 1,), (1,)
    )
    length = np.minimum(column.ends - column.starts, _WORD).astype(np.uint64)
    word = windows[column.ends]
    shifted = np.where(length > 0, word >> ((np.uint64(_WORD) - np.maximum(length, 1)) * np.uint64(8)), np.uint64(0))
    with np.errstate(over="ignore"):
        mixed: NDArray[np.uint64] = (shifted * _MIXER) >> np.uint64(64 - _BITS)
    return mixed


def _sorted_out(candidates: Places, values: Sequence[Any], ids: Sequence[Any]) -> list[Places]:
    """Candidates by the id that they have; those with another are dropped."""
    place = {value: at for at, value in enumerate(ids)}
    of = np.array([place.get(value, len(ids)) for value in values], dtype=np.intp)
    order = np.argsort(of, kind="stable")
    bounds = np.searchsorted(of[order], np.arange(len(ids) + 1))
    return [candidates[order[bounds[at] : bounds[at + 1]]] for at in range(len(ids))]
