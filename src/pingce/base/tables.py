"""Results as documents and tables: JSON, CSV, TSV, Markdown, LaTeX, HTML, text, frames. Ids are untrusted text."""

from __future__ import annotations

import json
import math
import re
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from pingce.base.errors import one_line
from pingce.base.latex import latex_text
from pingce.base.lazy import pa
from pingce.base.records import dataclass
from pingce.base.text import Text

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

SCHEMA_VERSION = 1
UNDEFINED = "–"
Cell: TypeAlias = "str | int | float | None"


@dataclass(frozen=True)
class Table:
    """Titles and rows; numbers are numbers until a format writes them. `best` marks cells worth pointing at."""

    titles: list[str]
    rows: list[list[Cell]]
    best: frozenset[tuple[int, int]] = frozenset()

    @classmethod
    def of_rows(cls, rows: Sequence[Mapping[str, Cell]]) -> Table:
        """A column for each title that a row has; empty where others lack it."""
        titles = list(dict.fromkeys(title for row in rows for title in row))
        return cls(titles, [[row.get(title) for title in titles] for row in rows])

    def select(self, columns: Sequence[int]) -> Table:
        """Some of the columns."""
        best = frozenset((row, columns.index(at)) for row, at in self.best if at in columns)
        return Table([self.titles[at] for at in columns], [[row[at] for at in columns] for row in self.rows], best)

    @property
    def is_words(self) -> list[bool]:
        """Of each column, whether it holds words: these stand left, numbers right."""
        return [all(isinstance(row[at], str) for row in self.rows) for at in range(len(self.titles))]


class Within(float):
    """A value whose exact one is no further away than a bound."""

    bound: float
    bins: int

    def __new__(cls, value: float, bound: float, bins: int) -> Within:
        """A float that carries its bound along."""
        number = super().__new__(cls, value)
        number.bound, number.bins = bound, bins
        return number

    @property
    def said(self) -> str:
        """The bound with two digits, rounded up."""
        unit = 10.0 ** (math.floor(math.log10(self.bound)) - 1) if self.bound else 1.0
        bins = Text(f"{self.bins} bins", f"{self.bins} 箱")
        return f"± {math.ceil(self.bound / unit) * unit:.2g} ({bins})"


