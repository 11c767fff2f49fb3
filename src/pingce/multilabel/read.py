"""What a caller has becomes rows: two matrices, frames with a column a label, columns of a table, or long rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import EmptyInputError, InputError
from pingce.base.lazy import pa
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.inputs import cells
from pingce.inputs.columns import Reading
from pingce.inputs.data import RowData
from pingce.inputs.frames import chosen_columns, frame_columns, is_frame
from pingce.inputs.ids import IntIds
from pingce.inputs.matrices import in_memory
from pingce.inputs.predictions import SLICE, Naming, Roles, asked_slices, chosen
from pingce.inputs.slices import row_partitions
from pingce.inputs.times import in_slices_of_time
from pingce.inputs.vectors import Vector, same_length, vector
from pingce.multilabel.long import LabelLines
from pingce.multilabel.rows import Flags, LabelRows
from pingce.tasks.multilabel import MULTILABEL

Labels: TypeAlias = "Sequence[Any] | None"
_NUMBERS = ("y_true", "y_score", "weight")


@dataclass(frozen=True, eq=False)
class Side:
    """A matrix, the names of its columns where it has some, and what messages call it."""

    values: NDArray[Any]
    names: tuple[str, ...]
    name: Text
    place: Callable[[int], Text]

    def refuse(self, bad: NDArray[np.bool_], en: str, zh: str) -> None:
        """Refuse cells, if any; sentences have {value} for the first and {count} for their number."""
        if bad.any():
            row, column = np.unravel_index(int(bad.argmax()), bad.shape)
            place, label = self.place(int(row)), self.names[column] if self.names else str(column)
            words = {"value": self.values[row, column], "count": int(np.count_nonzero(bad))}
            raise InputError(
                f"{place.en}, label '{label}': {en.format(**words)}",
                f"{place.zh}，标签 '{label}'：{zh.format(**words)}",
            )


def read_rows(table: RowData, reading: Reading, labels: Labels, named: Naming | None = None) -> LabelRows | LabelLines:
    """Matrices, or lines; `named` says what messages call columns."""
    if table.roles or not _is_wide(table.truth):
        return _lines(table, reading, named)
    if table.data is not None:
        return _of_columns(table, reading, labels, named)
    return _of_matrices(table, labels, named)


def _is_wide(data: Any) -> bool:
    """Whether there is a column for each label."""
    if is_frame(data) or len(getattr(data, "shape", ())) == 2:
        return True
    if not isinstance(data, (list, tuple)) or not data:
        return False
    return isinstance(data[0], (list, tuple, str)) or len(getattr(data[0], "shape", ())) == 1


def _of_matrices(table: RowData, labels: Labels, named: Naming | None) -> LabelRows:
    """Two matrices or frames, whose columns are the same labels."""
    count = _row_count(table.truth)
    rows = _named_rows(count, named)
    truth, scores = _side(table.truth, "y_true", rows), _side(table.prediction, "y_score", rows)
    by = {
        name: in_slices_of_time(name, vector(column, name))
        for name, column in asked_slices(table.by, named=False, built_in=False).items()
    }
    weight = None if table.weight is None else {"weight": table.weight}
    if weight is not None and named is not None:
        weight = named(weight, None)
    return _checked(truth, scores, labels, (None if weight is None else weight["weight"], by))


def _named_rows(count: int, named: Naming | None) -> Vector:
    """A stand-in for a column, which knows how rows are called."""
    numbers = vector(np.arange(count), "y_true")
    return numbers if named is None else named({"y_true": np.arange(count)}, None)["y_true"]


def _row_count(data: Any) -> int:
    count = data.shape[0] if hasattr(data, "shape") else len(data)
    if not count:
        raise EmptyInputError("y_true is empty; give at least one row", "y_true 是空的；请至少给出一行")
    return int(count)


def _side(data: Any, name: str, rows: Vector) -> Side:
    text = Text(name, name)

    def place(row: int) -> Text:
        words = rows.place(row)
        return Text(words.en.replace("y_true", name), words.zh.replace("y_true", name))

    if is_frame(data):
        data, present = frame_columns(data, "predictions")
        table = chosen_columns(data, list(present), text)
        columns = [_numbers(vector(table.column(column), f"{name}['{column}']")) for column in present]
        return Side(np.stack(columns, axis=1), tuple(map(str, present)), text, place)
    data = data.toarray() if hasattr(data, "toarray") else in_memory(data, text)
    try:
        matrix = np.asarray(data)
    except ValueError:  # rows of different lengths
        matrix = np.empty(0, object)
    if matrix.ndim != 2 or matrix.dtype.kind not in "biuf" or not matrix.size:
        shape = " × ".join(map(str, matrix.shape)) or "()"
        raise InputError(
            f"{name} has the shape {shape} and holds {matrix.dtype}; needed are numbers, a row each and a column a label; for a line per row "
            "and label give row= and tag= too",
            f"{name} 的形状为 {shape}，类型为 {matrix.dtype}；应为数字矩阵，每行一个样本，每列一个标签；若每条只写一行的一个标签，请同时给出 row= 与 tag=",
        )
    return Side(matrix, (), text, place)


def _numbers(column: Vector) -> NDArray[Any]:
    """The numbers of a column, NaN among them; nulls and words are refused."""
    return column.values if column.is_array else cells.numbers(column)


def _of_columns(table: RowData, reading: Reading, labels: Labels, named: Naming | None) -> LabelRows:
    """Columns of a table, one a label on each side; labels are called like the columns of the truth."""
    sides = {"y_true": _column_names(table.truth, "y_true"), "y_score": _column_names(table.prediction, "y_score")}
    slices = asked_slices(table.by, named=True, built_in=False)
    wanted: dict[str, object] = {f"{side} {name}": name for side, names in sides.items() for name in names}
    numbers = [*wanted, "weight"]
    wanted |= {"weight": table.weight} | {SLICE + name: column for name, column in slices.items()}
    columns = chosen(table.data, wanted, reading, numbers)
    columns = columns if named is None else named(columns, table.data)
    by = {name: in_slices_of_time(name, columns[SLICE + name]) for name in slices}
    truth, scores = (_stacked(columns, side, names) for side, names in sides.items())
    scores = replace(scores, names=truth.names) if len(scores.names) == len(truth.names) else scores
    return _checked(truth, scores, labels, (columns.get("weight"), by))


def _column_names(names: Any, side: str) -> list[str]:
    if not isinstance(names, (list, tuple)) or not all(isinstance(name, str) for name in names):
        raise InputError(
            f"{side}: with data= give a list of columns, one for each label, e.g. {side}=['a', 'b']",
            f"{side}：给出 data= 时应为列名的列表，每个标签一列，例如 {side}=['a', 'b']",
        )
    return list(names)


def _stacked(columns: Mapping[str, Vector], side: str, names: Sequence[str]) -> Side:
    vectors = [columns[f"{side} {name}"] for name in names]
    return Side(
        np.stack([_numbers(column) for column in vectors], axis=1), tuple(names), Text(side, side), vectors[0].place
    )


def _checked(truth: Side, scores: Side, labels: Labels, more: tuple[Any, Mapping[str, object]]) -> LabelRows:
    """Both matrices as rows, once they agree."""
    _refuse_other_shape(truth, scores)
    count = len(truth.values)
    names = _label_names(truth, scores, labels)
    anchor = Vector(np.arange(count), truth.name, truth.place, "y_true")
    weight = None if more[0] is None else vector(more[0], "weight")
    same_length(anchor, weight)
    return LabelRows(
        flags(Side(truth.values, names, truth.name, truth.place)),
        finite(Side(scores.values, names, scores.name, scores.place)),
        names,
        None if weight is None else cells.weights(weight, batch=True),
        truth.place,
        row_partitions(dict(more[1]), anchor, batch=True),
        declared=labels is not None,
    )


def _refuse_other_shape(truth: Side, scores: Side) -> None:
    ours, theirs = truth.values.shape, scores.values.shape
    if ours[0] != theirs[0]:
        raise InputError(
            f"{truth.name.en} has {ours[0]} rows, but {scores.name.en} has {theirs[0]}; give a row of each",
            f"{truth.name.zh} 有 {ours[0]} 行，而 {scores.name.zh} 有 {theirs[0]} 行；两者行数须相同",
        )
    if ours[1] != theirs[1]:
        raise InputError(
            f"{truth.name.en} has {ours[1]} labels, but {scores.name.en} has {theirs[1]}; give a column of each label on both sides",
            f"{truth.name.zh} 有 {ours[1]} 个标签，而 {scores.name.zh} 有 {theirs[1]} 个；两边须各有每个标签的一列",
        )


def _label_names(truth: Side, scores: Side, labels: Labels) -> tuple[str, ...]:
    """What the labels are called: as both frames, or `labels=`, or their number say."""
    sides = [side for side in (truth, scores) if side.names]
    named = [*((side.name, side.names) for side in sides)]
    if labels is not None:
        named.append((Text("labels=", "labels="), tuple(map(str, labels))))
    if not named:
        return tuple(map(str, range(truth.values.shape[1])))
    name, names = named[0]
    if len(set(names)) < len(names) or len(names) != truth.values.shape[1]:
        raise InputError(
            f"{name.en} has {len(set(names))} different names, but there are {truth.values.shape[1]} columns; name each label once",
            f"{name.zh} 有 {len(set(names))} 个不同的名称，而共有 {truth.values.shape[1]} 列；每个标签应有一个名称",
        )
    for other, others in named[1:]:
        odd = next((at for at, pair in enumerate(zip(names, others, strict=False)) if pair[0] != pair[1]), None)
        if odd is not None or len(others) != len(names):
            at = min(len(names), len(others)) - 1 if odd is None else odd
            raise InputError(
                f"column {at} is label '{names[at]}' in {name.en} and '{others[at]}' in {other.en}; give the same labels in the same order "
                f"on both sides, e.g. {scores.name.en}[list({truth.name.en}.columns)]",
                f"第 {at} 列（从 0 起）在 {name.zh} 中是标签 '{names[at]}'，在 {other.zh} 中是 '{others[at]}'；两边须为相同的标签和顺序，"
                f"例如 {scores.name.zh}[list({truth.name.zh}.columns)]",
            )
    return names


def flags(side: Side) -> Flags:
    """Zeros and ones as bytes; anything else is refused."""
    values = side.values
    if values.dtype == bool:
        return values.astype(np.uint8)
    side.refuse(
        ~((values == 0) | (values == 1)),
        "{value} is neither 0 nor 1: a row has a label (1) or not (0); put graded labels to a threshold first ({count} in all)",
        "{value} 既不是 0 也不是 1：一行有某标签（1）或没有（0）；分级的标签请先按阈值取 0 与 1（共 {count} 处）",
    )
    return values.astype(np.uint8)


def finite(side: Side) -> NDArray[Any]:
    """Finite scores as floats of 32 or 64 bits."""
    values = side.values
    small = values.dtype.kind == "b" or values.dtype.itemsize == 1 or values.dtype == np.float16
    kind = values.dtype if values.dtype in (np.float32, np.float64) else np.float32 if small else np.float64
    floats = np.ascontiguousarray(values, kind)
    side.refuse(
        ~np.isfinite(floats),
        "the score is {value}; remove such rows or fill them in ({count} in all)",
        "分数为 {value}；请删除这些行或补全（共 {count} 处）",
    )
    return floats


def _lines(table: RowData, reading: Reading, named: Naming | None) -> LabelLines:
    """A line for each row and label."""
    roles = Roles("y_score", numbers=_NUMBERS, declared=MULTILABEL.columns)
    columns = roles.read(table, reading, named)
    truth, scores = vector(columns.truth, "y_true"), vector(columns.prediction, "y_score")
    row, tag = (vector(columns.roles[name], name) for name in ("row", "tag"))
    weight = None if columns.weight is None else vector(columns.weight, "weight")
    same_length(truth, scores, row, tag, weight)
    values = cells.numbers(truth, reading.threads)
    truth.refuse(
        ~((values == 0) | (values == 1)),
        "{name} is {value}, neither 0 nor 1: a row has a label (1) or not (0) ({count} in all)",
        "{name} 为 {value}，既不是 0 也不是 1：一行有某标签（1）或没有（0）（共 {count} 处）",
    )
    plain = cells.numbers(scores, reading.threads)
    return LabelLines(
        id_array(row),
        id_array(tag),
        values.astype(np.uint8),
        plain.astype(np.float32) if plain.dtype == np.float16 else plain,
        None if weight is None else cells.weights(weight, batch=True),
        truth.place,
        row_partitions(columns.by or {}, truth, batch=True),
    )


def id_array(column: Vector) -> pa.Array:
    """Ids as Arrow has them: integers, or text."""
    ids = cells.ids(column)
    if isinstance(ids, IntIds):
        return pa.array(ids.comparable())
    values = column.values
    text = values.cast(pa.string()).cast(pa.large_string())
    chunks = text.combine_chunks() if isinstance(text, pa.ChunkedArray) else text
    return chunks.chunk(0) if isinstance(chunks, pa.ChunkedArray) else chunks
