"""`pingce metrics`: the lists, and a page for every registered metric of every task, from its declaration alone."""

from __future__ import annotations

import re
from typing import Any

import pytest

from pingce.base.text import LANGUAGES, Text
from pingce.metrics.catalogue import example_value
from pingce.metrics.declared import Metric, readings, registry
from pingce.metrics.parameters import spelled
from pingce.metrics.references import REFERENCES
from pingce.tasks import TASKS

from .conftest import Call

KINDS = [kind for task in TASKS for kind in (*registry(task).values(), *readings(task).values())]
COLON = {"en": ": ", "zh": "："}
NUMBER = re.compile(r"−?\d+(?:\.\d+)?")
each_metric = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: f"{kind.task}-{kind.name}")
each_language = pytest.mark.parametrize("lang", LANGUAGES)


def said(text: Text, lang: str) -> str:
    return text.zh if lang == "zh" else text.en


@each_language
def test_the_lists_have_every_metric(call: Call, lang: str) -> None:
    done = call("metrics", "--lang", lang)
    assert (done.code, done.err) == (0, "")
    parts = done.out.rstrip("\n").split("\n\n")
    headings, tables = parts[::2], parts[1::2]
    assert all(heading.startswith("# ") for heading in headings)
    assert all(task in heading for task, heading in zip(TASKS, headings, strict=True))
    assert all(bool(re.search("[一-鿿]", heading)) == (lang == "zh") for heading in headings)
    for task, table in zip(TASKS, tables, strict=True):
        kinds, rows = [*registry(task).values(), *readings(task).values()], table.splitlines()[2:]
        assert [re.split(r"[@\s]", row)[0] for row in rows] == [kind.name for kind in kinds]
        for kind, row in zip(kinds, rows, strict=True):
            assert row.split()[0] == kind.name + (f"@{kind.takes}" if kind.takes else "")
            for text in (*kind.aliases, said(kind.title, lang), said(kind.about.question, lang)):
                assert text in row


@pytest.mark.parametrize("task", TASKS)
def test_the_list_of_one_task(call: Call, task: str) -> None:
    done = call("metrics", "--task", task)
    assert done.out.count("# ") == 1
    assert f"({task})" in done.out.splitlines()[0]
    assert len(done.out.splitlines()) == 4 + len(registry(task)) + len(readings(task))
    assert done.out in call("metrics").out + "\n"


def sections(call: Call, kind: type[Metric], lang: str) -> dict[str, list[str]]:
    """The lines of a page under each of its headings."""
    done = call("metrics", kind.name, "--task", kind.task, "--lang", lang)
    assert (done.code, done.err) == (0, "")
    head, *parts = done.out.rstrip("\n").split("\n\n")
    found = {part.split("\n")[0]: [line.strip() for line in part.split("\n")[1:]] for part in parts}
    return {"": [head], **found}


@each_metric
@each_language
def test_a_page_has_everything(call: Call, kind: type[Metric], lang: str) -> None:
    page, about = sections(call, kind, lang), kind.about
    assert said(kind.title, lang) in page[""][0]
    assert all(alias in page[""][0] for alias in kind.aliases)
    assert kind.task in page[said(Text("Task", "任务"), lang)][0]
    definition = page[said(Text("Definition", "定义"), lang)]
    formula = said(kind.formula, lang) if isinstance(kind.formula, Text) else kind.formula
    assert [line for line in formula.split("\n") if line.strip() not in definition] == []
    assert len(definition) > len(formula.split("\n"))
    for heading, text in (
        (Text("Question", "回答的问题"), about.question),
        (Text("Use", "用途"), about.use),
        (Text("Blind spots", "盲点"), about.blind),
    ):
        assert page[said(heading, lang)] == said(text, lang).split("\n")
    assert said(about.undefined, lang) in page[said(Text("Undefined", "没有定义"), lang)][0]
    assert page[said(Text("Reference", "文献"), lang)] == [REFERENCES[about.reference]]
    assert lang == "zh" or about.range in page["Range"][0]
    assert not re.search("[a-z]{3}", page[said(Text("Range", "取值"), lang)][0]) or lang == "en"
    everything = "\n".join(line for lines in page.values() for line in lines)
    assert all(part in everything for part in about.pairs_with)
    assert (said(Text("Typical k", "常用 k"), lang) in page) == (about.typical_k != "–")
    assert about.typical_k == "–" or about.typical_k in everything
    assert (said(Text("Ties", "并列"), lang) in page) == (kind.task == "ranking" and not kind.is_reading)


@each_metric
@each_language
def test_a_page_has_every_parameter_and_choice(call: Call, kind: type[Metric], lang: str) -> None:
    page = sections(call, kind, lang)
    heading = said(Text("Parameters", "参数"), lang)
    assert (heading in page) == bool(kind.parameters())
    for parameter in kind.parameters():
        mine = [line for line in page[heading] if line.startswith(f"{spelled(parameter.name)} = ")]
        assert len(mine) == 1
        assert mine[0].endswith(said(parameter.metadata["help"], lang))
        assert "None" not in mine[0]
        check: Any = parameter.metadata["check"]
        if hasattr(check, "words"):
            assert mine[0].startswith(f"{spelled(parameter.name)} = {parameter.default} ")
            for word, text in check.words.items():
                assert f"{word}{COLON[lang]}{said(text, lang)}" in page[heading]


