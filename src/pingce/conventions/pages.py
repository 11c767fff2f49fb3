"""The conventions in words, made from their files: the list, a page a tool, and one metric in every tool."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from pingce.base.tables import Table
from pingce.base.text import Text, headed
from pingce.conventions.declared import CHECKED, Convention, Entry, conventions
from pingce.conventions.resolve import template
from pingce.evidence.policies import Stated
from pingce.metrics.grammar import MetricRequest
from pingce.metrics.parameters import Choice, GainCheck, shown
from pingce.tasks import TASKS

Draw = Callable[[Table], str]


def listing() -> Table:
    """One row per tool."""
    titles = [Text("tool", "工具"), Text("checked version", "核对的版本"), Text("how", "方式")]
    titles += [Text("tasks", "任务"), Text("metrics", "指标数")]
    rows = [
        [
            tool.tool,
            tool.version,
            str(CHECKED[tool.checked]),
            str(Text(", ", "、")).join(str(TASKS[task].noun) for task in tool.tasks),
            len(tool.entries),
        ]
        for tool in conventions().values()
    ]
    return Table([str(title) for title in titles], rows)  # type: ignore[arg-type]


def tool_page(convention: Convention, draw: Draw) -> str:
    """Everything about one tool."""
    head = f"# {convention.title} {convention.version}"
    parts = [head, headed(CHECKED[convention.checked], convention.home), str(convention.about)]
    for task in convention.tasks:
        policies = policy_words(convention.policies.get(task, {}))
        line = Text(f"policies: {policies or 'the defaults'}", f"策略：{policies or '默认'}")
        entries = [entry for entry in convention.entries if entry.task == task]
        titles = [Text("there called", "在该工具中"), Text("in pingce", "在 pingce 中"), Text("note", "说明")]
        titles.append(Text("source", "出处"))
        rows = [[entry.name, meaning(entry), str(entry.note or ""), entry.source] for entry in entries]
        table = Table([str(title) for title in titles], rows)  # type: ignore[arg-type]
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
        entries = [
            (tool, entry)
            for tool in conventions().values()
            for entry in tool.entries
            if entry.task == task and template(entry).kind is kind
        ]
        titles = [Text("tool", "工具"), Text("there called", "在该工具中"), Text("in pingce", "在 pingce 中")]
        titles += [Text("policies", "策略"), Text("note", "说明")]
        rows = [
            [
                tool.tool,
                entry.name,
                entry.means,
                policy_words({**tool.policies.get(task, {}), **entry.policies}),
                str(entry.note or ""),
            ]
            for tool, entry in entries
        ]
        title = str(
            Text(
                f"# {kind.name}: {kind.title.en} ({TASKS[task].noun.en})",
                f"# {kind.name}：{kind.title.zh}（{TASKS[task].noun.zh}）",
            )
        )
        if not rows:
            nobody = Text("no tool that pingce knows has it", "pingce 所知的工具都没有该指标")
            parts += [title, str(nobody)]
            continue
        table = Table([str(each) for each in titles], rows)  # type: ignore[arg-type]
        ours = Text(f"pingce: {kind.formula}", f"pingce：{kind.formula}")
        parts += [title, str(ours), *(["\n".join(_words(kind))] if kind.parameters() else []), draw(table)]
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
        check = parameter.metadata["check"]
        if isinstance(check, (Choice, GainCheck)):
            en = "; ".join(f"{word}: {text.en}" for word, text in check.words.items())
            zh = "；".join(f"{word}：{text.zh}" for word, text in check.words.items())
            words = Text(f" ({en})", f"（{zh}）")
            lines.append(f"- {parameter.name}={parameter.default}{words}")
        else:
            lines.append(f"- {parameter.name}={'–' if parameter.default is None else parameter.default}")
    return lines
