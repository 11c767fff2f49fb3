"""`pingce similar` and `pingce fuse`: results to stdout or a whole file, counts to stderr, refusals in one sentence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import pingce as pc
from pingce.cli import main

A = "q1 Q0 a 1 3 x\nq1 Q0 b 2 2 x\nq2 Q0 a 1 1 x\n"
B = "q1 Q0 b 1 3 x\nq1 Q0 c 2 2 x\nq3 Q0 a 1 1 x\n"


@pytest.fixture
def runs(tmp_path: Path) -> list[str]:
    for name, text in (("a.run", A), ("b.run", B)):
        (tmp_path / name).write_text(text)
    return [str(tmp_path / "a.run"), str(tmp_path / "b.run")]


def call(*words: str) -> int:
    with pytest.raises(SystemExit) as left:
        main(words)
    return int(left.value.code or 0)


def test_similar_says_what_the_call_says(runs: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert call("similar", *runs, "-f", "json", "-q", "--lang", "en") == 0
    out, err = capsys.readouterr()
    result = pc.similar(*runs, names=("a", "b"))
    assert json.loads(out) == json.loads(result.to_json(per_query=True))
    assert "1 query only in a, not counted: q2" in err
    assert "1 query only in b, not counted: q3" in err


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("form", ["table", "md", "csv", "tsv", "json"])
def test_similar_writes_every_format(
    runs: list[str], form: str, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("similar", *runs, "-f", form, "--lang", language) == 0
    assert "overlap@10" in capsys.readouterr().out


def test_fuse_writes_a_run(runs: list[str], tmp_path: Path) -> None:
    for name in ("f.run", "f.parquet", "f.csv"):
        assert call("fuse", *runs, "-o", str(tmp_path / name), "--quiet") == 0
        assert sorted(pc.read_run(tmp_path / name).value) == sorted(pc.fuse(runs).score)


@pytest.mark.parametrize("words", [
    ("similar",), ("fuse", "--method", "wsum"), ("fuse", "--method", "odd"), ("fuse", "-o", "x.xlsx"), ("fuse", "-f", "parquet"),
    ("fuse", "--weights", "a,b"),
])  # fmt: skip
def test_wrong_words_are_refused(runs: list[str], words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    files = runs[:1] if words == ("similar",) else runs
    assert call(words[0], *files, *words[1:]) == 2
    assert capsys.readouterr().err.count("\n") == 1
