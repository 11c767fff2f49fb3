"""Which user had which item: by the core in two passes, or in NumPy by sorting."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from pingce.base.core import native_core
from pingce.base.exact import Ints


class PairIndex(Protocol):
    """Pairs of a user and an item, by their numbers."""

    def owners(self) -> Ints:
        """How many users have each item; a pair that is there twice counts once."""

    def has(self, user: Ints, item: NDArray[Any]) -> NDArray[np.bool_]:
        """Whether each pair is there; -1 is in none."""


def pair_index(user: Ints, item: Ints, users: int, items: int) -> PairIndex:
    """The pairs of so many users and items."""
    core = native_core()
    return ReferencePairs(user, item, users, items) if core is None else NativePairs(core, user, item, users, items)


class NativePairs:
    """The pairs in the core."""

    def __init__(self, core: Any, user: Ints, item: Ints, users: int, items: int) -> None:
        self._index = core.PairIndex(np.ascontiguousarray(user), np.ascontiguousarray(item), users, items)

    def owners(self) -> Ints:
        """How many users have each item."""
        owners: Ints = self._index.owners()
        return owners

    def has(self, user: Ints, item: NDArray[Any]) -> NDArray[np.bool_]:
        """Whether each pair is there."""
        there: NDArray[np.bool_] = self._index.has(
            np.ascontiguousarray(user), np.ascontiguousarray(item, np.int64)
        ).view(bool)
        return there


class ReferencePairs:
    """The executable specification, and the fallback where there is no compiler."""

    def __init__(self, user: Ints, item: Ints, users: int, items: int) -> None:
        self._items = items
        self._pairs = np.unique(user * np.int64(items) + item)

    def owners(self) -> Ints:
        """How many users have each item."""
        return np.bincount(self._pairs % self._items, minlength=self._items)

    def has(self, user: Ints, item: NDArray[Any]) -> NDArray[np.bool_]:
        """Whether each pair is there."""
        wanted = user * np.int64(self._items) + item
        wanted[(user < 0) | (item < 0)] = -1
        at = np.minimum(np.searchsorted(self._pairs, wanted), len(self._pairs) - 1)
        there: NDArray[np.bool_] = self._pairs[at] == wanted
        return there
