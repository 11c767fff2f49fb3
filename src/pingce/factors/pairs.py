"""Pairs of a user and an item by their rows, user by user; and how many of some pairs stand above others."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pingce.evidence.ranking.truth_index import gathered, offsets

Rows = NDArray[np.int64]
Scores = NDArray[np.floating[Any]]


class PairLists(NamedTuple):
    """Items of some users: those of users[i] are items[begin[i]:begin[i + 1]]. Both are rows of their matrices."""

    users: Rows
    "Each once."
    begin: Rows
    items: Rows
    "Each once for one user, ascending."

    def __len__(self) -> int:
        return len(self.items)

    @property
    def sizes(self) -> Rows:
        """How many items each user has."""
        return np.diff(self.begin)

    @property
    def place(self) -> Rows:
        """The user of each pair, as its place in `users`."""
        return np.repeat(np.arange(len(self.users)), self.sizes)

    def keys(self, width: int) -> Rows:
        """One number for each pair, ascending: its user's place and its item, of which there are `width`."""
        return self.place * width + self.items

    def where(self, chosen: NDArray[np.bool_]) -> PairLists:
        """The chosen pairs; every user stays, with fewer items or none."""
        sizes = np.bincount(self.place[chosen], minlength=len(self.users))
        return PairLists(self.users, offsets(sizes), self.items[chosen])

    @classmethod
    def of_keys(cls, users: Rows, keys: Rows, width: int) -> PairLists:
        """Pairs of numbers that ascend, as `keys` gives them."""
        place = keys // width
        return cls(users, offsets(np.bincount(place, minlength=len(users))), keys - place * width)


def distinct(keys: Rows) -> Rows:
    """Each number once, ascending; np.unique hashes numbers first, which takes many times as long where most are different."""
    ordered = np.sort(keys, kind="stable")
    return ordered[np.concatenate([[True], ordered[1:] != ordered[:-1]])] if len(ordered) else ordered


class PairIndex:
    """Pairs of all users, of which those of some are wanted, again and again; repeated pairs are one."""

    def __init__(self, users: Rows, items: Rows, shape: tuple[int, int]) -> None:
        self.width = shape[1]
        keys = users * self.width + items
        if len(keys) and not (keys[1:] > keys[:-1]).all():
            keys = distinct(keys)
        place = keys // self.width
        self._items = keys - place * self.width
        self._begin = offsets(np.bincount(place, minlength=shape[0]))

    def of(self, users: Rows) -> PairLists:
        """The pairs of some users."""
        rows, begin = gathered(self._begin, users)
        return PairLists(users, begin, self._items[rows])


class Places(NamedTuple):
    """Where pairs stand among other pairs of their users."""

    above: NDArray[np.int32]
    "Others with a higher score."
    block: NDArray[np.int32]
    "Others with this score."
    by_id: NDArray[np.int32]
    "Those of the block with a larger id."
    by_order: NDArray[np.int32]
    "Those of the block in an earlier row."

    @classmethod
    def of(cls, *columns: NDArray[Any]) -> Places:
        """Counts in 32 bits, as evidence has them."""
        return cls(*(column.astype(np.int32) for column in columns))

    def less(self, others: Places) -> Places:
        """Without what was counted of others."""
        return Places(*(mine - theirs for mine, theirs in zip(self, others, strict=True)))


def _in_order(scores: Scores) -> Rows:
    """Numbers from 0 on that compare as scores do: of 32 bits by their bits, of more by their places."""
    if scores.dtype != np.float32:
        return np.unique(scores, return_inverse=True)[1].reshape(-1).astype(np.int64)
    bits = (scores + np.float32(0)).view(np.int32).astype(np.int64)  # -0 is 0
    return np.where(bits < 0, -1 - (bits & 0x7FFFFFFF), bits) + (1 << 31)


def count_listed(pairs: PairLists, score: Scores, others: PairLists, their_score: Scores, order: Rows) -> Places:
    """Where pairs stand among listed others of the same users; `order` numbers items by their ids."""
    codes = _in_order(np.concatenate([score, their_score]))
    width = int(codes.max(initial=0)) + 1
    ours, theirs = pairs.place * width + codes[: len(score)], others.place * width + codes[len(score) :]
    by_key = np.argsort(theirs, kind="stable")
    ordered = theirs[by_key]
    low, high = (np.searchsorted(ordered, ours, side) for side in ("left", "right"))
    block = high - low
    at = np.repeat(np.arange(len(ours)), block)
    rows = np.arange(len(at)) - np.repeat(offsets(block)[:-1] - low, block)
    rival, item = others.items[by_key[rows]], pairs.items[at]

    def counted(which: NDArray[np.bool_]) -> Rows:
        return np.bincount(at[which], minlength=len(ours))

    return Places.of(
        others.begin[pairs.place + 1] - high, block, counted(order[rival] > order[item]), counted(rival < item)
    )
