"""Fixtures of the command line's tests: a small judged run, and a way to call pingce in this process."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pingce.cli import run

from .shell import Called, Word

QRELS = """q1 0 a 3
q1 0 b 1
q1 0 c 0
q2 0 d 2
q2 0 e 1
q3 0 f 1
"""
RUN = """q1 Q0 a 1 9 t
q1 Q0 x 2 8 t
q1 Q0 b 3 7 t
q2 Q0 e 1 5 t
q2 Q0 d 2 4 t
q9 Q0 d 1 4 t
"""
OTHER_RUN = """q1 Q0 x 1 9 t
q1 Q0 a 2 8 t
q2 Q0 d 1 5 t
q3 Q0 f 1 5 t
"""


class Small(NamedTuple):
    """Three judged queries; `run` leaves one unanswered and answers one nobody judged."""

    qrels: Path
    run: Path
    other: Path


Write = Callable[[str, str], Path]
Call = Callable[..., Called]
Score = Callable[..., dict[str, Any]]


@pytest.fixture(autouse=True)
def speaks_english(monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine's own settings decide nothing here."""
    monkeypatch.setenv("PINGCE_LANG", "en")
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "PINGCE_THREADS"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Make a file from its name and text."""

    def make(name: str, text: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8", "surrogateescape"))
        return path

    return make


@pytest.fixture
def small(write: Write) -> Small:
    return Small(write("truth.qrels", QRELS), write("one.run", RUN), write("two.run", OTHER_RUN))


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Call:
    """Run a command in this process: exit code, stdout, stderr."""

    def run_words(*words: Word) -> Called:
        code = run([str(word) for word in words])
        return Called(code, *capsys.readouterr())

    return run_words


@pytest.fixture
def score(call: Call) -> Score:
    """`pingce eval … -f json`, which must go well: the document."""

    def evaluate(*words: Word) -> dict[str, Any]:
        done = call("eval", *words, "-f", "json")
        assert done.code == 0, done.err
        found: dict[str, Any] = json.loads(done.out)
        return found

    return evaluate


def values(document: dict[str, Any]) -> dict[str, float | None]:
    """The values of a JSON document by metric."""
    return {entry["name"]: entry["value"] for entry in document["metrics"]}
