"""Every option of `pingce eval` that decides what is computed. All values were worked out by hand."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from pingce.evidence.policies import Policies
from pingce.run.states.ranking import USUAL

from .conftest import Call, Score, Small, Write, values

ALL_POLICIES = Policies().to_json()


def test_default_metrics(score: Score, small: Small) -> None:
    found = values(score(small.qrels, small.run))
    assert tuple(found) == USUAL == ("ndcg@10", "map", "mrr", "recall@100", "precision@10", "hit_rate@10")
    assert found["map"] == pytest.approx(11 / 18)
    assert found["mrr"] == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    "words",
    [
        ["-m", "p@2,ndcg(gain=linear, discount=zipf)@1,rr"],
        ["-m", "p@2", "--metrics", "ndcg(gain=linear, discount=zipf)@1", "-m", "rr"],
        ["-m", " p@2 , ndcg(gain=linear, discount=zipf)@1", "-m", "rr,"],
    ],
)
def test_metrics_by_comma_or_repeated(score: Score, small: Small, words: list[str]) -> None:
    found = values(score(small.qrels, small.run, *words))
    assert list(found) == ["p@2", "ndcg(gain=linear, discount=zipf)@1", "rr"]
    assert list(found.values()) == pytest.approx([0.5, 0.5, 2 / 3])


def test_a_gain_table_has_commas_inside(score: Score, small: Small) -> None:
    assert list(values(score(small.qrels, small.run, "-m", "cg(gain={1:1,2:3,3:7})@3,rr"))) == [
        "cg(gain={1:1,2:3,3:7})@3",
        "rr",
    ]


def test_k_is_for_names_without_one(score: Score, small: Small) -> None:
    document = score(small.qrels, small.run, "-k", "1", "-m", "recall,recall@2,r_precision")
    assert [entry["id"] for entry in document["metrics"]] == ["recall@1", "recall@2", "r_precision"]
    assert values(document) == pytest.approx({"recall": 1 / 3, "recall@2": 0.5, "r_precision": 0.5})


def test_several_runs_side_by_side(call: Call, small: Small) -> None:
    rows = [
        line.split() for line in call("eval", small.qrels, small.run, small.other, "-m", "rr,recall@1").out.splitlines()
    ]
    assert rows[0] == ["metric", "one", "two"]
    assert rows[2:4] == [["rr", "0.6667", "0.8333"], ["recall@1", "0.3333", "0.5000"]]
    assert rows[4] == []
    assert rows[5][:5] == ["all", "definitions", "are", "the", "defaults"]


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["a/bm25.run", "b/dense.run.gz"], ["bm25", "dense"]),
        (["a/bm25.run", "b/bm25.txt", "c/bm25.txt"], ["a", "b", "c"]),
        (["a/bm25.run", "a/bm25.run"], ["bm25", "bm25.run"]),
        (["a/bm25_k0.9_b0.4.run", "a/bm25_k1.2_b0.8.run"], ["bm25_k0.9_b0.4", "bm25_k1.2_b0.8"]),
    ],
)
def test_names_of_runs(call: Call, small: Small, write: Write, paths: list[str], names: list[str]) -> None:
    import gzip

    runs = [write(path, small.run.read_text()) for path in paths]
    for path in (path for path in runs if path.suffix == ".gz"):
        path.write_bytes(gzip.compress(small.run.read_bytes()))
    done = call("eval", small.qrels, *runs, "-f", "json")
    assert [document["run"] for document in json.loads(done.out)["runs"]] == names


@pytest.mark.parametrize("flag", ["-q", "--per-query"])
def test_per_query(score: Score, small: Small, flag: str) -> None:
    document = score(small.qrels, small.run, flag, "-m", "rr,p@2")
    assert document["per_query"] == {"query": ["q1", "q2", "q3"], "values": {"rr": [1, 1, 0], "p@2": [0.5, 1, 0]}}
    assert "per_query" not in score(small.qrels, small.run, "-m", "rr")


@pytest.mark.parametrize(
    ("relevant", "recall", "rr", "queries"),
    [("1", 2 / 3, 2 / 3, 3), ("2", 1, 0.75, 2), ("2.5", 1, 1, 1), ("3", 1, 1, 1), ("any", 5 / 9, 2 / 3, 3)],
)
@pytest.mark.parametrize("flag", ["-l", "--relevant"])
def test_relevant(score: Score, small: Small, flag: str, relevant: str, recall: float, rr: float, queries: int) -> None:
    document = score(small.qrels, small.run, flag, relevant, "-m", "recall@3,rr")
    assert values(document) == pytest.approx({"recall@3": recall, "rr": rr})
    assert {entry["queries"] for entry in document["metrics"]} == {queries}


TIED = "q1 Q0 a 1 5 t\nq1 Q0 x 2 5 t\n"
CLOSE = "q1 Q0 x 1 1.00000000 t\nq1 Q0 a 2 1.00000001 t\n"
TWICE = "q1 Q0 a 1 1 t\nq1 Q0 x 2 5 t\nq1 Q0 a 3 9 t\nq1 Q0 a 4 2 t\n"
NOT_A_NUMBER = "q1 Q0 a 1 nan t\nq1 Q0 x 2 5 t\n"
ONE_QUERY = "q1 0 a 1\nq1 0 b 1\n"


@pytest.mark.parametrize(
    ("run", "words", "metric", "value"),
    [
        (TIED, ["--ties", "id"], "rr", 0.5),
        (TIED, ["--ties", "id_ascending"], "rr", 1.0),
        (TIED, ["--ties", "order"], "rr", 1.0),
        (TIED, ["--ties", "expected"], "rr", 0.75),
        (TIED, ["--ties", "worst"], "rr", 0.5),
        (TIED, ["--ties", "best"], "rr", 1.0),
        (CLOSE, [], "rr", 1.0),
        (CLOSE, ["--score-type", "float32"], "rr", 0.5),
        (CLOSE, ["--score-type", "float64"], "rr", 1.0),
        (TWICE, ["--duplicates", "first"], "rr", 0.5),
        (TWICE, ["--duplicates", "last"], "rr", 0.5),
        (TWICE, ["--duplicates", "best"], "rr", 1.0),
        (NOT_A_NUMBER, ["--nan", "first"], "rr", 1.0),
        (NOT_A_NUMBER, ["--nan", "last"], "rr", 0.5),
        (NOT_A_NUMBER, ["--nan", "drop"], "rr", 0.0),
        ("q1 Q0 x 1 9 t\nq1 Q0 a 2 8 t\n", ["--judged-only"], "rr", 1.0),
        ("q1 Q0 x 1 9 t\nq1 Q0 a 2 8 t\n", ["-J"], "p@1", 1.0),
        ("q1 Q0 x 1 9 t\nq1 Q0 a 2 8 t\n", ["--summation", "sequential"], "rr", 0.5),
        ("q1 Q0 x 1 9 t\nq1 Q0 a 2 8 t\n", ["--judged", "list"], "recall", 1.0),
    ],
)
def test_policies_of_lists(score: Score, write: Write, run: str, words: list[str], metric: str, value: float) -> None:
    document = score(write("one.qrels", ONE_QUERY), write("one.run", run), *words, "-m", metric)
    assert values(document) == {metric: value}
    assert document["policies"] == ALL_POLICIES | _policy(words)


def _policy(words: list[str]) -> dict[str, str]:
    if words in (["-J"], ["--judged-only"]):
        return {"judged_only": "yes"}
    return {words[0].lstrip("-").replace("-", "_"): words[1]} if words else {}


@pytest.mark.parametrize(
    ("words", "value", "queries"),
    [
        (["--missing", "zero"], 2 / 3, 3),
        (["--missing", "skip"], 1.0, 2),
        (["--extra", "ignore"], 2 / 3, 3),
        (["--undefined", "skip", "-l", "2"], 0.75, 2),
        (["--undefined", "zero", "-l", "2"], 0.5, 3),
        (["--undefined", "one", "-l", "2"], 2.5 / 3, 3),
    ],
)
def test_policies_of_queries(score: Score, small: Small, words: list[str], value: float, queries: int) -> None:
    entry = score(small.qrels, small.run, *words, "-m", "rr")["metrics"][0]
    assert (entry["value"], entry["queries"]) == (pytest.approx(value), queries)
    assert words[0] == "--extra" or f"{words[0][2:]}:{words[1]}" in entry["signature"]


def test_undefined_as_nan_is_null_in_json(score: Score, small: Small) -> None:
    document = score(small.qrels, small.run, "--undefined", "nan", "-l", "2", "-m", "rr", "-q")
    assert document["metrics"][0]["value"] is None
    assert document["per_query"]["values"]["rr"] == [1.0, 0.5, None]


@pytest.mark.parametrize("words", [["--missing", "error"], ["--extra", "error"], ["--undefined", "error", "-l", "2"]])
def test_policies_that_refuse(call: Call, small: Small, words: list[str]) -> None:
    done = call("eval", small.qrels, small.run, *words, "-m", "rr")
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert re.search("'q3'|'q9'", done.err)


@pytest.mark.parametrize(
    ("places", "shown"), [("0", "1"), ("2", "0.67"), ("4", "0.6667"), ("-1", "0.6666666666666666"), ("20", None)]
)
@pytest.mark.parametrize("flag", ["-p", "--places"])
def test_places(call: Call, small: Small, flag: str, places: str, shown: str | None) -> None:
    done = call("eval", small.qrels, small.run, "-m", "rr", flag, places)
    row = done.out.splitlines()[2].split()
    assert row == ["rr", shown or f"{2 / 3:.20f}", "3"]


@pytest.mark.parametrize(
    ("columns", "value"),
    [
        (["--columns", "query=person,item=thing,score=points"], 1.0),
        (["--columns", "query=person", "--columns", "item = thing, rank=place"], 1 / 3),
        (["--columns", "truth.query=person,run.query=person,item=thing,run.score=place"], 1.0),
        (["--columns", "query=person,item=thing,rank=order"], 1.0),
        (["--columns", "query=person,item=thing,rank=order,truth.grade=none_of_it"], 0.0),
    ],
)
def test_columns(score: Score, write: Write, columns: list[str], value: float) -> None:
    truth = write("truth.csv", "person,thing,grade,none_of_it\nq1,a,1,0\nq1,z,0,1\n")
    run = write("run.csv", "person,thing,points,place\nq1,a,0.9,3\nq1,x,0.8,2\nq1,b,0.7,1\n")
    assert values(score(truth, run, *columns, "-m", "rr")) == {"rr": pytest.approx(value)}


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("r.csv", "user;item;score\nq1;a;0.9\nq1;b;0.7\n", ["--sep", ";"]),
        ("r.txt", "q1|a|0.9\nq1|b|0.7\n", ["--sep", "pipe", "--columns", "run.score=3"]),
        ("r.txt", "q1 a 0.9\nq1 b 0.7\n", []),
        ("r.txt", "# a run\nq1 b 1\nq1 a 2\n", ["--columns", "run.score=3"]),
    ],
)
def test_separators_and_numbers_of_columns(score: Score, write: Write, name: str, text: str, words: list[str]) -> None:
    truth = write("truth.txt", "# judged by hand\nq1 0 a 1\n")
    assert values(score(truth, write(name, text), *words, "-m", "rr")) == {"rr": 1.0}


def test_how_three_columns_were_read_is_said_once(call: Call, write: Write) -> None:
    truth, run = write("truth.txt", "q1 0 a 1\n"), write("run.txt", "q1 a 0.9\nq1 b 0.7\n")
    done = call("eval", truth, run, "-m", "rr,mrr@5")
    assert done.err.count("third column") == 1
    assert "--columns run.rank=3" in done.err


@pytest.mark.parametrize("chosen", ["csv", "tsv", "jsonl", "json", "trec", "parquet"])
def test_input_format_wins_over_the_suffix(score: Score, tmp_path: Path, chosen: str) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    rows = {"truth": [("q", "a", 1.0), ("q", "b", 0.0)], "run": [("q", "b", 2.0), ("q", "a", 1.0)]}
    for side, number in (("truth", "grade"), ("run", "score")):
        path = tmp_path / f"{side}.data"
        lines = {
            "csv": ["query,item," + number, *(f"{q},{i},{v}" for q, i, v in rows[side])],
            "tsv": ["query\titem\t" + number, *(f"{q}\t{i}\t{v}" for q, i, v in rows[side])],
            "jsonl": [json.dumps({"query": q, "item": i, number: v}) for q, i, v in rows[side]],
            "json": [json.dumps({"q": {i: v for _, i, v in rows[side]}})],
            "trec": [f"{q} 0 {i} {v}" if side == "truth" else f"{q} Q0 {i} 1 {v} t" for q, i, v in rows[side]],
            "parquet": [],
        }[chosen]
        path.write_text("\n".join(lines) + "\n")
        if chosen == "parquet":
            names = ["query", "item", number]
            parquet.write_table(pa.table(dict(zip(names, zip(*rows[side], strict=True), strict=True))), path)
    words = [tmp_path / "truth.data", tmp_path / "run.data", "--input-format", chosen, "-m", "rr"]
    assert values(score(*words)) == {"rr": 0.5}


@pytest.mark.parametrize("threads", ["1", "2", "7"])
def test_threads_change_nothing(score: Score, small: Small, threads: str) -> None:
    assert score(small.qrels, small.run, "--threads", threads) == score(small.qrels, small.run)
