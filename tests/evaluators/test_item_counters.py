"""What lists show is counted item by item: states have no lists, are small, and score as one call does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pingce as pc
from drawn_items import ALL, data, tables, worlds
from pingce.evidence.items.counters import Pairs
from pingce.metrics.grammar import parse_metric
from pingce.metrics.ranking.items import PlainLists
from pingce.run.evaluator import state_of
from pingce.run.packed import unpack

COUNTED = [metric for metric in ALL if not metric.needs_lists]
NAMES = [
    "coverage@3", "gini@3", "entropy@3", "entropy(mean=lists)", "personalization@3", "personalization(distance=cosine)@3",
    "exposure(group=X)@3", "user_coverage@2", "novelty@3", "popularity@3", "tail@3", "unseen@3", "ild@3", "overlap@3", "ndcg@3",
]  # fmt: skip


def kept(evaluator: pc.RankingEvaluator) -> dict[str, pa.Table]:
    """The tables that travel."""
    return unpack(evaluator.to_bytes()).tables


def has_lists(evaluator: pc.RankingEvaluator) -> bool:
    return any(
        pa.types.is_large_list(field.type) or pa.types.is_list(field.type)
        for table in kept(evaluator).values()
        for field in table.schema
    )


def test_what_needs_lists_is_known() -> None:
    """How alike two lists are; and items weighed rank by rank, of which counters would be as long as the lists."""
    needing = {(metric.name, getattr(metric, "distance", "")) for metric in ALL if metric.needs_lists}
    assert needing == {("personalization", "jaccard"), ("exposure_gini", "")}


@pytest.mark.sweep
@given(world=worlds(), choose=st.data())
def test_batches_without_lists_give_the_same_document(world: PlainLists, choose: st.DataObject) -> None:
    metrics: list[Any] = choose.draw(st.lists(st.sampled_from(COUNTED), min_size=12, max_size=12, unique=True))
    metrics += [parse_metric(name).metric for name in ("ndcg@2", "num_ret", "f1(of=means)@2")]
    (truth, run), beside = data(world), tables(world)
    wanted = pc.evaluate_ranking(truth, run, metrics, **beside)
    whole = pc.RankingEvaluator(truth, metrics, split="never", **beside)
    other = pc.RankingEvaluator(truth, metrics, split="never", **beside)
    for query, listed in run.items():
        one = choose.draw(st.sampled_from([whole, other]))
        one.update({query: listed})
        state_of(one).settle()  # type: ignore[attr-defined]
        assert not has_lists(one)
    whole.merge(pc.RankingEvaluator.from_bytes(other.to_bytes()) if choose.draw(st.booleans()) else other)
    scores = whole.score()
    assert scores.to_json(per_query=True) == wanted.to_json(per_query=True)


@pytest.mark.sweep
@given(world=worlds(), choose=st.data())
def test_states_that_lack_tables_are_counted_where_they_come_home(world: PlainLists, choose: st.DataObject) -> None:
    metrics: list[Any] = choose.draw(st.lists(st.sampled_from(COUNTED), min_size=6, max_size=6, unique=True))
    metrics.append(parse_metric("map").metric)
    (truth, run), beside = data(world), tables(world)
    wanted = pc.evaluate_ranking(truth, run, metrics, **beside).to_json(per_query=True)
    beside.pop("reference") if not any("reference" in metric.tables for metric in metrics) else None
    whole = pc.RankingEvaluator(None, metrics, split="never", **beside)
    settings = whole.to_bytes()
    for query in {**run, **truth}:
        elsewhere = pc.RankingEvaluator.from_bytes(settings)
        elsewhere.update({query: run[query]} if query in run else {}, qrels={query: truth.get(query, {})})
        again = pc.RankingEvaluator.from_bytes(elsewhere.to_bytes())
        if choose.draw(st.booleans()):
            whole.merge(again)
        else:  # a state that came from bytes with counters, which takes more by way of its tables
            whole = again.merge(whole)
    assert whole.compute().to_json(per_query=True) == wanted


def rows(users: int, items: int, length: int) -> dict[str, Any]:
    rng = np.random.default_rng(7)
    return {
        "user_id": np.repeat(np.arange(users), length),
        "item_id": rng.integers(0, items, users * length) // length * length + np.tile(np.arange(length), users),
        "score": np.tile(np.arange(length, 0, -1), users),
    }


@pytest.mark.parametrize("names", [["coverage@10", "gini@10", "personalization@10"], ["novelty@10", "tail@10"]])
def test_a_state_grows_with_items_and_not_with_lists(names: list[str]) -> None:
    def size(users: int, items: int) -> int:
        run = pa.table(rows(users, items, 20))
        train = pa.table({"user_id": np.arange(500) % 90, "item_id": np.arange(500)})
        evaluator = pc.RankingEvaluator(None, names, split="never", catalog=items + 20, train=train)
        return len(evaluator.update(run).to_bytes())

    few, many, more = size(1_000, 2_000), size(4_000, 2_000), size(4_000, 20_000)
    metrics_of_lists = sum(not parse_metric(name).metric.is_whole for name in names)
    assert many - few < 3_000 * (40 + 8 * metrics_of_lists)  # twenty places of a list would be 400 bytes
    assert more - many < 16 * 18_000


def test_slices_of_the_run_and_draws_of_lists_keep_lists() -> None:
    world_run = {f"q{i}": ["a", "b", "cd"[i % 2]] for i in range(6)}
    truth = {query: {"a": 1} for query in world_run}
    options: list[dict[str, Any]] = [{"by": "activity"}, {"ci": 0.9, "samples": 50}]
    beside: dict[str, Any] = {"catalog": 5, "items": {"item": ["a", "b", "c"], "group": ["X", "Y", "X"]}}
    for more, names in zip(options, (["coverage@2"], ["exposure(group=X)@2"]), strict=True):
        evaluator = pc.RankingEvaluator(truth, names, split="never", **beside, **more).update(world_run)
        assert has_lists(evaluator)
        assert evaluator.compute().to_json() == pc.evaluate_ranking(truth, world_run, names, **beside, **more).to_json()


def test_pairs_add_up() -> None:
    pairs = Pairs.of(np.array([3, -1, 3, 3]), np.array([2, 1, 2, 5]))
    assert [column.tolist() for column in pairs] == [[-1, 3, 3], [1, 2, 5], [1, 2, 1]]
    assert [column.tolist() for column in Pairs.joined([pairs, pairs])] == [[-1, 3, 3], [1, 2, 5], [2, 4, 2]]


@pytest.mark.parametrize(
    ("table", "column", "values"),
    [
        ("items 0", "item", ["b", "a", "c", "d"]),
        ("items 0", "counts@3", [-1, 1, 1, 1]),
        ("items 0 lengths", "first", [9, 9, 9, 9, 9, 9]),
        ("items 0 groups@3", "second", None),
    ],
)
def test_forged_counters_are_refused(table: str, column: str, values: Any) -> None:
    names = ["entropy(mean=lists)", "coverage@3", "exposure(group=X)@3"]
    run = {"q": ["a", "b", "c"], "r": ["a", "d"]}
    beside: dict[str, Any] = {"catalog": 9, "items": {"item": ["a", "b"], "group": ["X", "Y"]}}
    evaluator = pc.RankingEvaluator(None, names, split="never", **beside).update(run)
    state = state_of(evaluator)
    tables = state.to_tables()
    state_of(pc.RankingEvaluator(None, names, split="never", **beside)).take_tables(tables)
    content = tables[table].column(column).to_pylist()
    forged = content[::-1] if values is None else values[: len(content)]
    at = tables[table].column_names.index(column)
    tables[table] = tables[table].set_column(at, column, pa.array(forged))
    with pytest.raises(pc.InputError, match="damaged"):
        state_of(pc.RankingEvaluator(None, names, split="never", **beside)).take_tables(tables)
