"""Ranks counted on a GPU: pairs a second against GEMM + topk(100), and how many counts differ from the reference. `python benchmarks/factors_device.py`."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

from pingce.base.text import Text
from pingce.factors.counting import Counts, Heads
from pingce.factors.device import DeviceCounter
from pingce.factors.matrix import Matrix
from pingce.factors.model import SIMILARITIES, Factors
from pingce.factors.pairs import PairLists, Rows, Scores
from pingce.factors.reference import ReferenceCounter

WIDTH, RELEVANT = 64, 16


class KnownScores:
    """The scores of pairs, computed before the clock starts: the processor's part is not measured here."""

    precision = "float32"

    def __init__(self, score: Scores) -> None:
        self._score = score

    def scores(self, pairs: PairLists) -> Scores:
        """All of them, whichever are asked for."""
        return self._score

    def counts(self, pairs: PairLists) -> Counts:
        """Nobody asks the processor for counts."""
        raise NotImplementedError

    def heads(self, users: Rows, depth: int, exclude: PairLists) -> Heads:
        """Nor for lists."""
        raise NotImplementedError


def model(seed: int, users: int, items: int, width: int = WIDTH, similarity: str = "dot") -> Factors:
    """Random factors; those of odd seeds are small whole numbers, whose scores tie."""
    random = np.random.default_rng(seed)

    def numbers(*shape: int) -> np.ndarray:
        return (random.integers(-2, 3, shape) if seed % 2 else random.standard_normal(shape)).astype(np.float32)

    return Factors(
        Matrix(numbers(users, width), Text("users", "用户")),
        Matrix(numbers(items, width), Text("items", "物品")),
        similarity=similarity,
        item_bias=numbers(items) if seed % 4 > 1 else None,
        user_bias=numbers(users) if seed % 5 > 2 else None,
        order=random.permutation(items),
    )


def pairs_of(factors: Factors, relevant: int) -> PairLists:
    """Random items of every user."""
    users, items = len(factors.users), len(factors.items)
    chosen = np.sort(np.random.default_rng(1).integers(0, items, (users, relevant)), axis=1)
    return PairLists(np.arange(users), np.arange(users + 1) * relevant, chosen.reshape(-1))


def compare() -> None:
    """Counts of small models of every kind against the reference."""
    different = counted = 0
    for seed in range(18):
        factors = model(
            seed,
            40 + 10 * seed,
            100 + 200 * seed,
            (1, 3, 16, 40, 64, 70, 130, 256, 300)[seed % 9],
            SIMILARITIES[seed % 3],
        )
        pairs, exact = pairs_of(factors, (5, 20, 40)[seed % 3]), ReferenceCounter(factors)
        expected, mine = exact.counts(pairs), DeviceCounter(factors, exact, "cuda").counts(pairs)
        different += sum(int((a != b).sum()) for a, b in zip(expected.places, mine.places, strict=True))
        counted += 4 * len(pairs)
    print(f"{different} of {counted} counts differ from the reference")


def measure(users: int, items: int) -> None:
    """Pairs a second, and the memory beyond the items."""
    factors = model(0, users, items)
    pairs = pairs_of(factors, RELEVANT)
    counter = DeviceCounter(factors, KnownScores(ReferenceCounter(factors).scores(pairs)), "cuda")
    counter.counts(pairs)  # compiles
    base = torch.cuda.memory_allocated()
    torch.cuda.reset_peak_memory_stats()
    begun = time.perf_counter()
    counter.counts(pairs)
    took = time.perf_counter() - begun
    peak = (torch.cuda.max_memory_allocated() - base) / 1e9
    print(
        f"{users} x {items}: {took:.2f} s, {users * items / took / 1e9:.0f} G pairs/s, {peak:.2f} GB beyond the items"
    )
    if users * items < 1 << 38:
        left, right = (torch.from_numpy(matrix.values).cuda() for matrix in (factors.users, factors.items))
        for _ in range(2):
            torch.cuda.synchronize()
            begun = time.perf_counter()
            for begin in range(0, users, 2048):
                torch.topk(left[begin : begin + 2048] @ right.T, 100, dim=1)
            torch.cuda.synchronize()
            took = time.perf_counter() - begun
        print(f"GEMM + topk(100): {took:.2f} s, {users * items / took / 1e9:.0f} G pairs/s")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sizes", nargs="*", default=["65536x1048576"], help="USERSxITEMS")
    compare()
    for size in parser.parse_args().sizes:
        measure(*map(int, size.split("x")))
