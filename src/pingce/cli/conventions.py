"""`pingce conventions [METRIC|TOOL]`: which formula each tool uses, from the same files that reproduce its numbers."""

from __future__ import annotations

import sys

import click

from pingce.base.errors import InputError, did_you_mean
from pingce.base.text import Text
from pingce.cli.group import Command


def build() -> click.Command:
    """The command, in the language in force."""
    return Command(
        "conventions",
        Text(
            "List the tools whose numbers pingce reproduces; with TOOL show what its metrics mean, with METRIC what each tool means by it.",
            "列出 pingce 能复现其数值的工具；给出 TOOL 则说明它的各个指标，给出 METRIC 则说明各工具如何定义该指标。",
        ),
        [click.Argument(["name"], metavar="[METRIC|TOOL]", required=False)],
        show,
        (
            "pingce conventions ndcg",
            "pingce conventions ranx",
            "pingce eval QRELS RUN -m ndcg@10 --conventions trec_eval,ranx",
        ),
    )


def show(name: str | None) -> None:
    """Print the list, the page of a tool, or a metric in every tool."""
    from pingce.base.terminal import draw
    from pingce.conventions.declared import conventions
    from pingce.conventions.pages import listing, metric_page, tool_page
    from pingce.conventions.resolve import convention_named
    from pingce.metrics.catalogue import search
    from pingce.metrics.grammar import parse_metric

    def plain(table: object) -> str:
        return draw(table, 4, fancy=False)  # type: ignore[arg-type]

    if name is None:
        sys.stdout.write(plain(listing()) + "\n")
        return
    metrics = search(name.partition("@")[0].partition("(")[0])
    if metrics:
        requests = [parse_metric(kind.about.example[0], task=kind.task) for kind in metrics]
        sys.stdout.write(metric_page(requests, plain) + "\n")
        return
    try:
        tool = convention_named(name)
    except InputError:
        from pingce.metrics.catalogue import names

        hint = did_you_mean(name.lower(), [*conventions(), *names(None)])
        raise InputError(
            f"'{name}' is no metric and no tool that pingce knows{hint.en} (tools: {', '.join(conventions())})",
            f"'{name}' 既不是指标也不是 pingce 所知的工具{hint.zh}（工具：{'、'.join(conventions())}）",
        ) from None
    sys.stdout.write(tool_page(tool, plain) + "\n")
