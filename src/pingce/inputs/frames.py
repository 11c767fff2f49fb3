"""Arrow tables, and everything that can become one: pandas, polars, pyarrow, anything with `__arrow_c_stream__`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError, library_words
from pingce.base.exact import Floats
from pingce.base.lazy import pa
from pingce.base.text import Text
from pingce.inputs.arrow import array_of, checked_table, decoded, ids_of, null_in
from pingce.inputs.columns import Reading, Role, Rows, Source, cannot_be_read, no_rows, rows_of, too_large_for_doubles
from pingce.inputs.ids import Ids
from pingce.inputs.names import Mapped, map_columns, table_name


def is_frame(data: Any) -> bool:
    """Whether this object is a table: it hands out Arrow data, or narwhals knows it."""
    if hasattr(data, "__arrow_c_stream__"):
        return True
    import narwhals as nw

    return isinstance(nw.from_native(data, pass_through=True), (nw.DataFrame, nw.LazyFrame))


def read_frame(data: Any, role: Role, reading: Reading, name: Text | None = None) -> Rows:
    """Rows of a data frame; only the columns that matter are converted, or, of a lazy frame, computed."""
    name = name or table_name(role, type(data).__name__)
    data, names = frame_columns(data, role)
    mapped = map_columns(
        names,
        role,
        reading.columns,
        name,
        numeric=lambda some: _numbers_of_frame(some, data),
        subtopics=reading.subtopics,
    )
    return from_table(chosen_columns(data, mapped.wanted.columns, name), mapped, rows_of(name))


def frame_columns(data: Any, role: Role) -> tuple[Any, list[str]]:
    """A table that `chosen_columns` takes, and its columns. A query that was not run yet (polars' LazyFrame, a DuckDB
    relation …) is left as narwhals sees it.
    """
    if type(data).__module__.partition(".")[0] not in ("pandas", "pyarrow"):
        import narwhals as nw

        query = nw.from_native(data, pass_through=True)
        if isinstance(query, nw.LazyFrame):
            return query, query.collect_schema().names()
    # Of data frames and Arrow tables columns can be chosen before anything is converted.
    if not isinstance(data, pa.Table) and (isinstance(data, pa.RecordBatch) or not hasattr(data, "columns")):
        try:
            data = pa.Table.from_batches([data]) if isinstance(data, pa.RecordBatch) else pa.table(data)
        except (pa.ArrowException, TypeError, ValueError):
            raise cannot_be_read(data, role) from None
    return data, [str(column) for column in getattr(data, "column_names", data.columns)]


def from_table(table: pa.Table, mapped: Mapped, source: Source) -> Rows:
    """Rows of an Arrow table whose columns were found."""
    source = replace(source, notes=source.notes + mapped.notes)
    if table.num_rows == 0:
        raise no_rows(source.name)
    query = ids_of(table.column(mapped.query), mapped.query, source)
    item = ids_of(table.column(mapped.item), mapped.item, source)
    if mapped.value is None and mapped.role == "run":
        return Rows(query, item, -np.arange(len(query), dtype=np.float64), source, "order")
    if mapped.value is None:
        rows = Rows(query, item, np.ones(len(query)), source, "none", subtopic=_subtopics(table, mapped, source))
        return _weighed(rows, table, mapped)
    value, whole = _numbers(table.column(mapped.value), mapped, source)
    if mapped.kind == "rank":
        return Rows(query, item, -value, source, "rank")
    rows = Rows(query, item, value, source, whole=whole, subtopic=_subtopics(table, mapped, source))
    return _weighed(rows, table, mapped)


def _subtopics(table: pa.Table, mapped: Mapped, source: Source) -> Ids | None:
    if mapped.subtopic is None:
        return None
    from pingce.inputs.subtopics import subtopics_of

    return subtopics_of(table.column(mapped.subtopic), mapped.subtopic, source)


def _weighed(rows: Rows, table: pa.Table, mapped: Mapped) -> Rows:
    if mapped.weight is None:
        return rows
    from pingce.inputs.item_weights import weighed, weights_of

    return weighed(rows, weights_of(table.column(mapped.weight), mapped.weight, rows.source))


def chosen_columns(data: Any, wanted: Sequence[str], name: Text) -> pa.Table:
    """Some columns of a data frame or an Arrow table; nothing else of it is converted, or, of a lazy frame, computed."""
    if type(data).__module__.startswith("narwhals.") and hasattr(data, "collect"):
        data = data.select(*wanted).collect().to_native()
    table = data.select(list(wanted)) if isinstance(data, pa.Table) else _converted(data, wanted, name)
    return checked_table(table, name)


def _converted(data: Any, wanted: Sequence[str], name: Text) -> pa.Table:
    by_name = {str(column): column for column in data.columns}
    chosen = [by_name[column] for column in wanted]
    try:
        if type(data).__module__.startswith("pandas."):
            return pa.table([_pandas_column(data[column]) for column in chosen], names=list(wanted))
        if type(data).__module__ == "pandas" and all(_is_plain(data[column]) for column in chosen):
            return pa.table([pa.array(data[column].to_numpy()) for column in chosen], names=list(wanted))
        if hasattr(data, "get_column"):
            # polars: columns as they are chunked; it would make the chunks of a whole frame alike first.
            return pa.table([pa.chunked_array(data.get_column(column)) for column in chosen], names=list(wanted))
        if hasattr(data, "__arrow_c_stream__"):
            return pa.table(data[chosen]).select(range(len(wanted))).rename_columns(list(wanted))
        import narwhals as nw

        return nw.from_native(data, eager_only=True).select(*chosen).to_arrow().rename_columns(list(wanted))
    except (pa.ArrowException, TypeError, ValueError) as problem:
        first = library_words(problem)
        raise InputError(
            f"{name.en}: a column mixes types or has one that Arrow lacks ({first}); make the ids all strings or all integers",
            f"{name.zh}：某列混有多种类型，或其类型 Arrow 不支持（{first}）；请将编号统一为字符串或整数",
        ) from None


def _is_plain(series: Any) -> bool:
    """Whether this is a column of NumPy's numbers without NaN, which Arrow takes as they are: a batch has no time for more."""
    kind = getattr(series, "dtype", None)
    return isinstance(kind, np.dtype) and (kind.kind in "iu" or (kind.kind == "f" and not np.isnan(series).any()))


