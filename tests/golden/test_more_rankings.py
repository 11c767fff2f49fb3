"""The further ranking metrics on one list: what trec_eval 10 itself prints for it, and what a person computes."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from cases import Query, evaluate, hits, score

import pingce as pc

pytestmark = pytest.mark.filterwarnings("ignore")

# Grades a 3, b 2, c 1, d 1, e 0, g 0, h −1 (in the pool, not judged); the list is x a e c h b, and nobody judged x.
LIST = Query((None, 3, 0, 1, -1, 2), (1, 0))
PRINTED = {
    "inf_ap": "0.4028",
    "gm_bpref": "0.5000",
    "r_precision(times=1.0)": "0.5000",
    "r_precision(times=2.0)": "0.3750",
    "bin_g": "0.3904",
    "g": "0.3989",
    "ndcg_rel": "0.5152",
    "r_ndcg": "0.3691",
    "yaap": "-0.3365",
    "rbp_residual(p=0.9)": "0.6971",
    "unjudged@5": "0.4000",
    "unjudged@10": "0.2000",
    "unjudged@20": "0.1000",
}


@pytest.mark.parametrize("metric", PRINTED)
def test_what_trec_eval_prints(metric: str) -> None:
    assert f"{score(metric, [LIST]):.4f}" == PRINTED[metric]


E = Fraction(1, 100_000)
WORKED: list[tuple[str, Query, Any]] = [
    # Pooled above: 0, then a and e, then a, e, c and h.
    (
        "inf_ap",
        LIST,
        (
            Fraction(1, 2)
            + Fraction(1, 4)
            + Fraction(2, 4) * (1 + E) / (2 + 2 * E)
            + Fraction(1, 6)
            + Fraction(4, 6) * (2 + E) / (3 + 2 * E)
        )
        / 4,
    ),
    ("bin_g", LIST, (1 / math.log2(3) + 1 / math.log2(4) + 1 / math.log2(5)) / 4),
    # Costs 3, 5, 6, 7, 8, 9; gains so far 0, 3, 3, 4, 4, 6.
    ("g", LIST, (3 / math.log2(4) + 1 / math.log2(5) + 2 / math.log2(5)) / 7),
    ("yaap", LIST, math.log((1 + 1.5) / (1 + 4 - 1.5))),
    ("r_precision(times=0.5)", LIST, Fraction(1, 2)),
    ("unjudged", LIST, Fraction(2, 6)),
    ("unjudged(over=list)@10", LIST, Fraction(2, 6)),
    ("unjudged@3", LIST, Fraction(1, 3)),
    ("rbp_residual(p=0.5)", LIST, Fraction(1, 64) + Fraction(1, 2) * (1 + Fraction(1, 16))),
    ("rbp_residual(p=0.5)@1", LIST, 1),
    ("rbp_residual(p=0.5)", Query((1, 0)), Fraction(1, 4)),
    ("rbp_residual(p=0.5,complete=zero)", Query((1, 0)), 0),
    ("mean_rank", LIST, Fraction(2 + 4 + 6, 3)),
    ("median_rank", LIST, 4),
    ("median_rank", hits([1, 4], 5), Fraction(5, 2)),
    ("amri", LIST, 1 - Fraction(3) / Fraction(5, 2)),
    ("arp_grade", LIST, Fraction(3 * 2 + 1 * 4 + 2 * 6, 6)),
    ("mar@4", LIST, Fraction(0 + 1 + 1 + 2, 4 * 4)),
    ("mar@8", hits([2], 3, 2), Fraction(7, 16)),
    # List x a e c h b; ideal a b c d, of which a is in both from depth 2 on, c from 4, b from 6.
    (
        "compat(p=0.5)",
        LIST,
        (Fraction(1, 4) + Fraction(1, 12) + Fraction(2, 32) + Fraction(2, 80) + Fraction(3, 192))
        / (1 + Fraction(1, 2) + Fraction(1, 4) + Fraction(1, 8) + Fraction(4, 80) + Fraction(4, 192)),
    ),
    ("compat(p=0.5,norm=weights)", hits([1], 2, 1), (1 + Fraction(1, 4)) / (1 + Fraction(1, 2))),
    ("compat", hits([1, 2], 2, 2), Fraction(1)),
    # Recall at the relevant items of the top 4: 1/4 and 2/4; three of them at all in the top 6.
    ("mar(norm=min)@4", LIST, Fraction(1 + 2, 4) / 4),
    ("mar(norm=min)@2", LIST, Fraction(1, 4) / 2),
    ("mar(norm=relevant)@6", LIST, Fraction(1 + 2 + 3, 4) / 4),
    ("mar(norm=min)", hits([1], 1, 2), Fraction(1, 2)),
    # Precision at depths 1 to 4, and at depths that the list does not reach.
    ("ap(norm=depths)@4", LIST, (0 + Fraction(1, 2) + Fraction(1, 3) + Fraction(2, 4)) / 4),
    ("ap(norm=depths)@3", hits([1], 1, 2), (1 + Fraction(1, 2) + Fraction(1, 3)) / 3),
    # Of x a e c h b, a, e, c and b are judged.
    ("precision(over=judged)@5", LIST, Fraction(2, 3)),
    ("precision(over=judged)", LIST, Fraction(3, 4)),
    ("precision(over=judged)@1", LIST, Fraction(0)),
    # Best first 3 2 1 1: as many as were shown.
    ("ndcg(gain=linear,ideal=shown)@4", Query((None, 3), (2, 1)), (3 / math.log2(3)) / (3 + 2 / math.log2(3))),
    ("ncrr@3", hits([2], 3, 2), Fraction(1, 3)),
    ("ncrr@1", hits([2], 3, 2), 0),
    ("rr(of=hits)", LIST, (Fraction(1, 2) + Fraction(1, 4) + Fraction(1, 6)) / 3),
    ("rr(of=hits)@4", LIST, Fraction(3, 8)),
    ("rr(of=hits)@1", LIST, 0),
    # Readers with a goal: ranks 1 to 3 weigh 1, (2/3)², (2/4)²; of goal 1/2, 1, (1/2)², (1/3)².
    ("insq@3", Query((1, 0, 1)), Fraction(5, 4) / (1 + Fraction(4, 9) + Fraction(1, 4))),
    ("insq(goal=0.5)@3", Query((0, 2, 1)), (Fraction(1, 4) + Fraction(1, 18)) / (1 + Fraction(1, 4) + Fraction(1, 9))),
    # After the first gain the reader goes on with (1/2)², then (2/3)²; below the end of the list with (3/4)².
    ("inst@3", Query((1, 0, 1)), Fraction(10, 9) / (1 + Fraction(1, 4) + Fraction(1, 9))),
    ("inst@4", Query((1, 0)), 1 / (1 + Fraction(1, 4) + Fraction(1, 9) + Fraction(1, 16))),
    # Grades 1 0 2 of at most 2: gains 1/2, 0, 1.
    ("nerr@3", Query((1, 0, 2)), Fraction(1, 2)),
    ("nerr(form=rank)@3", Query((1, 0, 2)), Fraction(2, 3) / (1 + Fraction(1, 4) + Fraction(1, 6))),
    ("nerr(form=patience)@3", Query((1, 0, 2)), Fraction(905, 1855)),
    ("nerr(form=goal)@3", Query((1, 0, 2)), Fraction(5, 8) / (1 + Fraction(2, 9) + Fraction(1, 8))),
    ("nerr(gain=exp2,max=2)@2", Query((1, 2)), (Fraction(1, 3) + Fraction(2, 3)) / (1 + Fraction(2, 3))),
    ("bpm(goal=2)@4", Query((1, 0, 1, 0)), Fraction(2, 3)),
    ("bpm@4", Query((0, 0), (1,)), 0),
    ("bpm(goal=3)@4", Query((1, 0, 1)), Fraction(2, 4)),
    # Pairs of a relevant item and another one: of 2 · 2 one is wrong, and of 2 · 3 three are.
    ("list_auc", Query((1, 0, 1, 0)), Fraction(3, 4)),
    ("list_auc@4", Query((0, 1, 0, 1, 1)), Fraction(1, 4)),
    ("list_auc(single=ends)@1", Query((0, 1)), 0),
    ("list_auc(single=ends)@1", Query((1, 0)), 1),
    ("partial_auc(wrong=2)", hits([2, 4], 5, 3), Fraction(1, 6)),
    ("partial_auc(wrong=2,of=first)", hits([2, 4], 5, 3), Fraction(1, 4)),
    ("partial_auc(wrong=1,of=first)", hits([1, 2], 2, 3), Fraction(1, 1)),
]


@pytest.mark.parametrize(("metric", "query", "value"), WORKED, ids=lambda part: part if isinstance(part, str) else "")
def test_by_hand(metric: str, query: Query, value: Any) -> None:
    assert score(metric, [query]) == pytest.approx(float(value), rel=1e-12, abs=1e-15)


def test_several_queries() -> None:
    """Means, sums over sums, a median of medians, and chance over all lists."""
    queries = [hits([1], 3), hits([2, 4], 5), hits([7], 9)]
    scores = evaluate(queries, ["mean_rank", "mean_rank(mode=micro)", "median_rank", "amri", "arp_grade(mode=micro)"])
    assert scores["mean_rank"] == pytest.approx((1 + 3 + 7) / 3)
    assert scores["mean_rank(mode=micro)"] == scores["arp_grade(mode=micro)"] == 14 / 4
    assert scores["median_rank"] == 3
    assert scores["amri"] == pytest.approx(1 - (0 + 2 + 6) / (1 + 2 + 4))


def test_a_median_by_weight() -> None:
    qrels = {query: {"a": 1} for query in "xyz"}
    run = {"x": ["a"], "y": ["b", "a"], "z": ["b", "c", "a"]}
    for weights, wanted in (((1, 1, 5), 3.0), ((2, 1, 1), 1.5), ((1, 1, 1), 2.0), ((0, 0, 1), 3.0)):
        weight = dict(zip("xyz", weights, strict=True))
        found = pc.evaluate_ranking(qrels, run, "median_rank", query_weight=weight)
        assert found["median_rank"] == wanted, weights


@pytest.mark.parametrize("metric", ["mean_rank", "median_rank", "amri", "arp_grade"])
def test_nothing_relevant_returned_has_no_rank(metric: str) -> None:
    assert math.isnan(score(metric, [Query((0, None), (1,))]))


@pytest.mark.parametrize(
    "metric",
    [
        "inf_ap",
        "bin_g",
        "yaap",
        "r_ndcg",
        "mar@3",
        "ncrr@3",
        "g",
        "ndcg_rel",
        "inst",
        "insq",
        "nerr@3",
        "bpm@3",
        "list_auc",
        "partial_auc",
    ],
)
def test_no_relevant_item_at_all_is_undefined(metric: str) -> None:
    assert math.isnan(score(metric, [Query((0, None), (0,))]))


def test_without_a_sample_of_the_pool_inferred_ap_is_ap() -> None:
    queries = [hits([1, 3, 6], 8, 4), Query((0, 1, 1, 0, 1))]
    assert score("inf_ap", queries) == pytest.approx(score("ap", queries), abs=2e-5)


def test_the_truth_lies_between_rbp_and_its_residual() -> None:
    """Every unjudged item relevant, and an endless list of relevant items after it."""
    best = Query((1, 1, 0, *[1] * 400))
    assert score("rbp", [Query((1, None, 0, None))]) + score(
        "rbp_residual", [Query((1, None, 0, None))]
    ) == pytest.approx(score("rbp", [best]))


def test_micro_precision_weighs_queries_by_what_they_could_reach() -> None:
    queries = [hits([1], 4, 1), hits([2, 3], 4, 5), hits([], 4, 0)]
    metrics = ["precision(over=min,mode=micro)@3", "precision(over=min)@3", "precision(mode=micro)@3"]
    scores = evaluate(queries, metrics)
    assert [scores[metric] for metric in metrics] == [3 / 4, (1 + 2 / 3) / 2, 3 / 6]
    assert scores.per_query["precision(over=min,mode=micro)@3"].to_pylist() == [1.0, 2 / 3, None]


def test_depths_need_a_cutoff() -> None:
    with pytest.raises(pc.InputError, match=r"ap\(norm=depths\) needs @k"):
        pc.evaluate_ranking({"q": {"a": 1}}, {"q": ["a"]}, "ap(norm=depths)")


def test_an_ideal_as_long_as_no_list_is_none() -> None:
    qrels, run = {"q": {"a": 2}, "r": {"b": 1}, "s": {"c": 0}}, {"q": ["a"], "s": ["c"]}
    scores = pc.evaluate_ranking(qrels, run, "ndcg(ideal=shown)@3")
    assert scores.per_query["ndcg(ideal=shown)@3"].to_pylist() == [1.0, 0.0, None]
    assert scores["ndcg(ideal=shown)@3"] == 0.5
