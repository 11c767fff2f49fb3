"""What the cells of a column must be: finite numbers, weights from 0 up, ids of groups."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.core import native_core, thread_count
from pingce.base.errors import InputError
from pingce.base.lazy import pa
from pingce.base.text import Text
from pingce.inputs.arrow import ids_of, is_string
from pingce.inputs.columns import LARGEST_EXACT, too_large_for_doubles
from pingce.inputs.ids import Ids, IntIds, checked_integers
from pingce.inputs.vectors import Vector

LIGHTEST, HEAVIEST = 1e-100, 1e100
"Weights that are not 0."

_LARGEST_ID = 2**63 - 1


def numbers(column: Vector, threads: int | None = None) -> NDArray[Any]:
    """Finite numbers: 16-, 32- and 64-bit floats as they are, integers and truth values as doubles."""
    return numbers_and_ends(column, threads)[0]


def number_pair(
    truth: Vector, prediction: Vector, threads: int | None = None
) -> tuple[NDArray[np.float64], NDArray[np.float64], float | None]:
    """Two columns of finite numbers as doubles, and the size of their largest difference, where that was the quickest check."""
    core = native_core()
    if core is not None and all(
        column.is_array and column.values.dtype == np.float64 for column in (truth, prediction)
    ):
        true, predicted = (np.ascontiguousarray(column.values) for column in (truth, prediction))
        if (largest := core.largest_error(true, predicted, thread_count(threads))) is not None:
            return true, predicted, largest
    true, predicted = (numbers(column, threads).astype(np.float64, copy=False) for column in (truth, prediction))
    return true, predicted, None


def numbers_and_ends(column: Vector, threads: int | None = None) -> tuple[NDArray[Any], tuple[float, float]]:
    """The same, and the lowest and the highest of them."""
    values = plain_numbers(column)
    if values.dtype.kind in "iu" and too_large_for_doubles(values):
        column.refuse(
            (values > LARGEST_EXACT) | (values < -LARGEST_EXACT if values.dtype.kind == "i" else False),
            "{name} is {value}; integers beyond 2^53 cannot be told apart as doubles: scale them down ({count} in all)",
            "{name} 为 {value}；超过 2^53 的整数用双精度数无法区分，请缩小（共 {count} 个）",
        )
    values = np.ascontiguousarray(values) if values.dtype.kind == "f" else values.astype(np.float64)
    ends = _ends(values, threads)
    if ends is None:
        _refuse_not_finite(column)
        raise AssertionError("finite numbers have ends")
    return values, ends


def _ends(values: NDArray[Any], threads: int | None) -> tuple[float, float] | None:
    """The lowest and the highest number; None where one is not finite. 0 has no sign."""
    core = native_core()
    if core is not None and values.dtype != np.float16:
        return core.ends(values, thread_count(threads))
    low, high = float(values.min() + 0), float(values.max() + 0)
    return (low, high) if np.isfinite((low, high)).all() else None


def plain_numbers(column: Vector) -> NDArray[Any]:
    """Numbers of any kind, finite or not; anything else is refused."""
    needed = Text("numbers", "数字")
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


def _refuse_not_finite(column: Vector) -> None:
    column.refuse(
        ~np.isfinite(column.values),
        "{name} is {value}; remove such rows or fill them in ({count} in all)",
        "{name} 为 {value}；请删除这些行或补全（共 {count} 处）",
    )


def weights(column: Vector, *, batch: bool = False, threads: int | None = None) -> NDArray[np.float64]:
    """Weights of rows: numbers from 0 up, and none so large or small that products of them are lost.

    Not all of them may be 0, unless they are those of one batch. They may be the caller's own array.
    """
    plain, (low, high) = numbers_and_ends(column, threads)
    values = plain.astype(np.float64, copy=False)
    if low >= LIGHTEST and high <= HEAVIEST:
        return values
    column.refuse(
        values < 0,
        "the weight is {value:g}; weights must be numbers from 0 up ({count} are negative)",
        "权重为 {value:g}；权重须为不小于 0 的数（共 {count} 个为负）",
    )
    if not batch:
        refuse_weightless(values, column.name)
    column.refuse(
        (values != 0) & ((values < LIGHTEST) | (values > HEAVIEST)),
        f"the weight is {{value:g}}; scale the weights, so that they lie between {LIGHTEST:g} and {HEAVIEST:g}",
        f"权重为 {{value:g}}；请缩放权重，使其介于 {LIGHTEST:g} 与 {HEAVIEST:g} 之间",
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
        values = column.values
        if pa.types.is_temporal(values.type):
            values = values.cast(pa.string())
        elif not is_string(values.type):
            raise _no_id(column, 0, values.slice(0, 1).to_pylist()[0])
        return ids_of(values, column.title, column.source, empty=True)
    values = column.values
    if values.dtype.kind == "f":
        _refuse_not_finite(column)
        bad = np.flatnonzero((values != np.floor(values)) | (np.abs(values) > LARGEST_EXACT))
        if len(bad):
            raise _no_id(column, int(bad[0]), values[bad[0]].item())
        values = values.astype(np.int64)
    values = values.view(np.uint8) if values.dtype.kind == "b" else values
    if values.dtype == np.uint64 and int(values.max()) > _LARGEST_ID:
        return ids_of(pa.chunked_array([pa.array(values).cast(pa.string())]), column.title, column.source)
    return IntIds(checked_integers(np.ascontiguousarray(values), column.name))


def _no_id(column: Vector, row: int, example: Any) -> InputError:
    place, kind = column.place(row), column.values.dtype if column.is_array else column.values.type
    return InputError(
        f"{place.en}: {column.name.en} holds {kind}, here {example!r}, but ids must be integers or strings; convert it first",
        f"{place.zh}：{column.name.zh} 的类型是 {kind}，此处为 {example!r}，而编号须为整数或字符串；请先转换",
    )