def _pandas_column(series: Any) -> pa.Array | pa.ChunkedArray:
    """One column of a pandas frame; numbers of NumPy are not copied, and their NaN stay what they are."""
    if isinstance(series.dtype, np.dtype) and series.dtype.kind in "iuf":
        return pa.array(series.to_numpy())
    return pa.array(series, from_pandas=True)


def _numbers(column: pa.ChunkedArray, mapped: Mapped, source: Source) -> tuple[Floats, NDArray[Any] | None]:
    """The grades, scores or ranks, and integers too large for doubles as they are.

    A null score is not a number; a null grade or rank is an error.
    """
    name, column = str(mapped.value), decoded(column)
    if column.null_count and mapped.kind != "score":
        raise null_in(column, name, source)
    if pa.types.is_boolean(column.type) or pa.types.is_decimal(column.type):
        column = column.cast(pa.float64())
    if pa.types.is_floating(column.type):
        return np.asarray(array_of(column), dtype=np.float64), None
    if not pa.types.is_integer(column.type):
        try:
            example = next((value for value in column.slice(0, 1000).to_pylist() if value is not None), None)
        except UnicodeDecodeError:  # Parquet's texts need not be any
            example = None
        place = source.place(0)
        raise InputError(
            f"{place.en}: column '{name}' holds {column.type}, e.g. {example!r}, but grades and scores must be numbers; "
            "convert it, or name another column with columns=… / --columns",
            f"{place.zh}：列 '{name}' 的类型是 {column.type}，例如 {example!r}，而等级和分数须为数字；请转换，或用 columns=… / --columns 指定另一列",
        )
    integers = array_of(column.fill_null(0) if column.null_count else column)  # the former imports pandas
    value = integers.astype(np.float64)
    if column.null_count:
        value[array_of(column.is_null())] = np.nan
    return value, integers if too_large_for_doubles(integers) else None


_SHOWN = 200
"Rows by which columns without a type are known."


def numbers_among(names: Sequence[str], schema: pa.Schema) -> list[str]:
    """Which of some columns hold numbers, by the types of an Arrow table."""
    return [name for name in names if name in schema.names and _is_number(schema.field(name).type)]


def _is_number(kind: pa.DataType) -> bool:
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind))


def _numbers_of_frame(names: Sequence[str], data: Any) -> list[str]:
    """The same by the types of a data frame, eager or lazy."""
    if isinstance(data, pa.Table):
        return numbers_among(names, data.schema)
    if type(data).__module__.partition(".")[0] == "pandas":
        return [str(name) for name in data.columns if str(name) in names and _holds_numbers(data[name])]
    import narwhals as nw

    frame = data if isinstance(data, nw.LazyFrame) else nw.from_native(data, pass_through=True)
    if not isinstance(frame, (nw.LazyFrame, nw.DataFrame)):
        return numbers_among(names, pa.table(data).schema)
    schema = frame.collect_schema()
    return [name for name in names if name in schema and schema[name].is_numeric()]


def _holds_numbers(series: Any) -> bool:
    """Whether a column of a pandas frame holds numbers; one of objects is looked at."""
    kind = getattr(getattr(series, "dtype", None), "kind", "")
    if kind != "O":
        return kind in "iuf" and kind != ""
    try:
        return _is_number(pa.array(series.head(_SHOWN), from_pandas=True).type)
    except (pa.ArrowException, TypeError, ValueError):
        return False
