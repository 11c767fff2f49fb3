"""`pingce explain METRIC …`: the worked calculation, of files and a query, or of numbers written on the command line."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Mapping
from typing import Any

import click

from pingce.base.text import Text, language
from pingce.cli.group import Command
from pingce.cli.options import FORMATS, parameters, stated
from pingce.explanations.derivation import Readable


def build() -> click.Command:
    """The command, in the language in force."""
    return Command(
        "explain",
        Text(
            "Work out a number step by step: for one query of a ranking (QRELS RUN --query ID), for predictions (a table with columns for labels and scores, classes, or numbers), or for numbers written here (--grades, --labels and --scores, --true and --pred).",
            "一步一步讲清一个数字：排序中的某个查询（QRELS RUN --query 编号），预测（含标签与分数、类别或数值列的表），或直接写出的数字（--grades，--labels 与 --scores，--true 与 --pred）。",
        ),
        [
            click.Argument(["metric"], metavar="METRIC"),
            click.Argument(["files"], metavar="[QRELS RUN | PREDICTIONS]", nargs=-1),
            *parameters("explain"),
        ],
        show,
        (
            "pingce explain ndcg@5 --grades 3,2,3,0,1",
            "pingce explain ndcg@10 qrels.txt bm25.run --query q17 --against ranx",
            "pingce explain auc --labels 1,0,1,0 --scores .9,.8,.7,.1",
        ),
    )


def show(metric: str, files: tuple[str, ...], **options: Any) -> Readable:
    """Read, work out, write; what was written goes back to the caller."""
    from pingce.api import explain
    from pingce.cli.explain_inputs import explain_arguments
    from pingce.cli.output import chosen_format, write

    out_format = chosen_format(options["out_format"], options["output"], FORMATS["explain"])
    written = stated(options, "explain")
    policies = {option.name: options[option.name] for option in written if option.place.startswith("policies.")}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tools = {name: options[name] for name in ("convention", "against")}
        explanation = explain(metric, **explain_arguments(metric, files, options), **tools, **policies)
    write(_rendered(explanation, out_format, options), options["output"])
    return explanation


def _rendered(explanation: Readable, out_format: str, options: Mapping[str, Any]) -> str:
    places = options["places"]
    if out_format == "html":
        from pingce.explanations.render import web_page

        return web_page(explanation, places, language())
    if out_format == "text":
        return explanation.to_text(places, fancy=options["output"] is None and sys.stdout.isatty())
    if out_format == "json":
        return explanation.to_json()
    return explanation.to_markdown(places) if out_format == "md" else explanation.to_latex(places)
