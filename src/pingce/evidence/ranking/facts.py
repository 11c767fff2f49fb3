"""Small numbers of every judged query beside the values of metrics: what scores count, diagnose and warn of."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.lazy import cached_property
from pingce.base.records import dataclass
from pingce.evidence.policies import Policies
from pingce.evidence.ranking.evidence import QUERY_COLUMNS, RankingEvidence, Tally
from pingce.evidence.ranking.view import RankingView
from pingce.inputs import Ids

_TOP, _DEEP = 10, 1000
STAGES = ("none", "top_10", "rank_11_to_1000", "beyond_1000", "not_returned")
"Where the first relevant item of a query stands; `none` where it has none."


class FactColumns(ABC):
    """Facts with one number a query in each column, and what a reader of the whole wants to know of them."""

    queries: Ids
    answered: NDArray[np.bool_]
    tally: Tally

    @property
    @abstractmethod
    def grades(self) -> NDArray[np.float64]:
        """The distinct grades of judged items, ascending."""

    @abstractmethod
    def column(self, name: str) -> NDArray[Any]:
        """One number a query; `depth@10` and `judged@10` are of the first ten places."""

    def __len__(self) -> int:
        return len(self.answered)

    @property
    def answered_count(self) -> int:
        """How many queries have a list."""
        return int(self.answered.sum())

    @property
    def lengths(self) -> tuple[int, int]:
        """How many rows the shortest and the longest list have; 0 without lists."""
        given = self.column("given")[self.answered]
        return (int(given.min()), int(given.max())) if len(given) else (0, 0)

    def total(self, name: str, *, answered: bool = False) -> int:
        """The sum of a column; of queries with a list only."""
        column = self.column(name)
        return int((column[self.answered] if answered else column).sum())

    def zeros(self, name: str) -> int:
        """How many queries have 0 there."""
        return int(np.count_nonzero(self.column(name) == 0))

    def stage_counts(self) -> list[int]:
        """How many queries are in each of `STAGES`."""
        counts: list[int] = np.bincount(self.column("stage"), minlength=len(STAGES)).tolist()
        return counts

    def unanswered(self, most: int) -> Sequence[str | int]:
        """The first queries without a list, in order of ids."""
        return self.queries.take(np.flatnonzero(~self.answered)[:most]).to_list()

    def some_fraction(self) -> float:
        """The largest grade that is no half, of the first query that has one."""
        return float(self.column("first_fraction")[self.column("fractions") > 0][0])


class QueryFacts(FactColumns):
    """The numbers as they follow from evidence, each computed when it is asked for."""

    def __init__(self, evidence: RankingEvidence, policies: Policies, view: RankingView | None = None) -> None:
        self.evidence, self._policies, self._view = evidence, policies, view
        self.queries, self.answered, self.tally = evidence.queries, evidence.answered, evidence.tally

    @property
    def grades(self) -> NDArray[np.float64]:
        """The distinct grades of judged items, ascending."""
        return distinct(self.evidence.judged)

    @cached_property
    def view(self) -> RankingView:
        """The lists with ties by id."""
        return self._view or self.evidence.view(relevant=self._policies.relevant)

    def column(self, name: str) -> NDArray[Any]:
        """One number a query, from its evidence."""
        if name in QUERY_COLUMNS:
            column: NDArray[Any] = getattr(self.evidence, name)
            return column
        kind, _, cutoff = name.partition("@")
        if cutoff:
            k, view = int(cutoff), self.view
            return view.depth(k) if kind == "depth" else view.count((view.rank <= k) & (view.grade >= 0))
        return _COLUMNS[kind](self)

    def stages(self) -> NDArray[np.uint8]:
        """The stage of each query, by its place in `STAGES`."""
        ties = "id" if self._policies.ties == "expected" else self._policies.ties
        view = self.view if ties == "id" else self.evidence.view(ties=ties, relevant=self._policies.relevant)
        stage = np.where(view.relevant_count > 0, np.uint8(4), np.uint8(0))
        relevant = np.flatnonzero(view.relevant)
        query = view.query[relevant]
        is_first = np.ones(len(query), bool)
        np.not_equal(query[1:], query[:-1], out=is_first[1:])
        rank = view.rank[relevant[is_first]]
        stage[query[is_first]] = 1 + (rank > _TOP) + (rank > _DEEP)
        return stage

    @cached_property
    def odd(self) -> NDArray[np.intp]:
        """Judged items whose grades are no halves."""
        doubled = 2 * self.evidence.judged
        return np.flatnonzero(np.rint(doubled) != doubled)

    def first_fraction(self) -> NDArray[np.float64]:
        """The largest of a query's grades that are no halves."""
        largest, odd = np.full(len(self), np.nan), self.odd[::-1]
        largest[self.view.judged_query[odd]] = self.evidence.judged[odd]
        return largest

    def alike(self) -> NDArray[np.bool_]:
        """Whether two judged items of a query share a grade."""
        judged, query = self.evidence.judged, self.view.judged_query
        same = (judged[1:] == judged[:-1]) & (query[1:] == query[:-1])
        alike = np.zeros(len(self), bool)
        alike[query[1:][same]] = True
        return alike


