"""Units drawn by a counter: the core and NumPy draw the same, whatever the blocks and the threads."""

from __future__ import annotations

import numpy as np
import pytest

from pingce.base.core import native_core
from pingce.base.places import sums_by_place
from pingce.stats import draws
from pingce.stats.draws import Units, sums_by_reference
from pingce.stats.resampling import Resampling

RNG = np.random.default_rng(3)


def units(rows: int, cells: int, kind: str) -> Units:
    cell = RNG.integers(0, cells, rows)
    weight = RNG.random(rows) * 10.0 ** RNG.integers(-3, 3, rows)
    code = RNG.integers(0, max(1, rows // 4), rows)
    if kind == "rows":
        return Units.of_rows(cell, cells, None)
    if kind == "weights":
        return Units.of_rows(cell, cells, weight)
    return Units.of_groups(cell, cells, weight if kind == "weighted groups" else None, code)


@pytest.mark.parametrize("kind", ["rows", "weights", "groups", "weighted groups"])
@pytest.mark.parametrize("rows", [1, 2, 3, 100, (1 << 16) - 1, (1 << 16) + 1])
def test_the_core_draws_as_numpy_does(rows: int, kind: str) -> None:
    core, some = native_core(), units(rows, 7, kind)
    if core is None:
        pytest.skip("there is no core to compare with")
    expected = sums_by_reference(some, 5, 2, 3)
    for threads in (0, 1, 2, 5):
        sums = core.drawn_sums(some.starts, some.cells, some.amounts, 7, (5, 2, 3), threads)
        assert sums.reshape(3, 7).tolist() == expected.tolist()


@pytest.mark.parametrize("block", [1, 7 * 3, 1 << 20])
def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    some = Units.of_counts(np.array([5, 0, 3, 9, 1, 1, 1]))
    whole = np.concatenate([*some.sums(Resampling(samples=20, seed=8))])
    monkeypatch.setattr(draws, "_BLOCK", block)
    assert np.concatenate([*some.sums(Resampling(samples=20, seed=8))]).tolist() == whole.tolist()
    assert (whole.sum(axis=1) == 20).all() and (whole[:, 1] == 0).all()


def test_draws_vary_as_a_multinomial_does() -> None:
    counts = np.array([400, 250, 50, 300])
    sums = np.concatenate([*Units.of_counts(counts).sums(Resampling(samples=20_000))])
    assert np.abs(sums.mean(axis=0) - counts).max() < 0.5
    expected = np.diag(counts) - np.outer(counts, counts) / 1000
    assert np.abs(np.cov(sums.T) - expected).max() < 8


def test_seeds_and_draws_are_their_own() -> None:
    some = Units.of_counts(np.full(10, 10))
    seen = {
        tuple(row)
        for seed in (0, 1, 2**63, 2**70)
        for rows in some.sums(Resampling(samples=50, seed=seed))
        for row in rows
    }
    assert len(seen) == 200


@pytest.mark.parametrize(
    ("starts", "cells", "amounts"),
    [([0, 2], [0, 9], []), ([2, 1], [0, 1], []), ([-1, 1], [0, 1], []), ([0, 3], [0, 1], []), ([], [0, 1], [1])],
)
def test_numbers_that_lead_nowhere_are_refused(starts: list[int], cells: list[int], amounts: list[int]) -> None:
    core = native_core()
    if core is None:
        pytest.skip("there is no core")
    columns = np.array(starts, np.int64), np.array(cells, np.uint32), np.array(amounts, np.int64)
    with pytest.raises(ValueError):
        core.drawn_sums(*columns, 5, (0, 0, 1), 1)


@pytest.mark.parametrize("scale", [1.0, 1e300, 1e-300, 5e-324])
def test_sums_by_place_do_not_depend_on_order(scale: float) -> None:
    added, place = RNG.normal(size=1000) * scale, RNG.integers(0, 9, 1000)
    order = RNG.permutation(1000)
    sums = sums_by_place(added, place, 9)
    assert sums.tolist() == sums_by_place(added[order], place[order], 9).tolist()
    assert sums == pytest.approx(np.bincount(place, added, minlength=9), rel=1e-9, abs=scale * 1e-12)
