"""The metrics in words, made from their declarations: the list, and a page to teach from."""

from __future__ import annotations

from typing import Any

from pingce.base.tables import Table
from pingce.base.text import Text, headed
from pingce.metrics.declared import Metric, registry
from pingce.metrics.examples import example_line, example_value
from pingce.metrics.grammar import known_names, parse_metric
from pingce.metrics.parameters import shown
from pingce.metrics.references import REFERENCES
from pingce.tasks import TASKS

__all__ = ["example_value", "heading", "listing", "names", "page", "pages", "search"]

_SYMBOLS = {
    "ranking": Text(
        "n: items returned · g_i: grade at rank i · rel_i: 1 if relevant, else 0 · h_k: relevant items in the top k · R: relevant items in the truth",
        "n：返回的条目数 · g_i：第 i 位的等级 · rel_i：相关为 1，否则为 0 · h_k：前 k 中的相关条目数 · R：真值中的相关条目数",
    ),
    "binary": Text(
        "n: rows · P, N: positive and negative rows · TP, FP: positive and negative rows predicted positive · TN, FN: negative and "
        "positive rows predicted negative · s⁺, s⁻: score of a positive, of a negative row · y: label, 1 or 0 · p: predicted probability",
        "n：行数 · P、N：正例数、负例数 · TP、FP：判为正的行中，正例数、负例数 · TN、FN：判为负的行中，负例数、正例数 · "
        "s⁺、s⁻：正例、负例的分数 · y：标签，1 或 0 · p：预估概率",
    ),
    "classes": Text(
        "n: rows · n_cc: rows of class c predicted as c · true_c (t_c), predicted_c (p_c): rows whose true, whose predicted class is c · "
        "TP_c, FP_c, FN_c: class c against all others",
        "n：行数 · n_cc：属于 c 类且判为 c 的行数 · true_c（t_c）、predicted_c（p_c）：真值、预测为 c 的行数 · "
        "TP_c、FP_c、FN_c：c 类对其余各类",
    ),
    "probabilities": Text(
        "p_c: probability of class c · p_true: that of the true class · AUC(i|j): rows of class i against rows of class j, by p_i",
        "p_c：c 类的概率 · p_true：真实类别的概率 · AUC(i|j)：按 p_i 比较 i 类与 j 类的行",
    ),
    "regression": Text("y: true number · ŷ: predicted number · e = ŷ − y", "y：真值 · ŷ：预测值 · e = ŷ − y"),
}
"By task; the metrics of classes, by what they read."
_DEFAULTS = {
    "catalog": Text("required", "必填"),
    "eps": Text("by the type of the scores", "随分数的类型"),
    "label": Text("all classes", "全部类别"),
    "max": Text("from the truth", "取自真值"),
}
"Of parameters whose default is no value."
_RANGES = {"a score": Text("a score", "一个分数")}
_NOTHING = "–"


def heading(task: str) -> str:
    """What a task is, and its name on the command line."""
    text = TASKS[task].title
    return str(Text(f"{text.en} ({task})", f"{text.zh}（{task}）"))


def listing(task: str = "ranking") -> Table:
    """One row a metric of a task: name, aliases, title, question."""
    titles = [
        str(text)
        for text in (Text("metric", "指标"), Text("also", "别名"), Text("name", "名称"), Text("question", "回答的问题"))
    ]
    rows = [
        [_call(kind), ", ".join(kind.aliases), str(kind.title), str(kind.about.question)]
        for kind in registry(task).values()
    ]
    return Table(titles, rows)  # type: ignore[arg-type]


def _call(kind: type[Metric]) -> str:
    return kind.name + (f"@{kind.takes}" if kind.takes else "")


def names(task: str | None = None) -> list[str]:
    """Every name and alias, of one task or of all."""
    return list(dict.fromkeys(name for each in _tasks(task) for name in known_names(each)))


def _tasks(task: str | None) -> tuple[str, ...]:
    return tuple(TASKS) if task is None else (task,)


