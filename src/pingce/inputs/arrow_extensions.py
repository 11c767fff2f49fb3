"""Arrow's canonical extension types as what they mean: uuid and json are text, bool8 is a truth value."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    import pyarrow as pa

_DIGITS: Final = np.frombuffer("".join(f"{byte:02x}" for byte in range(256)).encode(), np.uint8).reshape(256, 2)
_PLACES: Final = np.array([at for at in range(36) if at not in (8, 13, 18, 23)])
"Where the digits of a uuid stand when it is written with its dashes."


def plain_column(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """The column without its extension type; as it is where nobody here knows what that means."""
    import pyarrow as pa

    read = _MEANINGS.get(column.type.extension_name)
    if read is None:
        return column
    chunks = [read(chunk.storage) for chunk in column.chunks]
    return pa.chunked_array(chunks, None if chunks else pa.string())


def _truth(storage: pa.Array) -> pa.Array:
    from pyarrow import compute

    return compute.not_equal(storage, 0)


def _uuid(storage: pa.Array) -> pa.Array:
    """Written as everywhere: 8-4-4-4-12 digits."""
    import pyarrow as pa
    from pyarrow import compute

    count = len(storage)
    raw = np.frombuffer(storage.buffers()[1] or b"", np.uint8, 16 * count, 16 * storage.offset)
    letters = np.full((count, 36), ord("-"), np.uint8)
    letters[:, _PLACES] = _DIGITS[raw].reshape(count, 32)
    offsets = 36 * np.arange(count + 1, dtype=np.int64)
    texts = pa.Array.from_buffers(pa.large_string(), count, [None, pa.py_buffer(offsets), pa.py_buffer(letters)])
    return compute.if_else(storage.is_valid(), texts, None) if storage.null_count else texts


_MEANINGS: Final[dict[str, Callable[[pa.Array], pa.Array]]] = {
    "arrow.uuid": _uuid,
    "arrow.json": lambda storage: storage,
    "arrow.bool8": _truth,
}
