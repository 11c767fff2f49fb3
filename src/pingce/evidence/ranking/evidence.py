"""Ranking evidence: where each judged item stands in the list of its query. Every ranking metric follows from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.lazy import pa
from pingce.evidence.policies import Relevant
from pingce.evidence.ranking.view import RankingView
from pingce.inputs import Ids

ARROW_VERSION = "2"
HIT_COLUMNS = ("above", "block", "by_id", "by_order", "grade")


QUERY_COLUMNS = ("answered", "returned", "given", "truth_repeats", "run_repeats", "nan_rows", "excluded")


@dataclass(frozen=True)
class Tally:
    """What belongs to no judged query: added up when evidence is merged."""

    extra_queries: int = 0
    extra_rows: int = 0

    def plus(self, other: Tally) -> Tally:
        """Both together."""
        return Tally(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))


@dataclass(frozen=True, eq=False)
class RankingEvidence:
    """Per judged query: its hits (judged items that were returned) and the grades of all its judged items.

    Queries are sorted by id. Hits of query q are rows hit_begin[q]:hit_begin[q+1] of the hit columns, in rank order with
    ties by id descending; judged grades likewise, descending. A hit stands at rank above + by_id + 1 under `ties=id`;
    the other tie policies follow from `above`, `block`, `by_id` and `by_order` without the rows.
    """

    queries: Ids
    answered: NDArray[np.bool_]
    "Whether the run has a list for the query."
    returned: NDArray[np.int64]
    "Length of the list."
    given: NDArray[np.int64]
    "Rows of the run, before a policy removed any."
    truth_repeats: NDArray[np.int64]
    "Judgements that repeat an item."
    run_repeats: NDArray[np.int64]
    "Rows of the run that repeat an item."
    nan_rows: NDArray[np.int64]
    "Rows of the run whose score is not a number."
    excluded: NDArray[np.int64]
    "Rows of the run that were excluded before ranking."
    hit_begin: NDArray[np.int64]
    above: NDArray[np.int32]
    "Rows with a higher score."
    block: NDArray[np.int32]
    "Rows with this score, the hit included."
    by_id: NDArray[np.int32]
    "Rows of the block with a larger id."
    by_order: NDArray[np.int32]
    "Rows of the block that were given earlier."
    grade: NDArray[np.float64]
    judged_begin: NDArray[np.int64]
    judged: NDArray[np.float64]
    top_grade: float
    "The largest grade of the whole truth, also of queries that were left out since."
    tally: Tally = Tally()

    def __len__(self) -> int:
        return len(self.returned)

    @property
    def query_of_hit(self) -> NDArray[np.int64]:
        """The query (its place in `queries`) of each hit."""
        return np.repeat(np.arange(len(self)), np.diff(self.hit_begin))

    def view(self, *, ties: str = "id", relevant: Relevant = 1) -> RankingView:
        """This evidence in one order of ties, with one idea of what is relevant: what metrics read."""
        return RankingView(self, ties, relevant)

    def select(self, chosen: NDArray[Any]) -> RankingEvidence:
        """The evidence of some queries only, by mask or by place."""
        places = np.flatnonzero(chosen) if chosen.dtype == bool else chosen
        hits, hit_begin = gathered(self.hit_begin, places)
        judged, judged_begin = gathered(self.judged_begin, places)
        return replace(
            self,
            queries=self.queries.take(places),
            hit_begin=hit_begin,
            judged_begin=judged_begin,
            judged=self.judged[judged],
            **{name: getattr(self, name)[places] for name in QUERY_COLUMNS},
            **{name: getattr(self, name)[hits] for name in HIT_COLUMNS},
        )

    def condensed(self) -> RankingEvidence:
        """The evidence of the lists without their unjudged items (trec_eval -J); a negative grade is unjudged."""
        kept = np.flatnonzero(self.grade >= 0)
        query, above = self.query_of_hit[kept], self.above[kept]
        counts = np.bincount(query, minlength=len(self))
        begin = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
        rows = np.arange(len(kept))
        fresh = np.ones(len(kept), bool)
        fresh[1:] = (query[1:] != query[:-1]) | (above[1:] != above[:-1])
        block_start = np.flatnonzero(fresh)[np.cumsum(fresh) - 1] if len(kept) else rows
        order = np.lexsort((self.by_order[kept], block_start))
        by_order = np.empty(len(kept), np.int32)
        by_order[order] = rows - block_start
        return replace(
            self,
            returned=counts.astype(np.int64),
            hit_begin=begin,
            above=(block_start - begin[query]).astype(np.int32),
            block=np.bincount(block_start, minlength=len(kept))[block_start].astype(np.int32) if len(kept) else above,
            by_id=(rows - block_start).astype(np.int32),
            by_order=by_order,
            grade=self.grade[kept],
        )

    def cut(self, depth: int) -> RankingEvidence:
        """The evidence of the best `depth` items of each list (trec_eval -M).

        A cut needs an order: ties are settled, by id descending, and are none afterwards.
        """
        place = self.above + self.by_id
        kept = np.flatnonzero(place < depth)
        counts = np.bincount(self.query_of_hit[kept], minlength=len(self))
        alone = np.zeros(len(kept), np.int32)
        return replace(
            self,
            returned=np.minimum(self.returned, depth),
            hit_begin=np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)]),
            above=place[kept],
            block=alone + np.int32(1),
            by_id=alone,
            by_order=alone,
            grade=self.grade[kept],
        )

    def merge(self, other: RankingEvidence) -> RankingEvidence:
        """The evidence of both runs together: each query may have been answered in one of the two only.

        Two pieces that know the same judged query must have been made with the same judgements.
        """
        return RankingEvidence.joined([self, other])

    @staticmethod
    def joined(pieces: Sequence[RankingEvidence]) -> RankingEvidence:
        """The evidence of any number of pieces, merged in one go."""
        from pingce.evidence.ranking.joined import joined_evidence

        return joined_evidence(pieces)

    def to_arrow(self) -> pa.Table:
        """One row a query; `RankingEvidence.from_arrow` gives the same evidence back."""
        from pingce.evidence.ranking.arrow import to_arrow

        return to_arrow(self)

    @staticmethod
    def from_arrow(table: pa.Table) -> RankingEvidence:
        """The evidence that `to_arrow` wrote."""
        from pingce.evidence.ranking.arrow import from_arrow

        return from_arrow(table)


def gathered(begin: NDArray[np.int64], places: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rows of the chosen segments, one after another, and where each begins."""
    sizes = (begin[1:] - begin[:-1])[places]
    fresh = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
    rows = np.arange(fresh[-1]) + np.repeat(begin[:-1][places] - fresh[:-1], sizes)
    return rows, fresh
