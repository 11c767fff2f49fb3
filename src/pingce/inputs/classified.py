"""The middle form of a multi-class task: true and predicted classes, and perhaps a probability for each class."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.inputs import vectors
from pingce.inputs.labels import Classes, common_classes
from pingce.inputs.matrices import is_tensor, tensor_values
from pingce.inputs.vectors import Vector, same_length, vector

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
    declared: bool = False
    "Whether `labels=` named the classes."
    tied: int | None = None
    "Rows with several most probable classes, where these were taken for predictions."
    columns: tuple[str, ...] = ()
    "What the columns of `proba` are called, where they have names."

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

    def owned(self) -> ClassRows:
        """The same rows in memory that nobody else writes to: codes and weights are ours already."""
        return self if self.proba is None else replace(self, proba=self.proba.copy())

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
    return whole(
        [class_batch(y_true, y_pred, proba=proba, labels=labels, weight=weight, by=by, notes=notes, batch=False)]
    )


def class_batch(
    y_true: Any,
    y_pred: Any = None,
    *,
    proba: Any = None,
    labels: Iterable[Any] | None = None,
    weight: Any = None,
    by: Mapping[str, Any] | None = None,
    notes: tuple[Text, ...] = (),
    batch: bool = True,
) -> ClassRows:
    """Some of the rows of a task: what only all of them can show is left to `whole`."""
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

        partitions = row_partitions(by, truth, batch=batch)
    weight = None if weights is None else vectors.weights(weights, batch=batch)
    without = 0
    if weight is not None and not weight.all():
        kept = np.flatnonzero(weight)
        without, weight, truth = len(weight) - len(kept), weight[kept], truth.take(kept)
        prediction = None if prediction is None else prediction.take(kept)
        matrix = None if matrix is None else matrix[kept]
        partitions = tuple(one.take(kept) for one in partitions)
    if len(truth):
        coded, predicted = common_classes(truth, prediction, labels)
    else:
        coded = Classes(np.zeros(0, np.intp), [] if labels is None else list(labels))
        predicted = None if prediction is None else coded
    named = tuple(str(name) for name in getattr(proba, "column_names", getattr(proba, "columns", ())))
    if matrix is not None and labels is not None and len(truth):
        refuse_other_columns(matrix.shape[1], named, coded.names, given=True)
    declared = labels is not None
    return ClassRows(
        coded, predicted, weight, matrix, notes, without, partitions, fixed=declared, declared=declared, columns=named
    )


def whole(batches: Sequence[ClassRows], known: Sequence[Any] = ()) -> ClassRows:
    """The rows of all batches, coded by the classes that occur in any of them or are `known`."""
    rows = joined(batches, known)
    if rows.proba is None:
        return rows
    refuse_other_columns(rows.proba.shape[1], rows.columns, rows.labels, given=rows.fixed)
    if rows.prediction is not None:
        return replace(rows, fixed=True)
    predicted, tied = _most_probable(rows.proba, rows.labels)
    notes = (*rows.notes, most_probable_note(tied))
    return replace(rows, prediction=predicted, notes=notes, tied=tied, fixed=True)


def joined(batches: Sequence[ClassRows], known: Sequence[Any] = ()) -> ClassRows:
    """The rows of all batches, which are still a batch."""
    first = batches[0]
    if len(batches) == 1 and (not known or list(known) == first.labels):
        return first
    names = _all_names(batches, known)
    coded = [_recoded(rows, names) for rows in batches]
    partitions: tuple[Partition, ...] = ()
    if first.by:
        from pingce.slices.partition import joined as joined_partitions

        partitions = tuple(joined_partitions(pieces) for pieces in zip(*(rows.by for rows in batches), strict=True))
    return replace(
        first,
        truth=Classes(np.concatenate([true for true, _ in coded]), names),
        prediction=None if first.prediction is None else Classes(np.concatenate([said for _, said in coded]), names),
        weight=_stacked([rows.weight for rows in batches]),
        proba=_stacked([rows.proba for rows in batches]),
        notes=tuple(dict.fromkeys(note for rows in batches for note in rows.notes)),
        without_weight=sum(rows.without_weight for rows in batches),
        by=partitions,
    )


def _all_names(batches: Sequence[ClassRows], known: Sequence[Any]) -> list[Any]:
    """Sorted; classes that were given stand as they were."""
    lists = [names for names in (list(known), *(rows.labels for rows in batches)) if names]
    if not lists or all(names == lists[0] for names in lists):
        return lists[0] if lists else []
    return sorted({name for names in lists for name in names})


def _recoded(rows: ClassRows, names: list[Any]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    true = rows.truth.codes
    said = true if rows.prediction is None else rows.prediction.codes
    if rows.labels == names or not len(rows):
        return true, said
    place = {name: i for i, name in enumerate(names)}
    at = np.array([place[name] for name in rows.labels], np.intp)
    return at[true], at[said]


def _stacked(pieces: Sequence[NDArray[Any] | None]) -> NDArray[Any] | None:
    known = [piece for piece in pieces if piece is not None]
    return np.concatenate(known) if known else None


def _most_probable(matrix: NDArray[Any], names: list[Any]) -> tuple[Classes, int]:
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
