"""Tables on a terminal: rich where it is one, plain text where it is not. Chinese characters are two columns wide."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from pingce.base.errors import one_line
from pingce.base.tables import Table, shown


def draw(table: Table, places: int, *, fancy: bool) -> str:
    """The table as text."""
    cells = [[one_line(shown(cell, places)) for cell in row] for row in table.rows]
    titles = [one_line(title) for title in table.titles]
    return _rich(titles, cells, table.is_words, table.best) if fancy else _plain(titles, cells, table.is_words)


def width(text: str) -> int:
    """Columns the text takes on a terminal."""
    letters = (letter for letter in text if not unicodedata.combining(letter))
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in letters)


def _plain(titles: Sequence[str], cells: Sequence[Sequence[str]], words: Sequence[bool]) -> str:
    """Columns of words stand left, columns of numbers right."""
    widths = [max(map(width, column)) for column in zip(titles, *cells, strict=True)]

    def line(row: Sequence[str]) -> str:
        room = [" " * (size - width(cell)) for cell, size in zip(row, widths, strict=True)]
        return "  ".join(
            cell + pad if left else pad + cell for cell, pad, left in zip(row, room, words, strict=True)
        ).rstrip()

    return "\n".join([line(titles), "  ".join("-" * size for size in widths), *map(line, cells)])


def _rich(
    titles: Sequence[str], cells: Sequence[Sequence[str]], words: Sequence[bool], best: frozenset[tuple[int, int]]
) -> str:
    from rich import box
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text as RichText

    rich_table = RichTable(box=box.SIMPLE_HEAD, pad_edge=False)
    for title, left in zip(titles, words, strict=True):
        rich_table.add_column(RichText(title), justify="left" if left else "right", overflow="fold")
    for i, row in enumerate(cells):
        rich_table.add_row(*(RichText(cell, style="bold" if (i, j) in best else "") for j, cell in enumerate(row)))
    console = Console()
    with console.capture() as captured:
        console.print(rich_table)
    return captured.get().strip("\n")
