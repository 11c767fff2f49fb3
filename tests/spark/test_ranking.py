"""Rankings on two workers: the bytes of one machine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import pingce as pc
from pingce.base.errors import InputError
from pingce.run.evaluator import state_of
from pingce.spark import evaluate_ranking, jobs, lists
from pingce.spark.jobs import receive

from .made import frame, rankings

CASES: dict[str, dict[str, Any]] = {
    "usual": {},
    "policies": {"missing": "skip", "ties": "expected", "relevant": 2, "undefined": "zero", "metrics": ["ndcg@5", "rr"]},
    "tool": {"convention": "trec_eval", "metrics": ["map", "P_5", "ndcg_cut_10", "recip_rank"]},
    "holes": {"metrics": ["unjudged(of=any)@5", "unjudged@5", "ndcg@5"]},
    "mixed": {"metrics": ["ndcg@10", "ndcg_cut_10", "ap(norm=min)@10", "bpref"], "judged_only": True, "score_type": "float32"},
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_the_same_bytes(spark: Any, case: str) -> None:
    truth, run = rankings(strings=case in ("policies", "tool"))
    options = dict(CASES[case])
    metrics = options.pop("metrics", None)
    found = evaluate_ranking(frame(spark, truth, 2), frame(spark, run), metrics, **options)
    local = pc.evaluate_ranking(truth, run, metrics, **options)
    assert found.to_json(per_query=True) == local.to_json(per_query=True)
    assert found.warnings == local.warnings
    if case == "usual":
        per_query = found.per_query
        assert per_query.columns == local.per_query.column_names
        assert per_query.orderBy("query").toArrow().to_pydict() == local.per_query.to_pydict()


@pytest.mark.parametrize("corrected", ["plug_in", "bias_variance"])
def test_drawn_candidates_are_corrected_and_told(spark: Any, corrected: str) -> None:
    """Lists of one relevant item and 24 that were drawn: the values, their caution and what was said are those of one machine."""
    random, queries = np.random.default_rng(3), np.repeat(np.arange(60), 25)
    items = np.concatenate([np.append(random.choice(900, 24, replace=False), 900 + at) for at in range(60)])
    run = pa.table({"user_id": queries, "item_id": items, "score": np.round(random.random(len(items)), 3)})
    truth = pa.table({"user_id": np.arange(60), "item_id": 900 + np.arange(60), "rating": np.ones(60)})
    metrics = ["rr", "recall@5", "ndcg@5"]
    cases: list[dict[str, Any]] = [{}, {"corrected": corrected, "catalog": 1000}]
    for options in cases:
        there = evaluate_ranking(frame(spark, truth, 2), frame(spark, run), metrics, **options)
        local = pc.evaluate_ranking(truth, run, metrics, **options)
        assert there.to_json(per_query=True) == local.to_json(per_query=True)
        assert there.warnings == local.warnings
        assert bool(options) or "drawn" in str(local.warnings) or "sampled" in str(local.warnings)


def beside(run: pa.Table) -> tuple[pa.Table, pa.Table, pa.Table]:
    """Pairs to exclude, some of which meet no query; a weight and a country of each query, and of others."""
    random = np.random.default_rng(7)
    pairs = run.take(random.choice(len(run), 200, replace=False)).select(["user_id", "item_id"])
    odd = pa.table({"user_id": np.array([9_999]), "item_id": np.array([1])})
    users = np.arange(200)
    weights = pa.table({"user_id": users, "weight": np.round(random.random(200), 2)})
    countries = pa.table({"user_id": users, "country": np.array(["cn", "de", "fr"])[users % 3]})
    return pa.concat_tables([pairs, odd]), weights, countries


@pytest.mark.parametrize("names", [("exclude",), ("query_weight",), ("by",), ("exclude", "query_weight", "by")])
def test_pairs_weights_and_slices(spark: Any, names: tuple[str, ...]) -> None:
    truth, run = rankings()
    pairs, weights, countries = beside(run)
    metrics = ["ndcg@10", "map", "recall@5", "err@10"]
    local: dict[str, Any] = {"exclude": pairs, "query_weight": weights, "by": [(countries, "country"), "activity"]}
    there: dict[str, Any] = {
        "exclude": frame(spark, pairs),
        "query_weight": frame(spark, weights),
        "by": [(frame(spark, countries), "country"), "activity"],
    }
    options: dict[str, Any] = {"min_n": 30, "ties": "worst"}
    home = pc.evaluate_ranking(truth, run, metrics, **{name: local[name] for name in names}, **options)
    found = evaluate_ranking(
        frame(spark, truth, 2), frame(spark, run), metrics, **{name: there[name] for name in names}, **options
    )
    assert found.to_json(per_query=True) == home.to_json(per_query=True)
    assert (found.slices is None) == ("by" not in names)
    assert {name: value.weighted for name, value in found.values_by_name.items()} == {
        name: value.weighted for name, value in home.values_by_name.items()
    }


def test_pairs_that_meet_no_query_were_given_and_odd_ones_are_refused(spark: Any) -> None:
    truth, run = rankings(20)
    sides = frame(spark, truth, 1), frame(spark, run, 1)
    odd = pa.table({"user_id": np.array([9_999]), "item_id": np.array([1])})
    found = evaluate_ranking(*sides, ["mrr"], exclude=frame(spark, odd, 1))
    home = pc.evaluate_ranking(truth, run, ["mrr"], exclude=odd)
    assert found.excludes and found.to_json() == home.to_json()
    with pytest.raises(InputError, match="query ids are integers in the truth and strings in exclude: convert"):
        evaluate_ranking(*sides, ["mrr"], exclude=sides[1].selectExpr("cast(user_id as string) user_id", "item_id"))
    with pytest.raises(InputError, match="slices by popularity need the whole truth"):
        evaluate_ranking(*sides, ["mrr"], by="popularity")


def test_odd_rows_under_their_policies(spark: Any) -> None:
    truth, run = rankings(40)
    score = np.round(run.column("score").to_numpy(), 1)
    score[::17] = np.nan
    again = pa.table({"user_id": run.column("user_id"), "item_id": run.column("item_id"), "score": score})
    run = pa.concat_tables([again, again.slice(5, 200)])
    options: dict[str, Any] = {"duplicates": "best", "nan": "last", "columns": {"truth.grade": "rel"}}
    found = evaluate_ranking(frame(spark, truth), frame(spark, run), ["ndcg@10", "recall@5"], **options)
    assert found.to_json(per_query=True) == pc.evaluate_ranking(truth, run, ["ndcg@10", "recall@5"], **options).to_json(
        per_query=True
    )


def test_ranks_no_grades_and_integers_beyond_doubles(spark: Any) -> None:
    truth, run = rankings(30)
    bare = truth.drop_columns(["rel"])
    place = np.argsort(np.argsort(run.column("item_id").to_numpy(), kind="stable")) + 1
    ranked = run.drop_columns(["score"]).append_column("rank", pa.array(place))
    whole = run.drop_columns(["score"]).append_column("score", pa.array(2**60 + place % 7))
    for data in (ranked, whole):
        found = evaluate_ranking(frame(spark, bare), frame(spark, data), ["ndcg@10", "mrr"])
        assert found.to_json(per_query=True) == pc.evaluate_ranking(bare, data, ["ndcg@10", "mrr"]).to_json(
            per_query=True
        )


def test_a_query_with_nearly_all_rows(spark: Any) -> None:
    rows, others = 2_000_000, 200_000
    user, item = np.zeros(rows + others, np.int64), np.arange(rows + others)
    user[rows:] = 1 + np.arange(others) // 20
    run = pa.table({"user_id": user, "item_id": item, "score": ((item * 7919) % 10_007).astype(np.float32)})
    truth = pa.table({"user_id": user[::11], "item_id": item[::11]})
    spread = spark.range(rows + others, numPartitions=4).selectExpr(
        f"if(id < {rows}, 0, 1 + (id - {rows}) div 20) as user_id", "id as item_id", "cast((id * 7919) % 10007 as float) as score"
    )  # fmt: skip
    found = evaluate_ranking(frame(spark, truth, 2), spread, ["ndcg@10", "map"], partitions=2)
    assert found.to_json() == pc.evaluate_ranking(truth, run, ["ndcg@10", "map"]).to_json()


def test_what_has_no_order_is_refused(spark: Any) -> None:
    truth, run = (frame(spark, table, 1) for table in rankings(5))
    with pytest.raises(InputError, match="ties=order depends on the order of the rows"):
        evaluate_ranking(truth, run, ["ndcg@10"], ties="order")
    with pytest.raises(InputError, match="duplicates=first depends on the order"):
        evaluate_ranking(truth, run, ["ndcg@10"], duplicates="first")
    with pytest.raises(InputError, match="neither a score nor a rank column"):
        evaluate_ranking(truth, run.drop("score"), ["ndcg@10"])
    with pytest.raises(InputError, match="query ids are integers in the truth and strings in the run"):
        evaluate_ranking(truth, run.selectExpr("cast(user_id as string) user_id", "item_id", "score"))
    with pytest.raises(InputError, match="'rel' has type string, but grades"):
        evaluate_ranking(truth.selectExpr("user_id", "item_id", "cast(rel as string) rel"), run)
    with pytest.raises(InputError, match="'item_id' has type double, but ids"):
        evaluate_ranking(truth, run.selectExpr("user_id", "cast(item_id as double) item_id", "score"))
    with pytest.raises(InputError, match="truth is dict, not a Spark DataFrame"):
        evaluate_ranking({"q": {"a": 1}}, run)


@pytest.mark.parametrize("judged", [True, False], ids=["truth", "no truth"])
def test_what_lists_show(spark: Any, judged: bool) -> None:
    truth, run = rankings(60)
    pairs = run.take(np.arange(0, len(run), 7)).select(["user_id", "item_id"])
    metrics = ["coverage@5", "gini", "personalization@3", "novelty@5", "unseen@3", "tail(share=0.5)@5"]
    tables = {"train": pairs, "catalog": pa.table({"item_id": np.unique(run["item_id"].to_numpy())})}
    sides = (truth if judged else None, run)
    home = pc.evaluate_ranking(*sides, [*metrics, *(["ndcg@5"] if judged else [])], **tables)
    frames = {name: frame(spark, table, 1) for name, table in tables.items()}
    found = evaluate_ranking(frame(spark, truth, 2) if judged else None, frame(spark, run), list(home), **frames)
    assert found.to_json(per_query=True) == home.to_json(per_query=True)


@pytest.mark.parametrize("is_lent", [True, False])
def test_values_of_lists_come_to_the_driver_and_no_lists(
    spark: Any, is_lent: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tables of items go to the executors; where they are too large for that, lists travel, and no byte of the document differs."""
    truth, run = rankings()
    pairs = beside(run)[0]
    items = np.unique(run["item_id"].to_numpy())
    facts = pa.table({"item_id": items, "category": np.array(["a", "b", "c"])[items % 3]})
    metrics = ["novelty@20", "popularity@20", "ild@20", "ndcg@10"]
    received: list[bytes] = []

    def keep(*arguments: Any) -> Iterator[bytes]:
        for state in receive(*arguments):
            received.append(state)
            yield state

    monkeypatch.setattr(jobs, "receive", keep)
    if not is_lent:
        monkeypatch.setattr(lists, "LENT", 0)
    tables = {"train": pairs, "items": facts}
    there = {name: frame(spark, table) for name, table in tables.items()}
    found = evaluate_ranking(frame(spark, truth, 2), frame(spark, run), metrics, **there)
    local = pc.evaluate_ranking(truth, run, metrics, **tables)
    assert found.to_json(per_query=True) == local.to_json(per_query=True)
    states = [state_of(pc.RankingEvaluator.from_bytes(state)).to_tables() for state in received]
    names = {name for tables in states for name in tables}
    assert ("tally" in names) == is_lent
    assert ("evidence 0" in names) != is_lent
