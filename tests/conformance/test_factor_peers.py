"""Tools that rank the whole catalogue by given factors, without what users had: frozen answers against `evaluate_factors(convention=)`."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pingce as pc

HERE = Path(__file__).parent
TOOLS = ("implicit", "recbole", "rectools")
RECALL = {"implicit": "precision_at_k(K=50)", "recbole": "recall@50", "rectools": "Recall(k=50)"}
NDCG = {"implicit": "ndcg_at_k(K=10)", "recbole": "ndcg@10", "rectools": "NDCG(k=10, divide_by_achievable=True)"}
pytestmark = pytest.mark.filterwarnings("ignore::pingce.PingceWarning")


@cache
def read(name: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((HERE / name).read_text(encoding="utf-8"))
    return document


def evaluate(case: str, metrics: list[str], **options: Any) -> dict[str, float]:
    data = read("cases/factors.json")[case]
    truth, past = (
        {user: items for user, items in enumerate(data[side]) if items or side == "test"} for side in ("test", "train")
    )
    users, items = (np.array(data[side], np.float32) for side in ("users", "items"))
    return dict(pc.evaluate_factors(users, items, truth, metrics, exclude=past, **options))


@pytest.mark.parametrize("case", ["even", "uneven"])
@pytest.mark.parametrize("tool", TOOLS)
def test_every_number_of_the_tool(tool: str, case: str) -> None:
    answers = read(f"{tool}_factors.json")["cases"][case]
    assert len(answers) >= 6
    assert evaluate(case, list(answers), convention=tool) == pytest.approx(answers, rel=1e-12, abs=1e-12)


def test_recall_and_ndcg_are_those_of_all_tools() -> None:
    """implicit has no recall: what it calls precision is that, where all users have as many relevant items."""
    ours = evaluate("even", ["recall@50", "ndcg@10"])
    for tool in TOOLS:
        answers = read(f"{tool}_factors.json")["cases"]["even"]
        theirs = {"recall@50": answers[RECALL[tool]], "ndcg@10": answers[NDCG[tool]]}
        assert theirs == pytest.approx(ours, rel=1e-12, abs=0), tool
    assert 0.2 < ours["ndcg@10"] < ours["recall@50"] < 1
