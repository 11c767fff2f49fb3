"""pingce (评测): exact, explained and fast evaluation of rankings and recommendations.

>>> import pingce as pc
>>> scores = pc.evaluate_ranking({"q1": {"a": 3, "b": 1}}, {"q1": {"b": 0.9, "a": 0.7}}, ["ndcg@10", "mrr"])
>>> round(scores["ndcg@10"], 6)
0.709810
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_WHERE = {
    "errors": ("InputError", "PingceError", "PingceWarning"),
    "evaluate": ("evaluate_ranking",),
    "evidence": ("Policies", "RankingEvidence", "ranking_evidence"),
    "inputs": ("read_run", "read_truth"),
    "language": ("use_language",),
    "lists": (
        "average_precision",
        "average_precision_at_k",
        "cg_at_k",
        "dcg_at_k",
        "hit_rate_at_k",
        "ndcg_at_k",
        "precision_at_k",
        "recall_at_k",
        "reciprocal_rank_at_k",
    ),
    "metrics": ("RankedList", "RankingMetric", "parse_metric", "registry"),
    "scores": ("Scores",),
}
_MODULE_OF = {name: module for module, names in _WHERE.items() for name in names}
__all__ = ["__version__", *sorted(_MODULE_OF)]  # noqa: PLE0604 - names are strings

if TYPE_CHECKING:
    from pingce.errors import InputError, PingceError, PingceWarning
    from pingce.evaluate import evaluate_ranking
    from pingce.evidence import Policies, RankingEvidence, ranking_evidence
    from pingce.inputs import read_run, read_truth
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
    from pingce.metrics import RankedList, RankingMetric, parse_metric, registry
    from pingce.scores import Scores


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used: `import pingce` itself costs next to nothing."""
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'pingce' has no attribute '{name}'")
    value = getattr(import_module(f"pingce.{_MODULE_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return list(__all__)
