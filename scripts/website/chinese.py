"""The Chinese of the reference: docs/api/zh has a file a page, and in it a text for each docstring with a digest of the English.

An entry is `name = [digest, text]` in the table of its module. Paragraphs answer those of the docstring one by one; examples
stay as they are. A docstring that several names share is translated once, under one of them.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from pingce.base.json import load_toml
from pingce.base.text import language
from website.docstrings import definition_of, shown_docstrings
from website.nav import DOCS
from website.reference import OTHER, ROOMS, public_names, room_of

_EMPTY_LINES = re.compile(r"\n(?:\s*\n)+")


@dataclass(frozen=True)
class Entry:
    """The Chinese of one docstring, and which English it says."""

    file: str
    digest: str
    text: str


def paragraphs(text: str) -> list[str]:
    """The paragraphs of a docstring, examples among them."""
    return _EMPTY_LINES.split(text.strip())


def is_example(paragraph: str) -> bool:
    """Whether a paragraph is code with its output."""
    return paragraph.startswith(">>> ")


def prose(docstring: str) -> list[str]:
    """The paragraphs that are said in each language."""
    return [paragraph for paragraph in paragraphs(docstring) if not is_example(paragraph)]


def digest(docstring: str) -> str:
    """What changes when the words of a docstring do: where lines end does not matter."""
    words = "\n".join(" ".join(paragraph.split()) for paragraph in prose(docstring))
    return hashlib.sha256(words.encode()).hexdigest()[:8]


def file_of(name: str) -> str:
    """The file that has the Chinese of a name."""
    return f"docs/api/zh/{room_of(name).file}.toml"


@cache
def entries() -> dict[str, Entry]:
    """All entries by the full names that they belong to."""
    files = [DOCS / "api" / "zh" / f"{room.file}.toml" for room in (*ROOMS, OTHER)]
    return {
        f"{module}.{name}": Entry(f"docs/api/zh/{file.name}", *entry)
        for file in files
        for module, table in load_toml(file.read_text(encoding="utf-8")).items()
        for name, entry in table.items()
    }


@cache
def chinese_docstrings() -> dict[str, str]:
    """The docstring of everything that the reference shows, in Chinese; what has none yet, which `problems` says, in English."""
    by_digest = {entry.digest: entry.text for entry in entries().values()}
    by_name = {name: entry.text for name, entry in entries().items()}
    return {
        name: _translated(text, by_name.get(name) or by_digest.get(digest(text), text))
        for name, text in shown_docstrings().items()
    }


def _translated(docstring: str, text: str) -> str:
    words = iter(prose(text))
    return "\n\n".join(part if is_example(part) else next(words, part) for part in paragraphs(docstring))


def first_lines() -> dict[str, str]:
    """What each public name is, by its docstring, in the language in force."""
    texts = chinese_docstrings() if language() == "zh" else shown_docstrings()
    names = public_names().items()
    return {name: " ".join(paragraphs(texts[definition_of(f"{module}.{name}")])[0].split()) for name, module in names}


def problems(shown: Mapping[str, str], texts: Mapping[str, Entry]) -> list[str]:
    """What is left over, missing, out of date, written twice or at the wrong place, each with what is to be done."""
    left = [
        f"{entry.file}: {name} is not in the reference: take it out"
        for name, entry in texts.items()
        if name not in shown
    ]
    return [*left, *_missing(shown, texts), *_out_of_date(shown, texts), *_written_twice(texts)]


def _missing(shown: Mapping[str, str], texts: Mapping[str, Entry]) -> Iterator[str]:
    known = {entry.digest for entry in texts.values()}
    for name, docstring in shown.items():
        if name not in texts and digest(docstring) not in known:
            yield f'{file_of(name)}: {name} has no Chinese: write ["{digest(docstring)}", "…"]'


def _out_of_date(shown: Mapping[str, str], texts: Mapping[str, Entry]) -> Iterator[str]:
    for name, entry in texts.items():
        wanted, count = digest(shown.get(name, "")), len(prose(shown.get(name, "")))
        if name in shown and entry.digest != wanted:
            yield f"{entry.file}: {name} has another docstring since: see to its Chinese, then write {wanted} for {entry.digest}"
        elif name in shown and len(paragraphs(entry.text)) != count:
            yield f"{entry.file}: {name} has {len(paragraphs(entry.text))} paragraphs, its docstring {count}"
        elif entry.file != file_of(name):
            yield f"{entry.file}: {name} belongs into {file_of(name)}"


def _written_twice(texts: Mapping[str, Entry]) -> Iterator[str]:
    first: dict[tuple[str, str], str] = {}
    for name, entry in texts.items():
        other = first.setdefault((entry.digest, entry.text), name)
        if other != name:
            yield f"{entry.file}: {name} says what {other} says: take it out"
