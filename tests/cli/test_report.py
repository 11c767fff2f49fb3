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
    ],
)
def test_bad_input_is_one_sentence_and_no_file(call: Call, tmp_path: Path, words: tuple[str, ...], says: str) -> None:
    done = call("report", *words, "-o", str(tmp_path / "page.html"))
    assert (done.code, done.out) == (2, "")
    assert re.search(says, done.err.splitlines()[-1])
    assert list(tmp_path.iterdir()) == []


def test_the_demo_leaves_its_reports(call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = call("demo")
    assert done.code == 0
    for name in ("pingce-demo-report.html", "pingce-demo-click-report.html"):
        assert f"{name}: " in done.err
        assert (tmp_path / name).stat().st_size < 1_000_000
