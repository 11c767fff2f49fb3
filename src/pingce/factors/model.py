"""Factors: vectors of users and of items, and how the score of a pair follows from them."""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import EmptyInputError, InputError
from pingce.base.lazy import cached_property
from pingce.base.records import dataclass
from pingce.factors.matrix import Floats, Matrix
from pingce.factors.pairs import Rows

Similarity = Literal["dot", "cosine", "l2"]
SIMILARITIES: tuple[str, ...] = get_args(Similarity)


@dataclass(frozen=True, eq=False)
class Factors:
    """Everything that decides a score, and which items are candidates for everybody. How scores are computed: see `Counter`."""

    users: Matrix
    items: Matrix
    similarity: str = "dot"
    item_bias: Floats | None = None
    user_bias: Floats | None = None
    candidates: Rows | None = None
    "Rows of items, ascending; None: all."
    order: Rows | None = None
    "The number of each item's id among all ids, sorted; None: its row."
    rounds: bool = False
    "Whether scores are rounded to float32 before they are compared."

    @cached_property
    def precision(self) -> np.dtype[Any]:
        """The type that scores are computed with."""
        return np.promote_types(self.users.precision, self.items.precision)

    @cached_property
    def user_norms(self) -> Floats | None:
        """What vectors of users are divided by, where only their direction counts."""
        return self.users.norms(self.precision) if self.similarity == "cosine" else None

    @cached_property
    def item_norms(self) -> Floats | None:
        """What vectors of items are divided by, likewise."""
        return self.items.norms(self.precision) if self.similarity == "cosine" else None

    @property
    def candidate_count(self) -> int:
        """How many items are candidates."""
        return len(self.items) if self.candidates is None else len(self.candidates)

    @cached_property
    def id_order(self) -> Rows:
        """The number of each item's id among all, sorted."""
        return np.arange(len(self.items)) if self.order is None else self.order

    @cached_property
    def candidate_rows(self) -> Rows:
        """The rows of items that are candidates, ascending."""
        return np.arange(len(self.items)) if self.candidates is None else self.candidates

    def item_biases(self, rows: NDArray[Any]) -> Floats:
        """What is added to the scores of some items; zeros where nothing is."""
        return _biases(self.item_bias, rows, self.precision)

    def user_biases(self, rows: NDArray[Any]) -> Floats:
        """What is added to the scores of some users, likewise."""
        return _biases(self.user_bias, rows, self.precision)

    def user_rows(self, rows: NDArray[Any]) -> Floats:
        """The vectors of some users, as they are multiplied."""
        vectors = self.users.rows(rows, self.precision)
        return vectors if self.user_norms is None else vectors / self.user_norms[rows, None]

    def item_rows(self, rows: NDArray[Any]) -> Floats:
        """The vectors of some items, as they are multiplied."""
        vectors = self.items.rows(rows, self.precision)
        return vectors if self.item_norms is None else vectors / self.item_norms[rows, None]


def _biases(bias: Floats | None, rows: NDArray[Any], precision: np.dtype[Any]) -> Floats:
    return np.zeros(len(rows), precision) if bias is None else bias[rows].astype(precision)


def refuse_bad(factors: Factors) -> None:
    """Refuse matrices that do not belong together, and numbers whose products are none."""
    users, items = factors.users, factors.items
    for matrix in (users, items):
        if not len(matrix) or not matrix.width:
            raise EmptyInputError(
                f"{matrix.name.en} has {len(matrix)} rows and {matrix.width} columns: give at least one vector, with at least one number",
                f"{matrix.name.zh} 有 {len(matrix)} 行 {matrix.width} 列：请至少给出一个向量，且至少含一个数",
            )
    if users.width != items.width:
        raise InputError(
            f"{users.name.en} has vectors of {users.width} numbers and {items.name.en} of {items.width}: give matrices of one model",
            f"{users.name.zh} 的向量有 {users.width} 维，而 {items.name.zh} 的有 {items.width} 维：请给出同一模型的矩阵",
        )
    _refuse_overflow(factors, users.largest(), items.largest())


def _refuse_overflow(factors: Factors, user: float, item: float) -> None:
    """Refuse numbers so large that a sum of products may be infinite, and two of them no number."""
    largest = max(user, item) if factors.similarity == "cosine" else user + item
    biases = sum(
        float(np.abs(bias).max(initial=0)) for bias in (factors.item_bias, factors.user_bias) if bias is not None
    )
    room = max(float(np.finfo(factors.precision).max) / 2 - biases, 0.0)
    if not largest < np.sqrt(room / factors.users.width):
        en, zh = ("float64, or ", " float64，或") if factors.precision == np.float32 else ("", "")
        raise InputError(
            f"the factors are as large as {max(user, item):g}: their scores may exceed {factors.precision}; give {en}smaller numbers",
            f"因子的数值大到 {max(user, item):g}：分数可能超出 {factors.precision}；请用{zh}更小的数",
        )
