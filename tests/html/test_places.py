"""Rows of some ids are found as a plain search finds them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pingce.html.places import rows_of_each
from pingce.inputs.ids import IntIds, StringIds

WORDS = st.text(alphabet="ab查\x00", max_size=12)


@given(st.lists(WORDS, min_size=1, max_size=60), st.lists(WORDS, min_size=1, max_size=8, unique=True))
def test_strings(column: list[str], wanted: list[str]) -> None:
    found = rows_of_each(StringIds.from_strings(column), wanted)
    assert [rows.tolist() for rows in found] == [[at for at, one in enumerate(column) if one == id_] for id_ in wanted]


@given(st.lists(st.integers(-3, 3), min_size=1), st.lists(st.integers(-4, 4), min_size=1, max_size=5, unique=True))
def test_integers(column: list[int], wanted: list[int]) -> None:
    import numpy as np

    found = rows_of_each(IntIds(np.array(column)), wanted)
    assert [rows.tolist() for rows in found] == [[at for at, one in enumerate(column) if one == id_] for id_ in wanted]
