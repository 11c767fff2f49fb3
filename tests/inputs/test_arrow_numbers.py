"""Arrow's numbers as NumPy has them, as Arrow itself would hand them out."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from pingce.inputs.arrow import array_of

KINDS = [
    pa.int8(),
    pa.uint16(),
    pa.int32(),
    pa.int64(),
    pa.uint64(),
    pa.float16(),
    pa.float32(),
    pa.float64(),
    pa.bool_(),
]
CHUNKS = [[[1, 0, 1, 1]], [[1], [], [0, 1], [1, 1, 0]], [[]], []]


@pytest.mark.parametrize("kind", KINDS, ids=str)
@pytest.mark.parametrize("chunks", CHUNKS, ids=str)
@pytest.mark.parametrize("begin", [0, 1])
def test_as_arrow_converts_it(kind: pa.DataType, chunks: list[list[int]], begin: int) -> None:
    pieces = [pa.array(chunk, pa.int8()).cast(kind).slice(begin) for chunk in chunks]
    for column in (pa.chunked_array(pieces, kind), *pieces):
        wanted = column.to_numpy() if isinstance(column, pa.ChunkedArray) else column.to_numpy(zero_copy_only=False)
        found = array_of(column)
        assert found.dtype == wanted.dtype
        assert found.tolist() == wanted.tolist()


@pytest.mark.parametrize("kind", KINDS[:-1], ids=str)
def test_nulls_are_no_numbers(kind: pa.DataType) -> None:
    column = pa.chunked_array([pa.array([1, None], pa.int8()).cast(kind), pa.array([2], pa.int8()).cast(kind)])
    found = array_of(column)
    assert found.dtype == column.to_numpy().dtype
    np.testing.assert_array_equal(found, [1, np.nan, 2])
