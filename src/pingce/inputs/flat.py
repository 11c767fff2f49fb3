"""Grades and scores as plain columns, a row per item: who belongs to one query is said by ids or by sizes of groups."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.inputs import cells
from pingce.inputs.arrow import is_string
from pingce.inputs.columns import ITEM_WEIGHT, Reading, Role, Rows, too_large_for_doubles, with_notes
from pingce.inputs.ids import Ids, IntIds
from pingce.inputs.layouts import CodedIds
from pingce.inputs.matrices import is_tensor, named_queries
from pingce.inputs.names import column_words, weight_note
from pingce.inputs.predictions import chosen
from pingce.inputs.vectors import Vector, vector

SIDES: Mapping[Role, str] = {"truth": "qrels", "run": "run"}
"What calls, and messages, name the columns of the two sides."


def is_flat(data: Any) -> bool:
    """Whether this is one column: a one-dimensional array, tensor or series, or a list of plain values."""
    if isinstance(data, Vector):
        return True
    if isinstance(data, (list, tuple)):
        return bool(data) and not any(hasattr(value, "__len__") and not isinstance(value, str) for value in data)
    if isinstance(data, np.ndarray) or is_tensor(data):
        return len(data.shape) == 1
    is_series = len(getattr(data, "shape", ())) == 1 or hasattr(data, "__arrow_c_array__")
    return (is_series or type(data).__name__ == "ChunkedArray") and not hasattr(data, "columns")


def read_named(column: Any, role: Role, reading: Reading) -> Rows:
    """Rows of a column of the one table that holds both sides, by its name; queries may be a column too."""
    weight = column_words(role, reading.columns).get(ITEM_WEIGHT)
    wanted = {SIDES[role]: column, "queries": reading.queries, "items": reading.items, ITEM_WEIGHT: weight}
    if not isinstance(column, str):
        raise InputError(
            f"{SIDES[role]}= is {type(column).__name__}: with data= it is the name of a column of that table",
            f"{SIDES[role]}= 的类型是 {type(column).__name__}：给出 data= 时，它应为该表的列名",
        )
    columns = chosen(reading.table, wanted, reading, numbers=[SIDES[role], ITEM_WEIGHT], texts=["queries", "items"])
    names = replace(reading, queries=columns["queries"], items=columns["items"])
    rows = read_flat(columns[SIDES[role]], role, names)
    if weight is None:
        return rows
    from pingce.inputs.item_weights import weighed

    return with_notes(
        weighed(rows, cells.plain_numbers(columns[ITEM_WEIGHT]).astype(np.float64)),
        weight_note(rows.source.name, weight),
    )


def read_flat(data: Any, role: Role, reading: Reading) -> Rows:
    """Rows of a column of grades or scores; without `items` an item is known by its row."""
    column = vector(data, SIDES[role])
    value, whole = _numbers(column, role)
    item = IntIds(np.arange(len(column))) if reading.items is None else _ids(reading.items, "items", column)
    source = replace(column.source, numbers_items=reading.items is None)
    if reading.sizes is None:
        return Rows(_ids(reading.queries, "queries", column), item, value, source, whole=whole)
    lengths = checked_sizes(reading.sizes, len(column), column.name)
    groups = np.arange(len(lengths))
    query = CodedIds(np.repeat(groups, lengths), IntIds(groups))
    rows = Rows(query, item, value, source, whole=whole, shape=(len(lengths), None))
    if role == "truth":
        rows = with_notes(rows, *_empty_notes(lengths))
    return rows if reading.queries is None else _named_groups(rows, reading.queries)


def _named_groups(rows: Rows, queries: Any) -> Rows:
    """Rows of groups with an id for each group."""
    count = len(vector(queries, "queries"))
    if count != rows.count:
        raise InputError(
            f"queries= has {count} ids, but sizes= has {rows.count} groups; beside sizes= give one id for each group, or leave sizes= out where "
            "queries= has the query of each row",
            f"queries= 有 {count} 个编号，而 sizes= 有 {rows.count} 组；与 sizes= 同用时请每组给出一个编号；若 queries= 是每行所属的查询，请去掉 sizes=",
        )
    return named_queries(rows, queries)


def _empty_notes(lengths: NDArray[np.int64]) -> list[Text]:
    """What to say of groups of no rows."""
    empty = np.flatnonzero(lengths == 0)
    if not len(empty):
        return []
    return [
        Text(
            f"sizes=: {len(empty)} of {len(lengths)} queries have no rows, the first of them number {empty[0]}: nothing is judged for them, and "
            "they are not scored",
            f"sizes=：{len(lengths)} 个查询中有 {len(empty)} 个没有行，首个编号为 {empty[0]}：没有标注，不计入评测",
        )
    ]


def _numbers(column: Vector, role: Role) -> tuple[NDArray[np.float64], NDArray[Any] | None]:
    """Grades or scores as doubles, and scores too large for them as they are; a null score is not a number."""
    if role == "run" and not column.is_array and column.values.null_count and not is_string(column.values.type):
        column = replace(column, values=column.values.to_numpy().astype(np.float64))
    values = cells.plain_numbers(column)
    whole = values if role == "run" and values.dtype.kind in "iu" and too_large_for_doubles(values) else None
    return values.astype(np.float64), whole


def _ids(names: Any, keyword: str, column: Vector) -> Ids:
    """An id for each row."""
    if names is None:
        raise InputError(
            f"{column.name.en} is one column: say to which query each row belongs with queries=, or how many rows each query has with "
            "sizes=",
            f"{column.name.zh} 是一列数：请用 queries= 给出每行所属的查询，或用 sizes= 给出各查询的行数",
        )
    ids = vector(names, keyword)
    if len(ids) != len(column):
        way = Text("; if these are numbers of rows, say sizes=", "；若是各查询的行数，请用 sizes=")
        hint = way if keyword == "queries" else Text("", "")
        raise InputError(
            f"{keyword}= has {len(ids)} ids, but {column.name.en} has {len(column)} rows; give one for each row{hint.en}",
            f"{keyword}= 有 {len(ids)} 个编号，而 {column.name.zh} 有 {len(column)} 行；请每行给出一个{hint.zh}",
        )
    return cells.ids(ids)


def checked_sizes(sizes: Any, rows: int, name: Text) -> NDArray[np.int64]:
    """Sizes of groups that stand one after another: whole numbers from 0 up, which add up to the rows."""
    column = vector(sizes, "sizes")
    values = cells.numbers(column)
    column.refuse(
        (values < 0) | (values != np.floor(values)),
        "the size is {value:g}; sizes of groups are whole numbers from 0 up ({count} are not)",
        "大小为 {value:g}；分组大小须为不小于 0 的整数（共 {count} 个不符）",
    )
    total = int(values.sum())
    if total != rows:
        raise InputError(
            f"sizes= add up to {total}, but {name.en} has {rows} rows; give the number of rows of each group, in the order of the rows",
            f"sizes= 之和为 {total}，而 {name.zh} 有 {rows} 行；请按行的顺序给出每组的行数",
        )
    return values.astype(np.int64)
