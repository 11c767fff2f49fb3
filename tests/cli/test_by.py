"""`pingce eval --by`: slices in every format, of runs and of predictions."""

from __future__ import annotations

import csv
import io

import pytest

import pingce as pc
from pingce.tasks import TASKS

from .conftest import Call, Score, Small, Write

QUERIES = "query,country,device\nq1,CN,web\nq2,US,app\nq3,CN,\n"
PREDICTIONS = "click,pctr,user,device\n" + "".join(
    f"{i % 3 == 0:d},{(i * 7 % 10) / 10},u{i % 6 * (i % 4 > 0)},{('web', 'app', '')[i % 5 % 3]}\n" for i in range(60)
)


def test_a_column_of_a_table_of_queries(call: Call, small: Small, write: Write) -> None:
    table = write("queries.csv", QUERIES)
    done = call("eval", small.qrels, small.run, "-m", "mrr", "--by", f"{table}:country")
    assert done.code == 0
    lines = [line.split() for line in done.out.splitlines()]
    assert ["country", "queries", "mrr"] in lines
    assert ["CN", "2", "0.5000"] in lines
    assert ["US", "1", "1.0000"] in lines
    assert lines[6 + 2][:2] == ["all", "3"]
    assert "2 of 2 slices have fewer than 20 queries" in done.err


def test_several_columns_and_built_ins(score: Score, small: Small, write: Write) -> None:
    table = write("queries.csv", QUERIES)
    for words in ([f"{table}:country,device"], [f"{table}:country", "--by", f"{table}:device"], [str(table)]):
        document = score(small.qrels, small.run, "-m", "mrr", "--by", *words)
        found = [(part["by"], part["slice"], part["n"]) for part in document["slices"]["slices"]]
        assert found == [
            ("country", "CN", 2),
            ("country", "US", 1),
            ("device", "app", 1),
            ("device", "web", 1),
            ("device", None, 1),
        ]
    built = score(small.qrels, small.run, "--by", "activity", "--by", "popularity", "--min-n", "1")
    assert built["slices"]["min_n"] == 1
    assert {part["by"] for part in built["slices"]["slices"]} == {"activity", "popularity"}


def test_several_runs_stand_below_each_other(call: Call, small: Small, write: Write) -> None:
    table = write("queries.csv", QUERIES)
    words = ("eval", small.qrels, small.run, small.other, "-m", "mrr", "--by", f"{table}:country", "--quiet")
    done = call(*words, "-f", "md")
    assert "| CN | one | 2 | 0.5000 |\n| CN | two | 2 | 0.7500 |" in done.out
    rows = list(csv.DictReader(io.StringIO(call(*words, "-f", "csv").out)))
    assert [(row["run"], row["slice"], row["n"]) for row in rows] == [
        ("one", "CN", "2"),
        ("one", "US", "1"),
        ("one", "all", "3"),
        ("two", "CN", "2"),
        ("two", "US", "1"),
        ("two", "all", "3"),
    ]
    assert rows[0]["mrr"] == "0.5"
    assert "country" in call(*words, "-f", "latex").out
    assert call(*words, "-f", "tsv").out.splitlines()[0].split("\t")[:4] == ["run", "by", "slice", "n"]


def test_columns_of_predictions(score: Score, call: Call, write: Write) -> None:
    table = write("preds.csv", PREDICTIONS)
    words = (table, "--label", "click", "--score", "pctr", "--group", "user", "-m", "auc,gauc")
    document = score(*words, "--by", "device", "--by", "activity", "--ci", "0.9", "--samples", "20", "--min-n", "12")
    own = pc.evaluate_binary(
        "click",
        "pctr",
        ["auc", "gauc"],
        data=table,
        group="user",
        by=["device", "activity"],
        ci=0.9,
        samples=20,
        min_n=12,
    )
    assert own.slices is not None
    assert document["slices"] == own.slices.to_dict()
    parts = [part for part in document["slices"]["slices"] if part["by"] == "device"]
    assert [part["slice"] for part in parts] == ["app", "web", None]
    assert sum(part["n"] for part in parts) == 60
    zh = call("eval", *words, "--by", "device", "--lang", "zh")
    assert "（无）" in zh.out
    assert "全部" in zh.out


