"""Arrow columns as id columns, chunk by chunk, without a conversion: integers, strings, string views, dictionaries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.base.core import native_core, thread_count
from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.inputs.arrow_extensions import plain_column
from pingce.inputs.arrow_numbers import array_of
from pingce.inputs.columns import Source
from pingce.inputs.ids import Ids, IntIds, StringIds, checked_integers
from pingce.inputs.layouts import CodedIds, ViewIds, joined

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray


_MANY = 1 << 16
"Rows that are worth a thread."


def ids_of(column: pa.ChunkedArray, name: str, source: Source, *, empty: bool = False) -> Ids:
    """The ids of a column; null ones, and unless they are meant empty ones, are refused with their row."""
    import pyarrow as pa

    if isinstance(column.type, pa.BaseExtensionType) or (
        pa.types.is_dictionary(column.type) and any(chunk.dictionary.null_count for chunk in column.chunks)
    ):
        column = decoded(column)
    if column.null_count:
        raise null_in(column, name, source)
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if not (pa.types.is_integer(kind) or is_string(kind)):
        raise InputError(
            f"{source.name.en}: column '{name}' has type {column.type}, but ids must be strings or integers; convert it first",
            f"{source.name.zh}：列 '{name}' 的类型是 {column.type}，编号须为字符串或整数；请先转换",
        )
    parts = [_part(chunk, name, source) for chunk in column.chunks if len(chunk)]
    ids = joined(parts)
    if not empty:
        _refuse_empty(ids, name, source)
    return ids


def is_string(kind: pa.DataType) -> bool:
    """Whether this is one of Arrow's three string types."""
    import pyarrow as pa

    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


def decoded(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """A dictionary column written out, an extension type that is known as what it means; any other as it is."""
    import pyarrow as pa

    if isinstance(column.type, pa.BaseExtensionType):
        return plain_column(column)
    if not pa.types.is_dictionary(column.type):
        return column
    # Views are made plain before the dictionary is written out: Arrow cannot take from views.
    kind = pa.large_string() if pa.types.is_string_view(column.type.value_type) else column.type.value_type
    return pa.chunked_array([chunk.dictionary.cast(kind).take(chunk.indices) for chunk in column.chunks], kind)


def null_in(column: pa.ChunkedArray, name: str, source: Source) -> InputError:
    """What to say of a column with nulls."""
    place = source.place(column.is_null().to_pylist().index(True))
    return InputError(
        f"{place.en}: column '{name}' is null; remove the row or fill it in ({column.null_count} in all)",
        f"{place.zh}：列 '{name}' 为空值；请删除该行或补全（共 {column.null_count} 处）",
    )


def _part(chunk: pa.Array, name: str, source: Source) -> Ids:
    import pyarrow as pa

    if not pa.types.is_dictionary(chunk.type):
        return _plain_part(chunk, name, source)
    codes = _numbers(chunk.indices)
    if int(codes.max()) >= len(chunk.dictionary) or int(codes.min()) < 0:
        raise InputError(
            f"{source.name.en}: column '{name}' has codes that its dictionary lacks; make it anew, e.g. as plain strings",
            f"{source.name.zh}：列 '{name}' 的编码超出其字典；请重新生成，例如用普通字符串",
        )
    return CodedIds(codes, _plain_part(chunk.dictionary, name, source))


def _plain_part(chunk: pa.Array, name: str, source: Source) -> IntIds | StringIds | ViewIds:
    import pyarrow as pa

    if pa.types.is_integer(chunk.type):
        where = Text(f"{source.name.en}: column '{name}'", f"{source.name.zh}：列 '{name}'")
        return IntIds(checked_integers(_numbers(chunk), where))
    return _views(chunk) if pa.types.is_string_view(chunk.type) else _slices(chunk)


def _numbers(chunk: pa.Array) -> NDArray[Any]:
    return array_of(chunk)


def _bytes(buffer: pa.Buffer | None) -> NDArray[np.uint8]:
    return np.frombuffer(buffer, dtype=np.uint8) if buffer is not None else np.zeros(0, np.uint8)


def _slices(chunk: pa.Array) -> StringIds:
    import pyarrow as pa

    _, offsets, data = chunk.buffers()
    width: Any = np.int64 if pa.types.is_large_string(chunk.type) else np.int32
    bounds = np.frombuffer(offsets, width, len(chunk) + 1, chunk.offset * np.dtype(width).itemsize)
    return StringIds(_bytes(data), bounds[:-1], bounds[1:])


def _views(chunk: pa.Array) -> ViewIds:
    _, views, *buffers = chunk.buffers()
    words = np.frombuffer(views, np.int32, 4 * len(chunk), 16 * chunk.offset).reshape(-1, 4)
    return ViewIds(words, tuple(map(_bytes, buffers)))


def _refuse_empty(ids: Ids, name: str, source: Source) -> None:
    row = None if ids.integers else _first_empty(ids)
    if row is not None:
        place = source.place(row)
        raise InputError(f"{place.en}: the id in column '{name}' is empty", f"{place.zh}：列 '{name}' 的编号为空")


def _first_empty(ids: Ids) -> int | None:
    core = native_core()
    if core is not None:
        return core.first_empty(ids.pieces(), thread_count() if len(ids) > _MANY else 0)
    plain = ids.plain()
    empty = np.flatnonzero(plain.starts == plain.ends) if isinstance(plain, StringIds) else np.zeros(0, np.intp)
    return int(empty[0]) if len(empty) else None
