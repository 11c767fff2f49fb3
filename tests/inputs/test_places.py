"""Rows of a matrix are no ids: they are named, or the other side has just their numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

import pingce as pc

from .samples import refused

SCORES = np.array([[0.5, 0.25, 0.75, 0.125], [0.5, 0.4, -1.0, 2.0], [0.0, 3.0, 2.5, 2.25]])
USERS, ITEMS = ["u7", "u3", "u9"], ["a", "b", "c", "d"]
TRUTH = {"u3": {"d": 2, "a": 1}, "u7": {"b": 1}, "u9": {"c": 1, "b": 3}}
NAMED = {user: dict(zip(ITEMS, row, strict=True)) for user, row in zip(USERS, SCORES.tolist(), strict=True)}
BY_COLUMN = {user: {ITEMS.index(item): grade for item, grade in inner.items()} for user, inner in TRUTH.items()}


def document(truth: Any, run: Any, **options: Any) -> str:
    return pc.evaluate_ranking(truth, run, ["ndcg@3", "ap", "mrr"], **options).to_json(per_query=True)


EXPECTED = document(TRUTH, NAMED)


@pytest.mark.parametrize("ids", [{4: 1, 7: 1, 9: 1}, {1: 1, 2: 1, 3: 1}, {0: 1, 1: 1}, {"u3": 1, "u7": 1, "u9": 1}])
@pytest.mark.parametrize(
    "matrix", [SCORES, SCORES.tolist(), sparse.csr_array(SCORES), [{0: 0.5, 1: 0.25}] * 3], ids=str
)
def test_rows_beside_other_ids_are_refused(ids: dict[Any, int], matrix: Any) -> None:
    matrix = [list(range(4))] * 3 if isinstance(matrix, list) and isinstance(matrix[0], list) else matrix
    truth = {query: {1: 1} for query in ids}
    refused(pc.evaluate_ranking, truth, matrix).both_name("3", "queries=range(3)")
    refused(pc.evaluate_ranking, matrix, {query: {1: 0.5} for query in ids}).both_name("queries=[…]")


def test_ids_that_are_the_numbers_of_the_rows_are_fine() -> None:
    truth = {2: {1: 1}, 0: {0: 1}, 1: {3: 1}}
    assert document(truth, SCORES) == document(truth, SCORES, queries=range(3))
    assert document(SCORES > 1, {row: dict(enumerate(values)) for row, values in enumerate(SCORES.tolist())})


KINDS: dict[str, Callable[[list[str]], Any]] = {
    "list": list,
    "array": np.array,
    "series": pd.Series,
    "index": pd.Index,
    "polars": pl.Series,
    "arrow": pa.array,
}


@pytest.mark.parametrize("kind", KINDS)
def test_rows_and_columns_are_named(kind: str) -> None:
    users, items = KINDS[kind](USERS), KINDS[kind](ITEMS)
    assert document(TRUTH, SCORES, queries=users, items=items) == EXPECTED
    assert document(TRUTH, (users, SCORES), items=items) == EXPECTED
    assert document(TRUTH, sparse.coo_array(SCORES + 1e-9), queries=users, items=items)
    assert document(BY_COLUMN, (users, SCORES)) == document(
        BY_COLUMN, {user: dict(enumerate(row)) for user, row in zip(USERS, SCORES.tolist(), strict=True)}
    )


def test_item_numbers_of_ranked_lists_are_named() -> None:
    order = np.argsort(-SCORES, axis=1)
    lists = {user: [ITEMS[place] for place in row] for user, row in zip(USERS, order.tolist(), strict=True)}
    assert document(TRUTH, order, queries=USERS, items=ITEMS) == document(TRUTH, lists)


def test_everything_that_is_read_by_place_is_named() -> None:
    grades = np.array([[0, 1, 0, 0], [1, 0, 0, 2], [0, 3, 1, 0]])
    truth = {user: dict(zip(ITEMS, row, strict=True)) for user, row in zip(USERS, grades.tolist(), strict=True)}
    names: dict[str, Any] = {"queries": USERS, "items": ITEMS}
    named = document(truth, NAMED, query_weight={"u7": 1, "u3": 2, "u9": 4}, exclude={"u7": ["c"], "u9": ["b"]})
    mask = np.array([[0, 0, 1, 0], [0, 0, 0, 0], [0, 1, 0, 0]], bool)
    assert document(grades, SCORES, query_weight=[1, 2, 4], exclude=mask, **names) == named
    assert (
        pc.compare(truth, {"one": SCORES, "two": -SCORES}, ["mrr"], **names).scores["one"]["mrr"]
        == (pc.evaluate_ranking(truth, NAMED, ["mrr"])["mrr"])
    )
    told = pc.explain("mrr", truth, SCORES, query="u3", **names)
    assert told.value == pc.explain("mrr", truth, NAMED, query="u3").value


def test_batches_of_named_rows() -> None:
    for split in ("never", "allowed"):
        evaluator = pc.RankingEvaluator(TRUTH, ["ndcg@3", "ap", "mrr"], split=split, items=ITEMS)
        evaluator.update((USERS[:1], SCORES[:1])).update((np.array(USERS[1:]), SCORES[1:]))
        assert evaluator.compute().to_json(per_query=True) == EXPECTED


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ({"queries": USERS[:2]}, ("2", "3")),
        ({"queries": ["u", "v", "u"]}, ("'u'", "2")),
        ({"queries": "abc"}, ("queries=", "str")),
        ({"queries": USERS, "items": ITEMS[:3]}, ("items=", "4")),
        ({"queries": USERS, "items": [1, "b", 3, 4]}, ("items=", "'b'")),
        ({"queries": USERS}, ("items=[…]",)),
    ],
)
def test_names_that_do_not_fit_are_refused(names: dict[str, Any], words: tuple[str, ...]) -> None:
    refused(pc.evaluate_ranking, TRUTH, SCORES, **names).both_name(*words)


def test_matrices_of_unequal_length_are_refused() -> None:
    refused(pc.evaluate_ranking, np.eye(4), np.ones((3, 4))).both_name("4", "3")
