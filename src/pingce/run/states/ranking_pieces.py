"""Pieces of ranking evidence that batches leave behind, and what becomes of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pingce.base.errors import InputError
from pingce.evidence.items.directory import Directory
from pingce.evidence.items.judged import judged_items
from pingce.evidence.policies import Policies
from pingce.evidence.ranking.candidates import shared_items
from pingce.evidence.ranking.cautions import ScoreFacts
from pingce.evidence.ranking.compute import evidence_piece
from pingce.evidence.ranking.evidence import RankingEvidence, Tally, no_evidence
from pingce.evidence.ranking.facts import QueryFacts
from pingce.evidence.ranking.truth_index import IdIndex
from pingce.inputs import Ids, Rows
from pingce.inputs.ids import changes, concatenate, sorted_rows

if TYPE_CHECKING:
    from pingce.run.tallies import RankingTally

Key = tuple[str, ...]


class Needs(NamedTuple):
    """What pieces of evidence are made for."""

    policies: Mapping[Key, Policies]
    "Combinations of those that concern rows."
    depth: int = 0
    "How far down it matters which items lists show; 0: not at all."
    judged: bool = False
    "Whether it matters which items any query has judged."


class Piece(NamedTuple):
    """The evidence of some batches, under each combination of policies that concern rows."""

    evidence: Mapping[Key, RankingEvidence]
    extra: Ids
    "Queries without judgements."
    facts: ScoreFacts = ScoreFacts()
    "Of all scores."
    judged: Ids | None = None
    "The items that any of its queries has judged, each once, where that matters."

    @property
    def queries(self) -> Ids:
        """The judged ones."""
        evidence = next(iter(self.evidence.values()))
        judged = evidence.is_judged
        return evidence.queries if judged.all() else evidence.queries.take(np.flatnonzero(judged))


def piece_of(
    truth: Rows | None, run: Rows | None, needs: Needs, *, exclude: Rows | None = None, threads: int | None = None
) -> Piece:
    """The evidence of queries of which all rows are here; one side may lack."""
    if truth is None or not len(truth):
        if run is None or not needs.depth:
            return _unjudged(run, needs)
        truth = no_rows_like(run)
    run = no_rows_like(truth) if run is None else run
    evidence = {}
    for key, policies in needs.policies.items():
        evidence[key], extra = evidence_piece(truth, run, policies, exclude=exclude, threads=threads, depth=needs.depth)
    first, policies = next(iter(evidence.values())), next(iter(needs.policies.values()))
    judged = QueryFacts(first if first.is_judged.all() else first.select(first.is_judged), policies)
    facts = ScoreFacts.of(run)._replace(items=shared_items(run, judged))
    return Piece(evidence, run.query.take(extra), facts, judged_items(truth).names if needs.judged else None)


def _unjudged(run: Rows | None, needs: Needs) -> Piece:
    """The evidence of queries without judgements: only how many they are."""
    if run is None:
        raise ValueError("a piece of no rows")
    rows = IdIndex(run.query).first_rows()
    if any(policies.extra == "error" for policies in needs.policies.values()):
        place = run.describe(int(rows.min()))
        raise InputError(
            f"{place.en}: {len(rows)} queries of the run have no judgements; extra=ignore leaves them out",
            f"{place.zh}：预测中有 {len(rows)} 个查询没有标注；extra=ignore 可忽略它们",
        )
    nothing = no_evidence(run.query, Tally(len(rows), len(run)))
    return Piece(dict.fromkeys(needs.policies, nothing), run.query.take(rows), ScoreFacts.of(run))


def one_piece(pieces: Sequence[Piece], needs: Needs) -> Piece:
    """All pieces as one; a query that is in two of them is refused."""
    if len(pieces) == 1:
        return pieces[0]
    refuse_repeated_queries(pieces)
    evidence = {key: RankingEvidence.joined([piece.evidence[key] for piece in pieces]) for key in needs.policies}
    facts = reduce(ScoreFacts.merge, (piece.facts for piece in pieces))
    judged = [piece.judged for piece in pieces if piece.judged is not None]
    items = Directory(concatenate(judged)).names if judged else None
    return Piece(evidence, concatenate([piece.extra for piece in pieces]), facts, items)


def refuse_repeated_queries(pieces: Sequence[Piece] | Sequence[RankingTally]) -> None:
    """Refuse a query that is in two of the pieces."""
    every = concatenate([ids for piece in pieces for ids in (piece.queries, piece.extra)])
    order = sorted_rows(every)
    repeated = np.ones(len(every), bool)
    repeated[changes(every.take(order))] = False
    if repeated.any():
        raise in_two_batches(every.take(order[repeated]))


def unanswered_piece(rest: Rows, needs: Needs, threads: int | None) -> Piece:
    """The evidence of queries that no run answered, whose judgements are the rest of a truth."""
    kept = {key: policies.but(identical="keep") for key, policies in needs.policies.items()}
    return piece_of(rest, None, needs._replace(policies=kept), threads=threads)


def no_rows_like(rows: Rows) -> Rows:
    """No rows, with ids of the same kinds."""
    none = np.zeros(0, np.int64)
    query, item = rows.query.take(none), rows.item.take(none)
    return replace(rows, query=query, item=item, value=np.zeros(0), whole=None, subtopic=None, weight=None)


def in_two_batches(queries: Ids) -> InputError:
    """What to say of queries whose rows did not come together."""
    first, others = queries.take(np.zeros(1, np.int64)).to_list()[0], len(queries) - 1
    more = (f", and {others} other queries too", f"，另有 {others} 个查询亦然") if others else ("", "")
    return InputError(
        f"query '{first}' is in two batches{more[0]}; with split=\"never\" the rows of a query come in one batch: put them "
        'together, or choose split="allowed"',
        f"查询 '{first}' 出现在两个批次中{more[1]}；split=\"never\" 要求一个查询的行都在同一批次中：请放在一起，"
        '或改用 split="allowed"',
    )
