"""`pingce demo`: the main job on real runs that come with the package."""

from __future__ import annotations

import sys
from importlib.resources import as_file, files

import click

from pingce.cli.group import Command, lang_option
from pingce.language import Text

RUNS = ("pixels", "pca8")


def build() -> click.Command:
    """The command, in the language in force."""
    return Command(
        "demo",
        params=[lang_option()],
        callback=show,
        help=str(
            Text(
                "Score two real image-retrieval runs: 200 handwritten digits, top 100 each, same digit = relevant.",
                "给两组真实的图像检索结果打分：200 个手写数字查询，各取前 100，同一数字为相关。",
            )
        ),
    )


def show() -> None:
    """Score both runs, and say what the numbers mean."""
    from pingce.cli.eval import build as build_eval

    with as_file(files("pingce") / "demo") as folder:
        words = [str(folder / "digits.qrels.gz"), *(str(folder / f"{name}.run.gz") for name in RUNS)]
        shown = "pingce eval digits.qrels.gz pixels.run.gz pca8.run.gz"
        sys.stderr.write(f"$ {shown}\n")
        command = build_eval()
        with command.make_context("eval", words) as context:
            scores = command.invoke(context)
    for name, one in scores.items():
        sys.stdout.write(f"\n{name}: {Text(**one.diagnosis['text'])}\n")
