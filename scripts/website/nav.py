"""Which pages the site has, in which order: docs/nav.toml is the only list."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from pingce.base.json import load_toml
from pingce.base.text import LANGUAGES, Language, Text

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"


@dataclass(frozen=True)
class Page:
    """A page that somebody wrote: `guides/choose.md`, or `{lang}/ndcg.md` for a topic."""

    name: str

    def source(self, lang: Language) -> Path:
        """The file of a language; one that holds both languages stands for both."""
        if "{lang}" in self.name:
            return DOCS / self.name.format(lang=lang)
        twin = DOCS / self.name.replace(".md", ".zh-CN.md")
        return twin if lang == "zh" and twin.exists() else DOCS / self.name

    @property
    def path(self) -> str:
        """Where it stands within the site, the same in all languages."""
        return self.name.replace("{lang}/", "topics/")


@dataclass(frozen=True)
class Section:
    """A tab of the site, or a part of one."""

    title: Text
    pages: tuple[Page, ...] = ()
    generated: str = ""
    "What else is made for it."
    parts: tuple[Section, ...] = field(default=())


def sections() -> list[Section]:
    """The tabs, in order."""
    return [_section(entry) for entry in load_toml((DOCS / "nav.toml").read_text(encoding="utf-8"))["section"]]


def _section(entry: dict[str, Any]) -> Section:
    parts = tuple(map(_section, entry.get("part", ())))
    pages = tuple(map(Page, entry.get("pages", ())))
    return Section(Text(entry["en"], entry["zh"]), pages, entry.get("generated", ""), parts)


def pages() -> list[Page]:
    """All pages that somebody wrote, or that `make docs` writes."""
    return [page for section in sections() for page in _within(section)]


def _within(section: Section) -> Iterator[Page]:
    yield from section.pages
    for part in section.parts:
        yield from _within(part)


def way(place: str, page: str) -> str:
    """How a page links to a place of the site."""
    return os.path.relpath(place, Path(page).parent)


@cache
def places() -> dict[Path, str]:
    """Where in the site each file is found."""
    found = {page.source(lang): page.path for page in pages() for lang in LANGUAGES}
    return {**found, ROOT / "benchmarks" / "results.md": "benchmarks.md"}
