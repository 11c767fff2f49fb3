"""`pingce eval … --conventions`: the same data under several tools' definitions, with the cause of each difference."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pingce.base import tables as export
from pingce.base.errors import InputError, one_line
from pingce.cli.output import Style, write
from pingce.comparison.convention_values import ConventionComparison

if TYPE_CHECKING:
    from pingce.cli.jobs import Job
    from pingce.scores import Scores


def side_by_side(job: Job, options: Mapping[str, Any], style: Style) -> Mapping[str, Scores]:
    """Compare, render, write; there are no scores to hand on."""
    from pingce.comparison.definitions import compare_definitions

    if len(job.models) > 1:
        raise InputError(
            "--conventions compares definitions on one run; give one run at a time",
            "--conventions 在同一份预测上比较不同定义；请一次只给一份预测",
        )
    for name in ("per_query", "worst"):
        if options[name]:
            option = "-q" if name == "per_query" else "--worst"
            raise InputError(
                f"{option} does not go with --conventions, which compares the values of the whole run",
                f"{option} 不能与 --conventions 同用：后者比较的是整份预测的值",
            )
    tools = [tool.strip() for tool in options["conventions"].split(",") if tool.strip()]
    (model,) = job.models
    request = job.request
    if request.metrics is None:
        request = request.with_usual(request.task.load("state").usual)
    comparison = compare_definitions(
        lambda metrics: job.score(model, replace(request, metrics=tuple(metrics))), request, tools
    )
    text = render(comparison, style)
    if style.verbose and style.out_format in ("table", "md"):
        lines = [f"{comparison.base}: {line}" for line in comparison.signatures.values()]
        lines += [f"{row.tool}: {row.signature}" for row in comparison.rows if row.signature]
        text = "\n\n".join([text, "\n".join(map(one_line, lines))])
    write(text, options["output"])
    return {}


def render(comparison: ConventionComparison, style: Style) -> str:
    """In one of the formats that suit a comparison."""
    from pingce.base.terminal import draw

    places = style.places
    formats: dict[str, Callable[[], str]] = {
        "table": lambda: draw(comparison.table(), places, fancy=False),
        "md": lambda: comparison.to_markdown(places=places),
        "latex": lambda: comparison.to_latex(places=places),
        "json": comparison.to_json,
        "csv": lambda: export.delimited(comparison.table(), ",", escape_formulas=style.escape_formulas, bom=style.bom),
        "tsv": lambda: export.delimited(comparison.table(), "\t", escape_formulas=style.escape_formulas, bom=style.bom),
    }
    if style.out_format not in formats:
        raise InputError(
            f"--conventions cannot be written as {style.out_format}; choose one of {', '.join(formats)}",
            f"--conventions 不能写成 {style.out_format}；可选 {'、'.join(formats)}",
        )
    return formats[style.out_format]()
