"""States of evaluators as a version writes them. Run by pingce 0.1.0 (commit 3e17aee3) it made `states_0_1_0`:

PYTHONPATH=… python tests/evaluators/old_states.py tests/evaluators/states_0_1_0
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pingce as pc

QRELS = {"q1": {"a": 2, "b": 1, "c": 0}, "q2": {"d": 1, "e": 3}, "q3": {"f": 1}}
RUN = {"q1": {"a": 0.5, "x": 0.5, "b": 0.25, "c": 0.125}, "q2": {"y": 3.0, "d": 2.0}, "q4": {"z": 1.0}}
RANKED = ["ndcg@3", "map", "mrr", "recall@2", "err@3", "num_rel_ret"]
LABELS, SCORES = [1, 0, 1, 1, 0, 0, 1, 0], [0.9, 0.8, 0.8, 0.4, 0.3, 0.2, 0.1, 0.75]
GROUPS = ["u", "u", "v", "v", "v", "w", "w", "u"]
CLASSES = list("aaaabbc"), list("aaabbcc")
NUMBERS = [3, -0.5, 2, 7], [2.5, 0.0, 2, 8]


def evaluators() -> dict[str, Any]:
    """One for each form that a state has: rows, evidence, sums."""
    made: dict[str, Any] = {}
    for split in ("allowed", "never"):
        made[f"ranking-{split}"] = pc.RankingEvaluator(QRELS, RANKED, split=split).update(RUN)
    for name, metrics in (("batches", RANKED[:4]), ("evidence", RANKED)):
        made[f"ranking-{name}"] = pc.RankingEvaluator(None, metrics, split="never").update(RUN, qrels=QRELS)
    made["binary"] = pc.BinaryEvaluator(["auc", "gauc", "logloss", "f1", "ks"]).update(LABELS, SCORES, group=GROUPS)
    made["binary-sums"] = pc.BinaryEvaluator(["logloss", "f1", "brier", "pcoc"]).update(LABELS, SCORES)
    made["multiclass"] = pc.MulticlassEvaluator(["accuracy", "f1", "kappa"]).update(*CLASSES)
    made["regression"] = pc.RegressionEvaluator(["mae", "rmse", "r2"]).update(*NUMBERS)
    made["regression-rows"] = pc.RegressionEvaluator(["mae", "medae", "spearman"]).update(*NUMBERS)
    return made


if __name__ == "__main__":
    for name, evaluator in evaluators().items():
        Path(sys.argv[1], f"{name}.state").write_bytes(evaluator.to_bytes())
