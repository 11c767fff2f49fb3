"""Spellings that belong to a tool, and carry that tool's definition: looked up where pingce's own grammar has none."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.tasks import TASKS

if TYPE_CHECKING:
    from pingce.metrics.declared import Metric

_SHOWN = 3


def meaning_of(text: str, task: str) -> str | None:
    """What a tool's spelling means in the grammar; None where no tool has it. Two meanings are refused."""
    from pingce.metrics.grammar import parse_metric

    meanings: dict[str, list[str]] = {}
    for convention, entry in TASKS[task].load("tool_spellings")(text, task):
        meanings.setdefault(parse_metric(entry, task=task).id, []).append(convention)
    if len(meanings) > 1:
        raise _two_meanings(text, meanings)
    return next(iter(meanings), None)


def refuse_other_meaning(text: str, metric: Metric, written: Collection[str]) -> None:
    """Refuse capitals that only a tool writes so (nDCG) where it means another metric, unless all that differs is `written`.

    Names in small letters are pingce's own, and capitals alone are shouting.
    """
    name = text.partition("(")[0].partition("@")[0].strip()
    if name.islower() or name.isupper() or meaning_of(text, metric.task) == metric.id:
        return
    from pingce.metrics.grammar import parse_metric

    plain = name if metric.k is None else f"{name}@{metric.k}"
    meaning = meaning_of(plain, metric.task)
    if meaning is None:
        return
    theirs = parse_metric(meaning, task=metric.task).metric
    other = [p.name for p in theirs.parameters() if getattr(theirs, p.name) != p.default]
    if type(theirs) is not type(metric) or not set(other) <= set(written):
        tools = [tool for tool, _ in TASKS[metric.task].load("tool_spellings")(plain, metric.task)]
        raise _two_meanings(text, {meaning: tools, metric.id: ["pingce"]})


def _two_meanings(text: str, meanings: dict[str, list[str]]) -> InputError:
    tools = [", ".join(tools[:_SHOWN]) for tools in meanings.values()]
    pairs = list(zip(meanings, tools, strict=True))
    words = Text(
        "; ".join(f"{meaning} in {tool}" for meaning, tool in pairs),
        "；".join(f"在 {tool} 中是 {meaning}" for meaning, tool in pairs),
    )
    first = meanings[next(iter(meanings))][0]
    return InputError(
        f"'{text}' means several things: {words.en}; write the one you mean, or name the tool (convention={first})",
        f"'{text}' 有多种含义：{words.zh}；请写出所指的一种，或指明工具（convention={first}）",
    )
