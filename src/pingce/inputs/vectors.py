"""One column a role: labels, scores, weights, groups and numbers, from arrays, series, lists or the columns of a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import EmptyInputError, InputError, library_words
from pingce.base.lazy import pa
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.inputs.arrow import array_of, checked_arrow, decoded
from pingce.inputs.columns import Source
from pingce.inputs.matrices import in_memory


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
        values = self.values[rows] if self.is_array else from_arrow(self.values.take(pa.array(rows)))
        return Vector(values, self.name, lambda row: self.place(int(rows[row])), self.title)

    @property
    def source(self) -> Source:
        """Where it came from."""
        return Source(self.name, self.place)

    def refuse(self, bad: NDArray[np.bool_], en: str, zh: str) -> None:
        """Refuse rows, if any; sentences have {name} for the column, {value} for the first of them, {count} for their number."""
        if bad.any():
            row = int(bad.argmax())
            place, value, count = self.place(row), self.values[row], int(np.count_nonzero(bad))
            raise InputError(
                f"{place.en}: {en.format(name=self.name.en, value=value, count=count)}",
                f"{place.zh}：{zh.format(name=self.name.zh, value=value, count=count)}",
            )


def vector(data: Any, name: str) -> Vector:
    """A column from whatever holds one; `name` is what messages call it."""
    if isinstance(data, Vector):
        return data

    def place(row: int) -> Text:
        return Text(f"row {row} of {name}", f"{name} 第 {row} 行（从 0 起）")

    index = getattr(data, "index", None) if _is_pandas(data) else None
    column = Vector(_values(data, Text(name, name)), Text(name, name), place, name, index)
    if not len(column):
        raise EmptyInputError(f"{name} is empty; give at least one row", f"{name} 是空的；请至少给出一行")
    return column


def _is_pandas(data: Any) -> bool:
    """Whether it is a series or an array of pandas, without importing pandas."""
    return type(data).__module__.partition(".")[0] == "pandas" and hasattr(data, "to_numpy")


def _values(data: Any, name: Text) -> Any:
    data = in_memory(data, name)
    if isinstance(data, np.ma.MaskedArray):
        raise InputError(f"{name.en} has masked cells; fill or drop them", f"{name.zh} 含被掩盖的值；请填补或去掉")
    if isinstance(data, np.ndarray):
        return _from_array(data, name)
    if not _is_pandas(data):
        return from_arrow(arrow_column(data, name))
    plain = isinstance(getattr(data, "dtype", None), np.dtype) and data.dtype.kind in "biuf"
    if plain or getattr(data, "ndim", 1) != 1:
        return _from_array(data.to_numpy(), name)
    with _readable(name):
        return from_arrow(pa.chunked_array([pa.array(data, from_pandas=True)]))


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


def arrow_column(data: Any, name: Text) -> Any:
    """A column as Arrow has it."""
    data = in_memory(data, name)
    is_array = isinstance(data, np.ndarray) and data.dtype.kind in "biuf"
    with _readable(name):
        if isinstance(data, pa.ChunkedArray):
            column = data
        elif is_array or isinstance(data, pa.Array) or hasattr(data, "__arrow_c_array__"):
            column = pa.chunked_array([pa.array(data)])
        elif hasattr(data, "__arrow_c_stream__"):
            column = pa.chunked_array(data)
        elif isinstance(data, (str, bytes, Mapping, set, frozenset)) or not hasattr(data, "__iter__"):
            raise TypeError(f"it is {type(data).__name__}")
        else:
            column = pa.chunked_array([pa.array(list(data))])
    return checked_arrow(column, name)


@contextmanager
def _readable(name: Text) -> Iterator[None]:
    """Say of what a library gives up on that it is no column."""
    try:
        yield
    except (pa.ArrowException, TypeError, ValueError, OverflowError) as problem:
        first = library_words(problem)
        raise InputError(
            f"{name.en} cannot be read as one column ({first}); give a list, an array, a series or a tensor of one type",
            f"{name.zh} 无法作为一列读取（{first}）；请给出同一类型的列表、数组、序列或张量",
        ) from None


def from_arrow(column: Any) -> Any:
    """An Arrow column as NumPy's numbers where it holds numbers or truth values without nulls; else as it is."""
    column = decoded(column)
    if pa.types.is_decimal(column.type):
        column = column.cast(pa.float64())
    numeric = pa.types.is_integer(column.type) or pa.types.is_floating(column.type) or pa.types.is_boolean(column.type)
    return array_of(column) if numeric and not column.null_count else column


def joined_arrays(arrays: Sequence[NDArray[Any] | None]) -> NDArray[Any] | None:
    """The arrays of several batches, one after another; None where no batch has one."""
    present = [array for array in arrays if array is not None]
    return np.concatenate(present) if present else None


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
        if first.index is not None and other.index is not None and _names_same_rows(first.index, other.index):
            raise _other_order(first, other)


def _other_order(first: Vector, other: Vector) -> InputError:
    """What to say of two series that name the same rows in another order: by position labels would meet other rows' scores."""
    row = int(np.flatnonzero(np.asarray(first.index != other.index))[0])
    labels = f"'{first.index[row]}'", f"'{other.index[row]}'"
    return InputError(
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
