"""What each tool means by its metrics, as its file in this folder says. Data only: no metric is known here."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from pingce.base.json import Json
from pingce.base.lazy import cached_property
from pingce.base.text import Text
from pingce.base.toml import loads
from pingce.evidence.policies import Stated

CHECKED = {
    "run": Text("the tool itself was run", "实际运行该工具核对"),
    "transcribed": Text("its formula was transcribed", "按其公式转写核对"),
}
_PLACE = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Entry:
    """One metric of a tool: its own spelling, and what that means here."""

    task: str
    name: str
    "The tool's spelling; {k} and other braces stand for a number."
    means: str
    "The metric in pingce's grammar, with every parameter in which the tool differs."
    policies: Stated
    "Policies of this metric alone, on top of the tool's."
    source: str
    "Where in the tool's source or documentation the fact stands."
    note: Text | None = None
    also: tuple[str, ...] = ()
    "Other spellings of the tool."
    level: str = ""
    "What may follow any spelling to say from which grade on an item is relevant, e.g. -l{level}."

    @cached_property
    def _patterns(self) -> list[re.Pattern[str]]:
        names = [self.name, *self.also]
        return [_pattern(name) for name in [*names, *(name + self.level for name in names if self.level)]]

    def read(self, text: str) -> str | None:
        """What a spelling means, if it is of this metric."""
        plain = re.sub(r"\s", "", text)
        match = next((match for pattern in self._patterns if (match := pattern.fullmatch(plain))), None)
        if match is None:
            return None
        meaning = _PLACE.sub(lambda place: match.groupdict()[place[1]], self.means)
        level = match.groupdict().get("level")
        return meaning if level is None else _from_grade(meaning, level)


def _from_grade(meaning: str, level: str) -> str:
    """A metric whose relevant items are those from a grade on."""
    head, at, k = meaning.partition("@")
    inside = f"{head[:-1]}," if head.endswith(")") else f"{head}("
    return f"{inside}relevant={level}){at}{k}"


def _pattern(name: str) -> re.Pattern[str]:
    """A spelling with a number at each of its places."""
    pieces = _PLACE.split(re.sub(r"\s", "", name))
    escaped = [re.escape(piece) if i % 2 == 0 else rf"(?P<{piece}>\d+(?:\.\d+)?)" for i, piece in enumerate(pieces)]
    return re.compile("".join(escaped))


@dataclass(frozen=True)
class Defect:
    """Behaviour of a tool that is not reproduced, in words."""

    about: str
    text: Text


@dataclass(frozen=True)
class Convention:
    """One tool."""

    tool: str
    title: str
    version: str
    "The version that was checked."
    checked: str
    "A key of CHECKED."
    home: str
    about: Text
    policies: Mapping[str, Stated]
    "By task: what the tool does where data leaves a choice."
    entries: tuple[Entry, ...]
    defects: tuple[Defect, ...]
    aliases: tuple[str, ...] = ()

    @property
    def tasks(self) -> tuple[str, ...]:
        """The tasks it has metrics of."""
        return tuple(dict.fromkeys(entry.task for entry in self.entries))


@cache
def conventions() -> dict[str, Convention]:
    """All tools by name, in alphabetical order."""
    folder = files("pingce.conventions")
    tools = [
        read_convention(path.read_text(encoding="utf-8")) for path in folder.iterdir() if path.name.endswith(".toml")
    ]
    return {tool.tool: tool for tool in sorted(tools, key=lambda tool: tool.tool)}


def tool_spellings(text: str, task: str) -> Iterator[tuple[str, str]]:
    """The tools that have a spelling, each with what it means there."""
    for convention in conventions().values():
        meanings = (entry.read(text) for entry in convention.entries if entry.task == task)
        meaning = next((meaning for meaning in meanings if meaning is not None), None)
        if meaning is not None:
            yield convention.tool, meaning


@cache
def convention_file(tool: str) -> Convention | None:
    """One tool, by the name of its file alone."""
    path = files("pingce.conventions") / f"{tool}.toml"
    return read_convention(path.read_text(encoding="utf-8")) if tool.isidentifier() and path.is_file() else None


def read_convention(text: str) -> Convention:
    """A tool from the text of its file."""
    table = loads(text)
    return Convention(
        tool=table["tool"],
        title=table["title"],
        version=table["version"],
        checked=table["checked"],
        home=table["home"],
        about=Text(**table["about"]),
        policies=table.get("policies", {}),
        entries=tuple(_entry(entry, table.get("level", "")) for entry in table["metric"]),
        defects=tuple(Defect(entry["about"], Text(entry["en"], entry["zh"])) for entry in table.get("defect", ())),
        aliases=tuple(table.get("aliases", ())),
    )


def _entry(table: Json, level: str) -> Entry:
    note = table.get("note")
    return Entry(
        task=table.get("task", "ranking"),
        name=table["name"],
        means=table["means"],
        policies=table.get("policies", {}),
        source=table["source"],
        note=Text(**note) if note else None,
        also=tuple(table.get("also", ())),
        level=level,
    )
