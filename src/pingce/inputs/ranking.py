"""The front door: one function for the truth, one for a run, and two for what may come with them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypedDict

from pingce.base.errors import InputError
from pingce.inputs.columns import PAIR_ROLES, Reading, Role, Rows, cannot_be_read
from pingce.inputs.names import check_roles, names_value, table_name
from pingce.tasks.options import checked_options

if TYPE_CHECKING:
    from typing_extensions import Unpack


class ReadingKeywords(TypedDict, total=False):
    """How a side of a ranking is read, as keywords of calls."""

    columns: Mapping[str, str | int] | None
    input_format: str | None
    encoding: str | None
    threads: int | None
    queries: Any
    items: Any
    sizes: Any


class TruthKeywords(ReadingKeywords, total=False):
    """The same of the truth."""

    item_weight: str | int | None


@checked_options(keywords=TruthKeywords)
def read_truth(data: Any, **reading: Unpack[TruthKeywords]) -> Rows:
    """The judgements (qrels): which items are how relevant to which query.

    Of a matrix, `queries` says which row is whom, and `items` which column is which item; `item_weight` names the column that says how much each
    judged item weighs.
    """
    return Reading(**reading).read(data, "truth")


@checked_options(keywords=ReadingKeywords)
def read_run(data: Any, **reading: Unpack[ReadingKeywords]) -> Rows:
    """A run: which items a system returned for which query, with a score, a rank, or in order.

    Of a matrix, `queries` says which row is whom, and `items` which column, or which number of an item, is which item.
    """
    return Reading(**reading).read(data, "run")


@checked_options(keywords=ReadingKeywords)
def read_excluded(data: Any, **reading: Unpack[ReadingKeywords]) -> Rows:
    """Pairs (query, item) that no list may show, such as items a user has seen: a table, a dict, or a list of pairs."""
    return Reading(**reading).read(data, "exclude")


@checked_options(keywords=ReadingKeywords)
def read_weights(data: Any, **reading: Unpack[ReadingKeywords]) -> Rows:
    """How much each query counts in a mean: a dict {query: weight}, or a table with a query and a weight column.

    Where queries are counted and not named (lists, matrices), also a list of weights.
    """
    return Reading(**reading).read(data, "weights")


def _pairs(data: Any, role: Role) -> Rows | None:
    """Rows of a list or set of pairs (query, item); None of anything else."""
    if not isinstance(data, (list, tuple, set, frozenset)):
        return None
    if not all(isinstance(pair, tuple) and len(pair) == 2 for pair in data):
        return None
    from pingce.inputs.dicts import read_pairs

    return read_pairs(list(data), role) if data else None


def _weights(data: Any, queries: Any) -> Rows | None:
    """Rows of a dict or a pandas series of weights, or of a plain list of them; None of anything else."""
    from pingce.inputs.dicts import read_pairs, table_of_columns

    if isinstance(data, Mapping) and table_of_columns(data, "weights", None) is not None:
        return None
    if isinstance(data, Mapping) or (hasattr(data, "items") and len(getattr(data, "shape", ())) == 1):
        return read_pairs(list(data.items()), "weights")
    numbers = _plain_list(data)
    if numbers is None:
        return None
    weights = read_pairs(list(enumerate(numbers)), "weights")
    return _named(replace(weights, shape=(len(numbers), None)), Reading(queries=queries))


def _plain_list(data: Any) -> list[Any] | tuple[Any, ...] | None:
    """The values of a list, a one-dimensional array, tensor or series; None for anything else."""
    from pingce.inputs.dicts import plain_list

    is_arrow = hasattr(data, "__arrow_c_array__") and not hasattr(data, "columns")
    is_series = len(getattr(data, "shape", ())) == 1 or type(data).__name__ in ("ChunkedArray", "Series")
    return plain_list(data) if is_arrow or is_series or isinstance(data, (list, tuple)) else None


def read_ranking(data: Any, role: Role, reading: Reading) -> Rows:
    """The rows of whatever holds a table of rankings."""
    rows = _pairs(data, role) if role in PAIR_ROLES else _weights(data, reading.queries) if role == "weights" else None
    if rows is not None:
        return rows
    check_roles(reading.columns)
    if isinstance(data, Rows):
        return _as_weighed(data, role, reading.weight_column)
    columns = _columns(data, role, reading) if role in ("truth", "run") else None
    if columns is not None:
        return _checked(columns, role, reading)
    if isinstance(data, tuple) and len(data) == 2 and len(getattr(data[1], "shape", ())) == 2:
        from pingce.inputs.matrices import is_matrix

        if is_matrix(data[1]):  # (ids, matrix), and no tuple of two lists
            reading, data = replace(reading, queries=data[0]), data[1]
    rows = _named(_rows(data, role, reading), reading, numbered=hasattr(data, "shape"))
    if names_value(role, reading.columns):
        rows = replace(rows, source=replace(rows.source, stated=True))
    return _checked(rows, role, reading)


def _checked(rows: Rows, role: Role, reading: Reading) -> Rows:
    """The rows, if those of a truth have the weights that a column was named for; and how many of them weigh nothing."""
    if role != "truth" or reading.weight_column is None:
        return rows
    from pingce.inputs.item_weights import with_weightless

    rows = with_weightless(rows)
    return replace(rows, source=replace(rows.source, item_weight=reading.weight_column))


def _as_weighed(rows: Rows, role: Role, column: str | int | None) -> Rows:
    """Rows that were read before; a column of weights that is named now cannot be read any more."""
    if role != "truth" or column is None:
        return rows
    if rows.weight is None or rows.source.item_weight not in (None, column):
        before = rows.source.item_weight
        raise InputError(
            f"item_weight={column!r}: {rows.source.name.en} was read before with "
            f"{'no weights' if rows.weight is None else f'item_weight={before!r}'}; give read_truth(…, item_weight={column!r}), or the table itself",
            f"item_weight={column!r}：{rows.source.name.zh} 读取时"
            f"{'没有权重' if rows.weight is None else f'为 item_weight={before!r}'}；请用 read_truth(…, item_weight={column!r})，或直接给出表",
        )
    return rows


def _columns(data: Any, role: Role, reading: Reading) -> Rows | None:
    """Rows of a plain column, or of a column of the one table that has both sides; None of anything else."""
    if reading.table is None and reading.sizes is None and reading.queries is None:
        return None
    from pingce.inputs.flat import is_flat, read_flat, read_named

    if reading.table is not None:
        return read_named(data, role, reading)
    return read_flat(data, role, reading) if is_flat(data) else None


def _named(rows: Rows, reading: Reading, *, numbered: bool = False) -> Rows:
    """Rows of a matrix or list with the names that were given for their places; `numbered`: items are numbers too."""
    if reading.queries is None and reading.items is None:
        return rows
    from pingce.inputs.matrices import named_items, named_queries

    counted = rows.width is not None or (numbered and rows.count is not None and rows.item.integers)
    if reading.items is not None and counted:
        rows = named_items(rows, reading.items)
    return rows if reading.queries is None or rows.count is None else named_queries(rows, reading.queries)


def _rows(data: Any, role: Role, reading: Reading) -> Rows:
    if isinstance(data, (str, os.PathLike)):
        from pingce.inputs.paths import read_rows

        return read_rows(data, role, reading)
    if isinstance(data, Mapping) and not hasattr(data, "tocsr"):  # SciPy's dok_matrix is a dict too
        from pingce.inputs.dicts import read_dict, table_of_columns

        table = table_of_columns(data, role, reading.columns)
        if table is not None:
            from pingce.inputs.frames import read_frame

            return read_frame(table, role, reading, table_name(role, "dict"))
        return read_dict(data, role)
    if isinstance(data, (list, tuple)) or (role in PAIR_ROLES and isinstance(data, (set, frozenset)) and not data):
        from pingce.inputs.dicts import read_list

        return read_list(list(data), role)
    from pingce.inputs.matrices import is_matrix, read_matrix

    if is_matrix(data):
        return read_matrix(data, role)
    from pingce.inputs.frames import is_frame, read_frame

    if is_frame(data):
        return read_frame(data, role, reading)
    raise cannot_be_read(data, role)
