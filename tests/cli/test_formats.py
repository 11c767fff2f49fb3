"""Every format of `pingce eval`, read back."""

from __future__ import annotations

import csv
import io
import json
import random
import re
import socket
from pathlib import Path

import pytest

import pingce as pc
from pingce.cli.options import FORMATS

from .conftest import Call, Score, Small, Write, values
from .shell import CASES

METRICS = "ndcg(gain=linear)@10,map,p@10,recall@1000,rbp,err@10,bpref,gm_ap,num_ret"
DELIMITERS = {"csv": ",", "tsv": "\t"}


def case(name: str) -> tuple[Path, Path]:
    return CASES / f"{name}.qrels", CASES / f"{name}.run"


def table(text: str, delimiter: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter))


@pytest.mark.parametrize("name", ["graded", "missing", "floatgrades"])
def test_json_has_every_digit(score: Score, name: str) -> None:
    expected = pc.evaluate_ranking(*case(name), METRICS)
    assert values(score(*case(name), "-m", METRICS)) == dict(expected)


def test_json_keys_are_sorted_and_complete(call: Call) -> None:
    out = call("eval", *case("graded"), "-m", METRICS, "-q", "-f", "json").out
    document = json.loads(out)
    assert out == json.dumps(document, sort_keys=True, indent=2, ensure_ascii=False) + "\n"
    assert set(document) == {
        "schema_version", "pingce_version", "task", "run", "metrics", "counts", "policies", "diagnosis", "per_query",
    }  # fmt: skip
    assert all(
        set(entry) == {"name", "id", "value", "queries", "undefined", "signature"} for entry in document["metrics"]
    )


@pytest.mark.parametrize("name", ["graded", "ties", "deep", "missing"])
def test_json_is_the_same_for_any_threads_folder_and_row_order(call: Call, tmp_path: Path, name: str) -> None:
    shuffled = []
    for path in case(name):
        lines = path.read_text().splitlines(keepends=True)
        random.Random(7).shuffle(lines)
        shuffled.append(tmp_path / path.name)
        shuffled[-1].write_text("".join(lines))
    documents = {
        call("eval", *files, "-m", METRICS, "-q", "-f", "json", "--threads", threads).out
        for files in (case(name), shuffled)
        for threads in ("1", "2")
    }
    assert len(documents) == 1
    text = documents.pop()
    assert json.loads(text)["metrics"]
    assert "/" not in text
    assert len(socket.gethostname()) < 4 or socket.gethostname() not in text
    assert not re.search(r"thread|\d\d:\d\d:\d\d|\b20\d\d-\d\d", text)


def test_jsonl_has_a_line_a_run(call: Call, score: Score, small: Small) -> None:
    lines = call("eval", small.qrels, small.run, small.other, "-m", METRICS, "-f", "jsonl").out.splitlines()
    assert [json.loads(line) for line in lines] == [
        score(small.qrels, run, "-m", METRICS) for run in (small.run, small.other)
    ]


def test_jsonl_has_a_line_a_run_and_query(call: Call, small: Small) -> None:
    lines = call("eval", small.qrels, small.run, small.other, "-m", "rr,p@2", "-q", "-f", "jsonl").out.splitlines()
    found = [json.loads(line) for line in lines]
    assert [(line["run"], line["query"]) for line in found] == [
        (r, q) for r in ("one", "two") for q in ("q1", "q2", "q3")
    ]
    assert found[0]["values"] == {"rr": 1.0, "p@2": 0.5}


@pytest.mark.parametrize("out_format", DELIMITERS)
def test_delimited_values_come_back_as_they_were(call: Call, out_format: str) -> None:
    expected = pc.evaluate_ranking(*case("graded"), METRICS)
    rows = table(call("eval", *case("graded"), "-m", METRICS, "-f", out_format).out, DELIMITERS[out_format])
    assert list(rows[0]) == ["run", "metric", "id", "value", "queries", "undefined"]
    assert {row["metric"]: float(row["value"]) for row in rows} == dict(expected)
    assert {row["run"] for row in rows} == {"graded"}


