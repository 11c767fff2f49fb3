"""What each tool means by its metrics, as its file in this folder says. Data only: no metric is known here."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import field
from functools import cache
from importlib.resources import files

from pingce.base.json import load_toml
from pingce.base.lazy import cached_property
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.policy_set import Stated

CHECKED = {
    "run": Text("the tool itself was run", "实际运行该工具核对"),
    "transcribed": Text("its formula was transcribed", "按其公式转写核对"),
}
_PLACE = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Entry:
    """One metric of a tool: its own spelling, and what that means here."""

    name: str
    "The tool's spelling; {k} and other braces stand for a number."
    means: str
    "The metric in pingce's grammar, with every parameter in which the tool differs."
    source: str
    "Where in the tool's source or documentation the fact stands."
    task: str = "ranking"
    policies: Stated = field(default_factory=dict)
    "Policies of this metric alone, on top of the tool's."
    note: Text | None = None
    also: tuple[str, ...] = ()
    "Other spellings of the tool."
    level: str = ""
    "What may follow any spelling to say from which grade on an item is relevant, e.g. -l{level}."

    @property
    def name_at_10(self) -> str:
        """Its spelling, with 10 for a cut-off."""
        return self.name.replace("{k}", "10")

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
        numbers = match.groupdict()
        meaning = _PLACE.sub(lambda place: numbers[place[1]], self.means)
        if "level" not in numbers:
            return meaning
        head, at, k = meaning.partition("@")
        inside = f"{head[:-1]}," if head.endswith(")") else f"{head}("
        return f"{inside}relevant={numbers['level']}){at}{k}"


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
    paths = (path for path in files("pingce.conventions").iterdir() if path.name.endswith(".toml"))
    tools = [read_convention(path.read_text(encoding="utf-8")) for path in paths]
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
    table = load_toml(text)
    level = table.pop("level", "")
    return Convention(
        about=Text(**table.pop("about")),
        policies=table.pop("policies", {}),
        entries=tuple(
            Entry(
                **entry
                | {"also": tuple(entry.get("also", ()))}
                | {"note": entry.get("note") and Text(**entry["note"])},
                level=level,
            )
            for entry in table.pop("metric")
        ),
        defects=tuple(Defect(each["about"], Text(each["en"], each["zh"])) for each in table.pop("defect", ())),
        aliases=tuple(table.pop("aliases", ())),
        **table,
    )
