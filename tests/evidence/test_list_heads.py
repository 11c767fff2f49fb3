"""Item evidence: native equals reference to the last bit, the same for any thread count, order of rows and split into batches."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_ranking_evidence import large, raw_rows

from drawn_labels import without_core
from pingce.base.core import native_core
from pingce.base.errors import InputError
from pingce.evidence.items.compute import LIST_COLUMNS, RunLists, list_places, run_lists
from pingce.evidence.items.heads import PLACE_COLUMNS, WHOLE, ListHeads
from pingce.evidence.items.reference import reference_places
from pingce.evidence.policies import Duplicates, Nan, Policies
from pingce.evidence.ranking.compute import evidence_piece
from pingce.inputs import Rows, read_excluded, read_run, read_truth

ARRAYS = ("begin", *LIST_COLUMNS, *PLACE_COLUMNS[1:])
needs_core = pytest.mark.skipif(native_core() is None, reason="THE NATIVE CORE IS NOT INSTALLED: nothing to compare")


def same(a: ListHeads, b: ListHeads) -> None:
    assert a.items.to_list() == b.items.to_list()
    for name in ("begin", *PLACE_COLUMNS):
        assert getattr(a, name).tolist() == getattr(b, name).tolist(), name


def lists_of(data: Any, **options: Any) -> RunLists:
    return run_lists(read_run(data), Policies(), **options)


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
    places, faults, _ = list_places(run, Policies(duplicates=duplicates, nan=nan), depth, exclude, threads)
    wanted, wanted_faults, _ = reference_places(run, duplicates, nan, depth, exclude)
    assert faults == wanted_faults
    assert run.query.take(places["first_row"]).to_list() == run.query.take(wanted["first_row"]).to_list()
    assert places["row"].tolist() == wanted["row"].tolist()
    for name in ARRAYS:
        assert places[name].dtype == wanted[name].dtype, name
        assert places[name].tobytes() == wanted[name].tobytes(), name


@needs_core
@given(
    run=raw_rows("run"),
    truth=raw_rows("truth"),
    duplicates=st.sampled_from(["first", "last", "best"]),
    nan=st.sampled_from(["last", "first", "drop"]),
    depth=st.sampled_from([1, 2, 3, WHOLE]),
    exclude=st.none() | raw_rows("truth"),
)
def test_heads_that_are_found_with_evidence_are_those_of_the_lists(
    run: Rows, truth: Rows, duplicates: Duplicates, nan: Nan, depth: int, exclude: Rows | None
) -> None:
    policies = Policies(duplicates=duplicates, nan=nan)
    evidence, _ = evidence_piece(truth, run, policies, exclude=exclude, threads=2, depth=depth)
    with without_core():
        wanted, _ = evidence_piece(truth, run, policies, exclude=exclude, depth=depth)
    assert evidence.heads is not None
    assert wanted.heads is not None
    assert evidence.queries.to_list() == wanted.queries.to_list()
    same(evidence.heads, wanted.heads)


@needs_core
@pytest.mark.parametrize("integers", [False, True])
@pytest.mark.parametrize("shuffled", [False, True])
@pytest.mark.parametrize("depth", [1, 7, 1000])
def test_many_lists_are_the_same_for_any_thread_count(integers: bool, shuffled: bool, depth: int) -> None:
    run = read_run(pa.table(large(700, 40, integers=integers, shuffled=shuffled)[1]))
    lists = run_lists(run, Policies(), depth=depth, threads=1)
    same(lists.heads, run_lists(run, Policies(), depth=depth, threads=5).heads)
    wanted = reference_places(run, "error", "error", depth).columns
    for name in LIST_COLUMNS:
        assert lists.columns[name].tobytes() == wanted[name].tobytes(), name
    for name in ("begin", *PLACE_COLUMNS[1:]):
        assert getattr(lists.heads, name).tobytes() == wanted[name].tobytes(), name
    assert lists.heads.items.take(lists.heads.item).to_list() == run.item.take(wanted["row"]).to_list()


def test_a_small_run_in_words() -> None:
    lists = lists_of({"r": {"x": 1.0}, "q": {"a": 2.0, "b": 1.0, "c": 1.0, "d": 0.5}}, depth=2)
    heads = lists.heads
    assert lists.queries.to_list() == ["q", "r"]
    assert lists.columns["returned"].tolist() == [4, 1]
    assert heads.begin.tolist() == [0, 3, 4]
    assert heads.items.take(heads.item).to_list() == ["a", "c", "b", "x"]
    assert (heads.above.tolist(), heads.block.tolist()) == ([0, 1, 1, 0], [1, 2, 2, 1])
    assert (heads.by_id.tolist(), heads.by_order.tolist()) == ([0, 0, 1, 0], [0, 1, 0, 0])


def test_excluded_pairs_do_not_stand_in_the_list() -> None:
    lists = lists_of({"q": {"a": 2.0, "b": 1.0}}, exclude=read_excluded([("q", "a")]))
    columns = lists.columns
    assert (lists.heads.items.to_list(), columns["excluded"].tolist(), columns["given"].tolist()) == (["b"], [1], [2])


def test_a_list_of_excluded_items_is_there_and_empty() -> None:
    lists = lists_of({"q": {"a": 2.0}}, exclude=read_excluded([("q", "a")]))
    assert (len(lists.queries), lists.columns["returned"].tolist(), lists.heads.begin.tolist()) == (1, [0], [0, 0])


def test_the_evidence_of_a_run_has_all_its_lists() -> None:
    truth = read_truth({"q": {"b": 1}, "s": {"a": 2}})
    run = read_run({"r": {"x": 1.0}, "q": {"a": 2.0, "b": 1.0}})
    evidence, _ = evidence_piece(truth, run, Policies(), depth=3)
    assert evidence.queries.to_list() == ["q", "r", "s"]
    assert (evidence.answered.tolist(), evidence.is_judged.tolist()) == ([True, True, False], [True, False, True])
    assert evidence.heads is not None
    assert evidence.heads.begin.tolist() == [0, 2, 3, 3]
    assert evidence.heads.items.take(evidence.heads.item).to_list() == ["a", "b", "x"]
    judged = evidence.select(evidence.is_judged)
    plain, _ = evidence_piece(truth, run, Policies())
    assert judged.queries.to_list() == plain.queries.to_list()
    assert (judged.grade.tolist(), judged.returned.tolist()) == (plain.grade.tolist(), plain.returned.tolist())
    assert judged.tally == plain.tally


@given(split=st.integers(1, 699), seed=st.integers(0, 9))
def test_pieces_joined_are_the_whole(split: int, seed: int) -> None:
    whole = lists_of(pa.table(large(700, 5, integers=True, shuffled=False)[1]), depth=3).heads
    order = np.random.default_rng(seed).permutation(700)
    both = ListHeads.joined([whole.select(order[:split]), whole.select(order[split:])])
    same(whole, both.select(np.argsort(order)))


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ({"query": ["q", "q"], "item": ["a", "a"], "score": [1.0, 2.0]}, "stands again"),
        ({"query": ["q"], "item": ["a"], "score": [float("nan")]}, "not a number"),
    ],
)
def test_rows_of_lists_without_judgements_count_and_are_refused_too(rows: dict[str, Any], words: str) -> None:
    truth, run = read_truth({"r": {"a": 1}}), read_run(pa.table(rows))
    evidence_piece(truth, run, Policies())
    with pytest.raises(InputError, match=f"row .*{words}"):
        evidence_piece(truth, run, Policies(), depth=3)