def finite(value: Any) -> Any:
    """The same with undefined values as None."""
    if isinstance(value, dict):
        return {key: finite(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [finite(inner) for inner in value]
    return None if isinstance(value, float) and math.isnan(value) else value


def to_json(value: Any, indent: int | None = 2) -> str:
    """JSON with sorted keys; numbers with every digit they have."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, indent=indent, allow_nan=False)


def shown(cell: Cell, places: int | None) -> str:
    """A cell as text; `places` rounds fractions, None keeps every digit; what is undefined is a dash."""
    if cell is None:
        return "" if places is None else UNDEFINED
    if isinstance(cell, Within):
        return f"{shown(float(cell), places)} {cell.said}"
    if isinstance(cell, float):
        return repr(cell) if places is None or places < 0 else f"{cell:.{places}f}"
    return str(cell)


_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n")
"What a spreadsheet takes for the beginning of a formula, or skips before one."


def delimited(table: Table, delimiter: str, *, escape_formulas: bool = False, bom: bool = False) -> str:
    """CSV or TSV, quoted where needed, every digit kept.

    Ids are written as they are, so that the file can be joined with others. Who opens it in a spreadsheet, with ids from
    strangers, wants `escape_formulas`: words that would be computed there get a quote in front. `bom` is for Excel, which
    needs a byte-order mark to read UTF-8.
    """
    import csv
    import io

    def cell(value: Cell) -> str:
        text = shown(value, None)
        return f"'{text}" if escape_formulas and isinstance(value, str) and text.startswith(_FORMULA) else text

    out = io.StringIO()
    # With "\r\n" as terminator the writer quotes a carriage return in an id as well as a line feed.
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\r\n")
    lines = []
    titles: list[Cell] = [*table.titles]
    for row in (titles, *table.rows):
        writer.writerow([cell(value) for value in row])
        lines.append(out.getvalue().removesuffix("\r\n"))
        out.seek(0)
        out.truncate()
    return ("\ufeff" if bom else "") + "\n".join(lines)


def markdown(table: Table, places: int) -> str:
    """A Markdown table; the best of several runs is bold."""

    def cell(value: Cell, at: tuple[int, int]) -> str:
        text = markdown_text(shown(value, places))
        return f"**{text}**" if at in table.best else text

    lines = [
        [markdown_text(title) for title in table.titles],
        ["---" if words else "---:" for words in table.is_words],
    ]
    lines += [[cell(value, (i, j)) for j, value in enumerate(row)] for i, row in enumerate(table.rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


_MARKDOWN = {"&": "&amp;", "<": "&lt;", ">": "&gt;"} | {letter: "\\" + letter for letter in "\\|`*_[]#~$"}


_LIVE = re.compile(r"(?<!\w)(?!(?<=[)Σ])@\d+(?![\w-]))@(?=[A-Za-z0-9])|(?<=[A-Za-z]):(?=//)|\bwww(?=\.)", re.ASCII)
"What sites that show Markdown make a mention or a link of, whatever is escaped; ndcg@10, ap(norm=min)@10 and Σ@4 are neither."


def markdown_text(text: str) -> str:
    """Text that Markdown shows as it is; a space without width keeps names and addresses in it from being called or linked."""
    escaped = "".join(_MARKDOWN.get(letter, letter) for letter in one_line(text))
    return _LIVE.sub(r"\g<0>&#8203;", escaped)


def latex(table: Table, places: int) -> str:
    """A LaTeX table with booktabs rules; the best of several runs is bold."""

    def cell(value: Cell, at: tuple[int, int]) -> str:
        written = "--" if value is None else latex_text(shown(value, places))
        return rf"\textbf{{{written}}}" if at in table.best else written

    columns = "".join("l" if words else "r" for words in table.is_words)
    lines = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule"]
    lines += [" & ".join(map(latex_text, table.titles)) + r" \\", r"\midrule"]
    lines += [
        " & ".join(cell(value, (i, j)) for j, value in enumerate(row)) + r" \\" for i, row in enumerate(table.rows)
    ]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])


def html(table: Table, places: int) -> str:
    """An HTML table for notebooks; the best of several runs is bold, and words stand left, as notebooks put everything right."""
    from html import escape

    sides = [' style="text-align:left"' if words else "" for words in table.is_words]

    def cell(value: Cell, at: tuple[int, int]) -> str:
        text = escape(shown(value, places))
        return f"<td{sides[at[1]]}>{f'<b>{text}</b>' if at in table.best else text}</td>"

    head = "".join(f"<th{side}>{escape(title)}</th>" for title, side in zip(table.titles, sides, strict=True))
    rows = ("".join(cell(value, (i, j)) for j, value in enumerate(row)) for i, row in enumerate(table.rows))
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(f'<tr>{row}</tr>' for row in rows)}</tbody></table>"


def html_lines(lines: Sequence[str]) -> str:
    """Lines below a table in a notebook."""
    from html import escape

    return "".join(f"<div>{escape(one_line(line))}</div>" for line in dict.fromkeys(lines))


def draw(table: Table, places: int, *, fancy: bool) -> str:
    """The table as text: rich on a terminal, plain elsewhere."""
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
        placed = zip(row, room, words, strict=True)
        return "  ".join(cell + pad if left else pad + cell for cell, pad, left in placed).rstrip()

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


class Frames(ABC):
    """What a result offers once it has an Arrow table."""

    @abstractmethod
    def to_arrow(self) -> pa.Table:
        """The table."""

    def to_pandas(self) -> pd.DataFrame:
        """The same as a pandas frame."""
        return self.to_arrow().to_pandas()

    def to_polars(self) -> pl.DataFrame:
        """The same as a polars frame."""
        import polars as pl

        return pl.DataFrame(self.to_arrow())


class ArrowColumns(Frames):
    """A result with a `table` that other libraries may read by themselves."""

    table: Any

    @property
    def column_names(self) -> list[str]:
        """The columns of the table."""
        names: list[str] = self.table.column_names
        return names

    def to_arrow(self) -> pa.Table:
        """The table."""
        return self.table

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.table.__arrow_c_stream__(requested_schema)
