"""True and predicted numbers in a data frame of Spark."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from pingce.evaluate.definitions import Definitions
from pingce.evidence.policies import RegressionPolicies
from pingce.inputs.aliases import one_weight
from pingce.inputs.predictions import LABEL, PREDICTED
from pingce.spark.frames import chosen, refuse_other
from pingce.spark.jobs import evaluated
from pingce.spark.predictions import NAME, Plan
from pingce.spark.problems import spoken
from pingce.tasks.options import checked_options

if TYPE_CHECKING:
    from pingce.metrics.grammar import MetricRequest
    from pingce.metrics.regression import RegressionMetric
    from pingce.scores.regression import RegressionScores


@checked_options("regression")
def evaluate_regression(
    data: Any,
    metrics: Iterable[str | RegressionMetric | MetricRequest] | str | MetricRequest | None = None,
    *,
    label: str | None = None,
    prediction: str | None = None,
    weight: str | None = None,
    sample_weight: str | None = None,
    convention: str | None = None,
    undefined: str | None = None,
) -> RegressionScores:
    """Score predicted numbers that stand in a Spark data frame.

    `label`, `prediction` and `weight` are names of columns. Keywords and numbers are those of
    `pingce.evaluate_regression`. Rows stay where they are; only exact sums travel. (The median error and rank
    correlations need all rows: they go to the driver.)
    """
    from pingce.evaluate.regression import DEFAULT_METRICS

    define = Definitions(RegressionPolicies, convention, {"undefined": undefined})
    asked = define.defaults(DEFAULT_METRICS) if metrics is None else define.asked(metrics)
    return score_regression(
        data, asked, define.policies, label=label, prediction=prediction, weight=one_weight(weight, sample_weight)
    )


@spoken()
def score_regression(
    data: Any,
    asked: list[MetricRequest],
    policies: RegressionPolicies,
    *,
    label: str | None,
    prediction: str | None,
    weight: str | None = None,
) -> RegressionScores:
    """Score under definitions that were read before."""
    from pingce.evaluators import RegressionEvaluator

    refuse_other(data, NAME)
    known = {"label": ("true", *LABEL), "prediction": PREDICTED}
    found = chosen(data, {"label": label, "prediction": prediction, "weight": weight}, known)
    keywords = {"label": "y_true", "prediction": "y_pred", "weight": "weight"}
    plan = Plan({keywords[role]: name for role, name in found.items()})
    evaluator = RegressionEvaluator.of(asked, policies, threads=1)
    return evaluated(plan.chosen(data), evaluator, plan.feed).compute()
