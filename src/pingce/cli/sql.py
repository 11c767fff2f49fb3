"""`pingce sql METRIC`: the query that computes it."""

from __future__ import annotations

from typing import Any

from pingce.cli.output import write
from pingce.sql.call import query
from pingce.sql.names import Names


def print_query(metric: str, *, dialect: str, task: str | None, output: Any, **names: str) -> None:
    """Print the query, or write it to a file."""
    write(query(metric, dialect=dialect, task=task, names=Names(**names)).rstrip("\n"), output)
