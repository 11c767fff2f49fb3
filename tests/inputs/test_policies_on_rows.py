"""Scores that are no numbers, items given twice, scores rounded first: each policy by hand, in every way to read rows."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import pingce as pc

from .samples import parquet_bytes, write

pytestmark = pytest.mark.usefixtures("core")

Pairs = list[tuple[str, float]]
INF, NAN = float("inf"), float("nan")


def as_trec(pairs: Pairs, folder: Path) -> Any:
    return write(folder, "r", "".join(f"q Q0 {item} 0 {score!r} t\n" for item, score in pairs))


def as_qrels(pairs: Pairs, folder: Path) -> Any:
    return write(folder, "t", "".join(f"q 0 {item} {grade!r}\n" for item, grade in pairs))


def as_csv(pairs: Pairs, folder: Path) -> Any:
    return write(folder, "r.csv", "qid,docid,score\n" + "".join(f"q,{item},{score!r}\n" for item, score in pairs))


def as_table(pairs: Pairs, folder: Path) -> Any:
    return pa.table(
        {"qid": ["q"] * len(pairs), "docid": [item for item, _ in pairs], "score": [score for _, score in pairs]}
    )


FORMS = pytest.mark.parametrize("form", [as_trec, as_csv, as_table], ids=["trec", "csv", "table"])
Form = Callable[[Pairs, Path], Any]


@FORMS
@pytest.mark.parametrize(("nan", "rr"), [("last", 1 / 3), ("first", 1.0), ("drop", 0.0)])
def test_nan(form: Form, nan: str, rr: float, tmp_path: Path) -> None:
    run = form([("b", -INF), ("a", NAN), ("c", INF)], tmp_path)
    scores = pc.evaluate_ranking({"q": {"a": 1}}, run, "rr", nan=nan)  # type: ignore[arg-type]
    assert (scores["rr"], scores.counts["nan"]) == (rr, 1)


@pytest.mark.parametrize(("nan", "rr"), [("last", 0.5), ("first", 0.5)])
def test_scores_of_nan_tie_with_one_another(nan: str, rr: float) -> None:
    run = {"q": {"a": NAN, "b": NAN}}
    scores = pc.evaluate_ranking({"q": {"a": 1}}, run, "rr", nan=nan)  # type: ignore[arg-type]
    assert (scores["rr"], scores.counts["nan"], scores.counts["ties"]["rr"]["queries"]) == (rr, 2, 1)


def test_a_query_that_loses_all_rows_was_answered() -> None:
    run = {"q": {"a": NAN}, "p": {"a": 1.0}}
    scores = pc.evaluate_ranking({"q": {"a": 1}, "p": {"a": 1}}, run, "rr", nan="drop")
    assert (scores["rr"], scores.counts["missing"]) == (0.5, 0)


def test_nan_where_nothing_is_judged_does_not_matter() -> None:
    run = {"q": {"a": 1.0}, "unjudged": {"a": NAN}}
    scores = pc.evaluate_ranking({"q": {"a": 1}}, run, "rr")
    assert (scores["rr"], scores.counts["nan"]) == (1, 0)


@FORMS
@pytest.mark.parametrize(("duplicates", "rr"), [("first", 1 / 2), ("last", 1 / 3), ("best", 1.0)])
def test_duplicates_in_the_run(form: Form, duplicates: str, rr: float, tmp_path: Path) -> None:
    run = form([("a", 1.0), ("b", 2.0), ("a", 3.0), ("c", 0.5), ("a", 0.0)], tmp_path)
    scores = pc.evaluate_ranking({"q": {"a": 1}}, run, "rr", duplicates=duplicates)  # type: ignore[arg-type]
    assert (scores["rr"], scores.counts["duplicates"]) == (rr, 2)


@pytest.mark.parametrize(("duplicates", "grade"), [("first", 1.0), ("last", 2.0), ("best", 3.0)])
@pytest.mark.parametrize("form", [as_qrels, as_csv, as_table], ids=["trec", "csv", "table"])
def test_duplicates_in_the_truth(form: Form, duplicates: str, grade: float, tmp_path: Path) -> None:
    truth = form([("a", 1), ("a", 3), ("b", 1), ("a", 2)], tmp_path)
    scores = pc.evaluate_ranking(truth, {"q": {"a": 1.0}}, ["cg@1", "num_rel"], duplicates=duplicates)  # type: ignore[arg-type]
    assert (scores["cg@1"], scores["num_rel"], scores.counts["duplicates"]) == (grade, 2, 2)


def test_duplicates_of_both_sides_are_counted_together(tmp_path: Path) -> None:
    truth, run = as_qrels([("a", 1), ("a", 1)], tmp_path), as_trec([("b", 1.0), ("b", 2.0), ("a", 3.0)], tmp_path)
    assert pc.evaluate_ranking(truth, run, "rr", duplicates="last").counts["duplicates"] == 2


@pytest.mark.parametrize(("duplicates", "rr"), [("first", 1.0), ("last", 0.5), ("best", 1.0)])
def test_duplicates_in_a_list(duplicates: str, rr: float) -> None:
    assert pc.evaluate_ranking({"q": {"a": 1}}, {"q": ["a", "b", "a"]}, "rr", duplicates=duplicates)["rr"] == rr  # type: ignore[arg-type]


@pytest.mark.parametrize(("nan", "rr"), [("last", 0.5), ("first", 1.0)])
def test_the_best_of_a_number_and_nan(nan: str, rr: float) -> None:
    run = as_table([("a", NAN), ("a", 1.0), ("b", 2.0)], Path())
    assert pc.evaluate_ranking({"q": {"a": 1}}, run, "rr", duplicates="best", nan=nan)["rr"] == rr  # type: ignore[arg-type]


@FORMS
@pytest.mark.parametrize(("score_type", "rr"), [("given", 1.0), ("float64", 1.0), ("float32", 0.5)])
def test_float32_makes_ties(form: Form, score_type: str, rr: float, tmp_path: Path) -> None:
    run = form([("a", 0.1 + 1e-12), ("b", 0.1)], tmp_path)
    scores = pc.evaluate_ranking({"q": {"a": 1}}, run, "rr", score_type=score_type)  # type: ignore[arg-type]
    assert scores["rr"] == rr
    assert (scores.counts["ties"] == {}) == (score_type != "float32")


def test_float32_has_no_number_beyond_its_largest() -> None:
    run = {"q": {"a": 1e300, "b": 1e200, "c": 1.0}}
    scores = pc.evaluate_ranking({"q": {"a": 1}}, run, "rr", score_type="float32")
    assert (scores["rr"], scores.counts["ties"]["rr"]["best"]) == (0.5, 1.0)


@FORMS
def test_infinite_scores_are_ordered(form: Form, tmp_path: Path) -> None:
    run = form([("a", -INF), ("b", 1e308), ("c", INF), ("d", -1e308)], tmp_path)
    for item, rank in (("c", 1), ("b", 2), ("d", 3), ("a", 4)):
        scores = pc.evaluate_ranking({"q": {item: 1}}, run, "rr")
        assert (scores["rr"], scores.counts["nan"], scores.counts["ties"]) == (1 / rank, 0, {})


@FORMS
@pytest.mark.parametrize(("ties", "item"), [("id", "b"), ("id_ascending", "a")])
@pytest.mark.parametrize("zeros", [(0.0, -0.0), (-0.0, 0.0)])
def test_minus_zero_ties_with_zero(
    form: Form, ties: str, item: str, zeros: tuple[float, float], tmp_path: Path
) -> None:
    run = form([("a", zeros[0]), ("b", zeros[1])], tmp_path)
    scores = pc.evaluate_ranking({"q": {item: 1}}, run, "rr", ties=ties)  # type: ignore[arg-type]
    assert (scores["rr"], scores.counts["ties"]["rr"]["worst"]) == (1.0, 0.5)


BIG: dict[str, Any] = {"qid": ["q", "q"], "docid": ["a", "b"], "score": [2**53 + 1, 2**53]}
BIG_RUNS: dict[str, Callable[[Path], Any]] = {
    "pyarrow": lambda _: pa.table(BIG),
    "pyarrow uint64": lambda _: pa.table(BIG | {"score": pa.array([2**64 - 1, 2**64 - 2], pa.uint64())}),
    "below zero": lambda _: pa.table(BIG | {"score": [-(2**53), -(2**53) - 1]}),
    "with a small one": lambda _: pa.table(
        {"qid": ["q"] * 3, "docid": ["c", "a", "b"], "score": [5, 2**62 + 1, 2**62]}
    ),
    "with a null": lambda _: pa.table({"qid": ["q"] * 3, "docid": ["c", "a", "b"], "score": [None, 2**62 + 1, 2**62]}),
    "pandas": lambda _: pd.DataFrame(BIG),
    "polars": lambda _: pl.DataFrame(BIG),
    "parquet": lambda folder: write(folder, "r.parquet", parquet_bytes(pa.table(BIG))),
    "jsonl": lambda folder: write(
        folder,
        "r.jsonl",
        "".join(json.dumps(dict(zip(BIG, row, strict=True))) + "\n" for row in zip(*BIG.values(), strict=True)),
    ),
    "dict": lambda _: {"q": {"a": 2**53 + 1, "b": 2**53}},
    "json": lambda folder: write(folder, "r.json", json.dumps({"q": {"a": 2**53 + 1, "b": 2**53}})),
}


@pytest.mark.parametrize("form", BIG_RUNS)
def test_large_integers_do_not_tie(form: str, tmp_path: Path) -> None:
    """2^53 + 1 and 2^53 are one number as doubles."""
    scores = pc.evaluate_ranking({"q": {"a": 1}}, BIG_RUNS[form](tmp_path), "rr", nan="last")
    assert (scores["rr"], scores.counts["ties"]) == (1.0, {})


@pytest.mark.parametrize("score_type", ["float32", "float64"])
def test_large_integers_tie_where_they_are_asked_to(score_type: str) -> None:
    scores = pc.evaluate_ranking({"q": {"a": 1}}, pa.table(BIG), "rr", score_type=score_type)  # type: ignore[arg-type]
    assert scores.counts["ties"]["rr"]["queries"] == 1


def test_ranks_are_not_scores() -> None:
    """2^24 and 2^24 + 1 are one number as float32, but two ranks."""
    run = pa.table({"qid": ["q", "q"], "docid": ["a", "b"], "rank": [2**24, 2**24 + 1]})
    assert pc.evaluate_ranking({"q": {"a": 1}}, run, "rr", score_type="float32")["rr"] == 1.0
