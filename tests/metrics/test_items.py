"""Metrics of items: `values` against `define` on random lists, in any split, from any entrance; and tables that do not fit."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pingce as pc
from drawn_items import ALL, KINDS, data, tables, worlds
from drawn_labels import without_core
from pingce.evidence.items.background import Background
from pingce.evidence.items.reference_run import ReferenceRun
from pingce.evidence.policies import Policies
from pingce.explanations.derivation import Line
from pingce.inputs import read_excluded, read_run, read_truth
from pingce.metrics.grammar import parse_metric
from pingce.metrics.ranking.diversity import differing_components
from pingce.metrics.ranking.items import EXAMPLE, PlainLists
from pingce.request import Request
from pingce.run.states.fixed_tables import FixedTables
from pingce.run.states.ranking import RankingState
from pingce.run.states.ranking_batches import RankingBatch
from pingce.tasks import TASKS


@given(world=worlds(), choose=st.data())
def test_values_equal_the_definition(world: PlainLists, choose: st.DataObject) -> None:
    metrics = choose.draw(st.lists(st.sampled_from(ALL), min_size=20, max_size=20, unique=True))
    scores = pc.evaluate_ranking(*data(world), list(metrics), **tables(world))
    for metric in metrics:
        wanted = metric.define(world)
        assert scores[metric.id] == pytest.approx(wanted, rel=1e-12, abs=1e-13, nan_ok=True), metric.id


def test_every_metric_equals_its_definition() -> None:
    """Lists of several lengths, of which pairs have equally much in common; groups and kinds of every share."""
    lists = {
        "u1": list("abcdef"),
        "u2": list("badcfe"),
        "u3": list("gabc"),
        "u4": list("cgab"),
        "u5": list("de"),
        "u6": list("ed"),
        "u7": list("fgedcb"),
    }
    truth = {user: dict(zip(items[::2], (1.0, 2.0, 0.0), strict=False)) for user, items in lists.items()}
    train = [(user, item) for user, items in lists.items() for item in "abcde"[: 1 + len(items) // 2]]
    kinds = {"a": ["X"], "b": ["X", "Y"], "c": ["Y"], "d": ["Z"], "e": ["X", "Z"], "f": ["Y"], "g": ["X"]}
    vectors = {item: (float(place % 3 - 1), 1.0, place / 2) for place, item in enumerate("abcdef")}
    reference = {user: items[1::-1] + items[2:] for user, items in lists.items()} | {
        "u5": list("dabc"),
        "u1": list("fbz"),
    }
    groups = dict(zip("abcdefgxyz", "XYZXYYXXYZ", strict=True))
    world = PlainLists(lists, truth, train, list("abcdefgxyz"), 1, kinds, vectors, reference, groups)
    scores = pc.evaluate_ranking(*data(world), ALL, **tables(world))
    for metric in ALL:
        assert scores[metric.id] == pytest.approx(metric.define(world), rel=1e-12, abs=1e-13, nan_ok=True), metric.id


@pytest.mark.sweep
@given(world=worlds())
def test_the_reference_gives_the_same_bits(world: PlainLists) -> None:
    with_core = pc.evaluate_ranking(*data(world), ALL[::7], **tables(world)).to_json(per_query=True)
    with without_core():
        assert pc.evaluate_ranking(*data(world), ALL[::7], **tables(world)).to_json(per_query=True) == with_core


def batches(world: PlainLists, cut: int) -> list[dict[Any, Any]]:
    users = list(world.lists)
    return [{user: list(world.lists[user]) for user in part} for part in (users[:cut], users[cut:]) if part]


@pytest.mark.sweep
@given(world=worlds(), cut=st.integers(0, 4), split=st.sampled_from(["allowed", "never"]))
def test_batches_and_bytes_give_the_same_document(world: PlainLists, cut: int, split: str) -> None:
    names = [*ALL[::11], parse_metric("ndcg@2").metric, parse_metric("map").metric]
    truth, run = data(world)
    wanted = pc.evaluate_ranking(truth, run, names, **tables(world)).to_json(per_query=True)
    evaluator = pc.RankingEvaluator(truth, names, split=split, **tables(world))
    others = [pc.RankingEvaluator(truth, names, split=split, **tables(world)) for _ in range(2)]
    for batch, other in zip(batches(world, cut), others, strict=False):
        other.update(batch)
        evaluator.merge(pc.RankingEvaluator.from_bytes(other.to_bytes()))
    assert evaluator.compute().to_json(per_query=True) == wanted


@pytest.mark.sweep
@given(world=worlds(), cut=st.integers(0, 4))
def test_without_a_truth(world: PlainLists, cut: int) -> None:
    names = [metric for metric in ALL if "qrels" not in metric.tables][::9]
    wanted = pc.evaluate_ranking(None, data(world)[1], names, **tables(world))
    document = wanted.to_json(per_query=True)
    for split in ("allowed", "never"):
        evaluator = pc.RankingEvaluator(None, names, split=split, **tables(world))
        for batch in batches(world, cut):
            evaluator.update(batch)
        assert evaluator.compute().to_json(per_query=True) == document
    assert wanted.counts["scored"] == len(world.lists)
    assert wanted.counts["run_rows"] == sum(map(len, world.lists.values()))


@pytest.mark.sweep
@given(world=worlds(), choose=st.data())
def test_explanations_end_in_the_evaluated_float(world: PlainLists, choose: st.DataObject) -> None:
    truth, run = data(world)
    user = next(iter(run))
    for kind in choose.draw(st.permutations(KINDS))[:5]:
        metric = choose.draw(st.sampled_from([each for each in ALL if isinstance(each, kind)]))
        if metric.scope == "judged" and not metric.is_whole and user not in truth:
            continue
        scores = pc.evaluate_ranking(truth, run, [metric], **tables(world))
        place = scores.queries.index(user)
        value = scores[metric.id] if metric.is_whole else scores.per_query[metric.id].to_pylist()[place]
        explained: Any = pc.explain(metric, truth, run, query=None if metric.is_whole else user, **tables(world))
        last = explained.steps[-1]
        assert isinstance(last, Line)
        wanted = math.nan if value is None else value
        assert float(last.value or 0).hex() == float(explained.value).hex() == wanted.hex(), metric.id


def test_a_catalogue_in_text(tmp_path: Path) -> None:
    path = tmp_path / "catalog.txt"
    path.write_text("a\nb\nc\nd\ne\nf\n")
    assert pc.evaluate_ranking(None, RUN, ["coverage@3"], catalog=str(path))["coverage@3"] == 5 / 6
    path = tmp_path / "catalog.csv"
    path.write_text("item_id,price\n1,2\n2,2\n3,9\n4,1\n")
    assert pc.evaluate_ranking(None, {"u": [3, 1, 3 + 4]}, ["coverage@3"], catalog=path)["coverage@3"] == 2 / 4


TRAIN = list(EXAMPLE.train)
TRUTH, RUN = data(EXAMPLE)


@pytest.mark.parametrize(
    "catalog",
    [
        list("abcdef"), tuple("abcdef"), set("abcdef"), {"a": 1, "b": 1, "c": 1, "d": 1, "e": 1, "f": 1}, 6, np.int64(6),
        np.array(list("abcdef")), pa.array(list("abcdeff")), pa.table({"item_id": list("abcdef"), "price": range(6)}),
        {"item": list("abcdef"), "price": list(range(6))},
    ],
    ids=lambda catalog: type(catalog).__name__,
)  # fmt: skip
def test_shapes_of_a_catalogue(catalog: Any) -> None:
    assert pc.evaluate_ranking(None, RUN, ["coverage@3"], catalog=catalog)["coverage@3"] == 5 / 6


@pytest.mark.parametrize(
    "train",
    [
        TRAIN, {"u1": ["a", "b"], "u2": ["a", "c"], "u3": ["a", "b", "d"], "u4": ["a"]},
        pa.table({"user_id": [user for user, _ in TRAIN], "item_id": [item for _, item in TRAIN]}),
    ],
    ids=["pairs", "dict", "table"],
)  # fmt: skip
def test_shapes_of_the_past(train: Any) -> None:
    assert pc.evaluate_ranking(None, RUN, ["novelty@3"], train=train)["novelty@3"] == pytest.approx(35 / 24)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"metrics": "novelty@3"}, "novelty@3 needs train= (--train): the pairs (query, item) of the past"),
        ({"metrics": "gini@3"}, "gini@3 needs catalog= (--catalog)"),
        ({"metrics": ["coverage@3", "ndcg@3"], "catalog": 6}, "qrels is None, but ndcg@3 looks at what is relevant"),
        ({"metrics": "coverage(lists=judged)@3", "catalog": 6}, "qrels is None, but coverage"),
        ({"metrics": "coverage@3", "catalog": 0}, "catalog=0: the number of items that could be shown must be at least 1"),
        ({"metrics": "coverage@3", "catalog": 4}, "catalog=4: lists show 5 different items, more than there could be"),
        ({"metrics": "coverage@3", "catalog": ["x", "y"]}, "none of the 5 items that lists show is in the catalogue"),
        ({"metrics": "coverage@3", "catalog": []}, "catalogue list has no items"),
        ({"metrics": "coverage@3", "catalog": [1, 2]}, "item ids are integers, but strings in the run; convert one side"),
        ({"metrics": "unseen@3", "train": [(1, "a")]}, "query ids are integers, but strings in the run"),
        ({"metrics": "personalization"}, "personalization divides by k here (distance=overlap)"),
        ({"metrics": "novelty(over=k)", "train": TRAIN}, "novelty divides by k here (over=k)"),
        ({"metrics": "user_coverage(at_least=0)@3"}, "at_least=0"),
        ({"metrics": "user_coverage(of=run,at_least=5)@2"}, "at_least=5: nobody has more than 2 items in the top 2"),
        ({"metrics": "user_coverage(of=run,lists=judged)@2"}, "lists=judged: whose lists user_coverage looks at is said by of="),
        ({"metrics": "overlap@3"}, "overlap@3 needs reference= (--reference): another run to compare lists with"),
        ({"metrics": "overlap", "reference": {"u1": ["a"]}}, "overlap divides by k: say it, e.g. overlap@10"),
        ({"metrics": "jaccard@3", "reference": {"x": ["a"]}}, "it has none of the queries of the run"),
        ({"metrics": "miscalibration@3", "items": {"item": ["a"], "category": ["X"]}}, "miscalibration@3 needs train= (--train)"),
        ({"metrics": "miscalibration@3", "train": TRAIN}, "miscalibration@3 needs items= (--items)"),
        ({"metrics": "miscalibration@3", "train": TRAIN, "items": (["a"], np.ones((1, 2)))}, "miscalibration@3 reads a category of each item"),
        ({"metrics": "miscalibration(smoothing=0)@3"}, "smoothing=0"),
        ({"metrics": "serendipity(of=similarity)@3", "qrels": {"u1": {"d": 1}}, "train": TRAIN, "items": {"item": ["a"], "category": ["X"]}}, "reads a vector of each item"),
        ({"metrics": "serendipity(of=similarity)@3", "qrels": {"u1": {"d": 1}}, "train": TRAIN, "items": (["a", "b"], np.array([[0.0], [1.0]]))}, "the vector of item 'a' is all 0"),
        ({"metrics": "serendipity@3", "qrels": {"u1": {"d": 1}}, "train": TRAIN}, "serendipity@3 needs catalog= (--catalog)"),
        ({"metrics": "serendipity(of=similarity)@3", "qrels": {"u1": {"d": 1}}, "train": TRAIN}, "needs items= (--items)"),
        ({"metrics": "rbo"}, "rbo needs reference= (--reference)"),
        ({"metrics": "rbo(p=1)", "reference": {"u1": ["a"]}}, "p=1"),
        ({"metrics": "ild@3"}, "ild@3 needs items= (--items): a table of items with categories or vectors"),
        ({"metrics": "ild@3", "items": {"item": ["a"], "price": [1]}}, "has no category, group or vector column; it has 'item', 'price'"),
        ({"metrics": "ild@3", "items": {"category": ["a"]}}, "has no item column"),
        ({"metrics": "ild@3", "items": (["a", "b"], np.ones((2, 2)))}, "ild@3 reads a category of each item"),
        ({"metrics": "ild(distance=cosine)@3", "items": {"item": ["a"], "category": ["X"]}}, "reads a vector of each item"),
        ({"metrics": "ild(distance=cosine)@3", "items": (["a"], np.ones((2, 2)))}, "items= has 1 ids and 2 vectors"),
        ({"metrics": "ild(distance=cosine)@3", "items": (["a", "b"], np.array([[1.0], [0.0]]))}, "the vector of item 'b' is all 0"),
        ({"metrics": "ild(distance=cosine)@3", "items": (["a", "b"], np.array([[1.0], [np.nan]]))}, "not a finite number"),
        ({"metrics": "ild(distance=cosine)@3", "items": {"item": ["a", "b"], "vector": [[1.0], [1.0, 2.0]]}}, "the vector has 2 numbers, the first one has 1"),
        ({"metrics": "ild(distance=euclidean)@3", "items": (["a", "a"], np.array([[1.0], [2.0]]))}, "the item has another vector before"),
        ({"metrics": "ild(distance=cosine)@3", "items": {"item": ["a", "b"], "vector": ["1 2", "2 3"]}}, "a vector is a list of numbers, and the column holds string"),
        ({"metrics": "ild(distance=cosine)@3", "items": (["a", "b"], [[1.0], [1.0, 2.0]])}, "give a row of numbers for each id"),
        ({"metrics": "ild@3", "items": {"item": ["a"], "category": [{"k": 1}]}}, "a category is a text or a number"),
        ({"metrics": "exposure@3"}, "exposure@3 needs items= (--items)"),
        ({"metrics": "exposure@3", "items": (["a", "b"], np.ones((2, 2)))}, "exposure@3 reads the group of each item, and items= has no column"),
        ({"metrics": "exposure(group=x)@3", "items": {"item": ["a"], "group": ["X"]}}, "group=x: items= has no such group; there are X"),
        ({"metrics": "exposure@3", "items": {"item": ["a", "b", "a"], "group": ["X", "Y", "Y"]}}, "item 'a' is in two groups, 'X' and 'Y'"),
        ({"metrics": "exposure@3", "items": {"item": ["a"], "category": [["X", "Y"]]}}, "item 'a' is in two groups, 'X' and 'Y'"),
        ({"metrics": "coverage@3", "catalog": 6, "judged_only": True}, "judged_only=yes takes unjudged items out"),
        ({"metrics": "gini@3", "catalog": 6, "ties": "expected"}, "no closed form"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(pc.InputError) as problem:
        pc.evaluate_ranking(options.pop("qrels", None), RUN, **options)
    assert words in str(problem.value)


def test_cold_and_unknown_items_are_counted() -> None:
    scores = pc.evaluate_ranking(None, RUN, ["novelty@3", "coverage@3"], train=TRAIN, catalog=list("abcx"))
    assert scores.counts["shown"] == {
        "novelty@3": {"places": 11, "items": 5, "cold": 1},
        "coverage@3": {"places": 11, "items": 5, "unknown": 2},
    }
    words = [text.en for text in scores.count_texts()]
    assert words == [
        "4 lists looked at, without a truth",
        "1 item shown not in train",
        "2 items shown that a table of items does not know",
    ]


def test_a_slice_may_show_nothing_that_a_table_knows() -> None:
    run, by = {"u1": ["a", "b"], "u2": ["z"]}, {"u1": "A", "u2": "B"}
    scores = pc.evaluate_ranking(
        None, run, ["coverage@2", "overlap@1"], catalog=["a", "b"], reference={"u1": ["a"]}, by=by
    )
    assert scores.slices is not None
    assert [[value.value for value in part.values.values()] for part in scores.slices.parts] == [[1, 1], [0, 0]]


def test_a_past_of_other_ids_is_warned_of() -> None:
    with pytest.warns(pc.PingceWarning, match="train has none of the 2 items that lists show"):
        scores = pc.evaluate_ranking(None, {"u": ["a", "b"]}, ["novelty@2", "popularity@2"], train={"v": ["x", "y"]})
    assert len(scores.cautions) == 1


@pytest.mark.parametrize("ties", ["id", "id_ascending", "order"])
def test_a_run_overlaps_with_itself_whatever_settles_ties(ties: Any) -> None:
    run = {"u": {"b": 1.0, "a": 1.0, "c": 1.0}, "v": {"c": 2.0, "a": 1.0, "b": 1.0}}
    for name in ("overlap@1", "overlap@2", "jaccard@2"):
        assert pc.evaluate_ranking(None, run, [name], reference=run, ties=ties)[name] == 1


def test_exposure_has_a_value_for_each_group() -> None:
    facts = {"item": list("fedcba"), "category": list("ZZYYXX"), "group": ["old", "old", None, None, "new", "new"]}
    by_group = pc.evaluate_ranking(None, RUN, ["exposure(discount=none)@3", "gini@3"], items=facts, catalog=6)
    assert dict(by_group) == pytest.approx(
        {"exposure(discount=none,group=new)@3": 5 / 6, "exposure(discount=none,group=old)@3": 1 / 6, "gini@3": 9 / 22}
    )
    assert by_group.counts["shown"]["exposure(discount=none,group=new)@3"] == {"places": 11, "items": 5, "unknown": 2}
    name = "exposure(discount=none,unknown=count,group=new)@3"
    assert pc.evaluate_ranking(None, RUN, [name], items=facts)[name] == 5 / 11
    names = ["exposure@1", "exposure(ties=order)@1"]
    assert list(pc.evaluate_ranking(None, RUN, names, items=facts)) == [
        *("exposure(group=new)@1", "exposure(group=old)@1"),
        *("exposure(group=new,ties=order)@1", "exposure(group=old,ties=order)@1"),
    ]
    with pytest.raises(pc.InputError, match="one value for each group of items; choose one of exposure"):
        pc.explain("exposure@3", None, RUN, items=facts)


def test_a_gap_is_of_the_exposure_of_one_group() -> None:
    lists = {user: ["a", "c"] if user % 3 else ["c", "a"] for user in range(60)}
    facts, by = {"item": ["a", "c"], "group": ["A", "C"]}, {user: "even" if user % 2 == 0 else "odd" for user in lists}
    truth = {user: {"a": 1} for user in lists}
    name = "gap(of=exposure(discount=none,group=A)@1,by=by)"
    alike = pc.evaluate_ranking(truth, lists, ["gap(of=precision@1,by=by)"], by=by, ci=0.9)
    value = pc.evaluate_ranking(truth, lists, [name], items=facts, by=by, ci=0.9).find(name)
    assert (value.value, value.interval) == (
        alike["gap(of=precision@1,by=by)"],
        alike.find("gap(of=precision@1,by=by)").interval,
    )
    with pytest.raises(pc.InputError, match="has several values, of which a gap or quantile reads one"):
        pc.evaluate_ranking(truth, lists, ["gap(of=exposure@1,by=by)"], items=facts, by=by)


def test_exposure_has_an_interval() -> None:
    lists = {user: ["a", "c"] if user % 3 else ["c", "a"] for user in range(30)}
    facts = {"item": ["a", "c"], "group": ["A", "C"]}
    scores = pc.evaluate_ranking(
        None, lists, ["exposure(discount=none)@1", "coverage(of=count)@1"], items=facts, ci=0.95
    )
    value = scores.find("exposure(discount=none,group=A)@1")
    alike = pc.evaluate_ranking({user: {"a": 1} for user in lists}, lists, ["precision@1"], ci=0.95).find("precision@1")
    assert (value.value, value.interval) == (alike.value, alike.interval)
    assert scores.find("coverage(of=count)@1").interval is None


def test_groups_of_batches_equal_those_of_one_call() -> None:
    facts = {"item": list("abcdef"), "category": list("XXYYZZ")}
    wanted = pc.evaluate_ranking(None, RUN, ["exposure@3", "exposure(discount=geometric)@2"], items=facts)
    for split in ("allowed", "never"):
        evaluator = pc.RankingEvaluator(
            None, ["exposure@3", "exposure(discount=geometric)@2"], split=split, items=facts
        )
        for user, items in reversed(RUN.items()):
            evaluator.update({user: items})
        assert evaluator.compute().to_json(per_query=True) == wanted.to_json(per_query=True)


def test_what_is_excluded_is_not_shown() -> None:
    scores = pc.evaluate_ranking(None, RUN, ["coverage(of=count)@3"], exclude=[("u3", "e"), ("u2", "a")])
    assert scores["coverage(of=count)@3"] == 3


@pytest.mark.parametrize("exclude", [None, [("a", "c")]])
@pytest.mark.parametrize("truth", [None, {"a": {"b": 1}}, {"a": {"b": 1}, "x": {"b": 1}}])
def test_an_item_whose_id_is_that_of_its_query_is_shown_to_nobody_judged_or_not(truth: Any, exclude: Any) -> None:
    run, name = {"a": ["a", "b", "c"], "x": ["x", "b"]}, "coverage(of=count)@3"
    scores = pc.evaluate_ranking(truth, run, [name], identical="drop", exclude=exclude)
    assert scores[name] == (2 if exclude is None else 1)
    evaluator = pc.RankingEvaluator(truth, [name], split="never", identical="drop", exclude=exclude)
    for query, items in run.items():
        evaluator.update({query: items})
    assert evaluator.compute().to_json() == scores.to_json()


@pytest.mark.parametrize("truth", [None, {"u1": {"d": 1}}], ids=["no truth", "truth"])
def test_what_is_excluded_with_a_batch_is_not_shown(truth: Any) -> None:
    names, pairs = ["coverage(of=count)@3", "personalization@2"], [("u3", "e"), ("u2", "a")]
    wanted = pc.evaluate_ranking(truth, RUN, names, exclude=pairs)
    evaluator = pc.RankingEvaluator(None, names, split="never")
    for user, items in RUN.items():
        judged = None if truth is None or user not in truth else read_truth({user: truth[user]})
        some = [pair for pair in pairs if pair[0] == user]
        evaluator.update_rows(read_run({user: items}), judged, read_excluded(some) if some else None)
    assert evaluator.compute().to_json(per_query=True) == wanted.to_json(per_query=True)


def test_the_two_meanings_of_items() -> None:
    matrix = np.array([[0.3, 0.2, 0.1], [0.1, 0.2, 0.3]])
    named = pc.evaluate_ranking(None, matrix, ["coverage@1"], items=["x", "y", "z"], catalog=["x", "y", "z", "w"])
    assert named["coverage@1"] == 2 / 4
    rows = pa.table({"item_id": ["a", "a", "b", "c"], "genre": ["X", "Y", "Y", "Z"]})
    facts = pc.evaluate_ranking(None, {"u": ["a", "b", "c"]}, ["ild@3", "category_diversity@3"], items=rows)
    assert dict(facts) == {"ild@3": pytest.approx(2 / 3), "category_diversity@3": 1}
    assert any(note.en == "items=: item=item_id, category=genre" for note in facts.notes)


def test_a_pair_of_ids_and_rows_of_numbers_is_a_table_as_a_matrix_is() -> None:
    rows, name = [[1.0, 0.0], [1.0, 1.0]], "ild(distance=euclidean)@2"
    for matrix in (rows, np.array(rows)):
        assert pc.evaluate_ranking(None, {"u": ["a", "b"]}, [name], items=(["a", "b"], matrix))[name] == 1


@pytest.mark.parametrize("categories", [np.array([1.0, np.nan, np.nan]), ["X", "", ""]])
def test_an_empty_cell_is_no_category(categories: Any) -> None:
    facts = {"item": ["a", "b", "c"], "category": categories}
    scores = pc.evaluate_ranking(None, {"u": ["a", "b", "c"]}, ["ild@3", "category_diversity@3"], items=facts)
    assert math.isnan(scores["ild@3"])
    assert scores["category_diversity@3"] == 1 / 3


def test_undefined_values_of_the_run_follow_the_policy() -> None:
    run = {"u": ["a"]}
    name = "personalization@3"
    assert math.isnan(pc.evaluate_ranking(None, run, name)[name])
    assert pc.evaluate_ranking(None, run, name, undefined="zero")[name] == 0
    with pytest.raises(pc.InputError, match="fewer than two lists"):
        pc.evaluate_ranking(None, run, name, undefined="error")


def test_gini_turned_round_is_better_where_it_is_higher() -> None:
    assert parse_metric("gini@3").metric.higher_is_better is False
    assert parse_metric("gini(even=one)@3").metric.higher_is_better is True
    even, uneven = ({"u": list("ab"), "v": list(items)} for items in ("cd", "ab"))
    runs = {"even": even, "uneven": uneven}
    for name, best in (("gini@2", min), ("gini(even=one)@2", max)):
        scores = {run: pc.evaluate_ranking(None, runs[run], [name], catalog=list("abcd"))[name] for run in runs}
        assert scores["even"] == best(scores.values())


def test_rows_of_a_reference_are_under_the_policies_of_the_run() -> None:
    run = {"q": {"a": 2.0, "b": 1.0, "q": 3.0}}
    near = {"q": {"a": 1.0, "b": 1.0 + 1e-12}}
    beyond: list[tuple[Any, Any]] = [
        (run, {"exclude": {"q": ["q", "a"]}}),
        (run, {"identical": "drop"}),
        (near, {"score_type": "float32"}),
        ({"q": {"a": 2.0, "b": float("nan")}}, {"nan": "first"}),
        ({"q": {"a": 2.0, "b": float("nan")}}, {"nan": "drop"}),
        (pa.table({"query": ["q"] * 3, "item": ["a", "b", "a"], "score": [1.0, 2.0, 3.0]}), {"duplicates": "first"}),
    ]
    for lists, options in beyond:
        scores = pc.evaluate_ranking(None, lists, ["overlap(over=list)@1", "rbo"], reference=lists, **options)
        assert scores["overlap(over=list)@1"] == 1, options
    options = {"exclude": {"q": ["q", "a", "b"]}, "undefined": "zero"}
    assert pc.evaluate_ranking(None, run, ["overlap@1"], reference=run, **options)["overlap@1"] == 0


def test_batches_are_compared_with_a_reference_under_the_same_policies() -> None:
    run, names = {"q": {"a": 2.0, "b": 1.0}, "p": {"c": 1.0, "d": float("nan")}}, ["overlap@1", "jaccard@2"]
    options: Any = {"reference": run, "exclude": {"q": ["a"]}, "nan": "first", "split": "never"}
    parts = []
    for query, items in run.items():
        part = pc.RankingEvaluator(None, names, **options)
        part.update({query: items})
        parts.append(part.to_bytes())
    evaluator = pc.RankingEvaluator(None, names, **options)
    for content in parts:
        evaluator.merge(pc.RankingEvaluator.from_bytes(content))
    assert dict(evaluator.compute()) == dict.fromkeys(names, 1)


def test_faults_of_a_reference_are_refused_by_its_name() -> None:
    run, twice = {"q": {"a": 2.0}}, pa.table({"query": ["q", "q"], "item": ["a", "a"], "score": [1.0, 2.0]})
    for reference, words in (({"q": {"a": float("nan")}}, "the score is not a number"), (twice, "stands again at")):
        with pytest.raises(pc.InputError, match=f"reference=: .*{words}"):
            pc.evaluate_ranking(None, run, ["overlap@1"], reference=reference)


def test_lists_of_a_reference_are_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls, top = [], ReferenceRun._top

    def counted(run: ReferenceRun, depth: int, ties: str) -> Any:
        calls.append(depth)
        return top(run, depth, ties)

    monkeypatch.setattr(ReferenceRun, "_top", counted)
    run, names = {"q": ["a", "b"], "p": ["a"]}, ["overlap@2", "jaccard@2", "unexpectedness@2"]
    pc.evaluate_ranking(None, run, names, reference=run, by={"q": "x", "p": "y"})
    assert len(calls) == 1


def test_excluded_pairs_of_batches_are_refused_beside_a_reference() -> None:
    request = Request(task=TASKS["ranking"], policies=Policies(), metrics=(parse_metric("overlap@1"),), split="never")
    state = RankingState(request, FixedTables(background=Background(reference=read_run({"q": ["a"]}))))
    with pytest.raises(pc.InputError, match="give exclude= to the evaluator"):
        state.add(RankingBatch(read_run({"q": ["a"]}), None, read_excluded({"q": ["a"]})))


def test_rows_taken_out_of_the_reference_are_counted_and_said() -> None:
    run, names = {"u": ["a", "b"], "v": ["c"]}, ["overlap@2", "rbo"]
    reference = pa.table(
        {"query": ["u", "u", "u", "v"], "item": ["a", "a", "b", "c"], "score": [3.0, 2.0, 1.0, np.nan]}
    )
    scores = pc.evaluate_ranking(None, run, names, reference=reference, duplicates="first", nan="drop")
    assert {name: counts["reference_removed"] for name, counts in scores.counts["shown"].items()} == dict.fromkeys(
        names, 2
    )
    words = next(words for words in scores.count_texts() if "reference" in words.en)
    assert words.en == "2 rows of the reference taken out (duplicates=first, nan=drop)"
    assert words.zh == "从参照预测中去掉 2 行（duplicates=first, nan=drop）"
    whole = pc.evaluate_ranking(None, run, names, reference=run)
    assert all("reference_removed" not in counts for counts in whole.counts["shown"].values())
    without = pc.evaluate_ranking(None, run, names, reference=run, exclude={"u": ["b"]})
    assert without.counts["shown"]["overlap@2"]["reference_removed"] == 1


def test_an_area_among_no_others_is_undefined() -> None:
    scores = pc.evaluate_ranking(
        {"u": {"a": 1}}, {"u": ["a"]}, ["catalog_auc(mean=hits)@2"], catalog=["a"], train=[("u", "a")]
    )
    assert math.isnan(scores["catalog_auc(mean=hits)@2"])


@pytest.mark.parametrize("longest", [12, 300])
def test_components_that_differ_are_counted_as_pair_by_pair(longest: int) -> None:
    """Components of one value, of two, of few and of many; lists that are empty, short, and longer than a byte counts."""
    random = np.random.default_rng(longest)
    columns = [np.ones(40), *(random.integers(0, 2, 40) * 2.5 for _ in range(11)), random.integers(0, 4, 40)]
    vectors = np.stack([*columns, random.random(40)], axis=1).astype(np.float64)
    sizes = np.array([0, 1, longest, 0, 5, 2])
    query, item = np.repeat(np.arange(len(sizes)), sizes), random.integers(0, 40, sizes.sum()).astype(np.int32)
    wanted = []
    for at in range(len(sizes)):
        shown = vectors[item[query == at]]
        wanted.append(float((shown[:, None] != shown[None]).sum()) / 2)
    assert differing_components(query, vectors, item, sizes).tolist() == wanted


@pytest.mark.parametrize(
    ("metrics", "missing", "words"),
    [
        (["catalog_auc@3", "recall@3"], "zero", "1 not answered (scored 0; left out by metrics of items)"),
        (["catalog_auc@3"], "zero", "1 not answered (left out)"),
        (["catalog_auc@3", "recall@3"], "skip", "1 not answered (left out)"),
        (["catalog_auc(lists=judged)@3"], "zero", "1 not answered (empty lists with lists=judged)"),
        (["recall@3"], "zero", "1 not answered (scored 0)"),
    ],
)
def test_what_is_said_of_unanswered_users_is_what_happens(metrics: list[str], missing: Any, words: str) -> None:
    truth, run = {"u": {"d": 1}, "v": {"d": 1}}, {"u": ["c", "d", "b"]}
    scores = pc.evaluate_ranking(truth, run, metrics, catalog=6, missing=missing)
    assert words in [text.en for text in scores.count_texts()]
    counted = {"catalog_auc@3": 1, "catalog_auc(lists=judged)@3": 2, "recall@3": 2 if missing == "zero" else 1}
    assert scores.counts["queries"] == {name: counted[name] for name in metrics}


def test_unanswered_users_may_be_an_error_for_metrics_of_items_too() -> None:
    truth, run = {"u": {"d": 1}, "v": {"d": 1}}, {"u": ["c", "d", "b"]}
    with pytest.raises(pc.InputError, match="does not answer 1 judged queries"):
        pc.evaluate_ranking(truth, run, ["catalog_auc@3"], catalog=6, missing="error")


def test_pairs_of_lists_that_meet_too_often_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    run = {user: [99, user] for user in range(30)}
    metric = "personalization(distance=jaccard)@2"
    assert pc.evaluate_ranking(None, run, [metric])[metric] == pytest.approx(1 - 1 / 3, rel=1e-12)
    monkeypatch.setattr("pingce.metrics.ranking.personalization._MOST_MEETINGS", 434)
    with pytest.raises(pc.InputError, match="each pair of lists that share an item: 435 times here, more than 434"):
        pc.evaluate_ranking(None, run, [metric])


def test_no_list_with_a_category() -> None:
    scores = pc.evaluate_ranking(
        None, {"u": ["a", "b"]}, ["category_entropy@2"], items={"item": ["z"], "category": ["X"]}
    )
    assert math.isnan(scores["category_entropy@2"])
