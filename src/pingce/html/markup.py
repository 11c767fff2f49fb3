"""HTML that needs no script: both languages in place, everything else escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from pingce.base.json import Json
from pingce.base.text import Text
from pingce.html.plain import readable
from pingce.html.words import WORDS

MODEL_COLOURS = 8
_NOTHING = 1e-9
"What is smaller is rounding."


def text(words: str | Text | Sequence[str]) -> str:
    """A text; where the languages differ both stand there, and the style shows one."""
    en, zh = map(readable, (words, words) if isinstance(words, str) else words)
    if en == zh:
        return escape(en)
    return f'<span lang="en">{escape(en)}</span><span lang="zh">{escape(zh)}</span>'


def tag(name: str, inside: str = "", **attributes: Any) -> str:
    """An element; attributes that are None are left out, `_` in their names is `-`."""
    parts = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(readable(value))}"' if value != "" else f" {key.rstrip('_')}"
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{parts}>{inside}</{name}>"


def name_of(label: str) -> str:
    """An id or a model: text of any direction, which cannot disturb its neighbours."""
    return f"<bdi>{escape(readable(label))}</bdi>"


def model_name(label: str, place: int) -> str:
    """A model with its colour."""
    return f'<span class="model m{place % MODEL_COLOURS}"><i></i>{name_of(label)}</span>'


def decimal(value: float | None, places: int = 4) -> str:
    """A number as it is read; a dash where there is none."""
    if value is None:
        return "–"
    if isinstance(value, int):
        return f"{value:,}"
    size = abs(value) if abs(value) >= _NOTHING else 0.0
    if size and (size < 10 ** -(places - 1) or size >= 1e6):
        return f"{value:.4g}"
    return f"{value if size else 0.0:.{places}f}" if size < 1000 else f"{value:,.2f}"


def signed(value: float | None, places: int = 4) -> str:
    """A difference."""
    if value is None:
        return "–"
    size = abs(float(value))
    tiny = _NOTHING <= size < 0.5 * 10**-places
    written = f"{size:.1e}" if tiny else f"{size if size >= _NOTHING else 0.0:,.{places}f}"
    return f"{'−' if value < 0 else '+'}{written}"


def probability(p: float | None) -> str:
    """A p-value."""
    return "–" if p is None else "< 0.0001" if p < 1e-4 else f"{p:.4f}" if p < 0.1 else f"{p:.2f}"


def cell(inside: str, value: Any = None, kind: str | None = None) -> str:
    """A cell: what is read, and the number behind it, which copies keep with every digit."""
    written = None if value is None else repr(value) if isinstance(value, float) else str(value)
    return tag("td", inside, class_=kind, data_value=written)


def num(value: Any, text: str | None = None) -> str:
    """A cell with a number."""
    return cell(escape(decimal(value) if text is None else text), value, "num")


def title_cell(inside: str, kind: str | None = None) -> str:
    """The cell that says what a row is about."""
    return tag("th", inside, scope="row", class_=kind)


def row(*cells: str, **attributes: Any) -> str:
    """A row of a table."""
    return tag("tr", "".join(cells), **attributes)


def table(key: str, titles: Sequence[str], rows: Iterable[str], *, labels: int = 1, **attributes: Any) -> str:
    """A table that can be copied, in a box of its own that scrolls; after the labels its columns are numbers.

    A `caption` is HTML; `last` is the kind of the last column, where it is another.
    """
    caption, last = attributes.pop("caption", ""), attributes.pop("last", None)
    kinds = [None if at < labels else "num" for at in range(len(titles))]
    kinds[-1] = last or kinds[-1]
    heads = (tag("th", title, scope="col", class_=kind) for title, kind in zip(titles, kinds, strict=True))
    inside = tag("thead", row(*heads)) + tag("tbody", "".join(rows))
    inside = (tag("caption", caption) if caption else "") + inside
    return tag("div", tag("table", inside, **attributes, data_table=key), class_="scroll", tabindex="0")


def model_table(key: str, data: Json, titles: Iterable[str], values: Iterable[Iterable[Any]]) -> str:
    """A table with a row of numbers per model."""
    rows = (row(title_cell(model), *map(num, line)) for model, line in zip(model_names(data), values, strict=True))
    return table(key, [head("model"), *titles], rows)


def listing(items: Iterable[str], kind: str) -> str:
    """A list of pieces of HTML; nothing where there is none."""
    lines = "".join(tag("li", item) for item in items)
    return tag("ul", lines, class_=kind) if lines else ""


def readings(models: Sequence[str], points: Iterable[Sequence[Any]], between: Sequence[Any]) -> str:
    """What the numbers of each model say, point by point, and what shows only between models."""
    named = [f"{model}{_points(entries)}" for model, entries in zip(models, points, strict=True) if entries]
    return listing([*named, *([_points(between)] if between else [])], "diagnosis")


def _points(entries: Sequence[Any]) -> str:
    """A label and a sentence each."""
    pairs = (tag("div", tag("dt", text(label)) + tag("dd", text(words))) for label, words in entries)
    return tag("dl", "".join(pairs), class_="points")


def sentences(lines: Iterable[Sequence[str]], kind: str = "fine") -> str:
    """A list of texts."""
    return listing(map(text, lines), kind)


def note(words: Sequence[str] | None) -> str:
    """A paragraph about what was left out; nothing where nothing was."""
    return tag("p", text(words), class_="note") if words else ""


def model_names(data: Json) -> list[str]:
    """The models of a page, each with its colour."""
    return [model_name(name, at) for at, name in enumerate(data["models"])]


def head(key: str) -> str:
    """The title of a column."""
    return text(WORDS[key])
