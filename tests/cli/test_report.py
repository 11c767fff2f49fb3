"""`pingce report`: what it writes, says and refuses."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .conftest import Call
from .shell import CASES, ROOT

DEMO = ROOT / "src" / "pingce" / "demo"
CLICKS = (str(DEMO / "ctr_log.parquet"), "--label", "click", "--score", "pctr_a")
RANKING = (str(CASES / "graded.qrels"), str(CASES / "graded.run"))


def test_a_report_of_runs(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    done = call("report", *RANKING, str(CASES / "ties.run"), "-m", "ndcg@5,map", "--samples", "100", "-o", str(path))
    assert (done.code, done.out) == (0, "")
    assert done.err.splitlines()[-1].startswith(f"{path}: ")
    html = path.read_text("utf-8")
    assert "<bdi>graded</bdi>" in html
    assert "<bdi>ties</bdi>" in html
    assert str(CASES) not in html


def test_a_report_of_predictions(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    words = ("--group", "user_id", "-m", "auc,gauc", "--title", "A <title>", "-o", str(path), "--quiet", "--lang", "zh")
    done = call("report", *CLICKS, "--score", "pctr_b", *words)
    assert (done.code, done.out, done.err) == (0, "", "")
    html = path.read_text("utf-8")
    assert '<html lang="zh-CN" data-lang="zh">' in html
    assert "<h1>A &lt;title&gt;</h1>" in html
    assert 'data-section="slices"' in html


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("none.qrels", "none.run"), "none.qrels: no such file"),
        ((RANKING[0], "--task", "ranking"), "Missing argument RUN"),
        ((*RANKING, "--label", "x"), "say which column it is with --score"),
        ((*CLICKS, "--ties", "worst"), "--ties has no meaning for predictions"),
        ((*RANKING, "--baseline", "nobody"), "at least two|'nobody'"),
        ((*RANKING, "-m", "ndgc@5"), "did you mean 'ndcg'"),
        ((*RANKING, "--ci", "3"), "ci=3"),
        ((*RANKING, "--samples", "5"), "samples=5"),
    ],
)
def test_bad_input_is_one_sentence_and_no_file(call: Call, tmp_path: Path, words: tuple[str, ...], says: str) -> None:
    done = call("report", *words, "-o", str(tmp_path / "page.html"))
    assert (done.code, done.out) == (2, "")
    assert re.search(says, done.err.splitlines()[-1])
    assert list(tmp_path.iterdir()) == []


def test_saved_scores_are_no_run(call: Call, tmp_path: Path) -> None:
    saved = tmp_path / "saved.json"
    saved.write_text(call("eval", *RANKING, "-q", "-f", "json").out, "utf-8")
    done = call("report", RANKING[0], str(saved), "-o", str(tmp_path / "page.html"))
    assert done.code == 2
    assert "'saved' has saved scores" in done.err
    assert "give the run itself" in done.err


def test_one_run_has_the_interval_that_was_asked_for(call: Call, tmp_path: Path) -> None:
    sizes = {}
    for share in ("0.5", "0.95"):
        path = tmp_path / f"{share}.html"
        by = ("--by", "activity", "--min-n", "2")
        assert call("report", *RANKING, "-m", "map", "--ci", share, "--samples", "200", *by, "-o", str(path)).code == 0
        html = path.read_text("utf-8")
        assert f"{100 * float(share):g} % intervals: percentile bootstrap over queries, 200 draws, seed 0" in html
        assert f"intervals: {100 * float(share):g}%, percentile bootstrap" in html
        sizes[share] = re.findall(r'class="interval">(\[.*?\])', html)
    assert sizes["0.5"] != sizes["0.95"]


@pytest.mark.deep("computes two whole reports")
def test_the_demo_leaves_its_reports(call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = call("demo", "--report", "--lang", "en")
    assert done.code == 0
    for name in ("pingce-demo-report.html", "pingce-demo-click-report.html"):
        assert f"{name}: " in done.err
        assert (tmp_path / name).stat().st_size < 1_000_000


def test_numbers_of_groups_have_a_report(call: Call, tmp_path: Path) -> None:
    (tmp_path / "numbers.csv").write_text("v,p,g\n1,2,a\n3,2.5,a\n5,6,b\n2,1,b\n4,4,b\n")
    done = call(
        "report",
        str(tmp_path / "numbers.csv"),
        "--true",
        "v",
        "--pred",
        "p",
        "--group",
        "g",
        "-o",
        str(tmp_path / "r.html"),
    )
    assert done.code == 0, done.err
    assert (tmp_path / "r.html").stat().st_size > 10_000
