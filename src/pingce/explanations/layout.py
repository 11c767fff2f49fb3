"""From an explanation to what stands on the page, in the language in force: rounded numbers, folded tables."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import groupby
from typing import Literal, NamedTuple, TypeAlias

from pingce.base.records import dataclass
from pingce.base.tables import UNDEFINED, Cell, Table
from pingce.base.text import Text
from pingce.explanations.derivation import Column, Grid, Line, Part, Place, Row

_WHOLE_TABLE = 24
"Tables up to this length are shown as they are."
_MOST_COUNTING = 40
"Of the rows that count, in a longer one."
_LAST = 10
"Of these, from the end."
_SHORT_GAP = 2
"A fold that hides no more than this is not worth its line."
_LARGE = 1e15
MARK = "▶ "
"Before the first line that differs from another calculation."


Form: TypeAlias = Literal["heading", "sentence", "note", "last", "marked", "last_marked"]
"How words stand on the page: a line of the calculation stands as a sentence does, but for the last and the marked one."


class Words(NamedTuple):
    """A heading, a paragraph, or a sum: a line of the calculation."""

    kind: Literal["heading", "paragraph", "sum"]
    form: Form
    words: str


@dataclass(frozen=True)
class PageTable(Table):
    """A table whose cells are written already."""

    left: tuple[bool, ...] = ()
    title: str = ""
    note: str = ""
    folds: frozenset[int] = frozenset()
    "Rows that stand for others: their first cell is a sentence."
    marked: int | None = None
    "The row to point at; its first cell begins with the mark."

    @property
    def is_words(self) -> list[bool]:
        """Columns of words stand left."""
        return list(self.left)


def blocks(part: Part, places: int) -> list[Words | PageTable]:
    """What stands on the page, from the top."""
    it = part.explanation
    heads = [] if part.heading is None else [str(part.heading)]
    page: list[Words | PageTable] = [
        Words("heading", "heading", head) for head in (*heads, f"{it.metric} · {it.title}")
    ]
    page += [
        Words("paragraph", "sentence", str(words)) for words in (it.subject, it.question, it.formula) if str(words)
    ]
    last = max((at for at, step in enumerate(it.steps) if isinstance(step, Line)), default=-1)
    for at, step in enumerate(it.steps):
        mark = part.mark if part.mark is not None and part.mark.step == at else None
        if isinstance(step, Grid) and step.rows:
            page.append(_drawn(step, places, mark))
        elif isinstance(step, Line):
            form: Form = "last" if at == last else "sentence"
            if mark is not None:
                form = "last_marked" if at == last else "marked"
            page.append(Words("sum", form, sum_of(step, places)))
        else:
            words = Text(f"{step.title.en}: empty", f"{step.title.zh}：空") if isinstance(step, Grid) else step
            page.append(Words("paragraph", "sentence", str(words)))
    return [*page, *(Words("paragraph", "note", str(note)) for note in (*it.notes, it.signature))]


def sum_of(line: Line, places: int) -> str:
    """name = what it is made of = value."""
    first, *pieces = str(line.template).split("{}")
    numbers = [figure(number, places) for number in line.numbers]
    filled = first + "".join(number + piece for number, piece in zip(numbers, pieces, strict=True))
    value = figure(line.value, places)
    parts = [str(line.name), filled, value]
    return " = ".join(parts[:1] + parts[2:] if filled in ("", value) else parts)


def figure(value: float | int | None, places: int) -> str:
    """A number in a line: whole ones without decimals, small ones never as 0."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return UNDEFINED
    if isinstance(value, int):
        return str(value)
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if places < 0:
        return repr(value)
    if value.is_integer() and abs(value) < _LARGE:
        return str(int(value))
    return decimal(value, places)


def decimal(value: float, places: int) -> str:
    """A fraction with its decimals; where these would all be 0, with its first digits."""
    if not math.isfinite(value):
        return figure(value, places)
    written = f"{value:.{places}f}"
    if abs(value) >= _LARGE or (value and not float(written)):
        return f"{value:.{max(places, 1)}g}"
    return written


def _drawn(grid: Grid, places: int, mark: Place | None) -> PageTable:
    cells = list(zip(*(row.cells for row in grid.rows), strict=True))
    columns = [_written(column, of, places) for column, of in zip(grid.columns, cells, strict=True)]
    marked = None if mark is None else mark.row
    rows: list[list[Cell]] = []
    folds: set[int] = set()
    marked_at = None
    for piece in folded(grid.rows, marked):
        if isinstance(piece, Text):
            folds.add(len(rows))
            rows.append([str(piece), *[""] * (len(columns) - 1)])
            continue
        rows.append([column[piece] for column in columns])
        if piece == marked:
            marked_at, rows[-1][0] = len(rows) - 1, f"{MARK}{rows[-1][0]}"
    return PageTable(
        [str(column.title) for column in grid.columns],
        rows,
        frozenset((marked_at, at) for at in range(len(columns)) if marked_at is not None and rows[marked_at][at]),
        left=tuple({str} <= {type(cell) for cell in of} <= {str, type(None)} for of in cells),
        title=f"{MARK}{grid.title}" if mark is not None and marked is None else str(grid.title),
        note="" if grid.note is None else str(grid.note),
        folds=frozenset(folds),
        marked=marked_at,
    )


def _written(column: Column, cells: Sequence[Cell], places: int) -> list[str]:
    """The cells of a column: whole numbers where all are whole, else decimals; no 0 that is none."""
    floats = [cell for cell in cells if isinstance(cell, float) and math.isfinite(cell)]
    whole = all(number.is_integer() and abs(number) < _LARGE for number in floats)
    if column.exact and not whole and places >= 0:
        places = _telling(floats, places)

    def write(cell: Cell) -> str:
        if isinstance(cell, str):
            return cell
        if isinstance(cell, float) and places >= 0 and cell and not whole and not math.isnan(cell):
            return decimal(cell, places)
        return figure(cell, places)

    return [write(cell) for cell in cells]


def _telling(numbers: Sequence[float], places: int) -> int:
    """The fewest decimals under which different numbers look different; -1 where only all digits do."""
    distinct = set(numbers)
    for more in range(places, 16):
        if len({f"{number:.{more}f}" for number in distinct}) == len(distinct):
            return more
    return -1


def folded(rows: Sequence[Row], marked: int | None = None) -> list[int | Text]:
    """Which rows are shown, and what is said of those that are not."""
    if len(rows) <= _WHOLE_TABLE:
        return list(range(len(rows)))
    counting = [at for at, row in enumerate(rows) if row.counts]
    if len(counting) > _MOST_COUNTING:
        counting = counting[: _MOST_COUNTING - _LAST] + counting[-_LAST:]
    kept = {0, len(rows) - 1, *counting} | ({marked} if marked is not None else set())
    pieces: list[int | Text] = []
    for is_kept, run in groupby(range(len(rows)), key=lambda at: at in kept):
        places = list(run)
        pieces += places if is_kept or len(places) <= _SHORT_GAP else [_fold([rows[at] for at in places])]
    return pieces


def _fold(hidden: Sequence[Row]) -> Text:
    count, counting = len(hidden), sum(row.counts for row in hidden)
    if not counting:
        return Text(f"… {count} rows that do not count …", f"…… 略去不影响结果的 {count} 行 ……")
    if counting == count:
        return Text(f"… {count} more rows …", f"…… 另有 {count} 行 ……")
    return Text(f"… {count} rows, {counting} of which count …", f"…… 略去 {count} 行，其中 {counting} 行计入 ……")
