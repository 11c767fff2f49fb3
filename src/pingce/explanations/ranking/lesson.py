"""What explanations of rankings share: the ranked list as a table, sums written out, and a few sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.records import dataclass
from pingce.base.tables import Cell
from pingce.base.text import Text
from pingce.evidence.policies import Policies
from pingce.evidence.ranking.view import RankingView, mean_over_blocks, weights_at
from pingce.explanations.derivation import Derivation, Grid, Line, Step, summed
from pingce.explanations.ranking.listed import Listed, Lists, id_text
from pingce.explanations.tables import Cells, table

if TYPE_CHECKING:
    from pingce.metrics.ranking import RankingMetric

RANK = ("rank", Text("rank", "名次"))
ITEM = ("item", Text("item", "条目"))
GRADE = ("grade", Text("grade", "等级"))
RELEVANT = ("relevant", Text("relevant", "相关"))
WEIGHT = ("weight", Text("weight", "权重"))
SHARE = ("share", Text("share of orders within k", "落在前 k 的比例"))
NONE_RELEVANT = Text("0, since none is relevant", "0，因为没有相关条目")
_SHORT_SUM = 8


@dataclass(frozen=True)
class Lesson:
    """One query: what the metric sees, and the rows behind it."""

    view: RankingView
    lists: Lists
    policies: Policies
    named: bool = True
    "Whether items have names worth showing."

    @property
    def n(self) -> int:
        """Items returned."""
        return int(self.view.returned[0])

    @property
    def total(self) -> int:
        """R."""
        return int(self.view.relevant_count[0])

    def is_relevant(self, row: Listed) -> bool:
        """Whether the item of a row is."""
        return row.grade is not None and row.grade >= self.view.threshold

    def top(self, k: int | None) -> Top:
        """The rows that stand in the top k, or may stand there."""
        rows = self.lists.items
        if k is not None:
            rows = tuple(row for row in rows if (row.above if self.view.expected else row.rank - 1) < k)
        return Top(self, k, rows)


@dataclass(frozen=True)
class Top:
    """The part of the list that is looked at."""

    lesson: Lesson
    k: int | None
    rows: tuple[Listed, ...]

    @property
    def relevant(self) -> list[bool]:
        """Whether the item of each row is."""
        return [self.lesson.is_relevant(row) for row in self.rows]

    def cells(self, of_hits: NDArray[Any], otherwise: Cell = 0) -> list[Any]:
        """A number of each row: those of judged items from the evidence."""
        numbers = of_hits.tolist()
        return [otherwise if row.hit is None else numbers[row.hit] for row in self.rows]

    def where_relevant(self, cells: Sequence[Any]) -> list[Any]:
        """The cells of relevant rows; a dash elsewhere."""
        return [cell if here else None for cell, here in zip(cells, self.relevant, strict=True)]

    def at_hits(self, cells: Sequence[Any]) -> list[Any]:
        """The cells of relevant rows alone."""
        return [cell for cell, here in zip(cells, self.relevant, strict=True) if here]

    def weights(self, of_rank: Callable[[int], float]) -> list[float]:
        """What the rank of each row weighs; the mean over its block where the order is not fixed."""
        if not self.rows:
            return []
        if self.lesson.view.expected:
            above, block = (np.array([getattr(row, name) for row in self.rows]) for name in ("above", "block"))
            weights = mean_over_blocks(of_rank, above, block, self.k)
        else:
            weights = weights_at(of_rank, np.array([row.rank for row in self.rows]))
        return [float(weight) for weight in weights]

    def item_weights(self) -> list[Cells]:
        """A column of what each item weighs, where the truth says so."""
        weights = self.lesson.view.item_weight
        return [] if weights is None else [(*WEIGHT, self.cells(weights, None))]

    def _grades(self) -> list[Any]:
        """The grade of each row; a dash for an item that weighs nothing, which counts as not judged."""
        weights = self.lesson.view.item_weight
        heavy = [1.0] * len(self.rows) if weights is None else self.cells(weights, 1.0)
        return [row.grade if weight else None for row, weight in zip(self.rows, heavy, strict=True)]

    def shares(self) -> list[Any]:
        """The share of orders in which each row stands within k."""
        return self.cells(self.lesson.view.share_within(self.k), None)

    def grid(self, *more: Cells, counts: Sequence[bool] | None = None) -> Grid:
        """The list: what everyone wants to see of it, and more columns of the metric's own."""
        lesson, rows = self.lesson, self.rows
        of_blocks = lesson.view.expected
        columns: list[Cells] = [(*RANK, [ranks_of(row.above, row.block) if of_blocks else row.rank for row in rows])]
        if lesson.named:
            columns.append((*ITEM, [id_text(row.item) for row in rows]))
        if lesson.lists.score is not None:
            columns.append((*lesson.lists.score, [row.score for row in rows]))
        if all(key != WEIGHT[0] for key, *_ in more):
            more = (*self.item_weights(), *more)
        columns += [(*GRADE, self._grades()), (*RELEVANT, [int(here) for here in self.relevant]), *more]
        left, note = lesson.n - len(rows), None
        if self.k is not None and left:
            note = Text(
                f"Items below rank {self.k}, which are not looked at: {left}.",
                f"第 {self.k} 位之后还有 {left} 个条目，不予考虑。",
            )
        title = Text("The list, from the top", "列表，从第 1 位起")
        return table("list", title, columns, self.relevant if counts is None else counts, note)

    def terms_grid(self, terms: Sequence[float], *more: Cells) -> Grid:
        """The list with what each row adds to a sum; rows that add nothing do not count."""
        return self.grid(*more, so_far(terms), counts=[term != 0 for term in terms])


def ranks_of(above: int, block: int) -> str:
    """The ranks of a block."""
    return str(above + 1) if block == 1 else f"{above + 1}–{above + block}"


def so_far(terms: Sequence[float]) -> Cells:
    """Σ so far, added up one after another as the metric does."""
    return "running", Text("Σ so far", "累计 Σ"), list(accumulate(terms))


def sum_line(key: str, name: str | Text, terms: Sequence[float], total: float) -> Line:
    """A sum; of a long list only what is not 0 is written."""
    return Line(key, name, *summed(terms if len(terms) <= _SHORT_SUM else [term for term in terms if term]), total)


def sum_of(steps: Sequence[Step], terms: Sequence[float], total: float) -> Derivation:
    """A value that is a sum."""
    line = sum_line("sum", "Σ", terms, total)
    return Derivation(steps, line.template, line.numbers, total)


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
    return Text("the list", "列表") if k is None else Text(f"the top {k}", f"前 {k} 个")
