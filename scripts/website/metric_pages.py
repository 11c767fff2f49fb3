"""A page a metric, made from its declaration: formula, example worked out, parameters, every tool's variant, pitfalls."""

from __future__ import annotations

import re
from functools import cache
from math import isnan
from typing import Any

import numpy as np

import pingce as pc
from pingce.base.tables import Table, markdown, markdown_text
from pingce.base.text import Text
from pingce.conventions import pages as convention_pages
from pingce.conventions.declared import conventions
from pingce.conventions.resolve import template
from pingce.metrics.catalogue import example_value, heading, parameter_lines, range_words
from pingce.metrics.declared import Metric, readings, registry
from pingce.metrics.grammar import written_names
from pingce.metrics.parameters import shown
from pingce.metrics.ranking.items import EXAMPLE
from pingce.metrics.references import REFERENCES
from pingce.tasks import TASKS
from website.formula import formula_lines
from website.nav import way

Kind = type[Metric]
_SUBSCRIPT = re.compile(r"\b([A-Za-zȳp̄ŷ]{1,3})\\_(\w+)\b")
"A letter with a letter below it, as Markdown has it."


def kinds(task: str) -> list[Kind]:
    """All metrics of a task, and what is read out of them last."""
    return [*registry(task).values(), *readings(task).values()]


def metric_path(kind: Kind) -> str:
    """Where its page stands."""
    return f"metrics/{kind.task}/{kind.name}.md"


def metric_pages() -> dict[str, str]:
    """Every page by its place, in the language in force."""
    return {metric_path(kind): metric_page(kind) for task in TASKS for kind in kinds(task)}


def metric_tables(page: str) -> str:
    """The tables of all metrics, with links to their pages."""
    parts = []
    for task in TASKS:
        rows = [[_link(kind, page), ", ".join(kind.aliases), kind.title, kind.about.question] for kind in kinds(task)]
        titles = Text("metric|also|name|question", "指标|别名|名称|回答的问题")
        parts.append(f"## {heading(task)}\n\n{_rows(str(titles).split('|'), rows)}")
    return "\n\n".join(parts)


def metric_page(kind: Kind) -> str:
    """One metric in full."""
    about = kind.about
    undefined = kind.undefined_words(about.undefined) if about.undefined.en else Text("never", "从不")
    facts = [
        (Text("range", "取值"), range_words(kind).replace("    ", str(Text("; ", "；")))),
        (Text("undefined", "没有定义"), str(undefined)),
        (Text("ties", "并列"), str(kind.tie_words() or "")),
        (Text("threshold", "阈值"), str(kind.threshold_words() or "")),
        (Text("typical k", "常用 k"), about.typical_k if about.typical_k != "–" else ""),
        (Text("use", "用途"), str(about.use)),
    ]
    sections: list[tuple[Text, str]] = [
        (Text("Formula", "公式"), _formula(kind)),
        (Text("Worked example", "算例"), _example(kind)),
        (Text("What it cannot see", "看不到什么"), f'!!! warning ""\n\n    {markdown_text(str(about.blind))}'),
        (Text("Good to know", "须知"), "\n".join(f"- **{name}**: {_plain(words)}" for name, words in facts if words)),
        (Text("Parameters", "参数"), "\n".join(_parameter(line) for line in parameter_lines(kind))),
        (Text("What each tool means by it", "各工具的定义"), _variants(kind)),
        (Text("In code", "用法"), _code(kind)),
        (Text("Look at it with", "搭配"), ", ".join(_neighbour(kind, name) for name in about.pairs_with)),
        (Text("Reference", "文献"), _plain(REFERENCES[about.reference]) if about.reference else ""),
    ]
    body = (f"## {name}\n\n{text}" for name, text in sections if text)
    return "\n\n".join([_head(kind), *body]) + "\n"


def _head(kind: Kind) -> str:
    call = kind.name + (f"@{kind.takes}" if kind.takes else "")
    also = [*(f"`{alias}`" for alias in kind.aliases), *kind.about.also]
    known = f"{Text('Also', '又名')} {str(Text(', ', '、')).join(also)}" if also else ""
    line = Text(" · ", " · ").en.join(filter(None, [f"`{call}`", str(TASKS[kind.task].title), known]))
    return f"# {_plain(kind.title)}\n\n**{_plain(kind.about.question)}**\n\n{line}"


def _plain(words: object) -> str:
    return markdown_text(str(words))


@cache
def names() -> frozenset[str]:
    """Names with a low line that formulas use."""
    written = {name.lower() for task in TASKS for name in written_names(task) if "_" in name}
    parameters = {field.name for task in TASKS for kind in kinds(task) for field in kind.parameters()}
    return frozenset(written | {name for name in parameters if "_" in name})


def _formula(kind: Kind) -> str:
    lines = "\n".join(f"<div>{line}</div>" for line in formula_lines(str(kind.formula), names()))
    symbols = _SUBSCRIPT.sub(r"\1<sub>\2</sub>", _plain(kind.symbols))
    return f'<div class="formula" markdown="0">\n{lines}\n</div>\n\n{symbols}'


