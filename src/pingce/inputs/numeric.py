"""Which columns of a table hold numbers: asked only where a run has no column that is known to be its score.

Truth values, dates and times are no numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa

    Numeric = Callable[[Sequence[str]], Sequence[str]]

_SHOWN = 200
"Rows by which columns without a type are known."


def of_schema(schema: pa.Schema) -> Numeric:
    """Tell numbers by the types of an Arrow table."""
    return lambda names: [name for name in names if name in schema.names and _is_number(schema.field(name).type)]


def _is_number(kind: pa.DataType) -> bool:
    import pyarrow as pa

    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind))


def of_frame(data: Any) -> Numeric:
    """Tell numbers by the types of a data frame, eager or lazy."""
    import pyarrow as pa

    if isinstance(data, pa.Table):
        return of_schema(data.schema)
    if type(data).__module__.partition(".")[0] == "pandas":
        return lambda names: [str(name) for name in data.columns if str(name) in names and _holds_numbers(data[name])]
    return lambda names: _by_narwhals(data, names)


def _by_narwhals(data: Any, names: Sequence[str]) -> list[str]:
    import narwhals as nw

    frame = data if isinstance(data, nw.LazyFrame) else nw.from_native(data, pass_through=True)
    if not isinstance(frame, (nw.LazyFrame, nw.DataFrame)):
        import pyarrow as pa

        return list(of_schema(pa.table(data).schema)(names))
    schema = frame.collect_schema()
    return [name for name in names if name in schema and schema[name].is_numeric()]


def _holds_numbers(series: Any) -> bool:
    """Whether a column of a pandas frame holds numbers; one of objects is looked at."""
    import pyarrow as pa

    kind = getattr(getattr(series, "dtype", None), "kind", "")
    if kind != "O":
        return kind in "iuf" and kind != ""
    try:
        return _is_number(pa.array(series.head(_SHOWN), from_pandas=True).type)
    except (pa.ArrowException, TypeError, ValueError):
        return False