def test_classes_and_numbers(score: Score, write: Write) -> None:
    table = write("classes.csv", "true,pred,part\na,a,x\nb,a,x\nb,b,10\na,a,9\n")
    document = score(table, "--by", "part")
    assert [part["slice"] for part in document["slices"]["slices"]] == ["10", "9", "x"]
    table = write("numbers.csv", "true,pred,part\n1.5,1,1\n2,2.5,2\n3,3,2\n")
    document = score(table, "-m", "mae", "--by", "part")
    assert [part["metrics"][0]["value"] for part in document["slices"]["slices"]] == [0.5, 0.25]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--by", "country"], "activity, popularity, a table with a query column"),
        (["--by", "activty"], "did you mean 'activity'"),
        (
            ["--by", "queries.csv:contry"],
            "no column 'contry'; it has 'query', 'country', 'device'; did you mean 'country'",
        ),
        (["--by", "nowhere.csv:country"], "nowhere.csv"),
        (["--by", "activity", "-f", "trec"], "--by has no place in trec_eval's lines"),
        (["--by", "activity", "--conventions", "ranx,trec_eval"], "--conventions and --by do not go together"),
    ],
)
def test_bad_input(
    call: Call, small: Small, write: Write, monkeypatch: pytest.MonkeyPatch, words: list[str], said: str
) -> None:
    monkeypatch.chdir(write("queries.csv", QUERIES).parent)
    done = call("eval", small.qrels, small.run, *words)
    assert done.code == 2
    assert said in done.err
    assert done.out == ""
    in_chinese = call("eval", small.qrels, small.run, *words, "--lang", "zh")
    assert in_chinese.err != done.err


def test_predictions_say_which_columns_there_are(call: Call, write: Write) -> None:
    table = write("preds.csv", PREDICTIONS)
    done = call("eval", table, "--by", "devices")
    assert done.code == 2
    assert "no column 'devices'; it has 'click', 'pctr', 'user', 'device'; did you mean 'device'" in done.err
    assert "--group" in call("eval", table, "--by", "activity").err


def test_without_slices_documents_are_as_they_were(score: Score, small: Small) -> None:
    assert "slices" not in score(small.qrels, small.run)


def test_a_gap_slices_by_its_column(call: Call, write: Write) -> None:
    lines = [f"{at % 2},{(at * 7 % 10) / 10},{'fm'[at % 3 == 0]}" for at in range(120)]
    loans = write("loans.csv", "\n".join(["click,pctr,sex", *lines, ""]))
    found = call("eval", loans, "-m", "equalized_odds(by=sex)", "--ci", "0.9", "--samples", "50")
    assert [line.split()[0] for line in found.out.splitlines()[2:5]] == ["recall", "fpr", "equalized_odds(by=sex)"]
    assert "equalized_odds(by=sex): recall is 0.6 in all 2 groups by sex" in found.err
    told = call("explain", "equalized_odds(by=sex)", loans, "--lang", "zh").out
    assert "计入的各组" in told
    assert "recall 的差距" in told
    page = call("metrics", "gap").out
    assert page.count("gap  Gap between groups") == len(TASKS)


@pytest.mark.parametrize(("metric", "value"), [("gap(of=mrr)", "0.5000"), ("quantile(of=mrr)", "1.0000")])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_what_is_read_out_of_slices_and_queries(
    call: Call, small: Small, write: Write, metric: str, value: str, lang: str
) -> None:
    table = write("queries.csv", QUERIES)
    by = ("--by", f"{table}:country", "--min-n", "1", "--lang", lang)
    done = call("eval", small.qrels, small.run, "-m", metric, *by)
    assert done.code == 0, done.err
    assert [metric, value] in [line.split()[:2] for line in done.out.splitlines()]


def test_compare_and_report_take_gaps(call: Call, write: Write) -> None:
    table = write("clicks.csv", PREDICTIONS.replace("\n", ",0.5\n").replace("device,0.5", "device,other", 1))
    words = [table, "--label", "click", "--score", "pctr", "--score", "other", "-m", "gap(of=recall,by=device)"]
    words += ["--samples", "100"]
    done = call("compare", *words)
    assert done.code == 0, done.err
    assert "Δ other" in done.out
    assert "gaps: the rows of each group are drawn 100 times" in done.out
    page = table.parent / "r.html"
    done = call("report", *words, "-o", page)
    assert done.code == 0, done.err
    assert 'data-table="gaps-0"' in page.read_text("utf-8")
