"""A page of docs/ as the site has it: without the link to its twin, with links that lead within the site, with its generated parts."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from pingce.base.text import Language
from website.nav import DOCS, places, way

_FENCE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
_TWIN = re.compile(r"^\[(?:中文|English)\]\([^)]*\)\n+", re.MULTILINE)
_IMAGE = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)\)")
_LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
_PART = re.compile(r"<!-- (\w+)(?: (.+?))? -->(?:\n(?:(?!<!--).)*<!-- end -->)?", re.DOTALL)
_STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)

_BOTH = re.compile(r"([ -~]+) ([\u4e00-\u9fff].*)")

Part = Callable[[str], str]


def page_text(source: Path, path: str, parts: dict[str, Part]) -> str:
    """The text of a file for its place in the site; `parts` write what stands between `<!-- name -->` and `<!-- end -->`."""
    text = _TWIN.sub("", source.read_text(encoding="utf-8"), count=1)
    pieces = _FENCE.split(text)
    text = "".join(piece if piece.startswith("```") else _linked(piece, source, path) for piece in pieces)
    return _PART.sub(lambda match: parts[match[1]](match[2] or "") if match[1] in parts else match[0], text)


def images(text: str) -> list[str]:
    """The pictures that a page shows, below `images`."""
    return [Path(target).name for _, target in _IMAGE.findall(text)]


def _linked(text: str, source: Path, path: str) -> str:
    text = _IMAGE.sub(lambda match: _picture(match[1], match[2], source, path), text)
    return _LINK.sub(lambda match: _link(match[1], match[2], source, path), text)


def _picture(words: str, target: str, source: Path, path: str) -> str:
    """A drawing stands within the page, so that it has the page's colours."""
    file = (source.parent / target).resolve()
    if file.suffix != ".svg":
        return f"![{words}]({way(f'images/{file.name}', path)})"
    drawing = _STYLE.sub("", file.read_text(encoding="utf-8")).strip()
    return f'<figure class="drawing" markdown="0">\n{drawing}\n<figcaption>{words}</figcaption>\n</figure>'


def _link(words: str, target: str, source: Path, path: str) -> str:
    if re.match(r"[a-z]+:", target) or target.startswith("#"):
        return f"[{words}]({target})"
    file, _, anchor = target.partition("#")
    place = places().get((source.parent / file).resolve())
    if place is None:
        return words
    return f"[{words}]({way(place, path)}{'#' + anchor if anchor else ''})"


def title(source: Path, lang: Language) -> str:
    """What the page is called; of a page that holds both languages the part in this one."""
    whole = next(line[2:] for line in source.read_text(encoding="utf-8").splitlines() if line.startswith("# "))
    both = _BOTH.fullmatch(whole)
    return both[1 if lang == "en" else 2] if both and language_of(source) == "en" else whole


def written_pages() -> list[Path]:
    """All Markdown files of docs/."""
    return sorted(DOCS.rglob("*.md"))


def language_of(source: Path) -> Language:
    """The language of a file of docs/."""
    return "zh" if source.name.endswith(".zh-CN.md") or source.parent.name == "zh" else "en"
