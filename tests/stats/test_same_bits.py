"""The same seed gives the same bits: whatever the blocks, the threads, the order of comparisons."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from pingce.stats import means, permutation
from pingce.stats.means import mean_intervals
from pingce.stats.paired import paired_p
from pingce.stats.resampling import Resampling

PROGRAM = """
import numpy as np
from pingce.stats.means import mean_intervals
from pingce.stats.resampling import Resampling
from pingce.stats.paired import paired_p
values = np.random.default_rng(3).normal(0.03, 1, (700, 5))
values[::9, 2] = np.nan
print([one.hex() for one in [*paired_p(values, samples=3000).tolist(), *mean_intervals(values, resampling=Resampling(samples=500)).ravel().tolist()]])
"""


def drawn() -> np.ndarray:
    values = np.random.default_rng(3).normal(0.03, 1, (700, 5))
    values[::9, 2] = np.nan
    return values


def bits() -> list[str]:
    found = [
        *paired_p(drawn(), samples=3000).tolist(),
        *mean_intervals(drawn(), resampling=Resampling(samples=500)).ravel().tolist(),
    ]
    return [one.hex() for one in found]


@pytest.mark.parametrize("cells", [1, 5_000, 1 << 22])
def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch, cells: int) -> None:
    wanted = bits()
    monkeypatch.setattr(permutation, "CELLS", cells)
    monkeypatch.setattr(means, "CELLS", cells)
    assert bits() == wanted


def test_chunks_of_rows_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = bits()
    monkeypatch.setattr(permutation, "_chunk", lambda counted: 192)
    assert bits() == wanted


@pytest.mark.parametrize("narrow", [0, 100])
def test_lookups_and_products_agree(monkeypatch: pytest.MonkeyPatch, narrow: int) -> None:
    wanted = bits()
    for module in (permutation, means):
        monkeypatch.setattr(module, "NARROW", narrow)
    assert bits() == wanted


@pytest.mark.parametrize("threads", ["1", "3"])
def test_threads_change_nothing(threads: str) -> None:
    variables = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), threads)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env={**os.environ, **variables}, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == str(bits())


def test_comparisons_do_not_know_each_other() -> None:
    values, order = drawn(), [3, 0, 2]
    assert paired_p(values[:, order], samples=3000).tolist() == paired_p(values, samples=3000)[order].tolist()
    alone = mean_intervals(values[:, [2]], resampling=Resampling(samples=500))
    assert alone.tolist() == mean_intervals(values, resampling=Resampling(samples=500))[[2]].tolist()


def test_beyond_the_shared_rows_each_comparison_draws_for_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    sparse = np.zeros((300, 2))
    sparse[10:60, 0] = np.random.default_rng(1).normal(0.2, 1, 50)
    dense = paired_p(sparse[10:60, 0], samples=1000)[0]
    monkeypatch.setattr(permutation, "SHARED", 100)
    assert paired_p(sparse, samples=1000).tolist() == [dense, 1.0]


def test_other_seeds_give_other_draws() -> None:
    values = drawn()
    assert paired_p(values, samples=3000, seed=1).tolist() != paired_p(values, samples=3000).tolist()
    assert (
        mean_intervals(values, resampling=Resampling(samples=500, seed=1)).tolist()
        != mean_intervals(values, resampling=Resampling(samples=500)).tolist()
    )
