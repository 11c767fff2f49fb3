"""Evidence that is counted is that of all scores handed over as a run, whatever is asked of it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pingce as pc
from pingce.base.text import Text
from pingce.factors.matrix import Matrix
from pingce.factors.model import Factors
from pingce.factors.pairs import PairLists
from pingce.factors.reference import ReferenceCounter

NAME = Text("m", "m")


class Case(NamedTuple):
    """Factors with many equal scores, and what is asked of them."""

    users: np.ndarray
    items: np.ndarray
    truth: dict[int, dict[int, int]]
    exclude: dict[int, list[int]]
    options: dict[str, Any]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    seed = draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    users, items, width = draw(st.integers(1, 12)), draw(st.integers(1, 40)), draw(st.integers(1, 5))
    kind = draw(st.sampled_from([np.float16, np.float32, np.float64]))
    whole = draw(st.booleans())
    left, right = (
        (rng.integers(-1, 2, (rows, width)) if whole else rng.standard_normal((rows, width))).astype(kind)
        for rows in (users, items)
    )
    judged = [user for user in range(users) if rng.random() < 0.8] or [0]

    def some(most: int) -> list[int]:
        return [int(item) for item in rng.choice(items, rng.integers(1, most + 1), replace=False)]

    truth = {user: {item: int(rng.integers(0, 3)) for item in some(min(items, 6))} for user in judged}
    exclude = {user: some(min(items, 8)) for user in range(users) if rng.random() < 0.7} or {0: [0]}
    options: dict[str, Any] = {"similarity": draw(st.sampled_from(["dot", "cosine", "l2"]))}
    if draw(st.booleans()):
        options["item_bias"] = rng.integers(-1, 2, items) / 2
    if draw(st.booleans()):
        options["user_bias"] = rng.standard_normal(users)
    return Case(left, right, truth, exclude, options)


def full_matrix(case: Case) -> np.ndarray:
    """All scores, as the reference computes them."""
    users, items = Matrix(case.users, NAME), Matrix(case.items, NAME)
    kind = np.promote_types(users.precision, items.precision)
    bias = {name: case.options[name].astype(kind) for name in ("item_bias", "user_bias") if name in case.options}
    counter = ReferenceCounter(Factors(users, items, case.options["similarity"], **bias))
    rows, columns = np.arange(len(case.users)), np.arange(len(case.items))
    begin = np.arange(len(rows) + 1) * len(columns)
    return counter.scores(PairLists(rows, begin, np.tile(columns, len(rows)))).reshape(len(rows), -1)


@pytest.mark.filterwarnings("ignore::pingce.PingceWarning")
@given(case=cases(), excluding=st.booleans(), batch=st.sampled_from([1, 3, 100]), data=st.data())
def test_scores_are_those_of_the_full_matrix_given_as_a_run(
    case: Case, excluding: bool, batch: int, data: st.DataObject
) -> None:
    ties = data.draw(st.sampled_from(["id", "id_ascending", "order", "expected", "worst", "best"]))
    metrics = ["ndcg@3", "map", "mrr", "recall@5", "mean_rank"]
    if ties != "expected" and data.draw(st.booleans()):
        metrics += ["bpref", "coverage@3"]
    beside: dict[str, Any] = {"ties": ties, "exclude": case.exclude if excluding else None}
    beside["score_type"] = data.draw(st.sampled_from(["given", "float32"]))
    counted = pc.evaluate_factors(case.users, case.items, case.truth, metrics, batch=batch, **beside, **case.options)
    run = full_matrix(case)
    listed = pc.evaluate_ranking(case.truth, run, metrics, queries=range(len(run)), catalog=len(case.items), **beside)
    assert dict(counted) == pytest.approx(dict(listed), abs=0, nan_ok=True)
    assert counted.per_query.equals(listed.per_query)
    assert counted.counts == listed.counts
    assert counted.evidence.to_arrow().equals(listed.evidence.to_arrow())
