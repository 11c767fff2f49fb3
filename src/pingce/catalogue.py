"""The metrics in words, made from their declarations: the list, and a page to teach from."""

from __future__ import annotations

from math import isnan

from pingce.export import Table
from pingce.language import Text
from pingce.metrics import RankedList, RankingMetric, parse_metric, registry
from pingce.metrics.parameters import Choice, GainCheck, shown
from pingce.metrics.references import REFERENCES

SYMBOLS = Text(
    "n: items returned · g_i: grade at rank i · rel_i: 1 if relevant, else 0 · h_k: relevant items in the top k · R: relevant items in the truth",
    "n：返回的条目数 · g_i：第 i 位的等级 · rel_i：相关为 1，否则为 0 · h_k：前 k 中的相关条目数 · R：真值中的相关条目数",
)


def listing() -> Table:
    """One row a metric: name, aliases, title, question."""
    titles = [
        str(text)
        for text in (Text("metric", "指标"), Text("also", "别名"), Text("name", "名称"), Text("question", "回答的问题"))
    ]
    rows = [
        [_call(kind), ", ".join(kind.aliases), str(kind.title), str(kind.about.question)]
        for kind in registry().values()
    ]
    return Table(titles, rows)  # type: ignore[arg-type]


def _call(kind: type[RankingMetric]) -> str:
    return kind.name + ("@k" if kind.takes else "")


def search(words: str) -> list[type[RankingMetric]]:
    """Metrics by name or alias; else those whose title or other words hold the text, nearest first."""
    from pingce.metrics.grammar import known_names

    plain = words.strip().lower().split("@")[0].split("(")[0].replace("-", "_")
    known = known_names()
    if plain in known:
        return [known[plain]]
    text = _plain(words)
    if not text.strip("(（"):
        return []
    exact = [kind for kind in registry().values() if text in _words(kind)]
    return exact or [kind for kind in registry().values() if any(text in word for word in _words(kind))]


def _words(kind: type[RankingMetric]) -> list[str]:
    titles = kind.title.zh.replace("）", "").split("（")
    return [_plain(word) for word in (kind.title.zh, *titles, kind.title.en, *kind.about.also)]


def _plain(words: str) -> str:
    return words.lower().replace(" ", "").replace("(", "（").replace(")", "）")


def page(kind: type[RankingMetric]) -> str:
    """One metric in full."""
    about = kind.about
    title = f"{_call(kind)}  {kind.title}"
    if kind.aliases:
        title += "  " + str(Text(f"(also {', '.join(kind.aliases)})", f"（别名 {'、'.join(kind.aliases)}）"))
    sections: list[tuple[Text, list[str]]] = [
        (Text("Question", "回答的问题"), [str(about.question)]),
        (Text("Definition", "定义"), [str(kind.formula), str(SYMBOLS)]),
        (Text("Worked example", "算例"), [_example(kind), *str(about.worked).splitlines()]),
        (Text("Parameters", "参数"), _parameters(kind)),
        (Text("Range", "取值"), [_range(kind)]),
        (Text("Undefined", "没有定义"), [str(_undefined(kind))]),
        (Text("Ties", "并列"), [str(_ties(kind))]),
        (Text("Use", "用途"), [str(about.use)]),
        (Text("Blind spots", "盲点"), [str(about.blind)]),
        (Text("Look at it with", "搭配"), [", ".join(about.pairs_with)]),
        (Text("Typical k", "常用 k"), [about.typical_k]),
        (Text("Reference", "文献"), [REFERENCES[about.reference]]),
    ]
    body = (f"{heading}\n" + "\n".join(f"  {line}" for line in lines) for heading, lines in sections if lines)
    return title + "\n\n" + "\n\n".join(body)


def example_value(kind: type[RankingMetric]) -> float:
    """The value of the declared example, by definition."""
    name, grades, absent = kind.about.example
    ranked = tuple(None if isnan(grade) else grade for grade in grades)
    judged = (*(grade for grade in ranked if grade is not None), *absent)
    metric: RankingMetric = parse_metric(name).metric
    return metric.define(RankedList(ranked, judged, 1, max(judged)))


def _example(kind: type[RankingMetric]) -> str:
    name, grades, absent = kind.about.example
    listed = ", ".join("?" if isnan(grade) else f"{grade:g}" for grade in grades)
    missed = ", ".join(f"{grade:g}" for grade in absent)
    value = f"{example_value(kind):.6g}"
    returned = Text(f"grades in ranked order {listed}", f"按名次的等级 {listed}")
    not_returned = Text(f"; relevant but not returned {missed}", f"；相关但未返回 {missed}") if absent else Text("", "")
    return f"{name} = {value}    " + str(Text(returned.en + not_returned.en, returned.zh + not_returned.zh))


def _parameters(kind: type[RankingMetric]) -> list[str]:
    lines: list[str] = []
    for parameter in kind.parameters():
        check = parameter.metadata["check"]
        default = (
            str(Text("required", "必填"))
            if parameter.default is None and parameter.name == "catalog"
            else shown(parameter.default)
        )
        default = (
            str(Text("from the truth", "取自真值"))
            if parameter.default is None and parameter.name == "max"
            else default
        )
        lines.append(f"{parameter.name} = {default}    {parameter.metadata['help']}")
        if isinstance(check, (Choice, GainCheck)):
            lines += [f"    {word}: {text}" for word, text in check.words.items()]
    return lines


def _range(kind: type[RankingMetric]) -> str:
    direction = {
        True: Text("higher is better", "越大越好"),
        False: Text("lower is better", "越小越好"),
        None: Text("neither good nor bad", "无所谓好坏"),
    }[kind.about.higher_is_better]
    return f"{kind.about.range}    {direction}"


def _undefined(kind: type[RankingMetric]) -> Text:
    when = kind.about.undefined
    if not when.en:
        return Text("never", "从不")
    return Text(
        f"where {when.en}; by default such queries are left out and counted (undefined=skip)",
        f"当 {when.zh} 时；默认不计入并如实计数（undefined=skip）",
    )


def _ties(kind: type[RankingMetric]) -> Text:
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
