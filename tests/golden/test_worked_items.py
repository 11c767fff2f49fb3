"""The worked examples of metrics of items: four users, six items, lists of three."""

from __future__ import annotations

import math
from typing import Any

import pytest

import pingce as pc
from pingce.metrics.grammar import parse_metric
from pingce.metrics.ranking.items import EXAMPLE

TRAIN, CATALOG = list(EXAMPLE.train), list("abcdef")
ITEMS = {"item": CATALOG, "category": list("XXYYZZ")}
REFERENCE = {user: list(items) for user, items in EXAMPLE.reference.items()}
RUN = {user: list(items) for user, items in EXAMPLE.lists.items()}
TRUTH: dict[Any, Any] = {user: dict(graded) for user, graded in EXAMPLE.truth.items()}
WORKED = {
    "coverage@3": 5 / 6,
    "coverage(of=train)@3": 1,
    "coverage(of=train,unknown=count)@3": 5 / 4,
    "coverage(of=count)@3": 5,
    "coverage(of=padded)@3": 5 / 7,
    "user_coverage@3": 1,
    "user_coverage(at_least=k)@3": 3 / 4,
    "user_coverage(at_least=k,of=run)@3": 3 / 4,
    "gini@3": 9 / 22,
    "gini(over=n_minus_1)@3": 0.4909090909091,
    "gini(items=shown,over=n_minus_1)@3": 4 / 11,
    "gini(over=n_minus_1,places=full)@3": 0.45,
    "gini(over=n_minus_1,even=one)@3": 0.5090909090909,
    "gini(items=padded,places=full)@3": 38 / 84,
    "entropy@3": 2.118078209350,
    "entropy(base=e)@3": 1.468139939016,
    "entropy(base=e,over=distinct)@3": 0.2936279878032,
    "entropy(mean=lists)@3": math.log2(11) - ((8 + 2 * math.log2(3)) / 3 + (2 + math.log2(3)) / 2) / 4,
    "novelty@3": 35 / 24,
    "novelty(cold=drop)@3": 17 / 12,
    "novelty(of=interactions,cold=zero,over=places)@3": 24 / 11,
    "novelty(scale=unit,over=k)@3": 2 / 3,
    "novelty(scale=linear,discount=log2,relevant_only=yes,lists=judged)@3": 0.2021649601882,
    "novelty(of=interactions,cold=max,discount=log2,relevant_only=yes,lists=judged)@3": 0.8086598407528,
    "unseen@3": 3 / 4,
    "popularity@3": 37 / 24,
    "popularity(scale=share)@3": 37 / 192,
    "popularity(cold=drop)@3": 5 / 3,
    "popularity(over=places)@3": 17 / 11,
    "popularity(cold=one)@3": 13 / 8,
    "tail@3": 1 / 6,
    "tail(as=count)@3": 1 / 2,
    "tail(cold=tail)@3": 1 / 4,
    "tail(by=items,share=0.1)@3": 7 / 24,
    "ild@3": 5 / 6,
    "ild(over=list)@3": 17 / 24,
    "category_diversity@3": 5 / 6,
    "category_diversity(over=k)@3": 3 / 4,
    "category_entropy@3": (3 * math.log2(3) - 4 / 3 + 1) / 4,
    "serendipity@3": 1 / 18,
    "user_coverage(of=run,unit=places)@3": 11 / 12,
    "catalog_auc@3": (4 / 5 + 5 / 8 + 1 + 3 / 10) / 4,
    "catalog_auc@1": (2 / 5 + (4 + 4 / 2) / 8 + 1 + 2 / 5) / 4,
    "catalog_auc(unranked=lost)@3": (4 / 5 + 4 / 8 + 1 + 0) / 4,
    "catalog_auc(unranked=lost,over=min)@1": (0 + 1 + 1 + 0) / 4,
    "catalog_auc(negatives=unseen_1,unranked=lost)@3": (3 / 4 + 3 / 6 + 1 + 0) / 4,
    "catalog_auc(mean=hits)@3": (4 / 5 + 1 + 1) / 3,
    "exposure(group=X)@3": 0.4362067008788,
    "exposure(group=Y)@3": 0.4851602173236,
    "exposure(group=Z)@3": 0.07863308179762,
    "exposure(discount=none,group=X)@3": 5 / 11,
    "exposure(discount=geometric,p=0.5,group=Z)@3": 2 / 27,
    "exposure_gini@3": (19.5 + 4 / math.log2(3)) / (6 * (5.5 + 4 / math.log2(3))),
    "exposure_gini(discount=none)@3": 9 / 22,
    "exposure_gini(discount=geometric,p=0.5)@3": (-3 * 0.25 - 1 * 0.5 + 1 * 1 + 3 * 2.5 + 5 * 2.5) / (6 * 6.75),
    "overlap@3": 2 / 3,
    "overlap(over=list)@3": 3 / 4,
    "unexpectedness@3": 1 / 3,
    "jaccard@3": 13 / 24,
    "miscalibration@3": (
        math.log(1 / 0.34)
        + (math.log(0.5 / 0.665) + math.log(0.5 / 0.335)) / 2
        + 2 / 3 * math.log(2 / 3 / (0.33 + 0.02 / 3))
        + math.log(1 / 0.505)
    )
    / 4,
    "miscalibration(divergence=js)@3": 0.1730555665691,
    "rbo@3": 0.765 / 2.71,
    "rbo": 0.765 / 2.71,
    "personalization@3": 4 / 9,
    "personalization(distance=full)@3": 17 / 36,
    "personalization(distance=jaccard)@3": 193 / 360,
    "personalization(distance=cosine)@3": 0.3820153135023,
}


