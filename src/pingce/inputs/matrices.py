"""Matrices: row = query. Ranked item ids, scores or relevance for every item, dense or sparse, NumPy or a tensor."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.inputs.columns import PAIR_ROLES, Role, Rows, Source, rows_of, too_large_for_doubles
from pingce.inputs.dicts import make_ids, no_items, plain_list, read_list
from pingce.inputs.ids import Ids, IntIds, StringIds, checked_integers
from pingce.inputs.layouts import CodedIds
from pingce.inputs.names import table_name


def is_matrix(data: Any) -> bool:
    """Whether this is a NumPy array, a sparse matrix of SciPy, or a tensor."""
    return isinstance(data, np.ndarray) or _is_sparse(data) or is_tensor(data)


def _is_sparse(data: Any) -> bool:
    return hasattr(data, "tocsr") and hasattr(data, "nnz")


def is_tensor(data: Any) -> bool:
    """Whether this is a tensor of some library."""
    return hasattr(data, "__dlpack__") and hasattr(data, "shape") and not hasattr(data, "columns")


def read_matrix(data: Any, role: Role) -> Rows:
    """Rows of a matrix.

    Integers are ranked item ids in a run, ids in pairs of queries and items; negative ones mean no item. Any other matrix holds a number for
    every item, which is then known by its column: scores in a run, grades in a truth. Of a sparse matrix the stored
    numbers count, also stored zeros.
    """
    name = table_name(role, type(data).__name__)
    if isinstance(data, np.ma.MaskedArray):
        raise InputError(
            f"{name.en} has masked cells; give a sparse matrix, or scores of -inf there, or lists",
            f"{name.zh} 含被掩盖的格子；请改用稀疏矩阵、在这些格子给分数 -inf，或用列表",
        )
    array = in_memory(data, name)
    _refuse_other_than_numbers(array, name)
    if _is_sparse(array):
        return _sparse(array, name)
    if array.dtype.kind in _WORDS:
        return read_list(array.tolist(), role)
    if role != "truth" and array.dtype.kind in "iu":
        ordered = np.sort(array, axis=1) if role in PAIR_ROLES else array[:, :0]
        if (
            (ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] >= 0)
        ).any():  # more likely a mask of 0 and 1 than ids
            raise InputError(
                f"{name.en} has an id twice in a row; if it is a mask with a column an item, make it boolean",
                f"{name.zh} 的同一行中有编号重复；若是每列一个条目的掩码，请改为布尔类型",
            )
        return _ranked(array, name)
    queries, items = array.shape
    if role in PAIR_ROLES:  # a mask
        marked, item = np.nonzero(array)
        if not len(item):
            raise no_items(name)
        return _numbered(IntIds(marked), item, np.ones(len(item)), name, (queries, items))
    columns = np.tile(np.arange(items, dtype=np.int32), queries)
    flat = np.ascontiguousarray(array).reshape(-1)
    return _numbered(_row_numbers(np.full(queries, items)), columns, flat, name, (queries, items))


_NUMBERS, _WORDS = "iufb", "OUST"
"Kinds of NumPy's types."


def _refuse_other_than_numbers(array: Any, name: Text) -> None:
    if len(array.shape) != 2 or not all(array.shape):
        shape = " × ".join(map(str, array.shape)) or "()"
        raise InputError(
            f"{name.en} has the shape {shape}; needed is a matrix with a row a query (for one query, put it in a list)",
            f"{name.zh} 的形状为 {shape}；应为每个查询一行的矩阵（只有一个查询时，请放入一个列表）",
        )
    if array.dtype.kind not in (_NUMBERS if _is_sparse(array) else _NUMBERS + _WORDS):
        raise InputError(
            f"{name.en} holds {array.dtype}; needed are numbers or ids",
            f"{name.zh} 的类型是 {array.dtype}；应为数字或编号",
        )


def in_memory(data: Any, name: Text) -> Any:
    """A tensor's numbers in the memory of this machine, brain floats as floats, since NumPy has none; all else as it is."""
    if isinstance(data, np.ndarray) or not is_tensor(data):
        return data
    try:
        data = data.detach() if hasattr(data, "detach") else data
        data = data.cpu() if hasattr(data, "cpu") else data
        data = data.float() if "bfloat16" in str(getattr(data, "dtype", "")) else data
        return np.from_dlpack(data)
    except (BufferError, RuntimeError, TypeError, ValueError) as problem:
        raise InputError(
            f"{name.en} cannot be read ({problem}); convert it to a NumPy array first",
            f"{name.zh} 无法读取（{problem}）；请先转换为 NumPy 数组",
        ) from None


