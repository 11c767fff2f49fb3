"""Grades and scores as plain columns: the queries of rows by ids or by sizes, one table of both sides, dicts of columns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pingce as pc

from .samples import refused

GRADES = [2, 0, 1, 0, 1, 1, 0, 0]
SCORES = [0.3, 0.9, 0.5, 0.2, 0.4, 0.8, 0.1, 0.7]
QUERIES = ["a", "a", "a", "b", "b", "c", "c", "c"]
SIZES = [3, 2, 3]
METRICS = ["ndcg@2", "mrr", "map"]
TRUTH = {"a": {"0": 2, "1": 0, "2": 1}, "b": {"3": 0, "4": 1}, "c": {"5": 1, "6": 0, "7": 0}}
RUN = {"a": {"0": 0.3, "1": 0.9, "2": 0.5}, "b": {"3": 0.2, "4": 0.4}, "c": {"5": 0.8, "6": 0.1, "7": 0.7}}
EXPECTED = dict(pc.evaluate_ranking(TRUTH, RUN, METRICS))
COLUMNS: dict[str, list[Any]] = {"label": GRADES, "score": SCORES, "user": QUERIES}


@pytest.mark.parametrize(
    "kind", [list, tuple, np.array, pd.Series, pl.Series, pa.array, lambda x: pa.chunked_array([x])]
)
def test_columns_of_any_kind_give_the_scores_of_the_lists(kind: Any) -> None:
    sides = kind(GRADES), kind(SCORES)
    assert dict(pc.evaluate_ranking(*sides, METRICS, queries=kind(QUERIES))) == EXPECTED
    assert dict(pc.evaluate_ranking(*sides, METRICS, sizes=kind(SIZES))) == EXPECTED


def test_sizes_may_come_with_the_names_of_their_queries() -> None:
    scores = pc.evaluate_ranking(GRADES, SCORES, METRICS, sizes=SIZES, queries=["x", "y", "z"])
    assert dict(scores) == EXPECTED
    assert scores.per_query["query"].to_pylist() == ["x", "y", "z"]


@pytest.mark.parametrize("frame", [dict, pd.DataFrame, pl.DataFrame, pa.table])
def test_one_table_has_both_sides(frame: Any) -> None:
    table = frame(COLUMNS)
    assert dict(pc.evaluate_ranking("label", "score", METRICS, data=table, queries="user")) == EXPECTED
    assert dict(pc.evaluate_ranking("label", "score", METRICS, data=table, sizes=SIZES)) == EXPECTED


def test_one_file_has_both_sides(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "rows.csv"
    pd.DataFrame(COLUMNS).to_csv(path, index=False)
    assert dict(pc.evaluate_ranking("label", "score", METRICS, data=path, queries="user")) == EXPECTED
    monkeypatch.setattr("pingce.base.memory.SMALLEST", 1)
    options = {"data": path, "queries": "user", "memory": 10}
    refused(pc.evaluate_ranking, "label", "score", METRICS, **options).both_name("memory=10")


def test_other_calls_take_the_same_columns() -> None:
    table = COLUMNS | {"other": SCORES[::-1]}
    compared = pc.compare("label", {"one": "score", "two": "other"}, ["mrr"], data=table, queries="user")
    plain = pc.compare(GRADES, {"one": SCORES, "two": SCORES[::-1]}, ["mrr"], queries=QUERIES)
    assert compared.to_json() == plain.to_json()
    explained = pc.explain("ndcg@2", GRADES, SCORES, sizes=SIZES, query=1)
    named = pc.explain("ndcg@2", "label", "score", data=table, queries="user", query="b")
    assert explained.value == named.value == pc.evaluate_ranking(TRUTH, RUN, "ndcg@2").per_query["ndcg@2"][1].as_py()


def test_items_have_ids_where_they_are_given() -> None:
    grades, scores, queries = [1, 0, 1], [0.5, 0.5, 0.5], [1, 1, 1]
    first = pc.evaluate_ranking(grades, scores, "rr@1", queries=queries, items=["z", "y", "x"])
    last = pc.evaluate_ranking([0, 1, 0], scores, "rr@1", queries=queries, items=["z", "y", "x"])
    assert (first["rr@1"], last["rr@1"]) == (1, 0)
    assert (
        pc.evaluate_ranking([0, 1, 0], scores, "rr", queries=queries, ties="expected")["rr"] == (1 + 1 / 2 + 1 / 3) / 3
    )


@given(
    st.lists(st.tuples(st.integers(0, 3), st.sampled_from([0.1, 0.2, 0.3, 0.5]), st.integers(0, 4)), min_size=1),
    st.randoms(),
)
def test_the_order_of_rows_does_not_matter_where_ties_are_expected(
    rows: list[tuple[int, float, int]], random: Any
) -> None:
    def scores(rows: list[tuple[int, float, int]]) -> dict[str, str]:
        grades, values, queries = (list(column) for column in zip(*rows, strict=True))
        found = pc.evaluate_ranking(grades, values, METRICS, queries=queries, ties="expected")
        return {name: repr(value) for name, value in found.items()}

    shuffled = list(rows)
    random.shuffle(shuffled)
    assert scores(rows) == scores(shuffled)


def test_what_does_not_fit_is_refused() -> None:
    call = pc.evaluate_ranking
    assert refused(call, GRADES, SCORES, METRICS, sizes=[3, 2]).en == (
        "sizes= add up to 5, but qrels has 8 rows; give the number of rows of each group, in the order of the rows"
    )
    refused(call, GRADES, SCORES, METRICS, sizes=[3, 2]).both_name("5", "8")
    refused(call, GRADES, SCORES, METRICS, sizes=[9, -1]).both_name("-1", "sizes")
    refused(call, GRADES, SCORES, METRICS, sizes=[7.5, 0.5]).both_name("7.5")
    assert "if these are numbers of rows, say sizes=" in refused(call, GRADES, SCORES, METRICS, queries=[3, 2, 3]).en
    refused(call, GRADES, SCORES[:-1], METRICS, queries=QUERIES).both_name("run", "7", "8")
    refused(call, GRADES, [float("nan")] * 8, METRICS, sizes=SIZES).both_name("nan=last")
    refused(call, GRADES, SCORES, METRICS).both_name("queries=", "sizes=")
    refused(call, "label", "scor", METRICS, data=COLUMNS, queries="user").both_name("'scor'", "'score'")
    refused(call, GRADES, SCORES, METRICS, data=COLUMNS, queries="user").both_name("data=", "qrels=")
    refused(call, "label", "score", METRICS, data=COLUMNS).both_name("queries=", "sizes=")
    refused(call, ["x"] * 8, SCORES, METRICS, sizes=SIZES).both_name("'x'")


def test_dicts_of_columns_stand_for_tables_of_pairs_and_weights() -> None:
    exclude = {"query": ["a"], "item": ["1"]}
    assert dict(pc.evaluate_ranking(TRUTH, RUN, METRICS, exclude=exclude)) == dict(
        pc.evaluate_ranking(TRUTH, RUN, METRICS, exclude=pa.table(exclude))
    )
    weights = {"query": ["a", "b", "c"], "weight": [1, 2, 3]}
    assert dict(pc.evaluate_ranking(TRUTH, RUN, METRICS, query_weight=weights)) == dict(
        pc.evaluate_ranking(TRUTH, RUN, METRICS, query_weight={"a": 1, "b": 2, "c": 3})
    )
