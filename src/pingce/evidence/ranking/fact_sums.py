"""Small numbers of judged queries added up: what is left of them where single queries are not kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.records import dataclass
from pingce.evidence.ranking.evidence import Tally
from pingce.evidence.ranking.facts import FactColumns, KeptFacts

MOST_NAMED = 3
"Queries that a message names."
Pair = tuple[int, int]


@dataclass(frozen=True, eq=False)
class SummedFacts:
    """The same where nothing of single queries is left; pairs are of all queries, and of those with a list."""

    sizes: Pair
    totals: Mapping[str, Pair]
    irrelevant: Pair
    "Queries without relevant items."
    stages: tuple[list[int], list[int]]
    lacking: tuple[str | int, ...]
    "The first queries without a list."
    fraction: tuple[str | int, float] | None
    "The first query with a grade that is no half, and the largest such grade."
    distinct: tuple[NDArray[np.float64], NDArray[np.float64]]
    tally: Tally
    top_grade: float
    lengths: Pair
    "Rows of the shortest and of the longest list; 0 without lists."

    @classmethod
    def of(cls, facts: KeptFacts) -> SummedFacts:
        """Add up the facts of some queries."""
        chosen = facts.of_answered()
        names = [name for name in facts.columns if name not in ("stage", "first_fraction")]
        odd = np.flatnonzero(facts.column("fractions"))[:1]
        first = facts.queries.take(odd).to_list()
        return cls(
            (len(facts), len(chosen)),
            {name: (facts.total(name), chosen.total(name)) for name in names},
            (facts.zeros("relevant"), chosen.zeros("relevant")),
            (facts.stage_counts(), chosen.stage_counts()),
            tuple(facts.unanswered(MOST_NAMED)),
            (first[0], float(facts.column("first_fraction")[odd][0])) if first else None,
            facts.distinct,
            facts.tally,
            facts.top_grade,
            facts.lengths,
        )

    def __add__(self, other: SummedFacts) -> SummedFacts:
        return SummedFacts(
            _plus(self.sizes, other.sizes),
            {name: _plus(pair, other.totals[name]) for name, pair in self.totals.items()},
            _plus(self.irrelevant, other.irrelevant),
            (_merged(self.stages[0], other.stages[0]), _merged(self.stages[1], other.stages[1])),
            first_ids(self.lacking, other.lacking),
            min((each for each in (self.fraction, other.fraction) if each is not None), default=None),
            (np.union1d(self.distinct[0], other.distinct[0]), np.union1d(self.distinct[1], other.distinct[1])),
            self.tally.plus(other.tally),
            max(self.top_grade, other.top_grade),
            _spanned(self.lengths, other.lengths),
        )

    def of_answered(self) -> SummedFacts:
        """The facts of queries with a list."""
        return replace(
            self,
            sizes=self.sizes[1:] * 2,
            totals={name: pair[1:] * 2 for name, pair in self.totals.items()},
            irrelevant=self.irrelevant[1:] * 2,
            stages=self.stages[1:] * 2,
            lacking=(),
            distinct=(self.distinct[0][:0], self.distinct[1]),
        )

    def __len__(self) -> int:
        return self.sizes[0]

    @property
    def answered_count(self) -> int:
        """How many queries have a list."""
        return self.sizes[1]

    @property
    def grades(self) -> NDArray[np.float64]:
        """The distinct grades of judged items, ascending."""
        return np.union1d(*self.distinct)

    def total(self, name: str, *, answered: bool = False) -> int:
        """The sum of a column; of queries with a list only."""
        return self.totals[name][answered]

    def zeros(self, name: str) -> int:
        """How many queries have 0 there."""
        return {"relevant": self.irrelevant[0]}[name]

    def stage_counts(self) -> list[int]:
        """How many queries are in each stage."""
        return self.stages[0]

    def unanswered(self, most: int) -> Sequence[str | int]:
        """The first queries without a list, in order of ids."""
        return self.lacking[:most]

    def some_fraction(self) -> float:
        """The largest grade that is no half, of the first query that has one."""
        return self.fraction[1] if self.fraction else float("nan")


def _merged(a: list[int], b: list[int]) -> list[int]:
    return [ours + theirs for ours, theirs in zip(a, b, strict=True)]


def _plus(a: Pair, b: Pair) -> Pair:
    return a[0] + b[0], a[1] + b[1]


def _spanned(a: Pair, b: Pair) -> Pair:
    """The least and the greatest; pairs of nothing have none."""
    return (min(a[0], b[0]), max(a[1], b[1])) if a[1] and b[1] else max(a, b)


def first_ids(*ids: Sequence[str | int]) -> tuple[str | int, ...]:
    """As many as messages name, in order."""
    every: list[Any] = [each for some in ids for each in some]
    return tuple(sorted(every)[:MOST_NAMED])


Facts = FactColumns | SummedFacts
