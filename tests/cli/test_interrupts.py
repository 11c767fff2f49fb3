"""Ctrl-C while the command line is still being loaded, and where Python cannot raise it: 130, and no traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import weakref
from collections.abc import Callable

import pytest

from pingce import cli
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


class Referent:
    """Something that a weak reference can look at."""


def dies_with(callback: Callable[[object], None]) -> None:
    """Let something die whose weak reference has this callback: what it raises, Python cannot raise."""
    something = Referent()
    reference = weakref.ref(something, callback)
    del something
    assert reference() is None


def interrupt_here(_: object) -> None:
    os.kill(os.getpid(), signal.SIGINT)


def test_an_interrupt_that_falls_into_a_callback_comes_again(capsys: pytest.CaptureFixture[str]) -> None:
    """Once, and nothing is printed."""
    hook = sys.unraisablehook
    for _ in range(20):
        with pytest.raises(KeyboardInterrupt), process.LostInterrupts():
            dies_with(interrupt_here)
            end = time.monotonic() + 60
            while time.monotonic() < end:
                pass
    assert sys.unraisablehook is hook
    assert capsys.readouterr() == ("", "")


def test_the_command_ends_by_an_interrupt_that_fell_into_a_callback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(_: list[str]) -> int:
        dies_with(interrupt_here)
        time.sleep(60)
        return 0

    monkeypatch.setattr(cli, "run", run)
    with pytest.raises(SystemExit) as end:
        cli.main([])
    assert (end.value.code, *capsys.readouterr()) == (130, "", "")


def test_what_else_a_callback_raises_is_told_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> None:
        raise ValueError("of a callback")

    told: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda lost: told.append(lost.exc_value))
    with process.LostInterrupts():
        dies_with(fail)
    assert [str(problem) for problem in told] == ["of a callback"]


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
