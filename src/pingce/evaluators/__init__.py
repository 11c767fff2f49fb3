"""Evaluators: batches in, merged with those of other processes and machines, the same numbers out as from one call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pingce.base.lazy import importer

_MODULE_OF = {
    "BinaryEvaluator": "binary",
    "Evaluator": "base",
    "MulticlassEvaluator": "multiclass",
    "RankingEvaluator": "ranking",
    "RegressionEvaluator": "regression",
}
__all__ = ["BinaryEvaluator", "Evaluator", "MulticlassEvaluator", "RankingEvaluator", "RegressionEvaluator"]

if TYPE_CHECKING:
    from pingce.evaluators.base import Evaluator
    from pingce.evaluators.binary import BinaryEvaluator
    from pingce.evaluators.multiclass import MulticlassEvaluator
    from pingce.evaluators.ranking import RankingEvaluator
    from pingce.evaluators.regression import RegressionEvaluator

__getattr__ = importer(__name__, _MODULE_OF)
