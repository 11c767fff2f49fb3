"""Arrow columns as id columns, chunk by chunk, without a conversion: integers, strings, string views, dictionaries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pingce.base.core import native_core, thread_count
from pingce.base.errors import InputError, first_words
from pingce.base.lazy import compute, pa
from pingce.base.text import Text
from pingce.inputs.columns import Source
from pingce.inputs.ids import Ids, IntIds, StringIds, checked_integers
from pingce.inputs.layouts import WITHIN, CodedIds, ViewIds, joined

_MANY = 1 << 16
"Rows that are worth a thread."


def ids_of(column: pa.ChunkedArray, name: str, source: Source, *, empty: bool = False) -> Ids:
    """The ids of a column; null ones, and unless they are meant empty ones, are refused with their row."""
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
    ids = joined([_part(chunk, name, source) for chunk in column.chunks if len(chunk)])
    row = None if empty or ids.integers else _first_empty(ids)
    if row is not None:
        place = source.place(row)
        raise InputError(f"{place.en}: the id in column '{name}' is empty", f"{place.zh}：列 '{name}' 的编号为空")
    return ids


def is_string(kind: pa.DataType) -> bool:
    """Whether this is one of Arrow's three string types."""
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


def decoded(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """A dictionary column written out, an extension type that is known as what it means; any other as it is."""
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
    if not pa.types.is_dictionary(chunk.type):
        return _plain_part(chunk, name, source)
    codes = array_of(chunk.indices)
    if int(codes.max()) >= len(chunk.dictionary) or int(codes.min()) < 0:
        raise InputError(
            f"{source.name.en}: column '{name}' has codes that its dictionary lacks; make it anew, e.g. as plain strings",
            f"{source.name.zh}：列 '{name}' 的编码超出其字典；请重新生成，例如用普通字符串",
        )
    return CodedIds(codes, _plain_part(chunk.dictionary, name, source))


def _plain_part(chunk: pa.Array, name: str, source: Source) -> IntIds | StringIds | ViewIds:
    if pa.types.is_integer(chunk.type):
        where = Text(f"{source.name.en}: column '{name}'", f"{source.name.zh}：列 '{name}'")
        return IntIds(checked_integers(array_of(chunk), where))
    places, buffers = _texts(chunk)
    if pa.types.is_string_view(chunk.type):
        return ViewIds(places, tuple(buffers))
    return StringIds(buffers[0], places[:-1], places[1:])


def _texts(chunk: pa.Array) -> tuple[NDArray[Any], list[NDArray[np.uint8]]]:
    """Where the texts of a chunk are, as views of four words or as offsets, and the letters."""
    _, places, *buffers = chunk.buffers()
    letters = [np.zeros(0, np.uint8) if each is None else np.frombuffer(each, np.uint8) for each in buffers]
    if str(chunk.type).endswith("_view"):
        return np.frombuffer(places, np.int32, 4 * len(chunk), 16 * chunk.offset).reshape(-1, 4), letters
    width = np.dtype(np.int64 if str(chunk.type).startswith("large_") else np.int32)
    return np.frombuffer(places, width, len(chunk) + 1, chunk.offset * width.itemsize), letters


def _first_empty(ids: Ids) -> int | None:
    core = native_core()
    if core is not None:
        return core.first_empty(ids.pieces(), thread_count() if len(ids) > _MANY else 0)
    plain = ids.plain()
    empty = np.flatnonzero(plain.starts == plain.ends) if isinstance(plain, StringIds) else np.zeros(0, np.intp)
    return int(empty[0]) if len(empty) else None


_FLOATS = {"halffloat": "float16", "float": "float32", "double": "float64"}
"Arrow's names that are not NumPy's; older Arrows ask pandas for the type."


def array_of(column: pa.Array | pa.ChunkedArray) -> NDArray[Any]:
    """The numbers or truth values of a column; one piece is not copied. Nulls become NaN, as Arrow has it."""
    if pa.types.is_boolean(column.type):
        if column.null_count:
            return np.array(column.to_pylist(), object)
        return array_of(column.cast(pa.uint8())).view(bool)
    if column.null_count:
        column = column.cast(pa.float64()) if pa.types.is_integer(column.type) else column
        column = column.fill_null(pa.scalar(float("nan")).cast(column.type))
    kind = np.dtype(_FLOATS.get(str(column.type), str(column.type)))
    chunks = [chunk for chunk in (column.chunks if isinstance(column, pa.ChunkedArray) else [column]) if len(chunk)]
    pieces = [np.frombuffer(each.buffers()[1], kind, len(each), each.offset * kind.itemsize) for each in chunks]
    if len(pieces) == 1:
        return pieces[0]
    return np.concatenate(pieces) if pieces else np.zeros(0, kind)


_DIGITS: Final = np.frombuffer("".join(f"{byte:02x}" for byte in range(256)).encode(), np.uint8).reshape(256, 2)
_PLACES: Final = np.array([at for at in range(36) if at not in (8, 13, 18, 23)])
"Where the digits of a uuid stand when it is written with its dashes."


def plain_column(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """The column without its extension type; as it is where nobody here knows what that means."""
    read = _MEANINGS.get(column.type.extension_name)
    if read is None:
        return column
    chunks = [read(chunk.storage) for chunk in column.chunks]
    return pa.chunked_array(chunks, None if chunks else pa.string())


def _uuid(storage: pa.Array) -> pa.Array:
    """Written as everywhere: 8-4-4-4-12 digits."""
    count = len(storage)
    raw = np.frombuffer(storage.buffers()[1] or b"", np.uint8, 16 * count, 16 * storage.offset)
    letters = np.full((count, 36), ord("-"), np.uint8)
    letters[:, _PLACES] = _DIGITS[raw].reshape(count, 32)
    offsets = 36 * np.arange(count + 1, dtype=np.int64)
    texts = pa.Array.from_buffers(pa.large_string(), count, [None, pa.py_buffer(offsets), pa.py_buffer(letters)])
    return compute.if_else(storage.is_valid(), texts, None) if storage.null_count else texts


_MEANINGS: Final[dict[str, Callable[[pa.Array], pa.Array]]] = {
    "arrow.uuid": _uuid,
    "arrow.json": lambda storage: storage,
    "arrow.bool8": lambda storage: compute.not_equal(storage, 0),
}


def checked_arrow(column: Any, name: Text) -> Any:
    """The column (chunks of any type) itself, if all that it points to is there."""
    try:
        column.validate()
        for chunk in column.chunks:
            _check(chunk)
    except (pa.ArrowException, ValueError, IndexError, TypeError) as problem:
        first = first_words(problem)
        raise InputError(
            f"{name.en}: an Arrow column is damaged ({first}); make the table anew, table.validate(full=True) says what is wrong",
            f"{name.zh}：Arrow 列已损坏（{first}）；请重新生成该表，table.validate(full=True) 可指出问题",
        ) from None
    return column


def checked_table(table: pa.Table, name: Text) -> pa.Table:
    """The table itself, if all that its columns point to is there."""
    for column, title in zip(table.columns, table.column_names, strict=True):
        checked_arrow(column, Text(f"{name.en}: column '{title}'", f"{name.zh}：列 '{title}'"))
    return table


def _check(chunk: pa.Array) -> None:
    kind = chunk.type
    if not len(chunk):
        return
    if pa.types.is_dictionary(kind):
        _check(chunk.dictionary)
        ends = compute.min_max(chunk.indices).as_py()
        if ends["min"] is not None and not 0 <= ends["min"] <= ends["max"] < len(chunk.dictionary):
            raise ValueError("codes that its dictionary lacks")
    elif str(kind) in ("string", "large_string", "binary", "large_binary"):
        bounds, [letters] = _texts(chunk)
        if bounds[0] < 0 or bounds[-1] > len(letters) or (bounds[1:] < bounds[:-1]).any():
            raise ValueError("offsets that lead outside of its letters")
    elif str(kind).endswith("_view") and chunk.buffers()[1] is not None:
        views, buffers = _texts(chunk)
        far = views[views[:, 0].view(np.uint32) > WITHIN].astype(np.int64)  # with those shorter than nothing
        sizes = np.array([*map(len, buffers)], np.int64)
        inside = (far[:, 2] >= 0) & (far[:, 2] < len(sizes)) & (far[:, 3] >= 0)
        if (far[:, 0] < 0).any() or not inside.all() or (far[:, 3] + far[:, 0] > sizes[far[:, 2]]).any():
            raise ValueError("views that lead outside of its buffers")
