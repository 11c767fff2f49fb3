"""`pingce compare`: rankings, predictions, saved scores; formats, notes, mistakes."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import jsonschema
import numpy as np
import pytest

import pingce as pc
from pingce.cli import options as command
from pingce.stats.paired import CORRECTIONS, TESTS

from .conftest import Call, Small, Write
from .shell import environment

SCHEMA = json.loads((Path(pc.__file__).parent / "schema" / "comparison.schema.json").read_text(encoding="utf-8"))
FEW = ("--samples", "200")


@pytest.fixture
def predictions(write: Write) -> Path:
    random = np.random.default_rng(3)
    label = random.integers(0, 2, 80)
    columns = (
        label,
        random.random(80).round(3),
        (0.5 * label + 0.5 * random.random(80)).round(3),
        random.integers(0, 9, 80),
    )
    rows = "\n".join(",".join(map(str, row)) for row in zip(*(column.tolist() for column in columns), strict=True))
    return write("p.csv", f"click,old,new,user\n{rows}\n")


def test_options_are_those_of_the_library() -> None:
    assert set(command.TESTS) == set(TESTS)
    assert set(command.CORRECTIONS) == set(CORRECTIONS)


def test_runs_are_compared_and_notes_go_to_stderr(call: Call, small: Small) -> None:
    done = call("compare", small.qrels, small.run, small.other, "-m", "mrr,ndcg@10", *FEW)
    assert done.code == 0
    assert "a  one (baseline)" in done.out
    assert "b  two" in done.out
    assert "test: paired permutation test (exact)" in done.out
    assert "one: 3 queries scored; 1 not answered (scored 0)" in done.err
    assert "queries scored" not in done.out
    assert call("compare", small.qrels, small.run, small.other, "--quiet", *FEW).err == ""


def test_the_document_is_that_of_the_library(call: Call, small: Small) -> None:
    words = (
        "-m",
        "mrr",
        "--baseline",
        "two",
        "--seed",
        "5",
        *FEW,
        "--correction",
        "bh",
        "--ci",
        "0.9",
        "--missing",
        "skip",
    )
    done = call("compare", small.qrels, small.run, small.other, *words, "-q", "-f", "json")
    found = pc.compare(
        small.qrels, {"one": small.run, "two": small.other}, "mrr",
        baseline="two", seed=5, samples=200, correction="bh", confidence=0.9, missing="skip",
    )  # fmt: skip
    assert json.loads(done.out) == found.to_dict(per_query=True)
    jsonschema.Draft202012Validator(SCHEMA).validate(json.loads(done.out))
    assert found.difference("mrr", "one").left_out == 1


def test_predictions_are_compared_by_row(call: Call, predictions: Path) -> None:
    words = ("--label", "click", "--score", "old", "--score", "new", "--group", "user", "-m", "auc,gauc,f1", *FEW)
    done = call("compare", predictions, *words, "-f", "json")
    assert done.code == 0, done.err
    found = pc.compare(
        "click", ["old", "new"], ["auc", "gauc", "f1"], task="binary", data=predictions, group="user", samples=200
    )
    assert json.loads(done.out) == found.to_dict()
    assert "80 rows" in done.err
    shown = call("compare", predictions, *words)
    assert "DeLong" in shown.out
    assert "ROC curve" in shown.out


def test_classes_are_compared_by_row(call: Call, write: Write) -> None:
    table = write("c.csv", "true,one,two\n" + "a,a,b\nb,b,b\nc,c,a\na,a,a\n" * 4)
    done = call("compare", table, "--true", "true", "--pred", "one", "--pred", "two", "-m", "accuracy", *FEW)
    assert done.code == 0, done.err
    assert "McNemar" in done.out


@pytest.mark.parametrize("suffix", ["md", "tex", "csv", "tsv", "json", "txt"])
def test_the_suffix_of_the_output_decides(call: Call, small: Small, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"out.{suffix}"
    done = call("compare", small.qrels, small.run, small.other, "-m", "mrr", "-o", path, *FEW)
    assert (done.code, done.out) == (0, "")
    begins = {
        "md": "| metric",
        "tex": r"% needs",
        "csv": "metric,id",
        "tsv": "metric\tid",
        "json": "{",
        "txt": "metric",
    }
    assert path.read_text(encoding="utf-8").startswith(begins[suffix])


def test_pairwise_adds_a_matrix_or_a_row_a_pair(call: Call, small: Small) -> None:
    files = (small.qrels, small.run, small.other, small.run)
    shown = call("compare", *files, "-m", "mrr", "--pairwise", *FEW)
    assert "mrr       a  one  b  two  c  one#2" in shown.out
    assert "called 'one#2'" in shown.err
    rows = list(csv.DictReader(io.StringIO(call("compare", *files, "-m", "mrr", "--pairwise", "-f", "csv", *FEW).out)))
    assert [(row["model"], row["against"]) for row in rows] == [("one#2", "one"), ("two", "one"), ("two", "one#2")]
    assert rows[0]["p"] == "1.0"


def test_verbose_shows_more_columns_and_whole_signatures(call: Call, small: Small) -> None:
    done = call("compare", small.qrels, small.run, small.other, "-m", "mrr", "-v", *FEW)
    assert "detectable Δ" in done.out
    assert "mrr: rr|of:first|rel:1" in done.out


def test_saved_scores_stand_for_runs(call: Call, small: Small, tmp_path: Path) -> None:
    saved = []
    for run in (small.run, small.other):
        saved.append(tmp_path / f"{run.stem}.json")
        assert call("eval", small.qrels, run, "-m", "mrr", "-q", "-o", saved[-1]).code == 0
    runs = call("compare", small.qrels, small.run, small.other, "-m", "mrr", "-f", "csv", *FEW)
    assert call("compare", *saved, "-f", "csv", *FEW).out == runs.out
    assert call("compare", small.qrels, small.run, saved[1], "-m", "mrr", "-f", "csv", *FEW).out == runs.out
    both = tmp_path / "both.json"
    assert call("eval", small.qrels, small.run, small.other, "-m", "mrr,ndcg@3", "-q", "-o", both).code == 0
    assert call("compare", both, "-m", "mrr", "-f", "csv", *FEW).out == runs.out
    newer = json.loads(saved[1].read_text()) | {"schema_version": 7}
    saved[1].write_text(json.dumps(newer))
    refused = call("compare", *saved, *FEW)
    assert refused.code == 2
    assert "schema version 7, newer than" in refused.err


def test_single_queries_as_a_table_and_as_data(call: Call, small: Small) -> None:
    words = ("compare", small.qrels, small.run, small.other, "-m", "mrr,ndcg@3", "--baseline", "two", *FEW, "-q")
    expected = pc.compare(
        small.qrels, {"one": small.run, "two": small.other}, ["mrr", "ndcg@3"], baseline="two", samples=200
    )
    lines = call(*words).out.splitlines()
    assert lines[0].split() == ["metric", "query", "one", "two", "Δ", "one"]
    assert lines[2].split() == ["mrr", "q1", "1.0000", "0.5000", "0.5000"]
    assert lines[9].split()[:3] == ["metric", "model", "value"], "the comparison stands below"
    rows = list(csv.DictReader(io.StringIO(call(*words, "-f", "csv").out)))
    for metric in ("mrr", "ndcg@3"):
        values, gaps = expected.per_query(metric).to_pydict(), expected.differences(metric).to_pydict()
        for name in ("one", "two"):
            own = [row for row in rows if (row["metric"], row["model"]) == (metric, name)]
            assert [row["query"] for row in own] == values["query"]
            assert [float(row["value"]) for row in own] == values[name]
            assert [row["difference"] for row in own] == (
                [""] * 3 if name == "two" else [str(gap) for gap in gaps["one"]]
            )
    assert call(*words, "-f", "tsv").out.startswith("metric\tquery\tmodel\tvalue\tdifference\n")
    for out_format, sign in (
        ("md", "| metric | query | one | two | Δ one |"),
        ("latex", r"metric & query & one & two"),
    ):
        assert sign in call(*words, "-f", out_format).out
    assert call(*words, "-f", "csv").out == expected.to_csv(per_query=True) + "\n"


def test_ids_of_strangers_in_the_data_of_single_queries(call: Call, write: Write) -> None:
    qrels = write("q.txt", "=1+1 0 a 1\n@x 0 a 1\n")
    runs = [write(f"{name}.run", "=1+1 Q0 a 1 1 t\n@x Q0 x 1 1 t\n") for name in ("r", "s")]
    words = ("compare", qrels, *runs, "-m", "mrr", "-q", "-f", "csv", *FEW)
    assert "mrr,=1+1,r,1.0," in call(*words).out
    assert "mrr,'=1+1,r,1.0," in call(*words, "--escape-formulas").out
    assert "'@x" in call(*words, "--escape-formulas").out


def test_groups_and_what_has_no_units(call: Call, predictions: Path) -> None:
    words = (
        "compare",
        predictions,
        "--label",
        "click",
        "--score",
        "old",
        "--score",
        "new",
        "--group",
        "user",
        *FEW,
        "-q",
    )
    done = call(*words, "-m", "auc,gauc")
    assert done.out.splitlines()[0].split() == ["metric", "group", "old", "new", "Δ", "new"]
    refused = call(*words, "-m", "auc")
    assert refused.code == 2
    assert "-q: auc has no values of single queries or groups" in refused.err


def test_slices_of_rankings(call: Call, small: Small, write: Write) -> None:
    by = write("langs.csv", "query,lang\nq1,zh\nq2,en\nq3,en\n")
    words = ("compare", small.qrels, small.run, small.other, "-m", "mrr", "--by", f"{by}:lang", *FEW)
    done = call(*words)
    assert done.code == 0, done.err
    table = [line.split() for line in done.out.split("\n\n")[1].splitlines()]
    assert table[0] == ["lang", "queries", "metric", "one", "two", "Δ", "two"]
    assert table[2] == ["en", "2", "mrr", "0.5000", "1.0000", "+0.5000"]
    assert "slices: Δ over the queries of the slice" in done.out
    assert "2 of 2 slices have fewer than 20 queries" in done.err
    models = {"one": small.run, "two": small.other}
    expected = pc.compare(small.qrels, models, "mrr", by=[(str(by), "lang")], samples=200)
    rows = list(csv.DictReader(io.StringIO(call(*words, "-f", "csv").out)))
    assert [row["slice"] for row in rows] == ["en", "en", "zh", "zh", "all", "all"]
    assert list(rows[0]) == expected.slices().column_names
    document = json.loads(call(*words, "-f", "json").out)
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    assert document == expected.to_dict()
    chinese = call(*words, "--lang", "zh").out
    assert "切片：Δ 及其 95 % 区间" in chinese


def test_slices_of_predictions(call: Call, predictions: Path) -> None:
    words = ("compare", predictions, "--label", "click", "--score", "old", "--score", "new", "-m", "logloss", *FEW)
    done = call(*words, "--by", "user")
    assert done.code == 0, done.err
    assert "slices: Δ is the difference of the two values" in done.out
    assert done.out.split("\n\n")[1].splitlines()[0].split() == ["user", "rows", "metric", "old", "new", "Δ", "new"]


def test_saved_scores_have_no_slices(call: Call, small: Small, tmp_path: Path) -> None:
    saved = tmp_path / "saved.json"
    assert call("eval", small.qrels, small.run, "-m", "mrr", "-q", "-o", saved).code == 0
    done = call("compare", small.qrels, saved, small.other, "--by", "activity", "-m", "mrr", *FEW)
    assert done.code == 2
    assert "saved.json (run 'one') holds saved scores, which cannot be sliced" in done.err


def test_the_baseline_may_be_named_by_its_file(call: Call, small: Small) -> None:
    done = call("compare", small.qrels, small.run, small.other, "--baseline", small.other, "-m", "mrr", *FEW)
    assert "b  two (baseline)" in done.out


def test_a_saved_baseline_may_be_named_by_its_file_too(call: Call, small: Small, write: Write) -> None:
    saved = [
        write(f"{run.stem}.json", call("eval", small.qrels, run, "-m", "mrr", "-f", "json", "-q").out)
        for run in (small.run, small.other)
    ]
    assert "b  two (baseline)" in call("compare", *saved, "--baseline", saved[1], *FEW).out
    beside = call("compare", small.qrels, small.run, saved[1], "--baseline", saved[1], "-m", "mrr", *FEW)
    assert "b  two (baseline)" in beside.out


def test_weights_of_queries_count(call: Call, small: Small, write: Write) -> None:
    weights = write("w.csv", "query,weight\nq1,3\nq2,1\nq3,1\n")
    done = call(
        "compare", small.qrels, small.run, small.other, "-m", "mrr", "--query-weight", weights, "-f", "json", *FEW
    )
    assert done.code == 0, done.err
    found = pc.compare(small.qrels, {"one": small.run, "two": small.other}, "mrr", query_weight=weights, samples=200)
    assert json.loads(done.out) == found.to_dict()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("QRELS", "RUN"), "at least two runs or models, but there is 1"),
        (("QRELS", "RUN"), "or a file each with --label, --score and --id"),
        (("QRELS", "RUN", "OTHER", "--baseline", "tow"), "did you mean 'two'?"),
        (("QRELS", "RUN", "OTHER", "--test", "welch"), "permutation"),
        (("QRELS", "RUN", "OTHER", "--correction", "sidak"), "holm"),
        (("QRELS", "RUN", "OTHER", "--samples", "5"), "samples=5"),
        (("QRELS", "RUN", "OTHER", "--ci", "95"), "between 0 and 1"),
        (("QRELS", "RUN", "OTHER", "-o", "x.jsonl"), ".jsonl cannot be written here"),
        (("QRELS", "RUN", "OTHER", "-m", "ndgc@10"), "did you mean 'ndcg'"),
        (("TABLE", "--label", "click", "--score", "old"), "but there is 1"),
        (("TABLE", "TABLE", "--label", "click", "--score", "old", "--id", "click"), "an id names one row"),
        (("TABLE", "--label", "click", "--score", "old", "--score", "new", "--id", "old"), "--id matches the rows of several"),
        (("TABLE", "--label", "click", "--score", "old", "--score", "new", "--test", "t"), "--test has no meaning for predictions"),
        (("TABLE", "--label", "click", "--score", "old", "--score", "new", "--ties", "id"), "--ties has no meaning for predictions"),
        (("QRELS", "RUN", "OTHER", "--task", "ranking", "--group", "u"), "--group has no meaning for rankings"),
    ],
)  # fmt: skip
def test_mistakes_are_one_sentence(
    call: Call, small: Small, predictions: Path, words: tuple[str, ...], said: str
) -> None:
    files = {"QRELS": small.qrels, "RUN": small.run, "OTHER": small.other, "TABLE": predictions}
    given = [files.get(word, word) for word in words]
    done = call("compare", *given)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert said in done.err
    chinese = call("compare", *given, "--lang", "zh")
    assert chinese.code == 2
    assert any("一" <= letter <= "鿿" for letter in chinese.err)


def test_chinese_is_spoken_throughout(call: Call, small: Small) -> None:
    done = call("compare", small.qrels, small.run, small.other, "-m", "mrr", "--lang", "zh", *FEW)
    assert all(word in done.out for word in ("指标", "模型", "基线", "配对置换检验", "字母：显著优于"))
    assert "比较多份排序结果" in call("compare", "--help", "--lang", "zh").out


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys\nfrom pingce.cli import run\nassert run(['compare', '--help']) == 0\n"
        "print([name for name in ('scipy', 'pyarrow', 'pandas', 'pingce.comparison', 'pingce.stats') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
