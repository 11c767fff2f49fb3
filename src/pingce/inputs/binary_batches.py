"""Labels and scores that come in batches: which label is positive is settled when all labels are known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.lazy import pa
from pingce.base.text import Text
from pingce.inputs.binary import BinaryBatch, BinaryRows
from pingce.inputs.columns import joined_place
from pingce.inputs.ids import Ids
from pingce.inputs.labels import TwoLabels, both_labels, too_many
from pingce.inputs.layouts import joined
from pingce.inputs.vectors import Vector, arrow_column, joined_arrays

USUAL = (0, 1, -1)
"Labels that say by themselves which side they are on, unless others come."


def union(*names: tuple[Any, ...]) -> tuple[Any, ...]:
    """All labels of several batches, sorted; more than two are refused."""
    every = tuple(sorted({name for some in names for name in some}))
    if len(every) > 2:
        raise too_many(Text("y_true", "y_true"), every)
    return every


def positive_so_far(names: tuple[Any, ...], positive: Any, column: Text) -> Any:
    """The positive label if labels that may still come cannot change it; else None."""
    words = isinstance(names[0], str)
    if positive is not None and len(names) == 1 and isinstance(positive, str) == words:
        return positive
    return both_labels(names, positive, column)[0] if words or positive is not None or len(names) == 2 else None


def joined_rows(batches: Sequence[BinaryRows]) -> BinaryRows:
    """Batches of one shape, with labels that are settled, as one; a single one as it is."""
    first = batches[0]
    if len(batches) == 1:
        return first
    scores = np.concatenate([rows.scores for rows in batches])
    positive = np.concatenate([rows.positive for rows in batches])
    other = next((rows.labels.negative_name for rows in batches if rows.labels.negative_name is not None), None)
    return BinaryRows(
        TwoLabels(positive, sum(rows.labels.count for rows in batches), first.labels.positive_name, other),
        scores,
        first.score_type,
        joined_arrays([rows.weight for rows in batches]),
        None if first.group is None else joined([rows.group for rows in batches if rows.group is not None]),
        {name: np.concatenate([rows.columns[name] for rows in batches]) for name in first.columns},
        _joined_column([rows.score_column for rows in batches], scores),
        tuple(dict.fromkeys(note for rows in batches for note in rows.notes)),
        fields={name: joined([rows.fields[name] for rows in batches]) for name in first.fields},
    )


def together(batches: Sequence[BinaryRows], enough: int) -> Iterator[BinaryRows]:
    """The same rows in fewer batches: small ones are joined until they have enough rows."""
    some: list[BinaryRows] = []
    count = 0
    for rows in batches:
        some.append(rows)
        count += len(rows)
        if count >= enough:
            yield joined_rows(some)
            some, count = [], 0
    if some:
        yield joined_rows(some)


def _joined_column(columns: Sequence[Vector | None], scores: NDArray[Any]) -> Vector | None:
    """Each row keeps the place it had in its batch."""
    present = [column for column in columns if column is not None]
    if len(present) < len(columns):
        return None
    place = joined_place([column.place for column in present], map(len, present))
    return Vector(scores, present[0].name, place, present[0].title)


def _joined_vectors(columns: Sequence[Vector]) -> Vector:
    """One column in batches, as one."""
    first = columns[0]
    if len(columns) == 1:
        return first
    if all(column.is_array for column in columns):
        return replace(first, values=np.concatenate([column.values for column in columns]))
    try:
        kinds = [arrow_column(column.values, column.name) for column in columns]
        chunks = [chunk.cast(kinds[0].type) for column in kinds for chunk in column.chunks]
    except pa.ArrowException:
        named = [str(kind.type) for kind in kinds]
        odd = next(name for name in named if name != named[0])
        raise InputError(
            f"{first.name.en} holds {odd} in one batch and {named[0]} in the first; make them alike",
            f"{first.name.zh} 在某一批中的类型是 {odd}，第一批为 {named[0]}；请统一类型",
        ) from None
    return replace(first, values=pa.chunked_array(chunks))


_ASPECTS = {
    "labels": Text("labels", "标签"),
    "scores": Text("scores", "分数"),
    "weight": Text("weights", "权重"),
    "group": Text("groups", "分组"),
    "columns": Text("group weights", "分组权重"),
    "by": Text("columns to slice by", "切片列"),
}
_KINDS = {
    "none": Text("none", "无"),
    "given": Text("given", "有"),
    "integers": Text("integers", "整数"),
    "strings": Text("strings", "字符串"),
    "numbers": Text("numbers", "数字"),
    "booleans": Text("truth values", "布尔值"),
}


def shape_of(rows: BinaryRows, by: Sequence[str] = ()) -> dict[str, str]:
    """What all batches must have in common."""
    name = rows.labels.names()[0]
    kind = "strings" if isinstance(name, str) else "booleans" if isinstance(name, bool) else "numbers"
    group = "none" if rows.group is None else "integers" if rows.group.integers else "strings"
    return {
        "labels": kind,
        "scores": rows.score_type.name,
        "weight": "none" if rows.weight is None else "given",
        "group": group,
        "columns": ", ".join(sorted((*rows.columns, *map(_kind_of_field, rows.fields.items())))) or "none",
        "by": ", ".join(by) or "none",
    }


def _kind_of_field(field: tuple[str, Ids]) -> str:
    name, ids = field
    return name if ids.integers else f"{name} (text)"


def refuse_other_shape(first: dict[str, str], now: dict[str, str]) -> None:
    """Refuse a batch with other columns or types than the first."""
    for aspect, name in _ASPECTS.items():
        if first[aspect] != now[aspect]:
            here, there = (_KINDS.get(kind, Text(kind, kind)) for kind in (now[aspect], first[aspect]))
            raise InputError(
                f"this batch differs from the first one: {name.en}: {here.en} here, {there.en} there; make them alike",
                f"这一批与第一批不同：{name.zh}此处为{here.zh}，第一批为{there.zh}；请统一",
            )


def joined_slices(batches: Sequence[BinaryBatch]) -> dict[str, Vector | None]:
    """What the rows of all batches are sliced by."""
    columns = {name: [batch.by[name] for batch in batches] for name in batches[0].by}
    present = {name: [each for each in column if each is not None] for name, column in columns.items()}
    return {name: _joined_vectors(column) if column else None for name, column in present.items()}