@pytest.mark.parametrize("out_format", DELIMITERS)
def test_delimited_queries_come_back_as_they_were(call: Call, small: Small, out_format: str) -> None:
    words = [small.qrels, small.run, small.other, "-m", "rr,ndcg@10", "-q", "-l", "2"]
    rows = table(call("eval", *words, "-f", out_format).out, DELIMITERS[out_format])
    for run, path in (("one", small.run), ("two", small.other)):
        expected = pc.evaluate_ranking(small.qrels, path, ["rr", "ndcg@10"], relevant=2).per_query.to_pylist()
        found = [row for row in rows if row["run"] == run]
        assert [row["query"] for row in found] == [row["query"] for row in expected]
        for metric in ("rr", "ndcg@10"):
            assert [float(row[metric]) if row[metric] else None for row in found] == [row[metric] for row in expected]


def test_markdown(call: Call, small: Small) -> None:
    out = call("eval", small.qrels, small.run, small.other, "-m", "rr,p@1,ndcg_cut_3", "-f", "md", "-p", "3").out
    assert out.splitlines() == [
        "| metric | one | two |",
        "| --- | ---: | ---: |",
        "| rr | 0.667 | **0.833** |",
        "| p@1 | 0.667 | 0.667 |",
        r"| ndcg\_cut\_3 | 0.608 | **0.760** |",
        "",
        r"ndcg\_cut\_3: gain:linear",
    ]


def test_markdown_per_query_comes_first(call: Call, small: Small) -> None:
    first, second, defined = call("eval", small.qrels, small.run, "-m", "rr", "-q", "-f", "md").out.split("\n\n")
    assert first.splitlines()[2:] == ["| q1 | 1.0000 |", "| q2 | 1.0000 |", "| q3 | 0.0000 |"]
    assert second.splitlines()[2:] == ["| rr | 0.6667 | 3 |"]
    assert defined == f"all definitions are the defaults of pingce {pc.__version__}\n"


def test_latex(call: Call, small: Small) -> None:
    out = call("eval", small.qrels, small.run, small.other, "-m", "rr,ndcg_cut_3", "-f", "latex").out
    long = "ndcg@3|gain:linear|discount:log2|ideal:judged"
    pinned = f"rel:1|ties:id|missing:zero|undefined:skip|pingce:{pc.__version__}"
    assert out.splitlines() == [
        r"% needs \usepackage{booktabs}",
        r"\begin{tabular}{lrr}",
        r"\toprule",
        r"metric & one & two \\",
        r"\midrule",
        r"rr & 0.6667 & \textbf{0.8333} \\",
        r"ndcg\_cut\_3 & 0.6079 & \textbf{0.7605} \\",
        r"\bottomrule",
        r"\end{tabular}",
        "",
        r"\par{\footnotesize\raggedright "
        + rf"rr: rr|of:first|{pinned} \\ ndcg\_cut\_3: {long}|{pinned}".replace("|", r"\textbar{}\allowbreak{}")
        + r"\par}",
    ]


@pytest.mark.parametrize(
    ("out_format", "shown"), [("table", "–"), ("md", "–"), ("latex", "--"), ("csv", ""), ("tsv", "")]
)
def test_what_is_undefined_is_shown_as_such(call: Call, small: Small, out_format: str, shown: str) -> None:
    words = [small.qrels, small.run, "-m", "rr", "-q", "-l", "2", "-f", out_format]
    row = next(line for line in call("eval", *words).out.splitlines() if "q3" in line)
    assert re.split(r"[\s|&,]+", row.replace("\\", "").strip("| "))[-1 if out_format != "latex" else 1] == shown


TREC_LINE = re.compile(r"^(\S+)\s*\t(\S+)\t(\S+)$")


def test_trec(call: Call, small: Small) -> None:
    out = call("eval", small.qrels, small.run, "-m", "rr,P_2,num_q,num_ret", "-q", "-f", "trec").out
    found = [TREC_LINE.match(line) for line in out.splitlines()]
    assert all(found)
    assert all(line.index("\t") == 22 for line in out.splitlines())
    assert [match.groups() for match in found if match and match[1] == "P_2"] == [
        ("P_2", "q1", "0.5000"), ("P_2", "q2", "1.0000"), ("P_2", "q3", "0.0000"), ("P_2", "all", "0.5000"),
    ]  # fmt: skip
    assert {match[1]: match[3] for match in found if match and match[2] == "all"} == {
        "rr": "0.6667", "P_2": "0.5000", "num_q": "3", "num_ret": "5",
    }  # fmt: skip


