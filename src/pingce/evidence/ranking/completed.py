"""Lists whose unjudged items are all judged alike: the two ends of what judgements that nobody made leave open."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats, Ints
from pingce.evidence.ranking.evidence import RankingEvidence
from pingce.evidence.ranking.truth_index import offsets, starts


def grade_of_unjudged(unjudged: str, top_grade: float) -> float:
    """The grade that unjudged items have then: 0, or the largest of the truth; 1 where no item has one above 0."""
    return 0.0 if unjudged == "worst" else top_grade if top_grade > 0 else 1.0


def completed(evidence: RankingEvidence, unjudged: str) -> RankingEvidence:
    """The evidence as if every item of the lists were judged; one with a negative grade is not.

    Rows are not needed: the places of lists at which no judged item stands are those of unjudged ones.
    """
    grade = grade_of_unjudged(unjudged, evidence.top_grade)
    rows, begin = _Rows.of(evidence), offsets(evidence.returned)
    hits = begin[evidence.query_of_hit] + evidence.above + evidence.by_id
    grades = np.full(int(begin[-1]), grade)
    is_judged = evidence.grade >= 0
    grades[hits[is_judged]] = evidence.grade[is_judged]
    judged, judged_begin = _judgements(evidence, grade)
    return replace(
        evidence,
        hit_begin=begin,
        above=rows.above,
        block=rows.block,
        by_id=rows.by_id,
        by_order=rows.by_order,
        grade=grades,
        judged=judged,
        judged_begin=judged_begin,
        top_grade=max(evidence.top_grade, grade) if unjudged == "best" else evidence.top_grade,
        intents=None,
        weights=None,
    )


class _Rows(NamedTuple):
    """Every place of every list. Blocks of equal scores without a judged item are not known, and do not matter."""

    above: NDArray[np.int32]
    block: NDArray[np.int32]
    by_id: NDArray[np.int32]
    by_order: NDArray[np.int32]

    @classmethod
    def of(cls, evidence: RankingEvidence) -> _Rows:
        begin, query = offsets(evidence.returned), evidence.query_of_hit
        count = int(begin[-1])
        above = (np.arange(count) - np.repeat(begin[:-1], evidence.returned)).astype(np.int32)
        block, by_id, by_order = np.ones(count, np.int32), np.zeros(count, np.int32), np.zeros(count, np.int32)
        tied = np.unique(starts(query, evidence.above)[evidence.block > 1])
        size = evidence.block[tied].astype(np.int64)
        first = np.repeat(begin[query[tied]] + evidence.above[tied], size)
        within = np.arange(len(first)) - np.repeat(offsets(size)[:-1], size)
        places = first + within
        above[places], block[places], by_id[places] = above[first], np.repeat(size, size), within
        by_order[places] = _orders(evidence, begin, first, places)
        return cls(above, block, by_id, by_order)


def _orders(evidence: RankingEvidence, begin: Ints, first: Ints, places: Ints) -> Ints:
    """How many rows of its block were given before each place; unjudged items, which are all alike, take what is left."""
    tied = evidence.block > 1
    start = begin[evidence.query_of_hit[tied]] + evidence.above[tied]
    hit, turn = start + evidence.by_id[tied], start + evidence.by_order[tied]
    out = np.empty(int(begin[-1]), np.int64)
    out[hit] = evidence.by_order[tied]
    others, free = np.ones(len(out), bool), np.ones(len(out), bool)
    others[hit], free[turn] = False, False
    out[places[others[places]]] = (places - first)[free[places]]
    return out[places]


def _judgements(evidence: RankingEvidence, grade: float) -> tuple[Floats, Ints]:
    """The grades of all judged items, those of the lists that were not among them; descending in a query."""
    query, count = np.arange(len(evidence)), np.diff(evidence.judged_begin)
    of_hit = evidence.query_of_hit
    pooled = np.bincount(of_hit[evidence.grade < 0], minlength=len(evidence))
    more = evidence.returned - np.bincount(of_hit, minlength=len(evidence)) + pooled
    within = np.arange(len(evidence.judged)) - np.repeat(evidence.judged_begin[:-1], count)
    kept = within < np.repeat(count - pooled, count)
    every = np.concatenate([evidence.judged[kept], np.full(int(more.sum()), grade)])
    of_query = np.concatenate([np.repeat(query, count - pooled), np.repeat(query, more)])
    return every[np.lexsort((-every, of_query))], offsets(count - pooled + more)
