"""What is known of items from the past: how often each was chosen, by how many users, and which are the long tail."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats, Ints
from pingce.base.lazy import cached_property
from pingce.base.records import dataclass
from pingce.evidence.items.directory import Directory
from pingce.evidence.items.features import Features
from pingce.evidence.items.pair_index import PairIndex, pair_index
from pingce.evidence.ranking.truth_index import gathered, offsets
from pingce.inputs.columns import Rows
from pingce.inputs.ids import Ids

if TYPE_CHECKING:
    from fractions import Fraction


@dataclass(frozen=True, eq=False)
class Past:
    """Pairs (query, item) that were there before: `train`."""

    rows: Rows

    @cached_property
    def _directory(self) -> Directory:
        return Directory(self.rows.item)

    @cached_property
    def _item(self) -> Ints:
        """The number of the item of each row."""
        return self._directory.numbers()

    @property
    def items(self) -> Ids:
        """Every item that occurs, once, sorted by id."""
        return self._directory.names

    @cached_property
    def queries(self) -> Directory:
        """The users."""
        return Directory(self.rows.query)

    @cached_property
    def interactions(self) -> Ints:
        """How many rows each item has."""
        return np.bincount(self._item, minlength=len(self._directory))

    @cached_property
    def _user(self) -> Ints:
        """The number of the user of each row."""
        return self.queries.numbers()

    @cached_property
    def users(self) -> Ints:
        """How many users each item has; a pair that stands twice counts once."""
        return self._by_user.owners()

    @cached_property
    def _by_user(self) -> PairIndex:
        return pair_index(self._user, self._item, len(self.queries), len(self._directory))

    @property
    def user_count(self) -> int:
        """How many users there are."""
        return len(self.queries)

    def __len__(self) -> int:
        """How many interactions there are."""
        return len(self.rows)

    def find(self, items: Ids) -> Ints:
        """The number of each item among `items`, -1 for one that never occurred: it is cold."""
        return self._directory.find(items)

    def has_pairs(self, queries: Ids, query: Ints, item: Ints) -> NDArray[np.bool_]:
        """Whether a user had an item, for pairs of which the user is numbered among `queries`, and the item as `find` does."""
        return self._by_user.has(self.queries.find(queries)[query], item)

    def sizes(self, queries: Ids) -> Ints:
        """How many different items each user of `queries` had."""
        width = np.int64(max(1, len(self._directory)))
        owner = np.unique(self._user * width + self._item) // width
        sizes = np.append(np.bincount(owner, minlength=self.user_count), 0)
        of_users: Ints = sizes[self.queries.find(queries)]
        return of_users

    def categories(self, features: Features) -> tuple[Ints, Ints, Ints]:
        """Where the categories of each user begin, their numbers, sorted, and how many rows of the user have each."""
        begin, category = features.categories(self.items)
        rows, bounds = gathered(begin, self._item)
        width = np.int64(int(category.max(initial=0)) + 1)
        user = np.repeat(self._user, np.diff(bounds))
        pairs, times = np.unique(user * width + category[rows], return_counts=True)
        return offsets(np.bincount(pairs // width, minlength=self.user_count)), pairs % width, times

    def mean_directions(self, users: Ints, features: Features) -> tuple[Floats, NDArray[np.bool_]]:
        """The mean of the directions of all items that each of these distinct users had, and whether there are any; a pair counts once."""
        slot = np.full(self.user_count + 1, -1, np.int64)
        slot[users] = np.arange(len(users))
        slot[-1] = -1
        pairs = np.unique(self._user * np.int64(len(self._directory)) + self._item)
        owner, item = slot[pairs // len(self._directory)], pairs % len(self._directory)
        used = np.bincount(item[owner >= 0], minlength=len(self._directory)) > 0
        units, has_vector = features.directions(self.items, used)
        kept = np.flatnonzero((owner >= 0) & has_vector[item])
        owner, item = owner[kept], item[kept]
        sizes = np.bincount(owner, minlength=len(users))
        columns = [np.bincount(owner, units[item, each], len(users)) for each in range(units.shape[1])]
        return np.stack(columns, axis=1) / np.maximum(sizes, 1)[:, None], sizes > 0

    def counts(self, of: str) -> Ints:
        """Users or interactions of each item, by name."""
        return self.users if of == "users" else self.interactions

    def popularity_rank(self, of: str = "interactions", *, dense: bool = False) -> NDArray[np.float64]:
        """The rank of each item by its number of interactions or users, the most popular first; equal ones share a rank.

        Dense ranks count distinct numbers; others are the mean of the places that equal ones take.
        """
        counts = self.counts(of)
        distinct, place = np.unique(-counts, return_inverse=True)
        place = place.reshape(-1)
        if dense:
            return (place + 1).astype(np.float64)
        sizes = np.bincount(place, minlength=len(distinct))
        last = np.cumsum(sizes)
        mean: NDArray[np.float64] = (2 * last - sizes + 1) / 2
        return mean[place]

    def is_tail(self, by: str, share: float) -> NDArray[np.bool_]:
        """Which items are the long tail.

        `interactions`: all but the head, the shortest prefix by (count descending, id) with at least 1 − share of all rows.
        `items`: the least popular share of items by (count, id), at least one.
        """
        counts = self.interactions
        tail = np.zeros(len(counts), bool)
        if by == "items":
            order = in_order(counts)
            tail[order[: max(1, int(_exact(share) * len(counts)))]] = True
            return tail
        order = in_order(int(counts.max()) - counts)
        least = math.ceil((1 - _exact(share)) * len(self.rows))
        head = np.cumsum(counts[order]) - counts[order] < least
        tail[order[~head]] = True
        return tail


def in_order(counts: Ints) -> Ints:
    """Items by a number from 0 up, equal ones by id; small numbers are sorted digit by digit."""
    return np.argsort(counts.astype(np.min_scalar_type(int(counts.max()))), kind="stable")


def _exact(share: float) -> Fraction:
    """The share as it is written: 0.7 is seven tenths, and 1 − 0.7 three."""
    from fractions import Fraction

    return Fraction(repr(share))
