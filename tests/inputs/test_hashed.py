"""Ids by what they are: the same hashes, parts, order and places for every layout, with the core and without."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pingce.base.text import Text
from pingce.evidence.ranking.truth_index import IdIndex
from pingce.inputs.arrow import ids_of
from pingce.inputs.columns import rows_of
from pingce.inputs.ids import Ids, IntIds, StringIds, changes, hashes, partition_by_key, sorted_rows

from .test_layouts import INTEGERS, NUMBERS, STRINGS, WORDS, stored

SOURCE = rows_of(Text("table", "表"))
PLAIN = st.lists(st.sampled_from(WORDS), min_size=1, max_size=20) | st.lists(
    st.sampled_from(NUMBERS), min_size=1, max_size=20
)
anywhere = settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


def plain(values: list[Any]) -> Ids:
    return IntIds(np.array(values)) if isinstance(values[0], int) else StringIds.from_strings(values)


def in_any_layout(values: list[Any], data: st.DataObject) -> Ids:
    layout = data.draw(stored(INTEGERS if isinstance(values[0], int) else STRINGS))
    return ids_of(layout.column(values), "id", SOURCE)


def test_a_hash_means_the_same_for_ever(core: str) -> None:
    assert hashes(IntIds(np.array([1, -2], np.int8))).tolist() == [6238072747940578789, 15719503542151743746]
    words = StringIds.from_strings(["", "abc", "abcdefgh", "abcdefghi", "条目"])
    found = [0, 2083843403092277494, 9183106696594554087, 2568040467417192721, 8234005595046722304]
    assert hashes(words).tolist() == found
    assert partition_by_key(words, 10).tolist() == [0, 1, 4, 1, 4]


@given(PLAIN, st.integers(1, 1000), st.integers(0, 2**63), st.data())
@anywhere
def test_every_layout_is_dealt_alike(core: str, values: list[Any], parts: int, seed: int, data: st.DataObject) -> None:
    ids = in_any_layout(values, data)
    assert hashes(ids, seed).tolist() == hashes(plain(values), seed).tolist()
    found = partition_by_key(ids, parts, seed)
    assert found.dtype == np.int32
    assert found.tolist() == [(number >> 32) * parts >> 32 for number in hashes(ids, seed).tolist()]
    assert found.min() >= 0
    assert found.max() < parts


@given(PLAIN, st.data())
@anywhere
def test_stretches_order_and_places(core: str, values: list[Any], data: st.DataObject) -> None:
    ids = in_any_layout(values, data)
    fresh = [row for row in range(len(values)) if row == 0 or values[row] != values[row - 1]]
    assert changes(ids).tolist() == fresh
    key = (lambda row: values[row]) if ids.integers else (lambda row: values[row].encode())
    assert sorted_rows(ids).tolist() == sorted(range(len(values)), key=key)
    index = IdIndex(ids)
    others = data.draw(st.lists(st.sampled_from(NUMBERS if ids.integers else WORDS), min_size=1, max_size=9))
    found = index.find(plain(others))
    for wanted, group in zip(others, found.tolist(), strict=True):
        rows = [row for row, value in enumerate(values) if value == wanted]
        assert (index.rows(np.array([group])).tolist() if group >= 0 else []) == rows
    assert sorted(index.first_rows().tolist()) == [
        row for row, value in enumerate(values) if values.index(value) == row
    ]


def test_ids_of_a_kind_cannot_be_looked_up_in_another() -> None:
    index = IdIndex(IntIds(np.arange(3)))
    with pytest.raises((ValueError, TypeError)):
        index.find(StringIds.from_strings(["1"]))


def test_no_ids(core: str) -> None:
    for nothing in (IntIds(np.zeros(0, np.int64)), StringIds.from_strings([])):
        assert (
            len(hashes(nothing))
            == len(partition_by_key(nothing, 3))
            == len(changes(nothing))
            == len(sorted_rows(nothing))
            == 0
        )
        assert len(IdIndex(nothing)) == 0
        assert IdIndex(nothing).find(nothing).tolist() == []


def test_parts_are_even(core: str) -> None:
    for ids in (IntIds(np.arange(20_000)), StringIds.from_strings(map(str, range(20_000)))):
        sizes = np.bincount(partition_by_key(ids, 8), minlength=8)
        assert sizes.min() > 2_300
        assert sizes.max() < 2_700