def _example(kind: Kind) -> str:
    """The declared example, in a line and worked out."""
    head = f"`{kind.about.example[0]}` = **{example_value(kind):.6g}** — {_plain(kind.example_words())}"
    words = "\n".join(f"> {_plain(line)}  " for line in str(kind.about.worked).splitlines())
    found = explained(kind)
    if found is None:
        return f"{head}\n\n{words}"
    _, *steps = found.to_markdown().split("\n\n")
    known = {_plain(found.question), _plain(found.formula)}
    steps = [step for step in steps if step not in known]
    return "\n\n".join([head, words, f"### {Text('Line by line', '逐行计算')}", *steps])


def explained(kind: Kind) -> Any:
    """The example that a metric declares, worked out; None for what is read out of slices."""
    task: Any = TASKS[kind.task]
    if kind.is_reading:
        return None
    spec, truth, predicted, *columns = kind.about.example
    if not task.of_rows:
        return _explained_list(kind, spec, truth, predicted)
    if isinstance(predicted[0], tuple) and not task.of_matrices:
        return pc.explain(spec, list(truth), None, task=kind.task, proba=np.array(predicted))
    groups = kind.about.groups
    more: dict[str, Any] = {"group": list(groups)} if groups else {}
    roles = () if task.of_matrices else task.columns
    more |= dict(zip((role.name for role in roles), map(list, columns), strict=False))
    return pc.explain(spec, list(truth), list(predicted), task=kind.task, **more)


def _explained_list(kind: Any, spec: str, truth: Any, absent: Any) -> Any:
    if not kind.of_items:
        grades = [None if isnan(grade) else grade for grade in truth]
        return pc.explain(spec, grades=grades, judged=[*(grade for grade in grades if grade is not None), *absent])
    run = {user: list(items) for user, items in EXAMPLE.lists.items()}
    tables: dict[str, Any] = {"train": list(EXAMPLE.train), "catalog": 6}
    tables["items"] = {"item": list(EXAMPLE.categories), "category": list(EXAMPLE.categories.values())}
    tables["reference"] = {user: list(items) for user, items in EXAMPLE.reference.items()}
    return pc.explain(spec, dict(EXAMPLE.truth), run, query=None if kind.is_whole else "u1", **tables)


def _parameter(line: str) -> str:
    """A line of the catalogue as an item of a list; words of a parameter stand one deeper."""
    deeper = line.startswith("    ")
    head, _, words = line.strip().partition("    ")
    return f"    - {_plain(head)}" if deeper else f"- `{head}`: {_plain(words)}"


def _variants(kind: Kind) -> str:
    rows = [
        [f"[{tool.tool}]({way(f'tools/{tool.tool}.md', metric_path(kind))})", f"`{entry.name}`", f"`{entry.means}`", _policies(tool, entry), _plain(entry.note or "")]
        for tool in conventions().values()
        for entry in tool.entries
        if entry.task == kind.task and template(entry).kind is kind
    ]  # fmt: skip
    titles = str(Text("tool|there called|in pingce|policies|note", "工具|在该工具中|在 pingce 中|策略|说明")).split("|")
    return _rows(titles, rows) if rows else ""


def _policies(tool: Any, entry: Any) -> str:
    policies = {**tool.policies.get(entry.task, {}), **entry.policies}
    return " ".join(f"`{name}={shown(value)}`" for name, value in policies.items())


def _code(kind: Kind) -> str:
    spec = kind.about.example[0]
    return f'```sh\npingce metrics {kind.name}\npingce explain "{spec}" …\npingce conventions {kind.name}\n```'


def _neighbour(kind: Kind, name: str) -> str:
    other = written_names(kind.task).get(name)
    return f"`{name}`" if other is None else _link(other, metric_path(kind))


def _link(kind: Kind, page: str) -> str:
    call = kind.name + (f"@{kind.takes}" if kind.takes else "")
    return f"[`{call}`]({way(metric_path(kind), page)})"


def _rows(titles: list[str], rows: list[list[Any]]) -> str:
    lines = [titles, ["---"] * len(titles), *rows]
    return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|") if number > 1 else str(cell) for cell in line) + " |" for number, line in enumerate(lines))  # fmt: skip


def tool_pages() -> dict[str, str]:
    """A page a tool: what its metrics mean, and what is not reproduced."""
    return {f"tools/{name}.md": tool_table(name) for name in conventions()}


def tool_table(name: str, depth: int = 0) -> str:
    """Everything about one tool, its headings so much deeper."""
    text = convention_pages.tool_page(conventions()[name], _drawn)
    lines = [f"{'#' * depth}{line}" if line.startswith("#") else line for line in text.splitlines()]
    return "\n".join(lines) + "\n"


def _drawn(table: Table) -> str:
    return markdown(table, 4)
