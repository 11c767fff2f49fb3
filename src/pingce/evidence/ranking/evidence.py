"""Ranking evidence: where each judged item stands in the list of its query. Every ranking metric follows from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.lazy import pa
from pingce.base.records import dataclass
from pingce.evidence.items.counters import ItemCounters
from pingce.evidence.items.heads import ListHeads
from pingce.evidence.policies import Relevant
from pingce.evidence.ranking.intents import Intents
from pingce.evidence.ranking.item_weights import ItemWeights
from pingce.evidence.ranking.truth_index import gathered, offsets, starts
from pingce.evidence.ranking.view import RankingView
from pingce.inputs import Ids
from pingce.inputs.ids import changes, concatenate, sorted_rows

if TYPE_CHECKING:
    from pingce.evidence.items.background import Background

ARROW_VERSION = "2"
HIT_COLUMNS = ("above", "block", "by_id", "by_order", "grade")
QUERY_COLUMNS = ("answered", "returned", "given", "truth_repeats", "run_repeats", "nan_rows", "excluded")


class Tally(NamedTuple):
    """What belongs to no judged query: added up when evidence is merged."""

    extra_queries: int = 0
    extra_rows: int = 0

    def plus(self, *others: Tally) -> Tally:
        """All of them together."""
        return Tally(*map(sum, zip(self, *others, strict=True)))


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
    heads: ListHeads | None = None
    "What the lists show, where metrics look at items; then lists of queries without judgements are here too."
    background: Background | None = None
    "What is known of items from elsewhere; it is given to the evidence of all queries, and is no part of pieces."
    counters: ItemCounters | None = None
    "What the lists show, where they were counted and dropped."
    intents: Intents | None = None
    "The subtopics of judged items, where the truth tells them apart."
    weights: ItemWeights | None = None
    "What judged items weigh, where the truth says so."

    def __len__(self) -> int:
        return len(self.returned)

    @property
    def query_of_hit(self) -> NDArray[np.int64]:
        """The query (its place in `queries`) of each hit."""
        return np.repeat(np.arange(len(self)), np.diff(self.hit_begin))

    @property
    def is_judged(self) -> NDArray[np.bool_]:
        """Whether the truth has the query."""
        return np.diff(self.judged_begin) > 0

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
            heads=None if self.heads is None else self.heads.select(places),
            intents=None if self.intents is None else self.intents.select(hits, judged),
            weights=None if self.weights is None else self.weights.select(hits, judged),
            **{name: getattr(self, name)[places] for name in QUERY_COLUMNS},
            **{name: getattr(self, name)[hits] for name in HIT_COLUMNS},
        )

    def condensed(self) -> RankingEvidence:
        """The evidence of the lists without their unjudged items (trec_eval -J); a negative grade is unjudged."""
        kept = np.flatnonzero(self.grade >= 0)
        query, above = self.query_of_hit[kept], self.above[kept]
        counts = np.bincount(query, minlength=len(self))
        begin, rows, block_start = offsets(counts), np.arange(len(kept)), starts(query, above)
        order = np.lexsort((self.by_order[kept], block_start))
        by_order = np.empty(len(kept), np.int32)
        by_order[order] = rows - block_start
        return replace(
            self,
            returned=counts.astype(np.int64),
            hit_begin=begin,
            above=(block_start - begin[query]).astype(np.int32),
            block=np.bincount(block_start, minlength=len(kept))[block_start].astype(np.int32),
            by_id=(rows - block_start).astype(np.int32),
            by_order=by_order,
            grade=self.grade[kept],
            intents=None if self.intents is None else self.intents.of_hits(kept),
            weights=None if self.weights is None else self.weights.of_hits(kept),
        )

    def of_returned(self) -> RankingEvidence:
        """The same where nothing but returned items is judged, as tools see it that know only lists."""
        query, weights = self.query_of_hit, self.weights
        order = np.lexsort((-self.grade, query) if weights is None else (-weights.hit, -self.grade, query))
        weights = None if weights is None else ItemWeights(weights.hit, weights.hit[order])
        intents = None if self.intents is None else self.intents.of_returned(query, self.judged_begin, self.hit_begin)
        judged = self.grade[order]
        return replace(self, judged_begin=self.hit_begin, judged=judged, intents=intents, weights=weights)

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
            hit_begin=offsets(counts),
            above=place[kept],
            block=alone + np.int32(1),
            by_id=alone,
            by_order=alone,
            grade=self.grade[kept],
            heads=None if self.heads is None else self.heads.cut(depth),
            intents=None if self.intents is None else self.intents.of_hits(kept),
            weights=None if self.weights is None else self.weights.of_hits(kept),
        )

    def merge(self, other: RankingEvidence) -> RankingEvidence:
        """The evidence of both runs together: each query may have been answered in one of the two only."""
        return RankingEvidence.joined([self, other])

    @staticmethod
    def joined(pieces: Sequence[RankingEvidence]) -> RankingEvidence:
        """The evidence of all runs together, queries sorted once: each may have been answered in one of them only.

        Pieces that know the same judged query must have been made with the same judgements.
        """
        if len(pieces) == 1:
            return pieces[0]
        if len({piece.queries.integers for piece in pieces}) > 1:
            raise InputError(
                "evidence with integer ids cannot be merged with evidence with string ids",
                "整数编号与字符串编号的证据不能合并",
            )
        queries = concatenate([piece.queries for piece in pieces])
        answered = np.concatenate([piece.answered for piece in pieces])
        order = np.argsort(~answered, kind="stable")
        order = order[sorted_rows(queries.take(order))]
        repeated = np.ones(len(order), bool)
        repeated[changes(queries.take(order))] = False
        if repeated.any():
            twice = order[repeated & answered[order]]
            if len(twice):
                examples = ", ".join(f"'{query}'" for query in queries.take(twice[:3]).to_list())
                raise InputError(
                    f"{len(twice)} queries were answered in both pieces ({examples}); evidence merges by whole queries",
                    f"有 {len(twice)} 个查询在两份证据中都有结果（{examples}）；证据只能按完整的查询合并",
                )
            pairs = order[np.flatnonzero(repeated) - 1], order[repeated]
            ours, theirs = (_chosen(pieces, queries, places) for places in pairs)
            columns: list[tuple[NDArray[Any], NDArray[Any]]] = [
                (ours.judged_begin, theirs.judged_begin),
                (ours.judged, theirs.judged),
            ]
            intents = ours.intents is theirs.intents or (
                ours.intents is not None and ours.intents.same_judgements(theirs.intents)
            )
            if ours.weights is not None and theirs.weights is not None:
                columns.append((ours.weights.judged, theirs.weights.judged))
            if not intents or not all(np.array_equal(*pair) for pair in columns):
                raise InputError(
                    "the two pieces have different judgements of the same queries; evaluate both against one truth",
                    "两份证据对同一查询的标注不同；请用同一份真值评测",
                )
        return _chosen(pieces, queries, order[~repeated])

    def to_arrow(self) -> pa.Table:
        """One row a query; `RankingEvidence.from_arrow` gives the same evidence back."""
        from pingce.evidence.ranking.arrow import to_arrow

        return to_arrow(self)

    @staticmethod
    def from_arrow(table: pa.Table) -> RankingEvidence:
        """The evidence that `to_arrow` wrote."""
        from pingce.evidence.ranking.arrow import from_arrow

        return from_arrow(table)


def no_evidence(like: Ids, tally: Tally, top_grade: float = -np.inf) -> RankingEvidence:
    """The evidence of no judged query."""
    nothing = np.zeros(0, np.int64)
    columns: dict[str, NDArray[Any]] = dict.fromkeys(QUERY_COLUMNS, nothing)
    columns |= {name: nothing.astype(np.int32) for name in HIT_COLUMNS}
    columns |= {"answered": np.zeros(0, bool), "grade": np.zeros(0), "judged": np.zeros(0)}
    columns |= {name: np.zeros(1, np.int64) for name in ("hit_begin", "judged_begin")}
    return evidence_of_columns(like.take(nothing), columns, top_grade, tally)


def evidence_of_columns(
    queries: Ids, columns: Mapping[str, NDArray[Any]], top_grade: float, tally: Tally
) -> RankingEvidence:
    """The evidence that all columns of queries, hits and judged items make, and nothing beside them."""
    return RankingEvidence(
        queries=queries,
        top_grade=top_grade,
        tally=tally,
        heads=None,
        background=None,
        counters=None,
        intents=None,
        weights=None,
        **columns,
    )


def _chosen(pieces: Sequence[RankingEvidence], queries: Ids, places: NDArray[np.intp]) -> RankingEvidence:
    """Some queries of all pieces, in that order; a column at a time, so that nothing is held three times."""
    in_order = len(places) == len(queries) and bool((places == np.arange(len(places))).all())
    hit_begin, judged_begin = (
        offsets(np.concatenate([np.diff(getattr(piece, name)) for piece in pieces]))
        for name in ("hit_begin", "judged_begin")
    )
    hits = judged = None
    if not in_order:
        (hits, hit_begin), (judged, judged_begin) = gathered(hit_begin, places), gathered(judged_begin, places)

    def column(name: str, rows: NDArray[np.integer[Any]] | None) -> NDArray[Any]:
        values = np.concatenate([getattr(piece, name) for piece in pieces])
        return values if in_order else values[rows]

    heads = [piece.heads for piece in pieces if piece.heads is not None]
    if heads and not in_order:
        heads = [ListHeads.joined(heads).select(places)]
    intents = Intents.joined([(piece.intents, len(piece.judged)) for piece in pieces])
    if intents is not None and hits is not None and judged is not None:
        intents = intents.select(hits, judged)
    weights = ItemWeights.joined([(piece.weights, len(piece.judged)) for piece in pieces])
    if weights is not None and hits is not None and judged is not None:
        weights = weights.select(hits, judged)
    return RankingEvidence(
        queries=queries.take(places),
        intents=intents,
        weights=weights,
        background=next((piece.background for piece in pieces if piece.background is not None), None),
        heads=ListHeads.joined(heads) if heads else None,
        counters=None,
        hit_begin=hit_begin,
        judged_begin=judged_begin,
        judged=column("judged", judged),
        top_grade=max(piece.top_grade for piece in pieces),
        tally=Tally().plus(*(piece.tally for piece in pieces)),
        **{name: column(name, places) for name in QUERY_COLUMNS},
        **{name: column(name, hits) for name in HIT_COLUMNS},
    )
