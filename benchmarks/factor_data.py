"""Factors, what users had and what is relevant to them; drawn by every tool's worker alike. NumPy and SciPy only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix

USERS, ITEMS, WIDTH = 20_000, 100_000, 64
RELEVANT, SEEN = 10, 100
"Items of each user, of which the same pair may be drawn twice."


@dataclass(frozen=True)
class FactorData:
    """Vectors as float32, a row each; a row of a matrix has the items of a user, and what is relevant was not seen."""

    users: Any
    items: Any
    truth: csr_matrix
    train: csr_matrix

    @classmethod
    def drawn(cls, users: int = USERS, items: int = ITEMS, width: int = WIDTH) -> FactorData:
        """Every number and every pair at random."""
        chance = np.random.default_rng(1)
        left, right = (chance.standard_normal((rows, width)).astype(np.float32) for rows in (users, items))
        truth, seen = (_pairs(chance, users, items, many) for many in (RELEVANT, SEEN))
        train = csr_matrix(seen - seen.multiply(truth))
        train.eliminate_zeros()
        return cls(left, right, truth, train)


def _pairs(chance: np.random.Generator, users: int, items: int, many: int) -> csr_matrix:
    user, item = np.repeat(np.arange(users), many), chance.integers(0, items, users * many)
    matrix = csr_matrix((np.ones(len(user), np.float32), (user, item)), shape=(users, items))
    matrix.sum_duplicates()
    matrix.data[:] = 1
    return matrix
