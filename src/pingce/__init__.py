"""pingce (评测): exact, explained and fast evaluation of rankings, click predictions, classifiers and numbers.

>>> import pingce as pc
>>> scores = pc.evaluate_ranking({"q1": {"a": 3, "b": 1}}, {"q1": {"b": 0.9, "a": 0.7}}, ["ndcg@10", "mrr"])
>>> round(scores["ndcg@10"], 6)
0.70981
"""

from __future__ import annotations

from pingce.base.interrupts import is_command, leave_at_once

if is_command():
    leave_at_once()

from typing import TYPE_CHECKING, Any

from pingce.base.interpreters import refuse_subinterpreter
from pingce.base.lazy import importer, keep_functions

__version__ = "0.1.0"

_MODULE_OF = {
    "BinaryEvaluator": "evaluators",
    "BinaryMetric": "metrics.binary",
    "BinaryScores": "scores.binary",
    "CheckResult": "checks",
    "CheckRow": "checks",
    "Comparison": "comparison",
    "ComparisonSettings": "comparison",
    "ConventionComparison": "comparison",
    "ConventionSwitch": "comparison",
    "ConventionValue": "comparison",
    "Difference": "comparison",
    "Evaluator": "evaluators",
    "InputError": "base.errors",
    "MeasuredMetric": "comparison",
    "Metric": "metrics.declared",
    "MulticlassEvaluator": "evaluators",
    "MulticlassMetric": "metrics.multiclass",
    "MulticlassScores": "scores.multiclass",
    "PingceError": "base.errors",
    "PingceWarning": "base.errors",
    "Policies": "evidence",
    "RankedList": "metrics.ranking",
    "RankingEvaluator": "evaluators",
    "RankingEvidence": "evidence",
    "RankingMetric": "metrics.ranking",
    "RankingScores": "scores.ranking",
    "RegressionEvaluator": "evaluators",
    "RegressionMetric": "metrics.regression",
    "RegressionScores": "scores.regression",
    "SavedScores": "scores.read",
    "Scores": "scores",
    "accuracy": "functions",
    "auc": "functions",
    "average_precision": "lists",
    "average_precision_at_k": "lists",
    "balanced_accuracy": "functions",
    "brier": "functions",
    "calibration_curve": "curves",
    "cg_at_k": "lists",
    "check": "checks",
    "classification_report": "functions",
    "compare": "comparison",
    "compare_conventions": "comparison",
    "compare_curves": "curves",
    "confusion_at_thresholds": "curves",
    "confusion_matrix": "functions",
    "dcg_at_k": "lists",
    "det_curve": "curves",
    "ece": "functions",
    "evaluate_binary": "evaluate",
    "evaluate_multiclass": "evaluate",
    "evaluate_ranking": "evaluate",
    "evaluate_regression": "evaluate",
    "explain": "explanations",
    "f1": "functions",
    "fbeta": "functions",
    "from_signature": "scores.signature",
    "gain_curve": "curves",
    "gauc": "functions",
    "hit_rate_at_k": "lists",
    "jaccard": "functions",
    "kappa": "functions",
    "ks": "functions",
    "ks_curve": "curves",
    "lift": "functions",
    "lift_curve": "curves",
    "logloss": "functions",
    "mae": "functions",
    "mape": "functions",
    "mcc": "functions",
    "medae": "functions",
    "mse": "functions",
    "ndcg_at_k": "lists",
    "ne": "functions",
    "parse_metric": "metrics.grammar",
    "pcoc": "functions",
    "pearson": "functions",
    "plot_curves": "curves",
    "pr_auc": "functions",
    "pr_curve": "curves",
    "precision": "functions",
    "precision_at_k": "lists",
    "r2": "functions",
    "ranking_evidence": "evidence",
    "read_excluded": "inputs",
    "read_run": "inputs",
    "read_scores": "scores.read",
    "read_truth": "inputs",
    "read_weights": "inputs",
    "recall": "functions",
    "recall_at_k": "lists",
    "reciprocal_rank_at_k": "lists",
    "registry": "metrics.declared",
    "report": "html",
    "rmse": "functions",
    "roc_curve": "curves",
    "smape": "functions",
    "spearman": "functions",
    "specificity": "functions",
    "use_language": "base.text",
    "wmape": "functions",
}
__all__ = [
    "BinaryEvaluator",
    "BinaryMetric",
    "BinaryScores",
    "CheckResult",
    "CheckRow",
    "Comparison",
    "ComparisonSettings",
    "ConventionComparison",
    "ConventionSwitch",
    "ConventionValue",
    "Difference",
    "Evaluator",
    "InputError",
    "MeasuredMetric",
    "Metric",
    "MulticlassEvaluator",
    "MulticlassMetric",
    "MulticlassScores",
    "PingceError",
    "PingceWarning",
    "Policies",
    "RankedList",
    "RankingEvaluator",
    "RankingEvidence",
    "RankingMetric",
    "RankingScores",
    "RegressionEvaluator",
    "RegressionMetric",
    "RegressionScores",
    "SavedScores",
    "Scores",
    "__version__",
    "accuracy",
    "auc",
    "average_precision",
    "average_precision_at_k",
    "balanced_accuracy",
    "brier",
    "calibration_curve",
    "cg_at_k",
    "check",
    "classification_report",
    "compare",
    "compare_conventions",
    "compare_curves",
    "confusion_at_thresholds",
    "confusion_matrix",
    "dcg_at_k",
    "det_curve",
    "ece",
    "evaluate_binary",
    "evaluate_multiclass",
    "evaluate_ranking",
    "evaluate_regression",
    "explain",
    "f1",
    "fbeta",
    "from_signature",
    "gain_curve",
    "gauc",
    "hit_rate_at_k",
    "jaccard",
    "kappa",
    "ks",
    "ks_curve",
    "lift",
    "lift_curve",
    "logloss",
    "mae",
    "mape",
    "mcc",
    "medae",
    "mse",
    "ndcg_at_k",
    "ne",
    "parse_metric",
    "pcoc",
    "pearson",
    "plot_curves",
    "pr_auc",
    "pr_curve",
    "precision",
    "precision_at_k",
    "r2",
    "ranking_evidence",
    "read_excluded",
    "read_run",
    "read_scores",
    "read_truth",
    "read_weights",
    "recall",
    "recall_at_k",
    "reciprocal_rank_at_k",
    "registry",
    "report",
    "rmse",
    "roc_curve",
    "smape",
    "spearman",
    "specificity",
    "use_language",
    "wmape",
]

