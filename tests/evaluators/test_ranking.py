"""Rankings in batches: any split, any merge tree, the same document."""

from __future__ import annotations

import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pingce as pc
from drawn import Case, cases
from drawn_labels import without_core
from pingce.base.core import native_core
from pingce.base.errors import EmptyInputError, InputError
from pingce.inputs import read_excluded, read_run, read_truth
from pingce.request import Request
from pingce.run.evaluator import Evaluator
from pingce.run.evaluators.ranking import RankingEvaluator
from pingce.run.states import ranking as seen
from pingce.run.states.fixed_tables import FixedTables

METRICS = ["ndcg@3", "ap", "rr(duplicates=best)", "precision(score_type=float32)@2", "recall@3"]
POLICIES: list[dict[str, Any]] = [
    {},
    {"missing": "skip", "undefined": "zero"},
    {"ties": "expected", "relevant": 2},
    {"ties": "order", "judged_only": True, "score_type": "float32"},
    {"summation": "sequential", "identical": "drop"},
    {"convention": "trec_eval"},
]


PENDING = (0, 1_000_000)


@pytest.fixture(params=PENDING, ids=["evidence at once", "rows as long as possible"])
def pending(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Batches become evidence when the next one comes, or only in the end."""
    monkeypatch.setattr(seen, "_MOST_PENDING", request.param)


@pytest.fixture(params=["native", "reference"])
def core(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Once with the native core and once without."""
    monkeypatch.setenv("PINGCE_NATIVE", "1" if request.param == "native" else "0")
    native_core.cache_clear()
    yield
    native_core.cache_clear()


def metrics_under(policies: dict[str, Any]) -> list[str]:
    return ["ndcg_cut_10", "map", "recip_rank"] if "convention" in policies else METRICS


def document(scores: pc.RankingScores) -> str:
    return scores.to_json(per_query=True)


def pieces(draw: st.DrawFn, things: Sequence[Any], most: int = 4) -> list[list[Any]]:
    """Things dealt to some batches, in order, empty ones left out."""
    number = draw(st.integers(1, most))
    where = [draw(st.integers(0, number - 1)) for _ in things]
    found = [[thing for thing, at in zip(things, where, strict=True) if at == one] for one in range(number)]
    return [one for one in found if one]


Parts = list[list[list[Any]]]
Tree = list[tuple[int, bool]]


def batches(draw: st.DrawFn, things: Sequence[Any]) -> tuple[Parts, Tree]:
    """Things dealt to some evaluators, to each in some batches; who takes whom in, and whether by way of bytes."""
    parts = [pieces(draw, part) for part in pieces(draw, things)]
    return parts, [(draw(st.integers(0, rest - 1)), draw(st.booleans())) for rest in range(len(parts) - 1, 0, -1)]


def read_back(evaluator: RankingEvaluator) -> RankingEvaluator:
    found = Evaluator.from_bytes(evaluator.to_bytes())
    assert isinstance(found, RankingEvaluator)
    return found


def merged(tree: Tree, evaluators: list[RankingEvaluator], target: RankingEvaluator) -> RankingEvaluator:
    """All merged in this tree, some of them by way of bytes, in the end into the target."""
    for at, in_bytes in tree:
        other = evaluators.pop(at + 1)
        evaluators[at].merge(RankingEvaluator.from_bytes(other.to_bytes()) if in_bytes else other)
    return target.merge(read_back(evaluators[0]))


CORES = (nullcontext, without_core)


@contextmanager
def situation(core: Any, pending: int) -> Iterator[None]:
    """With the native core or without, batches becoming evidence at once or as late as possible."""
    with core(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(seen, "_MOST_PENDING", pending)
        yield


def test_a_list_in_many_batches_that_are_many_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a list may be split its batches wait, however many rows they have."""
    monkeypatch.setattr(seen, "_MOST_PENDING", 0)
    truth, run = {"q": {"a": 1, "b": 2}}, {"q": {"x": 3.0, "a": 2.0, "b": 1.0}}
    evaluator = RankingEvaluator(truth, METRICS)
    for item, score in run["q"].items():
        evaluator.update({"q": {item: score}})
    assert document(evaluator.compute()) == document(pc.evaluate_ranking(truth, run, METRICS))


@pytest.mark.sweep
@given(cases(), st.sampled_from(POLICIES), st.data())
def test_whole_queries_in_any_batches_and_any_merge_tree(
    case: Case, policies: dict[str, Any], data: st.DataObject
) -> None:
    metrics = metrics_under(policies)
    draw: Any = data.draw
    parts, tree = batches(draw, list(case.run.items()))
    one = document(case.evaluate(metrics, **policies))
    for core, pending in product(CORES, PENDING):
        with situation(core, pending):
            evaluators = []
            for part in parts:
                evaluator = RankingEvaluator(case.truth, metrics, split="never", **policies)
                for batch in part:
                    evaluator.update(dict(batch))
                evaluators.append(evaluator)
            found = merged(tree, evaluators, RankingEvaluator(case.truth, metrics, split="never", **policies))
            assert document(found.compute()) == one
            assert document(found.compute()) == one
    with without_core():
        assert document(case.evaluate(metrics, **policies)) == one


@pytest.mark.sweep
@given(cases(), st.sampled_from(POLICIES), st.data())
def test_any_rows_in_any_batches_and_any_merge_tree(case: Case, policies: dict[str, Any], data: st.DataObject) -> None:
    policies = {name: value for name, value in policies.items() if value != "order"}  # an order is not any order
    metrics = metrics_under(policies)
    one = document(case.evaluate(metrics, **policies))
    rows = [(query, item, score) for query, listed in case.run.items() for item, score in listed.items()]
    draw: Any = data.draw
    parts, tree = batches(draw, rows)
    for core in CORES:
        with core():
            evaluators = []
            for part in parts:
                evaluator = RankingEvaluator(case.truth, metrics, **policies)
                for batch in part:
                    evaluator.update(pd.DataFrame(batch, columns=["query", "item", "score"]))
                evaluators.append(evaluator)
            found = merged(tree, evaluators, RankingEvaluator(case.truth, metrics, **policies))
            assert document(found.compute()) == one


@pytest.mark.sweep
@given(cases(), st.sampled_from(POLICIES), st.booleans(), st.data())
def test_judgements_that_come_with_the_batches(
    case: Case, policies: dict[str, Any], excluding: bool, data: st.DataObject
) -> None:
    draw: Any = data.draw
    metrics = metrics_under(policies)
    pairs = {(query, next(iter(listed))) for query, listed in case.run.items()} if excluding else None
    one = document(case.evaluate(metrics, exclude=pairs, **policies))
    parts, tree = batches(draw, sorted({*case.truth, *case.run}))
    for core, pending in product(CORES, PENDING):
        with situation(core, pending):
            evaluators = []
            target = RankingEvaluator(None, metrics, split="never", **policies)
            for part in parts:
                evaluator = RankingEvaluator.from_bytes(target.to_bytes())
                for batch in part:
                    truth = {query: case.truth[query] for query in batch if query in case.truth}
                    run = {query: case.run[query] for query in batch if query in case.run}
                    seen_there = [pair for pair in pairs or () if pair[0] in batch]
                    evaluator.update_rows(
                        read_run(run) if run else None,
                        read_truth(truth) if truth else None,
                        read_excluded(seen_there) if seen_there else None,
                    )
                evaluators.append(evaluator)
            assert document(merged(tree, evaluators, target).compute()) == one


def frames(queries: int = 40, strings: bool = False) -> tuple[pa.Table, pa.Table]:
    """A truth of more queries than the run has, and a run with some that it lacks; many ties."""
    draw = np.random.default_rng(7)
    query, judged = np.repeat(np.arange(queries + 3), 12), np.repeat(np.arange(2, queries + 9), 5)
    item = draw.permuted(np.tile(np.arange(12), (queries + 3, 1)), axis=1).reshape(-1)
    sizes = (len(judged) // 5, 1)
    known = draw.permuted(np.tile(np.arange(12), sizes), axis=1)[:, :5].reshape(-1)
    run = {"query": query, "item": item, "score": draw.integers(0, 6, len(query)).astype(float)}
    truth = {"query": judged, "item": known, "grade": draw.integers(0, 4, len(judged)).astype(float)}
    if strings:
        for table in (run, truth):
            table |= {name: np.char.add("id ", table[name].astype(str)) for name in ("query", "item")}
    return pa.table(truth), pa.table(run)


@pytest.mark.usefixtures("pending", "core")
@pytest.mark.parametrize("strings", [False, True])
def test_everything_that_comes_with_a_ranking(strings: bool) -> None:
    truth, run = frames(strings=strings)
    queries = truth["query"].unique()
    more: dict[str, Any] = {
        "exclude": run.slice(0, 100).select(["query", "item"]),
        "query_weight": pa.table({"query": queries, "weight": np.arange(len(queries)) % 3 + 0.5}),
        "by": ["activity", "popularity", (pa.table({"query": queries, "kind": np.arange(len(queries)) % 2}), "kind")],
        "min_n": 5,
    }
    one = pc.evaluate_ranking(truth, run, METRICS, **more)
    target = RankingEvaluator(truth, METRICS, split="never", **more)
    for begin in range(0, len(run), 36):
        target.merge(RankingEvaluator(truth, METRICS, split="never", **more).update(run.slice(begin, 36)))
    found = RankingEvaluator(truth, METRICS, split="never", **more).merge(
        RankingEvaluator.from_bytes(target.to_bytes())
    )
    for scores in (target.compute(), found.compute()):
        assert scores.to_json(per_query=True) == one.to_json(per_query=True)
        assert scores.notes == one.notes
        assert scores.slices is not None
        assert one.slices is not None
        assert scores.slices.to_csv() == one.slices.to_csv()


def test_a_frame_an_arrow_table_and_a_dict_may_be_batches_of_one_run() -> None:
    truth, run = frames(6, strings=True)
    evaluator = RankingEvaluator(truth, METRICS, split="never")
    rest = run.slice(36).to_pandas()
    listed = {query: dict(zip(one["item"], one["score"], strict=True)) for query, one in rest.groupby("query")}
    evaluator.update(run.slice(0, 12)).update(run.slice(12, 24).to_pandas()).update(listed)
    assert document(evaluator.compute()) == document(pc.evaluate_ranking(truth, run, METRICS))


def test_runs_by_rank_and_in_order() -> None:
    truth = {"q": {"a": 1, "b": 2}, "r": {"c": 1}}
    run = {"q": ["x", "b", "a"], "r": ["c", "y"]}
    evaluator = RankingEvaluator(truth, ["rr", "ap"], split="never")
    for query, listed in run.items():
        evaluator.update({query: listed})
    assert document(evaluator.compute()) == document(pc.evaluate_ranking(truth, run, ["rr", "ap"]))
    split = RankingEvaluator(truth, ["rr", "ap"]).update({"q": ["x", "b"]}).update({"q": ["a"], "r": ["c", "y"]})
    for finish in (RankingEvaluator.compute, RankingEvaluator.to_bytes):
        with pytest.raises(InputError, match="query 'q' has rank 1 in two batches"):
            finish(split)
    in_order = pa.table({"query": ["q", "r", "q", "q", "r"], "item": ["x", "c", "b", "a", "y"]})
    split = RankingEvaluator(truth, ["rr", "ap"]).update(in_order.slice(0, 3)).update(in_order.slice(3))
    assert document(split.compute()) == document(pc.evaluate_ranking(truth, in_order, ["rr", "ap"]))
    ranked = pa.table({"query": ["q", "q", "r"], "item": ["b", "a", "c"], "rank": [2, 1, 1]})
    by_rank = RankingEvaluator(truth, ["rr", "ap"], split="never").update(ranked.slice(0, 2)).update(ranked.slice(2))
    in_two = RankingEvaluator(truth, ["rr", "ap"]).update(ranked.slice(0, 1)).update(ranked.slice(1))
    for found in (by_rank, in_two):
        assert document(found.compute()) == document(pc.evaluate_ranking(truth, ranked, ["rr", "ap"]))
    tied = pa.table({"query": ["q", "q", "r", "r"], "item": ["b", "a", "c", "y"], "rank": [2, 1, 1, 1]})
    one_in_two = RankingEvaluator(truth, ["rr", "ap"]).update(tied.slice(0, 1)).update(tied.slice(1))
    assert document(one_in_two.compute()) == document(pc.evaluate_ranking(truth, tied, ["rr", "ap"]))


@pytest.mark.parametrize("split", ["never", "allowed"])
def test_scores_beyond_doubles_keep_their_order(split: str) -> None:
    scores = np.array([2**60, 2**60 + 1, 5, 2**60 + 2], np.int64)
    run = pa.table({"query": ["q", "q", "r", "r"], "item": ["a", "b", "a", "b"], "score": scores})
    evaluators = [RankingEvaluator(TRUTH, ["rr"], split=split).update(run.slice(begin, 2)) for begin in (0, 2)]
    target = RankingEvaluator(TRUTH, ["rr"], split=split)
    for evaluator in evaluators:
        target.merge(read_back(evaluator))
    assert document(target.compute()) == document(pc.evaluate_ranking(TRUTH, run, ["rr"]))


def test_text_files_and_integers_meet_in_every_batch(tmp_path: Any) -> None:
    truth, run = frames(8)
    file = tmp_path / "truth.qrels"
    rows = zip(*(truth[name].to_pylist() for name in ("query", "item", "grade")), strict=True)
    file.write_text("".join(f"{query} 0 {item} {grade:.0f}\n" for query, item, grade in rows))
    evaluator = RankingEvaluator(str(file), METRICS, split="never")
    for begin in range(0, len(run), 12):
        evaluator.update(run.slice(begin, 12))
    one = pc.evaluate_ranking(str(file), run, METRICS)
    assert document(evaluator.compute()) == document(one)
    fresh = RankingEvaluator(str(file), METRICS, split="never").merge(read_back(evaluator))
    assert document(fresh.compute()) == document(one)
    assert fresh.compute().notes == one.notes


def test_positions_are_known_in_one_batch_only() -> None:
    truth, run = [["a"], ["b"]], [["a", "b"], ["a", "b"]]
    evaluator = RankingEvaluator(truth, ["rr"], split="never").update(run)
    assert evaluator.compute()["rr"] == pc.evaluate_ranking(truth, run, ["rr"])["rr"]
    with pytest.raises(InputError, match="known by their place only"):
        evaluator.update(run)
    again = RankingEvaluator(truth, ["rr"], split="never").merge(RankingEvaluator.from_bytes(evaluator.to_bytes()))
    assert again.compute()["rr"] == evaluator.compute()["rr"]
    with pytest.raises(InputError, match="known by their place only"):
        again.merge(RankingEvaluator(truth, ["rr"], split="never").update(run))


TRUTH: dict[str, dict[str, float]] = {"q": {"a": 1.0}, "r": {"b": 2.0}}


def one_query(query: str = "q", **options: Any) -> RankingEvaluator:
    return RankingEvaluator(TRUTH, ["rr"], **{"split": "never", **options}).update({query: {"a": 1.0, "b": 0.5}})


@pytest.mark.usefixtures("pending", "core")
@pytest.mark.parametrize("query", ["q", "unjudged"])
@pytest.mark.parametrize("finish", [RankingEvaluator.compute, RankingEvaluator.to_bytes])
def test_a_query_in_two_batches_is_named(query: str, finish: Any) -> None:
    def twice() -> RankingEvaluator:
        return one_query(query).update({"r": {"b": 1.0}}).update({query: {"c": 1.0}})

    for make in (twice, lambda: one_query(query).merge(one_query(query)), lambda: through_bytes(query)):
        with pytest.raises(InputError, match=f"query '{query}' is in two batches; with split=\"never\""):
            finish(make())


def through_bytes(query: str) -> RankingEvaluator:
    return one_query(query).merge(RankingEvaluator.from_bytes(one_query(query).to_bytes()))


@pytest.mark.usefixtures("pending")
def test_a_query_judged_in_one_batch_and_answered_in_another_is_in_two() -> None:
    evaluator = RankingEvaluator(None, ["rr"], split="never")
    evaluator.update_rows(read_run({"q": {"a": 1.0}})).update_rows(None, read_truth(TRUTH))
    with pytest.raises(InputError, match="query 'q' is in two batches"):
        evaluator.compute()


@pytest.mark.parametrize(
    ("batch", "message"),
    [
        (pa.table({"query": [1], "item": ["a"], "score": [1.0]}), "query ids are strings in the truth and integers"),
        (pa.table({"query": ["q"], "item": [1], "score": [1.0]}), "item ids are strings in the truth and integers"),
        ({"r": ["a", "b"]}, "this batch has ranks, the first has scores"),
        (pa.table({"query": ["r", None], "item": ["a", "b"], "score": [1.0, 2.0]}), "row 1 .*column 'query' is null"),
        (pa.table({"query": ["r"], "item": ["a"]}), "this batch has only rows in order, the first has scores"),
    ],
)
def test_a_batch_unlike_the_first_is_refused(batch: Any, message: str) -> None:
    evaluator = one_query()
    with pytest.raises(InputError, match=message):
        evaluator.update(batch)
    assert evaluator.compute()["rr"] == one_query().compute()["rr"]  # as if it had never come


def test_batches_with_their_own_judgements_are_alike() -> None:
    evaluator = RankingEvaluator(None, ["rr"], split="never").update({"q": {"a": 1.0}}, qrels={"q": {"a": 1}})
    with pytest.raises(InputError, match="query ids are integers in this batch, but strings in the first"):
        evaluator.update({1: {"a": 1.0}}, qrels={1: {"a": 1}})


def test_merging_evaluators_that_differ_is_refused() -> None:
    other_truth = RankingEvaluator({"q": {"a": 2.0}, "r": {"b": 2.0}}, ["rr"], split="never")
    other_order = RankingEvaluator({"r": {"b": 2.0}, "q": {"a": 1.0}}, ["rr"], split="never")
    with pytest.raises(InputError, match="the evaluators differ in truth"):
        one_query().merge(other_truth.update({"r": {"b": 1.0}}))
    assert one_query().merge(other_order.update({"r": {"b": 1.0}})).compute()["rr"] == 1
    others: list[dict[str, Any]] = [{"ties": "order"}, {"split": "allowed"}, {"query_weight": {"q": 1, "r": 2}}]
    for options in (*others, {"by": "activity"}, {"exclude": [("q", "b")]}):
        with pytest.raises(InputError, match="the evaluators differ in "):
            one_query().merge(
                RankingEvaluator(TRUTH, ["rr"], **{"split": "never", **options}).update({"r": {"b": 1.0}})
            )


def test_what_was_not_given_is_said() -> None:
    with pytest.raises(EmptyInputError, match="has seen no rows"):
        RankingEvaluator(TRUTH, ["rr"]).compute()
    with pytest.raises(EmptyInputError, match="has seen no rows"):
        one_query().reset().compute()
    with pytest.raises(EmptyInputError, match="there are no judgements"):
        RankingEvaluator(None, ["rr"], split="never").update({"q": ["a"]}).compute()
    with pytest.raises(EmptyInputError, match="nothing to score"):
        RankingEvaluator(None, ["rr"], split="never").update_rows(None, read_truth(TRUTH)).compute()
    with pytest.raises(InputError, match="truth and run have no query in common"):
        one_query("elsewhere").update({"nowhere": {"a": 1.0}}).compute()
    for act in (RankingEvaluator.compute, lambda evaluator: evaluator.update({"r": {"b": 1.0}})):
        with pytest.raises(InputError, match="does not have the truth it was given before"):
            act(RankingEvaluator.from_bytes(one_query().to_bytes()))
    with pytest.raises(InputError, match='split="never", or give it the whole truth'):
        RankingEvaluator(None, ["rr"]).update({"q": ["a"]}, qrels={"q": ["a"]})
    with pytest.raises(InputError, match="give it there or with the batches, not both"):
        one_query().update({"r": {"b": 1.0}}, qrels={"r": ["b"]})
    with pytest.raises(InputError, match=r"choose allowed .* or never"):
        RankingEvaluator(TRUTH, ["rr"], split="sometimes")


def test_an_error_names_the_batch() -> None:
    evaluator = one_query().update(pa.table({"query": ["r", "r"], "item": ["b", "b"], "score": [1.0, 2.0]}))
    with pytest.raises(InputError, match=r"row 0 of run Table in batch 2 .*'r'.* stands again at row 1"):
        evaluator.compute()


@pytest.mark.usefixtures("pending")
def test_policies_refuse_in_batches_what_they_refuse_in_one_call() -> None:
    refused: list[tuple[dict[str, Any], dict[str, Any]]] = [
        ({"extra": "error"}, {"unjudged": {"a": 1.0}}),
        ({"missing": "error"}, {"unjudged": {"a": 1.0}}),
        ({"nan": "error"}, {"r": {"b": float("nan")}}),
    ]
    for options, run in refused:
        with pytest.raises(InputError) as alone:
            pc.evaluate_ranking(TRUTH, {"q": {"a": 1.0}, **run}, ["rr"], **options)
        with pytest.raises(InputError) as batches:
            one_query(**options).update(run).update({"also unjudged": {"a": 1.0}}).compute()
        reason = str(alone.value).partition(": ")[2] or str(alone.value)
        assert reason.split(" (")[0].split("queries")[-1] in str(batches.value)


def test_settings_travel() -> None:
    signature = pc.evaluate_ranking(TRUTH, {"q": ["a"]}, ["ndcg@3"]).signature("ndcg@3")
    asked = ["ndcg(gain=linear)@5", "rr(ties=worst)", signature]
    evaluator = RankingEvaluator(None, asked, split="never", relevant=2, columns={"query": "uid"})
    again = RankingEvaluator.from_bytes(evaluator.to_bytes())
    assert again.settings == evaluator.settings
    table = pa.table({"uid": ["q"], "item": ["a"], "score": [1.0]})
    truth = pa.table({"uid": ["q"], "item": ["a"], "grade": [3]})
    expected = document(evaluator.update(table, qrels=truth).compute())
    assert document(again.update(table, qrels=truth).compute()) == expected


def test_evidence_of_many_pieces_joins_in_one_go() -> None:
    truth, run = frames(9)
    whole = pc.ranking_evidence(read_truth(truth), read_run(run))
    parts = []
    for query in range(12):
        some = run.filter(pa.compute.equal(run["query"], query))
        own = truth.filter(pa.compute.equal(truth["query"], query))
        if len(some) and len(own):
            parts.append(pc.ranking_evidence(read_truth(own), read_run(some)))
    joined = pc.RankingEvidence.joined(parts[::-1])
    answered = whole.select(whole.answered)
    assert joined.queries.to_list() == answered.queries.to_list()
    assert joined.above.tobytes() == answered.above.tobytes()
    assert joined.judged.tobytes() == answered.judged.tobytes()


def test_asked_metrics_by_the_inner_door() -> None:
    truth, run = frames(5)
    request = Request.of("ranking", METRICS, split="never", min_n=3)
    evaluator = RankingEvaluator.of(request, FixedTables(read_truth(truth)))
    for begin in range(0, len(run), 12):
        evaluator.update_rows(read_run(run.slice(begin, 12)))
    assert document(evaluator.compute()) == document(pc.evaluate_ranking(truth, run, METRICS))


def test_a_loader_may_use_its_arrays_again() -> None:
    users, items, scores = np.array([1, 1]), np.array([7, 8]), np.array([0.2, 0.9])
    evaluator = pc.RankingEvaluator({1: {7: 1}, 2: {7: 1}}, ["mrr"], split="never")
    evaluator.update(pd.DataFrame({"user_id": users, "item_id": items, "score": scores}, copy=False))
    users[:], items[:], scores[:] = 2, [7, 8], [0.9, 0.2]
    evaluator.update(pd.DataFrame({"user_id": users, "item_id": items, "score": scores}, copy=False))
    assert evaluator.compute()["mrr"] == 0.75


def test_rows_are_forgotten_once_they_are_evidence() -> None:
    truth, run = frames(5)
    evaluator = RankingEvaluator.of(Request.of("ranking", METRICS, split="never"), FixedTables(read_truth(truth)))
    first = read_run(run.slice(0, 12))
    scores = weakref.ref(first.value)
    evaluator.update_rows(first)
    del first
    assert scores() is not None
    evaluator._state.settle()
    assert scores() is None
    evaluator.update_rows(read_run(run.slice(12)))
    assert document(evaluator.compute()) == document(pc.evaluate_ranking(truth, run, METRICS))