def test_pages_by_task(call: Call) -> None:
    gauc = call("metrics", "gauc").out
    assert "COLUMN: the sum of this column over the group" in gauc
    assert "groups u, u, v, v" in gauc
    assert "the value is NaN then, written null in JSON and – in tables, and counted" in gauc
    assert "列名：该列在组内之和" in call("metrics", "gauc", "--lang", "zh").out
    for symbol in ("TP, FP:", "s⁺, s⁻:", "P, N:"):
        assert symbol in gauc
    assert "precision(threshold=0.3)" in call("metrics", "precision", "--task", "binary").out
    assert "Threshold" not in call("metrics", "precision", "--task", "multiclass").out
    macro = call("metrics", "f", "--task", "multiclass").out
    assert "in averages such a class counts 0 (undefined_class=zero; skip leaves it out)" in macro
    assert "true a, b, c; probabilities of a, b, c, row by row" in call("metrics", "auc", "--task", "multiclass").out
    assert "queries are left out" in call("metrics", "rr").out
    assert "true y 3, -0.5, 2, 7; predicted ŷ 2.5, 0, 2, 8" in call("metrics", "mae").out


@each_metric
@each_language
def test_the_worked_example_is_right(call: Call, kind: type[Metric], lang: str) -> None:
    value, name = example_value(kind), kind.about.example[0]
    example, *worked = sections(call, kind, lang)[said(Text("Worked example", "算例"), lang)]
    assert [line.strip() for line in said(kind.about.worked, lang).split("\n")] == worked
    assert example.startswith(f"{name} = {value:.6g} ")
    last = NUMBER.findall(worked[-1])[-1].replace("−", "-")
    assert last == f"{value:.{len(last.partition('.')[2])}f}"
    assert f"{float(last):.6g}" == f"{value:.6g}"


@each_metric
def test_the_page_is_in_one_language(call: Call, kind: type[Metric]) -> None:
    reference = REFERENCES[kind.about.reference]
    page = call("metrics", kind.name, "--task", kind.task, "--lang", "en").out
    assert not re.search("[一-鿿]", page.replace(reference, ""))
    assert re.search("[一-鿿]", call("metrics", kind.name, "--lang", "zh").out)


def title(text: str) -> str:
    return text.split("\n", 1)[0]


@each_metric
def test_every_name_finds_its_metric(call: Call, kind: type[Metric]) -> None:
    words = ["--task", kind.task]
    page = call("metrics", kind.name, *words).out
    spellings = [
        kind.name.upper(),
        kind.name.replace("_", "-"),
        *kind.aliases,
        f"{kind.name}@10",
        *map(str.upper, kind.aliases),
    ]
    assert {call("metrics", spelling, *words).out for spelling in spellings} == {page}
    assert page in call("metrics", kind.name).out + "\n"


@each_metric
def test_every_title_finds_its_metric(call: Call, kind: type[Metric]) -> None:
    page = call("metrics", kind.name, "--task", kind.task).out.rstrip("\n")
    for words in (kind.title.zh, kind.title.en, re.split("[(\uff08]", kind.title.zh)[0], *kind.about.also):
        assert page in call("metrics", words, "--task", kind.task).out, words
        assert call("metrics", words).code == 0


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("auc", ["binary auc", "multiclass auc", "multilabel auc"]),
        ("logloss", ["binary logloss", "multiclass logloss"]),
        ("cross-entropy", ["binary logloss", "multiclass logloss"]),
        ("precision", [f"{task} precision" for task in ("ranking", "binary", "multiclass", "multilabel")]),
        ("ap", ["ranking ap", "binary pr_auc", "multilabel pr_auc"]),
        ("rmse", ["regression rmse"]),
        ("准确率", ["ranking precision", "binary accuracy", "multiclass accuracy", "multilabel accuracy"]),
        ("查准率", [f"{task} precision" for task in ("ranking", "binary", "multiclass", "multilabel")]),
        ("平均绝对误差", ["regression mae"]),
        ("GAUC", ["binary gauc"]),
    ],
)
def test_a_name_finds_the_pages_of_every_task_that_has_it(call: Call, words: str, found: list[str]) -> None:
    pages = call("metrics", words).out.split(f"\n\n{'-' * 72}\n\n")
    tasks = [re.search(r"\((\w+)\)", page.split("\n\n")[1]) for page in pages]
    assert [f"{task[1]} {re.split('[@ ]', page)[0]}" for task, page in zip(tasks, pages, strict=True) if task] == found


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("查准率", "precision"), ("准确率@K", "precision"), ("精确率", "precision"), ("准确率", "precision"),
        ("召回率", "recall"), ("查全率", "recall"), ("命中率", "hit_rate"), ("倒数排名", "rr"), ("平均倒数排名", "rr"),
        ("归一化折损累计增益", "ndcg"), (" NDCG ", "ndcg"), ("ndcg(gain=linear)@10", "ndcg"), ("MAP", "ap"), ("mrr@10", "rr"),
    ],
)  # fmt: skip
def test_search(call: Call, words: str, name: str) -> None:
    done = call("metrics", words, "--lang", "zh")
    assert done.code == 0
    assert re.match(rf"{name}(@k)? ", done.out)


@pytest.mark.parametrize(
    ("words", "hint"),
    [("ndgc", "ndcg"), ("recll", "recall"), ("precison", "precision"), ("lgoloss", "logloss"), ("rmsse", "rmse")],
)
@each_language
def test_an_unknown_name_gets_a_hint(call: Call, words: str, hint: str, lang: str) -> None:
    done = call("metrics", words, "--lang", lang)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert f"'{words}'" in done.err
    assert f"'{hint}'" in done.err


@pytest.mark.parametrize("words", ["qqqq", "没有这种指标", "", " ", "(", "@10"])
def test_what_is_no_metric_is_refused(call: Call, words: str) -> None:
    done = call("metrics", words)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert "pingce metrics" in done.err


def test_a_metric_of_another_task_is_not_found(call: Call) -> None:
    done = call("metrics", "ndcg", "--task", "binary")
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert "--task" in call("metrics", "--task", "clicks").err
