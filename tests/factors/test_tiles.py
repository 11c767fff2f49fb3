"""The kernels of Triton, under their interpreter: no GPU is needed, nor are its speed and rounding tried."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.deep("the interpreter takes seconds for a few thousand pairs, and Triton is large")
SEEDS = "0 1 2 3 4 5 9"


def test_kernels_count_as_the_reference_does() -> None:
    pytest.importorskip("torch", reason="torch is not installed: the kernels of a GPU are NOT tested here")
    pytest.importorskip("triton", reason="Triton is not installed: the kernels of a GPU are NOT tested here")
    line = [sys.executable, "-m", "tests.factors.tiles_cases", *SEEDS.split()]
    done = subprocess.run(
        line,
        cwd=Path(__file__).parents[2],
        env=os.environ | {"TRITON_INTERPRET": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split() == [word for seed in SEEDS.split() for word in ("equal", seed)], done.stderr
