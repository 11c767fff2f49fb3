"""Two calculations of the same number, under two definitions, and the first line in which they differ."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pingce.base.lazy import cached_property
from pingce.base.text import Text
from pingce.explanations.derivation import Cell, Explanation, Grid, Line, Part, Place, Readable, Step
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
        alone = self._alone()
        if alone is not None:
            return alone
        place = _where(self.first, self.differs[0]) or _where(self.second, self.differs[1]) or Text("", "")
        told = self._against()
        return Text(
            f"The first line that differs is marked ▶: {place.en}{told.en}.",
            f"第一处不同以 ▶ 标出：{place.zh}{told.zh}。",
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
        here, there = self.differs
        if here is None or there is None or here.row is None or there.row is None:
            return Text("", "")
        left, right = self.first.steps[here.step], self.second.steps[there.step]
        if not isinstance(left, Grid) or not isinstance(right, Grid):
            return Text("", "")
        mine, yours = _by_key(left, here.row), _by_key(right, there.row)
        key = next(key for key in mine if key in yours and not _same(mine[key], yours[key]))
        title = next(column.title for column in left.columns if column.key == key)
        first, other = (figure(cell, 4) if not isinstance(cell, str) else cell for cell in (mine[key], yours[key]))
        return Text(f", {title.en} {first} against {other}", f"，{title.zh} {first} 与 {other}")

    def to_dict(self) -> dict[str, Any]:
        """Both documents, and where they differ: a step by its key, and a row of it."""
        from pingce.explanations.document import SCHEMA_VERSION

        places = zip((self.first, self.second), self.differs, strict=True)
        return {
            "schema_version": SCHEMA_VERSION,
            "kind": "contrast",
            "names": [{"en": name.en, "zh": name.zh} for name in self.names],
            "explanations": [self.first.to_dict(), self.second.to_dict()],
            "differs": [
                None
                if place is None
                else {"step": place.step, "key": getattr(it.steps[place.step], "key", ""), "row": place.row}
                for it, place in places
            ],
        }


def _where(it: Explanation, place: Place | None) -> Text | None:
    if place is None:
        return None
    step = it.steps[place.step]
    if isinstance(step, Grid):
        title = Text(step.title.en.split(":")[0], step.title.zh.split("：")[0])
        if place.row is None:
            return title
        first, column = step.rows[place.row].cells[0], step.columns[0].title
        return Text(f"{title.en}, {column.en} {first}", f"{title.zh}，{column.zh} {first}")
    name = step.name if isinstance(step, Line) else ""
    return name if isinstance(name, Text) else Text(name, name)


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
                return _row(left, here, row), _row(right, there, row)
        elif not (isinstance(left, Line) and isinstance(right, Line) and _same_line(left, right)):
            return Place(here), Place(there)
    return None, None


def _row(grid: Grid, step: int, row: int) -> Place | None:
    return Place(step, row) if row < len(grid.rows) else None


def _lines(steps: Sequence[Step]) -> dict[str, int]:
    """Tables and lines by their key, in order."""
    return {step.key: at for at, step in enumerate(steps) if isinstance(step, (Grid, Line))}


def _other_row(first: Grid, second: Grid) -> int | None:
    shared = [column.key for column in first.columns if column.key in {theirs.key for theirs in second.columns}]
    left, right = _cells(first, shared), _cells(second, shared)
    for at, (mine, yours) in enumerate(zip(left, right, strict=False)):
        if not all(_same(a, b) for a, b in zip(mine, yours, strict=True)):
            return at
    return None if len(left) == len(right) else min(len(left), len(right))


def _by_key(grid: Grid, row: int) -> dict[str, Cell]:
    return dict(zip((column.key for column in grid.columns), grid.rows[row].cells, strict=True))


def _cells(grid: Grid, keys: Sequence[str]) -> list[list[Cell]]:
    places = {column.key: at for at, column in enumerate(grid.columns)}
    return [[row.cells[places[key]] for key in keys] for row in grid.rows]


def _same(first: Cell, second: Cell) -> bool:
    both_nan = isinstance(first, float) and isinstance(second, float) and math.isnan(first) and math.isnan(second)
    return both_nan or first == second


def _same_line(first: Line, second: Line) -> bool:
    numbers = len(first.numbers) == len(second.numbers) and all(map(_same, first.numbers, second.numbers))
    return numbers and first.template == second.template and _same(first.value, second.value)
