"""Numbers of Arrow columns as NumPy has them. Arrow's own conversion imports pandas where that is installed: a third of a
second, during which a Ctrl-C is lost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

_FLOATS = {"halffloat": "float16", "float": "float32", "double": "float64"}
"Arrow's names that are not NumPy's; older Arrows ask pandas for the type."


def array_of(column: pa.Array | pa.ChunkedArray) -> NDArray[Any]:
    """The numbers or truth values of a column; one piece is not copied. Nulls become NaN, as Arrow has it."""
    import pyarrow as pa

    if pa.types.is_boolean(column.type):
        if column.null_count:
            return np.array(column.to_pylist(), object)
        return array_of(column.cast(pa.uint8())).view(bool)
    if column.null_count:
        column = column.cast(pa.float64()) if pa.types.is_integer(column.type) else column
        column = column.fill_null(pa.scalar(float("nan")).cast(column.type))
    kind = np.dtype(_FLOATS.get(str(column.type), str(column.type)))
    pieces = [_piece(chunk, kind) for chunk in (column.chunks if isinstance(column, pa.ChunkedArray) else [column])]
    if len(pieces) == 1:
        return pieces[0]
    return np.concatenate(pieces) if pieces else np.zeros(0, kind)


def _piece(chunk: pa.Array, kind: np.dtype[Any]) -> NDArray[Any]:
    if not len(chunk):
        return np.zeros(0, kind)
    return np.frombuffer(chunk.buffers()[1], kind, len(chunk), chunk.offset * kind.itemsize)