if TYPE_CHECKING:
    from pingce.base.errors import InputError, PingceError, PingceWarning
    from pingce.base.text import use_language
    from pingce.checks.call import check
    from pingce.checks.result import CheckResult, CheckRow
    from pingce.comparison.call import compare
    from pingce.comparison.convention_values import ConventionComparison, ConventionSwitch, ConventionValue
    from pingce.comparison.conventions import compare_conventions
    from pingce.comparison.result import Comparison
    from pingce.comparison.results import Difference, MeasuredMetric
    from pingce.comparison.settings import ComparisonSettings
    from pingce.curves import (
        calibration_curve,
        compare_curves,
        confusion_at_thresholds,
        det_curve,
        gain_curve,
        ks_curve,
        lift_curve,
        plot_curves,
        pr_curve,
        roc_curve,
    )
    from pingce.evaluate import evaluate_binary, evaluate_multiclass, evaluate_ranking, evaluate_regression
    from pingce.evaluators import (
        BinaryEvaluator,
        Evaluator,
        MulticlassEvaluator,
        RankingEvaluator,
        RegressionEvaluator,
    )
    from pingce.evidence import Policies, RankingEvidence, ranking_evidence
    from pingce.explanations.call import explain
    from pingce.functions import (
        accuracy,
        auc,
        balanced_accuracy,
        brier,
        classification_report,
        confusion_matrix,
        ece,
        f1,
        fbeta,
        gauc,
        jaccard,
        kappa,
        ks,
        lift,
        logloss,
        mae,
        mape,
        mcc,
        medae,
        mse,
        ne,
        pcoc,
        pearson,
        pr_auc,
        precision,
        r2,
        recall,
        rmse,
        smape,
        spearman,
        specificity,
        wmape,
    )
    from pingce.html.call import report
    from pingce.inputs import read_excluded, read_run, read_truth, read_weights
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
    from pingce.metrics.binary import BinaryMetric
    from pingce.metrics.declared import Metric, registry
    from pingce.metrics.grammar import parse_metric
    from pingce.metrics.multiclass import MulticlassMetric
    from pingce.metrics.ranking import RankedList, RankingMetric
    from pingce.metrics.regression import RegressionMetric
    from pingce.scores import Scores
    from pingce.scores.binary import BinaryScores
    from pingce.scores.multiclass import MulticlassScores
    from pingce.scores.ranking import RankingScores
    from pingce.scores.read import SavedScores, read_scores
    from pingce.scores.regression import RegressionScores
    from pingce.scores.signature import from_signature

_get = importer(__name__, _MODULE_OF)


def __getattr__(name: str) -> Any:
    """A public name, imported when it is first used: `import pingce` itself costs next to nothing."""
    if name in _MODULE_OF:
        refuse_subinterpreter()
    return _get(name)


keep_functions(__name__, ("evaluate",), refuse_subinterpreter)


def __dir__() -> list[str]:
    return list(__all__)
