"""What the past says of items: the worked example, and plain counting."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from pingce.base.core import native_core
from pingce.evidence.items.directory import Directory
from pingce.evidence.items.pair_index import ReferencePairs, pair_index
from pingce.evidence.items.past import Past
from pingce.inputs import IntIds, StringIds, read_excluded

TRAIN = [("u1", "a"), ("u1", "b"), ("u2", "a"), ("u2", "c"), ("u3", "a"), ("u3", "b"), ("u3", "d"), ("u4", "a")]
PAST = Past(read_excluded(TRAIN))


def tail(by: str, share: float) -> list[str]:
    names = PAST.items.to_list()
    return [str(names[place]) for place in np.flatnonzero(PAST.is_tail(by, share))]


def test_the_worked_example() -> None:
    assert PAST.items.to_list() == ["a", "b", "c", "d"]
    assert (PAST.interactions.tolist(), PAST.users.tolist()) == ([4, 2, 1, 1], [4, 2, 1, 1])
    assert (len(PAST), PAST.user_count) == (8, 4)
    assert PAST.popularity_rank(dense=True).tolist() == [1, 2, 3, 3]
    assert PAST.popularity_rank(dense=False).tolist() == [1, 2, 3.5, 3.5]
    assert PAST.find(StringIds.from_strings(["e", "c", "a"])).tolist() == [-1, 2, 0]


@pytest.mark.parametrize(
    ("by", "share", "items"),
    [
        ("interactions", 0.2, ["d"]),
        ("interactions", 0.5, ["b", "c", "d"]),
        ("interactions", 0.0, []),
        ("items", 0.1, ["c"]),
        ("items", 0.5, ["c", "d"]),
        ("items", 1.0, ["a", "b", "c", "d"]),
    ],
)
def test_the_long_tail(by: str, share: float, items: list[str]) -> None:
    assert tail(by, share) == items


PAIRS = st.lists(st.tuples(st.sampled_from("uvwx"), st.sampled_from(["a", "b", "ab", "条"])), min_size=1, max_size=30)


@given(pairs=PAIRS)
def test_counts_are_those_of_plain_counting(pairs: list[tuple[str, str]]) -> None:
    past = Past(read_excluded(pairs))
    interactions, users = Counter(item for _, item in pairs), Counter(item for _, item in set(pairs))
    names = [str(name) for name in past.items.to_list()]
    assert names == sorted(interactions, key=str.encode)
    assert past.interactions.tolist() == [interactions[name] for name in names]
    assert past.users.tolist() == [users[name] for name in names]
    assert past.user_count == len({user for user, _ in pairs})


@given(pairs=PAIRS, places=PAIRS)
def test_pairs_are_found_again(pairs: list[tuple[str, str]], places: list[tuple[str, str]]) -> None:
    users, items = (sorted({place[side] for place in places}, key=str.encode) for side in (0, 1))
    at = np.array([users.index(user) for user, _ in places]), np.array([items.index(item) for _, item in places])
    past = Past(read_excluded(pairs))
    known = past.has_pairs(StringIds.from_strings(users), at[0], past.find(StringIds.from_strings(items))[at[1]])
    assert known.tolist() == [place in pairs for place in places]


@given(
    ids=st.one_of(
        st.lists(st.integers(-50, 50)).map(np.array),
        st.lists(st.sampled_from([-(2**63), -1, 0, 7, 2**40, 2**63 - 1])).map(lambda some: np.array(some, np.int64)),
    ),
    wanted=st.lists(st.one_of(st.integers(-60, 60), st.sampled_from([-(2**63), 2**40, 2**63 - 1]))),
)
def test_integers_are_found_by_a_table_or_by_a_hash(ids: NDArray[np.int64], wanted: list[int]) -> None:
    directory, names = Directory(IntIds(ids.astype(np.int64))), sorted(set(ids.tolist()))
    assert len(directory) == len(names)
    assert directory.names.to_list() == names
    asked = IntIds(np.array(wanted, np.int64))
    assert directory.find(asked).tolist() == [names.index(each) if each in names else -1 for each in wanted]


@pytest.mark.skipif(native_core() is None, reason="THE NATIVE CORE IS NOT INSTALLED: nothing to compare")
@given(
    pairs=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 6)), min_size=1, max_size=30),
    wanted=st.lists(st.tuples(st.integers(-1, 4), st.integers(-1, 6)), max_size=30),
)
def test_pairs_of_the_core_are_those_of_the_reference(
    pairs: list[tuple[int, int]], wanted: list[tuple[int, int]]
) -> None:
    (user, item), asked = np.array(pairs).T, np.array(wanted, np.int64).reshape(-1, 2).T
    native, reference = pair_index(user, item, 5, 7), ReferencePairs(user, item, 5, 7)
    assert native.owners().tolist() == reference.owners().tolist()
    assert native.owners().dtype == reference.owners().dtype
    assert native.has(*asked).tolist() == reference.has(*asked).tolist() == [pair in pairs for pair in wanted]


@pytest.mark.skipif(native_core() is None, reason="no native core in this install")
@pytest.mark.parametrize("numbers", [([0, 5], [0, 0]), ([0, -1], [0, 0]), ([0, 0], [0, 7])])
def test_numbers_that_are_none_are_refused(numbers: tuple[list[int], list[int]]) -> None:
    with pytest.raises(IndexError, match="no such number"):
        pair_index(np.array(numbers[0]), np.array(numbers[1]), 5, 7)
