"""`pingce metrics [NAME]`: the catalogue, or one metric in full, from its declaration alone."""

from __future__ import annotations

import sys

import click

from pingce.cli.group import Command, lang_option
from pingce.language import Text


def build() -> click.Command:
    """The command, in the language in force."""
    return Command(
        "metrics",
        params=[click.Argument(["name"], metavar="[NAME]", required=False), lang_option()],
        callback=show,
        help=str(
            Text(
                "List all metrics; with NAME explain one. Aliases and Chinese names are found.",
                "列出全部指标；给出 NAME 则讲解其一。别名与中文名都可以查。",
            )
        ),
        epilog=str(Text("pingce metrics ndcg", "pingce metrics ndcg    pingce metrics 查准率")),
    )


def show(name: str | None) -> None:
    """Print the list, a page, or a choice of pages."""
    from pingce.catalogue import listing, page, search
    from pingce.cli.terminal import draw
    from pingce.errors import InputError, did_you_mean
    from pingce.metrics.grammar import known_names

    if name is None:
        sys.stdout.write(draw(listing(), 4, fancy=False) + "\n")
        return
    found = search(name)
    if not found:
        hint = did_you_mean(name.lower(), known_names())
        raise InputError(
            f"no metric is called '{name}'{hint.en} (pingce metrics lists them all)",
            f"没有名为 '{name}' 的指标{hint.zh}（pingce metrics 可列出全部）",
        )
    sys.stdout.write("\n\n".join(page(kind) for kind in found) + "\n")
