"""Spellings that belong to a tool, and carry that tool's definition: looked up where pingce's own grammar has none."""

from __future__ import annotations

from pingce.errors import InputError
from pingce.language import Text

_SHOWN = 3


def meaning_of(text: str, task: str) -> str | None:
    """What a tool's spelling means in the grammar; None where no tool has it. Two meanings are refused."""
    from pingce.conventions.declared import conventions
    from pingce.metrics.grammar import parse_metric

    found: dict[str, list[str]] = {}
    for convention in conventions().values():
        read = (entry.read(text) for entry in convention.entries if entry.task == task)
        meaning = next((meaning for meaning in read if meaning is not None), None)
        if meaning is not None:
            found.setdefault(parse_metric(meaning, task=task).id, []).append(convention.tool)
    if len(found) > 1:
        raise _two_meanings(text, found)
    return next(iter(found), None)


def _two_meanings(text: str, found: dict[str, list[str]]) -> InputError:
    tools = [", ".join(tools[:_SHOWN]) for tools in found.values()]
    pairs = list(zip(found, tools, strict=True))
    said = Text(
        "; ".join(f"{meaning} in {tool}" for meaning, tool in pairs),
        "；".join(f"在 {tool} 中是 {meaning}" for meaning, tool in pairs),
    )
    first = found[next(iter(found))][0]
    return InputError(
        f"'{text}' means several things: {said.en}; write the one you mean, or name the tool (convention={first})",
        f"'{text}' 有多种含义：{said.zh}；请写出所指的一种，或指明工具（convention={first}）",
    )
