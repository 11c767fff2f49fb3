"""`pingce check`: exit codes as a shell sees them, options shared with eval, both languages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Call, Small, Write
from .shell import shell

PREDICTIONS = "click,pctr,user\n1,0.9,a\n0,0.2,a\n1,0.4,b\n0,0.5,b\n0,0.1,b\n"


@pytest.fixture
def base(call: Call, small: Small, tmp_path: Path) -> Path:
    path = tmp_path / "base.json"
    assert call("eval", small.qrels, small.other, "-m", "mrr,ndcg@10", "-q", "-o", path, "--quiet").code == 0
    return path


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--min", "mrr=0.6"], 0),
        (["--min", "mrr=0.7"], 1),
        (["--min", "mrr=0.7", "--baseline", "base.json", "--max-drop", "map=1"], 2),
    ],
)
def test_exit_codes(small: Small, base: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], code: int) -> None:
    monkeypatch.chdir(base.parent)
    done = shell("check", small.qrels, small.run, *words)
    assert done.code == code
    assert "Traceback" not in done.err


DEEP = "[" * 5_000 + "]" * 5_000


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("base.json", "1e400", "base.json: the number 1e400 is beyond what a double holds"),
        ("base.json", DEEP, "base.json is no document of pingce scores"),
        ("base.json", '{"schema_version": ' + DEEP + "}", "base.json is no document of pingce scores"),
        ("checks.toml", "check = " + DEEP, "checks.toml: its values are nested too deeply"),
        (
            "checks.toml",
            "check = " + "{a=" * 5_000 + "1" + "}" * 5_000,
            "checks.toml: its values are nested too deeply",
        ),
    ],
)
def test_only_a_failed_check_exits_1(call: Call, small: Small, base: Path, name: str, content: str, said: str) -> None:
    target = base.parent / name
    old = base.read_text(encoding="utf-8")
    target.write_text(old.replace('"value": ', '"value": 1e400, "was": ', 1) if "1e400" in content else content)
    option = ["--checks", target] if name.endswith("toml") else ["--baseline", target, "--max-drop", "mrr=0"]
    for words in ([small.qrels, small.run, *option], *([[target, "--min", "mrr=0"]] if name == "base.json" else [])):
        done = call("check", *words, "--quiet")
        assert (done.code, done.out) == (2, "")
        assert done.err.startswith("pingce: ")
        assert said in done.err


def test_the_table_names_metric_value_rule_margin_and_verdict(call: Call, small: Small) -> None:
    done = call("check", small.qrels, small.run, "--min", "mrr=0.6", "--max", "ap(norm=min)@5=0.5")
    assert done.code == 1
    lines = [line.split() for line in done.out.splitlines()]
    assert lines[0] == ["metric", "value", "rule", "margin", "verdict"]
    assert lines[2] == ["mrr", "0.6667", "≥", "0.6", "0.0667", "passed"]
    assert lines[3][0] == "ap(norm=min)@5"
    assert lines[3][-1] == "failed"
    assert "3 queries scored" in done.err
    assert done.err.endswith("1 of 2 checks failed\n")
    chinese = call("check", small.qrels, small.run, "--min", "mrr=0.6", "--lang", "zh")
    assert chinese.out.splitlines()[0].split() == ["指标", "数值", "要求", "余量", "结论"]
    assert "通过" in chinese.out
    assert chinese.err.endswith("全部 1 项检查通过\n")


def test_markdown_and_json_to_files(call: Call, small: Small, tmp_path: Path) -> None:
    summary, data = tmp_path / "summary.md", tmp_path / "checks.json"
    words = ("check", small.qrels, small.run, "--min", "mrr=0.7", "--quiet")
    done = call(*words, "-o", summary)
    assert (done.code, done.out, done.err) == (1, "", "")
    assert summary.read_text().startswith("**1 of 1 checks failed**\n\n| metric |")
    assert call(*words, "-o", data).code == 1
    assert json.loads(data.read_text())["checks"][0]["passed"] is False
    assert "endings .json, .md, .txt" in call(*words, "-o", tmp_path / "x.csv").err


def test_policies_and_conventions_are_those_of_eval(call: Call, small: Small) -> None:
    words = ("check", small.qrels, small.run, "--min", "mrr=1", "--quiet")
    assert call(*words).code == 1
    assert call(*words, "--missing", "skip").code == 0
    found = call("check", small.qrels, small.run, "--min", "ndcg@10=0", "--convention", "trec_eval", "-f", "json").out
    assert "gain:linear" in json.loads(found)["checks"][0]["signature"]


def test_predictions_of_every_task(call: Call, write: Write) -> None:
    table = write("preds.csv", PREDICTIONS)
    assert call("check", table, "--label", "click", "--score", "pctr", "--min", "auc=0.8").code == 0
    assert (
        call("check", table, "--group", "user", "--label", "click", "--score", "pctr", "--max", "gauc=0.69").code == 1
    )
    classes = write("classes.csv", "true,pred\na,a\nb,a\n")
    assert call("check", classes, "--min", "f1(average=macro)=0.5").code == 1
    numbers = write("numbers.csv", "true,pred\n1.5,1\n2,2\n")
    assert call("check", numbers, "--max", "mae=0.25").code == 0
    assert (
        "--threshold is for predictions"
        in call("check", classes, classes, "--task", "ranking", "--threshold", "1", "--min", "mrr=1").err
    )


def test_saved_scores_alone(call: Call, base: Path) -> None:
    assert call("check", base, "--min", "rr=0.8", "--baseline", base, "--max-drop", "mrr=0").code == 0
    done = call("check", base, "--min", "map=0.5")
    assert done.code == 2
    assert "; there are mrr, ndcg@10" in done.err
    assert "not judged" in done.out
    assert "unknown metric 'mrrr'" in call("check", base, "--min", "mrrr=0.5").err


def test_drops_from_a_baseline(call: Call, small: Small, base: Path) -> None:
    words = ("check", small.qrels, small.run, "--baseline", base)
    done = call(*words, "--max-drop", "mrr=10%")
    assert done.code == 1
    assert "drop ≤ 10%" in done.out
    assert call(*words, "--max-drop", "mrr=0.2").code == 0
    chance = call(*words, "--max-drop", "mrr=10%", "--significant")
    assert chance.code == 0
    assert "the drop is not significant: p = 1 against 0.05 (paired permutation test, 3 queries)" in chance.err
    assert call(*words, "--max-drop", "mrr=10%", "--significant", "--alpha", "0.999").code == 0


def test_a_baseline_of_other_definitions_or_without_queries_is_not_judged(
    call: Call, small: Small, base: Path, tmp_path: Path
) -> None:
    other = call("check", small.qrels, small.run, "--baseline", base, "--max-drop", "mrr=1", "--relevant", "2")
    assert other.code == 2
    assert "rel:2" in other.err
    assert "rel:1" in other.err
    bare = tmp_path / "bare.json"
    call("eval", small.qrels, small.other, "-m", "mrr", "-o", bare, "--quiet")
    words = ("check", small.qrels, small.run, "--baseline", bare, "--max-drop", "mrr=10%")
    assert call(*words).code == 1
    untested = call(*words, "--significant")
    assert untested.code == 2
    assert "pingce eval -q -f json" in untested.err
    newer = tmp_path / "newer.json"
    newer.write_text(bare.read_text().replace('"schema_version": 1', '"schema_version": 9'))
    refused = call("check", small.qrels, small.run, "--baseline", newer, "--max-drop", "mrr=1")
    assert refused.code == 2
    assert "schema version 9, newer" in refused.err


def test_a_checks_file(call: Call, small: Small, base: Path, write: Write) -> None:
    file = write("checks.toml", 'baseline = "base.json"\n[[check]]\nmetric = "mrr"\nmin = 0.6\nmax_drop = "50%"\n')
    done = call("check", small.qrels, small.run, "--checks", file)
    assert done.code == 0
    assert "all 2 checks passed" in done.err
    wrong = write("wrong.toml", '[[check]]\nmetric = "mrr"\nmin = 0.6\n[[check]]\nmetric = "ndgc@10"\nmin = 1\n')
    refused = call("check", small.qrels, small.run, "--checks", wrong)
    assert (refused.code, refused.out) == (2, "")
    assert "wrong.toml, check 2: unknown metric 'ndgc'; did you mean 'ndcg'" in refused.err
    assert "wrong.toml 第 2 个检查项" in call("check", small.qrels, small.run, "--checks", wrong, "--lang", "zh").err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "nothing to check"),
        (["--min", "mrr"], "write METRIC=LIMIT"),
        (["--min", "ap(norm=min)"], "write METRIC=LIMIT"),
        (["--min", "mrr=high"], "--min mrr=high: 'high' is no limit"),
        (["--max-drop", "mrr=1"], "needs a baseline"),
        (["--max-drop", "mrr=-1%", "--baseline", "x.json"], "is a rise"),
        (["--max-drop", "mrr=1", "--baseline", "nowhere.json"], "nowhere.json: cannot be read"),
        (["--min", "mrr=1", "--baseline", "nowhere.json"], "no --max-drop"),
        (["--min", "mrr=1", "--checks", "nowhere.toml"], "nowhere.toml: cannot be read"),
        (["--min", "auc=1"], "auc"),
        (["--min", "mrr=1", "--alpha", "2"], "alpha=2"),
    ],
)
def test_bad_input(call: Call, small: Small, words: list[str], said: str) -> None:
    done = call("check", small.qrels, small.run, *words)
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert call("check", small.qrels, small.run, *words, "--lang", "zh").err != done.err


def test_a_lone_file_is_blamed_before_a_metric(call: Call, small: Small, write: Write) -> None:
    broken, other = write("broken.json", "{oops"), write("other.json", '{"q1": {"a": 1}}')
    for words, said, chinese in (
        (["nowhere.json"], "nowhere.json: no such file", "文件不存在"),
        ([small.qrels, "nowhere.run"], "nowhere.run: no such file", "文件不存在"),
        ([broken], "broken.json, line 1: this is not JSON", "不是 JSON"),
        ([other], "other.json is no document of pingce scores", "不是 pingce 的分数文档"),
        ([small.run], "give QRELS RUN", "请给出 QRELS RUN"),
    ):
        done = call("check", *words, "--min", "mrr=0.1")
        assert (done.code, done.out) == (2, "")
        assert said in done.err
        assert "metric" not in done.err
        assert chinese in call("check", *words, "--min", "mrr=0.1", "--lang", "zh").err


def test_margins_intervals_and_changes(call: Call, small: Small, base: Path) -> None:
    words = ("check", small.qrels, small.run, "--baseline", base)
    unproved = call(*words, "--non-inferior", "mrr=0.01")
    assert unproved.code == 1
    assert "non-inferior, margin 0.01" in unproved.out
    assert "with confidence 0.95, p = " in unproved.err
    assert call(*words, "--equivalent", "mrr=200%", "--alpha", "0.4").code == 0
    listed = call(*words, "--max-drop", "mrr=0.01", "--changes", "--ci", "0.95")
    assert listed.code == 1
    assert [line.split()[:4] for line in listed.out.splitlines() if line.startswith("metric")] == [
        ["metric", "value", "low", "high"],
        ["metric", "baseline", "value", "change"],
    ]
    assert "mrr of q3: 1.0000 → 0.0000" in listed.err
    assert "ndcg@10" not in listed.out  # files are scored by the metrics of the rules, as the help says
    assert "metrics of the rules" in " ".join(call("check", "--help").out.split())
    alone = call("check", base, "--min", "mrr=0.1", "--baseline", base, "--changes")
    assert alone.code == 0
    assert "ndcg@10" in alone.out
    assert call(*words, "--non-inferior", "mrr=0").code == 2


def test_without_a_baseline_its_rules_are_not_judged(call: Call, base: Path) -> None:
    words = ["check", base, "--min", "mrr=0.1", "--max-drop", "mrr=0", "--non-inferior", "mrr=0.1", "--changes"]
    refused = call(*words)
    assert (refused.code, refused.out) == (2, "")
    assert "max_drop needs a baseline" in refused.err
    done = call(*words, "--no-baseline", "-f", "json")
    assert done.code == 2
    assert [(row["kind"], row["passed"]) for row in json.loads(done.out)["checks"]] == [
        ("min", True),
        ("max_drop", None),
        ("non_inferior", None),
    ]
    assert "mrr: there is no baseline to compare with" in done.err
    assert call(*words, "--no-baseline", "--baseline", base).err == call(*words, "--baseline", base).err
    assert call("check", base, "--min", "mrr=0.1", "--no-baseline").code == 0


def test_rows_of_several_files_name_them(call: Call, base: Path) -> None:
    other = base.with_name("other.json")
    other.write_bytes(base.read_bytes())
    done = call("check", base, other, "--min", "mrr=0.1")
    assert [line.split(": ")[0] for line in done.out.splitlines()[2:]] == [str(base), str(other)]
    assert str(base) not in call("check", base, "--min", "mrr=0.1").out


def test_rows_of_several_files_name_them_where_runs_have_names_too(call: Call, base: Path) -> None:
    document, other = json.loads(base.read_text()), base.with_name("other.json")
    runs = [document | {"run": name} for name in ("new", "old")]
    for path, run in ((base, runs[0]), (other, runs[1])):
        path.write_text(json.dumps(run))
    both = base.with_name("both.json")
    both.write_text(json.dumps({"schema_version": document["schema_version"], "runs": runs}))
    words = ["check", base, other, "--baseline", both, "--max-drop", "mrr=0", "--changes", "-f", "json"]
    done = call(*words)  # a baseline of several runs is found by the name of the run
    assert done.code == 0, done.err
    titles = [f"{base}: new", f"{other}: old"]
    checked = json.loads(done.out)
    assert [row["run"] for row in checked["checks"]] == titles
    assert [*dict.fromkeys(row["run"] for row in checked["changes"])] == titles
    alone = json.loads(call("check", both, "--min", "mrr=0.1", "-f", "json").out)
    assert [row["run"] for row in alone["checks"]] == ["new", "old"]
