"""How far a quick score may lie from the one that counts: what a device may decide, and what must be summed again."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pingce.factors.model import Factors
from pingce.factors.pairs import Rows, Scores

Numbers = NDArray[np.float64]


class Margins(NamedTuple):
    """What quick scores of a model are compared with.

    A quick score is  f = c·(u · v) + bias[v],  with c = 2 for l2 and 1 else, summed in any order. A candidate is surely above a pair of score s
    if f > target(s) + slack, and surely below if f < target(s) - slack.
    """

    bias: Numbers
    "Of candidates."
    longest: float
    "The longest vector of a candidate."
    largest: float
    "The largest bias of an item."

    @classmethod
    def of(cls, factors: Factors, items: Scores, rows: Rows) -> Margins:
        """Of the candidates in some rows, whose vectors are `items`."""
        squares = np.einsum("ij,ij->i", items, items, dtype=np.float64)
        item_bias = factors.item_biases(rows).astype(np.float64)
        bias = item_bias - squares if factors.similarity == "l2" else item_bias
        return cls(bias, float(np.sqrt(squares.max(initial=0))), float(np.abs(item_bias).max(initial=0)))

    def targets(self, factors: Factors, users: Rows, vectors: Scores, place: Rows, score: Scores) -> Numbers:
        """Scores of pairs as quick scores would have them; `place` says whose they are."""
        shift = -factors.user_biases(users).astype(np.float64)
        if factors.similarity == "l2":
            shift += np.einsum("ij,ij->i", vectors, vectors, dtype=np.float64)
        targets: Numbers = score.astype(np.float64) + shift[place]
        return targets

    def slacks(self, factors: Factors, users: Rows, vectors: Scores) -> Numbers:
        """The rounding bound of each user: of both ways of summing, with a factor of two to spare.

        A sum of n products is off by less than n·ε·|u|·|v| in any order, ε being half the distance of 1 from the next number; three products of
        halves, as matrix units take them, add less than 8 ε.
        """
        user_bias = np.abs(factors.user_biases(users).astype(np.float64))
        lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors, dtype=np.float64))
        size = (lengths + self.longest) ** 2 if factors.similarity == "l2" else lengths * self.longest
        size += self.largest + user_bias
        number = np.finfo(factors.precision)
        slack: Numbers = (2 * vectors.shape[1] + 32) * (size * float(number.eps) + float(number.tiny))
        if factors.rounds:
            single = np.finfo(np.float32)
            slack += size * float(single.eps) + float(single.tiny)
        return slack
