"""The rows of predictions that are whole; a database cannot refuse others, so that they are left out or kept by a rule, and counted."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from pingce.sql.draft import Draft, Step, double

_LARGEST = double(sys.float_info.max)


def none_of(columns: list[str]) -> str:
    """The condition that no column is NULL."""
    return " AND ".join(f"{column} IS NOT NULL" for column in columns)


def is_finite(column: str) -> str:
    """The condition that a number is neither NaN nor infinite, where NaN compares as the greatest and where it compares as nothing."""
    return f"ABS({column}) <= {_LARGEST}"


def is_nan(column: str) -> str:
    """1 for NaN, else 0: databases have no function of one name for it."""
    return f"CASE WHEN {column} IS NULL OR {column} <= 1 THEN 0 WHEN 1 / {column} < 1 THEN 0 ELSE 1 END"


def total(condition: str) -> str:
    """How many rows meet a condition; 0 of none."""
    return f"COALESCE(SUM(CASE WHEN {condition} THEN 1 ELSE 0 END), 0)"


def whole_rows(draft: Draft, read: Mapping[str, str], numbers: list[str], rows: str, usual: str = "") -> list[Step]:
    """What is read of the table by names of its own, the rows that are whole (`pc_rows`), and how many are not (`pc_counts`)."""
    present, finite = none_of(list(read)), " AND ".join(map(is_finite, numbers))
    columns = ",\n  ".join(f"{column} AS {name}" for name, column in read.items())
    counts = ["COUNT(*) AS row_count", f"{total(f'NOT ({present})')} AS null_rows"]
    counts += [f"{total(f'{present} AND NOT ({finite})')} AS not_finite"]
    whole = f"{present} AND {finite}"
    counts += [f"{total(whole)} - {total(f'{whole} AND ({usual})')} AS odd_labels"] if usual else []
    return [
        Step("pc_read", f"SELECT\n  {columns}\nFROM {draft.table('table')}"),
        Step("pc_rows", f"SELECT {rows}\nFROM pc_read\nWHERE {whole}"),
        Step("pc_counts", "SELECT\n  " + ",\n  ".join(counts) + "\nFROM pc_read"),
    ]


def result(value: str, table: str, first: tuple[str, ...] = (), last: tuple[str, ...] = ()) -> Step:
    """The value, and beside it counts of rows, with other counts before and after them."""
    names = (*first, "c.row_count", "c.null_rows", "c.not_finite", *last)
    columns = "".join(f",\n  {name}" for name in names)
    return Step("", f"SELECT\n  {value} AS value{columns}\nFROM {table} v CROSS JOIN pc_counts c")
