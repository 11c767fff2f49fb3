"""Classes: which label each row has, coded; labels are strings, integers or truth values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.base.errors import InputError, did_you_mean
from pingce.inputs.arrow_ids import is_string
from pingce.inputs.arrow_numbers import array_of
from pingce.inputs.cells import refuse_null
from pingce.inputs.columns import LARGEST_EXACT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pingce.inputs.vectors import Vector

_FEW = 1 << 20
"Integers that span no more than this are looked up in a table."


@dataclass(frozen=True, eq=False)
class Classes:
    """A label a row: `codes` are places in `names`, which are distinct, sorted, and all strings or all integers."""

    codes: NDArray[np.intp]
    names: list[Any]

    @property
    def are_strings(self) -> bool:
        """Whether the labels are strings."""
        return bool(self.names) and isinstance(self.names[0], str)


def classes(column: Vector) -> Classes:
    """Labels of a multi-class task, coded."""
    if not column.is_array:
        return _named_classes(column)
    values = column.values
    if values.dtype.kind == "f":
        if not np.isfinite(values).all():
            refuse_not_finite(column)
        if not (values == np.floor(values)).all():
            row = int(np.flatnonzero(values != np.floor(values))[0])
            place = column.place(row)
            raise InputError(
                f"{place.en}: {values[row]:g} is no label; for numbers use evaluate_regression, for scores evaluate_binary",
                f"{place.zh}：{values[row]:g} 不是标签；数值请用 evaluate_regression，分数请用 evaluate_binary",
            )
        _refuse_far(column, np.abs(values) > LARGEST_EXACT)
        values = values.astype(np.int64)
    if values.dtype.kind == "b":
        truths = classes(replace(column, values=values.view(np.uint8)))
        return Classes(truths.codes, [bool(name) for name in truths.names])
    if values.dtype == np.uint64:
        _refuse_far(column, values > np.uint64(2**63 - 1))
    low, high = int(values.min()), int(values.max())
    if high - low >= _FEW:
        names, codes = np.unique(values, return_inverse=True)
        return Classes(codes.reshape(-1), names.tolist())
    shifted = (values.astype(np.int64, copy=False) - low).astype(np.intp, copy=False)
    present = np.bincount(shifted, minlength=high - low + 1) > 0
    codes = shifted if present.all() else (np.cumsum(present) - 1)[shifted]
    return Classes(codes, (np.flatnonzero(present) + low).tolist())


def _refuse_far(column: Vector, bad: NDArray[np.bool_]) -> None:
    """Refuse numbers that cannot be told apart, or counted, as integers."""
    if bad.any():
        row = int(bad.argmax())
        place, label = column.place(row), column.values[row]
        raise InputError(
            f"{place.en}: the label {label} is too large for an integer; make the labels strings",
            f"{place.zh}：标签 {label} 超出整数范围；请将标签改为字符串",
        )


def _named_classes(column: Vector) -> Classes:
    values = column.values
    refuse_null(column)
    if not is_string(values.type):
        raise InputError(
            f"{column.name.en} holds {values.type}; labels must be strings, integers or truth values",
            f"{column.name.zh} 的类型是 {values.type}；标签须为字符串、整数或布尔值",
        )
    import pyarrow as pa

    coded = values.cast(pa.large_string()).dictionary_encode().combine_chunks()
    coded = coded.chunk(0) if isinstance(coded, pa.ChunkedArray) else coded
    names = coded.dictionary.to_pylist()
    order = sorted(range(len(names)), key=names.__getitem__)
    place = np.empty(len(names), np.intp)
    place[order] = np.arange(len(names))
    return Classes(place[array_of(coded.indices)], [names[i] for i in order])


def common_classes(
    truth: Vector, prediction: Vector | None, labels: Iterable[Any] | None
) -> tuple[Classes, Classes | None]:
    """Truth and prediction coded alike: by the union of both label sets, or by `labels` in the caller's order."""
    coded = [(column, classes(column)) for column in (truth, prediction) if column is not None]
    if len(coded) == 2:
        _refuse_other_types(*coded)
    names = (
        _checked_labels(labels, coded)
        if labels is not None
        else sorted({name for _, each in coded for name in each.names})
    )
    place = {name: i for i, name in enumerate(names)}
    recoded = [Classes(_places(column, each, place)[each.codes], names) for column, each in coded]
    return recoded[0], recoded[1] if len(recoded) == 2 else None


