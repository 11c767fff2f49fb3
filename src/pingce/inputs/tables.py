"""Arrow tables, and everything that can become one: pandas, polars, pyarrow, anything with `__arrow_c_stream__`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.errors import InputError
from pingce.inputs.columns import Role, Rows, Source, rows_of
from pingce.inputs.ids import Ids, IntIds, StringIds
from pingce.inputs.names import Mapped, map_columns, table_name
from pingce.language import Text

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

_EXACT_INTEGER = 2**53


def is_frame(data: Any) -> bool:
    """Whether this object is a table: it hands out Arrow data, or narwhals knows it."""
    if hasattr(data, "__arrow_c_stream__"):
        return True
    import narwhals as nw

    return isinstance(nw.from_native(data, pass_through=True, eager_only=True), nw.DataFrame)


def read_frame(data: Any, role: Role, columns: Mapping[str, str] | None) -> Rows:
    """Rows of a data frame; only the columns that matter are converted."""
    name = table_name(role, type(data).__name__)
    mapped = map_columns(_column_names(data), role, columns, name)
    return from_table(_to_arrow(data, mapped.columns(), name), mapped, rows_of(name))


def from_table(table: pa.Table, mapped: Mapped, source: Source) -> Rows:
    """Rows of an Arrow table whose columns were found."""
    source = replace(source, notes=source.notes + mapped.notes)
    if table.num_rows == 0:
        raise InputError(f"{source.name.en} has no rows", f"{source.name.zh} 没有数据行")
    query = _ids(table.column(mapped.query), mapped.query, source)
    item = _ids(table.column(mapped.item), mapped.item, source)
    if mapped.value is None:
        value = np.ones(len(query)) if mapped.role == "truth" else -np.arange(len(query), dtype=np.float64)
    else:
        value = _numbers(table.column(mapped.value), mapped, source)
    ordered = mapped.role == "run" and mapped.kind != "score"
    return Rows(query, item, -value if mapped.kind == "rank" else value, source, ordered)


def _column_names(data: Any) -> list[str]:
    for attribute in ("column_names", "columns"):
        names = getattr(data, attribute, None)
        if names is not None and not callable(names):
            return [str(name) for name in names]
    import pyarrow as pa

    return list(pa.table(data).column_names)


def _to_arrow(data: Any, wanted: Sequence[str], name: Text) -> pa.Table:
    import pyarrow as pa

    if isinstance(data, pa.Table):
        return data.select(list(wanted))
    try:
        if not hasattr(data, "__arrow_c_stream__"):
            import narwhals as nw

            return nw.from_native(data, eager_only=True).select(*wanted).to_arrow()
        chosen = data[list(wanted)] if hasattr(data, "__getitem__") else data
        return pa.table(chosen).select(list(wanted))
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError) as problem:
        first = str(problem).splitlines()[0]
        raise InputError(
            f"{name.en}: a column mixes types or has one that Arrow lacks ({first}); make the ids all strings or all integers",
            f"{name.zh}：某列混有多种类型，或其类型 Arrow 不支持（{first}）；请将编号统一为字符串或整数",
        ) from None


def _one_array(column: pa.ChunkedArray) -> pa.Array:
    import pyarrow as pa

    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    chunked = pa.types.is_string(column.type) and column.num_chunks > 1
    if chunked or pa.types.is_string_view(column.type):
        column = column.cast(pa.large_string())
    combined = column.combine_chunks()
    return combined.chunk(0) if isinstance(combined, pa.ChunkedArray) else combined


def _ids(column: pa.ChunkedArray, name: str, source: Source) -> Ids:
    import pyarrow as pa

    if column.null_count:
        raise _null(column, name, source)
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if pa.types.is_integer(kind):
        return IntIds(_integers(_one_array(column), name, source))
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return _strings(_one_array(column), name, source)
    raise InputError(
        f"{source.name.en}: column '{name}' has type {kind}, but ids must be strings or integers; convert it first",
        f"{source.name.zh}：列 '{name}' 的类型是 {kind}，编号须为字符串或整数；请先转换",
    )


def _integers(array: pa.Array, name: str, source: Source) -> NDArray[np.int64]:
    import pyarrow as pa

    try:
        return np.asarray(array.cast(pa.int64()).to_numpy(zero_copy_only=False), dtype=np.int64)
    except pa.ArrowInvalid:
        raise InputError(
            f"{source.name.en}: column '{name}' has an id beyond 64-bit signed integers; make the ids strings",
            f"{source.name.zh}：列 '{name}' 有超出 64 位有符号整数的编号；请改用字符串编号",
        ) from None


def _strings(array: pa.Array, name: str, source: Source) -> StringIds:
    import pyarrow as pa

    _, offsets, data = array.buffers()
    width: Any = np.int64 if pa.types.is_large_string(array.type) else np.int32
    bounds = np.frombuffer(offsets, dtype=width)[array.offset : array.offset + len(array) + 1]
    found = np.frombuffer(data, dtype=np.uint8) if data is not None else np.zeros(0, np.uint8)
    ids = StringIds(found, bounds[:-1], bounds[1:])
    empty = np.flatnonzero(ids.starts == ids.ends)
    if len(empty):
        place = source.place(int(empty[0]))
        raise InputError(f"{place.en}: the id in column '{name}' is empty", f"{place.zh}：列 '{name}' 的编号为空")
    return ids


def _null(column: pa.ChunkedArray, name: str, source: Source) -> InputError:
    place = source.place(column.is_null().to_pylist().index(True))
    return InputError(
        f"{place.en}: column '{name}' is null; remove the row or fill it in ({column.null_count} in all)",
        f"{place.zh}：列 '{name}' 为空值；请删除该行或补全（共 {column.null_count} 处）",
    )


def _numbers(column: pa.ChunkedArray, mapped: Mapped, source: Source) -> NDArray[np.float64]:
    """The grades, scores or ranks; a null score is not a number, a null grade or rank is an error."""
    import pyarrow as pa

    name = str(mapped.value)
    if column.null_count and mapped.kind != "score":
        raise _null(column, name, source)
    if pa.types.is_boolean(column.type):
        column = column.cast(pa.int8())
    if pa.types.is_decimal(column.type):
        column = column.cast(pa.float64())
    if not (pa.types.is_integer(column.type) or pa.types.is_floating(column.type)):
        raise _not_numbers(column, name, source)
    if pa.types.is_integer(column.type) and not column.null_count:
        return _exact_order(np.asarray(column.to_numpy()))
    return np.asarray(column.to_numpy(), dtype=np.float64)


def _exact_order(values: NDArray[Any]) -> NDArray[np.float64]:
    """Integers as doubles; those too large for that become their place in order, so that no two of them tie."""
    if len(values) and (int(values.max()) > _EXACT_INTEGER or int(values.min()) < -_EXACT_INTEGER):
        return np.unique(values, return_inverse=True)[1].astype(np.float64)
    return values.astype(np.float64)


def _not_numbers(column: pa.ChunkedArray, name: str, source: Source) -> InputError:
    shown = next((value for value in column.slice(0, 1000).to_pylist() if value is not None), None)
    place = source.place(0)
    return InputError(
        f"{place.en}: column '{name}' holds {column.type}, e.g. {shown!r}, but grades and scores must be numbers; "
        "convert it, or name another column with columns=… / --columns",
        f"{place.zh}：列 '{name}' 的类型是 {column.type}，例如 {shown!r}，而等级和分数须为数字；请转换，或用 columns=… / --columns 指定另一列",
    )
