"""The topic pages, docs/zh and docs/en: what a metric asks, worked calculations, slips of notes, blind spots."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from topic_conventions import EXPLAINED, conventions_page
from topic_intents import INTENTS
from topic_labels import LABEL_TOPICS
from topic_multilabel import MULTILABEL
from topic_offpolicy import OFFPOLICY
from topic_parts import Topic, shell
from topic_rankings import RANKING_TOPICS
from topic_shown import SHOWN
from topic_uplift import UPLIFT
from topic_watch import WATCH_TIME

from pingce.base.errors import PingceWarning
from pingce.base.tables import markdown_text
from pingce.base.text import LANGUAGES, Text, use_language
from pingce.metrics.declared import Metric, registry
from pingce.tasks import TASKS

TOPICS = (*RANKING_TOPICS, SHOWN, INTENTS, *LABEL_TOPICS, WATCH_TIME, UPLIFT, MULTILABEL, OFFPOLICY)
CONVENTIONS = Topic(
    "conventions",
    Text("One name, many definitions: what other tools calculate", "同名不同义：各工具怎么算"),
    Text(
        'The same list gets a different "NDCG@10" from every tool. This page says which definition each of them uses.',
        "同一个列表，各工具给出的“NDCG@10”并不相同。本页说明每个工具用的是哪一种定义。",
    ),
)
_MADE = "<!-- Written by scripts/make_docs.py. -->"
_INDEX = Text("Metrics, worked out by hand", "手算评测指标")


def pages() -> Iterator[tuple[str, str]]:
    """Path below docs/, and content, of every page."""
    for lang in LANGUAGES:
        use_language(lang)
        yield f"{lang}/index.md", _index()
        for topic in TOPICS:
            yield f"{lang}/{topic.file}.md", _page(topic)
        yield (
            f"{lang}/{CONVENTIONS.file}.md",
            _joined(_head(CONVENTIONS), str(CONVENTIONS.lead), conventions_page()),
        )
    use_language(None)


@cache
def _wanted() -> dict[str, str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PingceWarning)
        return dict(pages())


def outdated(docs: Path, *, rewrite: bool) -> list[str]:
    """Pages that are not as they should be, or should not be there; rewritten on demand."""
    wanted, stale = _wanted(), []
    for name, content in wanted.items():
        path = docs / name
        if not path.exists() or path.read_text(encoding="utf-8") != content:
            stale.append(name)
            if rewrite:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(content, encoding="utf-8")
    there = {f"{lang}/{path.name}" for lang in LANGUAGES for path in (docs / lang).glob("*.md")}
    for name in sorted(there - set(wanted)):
        stale.append(name)
        if rewrite:
            (docs / name).unlink()
    return stale


def _joined(*parts: str) -> str:
    return "\n\n".join(filter(None, parts)) + "\n"


def _head(topic: Topic) -> str:
    other = Text(f"[中文](../zh/{topic.file}.md)", f"[English](../en/{topic.file}.md)")
    index = Text("[all topics](index.md)", "[全部主题](index.md)")
    return f"# {topic.title}\n\n{_MADE}\n\n{other} · {index}"


def _page(topic: Topic) -> str:
    kinds = [registry(task)[name] for task, name in topic.metrics]
    said = {markdown_text(str(words)) for kind in kinds for words in (kind.about.question, kind.formula)}
    examples = [part.markdown(said) for part in topic.parts]
    tried = [asked for part in topic.parts for asked in part.commands()]
    sections = [
        (Text("The question, the formula", "回答的问题与公式"), [*map(_question, kinds), *_all_symbols(kinds)]),
        (Text("Worked examples", "算例"), examples),
        (Text("Good to know", "还要知道"), [str(topic.more)]),
        (Text("Slips in the notes", "笔记里的笔误"), [slip.markdown() for slip in topic.slips]),
        (
            Text("What it cannot see", "看不到什么"),
            ["\n".join(_about(kind, markdown_text(str(kind.about.blind))) for kind in kinds)],
        ),
        (
            Text("What it goes with", "与什么搭配"),
            ["\n".join(_about(kind, _pairs(kind)) for kind in kinds), _elsewhere(topic)],
        ),
        (Text("Try it", "自己试"), [shell(tried)] if tried else []),
    ]
    body = [_joined(f"## {title}", *parts).rstrip() for title, parts in sections if any(parts)]
    return _joined(_head(topic), str(topic.lead), *body)


def _name(kind: type[Metric]) -> str:
    return f"`{kind.name}{'@' + kind.takes if kind.takes else ''}`"


def _about(kind: type[Metric], words: str) -> str:
    task = TASKS[kind.task].noun
    return str(Text(f"- {_name(kind)} ({task}): {words}", f"- {_name(kind)}（{task}）：{words}"))


def _question(kind: type[Metric]) -> str:
    formula = "\n".join(f"  `{line}`" for line in str(kind.formula).splitlines())
    named = markdown_text(str(kind.title))
    return _about(kind, f"{named}{Text('. ', '。')}**{markdown_text(str(kind.about.question))}**") + f"\n\n{formula}"


def _all_symbols(kinds: list[type[Metric]]) -> list[str]:
    return [f"*{markdown_text(words)}*" for words in dict.fromkeys(str(kind.symbols) for kind in kinds)]


def _pairs(kind: type[Metric]) -> str:
    names = [_linked(kind.task, name) for name in kind.about.pairs_with]
    return str(Text(", ", "、")).join(names)


def _elsewhere(topic: Topic) -> str:
    if not set(topic.metrics) & set(EXPLAINED):
        return ""
    page = "conventions.md"
    return str(
        Text(
            f"How other tools calculate it: [one name, many definitions]({page}).",
            f"别的工具怎么算：见[同名不同义]({page})。",
        )
    )


def _linked(task: str, name: str) -> str:
    for topic in TOPICS:
        if (task, name) in topic.metrics:
            return f"[`{name}`]({topic.file}.md)"
    return f"`{name}`"


def _index() -> str:
    titles = Text("topic|metrics", "主题|指标")
    rows = ["| " + " | ".join(str(titles).split("|")) + " |", "| --- | --- |"]
    for topic in (*TOPICS, CONVENTIONS):
        names = ", ".join(dict.fromkeys(f"`{name}`" for _, name in topic.metrics))
        rows.append(f"| [{topic.title}]({topic.file}.md) | {names or '–'} |")
    lead = Text(
        "A page a topic: the question a metric answers, the formula, the calculation line by line, what the metric cannot see. "
        "Every calculation is written by `pingce explain`; every command on these pages runs and gives the number behind it.",
        "一页一个主题：指标回答什么问题，公式是什么，一行一行怎么算，有什么看不到。"
        "算式都由 `pingce explain` 写出；页面上的每条命令都能运行，得到的就是它后面的数。",
    )
    more = Text(
        "See also: [figures of notes that slip](../slips.md), [the words](../glossary.md), [what can be read](../inputs.md), [which engine when](../engines.md), [rows in batches](../evaluators.md), [in the training loop](../training.md), [Spark](../spark.md).",
        "另见：[笔记中的笔误](../slips.md)、[术语](../glossary.md)、[可读取的输入](../inputs.zh-CN.md)、[何时用哪种引擎](../engines.zh-CN.md)、[分批评测](../evaluators.zh-CN.md)、[在训练循环中](../training.zh-CN.md)、[Spark](../spark.zh-CN.md)。",
    )
    other = Text("[中文](../zh/index.md)", "[English](../en/index.md)")
    return _joined(f"# {_INDEX}", _MADE, str(other), str(lead), "\n".join(rows), str(more))
