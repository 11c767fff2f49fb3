"""Batches of an executor put together: nothing is lost, nothing is cut."""

from __future__ import annotations

from functools import reduce
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pingce.evidence.thresholds import ThresholdEvidence
from pingce.spark.chunks import last_stretch, tables, whole
from pingce.spark.predictions import probabilities
from pingce.spark.tables import joined_pairs, joined_points, read_range, table_of, written_range

KEYS = st.lists(st.integers(0, 6), max_size=60).map(sorted)


@given(KEYS, st.lists(st.integers(0, 9), max_size=20), st.integers(1, 12), st.sampled_from(["int", "string", "null"]))
def test_a_key_is_never_cut(keys: list[int], cuts: list[int], rows: int, kind: str) -> None:
    values: list[Any] = keys if kind == "int" else [f"k{key}" for key in keys]
    if kind == "null":
        values = [None if value == "k0" else value for value in values]
    column = pa.array(values, pa.int64() if kind == "int" else pa.string())
    batches, begin = [], 0
    for size in [*cuts, len(keys)]:
        batches.append(pa.record_batch({"key": column.slice(begin, size), "row": _rows(begin, size, len(keys))}))
        begin = min(begin + size, len(keys))
    found = list(whole(batches, "key", rows))
    assert [row for table in found for row in table.column("row").to_pylist()] == list(range(len(keys)))
    owners = [set(table.column("key").to_pylist()) for table in found]
    assert sum(map(len, owners)) == len(set(values))
    assert all(table.num_rows >= rows for table in found[:-1])
    together = list(tables(batches, rows))
    assert [row for table in together for row in table.column("row").to_pylist()] == list(range(len(keys)))


def _rows(begin: int, size: int, end: int) -> pa.Array:
    return pa.array(range(begin, min(begin + size, end)), pa.int64())


@pytest.mark.parametrize(
    ("keys", "begin"), [([1], 0), ([1, 1], 0), ([1, 2, 2], 1), ([1, None, None], 1), ([None, 3], 1)]
)
def test_the_last_stretch(keys: list[int | None], begin: int) -> None:
    assert last_stretch(pa.array(keys, pa.int64())) == begin


@given(
    st.lists(
        st.tuples(st.integers(0, 99), st.integers(0, 3), st.integers(0, 3)),
        min_size=1,
        max_size=40,
        unique_by=lambda row: row[0],
    ),
    st.data(),
)
def test_ranges_of_scores_have_the_pairs_of_the_whole(rows: list[tuple[int, int, int]], data: st.DataObject) -> None:
    counts = pa.table(
        {
            "score": np.array([row[0] for row in rows], float),
            "tp": np.array([row[1] for row in rows]),
            "fp": np.array([row[2] for row in rows]),
        }
    )
    every = table_of(counts)
    cuts = sorted(data.draw(st.sets(st.integers(1, max(1, len(every) - 1)), max_size=4)) | {0, len(every)})
    ranges = [_range(every, begin, end) for begin, end in pairwise(cuts)]
    packed = [read_range(part) for part in (written_range([one]) for one in ranges) if part is not None]
    assert reduce(joined_pairs, (pairs for pairs, _ in packed)) == every.pairs()
    points = joined_points([points for _, points in packed])
    for name in ("score", "tp", "fp"):
        assert getattr(points, name).tolist() == getattr(every, name).tolist()
    assert written_range([]) is None


def _range(table: ThresholdEvidence, begin: int, end: int) -> ThresholdEvidence:
    tp, fp = (column[begin:end] - (column[begin - 1] if begin else 0) for column in (table.tp, table.fp))
    return ThresholdEvidence(table.score[begin:end], tp, fp)


def test_arrays_of_probabilities_become_a_matrix_and_odd_ones_a_sentence() -> None:
    lines = pa.chunked_array([pa.array([[0.5, 0.5]]), pa.array([[0.25, 0.75], [1.0, 0.0]])])
    assert probabilities(pa.table({"p": lines}), ("p",)).tolist() == [[0.5, 0.5], [0.25, 0.75], [1.0, 0.0]]
    with pytest.raises(ValueError, match="arrays of 1 and of 2 numbers"):
        probabilities(pa.table({"p": pa.array([[0.5, 0.5], [1.0]])}), ("p",))
    with pytest.raises(ValueError, match="column 'p' of the DataFrame is null"):
        probabilities(pa.table({"p": pa.array([[0.5, None]])}), ("p",))
