"""Rows dealt to files: none is lost, those of an id stay together and in order; ids seen before are noticed."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.inputs.columns import Rows, rows_of
from pingce.inputs.ids import Ids, IntIds, StringIds
from pingce.inputs.layouts import CodedIds, ViewIds, joined
from pingce.run.partition import Part, Partitioner, repartition
from pingce.run.parts import together
from pingce.run.temporary import Workspace
from pingce.run.whole import IdMemory, nbytes

NAMES = ["a", "b", "ab", "", "查询", "q" * 40]


def numbers(rows: list[int]) -> Ids:
    return IntIds(np.array(rows, np.int32))


def strings(rows: list[int]) -> Ids:
    return StringIds.from_strings([NAMES[row] for row in rows])


def codes(rows: list[int]) -> Ids:
    return CodedIds(np.array(rows, np.int8), StringIds.from_strings(NAMES))


def in_two(rows: list[int]) -> Ids:
    return joined([strings(rows[:1]), codes(rows[1:])]) if len(rows) > 1 else strings(rows)


ROWS = st.lists(st.integers(0, len(NAMES) - 1), min_size=1, max_size=30)


def written(part: Part) -> list[tuple[Any, ...]]:
    return [tuple(row.values()) for row in part.table().to_pylist()]


@given(
    st.lists(ROWS, min_size=1, max_size=4),
    st.integers(1, 5),
    st.sampled_from([numbers, strings, codes, in_two]),
    st.data(),
)
def test_every_row_goes_to_the_part_of_its_id_in_order(
    batches: list[list[int]], parts: int, layout: Any, data: st.DataObject
) -> None:
    rows = [row for batch in batches for row in batch]
    places = np.split(np.arange(len(rows)), np.cumsum([len(batch) for batch in batches])[:-1])
    with TemporaryDirectory() as folder, Partitioner(Path(folder), "run", parts) as partitioner:
        for batch, at in zip(batches, places, strict=True):
            partitioner.add(
                layout(batch), {"query": layout(batch), "row": at, "name": pa.array([NAMES[row] for row in batch])}
            )
        found = partitioner.finish()
        if data.draw(st.booleans(), label="dealt again"):
            found = [smaller for part in found for smaller in repartition(part, "query", 3)]
        everything = layout(rows)
        named = everything.to_list()
        for part in found:
            expected = np.flatnonzero(part.holds(everything)).tolist()
            assert written(part) == [(named[row], row, NAMES[rows[row]]) for row in expected]
            assert part.rows == len(expected)
        assert sum(part.rows for part in found) == len(rows)
        holders = [{rows[row] for row in np.flatnonzero(part.holds(everything))} for part in found]
        assert sum(map(len, holders)) == len(set(rows)), "an id is in one part only"
        for part in found:
            part.remove()
        assert not list(Path(folder).iterdir())


def test_another_dealing_splits_what_the_first_put_together() -> None:
    ids = IntIds(np.arange(2000))
    with TemporaryDirectory() as folder:
        with Partitioner(Path(folder), "run", 4) as partitioner:
            partitioner.add(ids, {"query": ids})
            found = partitioner.finish()
        assert all(400 < part.rows < 600 for part in found)
        assert all(90 < part.rows < 160 for part in repartition(found[0], "query", 4))


@pytest.mark.parametrize("layout", [numbers, strings, codes, in_two])
@given(rows=ROWS)
def test_together(layout: Any, rows: list[int]) -> None:
    order = together(layout(rows))
    assert sorted(order.tolist()) == list(range(len(rows)))
    ordered = [rows[row] for row in order]
    stretches = [value for at, value in enumerate(ordered) if at == 0 or ordered[at - 1] != value]
    assert len(stretches) == len(set(rows))
    for value in set(rows):
        places = [row for row in order.tolist() if rows[row] == value]
        assert places == sorted(places)


@given(st.lists(st.lists(st.integers(0, 400), max_size=60), max_size=12))
def test_seen_notices_the_first_id_that_comes_again(batches: list[list[int]]) -> None:
    seen, known = IdMemory(), set[int]()
    for batch in batches:
        again_at = next((at for at, row in enumerate(batch) if row in known or row in batch[:at]), None)
        assert seen.add(IntIds(np.array(batch, np.int64))) == again_at
        if again_at is not None:
            return
        known |= set(batch)
        assert len(seen) == len(known)


def test_a_folder_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    def spoilt() -> None:
        with Workspace(tmp_path) as workspace:
            (workspace.folder / "gone" / "part").write_bytes(b"")

    with pytest.raises(
        InputError, match=r"temporary files cannot be used there \(No such file or directory\); .*--tmpdir"
    ):
        spoilt()
    assert list(tmp_path.iterdir()) == []


def test_memory_of_rows_that_stand_alone() -> None:
    """A code takes four bytes, and what it stands for as many as the mean of the dictionary."""
    rows, source = [0, 1, 2, 3, 4, 5], rows_of(Text("the run", "预测"))
    letters = sum(len(name.encode()) for name in NAMES)
    for ids, wanted in ((numbers(rows), 8 * 6), (strings(rows), 16 * 6 + letters), (in_two(rows[:1]), 16 + 1)):
        assert nbytes(Rows(ids, ids, np.zeros(len(ids)), source)) == 8 * len(ids) + 2 * wanted
    views = ViewIds(np.array([[3, 0, 0, 0], [40, 0, 0, 0]], np.int32), ())
    assert nbytes(Rows(views, views, np.zeros(2), source)) == 16 + 2 * (32 + 43)
    coded = codes([1] * 100)
    assert nbytes(Rows(coded, numbers([0] * 100), np.zeros(100), source)) == 800 + 800 + 400 + 100 * (16 + letters // 6)
