"""`pingce metrics`: the list, and a page for every registered metric, from its declaration alone."""

from __future__ import annotations

import re
from typing import Any

import pytest

from pingce.catalogue import example_value
from pingce.language import LANGUAGES, Text
from pingce.metrics import RankingMetric, registry
from pingce.metrics.parameters import Choice, GainCheck
from pingce.metrics.references import REFERENCES

from .conftest import Call

KINDS = list(registry().values())
NUMBER = re.compile(r"\d+(?:\.\d+)?")
each_metric = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
each_language = pytest.mark.parametrize("lang", LANGUAGES)


def said(text: Text, lang: str) -> str:
    return text.zh if lang == "zh" else text.en


@each_language
def test_the_list_has_every_metric(call: Call, lang: str) -> None:
    done = call("metrics", "--lang", lang)
    assert (done.code, done.err) == (0, "")
    rows = done.out.splitlines()[2:]
    assert [re.split(r"[@\s]", row)[0] for row in rows] == [kind.name for kind in KINDS]
    for kind, row in zip(KINDS, rows, strict=True):
        assert ("@k" in row.split()[0]) == bool(kind.takes)
        for text in (*kind.aliases, said(kind.title, lang), said(kind.about.question, lang)):
            assert text in row


def sections(call: Call, kind: type[RankingMetric], lang: str) -> dict[str, list[str]]:
    """The lines of a page under each of its headings."""
    done = call("metrics", kind.name, "--lang", lang)
    assert (done.code, done.err) == (0, "")
    head, *parts = done.out.rstrip("\n").split("\n\n")
    found = {part.split("\n")[0]: [line.strip() for line in part.split("\n")[1:]] for part in parts}
    return {"": [head], **found}


@each_metric
@each_language
def test_a_page_has_everything(call: Call, kind: type[RankingMetric], lang: str) -> None:
    page, about = sections(call, kind, lang), kind.about
    assert said(kind.title, lang) in page[""][0]
    assert all(alias in page[""][0] for alias in kind.aliases)
    definition = page[said(Text("Definition", "定义"), lang)]
    formula = said(kind.formula, lang) if isinstance(kind.formula, Text) else kind.formula
    assert [line for line in formula.split("\n") if line.strip() not in definition] == []
    for heading, text in (
        (Text("Question", "回答的问题"), about.question),
        (Text("Use", "用途"), about.use),
        (Text("Blind spots", "盲点"), about.blind),
    ):
        assert page[said(heading, lang)] == said(text, lang).split("\n")
    assert said(about.undefined, lang) in page[said(Text("Undefined", "没有定义"), lang)][0]
    assert page[said(Text("Reference", "文献"), lang)] == [REFERENCES[about.reference]]
    assert about.range in page[said(Text("Range", "取值"), lang)][0]
    everything = "\n".join(line for lines in page.values() for line in lines)
    assert all(part in everything for part in (about.typical_k, *about.pairs_with))


@each_metric
@each_language
def test_a_page_has_every_parameter_and_choice(call: Call, kind: type[RankingMetric], lang: str) -> None:
    page = sections(call, kind, lang)
    heading = said(Text("Parameters", "参数"), lang)
    assert (heading in page) == bool(kind.parameters())
    for parameter in kind.parameters():
        mine = [line for line in page[heading] if line.startswith(f"{parameter.name} = ")]
        assert len(mine) == 1
        assert mine[0].endswith(said(parameter.metadata["help"], lang))
        assert "None" not in mine[0]
        check: Any = parameter.metadata["check"]
        if isinstance(check, (Choice, GainCheck)):
            assert mine[0].startswith(f"{parameter.name} = {parameter.default} ")
            for word, text in check.words.items():
                assert f"{word}: {said(text, lang)}" in page[heading]


@each_metric
@each_language
def test_the_worked_example_is_right(call: Call, kind: type[RankingMetric], lang: str) -> None:
    value, name = example_value(kind), kind.about.example[0]
    example, *worked = sections(call, kind, lang)[said(Text("Worked example", "算例"), lang)]
    assert [line.strip() for line in said(kind.about.worked, lang).split("\n")] == worked
    assert example.startswith(f"{name} = {value:.6g} ")
    last = NUMBER.findall(worked[-1])[-1]
    assert last == f"{value:.{len(last.partition('.')[2])}f}"
    assert f"{float(last):.6g}" == f"{value:.6g}"


@each_metric
def test_the_page_is_in_one_language(call: Call, kind: type[RankingMetric]) -> None:
    assert not re.search("[一-鿿]", call("metrics", kind.name, "--lang", "en").out)
    assert re.search("[一-鿿]", call("metrics", kind.name, "--lang", "zh").out)


def title(text: str) -> str:
    return text.split("\n", 1)[0]


@each_metric
def test_every_name_finds_its_metric(call: Call, kind: type[RankingMetric]) -> None:
    page = call("metrics", kind.name).out
    spellings = [
        kind.name.upper(),
        kind.name.replace("_", "-"),
        *kind.aliases,
        f"{kind.name}@10",
        *map(str.upper, kind.aliases),
    ]
    assert {call("metrics", spelling).out for spelling in spellings} == {page}


@each_metric
def test_every_title_finds_its_metric(call: Call, kind: type[RankingMetric]) -> None:
    head = title(call("metrics", kind.name).out)
    for words in (kind.title.zh, kind.title.en, re.split("[(\uff08]", kind.title.zh)[0], *kind.about.also):
        assert head in call("metrics", words).out, words


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


@pytest.mark.parametrize(("words", "hint"), [("ndgc", "ndcg"), ("recll", "recall"), ("precison", "precision")])
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
