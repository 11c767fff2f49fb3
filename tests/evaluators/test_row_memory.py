"""Rows that wait lie in memory that is used again: nobody's rows are written over, and none are copied twice."""

from __future__ import annotations

import copy
from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pytest

import pingce as pc
from pingce.base.core import native_core
from pingce.base.errors import InputError
from pingce.inputs import IntIds, StringIds, read_run
from pingce.inputs.layouts import joined, one_stretch
from pingce.run.states import ranking
from pingce.run.states.ranking_batches import RankingBatch, RowMemory, joined_batches, queries_of

METRICS = ["ndcg@3", "map", "mrr", "recall@2"]
DEPTH, QUERIES = 5, 40


@pytest.fixture(params=["native", "reference"])
def core(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Once with the native core and once without."""
    monkeypatch.setenv("PINGCE_NATIVE", "1" if request.param == "native" else "0")
    native_core.cache_clear()
    yield
    native_core.cache_clear()


def tables(*, strings: bool = False) -> tuple[pa.Table, pa.Table]:
    random = np.random.default_rng(3)
    query = np.repeat(random.permutation(QUERIES), DEPTH)
    item = np.concatenate([random.permutation(9)[:DEPTH] for _ in range(QUERIES)])
    ids = [f"q{each:03}" for each in query] if strings else query
    run = pa.table({"query": ids, "item": item, "score": random.normal(size=len(query))})
    truth = pa.table({"query": ids, "item": (item + 1) % 9, "grade": random.integers(0, 3, len(query))})
    return truth, run


@pytest.mark.usefixtures("core")
@pytest.mark.parametrize("strings", [False, True])
@pytest.mark.parametrize("most", [1, 12, 25, 60])
@pytest.mark.parametrize("lists", [1, 2, 3, 7])
def test_a_loader_that_uses_its_arrays_again_for_long(
    most: int, lists: int, strings: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ranking, "_MOST_PENDING", most)
    truth, run = tables(strings=strings)
    evaluator = pc.RankingEvaluator(truth, METRICS, split="never")
    twin = None
    rows = lists * DEPTH
    query, item, score = (np.zeros(rows, kind) for kind in (np.int64, np.int64, np.float64))
    for begin in range(0, len(run), rows):
        batch = run.slice(begin, rows)
        few = len(batch)
        item[:few], score[:few] = batch["item"].to_numpy(), batch["score"].to_numpy()
        names = batch["query"]
        if not strings:
            query[:few] = names.to_numpy()
            names = pa.array(query[:few])
        evaluator.update(pa.table({"query": names, "item": pa.array(item[:few]), "score": pa.array(score[:few])}))
        if begin == rows * (QUERIES // lists // 2):
            twin = copy.copy(evaluator)
        if twin is not None and begin > rows * (QUERIES // lists // 2):
            twin.update(batch)
    whole = pc.evaluate_ranking(truth, run, METRICS).to_json(per_query=True)
    assert evaluator.compute().to_json(per_query=True) == whole
    assert twin is not None
    assert twin.compute().to_json(per_query=True) == whole


def test_rows_that_were_handed_out_are_not_written_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranking, "_MOST_PENDING", 60)
    truth, run = tables()
    evaluator = pc.RankingEvaluator(truth, METRICS, split="never")
    evaluator.update(run.slice(0, 50))
    whole = evaluator._state.whole()
    assert whole.run is not None
    before = whole.run.value.copy()
    for begin in range(50, len(run), 50):
        evaluator.update(run.slice(begin, 50))
    assert np.array_equal(whole.run.value, before)
    assert evaluator.compute().to_json() == pc.evaluate_ranking(truth, run, METRICS).to_json()


def test_rows_in_memory_are_joined_without_a_copy() -> None:
    _, run = tables()
    memory = RowMemory(len(run))
    parts = [RankingBatch(read_run(run.slice(begin, 50))).owned(memory) for begin in range(0, len(run), 50)]
    whole = joined_batches(parts).run
    assert whole is not None
    assert parts[0].run is not None
    assert np.shares_memory(whole.value, parts[0].run.value)
    assert isinstance(whole.query, IntIds)
    assert whole.query.values.tolist() == run["query"].to_pylist()
    assert whole.value.tolist() == run["score"].to_pylist()
    beyond = memory.copy(read_run(run.slice(0, 1)))
    assert not np.shares_memory(beyond.value, whole.value)


def test_arrays_that_lie_one_behind_the_other() -> None:
    numbers = np.arange(10)
    stretch = one_stretch([numbers[2:4], numbers[4:5], numbers[5:9]])
    assert stretch is not None
    assert stretch.tolist() == numbers[2:9].tolist()
    apart = [
        [numbers[2:4], numbers[5:9]],
        [numbers[4:9], numbers[2:4]],
        [numbers[2:4], np.arange(4, 9)],
        [numbers, numbers],
        [numbers[::2], numbers[1::2]],
        [numbers.reshape(5, 2)[1], numbers.reshape(5, 2)[2]],
    ]
    assert one_stretch([numbers.view(np.float64)[2:4], numbers.view(np.float64)[4:6]]) is None
    for parts in apart:
        column = joined([IntIds(part) for part in parts]).plain().to_list()
        assert column == np.concatenate([part.astype(np.int64) for part in parts]).tolist()


@pytest.mark.usefixtures("core")
def test_a_query_on_both_sides_of_a_border_is_in_two_batches() -> None:
    def batch(*queries: str) -> RankingBatch:
        return RankingBatch(read_run({query: {"a": 1.0, "b": 0.5} for query in queries}))

    distinct, twice = queries_of([batch("a", "b"), batch("c"), batch("d", "e")])
    assert sorted(map(str, distinct.to_list())) == ["a", "b", "c", "d", "e"]
    assert not len(twice)
    distinct, twice = queries_of([batch("a", "b"), batch("b", "c"), batch("c"), batch("a")])
    assert sorted(map(str, distinct.to_list())) == ["a", "b", "c"]
    assert twice.to_list() == ["b", "c", "a"]
    evaluator = pc.RankingEvaluator({"a": {"a": 1}, "b": {"a": 1}}, ["mrr"], split="never")
    evaluator.update({"a": ["a"], "b": ["a"]}).update({"b": ["a"]})
    with pytest.raises(InputError, match="query 'b' is in two batches"):
        evaluator.compute()


@pytest.mark.usefixtures("core")
def test_ids_within_a_stretch() -> None:
    words = StringIds.from_strings(["x", "yy", "", "zzz"])
    for ids in (words, IntIds(np.arange(4)), joined([words, words])):
        assert ids.within(slice(1, 3)).to_list() == ids.to_list()[1:3]
