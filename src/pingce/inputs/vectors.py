"""One column a role: labels, scores, weights, groups and numbers, from arrays, series, lists or the columns of a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.base.errors import EmptyInputError, InputError, first_words
from pingce.base.text import Text
from pingce.inputs.arrow_checks import checked_arrow
from pingce.inputs.arrow_ids import decoded, ids_of, is_string
from pingce.inputs.arrow_numbers import array_of
from pingce.inputs.columns import LARGEST_EXACT, Source, too_large_for_doubles
from pingce.inputs.ids import Ids, IntIds, checked_integers
from pingce.inputs.matrices import is_tensor, tensor_values

if TYPE_CHECKING:
    from numpy.typing import NDArray


_LIGHTEST, _HEAVIEST = 1e-100, 1e100
"Weights that are not 0."

_LARGEST_ID = 2**63 - 1


@dataclass(frozen=True, eq=False)
class Vector:
    """A column as it was given: numbers and truth values as NumPy has them, anything else as Arrow has it."""

    values: Any
    name: Text
    place: Callable[[int], Text]
    "Which row of what, for messages."
    title: str = ""
    "The bare name of the column."
    index: Any = None
    "The names of the rows, where the column is a pandas series; rows are matched by position all the same."

    def __len__(self) -> int:
        return len(self.values)

    @property
    def is_array(self) -> bool:
        """Whether the values are NumPy's numbers."""
        return isinstance(self.values, np.ndarray)

    def take(self, rows: NDArray[np.intp]) -> Vector:
        """Some of the rows, which are still called what they were."""
        values = self.values[rows] if self.is_array else self.values.take(rows)
        return Vector(values, self.name, lambda row: self.place(int(rows[row])), self.title)

    @property
    def source(self) -> Source:
        """Where it came from."""
        return Source(self.name, self.place)


def vector(data: Any, name: str) -> Vector:
    """A column from whatever holds one; `name` is what messages call it."""
    if isinstance(data, Vector):
        return data
    text = Text(name, name)

    def place(row: int) -> Text:
        return Text(f"row {row} of {name}", f"{name} 第 {row} 行（从 0 起）")

    column = Vector(_values(data, text), text, place, name, getattr(data, "index", None) if _is_pandas(data) else None)
    if not len(column):
        raise EmptyInputError(f"{name} is empty; give at least one row", f"{name} 是空的；请至少给出一行")
    return column


def _is_pandas(data: Any) -> bool:
    """Whether it is a series or an array of pandas, without importing pandas."""
    return type(data).__module__.partition(".")[0] == "pandas" and hasattr(data, "to_numpy")


def _values(data: Any, name: Text) -> Any:
    data = _in_memory(data, name)
    if isinstance(data, np.ma.MaskedArray):
        raise InputError(f"{name.en} has masked cells; fill or drop them", f"{name.zh} 含被掩盖的值；请填补或去掉")
    if isinstance(data, np.ndarray):
        return _from_array(data, name)
    if _is_pandas(data):
        return _from_pandas(data, name)
    return from_arrow(arrow_column(data, name))


def _in_memory(data: Any, name: Text) -> Any:
    """A tensor as an array; anything else as it is."""
    return tensor_values(data, name) if is_tensor(data) and not isinstance(data, np.ndarray) else data


def _from_array(data: NDArray[Any], name: Text) -> Any:
    if data.ndim == 2 and 1 in data.shape:
        data = data.reshape(-1)
    if data.ndim != 1:
        shape = " × ".join(map(str, data.shape)) or "()"
        raise InputError(
            f"{name.en} has the shape {shape}; needed is one value a row", f"{name.zh} 的形状为 {shape}；应为每行一个值"
        )
    if data.dtype.kind in "biu" or data.dtype in (np.float16, np.float32, np.float64):
        return data.astype(data.dtype.newbyteorder("="), copy=False)
    if data.dtype.kind == "f":
        return data.astype(np.float64)
    return from_arrow(arrow_column(data.tolist(), name))


def _from_pandas(data: Any, name: Text) -> Any:
    if isinstance(getattr(data, "dtype", None), np.dtype) and data.dtype.kind in "biuf":
        return _from_array(data.to_numpy(), name)
    import pyarrow as pa

    if getattr(data, "ndim", 1) != 1:
        return _from_array(data.to_numpy(), name)
    try:
        return from_arrow(pa.chunked_array([pa.array(data, from_pandas=True)]))
    except (pa.ArrowException, TypeError, ValueError, OverflowError) as problem:
        raise _unusable(name, problem) from None


def arrow_column(data: Any, name: Text) -> Any:
    """A column as Arrow has it."""
    return checked_arrow(_arrow_column(_in_memory(data, name), name), name)


