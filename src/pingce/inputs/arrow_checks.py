"""Arrow columns that were made in memory by somebody else: what would lead outside of their buffers is refused.

Files are validated in full where they are read. Here only what is cheap is looked at: sizes, offsets and codes, not letters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.base.errors import InputError, first_words
from pingce.base.text import Text

if TYPE_CHECKING:
    import pyarrow as pa

_WITHIN = 12
"Letters of a view that stand in the view itself."


def checked_arrow(column: Any, name: Text) -> Any:
    """The column (chunks of any type) itself, if all that it points to is there."""
    import pyarrow as pa

    try:
        column.validate()
        for chunk in column.chunks:
            _check(chunk)
    except (pa.ArrowException, ValueError, IndexError, TypeError) as problem:
        first = first_words(problem)
        raise InputError(
            f"{name.en}: an Arrow column is damaged ({first}); make the table anew, table.validate(full=True) says what is wrong",
            f"{name.zh}：Arrow 列已损坏（{first}）；请重新生成该表，table.validate(full=True) 可指出问题",
        ) from None
    return column


def checked_table(table: pa.Table, name: Text) -> pa.Table:
    """The table itself, if all that its columns point to is there."""
    for column, title in zip(table.columns, table.column_names, strict=True):
        checked_arrow(column, Text(f"{name.en}: column '{title}'", f"{name.zh}：列 '{title}'"))
    return table


def _check(chunk: pa.Array) -> None:
    import pyarrow as pa

    kind = chunk.type
    if not len(chunk):
        return
    if pa.types.is_dictionary(kind):
        _check_codes(chunk)
    elif pa.types.is_string(kind) or pa.types.is_binary(kind):
        _check_offsets(chunk, np.int32)
    elif pa.types.is_large_string(kind) or pa.types.is_large_binary(kind):
        _check_offsets(chunk, np.int64)
    elif str(kind).endswith("_view") and chunk.buffers()[1] is not None:
        _check_views(chunk)


def _check_codes(chunk: pa.Array) -> None:
    import pyarrow.compute as pc

    _check(chunk.dictionary)
    ends = pc.min_max(chunk.indices).as_py()
    if ends["min"] is not None and not 0 <= ends["min"] <= ends["max"] < len(chunk.dictionary):
        raise ValueError("codes that its dictionary lacks")


def _check_offsets(chunk: pa.Array, width: Any) -> None:
    _, offsets, data = chunk.buffers()
    bounds = np.frombuffer(offsets, width, len(chunk) + 1, chunk.offset * np.dtype(width).itemsize)
    size = 0 if data is None else data.size
    if bounds[0] < 0 or bounds[-1] > size or (bounds[1:] < bounds[:-1]).any():
        raise ValueError("offsets that lead outside of its letters")


def _check_views(chunk: pa.Array) -> None:
    _, views, *buffers = chunk.buffers()
    words = np.frombuffer(views, np.int32, 4 * len(chunk), 16 * chunk.offset).reshape(-1, 4)
    far = words[words[:, 0] > _WITHIN].astype(np.int64)
    sizes = np.array([0 if buffer is None else buffer.size for buffer in buffers], np.int64)
    inside = (far[:, 2] >= 0) & (far[:, 2] < len(sizes)) & (far[:, 3] >= 0)
    if (words[:, 0] < 0).any() or not inside.all() or (far[:, 3] + far[:, 0] > sizes[far[:, 2]]).any():
        raise ValueError("views that lead outside of its buffers")
