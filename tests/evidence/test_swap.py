"""Truth and run in the wrong order are refused where that is clear, and said where it is likely; never elsewhere."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv, parquet

import pingce as pc
from pingce.base.errors import InputError, PingceWarning

QUERIES = 20
MANY = 600


def table(depth: int, numbers: Any, name: str = "score") -> pa.Table:
    """So many items for each query, with the numbers that a function of (query, item) gives."""
    pairs = [(query, item) for query in range(QUERIES) for item in range(depth)]
    values = [numbers(*pair) for pair in pairs]
    ids = {"query": [f"q{query}" for query, _ in pairs], "item": [f"d{item}" for _, item in pairs]}
    return pa.table({**ids, name: values})


def score(query: int, item: int) -> float:
    return float(np.sin(1 + 7 * query + 13 * item))


def grade(query: int, item: int) -> int:
    return (query + 2 * item) % 4


RUN, GRADES = table(30, score), table(4, grade, "rating")
HELD_OUT = table(1, lambda *_: 1, "rating")
POOL = table(30, grade, "rating")


def nested(rows: pa.Table) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for query, item, number in zip(*(column.to_pylist() for column in rows.columns), strict=True):
        found.setdefault(query, {})[item] = number
    return found


def swap_warnings(truth: Any, run: Any, **options: Any) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", PingceWarning)
        pc.evaluate_ranking(truth, run, ["ndcg@10"], **options)
    return [str(one.message) for one in caught if "swapped" in str(one.message)]


def longer(parts: list[pa.Table]) -> pa.Table:
    """Tables of other queries, one after another, so that more than a thousand rows come first."""
    queries = [f"{place}{query}" for place, part in enumerate(parts) for query in part["query"].to_pylist()]
    items, scores = (
        pa.chunked_array([part[at].cast(kind) for part in parts]) for at, kind in ((1, "string"), (2, "double"))
    )
    return pa.table({"query": queries, "item": items, "score": scores})


def whole(run: pa.Table, _: Path) -> Any:
    return pc.evaluate_ranking(DEEP, run, ["ndcg@10"])


def streamed(run: pa.Table, folder: Path) -> Any:
    parquet.write_table(run, folder / "run.parquet")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pingce.base.memory.SMALLEST", 1)
        patch.setattr("pingce.run.feed._lists_at_once", None)
        return pc.evaluate_ranking(DEEP, folder / "run.parquet", ["ndcg@10"], memory=40_000)


def batched(run: pa.Table, _: Path) -> Any:
    return evaluator_of(run).compute()


def travelled(run: pa.Table, _: Path) -> Any:
    half = len(run) // 2
    pieces = [evaluator_of(part) for part in (run.slice(0, half), run.slice(half))]
    both = pc.RankingEvaluator(DEEP, ["ndcg@10"], split="never")
    for piece in pieces:
        both.merge(pc.RankingEvaluator.from_bytes(piece.to_bytes()))
    return both.compute()


def evaluator_of(run: pa.Table) -> pc.RankingEvaluator:
    """An evaluator that has seen a run whose queries have four rows each, and has made evidence twice."""
    evaluator = pc.RankingEvaluator(DEEP, ["ndcg@10"], split="never")
    for begin in range(0, len(run), 400):
        evaluator.update(run.slice(begin, 400))
        evaluator._state.settle()
    return evaluator


DEEP = longer([RUN] * (MANY // QUERIES + 2))
WHOLE_PART, OTHER_PART = [GRADES] * (MANY // QUERIES), [table(4, score)] * 2
ORDERS = {
    "whole numbers first": longer(WHOLE_PART + OTHER_PART),
    "fractions first": longer(OTHER_PART + WHOLE_PART),
}


@pytest.mark.parametrize("reading", [whole, batched, travelled, streamed])
@pytest.mark.parametrize("order", ORDERS)
def test_fractions_anywhere_in_a_run_show_that_it_is_one(order: str, reading: Any, tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("error", ".*swapped", PingceWarning)
        assert reading(ORDERS[order], tmp_path)["ndcg@10"] >= 0


@pytest.mark.parametrize("reading", [whole, batched, travelled, streamed])
def test_a_tie_anywhere_in_a_long_run_of_grades_shows_the_swap(reading: Any, tmp_path: Path) -> None:
    places = [table(4, lambda _, item: 1 + item)] * (MANY // QUERIES)
    with warnings.catch_warnings():
        warnings.filterwarnings("error", ".*swapped", PingceWarning)
        reading(longer(places), tmp_path)
    for parts in (places + OTHER_GRADES, OTHER_GRADES + places):
        with pytest.raises(InputError, match="look swapped"):
            reading(longer(parts), tmp_path)


OTHER_GRADES = [table(4, lambda *_: 1)] * 2


def test_a_side_that_was_named_stays_so_when_the_state_travels() -> None:
    named = {"truth.grade": "score"}
    evaluator = pc.RankingEvaluator(None, ["ndcg@10"], split="never", columns=named)
    evaluator.update(GRADES, qrels=RUN)
    assert pc.RankingEvaluator.from_bytes(evaluator.to_bytes()).compute()["ndcg@10"] > 0


@pytest.mark.parametrize("truth", [GRADES, HELD_OUT, POOL], ids=["graded", "held out", "pool"])
@pytest.mark.parametrize("shape", ["table", "dict"])
def test_a_clear_swap_is_refused_and_its_way_out_works(truth: pa.Table, shape: str) -> None:
    sides: tuple[Any, Any] = (truth, RUN) if shape == "table" else (nested(truth), nested(RUN))
    assert not swap_warnings(*sides)
    with pytest.raises(InputError, match="look swapped") as problem:
        pc.evaluate_ranking(sides[1], sides[0], ["ndcg@10"])
    assert "颠倒" in problem.value.text.zh
    assert "truth.grade" in problem.value.text.zh
    assert not swap_warnings(sides[1], sides[0], columns={"truth.grade": "score"})


def test_a_swap_of_files_of_batches_and_of_several_runs_is_refused(tmp_path: Path) -> None:
    truth, run = tmp_path / "truth.csv", tmp_path / "run.parquet"
    csv.write_csv(GRADES, truth)
    parquet.write_table(RUN, run)
    with pytest.raises(InputError, match="look swapped"):
        pc.evaluate_ranking(run, truth, ["ndcg@10"])
    meant = pc.evaluate_ranking(run, truth, ["ndcg@10"], columns={"truth.grade": "score"})
    assert 0 < meant["ndcg@10"] < 1
    evaluator = pc.RankingEvaluator(RUN, ["ndcg@10"], split="never")
    evaluator.update(GRADES.slice(0, 40)).update(GRADES.slice(40))
    with pytest.raises(InputError, match="look swapped"):
        evaluator.compute()
    with pytest.raises(InputError, match="look swapped"):
        pc.compare(RUN, {"one": GRADES, "two": HELD_OUT}, ["ndcg@10"])


def test_a_likely_swap_is_said() -> None:
    few = {"q": {"a": 0.9, "b": 0.85, "c": 0.7}}, {"q": {"a": 3, "b": 1}}
    assert len(swap_warnings(*few)) == 1
    assert not swap_warnings(few[1], few[0])
    ordered = table(30, lambda query, item: 10 * query + item)
    assert len(swap_warnings(ordered, GRADES)) == 1
    bare = RUN.drop_columns(["score"])
    assert len(swap_warnings(bare, table(4, lambda query, item: (query + item) % 2))) == 1


HONEST: dict[str, tuple[pa.Table, pa.Table]] = {
    "a deep pool and a shallow run": (POOL, table(3, score)),
    "half stars and votes": (table(30, lambda q, i: (1 + grade(q, i)) / 2), table(5, grade)),
    "ratings and whole scores": (table(30, lambda q, i: 1 + (q + i) % 5), table(30, lambda q, i: (3 * q + i) % 50)),
    "measured times and ranks as scores": (table(30, score), table(10, lambda _, i: 10 - i)),
    "measured times and minus the rank": (table(30, score), table(10, lambda _, i: -1 - i)),
    "no grades and a single item": (RUN.drop_columns(["score"]), table(1, lambda *_: 1)),
    "ratings and a single item": (table(30, lambda q, i: 1 + (q + i) % 5), table(1, lambda *_: 1)),
    "soft labels and votes": (table(30, score), table(10, lambda q, i: 40 + (q * i) % 9)),
}


@pytest.mark.parametrize("case", HONEST)
def test_what_only_resembles_a_swap_is_left_alone(case: str) -> None:
    assert not swap_warnings(*HONEST[case], relevant="any")
