"""Blocks of dense scores to evidence: for models that are no factors."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.evidence.ranking.cautions import ScoreFacts
from pingce.factors.counting import Counter
from pingce.factors.dense import DenseCounter, read_scores
from pingce.factors.evidence import FactorEvidence, Lists
from pingce.factors.names import RowNames
from pingce.factors.pairs import Rows as Places
from pingce.inputs import Rows
from pingce.inputs.columns import HEAD, rows_of
from pingce.inputs.matrices import named_ids
from pingce.request import Request
from pingce.run.states.ranking import RankingState
from pingce.run.states.ranking_pieces import Piece


def add_scores(state: RankingState, request: Request, queries: Any, data: Any) -> bool:
    """Give a state the evidence of a block of scores; says whether it could, or rows must be kept."""
    scores, make = _counted_block(data, request.threads)
    names, reading = named_ids(queries, "query", "queries"), request.reading
    if len(names) != len(scores):
        raise InputError(
            f"there are {len(names)} queries for {len(scores)} rows of scores; give one for each, in order",
            f"有 {len(names)} 个查询，而分数有 {len(scores)} 行；请按顺序逐一给出",
        )
    items = None if reading.items is None else named_ids(reading.items, "item", "items=")
    if items is not None and len(items) != scores.shape[1]:
        raise InputError(
            f"items= has {len(items)} ids, but there are {scores.shape[1]} columns of scores; give one for each, in order",
            f"items= 有 {len(items)} 个编号，而分数有 {scores.shape[1]} 列；请按顺序逐一给出",
        )
    lists = Lists(RowNames(len(scores), names), RowNames(scores.shape[1], items))
    lists.users.refuse_repeats(Text("queries", "queries"))
    sample = sample_of(lists.users, lists.items)
    judged = state.judgements_of(names, sample)
    if judged is None:
        return False
    truth, exclude = judged
    if exclude is not None:
        lists = lists._replace(exclude=lists.pairs(exclude))
    counters = {
        rounds: make(lists.items.order, rounds)
        for rounds in {policies.score_type == "float32" for policies in state.needs.policies.values()}
    }
    evidence = FactorEvidence(truth, lists, sample)
    for part in evidence.parts(counters, state.needs.policies, state.needs.depth, len(scores)):
        state.add_evidence(Piece(part.evidence, part.extra, ScoreFacts(small=False)), sample)
    return True


def _counted_block(data: Any, threads: int | None) -> tuple[Any, Callable[[Places | None, bool], Counter]]:
    """A block of scores, and what counts in it: where it lies, so that a block on a device stays there."""
    if "torch" in sys.modules and not isinstance(data, np.ndarray):
        from pingce.factors.devices.scores import DeviceScores, checked_tensor, is_on_device

        if is_on_device(data):
            tensor = checked_tensor(data)
            return tensor, lambda order, rounds: DeviceScores(tensor.float() if rounds else tensor, order)
    scores = read_scores(data)
    return scores, lambda order, rounds: DenseCounter(scores.astype(np.float32) if rounds else scores, order, threads)


def sample_of(users: RowNames, items: RowNames) -> Rows:
    """Some rows of the run that the scores are."""
    rows = np.arange(min(HEAD, max(len(users), len(items))))
    query, item = users.take(rows % len(users)), items.take(rows % len(items))
    return Rows(query, item, np.zeros(len(rows)), rows_of(Text("the factors", "因子")))
