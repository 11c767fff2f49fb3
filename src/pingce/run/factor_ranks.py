"""The rank of every judged item, as a table: what all metrics follow from; and what is to be said of all users together."""

from __future__ import annotations

import numpy as np

from pingce.base.exact import Floats, Ints
from pingce.base.lazy import pa
from pingce.base.text import Text
from pingce.factors.evidence import Part
from pingce.factors.names import RowNames
from pingce.inputs.ids import Ids, concatenate
from pingce.scores.tables import arrow_table


class JudgedRanks:
    """Ranks as parts of the evidence have them; a table is made when it is asked for."""

    def __init__(self, items: RowNames) -> None:
        self._names = items
        self._queries: list[Ids] = []
        self._items: list[Ints] = []
        self._grades: list[Floats] = []
        self._best: list[Ints] = []
        self._worst: list[Ints] = []

    def add(self, part: Part) -> None:
        """See some users, as the first of the policies has them."""
        evidence = next(iter(part.evidence.values()))
        self._queries.append(evidence.queries.take(evidence.query_of_hit))
        self._items.append(part.items)
        self._grades.append(evidence.grade)
        self._best.append(evidence.above.astype(np.int64) + 1)
        self._worst.append(evidence.above.astype(np.int64) + evidence.block)

    def table(self) -> pa.Table:
        """A row for each judged item that is a candidate: its best and its worst rank, which differ where scores are equal."""
        return arrow_table(
            {
                "query": concatenate(self._queries).to_list(),
                "item": self._names.take(np.concatenate(self._items)).to_list(),
                "grade": np.concatenate(self._grades),
                "best": np.concatenate(self._best),
                "worst": np.concatenate(self._worst),
            }
        )


class FactorTally:
    """What is to be said of all users together."""

    def __init__(self, precision: str) -> None:
        self.precision, self.undecided = precision, 0
        self._hits, self._are_equal = 0, True

    def add(self, part: Part) -> None:
        """See some users."""
        self.undecided += part.undecided
        evidence = next(iter(part.evidence.values()))
        length = evidence.returned[evidence.query_of_hit]
        self._hits += int(np.count_nonzero(length > 1))
        self._are_equal &= bool((evidence.block == length).all())

    def cautions(self) -> tuple[Text, ...]:
        """What to say where scores tell nothing."""
        if not self._hits or not self._are_equal:
            return ()
        return (
            Text(
                "every user gives all candidates the same score: ranks are decided by the policy of ties alone; are these the vectors of a "
                "trained model?",
                "每个用户给所有候选条目的分数都相同：名次完全由并列策略决定；这些向量是否来自训练好的模型？",
            ),
        )
