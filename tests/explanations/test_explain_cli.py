"""`pingce explain`: what it prints, what it writes, and one clear sentence for every mistake."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

import pingce as pc
from pingce.cli import run

QRELS = """q1 0 a 3
q1 0 b 1
q1 0 c 0
q2 0 d 2
q2 0 e 1
q3 0 f 1
"""
RUN = """q1 Q0 a 1 9 t
q1 Q0 x 2 8 t
q1 Q0 b 3 7 t
q2 Q0 e 1 5 t
q2 Q0 d 2 4 t
q9 Q0 d 1 4 t
"""
FILES = {
    "truth.qrels": QRELS,
    "one.run": RUN,
    "seen.txt": "query,item\nq1,a\n",
    "clicks.csv": "label,score,user,spend\n1,0.9,u,2\n0,0.8,u,1\n1,0.7,v,1\n0,0.7,v,3\n",
    "classes.csv": "true,pred\na,a\na,b\nb,b\n",
    "numbers.csv": "true,pred\n1.5,2\n2,2.5\n",
}


class Called(NamedTuple):
    """What a command did."""

    code: int
    out: str
    err: str


Call = Callable[..., Called]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PINGCE_LANG", "en")
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Call:
    def explain(*words: str) -> Called:
        code = run(["explain", *words])
        return Called(code, *capsys.readouterr())

    return explain


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("ndcg@5 --grades 3,2,3,0,1", "NDCG@5 = 12.7796 / 13.3472 = 0.9575"),
        ("ndcg@5 --grades 3,2,3,0,1 -p 2", "NDCG@5 = 12.78 / 13.35 = 0.96"),
        ("ndcg@5 --grades 3，2，3，0，1 --lang zh", "NDCG@5 = 12.7796 / 13.3472 = 0.9575"),
        ("judged@4 --grades 1,?,0,?", "judged@4 = 2 / 4 = 0.5000"),
        ("ap --grades 1,1,0 --judged 1,1,1", "AP = 2 / 3 = 0.6667"),
        ("precision@5 --grades 3,1 -l 2", "P@5 = 1 / 5 = 0.2000"),
        ("rr truth.qrels one.run --query q1", "RR = 1 / 1 = 1"),
        ("rr truth.qrels one.run --query q1 --exclude seen.txt", "RR = 1 / 2 = 0.5000"),
        ("recall truth.qrels one.run --query q3", "recall = 0 / 1 = 0"),
        ("auc --labels 1,0,1,0 --scores .9,.8,.7,.1", "auc = 6 / (2 · 2 · 2) = 0.7500"),
        ("precision --labels no,yes --scores .9,.8 --positive yes", "precision = 1 / (1 + 1) = 0.5000"),
        ("precision clicks.csv --threshold 0.75", "precision = 1 / (1 + 1) = 0.5000"),
        (
            "precision clicks.csv --label label --score score --compare gt --threshold 0.8",
            "precision = 1 / (1 + 0) = 1",
        ),
        ("gauc(by=spend) clicks.csv --group user", "gauc(by=spend) = 5 / 7 = 0.7143"),
        ("auc clicks.csv --group user --of-group v", "auc = 1 / (2 · 1 · 1) = 0.5000"),
        ("accuracy classes.csv", "accuracy = 2 / 3 = 0.6667"),
        ("mae numbers.csv", "mae = 1 / 2 = 0.5000"),
        ("mae --true 1,2 --pred 1,4", "mae = 2 / 2 = 1"),
        ("mae --true 1,2 --pred 1,4 --weight 1,3", "mae = 6 / 4 = 1.5000"),
    ],
)
def test_the_last_line(call: Call, words: str, line: str) -> None:
    done = call(*words.split())
    assert (done.code, done.err) == (0, "")
    assert line in done.out.splitlines()


def test_the_example_of_the_issue_step_by_step(call: Call) -> None:
    for lang, ideal in (("en", "ideal"), ("zh", "理想值")):
        lines = call("ndcg@5", "--grades", "3,2,3,0,1", "--lang", lang).out.splitlines()
        assert "DCG@5 = 7 + 1.8928 + 3.5000 + 0 + 0.3869 = 12.7796" in lines
        assert f"{ideal} = 7 + 4.4165 + 1.5000 + 0.4307 + 0 = 13.3472" in lines
        assert "NDCG@5 = 12.7796 / 13.3472 = 0.9575" in lines


def test_against_another_tool(call: Call) -> None:
    done = call("ndcg@10", "truth.qrels", "one.run", "--query", "q1", "--against", "ranx")
    assert done.code == 0
    assert "gain 7 against 3" in done.out.splitlines()[-1]
    assert done.out.count("NDCG@10 = ") == 2


def test_a_convention_and_a_policy_beside_it(call: Call) -> None:
    found = json.loads(
        call("ndcg@10", "truth.qrels", "one.run", "--query", "q2", "--convention", "ranx", "-f", "json").out
    )
    options = {"convention": "ranx"}
    scores = pc.evaluate_ranking("truth.qrels", "one.run", ["ndcg@10"], **options)  # type: ignore[arg-type]
    assert found["value"] == scores.per_query["ndcg@10"].to_pylist()[1]
    assert "ties:order" in found["signature"]
    words = [
        "ndcg@10",
        "truth.qrels",
        "one.run",
        "--query",
        "q2",
        "--convention",
        "ranx",
        "--ties",
        "best",
        "-f",
        "json",
    ]
    assert "ties:best" in json.loads(call(*words).out)["signature"]


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("e.md", "### ndcg@5"),
        ("e.html", "<!doctype html>\n<html lang=\"zh-CN\">"),
        ("e.tex", r"% needs \usepackage{booktabs}"),
        ("e.json", "{"),
        ("e.txt", "ndcg@5 · 归一化"),
        ("e", "ndcg@5 · 归一化"),
    ],
)  # fmt: skip
def test_files_by_their_ending(call: Call, folder: Path, name: str, start: str) -> None:
    done = call("ndcg@5", "--grades", "3,2,3,0,1", "--lang", "zh", "-o", name)
    assert done == (0, "", "")
    assert (folder / name).read_text(encoding="utf-8").startswith(start)
    assert sorted(path.name for path in folder.iterdir()) == sorted([*FILES, name])


# The words after `pingce explain`, and what the sentence must say.
MISTAKES: dict[str, tuple[str, str]] = {
    "no query": ("ndcg@10 truth.qrels one.run", "there are 3 queries ('q1', 'q2', 'q3'); say which one with query= or --query"),
    "how to pick": ("ndcg@10 truth.qrels one.run", "-m 'ndcg@10' --worst 5 lists the lowest"),
    "unknown query": ("ndcg@10 truth.qrels one.run --query q22", "there is no query 'q22' among the 3 judged ones ('q1', 'q2', 'q3'); did you mean 'q2'"),
    "unjudged query": ("ndcg@10 truth.qrels one.run --query q9", "nothing is judged for it"),
    "no number": ("ndcg@5 --grades 3,x,1", "--grades: value 2, 'x', is not a number"),
    "no grade": ("ndcg@5 --grades 3,,1", "--grades: value 2 is empty"),
    "infinite": ("ndcg@5 --grades 3,inf", "--grades: value 2, 'inf', is not a number"),
    "unjudged score": ("auc --labels 1,0 --scores 1,?", "--scores: value 2, '?', is not a number"),
    "three labels": ("auc --labels 1,0,2 --scores 1,2,3", "3"),
    "lengths": ("auc --labels 1,0 --scores 1,2,3", "y_true has 2 rows, but y_score has 3"),
    "half": ("auc --labels 1,0", "--labels needs --scores beside it"),
    "other half": ("mae --pred 1,0 --true=", "--true: value 1 is empty"),
    "nothing": ("ndcg@5", "there is nothing to explain: give QRELS RUN --query ID"),
    "both": ("ndcg@5 truth.qrels one.run --grades 1", "--grades stands for data, and so do the files"),
    "three files": ("ndcg@5 truth.qrels one.run one.run", "3 files are given"),
    "no file": ("ndcg@5 truth.qrels ome.run", "ome.run: no such file"),
    "one file": ("ndcg@5 truth.qrels", "ndcg@5 is a metric of rankings: give QRELS, RUN and --query"),
    "ranking of a table": ("precision clicks.csv --task ranking", "a ranking needs two files, QRELS and RUN"),
    "two models": ("auc clicks.csv --score score --score spend", "2 models are named; explain one at a time"),
    "query of a table": ("auc clicks.csv --query q1", "--query does not go with a table of predictions"),
    "column of a ranking": ("rr truth.qrels one.run --query q1 --label x", "--label does not go with QRELS RUN"),
    "column of values": ("auc --labels 1,0 --scores 1,2 --label x", "--label does not go with values on the command line"),
    "metric": ("ndgc@5 --grades 1", "unknown metric 'ndgc'; did you mean 'ndcg'"),
    "two metrics": ("ndcg@5,ap --grades 1", "names 2 metrics; explain one at a time"),
    "wrong task": ("auc --grades 1", "grades= (--grades) does not go with 'auc'"),
    "convention": ("ndcg@5 --grades 1 --convention rankx", "unknown convention 'rankx'"),
    "against": ("ndcg@5 --grades 1 --against rankx", "unknown convention 'rankx'"),
    "group": ("auc clicks.csv --group user --of-group w", "there is no group 'w'"),
    "ending": ("ndcg@5 --grades 1 -o e.pdf", "e.pdf: .pdf cannot be written here"),
    "folder": ("ndcg@5 --grades 1 -o none/e.md", "none/e.md: cannot be written"),
    "stdin twice": ("ndcg@5 - - --query q1", "- stands twice"),
    "format": ("ndcg@5 --grades 1 -f pdf", "'pdf' is not one of"),
}  # fmt: skip


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_gets_one_sentence_in_each_language(call: Call, folder: Path, name: str) -> None:
    words, said = MISTAKES[name]
    done = call(*words.split())
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert len(done.err.splitlines()) == 1
    chinese = call(*words.split(), "--lang", "zh")
    assert (chinese.code, chinese.out) == (2, "")
    assert re.search("[\u4e00-\u9fff]", chinese.err)
    assert sorted(path.name for path in folder.iterdir()) == sorted(FILES)


def test_a_list_longer_than_the_screen_is_folded(call: Call, folder: Path) -> None:
    rows = "".join(f"q Q0 d{rank} {rank} {2000 - rank} t\n" for rank in range(1, 1001))
    (folder / "long.run").write_text(rows)
    (folder / "long.qrels").write_text("q 0 d3 1\nq 0 d700 2\n")
    lines = call("ap", "long.qrels", "long.run").out.splitlines()
    assert "… 696 rows that do not count …" in lines
    assert any(line.split()[:2] == ["700", "d700"] for line in lines)
    assert len(lines) < 40
    shown = json.loads(call("ap", "long.qrels", "long.run", "-f", "json").out)
    table = next(step for step in shown["steps"] if step.get("key") == "list")
    assert len(table["rows"]) == 1000
