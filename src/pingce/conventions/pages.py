"""The conventions in words, made from their files: the list, a page a tool, and one metric in every tool."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from pingce.base.tables import Table
from pingce.base.text import Text, headed
from pingce.conventions.declared import CHECKED, Convention, Entry, conventions
from pingce.conventions.resolve import template
from pingce.evidence.policy_set import Stated
from pingce.metrics.catalogue import table_of
from pingce.metrics.grammar import MetricRequest
from pingce.metrics.parameters import Choice, GainCheck, shown
from pingce.tasks import TASKS

Draw = Callable[[Table], str]
_THERE, _HERE, _NOTE = Text("there called", "在该工具中"), Text("in pingce", "在 pingce 中"), Text("note", "说明")


def listing() -> Table:
    """One row per tool."""
    titles = Text("tool", "工具"), Text("checked version", "核对的版本"), Text("how", "方式")
    tools = [
        (tool, str(Text(", ", "、")).join(str(TASKS[task].noun) for task in tool.tasks))
        for tool in conventions().values()
    ]
    return table_of(
        (*titles, Text("tasks", "任务"), Text("metrics", "指标数")),
        [(tool.tool, tool.version, CHECKED[tool.checked], tasks, len(tool.entries)) for tool, tasks in tools],
    )


def tool_page(convention: Convention, draw: Draw) -> str:
    """Everything about one tool."""
    head = f"# {convention.title} {convention.version}"
    parts = [head, headed(CHECKED[convention.checked], convention.home), str(convention.about)]
    for task in convention.tasks:
        policies = policy_words(convention.policies.get(task, {}))
        line = Text(f"policies: {policies or 'the defaults'}", f"策略：{policies or '默认'}")
        entries = [entry for entry in convention.entries if entry.task == task]
        rows = [(entry.name, meaning(entry), entry.note or "", entry.source) for entry in entries]
        table = table_of((_THERE, _HERE, _NOTE, Text("source", "出处")), rows)
        parts += [f"## {TASKS[task].noun}", str(line), draw(table)]
    if convention.defects:
        parts.append(str(Text("## Not reproduced, or worth knowing", "## 不予复现或须知")))
        parts.append("\n".join(f"- {headed(defect.about, defect.text)}" for defect in convention.defects))
    return "\n\n".join(parts)


def metric_page(requests: Iterable[MetricRequest], draw: Draw) -> str:
    """What every tool means by a metric, for each task that has it."""
    parts = []
    for request in requests:
        kind, task = type(request.metric), request.metric.task
        rows = [
            (
                tool.tool,
                entry.name,
                entry.means,
                policy_words({**tool.policies.get(task, {}), **entry.policies}),
                entry.note or "",
            )
            for tool in conventions().values()
            for entry in tool.entries
            if entry.task == task and template(entry).kind is kind
        ]
        noun = TASKS[task].noun
        title = Text(f"# {kind.name}: {kind.title.en} ({noun.en})", f"# {kind.name}：{kind.title.zh}（{noun.zh}）")
        if not rows:
            parts += [str(title), str(Text("no tool that pingce knows has it", "pingce 所知的工具都没有该指标"))]
            continue
        table = table_of((Text("tool", "工具"), _THERE, _HERE, Text("policies", "策略"), _NOTE), rows)
        parts += [
            str(title),
            headed("pingce", kind.formula),
            *(["\n".join(_words(kind))] if kind.parameters() else []),
            draw(table),
        ]
    return "\n\n".join(parts)


def meaning(entry: Entry) -> str:
    """What an entry means, with the policies of its own."""
    policies = policy_words(entry.policies)
    return f"{entry.means}  [{policies}]" if policies else entry.means


def policy_words(policies: Stated) -> str:
    """Policies in one line."""
    return ", ".join(f"{name}={shown(value)}" for name, value in policies.items())


def _words(kind: type[Any]) -> list[str]:
    """Each parameter with its values in words, the default first."""
    lines = []
    for parameter in kind.parameters():
        check, words = parameter.metadata["check"], ""
        if isinstance(check, (Choice, GainCheck)):
            en = "; ".join(f"{word}: {text.en}" for word, text in check.words.items())
            zh = "；".join(f"{word}：{text.zh}" for word, text in check.words.items())
            words = str(Text(f" ({en})", f"（{zh}）"))
        lines.append(f"- {parameter.name}={'–' if parameter.default is None else parameter.default}{words}")
    return lines
