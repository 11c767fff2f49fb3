"""Counting on a device: whatever quick scores it computes, ranks are those of the reference."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pingce.base.text import Text
from pingce.factors.device import DeviceCounter
from pingce.factors.matrix import Matrix
from pingce.factors.model import SIMILARITIES, Factors
from pingce.factors.pairs import PairLists
from pingce.factors.reference import ReferenceCounter

pytestmark = pytest.mark.deep("torch is large, and takes as long to import as a hundred tests")
pytest.importorskip("torch", reason="torch is not installed: counting on a device is NOT tested here")


@st.composite
def models(draw: st.DrawFn) -> tuple[Factors, PairLists]:
    """Factors of any kind, whose scores often tie, and some pairs of some users."""
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    users, items, width = draw(st.integers(1, 9)), draw(st.integers(1, 150)), draw(st.sampled_from([1, 3, 16, 40]))
    kind = draw(st.sampled_from([np.float32, np.float64]))

    def numbers(*shape: int) -> np.ndarray:
        coarse = random.integers(-2, 3, shape)
        return (coarse if draw(st.booleans()) else random.normal(size=shape) * 10.0 ** draw(st.integers(-3, 3))).astype(
            kind
        )

    candidates = np.flatnonzero(random.random(items) < 0.7) if draw(st.booleans()) else np.arange(items)
    if not len(candidates):
        candidates = np.arange(items)
    factors = Factors(
        Matrix(numbers(users, width), Text("users", "用户")),
        Matrix(numbers(items, width), Text("items", "物品")),
        similarity=draw(st.sampled_from(SIMILARITIES)),
        item_bias=numbers(items) if draw(st.booleans()) else None,
        user_bias=numbers(users) if draw(st.booleans()) else None,
        candidates=None if len(candidates) == items else candidates,
        order=random.permutation(items) if draw(st.booleans()) else None,
        rounds=draw(st.booleans()),
    )
    lists = [
        np.flatnonzero(random.random(len(candidates)) < draw(st.sampled_from([0, 0.1, 0.5]))) for _ in range(users)
    ]
    begin = np.concatenate([[0], np.cumsum([len(each) for each in lists])])
    return factors, PairLists(np.arange(users), begin, candidates[np.concatenate(lists)].astype(np.int64))


@given(models())
def test_blocks_of_torch_give_the_ranks_of_the_reference(model: tuple[Factors, PairLists]) -> None:
    factors, pairs = model
    exact = ReferenceCounter(factors)
    expected, counted = exact.counts(pairs), DeviceCounter(factors, exact, "cpu").counts(pairs)
    assert counted.undecided == 0
    assert np.array_equal(counted.score, expected.score)
    for name, mine, theirs in zip(expected.places._fields, counted.places, expected.places, strict=True):
        assert np.array_equal(mine, theirs), name


@given(models())
def test_blocks_of_scores_on_a_device_are_counted_as_in_memory(model: tuple[Factors, PairLists]) -> None:
    torch = pytest.importorskip("torch")
    from pingce.factors.dense import DenseCounter
    from pingce.factors.devices.scores import DeviceScores

    factors, pairs = model
    every = PairLists(
        pairs.users,
        np.arange(len(pairs.users) + 1) * len(factors.items),
        np.tile(np.arange(len(factors.items)), len(pairs.users)),
    )
    scores = np.ascontiguousarray(ReferenceCounter(factors).scores(every).reshape(len(pairs.users), -1))
    expected = DenseCounter(scores, factors.order).counts(pairs)
    counted = DeviceScores(torch.from_numpy(scores), factors.order).counts(pairs)
    assert np.array_equal(counted.score, expected.score)
    assert all(map(np.array_equal, counted.places, expected.places))
    heads = DeviceScores(torch.from_numpy(scores)).heads(pairs.users, 3, pairs)
    assert all(map(np.array_equal, heads, DenseCounter(scores).heads(pairs.users, 3, pairs)))


@pytest.mark.parametrize("scale", [1e-21, 1e20])
def test_scores_that_leave_single_precision_are_summed_again(scale: float) -> None:
    """Scores of doubles that are compared as singles: below its smallest normal number, and beyond its largest."""
    vectors = np.array([[1.0], [1.2], [1.4]]) * scale
    factors = Factors(Matrix(vectors[:1], Text("users", "用户")), Matrix(vectors, Text("items", "物品")), rounds=True)
    pairs = PairLists(np.zeros(1, np.int64), np.array([0, 3]), np.arange(3))
    with np.errstate(over="ignore"):
        exact = ReferenceCounter(factors)
        expected, counted = exact.counts(pairs), DeviceCounter(factors, exact, "cpu").counts(pairs)
    assert all(map(np.array_equal, counted.places, expected.places))
