"""`pingce eval … --worst N`: the queries or groups with the lowest values, ready to explain."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pingce.base.errors import InputError, one_line
from pingce.base.tables import Cell, Table, markdown
from pingce.base.text import Text
from pingce.cli.output import Style

if TYPE_CHECKING:
    from pingce.scores import Scores


def worst(scores: Mapping[str, Scores], options: Mapping[str, Any], style: Style) -> str:
    """A table of the lowest values of the first metric of each run, and the command that explains the lowest."""
    if style.out_format not in ("table", "md"):
        raise InputError(
            f"--worst is for tables and Markdown; with -f {style.out_format} use -q, which gives every value",
            f"--worst 只用于表格与 Markdown；-f {style.out_format} 请用 -q，可得到每个值",
        )
    rows: list[list[Cell]] = []
    for run, values in scores.items():
        rows += [[run, *row] for row in _lowest(values, options["worst"])]
    first = next(iter(scores.values()))
    unit = Text("query", "查询") if first.per == "query" else Text("group", "分组")
    titles = [str(Text("run", "预测")), str(unit), str(Text("metric", "指标")), str(Text("value", "数值"))]
    table = Table(titles, rows)
    command = _command(first, str(rows[0][1]), str(rows[0][2]), options) if rows else ""
    if style.out_format == "md":
        return "\n\n".join([markdown(table, style.places), f"    {command}"])
    from pingce.base.terminal import draw

    return "\n\n".join([draw(table, style.places, fancy=False), command])


def _command(scores: Scores, unit: str, metric: str, options: Mapping[str, Any]) -> str:
    """What to type to see the calculation."""
    files = options["files"][:2] if scores.per == "query" else options["files"][:1]
    words = ["pingce", "explain", metric, *files]
    if scores.per == "query":
        words += ["--query", unit]
    else:
        words += [word for name in ("label", "group") if options[name] for word in (f"--{name}", options[name])]
        words += [word for score in options["score"][:1] for word in ("--score", score)]
        words += ["--of-group", unit]
    words += ["--convention", options["convention"]] if options["convention"] else []
    return one_line(shlex.join(words))


def _lowest(scores: Scores, count: int) -> list[list[Any]]:
    columns = scores.unit_columns()
    ids = columns.pop(scores.per, None)
    if ids is None or scores.per == "class":
        raise InputError("--worst is for queries, and for groups (--group)", "--worst 用于查询，以及分组（--group）")
    name = "auc" if scores.per == "group" else next(iter(columns))
    higher = True if scores.per == "group" else scores.find(name).metric.about.higher_is_better
    pairs = [(value, unit) for value, unit in zip(columns[name], ids, strict=True) if value == value]  # noqa: PLR0124 - not NaN
    pairs.sort(key=lambda pair: pair[0] if higher is not False else -pair[0])
    return [[str(unit), name, value] for value, unit in pairs[:count]]
