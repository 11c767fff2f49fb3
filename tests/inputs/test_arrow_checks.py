"""Arrow tables in memory whose buffers lead astray: refused with the column's name, never followed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from numpy.typing import NDArray

import pingce as pc

ROWS = 4


Damage = tuple[pa.Array, NDArray[Any], NDArray[Any]]
"A column that is sound, the memory of its offsets, and what will be written there: Arrow looks at what it makes."


def strings(offsets: list[int], kind: Any, width: Any) -> Damage:
    bounds = np.array([0, 1, 2, 3, 4], width)
    found = pa.Array.from_buffers(kind, ROWS, [None, pa.py_buffer(bounds), pa.py_buffer(b"abcdefgh")])
    return found, bounds, np.array(offsets, width)


def views(far: tuple[int, int, int]) -> Damage:
    """Views of which the last will have another length, buffer and offset."""
    words = np.zeros((ROWS, 4), np.int32)
    words[:, 0] = 1
    found = pa.Array.from_buffers(pa.string_view(), ROWS, [None, pa.py_buffer(words), pa.py_buffer(b"x" * 40)])
    other = words.copy()
    other[-1] = far[0], 0, far[1], far[2]
    return found, words, other


def codes(places: list[int]) -> Damage:
    numbers = np.zeros(ROWS, np.int32)
    indices = pa.Array.from_buffers(pa.int32(), ROWS, [None, pa.py_buffer(numbers)])
    return pa.DictionaryArray.from_arrays(indices, pa.array(["a", "b"])), numbers, np.array(places, np.int32)


DAMAGED = {
    "offsets that fall": strings([0, 6, 2, 4, 8], pa.string(), np.int32),
    "offsets below 0": strings([-9, 1, 2, 3, 4], pa.string(), np.int32),
    "offsets beyond the letters": strings([0, 1, 2, 3, 1 << 40], pa.large_string(), np.int64),
    "a view beyond its buffer": views((30, 0, 20)),
    "a view of a buffer that is not there": views((30, 5, 0)),
    "a view of negative length": views((-3, 0, 0)),
    "codes beyond the dictionary": codes([0, 1, 99_999, 0]),
    "codes below 0": codes([0, -5, 1, 0]),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_column_is_refused_wherever_it_comes_in(name: str) -> None:
    (column, memory, damage), values = DAMAGED[name], [3.0, 2.0, 1.0, 0.0]
    run = pa.table({"query": ["q"] * ROWS, "item": column, "score": values})
    memory[:] = damage
    calls = (
        lambda: pc.evaluate_ranking({"q": {"a": 1}}, run, ["mrr"]),
        lambda: pc.evaluate_binary([1, 0, 1, 0], values, ["gauc"], group=column),
        lambda: pc.evaluate_binary("item", "score", ["auc"], data=run, positive="a"),
        lambda: pc.evaluate_multiclass(column, column, ["accuracy"]),
    )
    for call in calls:
        with pytest.raises(pc.InputError, match=r"damaged|codes that its dictionary lacks"):
            call()


@pytest.mark.parametrize(
    "kind", [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string())]
)
def test_sound_columns_pass_also_as_slices(kind: Any) -> None:
    ids = pa.array(["x", "a", "a string of more than twelve letters", "b", "c"]).cast(kind)[1:]
    run = pa.table({"query": ["q"] * ROWS, "item": ids, "score": [3.0, 2.0, 1.0, 0.0]})
    assert pc.evaluate_ranking({"q": {"b": 1}}, run, ["mrr"])["mrr"] == 1 / 3
