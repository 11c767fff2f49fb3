"""Data with many ties, metrics that have a query, and their numbers: for every database that runs the queries."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

import pingce as pc
from pingce.sql import Names

RANDOM = np.random.default_rng(20)
COUNT = 400
BAD_NAME = 'pctr" FROM x; --'
LABELS: dict[str, Any] = {
    "click": RANDOM.integers(0, 2, COUNT),
    BAD_NAME: RANDOM.integers(0, 20, COUNT) / 20,
    "用户": RANDOM.integers(0, 60, COUNT),
}
NUMBERS = {"y_true": RANDOM.normal(size=COUNT), "y_pred": RANDOM.normal(size=COUNT)}
PAIRS = sorted({(int(query), f"d{item}") for query, item in RANDOM.integers(0, 40, (COUNT, 2))})
JUDGED = [pair for pair in PAIRS if RANDOM.random() < 0.6]
QRELS: dict[str, Any] = {
    "query_id": [query for query, _ in JUDGED],
    "doc_id": [item for _, item in JUDGED],
    "relevance": RANDOM.integers(-1, 4, len(JUDGED)),
}
SHOWN = [pair for pair in PAIRS if pair[0] % 7 and RANDOM.random() < 0.7]
RUN = {
    "query_id": [query for query, _ in SHOWN],
    "doc_id": [item for _, item in SHOWN],
    "score": RANDOM.integers(0, 4, len(SHOWN)) / 4,
}
OF_LABELS = ["auc", "gauc", "gauc(by=clicks)", "gauc(by=uniform)", "ks", "pr_auc", "logloss", "logloss(eps=0.01)", "brier", "pcoc", "accuracy", "precision", "recall(threshold=0.3)", "specificity(compare=gt)", "f1", "f(beta=2)", "fpr", "fnr", "npv", "jaccard", "positive_rate", "copc"]  # fmt: skip
OF_NUMBERS = ["mae", "mse", "rmse", "mean_error", "max_error", "wmape", "r2"]
OF_RANKINGS = ["precision@5", "precision", "recall@5", "recall", "f1@5", "f(beta=2)@5", "hit_rate@3", "hits@10", "mrr", "mrr@3", "map", "map@5", "cg@5", "dcg@5", "dcg", "ndcg@5", "ndcg", "ndcg(gain=linear)@10", "ndcg(gain=binary)@3", "precision(relevant=2)@5", "ndcg(gain=binary,relevant=2)@5", "mrr(ties=id_ascending)@5"]  # fmt: skip


OF_LOG = Names(table="log", label="click", score=BAD_NAME, group="用户")
ASKED = {
    "binary": (OF_LABELS, OF_LOG),
    "regression": (OF_NUMBERS, Names(table="numbers")),
    "ranking": (OF_RANKINGS, Names()),
}
PAIRS_ASKED = [(task, name) for task, (names, _) in ASKED.items() for name in names]


def number(task: str, name: str) -> float:
    """The number of pingce."""
    if task == "binary":
        return pc.evaluate_binary(LABELS["click"], LABELS[BAD_NAME], [name], group=LABELS["用户"])[name]
    if task == "regression":
        return pc.evaluate_regression(NUMBERS["y_true"], NUMBERS["y_pred"], [name])[name]
    return pc.evaluate_ranking(pa.table(QRELS), pa.table(RUN), [name])[name]
