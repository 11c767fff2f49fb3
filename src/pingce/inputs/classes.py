"""Classes: which label each row has, coded; labels are strings, integers or truth values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError, did_you_mean
from pingce.base.lazy import pa
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.inputs.arrow import array_of, is_string
from pingce.inputs.cells import refuse_null
from pingce.inputs.columns import LARGEST_EXACT
from pingce.inputs.matrices import in_memory
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
        refuse_not_finite(column)
        column.refuse(
            values != np.floor(values),
            "{value:g} is no label; for numbers use evaluate_regression, for scores evaluate_binary",
            "{value:g} 不是标签；数值请用 evaluate_regression，分数请用 evaluate_binary",
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
    en, zh = (
        "the label {value} is too large for an integer; make the labels strings",
        "标签 {value} 超出整数范围；请将标签改为字符串",
    )
    column.refuse(bad, en, zh)


def _named_classes(column: Vector) -> Classes:
    values = column.values
    refuse_null(column)
    if not is_string(values.type):
        raise InputError(
            f"{column.name.en} holds {values.type}; labels must be strings, integers or truth values",
            f"{column.name.zh} 的类型是 {values.type}；标签须为字符串、整数或布尔值",
        )
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
    if len(coded) == 2 and coded[0][1].are_strings != coded[1][1].are_strings:
        (left, a), (right, b) = coded
        raise InputError(
            f"{left.name.en} holds labels such as {a.names[0]!r}, but {right.name.en} such as {b.names[0]!r}: "
            "strings and integers are never equal; convert one of the two",
            f"{left.name.zh} 的标签如 {a.names[0]!r}，而 {right.name.zh} 的标签如 {b.names[0]!r}："
            "字符串与整数不会相等；请转换其一",
        )
    every = {name for _, each in coded for name in each.names}
    names = sorted(every) if labels is None else _checked_labels(labels, coded)
    place = {name: i for i, name in enumerate(names)}
    recoded = [Classes(_places(column, each, place)[each.codes], names) for column, each in coded]
    return recoded[0], recoded[1] if len(recoded) == 2 else None


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
    en, zh = "the label is {value}; remove such rows ({count} in all)", "标签为 {value}；请删除这些行（共 {count} 处）"
    column.refuse(~np.isfinite(column.values), en, zh)


def most_probable_note(tied: int) -> Text:
    """That probabilities made the predictions."""
    return Text(
        f"predicted = the most probable class; in {tied} rows several are, and the first counts",
        f"预测取概率最大的类别；有 {tied} 行并列，取排在前面的",
    )


def probability_matrix(data: Any, truth: Vector) -> NDArray[Any]:
    """A row of probabilities a row."""
    data = in_memory(data, Text("proba", "proba"))
    if hasattr(data, "to_numpy"):
        data = data.to_numpy()
    try:
        matrix = np.asarray(data)
        matrix = matrix if matrix.dtype in (np.float16, np.float32, np.float64) else matrix.astype(np.float64)
    except (TypeError, ValueError):
        raise InputError("proba must be a matrix of numbers", "proba 须为数字矩阵") from None
    if matrix.ndim != 2 or len(matrix) != len(truth):
        shape = " × ".join(map(str, matrix.shape)) or "()"
        raise InputError(
            f"proba has the shape {shape}, but {truth.name.en} has {len(truth)} rows; needed is a line for each row and a column for each class",
            f"proba 的形状为 {shape}，而 {truth.name.zh} 有 {len(truth)} 行；应为每个样本一行、每个类别一列",
        )
    _refuse_improbable(matrix)
    return matrix


def refuse_other_columns(count: int, named: Sequence[str], labels: list[Any], *, declared: bool) -> None:
    """There must be a column a class; columns that are named after the classes must stand in their order."""
    if count != len(labels):
        way = Text("; say which class each column is with labels=", "；请用 labels= 说明各列是哪一类")
        hint = Text("", "") if declared else way
        raise InputError(
            f"proba has {count} columns, but there are {len(labels)} classes {labels[:8]!r}{hint.en}",
            f"proba 有 {count} 列，而类别有 {len(labels)} 个 {labels[:8]!r}{hint.zh}",
        )
    wanted = [str(label) for label in labels]
    if list(named) != wanted and sorted(named) == sorted(wanted):
        place = next(i for i, (name, label) in enumerate(zip(named, wanted, strict=True)) if name != label)
        raise InputError(
            f"column {place} of proba is named {named[place]!r}, but class {place} is {wanted[place]!r}; reorder the columns, "
            "or give labels= in the order of the columns",
            f"proba 第 {place} 列名为 {named[place]!r}，而第 {place} 个类别是 {wanted[place]!r}；请调整列的顺序，或按列的顺序给出 labels=",
        )


def _refuse_improbable(matrix: NDArray[Any]) -> None:
    outside = ~((matrix >= 0) & (matrix <= 1))
    if outside.any():
        row, column = (int(place[0]) for place in np.nonzero(outside))
        raise InputError(
            f"row {row} of proba: {matrix[row, column]:g} in column {column} is no probability ({int(outside.sum())} cells in all); "
            "if these are logits, apply the softmax first",
            f"proba 第 {row} 行（从 0 起）：第 {column} 列的 {matrix[row, column]:g} 不是概率（共 {int(outside.sum())} 处）；"
            "若为 logit，请先取 softmax",
        )
    sums = matrix.sum(axis=1, dtype=np.float64)
    coarsest = max(np.finfo(kind).eps for kind in (matrix.dtype, np.float32))  # doubles may have been floats before
    off = np.flatnonzero(np.abs(sums - 1) > float(np.sqrt(coarsest)))
    if len(off):
        raise InputError(
            f"row {off[0]} of proba sums to {sums[off[0]]:.6g}, not to 1 ({len(off)} rows in all); give a column for each class (there are {matrix.shape[1]}), or divide each row by its sum",
            f"proba 第 {off[0]} 行（从 0 起）之和为 {sums[off[0]]:.6g}，而不是 1（共 {len(off)} 行）；请每个类别给一列（现有 {matrix.shape[1]} 列），或将每行除以其和",
        )