def search(words: str, task: str | None = None) -> list[type[Metric]]:
    """Metrics by name or alias, of every task that has it; else those whose title or other words are, or hold, the text."""
    plain = words.strip().lower().split("@")[0].split("(")[0].replace("-", "_")
    named = [known_names(each)[plain] for each in _tasks(task) if plain in known_names(each)]
    if named:
        return named
    text = _plain(words)
    if not text.strip("(（"):
        return []
    kinds = [kind for each in _tasks(task) for kind in registry(each).values()]
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
    sections: list[tuple[Text, list[str]]] = [
        (Text("Task", "任务"), [heading(kind.task)]),
        (Text("Question", "回答的问题"), [str(about.question)]),
        (Text("Definition", "定义"), [*str(kind.formula).splitlines(), str(symbols_of(kind))]),
        (Text("Worked example", "算例"), [example_line(kind), *str(about.worked).splitlines()]),
        (Text("Parameters", "参数"), _parameters(kind)),
        (Text("Threshold", "阈值"), _threshold(kind)),
        (Text("Range", "取值"), [_range(kind)]),
        (Text("Undefined", "没有定义"), [str(_undefined(kind))]),
        (Text("Ties", "并列"), [str(_ties(kind))] if kind.task == "ranking" else []),
        (Text("Use", "用途"), [str(about.use)]),
        (Text("Blind spots", "盲点"), [str(about.blind)]),
        (Text("Look at it with", "搭配"), [", ".join(about.pairs_with)]),
        (Text("Typical k", "常用 k"), [about.typical_k] if about.typical_k != _NOTHING else []),
        (Text("Reference", "文献"), [REFERENCES[about.reference]]),
    ]
    body = (f"{name}\n" + "\n".join(f"  {line}" for line in lines) for name, lines in sections if lines)
    return title + "\n\n" + "\n\n".join(body)


def symbols_of(kind: type[Metric]) -> Text:
    if kind.task != "multiclass":
        return _SYMBOLS[kind.task]
    return _SYMBOLS["probabilities" if kind.uses == "probabilities" else "classes"]


def _parameters(kind: type[Metric]) -> list[str]:
    lines: list[str] = []
    for parameter in kind.parameters():
        check: Any = parameter.metadata["check"]
        default = shown(parameter.default)
        if parameter.default is None:
            default = str(_DEFAULTS.get(parameter.name, _NOTHING))
        lines.append(f"{parameter.name} = {default}    {parameter.metadata['help']}")
        lines += [f"    {headed(word, text)}" for word, text in getattr(check, "words", {}).items()]
        if "COLUMN" in check.describe():
            column = Text("the sum of this column over the group", "该列在组内之和")
            lines.append(f"    {headed(Text('COLUMN', '列名'), column)}")
    return lines


def _threshold(kind: type[Metric]) -> list[str]:
    """Of metrics of a decision: when a row is predicted positive."""
    if kind.task != "binary" or kind.needs != "cells":  # type: ignore[attr-defined]
        return []
    said = Text(
        f"a row is predicted positive if its score ≥ 0.5; threshold= and compare=gt (>) change that: {kind.name}(threshold=0.3), --threshold 0.3",
        f"分数 ≥ 0.5 即判为正；可用 threshold= 与 compare=gt（>）更改：{kind.name}(threshold=0.3)、--threshold 0.3",
    )
    return [str(said)]


def _range(kind: type[Metric]) -> str:
    direction = {
        True: Text("higher is better", "越大越好"),
        False: Text("lower is better", "越小越好"),
        None: Text("neither good nor bad", "无所谓好坏"),
    }[kind.about.higher_is_better]
    return f"{_RANGES.get(kind.about.range, kind.about.range)}    {direction}"


def _undefined(kind: type[Metric]) -> Text:
    when = kind.about.undefined
    if not when.en:
        return Text("never", "从不")
    if kind.task == "ranking":
        return Text(
            f"where {when.en}; by default such queries are left out and counted (undefined=skip)",
            f"当 {when.zh} 时；默认不计入并如实计数（undefined=skip）",
        )
    if getattr(kind, "over_classes", False):
        return Text(
            f"where {when.en}; in averages such a class counts 0 (undefined_class=zero; skip leaves it out) and is counted",
            f"当{when.zh}时；求平均时该类记 0（undefined_class=zero；skip 则不计入），并如实计数",
        )
    return Text(
        f"where {when.en}; the value is NaN then, written null in JSON and – in tables, and counted (undefined=skip)",
        f"当{when.zh}时；数值为 NaN，在 JSON 中写作 null，在表格中写作 –，并如实计数（undefined=skip）",
    )


def _ties(kind: type[Metric]) -> Text:
    if kind.counts:
        return Text("do not matter", "没有影响")
    example = parse_metric(kind.about.example[0]).metric
    if example.knows_expected():
        return Text(
            "id, id_ascending, order, worst, best, and expected: the exact mean over all orders of tied items",
            "id、id_ascending、order、worst、best，以及 expected：对并列条目所有排列的精确均值",
        )
    return Text(
        "id, id_ascending, order, worst, best; no closed form for expected",
        "id、id_ascending、order、worst、best；expected 没有闭式解",
    )
