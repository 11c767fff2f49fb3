"""Ids that were seen before, without keeping them: 64 bits each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pingce.inputs.ids import Ids, hashes

if TYPE_CHECKING:
    from numpy.typing import NDArray


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
