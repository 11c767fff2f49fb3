"""`pingce metrics [NAME]`: the catalogue, or one metric in full, from its declaration alone."""

from __future__ import annotations

import sys

import click

from pingce.base.errors import InputError, did_you_mean
from pingce.base.text import Text
from pingce.cli.group import Command
from pingce.tasks import TASKS


def build() -> click.Command:
    """The command, in the language in force."""
    return Command(
        "metrics",
        Text(
            "List all metrics; with NAME explain one, for every task that has it. Aliases and Chinese names are found.",
            "列出全部指标；给出 NAME 则讲解其一，凡有该指标的任务都会列出。别名与中文名都可以查。",
        ),
        [
            click.Argument(["name"], metavar="[NAME]", required=False),
            click.Option(
                ["--task"],
                type=click.Choice(tuple(TASKS)),
                help=str(Text("Only metrics of this task.", "只看该任务的指标。")),
            ),
        ],
        show,
        ("pingce metrics ndcg", str(Text("pingce metrics precision", "pingce metrics 查准率"))),
    )


def show(name: str | None, task: str | None) -> None:
    """Print the lists, or every page that the name means."""
    from pingce.metrics.catalogue import names, pages, search

    if name is None:
        from pingce.base.terminal import draw
        from pingce.metrics.catalogue import heading, listing

        tables = {heading(each): listing(each) for each in (TASKS if task is None else (task,))}
        sys.stdout.write(
            "\n\n".join(f"# {title}\n\n{draw(table, 4, fancy=False)}" for title, table in tables.items()) + "\n"
        )
        return
    metrics = search(name, task)
    if not metrics:
        hint = did_you_mean(name.lower(), names(task))
        raise InputError(
            f"no metric is called '{name}'{hint.en} (pingce metrics lists them all)",
            f"没有名为 '{name}' 的指标{hint.zh}（pingce metrics 可列出全部）",
        )
    sys.stdout.write(pages(metrics) + "\n")
