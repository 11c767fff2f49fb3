"""A virtual environment for each peer, with the versions of its requirements file."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from processes import HERE, WorkError, finish

BUILD = HERE.parent / "build" / "bench"


def environment(peer: str) -> Path:
    """The peer's Python, installed where need be; made anew if another version of Python made it."""
    python = BUILD / peer / "bin" / "python"
    if version_of(python) != version_of(Path(sys.executable)):
        finish([sys.executable, "-m", "venv", "--clear", BUILD / peer])
    install: list[str | Path] = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    finish([*install, "--requirement", HERE / "peers" / f"requirements-{peer}.txt"])
    alone = HERE / "peers" / f"requirements-{peer}-nodeps.txt"  # whose dependencies contradict each other
    if alone.exists():
        finish([*install, "--no-deps", "--ignore-requires-python", "--requirement", alone])
    return python


def version_of(python: Path) -> str | None:
    """What the interpreter says it is; none if it does not run."""
    try:
        return finish([python, "-c", "import sys; print(sys.version)"]).output
    except (WorkError, OSError, subprocess.SubprocessError):
        return None
