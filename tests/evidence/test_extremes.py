"""The largest, the longest and the most equal inputs: right numbers, or a sentence that says what is too large."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pyarrow as pa
import pytest

import pingce as pc
from pingce.base.core import native_core
from pingce.base.text import Text
from pingce.evidence.policies import Policies
from pingce.evidence.ranking import compute
from pingce.evidence.ranking.compute import ranking_evidence
from pingce.evidence.ranking.findings import Faults, Findings
from pingce.inputs import Ids, Rows
from pingce.inputs.columns import rows_of
from pingce.inputs.ids import IntIds
from pingce.metrics.grammar import parse_metrics
from pingce.run.rankings import RankingInputs
from pingce.run.score import score_metric

SANITIZED = "asan" in os.environ.get("LD_PRELOAD", "")
MILLION = 1_000_000
SIZES = [
    100_000 if SANITIZED else MILLION,
    pytest.param(10 * MILLION, marks=pytest.mark.deep("ten million rows take gigabytes")),
]

needs_core = pytest.mark.skipif(native_core() is None, reason="without the core these would take minutes")


def table(query: Any, item: Any, **number: Any) -> pa.Table:
    return pa.table({"query": query, "item": item, **number})


@needs_core
@pytest.mark.parametrize("size", SIZES)
def test_a_query_a_row(size: int) -> None:
    """Every second query finds its only item."""
    ids = np.arange(size)
    truth, run = table(ids, ids, grade=np.ones(size)), table(ids[::-1], (ids + ids % 2 * size)[::-1], score=ids % 7)
    scores = pc.evaluate_ranking(truth, run, ["rr", "num_q"])
    assert dict(scores) == {"rr": 0.5, "num_q": float(size)}
    assert (scores.counts["scored"], scores.counts["run_rows"], scores.counts["extra"]) == (size, size, 0)
    first = scores.per_query.slice(0, 4).to_pydict()
    assert (first["query"], first["rr"]) == ([0, 1, 2, 3], [1.0, 0.0, 1.0, 0.0])


@needs_core
@pytest.mark.parametrize("size", SIZES)
def test_one_query_with_all_rows(size: int) -> None:
    """Items stand by descending score; the odd ones are relevant."""
    ids, same = np.arange(size), np.zeros(size, np.int64)
    truth, run = table(same, ids, grade=ids % 2), table(same, ids, score=-ids)
    scores = pc.evaluate_ranking(truth, run, ["rr", "precision@10", "recall", "num_rel_ret"])
    assert dict(scores) == {"rr": 0.5, "precision@10": 0.5, "recall": 1.0, "num_rel_ret": size / 2}


@needs_core
@pytest.mark.parametrize("ties", ["id", "id_ascending", "order", "expected", "worst", "best"])
def test_a_million_equal_scores(ties: str) -> None:
    """One item of a million is relevant: the quarter by id, the third in the order given."""
    size, ids = MILLION, np.arange(MILLION)
    wanted, place = size // 4, size // 3
    items = np.roll(ids, place - wanted)
    truth = table([0], [wanted], grade=[1])
    run = table(np.zeros(size, np.int64), items, score=np.zeros(size))
    assert items[place] == wanted
    value = pc.evaluate_ranking(truth, run, ["rr"], ties=ties)["rr"]  # type: ignore[arg-type]
    if ties == "expected":
        assert value == pytest.approx(math.fsum(1 / np.arange(1.0, size + 1)) / size, rel=1e-12)
    else:
        rank = {"id": size - wanted, "id_ascending": wanted + 1, "order": place + 1, "worst": size, "best": 1}[ties]
        assert value == 1 / rank


LEAST, MOST = -(2**63), 2**63 - 1


def test_integer_ids_at_the_edges_of_64_bits() -> None:
    """They are told apart, and ordered by value: the largest first among equals."""
    edge = np.array([LEAST, LEAST + 1, -1, 0, MOST - 1, MOST])
    truth = table(edge, edge, grade=[1] * 6)
    scores = pc.evaluate_ranking(truth, table(edge[::-1], edge[::-1], score=[1] * 6), ["rr"])
    assert (scores["rr"], scores.per_query["query"].to_pylist()) == (1.0, edge.tolist())
    tied = table([MOST] * 6, edge, score=[1] * 6)
    for rank, item in enumerate(edge[::-1], 1):
        assert pc.evaluate_ranking(table([MOST], [item], grade=[1]), tied, ["rr"])["rr"] == 1 / rank


def test_the_edges_of_64_bits_in_text(tmp_path: Path) -> None:
    """A text file has the same integers as a table; one beyond the edge is no integer."""
    run = table([LEAST, MOST], [MOST, LEAST], score=[1, 1])
    path = tmp_path / "edge.qrels"
    path.write_text(f"{LEAST} 0 {MOST} 1\n{MOST} 0 {LEAST} 1\n")
    assert pc.evaluate_ranking(path, run, ["rr"])["rr"] == 1.0
    for beyond in (MOST + 1, LEAST - 1):
        path.write_text(f"{beyond} 0 {MOST} 1\n")
        with pytest.raises(pc.InputError, match="no query in common"):
            pc.evaluate_ranking(path, run, ["rr"])


@pytest.mark.parametrize("where", ["table", "dict"])
def test_integer_ids_beyond_64_bits_are_refused(where: str) -> None:
    beyond = 2**63
    data = {beyond: {1: 1.0}} if where == "dict" else table(pa.array([beyond], pa.uint64()), [1], score=[1.0])
    with pytest.raises(pc.InputError, match="beyond 64-bit") as caught:
        pc.read_run(data)
    assert "超出 64 位" in caught.value.text.zh


class Untouched(Ids):
    """Ids of which only the number may be asked."""

    def __init__(self, size: int, *, integers: bool = True) -> None:
        self.size, self.integers = size, integers

    def __len__(self) -> int:
        return self.size

    def plain(self) -> NoReturn:
        raise AssertionError("the ids were read")

    def pieces(self) -> NoReturn:
        self.plain()

    def take(self, rows: Any) -> NoReturn:
        self.plain()


TOO_MANY = 2**32 - 1


def endless(name: str, *, integers: bool = True) -> Rows:
    """More rows than can be numbered, in no memory at all."""
    ids = Untouched(TOO_MANY, integers=integers)
    source = replace(rows_of(Text(name, name)), untyped_ids=not integers)
    return Rows(ids, ids, np.broadcast_to(np.float64(1), TOO_MANY), source)


def few(name: str) -> Rows:
    ids = IntIds(np.arange(3))
    return Rows(ids, ids, np.ones(3), rows_of(Text(name, name)))


def scores_of(truth: Rows, run: Rows, exclude: Rows) -> Any:
    (metric,) = parse_metrics("rr")
    return score_metric(metric, Policies(), RankingInputs(truth, run, exclude))


@pytest.mark.parametrize("integers", [True, False], ids=["integers", "text"])
@pytest.mark.parametrize("side", ["truth", "run", "exclude"])
@pytest.mark.parametrize("ask", [ranking_evidence, scores_of])
def test_more_rows_than_can_be_numbered_are_refused_unread(ask: Callable[..., Any], side: str, integers: bool) -> None:
    rows = {name: few(name) for name in ("truth", "run", "exclude")}
    rows[side] = endless(side, integers=integers)
    with pytest.raises(pc.InputError) as caught:
        ask(rows["truth"], rows["run"], exclude=rows["exclude"])
    english, chinese = caught.value.text
    assert english.startswith(f"{side} has 4294967295 rows, more than the 4294967294 that one call can take")
    assert "4294967295 行" in chinese
    assert "4294967294" in chinese


class Somewhere(IntIds):
    """Ids of billions of rows that are all 7."""

    def take(self, rows: Any) -> IntIds:
        return IntIds(np.full(len(rows), 7))


def billions() -> Rows:
    ids = Somewhere(np.broadcast_to(np.int64(7), TOO_MANY - 1))
    return Rows(ids, ids, np.broadcast_to(np.float64(1), TOO_MANY - 1), rows_of(Text("the run", "预测")))


FAR = 2**31 + 5
FAULTS: dict[str, tuple[dict[str, Any], str, str]] = {
    "long_query": (
        {"long_query": FAR},
        "row 2147483653 of the run (query '7', item '7'): this query has more than 2,147,483,647 rows",
        "该查询超过 2,147,483,647 行",
    ),
    "nan_row": (
        {"nan_row": FAR},
        "row 2147483653 of the run (query '7', item '7'): the score is not a number (6000000000 in all)",
        "共 6000000000 处",
    ),
    "run_duplicate": (
        {"run_duplicate": (FAR, 2**32 - 7)},
        "row 2147483653 of the run (query '7', item '7') stands again at row 4294967289 of the run (6000000000 repeated",
        "预测第 4294967289 行",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_places_and_counts_beyond_31_bits(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the core would say of billions of rows, said without them."""
    fault, english, chinese = FAULTS[name]
    columns = dict.fromkeys(("nan_rows", "truth_repeats", "run_repeats"), np.array([3 * 10**9, 3 * 10**9]))
    found = Findings(columns, Faults(**fault))
    monkeypatch.setattr(compute, "_compute", lambda *_, **__: found)
    with pytest.raises(pc.InputError) as caught:
        ranking_evidence(few("truth"), billions(), Policies())
    assert english in caught.value.text.en
    assert chinese in caught.value.text.zh
    assert "-" not in caught.value.text.en
