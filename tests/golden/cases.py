"""Small rankings for the tests of this folder: lists of grades turned into the qrels and the run that show them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest

import pingce as pc

Qrels = dict[str, dict[str, float]]
Ranked = dict[str, list[str]]


@dataclass(frozen=True)
class Query:
    """The grades of the returned items in ranked order (None: not judged), and those of judged items not returned."""

    grades: tuple[float | None, ...]
    unreturned: tuple[float, ...] = ()

    @property
    def judged(self) -> list[float]:
        """The grades of all judged items, returned or not."""
        return [grade for grade in self.grades if grade is not None] + list(self.unreturned)


def hits(ranks: Sequence[int], length: int, total: int | None = None) -> Query:
    """A binary list of this length with relevant items at these ranks, of ``total`` relevant items in all."""
    grades = tuple(int(rank in ranks) for rank in range(1, length + 1))
    return Query(grades, (1,) * ((total or len(ranks)) - len(ranks)))


def as_qrels(queries: Sequence[Query]) -> Qrels:
    """The judgements: item d03 of query q01 is the third of its list, m00 the first that was not returned."""
    return {f"q{n:02}": named(query) for n, query in enumerate(queries, start=1)}


def named(query: Query) -> dict[str, float]:
    """The judged items of a query by name."""
    shown = {f"d{rank:02}": grade for rank, grade in enumerate(query.grades, start=1) if grade is not None}
    return shown | {f"m{n:02}": grade for n, grade in enumerate(query.unreturned)}


def as_run(queries: Sequence[Query]) -> Ranked:
    """The run, each list already in ranked order."""
    return {
        f"q{n:02}": [f"d{rank:02}" for rank in range(1, len(query.grades) + 1)]
        for n, query in enumerate(queries, start=1)
    }


def evaluate(queries: Sequence[Query], metrics: Sequence[str], **policies: Any) -> pc.RankingScores:
    """Evaluate these lists."""
    return pc.evaluate_ranking(as_qrels(queries), as_run(queries), list(metrics), **policies)


def score(metric: str, queries: Sequence[Query], **policies: Any) -> float:
    """One metric over these lists."""
    return evaluate(queries, [metric], **policies)[metric]


def per_query(scores: pc.RankingScores, metric: str) -> list[float | None]:
    """The column of a metric, in the order of the query ids."""
    columns: Mapping[str, list[Any]] = scores.per_query.to_pydict()
    return columns[metric]


def close(value: Fraction | float) -> Any:
    """Equal as far as doubles go: fractions to a few units in the last place, other figures to 1e-12."""
    rel = 1e-15 if isinstance(value, Fraction | int) else 1e-12
    return pytest.approx(float(value), rel=rel, abs=0)
