"""What `items=` is: names for the columns of matrices, or a table of facts of items."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any


def item_names(items: Any, data: Any = None) -> Any:
    """The names of columns: a plain list, array or series of ids, or a column of the one table `data`; None where it is a table."""
    return items if _is_column(items, data) or not _is_table(items) else None


def item_facts(items: Any, data: Any = None) -> Any:
    """The table: a path, a frame, a dict of columns, or a pair (ids, matrix); None where it names columns."""
    return items if _is_table(items) and not _is_column(items, data) else None


def _is_column(items: Any, data: Any) -> bool:
    """Whether it is the name of a column, and no file: the table has it; else a file has a suffix, or is there."""
    if isinstance(items, str) and items in _columns(data):
        return True
    return data is not None and isinstance(items, str) and not Path(items).suffix and not Path(items).exists()


def _columns(data: Any) -> list[str]:
    """The columns of a table in memory; none where they are not known yet."""
    names = data if isinstance(data, Mapping) else getattr(data, "column_names", getattr(data, "columns", ()))
    return [] if callable(names) else [name for name in names if isinstance(name, str)]


def _is_table(items: Any) -> bool:
    if isinstance(items, (str, Mapping)) or hasattr(items, "__fspath__"):
        return True
    return _is_pair(items) or hasattr(items, "columns") or hasattr(items, "column_names")


def _is_pair(items: Any) -> bool:
    """Whether it is ids and a matrix, an array or a list of rows: no id is a list."""
    if not isinstance(items, tuple) or len(items) != 2:
        return False
    return len(getattr(items[1], "shape", ())) == 2 or isinstance(items[1], (list, tuple))
