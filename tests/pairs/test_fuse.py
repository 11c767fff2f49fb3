"""Several runs as one: the core and NumPy agree, files are whole, searches are told by what they did not see."""

from __future__ import annotations

import math
import random
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

import pingce as pc
from pingce.evidence.policies import ORDERS
from pingce.evidence.ranking import aligned, compute
from pingce.fusion import call, methods

QUERIES = [f"q{number}" for number in range(40)]


def make_run(seed: int, items: str = "abcdefgh") -> dict[str, dict[str, float]]:
    chance = random.Random(seed)
    return {
        query: {item: chance.randint(0, 6) / 2 for item in chance.sample(items, chance.randint(1, len(items)))}
        for query in chance.sample(QUERIES, 30)
    }


def options_for(method: str) -> dict[str, Any]:
    """What a method cannot do without: weights, or what it learns from."""
    if methods.METHODS[method].learner is not None:
        truth = {query: {"a": 1, "b": 0, "e": 2} for query in QUERIES[5:]}
        tunes = methods.METHODS[method].tunes
        return {"qrels": truth, "hold_out": 0.3} | ({tunes: 2} if tunes else {})
    return {"weights": [0.2, 0.5, 0.3]} if methods.METHODS[method].needs_weights else {}


@pytest.mark.parametrize("method", methods.METHODS)
@pytest.mark.parametrize("ties", ORDERS)
def test_the_core_and_numpy_agree_to_the_bit(method: str, ties: str, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = [make_run(seed) for seed in range(3)]
    fused = [pc.fuse(runs, method, ties=ties, threads=threads, **options_for(method)) for threads in (1, 3)]
    with monkeypatch.context() as without:
        for module in (aligned, call, compute, methods):
            without.setattr(module, "native_core", lambda: None)
        fused.append(pc.fuse(runs, method, ties=ties, **options_for(method)))
    assert fused[0].table.equals(fused[1].table)
    assert fused[0].table.equals(fused[2].table)
    assert set(fused[0].to_dict()) == {query for run in runs for query in run}


def test_lists_longer_than_the_first_table_of_points(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = [{"q": [f"d{number}" for number in range(5000)]}, {"q": ["d4999"]}]
    fused = pc.fuse(runs).to_dict()["q"]
    assert fused["d4999"] == 1 / 5060 + 1 / 61
    monkeypatch.setattr(call, "_POINTS", 1)
    assert pc.fuse(runs).to_dict()["q"] == fused


def test_weights_of_rrf_scale_its_points() -> None:
    fused = pc.fuse([{"q": ["a"]}, {"q": ["b"]}], weights=[1, 3], k=9).to_dict()
    assert fused == {"q": {"b": 3 * (1 / 10), "a": 1 / 10}}


def test_a_fused_run_is_a_run(tmp_path: Path) -> None:
    fused = pc.fuse({"A": make_run(1), "B": make_run(2)})
    truth = {query: {"a": 1} for query in QUERIES}
    value = pc.evaluate_ranking(truth, fused, ["ndcg@10"])["ndcg@10"]
    for name in ("fused.run", "fused.parquet", "fused.csv", "fused.tsv"):
        fused.write(tmp_path / name)
        assert pc.evaluate_ranking(truth, tmp_path / name, ["ndcg@10"])["ndcg@10"] == value
    assert pc.evaluate_ranking(truth, fused.rows, ["ndcg@10"])["ndcg@10"] == value
    assert pc.evaluate_ranking(truth, fused.to_dict(), ["ndcg@10"])["ndcg@10"] == value
    assert pq.read_table(tmp_path / "fused.parquet").equals(fused.to_arrow())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["fused.csv", "fused.parquet", "fused.run", "fused.tsv"]
    assert fused.names == ("A", "B")


def test_ids_with_spaces_do_not_go_into_lines_of_words(tmp_path: Path) -> None:
    fused = pc.fuse([{"q": ["a b"]}, {"q": ["c"]}])
    with pytest.raises(pc.InputError, match="white space"):
        fused.write(tmp_path / "fused.run")
    assert not list(tmp_path.iterdir())
    fused.write(tmp_path / "fused.parquet")
    odd = pc.fuse([{"q": ['a,"b']}, {"q": ["c"]}])
    odd.write(tmp_path / "odd.csv")
    assert pc.read_run(tmp_path / "odd.csv").item.to_list() == odd.rows.item.to_list()


def test_a_search_is_told_by_queries_that_it_did_not_see() -> None:
    truth = {query: {"a": 1} for query in QUERIES}
    good = {query: {"a": 1.0, "b": 0.5, "c": 0.1} for query in QUERIES}
    bad = {query: {"c": 1.0, "b": 0.5, "a": 0.1} for query in QUERIES}
    fused = pc.fuse([bad, good], "wsum", qrels=truth, metric="mrr", hold_out=0.25)
    search = fused.search
    assert search is not None
    assert (search.train, search.held_out, search.tuned) == (1.0, 1.0, "weights")
    assert sum(search.queries) == len(QUERIES)
    assert 0 < search.queries[1] < 20
    assert [point for point, _ in search.tried] == [(i / 10, (10 - i) / 10) for i in range(11)]
    assert fused.settings["weights"] == list(search.best)  # type: ignore[arg-type]
    again = pc.fuse([bad, good], "wsum", qrels=truth, metric="mrr", hold_out=0.25).search
    assert again == search
    assert max(value for _, value in search.tried) == search.train
    assert pc.fuse([bad, good], "rrf", qrels=truth, hold_out=0).search.held_out is None  # type: ignore[union-attr]


@pytest.mark.parametrize(("keywords", "words"), [
    ({"method": "wsm"}, "did you mean 'wsum'"),
    ({"method": "bayesfuse"}, "learns from judgements what ranks are worth: give qrels="),
    ({"method": "segfuse", "norm": "borda", "qrels": {"q": {"a": 1}}}, "changes the ranks"),
    ({"method": "probfuse", "segments": 0, "qrels": {"q": {"a": 1}}}, "segments=0: a whole number from 1"),
    ({"method": "slidefuse", "window": 2.5, "qrels": {"q": {"a": 1}}}, "window=2.5: a whole number from 1"),
    ({"method": "mapfuse", "weights": [1, 2], "qrels": {"q": {"a": 1}}, "hold_out": 0}, "has none"),
    ({"method": "mapfuse", "qrels": {"p": {"a": 1}}, "hold_out": 0}, "no quer"),
    ({"method": "sum", "norm": "odd"}, "choose one of"),
    ({"norm": "min_max"}, "ranks and not at scores"),
    ({"method": "wsum"}, "needs a weight"),
    ({"method": "sum", "weights": [1, 2]}, "has none"),
    ({"weights": [1]}, "1 weight for 2 runs"),
    ({"weights": [1, -1]}, "from 0"),
    ({"method": "rbc", "phi": 2}, "from 0 to 1"),
    ({"method": "sum", "qrels": {"q": {"a": 1}}}, "no number to look for"),
    ({"method": "wsum", "qrels": {"q": {"a": 1}}, "hold_out": 1}, "hold_out"),
    ({"method": "wsum", "qrels": {"q": {"a": 1}}, "hold_out": 0.5}, "no judged query"),
    ({"ties": "expected"}, "one rank"),
    ({"method": "sum", "segments": 3}, "segments=3: sum has no segments; leave it out, or choose probfuse"),
    ({"window": 3}, "window=3: rrf has no window; leave it out, or choose slidefuse"),
    ({"method": "sum", "k": 10}, "k=10: sum has no k; leave it out, or choose rrf"),
])  # fmt: skip
def test_what_makes_no_sense_is_refused(keywords: dict[str, Any], words: str) -> None:
    with pytest.raises(pc.InputError, match=words):
        pc.fuse([{"q": ["a"]}, {"q": ["b"]}], **keywords)


def test_runs_that_cannot_be_fused_are_refused() -> None:
    with pytest.raises(pc.InputError, match="1 run cannot be fused"):
        pc.fuse([{"q": ["a"]}])
    with pytest.raises(pc.InputError, match="give a list of runs"):
        pc.fuse("a.run")
    with pytest.raises(pc.InputError, match="the fused score is not a number"):
        pc.fuse([{"q": {"a": math.inf, "b": 1.0}}, {"q": {"a": 1.0}}], "sum")
    with pytest.raises(pc.InputError, match="stands again"):
        pc.fuse([{"q": ["a", "a"]}, {"q": ["a"]}])


def test_row_order_does_not_change_a_bit() -> None:
    chance = np.random.default_rng(0)
    table = {"query": np.repeat(np.arange(50), 40), "item": np.tile(np.arange(40), 50), "score": chance.random(2000)}
    order = chance.permutation(2000)
    shuffled = {name: column[order] for name, column in table.items()}
    other = {"query": table["query"], "item": table["item"] + 20, "score": chance.random(2000)}
    for method in ("rrf", "sum", "zmuv"):
        keywords: dict[str, Any] = {"method": "sum", "norm": "zmuv"} if method == "zmuv" else {"method": method}
        assert pc.fuse([table, other], **keywords).table.equals(pc.fuse([shuffled, other], **keywords).table)


def test_in_a_console_it_is_one_line() -> None:
    fused = pc.fuse({"bm25": {"q": {"x": 3.0, "y": 2.0}}, "dense": {"q": {"z": 0.9}}})
    assert repr(fused) == "FusedRun(queries=1, rows=3, method='rrf', runs=['bm25', 'dense'])"
