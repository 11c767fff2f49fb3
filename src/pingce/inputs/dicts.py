"""Dictionaries: {query: {item: number}}, and {query: [item, …]} for lists already ranked or plainly relevant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.core import native_core
from pingce.base.errors import EmptyInputError, InputError
from pingce.base.lazy import pa
from pingce.base.text import Text
from pingce.inputs.columns import LARGEST_EXACT, PAIR_ROLES, Role, Rows, Source, rows_of, too_large_for_doubles
from pingce.inputs.data import Column
from pingce.inputs.ids import IntIds, StringIds, from_core
from pingce.inputs.layouts import CodedIds
from pingce.inputs.names import KNOWN, VALUES, listed, names_part, table_name

_REAL = (int, float, np.integer, np.floating, np.bool_)


def read_dict(data: Mapping[Any, Any], role: Role, name: Text | None = None, *, untyped_ids: bool = False) -> Rows:
    """Rows of a dictionary; queries without items have no rows, and a note says how many there were."""
    name = name or table_name(role, "dict")
    if not data:
        raise EmptyInputError(f"{name.en} is empty", f"{name.zh} 是空的")
    inner = list(data.values())
    if role == "truth" and any(isinstance(value, Mapping) and _has_subtopics(value) for value in inner):
        from pingce.inputs.subtopics import read_nested

        return read_nested(data, name, untyped_ids=untyped_ids)
    if role != "run" and not {set, frozenset}.isdisjoint(map(type, inner)):
        inner = list(map(_in_order, inner))
    listed = all(_is_list(value, role) for value in inner)
    if not listed and not all(isinstance(value, Mapping) for value in inner):
        odd = [(k, v) for k, v in data.items() if not isinstance(v, Mapping) and not _is_list(v, role)]
        key, value = odd[0] if odd else next(iter(data.items()))
        raise InputError(
            f"{name.en}[{key!r}] is {type(value).__name__}; expected {{query: {{item: number}}}} or {{query: [items, best first]}}, "
            "the same for every query",
            f"{name.zh}[{key!r}] 的类型是 {type(value).__name__}；应为 {{查询: {{条目: 数字}}}} 或 {{查询: [条目，从好到差]}}，各查询一致",
        )
    lengths = np.fromiter(map(len, inner), dtype=np.int64, count=len(inner))
    if not lengths.any():
        raise no_items(name)
    source = _source(name, data, untyped_ids=untyped_ids)
    keys = list(data)
    key_source = Source(name, lambda row: Text(f"{name.en}[{keys[row]!r}]", f"{name.zh}[{keys[row]!r}]"))
    query = CodedIds(np.repeat(np.arange(len(inner)), lengths), make_ids(keys, "query", key_source))
    whole, core = None, native_core()
    flat = None if core is None else core.flatten(inner)
    if flat is not None:  # the core reads what is not out of the ordinary
        item, value = from_core(flat[0]), flat[1]
    else:
        item = make_ids(list(chain.from_iterable(inner)), "item", source)
        if not listed:
            value, whole = numbers_of(list(chain.from_iterable(of_query.values() for of_query in inner)), source)
    if listed and role == "run":  # -1, -2, … in every list: the first item is the best
        begin = np.cumsum(lengths) - lengths
        value = (np.repeat(begin, lengths) - np.arange(lengths.sum()) - 1).astype(np.float64)
        return Rows(query, item, value, source, "rank")
    if listed:
        return Rows(query, item, np.ones(len(item)), source, "none")
    return Rows(query, item, value, source, whole=whole if role == "run" else None)


def read_list(data: Sequence[Any], role: Role) -> Rows:
    """Rows of a list with a list, set or dict a query, which is known by its place."""
    name = table_name(role, "list")
    if data and all(isinstance(value, (str, bytes, int, float, np.generic)) for value in data):
        raise InputError(
            f"{name.en} is flat; needed is a list a query (for one query, put it in another list; labels and scores are another task: "
            "evaluate_binary, or task='binary'); of plain columns say with queries= or sizes= which rows are of one query",
            f"{name.zh} 是一维的；应为每个查询一个列表（只有一个查询时，请再套一层列表；标签与分数是另一类任务：evaluate_binary，或 task='binary'）；"
            "若是逐行的列，请用 queries= 或 sizes= 说明哪些行属于同一查询",
        )
    return replace(read_dict(dict(enumerate(data)), role, name), shape=(len(data), None))


def read_pairs(
    pairs: list[tuple[Any, Any]], role: Role, name: Text | None = None, *, untyped_ids: bool = False
) -> Rows:
    """Rows of pairs: (query, item), or (query, weight), where the query stands for the item."""
    name = name or table_name(role, "pairs" if role in PAIR_ROLES else "dict")
    if not pairs:
        raise EmptyInputError(f"{name.en} is empty", f"{name.zh} 是空的")
    source = replace(rows_of(name), untyped_ids=untyped_ids)
    query = make_ids([pair[0] for pair in pairs], "query", source)
    second = [pair[1] for pair in pairs]
    if role in PAIR_ROLES:
        return Rows(query, make_ids(second, "item", source), np.ones(len(pairs)), source)
    return Rows(query, query, numbers_of(second, source)[0], source)


def plain_list(data: Any) -> Any:
    """The values of an array, a series or a tensor as a list; anything else as it is."""
    convert = next((name for name in ("to_pylist", "tolist", "to_list") if hasattr(data, name)), None)
    return getattr(data, convert)() if convert else data


def _is_list(value: Any, role: Role) -> bool:
    """A set has no order, so it can be a truth but not a run."""
    return isinstance(value, (list, tuple, np.ndarray)) or (role != "run" and isinstance(value, (set, frozenset)))


def no_items(name: Text) -> EmptyInputError:
    """What to say of a table whose queries have no items."""
    return EmptyInputError(f"{name.en} has no items", f"{name.zh} 没有任何条目")


def _has_subtopics(items: Mapping[Any, Any]) -> bool:
    """Whether an item has a grade for each of its subtopics: the first one tells, a mixture is refused later."""
    return isinstance(next(iter(items.values()), None), Mapping)


def _in_order(value: Any) -> Any:
    """A set has no order that lasts: its items are sorted, where they can be."""
    if not isinstance(value, (set, frozenset)):
        return value
    try:
        return sorted(value)
    except TypeError:
        return list(value)


def _source(name: Text, data: Mapping[Any, Any], *, untyped_ids: bool) -> Source:
    def place(row: int) -> Text:
        for key, value in data.items():
            if row < len(value):
                within = repr(list(value)[row]) if isinstance(value, Mapping) else str(row)
                return Text(f"{name.en}[{key!r}][{within}]", f"{name.zh}[{key!r}][{within}]")
            row -= len(value)
        return name

    empty = sum(not len(value) for value in data.values())
    note = Text(f"{name.en}: {empty} queries have no items", f"{name.zh}：有 {empty} 个查询没有任何条目")
    return Source(name, place, (note,) if empty else (), untyped_ids)


def make_ids(values: list[Any], part: str, source: Source) -> IntIds | StringIds:
    """The id column of Python or NumPy strings or integers; never a mixture."""
    kinds = set(map(type, values))
    if all(issubclass(kind, str) for kind in kinds):
        if "" in values:
            place = source.place(values.index(""))
            raise InputError(f"{place.en}: the {part} id is empty", f"{place.zh}：{part} 编号为空")
        try:
            return StringIds.from_strings(values)
        except UnicodeEncodeError as problem:
            place = source.place(values.index(problem.object))
            raise InputError(
                f"{place.en}: the {part} id is not valid text: it holds half a character",
                f"{place.zh}：{part} 编号不是合法文本：其中有半个字符",
            ) from None
    if all(issubclass(kind, (int, np.integer)) and kind is not bool for kind in kinds):
        try:
            return IntIds(np.fromiter(values, dtype=np.int64, count=len(values)))
        except OverflowError:
            raise InputError(
                f"{source.name.en}: a {part} id is beyond 64-bit integers; make the ids strings",
                f"{source.name.zh}：{part} 编号超出 64 位整数；请改用字符串编号",
            ) from None
    row = next(i for i, v in enumerate(values) if type(v) is not type(values[0]) or type(v) not in (str, int))
    place, value = source.place(row), values[row]
    raise InputError(
        f"{place.en}: the {part} id {value!r} is {type(value).__name__}; ids must be all strings or all integers",
        f"{place.zh}：{part} 编号 {value!r} 的类型是 {type(value).__name__}；编号须全为字符串或全为整数",
    )


def numbers_of(values: list[Any], source: Source) -> tuple[NDArray[np.float64], NDArray[Any] | None]:
    """The numbers as doubles, and integers too large for that as they are."""
    kinds = set(map(type, values))
    if any(not issubclass(kind, _REAL) for kind in kinds):
        row = next(i for i, value in enumerate(values) if not isinstance(value, _REAL))
        raise _not_a_number(source.place(row), values[row])
    if all(issubclass(kind, (int, np.integer, np.bool_)) for kind in kinds):
        return _integers(values, source)
    for row, value in enumerate(values):
        if isinstance(value, (int, np.integer)) and abs(int(value)) > LARGEST_EXACT:
            place = source.place(row)
            raise InputError(
                f"{place.en}: {value} is an integer beyond 2^53 among fractions, which no one type holds; make the numbers alike",
                f"{place.zh}：{value} 是超过 2^53 的整数，而其余为小数，没有一种类型能同时容纳；请统一类型",
            )
    return np.array(values, dtype=np.float64), None


def _integers(values: list[Any], source: Source) -> tuple[NDArray[np.float64], NDArray[Any] | None]:
    """Integers as doubles, and exactly where two of them may become one double."""
    whole = np.array(values, dtype=object)
    for kind in (np.int64, np.uint64):
        try:
            whole = np.array(values, dtype=kind)
            break
        except OverflowError:
            continue
    try:
        numbers = whole.astype(np.float64)
    except OverflowError:
        row = next(i for i, value in enumerate(values) if abs(value) > 10**308)
        raise _not_a_number(source.place(row), "…") from None
    return numbers, whole if too_large_for_doubles(whole) else None


def _not_a_number(place: Text, value: Any) -> InputError:
    return InputError(
        f"{place.en}: {value!r} is not a number that a double can hold; grades, scores and weights must be numbers",
        f"{place.zh}：{value!r} 不是双精度可表示的数字；等级、分数和权重须为数字",
    )


def table_of_columns(data: Mapping[Any, Any], role: Role, columns: Mapping[str, str | int] | None) -> pa.Table | None:
    """The table that a dictionary of columns is; None where its keys are queries.

    A table has a query and an item column, and all its columns are of one length.
    """
    parts = [part for part in KNOWN[role] if part in ("query", "item", "weight")]
    present = [key for key in data if isinstance(key, str)]
    if len(present) < len(data) or not all(names_part(part, present, role, columns) for part in parts):
        return None
    for column in data.values():
        shape = getattr(column, "shape", ())
        if not (isinstance(column, (list, tuple)) or len(shape) == 1 or hasattr(column, "to_pylist")):
            return None
    _refuse_doubt(data, role, columns)
    return pa.table({name: _array(name, column, role) for name, column in data.items()})


def _refuse_doubt(data: Mapping[str, Column], role: Role, columns: Mapping[str, str | int] | None) -> None:
    """Ask where the keys may as well be queries with a list of items each."""
    lengths = {len(column) for column in data.values()}
    numbers = not VALUES[role] or any(names_part(part, list(data), role, columns) for part in VALUES[role])
    if len(lengths) == 1 and (numbers or columns):
        return
    name, keys = table_name(role, "dict"), listed(list(data))
    sizes = ", ".join(str(len(column)) for column in data.values())
    raise InputError(
        f"{name.en} has the keys {keys} with {sizes} values: are they columns of a table, or queries with their items? for columns "
        "of one length say columns={'query': …, 'item': …}; for queries give them other names",
        f"{name.zh} 的键为 {keys}，各有 {sizes} 个值：它们是表的列，还是查询及其条目？若是等长的列，请用 columns={{'query': …, 'item': …}}；"
        "若是查询，请换用其他名称",
    )


def _array(name: str, column: Any, role: Role) -> Any:
    """A column as Arrow has it; a tensor's numbers are not copied."""
    from pingce.inputs.matrices import in_memory

    place = table_name(role, f"dict['{name}']")
    column = in_memory(column, place)
    try:
        return column if isinstance(column, (pa.Array, pa.ChunkedArray)) else pa.array(column)
    except (pa.ArrowException, TypeError, ValueError, OverflowError) as problem:
        raise InputError(
            f"{place.en} cannot be read ({problem}); make its values all strings, all integers or all fractions",
            f"{place.zh} 无法读取（{problem}）；请将其中的值统一为字符串、整数或小数",
        ) from None
