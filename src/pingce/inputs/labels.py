"""Two labels of any type: which of them is positive."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.core import native_core, thread_count
from pingce.base.errors import InputError, did_you_mean
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.inputs.classes import classes, plain_label, refuse_not_finite
from pingce.inputs.vectors import Vector


@dataclass(frozen=True, eq=False)
class TwoLabels:
    """Which rows are positive, and what the two labels are called; None for one that does not occur."""

    positive: NDArray[np.uint8]
    count: int
    "Of the positive rows."
    positive_name: Any
    negative_name: Any

    def names(self) -> tuple[Any, ...]:
        """The labels that occur, sorted."""
        names = [self.positive_name] if self.count else []
        names += [self.negative_name] if self.count < len(self.positive) else []
        return tuple(sorted(names))

    def with_positive(self, chosen: Any, other: Any) -> TwoLabels:
        """The same rows where the positive label is this one."""
        if self.positive_name == chosen:
            return TwoLabels(self.positive, self.count, chosen, other)
        return TwoLabels(self.positive ^ np.uint8(1), len(self.positive) - self.count, chosen, other)


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


def two_labels(column: Vector, positive: Any = None, threads: int | None = None) -> TwoLabels:
    """Labels of a binary task. Of numbers the larger is positive; of strings the caller says which."""
    labels = labels_of_batch(column, threads)
    return labels.with_positive(*both_labels(labels.names(), positive, column.name))


def labels_of_batch(column: Vector, threads: int | None = None) -> TwoLabels:
    """Labels of some of the rows: the larger one that occurs stands for the positive one until all are known."""
    at_once = _labels_in_one_pass(column, threads)
    if at_once is not None:
        return at_once
    if column.is_array and column.values.dtype.kind in "biuf":
        values = column.values
        ends = values.min(), values.max()
        if not np.isfinite(ends).all():
            refuse_not_finite(column)
        mask = np.ascontiguousarray(values == ends[1])
        names = [plain_label(end) for end in ends]
        if ends[0] != ends[1] and np.count_nonzero(mask) + np.count_nonzero(values == ends[0]) != len(values):
            raise too_many(column.name, np.unique(values).tolist())
    else:
        labels = classes(column)
        if len(labels.names) > 2:
            raise too_many(column.name, labels.names)
        mask, names = np.ascontiguousarray(labels.codes == len(labels.names) - 1), labels.names
    other = names[0] if names[0] != names[-1] else None
    return TwoLabels(mask.view(np.uint8), int(np.count_nonzero(mask)), names[-1], other)


def _labels_in_one_pass(column: Vector, threads: int | None) -> TwoLabels | None:
    """The same by the core; None where it is not there, or labels are such that it refuses them."""
    core = native_core()
    if core is None or not column.is_array or column.values.dtype.kind not in "biuf" or not len(column):
        return None
    values = np.ascontiguousarray(column.values.view(np.uint8) if column.values.dtype.kind == "b" else column.values)
    result = None if values.dtype == np.float16 else core.two_labels(values, thread_count(threads))
    if result is None:
        return None
    low, high, count, mask = result
    name, other = plain_label(column.values[high]), plain_label(column.values[low])
    return TwoLabels(mask, count, name, None if low == high else other)


def both_labels(names: Sequence[Any], positive: Any, column: Text) -> tuple[Any, Any]:
    """The positive label and the other one, None where none occurs, of all labels that occur: one or two, sorted."""
    if isinstance(names[0], (bool, int, float)):
        chosen = _positive_number(column, names[0], names[-1], positive)
    else:
        chosen = _positive_text(column, names, positive)
    return chosen, next((name for name in names if name != chosen), None)


def _positive_number(column: Text, low: Any, high: Any, positive: Any) -> Any:
    if positive is not None:
        if isinstance(positive, str):
            try:
                is_there = float(positive) in (low, high)
            except ValueError:
                is_there = False
            raise _other_type(column, positive, low) if is_there else _not_there(column, positive, [low, high])
        if positive in (low, high) or (low == high and positive in (0, 1, -1)):
            return plain_label(positive)
        raise _not_there(column, positive, sorted({low, high}))
    if low != high or high == 1:
        return high
    if low in (0, -1):
        return 1
    raise InputError(
        f"{column.en} holds only the label {low}; say which label is positive with positive=",
        f"{column.zh} 只有标签 {low}；请用 positive= 说明哪个是正类",
    )


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
    listed = ", ".join(map(repr, names))
    if len(names) > 2:
        raise InputError(
            f"{len(names)} labels: say how classes make one number with average=, e.g. average='macro'",
            f"共 {len(names)} 种标签：请用 average= 说明如何合成一个数，例如 average='macro'",
        )
    if positive is not None:
        odd = isinstance(positive, str) != isinstance(names[0], str)
        if odd or (positive not in names and len(names) == 2):
            raise InputError(
                f"positive={positive!r}: there is no such label; there are {listed}",
                f"positive={positive!r}：没有这个标签；现有 {listed}",
            )
        return list(names).index(positive) if positive in names else None
    if isinstance(names[0], str):
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
