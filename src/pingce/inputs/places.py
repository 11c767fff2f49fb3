"""Rows and columns of a matrix by name: which row is which query, and which column is which item."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.inputs.columns import Rows, rows_of

if TYPE_CHECKING:
    from pingce.inputs.ids import IntIds, StringIds


def split_pair(data: Any) -> tuple[Any, Any] | None:
    """The query ids and the matrix of a pair (ids, matrix); None for anything else, such as a tuple of two lists."""
    if not isinstance(data, tuple) or len(data) != 2 or len(getattr(data[1], "shape", ())) != 2:
        return None
    from pingce.inputs.matrices import is_matrix

    return (data[0], data[1]) if is_matrix(data[1]) else None


def named_queries(rows: Rows, queries: Any) -> Rows:
    """The same rows with a query id for each row of the matrix or list, in place of its number."""
    from pingce.inputs.layouts import CodedIds

    ids = _ids(queries, "query", "queries=")
    if len(ids) != rows.count:
        raise _other_length(rows, len(ids), rows.count or 0, "query")
    _refuse_repeats(ids)
    width = rows.width
    codes = rows.query.plain().comparable()
    return replace(rows, query=CodedIds(codes, ids), shape=None if width is None else (None, width))


def named_items(rows: Rows, items: Any) -> Rows:
    """The same rows with an item id for each column, or for each item number that a matrix of ranked items holds."""
    from pingce.inputs.layouts import CodedIds

    ids = _ids(items, "item", "items=")
    numbers = rows.item.plain().comparable()
    needed = rows.width if rows.width is not None else int(numbers.max(initial=-1)) + 1
    if len(ids) < needed or (rows.width is not None and len(ids) != needed):
        raise _other_length(rows, len(ids), needed, "item")
    return replace(rows, item=CodedIds(numbers, ids), shape=None if rows.count is None else (rows.count, None))


def _ids(names: Any, part: str, keyword: str) -> IntIds | StringIds:
    from pingce.inputs.dicts import make_ids
    from pingce.inputs.matrices import is_tensor, tensor_values

    name = Text(keyword, keyword)
    if isinstance(names, (str, bytes, dict)) or not hasattr(names, "__len__"):
        kind = type(names).__name__
        raise InputError(
            f"{keyword} is {kind}; give a list, an array or a series of ids, in the order of the matrix",
            f"{keyword} 的类型是 {kind}；请按矩阵的顺序给出编号的列表、数组或序列",
        )
    if is_tensor(names) and not hasattr(names, "tolist"):
        names = tensor_values(names, name)
    for convert in ("tolist", "to_pylist", "to_list"):
        if hasattr(names, convert):
            names = getattr(names, convert)()
            break
    return make_ids(list(names), part, rows_of(name))


def _refuse_repeats(ids: IntIds | StringIds) -> None:
    names = ids.to_list()
    if len(set(names)) < len(names):
        first: dict[Any, int] = {}
        row = next(at for at, name in enumerate(names) if first.setdefault(name, at) != at)
        raise InputError(
            f"queries=: row {row} has the id {names[row]!r}, which row {first[names[row]]} has too; give each row an id of its own",
            f"queries=：第 {row} 行（从 0 起）的编号 {names[row]!r} 与第 {first[names[row]]} 行相同；请为每行给出不同的编号",
        )


_COUNTED = {
    "query": (Text("queries= has {} ids", "queries= 有 {} 个编号"), Text("{} rows", "{} 行")),
    "item": (Text("items= has {} ids", "items= 有 {} 个编号"), Text("{} columns or item numbers", "{} 列或条目序号")),
}


def _other_length(rows: Rows, ids: int, places: int, part: str) -> InputError:
    names, cells = _COUNTED[part]
    table = rows.source.name
    return InputError(
        f"{names.en.format(ids)}, but {table.en} has {cells.en.format(places)}; give one for each, in order",
        f"{names.zh.format(ids)}，而 {table.zh} 有 {cells.zh.format(places)}；请按顺序逐一给出",
    )
