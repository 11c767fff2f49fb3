"""Two calculations of the same number, under two definitions, and the first line in which they differ."""

from __future__ import annotations

import math
from collections.abc import Sequence

from pingce.base.json import Json
from pingce.base.lazy import cached_property
from pingce.base.records import dataclass
from pingce.base.tables import SCHEMA_VERSION, Cell
from pingce.base.text import Text, Words
from pingce.explanations.derivation import Explanation, Grid, Line, Part, Place, Readable, Step, whole
from pingce.explanations.layout import figure


@dataclass(frozen=True, repr=False)
class Contrast(Readable):
    """Two explanations, each with the name of its definition."""

    first: Explanation
    second: Explanation
    names: tuple[Text, Text]

    def __repr__(self) -> str:
        return f"<{self.first!r} against {self.second!r}>"

    @property
    def value(self) -> float:
        """That of the first."""
        return self.first.value

    @cached_property
    def differs(self) -> tuple[Place | None, Place | None]:
        """The first line that differs, in each of the two; None where one has no such line."""
        return first_difference(self.first, self.second)

    def parts(self) -> tuple[Part, ...]:
        """Both, with the line that differs marked."""
        first, second = (Text(f"As in {name.en}", f"按 {name.zh} 计算") for name in self.names)
        return Part(self.first, first, self.differs[0]), Part(self.second, second, self.differs[1])

    def closing(self) -> Text:
        """Where they part, and in what."""
        first, other = self.names
        if self.differs == (None, None):
            return Text(f"{first.en} and {other.en} calculate the same.", f"{first.zh} 与 {other.zh} 的计算相同。")
        if (alone := self._alone()) is not None:
            return alone
        place = _where(self.first, self.differs[0]) or _where(self.second, self.differs[1]) or Text("", "")
        cells = self._against()
        return Text(
            f"The first line that differs is marked ▶: {place.en}{cells.en}.",
            f"第一处不同以 ▶ 标出：{place.zh}{cells.zh}。",
        )

    def _alone(self) -> Text | None:
        """A table without rows that only one of the two has cannot be marked: it is named."""
        for it, place, name in zip((self.first, self.second), self.differs, self.names, strict=True):
            step = it.steps[place.step] if place is not None and place.row is None else None
            if isinstance(step, Grid) and not step.rows:
                return Text(
                    f"Only {name.en} has this part of the calculation: {step.title.en}.",
                    f"只有 {name.zh} 有这一部分计算：{step.title.zh}。",
                )
        return None

    def _against(self) -> Text:
        """The first cell that differs, in both."""
        here, there = (
            None if place is None or place.row is None else _by_key(it.steps[place.step], place.row)
            for it, place in zip((self.first, self.second), self.differs, strict=True)
        )
        if not here or not there:
            return Text("", "")
        key = next(key for key in here if key in there and not _same(here[key][1], there[key][1]))
        title = whole(here[key][0])
        first, other = (figure(cell, 4) if not isinstance(cell, str) else cell for _, cell in (here[key], there[key]))
        return Text(f", {title.en} {first} against {other}", f"，{title.zh} {first} 与 {other}")

    def to_dict(self) -> Json:
        """Both documents, and where they differ: a step by its key, and a row of it."""
        both = (self.first, self.second)
        return {
            "schema_version": SCHEMA_VERSION,
            "kind": "contrast",
            "names": [Words.of(name) for name in self.names],
            "explanations": [it.to_dict() for it in both],
            "differs": [
                place and {"step": place.step, "key": getattr(it.steps[place.step], "key", ""), "row": place.row}
                for it, place in zip(both, self.differs, strict=True)
            ],
        }


def _where(it: Explanation, place: Place | None) -> Text | None:
    if place is None:
        return None
    step = it.steps[place.step]
    if not isinstance(step, Grid):
        return whole(step.name if isinstance(step, Line) else "")
    en, zh = step.title.en.split(":")[0], step.title.zh.split("：")[0]
    if place.row is None:
        return Text(en, zh)
    first, column = step.rows[place.row].cells[0], whole(step.columns[0].title)
    return Text(f"{en}, {column.en} {first}", f"{zh}，{column.zh} {first}")


def first_difference(first: Explanation, second: Explanation) -> tuple[Place | None, Place | None]:
    """Tables row by row, lines by what they hold; sentences do not count, nor does a column that one has alone."""
    ours, theirs = _lines(first.steps), _lines(second.steps)
    for key in dict.fromkeys([*ours, *theirs]):
        here, there = ours.get(key), theirs.get(key)
        if here is None or there is None:
            return None if here is None else Place(here), None if there is None else Place(there)
        left, right = first.steps[here], second.steps[there]
        if isinstance(left, Grid) and isinstance(right, Grid):
            row = _other_row(left, right)
            if row is not None:
                return (
                    Place(here, row) if row < len(left.rows) else None,
                    Place(there, row) if row < len(right.rows) else None,
                )
        elif not (isinstance(left, Line) and isinstance(right, Line) and _same_line(left, right)):
            return Place(here), Place(there)
    return None, None


def _lines(steps: Sequence[Step]) -> dict[str, int]:
    """Tables and lines by their key, in order."""
    return {step.key: at for at, step in enumerate(steps) if isinstance(step, (Grid, Line))}


def _by_key(step: Step, row: int) -> dict[str, tuple[str | Text, Cell]]:
    """Title and cell of each column of a row; nothing of what is no table."""
    if not isinstance(step, Grid):
        return {}
    cells = zip(step.columns, step.rows[row].cells, strict=True)
    return {column.key: (column.title, cell) for column, cell in cells}


def _other_row(first: Grid, second: Grid) -> int | None:
    keys, others = ([column.key for column in grid.columns] for grid in (first, second))
    shared = [(keys.index(key), others.index(key)) for key in keys if key in others]
    for at, (mine, yours) in enumerate(zip(first.rows, second.rows, strict=False)):
        if not all(_same(mine.cells[a], yours.cells[b]) for a, b in shared):
            return at
    sizes = len(first.rows), len(second.rows)
    return None if sizes[0] == sizes[1] else min(sizes)


def _same(first: Cell, second: Cell) -> bool:
    both_nan = isinstance(first, float) and isinstance(second, float) and math.isnan(first) and math.isnan(second)
    return both_nan or first == second


def _same_line(first: Line, second: Line) -> bool:
    numbers = len(first.numbers) == len(second.numbers) and all(map(_same, first.numbers, second.numbers))
    return numbers and first.template == second.template and _same(first.value, second.value)
