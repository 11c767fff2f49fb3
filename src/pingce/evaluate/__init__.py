"""inputs → evidence → metrics → scores, and nothing else: one call a task."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pingce.base.lazy import importer

_MODULE_OF = {
    "DEFAULT_METRICS": "ranking",
    "evaluate_binary": "binary",
    "evaluate_multiclass": "multiclass",
    "evaluate_ranking": "ranking",
    "evaluate_regression": "regression",
    "evaluate_rows": "ranking",
    "score_evidence": "ranking",
}
__all__ = [
    "DEFAULT_METRICS",
    "evaluate_binary",
    "evaluate_multiclass",
    "evaluate_ranking",
    "evaluate_regression",
    "evaluate_rows",
    "score_evidence",
]

if TYPE_CHECKING:
    from pingce.evaluate.binary import evaluate_binary
    from pingce.evaluate.multiclass import evaluate_multiclass
    from pingce.evaluate.ranking import DEFAULT_METRICS, evaluate_ranking, evaluate_rows, score_evidence
    from pingce.evaluate.regression import evaluate_regression

# A ranking is evaluated without loading what the other tasks need.
__getattr__ = importer(__name__, _MODULE_OF)
