"""Ctrl-C while the command line is still being loaded: 130, and no traceback of an import."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from pingce.base import process

STARTED = "import sys, os, signal; sys.argv[0] = {name!r}; import pingce; {then}os.kill(os.getpid(), signal.SIGINT)"


def started(name: str, then: str = "") -> subprocess.CompletedProcess[str]:
    code = STARTED.format(name=name, then=then)
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=env, timeout=60, check=False
    )


def test_the_command_leaves_at_once_while_it_is_loaded() -> None:
    done = started("/usr/bin/pingce")
    assert (done.returncode, done.stderr) == (130, "")


def test_whoever_imports_pingce_keeps_the_interrupts_of_python() -> None:
    assert "KeyboardInterrupt" in started("train.py").stderr


def test_interrupts_are_raised_once_the_command_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    before = signal.getsignal(signal.SIGINT)
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        process.leave_at_once()
        assert signal.getsignal(signal.SIGINT) is not signal.default_int_handler
        process.raise_again()
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize(
    ("words", "original", "command"),
    [
        (["/usr/bin/pingce", "eval"], ["python", "/usr/bin/pingce", "eval"], True),
        (["-m", "eval"], ["python", "-m", "pingce", "eval"], True),
        (["-m"], ["python", "-m", "pytest"], False),
        (["train.py"], ["python", "train.py"], False),
        ([], [], False),
    ],
)
def test_only_the_command_is_the_command(
    words: list[str], original: list[str], command: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", words)
    monkeypatch.setattr(sys, "orig_argv", original)
    assert process.is_command() is command
