"""True and predicted classes in a data frame of Spark."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pingce.evaluate.definitions import Definitions
from pingce.evidence.policies import MulticlassPolicies
from pingce.inputs.aliases import one_weight
from pingce.inputs.names import refuse_absent
from pingce.inputs.predictions import LABEL, PREDICTED
from pingce.spark.frames import chosen, refuse_other
from pingce.spark.jobs import evaluated
from pingce.spark.predictions import NAME, Plan
from pingce.spark.problems import spoken
from pingce.tasks.options import checked_options

if TYPE_CHECKING:
    from pingce.metrics.grammar import MetricRequest
    from pingce.metrics.multiclass import MulticlassMetric
    from pingce.scores.multiclass import MulticlassScores


@checked_options("multiclass")
def evaluate_multiclass(
    data: Any,
    metrics: Iterable[str | MulticlassMetric | MetricRequest] | str | MetricRequest | None = None,
    *,
    label: str | None = None,
    prediction: str | None = None,
    proba: str | Sequence[str] | None = None,
    weight: str | None = None,
    sample_weight: str | None = None,
    labels: Iterable[Any] | None = None,
    convention: str | None = None,
    undefined: str | None = None,
    undefined_class: str | None = None,
) -> MulticlassScores:
    """Score a classifier of any number of classes, whose labels stand in a Spark data frame.

    `label`, `prediction` and `weight` are names of columns, `proba` is a column of arrays or a list of columns, one a
    class in the order of `labels`. Keywords and numbers are those of `pingce.evaluate_multiclass`. Rows stay where they
    are; only counts travel. (The AUC of several classes needs all rows: they go to the driver.)
    """
    given = {"undefined": undefined, "undefined_class": undefined_class}
    define = Definitions(MulticlassPolicies, convention, given)
    return score_multiclass(
        data,
        None if metrics is None else define.asked(metrics),
        define.policies,
        convention=convention,
        given=define.given,
        label=label,
        prediction=prediction,
        proba=proba,
        weight=one_weight(weight, sample_weight),
        labels=labels,
    )


@spoken()
def score_multiclass(
    data: Any,
    asked: list[MetricRequest] | None,
    policies: MulticlassPolicies,
    *,
    label: str | None,
    prediction: str | None,
    convention: str | None = None,
    given: Mapping[str, Any] | None = None,
    proba: str | Sequence[str] | None = None,
    weight: str | None = None,
    labels: Iterable[Any] | None = None,
) -> MulticlassScores:
    """Score under definitions that were read before; `convention` and the policies `given` are of the usual metrics."""
    from pingce.evaluators import MulticlassEvaluator

    refuse_other(data, NAME)
    known = {"label": ("true", *LABEL)} | ({} if proba is not None else {"prediction": PREDICTED})
    found = chosen(data, {"label": label, "prediction": prediction, "weight": weight}, known)
    of_classes = () if proba is None else (proba,) if isinstance(proba, str) else tuple(proba)
    refuse_absent(of_classes, data.columns, NAME)
    keywords = {"label": "y_true", "prediction": "y_pred", "weight": "weight"}
    plan = Plan({keywords[role]: name for role, name in found.items()}, proba=of_classes)
    evaluator = MulticlassEvaluator.of(asked, policies, labels=labels, convention=convention, given=given, threads=1)
    return evaluated(plan.chosen(data), evaluator, plan.feed).compute()
