"""Blocks of dense scores give an evaluator what the same matrix gives as a run."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pingce as pc
from pingce.factors import dense

METRICS = ["ndcg@3", "map", "recall@2", "mean_rank"]


def blocks(
    seed: int,
) -> tuple[np.ndarray[Any, Any], dict[str, dict[str, int]], dict[str, list[str]], list[str], list[str]]:
    rng = np.random.default_rng(seed)
    users, items = int(rng.integers(2, 9)), int(rng.integers(2, 5000 if seed % 5 == 0 else 30))
    scores = rng.integers(-3, 4, (users, items)).astype([np.float32, np.float64, np.float16][seed % 3])
    scores[rng.random(scores.shape) < 0.1] = -np.inf
    queries, names = [f"q{user}" for user in range(users)], [f"i{item * 7919 % 10007}" for item in range(items)]

    def some(most: int) -> list[str]:
        return [names[item] for item in rng.choice(items, rng.integers(1, most + 1), replace=False)]

    truth = {query: dict.fromkeys(some(min(items, 5)), 1) for query in queries if rng.random() < 0.8} or {
        "q0": {"i0": 1}
    }
    return scores, truth, {query: some(min(items, 4)) for query in queries[::2]}, queries, names


@pytest.mark.filterwarnings("ignore::pingce.PingceWarning")
@given(
    seed=st.integers(0, 10**6),
    split=st.sampled_from(["never", "allowed"]),
    ties=st.sampled_from(["id", "order", "worst"]),
)
def test_blocks_give_the_scores_of_the_matrix(seed: int, split: str, ties: str) -> None:
    scores, truth, exclude, queries, names = blocks(seed)
    metrics = METRICS + (["coverage@2"] if seed % 2 else [])
    beside: dict[str, Any] = {"items": names, "exclude": exclude, "catalog": len(names), "ties": ties}
    evaluator = pc.RankingEvaluator(truth, metrics, split=split, **beside)
    half = len(queries) // 2
    evaluator.update_scores(queries[:half], scores[:half]).update_scores(queries[half:], scores[half:])
    wanted = pc.evaluate_ranking(truth, scores, metrics, queries=queries, **beside)
    counted = evaluator.compute()
    assert dict(counted) == pytest.approx(dict(wanted), abs=0, nan_ok=True)
    assert counted.counts == wanted.counts
    assert counted.per_query.equals(wanted.per_query)


def test_blocks_without_a_compiler_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    scores, truth, exclude, queries, names = blocks(7)

    def value() -> dict[str, float]:
        evaluator = pc.RankingEvaluator(truth, METRICS, split="never", items=names, exclude=exclude)
        return dict(evaluator.update_scores(queries, scores).compute())

    wanted = value()
    monkeypatch.setattr(dense, "native_core", lambda: None)
    assert value() == wanted


@pytest.mark.parametrize(("queries", "scores", "sentence", "chinese"), [
    (["a"], [[1.0], [2.0]], "there are 1 queries for 2 rows of scores", "有 1 个查询，而分数有 2 行"),
    (["a"], [[np.nan, 1.0]], "row 0, column 0 is not a number, nor are 0 others; give -inf", "不是数字"),
    (["a"], [1.0, 2.0], "shape 2 and the type float64; needed is a matrix", "应为每个查询一行"),
    (["a", "a"], [[1.0], [2.0]], "row 1 of queries has the id 'a', which row 0 has too", "请为每行给出不同的编号"),
])  # fmt: skip
def test_what_is_wrong_with_a_block_is_said(queries: list[str], scores: Any, sentence: str, chinese: str) -> None:
    evaluator = pc.RankingEvaluator({"a": {0: 1}}, ["mrr"], split="never")
    with pytest.raises(pc.InputError, match=sentence) as refusal:
        evaluator.update_scores(queries, np.array(scores))
    assert chinese in refusal.value.text.zh


def test_columns_are_as_many_as_their_names() -> None:
    evaluator = pc.RankingEvaluator({"a": {"x": 1}}, ["mrr"], split="never", items=["x", "y"])
    with pytest.raises(pc.InputError, match="items= has 2 ids, but there are 3 columns of scores"):
        evaluator.update_scores(["a"], np.ones((1, 3)))


def test_a_block_of_scores_says_that_the_run_is_no_truth(recwarn: pytest.WarningsRecorder) -> None:
    """Few small whole numbers beside many fractions look swapped; a matrix of scores is no truth."""
    truth = {query: {f"i{item}": item / 8 for item in range(1, 9)} for query in ("q0", "q1")}
    rows = {"q1": {"i1": 3, "i2": 1}}
    with pytest.warns(pc.PingceWarning, match="look swapped"):
        pc.RankingEvaluator(truth, ["ndcg@3"], split="never").update(rows).compute()
    recwarn.clear()
    warnings.simplefilter("always")
    evaluator = pc.RankingEvaluator(truth, ["ndcg@3"], split="never", items=["i1", "i2"])
    evaluator.update_scores(["q0"], np.array([[0.5, 0.25]])).update(rows).compute()
    assert [str(each.message) for each in recwarn] == []
