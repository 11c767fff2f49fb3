"""Run by test_tiles.py in a process of its own: the kernels of Triton under their interpreter against the reference."""

from __future__ import annotations

import sys

import numpy as np

from pingce.base.text import Text
from pingce.factors import device
from pingce.factors.devices.tiles import INTERPRETED, Tiles
from pingce.factors.matrix import Matrix
from pingce.factors.model import SIMILARITIES, Factors
from pingce.factors.pairs import PairLists
from pingce.factors.reference import ReferenceCounter

WIDTHS = (1, 3, 16, 40, 70, 130)


def case(seed: int) -> tuple[Factors, PairLists]:
    """Factors, of every other seed such that scores tie, and more pairs of some users than fit into a row."""
    random = np.random.default_rng(seed)
    users, items, width = 5, 150, WIDTHS[seed % len(WIDTHS)]

    def numbers(*shape: int) -> np.ndarray:
        numbers = random.integers(-2, 3, shape) if seed % 2 else random.normal(size=shape) * 10.0 ** (seed % 7 - 3)
        return numbers.astype(np.float32)

    factors = Factors(
        Matrix(numbers(users, width), Text("users", "用户")),
        Matrix(numbers(items, width), Text("items", "物品")),
        similarity=SIMILARITIES[seed // 2 % 3],
        item_bias=numbers(items) if seed % 4 > 1 else None,
        user_bias=numbers(users) if seed % 5 > 2 else None,
        order=random.permutation(items),
    )
    lists = [np.flatnonzero(random.random(items) < share) for share in (0, 0.01, 0.1, 0.2, 0.5)]
    begin = np.concatenate([[0], np.cumsum([len(each) for each in lists])])
    return factors, PairLists(np.arange(users), begin, np.concatenate(lists))


def main() -> None:
    """Count both ways, and compare."""
    assert INTERPRETED
    device._tiles = Tiles
    for seed in map(int, sys.argv[1:]):
        factors, pairs = case(seed)
        exact = ReferenceCounter(factors)
        expected, counted = exact.counts(pairs), device.DeviceCounter(factors, exact, "cpu").counts(pairs)
        for name, mine, theirs in zip(expected.places._fields, counted.places, expected.places, strict=True):
            assert np.array_equal(mine, theirs), (seed, name)
        print("equal", seed)


if __name__ == "__main__":
    main()