def _arrow_column(data: Any, name: Text) -> Any:
    import pyarrow as pa

    try:
        if isinstance(data, pa.ChunkedArray):
            return data
        if isinstance(data, pa.Array) or hasattr(data, "__arrow_c_array__"):
            return pa.chunked_array([pa.array(data)])
        if hasattr(data, "__arrow_c_stream__"):
            return pa.chunked_array(data)
        if isinstance(data, np.ndarray) and data.dtype.kind in "biuf":
            return pa.chunked_array([pa.array(data)])
        if isinstance(data, (str, bytes, Mapping, set, frozenset)) or not hasattr(data, "__iter__"):
            raise TypeError(f"it is {type(data).__name__}")
        return pa.chunked_array([pa.array(list(data))])
    except (pa.ArrowException, TypeError, ValueError, OverflowError) as problem:
        raise _unusable(name, problem) from None


def _unusable(name: Text, problem: Exception) -> InputError:
    if isinstance(problem, MemoryError):  # Arrow's is one too
        raise problem
    first = first_words(problem)
    return InputError(
        f"{name.en} cannot be read as one column ({first}); give a list, an array, a series or a tensor of one type",
        f"{name.zh} 无法作为一列读取（{first}）；请给出同一类型的列表、数组、序列或张量",
    )


def from_arrow(column: Any) -> Any:
    """An Arrow column as NumPy's numbers where it holds numbers or truth values without nulls; else as it is."""
    import pyarrow as pa

    column = decoded(column)
    if pa.types.is_decimal(column.type):
        column = column.cast(pa.float64())
    numeric = pa.types.is_integer(column.type) or pa.types.is_floating(column.type) or pa.types.is_boolean(column.type)
    return array_of(column) if numeric and not column.null_count else column


def same_length(*columns: Vector | None) -> None:
    """Refuse columns of different lengths, both named."""
    present = [column for column in columns if column is not None]
    first = present[0]
    for other in present[1:]:
        if len(other) != len(first):
            raise InputError(
                f"{first.name.en} has {len(first)} rows, but {other.name.en} has {len(other)}; give one value of each a row",
                f"{first.name.zh} 有 {len(first)} 行，而 {other.name.zh} 有 {len(other)} 行；请每行各给一个值",
            )
        _refuse_other_order(first, other)


def _refuse_other_order(first: Vector, other: Vector) -> None:
    """Refuse two series that name the same rows in another order: by position each label would meet another row's score."""
    if first.index is None or other.index is None or not _names_same_rows(first.index, other.index):
        return
    row = int(np.flatnonzero(np.asarray(first.index != other.index))[0])
    labels = f"'{first.index[row]}'", f"'{other.index[row]}'"
    raise InputError(
        f"row {row}: the index says {labels[0]} in {first.name.en} and {labels[1]} in {other.name.en}; both have the same index in "
        f"another order, but rows are matched by position: align them ({other.name.en}.reindex({first.name.en}.index)), or "
        "give arrays (.to_numpy()) if the position is right",
        f"第 {row} 行（从 0 起）：索引在 {first.name.zh} 中为 {labels[0]}，在 {other.name.zh} 中为 {labels[1]}；两者索引相同而顺序不同，"
        f"但各行按位置对应：请先对齐（{other.name.zh}.reindex({first.name.zh}.index)），若位置无误，请给数组（.to_numpy()）",
    )


def _names_same_rows(first: Any, second: Any) -> bool:
    """Whether two indexes hold the same names in another order."""
    if first is second or first.dtype != second.dtype or first.equals(second):
        return False
    try:
        bounds = first.min() == second.min() and first.max() == second.max()
        return bool(bounds and first.is_unique and first.sort_values().equals(second.sort_values()))
    except TypeError:  # names of several types have no order
        return False


def numbers(column: Vector) -> NDArray[Any]:
    """Finite numbers: 16-, 32- and 64-bit floats as they are, integers and truth values as doubles."""
    values = _refuse_other(column, Text("numbers", "数字"))
    if values.dtype.kind in "iu" and too_large_for_doubles(values):
        raise InputError(
            f"{column.name.en} has integers beyond 2^53, which doubles cannot tell apart; scale them down",
            f"{column.name.zh} 含超过 2^53 的整数，双精度数无法区分；请缩小",
        )
    if values.dtype.kind != "f":
        return values.astype(np.float64)
    finite = np.isfinite(values)
    if not finite.all():
        _refuse_rows(column, values, ~finite)
    return np.ascontiguousarray(values)


