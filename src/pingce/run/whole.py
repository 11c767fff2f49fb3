"""Chunks of rows as batches of whole units, queries or groups: the last unit of a chunk waits for the next one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.inputs.columns import ids_at
from pingce.inputs.ids import Ids, IntIds, StringIds, changes, hashes

_Chunk = TypeVar("_Chunk")


class ScatteredError(Exception):
    """A query or group came again after others: its rows do not lie together."""

    def __init__(self, query: str, place: Text) -> None:
        super().__init__(f"{place.en}: query '{query}'")
        self.query = query
        self.place = place


@dataclass(frozen=True)
class Units(Generic[_Chunk]):
    """How chunks are divided at the ids of their units."""

    ids: Callable[[_Chunk], Ids]
    place: Callable[[_Chunk, int], Text]
    "Where a row stands."
    before: Callable[[_Chunk, int], _Chunk]
    "The first rows, up to one."
    after: Callable[[_Chunk, int], _Chunk]
    "The last rows, from one on, copied so that the others can be forgotten."
    join: Callable[[list[_Chunk]], _Chunk]
    nbytes: Callable[[_Chunk], int]
    too_large: Callable[[list[_Chunk], int, Iterator[_Chunk]], InputError]
    "What to say of a unit that does not fit: the chunks that wait, their bytes, and the chunks to come."


def whole_units(chunks: Iterable[_Chunk], units: Units[_Chunk], most: int) -> Iterator[_Chunk]:
    """Batches of whole units, each unit in one of them; `ScatteredError` where a unit comes again.

    A unit of more than `most` bytes is refused.
    """
    memory, last_id, size = IdMemory(), None, 0
    waiting: list[_Chunk] = []
    rest = iter(chunks)
    for chunk in rest:
        ids = units.ids(chunk)
        starts = changes(ids)
        goes_on = last_id is not None and same_id(last_id, ids)
        fresh = starts[1:] if goes_on else starts
        again = memory.add(ids.take(fresh))
        if again is not None:
            row = int(fresh[again])
            raise ScatteredError(ids_at(ids, row), units.place(chunk, row))
        if goes_on and len(starts) == 1:
            waiting.append(units.after(chunk, 0))
            size += units.nbytes(waiting[-1])
        else:
            last = int(starts[-1])
            closed = [*waiting, *([units.before(chunk, last)] if last else [])]
            waiting, last_id = [units.after(chunk, last)], ids.take(starts[-1:])
            size = units.nbytes(waiting[0])
            if closed:
                batch = units.join(closed)
                del chunk, ids, closed  # the next chunk must not have to wait for their memory
                yield batch
                del batch
        if size > most:
            raise units.too_large(waiting, size, rest)
    if waiting:
        yield units.join(waiting)


def same_id(ours: Ids, theirs: Ids) -> bool:
    """Whether the first rows of both have one id."""
    first, second = ours.take(np.zeros(1, np.intp)), theirs.take(np.zeros(1, np.intp))
    if isinstance(first, IntIds) and isinstance(second, IntIds):
        return int(first.values[0]) == int(second.values[0])
    if isinstance(first, StringIds) and isinstance(second, StringIds):
        return first.to_bytes_of(0) == second.to_bytes_of(0)
    return False


class IdMemory:
    """Remembers ids, and notices when one comes again.

    It never misses one. Two ids with one hash look like one that came again: whoever asks must then do the safe thing.
    """

    def __init__(self) -> None:
        self._levels: list[NDArray[np.uint64]] = []
        "Sorted, each at least twice as long as the next."

    def __len__(self) -> int:
        return sum(map(len, self._levels))

    def add(self, ids: Ids) -> int | None:
        """The place of the first id that was seen before, here or earlier; else None, and all of them are known now."""
        fresh = hashes(ids)
        order = np.argsort(fresh, kind="stable")
        fresh = fresh[order]
        repeated = np.concatenate([[False], fresh[1:] == fresh[:-1]]) if len(fresh) else np.zeros(0, bool)
        for level in self._levels:
            repeated |= level[np.minimum(np.searchsorted(level, fresh), len(level) - 1)] == fresh
        if repeated.any():
            return int(order[repeated].min())
        self._push(fresh)
        return None

    def _push(self, fresh: NDArray[np.uint64]) -> None:
        """Lengths double from level to level: n ids in any batches are sorted in n log n."""
        while self._levels and len(self._levels[-1]) < 2 * len(fresh):
            fresh = np.sort(np.concatenate([self._levels.pop(), fresh]), kind="stable")
        if len(fresh):
            self._levels.append(fresh)
