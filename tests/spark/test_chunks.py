"""Batches of an executor put together: nothing is lost, nothing is cut."""

from __future__ import annotations

from functools import reduce
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.evidence.binary.thresholds import ThresholdEvidence
from pingce.inputs.arrow import ids_of
from pingce.inputs.columns import rows_of
from pingce.inputs.ids import Ids
from pingce.spark.chunks import tables
from pingce.spark.narrow import narrow, widened
from pingce.spark.predictions import probabilities
from pingce.spark.shuffle import BLOB, blobs, names_of_parts, spark_hash, whole_parts
from pingce.spark.tables import joined_pairs, joined_points, read_range, table_of, written_range

IDS = st.lists(st.integers(0, 6), max_size=60)


@given(IDS, st.lists(st.integers(0, 9), max_size=20), st.integers(1, 9), st.integers(1, 12), st.booleans())
def test_rows_are_dealt_and_a_key_stays_whole(
    keys: list[int], cuts: list[int], parts: int, rows: int, strings: bool
) -> None:
    key = pa.array([f"k{key}" for key in keys], pa.string()) if strings else pa.array(keys, pa.int64())
    table = pa.table({"key": key, "row": np.arange(len(keys))})
    edges = sorted({0, len(keys), *(min(cut, len(keys)) for cut in np.cumsum(cuts).tolist())})
    batches = [piece for begin, end in pairwise(edges) for piece in table.slice(begin, end - begin).to_batches()]
    assert sum(found.num_rows for found in tables(batches, rows)) == len(keys)
    names = names_of_parts(parts)
    sent = [batch for side in (0, 1) for batch in blobs(batches, side, _keys, names)]
    moved = pa.Table.from_batches(sent).sort_by("part").to_batches(max_chunksize=3) if sent else []
    found = list(whole_parts(moved, 2, rows))
    for side in (0, 1):
        mine = [part for part in (pair[side] for pair in found) if part is not None]
        assert sorted(row for part in mine for row in part.column("row").to_pylist()) == list(range(len(keys)))
        assert sum(len(set(part.column("key").to_pylist())) for part in mine) == len(set(keys))
    assert all(sum(part.num_rows for part in pair if part is not None) >= rows for pair in found[:-1])


def _keys(table: pa.Table) -> Ids:
    return ids_of(table.column("key"), "key", rows_of(Text("data", "数据")))


def test_a_large_part_is_several_blobs_and_a_problem_is_a_sentence() -> None:
    count = 3 * BLOB // 16 + 1
    table = pa.table({"key": np.zeros(count, np.int64), "row": np.arange(count)})
    (sent,) = blobs(table.to_batches(), 0, _keys, names_of_parts(5))
    assert sent.num_rows == 4
    assert max(len(blob) for blob in sent.column("rows").to_pylist()) < 2 * BLOB
    ((found,),) = whole_parts([sent], 1)
    assert found is not None
    assert found.equals(table)
    odd = pa.table({"key": pa.array([3, None], pa.int64())})
    with pytest.raises(InputError, match="column 'key' is null"):
        list(whole_parts([sent, *blobs(odd.to_batches(), 0, _keys, names_of_parts(5))], 1))


_EDGES = [0, 1, -1, 127, 128, -128, -129, 2**15 - 1, 2**15, -(2**31), 2**31, 2**63 - 1, -(2**63)]


@given(st.lists(st.lists(st.sampled_from([None, *_EDGES]), max_size=4), min_size=1, max_size=4))
def test_integers_that_travelled_in_fewer_bytes_are_what_they_were(pieces: list[list[int | None]]) -> None:
    sent = [
        pa.table({"a": pa.array(piece, pa.int64()), "b": pa.array(["x"] * len(piece), pa.string())}) for piece in pieces
    ]
    assert widened([narrow(table) for table in sent]).equals(pa.concat_tables(sent))  # type: ignore[union-attr]
    assert widened([]) is None
    assert narrow(pa.table({"a": np.arange(9)})).column("a").type == pa.int8()


@pytest.mark.parametrize("parts", [1, 3, 200])
def test_parts_have_a_partition_each(parts: int) -> None:
    # hash(0) to hash(3) as Spark 4 prints them
    assert spark_hash(np.arange(4, dtype=np.uint32)).tolist() == [933211791, -559580957, 1765031574, -1823081949]
    assert (spark_hash(names_of_parts(parts).view(np.uint32)) % parts).tolist() == list(range(parts))


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
