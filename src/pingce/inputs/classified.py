"""The middle form of a multi-class task: true and predicted classes, and perhaps a probability for each class."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.errors import InputError
from pingce.inputs import vectors
from pingce.inputs.labels import Classes, common_classes
from pingce.inputs.matrices import is_tensor, tensor_values
from pingce.inputs.vectors import Vector, same_length, vector
from pingce.language import Text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pingce.slices.partition import Partition

    Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ClassRows:
    """True and predicted classes coded alike, a row each."""

    truth: Classes
    prediction: Classes | None
    weight: Floats | None = None
    proba: NDArray[Any] | None = None
    "A row a row, a column a class in the order of the labels."
    notes: tuple[Text, ...] = ()
    without_weight: int = 0
    "Rows of weight 0, which are not here."
    by: tuple[Partition, ...] = ()
    "What the rows are sliced by."
    fixed: bool = False
    "Whether the classes were given, and are not those that occur."

    def __len__(self) -> int:
        return len(self.truth.codes)

    @property
    def given(self) -> int:
        """Rows as they were given."""
        return len(self) + self.without_weight

    @property
    def labels(self) -> list[Any]:
        """All classes."""
        return self.truth.names

    def select(self, chosen: NDArray[Any]) -> ClassRows:
        """Some rows; a row may be chosen more than once."""
        prediction, weight, proba = self.prediction, self.weight, self.proba
        return replace(
            self,
            truth=Classes(self.truth.codes[chosen], self.labels),
            prediction=None if prediction is None else Classes(prediction.codes[chosen], self.labels),
            weight=None if weight is None else weight[chosen],
            proba=None if proba is None else proba[chosen],
        )

    def alone(self, chosen: NDArray[Any]) -> ClassRows:
        """Some rows as if there were no others: classes that do not occur there are gone, unless they were given."""
        rows = replace(self.select(chosen), without_weight=0, by=())
        if self.fixed or rows.prediction is None:
            return rows
        seen, codes = np.unique(np.concatenate([rows.truth.codes, rows.prediction.codes]), return_inverse=True)
        names = [self.labels[place] for place in seen.tolist()]
        true, predicted = np.split(codes.reshape(-1).astype(np.intp), 2)
        return replace(rows, truth=Classes(true, names), prediction=Classes(predicted, names))


def class_rows(
    y_true: Any,
    y_pred: Any = None,
    *,
    proba: Any = None,
    labels: Iterable[Any] | None = None,
    weight: Any = None,
    by: Mapping[str, Any] | None = None,
    notes: tuple[Text, ...] = (),
) -> ClassRows:
    """Check and bring together the columns of a multi-class task."""
    if y_pred is None and proba is None:
        raise InputError("give the predicted labels, or proba=", "请给出预测标签，或 proba=")
    truth = vector(y_true, "y_true")
    prediction = None if y_pred is None else vector(y_pred, "y_pred")
    weights = None if weight is None else vector(weight, "weight")
    same_length(truth, prediction, weights)
    matrix = None if proba is None else _matrix(proba, truth)
    partitions: tuple[Partition, ...] = ()
    if by:
        from pingce.slices.rows import row_partitions

        partitions = row_partitions(by, truth)
    weight = None if weights is None else vectors.weights(weights)
    without = 0
    if weight is not None and not weight.all():
        kept = np.flatnonzero(weight)
        without, weight, truth = len(weight) - len(kept), weight[kept], truth.take(kept)
        prediction = None if prediction is None else prediction.take(kept)
        matrix = None if matrix is None else matrix[kept]
        partitions = tuple(one.take(kept) for one in partitions)
    coded, predicted = common_classes(truth, prediction, labels)
    if matrix is not None:
        _refuse_other_columns(matrix, proba, coded.names, given=labels is not None)
    if predicted is None and matrix is not None:
        predicted, note = _most_probable(matrix, coded.names)
        notes += (note,)
    fixed = labels is not None or matrix is not None
    return ClassRows(coded, predicted, weight, matrix, notes, without, partitions, fixed)


def _most_probable(matrix: NDArray[Any], names: list[Any]) -> tuple[Classes, Text]:
    """The first of the most probable classes, and how often there were several."""
    best = matrix.argmax(axis=1)
    tied = int(np.count_nonzero((matrix == matrix.max(axis=1, keepdims=True)).sum(axis=1) > 1))
    note = Text(
        f"predicted = the most probable class; in {tied} rows several are, and the first counts",
        f"预测取概率最大的类别；有 {tied} 行并列，取排在前面的",
    )
    return Classes(best, names), note


def _matrix(data: Any, truth: Vector) -> NDArray[Any]:
    """A row of probabilities a row."""
    if is_tensor(data) and not isinstance(data, np.ndarray):
        data = tensor_values(data, Text("proba", "proba"))
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


def _refuse_other_columns(matrix: NDArray[Any], data: Any, labels: list[Any], *, given: bool) -> None:
    """There must be a column a class; columns that are named after the classes must stand in their order."""
    if matrix.shape[1] != len(labels):
        hint = (
            Text("", "")
            if given
            else Text("; say which class each column is with labels=", "；请用 labels= 说明各列是哪一类")
        )
        raise InputError(
            f"proba has {matrix.shape[1]} columns, but there are {len(labels)} classes {labels[:8]!r}{hint.en}",
            f"proba 有 {matrix.shape[1]} 列，而类别有 {len(labels)} 个 {labels[:8]!r}{hint.zh}",
        )
    named = [str(name) for name in getattr(data, "column_names", getattr(data, "columns", ()))]
    wanted = [str(label) for label in labels]
    if named != wanted and sorted(named) == sorted(wanted):
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
            f"row {off[0]} of proba sums to {sums[off[0]]:.6g}, not to 1 ({len(off)} rows in all); divide each row by its sum",
            f"proba 第 {off[0]} 行（从 0 起）之和为 {sums[off[0]]:.6g}，而不是 1（共 {len(off)} 行）；请将每行除以其和",
        )
