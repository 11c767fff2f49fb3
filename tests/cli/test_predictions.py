"""`pingce eval` on predictions: labels and scores, classes, numbers; columns, files, formats, words and bad input."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
import subprocess
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pyarrow as pa
import pytest
from pyarrow import feather, parquet

import pingce as pc
from pingce.base.tables import markdown_text
from pingce.cli.options import FORMATS

from .conftest import Call, Score, Small, Write, values
from .shell import Called, command, environment
from .test_hostile import HOSTILE, LATEX, LATEX_TOKEN, harmless, looks_like, shows_all

CLICKS = """user_id,click,pctr,pctr_b,w,bid
u1,1,0.9,0.2,1,2
u1,0,0.8,0.4,2,1
u2,1,0.7,0.6,1,3
u2,0,0.1,0.3,1,1
u3,0,0.3,0.9,1,5
"""
CLASSES = "true,pred,pred2,w\n" + "".join(
    f"{t},{p},{q},{w}\n" for t, p, q, w in zip("aaaabbc", "aaabbcc", "aaaaaaa", "1211111", strict=True)
)
NUMBERS = "y,yhat,w\n3,2.5,1\n-0.5,0,2\n2,2,1\n7,8,0\n"
VALIDATOR = jsonschema.Draft202012Validator(
    json.loads((files("pingce") / "schema" / "scores.schema.json").read_text(encoding="utf-8"))
)
CHINESE = re.compile("[\u4e00-\u9fff]")


@pytest.fixture(autouse=True)
def folder(write: Write, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    for name, text in {"clicks.csv": CLICKS, "classes.csv": CLASSES, "numbers.csv": NUMBERS}.items():
        write(name, text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def refused(call: Call, folder: Path) -> Callable[..., str]:
    """A call that must be refused with one sentence in each language, and write nothing; the English one."""

    def check(*words: str | Path) -> str:
        before = sorted(folder.rglob("*"))
        english, chinese = (call("eval", *words, "-o", "out.json", "--lang", lang) for lang in ("en", "zh"))
        for done in (english, chinese):
            assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
            assert done.err.startswith("pingce: ")
            harmless(done.err[:-1])
        assert CHINESE.search(chinese.err)
        assert not CHINESE.search(english.err)
        assert sorted(folder.rglob("*")) == before
        return english.err

    return check


# Labels and scores.


def test_labels_and_scores(score: Score) -> None:
    document = score(
        "clicks.csv", "--label", "click", "--score", "pctr", "-m", "auc,logloss,f1,precision(threshold=0.85)"
    )
    expected = pc.evaluate_binary([1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.1, 0.3], ["auc", "logloss", "f1"])
    assert values(document) == dict(expected) | {"precision(threshold=0.85)": 1.0}
    assert (document["task"], document["run"]) == ("binary", "pctr")


def test_what_is_shown_by_default(score: Score) -> None:
    usual = ["auc", "pr_auc", "logloss", "accuracy", "precision", "recall", "f1"]
    assert list(values(score("clicks.csv"))) == usual
    assert list(values(score("clicks.csv", "--group", "user_id"))) == [
        "auc",
        "gauc",
        "logloss",
        "ece",
        "pcoc",
        "pr_auc",
    ]
    assert list(values(score("classes.csv")))[:2] == ["accuracy", "balanced_accuracy"]
    assert list(values(score("numbers.csv"))) == ["mae", "rmse", "r2", "medae", "max_error"]


def test_groups_weights_and_columns_as_weights(score: Score) -> None:
    metrics = "gauc,gauc(by=clicks),gauc(by=uniform),gauc(by=bid),auc"
    words = ["clicks.csv", "--score", "pctr_b", "--group", "user_id", "-m", metrics]
    assert values(score(*words)) == {
        "gauc": 0.5, "gauc(by=clicks)": 0.5, "gauc(by=uniform)": 0.5, "gauc(by=bid)": 4 / 7, "auc": 2 / 6,
    }  # fmt: skip
    weighted = score(*words, "--weight", "w")
    assert values(weighted)["gauc"] == pytest.approx(2 / 5)
    assert weighted["counts"]["weight"] == 6
    assert weighted["counts"]["groups"] == {"all": 3, "scored": 2, "single_class": 1, "single_class_rows": 1}


def test_thresholds(score: Score) -> None:
    words = ["clicks.csv", "-m", "precision,recall"]
    assert values(score(*words, "--threshold", "0.8")) == {"precision": 0.5, "recall": 0.5}
    assert values(score(*words, "--threshold", "0.8", "--compare", "gt")) == {"precision": 1.0, "recall": 0.5}
    assert score(*words, "--threshold", "0.8")["policies"] == {"threshold": 0.8, "compare": "ge", "undefined": "skip"}


@pytest.mark.parametrize(("policy", "wanted"), [("skip", None), ("nan", None), ("zero", 0.0), ("one", 1.0)])
def test_undefined(score: Score, call: Call, policy: str, wanted: float | None) -> None:
    document = score("clicks.csv", "-m", "precision,auc", "--threshold", "2", "--undefined", policy)
    assert values(document) == {"precision": wanted, "auc": pytest.approx(5 / 6)}
    assert document["counts"]["undefined"] == {"precision": 1, "auc": 0}
    err = call("eval", "clicks.csv", "-m", "precision,auc", "--threshold", "2", "--undefined", policy).err
    assert f"undefined: precision ({policy})" in err


def test_the_positive_label(score: Score, write: Write, refused: Callable[..., str]) -> None:
    write("words.csv", "label,score\nyes,0.9\nno,0.2\nyes,0.1\n")
    write("truth.csv", "label,score\ntrue,0.9\nfalse,0.2\ntrue,0.1\n")
    write("odd.csv", "label,score\n2,0.9\n1,0.2\n2,0.1\n")
    for name, positive, negative in (("words.csv", "yes", "no"), ("truth.csv", "true", "False"), ("odd.csv", "2", "1")):
        assert values(score(name, "--positive", positive, "-m", "auc")) == {"auc": 0.5}
        counts = score(name, "--positive", negative, "-m", "auc")["counts"]
        assert (counts["positives"], counts["negatives"]) == (1, 2)
    assert values(score("truth.csv", "-m", "recall")) == values(score("odd.csv", "-m", "recall")) == {"recall": 0.5}
    assert "say which is positive, e.g. positive='yes' or --positive yes" in refused("words.csv")
    assert "did you mean 'yes'" in refused("words.csv", "--positive", "yess")
    assert "has no such label; it has 1, 2" in refused("odd.csv", "--positive", "7")


def test_intervals(score: Score, call: Call) -> None:
    words = ["clicks.csv", "--ci", "0.9", "-m", "auc,accuracy,gauc", "--samples", "50", "--group", "user_id"]
    first, again, other = (score(*words, "--seed", seed) for seed in ("1", "1", "2"))
    assert first == again
    assert [entry["interval"]["confidence"] for entry in first["metrics"]] == [0.9] * 3
    assert first["metrics"][0]["interval"] == other["metrics"][0]["interval"]
    for entry in first["metrics"][:2]:
        assert entry["interval"]["low"] <= entry["value"] <= entry["interval"]["high"]
    assert first["metrics"][2]["interval"]["low"] is None, "both groups have the same AUC"
    table = call("eval", *words).out.splitlines()
    assert table[0].split() == ["metric", "value", "90", "%", "from", "to", "of"]
    assert table[4].split()[0] == "gauc"
    assert table[4].endswith("2 groups")
    rows = list(csv.DictReader(io.StringIO(call("eval", *words, "-f", "csv").out)))
    assert [(row["unit"], row["low"] != "") for row in rows] == [("rows", True), ("rows", True), ("groups", False)]


def test_the_decision_is_shown_as_a_table(call: Call) -> None:
    out = call("eval", "clicks.csv", "-m", "f1", "--compare", "gt").out
    assert [line.split() for line in out.split("\n\n")[1].splitlines()[::2]] == [
        ["true", "\\", "score", ">", "0.5", "predicted", "1", "predicted", "0"], ["1", "2", "0"],
    ]  # fmt: skip
    assert call("eval", "clicks.csv", "-m", "auc").out.count("\n\n") == 1
    chinese = call("eval", "clicks.csv", "-m", "f1", "--lang", "zh").out
    assert "真值 \\ 分数 ≥ 0.5  预测为 1  预测为 0" in chinese


# Classes and numbers.


def test_classes(score: Score, call: Call) -> None:
    document = score("classes.csv", "--true", "true", "--pred", "pred", "-m", "f1,f1(of=averages),accuracy")
    assert values(document) == pytest.approx({"f1": 85 / 126, "f1(of=averages)": 12 / 17, "accuracy": 5 / 7})
    assert document["per_class"]["class"] == ["a", "b", "c"]
    weighted = score("classes.csv", "--weight", "w", "-m", "accuracy")
    assert values(weighted) == {"accuracy": 6 / 8}
    tables = call("eval", "classes.csv", "-m", "f1").out.rstrip("\n").split("\n\n")
    assert [table.split()[0] for table in tables] == ["metric", "class", "true", "all"]
    assert [line.split() for line in tables[2].splitlines()[2:]] == [
        ["a", "3", "1", "0"], ["b", "0", "1", "1"], ["c", "0", "0", "1"],
    ]  # fmt: skip
    first = call("eval", "classes.csv", "-m", "f1", "-q").out.split("\n\n")
    assert [table.split()[0] for table in first] == ["class", "metric", "true", "all"]


def test_undefined_classes(score: Score) -> None:
    """pred2 is always a: precision is undefined for b and c."""
    words = ["classes.csv", "--pred", "pred2", "-m", "precision"]
    assert values(score(*words)) == {"precision": pytest.approx(4 / 21)}
    for policy, wanted in (("skip", 4 / 7), ("zero", 4 / 21), ("one", (4 / 7 + 2) / 3)):
        document = score(*words, "--undefined", policy)
        assert values(document) == {"precision": pytest.approx(wanted)}
        assert document["policies"]["undefined_class"] == policy
        assert document["counts"]["undefined"] == {"precision": 2}


def test_numbers(score: Score) -> None:
    words = ["numbers.csv", "-m", "mae,rmse,mean_squared_error"]
    assert values(score(*words)) == {"mae": 0.5, "rmse": pytest.approx(0.6123724356958), "mean_squared_error": 0.375}
    assert values(score(*words, "--weight", "w"))["mae"] == 1.5 / 4
    assert values(score(*words, "--true", "yhat", "--pred", "y"))["mae"] == 0.5


# Several models.


def test_columns_and_files(call: Call, write: Write, score: Score) -> None:
    write("day2.csv", CLICKS)
    columns = score("clicks.csv", "--score", "pctr", "--score", "pctr_b", "-m", "auc")
    assert {run["run"]: values(run)["auc"] for run in columns["runs"]} == {"pctr": 5 / 6, "pctr_b": 2 / 6}
    both = score("clicks.csv", "day2.csv", "--score", "pctr", "-m", "auc")
    assert [run["run"] for run in both["runs"]] == ["clicks", "day2"]
    crossed = score("clicks.csv", "day2.csv", "--score", "pctr", "--score", "pctr_b", "-m", "auc")
    assert [run["run"] for run in crossed["runs"]] == ["clicks:pctr", "clicks:pctr_b", "day2:pctr", "day2:pctr_b"]
    VALIDATOR.validate(crossed)
    table = call("eval", "clicks.csv", "--score", "pctr", "--score", "pctr_b", "-m", "auc,rank_loss", "-f", "md").out
    assert table.splitlines()[2:4] == ["| auc | **0.8333** | 0.3333 |", r"| rank\_loss | **0.1667** | 0.6667 |"]
    twice = score("clicks.csv", "clicks.csv", "--label", "click", "-m", "auc")
    assert [run["run"] for run in twice["runs"]] == ["clicks", "clicks.csv"]


def test_several_classifiers(score: Score, call: Call) -> None:
    words = ["classes.csv", "--pred", "pred", "--pred", "pred2", "-m", "accuracy"]
    assert [values(run)["accuracy"] for run in score(*words)["runs"]] == [5 / 7, 4 / 7]
    assert "class" not in call("eval", *words).out
    rows = list(csv.DictReader(io.StringIO(call("eval", *words, "-q", "-f", "csv").out)))
    assert [(row["run"], row["class"]) for row in rows] == [(r, c) for r in ("pred", "pred2") for c in "abc"]
    assert rows[-1]["precision"] == ""


def test_only_what_all_models_have_is_shown_by_default(score: Score, call: Call, write: Write) -> None:
    write("both.csv", "user,click,p,logit\nu,1,0.9,2.5\nu,0,0.2,-3\nv,1,0.4,1\nv,0,0.6,2\n")
    for order in (("p", "logit"), ("logit", "p")):
        words = ["both.csv", "--score", order[0], "--score", order[1], "--group", "user"]
        document = score(*words)
        assert [list(values(run)) for run in document["runs"]] == [["auc", "gauc", "pr_auc"]] * 2
        rows = list(csv.reader(io.StringIO(call("eval", *words, "-q", "-f", "csv").out)))
        assert {len(row) for row in rows} == {6}
    assert "logloss" in values(score("both.csv", "--score", "p"))


def test_classes_that_only_one_file_has(call: Call, write: Write) -> None:
    write("more.csv", "true,pred\na,a\nd,d\n")
    done = call("eval", "classes.csv", "more.csv", "--true", "true", "-m", "f1(average=none)")
    assert done.code == 0
    lines = [line.split() for line in done.out.partition("\n\n")[0].splitlines()]
    assert lines[0] == ["metric", "classes", "more"]
    assert [line[0] for line in lines[2:]] == ["f1(label=a)", "f1(label=b)", "f1(label=c)", "f1(label=d)"]
    assert [line[1:] for line in lines[4:]] == [["0.6667", "–"], ["–", "1.0000"]]


# Which task, which columns.


@pytest.mark.parametrize(
    ("head", "row", "said"),
    [
        ("click,pctr", "1,0.5\n0,0.2", "binary (labels and scores); label=click, score=pctr"),
        ("LABEL,Score", "1,0.5\n0,0.2", "binary (labels and scores); label=LABEL, score=Score"),
        ("is_click,prob,user_id", "1,0.5,u\n0,0.2,u", "binary (labels and scores); label=is_click, score=prob"),
        ("target,prediction", "1,0.5\n0,0.2", "binary (labels and scores); label=target, score=prediction"),
        ("y_true,y_score,y_pred", "1,0.5,1\n0,0.2,0", "binary (labels and scores); label=y_true, score=y_score"),
        ("true,pred", "a,b\nb,b", "multi-class (labels); true=true, pred=pred"),
        ("label,predicted", "3,4\n5,5", "multi-class (labels); true=label, pred=predicted"),
        ("y_true,y_pred", "cat,dog\ndog,dog", "multi-class (labels); true=y_true, pred=y_pred"),
        ("y,yhat", "1.5,2\n2,2", "regression (numbers); true=y, pred=yhat"),
        ("target,y_hat", "1,2.25\n2,2", "regression (numbers); true=target, pred=y_hat"),
    ],
)
def test_the_task_is_inferred_and_said(call: Call, write: Write, head: str, row: str, said: str) -> None:
    write("table.csv", f"{head}\n{row}\n")
    done = call("eval", "table.csv", "-f", "json")
    assert done.code == 0, done.err
    assert done.err.splitlines()[0] == f"task: {said}"
    assert call("eval", "table.csv", "--quiet").err == ""
    chinese = call("eval", "table.csv", "--lang", "zh").err.splitlines()[0]
    assert chinese.startswith("任务：")
    assert chinese.endswith(said.split("; ")[1])


def test_the_task_may_be_said(score: Score, call: Call, write: Write) -> None:
    write("whole.csv", "y,yhat\n1,2\n2,2\n")
    assert score("whole.csv")["task"] == "multiclass"
    assert score("whole.csv", "--task", "regression")["task"] == "regression"
    assert score("clicks.csv", "--task", "binary")["task"] == "binary"
    assert values(score("clicks.csv", "--task", "regression", "--true", "click", "--pred", "pctr", "-m", "mae"))["mae"]
    assert values(score("classes.csv", "--task", "multiclass", "-m", "accuracy")) == {"accuracy": 5 / 7}
    done = call("eval", "clicks.csv", "--score", "pctr", "--score", "pctr_b", "--group", "user_id", "--weight", "w")
    assert done.err.splitlines()[0] == (
        "task: binary (labels and scores); label=click, score=pctr, pctr_b, group=user_id, weight=w"
    )


def test_notes_count(call: Call) -> None:
    binary = call("eval", "clicks.csv", "--group", "user_id", "--weight", "w").err.splitlines()
    assert binary[1] == (
        "pctr: 5 rows: 2 positive (label 1), 3 negative; total weight 6; "
        "2 of 3 groups scored, 1 with one class only left out (1 rows)"
    )
    classes = call("eval", "classes.csv", "--pred", "pred2").err.splitlines()
    assert classes[1] == "pred2: 7 rows, 3 classes, 4 right; 2 classes never predicted"
    assert classes[2].startswith("pred2: warning: always predicting a reaches an accuracy of 0.571429")
    numbers = call("eval", "numbers.csv", "--weight", "w", "--lang", "zh").err.splitlines()
    assert numbers[1] == "yhat：4 行；总权重 4"


def test_a_column_in_two_roles(score: Score) -> None:
    assert values(score("classes.csv", "--true", "true", "--pred", "true", "-m", "accuracy")) == {"accuracy": 1}
    assert values(score("clicks.csv", "--score", "click", "-m", "auc")) == {"auc": 1}
    assert values(score("clicks.csv", "--group", "click", "-m", "gauc,auc"))["gauc"] is None
    assert values(score("clicks.csv", "--weight", "bid", "--group", "bid", "-m", "gauc(by=bid)")) == {
        "gauc(by=bid)": None
    }


# Files of every kind.

TABLE = pa.table({"user_id": ["u1", "u1", "u2"], "click": [1, 0, 1], "pctr": pa.array([0.9, 0.8, 0.3], pa.float32())})
ROWS = [dict(zip(TABLE.column_names, row, strict=True)) for row in zip(*TABLE.to_pydict().values(), strict=True)]
LINES = "".join(json.dumps(row) + "\n" for row in ROWS)
TEXT = "user_id,click,pctr\n" + "".join(f"{row['user_id']},{row['click']},{row['pctr']!r}\n" for row in ROWS)

KINDS: dict[str, Callable[[Path], object]] = {
    "table.csv": lambda path: path.write_text(TEXT),
    "table.tsv": lambda path: path.write_text(TEXT.replace(",", "\t")),
    "table": lambda path: path.write_text(TEXT),
    "table.jsonl": lambda path: path.write_text(LINES),
    "table.ndjson": lambda path: path.write_text(LINES),
    "table.json": lambda path: path.write_text(LINES),
    "table.parquet": lambda path: parquet.write_table(TABLE, path),
    "table.feather": lambda path: feather.write_feather(TABLE, str(path)),
    "table.arrow": lambda path: feather.write_feather(TABLE, str(path), compression="uncompressed"),
    "table.csv.gz": lambda path: path.write_bytes(gzip.compress(TEXT.encode())),
    "table.jsonl.gz": lambda path: path.write_bytes(gzip.compress(LINES.encode())),
    "mark.csv": lambda path: path.write_text("\ufeff" + TEXT, encoding="utf-8"),
    "utf16.csv": lambda path: path.write_bytes(TEXT.encode("utf-16")),
    "windows.csv": lambda path: path.write_bytes(TEXT.replace("\n", "\r\n").encode()),
}


@pytest.mark.parametrize("name", KINDS)
def test_files_of_every_kind(score: Score, folder: Path, name: str) -> None:
    KINDS[name](folder / name)
    document = score(name, "--group", "user_id", "-m", "auc,gauc,accuracy", "-q")
    assert values(document) == {"auc": 0.5, "gauc": 1.0, "accuracy": pytest.approx(1 / 3)}
    assert document["per_group"]["group"] == ["u1", "u2"]


def test_a_folder_of_parts(score: Score, call: Call, folder: Path) -> None:
    parts = folder / "parts"
    (parts / "day=2").mkdir(parents=True)
    parquet.write_table(TABLE.slice(0, 1), parts / "part-0.parquet")
    parquet.write_table(TABLE.slice(1), parts / "day=2" / "part-1.parquet")
    parquet.write_table(TABLE.slice(0, 0), parts / "part-2.parquet")
    (parts / "_SUCCESS").write_text("")
    (parts / ".hidden").write_text("?")
    whole = {"auc": 0.5, "accuracy": pytest.approx(1 / 3)}
    assert values(score("parts", "-m", "auc,accuracy")) == whole
    assert values(score("parts/*/*.parquet", "-m", "accuracy")) == {"accuracy": 0}
    parquet.write_table(pa.table({"click": [1], "pctr": ["high"]}), parts / "part-3.parquet")
    assert "the files have columns of different types" in call("eval", "parts").err
    (parts / "part-3.parquet").unlink()
    for part in parts.rglob("*.parquet"):
        parquet.write_table(TABLE.slice(0, 0), part)
    assert "parts has no rows" in call("eval", "parts").err


def test_an_encoding(score: Score, folder: Path) -> None:
    (folder / "gb.csv").write_bytes("true,pred\n猫,狗\n狗,狗\n".encode("gb18030"))
    assert score("gb.csv", "--encoding", "gb18030")["per_class"]["class"] == ["狗", "猫"]


@pytest.fixture
def piped(call: Call, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Called]:
    """`… | pingce eval …`."""

    def run(text: bytes, *words: str) -> Called:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text)))
        return call("eval", *words, "-f", "csv")

    return run


@pytest.mark.parametrize("name", ["table.csv", "table.jsonl", "table.parquet", "table.feather"])
def test_standard_input(folder: Path, piped: Callable[..., Called], name: str) -> None:
    """It is asked for its columns, and read, but can be read only once."""
    KINDS[name](folder / name)
    text = (folder / name).read_bytes()
    done = piped(text, "-", "-m", "auc")
    assert done.out.splitlines()[1] == "pctr,auc,auc,0.5,3,rows,0", done.err
    done = piped(gzip.compress(text), "-", name, "--label", "click", "--score", "pctr", "-m", "auc")
    assert [line.split(",")[0] for line in done.out.splitlines()[1:]] == ["-", "table"], done.err


def test_standard_input_of_classes(piped: Callable[..., Called]) -> None:
    done = piped(CLASSES.encode(), "-", "-m", "accuracy")
    assert done.out.splitlines()[1].startswith("pred,accuracy,accuracy,0.714"), done.err
    done = piped(b"", "-")
    assert (done.code, done.out, done.err) == (2, "", "pingce: -: the file is empty\n")


def test_a_pipe_between_processes(folder: Path) -> None:
    line = command("eval", "/dev/stdin", "-m", "auc", "-f", "csv")
    done = subprocess.run(line, input=CLICKS.encode(), capture_output=True, check=False, env=environment(), timeout=60)
    assert done.stdout.decode().splitlines()[1].startswith("pctr,auc,auc,0.8333"), done.stderr


def test_standard_input_twice(refused: Callable[..., str]) -> None:
    assert "standard input can be read only once" in refused("-", "-", "--label", "click")


# Every format.

MODELS = {
    "binary": ["clicks.csv", "--group", "user_id", "-m", "auc,gauc,f1,lift@0.2"],
    "binary, two": ["clicks.csv", "--group", "user_id", "--score", "pctr", "--score", "pctr_b", "-m", "auc,gauc"],
    "multiclass": ["classes.csv", "-m", "f1,accuracy"],
    "multiclass, two": ["classes.csv", "--pred", "pred", "--pred", "pred2", "-m", "f1,precision"],
    "regression": ["numbers.csv"],
}


@pytest.mark.parametrize("out_format", FORMATS["eval"])
@pytest.mark.parametrize("name", MODELS)
def test_every_format(call: Call, folder: Path, name: str, out_format: str) -> None:
    words = ["eval", *MODELS[name], "-f", out_format]
    per_unit = ["-q"] if name != "regression" else []
    for more in ([], per_unit):
        loud, quiet = call(*words, *more), call(*words, *more, "--quiet")
        assert (loud.code, quiet.err) == (0, "")
        assert loud.out == quiet.out
        assert loud.out.endswith("\n")
        assert "task:" not in loud.out
        written = call(*words, *more, "-o", "scores.txt", "--quiet")
        assert (written.code, written.out) == (0, "")
        assert (folder / "scores.txt").read_text(encoding="utf-8") == loud.out


@pytest.mark.parametrize("name", MODELS)
def test_json_follows_the_schema(call: Call, name: str) -> None:
    for more in ([], ["-q"] if name != "regression" else []):
        VALIDATOR.validate(json.loads(call("eval", *MODELS[name], *more, "-f", "json").out))
    for line in call("eval", *MODELS[name], "-f", "jsonl").out.splitlines():
        VALIDATOR.validate(json.loads(line))


@pytest.mark.parametrize("suffix", ["json", "jsonl", "csv", "tsv", "md", "tex", "txt"])
def test_the_suffix_chooses_the_format(call: Call, folder: Path, suffix: str) -> None:
    out_format = {"tex": "latex", "txt": "table"}.get(suffix, suffix)
    assert call("eval", "classes.csv", "-o", f"out.{suffix}").code == 0
    assert (folder / f"out.{suffix}").read_text(encoding="utf-8") == call("eval", "classes.csv", "-f", out_format).out


def test_each_group(call: Call) -> None:
    words = ["eval", "clicks.csv", "--group", "user_id", "-m", "gauc,logloss", "-q", "--quiet"]
    rows = list(csv.DictReader(io.StringIO(call(*words, "-f", "csv").out)))
    assert list(rows[0]) == ["run", "group", "n", "positives", "auc", "weight", "logloss"]
    assert [(row["group"], row["n"], row["auc"], row["weight"]) for row in rows] == [
        ("u1", "2", "1.0", "2.0"), ("u2", "2", "1.0", "2.0"), ("u3", "1", "", "1.0"),
    ]  # fmt: skip
    lines = [json.loads(line) for line in call(*words, "-f", "jsonl").out.splitlines()]
    assert lines[2] == {
        "run": "pctr", "group": "u3",
        "values": {"n": 1, "positives": 0, "auc": None, "weight": 1.0, "logloss": lines[2]["values"]["logloss"]},
    }  # fmt: skip
    trec = call(*words, "-f", "trec").out.splitlines()
    assert trec[0].split("\t")[1:] == ["u1", "2"]
    assert not any(line.startswith("auc") and "\tu3\t" in line for line in trec)
    table = call(*words[:-1], "--lang", "zh").out
    assert table.split()[:7] == ["分组", "行数", "正例数", "auc", "权重", "logloss", "----"]
    assert "–" in table


def test_each_class(call: Call) -> None:
    words = ["eval", "classes.csv", "--pred", "pred2", "-m", "f1", "-q", "--quiet"]
    rows = list(csv.DictReader(io.StringIO(call(*words, "-f", "csv").out)))
    assert list(rows[0]) == ["run", "class", "precision", "recall", "f1", "support", "predicted"]
    assert [(row["class"], row["precision"], row["support"]) for row in rows] == [
        ("a", repr(4 / 7), "4"), ("b", "", "2"), ("c", "", "1"),
    ]  # fmt: skip
    assert call(*words, "--lang", "zh").out.split()[:6] == ["类别", "精确率", "召回率", "F1", "样本数", "预测数"]
    line = json.loads(call(*words, "-f", "jsonl").out.splitlines()[1])
    assert line["values"]["precision"] is None


def test_units_that_are_not_there(refused: Callable[..., str]) -> None:
    for file in ("clicks.csv", "numbers.csv"):
        assert "-q shows the value of each group: say which column holds the groups with --group" in refused(file, "-q")


# In words.


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("name", MODELS)
def test_numbers_explained(call: Call, name: str, lang: str) -> None:
    words = ["eval", *MODELS[name], "--lang", lang]
    document = json.loads(call(*words, "-f", "json").out)
    points = [point for run in document.get("runs", [document]) for point in run["diagnosis"]["points"]]
    texts = [point[part][lang] for point in points for part in ("label", "text")]
    assert all(bool(CHINESE.search(text)) == (lang == "zh") for text in texts)
    for out_format in ("table", "md"):
        plain, explained = call(*words, "-f", out_format), call(*words, "-f", out_format, "--explain-numbers")
        assert explained.err == plain.err
        assert explained.out.startswith(plain.out.rstrip("\n") + "\n\n")
        shown = texts if out_format == "table" else [markdown_text(text) for text in texts]
        assert all(text in explained.out.split("\n\n", 1)[1] for text in shown)
    for out_format in ("csv", "tsv", "latex", "trec"):
        plain, explained = call(*words, "-f", out_format), call(*words, "-f", out_format, "--explain-numbers")
        assert explained.out == plain.out
        assert all(text in explained.err for text in texts)
        assert not any(point["text"][lang] in plain.err for point in points)
    assert call(*words, "-f", "json", "--explain-numbers").out == call(*words, "-f", "json").out


def test_what_only_shows_between_models(call: Call, write: Write) -> None:
    """a tells users apart: AUC 9/16, GAUC 0; b orders within them: AUC 7/16, GAUC 1."""
    rows = ["u,1,0.8,0.3"] * 3 + ["u,0,0.9,0.2", "v,1,0.1,0.9"] + ["v,0,0.2,0.8"] * 3
    write("two.csv", "user,click,a,b\n" + "\n".join(rows) + "\n")
    words = [
        "eval",
        "two.csv",
        "--score",
        "a",
        "--score",
        "b",
        "--group",
        "user",
        "-m",
        "auc,gauc",
        "--explain-numbers",
    ]
    english, chinese = (call(*words, "--lang", lang) for lang in ("en", "zh"))
    assert "AUC and GAUC disagree" in english.out
    assert "AUC 与 GAUC 方向相反" in chinese.out
    assert english.out.split("\n\n")[2].startswith("a\n  Order           AUC ")
    assert chinese.out.split("\n\n")[2].startswith("a\n  排序")


def test_the_passengers(call: Call, write: Write) -> None:
    """800 million passengers, 19 positives, predict none."""
    write("safe.csv", "label,score,w\n1,0,19\n0,0,799999981\n")
    done = call("eval", "safe.csv", "--weight", "w", "-m", "accuracy,recall,precision", "-f", "json")
    assert values(json.loads(done.out)) == {"accuracy": 0.99999997625, "recall": 0, "precision": None}
    assert "warning: A constant prediction (always negative) reaches an accuracy of 0.99999997625" in done.err
    assert "undefined: precision (skip)" in done.err


# Hostile labels, groups, columns and file names.


@pytest.fixture
def hostile_classes(write: Write) -> Path:
    return write("classes.jsonl", "".join(json.dumps({"true": name, "pred": name}) + "\n" for name in HOSTILE))


@pytest.fixture
def hostile_groups(write: Write) -> Path:
    rows = [{"g": name, "click": i % 2, "p": 0.25 + i % 2 / 4} for name in HOSTILE for i in (0, 1)]
    return write("groups.jsonl", "".join(json.dumps(row) + "\n" for row in rows))


UNITS = [["classes.jsonl", "-m", "f1"], ["groups.jsonl", "--group", "g", "-m", "gauc"]]
each_unit = pytest.mark.parametrize("words", UNITS, ids=["classes", "groups"])


def first_table(call: Call, words: list[str], out_format: str) -> list[str]:
    done = call("eval", *words, "-q", "-f", out_format, "--quiet")
    assert done.code == 0, done.err
    for line in done.out.split("\n"):
        harmless(line)
    return done.out.split("\n\n", maxsplit=1)[0].split("\n")


@each_unit
@pytest.mark.usefixtures("hostile_classes", "hostile_groups")
def test_hostile_names_in_tables(call: Call, words: list[str]) -> None:
    rows = first_table(call, words, "table")
    width = rows[1].index("  ") if len(set(rows[1])) > 1 else len(rows[1])
    columns = len(rows[0].split())
    shows_all([line.rsplit(maxsplit=columns - 1)[0].rstrip() for line in rows[2:]])
    assert width > 20
    md = first_table(call, words, "md")
    assert not any("<" in line or re.search(r"&(?!amp;|lt;|gt;)", line) for line in md)
    assert {len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) for line in md} == {columns + 1}


@each_unit
@pytest.mark.usefixtures("hostile_classes", "hostile_groups")
def test_hostile_names_in_latex(call: Call, words: list[str]) -> None:
    cells = [line.rsplit(" & ", maxsplit=line.count(" & "))[0] for line in first_table(call, words, "latex")[5:-2]]
    cells = [re.split(r"(?<!\\) & ", cell)[0] for cell in cells]
    for cell in cells:
        assert not set(LATEX_TOKEN.sub("", cell)) & set("\\&%$#_{}~^")
    shows_all([LATEX_TOKEN.sub(lambda token: LATEX[token[0]], cell) for cell in cells])


@each_unit
@pytest.mark.usefixtures("hostile_classes", "hostile_groups")
@pytest.mark.parametrize(("out_format", "delimiter"), [("csv", ","), ("tsv", "\t")])
def test_hostile_names_in_csv(call: Call, words: list[str], out_format: str, delimiter: str) -> None:
    unit = "class" if "f1" in words else "group"
    text = call("eval", *words, "-q", "-f", out_format, "--quiet").out
    rows = list(csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter))
    assert {row[unit] for row in rows} == set(HOSTILE)


@pytest.mark.parametrize("out_format", ["csv", "tsv"])
def test_formulas_are_escaped_where_asked_for(call: Call, write: Write, out_format: str) -> None:
    formulas = ["=1+1", "+x", "-x", "@sum", "\t=1"]
    write("f.jsonl", "".join(json.dumps({"true": name, "pred": name}) + "\n" for name in [*formulas, "plain"]))
    words = ["eval", "f.jsonl", "-m", "f1", "-q", "-f", out_format, "--quiet"]
    plain, escaped = (
        [
            row["class"]
            for row in csv.DictReader(
                io.StringIO(call(*words, *more).out, newline=""), delimiter=",\t"[out_format == "tsv"]
            )
        ]
        for more in ([], ["--escape-formulas"])
    )
    assert sorted(plain) == sorted([*formulas, "plain"])
    assert sorted(escaped) == sorted([*(f"'{name}" for name in formulas), "plain"])


@each_unit
@pytest.mark.usefixtures("hostile_classes", "hostile_groups")
def test_hostile_names_in_json_and_trec(call: Call, words: list[str]) -> None:
    unit = "class" if "f1" in words else "group"
    document = json.loads(call("eval", *words, "-q", "-f", "json").out)
    assert set(document[f"per_{unit}"][unit]) == set(HOSTILE)
    lines = call("eval", *words, "-q", "-f", "jsonl").out.rstrip("\n").split("\n")
    assert {json.loads(line)[unit] for line in lines} == set(HOSTILE)
    trec = call("eval", *words, "-q", "-f", "trec").out.rstrip("\n").split("\n")
    fields = [line.split("\t") for line in trec]
    assert {len(one) for one in fields} == {3}
    for line in trec:
        harmless(line.replace("\t", ""))
    shows_all([one[1] for one in fields if one[0].startswith("support" if unit == "class" else "positives")])


@pytest.mark.parametrize("out_format", FORMATS["eval"])
def test_hostile_columns_and_files(call: Call, write: Write, out_format: str) -> None:
    column, file = "\x1b[31m<b>\n$x", "re\nd\x1b[1m.jsonl"
    write(file, "".join(json.dumps({"click": i, column: i / 2}) + "\n" for i in (0, 1)))
    words: list[str] = ["eval", file, "--label", "click", "--score", column, "--score", "click", "-m", "auc"]
    done = call(*words, "-f", out_format, "--explain-numbers")
    assert done.code == 0
    for line in done.err.split("\n"):
        harmless(line)
    if out_format not in ("json", "jsonl", "csv", "tsv"):
        for line in done.out.split("\n"):
            harmless(line.replace("\t", ""))


def test_hostile_labels_in_words(call: Call, write: Write) -> None:
    odd = "\x1b[31m|<i>\n"
    rows = [{"true": "a", "pred": "a"}] * 30 + [{"true": odd, "pred": "a"}] * 2
    write("odd.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    for out_format in ("table", "md", "csv", "latex"):
        done = call("eval", "odd.jsonl", "--explain-numbers", "-f", out_format)
        assert done.code == 0
        for line in (done.err + (done.out if out_format != "csv" else "")).split("\n"):
            harmless(line)
        if out_format == "md":
            assert "<i>" not in done.out
    write("two.jsonl", "".join(json.dumps({"label": label, "score": 0.5}) + "\n" for label in (odd, "a")))
    done = call("eval", "two.jsonl", "--positive", odd)
    assert any(looks_like(cell, odd) for cell in re.findall(r"predicted (.*?)  ", done.out))
    for line in (done.out + done.err).split("\n"):
        harmless(line)


# Bad input.

BAD: dict[str, tuple[str, str, list[str], str]] = {
    "a word as score": ("t.csv", "click,pctr\n1,0.5\n0,high\n", [], "t.csv:3: 'high' in column 'pctr' is not a number"),
    "an empty score": ("t.csv", "click,pctr\n1,0.5\n0,\n", [], "t.csv:3: column 'pctr' of predictions t.csv is null"),
    "an empty label": ("t.csv", "click,pctr\n1,0.5\n,0.1\n", [], "t.csv:3: column 'click' of predictions t.csv is null"),
    "an infinite score": ("t.csv", "click,pctr\n1,0.5\n0,-inf\n", [], "t.csv:3: column 'pctr' of predictions t.csv is -inf"),
    "an infinite score in JSON": ("t.jsonl", '{"click":1,"pctr":1}\n{"click":0,"pctr":1e999}\n', [], "t.jsonl"),
    "three labels": ("t.csv", "click,pctr\n1,0.5\n2,0.2\n0,0.1\n", [], "has 3 labels (0, 1, 2); a binary task has two"),
    "a fractional class": ("t.csv", "true,pred\n1,1\n2,2.5\n", ["--task", "multiclass"], "t.csv:3: 2.5 is no label"),
    "numbers against words": ("t.csv", "true,pred\n1,1\n2,x\n", [], "strings and integers are never equal"),
    "a word as number": ("t.csv", "y,yhat\n1.5,1\nx,2\n", ["--task", "regression"], "t.csv:3: 'x' in column 'y' is not a number"),
    "a word as weight": ("t.csv", "y,yhat,w\n1.5,1,1\n2,2,x\n", ["--weight", "w"], "t.csv:3: 'x' in column 'w' is not a number"),
    "a negative weight": ("t.csv", "click,pctr,w\n1,0.5,1\n0,0.1,-2\n", ["--weight", "w"], "t.csv:3: the weight is -2"),
    "no weight at all": ("t.csv", "click,pctr,w\n1,0.5,0\n0,0.1,0\n", ["--weight", "w"], "all weights are 0"),
    "a negative group weight": (
        "t.csv", "u,click,pctr,b\nu,1,0.5,1\nu,0,0.1,-2\n", ["--group", "u", "-m", "gauc(by=b)"], "t.csv:3: the weight is -2",
    ),
    "logits": ("t.csv", "click,pctr\n1,0.5\n0,2.5\n", ["-m", "logloss"], "t.csv:3: logloss needs probabilities, but the score is 2.5"),
    "a short row": ("t.csv", "click,pctr\n1,0.5\n0\n", [], "t.csv:3: 1 fields, but the header has 2"),
    "an open quote": ("t.csv", 'click,pctr\n1,0.5\n0,"0.1\n', [], "t.csv"),
    "an empty file": ("t.csv", "", [], "t.csv: the file is empty"),
    "only a header": ("t.csv", "click,pctr\n", [], "predictions t.csv has no rows"),
    "an empty Parquet file": ("t.parquet", "", [], "t.parquet: the file is empty"),
    "no Parquet file": ("t.parquet", "PAR1PAR1", [], "t.parquet: not readable as Parquet"),
    "no Feather file": ("t.feather", "ARROW1\0\0", [], "t.feather: not readable as Feather"),
    "a line that is no JSON": ("t.jsonl", '{"click":1,"pctr":0.5}\nnot json\n', [], "t.jsonl:2: not a JSON object"),
    "a row without a column": ("t.jsonl", '{"click":1,"pctr":0.5}\n{"click":0}\n', [], "t.jsonl:2"),
    "a word in JSON": ("t.jsonl", '{"click":1,"pctr":0.5}\n{"click":0,"pctr":"x"}\n', [], "t.jsonl:2"),
    "a cut archive": ("t.csv.gz", "\x1f\udc8b\x08\x00", [], "t.csv.gz"),
    "bytes that are no UTF-8": ("t.csv", "click,pctr\n1,0.5\n0,\udcff\n", [], "t.csv:3: byte 0xff is not utf-8"),
    "two columns of one name": ("t.csv", "click,pctr,pctr\n1,0.5,0.5\n", [], "has two columns named 'pctr'"),
    "no column that is known": ("t.csv", "a,b\n1,0.5\n", [], "t.csv: for a ranking give QRELS and RUN...; for predictions say which"),
    "no score that is known": ("t.csv", "click,b\n1,0.5\n", ["--label", "click"], "say which column it is with --score: none of 'click', 'b'"),
    "no prediction that is known": ("t.csv", "true,b\n1,0.5\n", ["--task", "regression"], "say which column it is with --pred"),
    "dates as classes": ("t.csv", "true,pred\n2020-01-01,2020-01-02\n", [], "labels must be strings, integers or truth values"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_bad_input(refused: Callable[..., str], write: Write, name: str) -> None:
    file, text, words, says = BAD[name]
    write(file, text)
    assert says in refused(file, *words)


WRONG: dict[str, tuple[list[str], str]] = {
    "no such file": (["clickz.csv"], "clickz.csv: no such file; did you mean 'clicks.csv'"),
    "no such label column": (["clicks.csv", "--label", "clik"], "has no column 'clik'; it has 'user_id', 'click', 'pctr', 'pctr_b', 'w', 'bid'; did you mean 'click'"),
    "no such score column": (["clicks.csv", "--score", "pctr", "--score", "pctr_c"], "did you mean 'pctr"),
    "no such group column": (["clicks.csv", "--group", "user"], "has no column 'user'"),
    "no such weight column": (["clicks.csv", "--weight", "ww"], "has no column 'ww'"),
    "no such true column": (["classes.csv", "--true", "tru"], "did you mean 'true'"),
    "no such predicted column": (["classes.csv", "--pred", "prd"], "did you mean 'pred'"),
    "no such group weight": (["clicks.csv", "--group", "user_id", "-m", "gauc(by=bidd)"], "did you mean 'bid'"),
    "no groups": (["clicks.csv", "-m", "gauc"], "gauc needs groups: say which column or array holds them with group= or --group"),
    "no probabilities": (["classes.csv", "-m", "logloss"], "give proba="),
    "no such class": (["classes.csv", "-m", "f1(label=z)"], "label=z: there is no such class; there are a, b, c"),
    "unknown metric": (["clicks.csv", "-m", "aux"], "unknown metric 'aux'; did you mean 'auc'"),
    "a metric of rankings": (["clicks.csv", "-m", "ndcg@10"], "'ndcg'; it is a metric of rankings"),
    "a metric of numbers": (["classes.csv", "-m", "rmse"], "'rmse'; it is a metric of numbers"),
    "a share above 1": (["clicks.csv", "-m", "lift@2"], "is a share of the rows, above 0 and up to 1"),
    "an odd confidence": (["clicks.csv", "--ci", "95"], "ci=95.0: it is the confidence, a number between 0 and 1"),
    "few samples": (["clicks.csv", "--ci", "0.95", "--samples", "3"], "samples=3"),
    "a threshold that is NaN": (["clicks.csv", "--threshold", "nan"], "threshold=nan"),
    "a threshold that is endless": (["clicks.csv", "--threshold", "inf"], "threshold=inf"),
    "undefined is an error": (["clicks.csv", "--threshold", "5", "--undefined", "error"], "precision is undefined here (no row is predicted positive)"),
    "an undefined class is an error": (["classes.csv", "--pred", "pred2", "--undefined", "error"], "is undefined for 2 classes ('b', 'c')"),
    "ties": (["clicks.csv", "--ties", "best"], "--ties is for rankings (QRELS RUN...), not for predictions"),
    "a cut-off": (["clicks.csv", "-k", "10"], "-k is for rankings"),
    "columns by role": (["clicks.csv", "--columns", "query=user_id"], "--columns is for rankings"),
    "relevant": (["clicks.csv", "-l", "2"], "--relevant is for rankings"),
    "excluded pairs": (["clicks.csv", "--exclude", "x.csv"], "--exclude is for rankings"),
    "query weights": (["clicks.csv", "--query-weight", "x.csv"], "--query-weight is for rankings"),
    "true with labels": (["clicks.csv", "--label", "click", "--true", "w"], "--true does not belong to the task binary"),
    "scores with classes": (["classes.csv", "--task", "multiclass", "--score", "pred"], "--score does not belong to the task multiclass"),
    "a model twice": (["clicks.csv", "--score", "pctr", "--score", "pctr"], "column 'pctr' is named twice"),
    "intervals of more than all": (["numbers.csv", "--ci", "9"], "ci=9.0: it is the confidence"),
    "a group of classes": (["classes.csv", "--true", "true", "--task", "multiclass", "--group", "w"], "--group does not belong to the task multiclass"),
    "an input format": (["clicks.csv", "--input-format", "trec"], "predictions cannot be read as 'trec'; known are csv"),
    "a mark for Excel in JSON": (["clicks.csv", "--bom"], "--bom is for CSV and TSV"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_wrong_usage(refused: Callable[..., str], name: str) -> None:
    words, says = WRONG[name]
    assert says in refused(*words)


@pytest.mark.parametrize(
    ("words", "option"),
    [
        (["--label", "click", "--task", "ranking"], "--label"),
        (["--task", "ranking", "--score", "s"], "--score"),
        (["--task", "ranking", "--threshold", "1"], "--threshold"),
        (["--task", "ranking", "--true", "x"], "--true"),
    ],
)
def test_options_of_predictions_with_a_ranking(
    refused: Callable[..., str], small: Small, words: list[str], option: str
) -> None:
    assert f"{option} is for predictions" in refused(small.qrels, small.run, *words)


@pytest.mark.parametrize("words", [[], ["--task", "ranking"]])
def test_a_ranking_has_intervals(call: Call, small: Small, words: list[str]) -> None:
    wanted = pc.evaluate_ranking(small.qrels, small.run, ["mrr", "map"], ci=0.9, samples=50, seed=2)
    options = ["-m", "mrr,map", "--ci", "0.9", "--samples", "50", "--seed", "2", "-f", "json", *words]
    document = json.loads(call("eval", small.qrels, small.run, *options).out)
    assert document["metrics"] == wanted.to_dict()["metrics"]


def test_a_ranking_said_to_be_one(score: Score, small: Small, call: Call) -> None:
    assert score(small.qrels, small.run, "--task", "ranking", "-m", "rr")["task"] == "ranking"
    done = call("eval", small.qrels, "--task", "ranking")
    assert (done.code, done.out) == (2, "")
    assert "RUN" in done.err


@pytest.mark.parametrize(
    ("words", "english", "chinese"),
    [
        (["--threshold", "high"], "'high' is not a valid float", "参数 --threshold 的值 'high' 无效：须为数字"),
        (["--samples", "1.5"], "'1.5' is not a valid integer", "参数 --samples 的值 '1.5' 无效：须为整数"),
        (["--compare", "lt"], "'lt' is not one of", "参数 --compare 的值 'lt' 无效：可选 ge、gt"),
        (["--task", "ctr"], "'ctr' is not one of", "可选 ranking、binary、multiclass、regression"),
    ],
)
def test_values_that_are_none(call: Call, words: list[str], english: str, chinese: str) -> None:
    for lang, says in (("en", english), ("zh", chinese)):
        done = call("eval", "clicks.csv", *words, "--lang", lang)
        assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
        assert says in done.err


def test_a_truncated_file(refused: Callable[..., str], folder: Path) -> None:
    for name in ("table.parquet", "table.feather", "table.csv.gz"):
        KINDS[name](folder / name)
        whole = (folder / name).read_bytes()
        (folder / name).write_bytes(whole[: len(whole) - 20])
        assert name in refused(name)


def test_a_failure_leaves_the_old_file(call: Call, folder: Path) -> None:
    (folder / "old.json").write_text("old")
    assert call("eval", "clicks.csv", "-m", "aux", "-o", "old.json").code == 2
    assert (folder / "old.json").read_text() == "old"
    assert call("eval", "clicks.csv", "-o", "none/old.json").code == 2


def test_the_same_bytes_for_any_threads_and_row_order(call: Call, write: Write) -> None:
    head, *rows = CLICKS.splitlines()
    write("back.csv", "\n".join([head, *rows[::-1]]) + "\n")
    found = {
        call("eval", name, "--group", "user_id", "--weight", "w", "-q", "-f", "json", "--threads", threads).out
        for name in ("clicks.csv", "back.csv")
        for threads in ("1", "2")
    }
    assert len(found) == 1


def no_paths(document: Any) -> None:
    assert "/" not in json.dumps(document)


def test_documents_say_nothing_of_the_machine(score: Score, folder: Path) -> None:
    for name in ("clicks.csv", "classes.csv", "numbers.csv"):
        no_paths(score(folder / name))


@pytest.mark.parametrize("extra", [[], ["--bins", "1024"], ["--memory", "16MiB"]])
def test_logits_and_the_usual_threshold_are_said(
    call: Call, write: Write, monkeypatch: pytest.MonkeyPatch, extra: list[str]
) -> None:
    monkeypatch.setattr("pingce.cli.prediction_jobs.memory_of", lambda *_: 1 << 40)
    write("logits.csv", "click,score\n1,-3\n2,-1\n1,-2.5\n2,0.2\n2,0.4\n")
    done = call("eval", "logits.csv", *extra)
    assert "score ≥ 0.5 calls 0 of 5 rows positive; for logits say threshold=0 (--threshold 0)" in done.err
    assert done.err.count("left out of the usual metrics, since probabilities are needed: logloss;") == 1
    assert done.err.count("labels 1 and 2: 2 is positive; if it is the other, say positive=1 (--positive 1)") == 1
    chosen = call("eval", "logits.csv", "--threshold", "0.5", "--positive", "2", "-m", "f1", *extra).err
    assert "calls" not in chosen
    assert "labels 1 and 2" not in chosen


@pytest.fixture
def two_files(write: Write) -> tuple[Path, Path]:
    """The same rows in two orders, one file a model."""
    rows = [line.split(",") for line in CLICKS.splitlines()[1:]]
    first = "".join(f"r{at},{row[0]},{row[1]},{row[2]}\n" for at, row in enumerate(rows))
    second = "".join(f"r{at},{row[0]},{row[1]},{row[3]}\n" for at, row in reversed(list(enumerate(rows))))
    head = "row_id,user_id,click,pctr\n"
    return write("a/preds.csv", head + first), write("b/preds.csv", head + second)


def test_two_files_joined_by_id_are_two_columns(call: Call, score: Score, two_files: tuple[Path, Path]) -> None:
    few = ["--samples", "100", "-m", "auc,gauc", "--group", "user_id", "--label", "click", "-f", "json"]
    joined = call("compare", *two_files, "--score", "pctr", "--id", "row_id", *few)
    columns = call("compare", "clicks.csv", "--score", "pctr", "--score", "pctr_b", *few)
    assert "5 rows matched by row_id" in joined.err
    renamed = joined.out.replace('"a"', '"pctr"').replace('"b"', '"pctr_b"')
    mine, theirs = json.loads(renamed), json.loads(columns.out)
    assert [one["models"] for one in mine["metrics"]] == [one["models"] for one in theirs["metrics"]]
    named = score("new=a/preds.csv", "old=b/preds.csv", "--id", "row_id", "-m", "auc")
    assert {run["run"]: values(run)["auc"] for run in named["runs"]} == {"new": 5 / 6, "old": 2 / 6}
    alone = call("eval", "new=a/preds.csv", "-m", "auc", "-f", "csv").out
    assert alone.splitlines()[1].startswith("new,")


def test_two_files_without_an_id_are_taken_row_by_row_or_refused(
    call: Call, write: Write, two_files: tuple[Path, Path]
) -> None:
    words = ["--label", "click", "--score", "pctr", "-m", "auc", "--samples", "100"]
    other = call("compare", *two_files, *words)
    assert other.code == 2
    assert "row 0 (from 0): column 'click' is 1 in" in other.err
    assert "--id" in other.err
    write("c/preds.csv", two_files[0].read_text())
    same = call("compare", two_files[0], "c/preds.csv", *words)
    assert same.code == 0
    assert "the files are taken row by row, in the order they have; --id COLUMN matches rows by an id" in same.err
    write("d/preds.csv", two_files[1].read_text().replace("r0,u1,1", "r0,u1,0").replace("r9", "r8"))
    wrong = call("compare", two_files[0], "d/preds.csv", *words, "--id", "row_id")
    assert "row_id 'r0': column 'click' is 1 in" in wrong.err


@pytest.mark.parametrize(
    ("command", "extra"), [("curve", ["roc"]), ("report", ["-o", "r.html"]), ("eval", ["-m", "auc"])]
)
def test_every_command_joins_files(call: Call, two_files: tuple[Path, Path], command: str, extra: list[str]) -> None:
    words = [*extra[:1], *two_files] if command == "curve" else [*two_files, *extra]
    done = call(command, *words, "--label", "click", "--score", "pctr", "--id", "row_id")
    assert done.code == 0
    assert command == "report" or "5 rows matched by row_id" in done.err
    alone = call(command, *words[:-1] if command == "curve" else [two_files[0], *extra], "--id", "row_id")
    assert "--id matches the rows of several prediction files, and there is one; leave it out" in alone.err


def test_classes_and_numbers_of_two_files_are_joined_too(call: Call, write: Write) -> None:
    write("a/classes.csv", "id,true,pred\n1,x,x\n2,y,x\n3,y,y\n")
    write("b/classes.csv", "id,true,pred\n3,y,x\n2,y,y\n1,x,x\n")
    for words in (["-m", "accuracy"], ["--task", "multiclass", "-m", "accuracy", "--unmatched", "drop"]):
        done = call(
            "compare", "a/classes.csv", "b/classes.csv", "--true", "true", "--id", "id", "--samples", "100", *words
        )
        assert (done.code, "3 rows matched by id" in done.err) == (0, True), done.err
    assert (
        "goes with --id" in call("eval", "a/classes.csv", "b/classes.csv", "--true", "true", "--unmatched", "drop").err
    )
