"""Results in a notebook: a table to look at, and what stands behind it folded away.

No colour and no style sheet: a piece of HTML takes those of the page around it, dark or light. Ids are untrusted text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from pingce.base.errors import one_line
from pingce.base.tables import Table, html, html_lines
from pingce.base.text import Text

_MOST, _FIRST = 30, 20
"Rows of a table that are shown at once, and how many where there are more."
DEFINITIONS = Text("definitions", "定义")
POLICIES = Text("policies", "策略")
STANDS_ON = Text("what the values stand on", "数值的依据")
SETTINGS = Text("settings", "设置")


def notebook(*parts: str) -> str:
    """All parts of a result."""
    return f'<div class="pingce">{"".join(parts)}</div>'


def fold(title: Text | str, *parts: str) -> str:
    """Parts that open with a click on their title; nothing where there is none."""
    from html import escape

    inside = "".join(parts)
    return f"<details><summary>{escape(one_line(str(title)))}</summary>{inside}</details>" if inside else ""


def long_table(table: Table, places: int) -> str:
    """A table; of many rows only the first are seen, the others open with a click."""
    if len(table.rows) <= _MOST:
        return html(table, places)
    rest = frozenset((row - _FIRST, column) for row, column in table.best if row >= _FIRST)
    more = len(table.rows) - _FIRST
    title = Text(f"{more} more rows", f"另有 {more} 行")
    others = replace(table, rows=table.rows[_FIRST:], best=rest)
    return html(replace(table, rows=table.rows[:_FIRST]), places) + fold(title, html(others, places))


def folded_lines(title: Text, lines: Iterable[object]) -> str:
    """Sentences behind a title."""
    return fold(title, html_lines([str(line) for line in lines]))


def folded_settings(title: Text, settings: Mapping[str, object], meanings: Mapping[str, Text] | None = None) -> str:
    """Names and values behind a title, with what each means where that is known."""
    titles = [
        str(Text("name", "名称")),
        str(Text("value", "取值")),
        *([str(Text("meaning", "含义"))] if meanings else []),
    ]
    rows = [
        [name, str(value), *([str(meanings[name]).replace("`", "")] if meanings else [])]
        for name, value in settings.items()
    ]
    return fold(title, html(Table(titles, [list(row) for row in rows]), 4)) if rows else ""