_COLUMNS: Mapping[str, Callable[[QueryFacts], NDArray[Any]]] = {
    "hits": lambda facts: np.diff(facts.evidence.hit_begin),
    "judgements": lambda facts: np.diff(facts.evidence.judged_begin),
    "relevant": lambda facts: facts.view.relevant_count,
    "stage": QueryFacts.stages,
    "fractions": lambda facts: np.bincount(facts.view.judged_query[facts.odd], minlength=len(facts)),
    "first_fraction": QueryFacts.first_fraction,
    "alike": QueryFacts.alike,
}
OF_JUDGEMENTS = (*QUERY_COLUMNS[2:], "hits", "judgements", "relevant", "fractions", "first_fraction", "alike")
"Columns that are kept whatever counts as a list; the others follow from the lists that metrics see."


@dataclass(frozen=True, eq=False)
class KeptFacts(FactColumns):
    """The same numbers where evidence is not there any more."""

    queries: Ids
    answered: NDArray[np.bool_]
    tally: Tally
    columns: Mapping[str, NDArray[Any]]
    distinct: tuple[NDArray[np.float64], NDArray[np.float64]]
    "Grades of queries without a list, and of those with one."
    top_grade: float

    @classmethod
    def of(cls, facts: QueryFacts, lists: QueryFacts, cutoffs: tuple[int, ...]) -> KeptFacts:
        """Everything that may be asked for; depth and stages are those of the lists that metrics see."""
        evidence = facts.evidence
        columns = {name: facts.column(name) for name in OF_JUDGEMENTS}
        columns |= {name: lists.column(name) for name in list_columns(cutoffs)}
        return cls(
            evidence.queries,
            evidence.answered,
            evidence.tally,
            {name: compact(column) for name, column in columns.items()},
            _distinct_by_list(evidence),
            evidence.top_grade,
        )

    @property
    def grades(self) -> NDArray[np.float64]:
        """The distinct grades of judged items, ascending."""
        return np.union1d(*self.distinct)

    def column(self, name: str) -> NDArray[Any]:
        """One number a query, as it was kept."""
        return self.columns[name]

    def of_answered(self) -> KeptFacts:
        """The facts of queries with a list."""
        return self.at(np.flatnonzero(self.answered))

    def at(self, rows: NDArray[np.intp]) -> KeptFacts:
        """The facts of some queries: all judged ones with a list are among them, or none without."""
        answered = self.answered[rows]
        return replace(
            self,
            queries=self.queries.take(rows),
            answered=answered,
            columns={name: column[rows] for name, column in self.columns.items()},
            distinct=(self.distinct[0][:0] if answered.all() else self.distinct[0], self.distinct[1]),
        )


def list_columns(cutoffs: tuple[int, ...]) -> tuple[str, ...]:
    """Columns that follow from lists."""
    return ("stage", *(f"{kind}@{k}" for k in cutoffs for kind in ("depth", "judged")))


def compact(column: NDArray[Any]) -> NDArray[Any]:
    """Whole numbers in the smallest type that holds them; of numbers that are all undefined nothing but that is kept."""
    if column.dtype.kind == "f":
        return column.astype(np.float16) if np.isnan(column).all() else column
    if column.dtype == bool:
        return column.astype(np.uint8)
    return column.astype(np.min_scalar_type(int(column.max(initial=0))))


def _distinct_by_list(evidence: RankingEvidence) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The distinct grades of queries without a list, and of those with one."""
    judged, answered = evidence.judged, evidence.answered
    if answered.all():
        return judged[:0], distinct(judged)
    listed = np.repeat(answered, np.diff(evidence.judged_begin))
    return distinct(judged[~listed]), distinct(judged[listed])


def distinct(grades: NDArray[np.float64]) -> NDArray[np.float64]:
    """The distinct grades, ascending; `np.unique` would load a part of NumPy that nothing else here needs."""
    fresh = np.ones(len(grades), bool)
    np.not_equal(grades[1:], grades[:-1], out=fresh[1:])  # those of a query stand side by side
    ordered = np.sort(grades[fresh])
    return ordered[np.diff(ordered, prepend=-np.inf) > 0]
