"""Running pingce as a process: from a shell, on a pseudo-terminal, into a pipe."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple, TypeAlias

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT / "tests" / "conformance" / "cases"
LIMIT = 120.0
PYTHONPATH = os.pathsep.join(
    str(Path(part).absolute()) for part in os.environ.get("PYTHONPATH", "").split(os.pathsep) if part
)


Word: TypeAlias = "str | Path"


class Called(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str


def environment(changes: Mapping[str, str | None] | None = None) -> dict[str, str]:
    """This process's environment with changes (None removes); a relative PYTHONPATH still works in another folder."""
    changed = {**os.environ, "PYTHONPATH": PYTHONPATH, **(changes or {})}
    return {name: value for name, value in changed.items() if value is not None}


def command(*words: Word) -> list[str]:
    return [sys.executable, "-m", "pingce", *map(str, words)]


def shell(*words: Word, env: Mapping[str, str | None] | None = None, python: tuple[str, ...] = ()) -> Called:
    """`python -m pingce …` with nothing but pipes; `python` are options of the interpreter."""
    line = [sys.executable, *python, *command(*words)[1:]]
    done = subprocess.run(line, env=environment(env), capture_output=True, timeout=LIMIT, check=False)
    return Called(
        done.returncode, done.stdout.decode("utf-8", "surrogateescape"), done.stderr.decode("utf-8", "surrogateescape")
    )


class Terminal:
    """The near end of a pseudo-terminal: what the process wrote there so far."""

    def __init__(self, columns: int = 100) -> None:
        self.near, self.far = pty.openpty()
        fcntl.ioctl(self.far, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        self.seen = b""

    @property
    def text(self) -> str:
        return self.seen.decode().replace("\r\n", "\n")

    def read_until(self, enough: Callable[[bytes], bool]) -> None:
        """Read until enough was seen or the other side is closed."""
        end = time.monotonic() + LIMIT
        while not enough(self.seen):
            if not select.select([self.near], [], [], max(0.0, end - time.monotonic()))[0]:
                raise TimeoutError(f"only {self.seen!r} came")
            try:
                more = os.read(self.near, 65536)
            except OSError:  # Linux says so when nobody holds the far end
                return
            if not more:
                return
            self.seen += more

    def read_ready(self, seconds: float) -> bytes:
        """What arrives within this time."""
        if select.select([self.near], [], [], seconds)[0]:
            self.seen += os.read(self.near, 65536)
        return self.seen

    def leave(self) -> None:
        if self.far >= 0:
            os.close(self.far)
            self.far = -1


@contextmanager
def terminal(columns: int = 100) -> Iterator[Terminal]:
    one = Terminal(columns)
    try:
        yield one
    finally:
        one.leave()
        os.close(one.near)


@contextmanager
def process(
    line: list[str],
    *,
    out: int | IO[bytes] = subprocess.DEVNULL,
    err: int | IO[bytes] = subprocess.PIPE,
    env: Mapping[str, str | None] | None = None,
) -> Iterator[subprocess.Popen[bytes]]:
    """A process that does not outlive the test."""
    running = subprocess.Popen(line, stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=environment(env))
    try:
        yield running
    finally:
        if running.poll() is None:
            running.kill()
        running.wait()
        for stream in (running.stdout, running.stderr):
            if stream is not None:
                stream.close()


def shown_on_terminal(*words: Word, env: Mapping[str, str | None] | None = None, columns: int = 100) -> Called:
    """Stdout as a terminal sees it; stderr by pipe."""
    with terminal(columns) as screen, process(command(*words), out=screen.far, env=env) as running:
        screen.leave()
        screen.read_until(lambda _: False)
        assert running.stderr is not None
        said = running.stderr.read().decode()
        return Called(running.wait(LIMIT), screen.text, said)
