"""All ways of counting give the same bits: the reference, the core with any instruction set and any number of threads."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from pingce.base.core import native_core
from pingce.base.text import Text
from pingce.factors.matrix import Matrix
from pingce.factors.model import Factors
from pingce.factors.native import NativeCounter
from pingce.factors.pairs import PairIndex, PairLists, count_listed
from pingce.factors.reference import ReferenceCounter

core: Any = native_core()
native = pytest.mark.skipif(core is None, reason="no native core in this install")
NAME = Text("m", "m")


def matrix(values: NDArray[Any], kind: str) -> Matrix:
    """Numbers as one of the types that vectors may have."""
    if kind == "brain":
        bits = values.astype(np.float32).view(np.uint32) >> np.uint32(16)
        return Matrix(bits.astype(np.uint16), NAME, is_brain=True)
    return Matrix(values.astype(kind), NAME)


@st.composite
def factors(draw: st.DrawFn) -> tuple[Factors, PairLists, PairLists]:
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    users, items, width = (draw(st.integers(1, most)) for most in (30, 1200, 40))
    whole = draw(st.booleans())
    left, right = (
        rng.integers(-1, 2, (rows, width)) if whole else rng.standard_normal((rows, width)) for rows in (users, items)
    )
    kinds = st.sampled_from(["float16", "brain", "float32", "float64"])
    model = Factors(
        matrix(left, draw(kinds)), matrix(right, draw(kinds)), draw(st.sampled_from(["dot", "cosine", "l2"]))
    )
    if draw(st.booleans()):
        model = replace(model, items=replace(model.items, values=np.asfortranarray(model.items.values)))
    if draw(st.booleans()):
        model = replace(model, item_bias=rng.standard_normal(items).astype(model.precision))
    if draw(st.booleans()):
        model = replace(model, user_bias=rng.standard_normal(users).astype(model.precision))
    pool = np.arange(items)
    if draw(st.booleans()):
        pool = np.sort(rng.choice(items, (items + 1) // 2, replace=False))
        model = replace(model, candidates=pool)
    if draw(st.booleans()):
        model = replace(model, order=rng.permutation(items))
    model = replace(model, rounds=draw(st.booleans()))

    def pairs(most: int) -> PairLists:
        count = int(rng.integers(0, most))
        index = PairIndex(rng.integers(0, users, count), rng.choice(pool, count), (users, items))
        return index.of(np.arange(users))

    return model, pairs(200), pairs(300)


@native
@given(case=factors(), threads=st.sampled_from([1, 2, 5]), level=st.sampled_from([0, -1]), depth=st.integers(1, 9))
def test_the_core_counts_as_the_reference_does(
    case: tuple[Factors, PairLists, PairLists], threads: int, level: int, depth: int
) -> None:
    model, pairs, exclude = case
    reference, fast = ReferenceCounter(model), NativeCounter(core, model, threads, level)
    wanted, counts = reference.counts(pairs), fast.counts(pairs)
    assert np.array_equal(wanted.score, counts.score)
    for theirs, ours in zip(wanted.places, counts.places, strict=True):
        assert ours.dtype == np.int32
        assert np.array_equal(theirs, ours)
    assert np.array_equal(reference.scores(exclude), fast.scores(exclude))
    best, heads = (counter.heads(pairs.users, depth, exclude) for counter in (reference, fast))
    assert np.array_equal(best.begin, heads.begin)
    user = np.repeat(pairs.users, np.diff(best.begin))
    for each in (best, heads):
        order = np.lexsort((each.item, user))
        assert np.array_equal(each.score[order], best.score[np.lexsort((best.item, user))])


@given(case=factors())
def test_listed_pairs_are_counted_as_if_one_by_one(case: tuple[Factors, PairLists, PairLists]) -> None:
    model, pairs, others = case
    counter = ReferenceCounter(model)
    score, theirs, order = counter.scores(pairs), counter.scores(others), model.id_order
    places = count_listed(pairs, score, others, theirs, order)
    for at, (place, item) in enumerate(zip(pairs.place, pairs.items, strict=True)):
        own = slice(others.begin[place], others.begin[place + 1])
        equal = others.items[own][theirs[own] == score[at]]
        wanted = [
            np.count_nonzero(theirs[own] > score[at]),
            len(equal),
            np.count_nonzero(order[equal] > order[item]),
            np.count_nonzero(equal < item),
        ]
        assert [int(column[at]) for column in places] == wanted


@native
def test_sums_run_over_dimensions_in_their_order_and_are_rounded_at_each_step() -> None:
    left, right = np.array([[1e8, 1.0, -1e8]], np.float32), np.array([[1.0, 1.0, 1.0], [1.0, 3.0, 1.0]], np.float32)
    pairs = PairLists(np.array([0]), np.array([0, 2]), np.array([0, 1]))
    for counter in (ReferenceCounter, lambda model: NativeCounter(core, model)):
        scores = counter(Factors(Matrix(left, NAME), Matrix(right, NAME))).scores(pairs)
        assert scores.tolist() == [0.0, 0.0]  # 1e8 + 3 is 1e8 in float32


@native
@pytest.mark.parametrize("pairs", [
    ([3], [0, 1], [0]),
    ([0], [0, 1], [4]),
    ([0], [0, 1], [-1]),
    ([0], [0, 2], [0]),
    ([0], [0], [0]),
    ([0, 1], [0, 1, 0], [0]),
])  # fmt: skip
def test_the_core_refuses_rows_that_are_not_there(pairs: tuple[list[int], ...]) -> None:
    model = core.Factors(np.ones((2, 3)), np.ones((4, 3)), [None] * 6, True, False, False)
    with pytest.raises((IndexError, ValueError)):
        model.counts(*(np.array(column, np.int64) for column in pairs), 1, -1)
