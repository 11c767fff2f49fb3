"""What nobody foresaw: one sentence, exit code 70 and never 1; and problems of files are not those of stdout."""

from __future__ import annotations

import io
import subprocess
from pathlib import Path
from typing import Any

import pytest

import pingce.cli
from pingce.cli import main

from .shell import LIMIT, command, environment

FILES = {"q": "q 0 a 1\n", "r": "q Q0 a 1 1 t\n"}


@pytest.fixture
def words(tmp_path: Path) -> list[str]:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return ["eval", str(tmp_path / "q"), str(tmp_path / "r"), "-m", "rr", "--quiet", "--lang", "en"]


def code_of(words: list[str]) -> Any:
    with pytest.raises(SystemExit) as ended:
        main(words)
    return ended.value.code


def fail_with(monkeypatch: pytest.MonkeyPatch, problem: BaseException) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise problem

    monkeypatch.setattr("pingce.cli.eval.open_job", fail)


@pytest.mark.parametrize("problem", [ZeroDivisionError("division\nby zero"), AssertionError(), RecursionError("deep")])
def test_an_exception_that_nobody_foresaw(
    problem: Exception, words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fail_with(monkeypatch, problem)
    assert code_of(words) == 70
    out, said = capsys.readouterr()
    assert (out, said.count("\n")) == ("", 1)
    assert type(problem).__name__ in said
    assert "PINGCE_TRACEBACK=1" in said
    assert code_of([*words[:-1], "zh"]) == 70
    assert "缺陷" in capsys.readouterr().err


def test_where_it_happened(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fail_with(monkeypatch, ZeroDivisionError("by zero"))
    monkeypatch.setenv("PINGCE_TRACEBACK", "1")
    assert code_of(words) == 70
    assert "Traceback" in capsys.readouterr().err
    monkeypatch.setenv("PINGCE_TRACEBACK", "0")
    assert code_of(words) == 70
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("problem", "start"),
    [
        (PermissionError(13, "Permission denied", "some/file"), "pingce: some/file: Permission denied"),
        (OSError(5, "Input/output error"), "pingce: Input/output error"),
    ],
)
def test_a_file_that_fails_is_not_stdout(
    problem: OSError, start: str, words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fail_with(monkeypatch, problem)
    assert code_of(words) == 2
    assert capsys.readouterr().err == start + "\n"


def test_stdout_that_fails_is_said(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(io.StringIO):
        def flush(self) -> None:
            raise OSError(28, "No space left on device")

    said = io.StringIO()
    monkeypatch.setattr("sys.stdout", Full())
    monkeypatch.setattr("sys.stderr", said)
    monkeypatch.setattr(pingce.cli, "_abandon_stdout", lambda code: code)
    assert code_of(words) == 2
    assert said.getvalue() == "pingce: stdout: No space left on device\n"


def test_a_folder_that_must_not_be_entered(tmp_path: Path, words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """As `Path.is_dir` finds it where a folder above is locked."""
    from pingce.base.errors import InputError
    from pingce.inputs import read_run

    def is_dir(self: Path) -> bool:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "is_dir", is_dir)
    with pytest.raises(InputError, match="cannot be read"):
        read_run(tmp_path / "r")


@pytest.mark.parametrize("place", [1, 2])
def test_standard_input_that_is_closed(words: list[str], place: int) -> None:
    words[place] = "-"
    line = ["sh", "-c", '"$@" <&-', "sh", *command(*words)]
    done = subprocess.run(line, capture_output=True, text=True, timeout=LIMIT, check=False, env=environment())
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "pingce: -: standard input is closed; pipe the rows into it, or name a file\n"
