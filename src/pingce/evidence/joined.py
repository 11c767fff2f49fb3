"""Pieces of ranking evidence put together: however many there are, their queries are sorted once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.errors import InputError
from pingce.evidence.ranking import HIT_COLUMNS, QUERY_COLUMNS, RankingEvidence, Tally
from pingce.inputs.ids import Ids, changes, concatenate, sorted_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray


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
    every = _stacked(pieces)
    order = np.argsort(~every.answered, kind="stable")
    order = order[sorted_rows(every.queries.take(order))]
    repeated = np.ones(len(order), bool)
    repeated[changes(every.queries.take(order))] = False
    if not repeated.any():
        return every if (order == np.arange(len(order))).all() else every.select(order)
    _refuse_twice(every, order, repeated)
    _refuse_other_judgements(every, order[np.flatnonzero(repeated) - 1], order[repeated])
    return every.select(order[~repeated])


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


def _stacked(pieces: Sequence[RankingEvidence]) -> RankingEvidence:
    columns: dict[str, Any] = {
        name: np.concatenate([getattr(piece, name) for piece in pieces])
        for name in (*QUERY_COLUMNS, "judged", *HIT_COLUMNS)
    }
    tally = Tally()
    for piece in pieces:
        tally = tally.plus(piece.tally)
    return RankingEvidence(
        queries=concatenate([piece.queries for piece in pieces]),
        hit_begin=_offsets([piece.hit_begin for piece in pieces]),
        judged_begin=_offsets([piece.judged_begin for piece in pieces]),
        top_grade=max(piece.top_grade for piece in pieces),
        tally=tally,
        **columns,
    )


def _offsets(begins: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    before = np.cumsum([0, *(begin[-1] for begin in begins)])
    parts = [begin[1:] + at for begin, at in zip(begins, before[:-1], strict=True)]
    return np.concatenate([np.zeros(1, np.int64), *parts])


def _refuse_other_judgements(every: RankingEvidence, ones: NDArray[Any], others: NDArray[Any]) -> None:
    one, other = every.select(ones), every.select(others)
    if not np.array_equal(one.judged_begin, other.judged_begin) or not np.array_equal(one.judged, other.judged):
        raise InputError(
            "the two pieces have different judgements of the same queries; evaluate both against one truth",
            "两份证据对同一查询的标注不同；请用同一份真值评测",
        )


def _refuse_twice(every: RankingEvidence, order: NDArray[Any], repeated: NDArray[Any]) -> None:
    twice = order[repeated & every.answered[order]]
    if len(twice):
        shown = ", ".join(f"'{query}'" for query in every.queries.take(twice[:3]).to_list())
        raise InputError(
            f"{len(twice)} queries were answered in both pieces ({shown}); evidence merges by whole queries",
            f"有 {len(twice)} 个查询在两份证据中都有结果（{shown}）；证据只能按完整的查询合并",
        )
