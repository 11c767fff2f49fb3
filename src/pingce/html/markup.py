"""HTML that needs no script: both languages in place, everything else escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
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
    en, zh = (
        (readable(part) for part in (words, words)) if isinstance(words, str) else (readable(part) for part in words)
    )
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


@dataclass
class HtmlCell:
    """A cell: what is read, and the number behind it, which copies keep with every digit."""

    inside: str
    value: Any = None
    kind: str | None = None
    head: bool = False

    def html(self) -> str:
        """The element."""
        value = None if self.value is None else repr(self.value) if isinstance(self.value, float) else str(self.value)
        if self.head:
            return tag("th", self.inside, scope="row", class_=self.kind, data_value=value)
        return tag("td", self.inside, class_=self.kind, data_value=value)


def num(value: Any, text: str | None = None, kind: str = "num") -> HtmlCell:
    """A number."""
    return HtmlCell(escape(decimal(value) if text is None else text), value, kind)


@dataclass
class HtmlTable:
    """A table with titles; `key` names it, and makes it one that can be copied."""

    key: str
    titles: Sequence[str]
    "HTML of the heads."
    rows: list[list[HtmlCell]] = field(default_factory=list)
    id: str | None = None
    caption: str | None = None
    kinds: Sequence[str | None] = ()

    def html(self) -> str:
        """The element, in a box of its own that scrolls where it is wide."""
        kinds = [*self.kinds, *[None] * (len(self.titles) - len(self.kinds))]
        heads = "".join(
            tag("th", title, scope="col", class_=kind) for title, kind in zip(self.titles, kinds, strict=True)
        )
        body = "".join(tag("tr", "".join(cell.html() for cell in row)) for row in self.rows)
        caption = tag("caption", self.caption) if self.caption else ""
        inside = caption + tag("thead", tag("tr", heads)) + tag("tbody", body)
        return tag("div", tag("table", inside, id=self.id, data_table=self.key), class_="scroll", tabindex="0")


def listing(items: Iterable[str], **attributes: Any) -> str:
    """A list of pieces of HTML; nothing where there is none."""
    lines = "".join(tag("li", item) for item in items)
    return tag("ul", lines, **attributes) if lines else ""


def model_names(data: Json) -> list[str]:
    """The models of a page, each with its colour."""
    return [model_name(name, at) for at, name in enumerate(data["models"])]


def head(key: str) -> str:
    """The title of a column."""
    return text(WORDS[key])
