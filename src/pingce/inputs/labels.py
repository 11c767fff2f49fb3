"""Labels of any type: which of two is positive, or which class each row has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.base.errors import InputError, did_you_mean
from pingce.base.text import Text
from pingce.inputs.arrow_ids import is_string
from pingce.inputs.arrow_numbers import array_of
from pingce.inputs.columns import LARGEST_EXACT
from pingce.inputs.vectors import Vector, refuse_null

if TYPE_CHECKING:
    from numpy.typing import NDArray

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


@dataclass(frozen=True, eq=False)
class TwoLabels:
    """Which rows are positive, and what the two labels are called; None for one that does not occur."""

    positive: NDArray[np.uint8]
    count: int
    "Of the positive rows."
    positive_name: Any
    negative_name: Any


def label_notes(labels: TwoLabels) -> tuple[Text, ...]:
    """Which of two numbers was taken for the positive label; nothing of 0 and 1, which everybody reads alike."""
    positive, negative = labels.positive_name, labels.negative_name
    if isinstance(positive, str) or negative is None or {positive, negative} == {0, 1}:
        return ()
    low, high = sorted((positive, negative))
    return (
        Text(
            f"labels {low} and {high}: {positive} is positive; if it is the other, say positive={negative} (--positive {negative})",
            f"标签为 {low} 与 {high}：{positive} 为正类；若相反，请用 positive={negative}（--positive {negative}）",
        ),
    )


def two_labels(column: Vector, positive: Any = None) -> TwoLabels:
    """Labels of a binary task. Of numbers the larger is positive; of strings the caller says which."""
    if column.is_array and column.values.dtype.kind in "biuf":
        return _two_numbers(column, positive)
    return _two_names(column, positive)


def _two_numbers(column: Vector, positive: Any) -> TwoLabels:
    values = column.values
    low, high = _ends(column)
    chosen = _positive_number(column.name, low, high, positive)
    mask = np.ascontiguousarray(values == chosen)
    count = int(np.count_nonzero(mask))
    other = low if chosen == high else high
    if low != high and count + int(np.count_nonzero(values == other)) != len(values):
        raise too_many(column.name, np.unique(values).tolist())
    negative = None if count == len(values) else other
    return TwoLabels(mask.view(np.uint8), count, chosen, negative)


def _ends(column: Vector) -> tuple[Any, Any]:
    """The smallest and the largest number."""
    ends = column.values.min(), column.values.max()
    if not np.isfinite(ends).all():
        _refuse_not_finite(column)
    return _plain(ends[0]), _plain(ends[1])


def labels_of_batch(column: Vector) -> TwoLabels:
    """Labels of some of the rows: the larger one that occurs stands for the positive one until all are known."""
    if column.is_array and column.values.dtype.kind in "biuf":
        return _two_numbers(column, _ends(column)[1])
    labels = classes(column)
    if len(labels.names) > 2:
        raise too_many(column.name, labels.names)
    mask = np.ascontiguousarray(labels.codes == len(labels.names) - 1)
    other = labels.names[0] if len(labels.names) == 2 else None
    return TwoLabels(mask.view(np.uint8), int(np.count_nonzero(mask)), labels.names[-1], other)


def positive_name(names: Sequence[Any], positive: Any, column: Text) -> Any:
    """The positive one of all labels that occur, one or two, sorted."""
    if isinstance(names[0], (bool, int, float)):
        return _positive_number(column, names[0], names[-1], positive)
    return _positive_text(column, names, positive)


def _plain(value: Any) -> Any:
    number = value.item() if hasattr(value, "item") else value
    return int(number) if isinstance(number, float) and number.is_integer() else number


def _refuse_not_finite(column: Vector) -> None:
    bad = np.flatnonzero(~np.isfinite(column.values))
    place = column.place(int(bad[0]))
    raise InputError(
        f"{place.en}: the label is {column.values[bad[0]]}; remove such rows ({len(bad)} in all)",
        f"{place.zh}：标签为 {column.values[bad[0]]}；请删除这些行（共 {len(bad)} 处）",
    )


def _positive_number(column: Text, low: Any, high: Any, positive: Any) -> Any:
    if positive is not None:
        if isinstance(positive, str):
            number = _number_in(positive)
            if number not in (low, high):
                raise _not_there(column, positive, [low, high])
            raise _other_type(column, positive, low)
        if positive in (low, high) or (low == high and positive in (0, 1, -1)):
            return _plain(positive)
        raise _not_there(column, positive, sorted({low, high}))
    if low != high or high == 1:
        return high
    if low in (0, -1):
        return 1
    raise InputError(
        f"{column.en} holds only the label {low}; say which label is positive with positive=",
        f"{column.zh} 只有标签 {low}；请用 positive= 说明哪个是正类",
    )


def _number_in(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _other_type(column: Text, positive: Any, example: Any) -> InputError:
    return InputError(
        f"positive={positive!r} is a {type(positive).__name__}, but {column.en} holds {type(example).__name__} such as {example!r}",
        f"positive={positive!r} 是 {type(positive).__name__}，而 {column.zh} 的标签是 {type(example).__name__}，例如 {example!r}",
    )


def _not_there(column: Text, positive: Any, names: Sequence[Any]) -> InputError:
    hint = did_you_mean(str(positive), map(str, names))
    listed = ", ".join(map(repr, names))
    return InputError(
        f"positive={positive!r}: {column.en} has no such label; it has {listed}{hint.en}",
        f"positive={positive!r}：{column.zh} 没有这个标签；现有 {listed}{hint.zh}",
    )


def too_many(column: Text, names: Sequence[Any]) -> InputError:
    """What to say of more than two labels."""
    listed = ", ".join(map(repr, names[:5])) + (" …" if len(names) > 5 else "")
    return InputError(
        f"{column.en} has {len(names)} labels ({listed}); a binary task has two: choose the rows, or use "
        "evaluate_multiclass (--task multiclass) for classes, evaluate_regression (--task regression) for numbers",
        f"{column.zh} 有 {len(names)} 种标签（{listed}）；二分类只有两种：请挑选数据行，"
        "或对类别用 evaluate_multiclass（--task multiclass）、对数值用 evaluate_regression（--task regression）",
    )


def _two_names(column: Vector, positive: Any) -> TwoLabels:
    labels = classes(column)
    if len(labels.names) > 2:
        raise too_many(column.name, labels.names)
    positive = _positive_text(column.name, labels.names, positive)
    place = labels.names.index(positive) if positive in labels.names else -1
    mask = np.ascontiguousarray(labels.codes == place)
    others = [name for name in labels.names if name != positive]
    return TwoLabels(mask.view(np.uint8), int(np.count_nonzero(mask)), positive, others[0] if others else None)


def _positive_text(column: Text, names: Sequence[Any], positive: Any) -> Any:
    if positive is None:
        listed = ", ".join(map(repr, names))
        raise InputError(
            f"{column.en} holds the labels {listed}; say which is positive, e.g. positive={names[-1]!r} or --positive {names[-1]}",
            f"{column.zh} 的标签为 {listed}；请说明哪个是正类，例如 positive={names[-1]!r} 或 --positive {names[-1]}",
        )
    if isinstance(names[0], str) and not isinstance(positive, str):
        raise _other_type(column, positive, names[0])
    if positive not in names and len(names) == 2:
        raise _not_there(column, positive, names)
    return positive


def positive_among(names: Sequence[Any], positive: Any = None) -> int | None:
    """The place of the positive label among at most two, by the same rules; None where it does not occur."""
    if len(names) > 2:
        raise InputError(
            f"{len(names)} labels: say how classes make one number with average=, e.g. average='macro'",
            f"共 {len(names)} 种标签：请用 average= 说明如何合成一个数，例如 average='macro'",
        )
    if positive is not None:
        odd = isinstance(positive, str) != isinstance(names[0], str)
        if odd or (positive not in names and len(names) == 2):
            listed = ", ".join(map(repr, names))
            raise InputError(
                f"positive={positive!r}: there is no such label; there are {listed}",
                f"positive={positive!r}：没有这个标签；现有 {listed}",
            )
        return list(names).index(positive) if positive in names else None
    if isinstance(names[0], str):
        listed = ", ".join(map(repr, names))
        raise InputError(
            f"the labels are {listed}; say which is positive, e.g. positive={names[-1]!r}",
            f"标签为 {listed}；请说明哪个是正类，例如 positive={names[-1]!r}",
        )
    if len(names) == 2 or names[0] == 1:
        return len(names) - 1
    if names[0] in (0, -1):
        return None
    raise InputError(
        f"there is only the label {names[0]!r}; say which label is positive with positive=",
        f"只有标签 {names[0]!r}；请用 positive= 说明哪个是正类",
    )


def classes(column: Vector) -> Classes:
    """Labels of a multi-class task, coded."""
    if not column.is_array:
        return _named_classes(column)
    values = column.values
    if values.dtype.kind == "f":
        if not np.isfinite(values).all():
            _refuse_not_finite(column)
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
    names = _checked_labels(labels, coded) if labels is not None else _union([each for _, each in coded])
    place = {name: i for i, name in enumerate(names)}
    recoded = [Classes(_places(column, each, place)[each.codes], names) for column, each in coded]
    return recoded[0], recoded[1] if len(recoded) == 2 else None


def _union(coded: Sequence[Classes]) -> list[Any]:
    return sorted({name for each in coded for name in each.names})


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
    names = [_plain(label) for label in (labels.tolist() if hasattr(labels, "tolist") else labels)]
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
