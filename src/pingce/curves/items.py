"""What lists show, as curves of exact counts: how places are shared out among items, and how popular these were before."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pingce.base.exact import Ints
from pingce.curves.base import even_spread
from pingce.evidence.items.past import Past
from pingce.evidence.items.view import ItemView

PARTS = 10
"Deciles."


class Lorenz(NamedTuple):
    """Items and the places that they have, both summed up from the least shown on; straight between its points."""

    items: Ints
    places: Ints

    @classmethod
    def of(cls, counts: Ints, size: int) -> Lorenz:
        """The curve of `size` items, of which some are shown so often; it bends where counts change."""
        distinct, times = np.unique(counts[counts > 0], return_counts=True)
        unshown = size - int(times.sum())
        starts = [0, unshown] if unshown else [0]
        items = np.concatenate([starts[:-1], [unshown], unshown + np.cumsum(times)]).astype(np.int64)
        places = np.concatenate([np.zeros(len(starts), np.int64), np.cumsum(distinct * times)]).astype(np.int64)
        return cls(items, places)

    @property
    def gini(self) -> float:
        """Twice the area between the curve and the diagonal."""
        items, places = self.items.tolist(), self.places.tolist()
        below = sum(
            (items[at] - items[at - 1]) * (places[at] + places[at - 1]) for at in range(1, len(items))
        )  # twice the area below, in Python's integers: exact
        whole = items[-1] * places[-1]
        return (whole - below) / whole if whole else float("nan")

    def thinned(self, most: int) -> Lorenz:
        """The same through fewer of its points, evenly along it."""
        if len(self.items) <= most:
            return self
        kept = even_spread((self.items, self.places), most, ())
        return Lorenz(self.items[kept], self.places[kept])


class PopularityParts(NamedTuple):
    """Of ten parts of the past's items, the most popular first: interactions in the past, and places in lists now."""

    past: Ints
    places: Ints
    cold: int
    "Places of items that have no past."

    @classmethod
    def of(cls, display: ItemView, k: int | None) -> PopularityParts:
        """The parts are as large as whole items allow: by (count descending, id), as the head and the tail are."""
        past = display.background.past
        part, counts = _parts(past), display.counts(k)
        in_past = display.in_past >= 0
        places = np.bincount(part[display.in_past[in_past]], weights=counts[in_past], minlength=PARTS).astype(np.int64)
        before = np.bincount(part, weights=past.interactions, minlength=PARTS).astype(np.int64)
        return cls(before, places, int(counts[~in_past].sum()))


def _parts(past: Past) -> Ints:
    """The part of each item of the past."""
    counts = past.interactions
    part = np.empty(len(counts), np.int64)
    part[np.lexsort((np.arange(len(counts)), -counts))] = np.arange(len(counts)) * PARTS // max(len(counts), 1)
    return part
