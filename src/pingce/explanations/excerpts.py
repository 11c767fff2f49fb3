"""Which places of a long table are written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats
from pingce.base.text import Text
from pingce.explanations.derivation import Cell
from pingce.explanations.numbers import plain

MOST = 20
"Rows that are chosen from a table that is too long to be written whole."
MOST_WRITTEN = 40
"Rows of a table that are written whole."
_HEAD, _TAIL = 14, 6


@dataclass(frozen=True)
class Excerpt:
    """Which places of a long table are written, and which of them count."""

    places: NDArray[np.intp]
    counts: list[bool]
    size: int
    summed: bool = True

    def of(self, column: NDArray[Any]) -> list[Cell]:
        """A column at these places, as numbers of Python; whole sums as integers."""
        return [plain(value) for value in column[self.places].tolist()]

    def exactly(self, column: NDArray[Any]) -> list[Cell]:
        """The same, but a double stays one."""
        cells: list[Cell] = column[self.places].tolist()
        return cells

    def note(self, of: Text) -> Text | None:
        """That not all are written."""
        if len(self.places) == self.size:
            return None
        written = Text(
            f"{len(self.places)} of {self.size} {of.en} are written here",
            f"{self.size} {of.zh}中只列出 {len(self.places)} {of.zh[:1]}",
        )
        if not self.summed:
            return written
        return Text(f"{written.en}; sums are over all of them", f"{written.zh}；求和包含全部")


def around(size: int, keep: int) -> Excerpt:
    """Of a table in which one place decides: that one counts; of a long table its neighbours and the ends besides."""
    places = np.arange(size)
    if size > MOST_WRITTEN:
        near = {at for at in range(keep - 2, keep + 3) if 0 <= at < size}
        places = np.array(sorted({*range(_HEAD // 2), *range(size - _TAIL // 2, size), *near}))
    return Excerpt(places, [place == keep for place in places.tolist()], size, summed=False)


def ends(size: int, matters: NDArray[np.bool_]) -> Excerpt:
    """Of a table that is summed up: all of a short one, the beginning and the end of a long one."""
    places = np.arange(size)
    if size > MOST_WRITTEN:
        places = np.concatenate([places[:_HEAD], places[-_TAIL:]])
    return Excerpt(places, matters[places].tolist(), size)


def largest(terms: Floats) -> Excerpt:
    """Of what is summed up the largest first, of equal ones the first; a term of 0 does not count."""
    size = len(terms)
    if size > MOST_WRITTEN:
        least = np.partition(terms, size - MOST)[size - MOST]
        chosen = np.flatnonzero(terms >= least)
        places = chosen[np.argsort(-terms[chosen], kind="stable")][:MOST]
    else:
        places = np.argsort(-terms, kind="stable")
    return Excerpt(places, (terms[places] != 0).tolist(), size)
