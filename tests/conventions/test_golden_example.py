"""One list that every tool scores differently: each number by pingce's parameters, and by naming the tool."""

from __future__ import annotations

import math
from typing import Any

import pytest

import pingce as pc

pytestmark = pytest.mark.filterwarnings("ignore")

TRUTH = {"q": {"a": 3, "b": 2, "c": 1, "d": 1, "e": 0}}
RUN = {"q": ["x", "a", "e", "c", "b"]}

# Six digits, as they were worked out by hand from the tools' formulas.
BY_PARAMETERS = {
    "precision@3": 0.3333, "precision(over=list)@3": 0.3333, "precision@10": 0.3, "precision(over=list)@10": 0.6,
    "recall@3": 0.25, "recall(over=min)@3": 0.3333, "recall(over=list)@3": 0.3333,
    "recall@10": 0.75, "recall(over=min)@10": 0.75, "recall(over=list)@10": 1.0,
    "ap@3": 0.125, "ap(norm=min)@3": 0.1667, "ap(norm=k)@3": 0.1667, "ap(norm=hits)@3": 0.5,
    "ap@10": 0.4, "ap(norm=min)@10": 0.4, "ap(norm=k)@10": 0.16, "ap(norm=hits)@10": 0.5333,
    "ndcg(gain=linear)@3": 0.397490, "ndcg(gain=linear)@10": 0.596466,
    "ndcg@3": 0.470202, "ndcg@10": 0.611571,
    "ndcg(gain=binary)@3": 0.296082, "ndcg(gain=binary)@10": 0.565450,
    "ndcg(gain=binary,ideal=full)@3": 0.296082, "ndcg(gain=binary,ideal=full)@10": 0.318794,
    "ndcg(gain=binary,discount=jarvelin)@3": 0.380094, "ndcg(gain=binary,discount=jarvelin)@10": 0.616646,
    "ndcg(gain=linear,discount=jarvelin)@3": 0.532772, "ndcg(gain=linear,discount=jarvelin)@10": 0.711369,
    "ndcg(gain=linear,ideal=list)@3": 0.397490, "ndcg(gain=linear,ideal=list)@10": 0.650412,
    "ndcg(ideal=list)@3": 0.470202, "ndcg(ideal=list)@10": 0.639612,
    "rr@3": 0.5, "rr@10": 0.5, "rr(of=all)@10": 0.2375, "rr(of=listed)@10": 0.316667, "bpref": 0.25,
    "rbp(p=0.8)@10": 0.34432, "rbp(p=0.8,gain=grade)@10": 0.74624, "rbp(p=0.85)@10": 0.29792,
    "err(max=4)@10": 0.247314, "f(beta=2,squared=no)": 0.692308, "f(beta=2)": 0.714286,
}  # fmt: skip

# The same numbers by naming the tool, in pingce's words or in its own.
BY_CONVENTION = [
    ("trec_eval", "ndcg@3", 0.397490), ("trec_eval", "ndcg_cut_10", 0.596466), ("ranx", "ndcg@10", 0.596466),
    ("ranx", "ndcg_burges@3", 0.470202), ("ranx", "ndcg_burges@10", 0.611571), ("ir_measures", "nDCG@10", 0.596466),
    ("replay", "ndcg@3", 0.296082), ("recbole", "ndcg@10", 0.565450), ("recommenders", "ndcg@10", 0.565450),
    ("rectools", "NDCG(k=10)", 0.318794), ("rectools", "NDCG(k=10, divide_by_achievable=True)", 0.565450),
    ("lenskit", "ndcg@3", 0.380094), ("lenskit", "ndcg@10", 0.616646), ("lenskit", "precision@10", 0.6),
    ("lenskit", "recall@3", 0.3333), ("sklearn", "ndcg_score(k=10)", 0.650412), ("torchmetrics", "ndcg@10", 0.650412),
    ("fuxictr", "NDCG(k=10)", 0.639612), ("fuxictr", "NDCG(k=3)", 0.470202), ("fuxictr", "MRR", 0.316667),
    ("torchmetrics", "ap@10", 0.5333), ("recbole", "ap@3", 0.1667), ("rectools", "MAP(k=10, divide_by_k=True)", 0.16),
    ("ir_measures", "ERR@10", 0.247314), ("ir_measures", "SetF(beta=2)", 0.692308), ("ranx", "rbp.80", 0.74624),
    ("trec_eval", "set_F.2", 0.692308), ("trec_eval", "bpref", 0.25), ("trec_eval", "map", 0.4),
]  # fmt: skip


@pytest.mark.parametrize(("metric", "value"), BY_PARAMETERS.items(), ids=str)
def test_by_parameters(metric: str, value: float) -> None:
    digits = len(str(value).partition(".")[2])
    assert round(pc.evaluate_ranking(TRUTH, RUN, metric)[metric], digits) == value


@pytest.mark.parametrize(("tool", "metric", "value"), BY_CONVENTION, ids=str)
def test_by_convention(tool: str, metric: str, value: float) -> None:
    digits = len(str(value).partition(".")[2])
    assert round(pc.evaluate_ranking(TRUTH, RUN, metric, convention=tool)[metric], digits) == value


# u1: 1 click of 6, AUC 1; u2: 3 of 4, AUC 1/3; u3: clicks only; u4: none.
CLICKS = [1, 0, 0, 0, 0, 0, 1, 1, 1, 0, 1, 1, 0, 0]
SCORES = [0.9, 0.1, 0.2, 0.3, 0.4, 0.5, 0.9, 0.1, 0.2, 0.5, 0.3, 0.4, 0.5, 0.6]
USERS = ["u1"] * 6 + ["u2"] * 4 + ["u3"] * 2 + ["u4"] * 2


@pytest.mark.parametrize(
    ("tool", "metric", "value"),
    [
        ("fuxictr", "gAUC", 11 / 15), ("fuxictr", "avgAUC", 2 / 3), ("recbole", "gauc", 1 / 2),
        ("recommenders", "gauc", None), ("torchmetrics", "gauc", 1 / 3), (None, "gauc", 11 / 15),
    ],
)  # fmt: skip
def test_groups(tool: str | None, metric: str, value: float | None) -> None:
    settings: dict[str, Any] = {"group": USERS, "convention": tool}
    found = pc.evaluate_binary(CLICKS, SCORES, metric, **settings)[metric]
    assert math.isnan(found) if value is None else found == pytest.approx(value, rel=1e-15)
