"""Dictionaries: {query: {item: number}}, and {query: [item, …]} for lists already ranked or plainly relevant."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.errors import InputError
from pingce.inputs.columns import Role, Rows, Source
from pingce.inputs.ids import Ids, IntIds, StringIds
from pingce.inputs.names import table_name
from pingce.language import Text

if TYPE_CHECKING:
    from numpy.typing import NDArray


def read_dict(data: Mapping[Any, Any], role: Role, name: Text | None = None) -> Rows:
    """Rows of a dictionary; queries without items have no rows, and a note says how many there were."""
    name = name or table_name(role, "dict")
    if not data:
        raise InputError(f"{name.en} is empty", f"{name.zh} 是空的")
    inner = list(data.values())
    if all(isinstance(value, Mapping) for value in inner):
        ordered, items = False, list(chain.from_iterable(inner))
        values = list(chain.from_iterable(value.values() for value in inner))
    elif all(_is_list(value) for value in inner):
        ordered, items = role == "run", list(chain.from_iterable(inner))
        values = list(chain.from_iterable(_positions(len(value), role) for value in inner))
    else:
        raise _unlike(data, name)
    if not items:
        raise InputError(f"{name.en} has no items", f"{name.zh} 没有任何条目")
    queries = list(chain.from_iterable(repeat(key, len(value)) for key, value in data.items()))
    source = _source(name, queries, items, sum(not len(value) for value in inner))
    return Rows(
        make_ids(queries, "query", source), make_ids(items, "item", source), _numbers(values, source), source, ordered
    )


def _is_list(value: Any) -> bool:
    return isinstance(value, (list, tuple, set, frozenset, np.ndarray))


def _positions(length: int, role: Role) -> Iterable[float]:
    return repeat(1.0, length) if role == "truth" else map(float, range(-1, -length - 1, -1))


def _source(name: Text, queries: list[Any], items: list[Any], empty: int) -> Source:
    def place(row: int) -> Text:
        return Text(f"{name.en}[{queries[row]!r}][{items[row]!r}]", f"{name.zh}[{queries[row]!r}][{items[row]!r}]")

    note = Text(f"{name.en}: {empty} queries have no items", f"{name.zh}：有 {empty} 个查询没有任何条目")
    return Source(name, place, (note,) if empty else ())


def make_ids(values: list[Any], part: str, source: Source) -> Ids:
    """The id column of Python or NumPy strings or integers; never a mixture."""
    kinds = set(map(type, values))
    if all(issubclass(kind, str) for kind in kinds):
        if "" in values:
            place = source.place(values.index(""))
            raise InputError(f"{place.en}: the {part} id is empty", f"{place.zh}:{part} 编号为空")
        return StringIds.from_strings(values)
    if all(issubclass(kind, (int, np.integer)) and kind is not bool for kind in kinds):
        try:
            return IntIds(np.fromiter(values, dtype=np.int64, count=len(values)))
        except OverflowError:
            raise InputError(
                f"{source.name.en}: a {part} id is beyond 64-bit integers; make the ids strings",
                f"{source.name.zh}:{part} 编号超出 64 位整数；请改用字符串编号",
            ) from None
    row, value = next(
        (i, v) for i, v in enumerate(values) if not isinstance(v, type(values[0])) or type(v) not in (str, int)
    )
    place = source.place(row)
    raise InputError(
        f"{place.en}: the {part} id {value!r} is {type(value).__name__}; ids must be all strings or all integers",
        f"{place.zh}:{part} 编号 {value!r} 的类型是 {type(value).__name__}；编号须全为字符串或全为整数",
    )


def _numbers(values: list[Any], source: Source) -> NDArray[np.float64]:
    array = np.asarray(values) if values else np.zeros(0)
    if array.dtype.kind in "iufb" and array.ndim == 1:
        return array.astype(np.float64)
    for row, value in enumerate(values):
        if isinstance(value, bool) or not isinstance(value, (int, float, np.number)):
            place = source.place(row)
            raise InputError(
                f"{place.en}: {value!r} is not a number; grades and scores must be numbers",
                f"{place.zh}:{value!r} 不是数字；等级和分数须为数字",
            )
    return np.array([float(value) for value in values])


def _unlike(data: Mapping[Any, Any], name: Text) -> InputError:
    key, value = next(iter(data.items()))
    return InputError(
        f"{name.en}[{key!r}] is {type(value).__name__}; expected {{query: {{item: number}}}} or {{query: [items, best first]}}, "
        "the same for every query",
        f"{name.zh}[{key!r}] 的类型是 {type(value).__name__}；应为 {{查询： {{条目： 数字}}}} 或 {{查询： [条目，从好到差]}}，各查询一致",
    )
