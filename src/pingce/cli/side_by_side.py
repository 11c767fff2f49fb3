"""`pingce eval … --conventions`: the same data under several tools' definitions, with the cause of each difference."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from pingce.cli.output import Style, write
from pingce.errors import InputError

if TYPE_CHECKING:
    from pingce.cli.jobs import Job
    from pingce.conventions.comparison import ConventionComparison
    from pingce.scores import Scores


def side_by_side(job: Job, options: Mapping[str, Any], style: Style) -> Mapping[str, Scores]:
    """Compare, render, write; there are no scores to hand on."""
    from pingce.conventions.compare import compare

    if len(job.models) > 1:
        raise InputError(
            "--conventions compares definitions on one run; give one run at a time",
            "--conventions 在同一份预测上比较不同定义；请一次只给一份预测",
        )
    tools = [tool.strip() for tool in options["conventions"].split(",") if tool.strip()]
    (score,) = job.models.values()
    found = compare(
        lambda asked: score(asked, job.define.policies), job.asked, job.define.policies, tools, job.define.given
    )
    write(render(found, style), options["output"])
    return {}


def render(found: ConventionComparison, style: Style) -> str:
    """In one of the formats that suit a comparison."""
    from pingce import export
    from pingce.terminal import draw

    places = style.places
    formats: dict[str, Callable[[], str]] = {
        "table": lambda: draw(found.table(), places, fancy=False),
        "md": lambda: found.to_markdown(places=places),
        "latex": lambda: found.to_latex(places=places),
        "json": found.to_json,
        "csv": lambda: export.delimited(found.table(), ",", escape_formulas=style.escape_formulas, bom=style.bom),
        "tsv": lambda: export.delimited(found.table(), "\t", escape_formulas=style.escape_formulas, bom=style.bom),
    }
    if style.out_format not in formats:
        raise InputError(
            f"--conventions cannot be written as {style.out_format}; choose one of {', '.join(formats)}",
            f"--conventions 不能写成 {style.out_format}；可选 {'、'.join(formats)}",
        )
    return formats[style.out_format]()
