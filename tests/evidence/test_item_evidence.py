"""Item evidence: native equals reference to the last bit, the same for any thread count, order of rows and split into batches."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_ranking_evidence import large, raw_rows

from pingce.base.core import native_core
from pingce.base.errors import InputError
from pingce.evidence.items import evidence as module
from pingce.evidence.items.evidence import LIST_COLUMNS, PLACE_COLUMNS, WHOLE, ItemEvidence, item_evidence
from pingce.evidence.items.reference import reference_places
from pingce.evidence.policies import Duplicates, Nan, Policies
from pingce.inputs import Rows, read_excluded, read_run

ARRAYS = ("begin", *LIST_COLUMNS, *PLACE_COLUMNS[1:])
needs_core = pytest.mark.skipif(native_core() is None, reason="THE NATIVE CORE IS NOT INSTALLED: nothing to compare")


def same(a: ItemEvidence, b: ItemEvidence) -> None:
    assert a.queries.to_list() == b.queries.to_list()
    assert a.items.to_list() == b.items.to_list()
    for name in ("begin", *LIST_COLUMNS, *PLACE_COLUMNS):
        assert getattr(a, name).tolist() == getattr(b, name).tolist(), name


@needs_core
@given(
    run=raw_rows("run"),
    duplicates=st.sampled_from(["error", "first", "last", "best"]),
    nan=st.sampled_from(["error", "last", "first", "drop"]),
    depth=st.sampled_from([1, 2, 3, WHOLE]),
    threads=st.sampled_from([1, 2, 3]),
    exclude=st.none() | raw_rows("truth"),
)
def test_native_equals_reference_in_every_bit(
    run: Rows, duplicates: Duplicates, nan: Nan, depth: int, threads: int, exclude: Rows | None
) -> None:
    places = module._places(run, Policies(duplicates=duplicates, nan=nan), depth, exclude, threads)
    wanted = reference_places(run, duplicates, nan, depth, exclude)
    assert places["faults"] == wanted["faults"] | {"truth_duplicate": None}
    assert run.query.take(places["first_row"]).to_list() == run.query.take(wanted["first_row"]).to_list()
    assert places["row"].tolist() == wanted["row"].tolist()
    for name in ARRAYS:
        assert places[name].dtype == wanted[name].dtype, name
        assert places[name].tobytes() == wanted[name].tobytes(), name


@needs_core
@pytest.mark.parametrize("integers", [False, True])
@pytest.mark.parametrize("shuffled", [False, True])
@pytest.mark.parametrize("depth", [1, 7, 1000])
def test_many_lists_are_the_same_for_any_thread_count(integers: bool, shuffled: bool, depth: int) -> None:
    run = read_run(pa.table(large(700, 40, integers=integers, shuffled=shuffled)[1]))
    one = item_evidence(run, depth=depth, threads=1)
    same(one, item_evidence(run, depth=depth, threads=5))
    wanted = reference_places(run, "error", "error", depth)
    for name in ARRAYS:
        assert getattr(one, name).tobytes() == wanted[name].tobytes(), name
    assert one.items.take(one.item).to_list() == run.item.take(wanted["row"]).to_list()


def test_a_small_run_in_words() -> None:
    run = read_run({"r": {"x": 1.0}, "q": {"a": 2.0, "b": 1.0, "c": 1.0, "d": 0.5}})
    evidence = item_evidence(run, depth=2)
    assert evidence.queries.to_list() == ["q", "r"]
    assert evidence.returned.tolist() == [4, 1]
    assert evidence.begin.tolist() == [0, 3, 4]
    assert evidence.items.take(evidence.item).to_list() == ["a", "c", "b", "x"]
    assert (evidence.above.tolist(), evidence.block.tolist()) == ([0, 1, 1, 0], [1, 2, 2, 1])
    assert (evidence.by_id.tolist(), evidence.by_order.tolist()) == ([0, 0, 1, 0], [0, 1, 0, 0])


def test_excluded_pairs_do_not_stand_in_the_list() -> None:
    run = read_run({"q": {"a": 2.0, "b": 1.0}})
    evidence = item_evidence(run, exclude=read_excluded([("q", "a")]))
    assert (evidence.items.to_list(), evidence.excluded.tolist(), evidence.given.tolist()) == (["b"], [1], [2])


def test_a_list_of_excluded_items_is_there_and_empty() -> None:
    evidence = item_evidence(read_run({"q": {"a": 2.0}}), exclude=read_excluded([("q", "a")]))
    assert (len(evidence), evidence.returned.tolist(), len(evidence.items), evidence.begin.tolist()) == (
        1,
        [0],
        0,
        [0, 0],
    )


@pytest.mark.parametrize(
    ("run", "words"),
    [
        (pa.table({"query": ["q", "q"], "item": ["a", "a"], "score": [1.0, 2.0]}), "stands again"),
        (pa.table({"query": ["q"], "item": ["a"], "score": [float("nan")]}), "not a number"),
    ],
)
def test_rows_that_a_policy_does_not_let_pass_are_named(run: pa.Table, words: str) -> None:
    with pytest.raises(InputError, match=f"row .*{words}"):
        item_evidence(read_run(run))


@given(split=st.integers(1, 699), seed=st.integers(0, 9))
def test_pieces_joined_are_the_whole(split: int, seed: int) -> None:
    run = read_run(pa.table(large(700, 5, integers=True, shuffled=False)[1]))
    whole = item_evidence(run, depth=3)
    chosen = np.random.default_rng(seed).permutation(700) < split
    same(whole, ItemEvidence.joined([whole.select(chosen), whole.select(~chosen)]))
