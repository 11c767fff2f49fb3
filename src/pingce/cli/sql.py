"""`pingce sql METRIC`: the query that computes it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import click
from click.core import ParameterSource

from pingce.base.errors import InputError
from pingce.cli.output import write
from pingce.sql.call import query
from pingce.sql.names import Names


def print_query(metric: str, *, dialect: str, task: str | None, output: Any, **names: str) -> None:
    """Print the query, or write it to a file."""
    written = partial(query, metric, dialect=dialect, task=task)
    _refuse_unused(metric, written, Names(**names), list(names))
    write(written(names=Names(**names)).rstrip("\n"), output)


def _refuse_unused(metric: str, written: Any, names: Names, options: list[str]) -> None:
    """Refuse a table or a column that was said and that the query does not read: one of another task would be read in silence."""
    text = written(names=names)
    used = [name for name in options if written(names=replace(names, **{name: f"{getattr(names, name)}_"})) != text]
    source = click.get_current_context().get_parameter_source
    unused = [name for name in options if name not in used and source(name) is ParameterSource.COMMANDLINE]
    if unused:
        read = [f"--{name}" for name in used]
        raise InputError(
            f"--{unused[0]}: the query of {metric} does not read it, but {', '.join(read)}; leave it out, or say which metric is meant "
            "with --task",
            f"--{unused[0]}：{metric} 的查询用不到它，只用 {'、'.join(read)}；请去掉，或用 --task 指明是哪个任务的指标",
        )
