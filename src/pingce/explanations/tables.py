"""Tables by columns, the places of a long table that are written, and numbers and lines as all explanations show them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats
from pingce.base.records import dataclass
from pingce.base.tables import Cell
from pingce.base.text import Text
from pingce.explanations.derivation import Column, Derivation, Grid, Line, Number, Row, Step, whole

MOST = 20
"Rows that are chosen from a table that is too long to be written whole."
MOST_WRITTEN = 40
"Rows of a table that are written whole."
_HEAD, _TAIL = 14, 6
_EXACT = ("score", "threshold", "probability", "true", "predicted", "grade")
"Columns of what was given: different numbers must look different."
Cells: TypeAlias = "tuple[str, str | Text, Sequence[Cell] | NDArray[Any]]"
"A column: key, title, and what stands in it; an array has all rows, of which an excerpt takes its own."
ROWS = Text("rows", "行")
_WEIGHT = Text("weight w", "权重 w")


def plain(value: Any) -> Number:
    """A number of Python; whole ones as integers, so that counts read as counts."""
    number = value.item() if hasattr(value, "item") else value
    if isinstance(number, int) or (abs(number) < 2**53 and number == int(number)):
        return int(number)
    return real(number)


def numbers_in(values: Iterable[Any]) -> list[Number]:
    """Numbers of Python, as cells hold them."""
    return [plain(value) for value in values]


def real(value: Fraction | float) -> float:
    """A sum as a double; one beyond their range is shown as infinite."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def dashed(values: Sequence[float] | Floats) -> list[Cell]:
    """Values, with a dash where there is none."""
    return [None if math.isnan(value) else float(value) for value in values]


def label_cell(label: Any) -> Cell:
    """A label in a cell."""
    kept = label is None or (isinstance(label, (str, int, float)) and not isinstance(label, bool))
    return label if kept else str(label)


def table(
    key: str, title: Text, columns: Iterable[Cells], counts: Sequence[bool] | None = None, note: Text | None = None
) -> Grid:
    """A table by columns."""
    columns = list(columns)
    rows = list(zip(*(cells for _, _, cells in columns), strict=True))
    heads = tuple(Column(name, heading, exact=name in _EXACT) for name, heading, _ in columns)
    kept = [True] * len(rows) if counts is None else counts
    return Grid(key, title, heads, tuple(map(Row, rows, kept)), note)


@dataclass(frozen=True)
class Excerpt:
    """Which places of a long table are written, and which of them count."""

    places: NDArray[np.intp]
    counts: list[bool]
    size: int
    summed: bool = True

    def of(self, column: NDArray[Any]) -> list[Number]:
        """A column at these places, as numbers of Python; whole sums as integers."""
        return numbers_in(column[self.places].tolist())

    def labels(self, names: Sequence[Any]) -> list[Cell]:
        """Labels at these places."""
        return [label_cell(names[place]) for place in self.places.tolist()]

    def table(self, key: str, title: Text, columns: Iterable[Cells], of: Text = ROWS) -> Grid:
        """The table of these places, with a note where not all are written."""
        taken = [
            (name, heading, cells[self.places].tolist() if isinstance(cells, np.ndarray) else cells)
            for name, heading, cells in columns
        ]
        return table(key, title, taken, self.counts, self._note(of))

    @property
    def row(self) -> Cells:
        """The column that says which rows these are."""
        return "row", Text("row (from 0)", "行（从 0 起）"), self.places.tolist()

    def weight(self, weight: Floats | None) -> list[Cells]:
        """The weight of each row; nothing where rows are not weighted."""
        return [] if weight is None else [("weight", _WEIGHT, self.of(weight))]

    def weighted(self, terms: Floats, weight: Floats | None, title: str | Text) -> list[Cells]:
        """The weight, and the weighted term; nothing where rows are not weighted."""
        if weight is None:
            return []
        with np.errstate(over="ignore"):
            products = weight[self.places] * terms[self.places]
        return [*self.weight(weight), ("weighted", Text(*(f"w · {word}" for word in whole(title))), dashed(products))]

    def _note(self, of: Text) -> Text | None:
        written = len(self.places)
        if written == self.size:
            return None
        en, zh = ("; sums are over all of them", "；求和包含全部") if self.summed else ("", "")
        return Text(
            f"{written} of {self.size} {of.en} are written here{en}",
            f"{self.size} {of.zh}中只列出 {written} {of.zh[:1]}{zh}",
        )


def around(size: int, keep: int) -> Excerpt:
    """Of a table in which one place decides: that one counts; of a long table its neighbours and the ends besides."""
    places = np.arange(size)
    if size > MOST_WRITTEN:
        near = {at for at in range(keep - 2, keep + 3) if 0 <= at < size}
        places = np.array(sorted({*range(_HEAD // 2), *range(size - _TAIL // 2, size), *near}))
    return Excerpt(places, [place == keep for place in places.tolist()], size, summed=False)


def ends(matters: NDArray[np.bool_]) -> Excerpt:
    """Of a table that is summed up: all of a short one, the beginning and the end of a long one."""
    places = np.arange(len(matters))
    if len(matters) > MOST_WRITTEN:
        places = np.concatenate([places[:_HEAD], places[-_TAIL:]])
    return Excerpt(places, matters[places].tolist(), len(matters))


def rows_in(order: NDArray[np.intp]) -> Excerpt:
    """Rows in some order of which no sum is taken: all that is known of a metric that a caller declared."""
    near = ends(np.ones(len(order), bool))
    return Excerpt(order[near.places], near.counts, len(order), summed=False)


def largest(terms: Floats, weight: Floats | None = None) -> Excerpt:
    """Of what is summed up the largest first, of equal ones the first; a term of 0 does not count."""
    terms = terms if weight is None else terms * weight
    size = len(terms)
    if size > MOST_WRITTEN:
        least = np.partition(terms, size - MOST)[size - MOST]
        chosen = np.flatnonzero(terms >= least)
        places = chosen[np.argsort(-terms[chosen], kind="stable")][:MOST]
    else:
        places = np.argsort(-terms, kind="stable")
    return Excerpt(places, (terms[places] != 0).tolist(), size)


def number_line(key: str, name: str | Text, value: Any) -> Line:
    """A number that is there to begin with."""
    number = plain(value)
    return Line(key, name, "{}", (number,), number)


def exact_sum_line(key: str, name: str | Text, total: Fraction, weighted: bool) -> Line:
    """A sum that was not rounded on the way."""
    sign = "Σ w · " if weighted else "Σ "
    words = Text(*(f"{sign}({word})" if " / " in word else f"{sign}{word}" for word in whole(name)))
    return Line(key, words, Text("the exact sum over all rows", "对全部行精确求和"), (), real(total))


def count_line(total: Fraction, weighted: bool) -> Line:
    """What a mean is divided by."""
    return number_line("rows", "Σ w" if weighted else Text("rows n", "行数 n"), total)


def mean_steps(grid: Grid, name: str | Text, total: Fraction, rows: Fraction, *, weighted: bool) -> list[Step]:
    """A mean over rows: what each adds, the sum, and what it is divided by."""
    return [grid, exact_sum_line("sum", name, total, weighted), count_line(rows, weighted)]


def quotient(steps: Sequence[Step], top: Fraction, bottom: Fraction) -> Derivation:
    """One exact sum over another; undefined where that is 0."""
    return Derivation(steps, "{} / {}", (real(top), plain(bottom)), float(top / bottom) if bottom else math.nan)