def _refuse_other(column: Vector, needed: Text) -> NDArray[Any]:
    if column.is_array:
        values: NDArray[Any] = column.values
        return values
    refuse_null(column)
    example = column.values.slice(0, 1).to_pylist()[0]
    place = column.place(0)
    raise InputError(
        f"{place.en}: {column.name.en} holds {column.values.type}, e.g. {example!r}, but {needed.en} are needed; convert it first",
        f"{place.zh}：{column.name.zh} 的类型是 {column.values.type}，例如 {example!r}，而这里需要{needed.zh}；请先转换",
    )


def refuse_null(column: Vector) -> None:
    """Refuse an Arrow column with nulls."""
    if column.values.null_count:
        place = column.place(column.values.is_null().to_pylist().index(True))
        raise InputError(
            f"{place.en}: {column.name.en} is null; remove such rows or fill them in ({column.values.null_count} in all)",
            f"{place.zh}：{column.name.zh} 为空值；请删除这些行或补全（共 {column.values.null_count} 处）",
        )


def _refuse_rows(column: Vector, values: NDArray[Any], bad: NDArray[np.bool_]) -> None:
    rows = np.flatnonzero(bad)
    place, value = column.place(int(rows[0])), values[rows[0]]
    raise InputError(
        f"{place.en}: {column.name.en} is {value}; remove such rows or fill them in ({len(rows)} in all)",
        f"{place.zh}：{column.name.zh} 为 {value}；请删除这些行或补全（共 {len(rows)} 处）",
    )


def weights(column: Vector, *, batch: bool = False) -> NDArray[np.float64]:
    """Weights of rows: numbers from 0 up, and none so large or small that products of them are lost.

    Not all of them may be 0, unless they are those of one batch.
    """
    values = numbers(column).astype(np.float64)
    bad = np.flatnonzero(values < 0)
    if len(bad):
        place = column.place(int(bad[0]))
        raise InputError(
            f"{place.en}: the weight is {values[bad[0]]:g}; weights must be numbers from 0 up ({len(bad)} are negative)",
            f"{place.zh}：权重为 {values[bad[0]]:g}；权重须为不小于 0 的数（共 {len(bad)} 个为负）",
        )
    if not batch:
        refuse_weightless(values, column.name)
    bad = np.flatnonzero((values != 0) & ((values < _LIGHTEST) | (values > _HEAVIEST)))
    if len(bad):
        place = column.place(int(bad[0]))
        raise InputError(
            f"{place.en}: the weight is {values[bad[0]]:g}; scale the weights, so that they lie between {_LIGHTEST:g} and {_HEAVIEST:g}",
            f"{place.zh}：权重为 {values[bad[0]]:g}；请缩放权重，使其介于 {_LIGHTEST:g} 与 {_HEAVIEST:g} 之间",
        )
    return values


def refuse_weightless(weights: NDArray[np.float64], name: Text) -> None:
    """Refuse weights that are all 0."""
    if not weights.any():
        raise InputError(
            f"{name.en}: all weights are 0; give rows that count a weight above 0, or no weights at all",
            f"{name.zh}：权重全为 0；请给计入的行大于 0 的权重，或不给权重",
        )


def ids(column: Vector) -> Ids:
    """Ids of groups: integers of any size, strings (an empty one too), and what can be written as one, such as dates."""
    if not column.is_array:
        refuse_null(column)
        values = column.values if is_string(column.values.type) else _as_words(column)
        return ids_of(values, column.title, column.source, empty=True)
    values = column.values
    if values.dtype.kind == "f":
        finite = np.isfinite(values)
        if not finite.all():
            _refuse_rows(column, values, ~finite)
        bad = np.flatnonzero((values != np.floor(values)) | (np.abs(values) > LARGEST_EXACT))
        if len(bad):
            raise _no_id(column, int(bad[0]), values[bad[0]].item())
        values = values.astype(np.int64)
    values = values.view(np.uint8) if values.dtype.kind == "b" else values
    if values.dtype == np.uint64 and int(values.max()) > _LARGEST_ID:
        import pyarrow as pa

        return ids_of(pa.chunked_array([pa.array(values).cast(pa.string())]), column.title, column.source)
    return IntIds(checked_integers(np.ascontiguousarray(values), column.name))


def _as_words(column: Vector) -> Any:
    """Dates, times and the like as strings; lists and structures are no ids."""
    import pyarrow as pa

    if pa.types.is_temporal(column.values.type):
        return column.values.cast(pa.string())
    raise _no_id(column, 0, column.values.slice(0, 1).to_pylist()[0])


def _no_id(column: Vector, row: int, example: Any) -> InputError:
    place, kind = column.place(row), column.values.dtype if column.is_array else column.values.type
    return InputError(
        f"{place.en}: {column.name.en} holds {kind}, here {example!r}, but ids must be integers or strings; convert it first",
        f"{place.zh}：{column.name.zh} 的类型是 {kind}，此处为 {example!r}，而编号须为整数或字符串；请先转换",
    )