def _ranked(array: NDArray[Any], name: Text) -> Rows:
    """Lists of item ids, best first."""
    queries, depth = array.shape
    items = np.ascontiguousarray(array).reshape(-1)
    kept = np.flatnonzero(items >= 0)
    if not len(kept):
        raise no_items(name)
    items = checked_integers(items[kept], name)
    column = kept % depth
    query = CodedIds(kept // depth, IntIds(np.arange(queries)))
    source = _cells(name, query, column)
    absent = array.size - len(kept)
    if absent:
        note = Text(
            f"{name.en}: {absent} negative ids mean no item and are left out",
            f"{name.zh}：{absent} 个负数编号表示没有条目，不计入",
        )
        source = replace(source, notes=(note,))
    value = -(column + 1).astype(np.float64)
    return Rows(query, IntIds(items), value, source, "rank", shape=(queries, None))


def _sparse(data: Any, name: Text) -> Rows:
    """The stored numbers of a sparse matrix; of a COO matrix as they are, since a conversion would add up repeated cells."""
    if getattr(data, "format", "") == "coo":
        query: Ids = IntIds(np.asarray(data.row))
        item, values = np.asarray(data.col), np.asarray(data.data)
    else:
        rows = data.tocsr()
        query = _row_numbers(np.diff(rows.indptr))
        item, values = np.asarray(rows.indices), np.asarray(rows.data)
    if not len(values):
        raise no_items(name)
    return _numbered(query, item, values, name, (int(data.shape[0]), int(data.shape[1])))


def _numbered(query: Ids, item: NDArray[Any], values: NDArray[Any], name: Text, shape: tuple[int, int]) -> Rows:
    whole = values if values.dtype.kind in "iu" and too_large_for_doubles(values) else None
    source = _cells(name, query, item)
    return Rows(query, IntIds(item), values.astype(np.float64, copy=False), source, whole=whole, shape=shape)


def _row_numbers(lengths: NDArray[Any]) -> CodedIds:
    """Query ids: the number of the row, as often as it has items."""
    numbers = np.arange(len(lengths))
    return CodedIds(np.repeat(numbers, lengths), IntIds(numbers))


def _cells(name: Text, query: Ids, column: NDArray[Any]) -> Source:
    def place(row: int) -> Text:
        cell = f"[{query.take(np.array([row])).to_list()[0]}, {int(column[row])}]"
        return Text(f"{name.en}{cell}", f"{name.zh}{cell}")

    return Source(name, place)


def named_queries(rows: Rows, queries: Any) -> Rows:
    """The same rows with a query id for each row of the matrix or list, in place of its number."""
    ids = named_ids(queries, "query", "queries=")
    if len(ids) != rows.count:
        table = rows.source.name
        raise InputError(
            f"queries= has {len(ids)} ids, but {table.en} has {rows.count or 0} rows; give one for each, in order",
            f"queries= 有 {len(ids)} 个编号，而 {table.zh} 有 {rows.count or 0} 行；请按顺序逐一给出",
        )
    names = ids.to_list()
    if len(set(names)) < len(names):
        first: dict[Any, int] = {}
        row = next(at for at, name in enumerate(names) if first.setdefault(name, at) != at)
        raise InputError(
            f"queries=: row {row} has the id {names[row]!r}, which row {first[names[row]]} has too; give each row an id of its own",
            f"queries=：第 {row} 行（从 0 起）的编号 {names[row]!r} 与第 {first[names[row]]} 行相同；请为每行给出不同的编号",
        )
    query = CodedIds(rows.query.plain().comparable(), ids)
    return replace(rows, query=query, shape=None if rows.width is None else (None, rows.width))


def named_items(rows: Rows, items: Any) -> Rows:
    """The same rows with an item id for each column, or for each item number that a matrix of ranked items holds."""
    ids = named_ids(items, "item", "items=")
    numbers = rows.item.plain().comparable()
    needed = rows.width if rows.width is not None else int(numbers.max(initial=-1)) + 1
    if len(ids) < needed or (rows.width is not None and len(ids) != needed):
        table = rows.source.name
        raise InputError(
            f"items= has {len(ids)} ids, but {table.en} has {needed} columns or item numbers; give one for each, in order",
            f"items= 有 {len(ids)} 个编号，而 {table.zh} 有 {needed} 列或条目序号；请按顺序逐一给出",
        )
    return replace(rows, item=CodedIds(numbers, ids), shape=None if rows.count is None else (rows.count, None))


def named_ids(names: Any, part: str, keyword: str) -> IntIds | StringIds:
    """The ids that a keyword gives for the rows or columns of a matrix, in its order."""
    name = Text(keyword, keyword)
    if isinstance(names, Ids):
        return names.plain()
    if isinstance(names, np.ndarray) and names.dtype.kind in "iu" and names.ndim == 1:
        return IntIds(checked_integers(names, name))
    if isinstance(names, (str, bytes, dict)) or not hasattr(names, "__len__"):
        kind = type(names).__name__
        raise InputError(
            f"{keyword} is {kind}; give a list, an array or a series of ids, in the order of the matrix",
            f"{keyword} 的类型是 {kind}；请按矩阵的顺序给出编号的列表、数组或序列",
        )
    return make_ids(list(plain_list(in_memory(names, name))), part, rows_of(name))
