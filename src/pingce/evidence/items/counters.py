"""How often lists show each item: one integer per item, which is all that metrics of a whole run need of lists that are gone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Ints
from pingce.base.records import dataclass
from pingce.evidence.items.directory import Directory
from pingce.inputs.ids import Ids, concatenate

if TYPE_CHECKING:
    from pingce.evidence.items.view import ItemView

COUNTERS = ("counts", "lengths", "groups")
"What is counted: places of each item; of each item and length of list; of each group of items and rank."


class Pairs(NamedTuple):
    """How often two numbers occur together, sorted by both."""

    first: Ints
    second: Ints
    times: Ints

    @classmethod
    def of(cls, first: NDArray[Any], second: NDArray[Any], times: NDArray[Any] | None = None) -> Pairs:
        """Count pairs, or add up how often each row says that its pair occurs."""
        width = np.int64(int(second.max(initial=0)) + 1)
        cells = first.astype(np.int64) * width + second
        if times is None:
            distinct, often = np.unique(cells, return_counts=True)
        else:
            distinct, place = np.unique(cells, return_inverse=True)
            often = np.bincount(place.reshape(-1), weights=times, minlength=len(distinct))  # below 2^53: exact
        return cls(distinct // width, distinct % width, often.astype(np.int64, copy=False))

    @classmethod
    def joined(cls, pieces: Sequence[Pairs]) -> Pairs:
        """All together."""
        return cls.of(*(np.concatenate(column) for column in zip(*pieces, strict=True)))


class Counting(NamedTuple):
    """Down to which depths what is counted; none goes to the end of lists."""

    counts: tuple[int | None, ...] = ()
    lengths: tuple[int | None, ...] = ()
    groups: tuple[int | None, ...] = ()

    @classmethod
    def of(cls, asked: Iterable[tuple[str, int | None]]) -> Counting:
        """From what metrics ask for, each once."""
        every = list(dict.fromkeys(asked))
        return cls(*(tuple(k for name, k in every if name == kind) for kind in COUNTERS))


@dataclass(frozen=True, eq=False)
class ItemCounters:
    """What some lists show, without the lists."""

    items: Ids
    "Every item that stands at a place which was looked at, once, sorted by id."
    counts: Mapping[int | None, NDArray[Any]]
    "By depth: how often each of them stands within it."
    lengths: Mapping[int | None, Pairs]
    "By depth: of an item and the length of a list, cut there."
    groups: Mapping[int | None, Pairs]
    "By depth: of a group of items, -1 for none, and a rank."

    @classmethod
    def of(cls, display: ItemView, counting: Counting) -> ItemCounters:
        """Count what lists show."""
        return cls(
            display.items,
            {k: small(display.counts(k)) for k in counting.counts},
            {k: display.lengths(k) for k in counting.lengths},
            {k: display.groups(k) for k in counting.groups},
        )

    @classmethod
    def joined(cls, pieces: Sequence[ItemCounters]) -> ItemCounters:
        """All together: counters are added up item by item."""
        if len(pieces) == 1:
            return pieces[0]
        directory = Directory(concatenate([piece.items for piece in pieces]))
        items, first = directory.names, pieces[0]
        places = [directory.find(piece.items) for piece in pieces]

        def counts(k: int | None) -> NDArray[Any]:
            total = np.zeros(len(items), np.int64)
            for piece, place in zip(pieces, places, strict=True):
                total[place] += piece.counts[k]
            return small(total)

        def lengths(k: int | None) -> Pairs:
            each = zip((piece.lengths[k] for piece in pieces), places, strict=True)
            return Pairs.joined([pairs._replace(first=place[pairs.first]) for pairs, place in each])

        return cls(
            items,
            {k: counts(k) for k in first.counts},
            {k: lengths(k) for k in first.lengths},
            {k: Pairs.joined([piece.groups[k] for piece in pieces]) for k in first.groups},
        )


def small(counts: NDArray[Any]) -> NDArray[Any]:
    """Counters in the smallest type that holds them."""
    return counts.astype(np.min_scalar_type(int(counts.max(initial=0))))
