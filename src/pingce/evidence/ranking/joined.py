"""Pieces of ranking evidence put together: however many there are, their queries are sorted once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.evidence.ranking.evidence import HIT_COLUMNS, QUERY_COLUMNS, RankingEvidence, Tally, gathered
from pingce.inputs.ids import Ids, changes, concatenate, sorted_rows

_BEGINS = ("hit_begin", "judged_begin")


def joined_evidence(pieces: Sequence[RankingEvidence]) -> RankingEvidence:
    """The evidence of all runs together: each query may have been answered in one of them only.

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
        _refuse_twice(queries, order[repeated & answered[order]])
        _refuse_other_judgements(
            *(_chosen(pieces, queries, of) for of in (order[np.flatnonzero(repeated) - 1], order[repeated]))
        )
    return _chosen(pieces, queries, order[~repeated])


def no_evidence(like: Ids, tally: Tally, top_grade: float = -np.inf) -> RankingEvidence:
    """The evidence of no judged query."""
    nothing = np.zeros(0, np.int64)
    columns: dict[str, Any] = dict.fromkeys(QUERY_COLUMNS, nothing)
    columns |= {name: nothing.astype(np.int32) for name in HIT_COLUMNS}
    return RankingEvidence(
        queries=like.take(nothing),
        hit_begin=np.zeros(1, np.int64),
        judged_begin=np.zeros(1, np.int64),
        judged=np.zeros(0),
        top_grade=top_grade,
        tally=tally,
        **{**columns, "answered": np.zeros(0, bool), "grade": np.zeros(0)},
    )


def _chosen(pieces: Sequence[RankingEvidence], queries: Ids, places: NDArray[np.intp]) -> RankingEvidence:
    """Some queries of all pieces, in that order; a column at a time, so that nothing is held three times."""
    in_order = len(places) == len(queries) and bool((places == np.arange(len(places))).all())
    hit_begin, judged_begin = (_offsets([getattr(piece, name) for piece in pieces]) for name in _BEGINS)
    hits = judged = None
    if not in_order:
        (hits, hit_begin), (judged, judged_begin) = gathered(hit_begin, places), gathered(judged_begin, places)
    tally = Tally()
    for piece in pieces:
        tally = tally.plus(piece.tally)

    def column(name: str, rows: NDArray[np.integer[Any]] | None) -> NDArray[Any]:
        values = np.concatenate([getattr(piece, name) for piece in pieces])
        return values if in_order else values[rows]

    return RankingEvidence(
        queries=queries.take(places),
        hit_begin=hit_begin,
        judged_begin=judged_begin,
        judged=column("judged", judged),
        top_grade=max(piece.top_grade for piece in pieces),
        tally=tally,
        **{name: column(name, places) for name in QUERY_COLUMNS},
        **{name: column(name, hits) for name in HIT_COLUMNS},
    )


def _offsets(begins: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    before = np.cumsum([0, *(begin[-1] for begin in begins)])
    parts = [begin[1:] + at for begin, at in zip(begins, before[:-1], strict=True)]
    return np.concatenate([np.zeros(1, np.int64), *parts])


def _refuse_other_judgements(ours: RankingEvidence, theirs: RankingEvidence) -> None:
    if not np.array_equal(ours.judged_begin, theirs.judged_begin) or not np.array_equal(ours.judged, theirs.judged):
        raise InputError(
            "the two pieces have different judgements of the same queries; evaluate both against one truth",
            "两份证据对同一查询的标注不同；请用同一份真值评测",
        )


def _refuse_twice(queries: Ids, twice: NDArray[np.intp]) -> None:
    if len(twice):
        examples = ", ".join(f"'{query}'" for query in queries.take(twice[:3]).to_list())
        raise InputError(
            f"{len(twice)} queries were answered in both pieces ({examples}); evidence merges by whole queries",
            f"有 {len(twice)} 个查询在两份证据中都有结果（{examples}）；证据只能按完整的查询合并",
        )
