"""The page about other tools: made from their convention files, with one list that they score differently."""

from __future__ import annotations

import re
from functools import cache

from topic_click import CLICKS

import pingce as pc
from pingce.base.tables import Table, markdown, markdown_text
from pingce.base.text import Text
from pingce.comparison.convention_values import ConventionComparison
from pingce.conventions import pages
from pingce.conventions.declared import conventions
from pingce.metrics.grammar import parse_metric

_TRUTH = {"q": {"a": 3, "b": 2, "c": 1, "d": 1, "e": 0}}
_RUN = {"q": ["x", "a", "e", "c", "b"]}
_SAME_LIST = ("ndcg@3", "ndcg@10", "ap@3", "ap@10", "precision@10", "recall@3", "rr@10")
EXPLAINED = (
    *(("ranking", name) for name in ("ndcg", "ap", "rr", "precision", "recall")),
    *(("binary", name) for name in ("auc", "gauc", "logloss")),
)
"Task and name of the metrics whose definition in every tool the page gives."


def conventions_page() -> str:
    """Everything below the title."""
    sections = [
        (Text("The tools", "工具"), [_how(), _drawn(pages.listing())]),
        (Text("One list, many numbers", "同一个列表，不同的数"), [_list_in_words(), *map(_side_by_side, _SAME_LIST)]),
        (
            Text("One log of clicks, many GAUCs", "同一份点击日志，不同的 GAUC"),
            [_users_in_words(), _of_tools_that_have_it(_grouped())],
        ),
        (
            Text("One metric in every tool", "一个指标，各家的定义"),
            [_in_every_tool(*one) for one in EXPLAINED],
        ),
    ]
    return "\n\n".join("\n\n".join([f"## {title}", *parts]) for title, parts in sections)


def _how() -> str:
    said = Text(
        '`convention="ranx"` in a call, or `--convention ranx` on the command line, calculates as that tool does; `pingce conventions ranx` shows all of its metrics, '
        "`pingce eval QRELS RUN -m ndcg@10 --conventions trec_eval,ranx,sklearn` sets several beside each other and names the cause of each difference.",
        '在调用中写 `convention="ranx"`，或在命令行加 `--convention ranx`，就按该工具的算法来算；`pingce conventions ranx` 列出它的全部指标；'
        "`pingce eval QRELS RUN -m ndcg@10 --conventions trec_eval,ranx,sklearn` 把几个工具并排，并说明每处差异的原因。",
    )
    return str(said)


def _drawn(table: Table) -> str:
    return markdown(table, 4)


def _list_in_words() -> str:
    said = Text(
        "Truth: a 3, b 2, c 1, d 1, e 0. The list: x (not judged), a, e, c, b. Four relevant items, three of them found, at ranks 2, 4 and 5. Causes are found by switching one choice "
        "after another from pingce's definition to that of the tool; in brackets, the value after each switch.",
        "真值：a 3、b 2、c 1、d 1、e 0。列表：x（未标注）、a、e、c、b。相关条目四个，找到三个，在第 2、4、5 位。"
        "原因的找法：从 pingce 的定义出发，把选项逐个换成该工具的；括号里是每换一项之后的值。",
    )
    return str(said)


def _side_by_side(metric: str) -> str:
    return f"### {metric}\n\n{_of_tools_that_have_it(_compared(metric))}"


@cache
def _compared(metric: str) -> ConventionComparison:
    return pc.compare_conventions(_TRUTH, _RUN, metric, _tools("ranking"))


def _tools(task: str) -> list[str]:
    return [name for name, tool in conventions().items() if task in tool.tasks]


def _of_tools_that_have_it(found: ConventionComparison) -> str:
    """The table without its first column, the metric, which is the same in all rows."""
    have = {"pingce", *(f"{one.tool} {one.version}" for one in found.rows if one.refused is None)}
    table = found.table()
    return _drawn(Table(table.titles[1:], [row[1:] for row in table.rows if row[1] in have]))


def _users_in_words() -> str:
    said = Text(
        "u1: 1 click of 6, AUC 1; u2: 3 of 4, AUC 1/3; u3 clicked on everything, u4 on nothing. The calculation stands on [the GAUC page](gauc.md).",
        "u1：6 次曝光 1 次点击，AUC 为 1；u2：4 次中 3 次，AUC 为 1/3；u3 全点，u4 全不点。算式见 [GAUC 一页](gauc.md)。",
    )
    return str(said)


@cache
def _grouped() -> ConventionComparison:
    return pc.compare_conventions(
        CLICKS["labels"], CLICKS["scores"], "gauc", _tools("binary"), task="binary", group=CLICKS["group"]
    )


def _in_every_tool(task: str, name: str) -> str:
    """The metric's page, one heading deeper; what is no table shows as it is written."""
    lines = pages.metric_page([parse_metric(name, task=task)], _drawn).split("\n")
    return "\n".join(line if line.startswith("|") else _plain(line) for line in lines)


def _plain(line: str) -> str:
    mark, words = re.match(r"(# |- )?(.*)", line).groups(default="")  # type: ignore[union-attr]
    return {"# ": "### "}.get(mark, mark) + markdown_text(words)