def test_trec_names_each_of_several_runs(call: Call, small: Small) -> None:
    out = call("eval", small.qrels, small.run, small.other, "-m", "rr", "-f", "trec", "-p", "-1").out
    assert [line.split() for line in out.splitlines()] == [
        ["runid", "all", "one"], ["rr", "all", repr(2 / 3)], ["runid", "all", "two"], ["rr", "all", repr(2.5 / 3)],
    ]  # fmt: skip


@pytest.mark.parametrize("metric", ["ndcg(gain=linear, discount=zipf)@10", "ndcg(gain=\nlinear)@10"])
def test_trec_lines_have_three_fields_however_a_metric_is_spelled(call: Call, small: Small, metric: str) -> None:
    lines = call("eval", small.qrels, small.run, "-m", metric, "-f", "trec").out.splitlines()
    assert len(lines) == 1
    assert TREC_LINE.match(lines[0])


def test_table_of_queries_and_of_metrics(call: Call, small: Small) -> None:
    out = call("eval", small.qrels, small.run, small.other, "-m", "rr,num_ret", "-q").out
    first, second, _ = (part.splitlines() for part in out.rstrip("\n").split("\n\n"))
    assert first[0].split() == ["run", "query", "rr", "num_ret"]
    assert [line.split()[:3] for line in first[2:]] == [
        [run, query, rr]
        for run, rrs in (("one", ("1.0000", "1.0000", "0.0000")), ("two", ("0.5000", "1.0000", "1.0000")))
        for query, rr in zip(("q1", "q2", "q3"), rrs, strict=True)
    ]
    assert second[0].split() == ["metric", "one", "two"]


@pytest.mark.parametrize("out_format", FORMATS["eval"])
@pytest.mark.parametrize("per_query", [[], ["-q"]])
def test_results_go_to_stdout_and_all_else_to_stderr(
    call: Call, small: Small, write: Write, out_format: str, per_query: list[str]
) -> None:
    truth = write("truth.csv", "qid,docid,grade\nq1,a,1\nq2,d,1\nq3,f,1\n")
    words = ["eval", truth, small.run, small.other, "-m", "rr", "-f", out_format, *per_query]
    loud, quiet = call(*words), call(*words, "--quiet")
    assert loud.err.splitlines() == [
        "truth truth.csv: query=qid, item=docid, grade=grade",
        "one: 3 queries scored; 1 not answered (scored 0); 1 without judgements (ignored)",
        (
            "one: warning: the run does not answer 1 of 3 judged queries (33.3 %), such as 'q3', and has queries without judgements, "
            "such as 'q9'; check that the ids are the same on both sides; missing='skip' leaves such queries out, missing='zero' "
            "scores them 0"
        ),
        "two: 3 queries scored; 0 not answered (scored 0); 0 without judgements (ignored)",
    ]
    assert quiet.err == ""
    assert loud.out == quiet.out
    assert loud.out.endswith("\n")
    assert "scored" not in loud.out or out_format in ("json", "jsonl")


def test_notes_count_what_policies_removed(call: Call, small: Small, write: Write) -> None:
    run = write("odd.run", "q1 Q0 a 1 nan t\nq1 Q0 b 2 5 t\nq1 Q0 b 3 4 t\nq2 Q0 d 1 1 t\n")
    err = call("eval", small.qrels, run, "--nan", "drop", "--duplicates", "first", "-l", "2", "--missing", "skip").err
    for said in ("2 queries scored", "1 not answered (left out)", "1 repeated rows removed (first)"):
        assert said in err
    assert "1 scores not a number (drop)" in err


def test_ties_that_matter_are_said(call: Call, small: Small, write: Write) -> None:
    tied = write("tied.run", "q1 Q0 a 1 5 t\nq1 Q0 x 2 5 t\nq2 Q0 d 1 1 t\n")
    err = call("eval", small.qrels, tied, "-m", "rr").err
    assert "warning: ties matter in 1 queries: rr lies between 0.5 and 0.666667" in err
