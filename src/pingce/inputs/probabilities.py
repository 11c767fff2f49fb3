"""A matrix of probabilities: a row a row, a column a class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.inputs.classes import Classes
from pingce.inputs.matrices import is_tensor, tensor_values

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pingce.inputs.vectors import Vector


def most_probable(matrix: NDArray[Any], names: list[Any]) -> tuple[Classes, int]:
    """The first of the most probable classes, and how often there were several."""
    best = matrix.argmax(axis=1)
    tied = int(np.count_nonzero((matrix == matrix.max(axis=1, keepdims=True)).sum(axis=1) > 1))
    return Classes(best, names), tied


def most_probable_note(tied: int) -> Text:
    """That probabilities made the predictions."""
    return Text(
        f"predicted = the most probable class; in {tied} rows several are, and the first counts",
        f"预测取概率最大的类别；有 {tied} 行并列，取排在前面的",
    )


def probability_matrix(data: Any, truth: Vector) -> NDArray[Any]:
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


def refuse_other_columns(count: int, named: Sequence[str], labels: list[Any], *, given: bool) -> None:
    """There must be a column a class; columns that are named after the classes must stand in their order."""
    if count != len(labels):
        hint = (
            Text("", "")
            if given
            else Text("; say which class each column is with labels=", "；请用 labels= 说明各列是哪一类")
        )
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
