"""The metrics in words, made from their declarations: the list, and a page to teach from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pingce.base.tables import Cell, Table
from pingce.base.text import Text, headed
from pingce.metrics.declared import Metric, readings, registry
from pingce.metrics.grammar import parse_metric, written_names
from pingce.metrics.parameters import shown, spelled
from pingce.metrics.references import REFERENCES
from pingce.tasks import TASKS

_DEFAULTS = {
    "catalog": Text("required", "必填"),
    "eps": Text("by the type of the scores", "随分数的类型"),
    "label": Text("all classes", "全部类别"),
    "max": Text("from the truth", "取自真值"),
}
"Of parameters whose default is no value."
_RANGES = {"a score": Text("a score", "一个分数")}
_NOTHING = "–"
_DIRECTIONS = {
    True: Text("higher is better", "越大越好"),
    False: Text("lower is better", "越小越好"),
    None: Text("neither good nor bad", "无所谓好坏"),
}


def heading(task: str) -> str:
    """What a task is, and its name on the command line."""
    text = TASKS[task].title
    return str(Text(f"{text.en} ({task})", f"{text.zh}（{task}）"))


def listing(task: str = "ranking") -> Table:
    """One row a metric of a task, and what is read out of them last: name, aliases, title, question."""
    titles = Text("metric", "指标"), Text("also", "别名"), Text("name", "名称"), Text("question", "回答的问题")
    kinds = (*registry(task).values(), *readings(task).values())
    return table_of(titles, ((_call(kind), ", ".join(kind.aliases), kind.title, kind.about.question) for kind in kinds))


def table_of(titles: Iterable[Text], rows: Iterable[Sequence[object]]) -> Table:
    """A table of words, in the language in force; whole numbers stay numbers."""
    cells: list[list[Cell]] = [[cell if isinstance(cell, int) else str(cell) for cell in row] for row in rows]
    return Table([str(title) for title in titles], cells)


def _call(kind: type[Metric]) -> str:
    return kind.name + (f"@{kind.takes}" if kind.takes else "")


def names(task: str | None = None) -> list[str]:
    """Every name and alias, of one task or of all."""
    return list(dict.fromkeys(name for each in ([task] if task else TASKS) for name in written_names(each)))


def search(words: str, task: str | None = None) -> list[type[Metric]]:
    """Metrics by name or alias, of every task that has it; else those whose title or other words are, or hold, the text."""
    plain = words.strip().lower().split("@")[0].split("(")[0].replace("-", "_")
    tasks = [task] if task else list(TASKS)
    text = _plain(words)
    named = [written_names(each)[plain] for each in tasks if plain in written_names(each)]
    if named or not text.strip("(（"):
        return named
    kinds = [kind for each in tasks for kind in (*registry(each).values(), *readings(each).values())]
    exact = [kind for kind in kinds if text in _words(kind)]
    return exact or [kind for kind in kinds if any(text in word for word in _words(kind))]


def _words(kind: type[Metric]) -> list[str]:
    titles = kind.title.zh.replace("）", "").split("（")
    return [_plain(word) for word in (kind.title.zh, *titles, kind.title.en, *kind.about.also)]


def _plain(words: str) -> str:
    return words.lower().replace(" ", "").replace("(", "（").replace(")", "）")


def pages(kinds: list[type[Metric]]) -> str:
    """Several metrics, with a line between two."""
    return f"\n\n{'-' * 72}\n\n".join(map(page, kinds))


def page(kind: type[Metric]) -> str:
    """One metric in full."""
    about = kind.about
    title = f"{_call(kind)}  {kind.title}"
    if kind.aliases:
        title += "  " + str(Text(f"(also {', '.join(kind.aliases)})", f"（别名 {'、'.join(kind.aliases)}）"))
    undefined = kind.undefined_words(about.undefined) if about.undefined.en else Text("never", "从不")
    example = f"{about.example[0]} = {example_value(kind):.6g}    {kind.example_words()}"
    sections: list[tuple[Text, list[str]]] = [
        (Text("Task", "任务"), [heading(kind.task)]),
        (Text("Question", "回答的问题"), [str(about.question)]),
        (Text("Definition", "定义"), [*str(kind.formula).splitlines(), str(kind.symbols)]),
        (Text("Worked example", "算例"), [example, *str(about.worked).splitlines()]),
        (Text("Parameters", "参数"), parameter_lines(kind)),
        (Text("Threshold", "阈值"), [str(words) for words in (kind.threshold_words(),) if words]),
        (Text("Range", "取值"), [range_words(kind)]),
        (Text("Undefined", "没有定义"), [str(undefined)]),
        (Text("Ties", "并列"), [str(words) for words in (kind.tie_words(),) if words]),
        (Text("Use", "用途"), [str(about.use)]),
        (Text("Blind spots", "盲点"), [str(about.blind)]),
        (Text("Look at it with", "搭配"), [", ".join(about.pairs_with)]),
        (Text("Typical k", "常用 k"), [about.typical_k] if about.typical_k != _NOTHING else []),
        (Text("Reference", "文献"), [REFERENCES[about.reference]] if about.reference else []),
    ]
    body = (f"{name}\n" + "\n".join(f"  {line}" for line in lines) for name, lines in sections if lines)
    return title + "\n\n" + "\n\n".join(body)


def example_value(kind: type[Metric]) -> float:
    """The value of the declared example, by definition."""
    return float(parse_metric(kind.about.example[0], task=kind.task).metric.define(kind.example_rows()))


def range_words(kind: type[Metric]) -> str:
    """Between which values it lies, and which way is better."""
    about = kind.about
    return f"{_RANGES.get(about.range, about.range)}    {_DIRECTIONS[about.higher_is_better]}"


def parameter_lines(kind: type[Metric]) -> list[str]:
    """A line a parameter, and one for each of its words, four places further in."""
    lines: list[str] = []
    for parameter in kind.parameters():
        check = parameter.metadata["check"]
        default = _DEFAULTS.get(parameter.name, _NOTHING) if parameter.default is None else shown(parameter.default)
        lines.append(f"{spelled(parameter.name)} = {default}    {parameter.metadata['help']}")
        lines += [f"    {headed(word, text)}" for word, text in getattr(check, "words", {}).items()]
        if "COLUMN" in check.describe():
            column = Text("the sum of this column over the group", "该列在组内之和")
            lines.append(f"    {headed(Text('COLUMN', '列名'), column)}")
    return lines
