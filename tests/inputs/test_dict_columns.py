"""Dictionaries of columns, as data loaders make them, are tables; dictionaries of queries stay what they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import pingce as pc

from .samples import refused

TRUTH = {1: {10: 2, 11: 1}, 2: {12: 1}}
COLUMNS: dict[str, list[Any]] = {"user_id": [1, 1, 2, 2], "item_id": [11, 10, 12, 13], "score": [0.9, 0.8, 0.3, 0.7]}
EXPECTED = pc.evaluate_ranking(TRUTH, pa.table(COLUMNS), ["ndcg@5", "mrr"])


class Tensor:
    """A tensor as other libraries have it: shape, `__len__` and DLPack, and little else."""

    def __init__(self, values: Any) -> None:
        self._array = np.array(values)
        self.shape = self._array.shape

    def __len__(self) -> int:
        return len(self._array)

    def __dlpack__(self, **options: Any) -> Any:
        return self._array.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self._array.__dlpack_device__()


KINDS: dict[str, Callable[[Any], Any]] = {
    "lists": list,
    "arrays": np.array,
    "series": pd.Series,
    "arrow": pa.array,
    "tensors": Tensor,
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_dict_of_columns_is_a_table(kind: str) -> None:
    run = {name: KINDS[kind](column) for name, column in COLUMNS.items()}
    assert dict(pc.evaluate_ranking(TRUTH, run, ["ndcg@5", "mrr"])) == dict(EXPECTED)
    evaluator = pc.RankingEvaluator(TRUTH, ["ndcg@5", "mrr"], split="never")
    for rows in (slice(0, 2), slice(2, 4)):
        evaluator.update({name: KINDS[kind](column[rows]) for name, column in COLUMNS.items()})
    assert dict(evaluator.compute()) == dict(EXPECTED)


def test_a_truth_may_be_a_dict_of_columns() -> None:
    truth = {"user": [1, 1, 2], "item": [10, 11, 12], "rating": [2, 1, 1]}
    assert dict(pc.evaluate_ranking(truth, COLUMNS, ["ndcg@5", "mrr"])) == dict(EXPECTED)


def test_named_columns_decide() -> None:
    run = {"u": COLUMNS["user_id"], "i": COLUMNS["item_id"], "s": COLUMNS["score"]}
    roles = {"run.query": "u", "run.item": "i", "run.score": "s"}
    assert dict(pc.evaluate_ranking(TRUTH, run, ["ndcg@5", "mrr"], columns=roles)) == dict(EXPECTED)


def test_queries_with_such_names_stay_queries() -> None:
    truth = {"query": {"a": 1}, "item": {"b": 1}, "score": {"c": 1}}
    assert pc.evaluate_ranking(truth, {name: {"a": 0.5} for name in truth}, "mrr")["mrr"] == pytest.approx(1 / 3)
    assert pc.evaluate_ranking({"score": ["a"], "user": ["b"]}, {"score": ["a"], "user": ["c"]}, "mrr")["mrr"] == 0.5


@pytest.mark.parametrize(
    "run", [{"query": ["a", "b"], "item": ["c", "d"]}, {"user": [1, 1], "item": [2], "score": [0.5]}]
)
def test_where_both_are_likely_it_is_asked(run: dict[str, Any]) -> None:
    refused(pc.evaluate_ranking, {"q": {"a": 1}}, run).both_name("columns={'query': …", "'item'")
    if "query" in run:
        roles = {"query": "query", "item": "item"}
        truth = {"a": {"c": 1}, "b": {"d": 1}}
        assert pc.evaluate_ranking(truth, run, "mrr", columns=roles)["mrr"] == 1
