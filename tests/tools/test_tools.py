"""Tools that people work with, each for real, in an environment of its own (`make tools`)."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PYTHON = ROOT / "build/tools/venv/bin/python"
CHECKS = sorted(path.name for path in Path(__file__).parent.glob("*_checks.py"))
pytestmark = [
    pytest.mark.deep("the tools take minutes to install, and a minute to run"),
    pytest.mark.skipif(not PYTHON.exists(), reason="build/tools has no environment: make tools"),
]


@pytest.mark.parametrize("checks", CHECKS)
def test_checks_hold_in_their_environment(checks: str) -> None:
    words = [
        "-q",
        "-p",
        "no:cacheprovider",
        "-W",
        "ignore:invalid escape sequence",
    ]  # of theirs, when they are compiled
    command = [str(PYTHON), "-m", "pytest", *words, f"tests/tools/{checks}"]
    done = subprocess.run(command, cwd=ROOT, env=os.environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
