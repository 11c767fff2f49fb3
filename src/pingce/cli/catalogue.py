"""`pingce metrics [NAME]` and `pingce conventions [METRIC|TOOL]`: pages made from declarations alone."""

from __future__ import annotations

import sys

from pingce.base.errors import InputError, did_you_mean
from pingce.base.tables import Table, draw
from pingce.metrics.catalogue import heading, listing, names, pages, search
from pingce.metrics.grammar import parse_metric
from pingce.tasks import TASKS


def show_metrics(name: str | None, task: str | None) -> None:
    """Print the lists, or every page that the name means."""
    if name is None:
        tables = {heading(each): listing(each) for each in (TASKS if task is None else (task,))}
        text = "\n\n".join(f"# {title}\n\n{_plain(table)}" for title, table in tables.items())
    elif metrics := search(name, task):
        text = pages(metrics)
    else:
        hint = did_you_mean(name.lower(), names(task))
        raise InputError(
            f"no metric is called '{name}'{hint.en} (pingce metrics lists them all)",
            f"没有名为 '{name}' 的指标{hint.zh}（pingce metrics 可列出全部）",
        )
    sys.stdout.write(text + "\n")


def show_conventions(name: str | None) -> None:
    """Print the list, the page of a tool, or a metric in every tool."""
    from pingce.conventions.declared import conventions
    from pingce.conventions.pages import listing as tool_listing
    from pingce.conventions.pages import metric_page, tool_page
    from pingce.conventions.resolve import convention_named

    if name is None:
        text = _plain(tool_listing())
    elif name in conventions():  # before metrics whose titles hold the word
        text = tool_page(conventions()[name], _plain)
    elif metrics := search(name.partition("@")[0].partition("(")[0]):
        text = metric_page([parse_metric(kind.about.example[0], task=kind.task) for kind in metrics], _plain)
    else:
        try:
            text = tool_page(convention_named(name), _plain)
        except InputError:
            hint = did_you_mean(name.lower(), [*conventions(), *names(None)])
            raise InputError(
                f"'{name}' is no metric and no tool that pingce knows{hint.en} (tools: {', '.join(conventions())})",
                f"'{name}' 既不是指标也不是 pingce 所知的工具{hint.zh}（工具：{'、'.join(conventions())}）",
            ) from None
    sys.stdout.write(text + "\n")


def _plain(table: Table) -> str:
    return draw(table, 4, fancy=False)
