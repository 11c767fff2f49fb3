"""CSV and TSV that a spreadsheet opens: a byte-order mark, and cells that would be computed."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

import pingce as pc
from pingce.cli.options import FORMATS
from pingce.inputs import read_run

from .conftest import Call, Small, Write
from .shell import shell

DELIMITERS = {"csv": ",", "tsv": "\t"}
FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "=HYPERLINK(\"http://x\",\"y\")", "-2+3", "=条目"]  # fmt: skip
HARMLESS = ["a=1", "1-1", "q@x", "'=1", "_-1", "查询", "0", "007", " =1", "#=1", '"=1"']


def table(text: str, delimiter: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))


def judged(write: Write, queries: list[str]) -> tuple[Path, Path]:
    """Truth and run with these queries, in JSON, where any text can be an id."""
    truth = write("truth.json", json.dumps({query: {"a": 1} for query in queries}))
    return truth, write("run.json", json.dumps({query: ["b", "a"] for query in queries}))


@pytest.mark.parametrize("form", DELIMITERS)
@pytest.mark.parametrize("words", [[], ["--bom"], ["--escape-formulas"], ["--bom", "--escape-formulas"]], ids=str)
def test_plain_ids_change_only_by_the_mark(call: Call, small: Small, form: str, words: list[str]) -> None:
    plain = call("eval", small.qrels, small.run, "-q", "-f", form).out
    marked = call("eval", small.qrels, small.run, "-q", "-f", form, *words).out
    assert marked == ("\ufeff" if "--bom" in words else "") + plain


@pytest.mark.parametrize("form", DELIMITERS)
def test_the_mark_is_three_bytes_at_the_beginning(call: Call, small: Small, tmp_path: Path, form: str) -> None:
    output = tmp_path / f"scores.{form}"
    done = call("eval", small.qrels, small.run, "-m", "rr", "--bom", "-o", output)
    assert (done.code, done.out) == (0, "")
    assert output.read_bytes().startswith(b"\xef\xbb\xbfrun" + DELIMITERS[form].encode() + b"metric")
    assert output.read_bytes().count(b"\xef\xbb\xbf") == 1


def test_the_mark_in_a_pipe(small: Small) -> None:
    done = shell("eval", small.qrels, small.run, "-m", "rr", "--bom", "-f", "csv", env={"LC_ALL": "C", "LANG": None})
    assert (done.code, done.out[:4]) == (0, "\ufeffrun")


@pytest.mark.parametrize("form", DELIMITERS)
@pytest.mark.parametrize("query", FORMULAS, ids=repr)
def test_a_quote_before_what_would_be_computed(call: Call, write: Write, form: str, query: str) -> None:
    paths = judged(write, [query, "plain"])
    words = ["eval", *paths, "-q", "-m", "rr", "-f", form]
    as_they_are = table(call(*words).out, DELIMITERS[form])
    escaped = table(call(*words, "--escape-formulas").out, DELIMITERS[form])
    assert sorted(row[1] for row in as_they_are[1:]) == sorted([query, "plain"])
    assert sorted(row[1] for row in escaped[1:]) == sorted([f"'{query}", "plain"])


@pytest.mark.parametrize("form", DELIMITERS)
def test_other_ids_get_no_quote(call: Call, write: Write, form: str) -> None:
    words = ["eval", *judged(write, HARMLESS), "-q", "-m", "rr", "-f", form]
    escaped = call(*words, "--escape-formulas").out
    assert escaped == call(*words).out
    assert sorted(row[1] for row in table(escaped, DELIMITERS[form])[1:]) == sorted(HARMLESS)


@pytest.mark.parametrize("form", DELIMITERS)
def test_numbers_never_get_a_quote(call: Call, write: Write, form: str) -> None:
    truth = write("t.jsonl", '{"query": -3, "item": 1, "grade": 1}\n{"query": 5, "item": 1, "grade": 1}\n')
    run = write("r.jsonl", '{"query": -3, "item": 1, "score": 1}\n{"query": 5, "item": 1, "score": 1}\n')
    words = ["eval", truth, run, "-q", "-m", "rr", "-f", form]
    done = call(*words, "--escape-formulas")
    assert done.out == call(*words).out
    rows = table(done.out, DELIMITERS[form])[1:]
    assert [row[1:] for row in rows] == [["-3", "1.0"], ["5", "1.0"]]


@pytest.mark.parametrize("form", DELIMITERS)
def test_the_name_of_a_run_is_text_from_outside_too(
    call: Call, small: Small, write: Write, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(small.qrels.parent)
    write("=cmd.run", small.run.read_text())
    words = ["eval", "truth.qrels", "=cmd.run", "-m", "rr", "-f", form]
    assert table(call(*words).out, DELIMITERS[form])[1][0] == "=cmd"
    assert table(call(*words, "--escape-formulas").out, DELIMITERS[form])[1][0] == "'=cmd"


@pytest.mark.parametrize("option", ["--bom", "--escape-formulas"])
@pytest.mark.parametrize("form", [name for name in FORMATS["eval"] if name not in DELIMITERS])
def test_refused_for_other_formats(call: Call, small: Small, form: str, option: str) -> None:
    done = call("eval", small.qrels, small.run, "-f", form, option)
    assert (done.code, done.out) == (2, "")
    assert done.err == f"pingce: {option} is for CSV and TSV, not for {form}; add -f csv or -f tsv\n"
    assert (
        f"{option} 只用于 CSV 和 TSV，不用于 {form}"
        in call("eval", small.qrels, small.run, "-f", form, option, "--lang", "zh").err
    )


@pytest.mark.parametrize("option", ["--bom", "--escape-formulas"])
def test_refused_before_anything_is_read_or_written(call: Call, tmp_path: Path, option: str) -> None:
    output = tmp_path / "scores.json"
    done = call("eval", "no.qrels", "no.run", option, "-o", output)
    assert (done.code, done.out) == (2, "")
    assert f"{option} is for CSV and TSV, not for json" in done.err
    assert not output.exists()


def test_the_suffix_of_the_output_is_enough(call: Call, small: Small, tmp_path: Path) -> None:
    assert call("eval", small.qrels, small.run, "--bom", "-o", tmp_path / "scores.csv").code == 0


def test_a_marked_file_can_be_read_again(call: Call, write: Write, tmp_path: Path) -> None:
    words = ["eval", *judged(write, ["一", "=2"]), "-q", "-m", "rr", "--bom", "-o", tmp_path / "rr.csv"]
    assert call(*words).code == 0
    rows = read_run(tmp_path / "rr.csv", columns={"item": "run", "score": "rr"})
    assert sorted(rows.query.to_list()) == ["=2", "一"]
    assert rows.value.tolist() == [0.5, 0.5]


def test_the_same_in_python() -> None:
    scores = pc.evaluate_ranking({"=q": {"a": 1}}, {"=q": ["a"]}, "rr")
    assert scores.to_csv(per_query=True) == "query,rr\n=q,1.0"
    assert scores.to_csv(per_query=True, escape_formulas=True, bom=True) == "\ufeffquery,rr\n'=q,1.0"