def _refuse_other_types(first: tuple[Vector, Classes], other: tuple[Vector, Classes]) -> None:
    (left, a), (right, b) = first, other
    if a.are_strings != b.are_strings:
        raise InputError(
            f"{left.name.en} holds labels such as {a.names[0]!r}, but {right.name.en} such as {b.names[0]!r}: "
            "strings and integers are never equal; convert one of the two",
            f"{left.name.zh} 的标签如 {a.names[0]!r}，而 {right.name.zh} 的标签如 {b.names[0]!r}："
            "字符串与整数不会相等；请转换其一",
        )


def _checked_labels(labels: Iterable[Any], coded: Sequence[tuple[Vector, Classes]]) -> list[Any]:
    if isinstance(labels, (str, bytes, Mapping, set, frozenset)) or not hasattr(labels, "__iter__"):
        kind = type(labels).__name__
        raise InputError(
            f"labels= is {kind}; give a list of all labels, in the order of the columns of proba",
            f"labels= 是 {kind}；请给出全部标签的列表，顺序与 proba 的列一致",
        )
    names = [plain_label(label) for label in (labels.tolist() if hasattr(labels, "tolist") else labels)]
    if not names:
        raise InputError(
            "labels= is empty; give all labels, or leave it out", "labels= 是空的；请给出全部标签，或不给该参数"
        )
    column, first = coded[0]
    odd = [name for name in names if not isinstance(name, str if first.are_strings else int)]
    if odd:
        example = first.names[0]
        raise InputError(
            f"labels= has {odd[0]!r}, but the labels of {column.name.en} are such as {example!r}; make them alike",
            f"labels= 中有 {odd[0]!r}，而 {column.name.zh} 的标签如 {example!r}；请统一类型",
        )
    if len(set(names)) < len(names):
        repeated = next(name for i, name in enumerate(names) if name in names[:i])
        raise InputError(
            f"labels= has {repeated!r} twice; give each label once",
            f"labels= 中 {repeated!r} 出现两次；每个标签只给一次",
        )
    return names


def _places(column: Vector, labels: Classes, place: dict[Any, int]) -> NDArray[np.intp]:
    absent = [name for name in labels.names if name not in place]
    if absent:
        row = int(np.flatnonzero(labels.codes == labels.names.index(absent[0]))[0])
        where, hint = column.place(row), did_you_mean(str(absent[0]), map(str, place))
        raise InputError(
            f"{where.en}: the label {absent[0]!r} of {column.name.en} is not among labels={list(place)!r}{hint.en}",
            f"{where.zh}：{column.name.zh} 的标签 {absent[0]!r} 不在 labels={list(place)!r} 之中{hint.zh}",
        )
    return np.array([place[name] for name in labels.names], np.intp)


def plain_label(value: Any) -> Any:
    """A label as Python has it; whole numbers are integers."""
    number = value.item() if hasattr(value, "item") else value
    return int(number) if isinstance(number, float) and number.is_integer() else number


def refuse_not_finite(column: Vector) -> None:
    """Refuse labels that are NaN or infinite."""
    bad = np.flatnonzero(~np.isfinite(column.values))
    place = column.place(int(bad[0]))
    raise InputError(
        f"{place.en}: the label is {column.values[bad[0]]}; remove such rows ({len(bad)} in all)",
        f"{place.zh}：标签为 {column.values[bad[0]]}；请删除这些行（共 {len(bad)} 处）",
    )
