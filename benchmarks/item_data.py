"""Lists of a recommender, the past of its users and features of its items; drawn by every tool's worker alike. NumPy only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Columns = dict[str, NDArray[Any]]
GENRES = 18
"Features of an item, most of them 0."


@dataclass(frozen=True)
class Shop:
    """So many users with lists of one length; the past has some interactions of each."""

    users: int
    depth: int
    items: int
    past: int = 20
    seed: int = 17

    def run(self) -> Columns:
        """Lists in which popular items are frequent, and no item stands twice; their rows are not in order of scores."""
        chance, rows = np.random.default_rng(self.seed), self.users * self.depth
        step = self.items // self.depth
        item = np.minimum((chance.pareto(1.2, rows) * step / 50).astype(np.int64), step - 1)
        item += np.tile(np.arange(self.depth) * step, self.users)  # each place has items of its own
        return {"user_id": self._users(self.depth), "item_id": item, "score": chance.permutation(rows) / rows}

    def truth(self) -> Columns:
        """Some items of each list, and some that it lacks."""
        listed = self.run()["item_id"].reshape(self.users, self.depth)[:, :: max(1, self.depth // 5)]
        others = self.items + np.arange(self.users)[:, None]
        item = np.concatenate([listed, others], axis=1)
        return {"user_id": self._users(item.shape[1]), "item_id": item.ravel()}

    def train(self) -> Columns:
        """Interactions, of which many are with few items; each pair once, as RecTools wants it."""
        chance, rows = np.random.default_rng(self.seed + 1), self.users * self.past
        user, item = (
            chance.integers(0, self.users, rows),
            (chance.pareto(1.2, rows) * 2000).astype(np.int64) % self.items,
        )
        pairs = np.unique(user * np.int64(self.items) + item)
        pairs = chance.permutation(pairs)
        return {"user_id": pairs // self.items, "item_id": pairs % self.items}

    def features(self) -> NDArray[np.float64]:
        """A row of zeros and ones for each item."""
        return (np.random.default_rng(self.seed + 2).random((self.items, GENRES)) < 0.15).astype(np.float64)

    def _users(self, each: int) -> NDArray[np.int64]:
        return np.repeat(np.arange(self.users), each)


SIXTEEN = Shop(users=100_000, depth=100, items=1_000_000)
MILLION = Shop(users=1_000_000, depth=10, items=1_000_000)
SHOWN = Shop(users=10_000, depth=100, items=20_000)
