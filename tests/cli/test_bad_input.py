"""Bad input: exit 2, one clear sentence on stderr, nothing on stdout, never a traceback."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Call, Small, Write
from .shell import shell

FILES = {
    "empty.run": "",
    "blank.run": " \n\n",
    "few.run": "q1 Q0 a 1 9 t\nq1 Q0 b\n",
    "text.run": "q1 Q0 a 1 9 t\nq1 Q0 b 2 nine t\n",
    "nan.run": "q1 Q0 a 1 9 t\nq1 Q0 b 2 NaN t\n",
    "null.jsonl": '{"query": "q1", "item": "a", "score": 1}\n{"query": "q1", "item": null, "score": 1}\n',
    "null_query.jsonl": '{"query": null, "item": "a", "score": 1}\n',
    "empty_id.csv": "qid,docid,score\nq1,a,2\nq1,,1\n",
    "twice.run": "q1 Q0 a 1 9 t\nq1 Q0 b 2 8 t\n\nq1 Q0 a 3 7 t\n",
    "twice.qrels": "q1 0 a 1\nq1 0 b 1\nq1 0 a 2\n",
    "odd.csv": "qid,docid,points\nq1,a,1\n",
    "no_query.csv": "quarry,docid,score\nq1,a,1\n",
    "short.csv": "qid,docid,score\nq1,a,1\nq1,b\n",
    "text.csv": "qid,docid,score\nq1,a,1\nq1,b,high\n",
    "text.qrels": "q1 0 a 1\nq1 0 b good\n",
    "text.json": '{"q1": {"a": "good"}}',
    "nan.qrels": "q1 0 a 1\nq1 0 b nan\n",
    "other.run": "z1 Q0 a 1 9 t\nz2 Q0 a 1 9 t\nz3 Q0 a 1 9 t\nz4 Q0 a 1 9 t\n",
    "alien.run": "blue Q0 a 1 9 t\n",
    "case.run": "Q1 Q0 a 1 9 t\n",
    "numbers.jsonl": '{"query": 1, "item": "a", "score": 1}\n',
    "strings.jsonl": '{"query": "1", "item": "a", "grade": 1}\n',
    "broken.json": "{",
    "list.json": "[1, 2]",
    "broken.jsonl": '{"query": "q1", "item": "a", "score": 1}\nnot json\n',
    "broken.parquet": "PAR1PAR1",
    "cut.run.gz": "\x1f\udc8b\x08\x00",
    "five.run": "q1 Q0 a 1 9\n",
}


@pytest.fixture
def folder(small: Small, write: Write, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        write(name, text)
    monkeypatch.chdir(small.qrels.parent)
    (small.qrels.parent / "hollow").mkdir()
    return small.qrels.parent


# The words after `pingce eval`, and what the sentence must say.
ISSUE: dict[str, tuple[list[str], list[str]]] = {
    "missing file": (["truth.qrels", "ome.run"], ["ome.run: no such file", "did you mean 'one.run'"]),
    "intervals of no share": (["truth.qrels", "one.run", "--ci", "95"], ["ci=95", "between 0 and 1 such as 0.95"]),
    "catalogue of a negative number": (
        ["none", "one.run", "-m", "coverage@2", "--catalog", "-5"],
        ["--catalog -5: a catalogue is a file, or a whole number of items above 0"],
    ),
    "catalogue of a fraction": (
        ["none", "one.run", "-m", "coverage@2", "--catalog", "1.5"],
        ["--catalog 1.5: a catalogue is a file, or a whole number"],
    ),
    "missing catalogue": (["none", "one.run", "-m", "coverage@2", "--catalog", "c.csv"], ["c.csv: no such file"]),
    "missing folder": (["truth.qrels", "none/one.run"], ["none/one.run: no such file"]),
    "empty file": (["truth.qrels", "empty.run"], ["empty.run: the file is empty"]),
    "blank file": (["truth.qrels", "blank.run"], ["blank.run: the file is empty"]),
    "too few fields": (["truth.qrels", "few.run"], ["few.run:2: 3 fields", "q1 Q0 b"]),
    "score no number": (["truth.qrels", "text.run"], ["text.run:2: 'nine' is not a number", "q1 Q0 b 2 nine t"]),
    "NaN": (["truth.qrels", "nan.run"], ["nan.run:2", "'b'", "not a number", "nan=last"]),
    "null item": (["truth.qrels", "null.jsonl"], ["null.jsonl:2", "'item' is null"]),
    "null query": (["truth.qrels", "null_query.jsonl"], ["null_query.jsonl:1", "'query' is null"]),
    "duplicate in the run": (["truth.qrels", "twice.run"], ["twice.run:1", "twice.run:4", "'q1'", "'a'", "duplicates="]),
    "duplicate in the truth": (["twice.qrels", "one.run"], ["twice.qrels:1", "twice.qrels:3", "'q1'", "'a'"]),
    "unknown column": (
        ["truth.qrels", "odd.csv", "--columns", "score=pionts"],
        ["no column 'pionts'", "'qid', 'docid', 'points'", "did you mean 'points'"],
    ),
    "no query column": (["truth.qrels", "no_query.csv"], ["no query column", "'quarry', 'docid', 'score'", "--columns query="]),
    "unknown metric": (["truth.qrels", "one.run", "-m", "ndgc@10"], ["'ndgc'", "did you mean 'ndcg'"]),
    "unknown parameter": (["truth.qrels", "one.run", "-m", "ndcg(gian=exp2)@10"], ["'gian'", "did you mean 'gain'"]),
    "k is 0": (["truth.qrels", "one.run", "-m", "p@0"], ["p@0", "k must be a whole number from 1"]),
    "k is negative": (["truth.qrels", "one.run", "-m", "p@-5"], ["p@-5", "k must be a whole number from 1"]),
    "k is a fraction": (["truth.qrels", "one.run", "-m", "p@1.5"], ["p@1.5", "k must be a whole number from 1"]),
    "k is a word": (["truth.qrels", "one.run", "-m", "p@ten"], ["'ten'", "k must be a whole number from 1"]),
    "grades are text": (["text.qrels", "one.run"], ["text.qrels:2: 'good' is not a number"]),
    "no overlap": (["truth.qrels", "other.run"], ["'q1', 'q2', 'q3'", "'z1', 'z2', 'z3'", "prefix"]),
    "no overlap by case": (["truth.qrels", "case.run"], ["'q1'", "'Q1'", "only in case"]),
    "no overlap by kind": (["strings.jsonl", "numbers.jsonl"], ["'1'", "strings in the truth", "integers in the run"]),
    "no overlap at all": (["truth.qrels", "alien.run"], ["'blue'", "in the order truth, run"]),
    "swapped": (["one.run", "truth.qrels"], ["one.run:1", "swapped"]),
}  # fmt: skip


@pytest.mark.parametrize("name", ISSUE)
def test_here(folder: Path, name: str, call: Call) -> None:
    refused(folder, name, call)


@pytest.mark.parametrize("name", ["k is a word", "grades are text", "swapped"])
def test_from_the_shell(folder: Path, name: str) -> None:
    refused(folder, name, shell)


def refused(folder: Path, name: str, pingce: Call) -> None:
    words, says = ISSUE[name]
    before = set(folder.iterdir())
    done = pingce("eval", *words, "-o", "scores.json")
    assert (done.code, done.out) == (2, "")
    assert done.err.count("\n") == 1
    assert done.err.startswith("pingce: ")
    assert "Traceback" not in done.err
    for part in says:
        assert part in done.err
    assert set(folder.iterdir()) == before


@pytest.mark.parametrize("name", ISSUE)
def test_in_chinese(folder: Path, call: Call, name: str) -> None:
    words, _ = ISSUE[name]
    english, chinese = (call("eval", *words, "--lang", lang) for lang in ("en", "zh"))
    assert (chinese.code, chinese.out, chinese.err.count("\n")) == (2, "", 1)
    assert any("一" <= letter <= "鿿" for letter in chinese.err)
    assert not any("一" <= letter <= "鿿" for letter in english.err)


ELSE: dict[str, tuple[list[str], list[str]]] = {
    "empty folder": (["truth.qrels", "hollow"], ["hollow: no files there"]),
    "empty id": (["truth.qrels", "empty_id.csv"], ["empty_id.csv:3", "'docid' is empty"]),
    "short row": (["truth.qrels", "short.csv"], ["short.csv:3: 2 fields", "q1,b"]),
    "text in a table": (["truth.qrels", "text.csv"], ["text.csv:3: 'high'", "'score'"]),
    "text in JSON": (["text.json", "one.run"], ["'good' is not a number"]),
    "NaN grade": (["nan.qrels", "one.run"], ["nan.qrels:2", "the grade is nan"]),
    "five columns": (["truth.qrels", "five.run"], ["five.run:1: 5 columns"]),
    "broken JSON": (["truth.qrels", "broken.json"], ["broken.json"]),
    "a JSON list": (["truth.qrels", "list.json"], ["list.json"]),
    "broken JSONL": (["truth.qrels", "broken.jsonl"], ["broken.jsonl:2", "not json"]),
    "broken Parquet": (["truth.qrels", "broken.parquet"], ["broken.parquet"]),
    "cut gzip": (["truth.qrels", "cut.run.gz"], ["cut.run.gz", "gzip"]),
    "no metric": (["truth.qrels", "one.run", "-m", ","], ["no metric"]),
    "open bracket": (["truth.qrels", "one.run", "-m", "ndcg(gain=exp2"], ["ndcg(gain=exp2", "name(param=value)@k"]),
    "bad choice": (["truth.qrels", "one.run", "-m", "ndcg(gain=lin)"], ["gain=lin", "did you mean 'linear'"]),
    "no cut-off here": (["truth.qrels", "one.run", "-m", "r_precision@5"], ["r_precision takes no @k"]),
    "bad policy in a metric": (["truth.qrels", "one.run", "-m", "rr(ties=besst)"], ["ties", "did you mean 'best'"]),
    "no closed form": (["truth.qrels", "one.run", "-m", "bpref", "--ties", "expected"], ["bpref", "no closed form"]),
    "relevant is 0": (["truth.qrels", "one.run", "-l", "0"], ["relevant='0'"]),
    "relevant is NaN": (["truth.qrels", "one.run", "-l", "nan"], ["relevant='nan'"]),
    "relevant is endless": (["truth.qrels", "one.run", "-l", "inf", "-f", "json"], ["relevant='inf'"]),
    "relevant is a word": (["truth.qrels", "one.run", "-l", "high"], ["relevant='high'", "any"]),
    "role without column": (["truth.qrels", "odd.csv", "--columns", "query"], ["--columns query", "ROLE=NAME"]),
    "unknown role": (["truth.qrels", "odd.csv", "--columns", "quarry=qid"], ["'quarry'", "did you mean 'query'"]),
    "unknown role, no columns": (["truth.qrels", "one.run", "--columns", "quarry=qid"], ["'quarry'", "did you mean 'query'"]),
    "unknown input format": (["truth.qrels", "one.run", "--input-format", "jsn"], ["'jsn'", "did you mean 'json"]),
    "k beyond all numbers": (["truth.qrels", "one.run", "-m", f"ndcg@{10**20}"], ["k"]),
    "-k beyond all numbers": (["truth.qrels", "one.run", "-m", "ndcg", "-k", str(10**20)], ["k"]),
}  # fmt: skip


@pytest.mark.parametrize("name", ELSE)
def test_everything_else(folder: Path, call: Call, name: str) -> None:
    words, says = ELSE[name]
    done = call("eval", *words)
    assert (done.code, done.out) == (2, "")
    lines = done.err.splitlines()
    assert len(lines) == 1 or lines[0].startswith("Usage: ")
    for part in says:
        assert part in lines[-1]


USAGE: dict[str, tuple[list[str], str]] = {
    "unknown command": (["evil"], "evil"),
    "no files": (["eval"], "QRELS"),
    "no run": (["eval", "truth.qrels"], "RUN"),
    "unknown option": (["eval", "truth.qrels", "one.run", "--metric", "rr"], "--metric"),
    "unknown format": (["eval", "truth.qrels", "one.run", "-f", "pdf"], "'pdf' is not one of"),
    "unknown policy value": (["eval", "truth.qrels", "one.run", "--ties", "random"], "'random' is not one of"),
    "k is 0": (["eval", "truth.qrels", "one.run", "-k", "0"], "-k"),
    "k is a fraction": (["eval", "truth.qrels", "one.run", "-k", "1.5"], "-k"),
    "threads are 0": (["eval", "truth.qrels", "one.run", "--threads", "0"], "--threads"),
    "too few places": (["eval", "truth.qrels", "one.run", "-p", "-2"], "--places"),
    "too many places": (["eval", "truth.qrels", "one.run", "-p", "3000000000"], "--places"),
    "unknown language": (["eval", "truth.qrels", "one.run", "--lang", "fr"], "--lang"),
    "two metrics": (["metrics", "ndcg", "rr"], "rr"),
}


@pytest.mark.parametrize("name", USAGE)
def test_wrong_usage(folder: Path, call: Call, name: str) -> None:
    words, says = USAGE[name]
    done = call(*words)
    assert done.code == 2
    assert done.out == ""
    assert done.err.startswith("pingce: ")
    assert len(done.err.splitlines()) == 1
    assert says in done.err


def test_bad_threads_in_the_environment(folder: Path, call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINGCE_THREADS", "many")
    done = call("eval", "truth.qrels", "one.run")
    assert (done.code, done.out) == (2, "")
    assert "'many'" in done.err


def test_ids_that_are_not_utf8(write: Write, call: Call) -> None:
    truth, run = write("a.qrels", "q\udcff 0 a 1\n"), write("a.run", "q\udcff Q0 a 1 1 t\n")
    done = call("eval", truth, run, "-q")
    assert (done.code, done.out) == (2, "")
    assert "a.qrels:1: byte 0xff is not utf-8" in done.err
    assert "--encoding" in done.err


def test_no_judged_item_returned_is_a_warning(write: Write, small: Small, call: Call) -> None:
    done = call("eval", small.qrels, write("a.run", "q1 Q0 doc-a 1 1 t\n"), "-m", "rr", "-f", "json")
    assert done.code == 0
    assert json.loads(done.out)["metrics"][0]["value"] == 0
    assert "warning: no judged item was returned" in done.err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["evil"], "没有命令 'evil'"),
        (["eval"], "缺少参数"),
        (["eval", "q", "r", "-k", "0"], "须为不小于 1 的整数"),
        (["eval", "q", "r", "-p", "99"], "须为 -1 到 30 的整数"),
        (["eval", "q", "r", "-f", "pdf"], "-f / --format / out_format 的值 'pdf' 无效：可选 table、json"),
        (["eval", "q", "r", "--metric", "rr"], "没有选项 --metric"),
        (["eval", "q", "r", "-m"], "选项 -m 需要一个值"),
        (["metrics", "ndcg", "rr"], "多余的参数：rr"),
    ],
)
def test_wrong_usage_in_chinese(call: Call, words: list[str], says: str) -> None:
    done = call(*words, "--lang", "zh") if words[-1] != "-m" else call("--lang", "zh", *words)
    assert (done.code, done.out) == (2, "")
    assert says.replace(" / out_format", "") in done.err
    assert len(done.err.splitlines()) == 1


@pytest.mark.parametrize("closed", ["2>&-", ">&-"])
def test_closed_streams_are_no_reason_to_fail(folder: Path, closed: str) -> None:
    import subprocess
    import sys

    done = subprocess.run(
        f"{sys.executable} -m pingce eval truth.qrels one.run {closed}",
        shell=True,
        check=False,
        capture_output=True,
        text=True,
        cwd=folder,
    )
    assert done.returncode == 0
    assert "Traceback" not in done.stderr


def test_an_open_quote_is_named(write: Write, call: Call) -> None:
    done = call("eval", write("t.csv", 'query_id,"doc_id,rel\n' + "x" * 200_000), "one.run")
    assert (done.code, done.out) == (2, "")
    assert "t.csv:" in done.err


def test_standard_input_twice(call: Call) -> None:
    done = call("eval", "-", "-")
    assert (done.code, done.out) == (2, "")
    assert "standard input can be read only once" in done.err
