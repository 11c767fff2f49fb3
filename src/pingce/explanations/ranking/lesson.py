"""What explanations of rankings share: the ranked list as a table, sums written out, and a few sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.text import Text
from pingce.evidence import Policies, RankingView
from pingce.evidence.ranking.discounts import mean_over_blocks, weights_at
from pingce.explanations.derivation import Cell, Column, Derivation, Grid, Line, Row, Step, summed
from pingce.explanations.ranking.listed import Listed, Lists, said

if TYPE_CHECKING:
    from pingce.metrics.ranking import RankingMetric

RANK = Column("rank", Text("rank", "名次"))
ITEM = Column("item", Text("item", "条目"))
GRADE = Column("grade", Text("grade", "等级"), exact=True)
RELEVANT = Column("relevant", Text("relevant", "相关"))
THE_LIST = Text("The list, from the top", "列表，从第 1 位起")
SO_FAR = Column("running", Text("Σ so far", "累计 Σ"))
_SHORT_SUM = 8


@dataclass(frozen=True)
class Lesson:
    """One query: what the metric sees, and the rows behind it."""

    view: RankingView
    lists: Lists
    policies: Policies
    named: bool = True
    "Whether items have names worth showing."
    score: Column | None = None
    "What the run gave: scores, ranks, or nothing but the order."

    @property
    def n(self) -> int:
        """Items returned."""
        return int(self.view.returned[0])

    @property
    def total(self) -> int:
        """R."""
        return int(self.view.relevant_count[0])

    def within(self, k: int | None) -> list[Listed]:
        """The rows that stand in the top k, or may stand there."""
        if k is None:
            return list(self.lists.items)
        return [row for row in self.lists.items if (row.above if self.view.expected else row.rank - 1) < k]

    def cells(self, rows: Sequence[Listed], of_hits: NDArray[Any], otherwise: Cell = 0) -> list[Any]:
        """A number of each row: those of judged items from the evidence."""
        numbers = of_hits.tolist()
        return [otherwise if row.hit is None else numbers[row.hit] for row in rows]

    def is_relevant(self, row: Listed) -> bool:
        """Whether the item of a row is."""
        return row.grade is not None and row.grade >= self.view.threshold

    def weights(self, rows: Sequence[Listed], of_rank: Callable[[int], float], k: int | None) -> list[float]:
        """What the rank of each row weighs; the mean over its block where the order is not fixed."""
        if not rows:
            return []
        if self.view.expected:
            above, block = np.array([row.above for row in rows]), np.array([row.block for row in rows])
            means: list[float] = mean_over_blocks(of_rank, above, block, k).tolist()
            return means
        weights: list[float] = weights_at(of_rank, np.array([row.rank for row in rows])).tolist()
        return weights

    def rank_of(self, row: Listed) -> Cell:
        """The rank; of a block whose order is not fixed, its ranks."""
        if not self.view.expected:
            return row.rank
        return ranks_of(row.above, row.block)

    def grid(
        self,
        rows: Sequence[Listed],
        *more: tuple[Column, Sequence[Cell]],
        counts: Sequence[bool] | None = None,
        k: int | None = None,
        key: str = "list",
        title: Text = THE_LIST,
    ) -> Grid:
        """The list: what everyone wants to see of it, and more columns of the metric's own."""
        columns: list[tuple[Column, Sequence[Cell]]] = [(RANK, [self.rank_of(row) for row in rows])]
        if self.named:
            columns.append((ITEM, [said(row.item) for row in rows]))
        if self.score is not None:
            columns.append((self.score, [row.score for row in rows]))
        columns.append((GRADE, [row.grade for row in rows]))
        columns.append((RELEVANT, [int(self.is_relevant(row)) for row in rows]))
        kept = counts if counts is not None else [self.is_relevant(row) for row in rows]
        return by_columns(key, title, [*columns, *more], kept, self._below(len(rows), k))

    def terms_grid(
        self, rows: Sequence[Listed], terms: Sequence[float], *more: tuple[Column, Sequence[Cell]], k: int | None
    ) -> Grid:
        """The list with what each row adds to a sum; rows that add nothing do not count."""
        return self.grid(rows, *more, (SO_FAR, running(terms)), counts=[term != 0 for term in terms], k=k)

    def _below(self, written: int, k: int | None) -> Text | None:
        left = self.n - written
        if k is None or not left:
            return None
        return Text(
            f"Items below rank {k}, which are not looked at: {left}.",
            f"第 {k} 位之后还有 {left} 个条目，不予考虑。",
        )


def only_where(counts: Sequence[bool], cells: Sequence[Any]) -> list[Any]:
    """The cells of rows that count; a dash elsewhere."""
    return [cell if here else None for cell, here in zip(cells, counts, strict=True)]


def ranks_of(above: int, block: int) -> str:
    """The ranks of a block."""
    return str(above + 1) if block == 1 else f"{above + 1}–{above + block}"


def by_columns(
    key: str,
    title: Text,
    columns: Sequence[tuple[Column, Sequence[Cell]]],
    counts: Sequence[bool] | None = None,
    note: Text | None = None,
) -> Grid:
    """A table from its columns."""
    rows = list(zip(*(cells for _, cells in columns), strict=True))
    kept = [True] * len(rows) if counts is None else counts
    return Grid(
        key,
        title,
        tuple(column for column, _ in columns),
        tuple(Row(row, counting) for row, counting in zip(rows, kept, strict=True)),
        note,
    )


def column(key: str, en: str, zh: str | None = None) -> Column:
    """A column; a sign needs no translation."""
    return Column(key, Text(en, en if zh is None else zh))


def running(terms: Sequence[float]) -> list[float]:
    """Σ so far, added up one after another as the metric does."""
    return list(accumulate(terms))


def sum_line(key: str, name: str | Text, terms: Sequence[float], total: float) -> Line:
    """A sum; of a long list only what is not 0 is written."""
    return Line(key, name, *summed(_written(terms)), total)


def sum_of(steps: Sequence[Step], terms: Sequence[float], total: float) -> Derivation:
    """A value that is a sum."""
    return Derivation(steps, *summed(_written(terms)), total)


def _written(terms: Sequence[float]) -> Sequence[float]:
    return terms if len(terms) <= _SHORT_SUM else [term for term in terms if term]


def at(k: int | None) -> str:
    """@k, as a name has it."""
    return "" if k is None else f"@{k}"


def symbol(metric: RankingMetric) -> str:
    """How the formula calls the value, with k itself."""
    formula = metric.formula if isinstance(metric.formula, str) else metric.formula.en
    name = formula.split(" = ")[0].strip().replace("@k", at(metric.k))
    return "recall" if name == "R" else name  # R is the number of relevant items


def top_words(k: int | None) -> Text:
    """The part of the list that counts, in words."""
    if k is None:
        return Text("the list", "列表")
    return Text(f"the top {k}", f"前 {k} 个")
