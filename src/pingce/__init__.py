"""pingce (评测): exact, explained and fast evaluation of rankings, click predictions, classifiers and numbers.

>>> import pingce as pc
>>> scores = pc.evaluate_ranking({"q1": {"a": 3, "b": 1}}, {"q1": {"b": 0.9, "a": 0.7}}, ["ndcg@10", "mrr"])
>>> round(scores["ndcg@10"], 6)
0.70981
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pingce.lazily import importer

__version__ = "0.1.0"

_MODULE_OF = {
    "BinaryMetric": "metrics.binary",
    "BinaryScores": "scores.binary",
    "InputError": "errors",
    "Metric": "metrics",
    "MulticlassMetric": "metrics.multiclass",
    "MulticlassScores": "scores.multiclass",
    "PingceError": "errors",
    "PingceWarning": "errors",
    "Policies": "evidence",
    "RankedList": "metrics",
    "RankingEvidence": "evidence",
    "RankingMetric": "metrics",
    "RankingScores": "scores.ranking",
    "RegressionMetric": "metrics.regression",
    "RegressionScores": "scores.regression",
    "Scores": "scores",
    "average_precision": "lists",
    "average_precision_at_k": "lists",
    "cg_at_k": "lists",
    "dcg_at_k": "lists",
    "evaluate_binary": "evaluate",
    "evaluate_multiclass": "evaluate",
    "evaluate_ranking": "evaluate",
    "evaluate_regression": "evaluate",
    "hit_rate_at_k": "lists",
    "ndcg_at_k": "lists",
    "parse_metric": "metrics",
    "precision_at_k": "lists",
    "ranking_evidence": "evidence",
    "read_excluded": "inputs",
    "read_run": "inputs",
    "read_truth": "inputs",
    "read_weights": "inputs",
    "recall_at_k": "lists",
    "reciprocal_rank_at_k": "lists",
    "registry": "metrics",
    "use_language": "language",
}
__all__ = [
    "BinaryMetric",
    "BinaryScores",
    "InputError",
    "Metric",
    "MulticlassMetric",
    "MulticlassScores",
    "PingceError",
    "PingceWarning",
    "Policies",
    "RankedList",
    "RankingEvidence",
    "RankingMetric",
    "RankingScores",
    "RegressionMetric",
    "RegressionScores",
    "Scores",
    "__version__",
    "average_precision",
    "average_precision_at_k",
    "cg_at_k",
    "dcg_at_k",
    "evaluate_binary",
    "evaluate_multiclass",
    "evaluate_ranking",
    "evaluate_regression",
    "hit_rate_at_k",
    "ndcg_at_k",
    "parse_metric",
    "precision_at_k",
    "ranking_evidence",
    "read_excluded",
    "read_run",
    "read_truth",
    "read_weights",
    "recall_at_k",
    "reciprocal_rank_at_k",
    "registry",
    "use_language",
]

if TYPE_CHECKING:
    from pingce.errors import InputError, PingceError, PingceWarning
    from pingce.evaluate import evaluate_binary, evaluate_multiclass, evaluate_ranking, evaluate_regression
    from pingce.evidence import Policies, RankingEvidence, ranking_evidence
    from pingce.inputs import read_excluded, read_run, read_truth, read_weights
    from pingce.language import use_language
    from pingce.lists import (
        average_precision,
        average_precision_at_k,
        cg_at_k,
        dcg_at_k,
        hit_rate_at_k,
        ndcg_at_k,
        precision_at_k,
        recall_at_k,
        reciprocal_rank_at_k,
    )
    from pingce.metrics import Metric, RankedList, RankingMetric, parse_metric, registry
    from pingce.metrics.binary import BinaryMetric
    from pingce.metrics.multiclass import MulticlassMetric
    from pingce.metrics.regression import RegressionMetric
    from pingce.scores import Scores
    from pingce.scores.binary import BinaryScores
    from pingce.scores.multiclass import MulticlassScores
    from pingce.scores.ranking import RankingScores
    from pingce.scores.regression import RegressionScores

# `import pingce` itself costs next to nothing.
__getattr__ = importer(__name__, _MODULE_OF)


def __dir__() -> list[str]:
    return list(__all__)
