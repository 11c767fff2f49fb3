"""The same seed gives the same bits: whatever the blocks, the threads, the order of comparisons."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from pingce.base.core import native_core
from pingce.stats import means, permutation
from pingce.stats.means import mean_intervals
from pingce.stats.paired import paired_p
from pingce.stats.resampling import Resampling

core: Any = native_core()
needs_core = pytest.mark.skipif(core is None, reason="THE NATIVE CORE IS NOT INSTALLED")

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


@pytest.mark.parametrize("narrow", [0, 100])
def test_the_core_and_numpy_agree(monkeypatch: pytest.MonkeyPatch, narrow: int) -> None:
    wanted = bits()
    for module in (permutation, means):
        monkeypatch.setattr(module, "native_core", lambda: None)
        monkeypatch.setattr(module, "NARROW", narrow)
    assert bits() == wanted


@needs_core
@pytest.mark.parametrize("rows", [1, 2, 7, 8, 31, 32, 33, 63, 64, 65, 127, 200])
@pytest.mark.parametrize("columns", [1, 3, 64, 65])
def test_rows_that_bits_keep_are_added_up(rows: int, columns: int) -> None:
    rng = np.random.default_rng((rows, columns))
    values = rng.integers(-(1 << 44), 1 << 44, (rows, columns))
    words = rng.integers(0, 1 << 64, (5, -(-rows // 64)), np.uint64)
    kept = np.unpackbits(words.astype("<u8").view(np.uint8), axis=1, bitorder="little")[:, :rows].astype(np.int64)
    sums = core.sum_kept(words.reshape(-1), values.reshape(-1), columns, 2)
    assert sums.reshape(5, columns).tolist() == (kept @ values).tolist()


@needs_core
def test_more_repeats_than_a_part_holds() -> None:
    rng = np.random.default_rng(4)
    values, words = rng.integers(-9, 9, (40, 2)), rng.integers(0, 1 << 40, (5_000, 1), np.uint64)
    kept = (words >> np.arange(40, dtype=np.uint64) & np.uint64(1)).astype(np.int64)
    assert core.sum_kept(words.reshape(-1), values.reshape(-1), 2, 3).tolist() == (kept @ values).reshape(-1).tolist()


@needs_core
@pytest.mark.parametrize("rows", [1, 2, 3, 64, 1_001])
def test_draws_are_counted(rows: int) -> None:
    words = np.random.default_rng(rows).integers(0, 1 << 64, (3, -(-rows // 2)), np.uint64)
    words[0] = np.uint64(0xFFFF_FFFF_0000_0000)
    halves = words.astype("<u8").view("<u4")[:, :rows].astype(object)
    wanted = [np.bincount([half * rows >> 32 for half in each], minlength=rows).tolist() for each in halves]
    assert core.count_draws(words.reshape(-1), rows, 2).reshape(3, rows).tolist() == wanted


@needs_core
def test_words_that_do_not_fit_are_refused() -> None:
    words, values = np.zeros(3, np.uint64), np.zeros(64 * 2, np.int64)
    for rows in (4, 0, 1 << 32):
        with pytest.raises(ValueError, match=r"words|rows"):
            core.count_draws(words, rows, 1)
    for some, columns in ((values, 0), (values, 3), (np.zeros(130, np.int64), 2), (values[:0], 2)):
        with pytest.raises(ValueError, match=r"words|values"):
            core.sum_kept(words, some, columns, 1)


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