def test_all_of_them_in_one_call() -> None:
    scores = pc.evaluate_ranking(
        TRUTH, RUN, list(WORKED), train=TRAIN, catalog=CATALOG, items=ITEMS, reference=REFERENCE
    )
    assert dict(scores) == pytest.approx(WORKED, rel=1e-12)


@pytest.mark.parametrize("name", WORKED)
def test_the_definition_says_the_same(name: str) -> None:
    assert parse_metric(name).metric.define(EXAMPLE) == pytest.approx(WORKED[name], rel=1e-12)


@pytest.mark.parametrize(
    ("name", "value"),
    [("rbo", 0.5777115440535), ("rbo(form=ext)", 0.69075), ("rbo(form=min)", 0.3955283643313)],
)
def test_rank_biased_overlap(name: str, value: float) -> None:
    run, reference = {"q": list("abcd")}, {"q": list("baec")}
    scores = pc.evaluate_ranking(None, run, [name], reference=reference)
    assert scores[name] == pytest.approx(value, rel=1e-12)
    assert scores[name] == pc.similar(run, reference)[name]
    assert pc.evaluate_ranking(None, run, ["rbo(p=0.85)"], reference=reference)["rbo(p=0.85)"] == pytest.approx(
        0.5624321709227, rel=1e-12
    )


def test_surprises_by_vectors() -> None:
    vectors = {"item": list("abcd"), "vector": [[1.0, 0.0], [0.0, 2.0], [3.0, 0.0], [0.0, 1.0]]}
    name, past = "serendipity(of=similarity)@3", [("u", "a"), ("u", "d"), ("u", "a"), ("u", "x"), ("v", "x")]
    run, truth = {"u": ["b", "c", "y"], "v": ["b"]}, {"u": {"b": 1, "y": 1}, "v": {"b": 1}}
    scores = pc.evaluate_ranking(truth, run, [name], train=past, items=vectors)
    assert scores[name] == (1 - 1 / 2) / 2
    assert scores.per_query.to_pydict()[name] == [1 / 4, None]
    assert scores.counts["shown"][name] == {"places": 4, "items": 3, "cold": 3, "unknown": 1}


def test_values_of_each_list() -> None:
    table = pc.evaluate_ranking(None, RUN, ["novelty@3", "unseen@3", "coverage@3"], train=TRAIN, catalog=6).per_query
    columns = table.to_pydict()
    assert columns["novelty@3"] == pytest.approx([5 / 3, 1, 5 / 3, 3 / 2], rel=1e-15)
    assert columns["unseen@3"] == pytest.approx([2 / 3, 2 / 3, 2 / 3, 1], rel=1e-15)
    assert columns["coverage@3"] == [None] * 4


def test_ties_in_every_order() -> None:
    run = {"u1": {"c": 1.0, "d": 1.0, "b": 1.0}}
    tied = pc.evaluate_ranking(None, run, ["novelty@1", "popularity@2"], train=TRAIN, ties="expected")
    assert dict(tied) == pytest.approx({"novelty@1": 5 / 3, "popularity@2": 4 / 3}, rel=1e-15)
    for ties, first in {"id": 2, "id_ascending": 1, "order": 2}.items():
        name = f"novelty(ties={ties})@1"
        assert pc.evaluate_ranking(None, run, [name], train=TRAIN)[name] == first
    for ties, first in {"best": 2, "worst": 0}.items():
        name = f"novelty(relevant_only=yes,ties={ties})@1"
        assert pc.evaluate_ranking({"u1": {"d": 1}}, run, [name], train=TRAIN)[name] == first
    with pytest.raises(pc.InputError, match="no closed form"):
        pc.evaluate_ranking(None, run, ["coverage@1"], catalog=6, ties="expected")


def test_lists_without_judgements_count_for_items_only() -> None:
    truth = {"u1": {"d": 1}, "u9": {"a": 1}}
    names = ["recall@3", "coverage@3", "coverage(lists=judged)@3", "user_coverage@3", "popularity@3"]
    alone = pc.evaluate_ranking(truth, RUN, ["recall@3"])
    scores = pc.evaluate_ranking(truth, RUN, names, train=TRAIN, catalog=CATALOG)
    assert scores["recall@3"] == alone["recall@3"]
    assert (scores["coverage@3"], scores["coverage(lists=judged)@3"], scores["user_coverage@3"]) == (
        5 / 6,
        1 / 2,
        1 / 2,
    )
    assert scores["popularity@3"] == pytest.approx(37 / 24)
    assert scores.counts["scored"] == 2
    assert scores.counts["lists"] == 5
    columns = scores.per_query.to_pydict()
    assert columns["query"] == ["u1", "u2", "u3", "u4", "u9"]
    assert columns["recall@3"] == [1.0, None, None, None, 0.0]
    assert math.isclose(columns["popularity@3"][0], 4 / 3)
    assert columns["popularity@3"][-1] is None
