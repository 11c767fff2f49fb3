"""`pingce split` and `pingce leak`: files a part, counts, notes, and exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import pingce as pc
from pingce.cli import main

LOG = "user,item,ts,price\na,1,10,0.5\na,2,30,1.5\na,3,20,2.5\nb,1,5,3.5\nb,4,6,4.5\n"


@pytest.fixture
def log(tmp_path: Path) -> str:
    (tmp_path / "log.csv").write_text(LOG)
    return str(tmp_path / "log.csv")


def call(*words: str) -> int:
    with pytest.raises(SystemExit) as left:
        main(words)
    return int(left.value.code or 0)


def test_parts_are_files_with_all_columns(log: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    parts = tmp_path / "parts"
    assert call("split", log, "--how", "last", "-o", str(parts), "-f", "csv", "--lang", "en") == 0
    out, err = capsys.readouterr()
    assert (parts / "test.csv").read_text().splitlines()[1:] == ['"a","2",30,1.5', '"b","4",6,4.5']
    assert "log.csv: user=user, item=item, time=ts" in err
    assert "test.csv written" in err
    assert out.split()[:6] == ["part", "rows", "users", "items", "new_users", "new_items"]
    assert call("split", log, "--how", "time", "--at", "20", "-o", str(parts)) == 0
    assert pc.split(log, "time", at=20)["test"].num_rows == 2


def test_leaks_are_counted_and_may_fail_a_pipeline(
    log: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    parts = tmp_path / "parts"
    call("split", log, "--how", "time", "--test", "0.4", "-o", str(parts), "-f", "csv", "--quiet")
    train, test = str(parts / "train.csv"), str(parts / "test.csv")
    capsys.readouterr()
    assert call("leak", train, test, "--strict", "-f", "json") == 0
    assert json.loads(capsys.readouterr().out) == json.loads(pc.leak(train, test).to_json())
    assert call("leak", log, test, "--strict", "--lang", "en") == 1
    out, err = capsys.readouterr()
    assert "test pairs that train has" in out
    assert "the test leaks into the training data: test pairs that train has, 2 of 2 rows" in err
    assert call("leak", log, test, "--lang", "zh", "-f", "md") == 0
    assert "训练集中已有的测试对" in capsys.readouterr().out


def test_a_folder_is_asked_for(log: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("split", log, "--lang", "en") == 2
    assert "-o FOLDER" in capsys.readouterr().err
