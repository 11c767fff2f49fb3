"""Counting ranks: what every way of doing it (the core, NumPy, a GPU) has in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from pingce.factors.pairs import PairLists, Places, Rows, Scores


class Counts(NamedTuple):
    """Where some pairs stand among all candidates of their users."""

    score: Scores
    "Of each pair, just as it was compared."
    places: Places
    "Among all candidates, the pair itself in its block; excluded items are still among them."
    undecided: int = 0
    "Comparisons whose outcome lies within the rounding of the scores: 0 where sums have one fixed order."


class Heads(NamedTuple):
    """The best candidates of some users, in any order: those of user i are rows begin[i]:begin[i + 1]."""

    begin: Rows
    item: Rows
    score: Scores


class Counter(Protocol):
    """Scores of pairs, and how many candidates stand above them.

    The score of user u and item i is, in floating point of the type `Factors.precision` (float32, or float64 where a matrix has that):

        a(d) = users[u, d] / user_norms[u],  b(d) = items[i, d] / item_norms[i]      (norms only for cosine)
        s = 0;  for d = 0, 1, …:  s = s + a(d) · b(d)                                 (dot, cosine)
                                  s = s + (a(d) − b(d)) · (a(d) − b(d))               (l2; at the end s = −s)
        s = s + item_bias[i];  s = s + user_bias[u]                                   (where they are given)

    with every operation rounded on its own: no fused multiply-add, no other order. Hence a pair has the same bits in any tile, thread,
    batch and instruction set. A counter that sums in another order (a GPU) must score pairs and candidates with one
    and the same kernel, and count as `undecided` the comparisons that its rounding may have turned. With `Factors.rounds` each
    score is rounded to float32 before anything is compared.

    Candidates are the rows `Factors.candidates` of the items, ascending (all where that is None). Pairs that are asked for are candidates, except in
    `scores`. Comparisons are of scores as numbers: −0 equals 0. No score is NaN.
    """

    def scores(self, pairs: PairLists) -> Scores:
        """The score of each pair."""
        ...

    def counts(self, pairs: PairLists) -> Counts:
        """Where each pair stands among all candidates: for pair (u, i) with score s, over all candidates c of u's scores,

        above = #{s(c) > s}, block = #{s(c) = s} (i itself is one), by_id = #{s(c) = s, order[c] > order[i]}, by_order = #{s(c) = s, c < i}
        with `Factors.order`, the number of each item's id among all ids (its row, where that is None).
        """
        ...

    def heads(self, users: Rows, depth: int, exclude: PairLists) -> Heads:
        """The `depth` best candidates of each user that are not among its excluded ones, and all that equal the last of these."""
        ...
